//! The names of inputs in polynomials: counters of loops are told apart from variables, and from one another.

use trend_model::loops::Polynomial;
use trend_profile::LoopInput;

/// What separates the name of a counter from the number of its loop in a [`symbol`].
const MARK: char = '@';

/// The name of an input in polynomials: counters are told apart by their loops. A name that has a mark of its own gets one
/// more, so that it is not taken for a counter.
pub(super) fn symbol(input: &LoopInput) -> String {
    let name = &input.name;
    match input.counter_of {
        Some(of) => format!("{name}{MARK}{of}"),
        None if name.contains(MARK) => format!("{name}{MARK}"),
        None => name.clone(),
    }
}

/// The name of a counter and the loop whose counter it is, of the [`symbol`] of one.
pub(super) fn counter(symbol: &str) -> Option<(&str, u32)> {
    let (name, of) = symbol.rsplit_once(MARK)?;
    Some((name, of.parse().ok()?))
}

/// A name as the program has it.
fn shown(symbol: &str) -> &str {
    counter(symbol).map(|(name, _)| name).or_else(|| symbol.strip_suffix(MARK)).unwrap_or(symbol)
}

/// A polynomial with the names that the program has.
pub(super) fn in_words(polynomial: &Polynomial) -> Polynomial {
    let replaced = polynomial.substituted(&|name| Some(Polynomial::name(shown(name))));
    replaced.unwrap_or_else(|| polynomial.clone())
}
