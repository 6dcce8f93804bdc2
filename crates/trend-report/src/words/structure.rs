//! Describes the structure of a cost: its dependence on several features, its factors (calls and cost per call), and
//! its trends.

use trend_analyze::{Decomposition, Factor, Fits, GrowthClass, Joint, Model, Split, Trend};

use super::{cells, growth};
use crate::layout::number;
use crate::layout::text::{shorten, visible};
use crate::rows::item::Item;
use crate::rows::scope::Scope;

/// Maximum width of a formula in several features.
const FORMULA_WIDTH: usize = 160;

/// Maximum width of names and rules from outside.
const NAME_WIDTH: usize = 60;

/// Maximum number of workloads named for a trend.
const MOST_NAMED: usize = 2;

/// Describes the law in several features together.
pub(crate) fn joint(joint: &Joint) -> String {
    let formula = growth::law_formula(&joint.law, FORMULA_WIDTH);
    let decided = if joint.law.decided {
        String::new()
    } else {
        format!(" ? (undecided: support {:.0} %)", (joint.support * 100.0).clamp(1.0, 99.0))
    };
    format!("In several features together: cost = {formula}{decided}; R² {}.", number::r2(joint.r2))
}

/// Describes a row's law if it covers all features of the study: a law in several features, or a constant.
pub(crate) fn of_all_features(fits: &Fits) -> Option<String> {
    match fits.joint.as_ref() {
        Some(law) => Some(joint(law)),
        None if fits.models.len() > 1 && fits.are_constant() => {
            let names = fits.models.iter().map(|model| shorten(&model.feature, 24).into_owned());
            Some(format!("The cost does not depend on {}.", names.collect::<Vec<_>>().join(" or ")))
        }
        None => None,
    }
}

/// Describes the factors of a cost: `Calls of last_node grow as n; the cost per call grows as n^0.21 (exponent
/// 0.18–0.24).`
fn decomposition(decomposition: &Decomposition, feature: &str) -> Option<String> {
    let position = |factor: &'_ Factor| factor.models.iter().position(|m| m.feature == feature);
    let entries = &decomposition.entries.models[position(&decomposition.entries)?];
    let per_entry = &decomposition.per_entry.models[position(&decomposition.per_entry)?];
    Some(format!(
        "Calls of {} {}; the cost per call {}.",
        shorten(&decomposition.function, NAME_WIDTH),
        pace(entries, "grow", "do"),
        pace(per_entry, "grows", "does")
    ))
}

/// Describes the growth of a factor: `grow as n^2`, `do not grow with n`, `grow as n or n log n ?`.
fn pace(model: &Model, grow: &str, negation: &str) -> String {
    let feature = shorten(&model.feature, 24);
    // The variable of the classes is always called n, whatever the feature's name.
    let in_feature = if model.feature == "n" { String::new() } else { format!(" in {feature}") };
    if let Some(verdict) = &model.growth {
        return match verdict.decided_class() {
            Some(class) if class.class == GrowthClass::Constant => {
                format!("{negation} not grow with {feature}")
            }
            Some(class) => format!("{grow} as {}{in_feature}", class.class),
            None => format!("{grow} as {}{in_feature}", growth::cell(verdict)),
        };
    }
    match &model.power_law {
        Some(law) => {
            format!("{grow} as {feature}^{} ({})", number::exponent(law.b, law.b_ci), growth::exponent(law))
        }
        None => format!("{} no model in {feature}", if negation == "do" { "have" } else { "has" }),
    }
}

/// Describes the split of a cost into trends: `2 trends in n, told apart by sorted: sorted ≤ 0`.
fn split(split: &Split, feature: &str) -> String {
    let short = |text: &String| shorten(&visible(text), NAME_WIDTH).into_owned();
    let apart = match (split.told_apart_by.as_ref().map(short), split.rule.as_ref().map(short)) {
        (Some(by), Some(rule)) => format!("told apart by {by}: {rule}"),
        (Some(by), None) => format!("told apart by {by}"),
        (None, Some(rule)) => format!("told apart by {rule}"),
        (None, None) => "which no feature or name tells apart".to_owned(),
    };
    format!("{} in {}, {apart}", number::plural(split.trends.len(), "trend"), shorten(feature, 24))
}

/// Returns all sentences about a row's structure, in the scope's feature.
pub(crate) fn findings(item: &Item<'_>, scope: &Scope<'_>) -> Vec<String> {
    let mut sentences: Vec<String> = item.fits.joint.as_ref().map(joint).into_iter().collect();
    let Some(model) = scope.model(item.fits) else { return sentences };
    if let Some(model_split) = &model.split {
        sentences.push(format!("{}.", split(model_split, &model.feature)));
        sentences.extend(model_split.trends.iter().enumerate().map(|(i, t)| trend(i + 1, t, &model.feature)));
    }
    if let Some(cluster) = item.cluster() {
        let parts = cluster.decomposition.as_ref();
        sentences.extend(parts.and_then(|parts| decomposition(parts, &model.feature)));
    }
    sentences
}

/// Describes a trend: `Trend 1 of 12 workloads (n=60, n=200, …): n, power law 9.0·n^1.00.`
fn trend(number: usize, trend: &Trend, feature: &str) -> String {
    let growth = trend.growth.as_ref().map(growth::cell);
    let law = trend.power_law.as_ref().map(|law| format!("power law {}", cells::formula(law, feature)));
    let laws: Vec<String> = growth.into_iter().chain(law).collect();
    let laws = if laws.is_empty() { "no model".to_owned() } else { laws.join(", ") };
    let workloads = number::plural(trend.workloads.len(), "workload");
    format!("Trend {number} of {workloads} ({}): {laws}.", some_workloads(trend))
}

/// Names the first workloads of a trend: `n=60, n=200, …`
fn some_workloads(trend: &Trend) -> String {
    let mut names: Vec<String> = trend
        .workloads
        .iter()
        .take(MOST_NAMED)
        .map(|name| shorten(&visible(name), 24).into_owned())
        .collect();
    if trend.workloads.len() > MOST_NAMED {
        names.push("…".to_owned());
    }
    names.join(", ")
}

/// Returns the law in all features together, unless a feature was requested.
pub(crate) fn together(item: &Item<'_>, scope: &Scope<'_>) -> Option<String> {
    scope.feature.is_none().then(|| of_all_features(item.fits)).flatten()
}
