//! Writes the page of one place with costs by the size of its own input, such as a routine.

use trend_analyze::{Doubt, Findings, Model, RowLaw, SeriesModel, SeriesRow, Source};
use trend_profile::{Observation, Study, Variable};

use crate::layout::columns::{Cell, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{NOTABLE, PLAIN};
use crate::layout::text::{capital, visible};
use crate::options::TableOptions;
use crate::terminal::frame::{self, more, title_with_place};
use crate::terminal::laws::curve::Picture;
use crate::terminal::laws::{plots, predictions};
use crate::words::model::{self, SIZE};
use crate::words::series::{self, facts};
use crate::words::{cells, growth, structure};

/// Number of sizes listed by default.
const USUAL_SIZES: usize = 20;

/// Number of calling contexts listed by default.
const USUAL_CONTEXTS: usize = 10;

/// Maximum number of sizes to name among those whose cost is spread over other executions.
const MOST_SPREAD: usize = 8;

/// Writes the page of a place: its series as a whole, and its series by calling context. `rows` has at least one of
/// them. If sizes were measured in several variables, the page shows the variable that covers more input.
pub(crate) fn series_page(
    out: &mut Document,
    findings: &Findings,
    study: Option<&Study>,
    rows: &[&SeriesRow],
    options: &TableOptions,
) {
    let variables = rows.iter().map(|row| &row.variables).max();
    let shown = || rows.iter().copied().filter(|row| Some(&row.variables) == variables);
    let Some(row) = shown().find(|row| row.context.is_none()).or_else(|| shown().next()) else { return };
    title_with_place(out, &row.name, &place(study, row));
    let is_rms = |other: &&SeriesRow| {
        row.variables == [Variable::Drms]
            && other.variables == [Variable::Rms]
            && other.context == row.context
            && other.unit == row.unit
    };
    let by_rms = rows.iter().copied().find(is_rms);
    for fact in facts(row, by_rms) {
        out.paragraph(PLAIN, &fact);
    }
    out.blank();
    laws(out, findings, row);
    sizes(out, row, options.top.unwrap_or(USUAL_SIZES));
    let contexts: Vec<&SeriesRow> =
        shown().filter(|one| one.context.is_some() && one.unit == row.unit).collect();
    of_contexts(out, row, &contexts, options.top.unwrap_or(USUAL_CONTEXTS));
}

/// Returns the place of the function with this name, or else the object.
fn place(study: Option<&Study>, row: &SeriesRow) -> String {
    let is_of_row =
        |f: &&trend_profile::Function| f.symbol.name == row.name && f.file == row.object && f.line > 0;
    match study.and_then(|study| study.functions().iter().find(is_of_row)) {
        Some(function) => format!("{}:{}", function.file, function.line),
        None => row.object.clone(),
    }
}

/// Writes the law of the worst execution in words and as a plot, its predictions, and the other fits.
fn laws(out: &mut Document, findings: &Findings, row: &SeriesRow) {
    let execution = row.kind.words().execution;
    if row.sizes < 2 {
        let text = format!("Every {execution} had an input of the same size, which shows no growth.");
        out.paragraph(PLAIN, &text);
        return;
    }
    let law = row.worst.fits.law().or_else(|| row.worst.fits.models.first().map(RowLaw::Of));
    match law {
        Some(RowLaw::Of(model)) => worst(out, findings, row, model),
        Some(RowLaw::Joint(joint)) => {
            out.paragraph(PLAIN, &format!("The worst {execution} of each size. {}", structure::joint(joint)));
        }
        None => {}
    }
    fits(out, row);
    of_runs(out, findings, row);
}

fn worst(out: &mut Document, findings: &Findings, row: &SeriesRow, model: &Model) {
    let execution = row.kind.words().execution;
    let variable = row.variables.iter().position(|variable| variable.name() == model.feature).unwrap_or(0);
    let size = |o: &Observation| o.sizes[variable] as f64;
    let mut positive: Vec<f64> = row.observations.iter().map(size).filter(|size| *size > 0.0).collect();
    positive.sort_by(f64::total_cmp);
    let range = positive.first().copied().zip(positive.last().copied());
    out.paragraph(PLAIN, &format!("The worst {execution} of each size:"));
    for sentence in
        growth::sentences(model, range, None).into_iter().chain(model::sentences(findings, model, SIZE))
    {
        out.paragraph(PLAIN, &sentence);
    }
    out.blank();
    let points = row.observations.iter().map(|o| (size(o), o.max as f64)).collect();
    if let Some(picture) = Picture::of_points(findings, points, model) {
        plots::drawn(out, findings, &picture, &format!("Cost of the worst {execution}"));
    }
    for doubt in &model.doubts {
        match doubt {
            Doubt::IgnoredZeros { feature, workloads: sizes } => {
                let is = if *sizes == 1 { "is" } else { "are" };
                let sizes = number::plural(*sizes, SIZE);
                let text = format!(
                    "{sizes} where the cost or {feature} is zero {is} left out; the model covers only runs \
                     where it executes"
                );
                out.item("warning: ", NOTABLE, &text);
            }
            other => frame::doubts(out, [other]),
        }
    }
    let largest = positive.last().copied();
    predictions::predictions_of_series(out, findings, model, largest);
}

/// Writes the laws of the worst, the average and the best execution, and the cost that rare executions add to the
/// others.
fn fits(out: &mut Document, row: &SeriesRow) {
    let execution = row.kind.words().execution;
    out.heading(&format!("Worst, average and best {execution}"));
    let own = row.own.as_ref().map(|own| ("self", own));
    let fits: Vec<(&str, &SeriesModel)> =
        [("worst", &row.worst), ("average", &row.average), ("best", &row.best)]
            .into_iter()
            .chain(own)
            .collect();
    let columns = Columns::new(&fits)
        .left(execution, Room::Fixed, |fit| fit.0)
        .left("growth", Room::Fixed, |fit| fit.1.fits.law().map(cells::growth_or_trends))
        .left("law", Room::Goes(1), |fit| cells::fit(fit.1.fits.law()))
        .right("exponent", Room::Goes(4), |fit| power(fit.1))
        .left("as a + b·n^c", Room::Goes(2), |fit| series::fit(fit.1))
        .right("R²", Room::Goes(3), |fit| fit.1.offset_power.map(|fit| number::r2(fit.r2)));
    out.table(columns.columns);
    let spread = &row.amortized.spread;
    if !spread.is_empty() {
        let mut named: Vec<String> =
            spread.iter().take(MOST_SPREAD).map(|size| number::size(*size as f64)).collect();
        if spread.len() > MOST_SPREAD {
            named.push(format!("{} more", spread.len() - MOST_SPREAD));
        }
        out.blank();
        let text = format!(
            "Amortized: {execution}s of {} ({}) are rare and expensive; spread over the other {execution}s they add {} to \
             their cost.",
            number::plural(spread.len(), SIZE),
            named.join(", "),
            number::share(row.amortized.alpha)
        );
        out.paragraph(PLAIN, &text);
    }
}

/// Returns the exponent if the law of the model is a power law.
fn power(model: &SeriesModel) -> Option<Cell> {
    let model = model.fits.models.first().filter(|model| model.source == Some(Source::PowerLaw))?;
    model.power_law.as_ref().map(cells::exponent)
}

/// Writes the laws of all executions of a run by the features of the runs, if the study has features.
fn of_runs(out: &mut Document, findings: &Findings, row: &SeriesRow) {
    let execution = row.kind.words().execution;
    let all = row.runs.as_ref().map(|runs| (format!("all {execution}s"), runs));
    let own = row.own_runs.as_ref().map(|runs| ("self".to_owned(), runs));
    let fits: Vec<(String, &SeriesModel)> = all.into_iter().chain(own).collect();
    // Workloads of a single size do not show growth.
    let is_of_sizes = findings.features.iter().any(|feature| feature.min < feature.max);
    if !is_of_sizes || fits.iter().all(|(_, model)| model.fits.law().is_none()) {
        return;
    }
    out.heading(&format!("All {execution}s of a run, by the features of the runs"));
    let feature = |model: &SeriesModel| match model.fits.law()? {
        RowLaw::Of(model) => Some(visible(&model.feature).into_owned()),
        RowLaw::Joint(joint) => {
            Some(joint.law.features.iter().map(|name| visible(name)).collect::<Vec<_>>().join(", "))
        }
    };
    let columns = Columns::new(&fits)
        .left("cost of", Room::Fixed, |fit| fit.0.clone())
        .left("by", Room::Shrinks(8), |fit| feature(fit.1))
        .left("growth", Room::Fixed, |fit| fit.1.fits.law().map(cells::growth_or_trends))
        .left("law", Room::Goes(1), |fit| cells::fit(fit.1.fits.law()))
        .right("exponent", Room::Goes(2), |fit| power(fit.1));
    out.table(columns.columns);
}

/// Returns at most `most` of the items, evenly spaced, including the first and the last.
fn picked<T>(all: &[T], most: usize) -> Vec<&T> {
    if all.len() <= most {
        return all.iter().collect();
    }
    match most {
        0 => Vec::new(),
        1 => all.last().into_iter().collect(),
        _ => (0..most).map(|i| &all[i * (all.len() - 1) / (most - 1)]).collect(),
    }
}

/// Writes the costs of the executions at each size.
fn sizes(out: &mut Document, row: &SeriesRow, most: usize) {
    let words = row.kind.words();
    out.heading(&format!("{} by input size", capital(&format!("{}s", words.execution))));
    let shown = picked(&row.observations, most);
    let mut columns = Columns::new(&shown);
    for (i, variable) in row.variables.iter().enumerate() {
        columns =
            columns.right(variable.name(), Room::Fixed, |o| cells::aligned(number::size(o.sizes[i] as f64)));
    }
    let cost = |cost: u64| cells::aligned(number::count(cost));
    let columns = columns
        .right(&format!("{}s", words.execution), Room::Fixed, |o| cost(o.count))
        .right("least", Room::Goes(2), |o| cost(o.min))
        .right("mean", Room::Goes(1), |o| cells::aligned(mean(o)))
        .right("greatest", Room::Fixed, |o| cost(o.max))
        .right("all", Room::Goes(4), |o| cost(o.sum))
        .right("of its cost", Room::Goes(3), |o| number::share(o.sum as f64 / row.sum.max(1) as f64));
    out.table(columns.columns);
    more(out, row.observations.len() - shown.len(), SIZE, row.observations.len());
}

/// Formats the mean cost of an execution, with a decimal if it is small.
fn mean(o: &Observation) -> String {
    let mean = o.sum as f64 / o.count.max(1) as f64;
    if mean < 1000.0 {
        number::trimmed(&format!("{mean:.1}")).to_owned()
    } else {
        number::count(mean.round() as u64)
    }
}

fn of_contexts(out: &mut Document, row: &SeriesRow, contexts: &[&SeriesRow], most: usize) {
    if contexts.is_empty() {
        return;
    }
    let words = row.kind.words();
    out.heading("Calling contexts");
    let shown = &contexts[..contexts.len().min(most)];
    let columns = Columns::new(shown)
        .left("called from", Room::Shrinks(16), |r| {
            visible(r.context.as_deref().unwrap_or_default()).into_owned()
        })
        .right("sizes", Room::Goes(3), |r| r.sizes.to_string())
        .right(&format!("{}s", words.execution), Room::Goes(2), |r| cells::aligned(number::count(r.count)))
        .right("cost", Room::Fixed, |r| cells::aligned(number::count(r.cumulative())))
        .right("of its cost", Room::Goes(1), |r| {
            number::share(r.cumulative() as f64 / row.cumulative().max(1) as f64)
        })
        .left(&format!("worst {} grows", words.execution), Room::Fixed, |r| {
            r.worst.fits.law().map(cells::growth_or_trends)
        })
        .left("law", Room::Goes(4), |r| r.worst.fits.law().map(|law| cells::fit(Some(law))));
    out.table(columns.columns);
    more(out, contexts.len() - shown.len(), "context", contexts.len());
}
