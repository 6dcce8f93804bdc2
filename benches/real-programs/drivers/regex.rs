//! Searches patterns in a text, and replaces one of them.

use regex::Regex;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    for pattern in [r"\b[a-z]+ing\b", r"(?i)the (\w+) of", r"(\w+) (\w+)$", r"(?m)^size|grows$", r"m[^ ]*e|every .*?in"] {
        let regex = Regex::new(pattern).expect("a pattern");
        println!("{} {}", regex.find_iter(&text).count(), regex.captures_iter(&text).map(|found| found.len()).sum::<usize>());
    }
    println!("{}", Regex::new(r"(\w+) (\w+)").expect("a pattern").replace_all(&text, "$2 $1").len());
}
