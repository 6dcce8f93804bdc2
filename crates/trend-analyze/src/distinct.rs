//! The rows of a study that vary, equal ones merged: many blocks have exactly the same counts. Compares no others.

use rayon::prelude::*;
use trend_model::{dot, sample_standard_deviation};
use trend_profile::{LocationId, Study};

/// Rows that are equal count for count.
#[derive(Debug, PartialEq)]
pub(crate) struct Distinct {
    /// In canonical order, at least one.
    pub(crate) locations: Vec<LocationId>,
    deviation: f64,
}

/// The varying rows, by falling variance and then in canonical order.
///
/// - Time: O(rows·workloads). Memory: O(rows).
pub(crate) fn distinct_rows(study: &Study, min_deviation: f64) -> Vec<Distinct> {
    let locations: Vec<LocationId> = study.blocks().collect();
    let weights = weights(study.workloads().len());
    let looked_at = |costs: &mut Vec<f64>, location| {
        let row = study.counts().row(location);
        if row.is_constant() {
            return None;
        }
        costs.clear();
        row.push_to(costs);
        let deviation = sample_standard_deviation(costs);
        // A single workload has no deviation at all.
        let varies = deviation >= min_deviation && deviation > 0.0;
        varies.then(|| (deviation, dot(costs, &weights).to_bits(), location))
    };
    let mut rows: Vec<(f64, u64, LocationId)> =
        locations.into_par_iter().map_init(Vec::new, looked_at).flatten_iter().collect();
    // Equal rows have the same deviation and digest.
    rows.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let alike: Vec<&[(f64, u64, LocationId)]> = rows.chunk_by(|a, b| a.0 == b.0 && a.1 == b.1).collect();
    let mut distinct: Vec<Distinct> =
        alike.into_par_iter().flat_map_iter(|rows| equal(study, rows)).collect();
    distinct.sort_by(|a, b| b.deviation.total_cmp(&a.deviation).then(a.locations[0].cmp(&b.locations[0])));
    distinct
}

/// Rows that are equal, of some that may be.
fn equal(study: &Study, alike: &[(f64, u64, LocationId)]) -> Vec<Distinct> {
    let row = |of: &(f64, u64, LocationId)| study.counts().row(of.2);
    let distinct = |rows: &[(f64, u64, LocationId)]| Distinct {
        locations: rows.iter().map(|of| of.2).collect(),
        deviation: rows[0].0,
    };
    let found = |alike: &[(f64, u64, LocationId)]| -> Vec<Distinct> {
        alike.chunk_by(|a, b| row(a) == row(b)).map(distinct).collect()
    };
    let neighbours = found(alike);
    if neighbours.len() <= 1 {
        return neighbours;
    }
    let mut sorted = alike.to_vec();
    // Stable, so that equal ones stay in canonical order.
    sorted.sort_by(|a, b| row(a).compare(row(b)));
    found(&sorted)
}

/// What the digest of a row multiplies its counts with: different for nearly all rows that differ.
fn weights(workloads: usize) -> Vec<f64> {
    /// The golden ratio, whose multiples lie as evenly between two whole numbers as can be.
    const RATIO: f64 = 1.618_033_988_749_895;
    (1..=workloads).map(|i| (i as f64 * RATIO).fract()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_one_by_falling_variance() {
        let study = Study::from_text(
            "a.c:1:f: 1 2 3\na.c:2:f: 100 200 300\na.c:3:f: 300 200 100\na.c:4:f: 100 200 300\na.c:5:f: 0 9000 0",
        )
        .unwrap();
        let found: Vec<Vec<u32>> = distinct_rows(&study, 10.0)
            .iter()
            .map(|d| d.locations.iter().map(|&l| study.location(l).line).collect())
            .collect();
        assert_eq!(found, [vec![5], vec![2, 4], vec![3]]);
    }

    #[test]
    fn rows_that_differ_beyond_what_floating_point_holds_are_two() {
        let most = u64::MAX;
        let (a, b) = (most - 1, most - 2);
        let text = format!("a.c:1:f: 0 {most} {a}\na.c:2:f: 0 {most} {b}\na.c:3:f: 0 {most} {a}");
        let found = distinct_rows(&Study::from_text(&text).unwrap(), 10.0);
        let locations: Vec<Vec<usize>> =
            found.iter().map(|d| d.locations.iter().map(|l| l.index()).collect()).collect();
        assert_eq!(locations, [vec![0, 2], vec![1]]);
    }

    #[test]
    fn nothing_that_is_constant_varies_however_little_is_asked() {
        let study = Study::from_text("a.c:1:f: 7 7 7\na.c:2:f: 7 7 8").unwrap();
        assert_eq!(distinct_rows(&study, 0.0).len(), 1);
    }
}
