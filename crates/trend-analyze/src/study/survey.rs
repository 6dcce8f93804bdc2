//! Reads all counts once and collects the facts that later steps need about each row. A large study does not fit into
//! the processor's caches.

use rayon::prelude::*;
use trend_model::{dot, sample_standard_deviation};
use trend_profile::{Kind, LocationId, Study};

/// Number of rows that a thread takes at a time.
const TOGETHER: usize = 1024;

/// Sums and maxima of all counts, and the rows that vary.
pub(crate) struct Survey {
    /// The sum of all blocks' costs, `[workloads]`. Saturates; no real sum comes near 2^64.
    pub(crate) totals: Vec<u64>,
    /// The greatest cost of every location, block or entry, `[locations]`.
    pub(crate) greatest: Vec<u64>,
    /// The blocks that vary, in canonical order.
    pub(crate) varying: Vec<Varying>,
}

/// A block whose cost varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Varying {
    pub(crate) location: LocationId,
    /// The sample standard deviation of its costs.
    pub(crate) deviation: f64,
    /// A hash that is equal for equal rows, and different for nearly all others.
    pub(crate) digest: u64,
}

/// Reads all rows. A row varies if its deviation is at least `min_deviation`, and not 0.
///
/// - Time: O(locations·workloads). Memory: O(locations).
pub(crate) fn survey(study: &Study, min_deviation: f64) -> Survey {
    let workloads = study.workloads().len();
    let weights = weights(workloads);
    let mut greatest = vec![0; study.locations().len()];
    let look = |costs: &mut Vec<f64>, (chunk, greatest): (usize, &mut [u64])| {
        let mut totals = vec![0_u64; workloads];
        let mut varying = Vec::new();
        for (location, greatest) in (chunk * TOGETHER..).map(|i| LocationId(i as u32)).zip(greatest) {
            let row = study.counts().row(location);
            *greatest = row.max();
            if study.location(location).kind != Kind::Block {
                continue;
            }
            row.add_to(&mut totals, 1);
            if row.is_constant() {
                continue;
            }
            costs.clear();
            row.push_to(costs);
            let deviation = sample_standard_deviation(costs);
            // A single workload has no deviation at all.
            if deviation >= min_deviation && deviation > 0.0 {
                varying.push(Varying { location, deviation, digest: dot(costs, &weights).to_bits() });
            }
        }
        (totals, varying)
    };
    let chunks = greatest.par_chunks_mut(TOGETHER).enumerate();
    let parts: Vec<(Vec<u64>, Vec<Varying>)> = chunks.map_init(Vec::new, look).collect();
    let mut totals = vec![0_u64; workloads];
    let mut varying = Vec::with_capacity(parts.iter().map(|some| some.1.len()).sum());
    for (some, rows) in parts {
        totals.iter_mut().zip(some).for_each(|(total, cost)| *total = total.saturating_add(cost));
        varying.extend(rows);
    }
    Survey { totals, greatest, varying }
}

/// Returns the factors by which the digest of a row multiplies its counts. They give different digests for nearly all
/// rows that differ.
fn weights(workloads: usize) -> Vec<f64> {
    /// The golden ratio, whose multiples have fractional parts that are spread as evenly as possible.
    const RATIO: f64 = 1.618_033_988_749_895;
    (1..=workloads).map(|i| (i as f64 * RATIO).fract()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_greatest_costs_are_of_all_rows_and_only_some_vary() {
        let study =
            Study::from_text("a.c:1:f: 1 2 3\na.c:2:f: 100 200 300\na.c:3:f: 7 7 7\na.c:4:f: 300 200 100")
                .unwrap();
        let survey = survey(&study, 10.0);
        assert_eq!(survey.totals, [408, 409, 410]);
        assert_eq!(survey.greatest, [3, 300, 7, 300]);
        assert_eq!(
            survey.varying.iter().map(|v| (v.location.index(), v.deviation)).collect::<Vec<_>>(),
            [(1, 100.0), (3, 100.0)]
        );
    }

    #[test]
    fn nothing_that_is_constant_varies_however_little_is_asked() {
        let study = Study::from_text("a.c:1:f: 7 7 7\na.c:2:f: 7 7 8").unwrap();
        assert_eq!(survey(&study, 0.0).varying.len(), 1);
    }
}
