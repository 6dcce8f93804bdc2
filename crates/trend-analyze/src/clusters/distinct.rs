//! Collects the rows of a study that vary, with equal ones merged: many blocks have exactly the same counts. Does not
//! compare rows that differ.

use rayon::prelude::*;
use trend_profile::{LocationId, Study};

use crate::study::survey::Varying;

/// Rows with equal counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distinct {
    /// The locations in canonical order, at least one.
    pub(crate) locations: Vec<LocationId>,
    deviation: f64,
}

/// Returns the rows that vary, by falling variance and then in canonical order.
///
/// - Time: O(rows·workloads). Memory: O(rows).
pub(crate) fn distinct_rows(study: &Study, varying: &[Varying]) -> Vec<Distinct> {
    let mut rows = varying.to_vec();
    // Equal rows have the same deviation and digest.
    rows.par_sort_unstable_by(|a, b| {
        b.deviation.total_cmp(&a.deviation).then(a.digest.cmp(&b.digest)).then(a.location.cmp(&b.location))
    });
    let alike = |a: &Varying, b: &Varying| a.deviation == b.deviation && a.digest == b.digest;
    let alike: Vec<&[Varying]> = rows.chunk_by(alike).collect();
    let mut distinct: Vec<Distinct> =
        alike.into_par_iter().flat_map_iter(|rows| equal(study, rows)).collect();
    distinct.sort_by(|a, b| b.deviation.total_cmp(&a.deviation).then(a.locations[0].cmp(&b.locations[0])));
    distinct
}

/// Splits rows with equal deviation and digest into groups of equal rows.
fn equal(study: &Study, alike: &[Varying]) -> Vec<Distinct> {
    let row = |of: &Varying| study.counts().row(of.location);
    let distinct = |rows: &[Varying]| Distinct {
        locations: rows.iter().map(|of| of.location).collect(),
        deviation: rows[0].deviation,
    };
    let found = |alike: &[Varying]| -> Vec<Distinct> {
        alike.chunk_by(|a, b| row(a) == row(b)).map(distinct).collect()
    };
    let neighbours = found(alike);
    if neighbours.len() <= 1 {
        return neighbours;
    }
    let mut sorted = alike.to_vec();
    // The sort is stable, so equal rows stay in canonical order.
    sorted.sort_by(|a, b| row(a).compare(row(b)));
    found(&sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::survey::survey;

    fn distinct(study: &Study) -> Vec<Distinct> {
        distinct_rows(study, &survey(study, 10.0).varying)
    }

    #[test]
    fn equal_rows_are_one_by_falling_variance() {
        let study = Study::from_text(
            "a.c:1:f: 1 2 3\na.c:2:f: 100 200 300\na.c:3:f: 300 200 100\na.c:4:f: 100 200 300\na.c:5:f: 0 9000 0",
        )
        .unwrap();
        let found: Vec<Vec<u32>> = distinct(&study)
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
        let found = distinct(&Study::from_text(&text).unwrap());
        let locations: Vec<Vec<usize>> =
            found.iter().map(|d| d.locations.iter().map(|l| l.index()).collect()).collect();
        assert_eq!(locations, [vec![0, 2], vec![1]]);
    }
}
