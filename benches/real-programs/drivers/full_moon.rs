//! Parses a program in Lua.

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let Ok(ast) = full_moon::parse(&text) else { panic!("it cannot be parsed") };
    println!("{}", ast.nodes().stmts().count());
}
