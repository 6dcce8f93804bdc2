//! The growth verdict of one row in one feature, in the shape of the machine-readable output. The mathematics is
//! `trend_model`'s.

use serde::{Serialize, Serializer};
use trend_model::{Growth, GrowthClass, GrowthFit};

/// Classes with less support than this are told only where the verdict names them.
const LEAST_SUPPORT: f64 = 0.01;

/// Where log cost scatters by this much about the best class, which is a factor of e between runs of one size, the
/// robust fit follows the most usual runs and is no estimate of what the costly ones take.
pub(crate) const TOO_SPREAD: f64 = 1.0;

/// What the data say about the class of growth.
#[derive(Clone, Debug, Serialize)]
pub struct GrowthModel {
    /// `n^2`, or `undecided between n and n log n`.
    pub verdict: String,
    /// Whether the data support one class so much better than all others that it can be told.
    pub decided: bool,
    /// Whether the cost grows faster than linearly; `null` where the named classes disagree.
    pub superlinear: Option<bool>,
    /// Workloads that the verdict is of; where a row of a large study costs next to nothing, these are a part of all.
    pub points: usize,
    /// The classes that the verdict names, and others of some support; by falling support, at least one.
    pub classes: Vec<GrowthSupport>,
}

/// What the data say about one class.
#[derive(Clone, Debug, Serialize)]
pub struct GrowthSupport {
    /// The class, in `n`.
    #[serde(serialize_with = "as_text")]
    pub class: GrowthClass,
    /// How probable the data make it, 0 to 1.
    pub support: f64,
    /// The class's best model, such as `1.5·n^2 − 0.5·n`, in the feature's name; `log` is to base 2.
    pub formula: String,
    /// Standard deviation of the log cost about that model.
    pub spread: f64,
    /// Whether the verdict names it.
    pub named: bool,
    /// The model.
    #[serde(skip)]
    pub fit: GrowthFit,
}

fn as_text<S: Serializer>(class: &GrowthClass, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(class)
}

impl GrowthModel {
    pub(crate) fn new(growth: &Growth, feature: &str) -> Self {
        let named = growth.named().len();
        let told = growth.fits.iter().enumerate().filter(|(i, f)| *i < named || f.support >= LEAST_SUPPORT);
        Self {
            verdict: growth.verdict(),
            decided: growth.decided,
            superlinear: growth.is_superlinear(),
            points: growth.points,
            classes: told.map(|(i, fit)| GrowthSupport::new(fit.clone(), feature, i < named)).collect(),
        }
    }

    /// The class of most support.
    pub fn best(&self) -> Option<&GrowthSupport> {
        self.classes.first()
    }

    /// The class, where it is decided.
    pub fn decided_class(&self) -> Option<&GrowthSupport> {
        self.best().filter(|_| self.decided)
    }

    /// Whether every class that the verdict names outgrows all powers, so that growth shows over a few units.
    pub fn explodes(&self) -> bool {
        self.named().all(|named| named.class.term().explodes())
    }

    /// The classes that the verdict names, by falling support.
    pub fn named(&self) -> impl Iterator<Item = &GrowthSupport> {
        self.classes.iter().filter(|class| class.named)
    }
}

impl GrowthSupport {
    /// A class with its model, for a feature of that name.
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
