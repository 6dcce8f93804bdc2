//! Arguments that are one of some words.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;

/// Returns a parser for words that the configuration also accepts.
pub(super) fn word<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words)
        .try_map(|word| T::deserialize(StrDeserializer::<serde::de::value::Error>::new(&word)))
}
