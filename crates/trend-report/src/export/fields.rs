//! Fields of CSV (RFC 4180).

use trend_analyze::Source;

pub(crate) fn source(source: Source) -> &'static str {
    match source {
        Source::Class => "class",
        Source::Classes => "classes",
        Source::PowerLaw => "power_law",
        Source::Joint => "joint",
        Source::SumOfParts => "sum_of_parts",
        Source::LargestPart => "largest_part",
    }
}

pub(crate) fn number(value: Option<f64>) -> String {
    value.filter(|v| v.is_finite()).map(|v| v.to_string()).unwrap_or_default()
}

/// Formats text as a field, quoted if necessary.
pub(crate) fn field(text: &str) -> String {
    // Spreadsheets evaluate text with such a beginning, quoted or not.
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_quoted_where_it_has_to_be_and_never_a_formula() {
        let shown = ["a.c:4", "f(int, int)", "say \"x\"", "=HYPERLINK(1)", "a\nb"].map(field);
        assert_eq!(shown, ["a.c:4", "\"f(int, int)\"", "\"say \"\"x\"\"\"", "'=HYPERLINK(1)", "\"a\nb\""]);
    }
}
