//! Values of features that the configuration alone determines.

use regex::bytes::Regex;
use trend_profile::Definition;

use super::workload::PlannedWorkload;
use crate::config::features::FeatureSource;
use crate::words::quantity::parse_quantity;

/// Length of the text shown if a pattern does not match, in characters.
const SAMPLE: usize = 120;

/// The reason why a feature has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// Its pattern does not match. `sample` is the end of the text.
    NoMatch { sample: String },
    /// The matching text is not a finite number.
    NotANumber { text: String },
    /// There is no text or file to examine, for this reason.
    Nothing { why: String },
    /// The value does not come from the run: it is computed from the counts, or was given.
    NotHere,
}

impl FeatureSource {
    /// Returns the value if the configuration alone determines it.
    pub(crate) fn before_runs(&self, workload: &PlannedWorkload) -> Result<f64, NoValue> {
        match &self.definition {
            Definition::Parameter(name) => {
                let value = workload.parameters.iter().find(|(n, _)| n == name);
                let text = value.map(|(_, v)| v.as_str()).unwrap_or_default();
                parse_quantity(text).map_err(|_| NoValue::NotANumber { text: text.to_owned() })
            }
            Definition::Path(_) => self.last_match(workload.workload.name.as_bytes()),
            _ => Err(NoValue::NotHere),
        }
    }

    /// Returns the number of the last match of the pattern.
    pub(crate) fn last_match(&self, text: &[u8]) -> Result<f64, NoValue> {
        let Some(pattern) = &self.pattern else { return Err(NoValue::NotHere) };
        match last_group(pattern, text) {
            Some(group) => number(group),
            None => Err(NoValue::NoMatch { sample: sample(text) }),
        }
    }
}

pub(crate) fn last_group<'t>(pattern: &Regex, text: &'t [u8]) -> Option<&'t [u8]> {
    pattern.captures_iter(text).last()?.get(1).map(|group| group.as_bytes())
}

pub(crate) fn number(text: &[u8]) -> Result<f64, NoValue> {
    let text = String::from_utf8_lossy(text);
    let value = text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    value.ok_or_else(|| NoValue::NotANumber { text: sample(text.as_bytes()) })
}

pub(crate) fn sample(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(4 * SAMPLE)..]).into_owned();
    let skip = text.chars().count().saturating_sub(SAMPLE);
    text.chars().skip(skip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_match_counts_in_text_of_any_bytes() {
        let pattern = Regex::new(r"nodes=(\S+)").unwrap();
        assert_eq!(last_group(&pattern, b"nodes=1\n\xff nodes=2e3 x"), Some(&b"2e3"[..]));
        assert_eq!(number(b" 2e3\n"), Ok(2000.0));
        assert_eq!(number(b"inf"), Err(NoValue::NotANumber { text: "inf".to_owned() }));
        assert_eq!(last_group(&pattern, b"edges=1"), None);
    }
}
