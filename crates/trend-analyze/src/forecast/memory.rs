//! Predicts the process's peak memory at the target: a constant plus a part that grows with the input, fitted to the
//! largest runs, with bounding curves. Predicts nothing if memory does not follow such a law.

use std::collections::BTreeSet;

use trend_model::{MemoryCurve, MemoryLaw, MemoryShape};
use trend_profile::{FeatureId, Study};

use super::fitting::fitting;
use super::seconds::larger;
use crate::findings::fitting::{FittingSize, RunLimit};
use crate::findings::memory::{MemoryDoubt, MemoryOutlook};
use crate::study::point::{Point, the_size};

/// Sizes that may distinguish a line from other shapes, as multiples of the largest: one between two doublings, and
/// larger ones, where scatter matters less.
const TELLING: [f64; 3] = [0.7, 1.5, 3.0];

/// Minimum number of runs without counters. With fewer, the peaks of the runs with counters are used.
const FEWEST_TIMED: usize = 4;

/// Peaks of the runs over one feature, with their law. Runs without counters are used if there are enough.
struct Peaks {
    runs: Vec<(f64, f64)>,
    law: MemoryLaw,
    machine_bytes: Option<u64>,
}

impl Peaks {
    fn new(study: &Study, feature: FeatureId, machine_memory: Option<u64>) -> Option<Self> {
        let feature = &study.features()[feature.index()];
        let timed = study.workloads().iter().zip(&feature.values);
        let timed = timed.filter_map(|(w, x)| Some(((*x)?, w.timing.as_ref()?)));
        let larger = larger(study).and_then(|run| Some((run.value(&feature.name)?, &run.timing)));
        let peaks = timed
            .chain(larger)
            .filter_map(|(x, t)| Some((x, t.runs.iter().map(|r| r.peak_rss_bytes).max()? as f64)));
        let counted = study.workloads().iter().zip(&feature.values);
        let counted = counted.filter_map(|(w, x)| Some(((*x)?, w.usage?.peak_rss_bytes as f64)));
        let positive = |(x, bytes): &(f64, f64)| *x > 0.0 && *bytes > 0.0;
        let sorted = |mut runs: Vec<(f64, f64)>| {
            runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            runs
        };
        let mut runs = sorted(peaks.filter(positive).collect());
        // Counters take a little memory; the probe, and recording which line allocates memory, take much. If no run was
        // timed, the findings contain only counts, which are the same in every run.
        let is_known = (1..FEWEST_TIMED).contains(&runs.len());
        if is_known && study.unit().is_executions() && study.series().is_empty() {
            runs = sorted(counted.filter(positive).collect());
        }
        let law = MemoryLaw::fit(&runs)?;
        let machine = study.workloads().iter().filter_map(|w| w.timing.as_ref());
        let machine = machine.map(|t| t.machine_memory_bytes).max();
        Some(Self { runs, law, machine_bytes: machine_memory.or(machine).filter(|bytes| *bytes > 0) })
    }

    /// Returns the largest size within an amount of memory; `None` if the smallest run takes more, or if no run does.
    fn up_to(&self, bytes: u64) -> Option<FittingSize> {
        let sizes: Vec<f64> = self.law.measured.iter().map(|(size, _)| *size).collect();
        let outlook = |size: f64| self.law.outlook(size);
        fitting(RunLimit::Bytes(bytes), &sizes, |size| Some(outlook(size).0), |size| Some(outlook(size).1[1]))
    }

    fn fits_up_to(&self) -> Option<f64> {
        Some(self.up_to(self.machine_bytes?)?.size)
    }

    /// Returns the largest sizes within these limits and within the machine's memory, by rising amount.
    fn fits(&self, within: &[RunLimit]) -> Vec<FittingSize> {
        let limits = within.iter().filter_map(RunLimit::bytes);
        let amounts: BTreeSet<u64> = limits.chain(self.machine_bytes).collect();
        amounts.into_iter().filter_map(|bytes| self.up_to(bytes)).collect()
    }
}

/// Returns the largest size of a feature, in two digits, whose run fits into the memory of the machine that made the
/// runs. `None` if that memory is unknown, or if the program's memory does not grow.
pub(crate) fn fits_up_to(study: &Study, feature: FeatureId) -> Option<f64> {
    Peaks::new(study, feature, None)?.fits_up_to()
}

/// Predicts peak memory at a point with one given feature. `machine_memory` defaults to the memory of the machine
/// that made the runs. `within` lists limits of memory to find the largest sizes for. `None` if there are too few
/// sizes, or if no shape explains them.
pub(crate) fn memory(
    study: &Study,
    point: &Point,
    machine_memory: Option<u64>,
    within: &[RunLimit],
) -> Option<MemoryOutlook> {
    let target = the_size(point)?;
    let peaks = Peaks::new(study, target.id, machine_memory)?;
    let (fits_up_to, fits) = (peaks.fits_up_to(), peaks.fits(within));
    let Peaks { runs, law, machine_bytes } = peaks;
    let doubt = match law.shape {
        MemoryShape::Clear => None,
        MemoryShape::Steps => Some(MemoryDoubt::Steps),
        MemoryShape::Faster => Some(MemoryDoubt::Faster),
        MemoryShape::PerhapsLine => Some(MemoryDoubt::MayStep(telling(&runs, law.curve))),
    };
    let four = |curve: &MemoryCurve| [curve.constant, curve.per_unit, curve.per_power, curve.exponent];
    let (bytes, ci) = law.outlook(target.at);
    Some(MemoryOutlook {
        bytes,
        ci,
        constant: law.curve.constant,
        per_unit: law.curve.per_unit,
        per_power: law.curve.per_power,
        exponent: law.curve.exponent,
        bounds: [&law.low, &law.high].map(|curves| curves.iter().map(four).collect()),
        known: law.measured.iter().map(|&(size, [low, high])| [size, low, high]).collect(),
        machine_bytes,
        fits_up_to,
        fits,
        doubts: doubt.into_iter().collect(),
    })
}

/// Returns the first size that would exclude other shapes if its peak were on the curve; the largest candidate if none
/// would.
fn telling(runs: &[(f64, f64)], curve: MemoryCurve) -> f64 {
    let largest = runs.last().map_or(0.0, |run| run.0);
    let tells = |size: &f64| {
        let mut runs = runs.to_vec();
        runs.push((*size, curve.at(*size)));
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        MemoryLaw::fit(&runs).is_some_and(|law| law.shape == MemoryShape::Clear)
    };
    let sizes = TELLING.map(|part| part * largest);
    sizes.into_iter().find(tells).unwrap_or(sizes[TELLING.len() - 1])
}

#[cfg(test)]
mod tests {
    use trend_profile::{StudyParts, Timing, Unit, Usage};

    use super::*;
    use crate::analyze::analyze;
    use crate::options::Options;

    #[test]
    fn where_few_runs_were_timed_the_others_say_what_memory_they_took() {
        let sizes = (0..6).map(|i| 1000 << i);
        let row = |value: &dyn Fn(u64) -> u64| {
            sizes.clone().map(|n| value(n).to_string()).collect::<Vec<_>>().join(" ")
        };
        let text = format!("n: {}\na.c:1:f: {}", row(&|n| n), row(&|n| 7 * n));
        let outlook = |unit: Unit, timed: usize| {
            let mut parts = StudyParts { unit, ..StudyParts::from_text(&text).unwrap() };
            for (workload, n) in parts.workloads.iter_mut().zip(sizes.clone()) {
                workload.usage = Some(Usage { peak_rss_bytes: 2_000_000 + 5000 * n, ..Usage::default() });
            }
            for workload in parts.workloads.iter_mut().rev().take(timed) {
                workload.timing =
                    Some(Timing { machine_memory_bytes: 0, runs: vec![workload.usage.unwrap()] });
            }
            let options = Options { at: vec![("n".to_owned(), 1e6)], ..Options::default() };
            analyze(&Study::new(parts).unwrap(), &options).unwrap().answer.unwrap().memory
        };
        assert!((outlook(Unit::new(""), 2).unwrap().bytes / 5.002e9 - 1.0).abs() < 0.01);
        // valgrind itself takes memory.
        assert_eq!(outlook(Unit::new("instructions"), 2), None);
        assert_eq!(outlook(Unit::new(""), 0), None);
    }

    /// Returns the largest sizes within amounts of memory. Runs of sizes 1,000 to 32,000 take 2 MB plus `per_unit`
    /// bytes per unit of size, on a machine with 8 GB.
    fn fits(within: &[u64], per_unit: u64) -> (Vec<FittingSize>, Option<f64>) {
        let mut parts =
            StudyParts::from_text("n: 1000 2000 4000 8000 16000 32000\na.c:1:f: 1 2 4 8 16 32").unwrap();
        for (i, workload) in parts.workloads.iter_mut().enumerate() {
            let peak_rss_bytes = 2_000_000 + per_unit * (1000 << i);
            let usage = Usage { peak_rss_bytes, ..Usage::default() };
            workload.timing = Some(Timing { machine_memory_bytes: 8_000_000_000, runs: vec![usage] });
        }
        let within = within.iter().map(|bytes| RunLimit::Bytes(*bytes)).collect();
        let study = Study::new(parts).unwrap();
        let memory =
            analyze(&study, &Options { within, ..Options::default() }).unwrap().answer.unwrap().memory;
        memory.map(|memory| (memory.fits, memory.fits_up_to)).unwrap()
    }

    #[test]
    fn the_largest_sizes_that_fit_are_those_of_the_line() {
        // 2 MB + 5,000·n bytes are 16 GB at n = 3,199,600, 8 GB at 1,599,600 and 1 GB at 199,600; all are rounded down
        // to two digits. No run took as little as 1 MB.
        let (largest, machine) = fits(&[16_000_000_000, 1_000_000_000, 1_000_000], 5000);
        let sizes: Vec<(RunLimit, f64)> = largest.iter().map(|fit| (fit.limit, fit.size)).collect();
        let bytes = [1_000_000_000, 8_000_000_000, 16_000_000_000].map(RunLimit::Bytes);
        assert_eq!(sizes, [(bytes[0], 190_000.0), (bytes[1], 1_500_000.0), (bytes[2], 3_100_000.0)]);
        assert_eq!(machine, Some(1_500_000.0));
        for fit in &largest {
            let at_least = fit.at_least.unwrap();
            assert!(at_least <= fit.size && at_least > 0.4 * fit.size, "{fit:?}");
        }
    }

    #[test]
    fn nothing_is_said_of_memory_that_does_not_grow() {
        assert_eq!(fits(&[16_000_000_000], 0), (Vec::new(), None));
    }

    #[test]
    fn a_size_between_tells_steps_from_a_line_and_a_larger_one_where_memory_scatters_more_than_it_grows() {
        let runs = |bytes: f64| {
            (0..8).map(|i| f64::from(1000 << i)).map(|n| (n, 1.4e6 + bytes * n)).collect::<Vec<_>>()
        };
        let tells = |runs: &[(f64, f64)]| {
            let law = MemoryLaw::fit(runs).unwrap();
            assert_eq!(law.shape, MemoryShape::PerhapsLine);
            telling(runs, law.curve) / 128e3
        };
        assert!((tells(&runs(100.0)) - 0.7).abs() < 1e-9);
        // Memory grows by 2.6 MB to 4.
        assert!((tells(&runs(20.0)) - 1.5).abs() < 1e-9);
        // Memory grows by 0.6 MB to 2.
        assert!((tells(&runs(5.0)) - 3.0).abs() < 1e-9);
    }
}
