//! Arguments that are one of some words, or a limit.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use trend_analyze::RunLimit;
use trend_run::{parse_bytes, parse_duration};

/// Returns a parser for words that the configuration also accepts.
pub(super) fn word<T>(words: impl Into<PossibleValuesParser>) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    let words: PossibleValuesParser = words.into();
    words.try_map(|word| T::deserialize(StrDeserializer::<serde::de::value::Error>::new(&word)))
}

/// Parses a time such as `1h`, or an amount of memory such as `16GB`. A number without a unit is in seconds, and `m`
/// means minutes.
pub(super) fn limit(text: &str) -> Result<RunLimit, String> {
    let time = parse_duration(text).map(|time| RunLimit::Seconds(time.as_secs_f64()));
    time.or_else(|_| parse_bytes(text).map(RunLimit::Bytes))
        .map_err(|_| "neither a time such as `1h` nor an amount of memory such as `16GB`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_times_or_amounts_of_memory() {
        let read = ["1h", "10", "2m", "16GB", "2GiB"].map(|text| limit(text).unwrap());
        let bytes = [16_000_000_000, 2_147_483_648].map(RunLimit::Bytes);
        assert_eq!(read[..3], [3600.0, 10.0, 120.0].map(RunLimit::Seconds));
        assert_eq!(read[3..], bytes);
        for text in ["", "0", "-1h", "0GB", "10 parsecs", "n=5"] {
            assert!(limit(text).is_err(), "{text}");
        }
    }
}
