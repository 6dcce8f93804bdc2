//! The rows of a table as CSV (RFC 4180), unrounded.

use std::fmt::Write as _;

use trend_analyze::{Findings, Point, RowLaw, Source};

use crate::rows::{self, Item, Scope};
use crate::{By, ReportError, TableOptions, growth, selection};

const HEADER: &str = "rank,kind,name,function,file,line,locations,costly,max_cost,max_share,feature,growth,decided,a,a_lo,a_hi,b,b_lo,\
                      b_hi,r2,points,ignored_zeros,at,predicted,predicted_lo,predicted_hi,\
                      share_of_largest,source,law";

/// The rows of a table as CSV under a header row, unrounded; an empty field is an absent value.
///
/// All rows are there unless [`TableOptions::top`] says otherwise. A name that a spreadsheet would
/// take for a formula gets an apostrophe before it.
///
/// # Errors
/// As [`crate::table`].
pub fn csv(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let scope = Scope::new(findings, options)?;
    let options = TableOptions { top: options.top.or(Some(usize::MAX)), ..options.clone() };
    let mut text = String::from(HEADER);
    text.push('\n');
    for item in selection::selection(findings, &scope, &options)?.shown {
        let fields: Vec<String> = record(&item, &scope, options.by);
        let _ = writeln!(text, "{}", fields.join(","));
    }
    Ok(text)
}

fn record(item: &Item<'_>, scope: &Scope<'_>, by: By) -> Vec<String> {
    let (function, file, line) = match item {
        Item::Cluster(cluster) => cluster.namesake().map_or(("", "", 0), |m| (&m.function, &m.file, m.line)),
        Item::Row { row, by: By::Function, .. } => (row.name.as_str(), row.file.as_str(), row.line),
        Item::Row { row, .. } => ("", row.file.as_str(), row.line),
    };
    let law = item.law(scope);
    let own = item.row_law(scope).and_then(RowLaw::law);
    let ends = |ci: Option<[f64; 2]>| [0, 1].map(|i| number(ci.map(|ci| ci[i])));
    let predicted = rows::predicted(item, scope);
    let mut fields = vec![
        item.rank().to_string(),
        by.noun().to_owned(),
        field(item.name()),
        field(function),
        field(file),
        if line > 0 { line.to_string() } else { String::new() },
        item.locations().map(|n| n.to_string()).unwrap_or_default(),
        item.is_costly().to_string(),
        item.max_cost().to_string(),
        number(Some(item.max_share())),
        field(&own.as_ref().map(|law| law.features.join(" ")).unwrap_or_default()),
        field(&item.row_law(scope).map(|law| growth::of_law(law)).unwrap_or_default()),
        own.as_ref().map(|law| law.decided.to_string()).unwrap_or_default(),
        number(law.map(|l| l.a)),
    ];
    fields.extend(ends(law.and_then(|l| l.a_ci)));
    fields.push(number(law.map(|l| l.b)));
    fields.extend(ends(law.and_then(|l| l.b_ci)));
    fields.push(number(law.map(|l| l.r2)));
    fields.push(law.map(|l| l.points.to_string()).unwrap_or_default());
    fields.push(law.map(|l| l.ignored_zeros.to_string()).unwrap_or_default());
    fields.push(field(&scope.point.map(|(_, at)| sizes(at)).unwrap_or_default()));
    fields.push(number(predicted.map(|p| p.cost)));
    fields.extend(ends(predicted.and_then(|p| p.ci)));
    fields.push(number(Some(item.share_of_largest())));
    fields.push(own.as_ref().map(|law| source(law.source).to_owned()).unwrap_or_default());
    fields.push(field(&own.map(|law| law.formula()).unwrap_or_default()));
    fields
}

/// `n=600000`, `x=640 y=1200`; of one feature the bare value.
fn sizes(point: &Point) -> String {
    match point.values.as_slice() {
        [one] => one.at.to_string(),
        all => {
            all.iter().map(|value| format!("{}={}", value.feature, value.at)).collect::<Vec<_>>().join(" ")
        }
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Class => "class",
        Source::Classes => "classes",
        Source::PowerLaw => "power_law",
        Source::Joint => "joint",
        Source::SumOfParts => "sum_of_parts",
        Source::LargestPart => "largest_part",
    }
}

fn number(value: Option<f64>) -> String {
    value.filter(|v| v.is_finite()).map(|v| v.to_string()).unwrap_or_default()
}

/// Text as a field, quoted where it has to be.
pub(crate) fn field(text: &str) -> String {
    // Spreadsheets run what begins like this, quoted or not.
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
