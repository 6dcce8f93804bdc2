//! Calling contexts as text: `main → parse`, the callers of a place from the outermost to the innermost.

use super::series::Place;

/// Separator between callers in a context.
const ARROW: &str = " → ";
/// Context of a place without known caller.
const NO_CALLER: &str = "(no caller)";
/// Maximum number of bytes kept of a caller's name.
const LONGEST_CALLER: usize = 80;

impl Place {
    /// Placeholder for unknown callers, before the known ones.
    pub const UNKNOWN_CALLERS: &str = "…";

    /// Joins the names of callers, innermost first, into a context. If there are more than `most`, a placeholder
    /// replaces the outer ones.
    pub fn context_of<'a>(callers: impl IntoIterator<Item = &'a str>, most: usize) -> String {
        let mut names: Vec<&str> = callers.into_iter().take(most + 1).map(Self::caller_name).collect();
        if let Some(further) = names.get_mut(most) {
            *further = Self::UNKNOWN_CALLERS;
        }
        names.reverse();
        if names.is_empty() { NO_CALLER.to_owned() } else { names.join(ARROW) }
    }

    /// Returns the callers in a context, outermost first.
    pub fn callers_in(context: &str) -> impl Iterator<Item = &str> {
        context.split(ARROW).filter(|name| !["", NO_CALLER].contains(name))
    }

    /// Returns a caller's name as it appears in contexts: cut if it is too long.
    pub fn caller_name(name: &str) -> &str {
        &name[..name.floor_char_boundary(LONGEST_CALLER)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_tell_their_callers() {
        let context = |callers: &[&str], most| Place::context_of(callers.iter().copied(), most);
        let callers = |context: &str| Place::callers_in(context).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(context(&["value", "parse", "main"], 3), "main → parse → value");
        assert_eq!(context(&["value", "parse", "main"], 2), "… → parse → value");
        assert_eq!(context(&[], 2), "(no caller)");
        assert_eq!(callers("… → parse → value"), ["…", "parse", "value"]);
        assert!(callers("(no caller)").is_empty() && callers("").is_empty());
        assert_eq!(context(&[&"é".repeat(50)], 1), "é".repeat(40));
    }
}
