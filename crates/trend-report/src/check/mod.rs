//! What came of expectations, in the languages of people and of tools that check programs.

mod github;
mod junit;
mod sarif;
mod words;

use trend_analyze::{Checked, Judged, Judgement};

pub use github::check_github;
pub use junit::check_junit;
pub use sarif::check_sarif;

use crate::document::Document;
use crate::number::plural;
use crate::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::text::{shorten, visible};
use crate::{TableOptions, markdown};

/// So many of a kind are listed for people; tools get all of them.
const MOST_LISTED: usize = 100;

/// A sentence of a summary is at most this wide: a comment on GitHub holds 65,536 characters.
const MOST_WIDTH: usize = 400;

/// What came of the expectations, for a terminal: what is not kept and, with
/// [`all_doubts`](TableOptions::all_doubts), what is.
pub fn check_text(checked: &Checked, options: &TableOptions) -> String {
    document(checked, options.terminal_width(), options.all_doubts).for_terminal()
}

/// The same as a Markdown document.
pub fn check_markdown(checked: &Checked) -> String {
    markdown::written(&document(checked, usize::MAX, false)).trim_end().to_owned() + "\n"
}

/// The machine-readable output: JSON as the committed schema has it.
pub fn check_json(checked: &Checked) -> String {
    // Only string keys, and numbers that are not finite become null.
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
        let of = plural(checked.failed + checked.workloads, "workload");
        out.item("failed ", DOUBTFUL, &format!("{} of {of} have no counts", checked.failed));
    }
    out.blank();
    for (judgement, bullet, style) in [
        (Judgement::Broken, "broken ", DOUBTFUL),
        (Judgement::Unknown, "not found ", DOUBTFUL),
        (Judgement::Undecided, "undecided ", NOTABLE),
        (Judgement::Holds, "holds ", PLAIN),
    ] {
        let those: Vec<&Judged> = checked.expectations.iter().filter(|j| j.judgement == judgement).collect();
        if judgement == Judgement::Holds && !all {
            continue;
        }
        for judged in those.iter().take(MOST_LISTED) {
            out.item(bullet, style, &shorten(&words::sentence(judged, &checked.unit), MOST_WIDTH));
        }
        if those.len() > MOST_LISTED {
            out.paragraph(DIM, &format!("and {} more that are {}", those.len() - MOST_LISTED, bullet.trim()));
        }
    }
    if checked.holds > 0 && !all && checked.holds < checked.expectations.len() {
        out.blank();
        out.more(format!("{} kept", words::expectations(checked.holds)), "`-v` lists them".to_owned());
    }
    out
}

#[cfg(test)]
mod tests;
