//! `trend-prof grow`: makes a larger or smaller input of the same form.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;
use trend_run::Seed;
use trend_worst::Recipe;

use crate::cli;
use crate::failure::Failure;

/// Name of the parameter for inputs that are made from a file: their size in percent of it.
pub(crate) const PERCENT: &str = "percent";

/// Name of the parameter for inputs that are made from a recipe.
pub(crate) const REPETITIONS: &str = "times";

/// Maximum size of a generated input in bytes.
const MOST_BYTES: u64 = 64 << 30;

pub(crate) fn grow(args: &cli::Grow) -> Result<ExitCode, Failure> {
    let failed = |error: &dyn std::error::Error| {
        Failure::from_error(format!("failed to grow {}", args.file.display()), error)
    };
    let bytes = fs::read(&args.file).map_err(|error| failed(&error))?;
    if let Some(recipe) = Recipe::read(&bytes) {
        let recipe = recipe.map_err(|error| failed(&error))?;
        return from_recipe(args, &recipe);
    }
    let percent = args.percent.get();
    if bytes.len() as u64 * u64::from(percent) / 100 > MOST_BYTES {
        return Err(Failure::new(format!("{percent} % of {} is more than 64 GiB", args.file.display())));
    }
    let stdout = io::BufWriter::new(io::stdout().lock());
    match written(&bytes, percent, stdout) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(&error)),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Writes the input that a recipe makes with the given number of repetitions.
fn from_recipe(args: &cli::Grow, recipe: &Recipe) -> Result<ExitCode, Failure> {
    let times = u64::from(args.percent.get());
    let thousand = recipe.input(1000).len() as u64;
    if thousand.saturating_mul(times) / 1000 > MOST_BYTES {
        return Err(Failure::new(format!("{times} repetitions of {recipe} are more than 64 GiB")));
    }
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    match recipe.write(times, &mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::from_error(format!("failed to grow {}", args.file.display()), &error))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Returns the file that inputs are made from, with the name of the parameter for their size.
pub(crate) fn seed(path: &Path) -> Seed<'_> {
    let is_recipe = fs::read(path).is_ok_and(|bytes| Recipe::read(&bytes).is_some());
    Seed { path, parameter: if is_recipe { REPETITIONS } else { PERCENT } }
}

/// Writes the input scaled to `percent`.
fn written(bytes: &[u8], percent: u32, mut out: impl Write) -> io::Result<()> {
    if let Some(json) = grown_json(bytes, percent) {
        out.write_all(&json)?;
        return out.flush();
    }
    let unit = if is_text(bytes) { Unit::Line } else { Unit::Byte };
    for piece in pieces(bytes, percent, unit) {
        out.write_all(&piece)?;
    }
    out.flush()
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.contains(&b'\n') && !bytes.contains(&0)
}

#[derive(Clone, Copy)]
enum Unit {
    Line,
    Byte,
}

/// Yields `percent / 100` whole copies, then a part that ends at the end of a unit.
fn pieces(bytes: &[u8], percent: u32, unit: Unit) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let whole = percent as usize / 100;
    let rest = bytes.len() * (percent as usize % 100) / 100;
    let end = match unit {
        Unit::Byte => rest,
        Unit::Line => {
            let from = rest.saturating_sub(1);
            bytes[from..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| from + i + 1)
        }
    };
    let end = if percent.is_multiple_of(100) { 0 } else { end };
    // End each copy with a newline, so that lines of two copies do not join.
    let ends_line = matches!(unit, Unit::Byte) || bytes.ends_with(b"\n");
    let copy = move || if ends_line { Cow::Borrowed(bytes) } else { Cow::Owned([bytes, b"\n"].concat()) };
    (0..whole).map(move |_| copy()).chain(std::iter::once(Cow::Borrowed(&bytes[..end])))
}

/// Scales the largest array of a JSON document to `percent`. Returns `None` if the bytes are not JSON or contain no
/// array.
fn grown_json(bytes: &[u8], percent: u32) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    let elements = largest_array(&mut value)?;
    let wanted = (elements.len() * percent as usize).div_ceil(100);
    let cycle: Vec<Value> = std::mem::take(elements);
    *elements = cycle.iter().cycle().take(wanted).cloned().collect();
    serde_json::to_vec(&value).ok()
}

/// Returns the array with the most elements, among those that are not inside another array.
fn largest_array(value: &mut Value) -> Option<&mut Vec<Value>> {
    match value {
        Value::Array(elements) if elements.is_empty() => None,
        Value::Array(elements) => Some(elements),
        Value::Object(fields) => {
            fields.values_mut().filter_map(largest_array).max_by_key(|elements| elements.len())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(text: &str, percent: u32) -> String {
        let mut out = Vec::new();
        written(text.as_bytes(), percent, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn json_stays_json_with_more_or_fewer_elements() {
        assert_eq!(grown("[1, 2, 3, 4]", 50), "[1,2]");
        assert_eq!(grown("[1, 2]", 250), "[1,2,1,2,1]");
        assert_eq!(grown("{\"a\": [1], \"b\": {\"c\": [1, 2]}}", 200), "{\"a\":[1],\"b\":{\"c\":[1,2,1,2]}}");
        // The empty array has no elements to repeat, so the text is scaled as bytes.
        assert_eq!(grown("{\"a\": 1}", 100), "{\"a\": 1}");
    }

    #[test]
    fn text_grows_by_whole_lines_and_anything_else_by_bytes() {
        assert_eq!(grown("a\nbb\nccc\ndddd\n", 50), "a\nbb\nccc\n");
        assert_eq!(grown("a\nb\n", 150), "a\nb\na\n");
        assert_eq!(grown("a\nb", 200), "a\nb\na\nb\n");
        assert_eq!(grown("abcd", 150), "abcdab");
        assert_eq!(grown("abcd", 25), "a");
    }
}
