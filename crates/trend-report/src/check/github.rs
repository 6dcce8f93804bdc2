//! Annotations for GitHub: a line of the workflow's output for each, which GitHub shows at the line of code.

use std::fmt::Write as _;

use trend_analyze::{Checked, Judgement};

use super::words;
use crate::text::visible;

/// Workflow commands for what is broken (errors), and unknown or undecided (warnings).
///
/// Nothing in a name can begin another command: values are escaped as GitHub's own toolkit does it.
pub fn check_github(checked: &Checked) -> String {
    let mut text = String::new();
    for judged in checked.expectations.iter().filter(|judged| judged.judgement != Judgement::Holds) {
        let (file, line) = words::shown_at(judged);
        let title = format!("trend-prof: {}", words::limit(judged, &checked.unit));
        let _ = writeln!(
            text,
            "::{} file={},line={line},title={}::{}",
            words::level(judged.judgement),
            property(file),
            property(&visible(&title)),
            data(&words::sentence(judged, &checked.unit)),
        );
    }
    text
}

/// What stands behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands behind `=`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
