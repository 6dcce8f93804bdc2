//! Writes types as TypeScript, for a committed file that a test compares.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

/// TypeScript declarations by name.
struct Declarations {
    config: Config,
    known: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the language itself, such as strings, have no file of their own.
        if T::output_path().is_none() || self.known.contains_key(&T::ident(&self.config)) {
            return;
        }
        let declaration = format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&self.config));
        self.known.insert(T::ident(&self.config), compact(&declaration));
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Puts short comments on one line, and removes trailing spaces and `null` from optional fields, which are absent
/// instead.
fn compact(declaration: &str) -> String {
    let lines: Vec<&str> = declaration.lines().map(str::trim_end).collect();
    let mut compact = String::new();
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        let text = lines.get(i + 1).and_then(|text| text.strip_prefix(" * "));
        let line = match (text, lines.get(i + 2)) {
            (Some(text), Some(&" */")) if *line == "/**" => {
                i += 2;
                format!("/** {text} */")
            }
            _ if line.contains("?: ") => line.replace(" | null,", ","),
            _ => (*line).to_owned(),
        };
        compact += &line.replace("[`", "`").replace("`]", "`");
        compact.push('\n');
        i += 1;
    }
    compact
}

/// Compares the declarations of a type, or of a tuple's types, and of all types inside them with a file of the page's
/// app.
#[track_caller]
pub(crate) fn assert_declared<T: TS + 'static>(file: &str) {
    let mut found = Declarations { config: Config::new().with_large_int("number"), known: BTreeMap::new() };
    found.visit::<T>();
    T::visit_generics(&mut found);
    let declarations: Vec<String> = found.known.into_values().collect();
    let text =
        format!("// Made by a test from the types in Rust; do not edit.\n\n{}", declarations.join("\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../trend-report/ui/generated/").to_owned() + file;
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == known, "UPDATE_GOLDEN=1 writes {path} anew");
}
