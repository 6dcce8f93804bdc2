//! How fast a sentence about a cluster says that its cost grows, by the cluster's one law.

use trend_analyze::{
    Cluster, FeatureIndex, GrowthClass, GrowthModel, Joint, LOG_AS_EXPONENT, LawFactor as Factor, Model,
    RowLaw, Source, Term, sound_model,
};

use super::NAME_WIDTH;
use crate::rows::is_poor;
use crate::text::{shorten, visible};
use crate::{cells, growth};

/// Formulas in sentences.
const FORMULA_WIDTH: usize = 64;

/// The law of a cluster, where it is good enough for a headline.
pub(super) fn sound_law(cluster: &Cluster) -> Option<RowLaw<'_>> {
    cluster.joint.as_ref().map(RowLaw::Joint).or_else(|| sound_model(&cluster.models).map(RowLaw::Of))
}

/// The law of a cluster, however good it is.
pub(super) fn any_law(cluster: &Cluster) -> Option<RowLaw<'_>> {
    RowLaw::of(&cluster.models, cluster.joint.as_ref())
}

/// Whether predictions of the law have intervals.
pub(super) fn has_intervals(law: RowLaw<'_>) -> bool {
    match law {
        RowLaw::Of(model) => model.power_law.as_ref().is_some_and(|law| law.b_ci.is_some()),
        RowLaw::Joint(_) => true,
    }
}

/// The features that a law is a function of.
pub(super) fn features(law: RowLaw<'_>) -> String {
    let shown = |name: &str| shorten(name, NAME_WIDTH).into_owned();
    match law {
        RowLaw::Of(model) => shown(&model.feature),
        RowLaw::Joint(joint) => {
            joint.law.features.iter().map(|name| shown(name)).collect::<Vec<_>>().join(" and ")
        }
    }
}

/// `it grows as n^2 (1.5·n^2 − 0.5·n)`.
pub(super) fn how_it_grows(law: RowLaw<'_>, several: bool) -> String {
    if let RowLaw::Of(Model { growth: Some(growth), feature, source: Some(Source::Class), .. }) = law
        && growth.decided_class().is_some_and(|class| class.class == GrowthClass::Constant)
    {
        return format!("it does not grow with {}", shorten(feature, NAME_WIDTH));
    }
    format!("it grows as {}", in_words(law, several))
}

/// `n^2 (1.5·n^2 − 0.5·n)`, `n or n log n (3·n … 0.2·n log n)`, or the power law.
pub(super) fn in_words(law: RowLaw<'_>, several: bool) -> String {
    let formula = law.law().map(|law| growth::law_formula(&law, FORMULA_WIDTH)).unwrap_or_default();
    match law {
        RowLaw::Of(model) => match (&model.growth, &model.power_law) {
            (Some(growth), _) if model.source != Some(Source::PowerLaw) => {
                // The classes' variable is called n where there is one feature, whatever that is.
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
            let doubt = if joint.law.decided { "" } else { ", which is not decided" };
            format!("{formula}: {}{doubt}", per_feature(joint))
        }
    }
}

/// `n^2`, `n or n log n`, `about n^2`, `something between 1 and n^2`.
pub(super) fn either(growth: &GrowthModel) -> String {
    shorten(&visible(&growth.short.in_a_sentence()), FORMULA_WIDTH).into_owned()
}

/// `linear in x, and as y^2`: the fastest factor of each feature in the best model.
fn per_feature(joint: &Joint) -> String {
    let law = &joint.law;
    let terms = &law.parts[0].1.sums[0].terms;
    let fastest = |feature: usize| {
        let factors = terms.iter().flat_map(|term| &term.factors);
        let of = factors.filter_map(|factor| match *factor {
            Factor::Of(FeatureIndex(index), term) if index == feature => Some(term),
            Factor::Least(one, other) if [one.0, other.0].contains(&feature) => {
                Some(Term::Power { exponent: 1.0, log: false })
            }
            _ => None,
        });
        of.max_by(|p, q| exponent(*p).total_cmp(&exponent(*q)))
    };
    let words = |(index, name): (usize, &String)| {
        let name = shorten(name, NAME_WIDTH);
        match fastest(index) {
            Some(Term::Power { exponent: 1.0, log: false }) => format!("linear in {name}"),
            Some(term) => format!("as {}", term.with_variable(&name)),
            None => format!("falling with {name}"),
        }
    };
    joint.law.features.iter().enumerate().map(words).collect::<Vec<_>>().join(", ")
}

/// A number by which terms are sorted by growth.
pub(crate) fn exponent(term: Term) -> f64 {
    match term {
        Term::Power { exponent, log } => exponent + if log { LOG_AS_EXPONENT } else { 0.0 },
        _ => f64::INFINITY,
    }
}

/// The degree of the term that leads a law in several features.
pub(crate) fn degree(joint: &Joint) -> f64 {
    let degree = |factor: &Factor| match *factor {
        Factor::Of(_, term) => exponent(term),
        Factor::Least(..) => 1.0,
        Factor::Inverse(_) => -1.0,
    };
    joint.law.parts[0].1.sums[0].terms[0].factors.iter().map(degree).sum()
}

/// How fast a cost certainly grows, as an exponent, of several features as the sum of theirs; `None` where that may be no
/// faster than linearly or ends.
pub(super) fn certain_pace(law: RowLaw<'_>) -> Option<f64> {
    if is_poor(law) {
        return None;
    }
    match law {
        RowLaw::Joint(joint) => Some(degree(joint)).filter(|degree| joint.law.decided && *degree > 1.0),
        RowLaw::Of(model) if model.runs_until.is_some() => None,
        RowLaw::Of(model) => match &model.growth {
            Some(verdict) => {
                let slowest = verdict.named().map(|c| c.class).min()?;
                (verdict.superlinear == Some(true)).then(|| exponent(slowest.term()))
            }
            None => Some(model.power_law.as_ref()?.b_ci?[0]).filter(|lower| *lower > 1.0),
        },
    }
}

/// How fast the law may grow at most, as far as the verdict or the interval says.
pub(super) fn greatest_pace(law: RowLaw<'_>) -> Option<f64> {
    match law {
        RowLaw::Joint(_) => certain_pace(law),
        RowLaw::Of(model) => match &model.growth {
            Some(verdict) => Some(exponent(verdict.named().map(|c| c.class).max()?.term())),
            None => Some(model.power_law.as_ref()?.b_ci?[1]),
        },
    }
}

/// Whether the law is linear, or within a log factor of it: no difference at ten times the size.
pub(super) fn is_about_linear(law: RowLaw<'_>) -> bool {
    /// Between what a log factor adds and the next exponent that a class has.
    const MOST: f64 = 1.15;
    greatest_pace(law).is_some_and(|pace| pace <= MOST)
}

/// Whether the law can say that its cost does not grow faster than linearly, but for a log factor.
pub(super) fn is_bounded(law: RowLaw<'_>) -> bool {
    match law {
        _ if is_poor(law) => false,
        RowLaw::Of(model) if !model.is_sound() => false,
        RowLaw::Of(Model { growth: Some(growth), .. }) => {
            growth.superlinear == Some(false) || is_about_linear(law)
        }
        RowLaw::Of(_) => has_intervals(law),
        RowLaw::Joint(joint) => joint.law.decided && certain_pace(law).is_none(),
    }
}
