//! Types of other schemas inside the schema of a page's data.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// Declares types that stand for those of other schemas, whose paths are relative to the page's schema.
macro_rules! references {
    ($($name:ident = $reference:literal,)*) => {$(
        pub(crate) struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "$ref": $reference })
            }
        }
    )*};
}

references! {
    Findings = "../../../../docs/findings.schema.json",
    Law = "../../../../docs/findings.schema.json#/$defs/Law",
    LawSum = "../../../../docs/findings.schema.json#/$defs/LawSum",
    TimeDoubt = "../../../../docs/findings.schema.json#/$defs/TimeDoubt",
    Comparison = "../../../../docs/diff.schema.json",
    JudgedPlace = "../../../../docs/diff.schema.json#/$defs/JudgedPlace",
    Candidates = "candidates.schema.json",
}
