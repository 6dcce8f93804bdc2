//! Recipes: generators of inputs of any size.

use std::io::{self, Write};

use crate::Key;

/// A generator of inputs of any size. Its text is its form in files, such as `"<a>"×n "x" "</a>"×n`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipe {
    pub(crate) parts: Vec<Part>,
}

/// A part of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// These bytes.
    Text(Vec<u8>),
    /// A text that differs between repetitions.
    Key(Key),
    /// Parts that are repeated.
    Repeat(Times, Vec<Part>),
}

/// A number of repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Times {
    /// The size of the input, `n`.
    All,
    /// The square root of the size, rounded up. One such repetition inside another is linear in `n`.
    Root,
}

impl Times {
    fn count(self, n: u64) -> u64 {
        match self {
            Self::All => n,
            Self::Root => {
                let root = n.isqrt();
                root + u64::from(root * root < n)
            }
        }
    }

    /// Returns the exponent of `n`, doubled.
    fn halves(self) -> u32 {
        match self {
            Self::All => 2,
            Self::Root => 1,
        }
    }
}

/// Position in the repetitions around a part.
#[derive(Clone, Copy)]
struct RepetitionPosition {
    position: u64,
    count: u64,
}

impl Recipe {
    /// Creates a recipe. Returns `None` if its length would not be about linear in `n`: if nothing is repeated, or if
    /// repetitions of `n` are inside others.
    pub fn new(parts: Vec<Part>) -> Option<Self> {
        let recipe = Self { parts: merged(parts) };
        (degree(&recipe.parts) == 2).then_some(recipe)
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Writes the input of size `n`.
    ///
    /// # Errors
    /// Fails if `out` does.
    pub fn write(&self, n: u64, out: &mut impl Write) -> io::Result<()> {
        write_parts(&self.parts, n, RepetitionPosition { position: 0, count: 1 }, out)
    }

    /// Returns the input of size `n`.
    pub fn input(&self, n: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        // A vector takes everything.
        let _ = self.write(n, &mut bytes);
        bytes
    }

    /// Returns the number of bytes that do not depend on the size.
    pub fn fixed_bytes(&self) -> usize {
        self.input(0).len()
    }

    /// Returns the size whose input grows to about `bytes`, fixed parts aside; at least 1.
    pub fn size_for(&self, bytes: usize) -> u64 {
        let fixed = self.fixed_bytes();
        let grown = |n: u64| (self.input(n).len() - fixed).max(1);
        let first = (bytes as u64 / grown(1) as u64).clamp(1, 256);
        // Keys get longer with `n`, and roots change the length in steps.
        let second = first * bytes as u64 / grown(first) as u64;
        second.max(1)
    }

    /// Returns the length of the text of the recipe in characters. Shorter recipes are simpler.
    pub fn length(&self) -> usize {
        self.to_string().chars().count()
    }
}

fn write_parts(parts: &[Part], n: u64, place: RepetitionPosition, out: &mut impl Write) -> io::Result<()> {
    for part in parts {
        match part {
            Part::Text(bytes) => out.write_all(bytes)?,
            Part::Key(key) => key.write(place.position, place.count, out)?,
            Part::Repeat(times, parts) => {
                let times = times.count(n);
                let count = place.count * times;
                for repetition in 0..times {
                    let position = place.position * times + repetition;
                    write_parts(parts, n, RepetitionPosition { position, count }, out)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns the degree of the length in `n`, doubled.
fn degree(parts: &[Part]) -> u32 {
    let of = |part: &Part| match part {
        Part::Repeat(times, parts) if !parts.is_empty() => times.halves() + degree(parts),
        _ => 0,
    };
    parts.iter().map(of).max().unwrap_or(0)
}

/// Joins neighbouring texts and removes empty parts.
fn merged(parts: Vec<Part>) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match (part, all.last_mut()) {
            (Part::Text(more), Some(Part::Text(text))) => text.extend(more),
            (Part::Text(text), _) if text.is_empty() => {}
            (Part::Repeat(times, parts), _) => {
                let parts = merged(parts);
                if !parts.is_empty() {
                    all.push(Part::Repeat(times, parts));
                }
            }
            (part, _) => all.push(part),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(recipe: &str, n: u64) -> String {
        String::from_utf8(recipe.parse::<Recipe>().unwrap().input(n)).unwrap()
    }

    #[test]
    fn parts_are_repeated_and_counted() {
        assert_eq!(input(r#""<" "["×n "]"×n ">""#, 3), "<[[[]]]>");
        assert_eq!(input(r#"("k" {up} ",")×n"#, 3), "k0,k1,k2,");
        assert_eq!(input(r#"("a"×√n {up} "\n")×√n"#, 4), "aa0\naa1\n");
        assert_eq!(input(r#"(({up} " ")×√n "\n")×√n"#, 5), "0 1 2 \n3 4 5 \n6 7 8 \n");
        assert_eq!(input(r#""x" "["×n"#, 0), "x");
    }

    #[test]
    fn a_recipe_is_linear_in_its_size() {
        let text = |s: &str| Part::Text(s.into());
        let all = |parts: Vec<Part>| Part::Repeat(Times::All, parts);
        assert_eq!(Recipe::new(vec![text("a")]), None);
        assert_eq!(Recipe::new(vec![all(vec![all(vec![text("a")])])]), None);
        assert_eq!(Recipe::new(vec![Part::Repeat(Times::Root, vec![text("a")])]), None);
        assert_eq!(Recipe::new(vec![all(vec![text("")])]), None);
        let merged = Recipe::new(vec![text("a"), text("b"), all(vec![text("c")]), text("")]).unwrap();
        assert_eq!(merged.to_string(), r#""ab" "c"×n"#);
    }

    #[test]
    fn the_size_for_a_length_gives_about_that_length() {
        for text in [r#""["×n "]"×n"#, r#"("key" {up} "\n")×n"#, r#""a long prefix" ("ab"×√n ",")×√n"#]
        {
            let recipe: Recipe = text.parse().unwrap();
            for bytes in [600, 10_000] {
                let grown = recipe.input(recipe.size_for(bytes)).len() - recipe.fixed_bytes();
                assert!(grown.abs_diff(bytes) * 5 < bytes * 2, "{text}: {grown} instead of {bytes}");
            }
        }
    }
}
