//! The law of a row, used to draw, print, predict and name it. This module fits nothing; it assembles fitted results.

use serde::Serialize;
use trend_model::{Factor, GrowthClass, LawSum, LawTerm, Term};

use crate::{GrowthModel, Joint, Model, Parts, PowerLawModel};

/// The origin of a law or a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The growth class that the data decided for.
    Class,
    /// The average, weighted by support, of the classes that an undecided verdict names.
    Classes,
    /// The power law: used if no growth class was fitted, or if runs of one size differ too much for a class.
    PowerLaw,
    /// A model in several features.
    Joint,
    /// For the whole program: the sum of the laws of its functions and of the rest.
    SumOfParts,
    /// For the whole program at one point: the prediction for one function. It replaces the whole's own prediction if
    /// the whole's law uses other features and predicts less.
    LargestPart,
}

/// A cost as a function of features.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "PublishedLaw")]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema, ts_rs::TS),
    schemars(from = "PublishedLaw"),
    ts(as = "PublishedLaw")
)]
pub struct Law {
    /// The features that the cost depends on.
    pub features: Vec<String>,
    /// The origin of the law.
    pub source: Source,
    /// True if the data decide for this law, or if the laws that it averages make no difference that matters.
    pub decided: bool,
    /// The summands, each with the name of its part. A [`Source::SumOfParts`] has one summand per part; any other law
    /// has a single summand without a name.
    pub parts: Vec<(String, trend_model::Law)>,
}

impl Law {
    fn one(feature: &str, source: Source, law: trend_model::Law) -> Self {
        Self { features: vec![feature.to_owned()], source, decided: false, parts: vec![(String::new(), law)] }
    }

    /// Returns the identity law, whose cost equals its only feature. Plots of measured costs over a law's costs compare
    /// with it.
    pub fn identity() -> Self {
        Self::one("", Source::PowerLaw, trend_model::Law::power(1.0, 1.0))
    }

    /// Returns the cost at a point, which has a value for each of [`Self::features`]; `None` if it is not a positive
    /// number.
    pub fn cost(&self, point: &[f64]) -> Option<f64> {
        let costs = self.parts.iter().map(|(_, law)| law.cost(point));
        costs.sum::<Option<f64>>().filter(|cost| cost.is_finite())
    }

    /// Returns true if the law outgrows every power.
    pub(crate) fn explodes(&self) -> bool {
        self.parts.iter().any(|(_, law)| law.explodes())
    }

    /// Returns the slope of the log cost in the logarithm of the first feature at a point.
    pub fn exponent(&self, point: &[f64]) -> Option<f64> {
        let costs: Option<Vec<f64>> = self.parts.iter().map(|(_, law)| law.cost(point)).collect();
        let costs = costs?;
        let total: f64 = costs.iter().sum();
        let slope = |((_, law), cost): (&(String, trend_model::Law), &f64)| {
            Some(law.exponent(trend_model::FeatureIndex(0), point)? * cost / total)
        };
        self.parts.iter().zip(&costs).map(slope).sum()
    }

    /// Returns the formulas of the law's sums, from slow to fast. A law with named parts has one text per part, which
    /// begins with the part's name.
    pub fn formulas(&self) -> Vec<String> {
        self.formulas_with(&self.features.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns [`Self::formulas`] with other names for the features.
    pub fn formulas_with(&self, names: &[&str]) -> Vec<String> {
        let of = |(part, law): &(String, trend_model::Law)| {
            let formulas = law.by_growth().into_iter().map(|sum| sum.formula(names));
            if part.is_empty() {
                return formulas.collect::<Vec<_>>();
            }
            vec![format!("{part}: {}", formulas.collect::<Vec<_>>().join(" or "))]
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// Returns the sum with the most weight of a law that is decided although it averages several.
    pub fn nearest(&self) -> Option<&LawSum> {
        let [(_, law)] = self.parts.as_slice() else { return None };
        let is_average = self.source == Source::Classes && self.decided;
        law.sums.iter().filter(|_| is_average).max_by(|a, b| a.weight.total_cmp(&b.weight))
    }

    /// Returns the law as one text: `1.5·n^2 − 0.5·n`, `≈ 3·n`, `3·n or 2·n^2`.
    pub fn formula(&self) -> String {
        if let Some(sum) = self.nearest() {
            let names: Vec<&str> = self.features.iter().map(String::as_str).collect();
            return format!("≈ {}", sum.formula(&names));
        }
        let separator = if self.source == Source::SumOfParts { "; " } else { " or " };
        self.formulas().join(separator)
    }
}

impl Law {
    /// Returns the law's sums as they are published in its parts, but without the names of their classes.
    pub fn published_sums(&self) -> impl Serialize + use<> {
        let sums = self.parts.iter().flat_map(|(_, law)| &law.sums);
        sums.map(|sum| PublishedSum { class: None, ..PublishedSum::new(sum) }).collect::<Vec<_>>()
    }
}

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

impl Parts {
    /// Returns the laws of all parts as one sum.
    pub fn law(&self) -> Option<Law> {
        let names = self.functions.iter().map(String::as_str).chain(std::iter::once("the rest"));
        let part = |(name, part): (&str, &crate::Part)| {
            let law = part.model.law()?.parts.pop()?;
            Some((name.to_owned(), law.1))
        };
        let parts = names.zip(&self.rows).map(part).collect::<Option<Vec<_>>>()?;
        let decided = self.rows.iter().all(|part| part.model.law().is_some_and(|law| law.decided));
        Some(Law { features: vec![self.feature.clone()], source: Source::SumOfParts, decided, parts })
    }
}

/// A law in the shape of the machine-readable output.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS), schemars(rename = "Law"), ts(rename = "Law"))]
pub(crate) struct PublishedLaw {
    /// The origin of the law.
    source: Source,
    /// True if the data decide for this law, or if the laws that it averages make no difference that matters.
    decided: bool,
    /// The features that the cost depends on.
    features: Vec<String>,
    /// The law as text: `1.5·n^2 − 0.5·n`, `≈ 3·n`, `3·n or 2·n^2`; `log` is to base 2.
    formula: String,
    /// The summands: one per part for a sum of parts, otherwise a single one without a name.
    parts: Vec<PublishedPart>,
}

impl From<Law> for PublishedLaw {
    fn from(law: Law) -> Self {
        let part = |(name, law): &(String, trend_model::Law)| PublishedPart {
            part: Some(name.clone()).filter(|name| !name.is_empty()),
            sums: law.sums.iter().map(PublishedSum::new).collect(),
        };
        let (formula, parts) = (law.formula(), law.parts.iter().map(part).collect());
        Self { source: law.source, decided: law.decided, features: law.features, formula, parts }
    }
}

/// A summand of a law.
#[derive(Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema, ts_rs::TS),
    schemars(rename = "LawPart"),
    ts(rename = "LawPart")
)]
struct PublishedPart {
    /// The name of the function, or `the rest`; absent if the law has only one summand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    /// The sums whose geometric mean by weight is the law; a single one if the law is decided.
    sums: Vec<PublishedSum>,
}

/// A sum of terms.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS), schemars(rename = "LawSum"), ts(rename = "LawSum"))]
struct PublishedSum {
    /// The weight of this sum in the law, 0 to 1.
    weight: f64,
    /// The growth class in `n`; absent unless the sum is a class of a single feature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// The smallest size that the sum describes; absent if it describes all sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<f64>,
    /// The terms, fastest first.
    terms: Vec<PublishedTerm>,
}

/// A coefficient times a product; a constant has no factors.
#[derive(Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema, ts_rs::TS),
    schemars(rename = "LawTerm"),
    ts(rename = "LawTerm")
)]
struct PublishedTerm {
    /// The coefficient, in the unit of the cost.
    coefficient: f64,
    /// The factors that multiply the coefficient.
    factors: Vec<PublishedFactor>,
}

/// A function of one feature, or the smaller of two features. A feature is given by its position in the law's
/// `features`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema, ts_rs::TS),
    schemars(rename = "LawFactor"),
    ts(rename = "LawFactor")
)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum PublishedFactor {
    /// `f^exponent`, times the logarithm to base 2 where `log` is set.
    Power { feature: usize, exponent: f64, log: bool },
    /// `base^f`.
    Exponential { feature: usize, base: f64 },
    /// `f·base^f`.
    TimesExponential { feature: usize, base: f64 },
    /// `f!`.
    Factorial { feature: usize },
    /// The smaller of two features.
    Least { features: [usize; 2] },
    /// `1/f`.
    Inverse { feature: usize },
}

/// Returns a growth term as a factor of the law's only feature.
pub(crate) fn published_term(term: Term) -> PublishedFactor {
    of_feature(0, term)
}

fn of_feature(feature: usize, term: Term) -> PublishedFactor {
    match term {
        Term::Power { exponent, log } => PublishedFactor::Power { feature, exponent, log },
        Term::Exponential { base } => PublishedFactor::Exponential { feature, base },
        Term::TimesExponential { base } => PublishedFactor::TimesExponential { feature, base },
        Term::Factorial => PublishedFactor::Factorial { feature },
    }
}

impl PublishedSum {
    fn new(sum: &LawSum) -> Self {
        Self {
            weight: sum.weight,
            class: sum.class.map(|class| class.to_string()),
            from: Some(sum.from).filter(|from| *from > 0.0),
            terms: sum.terms.iter().map(PublishedTerm::new).collect(),
        }
    }
}

impl PublishedTerm {
    fn new(term: &LawTerm) -> Self {
        let factor = |factor: &Factor| match *factor {
            Factor::Of(feature, term) => of_feature(feature.0, term),
            Factor::Least(one, other) => PublishedFactor::Least { features: [one.0, other.0] },
            Factor::Inverse(feature) => PublishedFactor::Inverse { feature: feature.0 },
        };
        Self { coefficient: term.coefficient, factors: term.factors.iter().map(factor).collect() }
    }
}

#[cfg(test)]
mod tests {
    use trend_model::{FeatureIndex, LawTerm};

    use super::*;

    /// A table of laws of every kind with their costs at some points; the page's own evaluation is tested against it.
    #[test]
    fn the_page_evaluates_laws_as_the_analysis_does() {
        let x = |term| Factor::Of(FeatureIndex(0), term);
        let power = |exponent, log| Term::Power { exponent, log };
        let one = |factors: Vec<Factor>| vec![LawTerm { coefficient: 2.5, factors }];
        let sum = |weight, terms| LawSum { weight, class: None, terms, from: 0.0 };
        let and = |mut terms: Vec<LawTerm>, coefficient: f64, factors: Vec<Factor>| {
            terms.push(LawTerm { coefficient, factors });
            terms
        };
        let squares = and(one(vec![x(power(2.0, false))]), -0.5, vec![x(power(1.0, false))]);
        let single = [
            vec![sum(1.0, squares.clone())],
            vec![sum(1.0, one(vec![x(power(1.0, true))]))],
            vec![sum(1.0, one(vec![x(Term::Exponential { base: 1.62 })]))],
            vec![sum(1.0, one(vec![x(Term::TimesExponential { base: 2.0 })]))],
            vec![sum(1.0, one(vec![x(Term::Factorial)]))],
            vec![LawSum { from: 50.0, ..sum(1.0, and(one(vec![x(power(1.5, false))]), 40.0, Vec::new())) }],
            vec![sum(0.7, squares), sum(0.3, one(vec![x(power(1.0, true))]))],
        ];
        let y = Factor::Of(FeatureIndex(1), power(1.0, true));
        let several = [
            vec![sum(1.0, and(one(vec![x(power(1.0, false)), y]), 7.0, Vec::new()))],
            vec![sum(1.0, one(vec![Factor::Least(FeatureIndex(0), FeatureIndex(1))]))],
            vec![sum(1.0, one(vec![x(power(2.0, false)), Factor::Inverse(FeatureIndex(1))]))],
        ];
        let example = |features: &[&str], sums: Vec<LawSum>| {
            let features: Vec<String> = features.iter().map(|name| (*name).to_owned()).collect();
            let points: Vec<Vec<f64>> = [[3.0, 40.0], [12.0, 5.0], [60.0, 1e6], [400.0, 2.0]]
                .iter()
                .map(|point| point[..features.len()].to_vec())
                .collect();
            let parts = vec![(String::new(), trend_model::Law { sums })];
            let law = Law { features, source: Source::Class, decided: true, parts };
            let costs: Vec<_> = points.iter().map(|point| (point, law.cost(point))).collect();
            serde_json::json!({ "law": law, "costs": costs })
        };
        let mut examples: Vec<serde_json::Value> =
            single.into_iter().map(|sums| example(&["n"], sums)).collect();
        examples.extend(several.into_iter().map(|sums| example(&["n", "m"], sums)));
        let found = serde_json::to_string_pretty(&examples).unwrap() + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../trend-report/ui/tests/laws.json");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, &found).unwrap();
        }
        // The page's tools format the file in their own way.
        let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
        let known = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(parsed(&known), parsed(&found), "UPDATE_GOLDEN=1 writes it anew");
    }
}
