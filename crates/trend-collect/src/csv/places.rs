//! Parses the places named by columns of costs.

use indexmap::IndexSet;
use trend_profile::{Function, FunctionId, Kind, Location};

/// Functions of the columns, each once.
#[derive(Default)]
pub(crate) struct ColumnPlaces(IndexSet<Function>);

impl ColumnPlaces {
    pub(crate) fn location(&mut self, label: &str) -> Location {
        let (file, line, name) = place(label);
        let function = Function::plain(name, file, 0);
        let function = FunctionId(self.0.insert_full(function).0 as u32);
        // The label distinguishes columns. Their position does not: another table may have another order.
        Location { function, label: label.into(), ..Location::on_line(Kind::Block, file, line) }
    }

    pub(crate) fn into_functions(self) -> Vec<Function> {
        self.0.into_iter().collect()
    }
}

/// Splits a column's name into file, line and function. It is `file:line`, `file:line:function` or `function()`; any
/// other name is the function.
pub(super) fn place(label: &str) -> (&str, u32, &str) {
    // `parse` alone would accept `+3`.
    let line_number = |text: &str| {
        let line = text.parse::<u32>().ok()?;
        (line > 0 && text.bytes().all(|b| b.is_ascii_digit())).then_some(line)
    };
    for (colon, _) in label.match_indices(':').filter(|&(colon, _)| colon > 0) {
        let rest = &label[colon + 1..];
        let (line, function) = rest.split_once(':').unwrap_or((rest, ""));
        if let Some(line) = line_number(line) {
            return (&label[..colon], line, without_block(function));
        }
    }
    ("", 0, label.strip_suffix("()").unwrap_or(label))
}

/// Strips the `#12` or `#12~2` that distinguishes the blocks of a function.
fn without_block(function: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match function.rsplit_once('#') {
        Some((name, block)) if block.split('~').all(is_number) => name,
        _ => function,
    }
}
