//! Formats the model of a row as table cells for a terminal.

use anstyle::Style;
use trend_analyze::{GrowthModel, Outlook, PowerLawModel, RowLaw, Source};

use super::growth;
use crate::layout::columns::Cell;
use crate::layout::number;
use crate::layout::style::{DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::layout::text::{shorten, visible};

/// Maximum width of a feature's name in formulas and headings.
const FEATURE_WIDTH: usize = 10;

/// Maximum width of a formula with several terms.
const FORMULA_WIDTH: usize = 32;

/// Returns the formula of a law.
pub(crate) fn fit(law: Option<RowLaw<'_>>) -> Cell {
    match law {
        Some(RowLaw::Of(model)) if model.source == Some(Source::PowerLaw) => model
            .power_law
            .as_ref()
            .map_or_else(Cell::default, |law| Cell::plain(formula(law, &model.feature))),
        Some(law) => law.law().map_or_else(
            || Cell::styled("sum of parts", DIM),
            |law| Cell::plain(growth::law_formula(&law, FORMULA_WIDTH)),
        ),
        None => Cell::styled("none", DIM),
    }
}

/// Formats a power law: `1.49·n^2.00`. A `≈` marks a law without an interval.
pub(crate) fn formula(law: &PowerLawModel, feature: &str) -> String {
    let digits = number::supported_digits(law.a, law.a_ci).min(3);
    let mark = if law.b_ci.is_some() { "" } else { "≈ " };
    let feature = visible(feature);
    let (a, b) = (number::significant(law.a, digits), number::exponent(law.b, law.b_ci));
    if number::is_zero(&b) {
        return format!("{mark}{}", number::trimmed(&a));
    }
    format!("{mark}{a}·{}^{b}", shorten(&feature, FEATURE_WIDTH))
}

fn growth_style(model: &GrowthModel) -> Style {
    match model.superlinear {
        _ if model.is_open() => DOUBTFUL,
        Some(true) => NOTABLE,
        _ => PLAIN,
    }
}

/// Returns the growth class of a law, or the number of its trends if it has several.
pub(crate) fn growth_or_trends(law: RowLaw<'_>) -> Cell {
    let style = match law {
        RowLaw::Of(model) if model.split.is_some() => NOTABLE,
        _ if law.is_poor() => DOUBTFUL,
        RowLaw::Of(model) => model.growth.as_ref().map_or(PLAIN, growth_style),
        RowLaw::Joint(joint) if joint.law.decided => PLAIN,
        RowLaw::Joint(_) => DOUBTFUL,
    };
    Cell::styled(growth::of_law(law), style)
}

/// Returns the exponent's interval, or `?` if it has none.
pub(crate) fn exponent(law: &PowerLawModel) -> Cell {
    match law.b_ci.filter(number::is_finite) {
        Some(ci) => Cell::styled(number::exponent_interval(ci), if ci[0] > 1.0 { NOTABLE } else { PLAIN }),
        None => Cell::styled("?", DOUBTFUL),
    }
}

pub(crate) fn r2(law: &PowerLawModel) -> Cell {
    let poor = law.r2.is_nan() || law.r2 < trend_analyze::POOR_R2;
    Cell::styled(number::r2(law.r2), if poor { DOUBTFUL } else { PLAIN })
}

/// Formats a predicted cost. Without an interval, it has two digits and a `≈`.
pub(crate) fn point(estimate: &Outlook) -> String {
    number::predicted(estimate.cost, estimate.ci)
}

/// Formats the interval of a prediction, or the prediction itself if it has none.
pub(crate) fn interval(estimate: &Outlook) -> String {
    estimate.ci.map_or_else(|| point(estimate), number::cost_interval)
}

/// Pads a cost that has no suffix, so that digits align in a column.
pub(crate) fn aligned(cost: String) -> String {
    if cost.ends_with(|c: char| c.is_ascii_uppercase() || c == 'k') { cost } else { cost + "  " }
}
