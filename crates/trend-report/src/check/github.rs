//! Writes judgements as GitHub annotations: one line of the workflow's output each, which GitHub shows at the line of
//! code.

use std::fmt::Write as _;

use trend_analyze::{Checked, Judgement};

use super::words;
use crate::layout::text::visible;

/// Returns workflow commands: errors for broken and unknown expectations, warnings for undecided ones.
///
/// A name cannot start another command: values are escaped in the same way as in GitHub's own toolkit.
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

/// Escapes the message, which follows the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property, which follows `=`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
