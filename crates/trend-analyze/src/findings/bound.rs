//! A cost divided by growth classes.

use serde::Serialize;
use trend_answer::PublishedFactor;
use trend_model::GrowthClass;

use super::growth::as_text;

/// A cost divided by a class of growth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bound {
    /// The class, in `n`.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub class: GrowthClass,
    /// Direction of the quotient over the larger half of the sizes, on a log scale.
    pub course: Course,
    /// The term that the cost is divided by.
    pub(crate) term: PublishedFactor,
}

/// Direction of the quotient of the cost and a class towards large sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Course {
    /// It stays flat: the class bounds the cost over the sizes that were run.
    Flat,
    /// It rises: the cost grows faster than the class.
    Rises,
    /// It falls: the cost grows more slowly than the class.
    Falls,
    /// It still changes, but the verdict is decided for this class: smaller terms of the law cause the change.
    LevelsOff,
    /// The points do not decide.
    Unclear,
}
