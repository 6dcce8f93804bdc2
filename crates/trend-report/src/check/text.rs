//! Writes judgements for people: as text, as Markdown and as JSON.

use trend_analyze::{Checked, Judged, Judgement};

use super::words;
use crate::layout::document::Document;
use crate::layout::markdown;
use crate::layout::number::plural;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::layout::text::{shorten, visible};
use crate::options::TableOptions;

/// Maximum number of expectations listed per judgement. Output for tools lists all.
const MOST_LISTED: usize = 100;

/// Maximum width of a sentence in a summary: a comment on GitHub holds 65,536 characters.
const MOST_WIDTH: usize = 400;

/// Returns the judgements for a terminal: the expectations that do not hold and, with
/// [`all_doubts`](TableOptions::all_doubts), also those that hold.
pub fn check_text(checked: &Checked, options: &TableOptions) -> String {
    document(checked, options.terminal_width(), options.all_doubts).for_terminal()
}

/// Returns the judgements as a Markdown document.
pub fn check_markdown(checked: &Checked) -> String {
    markdown::written(&document(checked, usize::MAX, false)).trim_end().to_owned() + "\n"
}

/// Returns the judgements as JSON that conforms to the committed schema.
pub fn check_json(checked: &Checked) -> String {
    // This cannot fail: all keys are strings, and serde_json writes non-finite numbers as null.
    serde_json::to_string_pretty(checked).unwrap_or_default() + "\n"
}

fn document(checked: &Checked, width: usize, all: bool) -> Document {
    let mut out = Document::new(width);
    let style = match checked.judgement {
        Judgement::Holds => BOLD,
        Judgement::Undecided => NOTABLE,
        Judgement::Broken | Judgement::Unknown => DOUBTFUL,
    };
    let program = shorten(&visible(&checked.program), 60).into_owned();
    out.paragraph(style, &format!("{program}: {}", words::summary(checked)));
    if checked.failed > 0 {
        let workloads = plural(checked.failed + checked.workloads, "workload");
        out.item("failed ", DOUBTFUL, &format!("{} of {workloads} left no counts", checked.failed));
    }
    out.blank();
    for (judgement, bullet, are, style) in [
        (Judgement::Broken, "broken ", "are broken", DOUBTFUL),
        (Judgement::Unknown, "not found ", "were not found", DOUBTFUL),
        (Judgement::Undecided, "undecided ", "are undecided", NOTABLE),
        (Judgement::Holds, "holds ", "hold", PLAIN),
    ] {
        let those: Vec<&Judged> = checked.expectations.iter().filter(|j| j.judgement == judgement).collect();
        if judgement == Judgement::Holds && !all {
            continue;
        }
        for judged in those.iter().take(MOST_LISTED) {
            out.item(bullet, style, &shorten(&words::sentence(judged, &checked.unit), MOST_WIDTH));
        }
        if those.len() > MOST_LISTED {
            out.paragraph(DIM, &format!("and {} more {are}", those.len() - MOST_LISTED));
        }
    }
    if checked.holds > 0 && !all && checked.holds < checked.expectations.len() {
        out.blank();
        let hold = if checked.holds == 1 { "holds" } else { "hold" };
        out.more(format!("{} {hold}", words::expectations(checked.holds)), "`-v` lists them".to_owned());
    }
    out
}
