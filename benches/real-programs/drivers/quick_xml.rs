//! Reads an XML file and all attributes in it.

use quick_xml::events::Event;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut count = 0;
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    count += attribute.expect("an attribute").key.as_ref().len();
                }
            }
            Event::Eof => break,
            _ => count += 1,
        }
    }
    println!("{count}");
}
