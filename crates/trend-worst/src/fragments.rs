//! Pieces of text that inputs are made of.

use std::collections::BTreeSet;

use crate::chance::Chance;

/// Characters that mean something in most formats.
const PUNCTUATION: &[u8] = b"[](){}<>*_`~!\"#&'+,-/:;=\\| \n";

/// Maximum length of a fragment. Longer ones leave no room for repetitions.
const LONGEST: usize = 48;

/// Maximum number of fragments of each kind.
const MOST: usize = 4096;

/// Minimum length of a string of the program. Shorter ones are mostly code or parts of numbers.
const SHORTEST_WORD: usize = 2;

/// Maximum number of bytes of each file that is used.
const MOST_BYTES: usize = 64 << 10;

/// The pieces of a program's inputs and of the program itself.
#[derive(Clone, Debug, Default)]
pub struct Fragments {
    /// The user's inputs.
    pub(crate) seeds: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    lines: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Fragments {
    /// Splits the user's inputs, and finds the strings in a program's read-only data.
    pub fn new(seeds: Vec<Vec<u8>>, read_only: &[u8]) -> Self {
        let cut = |mut seed: Vec<u8>| {
            seed.truncate(MOST_BYTES);
            seed
        };
        let seeds: Vec<Vec<u8>> = seeds.into_iter().map(cut).filter(|seed| !seed.is_empty()).collect();
        let tokens = distinct(seeds.iter().flat_map(|seed| tokens(seed)));
        let lines = distinct(seeds.iter().flat_map(|seed| seed.split_inclusive(|byte| *byte == b'\n')));
        let words = distinct(strings(read_only));
        Self { seeds, tokens, lines, words }
    }

    /// Returns the number of different fragments.
    pub fn count(&self) -> usize {
        self.tokens.len() + self.lines.len() + self.words.len()
    }

    /// Draws a fragment.
    pub(crate) fn draw(&self, chance: &mut Chance) -> Vec<u8> {
        let from = |fragments: &[Vec<u8>], chance: &mut Chance| chance.pick(fragments).cloned();
        let drawn = match chance.below(100) {
            0..40 => None,
            40..65 => from(&self.tokens, chance),
            65..75 => from(&self.lines, chance),
            75..90 => from(&self.words, chance),
            _ => chance.pick(&self.seeds).and_then(|seed| Some(vec![*chance.pick(seed)?])),
        };
        drawn.unwrap_or_else(|| (0..chance.between(1, 2)).map(|_| punctuation(chance)).collect())
    }
}

/// Draws a character that means something in most formats.
pub(crate) fn punctuation(chance: &mut Chance) -> u8 {
    chance.pick(PUNCTUATION).copied().unwrap_or(b' ')
}

/// Returns fragments without repetitions, in order.
fn distinct<'a>(fragments: impl Iterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut all: BTreeSet<&[u8]> = BTreeSet::new();
    for fragment in fragments.filter(|fragment| !fragment.is_empty() && fragment.len() <= LONGEST) {
        if all.len() == MOST {
            break;
        }
        all.insert(fragment);
    }
    all.into_iter().map(<[u8]>::to_vec).collect()
}

/// The kind of a byte. A token is a run of one kind, but each punctuation mark is a separate token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Space,
    Mark,
}

fn kind(byte: u8) -> Kind {
    match byte {
        b if b.is_ascii_alphanumeric() || b >= 0x80 => Kind::Word,
        b if b.is_ascii_whitespace() => Kind::Space,
        _ => Kind::Mark,
    }
}

/// Splits bytes into tokens.
pub(crate) fn tokens(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.chunk_by(|a, b| kind(*a) == kind(*b) && kind(*a) != Kind::Mark)
}

/// Returns the strings in read-only data that may be part of an input.
fn strings(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    // A string with `%` formats a message.
    data.split(|byte| *byte == 0)
        .filter(move |s| s.len() >= SHORTEST_WORD && s.iter().all(is_text) && !s.contains(&b'%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_split_into_tokens_and_lines_and_the_program_into_its_strings() {
        let fragments = Fragments::new(
            vec![b"if (ab1 == 2)\nif\n".to_vec(), Vec::new()],
            b"\x01\x02\0<![CDATA[\0error: %s\0x\0caf\xe9\0end",
        );
        let shown = |all: &[Vec<u8>]| all.iter().map(|f| f.escape_ascii().to_string()).collect::<Vec<_>>();
        assert_eq!(shown(&fragments.tokens), ["\\n", " ", "(", ")", "2", "=", "ab1", "if"]);
        assert_eq!(shown(&fragments.lines), ["if\\n", "if (ab1 == 2)\\n"]);
        assert_eq!(shown(&fragments.words), ["<![CDATA[", "end"]);
        let mut chance = Chance::new(1);
        let drawn: BTreeSet<Vec<u8>> = (0..2000).map(|_| fragments.draw(&mut chance)).collect();
        assert!([&b"ab1"[..], b"<![CDATA[", b"if\n", b"["].iter().all(|f| drawn.contains(*f)));
    }
}
