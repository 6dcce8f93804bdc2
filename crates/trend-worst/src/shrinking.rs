//! Proposes simpler recipes.

use crate::{Form, Key, Order, Part, Recipe, Times};

/// Returns the recipes that are one step simpler, the largest steps first. To minimise a recipe, a caller repeatedly
/// takes the first one with the same effect, until there is none.
pub fn smaller(recipe: &Recipe) -> Vec<Recipe> {
    let length = recipe.length();
    let mut all: Vec<(usize, Recipe)> = variants(&recipe.parts)
        .into_iter()
        .filter_map(Recipe::new)
        .map(|smaller| (smaller.length(), smaller))
        .filter(|(shorter, _)| *shorter < length)
        .collect();
    all.sort();
    all.dedup();
    all.into_iter().map(|(_, recipe)| recipe).collect()
}

/// Returns copies of a sequence with one part removed or simplified.
fn variants(parts: &[Part]) -> Vec<Vec<Part>> {
    let mut all = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let with = |replaced: Vec<Part>| [&parts[..i], &replaced, &parts[i + 1..]].concat();
        all.push(with(Vec::new()));
        all.extend(simpler(part).into_iter().map(with));
    }
    all
}

fn simpler(part: &Part) -> Vec<Vec<Part>> {
    match part {
        Part::Text(text) => shorter(text).into_iter().map(|text| vec![Part::Text(text)]).collect(),
        Part::Key(key) => {
            let simple = Key { order: Order::Up, form: Form::Number(1) };
            let ascending = Key { order: Order::Up, ..*key };
            let one = vec![Part::Text(b"a".to_vec())];
            vec![one, vec![Part::Key(simple)], vec![Part::Key(ascending)]]
        }
        Part::Repeat(times, unit) => {
            let repeated = variants(unit).into_iter().map(|unit| vec![Part::Repeat(*times, unit)]);
            let ungrouped = (*times == Times::Root).then(|| vec![Part::Repeat(Times::All, ungrouped(unit))]);
            repeated.chain(std::iter::once(unit.clone())).chain(ungrouped).collect()
        }
    }
}

/// Returns a group's parts without their repetitions.
fn ungrouped(unit: &[Part]) -> Vec<Part> {
    let parts = unit.iter().map(|part| match part {
        Part::Repeat(_, parts) => parts.clone(),
        part => vec![part.clone()],
    });
    parts.flatten().collect()
}

/// Returns shorter texts: halves, and those without one byte.
fn shorter(text: &[u8]) -> Vec<Vec<u8>> {
    let half = text.len() / 2;
    let mut all = Vec::new();
    if half > 1 {
        all.extend([text[..half].to_vec(), text[half..].to_vec()]);
    }
    if text.len() > 1 {
        all.extend((0..text.len()).map(|i| [&text[..i], &text[i + 1..]].concat()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simplifies a recipe while its input of size 5 contains a text.
    fn shrunk(recipe: &str, keeps: &str) -> String {
        let mut recipe: Recipe = recipe.parse().unwrap();
        let keeps = |r: &Recipe| String::from_utf8(r.input(5)).unwrap().contains(keeps);
        while let Some(next) = smaller(&recipe).into_iter().find(keeps) {
            recipe = next;
        }
        recipe.to_string()
    }

    #[test]
    fn everything_is_left_out_that_does_not_matter() {
        assert_eq!(shrunk(r#""abc" ("x[yz" {down:letters})×n "]"×n "end""#, "]]]]]"), r#""]"×n"#);
        assert_eq!(shrunk(r#"("ab[[" {up} "c")×n "xyz"×n "q""#, "[["), r#""["×n"#);
        assert_eq!(shrunk(r#"("k" {zigzag:letters} " ")×n"#, "a"), r#""a"×n"#);
        assert_eq!(shrunk(r#"(("a" {up})×√n "\n")×√n"#, "a"), r#""a"×n"#);
    }
}
