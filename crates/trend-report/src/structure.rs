//! In words: how a cost depends on several features, on entries and cost per entry, or follows two trends.

use trend_analyze::{Decomposition, Factor, GrowthClass, Joint, Model, Split, Trend};

use crate::text::{cut, shorten, visible};
use crate::{growth, number, rows, table};

/// A formula of several features is cut here.
const FORMULA_WIDTH: usize = 160;

/// Names and rules from outside.
const NAME_WIDTH: usize = 60;

/// Workloads of a trend that are named.
const MOST_NAMED: usize = 3;

/// How the cost depends on several features together.
pub(crate) fn joint(joint: &Joint) -> String {
    let formula = cut(&visible(&joint.formula), FORMULA_WIDTH).into_owned();
    let decided = if joint.decided {
        String::new()
    } else {
        format!(" ? (undecided: support {:.0} %)", (joint.support * 100.0).clamp(1.0, 99.0))
    };
    format!("In several features together: cost = {formula}{decided}; R² {}.", number::r2(joint.r2))
}

/// `Entries of last_node grow as n; the cost per entry grows as n^0.21 (exponent 0.18–0.24).`
pub(crate) fn decomposition(decomposition: &Decomposition, feature: &str) -> Option<String> {
    let of = |factor: &'_ Factor| factor.models.iter().position(|m| m.feature == feature);
    let entries = &decomposition.entries.models[of(&decomposition.entries)?];
    let per_entry = &decomposition.per_entry.models[of(&decomposition.per_entry)?];
    Some(format!(
        "Entries of {} {}; the cost per entry {}.",
        shorten(&decomposition.function, NAME_WIDTH),
        pace(entries, "grow", "do"),
        pace(per_entry, "grows", "does")
    ))
}

/// `grow as n^2`, `do not grow with n`, `grow as n or n log n ?`.
fn pace(model: &Model, grow: &str, negation: &str) -> String {
    let feature = shorten(&model.feature, 24);
    if let Some(verdict) = &model.growth {
        return match verdict.decided_class() {
            Some(class) if class.class == GrowthClass::Constant => format!("{negation} not grow with {feature}"),
            Some(class) => format!("{grow} as {} in {feature}", class.class),
            None => format!("{grow} as {} in {feature}", growth::cell(verdict)),
        };
    }
    match &model.power_law {
        Some(law) => {
            let interval = law.b_ci.filter(rows::is_finite).map_or_else(
                || "no interval".to_owned(),
                |ci| format!("exponent {}", number::exponent_interval(ci)),
            );
            format!("{grow} as {feature}^{} ({interval})", number::exponent(law.b, law.b_ci))
        }
        None => format!("{grow} in a way that has no model in {feature}"),
    }
}

/// `2 trends in n, told apart by sorted: sorted ≤ 0`.
pub(crate) fn split(split: &Split, feature: &str) -> String {
    let short = |text: &String| shorten(&visible(text), NAME_WIDTH).into_owned();
    let apart = match (split.told_apart_by.as_ref().map(short), split.rule.as_ref().map(short)) {
        (Some(by), Some(rule)) => format!("told apart by {by}: {rule}"),
        (Some(by), None) => format!("told apart by {by}"),
        (None, Some(rule)) => format!("told apart by {rule}"),
        (None, None) => "which nothing that is known of the workloads tells apart".to_owned(),
    };
    format!("{} in {}, {apart}", trends(split), shorten(feature, 24))
}

/// `2 trends`.
pub(crate) fn trends(split: &Split) -> String {
    table::plural(split.trends.len(), "trend")
}

/// `n=60, n=200, n=500, …`
pub(crate) fn some_workloads(trend: &Trend) -> String {
    let mut names: Vec<String> =
        trend.workloads.iter().take(MOST_NAMED).map(|name| shorten(&visible(name), 24).into_owned()).collect();
    if trend.workloads.len() > MOST_NAMED {
        names.push("…".to_owned());
    }
    names.join(", ")
}
