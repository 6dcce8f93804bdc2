//! Builds the sentences at the top, which readers need even if they read nothing else. Their content is decided by
//! [`trend_analyze::statements`].

mod doubts;
mod pace;
mod series;

use std::fmt::Write as _;

use trend_analyze::{
    Cluster, Findings, GroupName, Growing, Member, RepresentativeKind, Statement as Said, statements,
};

use crate::rows::{self, Item};
use crate::text::{brief, shorten};
use crate::{growth, number, point};
pub(crate) use doubts::largest_failed;
use pace::{how_it_grows, in_words};

/// Maximum widths of names in sentences; the titles of clusters contain a place and a function.
const NAME_WIDTH: usize = 48;
const TITLE_WIDTH: usize = 80;

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
    /// Representative's name of the cluster that the sentence describes.
    pub cluster: Option<String>,
    /// Index of the series that the sentence describes.
    pub series: Option<usize>,
    /// Text of the sentence.
    pub text: String,
}

/// Returns the sentences at the top: the most expensive code, the fastest growth, overtaking, and doubts about them.
pub fn verdict(findings: &Findings) -> Vec<Statement> {
    let all = statements(findings);
    let is_of_growth =
        |said: &Said| matches!(said, Said::Grows { .. } | Said::Costliest { is_fastest: true, .. });
    let first = all.iter().position(is_of_growth);
    let said = all.iter().enumerate();
    said.map(|(i, said)| in_sentences(said, findings, first.is_some_and(|first| first < i))).collect()
}

/// If `is_further`, an earlier sentence already describes fast growth.
fn in_sentences(said: &Said, findings: &Findings, is_further: bool) -> Statement {
    match said {
        Said::LargestFailed { doubt } => doubts::of_failed(&findings.doubts[*doubt]),
        Said::NothingVaries { workloads } => Statement::doubt(nothing(*workloads).to_owned()),
        Said::Uncounted => Statement::doubt(
            "Some of the work was not counted (see the warning); results cover only the rest.".to_owned(),
        ),
        Said::Costliest { group, is_fastest, elsewhere } => {
            let kind = if *is_fastest { StatementKind::Grows } else { StatementKind::Dominates };
            Statement::about(findings, group, kind, costliest(findings, group, *is_fastest, *elsewhere))
        }
        Said::Grows { group, how, share_then, more } => {
            let also = if is_further { "also " } else { "" };
            let mut text = grows(findings, group, (*how, also), *share_then);
            if *more > 0 {
                let _ = write!(text, " So do {more} more costly clusters.");
            }
            Statement::about(findings, group, StatementKind::Grows, text)
        }
        &Said::Steady { bounded, laws, within_log } => Statement {
            kind: StatementKind::Steady,
            cluster: None,
            series: None,
            text: steady(findings, bounded, laws, within_log),
        },
        Said::Undecided { group, more } => {
            let text = doubts::undecided(findings, group, *more);
            Statement::about(findings, group, StatementKind::Doubtful, text)
        }
        Said::Overtakes { group, overtaking, times } => {
            let text = overtakes(findings, group, *overtaking, *times);
            Statement::about(findings, group, StatementKind::Overtakes, text)
        }
        Said::Doubtful(spoken) => Statement::doubt(doubts::in_words(findings, spoken)),
        Said::Series(said) => series::in_words(findings, *said),
    }
}

fn nothing(workloads: usize) -> &'static str {
    match workloads {
        0 => "No workload was counted: there is nothing to report.",
        1 => "Only one workload was counted, which shows no growth.",
        _ => "No cost varies: the program does the same work for every workload.",
    }
}

impl Statement {
    /// Returns a doubt about the whole study.
    fn doubt(text: String) -> Self {
        Self { kind: StatementKind::Doubtful, cluster: None, series: None, text }
    }

    fn about(findings: &Findings, group: &GroupName, kind: StatementKind, text: String) -> Self {
        let representative = &findings.clusters[group.cluster].representative;
        Self { kind, cluster: Some(representative.name.clone()), series: None, text }
    }
}

/// Names a group: `md.c:40 in find_char (a group of 3 functions)`.
fn name(findings: &Findings, group: &GroupName) -> String {
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

/// If `is_fastest`, the group also grows fastest, and one sentence says both.
fn costliest(findings: &Findings, group: &GroupName, is_fastest: bool, elsewhere: Option<usize>) -> String {
    let cluster = &findings.clusters[group.cluster];
    let several = findings.features.len() > 1;
    let mut text = format!(
        "{} costs most{}: {}, up to {}",
        name(findings, group),
        if is_fastest { " and grows fastest" } else { "" },
        Item::of_cluster(cluster).shares(),
        number::in_unit(cluster.max_cost, &findings.unit)
    );
    match cluster.sound_law() {
        Some(law) if !law.is_poor() => {
            let _ = write!(text, "; {}", how_it_grows(law, several));
        }
        Some(law) => {
            let _ = write!(text, "; its growth in {} is unclear", pace::features(law));
        }
        None => match cluster.row_law().and_then(growth::missing) {
            Some(missing) => {
                let _ = write!(text, "; {missing}");
            }
            None => text.push_str("; no growth model fits"),
        },
    }
    text.push('.');
    if let Some(member) = elsewhere.and_then(|member| cluster.members.get(member)) {
        text += &also(cluster, member);
    }
    text
}

/// Names the most expensive member in another function: ` It rises with list.c:7 in append.`
fn also(cluster: &Cluster, member: &Member) -> String {
    let (place, function) = (shorten(&member.name, NAME_WIDTH), brief(&member.function, NAME_WIDTH));
    let told = if cluster.own_lines().is_empty() { "It rises with" } else { "Most of that is library code:" };
    format!(" {told} {place} in {function}.")
}

fn grows(
    findings: &Findings,
    group: &GroupName,
    (how, also): (Growing, &str),
    share_then: Option<f64>,
) -> String {
    let cluster = &findings.clusters[group.cluster];
    let further = format!("{also}grows faster than linearly");
    let words = match how {
        Growing::Fastest => "grows fastest",
        Growing::BarelyFastest => "grows fastest, but barely faster than linearly",
        Growing::AmongFastest => "is among the fastest-growing",
        Growing::AsFast => "grows as fast",
        Growing::FasterStill => "grows even faster",
        Growing::Also => further.as_str(),
    };
    let several = findings.features.len() > 1;
    let law = cluster.sound_law().map(|law| in_words(law, several)).unwrap_or_default();
    let then = share_then.zip(findings.answer.as_ref()).map(|(share, answer)| {
        format!(", {} at {}", number::share(share), point::given(&findings.points[answer.point]))
    });
    let so_far = Item::of_cluster(cluster).shares();
    format!("{} {words}: {law}; {so_far}{}.", name(findings, group), then.unwrap_or_default())
}

fn steady(findings: &Findings, bounded: usize, laws: usize, within_log: bool) -> String {
    let features: Vec<String> =
        findings.features.iter().map(|f| shorten(&f.name, NAME_WIDTH).into_owned()).take(4).collect();
    let features = features.join(", ");
    let unknown = laws - bounded;
    let scope = if unknown > 0 { "is well modelled" } else { "was run" };
    let steady = if within_log {
        format!(
            "Everything that {scope} is at most linear in {features}, or within a log factor of that: no \
             real difference at 10× the size"
        )
    } else {
        format!("Nothing that {scope} grows measurably faster than linearly in {features}")
    };
    match (unknown, bounded) {
        (0, _) => format!("{steady}."),
        (_, 0) => "No law fits well enough to tell whether anything grows faster than linearly.".to_owned(),
        _ => format!("{steady}; the laws of {unknown} of {laws} clusters fit too poorly to tell."),
    }
}

fn overtakes(findings: &Findings, group: &GroupName, overtaking: usize, times: f64) -> String {
    let cluster = &findings.clusters[group.cluster];
    let passed = &cluster.overtakes[overtaking];
    format!(
        "{} (rank {}) will overtake {} (rank {}) at about {} = {}, {} times the largest run.",
        name(findings, group),
        cluster.rank,
        brief(rows::passed(findings, passed), TITLE_WIDTH),
        passed.rank,
        shorten(&passed.feature, NAME_WIDTH),
        number::size(number::two_digits(passed.at)),
        number::significant(times, 2)
    )
}
