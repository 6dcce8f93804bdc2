//! Shows the distribution of the time as a table: seconds of functions, libraries and the kernel, now and at the
//! target.

use trend_analyze::{Findings, PartGrowth, SampledRun, TimePart, TimePartKind, TimeParts};

use crate::error::ReportError;
use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, PLAIN};
use crate::layout::text::{brief, shorten, visible};
use crate::layout::{markdown, number};
use crate::options::TableOptions;
use crate::terminal::frame;
use crate::words::{answer, point};

/// Number of parts listed by default.
const USUAL_PARTS: usize = 20;

/// Maximum width of a function's place.
const PLACE_WIDTH: usize = 28;

/// Minimum width of names before other columns are dropped.
const LEAST_NAME_WIDTH: usize = 20;

/// Minimum share at the target that is shown in bold.
const NOTABLE_SHARE: f64 = 0.1;

/// Returns the table for a terminal.
///
/// # Errors
/// [`ReportError::NotSampled`] if the time is not known by part; [`ReportError::NotPredicted`] if runs were timed, but
/// nothing is predicted.
pub fn time_table(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    document(findings, options, options.terminal_width()).map(Document::for_terminal)
}

/// Returns the table as Markdown.
///
/// # Errors
/// [`ReportError::NotSampled`] if the time is not known by part; [`ReportError::NotPredicted`] if runs were timed, but
/// nothing is predicted.
pub fn time_markdown(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let out = document(findings, options, usize::MAX)?;
    Ok(markdown::written(&out).trim_end().to_owned() + "\n")
}

fn document(findings: &Findings, options: &TableOptions, width: usize) -> Result<Document, ReportError> {
    let of_answer = findings.answer.as_ref().and_then(|answer| Some((answer, answer.time_parts.as_ref()?)));
    let Some((answer, parts)) = of_answer else {
        let is_timed = findings.answer.is_none() && findings.workloads.longest.is_some();
        return Err(if is_timed { ReportError::NotPredicted } else { ReportError::NotSampled });
    };
    let mut out = Document::new(width);
    frame::title(&mut out, findings);
    answer::write(&mut out, findings);
    out.blank();
    let at = &findings.points[answer.point];
    out.paragraph(DIM, &caption(parts, &point::in_words(at)));
    out.blank();
    let most = options.top.unwrap_or(USUAL_PARTS);
    let shown = &parts.rows[..parts.rows.len().min(most)];
    let named = |part: &TimePart| {
        let name = match part.kind {
            TimePartKind::Kernel => "the kernel".to_owned(),
            _ if options.whole_names => visible(&part.name).into_owned(),
            _ => brief(&part.name, usize::MAX),
        };
        Cell::styled(name, if part.share_then >= NOTABLE_SHARE { BOLD } else { PLAIN })
    };
    let seconds = |seconds: f64| format!("≈ {}", number::seconds(seconds, None));
    let error = |part: &TimePart| Cell::styled(format!("± {}", number::share(part.share_error)), DIM);
    let of_smaller = |part: &TimePart| Some(Cell::styled(number::share(part.share_smaller?), DIM));
    let columns = Columns::new(shown)
        .left("part", Room::Shrinks(LEAST_NAME_WIDTH), named)
        .left("", Room::Goes(5), place)
        .right("smaller", Room::Goes(6), of_smaller)
        .right("now", Room::Fixed, |part| number::share(part.share))
        .right("", Room::Goes(4), error)
        .right("time", Room::Goes(1), |part| seconds(part.seconds))
        .right("then", Room::Fixed, |part| number::share(part.share_then))
        .right("time then", Room::Fixed, |part| seconds(part.seconds_then))
        .left("extrapolated by", Room::Goes(2), |part| growth(part.growth))
        .left("", Room::Goes(3), |part| Cell::styled(if part.contradicted { "!" } else { "" }, DOUBTFUL));
    out.table(columns.columns);
    if parts.rows.len() > shown.len() {
        let more = number::more(parts.rows.len() - shown.len(), "part");
        out.more(more, format!("--top {} shows all", parts.rows.len()));
    }
    if shown.iter().any(|part| part.contradicted) {
        out.blank();
        out.paragraph(DIM, "! its time and its counts grew differently between the sampled runs.");
    }
    Ok(out)
}

/// Returns the caption, which names the runs of the shares.
fn caption(parts: &TimeParts, then: &str) -> String {
    let smaller = parts.smaller.as_ref().map(|smaller| format!("; smaller: {}", run(smaller)));
    let counts_libraries =
        parts.rows.iter().any(|part| part.kind == TimePartKind::Library && part.is_counted);
    let own = if counts_libraries { "" } else { "; shares of the cost cover only the program's own code" };
    format!(
        "Shares of the CPU time, with libraries and the kernel{own}. Now: {}{}; then: {then}.",
        run(&parts.run),
        smaller.unwrap_or_default()
    )
}

fn run(run: &SampledRun) -> String {
    let samples = number::plural(usize::try_from(run.samples).unwrap_or(usize::MAX), "sample");
    let lost =
        if run.lost > 0 { format!(" and {} lost", number::size(run.lost as f64)) } else { String::new() };
    let workload = visible(&run.workload);
    format!("{}, {}, {samples}{lost}", shorten(&workload, PLACE_WIDTH), number::seconds(run.seconds, None))
}

/// Returns a function's place. For the kernel and libraries, tells instead if their time is counted.
fn place(part: &TimePart) -> String {
    match (part.kind, part.file.as_str(), part.line) {
        (TimePartKind::Kernel | TimePartKind::Library, ..) if part.is_counted => {
            "counted where it is called".to_owned()
        }
        (TimePartKind::Kernel | TimePartKind::Library, ..) => "not counted".to_owned(),
        (_, file, 0) => shorten(&visible(file), PLACE_WIDTH).into_owned(),
        (_, file, line) => shorten(&format!("{}:{line}", visible(file)), PLACE_WIDTH).into_owned(),
    }
}

fn growth(growth: PartGrowth) -> &'static str {
    match growth {
        PartGrowth::Counts => "counts",
        PartGrowth::Samples => "samples",
        PartGrowth::Whole => "the whole program",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_samples_are_said() {
        let describe = |lost| {
            let workload = "n=960".to_owned();
            run(&SampledRun { workload, seconds: 1.0, sampled_seconds: 1.1, samples: 1000, lost })
        };
        assert_eq!(describe(0), "n=960, 1.0 s, 1,000 samples");
        assert_eq!(describe(1200), "n=960, 1.0 s, 1,000 samples and 1,200 lost");
    }
}
