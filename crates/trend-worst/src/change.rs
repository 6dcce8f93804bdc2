//! Changes recipes a little.

use crate::chance::Chance;
use crate::fragments::punctuation;
use crate::invention::{draw_key, draw_unit, invent};
use crate::{Fragments, Part, Recipe, Times};

/// Maximum number of parts at the top of a recipe, and within a repetition.
const MOST_PARTS: usize = 8;

/// Number of attempts to change a recipe so that it stays linear.
const ATTEMPTS: usize = 8;

/// Returns a changed copy of a recipe. Parts can be taken from `other`.
pub(crate) fn change(recipe: &Recipe, other: &Recipe, fragments: &Fragments, chance: &mut Chance) -> Recipe {
    for _ in 0..ATTEMPTS {
        let mut parts = recipe.parts.clone();
        for _ in 0..chance.between(1, 3) {
            change_parts(&mut parts, other, fragments, chance);
        }
        if let Some(changed) = Recipe::new(parts).filter(|changed| changed != recipe) {
            return changed;
        }
    }
    invent(fragments, chance)
}

fn change_parts(parts: &mut Vec<Part>, other: &Recipe, fragments: &Fragments, chance: &mut Chance) {
    // Descends into a repetition in most cases.
    let repeats: Vec<usize> = (0..parts.len()).filter(|i| matches!(parts[*i], Part::Repeat(..))).collect();
    if chance.happens(60)
        && let Some(&inner) = chance.pick(&repeats)
        && let Part::Repeat(_, unit) = &mut parts[inner]
    {
        change_sequence(unit, fragments, chance);
        return;
    }
    let place = chance.below(parts.len() + 1);
    match chance.below(8) {
        0 | 1 if parts.len() < MOST_PARTS => {
            parts.insert(place, Part::Repeat(Times::All, draw_unit(fragments, chance)));
        }
        2 if parts.len() < MOST_PARTS => {
            if let Some(part) = chance.pick(&other.parts) {
                parts.insert(place, part.clone());
            }
        }
        3 if parts.len() > 1 => {
            let second = chance.below(parts.len());
            parts.swap(place % second.max(1), second);
        }
        4 => {
            // Repeats a text, or replaces a repetition by its only part.
            if let Some(part) = parts.get_mut(place) {
                *part = match std::mem::replace(part, Part::Text(Vec::new())) {
                    Part::Text(text) => Part::Repeat(Times::All, vec![Part::Text(text)]),
                    Part::Repeat(Times::All, unit) if unit.len() == 1 && repeats.len() > 1 => unit[0].clone(),
                    part => part,
                };
            }
        }
        _ => change_sequence(parts, fragments, chance),
    }
}

/// Changes one of several parts.
fn change_sequence(parts: &mut Vec<Part>, fragments: &Fragments, chance: &mut Chance) {
    let place = chance.below(parts.len());
    match chance.below(10) {
        0..3 if parts.len() < MOST_PARTS => {
            parts.insert(chance.below(parts.len() + 1), Part::Text(fragments.draw(chance)));
        }
        3 if parts.len() < MOST_PARTS => parts.insert(place, Part::Key(draw_key(chance))),
        4 | 5 if parts.len() > 1 => drop(parts.remove(place)),
        6 if parts.len() > 1 => parts.swap(0, place),
        _ => change_part(&mut parts[place], fragments, chance),
    }
}

fn change_part(part: &mut Part, fragments: &Fragments, chance: &mut Chance) {
    match part {
        Part::Repeat(_, unit) => change_sequence(unit, fragments, chance),
        Part::Key(key) => *key = draw_key(chance),
        Part::Text(text) => match chance.below(4) {
            0 if text.len() > 1 => drop(text.remove(chance.below(text.len()))),
            1 => {
                let place = chance.below(text.len());
                text[place] = punctuation(chance);
            }
            2 => text.insert(chance.below(text.len() + 1), punctuation(chance)),
            _ => *text = fragments.draw(chance),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_stay_linear_and_reach_what_one_step_away_is() {
        let fragments = Fragments::new(vec![b"<a>".to_vec()], b"");
        let mut chance = Chance::new(3);
        let from: Recipe = r#""["×n"#.parse().unwrap();
        let changed: Vec<String> =
            (0..3000).map(|_| change(&from, &from, &fragments, &mut chance).to_string()).collect();
        let has = |begin: &str, end: &str| {
            changed.iter().any(|recipe| recipe.starts_with(begin) && recipe.ends_with(end))
        };
        assert!(has(r#""["×n ""#, "\"×n") && has(r#"("[" {"#, "})×n") && has(r#""["×n ""#, "\""));
        assert!(changed.iter().all(|recipe| recipe.parse::<Recipe>().is_ok()));
    }
}
