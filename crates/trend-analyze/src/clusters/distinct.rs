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
    let may_be_equal = |a: &Varying, b: &Varying| a.deviation == b.deviation && a.digest == b.digest;
    let candidates: Vec<&[Varying]> = rows.chunk_by(may_be_equal).collect();
    let mut distinct: Vec<Distinct> =
        candidates.into_par_iter().flat_map_iter(|rows| split_by_counts(study, rows)).collect();
    distinct.sort_by(|a, b| b.deviation.total_cmp(&a.deviation).then(a.locations[0].cmp(&b.locations[0])));
    distinct
}

/// Splits rows with the same deviation and digest into groups with equal counts. Different counts with the same digest
/// are rare, so the rows are sorted by their counts only if neighbours differ.
fn split_by_counts(study: &Study, rows: &[Varying]) -> Vec<Distinct> {
    let counts = |row: &Varying| study.counts().row(row.location);
    let group = |rows: &[Varying]| Distinct {
        locations: rows.iter().map(|row| row.location).collect(),
        deviation: rows[0].deviation,
    };
    let group_neighbours = |rows: &[Varying]| -> Vec<Distinct> {
        rows.chunk_by(|a, b| counts(a) == counts(b)).map(group).collect()
    };
    let groups = group_neighbours(rows);
    if groups.len() <= 1 {
        return groups;
    }
    let mut sorted = rows.to_vec();
    // The sort is stable, so equal rows stay in canonical order.
    sorted.sort_by(|a, b| counts(a).compare(counts(b)));
    group_neighbours(&sorted)
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
        let lines: Vec<Vec<u32>> = distinct(&study)
            .iter()
            .map(|d| d.locations.iter().map(|&l| study.location(l).line).collect())
            .collect();
        assert_eq!(lines, [vec![5], vec![2, 4], vec![3]]);
    }

    #[test]
    fn rows_that_differ_beyond_what_floating_point_holds_are_two() {
        let most = u64::MAX;
        let (a, b) = (most - 1, most - 2);
        let text = format!("a.c:1:f: 0 {most} {a}\na.c:2:f: 0 {most} {b}\na.c:3:f: 0 {most} {a}");
        let rows = distinct(&Study::from_text(&text).unwrap());
        let locations: Vec<Vec<usize>> =
            rows.iter().map(|d| d.locations.iter().map(|l| l.index()).collect()).collect();
        assert_eq!(locations, [vec![0, 2], vec![1]]);
    }
}
