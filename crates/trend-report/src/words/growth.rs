//! Describes growth classes: briefly for a table's cell, in sentences for a cluster's page.

use trend_analyze::{
    GrowthClass, GrowthModel, GrowthSupport, Joint, Law, LawSum, LawTerm, Model, Outlook, Point,
    PowerLawModel, RowLaw, Soundness, Term, Trend, largest_that,
};
use trend_answer::HiddenPart;
use trend_profile::Unit;
use unicode_width::UnicodeWidthStr as _;

use crate::layout::number;
use crate::layout::text::{cut, shorten, visible};
use crate::words::point;

/// Maximum width of a feature's name in a formula.
const FEATURE_WIDTH: usize = 24;

/// Maximum number of rivals listed after the verdict's classes.
const MOST_RIVALS: usize = 3;

/// Maximum width of a feature's name in a cell.
const CELL_WIDTH: usize = 12;

/// Maximum width of a verdict in a cell.
const SHORT_WIDTH: usize = 40;

/// Range in which the leading term may come to dominate, as a multiple of the largest size. Larger sizes are of no
/// interest.
const FAR: f64 = 100.0;

/// Returns the classes that the verdict names, slowest first. The verdict names them in this order too.
pub(crate) fn named_by_growth(growth: &GrowthModel) -> Vec<&GrowthSupport> {
    let mut named: Vec<_> = growth.named().collect();
    named.sort_by_key(|c| c.class);
    named
}

/// Returns the short form of the verdict, made harmless.
pub(crate) fn cell(growth: &GrowthModel) -> String {
    shorten(&visible(&growth.short.to_string()), SHORT_WIDTH).into_owned()
}

/// Returns the law of a row in short: its class or, for several features, the leading product, as in `x·y ?`. Undecided
/// and poor laws end with a question mark.
pub(crate) fn of_law(law: RowLaw<'_>) -> String {
    match law {
        RowLaw::Of(model) if is_decided_in_doubt(model) => format!("{} ?", of_model(model)),
        RowLaw::Of(model) => of_model(model),
        RowLaw::Joint(joint) => {
            let is_doubtful = !joint.law.decided || law.is_poor();
            format!("{}{}", leading(joint), if is_doubtful { " ?" } else { "" })
        }
    }
}

/// Returns true if a class is decided, but describes the costs poorly or rests on too few runs for a headline.
pub(crate) fn is_decided_in_doubt(model: &Model) -> bool {
    let is_decided = model.growth.as_ref().is_some_and(|growth| !growth.is_open());
    is_decided && model.split.is_none() && (RowLaw::Of(model).is_poor() || !model.is_sound())
}

/// Explains why a law is too weak for a headline: `4 runs are too few to say how it grows (6 are enough)`. Returns
/// `None` for a sound law, and if there is no law.
pub(crate) fn missing(law: RowLaw<'_>) -> Option<String> {
    let RowLaw::Of(model) = law else { return None };
    let (few, enough) = match model.soundness() {
        Soundness::Sound | Soundness::NoLaw => return None,
        Soundness::FewRuns { runs, needed } => {
            let are = if runs == 1 { "run is" } else { "runs are" };
            (format!("{runs} {are} too few"), format!("{needed} are enough"))
        }
        Soundness::FewSizes { sizes, needed } => {
            let are = if sizes == 1 { "size is" } else { "sizes are" };
            (format!("{sizes} {are} too few"), format!("{needed} are enough"))
        }
        Soundness::Narrow { span, needed } => {
            let factor = |factor| number::significant(factor, 2);
            (
                format!("sizes within a factor of {} are too similar", factor(span)),
                format!("a factor of {} is enough", factor(needed)),
            )
        }
    };
    Some(format!("{few} to say how it grows ({enough})"))
}

/// Returns the class of a model, or a note that its costs follow several trends.
pub(crate) fn of_model(model: &Model) -> String {
    mark(model).or_else(|| Some(cell(model.growth.as_ref()?))).unwrap_or_default()
}

/// Returns the product with the largest share of the cost, without its coefficient.
fn leading(joint: &Joint) -> String {
    let names: Vec<String> =
        joint.law.features.iter().map(|name| shorten(&visible(name), CELL_WIDTH).into_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let law = &joint.law;
    let term = law.parts[0].1.sums[0].terms[0].clone();
    let alone =
        LawSum { weight: 1.0, class: None, terms: vec![LawTerm { coefficient: 1.0, ..term }], from: 0.0 };
    alone.formula(&names)
}

/// Returns the law as a formula, at most `width` wide. For an undecided law, returns the slowest and the fastest class.
pub(crate) fn law_formula(law: &Law, width: usize) -> String {
    let names: Vec<String> =
        law.features.iter().map(|name| shorten(&visible(name), FEATURE_WIDTH).into_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let Some(sum) = law.nearest() {
        return format!("≈ {}", leading_terms(sum, &names, width.saturating_sub(2)));
    }
    let [(_, one)] = law.parts.as_slice() else {
        return cut(&law.formulas_with(&names).join("; "), width).into_owned();
    };
    match one.by_growth().as_slice() {
        [first, .., last] => {
            let half = width.saturating_sub(3) / 2;
            format!("{} … {}", leading_terms(first, &names, half), leading_terms(last, &names, half))
        }
        sums => sums.iter().map(|sum| leading_terms(sum, &names, width)).collect(),
    }
}

/// Returns as many of the fastest-growing terms as fit into `width`.
fn leading_terms(sum: &LawSum, names: &[&str], width: usize) -> String {
    let first = |count: usize| {
        let formula = LawSum { terms: sum.terms[..count].to_vec(), ..*sum }.formula(names);
        if count < sum.terms.len() { formula + " + …" } else { formula }
    };
    let fitting = (1..=sum.terms.len()).rev().map(first).find(|text| text.width() <= width);
    fitting.unwrap_or_else(|| cut(&first(1), width).into_owned())
}

/// Describes the trends, as in `2 trends: n, n^2`, if a model covers several. If a class is undecided, the classes are
/// left out.
pub(crate) fn mark(model: &Model) -> Option<String> {
    let split = model.split.as_ref()?;
    let class = |trend: &Trend| Some(trend.growth.as_ref()?.decided_class()?.class.to_string());
    let classes: Option<Vec<String>> = split.trends.iter().map(class).collect();
    let classes = classes.map(|classes| format!(": {}", classes.join(", ")));
    Some(format!("{}{}", number::plural(split.trends.len(), "trend"), classes.unwrap_or_default()))
}

/// Describes the exponent of a power law: `exponent 1.99–2.01`.
pub(crate) fn exponent(law: &PowerLawModel) -> String {
    let interval = law.b_ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
    interval
        .map_or_else(|| "no interval".to_owned(), |ci| format!("exponent {}", number::exponent_interval(ci)))
}

/// Returns the class's formula in terms of the feature, whose name is shortened for a sentence.
pub(crate) fn formula(class: &GrowthSupport, feature: &str) -> String {
    class.fit.formula(&shorten(&visible(feature), FEATURE_WIDTH))
}

/// Formats the support of a class: `99 %`. A class with rivals never has 0 or 100 %.
pub(crate) fn support(class: &GrowthSupport) -> String {
    number::probability(class.support)
}

/// Returns the verdict with its evidence, and its meaning. `range` is the feature's range over the runs.
pub(crate) fn sentences(model: &Model, range: Option<(f64, f64)>, at: Option<f64>) -> Vec<String> {
    evidence(model).into_iter().chain(meaning(model, range, at)).collect()
}

/// Describes a part that the runs cannot rule out, and the cost with it at a point: `With a probability of 3 %, walk has
/// a quadratic part (at most 4.0 % of its cost now) and costs up to 1.4 G executions at n = 600,000. A run at n = 2.1 M
/// would show it.` `None` if that cost is within the interval of the prediction. `of` names the row if the context does
/// not.
pub(crate) fn hidden(
    model: &Model,
    prediction: Outlook,
    point: &Point,
    unit: &Unit,
    of: Option<&str>,
) -> Option<String> {
    let hidden = model.growth.as_ref()?.may_hide.as_ref()?;
    let growth = hidden.term.value(point.value(model.id)?) / hidden.term.value(hidden.size);
    let part = HiddenPart { share: hidden.share, cost: hidden.cost, growth };
    let cost = number::predicted_in(part.beyond(prediction)?, unit);
    let kind = match hidden.class {
        GrowthClass::Linear => "linear part".to_owned(),
        GrowthClass::Quadratic => "quadratic part".to_owned(),
        GrowthClass::Cubic => "cubic part".to_owned(),
        class => format!("part that grows as {class}"),
    };
    let (row, its, costs) = match of {
        Some(of) => (of, "its cost", "costs"),
        None => ("the cost", "it", "is"),
    };
    let (share, probability) = (number::share(hidden.share), number::probability(hidden.probability));
    let shows = hidden.rules_out.map(|size| {
        let feature = shorten(&model.feature, 40);
        format!(" A run at {feature} = {} would show it.", number::feature_size(&model.feature, size))
    });
    Some(format!(
        "With a probability of {probability}, {row} has a {kind} (at most {share} of {its} now) and {costs} up to {cost} \
         at {}.{}",
        point::given(point),
        shows.unwrap_or_default()
    ))
}

/// Returns the verdict with its evidence: the classes, their support and formulas, and their rivals.
pub(crate) fn evidence(model: &Model) -> Option<String> {
    let growth = model.growth.as_ref()?;
    growth.best()?;
    let feature = shorten(&model.feature, 40);
    let describe =
        |c: &GrowthSupport| format!("{} (support {}): {}", c.class, support(c), formula(c, &model.feature));
    let rivals: Vec<String> =
        growth.classes.iter().filter(|c| !c.named).take(MOST_RIVALS).map(describe).collect();
    let rivals =
        if rivals.is_empty() { String::new() } else { format!("; other laws: {}", rivals.join("; ")) };
    let named: Vec<String> = named_by_growth(growth).into_iter().map(describe).collect();
    let verdict = if growth.decided { String::new() } else { format!(" is {}", growth.verdict) };
    Some(format!("Growth in {feature}{verdict}: {}{rivals}.", named.join("; ")))
}

/// Returns the meaning of the verdict: the size from which the leading term dominates or, if the growth is undecided,
/// the difference between the classes at the size `at`.
pub(crate) fn meaning(model: &Model, range: Option<(f64, f64)>, at: Option<f64>) -> Option<String> {
    let growth = model.growth.as_ref()?;
    let feature = shorten(&model.feature, 40);
    if is_decided_in_doubt(model) {
        let why = missing(RowLaw::Of(model));
        let why = why.unwrap_or_else(|| "The law fits the costs poorly".to_owned());
        return Some(format!("{why}. Predictions are a guess."));
    }
    match (growth.decided_class(), growth.near) {
        (Some(class), _) => in_words(class, &feature, range),
        (None, Some(_)) => Some(
            "The laws differ by a log factor: no real difference at ten times the largest size.".to_owned(),
        ),
        (None, None) => difference(growth, &feature, at?),
    }
}

/// Describes the effect of doubling the feature at large sizes, and the size from which the leading term dominates.
fn in_words(class: &GrowthSupport, feature: &str, range: Option<(f64, f64)>) -> Option<String> {
    let [(coefficient, leading), rest @ ..] = class.fit.terms.as_slice() else { return None };
    let doubling = match *leading {
        Term::Exponential { base: 2.0 } => format!("one more unit of {feature} doubles the cost"),
        Term::Exponential { .. } => {
            let base = leading.with_variable("");
            format!("one more unit of {feature} multiplies the cost by {}", base.trim_end_matches('^'))
        }
        Term::TimesExponential { .. } => {
            format!("one more unit of {feature} slightly more than doubles the cost")
        }
        Term::Factorial => format!("one more unit of {feature} multiplies the cost by {feature} itself"),
        Term::Power { exponent: 0.0, log: false } => {
            return Some(format!("The cost does not depend on {feature}."));
        }
        Term::Power { exponent: 0.0, log: true } => {
            format!("each doubling of {feature} adds the same cost")
        }
        Term::Power { exponent, log } => {
            let slightly = if log { "slightly more than " } else { "" };
            let factor = number::significant(exponent.exp2(), 2);
            let factor = number::trimmed(&factor);
            match factor {
                "2" => format!("doubling {feature} {slightly}doubles the cost"),
                factor => format!("doubling {feature} multiplies the cost by {slightly}{factor}"),
            }
        }
    };
    let outweighs = |x: f64| {
        let others: f64 = rest.iter().map(|(c, term)| (c * term.value(x)).abs()).sum();
        coefficient * leading.value(x) >= others
    };
    let from = match range {
        _ if rest.is_empty() => String::new(),
        Some((least, _)) if outweighs(least) => "; that term dominates at all sizes that were run".to_owned(),
        Some((least, greatest)) if outweighs(greatest * FAR) => {
            let from = largest_that(least, greatest * FAR, |x| !outweighs(x));
            let size = number::feature_size(feature, number::two_digits(from));
            format!("; below {feature} ≈ {size} other terms cost more")
        }
        Some(_) => "; at the sizes that were run, other terms cost more".to_owned(),
        None => String::new(),
    };
    Some(format!("For large inputs, {doubling}{from}."))
}

/// Describes the difference between the classes at a size, which a run there would show.
fn difference(growth: &GrowthModel, feature: &str, at: f64) -> Option<String> {
    let costs = || growth.named().map(|c| c.fit.predict(at)).filter(|c| c.is_finite() && *c > 0.0);
    let (least, most) = (costs().min_by(f64::total_cmp)?, costs().max_by(f64::total_cmp)?);
    let (size, costs) = (number::feature_size(feature, at), number::cost_interval([least, most]));
    Some(format!(
        "At {feature} = {size} they predict {costs}; one run there would decide, unless the \
         noise is larger than the difference."
    ))
}
