//! Writes JSON schemas of published types, for tests that compare them with committed files.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// Returns a generator for [`schema`]. Types that it already knows are in the schema as well.
pub fn generator() -> SchemaGenerator {
    SchemaGenerator::new(SchemaSettings::draft2020_12().for_serialize())
}

/// Returns the schema of a type as a file, with the name of the format if it has one.
///
/// # Panics
/// Panics if a field may be both absent and `null`.
pub fn schema<T: JsonSchema>(generator: SchemaGenerator, id: Option<&str>) -> String {
    let mut schema = generator.into_root_schema_for::<T>();
    RecursiveTransform(closed).transform(&mut schema);
    if let Some(id) = id {
        schema.insert("$id".to_owned(), id.into());
    }
    serde_json::to_string_pretty(&schema).expect("keys are strings") + "\n"
}

/// Closes a schema: undeclared fields are errors, so that tests find a field that is missing in the schema. Optional
/// fields are absent and never `null`.
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
