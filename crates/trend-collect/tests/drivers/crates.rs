//! Exercises several crates: searches with regular expressions, reads and writes JSON.

use std::collections::BTreeMap;

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(10);
    let line = "2024-05-17 error: id=4711 \"quoted text\" naïve user@example.org\n";
    let text = line.repeat(n);
    let mut found = 0;
    for pattern in [r"\b\d{4}-\d{2}-\d{2}\b", r"(?i)ERROR:\s+id=(\d+)", r"[\w.]+@[\w.]+\.org", r"na(i|ï)ve$"] {
        let regex = regex::RegexBuilder::new(pattern).multi_line(true).build().unwrap();
        found += regex.find_iter(&text).count() + regex.captures_iter(&text).map(|c| c.len()).sum::<usize>();
    }
    let mut map: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    for i in 0..n {
        let value = serde_json::json!({ "id": i, "name": format!("é\n{i}"), "part": [i as f64 / 4.0, null, true] });
        map.insert(format!("key {i}"), value);
    }
    let json = serde_json::to_string_pretty(&map).unwrap();
    let back: BTreeMap<String, serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(map, back);
    assert!(serde_json::from_str::<serde_json::Value>("{\"a\": [1, 2").is_err());
    println!("{found} {}", json.len());
}
