//! Names functions as JavaScript's tools do: `Stack.push`, `sort`, `render.(anonymous)`.

use super::FunctionCoverage;
use super::places::Class;
use super::ranges::Ranges;

const ANONYMOUS: &str = "(anonymous)";
/// V8's name for the initialisers of a class's fields.
const FIELDS: &str = "<instance_members_initializer>";
const STATIC_FIELDS: &str = "<static_initializer>";

/// Returns the name of each function; empty for code outside of functions, which is the first function.
///
/// `written` are names by a source map, and `classes` those of the script.
pub(super) fn names(
    functions: &[FunctionCoverage<'_>],
    ranges: &Ranges<'_>,
    written: &[Option<String>],
    classes: &[Class],
) -> Vec<String> {
    let parents = ranges.parents();
    let begin = |index: usize| functions[index].ranges.first().map_or(0, |range| range.begin);
    let mut names = vec![String::new(); functions.len()];
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_key(|&index| {
        (begin(index), parents[index].is_some_and(|parent| begin(parent) == begin(index)))
    });
    for index in order {
        let Some(parent) = parents[index] else { continue };
        let function = &functions[index];
        let own = written.get(index).cloned().flatten();
        let own = own.unwrap_or_else(|| function.name.to_string());
        let at = begin(index);
        let class = innermost(classes, at)
            .filter(|class| !class.name.is_empty() && is_member(&functions[parent], begin(parent), class));
        names[index] = match (class, own.as_str()) {
            (Some(class), FIELDS) => format!("{}.(fields)", class.name),
            (Some(class), STATIC_FIELDS) => format!("{}.(static fields)", class.name),
            (Some(class), name) if name == class.name => format!("{name}.constructor"),
            (Some(class), name) if !name.is_empty() => format!("{}.{name}", class.name),
            (_, "") if names[parent].is_empty() => ANONYMOUS.to_owned(),
            (_, "") if names[parent].ends_with(ANONYMOUS) => names[parent].clone(),
            (_, "") => format!("{}.{ANONYMOUS}", names[parent]),
            (_, name) => name.to_owned(),
        };
    }
    names
}

/// Returns true if a function directly below `parent` is a member of the class, and not local to one of its members.
fn is_member(parent: &FunctionCoverage<'_>, begin: u32, class: &Class) -> bool {
    [FIELDS, STATIC_FIELDS].contains(&&*parent.name) || begin <= class.begin
}

fn innermost(classes: &[Class], at: u32) -> Option<&Class> {
    let before = classes.partition_point(|class| class.begin <= at);
    classes[..before].iter().rev().take(MOST_CLASSES).find(|class| at < class.end)
}

/// Maximum number of classes to look back for the one around a position.
const MOST_CLASSES: usize = 64;
