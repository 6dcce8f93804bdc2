//! Invents recipes from fragments.

use crate::chance::Chance;
use crate::fragments::{punctuation, tokens};
use crate::{Form, Fragments, Key, Order, Part, Recipe, Times};

/// Maximum number of bytes of a seed on each side of a repetition, and between two of them. Small inputs must consist
/// mostly of repetitions.
const MOST_BESIDE: usize = 200;

/// Maximum length of a piece of a seed that is repeated.
const LONGEST_PIECE: usize = 40;

/// Factors of numbers. Sizes of hash tables are powers of two or primes such as these.
const FACTORS: [u32; 6] = [1, 2, 1024, 65_536, 1_000_003, 107_897];

/// Invents a recipe. Most are wrong in most formats, but cheap to try.
pub(crate) fn invent(fragments: &Fragments, chance: &mut Chance) -> Recipe {
    loop {
        let parts = match chance.below(100) {
            0..25 => Some(repeated_fragments(fragments, chance)),
            25..50 => Some(repeated_punctuation(chance)),
            50..70 => repeated_piece(fragments, chance),
            70..80 => nested_pieces(fragments, chance),
            80..95 => Some(keys(fragments, chance)),
            _ => Some(groups(fragments, chance)),
        };
        if let Some(recipe) = parts.and_then(Recipe::new) {
            return recipe;
        }
    }
}

/// Draws a key.
pub(crate) fn draw_key(chance: &mut Chance) -> Key {
    let order = chance.pick(&Order::ALL).map_or(Order::Up, |(order, _)| *order);
    let form = match chance.below(10) {
        0..3 => Form::Number(1),
        3 => Form::Number(chance.pick(&FACTORS).copied().unwrap_or(1)),
        4 => Form::Padded,
        5 | 6 => Form::Letters,
        7 => Form::Rearranged,
        8 => Form::Hash31,
        _ => Form::Hash33,
    };
    Key { order, form }
}

/// Draws a few fragments, sometimes with a key among them.
pub(crate) fn draw_unit(fragments: &Fragments, chance: &mut Chance) -> Vec<Part> {
    let mut unit: Vec<Part> = (0..chance.between(1, 3)).map(|_| Part::Text(fragments.draw(chance))).collect();
    if chance.happens(10) {
        unit.insert(chance.below(unit.len() + 1), Part::Key(draw_key(chance)));
    }
    unit
}

/// Invents repeated fragments, sometimes with text around: `"a"×n "bc"×n`.
fn repeated_fragments(fragments: &Fragments, chance: &mut Chance) -> Vec<Part> {
    let mut parts = Vec::new();
    for _ in 0..chance.between(1, 3) {
        if chance.happens(15) {
            parts.push(Part::Text(fragments.draw(chance)));
        }
        parts.push(Part::Repeat(Times::All, draw_unit(fragments, chance)));
    }
    if chance.happens(15) {
        parts.push(Part::Text(fragments.draw(chance)));
    }
    parts
}

/// Invents two repeated runs of punctuation, as in `">"×n "*_;"×n`. The first has one mark or up to four; the second
/// has up to four. Some formats nest at a mark, others search for it.
fn repeated_punctuation(chance: &mut Chance) -> Vec<Part> {
    let most = if chance.happens(50) { 1 } else { 4 };
    let parts = [most, 4].map(|most| {
        let text = (0..chance.between(1, most)).map(|_| punctuation(chance)).collect();
        Part::Repeat(Times::All, vec![Part::Text(text)])
    });
    parts.to_vec()
}

/// Returns the places at which a seed is cut, from 0 to its length: the ends of tokens, or only those outside of
/// brackets, such as the ends of `<a>`.
fn cuts(seed: &[u8], chance: &mut Chance) -> Vec<usize> {
    let mut at = 0;
    let ends = tokens(seed).map(|token| {
        at += token.len();
        at
    });
    let all: Vec<usize> = std::iter::once(0).chain(ends).collect();
    if chance.happens(50) {
        return all;
    }
    let is_outside = |at: &usize| {
        let before = at.checked_sub(1).map(|before| seed[before]);
        let after = seed.get(*at);
        before.is_none_or(|byte| b">])}\n".contains(&byte)) || after.is_none_or(|byte| b"<[({".contains(byte))
    };
    all.into_iter().filter(is_outside).collect()
}

/// Returns the parts of a seed before and after the bytes from `begin` to `end`.
fn around(seed: &[u8], begin: usize, end: usize) -> (Vec<u8>, Vec<u8>) {
    let from_line = |at: usize| seed[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |i| i + 1);
    let before = if begin <= MOST_BESIDE { 0 } else { from_line(begin).max(begin - MOST_BESIDE) };
    let after = if seed.len() - end <= MOST_BESIDE {
        seed.len()
    } else {
        let line = seed[end..].iter().position(|byte| *byte == b'\n').map_or(0, |i| i + 1);
        end + line.min(MOST_BESIDE)
    };
    (seed[before..begin].to_vec(), seed[end..after].to_vec())
}

/// Invents a seed in which a piece is repeated, often with a counter in place of one of its words.
fn repeated_piece(fragments: &Fragments, chance: &mut Chance) -> Option<Vec<Part>> {
    let seed = chance.pick(&fragments.seeds)?;
    let cuts = cuts(seed, chance);
    let first = chance.below(cuts.len() - 1);
    let pieces = chance.between(1, 8).min(cuts.len() - 1 - first);
    let (begin, end) = (cuts[first], cuts[first + pieces]);
    if end - begin > LONGEST_PIECE {
        return None;
    }
    let (before, after) = around(seed, begin, end);
    let unit = with_key(&seed[begin..end], chance);
    Some(vec![Part::Text(before), Part::Repeat(Times::All, unit), Part::Text(after)])
}

/// Replaces a word of a piece with a key in some cases, or appends a key to the word.
fn with_key(piece: &[u8], chance: &mut Chance) -> Vec<Part> {
    let tokens: Vec<&[u8]> = tokens(piece).collect();
    let words: Vec<usize> = (0..tokens.len()).filter(|i| tokens[*i][0].is_ascii_alphanumeric()).collect();
    let Some(&word) = chance.pick(&words) else { return vec![Part::Text(piece.to_vec())] };
    if chance.happens(50) {
        return vec![Part::Text(piece.to_vec())];
    }
    let mut parts = vec![Part::Text(tokens[..word].concat())];
    if chance.happens(30) {
        parts.push(Part::Text(tokens[word].to_vec()));
    }
    parts.extend([Part::Key(draw_key(chance)), Part::Text(tokens[word + 1..].concat())]);
    parts
}

/// Invents a seed in which one piece is repeated, and then another one: `<a>` and `</a>` of `<a>x</a>`.
fn nested_pieces(fragments: &Fragments, chance: &mut Chance) -> Option<Vec<Part>> {
    let seed = chance.pick(&fragments.seeds)?;
    let cuts = cuts(seed, chance);
    let last = cuts.len() - 1;
    let mut ends = [(); 4].map(|()| chance.below(last + 1));
    // Most pairs are near each other.
    if chance.happens(70) {
        ends = ends.map(|end| (ends[0] + end % 12).min(last));
    }
    ends.sort_unstable();
    let [open, opened, close, closed] = ends.map(|end| cuts[end]);
    let is_long = |begin: usize, end: usize| end - begin > LONGEST_PIECE;
    if is_long(open, opened) || is_long(close, closed) || close - opened > MOST_BESIDE {
        return None;
    }
    let (before, after) = (around(seed, open, open).0, around(seed, closed, closed).1);
    let repeat =
        |begin: usize, end: usize| Part::Repeat(Times::All, vec![Part::Text(seed[begin..end].to_vec())]);
    let inner = Part::Text(seed[opened..close].to_vec());
    Some(vec![Part::Text(before), repeat(open, opened), inner, repeat(close, closed), Part::Text(after)])
}

/// Invents a list of keys.
fn keys(fragments: &Fragments, chance: &mut Chance) -> Vec<Part> {
    let separator = match chance.below(4) {
        0 | 1 => b"\n".to_vec(),
        2 => b" ".to_vec(),
        _ => fragments.draw(chance),
    };
    let mut unit = vec![Part::Key(draw_key(chance)), Part::Text(separator)];
    if chance.happens(30) {
        unit.insert(0, Part::Text(fragments.draw(chance)));
    }
    if chance.happens(20) {
        unit.push(Part::Text(fragments.draw(chance)));
    }
    let mut parts = vec![Part::Repeat(Times::All, unit)];
    if chance.happens(30) {
        parts.push(Part::Repeat(Times::All, draw_unit(fragments, chance)));
    }
    if chance.happens(20) {
        parts.insert(0, Part::Text(fragments.draw(chance)));
        parts.push(Part::Text(fragments.draw(chance)));
    }
    parts
}

/// Invents many groups with many parts each.
fn groups(fragments: &Fragments, chance: &mut Chance) -> Vec<Part> {
    let mut group = vec![Part::Repeat(Times::Root, draw_unit(fragments, chance))];
    if chance.happens(50) {
        group.insert(0, Part::Text(fragments.draw(chance)));
    }
    if chance.happens(70) {
        group.push(Part::Text(fragments.draw(chance)));
    }
    vec![Part::Repeat(Times::Root, group)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_keep_the_form_of_the_seed() {
        let seed = b"<a><b x=\"1\">text</b></a>".to_vec();
        let fragments = Fragments::new(vec![seed], b"");
        let mut chance = Chance::new(7);
        let recipes: Vec<String> = (0..4000).map(|_| invent(&fragments, &mut chance).to_string()).collect();
        let has = |text: &str| recipes.iter().any(|recipe| recipe == text);
        assert!(has(r#""<a>" "<b x=\"1\">"×n "text" "</b>"×n "</a>""#));
        let is_attribute = |recipe: &String| recipe.contains(r#""<a><b" (" x=\"" {"#);
        assert!(recipes.iter().any(is_attribute));
    }
}
