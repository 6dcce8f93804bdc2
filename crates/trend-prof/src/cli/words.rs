//! Arguments that are one of some words.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;

/// Returns a parser for words that the configuration also accepts.
pub(super) fn word<T>(words: impl Into<PossibleValuesParser>) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    let words: PossibleValuesParser = words.into();
    words.try_map(|word| T::deserialize(StrDeserializer::<serde::de::value::Error>::new(&word)))
}
