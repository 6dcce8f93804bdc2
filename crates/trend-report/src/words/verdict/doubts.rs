//! Describes the doubts about rows that are undecided, poorly modelled, or failed.

use std::fmt::Write as _;

use trend_analyze::{Doubt, Findings, GroupName, POOR_R2, RowLaw, Spoken};

use super::pace::{either, features};
use super::statement::{Statement, TITLE_WIDTH, name};
use crate::layout::text::brief;

/// Maximum number of clusters named.
const MOST_NAMES: usize = 3;

/// Returns the statement that every run above some size failed.
pub(crate) fn largest_failed(findings: &Findings) -> Option<Statement> {
    findings.doubts.iter().find(|doubt| matches!(doubt, Doubt::LargestFailed { .. })).map(of_failed)
}

pub(super) fn of_failed(doubt: &Doubt) -> Statement {
    let is_slow = matches!(doubt, Doubt::LargestFailed { timed_out: true, .. });
    let guess = if is_slow { "" } else { " Predictions for larger sizes are a guess." };
    Statement::doubt(format!("{doubt}.{guess}"))
}

/// Describes an undecided growth: `list.c:7 in append may grow faster than linearly in n: it is n or n^2;
/// further runs would tell.` The last clause follows the row's advice.
pub(super) fn undecided(findings: &Findings, group: &GroupName, more: usize) -> String {
    let law = findings.clusters[group.cluster].fits.sound_law();
    let classes = match law {
        Some(RowLaw::Of(model)) => model.growth.as_ref().map(either).unwrap_or_default(),
        _ => String::new(),
    };
    let more = match more {
        0 => String::new(),
        1 => " The same holds for 1 more costly cluster.".to_owned(),
        more => format!(" The same holds for {more} more costly clusters."),
    };
    let next = match law {
        Some(RowLaw::Of(model)) => model.next.as_ref(),
        _ => None,
    };
    let runs = match next {
        Some(next) if next.sizes.is_empty() => "",
        Some(next) if next.decides => "; further runs would tell",
        _ => "; further runs would help",
    };
    format!(
        "{} may grow faster than linearly in {} ({classes}){runs}.{more}",
        name(findings, group),
        law.map(features).unwrap_or_default(),
    )
}

pub(super) fn in_words(findings: &Findings, spoken: &Spoken) -> String {
    let mut text = String::new();
    let subject = |n: usize| match (n, spoken.costly) {
        (1, 1) => "The only costly cluster is".to_owned(),
        (n, all) if n == all => format!("All {all} costly clusters are"),
        (1, all) => format!("1 of {all} costly clusters is"),
        (n, all) => format!("{n} of {all} costly clusters are"),
    };
    let whose = |n: usize| if n == 1 { "its" } else { "their" };
    if !spoken.poor.is_empty() {
        let title = |cluster: &usize| brief(&findings.clusters[*cluster].title, TITLE_WIDTH);
        let mut names: Vec<String> = spoken.poor.iter().take(MOST_NAMES).map(title).collect();
        if spoken.poor.len() > names.len() {
            names.push("…".to_owned());
        }
        let _ = write!(
            text,
            "{} poorly modelled (R² below {POOR_R2}, or no model): {}; {} predictions are a guess.",
            subject(spoken.poor.len()),
            names.join(", "),
            whose(spoken.poor.len())
        );
    }
    if spoken.without_intervals > 0 {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(
            text,
            "{space}{} without intervals, so the precision of {} predictions is unknown.",
            subject(spoken.without_intervals),
            whose(spoken.without_intervals)
        );
    }
    text
}
