//! Limits the findings that a page carries. A browser loads all of a page before it shows any of it, and 100,000 rows
//! are more than people read. The most expensive rows stay, and a warning gives the number of the others.

use std::borrow::Cow;

use trend_analyze::{Doubt, Findings};

/// Maximum number of models of clusters, and of functions, about 400 bytes of JSON each. A C analyser of 33,647
/// locations has 4,500.
const MOST_MODELS: usize = 20_000;

/// Maximum number of cluster members, 30 bytes of JSON each. The same analyser has 22,400.
const MOST_MEMBERS: usize = 200_000;

/// Returns the findings that a page carries: all, if they are within the limits.
pub(crate) fn within_limits(findings: &Findings) -> Cow<'_, Findings> {
    within(findings, MOST_MODELS / findings.features.len().max(1), MOST_MEMBERS)
}

fn within(findings: &Findings, most_rows: usize, most_members: usize) -> Cow<'_, Findings> {
    let members = findings.clusters.iter().map(|cluster| cluster.members.len()).sum::<usize>();
    let (clusters, functions) = (findings.clusters.len(), findings.functions.len());
    if clusters <= most_rows && functions <= most_rows && members <= most_members {
        return Cow::Borrowed(findings);
    }
    // Clusters, functions and members are sorted by falling cost.
    let mut room = most_members;
    let kept = findings.clusters.iter().take(most_rows).map(|cluster| {
        let listed = cluster.members.len().min(room);
        room -= listed;
        trend_analyze::Cluster { members: cluster.members[..listed].to_vec(), ..cluster.without_members() }
    });
    let kept: Vec<_> = kept.collect();
    let mut bounded = findings.without_rows();
    bounded.clusters = kept;
    bounded.functions = findings.functions.iter().take(most_rows).cloned().collect();
    let listed = most_members - room;
    let parts = [
        (bounded.clusters.len(), clusters, "clusters"),
        (bounded.functions.len(), functions, "functions"),
        (listed, members, "locations of clusters"),
    ];
    let kept = parts.into_iter().filter(|(kept, all, _)| kept < all).collect();
    bounded.doubts.insert(0, Doubt::PageLeftOut { kept });
    Cow::Owned(bounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::bubble_sort;

    #[test]
    fn a_page_has_the_costliest_rows_and_says_what_it_has_not() {
        let findings = bubble_sort();
        assert!(matches!(within_limits(&findings), Cow::Borrowed(_)));
        let members: usize = findings.clusters.iter().map(|c| c.members.len()).sum();
        let bounded = within(&findings, 2, members - 1);
        assert_eq!(bounded.clusters.len(), 2);
        assert_eq!(bounded.clusters[0].members.len(), findings.clusters[0].members.len());
        let kept =
            vec![(2, findings.clusters.len(), "clusters"), (members - 3, members, "locations of clusters")];
        assert_eq!(bounded.doubts[0], Doubt::PageLeftOut { kept });
        assert_eq!(bounded.doubts.len(), findings.doubts.len() + 1);
    }
}
