//! Writes a Markdown file as HTML.

use std::io::Write;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let html = comrak::markdown_to_html(&text, &Default::default());
    std::io::stdout().write_all(html.as_bytes()).expect("stdout takes it");
}
