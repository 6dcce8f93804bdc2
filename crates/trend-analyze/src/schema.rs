//! The published format, as its types give it.

use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::typescript::assert_declared;
use crate::{Candidates, Checked, Comparison, Findings};

/// Refuses what is not declared, so that a field that is missing in the schema is found, and `null` for what is absent
/// instead.
fn closed(schema: &mut Schema) {
    let plain = schema
        .get("description")
        .and_then(Value::as_str)
        .map(|text| text.replace("[`", "`").replace("`]", "`"));
    if let Some(text) = plain {
        schema.insert("description".to_owned(), text.into());
    }
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in
        properties.iter_mut().filter(|(name, _)| !required.contains(&Value::from(name.as_str())))
    {
        for key in ["type", "anyOf"] {
            let Some(Value::Array(either)) = property.get_mut(key) else { continue };
            either.retain(|one| *one != "null" && one.get("type") != Some(&"null".into()));
            assert_eq!(either.len(), 1, "{name}");
            let only = either.remove(0);
            match only {
                Value::Object(only) => {
                    let Some(property) = property.as_object_mut() else { continue };
                    property.remove(key);
                    property.extend(only);
                }
                only => property[key] = only,
            }
        }
    }
    schema.insert("additionalProperties".to_owned(), false.into());
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    assert_committed::<Findings>(crate::SCHEMA, "findings.schema.json");
    assert_committed::<Checked>(crate::expect::SCHEMA, "check.schema.json");
    assert_committed::<Comparison>(crate::compare::SCHEMA, "diff.schema.json");
}

fn assert_committed<T: JsonSchema>(id: &str, file: &str) {
    let generator = SchemaGenerator::new(SchemaSettings::draft2020_12().for_serialize());
    let mut schema = generator.into_root_schema_for::<T>();
    RecursiveTransform(closed).transform(&mut schema);
    schema.insert("$id".to_owned(), id.into());
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == known, "UPDATE_GOLDEN=1 writes {} anew", path.display());
}

#[test]
fn the_page_knows_the_types_of_the_findings() {
    assert_declared::<(Findings, Candidates, Comparison)>("findings-types.ts");
}
