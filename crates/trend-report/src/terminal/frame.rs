//! Writes the parts around the tables and pages of every output: titles, verdict, warnings and notes on hidden rows.

use trend_analyze::{Doubt, Findings, last_words};

use crate::layout::columns::Cell;
use crate::layout::document::Document;
use crate::layout::number::{self, plural};
use crate::layout::style::{BOLD, DOUBTFUL, NOTABLE, PLAIN};
use crate::layout::text::{cut, shorten, visible, width};
use crate::options::TableOptions;
use crate::words::study::{range_with_decades, runs};
use crate::words::verdict::sentences::verdict;
use crate::words::verdict::statement::StatementKind;

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
        let last_words = match last_words(&failure.stderr_tail) {
            "" => String::new(),
            last_words => format!(": {}", shorten(last_words, 200)),
        };
        out.item("failed: ", DOUBTFUL, &format!("{name}: {}{last_words}", shorten(&failure.reason, 200)));
    }
}

/// Writes the user's note on a row.
pub(crate) fn note(out: &mut Document, text: Option<&str>) {
    if let Some(text) = text {
        out.item("note: ", BOLD, text);
    }
}

/// Writes the sentences of the verdict.
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

/// Number of warnings up to which minor ones are shown by default.
const MOST_DOUBTS: usize = 3;

/// Writes the doubts about the study, except failures of the largest size, which the verdict mentions.
pub(crate) fn doubts_of_study(out: &mut Document, findings: &Findings, options: &TableOptions) {
    let unmentioned = findings.doubts.iter().filter(|doubt| !matches!(doubt, Doubt::LargestFailed { .. }));
    let (first, rest): (Vec<&Doubt>, Vec<&Doubt>) = unmentioned.partition(|doubt| doubt.matters());
    let room = if options.all_doubts { rest.len() } else { MOST_DOUBTS.saturating_sub(first.len()) };
    let (shown, more) = rest.split_at(room.min(rest.len()));
    doubts(out, first);
    doubts(out, shown.iter().copied());
    if !more.is_empty() {
        out.more(plural(more.len(), "more warning"), "-v shows all".to_owned());
    }
}

/// Writes these doubts.
pub(crate) fn doubts<'a>(out: &mut Document, doubts: impl IntoIterator<Item = &'a Doubt>) {
    for doubt in doubts {
        out.item("warning: ", NOTABLE, &doubt.to_string());
    }
}

/// Writes the name of one item as the title, with its place or source beside it.
pub(crate) fn title_with_place(out: &mut Document, name: &str, place: &str) {
    let head = shorten(&visible(name), out.width).into_owned();
    let room = out.width.saturating_sub(crate::layout::text::width(&head) + 2);
    let mut parts = vec![Cell::styled(head, BOLD)];
    if room > 0 && !place.is_empty() {
        parts.push(format!("  {}", cut(&visible(place), room)).into());
    }
    out.title(parts);
}

/// Writes how many rows are not shown, and how to show all of them.
pub(crate) fn more(out: &mut Document, more: usize, noun: &str, all: usize) {
    if more > 0 {
        out.more(number::more(more, noun), format!("--top {all} shows all"));
    }
}
