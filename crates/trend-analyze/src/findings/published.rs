//! Rows as they are published: each with its law, which is not stored, as it follows from the models.

use serde::{Serialize, Serializer};
use trend_answer::Law;

/// A row with its law.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "{T}"))]
pub(crate) struct WithLaw<'a, T> {
    #[serde(flatten)]
    pub(super) row: &'a T,
    /// The law of the cost; `null` if unknown.
    pub(super) law: Option<Law>,
}

/// A row with models that determine one law.
pub(crate) trait Modelled: Serialize {
    fn law(&self) -> Option<Law>;
}

pub(crate) fn with_law<T: Modelled, S: Serializer>(row: &T, serializer: S) -> Result<S::Ok, S::Error> {
    WithLaw { row, law: row.law() }.serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
pub(crate) fn with_law_if_any<T: Modelled, S: Serializer>(
    row: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    row.as_ref().map(|row| WithLaw { row, law: row.law() }).serialize(serializer)
}

pub(crate) fn published<T: Modelled>(rows: &[T]) -> impl Iterator<Item = WithLaw<'_, T>> {
    rows.iter().map(|row| WithLaw { row, law: row.law() })
}

pub(crate) fn with_laws<T: Modelled, S: Serializer>(rows: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(published(rows))
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
pub(crate) fn with_laws_if_any<T: Modelled, S: Serializer>(
    rows: &Option<Vec<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    with_laws(rows.as_deref().unwrap_or_default(), serializer)
}
