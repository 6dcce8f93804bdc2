//! Laws of rows, and their form in the machine-readable output. This module fits nothing.

use serde::Serialize;
use trend_model::{Factor, LawSum, LawTerm, Term};

/// The origin of a law or a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl Source {
    /// All origins, in their order.
    pub const ALL: [Self; 6] =
        [Self::Class, Self::Classes, Self::PowerLaw, Self::Joint, Self::SumOfParts, Self::LargestPart];
}

/// A cost as a function of features.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "PublishedLaw")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(from = "PublishedLaw"))]
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
    /// Returns a law of one part in one feature.
    pub fn one(feature: &str, source: Source, law: trend_model::Law) -> Self {
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
    pub fn explodes(&self) -> bool {
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
        let texts = |(part, law): &(String, trend_model::Law)| {
            let formulas = law.by_growth().into_iter().map(|sum| sum.formula(names));
            if part.is_empty() {
                return formulas.collect::<Vec<_>>();
            }
            vec![format!("{part}: {}", formulas.collect::<Vec<_>>().join(" or "))]
        };
        self.parts.iter().flat_map(texts).collect()
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
    /// Returns the law's sums in their published form, but without the names of their classes.
    pub fn published_sums(&self) -> impl Serialize + use<> {
        let sums = self.parts.iter().flat_map(|(_, law)| &law.sums);
        sums.map(|sum| PublishedSum { class: None, ..PublishedSum::new(sum) }).collect::<Vec<_>>()
    }
}

/// A law in the shape of the machine-readable output.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Law"))]
struct PublishedLaw {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LawPart"))]
struct PublishedPart {
    /// The name of the function, or `the rest`; absent if the law has only one summand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    /// The sums whose geometric mean by weight is the law; a single one if the law is decided.
    sums: Vec<PublishedSum>,
}

/// A sum of terms.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LawSum"))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LawTerm"))]
struct PublishedTerm {
    /// The coefficient, in the unit of the cost.
    coefficient: f64,
    /// The factors that multiply the coefficient.
    factors: Vec<PublishedFactor>,
}

/// A function of one feature, or the smaller of two features. A feature is given by its position in the law's
/// `features`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LawFactor"))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the formulas")]
pub enum PublishedFactor {
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
pub fn published_term(term: Term) -> PublishedFactor {
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
