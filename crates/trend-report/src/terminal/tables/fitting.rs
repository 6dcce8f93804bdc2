//! Shows the largest inputs that stay within limits of time and memory.

use trend_analyze::Findings;

use crate::layout::columns::{Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, PLAIN};
use crate::layout::text::shorten;
use crate::options::TableOptions;
use crate::terminal::frame;
use crate::words::fitting::{Fits, Fitting};

/// Returns the largest inputs within the requested limits, for a terminal.
pub fn fitting_table(findings: &Findings, options: &TableOptions) -> String {
    let mut out = Document::new(options.terminal_width());
    out.paragraph(BOLD, &shorten(&findings.program.name, 60));
    if let Some(fitting) = Fitting::new(findings) {
        table(&mut out, &fitting);
        for doubt in fitting.doubts {
            out.paragraph(DIM, &doubt);
        }
    } else {
        let is_timed = findings.answer.as_ref().is_some_and(|answer| answer.time.is_some());
        let why = if is_timed {
            "Unknown: the laws have several features, or all sizes are on the same side of the limit."
        } else {
            "Unknown: no run was timed. `trend-prof run` without `--no-time` measures the time."
        };
        out.paragraph(PLAIN, why);
    }
    out.blank();
    frame::doubts_of_study(&mut out, findings, options);
    out.for_terminal()
}

/// Writes the table, without doubts about the time and the memory.
pub(crate) fn table(out: &mut Document, Fitting { feature, rows, .. }: &Fitting) {
    let size = |size: f64| number::feature_size(feature, size);
    let at_least = |row: &Fits| row.at_least.map_or_else(|| "?".to_owned(), size);
    out.heading("What fits");
    let columns = Columns::new(rows)
        .left("limit", Room::Fixed, |row| row.limit.clone())
        .right(&format!("largest {feature}"), Room::Fixed, |row| size(row.size))
        .right("certainly", Room::Fixed, at_least);
    out.table(columns.columns);
    out.paragraph(DIM, "Certainly: the whole interval is within the limit; ?: unknown.");
}
