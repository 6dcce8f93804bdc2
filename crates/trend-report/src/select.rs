//! Finding what a person named, and what they may have meant instead.

use trend_analyze::{Cluster, Findings};

use crate::text::{shorten, visible};
use crate::{ReportError, rows};

/// How many names an error suggests.
const SUGGESTIONS: usize = 3;

/// Names are cut to this before they are compared or printed in an error; comparing takes time
/// proportional to the product of the lengths.
const LONGEST_NAME: usize = 100;

/// The position of the feature of that name.
///
/// # Errors
/// [`ReportError::UnknownFeature`].
pub(crate) fn feature(findings: &Findings, name: &str) -> Result<usize, ReportError> {
    findings.feature(name).ok_or_else(|| ReportError::UnknownFeature {
        name: shown(name),
        nearest: nearest(name, findings.features.iter().map(|f| f.name.as_str())),
    })
}

/// The cluster of that name or rank, or that has a member there; the costliest where several do.
///
/// # Errors
/// [`ReportError::UnknownCluster`].
pub(crate) fn cluster<'a>(findings: &'a Findings, name: &str) -> Result<&'a Cluster, ReportError> {
    let clusters = &findings.clusters;
    let find = |matches: &dyn Fn(&Cluster) -> bool| clusters.iter().find(|c| matches(c));
    let member = |matches: &dyn Fn(&str) -> bool| {
        find(&|c| c.members.iter().any(|m| matches(&m.name) || matches(&rows::place(m))))
    };
    let rank: Option<usize> = name.strip_prefix('#').unwrap_or(name).parse().ok();
    let found = find(&|c| c.representative.name == name)
        .or_else(|| find(&|c| rank == Some(c.rank)))
        .or_else(|| member(&|place| place == name))
        .or_else(|| find(&|c| is_path_end(&c.representative.name, name)))
        .or_else(|| member(&|place| is_path_end(place, name)))
        .or_else(|| find(&|c| c.members.iter().any(|m| on_line(m, name))));
    found.ok_or_else(|| {
        let names = clusters.iter().map(|c| c.representative.name.as_str());
        ReportError::UnknownCluster { name: shown(name), nearest: nearest(name, names) }
    })
}

/// Whether any of the member's lines, not only its first, is the `file:line` that `name` says.
fn on_line(member: &trend_analyze::Member, name: &str) -> bool {
    let Some((file, line)) = name.rsplit_once(':') else { return false };
    let same_file = member.file == file || is_path_end(&member.file, file);
    same_file && line.parse().is_ok_and(|line: u32| member.lines.contains(&line))
}

/// Whether `end` is `path` from some `/` on.
fn is_path_end(path: &str, end: &str) -> bool {
    !end.is_empty() && path.strip_suffix(end).is_some_and(|start| start.ends_with('/'))
}

fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<String> {
    let start = |text: &str| text.chars().take(LONGEST_NAME).collect::<String>();
    let name = start(name);
    let mut scored: Vec<(f64, &str)> =
        candidates.map(|c| (strsim::jaro_winkler(&name, &start(c)), c)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(SUGGESTIONS).map(|(_, c)| shown(c)).collect()
}

fn shown(name: &str) -> String {
    shorten(&visible(name), LONGEST_NAME).into_owned()
}
