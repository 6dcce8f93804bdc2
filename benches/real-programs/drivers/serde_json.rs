//! Reads a JSON document, counts its values, and writes it with indentation.

use serde_json::Value;

fn count(value: &Value) -> usize {
    match value {
        Value::Array(all) => 1 + all.iter().map(count).sum::<usize>(),
        Value::Object(all) => 1 + all.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    println!("{}\n{value:#}", count(&value));
}
