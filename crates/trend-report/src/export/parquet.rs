//! Writes Parquet files: the counts of a study, in two forms that `import parquet` reads, and the table of laws.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use trend_analyze::Findings;
use trend_profile::Study;

use super::counts::headers;
use super::laws::law_columns;
use super::typed_columns::Values;

/// Returns a table with a row per nonzero count, and the columns `workload`, the features, `location` and `count`. The
/// first location and the first workload also have rows for zeros, so that every location and workload appears.
///
/// # Errors
/// Errors of the Parquet writer, which writes to memory.
pub fn parquet_long(study: &Study) -> Result<Vec<u8>, ParquetError> {
    let blocks: Vec<_> = study.blocks().collect();
    let names = headers(study, &blocks);
    let (workloads, features) = (study.workloads(), study.features());
    let count = |row: usize, column: usize| study.counts().row(blocks[row]).at(column);
    // Keep the zeros of the first row and the first column, so that no location or workload is lost.
    let is_kept = |row: usize, column: usize| row == 0 || column == 0 || count(row, column) > 0;
    let cells: Vec<(usize, usize)> = (0..workloads.len())
        .flat_map(|column| (0..blocks.len()).map(move |row| (row, column)))
        .filter(|&(row, column)| is_kept(row, column))
        .collect();
    let mut columns = vec![(
        "workload".to_owned(),
        Values::Text(cells.iter().map(|c| workloads[c.1].name.clone()).collect()),
    )];
    for feature in features {
        let values = cells.iter().map(|c| feature.values[c.1]).collect();
        columns.push((feature.name.clone(), Values::Number(values)));
    }
    columns.push(("location".to_owned(), Values::Text(cells.iter().map(|c| names[c.0].clone()).collect())));
    columns.push(("count".to_owned(), Values::Count(cells.iter().map(|c| count(c.0, c.1)).collect())));
    write(columns)
}

/// Returns a table with a row per workload and a column per location, as in [`crate::counts_csv`].
///
/// # Errors
/// Errors of the Parquet writer, which writes to memory.
pub fn parquet_matrix(study: &Study) -> Result<Vec<u8>, ParquetError> {
    let blocks: Vec<_> = study.blocks().collect();
    let names = study.workloads().iter().map(|w| w.name.clone()).collect();
    let mut columns = vec![("workload".to_owned(), Values::Text(names))];
    for feature in study.features() {
        columns.push((feature.name.clone(), Values::Number(feature.values.clone())));
    }
    for (name, block) in headers(study, &blocks).into_iter().zip(&blocks) {
        columns.push((name, Values::Count(study.counts().row(*block).to_vec())));
    }
    write(columns)
}

/// Returns the table of [`crate::laws_csv`] as a Parquet file.
///
/// # Errors
/// Errors of the Parquet writer, which writes to memory.
pub fn laws_parquet(findings: &Findings) -> Result<Vec<u8>, ParquetError> {
    write(law_columns(findings))
}

fn write(columns: Vec<(String, Values)>) -> Result<Vec<u8>, ParquetError> {
    let fields =
        columns.iter().map(|(name, values)| field(name, values).map(Arc::new)).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (_, values) in columns {
        let Some(mut column) = group.next_column()? else { break };
        match (column.untyped(), values) {
            (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(texts)) => {
                let texts: Vec<ByteArray> = texts.iter().map(|t| ByteArray::from(t.as_str())).collect();
                writer.write_batch(&texts, None, None)?;
            }
            (ColumnWriter::DoubleColumnWriter(writer), Values::Number(numbers)) => {
                let present: Vec<f64> = numbers.iter().flatten().copied().collect();
                writer.write_batch(&present, Some(&levels(&numbers)), None)?;
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), Values::OptionalText(texts)) => {
                let present: Vec<ByteArray> =
                    texts.iter().flatten().map(|t| ByteArray::from(t.as_str())).collect();
                writer.write_batch(&present, Some(&levels(&texts)), None)?;
            }
            (ColumnWriter::BoolColumnWriter(writer), Values::Flag(flags)) => {
                let present: Vec<bool> = flags.iter().flatten().copied().collect();
                writer.write_batch(&present, Some(&levels(&flags)), None)?;
            }
            (ColumnWriter::Int64ColumnWriter(writer), Values::Count(counts)) => {
                let bits: Vec<i64> = counts.iter().map(|c| c.cast_signed()).collect();
                writer.write_batch(&bits, None, None)?;
            }
            _ => return Err(ParquetError::General("a column of another type than its field".to_owned())),
        }
        column.close()?;
    }
    group.close()?;
    writer.into_inner()
}

/// Returns the definition levels of optional values.
fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.is_some())).collect()
}

fn field(name: &str, values: &Values) -> Result<Type, ParquetError> {
    let (physical, logical, repetition) = match values {
        Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        Values::OptionalText(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        Values::Number(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        Values::Flag(_) => (Physical::BOOLEAN, None, Repetition::OPTIONAL),
        Values::Count(_) => {
            let unsigned = LogicalType::integer(64, false);
            (Physical::INT64, Some(unsigned), Repetition::REQUIRED)
        }
    };
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::*;
    use crate::export::typed_columns::to_csv;
    use crate::laws_csv;
    use crate::tests::sample;

    /// Returns a row of the Parquet file as columns of one value each.
    fn column(fields: &[(String, Field)]) -> Vec<(String, Values)> {
        let values = |field: &Field| match field {
            Field::Str(text) => Values::Text(vec![text.clone()]),
            Field::Double(number) => Values::Number(vec![Some(*number)]),
            Field::ULong(count) => Values::Count(vec![*count]),
            Field::Bool(flag) => Values::Flag(vec![Some(*flag)]),
            Field::Null => Values::Number(vec![None]),
            other => panic!("{other}"),
        };
        fields.iter().map(|(name, field)| (name.clone(), values(field))).collect()
    }

    #[test]
    fn the_table_of_laws_is_the_same_in_parquet_and_csv() {
        let findings = sample::structured();
        let file = SerializedFileReader::new(bytes::Bytes::from(laws_parquet(&findings).unwrap())).unwrap();
        let rows = file.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns());
        let rows: Vec<Vec<(String, Field)>> = rows.collect();
        assert!(rows.len() > 3);
        let expected = laws_csv(&findings);
        let mut lines = expected.lines();
        let header = lines.next().unwrap();
        for (row, line) in rows.iter().zip(lines.by_ref()) {
            assert_eq!(to_csv(&column(row)), format!("{header}\n{line}\n"));
        }
        assert_eq!(lines.next(), None);
    }
}
