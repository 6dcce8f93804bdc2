//! Keys: texts that differ from one repetition to the next.

use std::io::{self, Write};

/// Words of equal length with equal hashes under `h = 31·h + c` (Java). Sequences of the same number of them also
/// have equal hashes.
const EQUAL_31: [&str; 2] = ["Aa", "BB"];

/// Words of equal length with equal hashes under `h = 33·h + c` (djb2). Sequences of the same number of them also
/// have equal hashes.
const EQUAL_33: [&str; 2] = ["Ez", "FY"];

/// A text with a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The order of the numbers.
    pub order: Order,
    /// The form of a number.
    pub form: Form,
}

/// The order in which a key counts from 0 to the number of repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Ascending.
    Up,
    /// Descending.
    Down,
    /// A permutation.
    Shuffled,
    /// From both ends: the least, the greatest, the second, the last but one.
    Zigzag,
}

/// The form in which a key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// A decimal number times this factor.
    Number(u32),
    /// A decimal number with leading zeros, so that all have the same length.
    Padded,
    /// Letters, all of the same length.
    Letters,
    /// Different words with the same sum of characters: the permutations of some letters.
    Rearranged,
    /// Different words with the same hash under `31·h + c`.
    Hash31,
    /// Different words with the same hash under `33·h + c`.
    Hash33,
}

impl Order {
    pub(crate) const ALL: [(Self, &'static str); 4] =
        [(Self::Up, "up"), (Self::Down, "down"), (Self::Shuffled, "shuffled"), (Self::Zigzag, "zigzag")];

    /// Returns the number at a position; both are below `count`.
    fn number(self, position: u64, count: u64) -> u64 {
        match self {
            Self::Up => position,
            Self::Down => count - 1 - position,
            Self::Shuffled => (u128::from(position) * u128::from(step(count)) % u128::from(count)) as u64,
            Self::Zigzag if position.is_multiple_of(2) => position / 2,
            Self::Zigzag => count - 1 - position / 2,
        }
    }
}

/// Returns a number near the golden section of `count` that has no common divisor with it, so that its multiples are a
/// permutation.
fn step(count: u64) -> u64 {
    let near = ((count as f64 * 0.618_033_988_749_895) as u64).clamp(1, count);
    (near..=count).find(|step| divisor(*step, count) == 1).unwrap_or(1)
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

impl Key {
    /// Writes the key at a position below `count`.
    pub(crate) fn write(self, position: u64, count: u64, out: &mut impl Write) -> io::Result<()> {
        let number = self.order.number(position, count);
        match self.form {
            Form::Number(factor) => write!(out, "{}", u128::from(number) * u128::from(factor)),
            Form::Padded => {
                let width = digits(count, 10);
                write!(out, "{number:0width$}")
            }
            Form::Letters => {
                let letters = (0..digits(count, 26)).rev().map(|digit| {
                    let letter = u64::checked_pow(26, digit as u32).map_or(0, |unit| number / unit % 26);
                    b'a' + letter as u8
                });
                out.write_all(&letters.collect::<Vec<u8>>())
            }
            Form::Rearranged => out.write_all(&permutation(number, count)),
            Form::Hash31 => words(EQUAL_31, number, count, out),
            Form::Hash33 => words(EQUAL_33, number, count, out),
        }
    }
}

/// Returns the number of digits of the numbers below `count`.
fn digits(count: u64, base: u64) -> usize {
    let mut digits = 1;
    let mut most = base;
    while most < count {
        digits += 1;
        most = most.saturating_mul(base);
    }
    digits
}

/// Writes the binary digits of a number as words.
fn words(words: [&str; 2], number: u64, count: u64, out: &mut impl Write) -> io::Result<()> {
    (0..digits(count, 2))
        .rev()
        .try_for_each(|bit| out.write_all(words[(number >> bit & 1) as usize].as_bytes()))
}

/// Returns a permutation of the letters that `count` different permutations need.
fn permutation(mut number: u64, count: u64) -> Vec<u8> {
    let mut letters: Vec<u8> = vec![b'a', b'b'];
    let mut permutations = 2_u64;
    while permutations < count && letters.len() < 20 {
        letters.push(b'a' + letters.len() as u8);
        permutations *= letters.len() as u64;
    }
    let mut permuted = Vec::with_capacity(letters.len());
    while !letters.is_empty() {
        permutations /= letters.len() as u64;
        permuted.push(letters.remove((number / permutations) as usize % letters.len()));
        number %= permutations;
    }
    permuted
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all(order: Order, form: Form, count: u64) -> Vec<String> {
        (0..count)
            .map(|position| {
                let mut text = Vec::new();
                Key { order, form }.write(position, count, &mut text).unwrap();
                String::from_utf8(text).unwrap()
            })
            .collect()
    }

    #[test]
    fn every_order_has_each_number_once() {
        for count in [1, 2, 7, 100, 1024] {
            let up: BTreeSet<String> = all(Order::Up, Form::Number(1), count).into_iter().collect();
            assert_eq!(up.len() as u64, count);
            for (order, _) in Order::ALL {
                let numbers: BTreeSet<String> = all(order, Form::Number(1), count).into_iter().collect();
                assert_eq!(numbers, up, "{order:?} {count}");
            }
        }
        assert_eq!(all(Order::Zigzag, Form::Number(1), 5), ["0", "4", "1", "3", "2"]);
        assert_eq!(all(Order::Down, Form::Number(3), 3), ["6", "3", "0"]);
    }

    #[test]
    fn words_differ_and_their_hashes_are_equal() {
        let hash = |factor: u32| {
            move |word: &String| {
                word.bytes().fold(5381_u32, |h, c| h.wrapping_mul(factor).wrapping_add(c.into()))
            }
        };
        for (form, factor) in [(Form::Hash31, 31), (Form::Hash33, 33), (Form::Rearranged, 1)] {
            let words = all(Order::Up, form, 100);
            let different: BTreeSet<&String> = words.iter().collect();
            let hashes: BTreeSet<u32> = words.iter().map(hash(factor)).collect();
            assert_eq!((different.len(), hashes.len()), (100, 1), "{form:?}");
        }
    }

    #[test]
    fn letters_and_padded_numbers_sort_as_their_numbers() {
        for form in [Form::Letters, Form::Padded] {
            let keys = all(Order::Up, form, 700);
            assert!(keys.is_sorted() && keys.iter().collect::<BTreeSet<_>>().len() == 700);
        }
        assert_eq!(all(Order::Up, Form::Letters, 27)[25..], ["az", "ba"]);
    }
}
