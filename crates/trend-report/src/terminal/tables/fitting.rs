//! Shows the largest inputs that take no longer than given times and fit into the machine's memory.

use trend_analyze::{Answer, Findings};

use crate::layout::columns::{Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, PLAIN};
use crate::layout::text::{shorten, visible};
use crate::options::TableOptions;
use crate::terminal::frame;
use crate::words::{answer, point};

/// Returns the largest inputs within the requested times, for a terminal.
pub fn fitting_table(findings: &Findings, options: &TableOptions) -> String {
    let mut out = Document::new(options.terminal_width());
    out.paragraph(BOLD, &shorten(&findings.program.name, 60));
    if !table(&mut out, findings) {
        let is_timed = findings.answer.as_ref().is_some_and(|answer| answer.time.is_some());
        let why = if is_timed {
            "Unknown: the time depends on several features, or every size that was run takes longer."
        } else {
            "Unknown: no run was timed. `trend-prof run` without `--no-time` measures the time."
        };
        out.paragraph(PLAIN, why);
    }
    out.blank();
    frame::doubts_of_study(&mut out, findings, options);
    out.for_terminal()
}

/// A limit and the largest size that keeps to it.
struct Fits {
    limit: String,
    size: String,
    at_least: String,
}

/// Writes the table, with the first doubt about the time. Returns false if nothing is known to fit.
pub(crate) fn table(out: &mut Document, findings: &Findings) -> bool {
    let Some(answer) = &findings.answer else { return false };
    let given = findings.points[answer.point].values.iter().find(|value| point::is_given(value));
    let Some(feature) = given.map(|value| visible(&value.feature)) else { return false };
    let rows = rows(answer);
    if rows.is_empty() {
        return false;
    }
    out.heading("What fits");
    let columns = Columns::new(&rows)
        .left("limit", Room::Fixed, |row| row.limit.clone())
        .right(&format!("largest {feature}"), Room::Fixed, |row| row.size.clone())
        .right("certainly", Room::Fixed, |row| row.at_least.clone());
    out.table(columns.columns);
    out.paragraph(DIM, "certainly: the 95 % interval of the time is within the limit too; ?: unknown.");
    if let Some(doubt) = answer.time.as_ref().and_then(answer::time_doubt) {
        out.paragraph(DIM, &doubt);
    }
    true
}

/// Formats a time in the largest unit of which it is a multiple.
fn limit(seconds: f64) -> String {
    let units = [(number::DAY, "d"), (3600.0, "h"), (60.0, "min")];
    let exact = units.into_iter().find(|(size, _)| seconds >= *size && seconds % size == 0.0);
    let (size, unit) = exact.unwrap_or((1.0, "s"));
    format!("{} {unit}", seconds / size)
}

fn rows(answer: &Answer) -> Vec<Fits> {
    let times = answer.time.iter().flat_map(|time| &time.fits).map(|fit| Fits {
        limit: format!("{} of CPU time", limit(fit.seconds)),
        size: number::size(fit.size),
        at_least: fit.at_least.map_or_else(|| "?".to_owned(), number::size),
    });
    let memory = answer.memory.iter().filter_map(|memory| {
        let machine = number::bytes(memory.machine_bytes? as f64, 2);
        let (limit, size) = (format!("{machine} of memory"), number::size(memory.fits_up_to?));
        Some(Fits { limit, size, at_least: "?".to_owned() })
    });
    times.chain(memory).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_in_the_largest_unit_that_they_are_a_multiple_of() {
        let shown = [0.5, 10.0, 60.0, 90.0, 3600.0, 172_800.0].map(limit);
        assert_eq!(shown, ["0.5 s", "10 s", "1 min", "90 s", "1 h", "2 d"]);
    }
}
