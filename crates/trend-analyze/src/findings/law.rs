//! The law of a row, used to draw, print, predict and name it. This module fits nothing; it assembles fitted results.

use serde::Serialize;
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

/// The models of a row. [`Fits::law`] picks its law.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fits {
    /// One model per feature.
    pub models: Vec<Model>,
    /// The law of the cost in several features together; absent if one feature explains as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
}

/// Minimum gain in R² for which a later feature is preferred to an earlier one.
const BETTER_R2: f64 = 0.01;

impl Fits {
    /// Returns the model in the feature that explains the row best. If two features are close, the earlier one wins.
    pub fn best(&self) -> Option<&Model> {
        best_of(self.models.iter())
    }

    /// Returns the model of a feature.
    pub fn in_feature(&self, feature: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.feature == feature)
    }

    /// Returns the law of the row: the model in several features if it exists, otherwise the best one.
    pub fn law(&self) -> Option<RowLaw<'_>> {
        self.joint.as_ref().map(RowLaw::Joint).or_else(|| self.best().map(RowLaw::Of))
    }

    /// Returns the law if it is good enough for a headline.
    pub fn sound_law(&self) -> Option<RowLaw<'_>> {
        self.joint.as_ref().map(RowLaw::Joint).or_else(|| sound_model(&self.models).map(RowLaw::Of))
    }

    /// Returns true if the cost is constant in every feature.
    pub fn are_constant(&self) -> bool {
        let is_constant = |model: &Model| {
            let class = model.growth.as_ref().and_then(GrowthModel::decided_class);
            class.is_some_and(|class| class.class == GrowthClass::Constant)
        };
        !self.models.is_empty() && self.models.iter().all(is_constant)
    }
}

impl RowLaw<'_> {
    /// Returns the law as an object.
    pub fn law(self) -> Option<Law> {
        match self {
            Self::Joint(joint) => Some(joint.law.clone()),
            Self::Of(model) => model.law(),
        }
    }
}

/// Returns the best model among those that are good enough for a headline.
pub(crate) fn sound_model(models: &[Model]) -> Option<&Model> {
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
