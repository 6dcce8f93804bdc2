//! Limits the findings that a page carries. A browser loads all of a page before it shows any of it, and 100,000 rows
//! are more than people read. The most expensive rows stay, and a warning gives the number of the others.

use std::borrow::Cow;

use trend_analyze::{Doubt, Findings, Row, SeriesRow, thinned};

/// Maximum number of models of clusters, and of functions, about 400 bytes of JSON each. A C analyser of 33,647
/// locations has 4,500.
const MOST_MODELS: usize = 20_000;

/// Maximum number of cluster members, 30 bytes of JSON each. The same analyser has 22,400.
const MOST_MEMBERS: usize = 200_000;

/// Maximum number of series. A page of 100,000 with 8 sizes each takes 12 s and 1 GB.
const MOST_SERIES: usize = 20_000;

/// Maximum number of sizes of all series. A page of a million takes 17 s and 1.3 GB.
const MOST_SIZES: usize = 200_000;

/// Maximum number of lines that call functions, about 100 bytes of JSON each.
const MOST_CALLERS: usize = 20_000;

/// Limits of a page.
struct Limits {
    clusters: usize,
    functions: usize,
    callers: usize,
    members: usize,
    series: usize,
    sizes: usize,
}

/// Returns the findings that a page carries: all, if they are within the limits.
pub(crate) fn within_limits(findings: &Findings) -> Cow<'_, Findings> {
    let rows = MOST_MODELS / findings.features.len().max(1);
    let limits = Limits {
        clusters: rows,
        functions: rows,
        callers: MOST_CALLERS,
        members: MOST_MEMBERS,
        series: MOST_SERIES,
        sizes: MOST_SIZES,
    };
    within(findings, &limits)
}

fn within<'a>(findings: &'a Findings, most: &Limits) -> Cow<'a, Findings> {
    let members = findings.clusters.iter().map(|cluster| cluster.members.len()).sum::<usize>();
    let all = Limits {
        clusters: findings.clusters.len(),
        functions: findings.functions.len(),
        callers: findings.functions.iter().map(|row| row.callers.len()).sum(),
        members,
        series: findings.series.len(),
        sizes: sizes(&findings.series, usize::MAX),
    };
    let is_within = all.clusters <= most.clusters
        && all.functions <= most.functions
        && all.callers <= most.callers
        && all.members <= most.members
        && all.series <= most.series
        && all.sizes <= most.sizes;
    if is_within {
        return Cow::Borrowed(findings);
    }
    // Clusters, functions, members and series are sorted by falling cost.
    let mut room = most.members;
    let kept = findings.clusters.iter().take(most.clusters).map(|cluster| {
        let listed = cluster.members.len().min(room);
        room -= listed;
        trend_analyze::Cluster { members: cluster.members[..listed].to_vec(), ..cluster.without_members() }
    });
    let kept: Vec<_> = kept.collect();
    let mut bounded = findings.without_rows();
    bounded.clusters = kept;
    let mut room_for_callers = most.callers;
    let functions = findings.functions.iter().take(most.functions).map(|row| {
        let listed = row.callers.len().min(room_for_callers);
        room_for_callers -= listed;
        let more_callers = row.more_callers + row.callers.len() - listed;
        Row { callers: row.callers[..listed].to_vec(), more_callers, ..row.clone() }
    });
    bounded.functions = functions.collect();
    bounded.series = thinned_series(&findings.series[..all.series.min(most.series)], most.sizes);
    let parts = [
        (bounded.clusters.len(), all.clusters, "clusters"),
        (bounded.functions.len(), all.functions, "functions"),
        (most.members - room, all.members, "locations of clusters"),
        (most.callers - room_for_callers, all.callers, "calling lines"),
        (bounded.series.len(), all.series, "costs by size"),
        (sizes(&bounded.series, usize::MAX), all.sizes, "sizes, evenly spread"),
    ];
    let shown = parts.into_iter().filter(|(shown, all, _)| shown < all).collect();
    bounded.doubts.insert(0, Doubt::PageLeftOut { shown });
    Cow::Owned(bounded)
}

/// Returns the number of sizes of all series, counting at most `most` of each.
fn sizes(series: &[SeriesRow], most: usize) -> usize {
    series.iter().map(|row| row.observations.len().min(most)).sum()
}

/// Returns the series with at most `most` sizes in all. Series with the most sizes lose some.
fn thinned_series(series: &[SeriesRow], most: usize) -> Vec<SeriesRow> {
    let halves = std::iter::successors(Some(most), |each| Some(each / 2));
    let each = halves.into_iter().find(|&each| sizes(series, each) <= most || each < 2).unwrap_or(0);
    let row = |row: &SeriesRow| SeriesRow { observations: thinned(&row.observations, each), ..row.clone() };
    series.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use crate::tests::analyze;
    use trend_analyze::Options;
    use trend_profile::{Observation, Series, Study, StudyParts, Symbol, Variable, Workload};

    use super::*;
    use crate::tests::sample::bubble_sort;

    #[test]
    fn a_page_has_the_costliest_rows_and_says_what_it_has_not() {
        let findings = bubble_sort();
        assert!(matches!(within_limits(&findings), Cow::Borrowed(_)));
        let members: usize = findings.clusters.iter().map(|c| c.members.len()).sum();
        let most =
            Limits { clusters: 2, functions: 2, callers: 9, members: members - 1, series: 1, sizes: 9 };
        let bounded = within(&findings, &most);
        assert_eq!(bounded.clusters.len(), 2);
        assert_eq!(bounded.clusters[0].members.len(), findings.clusters[0].members.len());
        let shown =
            vec![(2, findings.clusters.len(), "clusters"), (members - 3, members, "locations of clusters")];
        assert_eq!(bounded.doubts[0], Doubt::PageLeftOut { shown });
        assert_eq!(bounded.doubts.len(), findings.doubts.len() + 1);
    }
    #[test]
    fn a_page_has_the_sizes_of_short_series_and_some_of_long_ones() {
        let observation = |i: u64| Observation::of_one(10 * i, 20 * i);
        let series = |name: &str, count: u64| {
            let observations = (1..=count).map(observation).collect();
            Series::of_routine(Symbol::plain(name), "s.c", Variable::Rms, observations)
        };
        let workloads = vec![Workload::imported("a")];
        let series = vec![series("long", 100), series("short", 5)];
        let study = Study::new(StudyParts { workloads, series, ..StudyParts::default() }).unwrap();
        let findings = analyze(&study, &Options::default()).unwrap();
        let most = Limits { clusters: 9, functions: 9, callers: 9, members: 9, series: 9, sizes: 40 };
        let bounded = within(&findings, &most);
        let kept: Vec<usize> = bounded.series.iter().map(|row| row.observations.len()).collect();
        assert_eq!(kept, [20, 5]);
        let shown = vec![(25, 105, "sizes, evenly spread")];
        assert_eq!(bounded.doubts[0], Doubt::PageLeftOut { shown });
    }
}
