//! The places that columns of costs name.

use indexmap::IndexSet;
use trend_profile::{Function, FunctionId, Kind, Location};

/// The functions that columns belong to, each once.
#[derive(Default)]
pub(crate) struct ColumnPlaces(IndexSet<Function>);

impl ColumnPlaces {
    pub(crate) fn location(&mut self, label: &str) -> Location {
        let (file, line, name) = place(label);
        let function = Function::plain(name, file, 0);
        let function = FunctionId(self.0.insert_full(function).0 as u32);
        // The label tells columns apart. Their position does not: another table may have them in another order.
        Location { function, label: label.into(), ..Location::on_line(Kind::Block, file, line) }
    }

    pub(crate) fn into_functions(self) -> Vec<Function> {
        self.0.into_iter().collect()
    }
}

/// File, line and function of a column: `file:line`, `file:line:function`, `function()`, or a name that
/// says nothing more and is then the function's.
pub(super) fn place(label: &str) -> (&str, u32, &str) {
    // `parse` alone would take `+3`.
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

/// A function's name without the `#12` or `#12~2` that tells its blocks apart.
fn without_block(function: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match function.rsplit_once('#') {
        Some((name, block)) if block.split('~').all(is_number) => name,
        _ => function,
    }
}
