//! Sentences of the verdict, and the names in them.

use trend_analyze::{Findings, GroupName, Member, RepresentativeKind};

use crate::layout::text::{brief, shorten};

/// Maximum widths of names in sentences; the titles of clusters contain a place and a function.
pub(super) const NAME_WIDTH: usize = 48;

pub(super) const TITLE_WIDTH: usize = 80;

/// Kind of a sentence of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// The most expensive cluster or series.
    Dominates,
    /// Growth that is certainly faster than linear.
    Grows,
    /// Nothing grows faster than linearly.
    Steady,
    /// A cluster that will overtake another one.
    Overtakes,
    /// Results that are poorly modelled or unknown.
    Doubtful,
}

/// A sentence of the verdict. Its text can contain hostile names: escape it like any other name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Kind of the sentence.
    pub kind: StatementKind,
    /// Name of the representative of the cluster that the sentence describes.
    pub cluster: Option<String>,
    /// Index of the series that the sentence describes.
    pub series: Option<usize>,
    /// Text of the sentence.
    pub text: String,
}

impl Statement {
    /// Returns a doubt about the whole study.
    pub(super) fn doubt(text: String) -> Self {
        Self { kind: StatementKind::Doubtful, cluster: None, series: None, text }
    }

    /// Returns a sentence about a group.
    pub(super) fn about(findings: &Findings, group: &GroupName, kind: StatementKind, text: String) -> Self {
        let representative = &findings.clusters[group.cluster].representative;
        Self { kind, cluster: Some(representative.name.clone()), series: None, text }
    }
}

/// Names a group: `md.c:40 in find_char (a group of 3 functions)`.
pub(super) fn name(findings: &Findings, group: &GroupName) -> String {
    let cluster = &findings.clusters[group.cluster];
    let title = match group.after.and_then(|member| cluster.members.get(member)) {
        Some(member) => brief(&titled(member), TITLE_WIDTH),
        None => brief(&cluster.title, TITLE_WIDTH),
    };
    match cluster.representative.kind {
        RepresentativeKind::Feature => {
            let feature = shorten(&cluster.representative.name, NAME_WIDTH);
            let others = match cluster.members.len() {
                0 | 1 => String::new(),
                all => format!(" and {} more", all - 1),
            };
            format!("The code that varies with {feature} ({title}{others})")
        }
        RepresentativeKind::Location => format!("{title}{}", span(group.functions)),
    }
}

/// Formats the size of a group: ` (a group of 3 functions)`. Empty for a single function.
pub(crate) fn span(functions: usize) -> String {
    if functions > 1 { format!(" (a group of {functions} functions)") } else { String::new() }
}

fn titled(member: &Member) -> String {
    match (&*member.file, member.line) {
        ("", _) | (_, 0) => member.function.to_string(),
        (file, line) => format!("{file}:{line} in {}", member.function),
    }
}
