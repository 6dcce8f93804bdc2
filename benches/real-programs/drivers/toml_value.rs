//! Reads a TOML document and counts its keys.

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let value: toml::Value = text.parse().expect("TOML");
    println!("{}", value.as_table().expect("a table").len());
}
