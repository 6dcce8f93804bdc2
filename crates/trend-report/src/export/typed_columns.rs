//! Columns with one type of value each, for tables that are written as CSV and as Parquet.

use super::fields;

/// Values of one column.
pub(crate) enum Values {
    Text(Vec<String>),
    /// Texts; `None` stands for a missing value.
    OptionalText(Vec<Option<String>>),
    /// Numbers; `None` stands for a missing value.
    Number(Vec<Option<f64>>),
    Count(Vec<u64>),
    /// Booleans; `None` stands for a missing value.
    Flag(Vec<Option<bool>>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Text(texts) => texts.len(),
            Self::OptionalText(texts) => texts.len(),
            Self::Number(numbers) => numbers.len(),
            Self::Count(counts) => counts.len(),
            Self::Flag(flags) => flags.len(),
        }
    }

    /// Returns the value in a row as a field of CSV; empty if it is missing.
    fn field(&self, row: usize) -> String {
        match self {
            Self::Text(texts) => fields::field(&texts[row]),
            Self::OptionalText(texts) => texts[row].as_deref().map(fields::field).unwrap_or_default(),
            Self::Number(numbers) => fields::number(numbers[row]),
            Self::Count(counts) => counts[row].to_string(),
            Self::Flag(flags) => flags[row].map(|flag| flag.to_string()).unwrap_or_default(),
        }
    }
}

/// Returns columns, which have the same number of values, as CSV under a header row.
pub(crate) fn to_csv(columns: &[(String, Values)]) -> String {
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let header: Vec<String> = columns.iter().map(|(name, _)| fields::field(name)).collect();
    let mut text = header.join(",") + "\n";
    for row in 0..rows {
        let fields: Vec<String> = columns.iter().map(|(_, values)| values.field(row)).collect();
        text += &fields.join(",");
        text.push('\n');
    }
    text
}
