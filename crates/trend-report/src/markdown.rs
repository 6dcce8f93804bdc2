//! The findings as a Markdown document, for pull requests and mails.

use std::fmt::Write as _;

use trend_analyze::{Findings, without_arguments};

use crate::rows::{self, Item, Scope};
use crate::text::{shorten, visible};
use crate::{
    By, ReportError, TableOptions, cells, growth, number, point, selection, structure, table, verdict,
};

/// Names are shortened to this.
const NAME_WIDTH: usize = 60;

/// The findings as a Markdown document: verdict, table, warnings.
///
/// # Errors
/// As [`crate::table`].
pub fn markdown(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let scope = Scope::new(findings, options)?;
    let selection = selection::selection(findings, &scope, options)?;
    let mut text = format!("## How {} scales\n\n", escaped(&findings.program.name));
    for statement in verdict(findings) {
        let _ = writeln!(text, "- {}", sentence(&statement.text));
    }
    let features: Vec<String> = findings.features.iter().map(|f| sentence(&table::range(f))).collect();
    let failed = match findings.workloads.failed {
        0 => String::new(),
        n => format!(" ({n} more failed)"),
    };
    let _ = writeln!(
        text,
        "\n{}{failed}; {}.\n",
        table::plural(findings.workloads.count, "workload"),
        if features.is_empty() { "no features".to_owned() } else { features.join("; ") }
    );
    rows_table(&mut text, findings, &scope, &selection.shown, options.by);
    if findings.clusters.is_empty() {
        series_table(&mut text, findings, options.top.unwrap_or(USUAL_SERIES));
    }
    let more = selection.total - selection.shown.len();
    if more > 0 {
        let _ = writeln!(text, "\nand {more} more.");
    }
    structures(&mut text, &scope, &selection.shown);
    if !findings.doubts.is_empty() {
        text.push('\n');
    }
    for doubt in &findings.doubts {
        let _ = writeln!(text, "> **Warning:** {}\n>", sentence(&doubt.to_string()));
    }
    let _ = writeln!(
        text,
        "\n<sub>Costs are {} ({}); shares are of the costliest run; {} intervals by {}, seed {}.</sub>",
        escaped(findings.unit.name()),
        number::legend(&findings.unit),
        table::level(findings),
        table::method(findings),
        findings.seed
    );
    Ok(text)
}

fn rows_table(text: &mut String, findings: &Findings, scope: &Scope<'_>, items: &[Item<'_>], by: By) {
    if items.is_empty() {
        return;
    }
    let name = match by {
        By::Cluster => "cluster",
        By::Function => "function",
        By::Line => "line",
        By::Block => "block",
    };
    let at = scope.point.map_or_else(
        || "prediction".to_owned(),
        |(_, at)| format!("at {} ({})", sentence(&point::in_words(at)), table::level(findings)),
    );
    let _ = writeln!(text, "| # | {name} | | max cost | share | growth | law | {at} |");
    text.push_str("|--:|:--|:--|--:|--:|:--|:--|--:|\n");
    for item in items {
        let law = item.row_law(scope);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            item.rank(),
            escaped(&item.shown()),
            escaped(&item.detail()),
            number::count(item.max_cost()),
            shares(item),
            law.map(|law| sentence(&growth::of_law(law))).unwrap_or_default(),
            sentence(&cells::fit(law).text),
            rows::predicted(item, scope).map(|e| cells::interval(&e)).unwrap_or_default()
        );
    }
}

/// Routines that are listed unless somebody asks for more.
const USUAL_SERIES: usize = 20;

/// The costliest routines, of a study of nothing else.
fn series_table(text: &mut String, findings: &Findings, most: usize) {
    let shown = &findings.series[..findings.series.len().min(most)];
    if shown.is_empty() {
        return;
    }
    text.push_str("| routine | sizes | calls | cost | worst call grows |\n|:--|--:|--:|--:|:--|\n");
    for row in shown {
        let growth =
            row.worst.models.first().and_then(|m| m.growth.as_ref()).map(growth::cell).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            escaped(&without_arguments(&row.name)),
            row.sizes,
            number::count(row.count),
            number::count(row.sum),
            sentence(&growth)
        );
    }
    let more = findings.series.len() - shown.len();
    if more > 0 {
        let _ = writeln!(text, "\nand {more} more.");
    }
}

/// `14.4 %`, and `3.3 %, up to 90.0 %` where another run than the costliest has a far greater share.
fn shares(item: &Item<'_>) -> String {
    let others = item.share_of_others().map(|most| format!(", up to {}", number::share(most)));
    number::share(item.share_of_largest()) + &others.unwrap_or_default()
}

/// What one curve over one feature cannot say of the rows, and the runs that would tell more.
fn structures(text: &mut String, scope: &Scope<'_>, items: &[Item<'_>]) {
    let mut told = Vec::new();
    for item in items {
        let sentences: Vec<String> = structure::sentences(item, scope).iter().map(|s| sentence(s)).collect();
        if !sentences.is_empty() {
            told.push(format!("- **{}**\n  - {}", escaped(&item.shown()), sentences.join("\n  - ")));
        }
    }
    if !told.is_empty() {
        let _ = writeln!(text, "\n{}", told.join("\n"));
    }
}

/// A name, shortened and escaped.
fn escaped(name: &str) -> String {
    sentence(&shorten(&visible(name), NAME_WIDTH))
}

/// Text with what Markdown or HTML would take for markup escaped.
fn sentence(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            // A mention would notify somebody.
            '@' => shown.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '^' | '$' | '#' | '!' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
    // An address would become a link.
    shown.replace("://", ":&#47;/").replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_text() {
        assert_eq!(escaped("a|b`c`<script>"), "a\\|b\\`c\\`&lt;script&gt;");
        assert_eq!(escaped("[x](http://evil) @all"), "\\[x\\](http:&#47;/evil) &#64;all");
    }
}
