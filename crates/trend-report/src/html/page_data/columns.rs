//! Writes rows as columns: field names are written once, and similar values become neighbours. This reduces the JSON to
//! a third, and its compressed size to half. `ui/src/data/columns.ts` reads it.
//!
//! ```text
//! [{"a": 1, "b": [2, 3]}, {"a": 4, "b": []}]
//!
//! {"count": 2, "kinds": "o", "fields": {
//!     "a": {"count": 2, "kinds": "v", "values": [1, 4]},
//!     "b": {"count": 2, "kinds": "a", "lengths": [2, 0],
//!           "items": {"count": 2, "kinds": "v", "values": [2, 3]}}}}
//! ```

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::numbers::short_number;

/// Fields whose numbers the page shows with at most three digits, with the digits that they keep. Numbers in other
/// fields have the digits of the findings.
const FEWER_DIGITS: [(&str, usize); 8] = [
    ("support", 4),
    ("spread", 4),
    ("a_ci", 4),
    ("r2", 5),
    ("power_law", 5),
    ("linear", 5),
    ("lo", 5),
    ("hi", 5),
];

/// The values at one place in all rows.
#[derive(Default)]
pub(super) struct Column {
    /// Kind of each value as a letter: `v`alue, `a`rray, `o`bject, or `-` if the row has no such field.
    kinds: String,
    /// Values that are neither arrays nor objects.
    values: Texts,
    /// Lengths of the arrays.
    lengths: Texts,
    /// Items of all arrays, one array after the other.
    items: Option<Box<Column>>,
    /// Fields of the objects, in order of first appearance.
    fields: Vec<(String, Column)>,
    objects: usize,
}

/// JSON texts in order; each distinct text is stored once.
#[derive(Default)]
struct Texts {
    indices: HashMap<String, usize>,
    /// Indices of the distinct texts: `[values]`.
    at: Vec<usize>,
}

impl Column {
    /// Adds a row, whose fractions get `digits` digits.
    pub(super) fn push(&mut self, value: &Value, digits: usize) {
        match value {
            Value::Array(items) => {
                self.kinds.push('a');
                self.lengths.push(items.len().to_string());
                let column = self.items.get_or_insert_default();
                for item in items {
                    column.push(item, digits);
                }
            }
            Value::Object(fields) => {
                self.kinds.push('o');
                for (key, value) in fields {
                    let fewer = FEWER_DIGITS.iter().find(|(field, _)| field == key);
                    self.field(key).push(value, fewer.map_or(digits, |(_, fewer)| *fewer));
                }
                self.objects += 1;
                for (_, column) in &mut self.fields {
                    column.fill_up_to(self.objects);
                }
            }
            Value::Number(number) => self.push_text(number_text(number, digits)),
            _ => self.push_text(value.to_string()),
        }
    }

    fn push_text(&mut self, text: String) {
        self.kinds.push('v');
        self.values.push(text);
    }

    fn field(&mut self, key: &str) -> &mut Self {
        let at = self.fields.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
            let mut column = Self::default();
            column.fill_up_to(self.objects);
            self.fields.push((key.to_owned(), column));
            self.fields.len() - 1
        });
        &mut self.fields[at].1
    }

    /// Marks the rows up to `rows` that have no value yet as missing.
    fn fill_up_to(&mut self, rows: usize) {
        let missing = rows.saturating_sub(self.kinds.len());
        self.kinds.extend(std::iter::repeat_n('-', missing));
    }

    /// Writes the column as JSON.
    pub(super) fn write(&self, json: &mut String) {
        let first = &self.kinds[..self.kinds.len().min(1)];
        let is_uniform = self.kinds.bytes().all(|kind| [kind] == first.as_bytes());
        let kinds = if is_uniform { first } else { &self.kinds };
        let _ = write!(json, "{{\"count\":{},\"kinds\":\"{kinds}\"", self.kinds.len());
        self.values.write("values", json);
        self.lengths.write("lengths", json);
        if let Some(items) = &self.items {
            json.push_str(",\"items\":");
            items.write(json);
        }
        for (i, (key, column)) in self.fields.iter().enumerate() {
            json.push_str(if i == 0 { ",\"fields\":{" } else { "," });
            let _ = write!(json, "{}:", Value::from(key.as_str()));
            column.write(json);
        }
        json.push_str(if self.fields.is_empty() { "}" } else { "}}" });
    }
}

impl Texts {
    fn push(&mut self, text: String) {
        let next = self.indices.len();
        self.at.push(*self.indices.entry(text).or_insert(next));
    }

    /// Writes the texts: a single one if all are equal, the distinct ones with indices if they repeat often, else all.
    fn write(&self, name: &str, json: &mut String) {
        let mut texts: Vec<&str> = self.indices.keys().map(String::as_str).collect();
        texts.sort_by_cached_key(|text| self.indices[*text]);
        let all = || self.at.iter().map(|&at| texts[at]).collect::<Vec<_>>().join(",");
        let _ = match texts.as_slice() {
            [] => Ok(()),
            [only] => write!(json, ",\"{name}\":{{\"same\":{only}}}"),
            some if 2 * some.len() < self.at.len() => {
                let at: Vec<String> = self.at.iter().map(ToString::to_string).collect();
                write!(json, ",\"{name}\":{{\"of\":[{}],\"at\":[{}]}}", some.join(","), at.join(","))
            }
            _ => write!(json, ",\"{name}\":[{}]", all()),
        };
    }
}

/// Formats a number: integers exactly, others with `digits` digits.
fn number_text(number: &Number, digits: usize) -> String {
    if number.is_u64() || number.is_i64() {
        return number.to_string();
    }
    number.as_f64().map_or("null".to_owned(), |value| short_number(value, digits))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn columns(rows: &[Value]) -> Value {
        let mut column = Column::default();
        for row in rows {
            column.push(row, 6);
        }
        let mut json = String::new();
        column.write(&mut json);
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn names_of_fields_and_values_that_repeat_are_written_once() {
        let rows = [json!({"a": 1, "b": [2, 3]}), json!({"a": 4, "b": []})];
        let items = json!({"count": 2, "kinds": "v", "values": [2, 3]});
        let b = json!({"count": 2, "kinds": "a", "lengths": [2, 0], "items": items});
        let a = json!({"count": 2, "kinds": "v", "values": [1, 4]});
        assert_eq!(columns(&rows), json!({"count": 2, "kinds": "o", "fields": {"a": a, "b": b}}));
        let same = json!({"count": 3, "kinds": "v", "values": {"same": "x"}});
        assert_eq!(columns(&[json!("x"), json!("x"), json!("x")]), same);
        let indexed = json!({"count": 5, "kinds": "v", "values": {"of": [null, "y"], "at": [0, 1, 1, 0, 1]}});
        assert_eq!(columns(&[json!(null), json!("y"), json!("y"), json!(null), json!("y")]), indexed);
    }

    #[test]
    fn a_field_that_some_rows_have_not_is_no_null() {
        let rows = [json!({}), json!({"a": null}), json!([]), json!({"b": 1})];
        let a = json!({"count": 3, "kinds": "-v-", "values": {"same": null}});
        let b = json!({"count": 3, "kinds": "--v", "values": {"same": 1}});
        let column = columns(&rows);
        assert_eq!(column["kinds"], "ooao");
        assert_eq!(column["fields"], json!({"a": a, "b": b}));
        assert_eq!(column["items"], json!({"count": 0, "kinds": ""}));
    }

    #[test]
    fn what_is_shown_with_three_digits_has_few_more() {
        let row = json!({"cost": 1.234_567_8, "r2": 0.123_456_78, "linear": {"a": 123_456.789, "r2": 0.5}, "n": 1_234_567});
        let values = columns(&[row])["fields"].clone();
        assert_eq!(values["cost"]["values"]["same"], 1.234_57);
        assert_eq!(values["r2"]["values"]["same"], 0.123_46);
        assert_eq!(values["linear"]["fields"]["a"]["values"]["same"], 123_460);
        assert_eq!(values["n"]["values"]["same"], 1_234_567);
    }
}
