//! Short, readable names of locations, unique within a study.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;
use trend_profile::{Kind, Location, Study};

/// A function that builds one form of a location's name.
type Form<'a> = dyn Fn(&Location) -> Arc<str> + Sync + 'a;

/// Returns one name per location, indexed by [`trend_profile::LocationId`]. [`Member::name`](crate::Member::name) is
/// one of these names. A location that is not a block has an empty name.
///
/// Each name is the shortest unique one of these forms: the imported label, or `file:line` if there is no label; the
/// same with `#block`; with `:function#block`; with the function's linkage name; with a running number. A name is
/// therefore only as long as needed to tell locations apart. The first four forms do not depend on the order in which
/// locations were found.
pub fn location_names(study: &Study) -> Vec<Arc<str>> {
    let place = |l: &Location| -> Arc<str> {
        if !l.label.is_empty() {
            l.label.clone()
        } else if l.line > 0 {
            format!("{}:{}", l.file, l.line).into()
        } else {
            study.function(l.function).symbol.name.as_str().into()
        }
    };
    let symbol = |l: &Location| &study.function(l.function).symbol;
    let with_linkage = |l: &Location| format!("{}:{}#{}", place(l), symbol(l).linkage, l.block).into();
    let forms: [&Form<'_>; 4] = [
        &place,
        &|l| format!("{}#{}", place(l), l.block).into(),
        &|l| format!("{}:{}#{}", place(l), symbol(l).name, l.block).into(),
        &with_linkage,
    ];
    let blocks: Vec<&Location> = study.locations().iter().filter(|l| l.kind == Kind::Block).collect();
    let mut names: Vec<Option<Arc<str>>> = vec![None; blocks.len()];
    for form in forms {
        if names.iter().all(Option::is_some) {
            break;
        }
        let candidates: Vec<Arc<str>> = blocks.par_iter().map(|l| form(l)).collect();
        for i in unique(&candidates) {
            names[i].get_or_insert_with(|| candidates[i].clone());
        }
    }
    let mut copies: HashMap<Arc<str>, u32> = HashMap::new();
    let mut numbered = blocks.iter().zip(names).map(|(location, name)| {
        name.unwrap_or_else(|| {
            let base = with_linkage(location);
            let copy = copies.entry(base.clone()).or_default();
            *copy += 1;
            format!("{base}~{copy}").into()
        })
    });
    let name = |l: &Location| match l.kind {
        Kind::Block => numbered.next().unwrap_or_default(),
        Kind::Entry => Arc::default(),
    };
    study.locations().iter().map(name).collect()
}

/// Returns the positions of the names that occur only once, in no particular order. Names are sorted by a digest, so
/// that only names with equal digests are compared.
fn unique(names: &[Arc<str>]) -> Vec<usize> {
    let digest = |(i, name): (usize, &Arc<str>)| {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        (hasher.finish(), i)
    };
    let mut digests: Vec<(u64, usize)> = names.par_iter().enumerate().map(digest).collect();
    digests.par_sort_unstable();
    let mut unique = Vec::with_capacity(names.len());
    for alike in digests.chunk_by_mut(|a, b| a.0 == b.0) {
        if alike.len() > 1 {
            alike.sort_unstable_by_key(|&(_, i)| &names[i]);
        }
        let equal = alike.chunk_by(|a, b| a.0 == b.0 && names[a.1] == names[b.1]);
        unique.extend(equal.filter(|equal| equal.len() == 1).map(|equal| equal[0].1));
    }
    unique
}

/// Shortens generic arguments: `HashMap<K, V>::insert` becomes `HashMap<…>::insert`. Brackets that hold no arguments
/// stay: `<T as Clone>::clone`, `<impl str>::find`, `operator<<`.
pub fn without_arguments(name: &str) -> String {
    let (mut short, mut hidden, mut before) = (String::with_capacity(name.len()), 0_usize, ' ');
    for (i, c) in name.char_indices() {
        let is_arrow = c == '>' && before == '-';
        before = c;
        match c {
            '<' if hidden > 0 => hidden += 1,
            '<' if holds_arguments(&short, &name[i + 1..]) => {
                short.push_str("<…");
                hidden = 1;
            }
            '>' if hidden > 0 && !is_arrow => hidden -= 1,
            _ => {}
        }
        if hidden == 0 {
            short.push(c);
        }
    }
    // A name with an unclosed bracket was cut short or is not a generic name; it is returned unchanged.
    if hidden > 0 { name.to_owned() } else { short }
}

fn holds_arguments(before: &str, after: &str) -> bool {
    let operator = before.rsplit_once("operator").map(|(_, symbol)| symbol);
    if let Some(symbol) = operator.filter(|symbol| !symbol.contains(char::is_alphanumeric)) {
        // The second `<` of `operator<<` belongs to the operator.
        return !symbol.is_empty() && symbol != "<";
    }
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) && !after.starts_with("impl ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_generics_are_left_out_and_other_brackets_stay() {
        let names = [
            ("HashMap<K, V>::insert", "HashMap<…>::insert"),
            ("a.cpp:3 in f<std::vector<int> >(g<int> const&)", "a.cpp:3 in f<…>(g<…> const&)"),
            ("Vec::<fn(u8) -> u8>::push", "Vec::<…>::push"),
            ("<Vec<T> as Extend<T>>::extend", "<Vec<…> as Extend<…>>::extend"),
            ("core::slice::<impl [T]>::sort", "core::slice::<impl [T]>::sort"),
            ("std::operator<< <char>(std::ostream<char>&)", "std::operator<< <…>(std::ostream<…>&)"),
            ("std::operator==<char>", "std::operator==<…>"),
            ("A::operator<(A<int> const&)", "A::operator<(A<…> const&)"),
            ("std::map<int, int>::operator[](int const&)", "std::map<…>::operator[](int const&)"),
            ("A<int>::operator->() const", "A<…>::operator->() const"),
            ("cut<short", "cut<short"),
        ];
        for (full, short) in names {
            assert_eq!(without_arguments(full), short);
        }
    }

    #[test]
    fn a_name_says_as_much_as_is_needed_to_tell_locations_apart() {
        let study =
            Study::from_text("a.c:3:f: 1 2\nb.c:3:f: 1 2\nb.c:3:f: 2 2\nb.c:4:g: 1 1\nwork(): 1 5").unwrap();
        let names = location_names(&study);
        assert_eq!(
            names.iter().map(|n| &**n).collect::<Vec<_>>(),
            ["work", "a.c:3", "b.c:3#3", "b.c:3#4", "b.c:4"]
        );
    }
}
