//! Names of inputs in polynomials, which distinguish counters of loops from variables and from one another.

use trend_model::loops::Polynomial;
use trend_profile::LoopInput;

/// The separator between the name of a counter and the index of its loop in a [`symbol`].
const MARK: char = '@';

/// Returns the name of an input in polynomials. The name of a counter includes its loop. If the name of a variable
/// contains the separator, another one is appended, so that it is not mistaken for a counter.
pub(super) fn symbol(input: &LoopInput) -> String {
    let name = &input.name;
    match input.counter_of {
        Some(index) => format!("{name}{MARK}{index}"),
        None if name.contains(MARK) => format!("{name}{MARK}"),
        None => name.clone(),
    }
}

/// Splits the [`symbol`] of a counter into its name and the index of its loop.
pub(super) fn counter(symbol: &str) -> Option<(&str, u32)> {
    let (name, index) = symbol.rsplit_once(MARK)?;
    Some((name, index.parse().ok()?))
}

/// Returns the program's own name for a symbol.
fn shown(symbol: &str) -> &str {
    counter(symbol).map(|(name, _)| name).or_else(|| symbol.strip_suffix(MARK)).unwrap_or(symbol)
}

/// Returns the file name of a path. The name is enough for a symbol, and leaves room for the rest of a formula.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns a polynomial with the program's own names.
pub(super) fn in_words(polynomial: &Polynomial) -> Polynomial {
    let replaced = polynomial.substituted(&|name| name.contains(MARK).then(|| Polynomial::name(shown(name))));
    replaced.unwrap_or_else(|| polynomial.clone())
}
