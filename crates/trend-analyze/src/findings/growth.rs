//! The growth verdict of one row in one feature, in the shape of the machine-readable output. `trend_model` has the
//! mathematics.

use std::fmt;

use serde::{Serialize, Serializer};
use trend_answer::published_term;
use trend_model::{Growth, GrowthClass, GrowthFit, LOG_AS_EXPONENT, Term};

#[cfg(test)]
use trend_answer::PublishedFactor;

/// Minimum support of a class that is listed although the verdict does not name it.
const LEAST_SUPPORT: f64 = 0.01;

/// Scatter of log cost about the best class from which the robust fit no longer estimates costly runs, because it
/// follows the most common ones. It is a factor of e between runs of one size.
pub(crate) const TOO_SPREAD: f64 = 1.0;

/// Evidence of the data about the growth class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrowthModel {
    /// `n^2`, `about n`, or `undecided between n and n^2`.
    pub verdict: String,
    /// The verdict in short: `n^2`, `≈ n`, `n or n^2 ?`, `≈ n^2 ?` for classes that are close together, `1 … n^2 ?`. If
    /// the study has several features, the feature's name replaces `n`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub short: Short,
    /// True if the data support one class so much better than all others that the verdict names it alone.
    pub decided: bool,
    /// The class with the most support, if the named classes differ by no more than a log factor, and by less than 30 %
    /// in the cost at ten times the largest size, and if the interval there is narrower than a factor of √10. Absent if
    /// one class is decided, or if the classes differ by more.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_optional_text")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub near: Option<GrowthClass>,
    /// True if the cost grows faster than linearly; `null` if the named classes disagree.
    pub superlinear: Option<bool>,
    /// Number of workloads behind the verdict. In a large study, a row that costs next to nothing uses only some of
    /// them.
    pub points: usize,
    /// The classes that the verdict names, and others with some support, by falling support. There is at least one.
    pub classes: Vec<GrowthSupport>,
    /// A faster-growing part that may be hidden in the costs; absent if none that matters can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_hide: Option<MayHide>,
}

/// A faster-growing part that is too small to be seen at the sizes that were run. With it, a run of size `x` costs `(1
/// − share)·law(x) + cost·term(x) / term(size)`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MayHide {
    /// Its growth class, in `n`.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub class: GrowthClass,
    /// The term of that class.
    #[serde(serialize_with = "as_factor")]
    #[cfg_attr(test, schemars(with = "PublishedFactor"))]
    pub term: Term,
    /// The probability that the cost has such a part, 0 to 1.
    pub probability: f64,
    /// The largest size that was run.
    pub size: f64,
    /// Its maximum cost at that size: the upper end of a 95 % interval.
    pub cost: f64,
    /// This cost as a share of the whole cost there, 0 to 1.
    pub share: f64,
    /// Size of a run that would show it; `null` if no affordable run would.
    pub rules_out: Option<f64>,
}

impl MayHide {
    fn new(hidden: trend_model::MayHide, law: &GrowthFit) -> Self {
        let trend_model::MayHide { class, probability, share, size, rules_out } = hidden;
        let (term, cost) = (class.term(), share * law.predict(size));
        Self { class, term, probability, size, cost, share, rules_out: rules_out.map(rounded) }
    }
}

/// Rounds a size up to two digits.
fn rounded(size: f64) -> f64 {
    let unit = 10f64.powf(size.log10().floor() - 1.0);
    (size / unit).ceil() * unit
}

/// Evidence of the data for one class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrowthSupport {
    /// The class, in `n`.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub class: GrowthClass,
    /// The probability of the class given the data, 0 to 1.
    pub support: f64,
    /// The class's best model, such as `1.5·n^2 − 0.5·n`, in the feature's name; `log` is to base 2.
    pub formula: String,
    /// Standard deviation of log cost about that model.
    pub spread: f64,
    /// True if the verdict names it.
    pub named: bool,
    /// The model. Only the leading term of the class is published.
    #[serde(rename = "term", serialize_with = "leading_term")]
    #[cfg_attr(test, schemars(with = "PublishedFactor"))]
    pub fit: GrowthFit,
}

pub(crate) fn as_text<S: Serializer>(class: &GrowthClass, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(class)
}

#[expect(clippy::ref_option, reason = "serde's signature")]
fn as_optional_text<S: Serializer>(class: &Option<GrowthClass>, serializer: S) -> Result<S::Ok, S::Error> {
    class.map(|class| class.to_string()).serialize(serializer)
}

fn leading_term<S: Serializer>(fit: &GrowthFit, serializer: S) -> Result<S::Ok, S::Error> {
    as_factor(&fit.class.term(), serializer)
}

fn as_factor<S: Serializer>(term: &Term, serializer: S) -> Result<S::Ok, S::Error> {
    published_term(*term).serialize(serializer)
}

/// Maximum number of classes that a short verdict names. Of more classes, it names only the slowest and the fastest.
const MOST_NAMED: usize = 2;

/// The classes that a verdict names, in short and in one variable; published as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Short {
    variable: String,
    named: Named,
}

/// Form of a short verdict: each class, the class that all are about, or the two classes that the others lie between.
/// Near a class, the others make no difference that matters.
#[derive(Clone, Debug, PartialEq)]
enum Named {
    Each(Vec<GrowthClass>),
    Near(GrowthClass),
    About(GrowthClass),
    Between(GrowthClass, GrowthClass),
}

impl Short {
    /// Shortens the classes of a verdict, in any order. All of them may be `near` one class.
    pub fn new(mut classes: Vec<GrowthClass>, near: Option<GrowthClass>, variable: &str) -> Self {
        classes.sort_unstable();
        let named = match (near, classes.as_slice()) {
            (Some(class), _) => Named::Near(class),
            (None, [first, .., last]) if classes.len() > MOST_NAMED => {
                all_about(&classes).map_or(Named::Between(*first, *last), Named::About)
            }
            _ => Named::Each(classes),
        };
        Self { variable: variable.to_owned(), named }
    }

    /// `n^2`, `n or n log n`, `about n^2`, `something between 1 and n^2`.
    pub fn in_a_sentence(&self) -> String {
        let text = |class: &GrowthClass| class.with_variable(&self.variable);
        match &self.named {
            Named::Each(classes) => classes.iter().map(text).collect::<Vec<_>>().join(" or "),
            Named::Near(class) | Named::About(class) => format!("about {}", text(class)),
            Named::Between(first, last) => format!("something between {} and {}", text(first), text(last)),
        }
    }
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |class: &GrowthClass| class.with_variable(&self.variable);
        match &self.named {
            Named::Each(classes) if classes.len() < 2 => f.write_str(&self.in_a_sentence()),
            Named::Each(_) => write!(f, "{} ?", self.in_a_sentence()),
            Named::Near(class) => write!(f, "≈ {}", text(class)),
            Named::About(class) => write!(f, "≈ {} ?", text(class)),
            Named::Between(first, last) => write!(f, "{} … {} ?", text(first), text(last)),
        }
    }
}

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the power that all classes are about, if no two differ by more than the square of a logarithm.
fn all_about(classes: &[GrowthClass]) -> Option<GrowthClass> {
    let paces = || classes.iter().map(|class| class.term().pace());
    let (slowest, fastest) = (paces().fold(f64::INFINITY, f64::min), paces().fold(0.0, f64::max));
    (fastest - slowest <= 2.0 * LOG_AS_EXPONENT).then(|| GrowthClass::about([slowest, fastest]))
}

impl GrowthModel {
    /// Converts a verdict. Classes are worded in `variable`, which is the feature, or `n` if it is the only one.
    pub(crate) fn new(growth: &Growth, feature: &str, variable: &str) -> Self {
        let named = growth.named().len();
        let classes = growth.named().iter().map(|fit| fit.class);
        let shown = growth.fits.iter().enumerate().filter(|(i, f)| *i < named || f.support >= LEAST_SUPPORT);
        Self {
            verdict: growth.verdict(),
            short: Short::new(classes.collect(), growth.near, variable),
            decided: growth.decided,
            near: growth.near,
            superlinear: growth.is_superlinear(),
            points: growth.points,
            classes: shown.map(|(i, fit)| GrowthSupport::new(fit.clone(), feature, i < named)).collect(),
            may_hide: growth.may_hide().map(|hidden| MayHide::new(hidden, growth.best())),
        }
    }

    /// Returns the class with the most support.
    pub fn best(&self) -> Option<&GrowthSupport> {
        self.classes.first()
    }

    /// Returns the class if it is decided.
    pub fn decided_class(&self) -> Option<&GrowthSupport> {
        self.best().filter(|_| self.decided)
    }

    /// Returns true if the named classes differ in a way that matters at ten times the largest size.
    pub fn is_open(&self) -> bool {
        !self.decided && self.near.is_none()
    }

    /// Returns true if every named class outgrows all powers, so that growth shows over a few units.
    pub fn explodes(&self) -> bool {
        self.named().all(|named| named.class.term().explodes())
    }

    /// Returns the classes that the verdict names, by falling support.
    pub fn named(&self) -> impl Iterator<Item = &GrowthSupport> {
        self.classes.iter().filter(|class| class.named)
    }
}

impl GrowthSupport {
    /// Builds the support for a class from its fitted model in this feature.
    pub fn new(fit: GrowthFit, feature: &str, named: bool) -> Self {
        Self {
            class: fit.class,
            support: fit.support,
            formula: fit.formula(feature),
            spread: fit.spread,
            named,
            fit,
        }
    }
}
