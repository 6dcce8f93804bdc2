//! Counts the people who are named in a log of JSON lines, in the order of their first event.

use std::env;
use std::fs;

use regex::Regex;
use serde_json::Value;

/// A note that names somebody, such as `login of <ann>`.
fn person(note: &str, pattern: &Regex) -> Option<String> {
    Some(pattern.captures(note)?[1].to_owned())
}

fn main() {
    let path = env::args().nth(1).expect("a file");
    let text = fs::read_to_string(path).expect("the file can be read");
    let pattern = Regex::new(r"of <(\w+)>").unwrap();
    let mut queue: Vec<String> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for line in text.lines() {
        let event: Value = serde_json::from_str(line).expect("a line of JSON");
        queue.extend(person(event["note"].as_str().unwrap_or_default(), &pattern));
    }
    while !queue.is_empty() {
        let name = queue.remove(0);
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    println!("{} people", seen.len());
}
