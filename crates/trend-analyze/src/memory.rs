//! What peak memory a program will have at the target: a constant and a part that grows with the input, by the largest runs.
//! Says nothing where memory does not follow that.

use serde::Serialize;
use trend_model::Linear;
use trend_profile::Study;

use crate::Point;
use crate::point::the_size;
use crate::seconds::larger;

/// Sizes from which a line is more than a guess.
const FEWEST_SIZES: usize = 4;

/// The largest size divided by the smallest.
const LEAST_SPAN: f64 = 3.0;

/// Where the largest three sizes differ by no more than this factor, memory does not grow.
const FLAT: f64 = 1.05;

/// How far the largest three sizes may be from the line: memory that grows in steps is further.
const CLOSE: f64 = 0.1;

/// Peak memory at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct MemoryOutlook {
    /// In bytes.
    pub bytes: f64,
    /// What every run takes, in bytes.
    pub constant: f64,
    /// What each unit of the size takes besides, in bytes.
    pub per_unit: f64,
    /// The memory of the machine that it is to run on, in bytes; `null` where that is not known.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub machine_bytes: Option<u64>,
    /// The size up to which a run fits into it; `null` where memory does not grow.
    pub fits_up_to: Option<f64>,
    /// Where it may lie: as far from the line as the largest runs may be, and above it by what little they grew.
    #[serde(skip)]
    pub(crate) ci: [f64; 2],
}

/// At a point with one given feature, by the runs without counters, for a machine of so many bytes, or the one that they were
/// made on; `None` where too few were timed, or it is no line.
pub(crate) fn memory(study: &Study, point: &Point, machine_memory: Option<u64>) -> Option<MemoryOutlook> {
    let target = the_size(point)?;
    let values = &study.features()[target.id.index()].values;
    let timed = study.workloads().iter().zip(values).filter_map(|(w, x)| Some(((*x)?, w.timing.as_ref()?)));
    let larger = larger(study).and_then(|run| Some((run.value(&target.feature)?, &run.timing)));
    let peaks = timed
        .chain(larger)
        .filter_map(|(x, t)| Some((x, t.runs.iter().map(|r| r.peak_rss_bytes).max()? as f64)));
    let mut runs: Vec<(f64, f64)> = peaks.filter(|&(x, bytes)| x > 0.0 && bytes > 0.0).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // Of runs of one size, the last is the greatest.
    let sizes: Vec<(f64, f64)> =
        runs.chunk_by(|a, b| a.0 == b.0).filter_map(|runs| runs.last().copied()).collect();
    let line = line(&sizes)?;
    let machine = study.workloads().iter().filter_map(|w| w.timing.as_ref()).map(|t| t.machine_memory_bytes);
    let machine_bytes = machine_memory.or(machine.max()).filter(|bytes| *bytes > 0);
    let fits = machine_bytes.map(|bytes| (bytes as f64 - line.a) / line.b);
    let fits_up_to = fits.filter(|size| line.b > 0.0 && size.is_finite() && *size > 0.0);
    let bytes = line.predict(target.at);
    let ci = interval(&line, &sizes, target.at);
    Some(MemoryOutlook { bytes, constant: line.a, per_unit: line.b, machine_bytes, fits_up_to, ci })
}

/// Where memory may lie at a size.
fn interval(line: &Linear, sizes: &[(f64, f64)], at: f64) -> [f64; 2] {
    let bytes = line.predict(at);
    let [(x, first), _, (largest, last)] = sizes[sizes.len() - 3..] else { return [bytes, bytes] };
    let growth = ((last - first) / (largest - x)).max(line.b);
    let high = last + growth * (at - largest).max(0.0);
    [bytes * (1.0 - CLOSE), bytes.max(high) * (1.0 + CLOSE)]
}

/// Bytes over the size, by ascending size.
fn line(sizes: &[(f64, f64)]) -> Option<Linear> {
    let (first, last) = (sizes.first()?, sizes.last()?);
    if sizes.len() < FEWEST_SIZES || last.0 < LEAST_SPAN * first.0 {
        return None;
    }
    let largest = &sizes[sizes.len() - 3..];
    let most = largest.iter().map(|s| s.1).fold(0.0, f64::max);
    if largest.iter().all(|s| most <= FLAT * s.1) {
        return Some(Linear { a: most, b: 0.0, r2: 1.0, points: largest.len() });
    }
    // Relative errors count.
    let (x, y): (Vec<f64>, Vec<f64>) = sizes.iter().copied().unzip();
    let weights: Vec<f64> = y.iter().map(|y| 1.0 / (y * y)).collect();
    let line = Linear::fit_weighted(&x, &y, &weights).ok()?;
    let is_close = largest.iter().all(|(x, y)| (line.predict(*x) / y - 1.0).abs() <= CLOSE);
    (is_close && line.b > 0.0).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(of: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..8).map(|i| f64::from(1000 << i)).map(|n| (n, of(n))).collect()
    }

    #[test]
    fn memory_is_a_line_or_flat_or_unknown() {
        let at = |of: &[(f64, f64)], target: f64| Some(line(of)?.predict(target));
        let is = |found: Option<f64>, bytes: f64| (found.unwrap() / bytes - 1.0).abs() < 1e-9;
        assert!(is(at(&sizes(|n| 1.4e6 + 16.0 * n), 1e6), 1.4e6 + 16e6));
        assert!(is(at(&sizes(|_| 1.4e6), 1e9), 1.4e6));
        // What grows by less than 5 % over the largest three is taken for flat, and may be a hundredfold at this target.
        let slow = sizes(|n| 20e6 + 10.0 * n);
        let [low, high] = interval(&line(&slow).unwrap(), &slow, 2e8);
        assert!(low < 22e6 && 20e6 + 2e9 < high, "{low} {high}");
        let flat = sizes(|_| 1.4e6);
        let [low, high] = interval(&line(&flat).unwrap(), &flat, 2e8);
        assert!((low / 1.26e6 - 1.0).abs() < 1e-9 && (high / 1.54e6 - 1.0).abs() < 1e-9, "{low} {high}");
        assert_eq!(at(&sizes(|n| n * n), 1e6), None);
        assert_eq!(at(&sizes(|n| 8.0 * n)[..3], 1e6), None);
    }
}
