//! The machine-readable output.

use trend_analyze::Findings;

/// The machine-readable output: pretty-printed JSON with a trailing newline; numbers that are not
/// finite are `null`.
///
/// Names are there as they are: JSON escapes control characters, and a reader wants the true name.
pub fn json(findings: &Findings) -> String {
    // Findings have string keys only, and serde_json writes numbers that are not finite as null.
    let mut text = serde_json::to_string_pretty(findings).unwrap_or_default();
    text.push('\n');
    text
}
