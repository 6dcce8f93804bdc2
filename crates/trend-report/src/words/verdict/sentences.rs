//! Builds the sentences about clusters.

use std::fmt::Write as _;

use trend_analyze::{Cluster, Findings, GroupName, Growing, Member, Statement as Said, statements};

use super::pace::{self, how_it_grows, in_words};
use super::statement::{NAME_WIDTH, Statement, StatementKind, TITLE_WIDTH, name};
use super::{doubts, series};
use crate::layout::number;
use crate::layout::text::{brief, shorten};
use crate::rows::item::{self, Item};
use crate::words::{growth, point};

/// Returns the sentences at the top: the most expensive code, the fastest growth, overtaking, and doubts about them.
pub fn verdict(findings: &Findings) -> Vec<Statement> {
    let all = statements(findings);
    let is_of_growth =
        |statement: &Said| matches!(statement, Said::Grows { .. } | Said::Costliest { is_fastest: true, .. });
    let first = all.iter().position(is_of_growth);
    let numbered = all.iter().enumerate();
    numbered
        .map(|(i, statement)| in_sentences(statement, findings, first.is_some_and(|first| first < i)))
        .collect()
}

/// If `is_further`, an earlier sentence already describes fast growth.
fn in_sentences(statement: &Said, findings: &Findings, is_further: bool) -> Statement {
    match statement {
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
            match more {
                0 => {}
                1 => text.push_str(" So does 1 more costly cluster."),
                more => {
                    let _ = write!(text, " So do {more} more costly clusters.");
                }
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
        Said::Series(statement) => series::in_words(findings, *statement),
    }
}

fn nothing(workloads: usize) -> &'static str {
    match workloads {
        0 => "No workload was counted: there is nothing to report.",
        1 => "Only one workload was counted, which shows no growth.",
        _ => "No cost varies: the program does the same work for every workload.",
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
    match cluster.fits.sound_law() {
        Some(law) if !law.is_poor() => {
            let _ = write!(text, "; {}", how_it_grows(law, several));
        }
        Some(law) => {
            let _ = write!(text, "; its growth in {} is unclear", pace::features(law));
        }
        None => match cluster.fits.law().and_then(growth::missing) {
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

/// Names the most expensive member in another function: ` Its cost rises and falls with list.c:7 in
/// append.`
fn also(cluster: &Cluster, member: &Member) -> String {
    let (place, function) = (shorten(&member.name, NAME_WIDTH), brief(&member.function, NAME_WIDTH));
    let intro = if cluster.own_lines().is_empty() {
        "Its cost rises and falls with"
    } else {
        "Most of that is library code:"
    };
    format!(" {intro} {place} in {function}.")
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
    let law = cluster.fits.sound_law().map(|law| in_words(law, several)).unwrap_or_default();
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
        brief(item::passed(findings, passed), TITLE_WIDTH),
        passed.rank,
        shorten(&passed.feature, NAME_WIDTH),
        number::feature_size(&passed.feature, number::two_digits(passed.at)),
        number::significant(times, 2)
    )
}
