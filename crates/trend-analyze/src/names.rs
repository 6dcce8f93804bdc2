//! Names by which a person recognises locations, unique within a study.

use std::collections::HashMap;

use trend_profile::{Location, Study};

/// One name per location, by [`trend_profile::LocationId`]: [`Member::name`](crate::Member::name) is one of them.
///
/// The shortest of these that no other location has: the imported label or, where there is none, `file:line`; that
/// with `#block`, with `:function#block`, and with the function's linkage name or a running number. A name thus says
/// only as much as is needed to tell locations apart, and does not depend on the order in which they were found.
pub fn location_names(study: &Study) -> Vec<String> {
    let place = |l: &Location| {
        if !l.label.is_empty() {
            l.label.clone()
        } else if l.line > 0 {
            format!("{}:{}", l.file, l.line)
        } else {
            study.function(l.function).symbol.name.clone()
        }
    };
    let forms: [&dyn Fn(&Location) -> String; 4] = [
        &place,
        &|l| format!("{}#{}", place(l), l.block),
        &|l| format!("{}:{}#{}", place(l), study.function(l.function).symbol.name, l.block),
        &|l| format!("{}:{}#{}", place(l), study.function(l.function).symbol.linkage, l.block),
    ];
    let mut names: Vec<Option<String>> = vec![None; study.locations().len()];
    for form in forms {
        if names.iter().all(Option::is_some) {
            break;
        }
        let candidates: Vec<String> = study
            .locations()
            .iter()
            .map(|l| if l.kind == trend_profile::Kind::Block { form(l) } else { String::new() })
            .collect();
        let mut is_unique = vec![true; candidates.len()];
        let mut first: HashMap<&str, usize> = HashMap::with_capacity(candidates.len());
        for (i, candidate) in candidates.iter().enumerate() {
            let first = *first.entry(candidate).or_insert(i);
            if first != i {
                is_unique[first] = false;
                is_unique[i] = false;
            }
        }
        for ((name, candidate), is_unique) in names.iter_mut().zip(candidates).zip(is_unique) {
            if name.is_none() && is_unique {
                *name = Some(candidate);
            }
        }
    }
    let mut copies: HashMap<String, u32> = HashMap::new();
    let numbered = |(name, location): (Option<String>, &Location)| {
        name.unwrap_or_else(|| {
            let base = forms[3](location);
            let copy = copies.entry(base.clone()).or_default();
            *copy += 1;
            format!("{base}~{copy}")
        })
    };
    names.into_iter().zip(study.locations()).map(numbered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_as_much_as_is_needed_to_tell_locations_apart() {
        let study =
            Study::from_text("a.c:3:f: 1 2\nb.c:3:f: 1 2\nb.c:3:f: 2 2\nb.c:4:g: 1 1\nwork(): 1 5").unwrap();
        assert_eq!(location_names(&study), ["work", "a.c:3", "b.c:3#3", "b.c:3#4", "b.c:4"]);
    }
}
