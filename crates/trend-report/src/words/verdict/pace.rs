//! Describes the growth of a law.

use trend_analyze::{GrowthModel, Joint, Model, RowLaw, Source, Term};

use super::statement::NAME_WIDTH;
use crate::layout::text::{shorten, visible};
use crate::words::{cells, growth};

/// Maximum width of formulas in sentences.
const FORMULA_WIDTH: usize = 64;

/// Names the features that a law is a function of.
pub(super) fn features(law: RowLaw<'_>) -> String {
    let shown = |name: &str| shorten(name, NAME_WIDTH).into_owned();
    match law {
        RowLaw::Of(model) => shown(&model.feature),
        RowLaw::Joint(joint) => {
            joint.law.features.iter().map(|name| shown(name)).collect::<Vec<_>>().join(" and ")
        }
    }
}

/// Describes the growth as a clause: `it grows as n^2 (1.5·n^2 − 0.5·n)`.
pub(super) fn how_it_grows(law: RowLaw<'_>, several: bool) -> String {
    if let RowLaw::Of(model) = law
        && model.is_constant()
    {
        return format!("it does not grow with {}", shorten(&model.feature, NAME_WIDTH));
    }
    match law {
        RowLaw::Of(Model { growth: Some(growth), source: Some(Source::Classes), .. }) if growth.is_open() => {
            format!("its growth is {}", in_words(law, several))
        }
        _ => format!("it grows as {}", in_words(law, several)),
    }
}

/// Describes the growth with its formula: `n^2 (1.5·n^2 − 0.5·n)`, `n or n log n (3·n … 0.2·n log n)`, or the power
/// law.
pub(super) fn in_words(law: RowLaw<'_>, several: bool) -> String {
    let formula = law.law().map(|law| growth::law_formula(&law, FORMULA_WIDTH)).unwrap_or_default();
    match law {
        RowLaw::Of(model) => match (&model.growth, &model.power_law) {
            (Some(growth), _) if model.source != Some(Source::PowerLaw) => {
                // The variable of the classes is called n if there is a single feature, whatever its name.
                let is_said = several || model.feature == "n";
                let feature = if is_said {
                    String::new()
                } else {
                    format!(" in {}", shorten(&model.feature, NAME_WIDTH))
                };
                format!("{}{feature} ({formula})", either(growth))
            }
            (_, Some(law)) => {
                format!("{} ({})", cells::formula(law, &model.feature), growth::exponent(law))
            }
            _ => formula,
        },
        RowLaw::Joint(joint) => {
            let doubt = if joint.law.decided { "" } else { ", undecided" };
            format!("{formula}: {}{doubt}", per_feature(joint))
        }
    }
}

/// Describes the classes of a growth: `n^2`, `n or n log n`, `about n^2`, `something between 1 and n^2`.
pub(super) fn either(growth: &GrowthModel) -> String {
    shorten(&visible(&growth.short.in_a_sentence()), FORMULA_WIDTH).into_owned()
}

/// Describes the fastest factor of each feature in the best model: `linear in x, and as y^2`.
fn per_feature(joint: &Joint) -> String {
    let terms = joint.fastest_terms();
    let words = |(name, term): (&String, Option<Term>)| {
        let name = shorten(name, NAME_WIDTH);
        match term {
            Some(Term::Power { exponent: 1.0, log: false }) => format!("linear in {name}"),
            Some(term) => format!("as {}", term.with_variable(&name)),
            None => format!("falling with {name}"),
        }
    };
    joint.law.features.iter().zip(terms).map(words).collect::<Vec<_>>().join(", ")
}
