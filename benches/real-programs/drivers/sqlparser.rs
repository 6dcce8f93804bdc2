//! Parses an SQL statement. An invalid one is reported, and is no failure.

use sqlparser::{dialect::PostgreSqlDialect, parser::Parser};

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let parser = Parser::new(&PostgreSqlDialect {}).with_recursion_limit(1000);
    match parser.try_with_sql(&text).and_then(|mut parser| parser.parse_statements()) {
        Ok(statements) => println!("{}", statements.len()),
        Err(error) => println!("{error}"),
    }
}
