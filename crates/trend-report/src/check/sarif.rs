//! Writes judgements as SARIF 2.1.0, which GitHub and editors show at the line of code.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use trend_analyze::{Checked, Judged, Judgement, Limit, Origin};
use trend_profile::Measure;

use super::words;

/// Returns results for broken (error), unknown (error) and undecided (warning) expectations.
pub fn check_sarif(checked: &Checked) -> String {
    let kept = |judged: &&Judged| judged.judgement != Judgement::Holds;
    let results: Vec<Value> =
        checked.expectations.iter().filter(kept).map(|judged| result(judged, checked)).collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "trend-prof",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule("growth", "The cost grows faster with the input than allowed."),
                    rule("cost", "The predicted cost at a size exceeds the limit."),
                    rule("seconds", "The predicted CPU time at a size exceeds the limit."),
                    rule("memory", "The predicted peak memory at a size exceeds the limit."),
                ],
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn rule(id: &str, text: &str) -> Value {
    json!({ "id": id, "shortDescription": { "text": text } })
}

fn result(judged: &Judged, checked: &Checked) -> Value {
    let (file, line) = words::shown_at(judged);
    let id = match judged.expectation.limit {
        Limit::Growth { .. } => "growth",
        Limit::Cost { measure: Measure::Counts, .. } => "cost",
        Limit::Cost { measure: Measure::Seconds, .. } => "seconds",
        Limit::Cost { measure: Measure::Bytes, .. } => "memory",
    };
    let mut result = json!({
        "ruleId": id,
        "level": words::level(judged.judgement),
        "message": { "text": words::sentence(judged, &checked.unit) },
        "locations": [location(file, line)],
        "partialFingerprints": { "expectation/v1": fingerprint(judged, checked) },
    });
    if let Origin::Config { file, line } | Origin::Comment { file, line } = &judged.expectation.origin {
        let line = u32::try_from(*line).unwrap_or(u32::MAX);
        let mut written = location(file, line);
        written["message"] = json!({ "text": "what is expected" });
        result["relatedLocations"] = json!([written]);
    }
    result
}

fn location(file: &str, line: u32) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(file) },
        "region": { "startLine": line.max(1) },
    } })
}

/// Returns an identifier of an expectation for a place. It stays the same across versions, whatever the finding.
fn fingerprint(judged: &Judged, checked: &Checked) -> String {
    let name =
        judged.place.as_ref().map_or_else(String::new, |place| format!("{}\0{}", place.file, place.name));
    let subject = words::subject(&judged.expectation.subject);
    let digest = Sha256::digest(format!("{subject}\0{name}\0{}", words::limit(judged, &checked.unit)));
    let start = digest.iter().take(16);
    start.fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Encodes a path as a URI reference (RFC 3986). A relative path stays relative.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/usr/include/c++/12/x.h"), "file:///usr/include/c++/12/x.h");
        assert_eq!(uri("a:b?#ü"), "a%3Ab%3F%23%C3%BC");
    }
}
