//! Compares the table in `docs/study.md` with the format: whoever mails a study reads there what it holds.

use std::collections::BTreeSet;

use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use crate::file::records::record::Record;
use crate::observed::loops::LoopFunction;
use crate::observed::series::Series;
use crate::program::call::Call;
use crate::program::location::{Function, Location};

const TABLE: &str = include_str!("../../../../../docs/study.md");

/// Everything that a study holds: its records, and the data after some of them.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the types are of interest")]
struct Contents {
    record: Record,
    function: Function,
    location: Location,
    series: Series,
    loops: LoopFunction,
    call: Call,
}

/// Returns `Type.field` for each field, `Kind` or `Kind.field` for each record, and `Type.variant` for enums with data.
fn of_format() -> BTreeSet<String> {
    let schema = schema_for!(Contents).to_value();
    let mut names = BTreeSet::new();
    let definitions = schema["$defs"].as_object().unwrap().iter();
    for (name, definition) in definitions.filter(|(name, _)| *name != "Duration") {
        names.extend(fields(definition).map(|field| format!("{name}.{field}")));
        let variants = || definition["oneOf"].as_array().into_iter().flatten();
        if !variants().any(|variant| variant["properties"].is_object()) {
            continue;
        }
        let of_record =
            |variant: &str| if name == "Record" { variant.to_owned() } else { format!("{name}.{variant}") };
        for variant in variants() {
            let words = variant["enum"].as_array().into_iter().flatten().chain(variant.get("const"));
            names.extend(words.map(|word| of_record(word.as_str().unwrap())));
            for (variant, contents) in variant["properties"].as_object().into_iter().flatten() {
                names.insert(of_record(variant));
                names.extend(fields(contents).map(|field| format!("{}.{field}", of_record(variant))));
            }
        }
    }
    names
}

fn fields(definition: &Value) -> impl Iterator<Item = &str> {
    definition["properties"].as_object().into_iter().flatten().map(|(field, _)| field.as_str())
}

/// Returns the words in code style of the table's first column.
fn of_table() -> BTreeSet<String> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| `"));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    first.flat_map(|column| column.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn the_table_of_what_a_study_holds_has_a_line_for_every_field() {
    let (format, table) = (of_format(), of_table());
    let missing: Vec<_> = format.difference(&table).collect();
    let unknown: Vec<_> = table.difference(&format).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "docs/study.md lacks {missing:?} and has {unknown:?}");
    assert!(format.contains("RunRecord.stderr_tail") && format.contains("Definition.stdout"), "{format:?}");
}
