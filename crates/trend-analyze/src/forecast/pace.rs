//! Decides how fast a row's law grows, as coarsely as a sentence needs it. Fits nothing and has no words.

use trend_answer::{Pace, Source};
use trend_model::{Factor, FeatureIndex, GrowthClass, LawSum, Term};

use crate::findings::growth::GrowthModel;
use crate::findings::law::RowLaw;
use crate::findings::model::{Model, PowerLawModel};
use crate::findings::structure::Joint;

/// R² below which a power law describes its row poorly.
pub const POOR_R2: f64 = 0.9;

/// Scatter of log cost below which a growth class describes its row well, whatever its R²: a constant has R² = 0.
const GOOD_SPREAD: f64 = 0.25;

/// Maximum exponent of a law that is linear up to a log factor: between the exponent of a log factor and the next
/// class.
const ABOUT_LINEAR: f64 = 1.15;

/// Returns the pace of a law that is good enough for a headline.
pub fn pace(law: RowLaw<'_>) -> Option<Pace> {
    classes(law).map(between)
}

/// Returns the pace that a table shows for a law, even if the law is poor.
pub(crate) fn shown_pace(law: RowLaw<'_>) -> Option<Pace> {
    match law {
        RowLaw::Of(Model { growth: Some(growth), .. }) => named_ends(growth).map(between),
        RowLaw::Of(Model { power_law: Some(law), .. }) => {
            let [low, high] = law.b_ci.unwrap_or([law.b; 2]);
            Some(match (low > ABOUT_LINEAR, high > ABOUT_LINEAR) {
                (true, _) => Pace::Fast,
                (false, true) => Pace::Open,
                (false, false) => Pace::Slow,
            })
        }
        law => pace(law),
    }
}

fn between([slowest, fastest]: [GrowthClass; 2]) -> Pace {
    let is_faster = |class: GrowthClass| class > GrowthClass::free(1.0, true);
    match (is_faster(slowest), is_faster(fastest)) {
        (true, _) => Pace::Fast,
        (false, false) => Pace::Slow,
        (false, true) => Pace::Open,
    }
}

/// Returns the slowest and the fastest class that a law may have. A law in several features has the classes of its
/// products, as if all features grew alike.
pub(crate) fn classes(law: RowLaw<'_>) -> Option<[GrowthClass; 2]> {
    match law {
        RowLaw::Of(model) if !model.is_sound() => None,
        RowLaw::Of(model) => named_ends(model.growth.as_ref()?),
        RowLaw::Joint(joint) => {
            let sums = joint.law.parts.iter().flat_map(|(_, law)| &law.sums);
            ends(sums.map(fastest))
        }
    }
}

fn named_ends(growth: &GrowthModel) -> Option<[GrowthClass; 2]> {
    ends(growth.named().map(|named| named.class))
}

fn ends(classes: impl Iterator<Item = GrowthClass>) -> Option<[GrowthClass; 2]> {
    classes.map(|class| [class; 2]).reduce(|[least, most], [class, _]| [least.min(class), most.max(class)])
}

fn fastest(sum: &LawSum) -> GrowthClass {
    sum.terms.iter().map(|term| product(&term.factors)).max().unwrap_or(GrowthClass::Constant)
}

/// Returns the class of a product if all of its features grow alike: `x·y` is quadratic then.
fn product(factors: &[Factor]) -> GrowthClass {
    let unbounded = |factor: &Factor| match *factor {
        Factor::Of(_, Term::Exponential { base }) => Some(GrowthClass::exponential(base)),
        Factor::Of(_, Term::TimesExponential { .. }) => Some(GrowthClass::TimesExponential),
        Factor::Of(_, Term::Factorial) => Some(GrowthClass::Factorial),
        Factor::Of(_, Term::Power { .. }) | Factor::Least(..) | Factor::Inverse(_) => None,
    };
    let power = |factor: &Factor| match *factor {
        Factor::Of(_, Term::Power { exponent, log }) => (exponent, log),
        Factor::Least(..) => (1.0, false),
        Factor::Inverse(_) => (-1.0, false),
        Factor::Of(..) => (0.0, false),
    };
    let powers = || factors.iter().map(power);
    let exponent = powers().map(|(exponent, _)| exponent).sum();
    let of_powers = GrowthClass::free(exponent, powers().any(|(_, log)| log));
    factors.iter().filter_map(unbounded).max().unwrap_or(of_powers)
}

impl RowLaw<'_> {
    /// Returns true if the law says little about the cost of its row.
    pub fn is_poor(self) -> bool {
        let is_close = |growth: &GrowthModel| growth.decided_class().is_some_and(|c| c.spread < GOOD_SPREAD);
        match self {
            Self::Of(model) => {
                let explains = |law: &PowerLawModel| law.r2 >= POOR_R2;
                !model.power_law.as_ref().is_some_and(explains)
                    && !model.growth.as_ref().is_some_and(is_close)
            }
            Self::Joint(joint) => joint.r2 < POOR_R2,
        }
    }

    /// Returns true if the law predicts with intervals.
    pub fn has_intervals(self) -> bool {
        match self {
            Self::Of(model) => model.power_law.as_ref().is_some_and(|law| law.b_ci.is_some()),
            Self::Joint(_) => true,
        }
    }

    /// Returns the least exponent with which the cost can grow; for several features, the sum of their exponents.
    /// `None` if the growth may be no faster than linear, or ends.
    pub fn certain_pace(self) -> Option<f64> {
        if self.is_poor() {
            return None;
        }
        match self {
            Self::Joint(joint) => Some(degree(joint)).filter(|degree| joint.law.decided && *degree > 1.0),
            Self::Of(model) if model.runs_until.is_some() => None,
            Self::Of(model) => match &model.growth {
                Some(verdict) => {
                    let slowest = verdict.named().map(|c| c.class).min()?;
                    (verdict.superlinear == Some(true)).then(|| slowest.term().pace())
                }
                None => Some(model.power_law.as_ref()?.b_ci?[0]).filter(|lower| *lower > 1.0),
            },
        }
    }

    /// Returns the greatest exponent that the verdict or the interval allows.
    pub fn greatest_pace(self) -> Option<f64> {
        match self {
            Self::Joint(_) => self.certain_pace(),
            Self::Of(model) => match &model.growth {
                Some(verdict) => Some(verdict.named().map(|c| c.class).max()?.term().pace()),
                None => Some(model.power_law.as_ref()?.b_ci?[1]),
            },
        }
    }

    /// Returns true if the law is linear up to a log factor, which makes no difference at ten times the size.
    pub fn is_about_linear(self) -> bool {
        self.greatest_pace().is_some_and(|pace| pace <= ABOUT_LINEAR)
    }

    /// Returns true if the law can show that its cost grows no faster than linearly, up to a log factor.
    pub fn is_bounded(self) -> bool {
        match self {
            _ if self.is_poor() => false,
            Self::Of(model) if !model.is_sound() => false,
            Self::Of(Model { growth: Some(growth), .. }) => {
                growth.superlinear == Some(false) || self.is_about_linear()
            }
            Self::Of(_) => self.has_intervals(),
            Self::Joint(joint) => joint.law.decided && self.certain_pace().is_none(),
        }
    }
}

impl GrowthModel {
    /// Returns the exponent of the slowest class that the verdict names; infinite for a class that outgrows all powers.
    pub fn least_pace(&self) -> Option<f64> {
        self.named().map(|named| named.class.term().pace()).min_by(f64::total_cmp)
    }
}

impl Model {
    /// Returns the exponent of the slowest growth that the evidence allows; `None` if the model is too poor to tell.
    pub fn least_pace(&self) -> Option<f64> {
        let law = self.power_law.as_ref().filter(|_| !RowLaw::Of(self).is_poor())?;
        match &self.growth {
            Some(growth) => growth.least_pace(),
            None => Some(law.b_ci?[0]),
        }
    }

    /// Returns true if the cost is decided not to grow.
    pub fn is_constant(&self) -> bool {
        let class = self.growth.as_ref().and_then(GrowthModel::decided_class);
        self.source == Some(Source::Class) && class.is_some_and(|class| class.class == GrowthClass::Constant)
    }

    /// Returns true if the cost certainly grows faster than linearly, by the verdict, or without one by the
    /// exponent's interval.
    pub fn is_superlinear(&self) -> bool {
        match &self.growth {
            Some(growth) => growth.superlinear == Some(true),
            None => self.power_law.as_ref().and_then(|law| law.b_ci).is_some_and(|[low, _]| low > 1.0),
        }
    }
}

impl Joint {
    /// Returns the fastest term of each feature in the best law; `None` for a feature with which the cost falls.
    pub fn fastest_terms(&self) -> Vec<Option<Term>> {
        let factors = || self.law.parts[0].1.sums[0].terms.iter().flat_map(|term| &term.factors);
        let in_feature = |factor: &Factor, feature: FeatureIndex| match *factor {
            Factor::Of(index, term) if index == feature => Some(term),
            Factor::Least(one, other) if [one, other].contains(&feature) => {
                Some(Term::Power { exponent: 1.0, log: false })
            }
            _ => None,
        };
        let fastest = |feature: usize| {
            let terms = factors().filter_map(|factor| in_feature(factor, FeatureIndex(feature)));
            terms.max_by(|p, q| p.pace().total_cmp(&q.pace()))
        };
        (0..self.law.features.len()).map(fastest).collect()
    }
}

/// Returns the degree of the leading term of a law in several features.
pub fn degree(joint: &Joint) -> f64 {
    let degree = |factor: &Factor| match *factor {
        Factor::Of(FeatureIndex(_), term) => term.pace(),
        Factor::Least(..) => 1.0,
        Factor::Inverse(_) => -1.0,
    };
    joint.law.parts[0].1.sums[0].terms[0].factors.iter().map(degree).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_compared_by_what_they_come_to() {
        let paces: Vec<f64> = ["1", "log n", "n", "n log n", "n^1.5", "n^2 log n", "2^n"]
            .map(|class| class.parse::<GrowthClass>().unwrap().term().pace())
            .into();
        assert_eq!(paces, [0.0, 0.1, 1.0, 1.1, 1.5, 2.1, f64::INFINITY]);
    }
}
