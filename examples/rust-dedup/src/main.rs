//! Prints each word of a file once, in the order in which they come first.

use std::env;
use std::fs;

/// The words, each once.
fn unique(text: &str) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if !knows(&seen, word) {
            seen.push(word.to_owned());
        }
    }
    seen
}

/// Looks through everything that was seen: the whole becomes quadratic.
fn knows(seen: &[String], word: &str) -> bool {
    for known in seen {
        if known == word {
            return true;
        }
    }
    false
}

/// Takes the words from the front, and everything behind moves up: quadratic as well, and not visible in
/// the counts, because the loop is in the precompiled standard library.
fn drain(mut words: Vec<String>) -> usize {
    let mut length = 0;
    while !words.is_empty() {
        length += words.remove(0).len();
    }
    length
}

fn main() {
    let path = env::args().nth(1).expect("a file");
    let text = fs::read_to_string(path).expect("the file can be read");
    let words = unique(&text);
    println!("{} words, {} letters", words.len(), drain(words.clone()));
}
