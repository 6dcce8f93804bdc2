//! Shows the comparison of two studies to people: one word first, then the changes.

use trend_analyze::{Compared, Comparison, Direction, Outcome};

use super::sentences::{self, headline, meaning, unchanged};
use super::words::{NAME_WIDTH, at, certainty, change, growth, name, place, what};
use crate::layout::columns::{Cell, Column, Columns, Room};
use crate::layout::document::Document;
use crate::layout::markdown;
use crate::layout::number::{self, plural};
use crate::layout::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::layout::text::{shorten, visible};
use crate::options::TableOptions;

/// Number of changes listed by default.
const USUAL_ROWS: usize = 20;

/// Number of changed lines listed by default. They only detail the changes of functions.
const FEW_ROWS: usize = 5;

/// Maximum number of changes listed in a comment on a pull request, which holds 65,536 characters.
const MOST_ROWS: usize = 100;

/// Minimum share of the program's cost at which a change is listed by default.
const LEAST_SHARE: f64 = 0.0001;

/// Returns the comparison as tables for a terminal.
pub fn diff_table(comparison: &Comparison, names: [&str; 2], options: &TableOptions) -> String {
    document(comparison, names, options, options.terminal_width()).for_terminal()
}

/// Returns the comparison as a Markdown document that fits into a comment.
pub fn diff_markdown(comparison: &Comparison, names: [&str; 2], options: &TableOptions) -> String {
    let options =
        TableOptions { top: Some(options.top.unwrap_or(USUAL_ROWS).min(MOST_ROWS)), ..options.clone() };
    markdown::written(&document(comparison, names, &options, usize::MAX)).trim_end().to_owned() + "\n"
}

/// Returns the comparison as JSON that conforms to the committed schema.
pub fn diff_json(comparison: &Comparison) -> String {
    // This cannot fail: all keys are strings, and serde_json writes non-finite numbers as null.
    serde_json::to_string_pretty(comparison).unwrap_or_default() + "\n"
}

fn document(comparison: &Comparison, names: [&str; 2], options: &TableOptions, width: usize) -> Document {
    let mut out = Document::new(width);
    write(&mut out, comparison, names, options);
    out
}

/// Writes the comparison at the end of a document.
pub(crate) fn write(out: &mut Document, comparison: &Comparison, names: [&str; 2], options: &TableOptions) {
    let style = match comparison.outcome {
        Outcome::Regressed => DOUBTFUL,
        Outcome::CannotTell => NOTABLE,
        Outcome::Holds | Outcome::Improved => BOLD,
    };
    for (style, pieces) in [(style, headline(comparison)), (PLAIN, meaning(comparison))] {
        out.paragraph(style, &sentences::text(&pieces));
    }
    let workloads = &comparison.workloads;
    let [before, after] = names.map(|name| shorten(&visible(name), NAME_WIDTH).into_owned());
    out.paragraph(
        DIM,
        &format!(
            "{before} ({}) → {after} ({}), {} inputs in common; by {}; costs in {}.",
            plural(workloads.before, "run"),
            plural(workloads.after, "run"),
            workloads.shared,
            visible(&comparison.feature),
            visible(comparison.unit.name()),
        ),
    );
    let (most, few) = (options.top.unwrap_or(USUAL_ROWS), options.top.unwrap_or(FEW_ROWS));
    let tables = [("function", &comparison.changes, most), ("line", &comparison.lines, few)];
    let mut hidden = Vec::new();
    for (noun, all, most) in tables {
        let rows = listed(all, most, options);
        if rows.len() < all.len() {
            hidden.push(number::more(all.len() - rows.len(), noun));
        }
        if !rows.is_empty() {
            out.blank();
            out.table(columns(noun, &rows, comparison));
        }
    }
    out.blank();
    if !hidden.is_empty() {
        let longest = tables.map(|(_, all, _)| all.len()).into_iter().max().unwrap_or(0);
        let changed = format!("{} changed", hidden.join(" and "));
        out.more(changed, format!("`--top {longest}` shows all"));
    }
    let clusters = sentences::clusters(comparison);
    if !clusters.is_empty() {
        out.paragraph(PLAIN, &clusters);
    }
    out.paragraph(PLAIN, &unchanged(comparison));
}

/// Returns the first `most` changes. Unless the user sets the number of rows, insignificant changes are skipped.
fn listed<'a>(all: &'a [Compared], most: usize, options: &TableOptions) -> Vec<&'a Compared> {
    all.iter().filter(|c| options.top.is_some() || is_worth_it(c)).take(most).collect()
}

/// Returns the functions to show.
pub(crate) fn listed_functions<'a>(comparison: &'a Comparison, options: &TableOptions) -> Vec<&'a Compared> {
    listed(&comparison.changes, options.top.unwrap_or(USUAL_ROWS), options)
}

/// Returns true if a change is listed by default.
fn is_worth_it(compared: &Compared) -> bool {
    compared.weight >= LEAST_SHARE || compared.change.kind.is_of_law()
}

/// Returns the columns for changed functions or lines.
fn columns(noun: &str, rows: &[&Compared], comparison: &Comparison) -> Vec<Column> {
    let columns = Columns::new(rows).left(noun, Room::Shrinks(20), |c| Cell::styled(name(c), colour(c)));
    // The name of a line is already its place.
    let columns =
        if noun == "function" { columns.left("place", Room::Goes(3), |c| place(c)) } else { columns };
    columns
        .left("what", Room::Fixed, |c| what(c))
        .left("growth", Room::Cut(12), |c| growth(c))
        .right(&at(comparison), Room::Goes(2), |c| number::cost(c.before.cost, 3))
        .right("→", Room::Goes(2), |c| number::cost(c.after.cost, 3))
        .right("change", Room::Fixed, |c| change(c))
        .left("", Room::Goes(1), |c| Cell::styled(certainty(c), DIM))
        .columns
}

fn colour(compared: &Compared) -> anstyle::Style {
    match (compared.change.direction, compared.change.kind.is_of_law()) {
        (Direction::Worse, true) => DOUBTFUL,
        (Direction::Worse, false) => NOTABLE,
        _ => PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::analyze;
    use insta::assert_snapshot;
    use trend_analyze::{Options, Version, compare};
    use trend_profile::{Study, StudyParts, Symbol};

    use super::*;

    fn study(slow: &dyn Fn(u64) -> u64, name: &str) -> Study {
        let row = |f: &dyn Fn(u64) -> u64| {
            let costs: Vec<String> = (0..10).map(|i| f(100 << i).to_string()).collect();
            costs.join(" ")
        };
        let text = format!(
            "n: {}\na.c:3:slow: {}\na.c:9:line: {}\nb.c:4:half: {}",
            row(&|n| n),
            row(slow),
            row(&|n| 70 * n),
            row(&|n| if name == "slow" { 10 * n } else { 12 * n }),
        );
        let mut parts = StudyParts::from_text(&text).unwrap();
        let slow = parts.functions.iter_mut().find(|f| f.symbol.name == "slow").unwrap();
        (slow.symbol, slow.line) = (Symbol::plain(name), 3);
        Study::new(parts).unwrap()
    }

    fn comparison(before: &Study, after: &Study) -> Comparison {
        let options = Options { at: vec![("n".to_owned(), 1e6)], ..Options::default() };
        let (old, new) = (analyze(before, &options).unwrap(), analyze(after, &options).unwrap());
        let version = |study, findings| Version { study, findings };
        compare(version(before, &old), version(after, &new), "n", &options).unwrap()
    }

    #[test]
    fn the_word_comes_first_and_then_what_changed() {
        let before = study(&|n| 6 * n, "slow");
        let after = study(&|n| 6 * n + n * n / 50, "slow");
        let mut comparison = comparison(&before, &after);
        comparison.changes[0].was = None;
        let options = TableOptions { width: 110, ..TableOptions::default() };
        let text = diff_table(&comparison, ["old.trend", "new.trend"], &options);
        assert_snapshot!(anstream::adapter::strip_str(&text).to_string(), @r"
        Regressed. At n = 1,000,000: 86.0 M → 20.1 G executions, 234× more.
        Grows faster: slow: n → n^2.
        old.trend (10 runs) → new.trend (10 runs), 10 inputs in common; by n; costs in executions.

        function  place  what   growth   at n = 1,000,000       →      change
        slow      a.c:3  class  n → n^2            6.00 M  20.0 G  3330× more  exact

        line   what   growth   at n = 1,000,000       →      change
        a.c:3  class  n → n^2            6.00 M  20.0 G  3330× more  exact

        Clusters: a.c:3 in slow (new, n^2).
        2 functions exactly unchanged.
        ");
        let same = self::comparison(&before, &before);
        let text = diff_table(&same, ["old.trend", "old.trend"], &options);
        assert_snapshot!(anstream::adapter::strip_str(&text).to_string(), @"
        Holds. At n = 1,000,000: 86.0 M as before.
        Nothing grows faster than before.
        old.trend (10 runs) → old.trend (10 runs), 10 inputs in common; by n; costs in executions.

        3 functions exactly unchanged.
        ");
    }

    #[test]
    fn names_of_strangers_are_text_in_markdown() {
        let hostile = "f](javascript:x)<img src=x>\n::set-env\u{1b}[31m";
        let comparison = comparison(&study(&|n| 6 * n, "slow"), &study(&|n| n * n, hostile));
        let text = diff_markdown(&comparison, ["<b>", "a|b"], &TableOptions::default());
        assert!(!text.contains("<img") && !text.contains("f](") && !text.contains('\u{1b}'), "{text}");
        assert!(!text.contains("<b>") && !text.lines().any(|line| line.starts_with("::")), "{text}");
    }
}
