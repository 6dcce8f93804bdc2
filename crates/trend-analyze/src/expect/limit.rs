//! Growth limits such as `<= n log n`.

use std::fmt;
use std::str::FromStr;

use trend_model::{GrowthClass, NoSuchClass};

/// An upper limit on the growth of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthLimit {
    /// The class of the limit.
    pub class: GrowthClass,
    /// True if growth of this class itself is allowed.
    pub inclusive: bool,
}

/// An error in the text of a limit. Completes "failed to read …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLimit {
    /// The text compares in another way.
    #[error("`{0}` is not an upper limit; write `<= n log n` or `< n^2`")]
    NoUpperLimit(String),
    /// The class is unknown.
    #[error(transparent)]
    Class(#[from] NoSuchClass),
}

impl GrowthLimit {
    /// Returns the limit that allows growth up to and including this class.
    pub fn at_most(class: GrowthClass) -> Self {
        Self { class, inclusive: true }
    }

    /// Returns true if a class keeps to the limit.
    pub fn allows(self, class: GrowthClass) -> bool {
        // A free exponent may equal the exponent of a named class.
        let is_same = class.term() == self.class.term();
        if is_same { self.inclusive } else { class < self.class }
    }
}

impl FromStr for GrowthLimit {
    type Err = BadLimit;

    /// Parses `<= CLASS`, `< CLASS`, or a class alone, which means `<=`.
    fn from_str(text: &str) -> Result<Self, BadLimit> {
        let text = text.trim();
        let (inclusive, class) =
            match (text.strip_prefix("<="), text.strip_prefix('≤'), text.strip_prefix('<')) {
                (Some(class), _, _) | (None, Some(class), _) => (true, class),
                (None, None, Some(class)) => (false, class),
                (None, None, None) if text.starts_with(['>', '=', '!', '~']) => {
                    return Err(BadLimit::NoUpperLimit(text.to_owned()));
                }
                (None, None, None) => (true, text),
            };
        Ok(Self { class: class.parse()?, inclusive })
    }
}

impl fmt::Display for GrowthLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.inclusive { "<=" } else { "<" }, self.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for (text, written) in [
            ("<= n log n", "<= n log n"),
            ("< n^2", "< n^2"),
            ("n", "<= n"),
            ("≤ O(n²)", "<= n^2"),
            ("<1", "< 1"),
        ] {
            assert_eq!(text.parse::<GrowthLimit>().unwrap().to_string(), written);
        }
        assert_eq!(">= n".parse::<GrowthLimit>(), Err(BadLimit::NoUpperLimit(">= n".to_owned())));
        assert!(matches!("<= fast".parse::<GrowthLimit>(), Err(BadLimit::Class(_))));
    }

    #[test]
    fn a_limit_allows_what_grows_no_faster() {
        let limit: GrowthLimit = "<= n^2".parse().unwrap();
        assert!(limit.allows(GrowthClass::Quadratic) && limit.allows(GrowthClass::free(2.0, false)));
        assert!(limit.allows(GrowthClass::free(1.99, true)) && !limit.allows(GrowthClass::QuadraticLog));
        let below: GrowthLimit = "< n^2".parse().unwrap();
        assert!(!below.allows(GrowthClass::Quadratic) && below.allows(GrowthClass::ThreeHalves));
    }
}
