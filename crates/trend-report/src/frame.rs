//! Writes the parts around the tables of every output: the study, its verdict, units, and warnings.

use std::fmt::Write as _;
use std::iter;

use trend_analyze::{Doubt, FeatureSummary, Findings, Intervals, Workloads};
use trend_profile::Study;

use crate::columns::Cell;
use crate::document::Document;
use crate::number::{self, plural};
use crate::style::{BOLD, DOUBTFUL, NOTABLE, PLAIN};
use crate::text::{shorten, visible, width};
use crate::{StatementKind, TableOptions, verdict};

/// Maximum number of features whose ranges are in the title.
const MOST_RANGES: usize = 3;

/// Maximum number of failed workloads named; the JSON has all.
const MOST_FAILURES: usize = 3;

/// Writes the program's name as the title.
pub(crate) fn title(out: &mut Document, findings: &Findings) {
    let program = visible(&findings.program.name);
    out.title(vec![Cell::styled(shorten(&program, out.width), BOLD)]);
}

/// Writes the program's name and its runs as the title.
pub(crate) fn title_with_runs(out: &mut Document, findings: &Findings) {
    let program = visible(&findings.program.name);
    let name = shorten(&program, out.width);
    let room = out.width.saturating_sub(width(&name));
    let runs = shorten(&format!(" · {}", runs(findings)), room).into_owned();
    out.title(vec![Cell::styled(name, BOLD), Cell::plain(runs)]);
}

/// Formats the number of runs, and the ranges of features: `27 runs (1 more failed), n from 60 to 8,000`.
pub(crate) fn runs(findings: &Findings) -> String {
    let &Workloads { count, failed, .. } = &findings.workloads;
    let failed = if failed > 0 { format!(" ({failed} more failed)") } else { String::new() };
    let ranges = findings.features.iter().map(range).take(MOST_RANGES);
    let all: Vec<String> = iter::once(plural(count, "workload") + &failed).chain(ranges).collect();
    all.join(", ")
}

/// Writes the numbers of workloads and locations, every feature's range, and the failures.
pub(crate) fn head(out: &mut Document, findings: &Findings) {
    let workloads = &findings.workloads;
    let failed =
        if workloads.failed > 0 { format!(" ({} more failed)", workloads.failed) } else { String::new() };
    let locations = &findings.locations;
    out.paragraph(
        PLAIN,
        &format!(
            "{}{failed}; {} ({} vary); up to {} per run",
            plural(workloads.count, "workload"),
            plural(locations.total, "location"),
            locations.varying,
            number::in_unit(findings.total.max_cost, &findings.unit)
        ),
    );
    for (i, feature) in findings.features.iter().enumerate() {
        if i == 5 && findings.features.len() > 6 {
            out.paragraph(PLAIN, &format!("and {} more features", findings.features.len() - i));
            break;
        }
        out.paragraph(PLAIN, &range_with_decades(feature));
    }
    failures(out, findings);
}

/// Writes the reasons of failed runs.
pub(crate) fn failures(out: &mut Document, findings: &Findings) {
    for failure in findings.workloads.failures.iter().take(MOST_FAILURES) {
        let name = shorten(&failure.name, 60).into_owned();
        let said = failure.stderr_tail.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let said = said.map(|line| format!(": {}", shorten(line, 200))).unwrap_or_default();
        out.item("failed: ", DOUBTFUL, &format!("{name}: {}{said}", shorten(&failure.reason, 200)));
    }
}

/// Formats a feature's range: `n from 60 to 60,000`.
fn range(feature: &FeatureSummary) -> String {
    let name = shorten(&feature.name, 40);
    match (feature.min, feature.max) {
        (Some(min), Some(max)) if min < max => {
            format!("{name} from {} to {}", number::size(min), number::size(max))
        }
        (Some(min), _) => format!("{name} is always {}", number::size(min)),
        _ => format!("{name} has no values"),
    }
}

/// Formats a feature's range with its decades: `n from 60 to 60,000 (3.0 decades)`.
pub(crate) fn range_with_decades(feature: &FeatureSummary) -> String {
    let mut text = range(feature);
    if let Some(decades) = decades(feature) {
        let _ = write!(text, " ({decades:.1} decades)");
    }
    if let Some(joins) = &feature.joins {
        let _ = write!(text, ", linear in {}", shorten(joins, 40));
    }
    text
}

/// Returns the number of decades that a feature spans, if its values are positive and differ.
pub(crate) fn decades(feature: &FeatureSummary) -> Option<f64> {
    let (min, max) = (feature.min?, feature.max?);
    let decades = (max / min).log10();
    (min > 0.0 && decades > 0.0 && decades.is_finite()).then_some(decades)
}

pub(crate) fn statements(out: &mut Document, findings: &Findings) {
    for statement in verdict(findings) {
        let style = match statement.kind {
            StatementKind::Grows | StatementKind::Overtakes => NOTABLE,
            StatementKind::Doubtful => DOUBTFUL,
            StatementKind::Dominates | StatementKind::Steady => BOLD,
        };
        let bullet = match statement.kind {
            StatementKind::Dominates => "= ",
            StatementKind::Grows => "^ ",
            StatementKind::Steady => "- ",
            StatementKind::Overtakes => "> ",
            StatementKind::Doubtful => "? ",
        };
        out.item(bullet, style, &statement.text);
    }
}

/// Returns the unit of the costs, as in `in basic-block executions`.
pub(crate) fn unit(findings: &Findings, study: Option<&Study>) -> String {
    match study {
        _ if findings.unit.is_time() => "in picoseconds".to_owned(),
        _ if !findings.unit.is_executions() => format!("in {}", shorten(findings.unit.name(), 40)),
        // Imported locations have a label, and their functions have no signature. Imported workloads have no command.
        Some(study)
            if study.workloads().iter().all(|workload| workload.command.is_empty())
                && study
                    .locations()
                    .iter()
                    .any(|l| !l.label.is_empty() && study.function(l.function).signature.is_empty()) =>
        {
            "in imported counts".to_owned()
        }
        _ => "in basic-block executions".to_owned(),
    }
}

/// Formats the confidence level of the intervals: `95 %`.
pub(crate) fn level(findings: &Findings) -> String {
    format!("{} %", number::significant(findings.level * 100.0, 2))
}

/// Explains the numbers, for outputs in which the settings cannot be looked up.
pub(crate) fn settings(findings: &Findings) -> String {
    format!(
        "Costs are {} ({}); shares are of the most expensive run; {} intervals by {}, seed {}.",
        shorten(findings.unit.name(), 60),
        number::legend(&findings.unit),
        level(findings),
        method(findings),
        findings.seed
    )
}

/// Names the method of the intervals: `Student's t` or `1000 bootstrap resamples`.
pub(crate) fn method(findings: &Findings) -> String {
    match findings.intervals {
        Intervals::Robust => "Student’s t with robust variance".to_owned(),
        Intervals::Percentile => format!("{} bootstrap resamples", findings.resamples),
    }
}

/// Number of warnings up to which minor ones are shown by default.
const MOST_DOUBTS: usize = 3;

/// Writes the doubts about the study, except failures of the largest size, which the verdict mentions.
pub(crate) fn doubts_of_study(out: &mut Document, findings: &Findings, options: &TableOptions) {
    let told = findings.doubts.iter().filter(|doubt| !matches!(doubt, Doubt::LargestFailed { .. }));
    let (first, rest): (Vec<&Doubt>, Vec<&Doubt>) = told.partition(|doubt| doubt.matters());
    let room = if options.all_doubts { rest.len() } else { MOST_DOUBTS.saturating_sub(first.len()) };
    let (shown, more) = rest.split_at(room.min(rest.len()));
    doubts(out, first);
    doubts(out, shown.iter().copied());
    if !more.is_empty() {
        out.more(plural(more.len(), "more warning"), "-v shows all".to_owned());
    }
}

pub(crate) fn doubts<'a>(out: &mut Document, doubts: impl IntoIterator<Item = &'a Doubt>) {
    for doubt in doubts {
        out.item("warning: ", NOTABLE, &doubt.to_string());
    }
}
