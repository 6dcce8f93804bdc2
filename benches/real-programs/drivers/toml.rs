//! Reads a TOML document, counts its tables, and writes it again.

fn tables(table: &toml::Table) -> usize {
    1 + table.values().filter_map(toml::Value::as_table).map(tables).sum::<usize>()
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let table: toml::Table = text.parse().expect("TOML");
    println!("{}\n{table}", tables(&table));
}
