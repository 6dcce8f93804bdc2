//! Which model a sentence about a cluster goes by, and how fast it says that the cost grows.

use trend_analyze::{GrowthClass, Model, PowerLawModel, Term};

use super::NAME_WIDTH;
use crate::text::shorten;
use crate::{growth, number, rows};

/// What a logarithmic factor adds to an exponent, about, over the sizes of most studies.
const LOG_AS_EXPONENT: f64 = 0.1;

/// A later feature is preferred to an earlier one only where it explains this much more.
const BETTER_R2: f64 = 0.01;

/// The model in the feature that explains the cluster best; an earlier feature where it is close.
pub(crate) fn best_model(models: &[Model]) -> Option<(&Model, &PowerLawModel)> {
    let fitted = models.iter().filter_map(|m| m.power_law.as_ref().map(|law| (m, law)));
    fitted.reduce(|best, next| if next.1.r2 > best.1.r2 + BETTER_R2 { next } else { best })
}

/// The same among the models that are good enough for a headline.
pub(super) fn sound_model(models: &[Model]) -> Option<(&Model, &PowerLawModel)> {
    let sound = models.iter().filter(|m| m.is_sound());
    let fitted = sound.filter_map(|m| m.power_law.as_ref().map(|law| (m, law)));
    fitted.reduce(|best, next| if next.1.r2 > best.1.r2 + BETTER_R2 { next } else { best })
}

/// `as 1.49·n^2.00 (exponent 2.000–2.001)`.
fn formula(model: &Model, law: &PowerLawModel) -> String {
    let feature = shorten(&model.feature, NAME_WIDTH);
    let digits = number::supported_digits(law.a, law.a_ci).min(3);
    let a = number::significant(law.a, digits);
    let b = number::exponent(law.b, law.b_ci);
    let interval = match law.b_ci {
        Some(ci) => format!("exponent {}", number::exponent_interval(ci)),
        None => "no interval".to_owned(),
    };
    format!("{a}·{feature}^{b} ({interval})")
}

/// `it grows as n^2 (1.5·n^2 − 0.5·n)`.
pub(super) fn how_it_grows(model: &Model, law: &PowerLawModel) -> String {
    let feature = shorten(&model.feature, NAME_WIDTH);
    match &model.growth {
        Some(verdict) => match verdict.decided_class() {
            Some(class) if class.class == GrowthClass::Constant => format!("it does not grow with {feature}"),
            Some(_) => format!("it grows as {}", pace_in_words(model, law)),
            None => format!("how it grows with {feature} is {}", verdict.verdict),
        },
        None => format!("it grows as {}", pace_in_words(model, law)),
    }
}

/// `n^2 (1.5·n^2 − 0.5·n)` where the class is decided, else the power law and what is undecided.
pub(super) fn pace_in_words(model: &Model, law: &PowerLawModel) -> String {
    match &model.growth {
        Some(verdict) => match verdict.decided_class() {
            Some(class) => format!("{} ({})", class.class, growth::formula(class, &model.feature)),
            None => format!("{}, about {}", verdict.verdict, formula(model, law)),
        },
        None => formula(model, law),
    }
}

/// How fast a cost certainly grows, as an exponent; `None` where that may be no faster than linearly or ends.
pub(super) fn certain_pace(model: &Model, law: &PowerLawModel) -> Option<f64> {
    if rows::is_poor(model) || model.runs_until.is_some() {
        return None;
    }
    match &model.growth {
        Some(verdict) => {
            let slowest = verdict.named().map(|c| c.class).min()?;
            (verdict.superlinear == Some(true)).then(|| match slowest.term() {
                Term::Power { exponent, log } => exponent + if log { LOG_AS_EXPONENT } else { 0.0 },
                _ => f64::INFINITY,
            })
        }
        None => Some(law.b_ci?[0]).filter(|lower| *lower > 1.0),
    }
}

/// Whether the model can say that its cost does not grow faster than linearly, and nothing better says that it does.
pub(super) fn is_bounded(model: &Model, law: &PowerLawModel) -> bool {
    match &model.growth {
        _ if rows::is_poor(model) || !model.is_sound() => false,
        Some(growth) => growth.superlinear == Some(false),
        None => law.b_ci.is_some(),
    }
}
