//! The growth of a row in one feature: the classes that its law names. This module fits nothing.

use trend_model::{Factor, FeatureIndex, GrowthClass, LawSum, Term};

use crate::findings::model::Model;
use crate::findings::structure::Joint;

/// The growth of a row in one feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowGrowth {
    /// The classes that may be true.
    pub(super) classes: Vec<GrowthClass>,
    /// The growth as short text.
    pub(super) growth: String,
    /// The law, if it is decided.
    pub(super) formula: Option<String>,
}

impl RowGrowth {
    /// Returns the growth of a model in one feature; `None` without a verdict.
    pub(super) fn from_model(model: &Model) -> Option<Self> {
        let growth = model.growth.as_ref()?;
        let formula = model.law().filter(|law| law.decided).map(|law| law.formula());
        let classes = growth.named().map(|named| named.class).collect();
        Some(Self { classes, growth: growth.short.in_a_sentence(), formula })
    }

    /// Returns the growth of a law in several features, in one of them.
    pub(super) fn from_joint(joint: &Joint, feature: &str) -> Self {
        let law = &joint.law;
        let position = law.features.iter().position(|name| name == feature).map(FeatureIndex);
        let sums = law.parts.iter().flat_map(|(_, law)| &law.sums);
        let mut classes: Vec<GrowthClass> =
            sums.map(|sum| position.map_or(GrowthClass::Constant, |i| class_in(sum, i))).collect();
        classes.sort_unstable();
        classes.dedup();
        Self { classes, growth: law.formula(), formula: None }
    }
}

/// Returns the class of the term that grows fastest in a feature while the other features are constant.
fn class_in(sum: &LawSum, feature: FeatureIndex) -> GrowthClass {
    let class_of_term = |factors: &[Factor]| {
        let (mut exponent, mut log, mut faster) = (0.0, false, None);
        for factor in factors {
            match *factor {
                Factor::Of(f, Term::Power { exponent: e, log: l }) if f == feature => {
                    exponent += e;
                    log |= l;
                }
                Factor::Of(f, Term::Exponential { base }) if f == feature => {
                    faster = Some(GrowthClass::exponential(base));
                }
                Factor::Of(f, Term::TimesExponential { .. }) if f == feature => {
                    faster = Some(GrowthClass::TimesExponential);
                }
                Factor::Of(f, Term::Factorial) if f == feature => faster = Some(GrowthClass::Factorial),
                // The factor grows with this feature up to where the other feature is the smaller one.
                Factor::Least(one, other) if one == feature || other == feature => exponent += 1.0,
                Factor::Inverse(f) if f == feature => exponent -= 1.0,
                _ => {}
            }
        }
        let power = GrowthClass::free(exponent, log);
        let named = GrowthClass::NAMED.into_iter().find(|class| class.term() == power.term());
        faster.unwrap_or(named.unwrap_or(power))
    };
    sum.terms.iter().map(|term| class_of_term(&term.factors)).max().unwrap_or(GrowthClass::Constant)
}

#[cfg(test)]
mod tests {
    use trend_model::LawTerm;

    use super::*;

    #[test]
    fn the_fastest_term_in_a_feature_is_its_class() {
        let (x, y) = (FeatureIndex(0), FeatureIndex(1));
        let power = |exponent, log| Term::Power { exponent, log };
        let term = |factors| LawTerm { coefficient: 1.0, factors };
        let sum = LawSum {
            weight: 1.0,
            class: None,
            from: 0.0,
            terms: vec![
                term(vec![Factor::Of(x, power(1.0, false)), Factor::Of(y, power(1.0, true))]),
                term(vec![Factor::Of(x, power(2.0, false)), Factor::Inverse(y)]),
                term(Vec::new()),
            ],
        };
        assert_eq!(class_in(&sum, x), GrowthClass::Quadratic);
        assert_eq!(class_in(&sum, y), GrowthClass::Linearithmic);
        assert_eq!(class_in(&sum, FeatureIndex(2)), GrowthClass::Constant);
        let least = LawSum { terms: vec![term(vec![Factor::Least(x, y)])], ..sum };
        assert_eq!(class_in(&least, x), GrowthClass::Linear);
    }
}
