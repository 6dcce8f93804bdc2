//! The law of a row, used to draw, print, predict and name it. This module fits nothing; it assembles fitted results.

use trend_answer::{Law, Source};
use trend_model::{GrowthClass, LawSum};

use super::growth::GrowthModel;
use super::model::{Model, PowerLawModel};
use super::structure::Joint;

/// The model that provides a row's law.
#[derive(Clone, Copy, Debug)]
pub enum RowLaw<'a> {
    /// A model in several features.
    Joint(&'a Joint),
    /// The model in the feature that explains the row best.
    Of(&'a Model),
}

/// Returns true if a row's cost is constant in every feature.
pub fn depends_on_nothing(models: &[Model]) -> bool {
    let is_constant = |model: &Model| {
        let class = model.growth.as_ref().and_then(GrowthModel::decided_class);
        class.is_some_and(|class| class.class == GrowthClass::Constant)
    };
    !models.is_empty() && models.iter().all(is_constant)
}

/// Minimum gain in R² for which a later feature is preferred to an earlier one.
const BETTER_R2: f64 = 0.01;

impl<'a> RowLaw<'a> {
    /// Selects the law of a row: the model in several features if it exists, otherwise the model in the feature that
    /// explains the row best.
    pub fn of(models: &'a [Model], joint: Option<&'a Joint>) -> Option<Self> {
        joint.map(Self::Joint).or_else(|| best_model(models).map(Self::Of))
    }

    /// Returns the law as an object.
    pub fn law(self) -> Option<Law> {
        match self {
            Self::Joint(joint) => Some(joint.law.clone()),
            Self::Of(model) => model.law(),
        }
    }
}

/// Returns the model in the feature that explains a row best. If two features are close, the earlier one wins.
pub fn best_model(models: &[Model]) -> Option<&Model> {
    best_of(models.iter())
}

/// Returns the best model among those that are good enough for a headline.
pub fn sound_model(models: &[Model]) -> Option<&Model> {
    best_of(models.iter().filter(|model| model.is_sound()))
}

fn best_of<'a>(models: impl Iterator<Item = &'a Model>) -> Option<&'a Model> {
    let fitted = models.filter_map(|model| Some((model, model.power_law.as_ref()?.r2)));
    fitted.reduce(|best, next| if next.1 > best.1 + BETTER_R2 { next } else { best }).map(|(model, _)| model)
}

impl Model {
    /// Returns the law in this feature: the one behind the model's curve, predictions and formula. `None` if there is
    /// no law, or if the whole program is predicted as a sum of parts: see [`Total::law_in`](crate::Total::law_in).
    pub fn law(&self) -> Option<Law> {
        self.own_law(self.source?)
    }

    /// Returns the law of the verdict or the power law, even if the whole program is predicted as a sum of parts.
    pub(crate) fn law_of_itself(&self) -> Option<Law> {
        let source = match (self.source?, &self.growth) {
            (Source::SumOfParts, Some(growth)) if growth.decided => Source::Class,
            (Source::SumOfParts, Some(_)) => Source::Classes,
            (Source::SumOfParts, None) => Source::PowerLaw,
            (source, _) => source,
        };
        self.own_law(source)
    }

    fn own_law(&self, source: Source) -> Option<Law> {
        let of_classes = |growth: &GrowthModel| {
            let total: f64 = growth.named().map(|named| named.support).sum();
            let sums =
                growth.named().map(|named| LawSum { weight: named.support / total, ..named.fit.sum() });
            trend_model::Law { sums: sums.collect() }
        };
        let of_power = |law: &PowerLawModel| trend_model::Law::power(law.a, law.b);
        let law = match source {
            Source::Class | Source::Classes => of_classes(self.growth.as_ref()?),
            Source::PowerLaw => of_power(self.power_law.as_ref()?),
            Source::Joint | Source::SumOfParts | Source::LargestPart => return None,
        };
        let is_near = self.growth.as_ref().is_some_and(|growth| growth.near.is_some());
        let decided = source == Source::Class || (source == Source::Classes && is_near);
        Some(Law { decided, ..Law::one(&self.feature, source, law) })
    }
}
