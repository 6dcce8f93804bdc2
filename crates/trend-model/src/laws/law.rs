//! Laws: a cost as a function of features, in sums of terms. This module fits nothing.
//!
//! ```text
//!   law  =  one sum, or an average of several if the data do not decide
//!   sum  =  2990·x·y + 500                    terms: a coefficient times factors
//!                 ╰─┴── factors               of one feature each, or the minimum of two
//! ```

use super::class::{GrowthClass, Term, formula_of, four_digits};

/// Position of a feature among the arguments of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureIndex(pub usize);

/// A factor of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    /// A function of one feature.
    Of(FeatureIndex, Term),
    /// The smaller of two features.
    Least(FeatureIndex, FeatureIndex),
    /// One divided by a feature.
    Inverse(FeatureIndex),
}

impl Factor {
    /// Returns the factor's value at a point; NaN if the point lacks a feature.
    pub fn value(self, point: &[f64]) -> f64 {
        let coordinate = |feature: FeatureIndex| point.get(feature.0).copied().unwrap_or(f64::NAN);
        match self {
            Self::Of(feature, term) => term.value(coordinate(feature)),
            // `f64::min` would ignore a NaN.
            Self::Least(one, other) => {
                if coordinate(one) < coordinate(other) {
                    coordinate(one)
                } else {
                    coordinate(other) * (coordinate(one) / coordinate(one))
                }
            }
            Self::Inverse(feature) => coordinate(feature).recip(),
        }
    }

    /// Returns the features that the factor depends on.
    pub fn features(self) -> impl Iterator<Item = FeatureIndex> {
        let (one, other) = match self {
            Self::Of(feature, _) | Self::Inverse(feature) => (feature, None),
            Self::Least(one, other) => (one, Some(other)),
        };
        std::iter::once(one).chain(other)
    }
}

/// A coefficient times a product of functions of features; a constant has no factors.
#[derive(Clone, Debug, PartialEq)]
pub struct LawTerm {
    /// Coefficient, in the unit of the cost.
    pub coefficient: f64,
    /// Factors of the product.
    pub factors: Vec<Factor>,
}

impl LawTerm {
    /// Creates a term in the first feature.
    pub fn of_one(coefficient: f64, term: Term) -> Self {
        let factors = if term == Term::ONE { Vec::new() } else { vec![Factor::Of(FeatureIndex(0), term)] };
        Self { coefficient, factors }
    }

    /// Returns the term's cost at a point.
    pub fn cost(&self, point: &[f64]) -> f64 {
        if let [Factor::Of(feature, term)] = self.factors.as_slice() {
            return scaled(self.coefficient, *term, point.get(feature.0).copied().unwrap_or(f64::NAN));
        }
        self.coefficient * self.factors.iter().map(|factor| factor.value(point)).product::<f64>()
    }

    /// Returns the product of the factors as text, such as `x^2·log y` or `n^2/m`; empty for a constant.
    fn product(&self, names: &[&str]) -> String {
        let name = |feature: FeatureIndex| names.get(feature.0).copied().unwrap_or("?");
        let (mut over, mut text) = (String::new(), Vec::new());
        for factor in &self.factors {
            match *factor {
                Factor::Of(feature, term) => text.push(term.with_variable(name(feature))),
                Factor::Least(one, other) => text.push(format!("min({}, {})", name(one), name(other))),
                Factor::Inverse(feature) => over = format!("{over}/{}", name(feature)),
            }
        }
        if text.is_empty() && !over.is_empty() { format!("1{over}") } else { text.join("·") + &over }
    }
}

impl Law {
    /// Returns true if the law outgrows every power, because one of its terms does.
    pub fn explodes(&self) -> bool {
        let terms = self.sums.iter().flat_map(|sum| &sum.terms);
        terms
            .flat_map(|term| &term.factors)
            .any(|factor| matches!(factor, Factor::Of(_, term) if term.explodes()))
    }
}

/// Returns `coefficient` times the term at `x`, even if the term overflows and the product does not.
pub(crate) fn scaled(coefficient: f64, term: Term, x: f64) -> f64 {
    let value = term.value(x);
    if value.is_infinite() && term.explodes() {
        return (coefficient.abs().ln() + term.log_value(x)).exp().copysign(coefficient);
    }
    coefficient * value
}

/// One sum of terms.
#[derive(Clone, Debug, PartialEq)]
pub struct LawSum {
    /// Share of the law, 0 to 1; the weights of a law's sums add up to 1.
    pub weight: f64,
    /// Growth class, if the sum is the model of a class in a single feature.
    pub class: Option<GrowthClass>,
    /// The terms, the fastest first.
    pub terms: Vec<LawTerm>,
    /// Smallest value of the first feature at which the terms hold; 0 if they hold everywhere.
    pub from: f64,
}

impl LawSum {
    /// Returns the cost at a point; NaN below [`Self::from`].
    pub fn cost(&self, point: &[f64]) -> f64 {
        if self.from > 0.0 && point.first().is_none_or(|&x| x < self.from) {
            return f64::NAN;
        }
        self.terms.iter().map(|term| term.cost(point)).sum()
    }

    /// Returns the sum as text, such as `1.5·n^2 + 3·n`, or `5·n (n ≥ 4000)` for an upper piece. `log` is to base 2.
    pub fn formula(&self, names: &[&str]) -> String {
        let terms: Vec<(f64, String)> =
            self.terms.iter().map(|term| (term.coefficient, term.product(names))).collect();
        let formula = formula_of(&terms);
        match names.first() {
            Some(name) if self.from > 0.0 => format!("{formula} ({name} ≥ {})", four_digits(self.from)),
            _ => formula,
        }
    }
}

/// A cost as a function of features: one sum of terms, or several if the data do not decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// Sums by falling weight; not empty.
    pub sums: Vec<LawSum>,
}

impl Law {
    /// Creates the law `coefficient·x^exponent`.
    pub fn power(coefficient: f64, exponent: f64) -> Self {
        let terms = vec![LawTerm::of_one(coefficient, Term::Power { exponent, log: false })];
        Self { sums: vec![LawSum { weight: 1.0, class: None, terms, from: 0.0 }] }
    }

    /// Returns the sums, from slow to fast growth.
    pub fn by_growth(&self) -> Vec<&LawSum> {
        let mut sums: Vec<&LawSum> = self.sums.iter().collect();
        sums.sort_by_key(|sum| sum.class);
        sums
    }

    /// Returns the cost at a point. For several sums, this is the weighted geometric mean, `exp Σ wᵢ ln ŷᵢ`. Returns
    /// `None` if the result is not a positive number: below the range of the law, or if a sum overflows.
    ///
    /// For undecided verdicts in the recovery matrix (`examples/recovery`), the arithmetic mean is farther from the
    /// truth at ten times the largest size in every cell. A fast class with little weight outweighs all others there.
    pub fn cost(&self, point: &[f64]) -> Option<f64> {
        let cost = match self.sums.as_slice() {
            [one] => one.cost(point),
            sums => sums.iter().map(|sum| sum.weight * sum.cost(point).ln()).sum::<f64>().exp(),
        };
        (cost.is_finite() && cost > 0.0).then_some(cost)
    }

    /// Returns the slope of log cost in the logarithm of one feature at a point: the exponent of the power law that is
    /// tangent to the law there.
    pub fn exponent(&self, feature: FeatureIndex, point: &[f64]) -> Option<f64> {
        /// Step relative to the size.
        const STEP: f64 = 1e-4;
        let at = |factor: f64| {
            let mut point = point.to_vec();
            *point.get_mut(feature.0)? *= factor;
            Some(self.cost(&point)?.ln())
        };
        Some((at(1.0 + STEP)? - at(1.0 / (1.0 + STEP))?) / (2.0 * STEP.ln_1p()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::verdict::growth;

    #[test]
    fn a_sum_is_what_its_formula_says() {
        let x = Factor::Of(FeatureIndex(0), GrowthClass::Quadratic.term());
        let terms = vec![
            LawTerm { coefficient: 0.5, factors: vec![x, Factor::Inverse(FeatureIndex(1))] },
            LawTerm { coefficient: 3.0, factors: vec![Factor::Least(FeatureIndex(0), FeatureIndex(1))] },
            LawTerm { coefficient: -7.0, factors: Vec::new() },
        ];
        let sum = LawSum { weight: 1.0, class: None, terms, from: 0.0 };
        assert_eq!(sum.formula(&["n", "m"]), "0.5·n^2/m + 3·min(n, m) − 7");
        assert_eq!(sum.cost(&[10.0, 4.0]), 12.5 + 12.0 - 7.0);
        assert!(sum.cost(&[10.0]).is_nan() && sum.cost(&[f64::NAN, 4.0]).is_nan());
    }

    #[test]
    fn an_undecided_law_is_the_geometric_mean_of_its_sums() {
        let sum = |weight, exponent| LawSum { weight, ..Law::power(2.0, exponent).sums[0].clone() };
        let law = Law { sums: vec![sum(0.75, 1.0), sum(0.25, 2.0)] };
        let cost = law.cost(&[100.0]).unwrap();
        assert!((cost / (2.0 * 100_f64.powf(1.25)) - 1.0).abs() < 1e-12, "{cost}");
        let exponent = law.exponent(FeatureIndex(0), &[100.0]).unwrap();
        assert!((exponent - 1.25).abs() < 1e-9, "{exponent}");
    }

    #[test]
    fn a_verdicts_law_is_its_named_classes() {
        let x: Vec<f64> = (0..8).map(|i| 100.0 * 2f64.powi(i)).collect();
        let decided: Vec<f64> = x.iter().map(|n| 2.0 * n + 1500.0).collect();
        let law = growth(&x, &decided).unwrap().law();
        assert_eq!((law.sums.len(), law.sums[0].formula(&["bytes"])), (1, "2·bytes + 1500".to_owned()));
        assert!((law.cost(&[1e6]).unwrap() - 2_001_500.0).abs() < 1e-3);
        let noisy: Vec<f64> = x.iter().enumerate().map(|(i, n)| n * 1.03f64.powi(i as i32 % 3 - 1)).collect();
        let verdict = growth(&x, &noisy).unwrap();
        let law = verdict.law();
        assert_eq!(law.sums.len(), verdict.named().len());
        assert!((law.sums.iter().map(|sum| sum.weight).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
