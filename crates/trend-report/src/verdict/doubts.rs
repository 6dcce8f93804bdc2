//! The sentences about what is not known: what is undecided, poorly modelled, or was not counted.

use std::fmt::Write as _;

use trend_analyze::{Cluster, Doubt, Findings, RowLaw};

use super::pace::{any_law, either, features, has_intervals, is_about_linear, sound_law};
use super::{MOST_STATEMENTS, Statement, StatementKind, TITLE_WIDTH, name};
use crate::rows::{self, POOR_R2, is_poor};
use crate::text::brief;

/// What costs less than so many times its least cost in every run does not grow to speak of.
const STARTUP_FACTOR: u64 = 2;

/// That what is told is not about all of the work; the warning says why, and what helps.
pub(super) fn uncounted(findings: &Findings) -> Option<Statement> {
    let text = "Not all of the work was counted (see the warning): this is about what was.";
    is_uncounted(findings).then(|| Statement::doubt(text.to_owned()))
}

/// Whether work that matters was not counted.
pub(crate) fn is_uncounted(findings: &Findings) -> bool {
    let is_uncounted =
        |doubt: &Doubt| matches!(doubt, Doubt::UncountedGrowth { .. } | Doubt::MostlyUncounted { .. });
    findings.doubts.iter().any(is_uncounted)
}

/// That every run of a larger size than some failed.
pub(crate) fn largest_failed(findings: &Findings) -> Option<Statement> {
    let told = |doubt: &Doubt| match doubt {
        Doubt::LargestFailed { timed_out: true, .. } => Some(format!("{doubt}.")),
        Doubt::LargestFailed { .. } => Some(format!("{doubt}. What is said of larger sizes is a guess.")),
        _ => None,
    };
    findings.doubts.iter().find_map(told).map(Statement::doubt)
}

/// The costly clusters of which the data do not say whether they grow faster than linearly.
pub(super) fn undecided(findings: &Findings) -> Vec<Statement> {
    let verdict = |cluster: &'_ Cluster| {
        let law = sound_law(cluster).filter(|law| !is_poor(*law) && !is_about_linear(*law))?;
        let RowLaw::Of(model) = law else { return None };
        let undecided = model.growth.as_ref().filter(|growth| growth.superlinear.is_none())?;
        Some((features(law), either(undecided)))
    };
    let costly = findings.clusters.iter().filter(|c| c.costly && !is_startup(c));
    let all: Vec<_> = costly.filter_map(|c| verdict(c).map(|found| (c, found))).collect();
    let statement = |(cluster, (feature, verdict)): &(&Cluster, (String, String))| {
        let text = format!(
            "{} may or may not grow faster than linearly in {feature}: it is {verdict}; larger workloads would \
             tell.",
            name(cluster)
        );
        Statement::about(cluster, StatementKind::Doubtful, text)
    };
    let mut statements: Vec<Statement> = all.iter().take(MOST_STATEMENTS).map(statement).collect();
    let more = all.len() - statements.len();
    if let (Some(last), 1..) = (statements.last_mut(), more) {
        let _ = write!(last.text, " The same holds of {more} more costly clusters.");
    }
    statements
}

/// Whether a cluster is costly for small runs only and hardly costs more in others: no size makes it matter.
fn is_startup(cluster: &Cluster) -> bool {
    let executed = || cluster.costs.iter().copied().filter(|cost| *cost > 0);
    let is_constant = executed().max() < executed().min().map(|least| least.saturating_mul(STARTUP_FACTOR));
    cluster.share_of_largest <= rows::COSTLY_SHARE && is_constant
}

pub(super) fn doubts(findings: &Findings) -> Option<Statement> {
    let costly: Vec<&Cluster> = findings.clusters.iter().filter(|c| c.costly && !is_startup(c)).collect();
    let poor = |c: &&&Cluster| any_law(c).is_none_or(is_poor);
    let poorly: Vec<&&Cluster> = costly.iter().filter(poor).collect();
    let unbounded = costly.iter().filter(|c| any_law(c).is_some_and(|law| !has_intervals(law)));
    let unbounded = unbounded.count();
    let mut text = String::new();
    let of = |n: usize| match (n, costly.len()) {
        (1, 1) => "The only costly cluster is".to_owned(),
        (n, all) if n == all => format!("All {all} costly clusters are"),
        (1, all) => format!("1 of {all} costly clusters is"),
        (n, all) => format!("{n} of {all} costly clusters are"),
    };
    if !poorly.is_empty() {
        let mut names: Vec<String> =
            poorly.iter().take(MOST_STATEMENTS).map(|c| brief(&c.title, TITLE_WIDTH)).collect();
        if poorly.len() > names.len() {
            names.push("…".to_owned());
        }
        let _ = write!(
            text,
            "{} poorly modelled (R² below {POOR_R2}, or no model): {}; what is predicted for them is a guess.",
            of(poorly.len()),
            names.join(", ")
        );
    }
    if unbounded > 0 {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(
            text,
            "{space}{} without intervals: nothing says how far these numbers can be trusted.",
            of(unbounded)
        );
    }
    (!text.is_empty()).then_some(Statement::doubt(text))
}
