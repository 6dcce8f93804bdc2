//! Writes the table of a program's functions: the growth of each, and its cost now and at the target.

use std::collections::HashMap;

use trend_analyze::{COSTLY_SHARE, Findings, Outlook};
use trend_answer::{Source, share_of};
use trend_profile::Study;

use super::rows;
use crate::error::ReportError;
use crate::layout::columns::{Cell, Column, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, PLAIN};
use crate::layout::text::{shorten, visible};
use crate::options::{By, Sort, TableOptions};
use crate::rows::item::{self, Item, Listed};
use crate::rows::place::line_in;
use crate::rows::scope::Scope;
use crate::rows::selection;
use crate::terminal::frame;
use crate::words::{advice, answer, cells, study};

/// Maximum width of a function's place.
const PLACE_WIDTH: usize = 28;

/// Number of digits of a cost.
const DIGITS: usize = 3;

/// Number of rows shown by default if no function takes much.
const USUAL_ROWS: usize = 10;

/// A line of the table.
#[derive(Default)]
struct Line {
    name: Cell,
    growth: Option<Cell>,
    now: Option<f64>,
    then: Option<Outlook>,
    share: String,
    /// `FILE:LINE` of the costliest line at the target, or of the beginning if no line was counted.
    place: String,
    flags: String,
}

/// Returns true if the findings are shown by this table. Tables for one of several features, or sorted by exponent, use
/// the columns of `rows.rs`.
pub(crate) fn is_meant(scope: &Scope<'_>, options: &TableOptions) -> bool {
    options.by == By::Function && options.sort != Sort::Exponent && !scope.is_of_one_feature()
}

/// Writes the answer, the functions and the warnings, in the same way for every output.
///
/// # Errors
/// Fails in the same cases as [`crate::table`].
pub(crate) fn write(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    scope: &Scope<'_>,
    options: &TableOptions,
) -> Result<(), ReportError> {
    answer::write(out, findings);
    if findings.answer.is_none() {
        frame::statements(out, findings);
    }
    out.blank();
    let [functions, others] = functions(findings, scope, options)?;
    if !functions.is_empty() {
        out.table(columns(&lines(findings, scope, [&functions, &others], options), scope, options));
        out.blank();
        out.paragraph(DIM, &caption(findings, study));
    }
    if !others.is_empty() {
        let all = functions.len() + others.len();
        out.more(number::more(others.len(), "function"), format!("--top {all} shows all"));
    }
    advice::of_findings(out, findings, scope);
    rows::legend(out, &functions, scope);
    out.blank();
    frame::failures(out, findings);
    frame::doubts_of_study(out, findings, options);
    Ok(())
}

/// Returns the functions to show, sorted, and all others. By default, functions are shown that take much of a run or of
/// the cost at the target.
fn functions<'a>(
    findings: &'a Findings,
    scope: &Scope<'_>,
    options: &TableOptions,
) -> Result<[Vec<Item<'a>>; 2], ReportError> {
    let mut items = selection::all(findings, By::Function)?;
    selection::sort(&mut items, scope, options.sort);
    let whole = Whole::new(findings, scope);
    let is_large = |item: &Item<'_>| {
        let then = whole.share_then(item::predicted(item, scope));
        item.is_costly || then.is_some_and(|share| share > COSTLY_SHARE)
    };
    let (shown, others) = match options.top {
        None if items.iter().any(is_large) => items.into_iter().partition(is_large),
        top => {
            let others = items.split_off(items.len().min(top.unwrap_or(USUAL_ROWS)));
            (items, others)
        }
    };
    Ok([shown, others])
}

/// The cost of the whole program, which the rows are compared with.
struct Whole {
    now: f64,
    then: Option<Outlook>,
}

impl Whole {
    fn new(findings: &Findings, scope: &Scope<'_>) -> Self {
        let now = findings.answer.as_ref().map_or(findings.total.max_cost as f64, |answer| answer.whole_now);
        Self { now, then: item::predicted_total(findings, scope) }
    }

    fn share_then(&self, then: Option<Outlook>) -> Option<f64> {
        let cost = then?.cost;
        Some(share_of(cost, cost, self.then?.cost))
    }
}

/// Returns a line per function, one for all others together, and one for the whole program.
fn lines(
    findings: &Findings,
    scope: &Scope<'_>,
    [functions, others]: [&[Item<'_>]; 2],
    options: &TableOptions,
) -> Vec<Line> {
    let whole = Whole::new(findings, scope);
    let costliest = findings.costliest_lines();
    let functions = functions
        .iter()
        .map(|item| Line { place: place(item, &costliest), ..line(item, scope, &whole, options) });
    let mut lines: Vec<Line> = functions.collect();
    if !others.is_empty() {
        lines.push(rest(others, scope, &whole));
    }
    let law = scope.law(&findings.total.fits);
    lines.push(Line {
        name: Cell::plain("whole program"),
        growth: law.map(cells::growth_or_trends),
        now: Some(whole.now),
        then: whole.then,
        ..Line::default()
    });
    lines
}

fn line(item: &Item<'_>, scope: &Scope<'_>, whole: &Whole, options: &TableOptions) -> Line {
    let name = if options.whole_names { visible(item.name).into_owned() } else { item.shown() };
    let then = item::predicted(item, scope);
    Line {
        name: Cell::styled(name, if item.is_costly { BOLD } else { PLAIN }),
        growth: item.row_law(scope).map(cells::growth_or_trends),
        now: Some(item.share * whole.now),
        then,
        share: number::share_change(item.share, whole.share_then(then)),
        flags: item.flags(scope),
        ..Line::default()
    }
}

/// Returns the place of a function's costliest line, as in the answer. If no line was counted, returns where the
/// function begins.
fn place(item: &Item<'_>, costliest: &HashMap<(&str, &str), u32>) -> String {
    let Listed::Row(row, _) = item.listed else { return String::new() };
    let line = costliest.get(&(row.name.as_str(), row.file.as_str())).copied().filter(|line| *line > 0);
    let line = line.unwrap_or(row.line);
    shorten(&visible(&line_in(&row.file, line)), PLACE_WIDTH).into_owned()
}

/// Returns the line that sums up the functions that are not shown. It has a prediction if each of them has one.
fn rest(others: &[Item<'_>], scope: &Scope<'_>, whole: &Whole) -> Line {
    let share: f64 = others.iter().map(|item| item.share).sum();
    let has_ended = |item: &Item<'_>| item.fits.models.iter().any(|model| model.runs_until.is_some());
    let cost = |item: &Item<'_>| match item::predicted(item, scope) {
        Some(then) => Some(then.cost),
        None => has_ended(item).then_some(0.0),
    };
    let costs = others.iter().map(cost);
    let then = costs.sum::<Option<f64>>().map(|cost| Outlook { cost, ci: None, source: Source::SumOfParts });
    Line {
        name: Cell::styled(number::plural(others.len(), "other"), DIM),
        now: Some(share * whole.now),
        then,
        share: number::share_change(share, whole.share_then(then)),
        ..Line::default()
    }
}

fn columns(lines: &[Line], scope: &Scope<'_>, options: &TableOptions) -> Vec<Column> {
    let least = (options.terminal_width() * 2 / 5).min(rows::LEAST_NAME_WIDTH);
    let at = rows::target(scope);
    let then = |line: &Line| line.then.as_ref().map(|then| cells::aligned(cells::point(then)));
    let interval = |line: &Line| line.then?.ci.map(number::cost_ends).filter(|ends| !ends.is_empty());
    Columns::new(lines)
        .left(
            "function",
            if options.whole_names { Room::Whole(least) } else { Room::Shrinks(least) },
            |line| line.name.clone(),
        )
        .left("growth", Room::Goes(2), |line| line.growth.clone())
        .right("now", Room::Goes(4), |line| {
            line.now.map(|now| cells::aligned(number::cost(now.round(), DIGITS)))
        })
        .right(&format!("at {at}"), Room::Fixed, then)
        .left("interval", Room::Goes(6), interval)
        .right("share", Room::Goes(8), |line| line.share.clone())
        .left("line", Room::Goes(9), |line| line.place.clone())
        .left("", Room::Goes(3), |line| Cell::styled(line.flags.clone(), DOUBTFUL))
        .columns
}

/// Returns the caption, which explains the numbers of the table: their unit, and the level of the intervals.
fn caption(findings: &Findings, study: Option<&Study>) -> String {
    let unit = study::unit(findings, study);
    let times = number::legend_of_times(&findings.unit);
    format!("Costs {unit}{times}; {} intervals.", study::level(findings))
}
