//! Names a cluster in a statement.

use crate::findings::Findings;
use crate::findings::row::{Cluster, Member};

/// A cluster, as statements name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupName {
    /// Its position in the findings' clusters.
    pub cluster: usize,
    /// The position of the member that names it, if its title is not to be used. The member is in the function that the
    /// answer names.
    pub after: Option<usize>,
    /// Number of functions that have a notable part of it.
    pub functions: usize,
}

impl GroupName {
    /// Returns the name of a cluster. If the place that the answer names has a notable part of the cluster, it gives
    /// the name.
    pub(super) fn new(findings: &Findings, cluster: usize) -> Self {
        let row = &findings.clusters[cluster];
        let after = named_member(findings, row);
        let is_title =
            after.is_some_and(|member| row.namesake().is_some_and(|m| m.function == member.function));
        let position = |member: &Member| row.members.iter().position(|other| std::ptr::eq(other, member));
        Self { cluster, after: after.filter(|_| !is_title).and_then(position), functions: row.function_count }
    }
}

/// Returns the costliest member in the function that the answer names, preferably on the answer's line. `None` unless
/// the function has a notable part of the cluster.
fn named_member<'a>(findings: &'a Findings, row: &'a Cluster) -> Option<&'a Member> {
    let place = findings.answer.as_ref()?.place.as_ref()?;
    if !row.notable_functions().contains(&place.function.as_str()) {
        return None;
    }
    let is_there = |member: &&Member| *member.function == *place.function && *member.file == *place.file;
    let mut members = row.members.iter().filter(is_there);
    let on_line = members.clone().find(|member| member.line == place.line);
    on_line.or_else(|| members.next())
}

/// Returns true if the place that the answer names has a notable part of the cluster.
pub(super) fn has_named(findings: &Findings, cluster: usize) -> bool {
    named_member(findings, &findings.clusters[cluster]).is_some()
}
