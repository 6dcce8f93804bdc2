//! Predicts the costs of all rows at a size that was never run.

use trend_analyze::{FeatureSummary, Findings, Given, RowLaw};

use super::{fitting, rows};
use crate::error::ReportError;
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, PLAIN};
use crate::layout::text::{shorten, visible};
use crate::options::{By, Sort, TableOptions};
use crate::rows::item::{self, Item};
use crate::rows::scope::Scope;
use crate::rows::selection;
use crate::terminal::frame;
use crate::words::fitting::Fitting;
use crate::words::verdict::doubts;
use crate::words::{answer, model, point, study};

/// Number of rows of each kind listed by default.
const USUAL_ROWS: usize = 10;

/// Returns the predicted costs and ranks of clusters and functions at the requested point, for a terminal.
///
/// # Errors
/// [`ReportError::UnknownFeature`] if the requested feature does not exist.
pub fn prediction_table(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let scope = Scope::new(findings, options)?;
    let mut out = Document::new(options.terminal_width());
    introduction(&mut out, findings, &scope);
    if let Some(fitting) = Fitting::new(findings) {
        fitting::table(&mut out, &fitting);
    }
    for by in [By::Cluster, By::Function] {
        let mut items = selection::all(findings, by)?;
        selection::sort(&mut items, &scope, Sort::Predicted);
        let options = TableOptions { by, sort: Sort::Predicted, ..options.clone() };
        ranking(&mut out, &items, &scope, &options);
    }
    out.blank();
    frame::doubts_of_study(&mut out, findings, options);
    Ok(out.for_terminal())
}

fn introduction(out: &mut Document, findings: &Findings, scope: &Scope<'_>) {
    let Some((_, at)) = scope.point else { return };
    let program = shorten(&findings.program.name, 60).into_owned();
    out.paragraph(BOLD, &format!("{program} at {}", point::given(at)));
    if let Some(failed) = doubts::largest_failed(findings) {
        out.item("? ", DOUBTFUL, &failed.text);
    }
    for value in &at.values {
        let Some(index) = findings.feature(&value.feature) else { continue };
        let summary = &findings.features[index];
        let text = match &value.given {
            Given::Asked | Given::Multiple { .. } => {
                format!(
                    "{}; {} is {}",
                    study::range_with_decades(summary),
                    number::feature_size(&value.feature, value.at),
                    distance(summary, value.at)
                )
            }
            _ => format!("{}; not given: {}", study::range_with_decades(summary), point::filled_in(value)),
        };
        out.paragraph(PLAIN, &format!("{text}."));
    }
    answer::write(out, findings);
    if findings.answer.is_none()
        && let Some(total) = item::predicted_total(findings, scope)
    {
        out.paragraph(PLAIN, &format!("The whole program costs {}.", model::with_interval(&total)));
    }
    if let Some(RowLaw::Of(model)) = scope.law(&findings.total.fits) {
        frame::doubts(out, model.doubts.iter().filter(|doubt| doubt.is_about_the_whole()));
    }
    out.paragraph(
        DIM,
        &format!(
            "Costs are {}{}; intervals are {}. Ranks: by maximum cost → by cost at the target.",
            visible(findings.unit.name()),
            number::legend_of_times(&findings.unit),
            study::level(findings)
        ),
    );
}

/// Describes the distance of a size from the sizes that were run.
fn distance(summary: &FeatureSummary, at: f64) -> String {
    match summary.max {
        Some(max) if max > 0.0 && at > max => {
            format!("{} times the largest run", number::significant(at / max, 2))
        }
        Some(_) if summary.min.is_some_and(|min| at < min) => "below the smallest run".to_owned(),
        Some(_) => "within the sizes that were run".to_owned(),
        None => "no workload has this feature".to_owned(),
    }
}

fn ranking(out: &mut Document, items: &[Item<'_>], scope: &Scope<'_>, options: &TableOptions) {
    let predictable: Vec<Item<'_>> =
        items.iter().filter(|i| item::predicted(i, scope).is_some()).copied().collect();
    let unknown = items.len() - predictable.len();
    let shown = &predictable[..options.top.unwrap_or(USUAL_ROWS).min(predictable.len())];
    out.heading(options.by.title());
    if shown.is_empty() {
        out.paragraph(DIM, "none can be predicted");
        return;
    }
    out.table(rows::columns(scope, shown, options));
    rows::legend(out, shown, scope);
    let more = predictable.len() - shown.len();
    if more > 0 {
        out.more(format!("{more} more"), format!("--top {} shows all", predictable.len()));
    }
    let is_over = |item: &&Item<'_>| {
        let model = scope.model(item.fits);
        model.is_some_and(|model| model.runs_until.is_some()) && item::predicted(item, scope).is_none()
    };
    let over = items.iter().filter(is_over).count();
    if over > 0 {
        out.paragraph(DIM, &format!("Left out because no large run executed them: {over}."));
    }
    if unknown > over {
        out.paragraph(DIM, &format!("Left out because they have no model: {}.", unknown - over));
    }
}
