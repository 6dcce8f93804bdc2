//! Parquet files, in the form of a table of costs or in the long form.
//!
//! ```text
//! matrix:  workload, features, and a column per location, as `csv` reads them
//! long:    workload, features, location, count: a row per count
//! ```

mod claims;

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use trend_profile::Unit;

use super::{ImportError, Imported, ImportedRun};
use crate::csv;

const FORMAT: &str = "Parquet file";
const WORKLOAD: &str = "workload";
const LOCATION: &str = "location";
const COUNT: &str = "count";
/// Values that repeat take next to no room in a file. More than this, and more than 64 per byte, are no counts
/// that anybody measured.
const MOST_CELLS: u64 = 100_000;
const CELLS_PER_BYTE: u64 = 64;

/// A table in memory: the names of the columns, and the text of each cell.
struct Cells {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Reads a table; the columns named in `features` are features. In the long form, which has the columns
/// `workload`, `location` and `count`, all others are features.
///
/// # Errors
/// It is none, is damaged, or its cells are no counts.
pub fn read(bytes: Vec<u8>, features: &[String]) -> Result<Imported, ImportError> {
    if !claims::is_plausible(&bytes) {
        let what = "its description has longer lists than there is room for".to_owned();
        return Err(ImportError::Contradictory { what });
    }
    let damaged = || ImportError::OtherFormat { format: FORMAT, found: "it is damaged".to_owned() };
    let table = quietly(|| cells(bytes)).ok_or_else(damaged)??;
    let at = |name: &str| table.columns.iter().position(|c| c == name);
    match (at(WORKLOAD), at(LOCATION), at(COUNT)) {
        (Some(workload), Some(location), Some(count)) => long(&table, [workload, location, count]),
        _ => matrix(&table, features),
    }
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does what can panic, and says nothing of it: the library's own checks end in a panic for some damaged files.
fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                before(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(false);
    done.ok()
}

fn cells(bytes: Vec<u8>) -> Result<Cells, ImportError> {
    let failed = |e: ParquetError| ImportError::OtherFormat { format: FORMAT, found: e.to_string() };
    let size = bytes.len() as u64;
    let bytes = Bytes::from(bytes);
    let reader = SerializedFileReader::new(bytes.clone()).map_err(failed)?;
    let metadata = reader.metadata().file_metadata();
    let columns: Vec<String> = metadata.schema().get_fields().iter().map(|f| f.name().to_owned()).collect();
    let rows = u64::try_from(metadata.num_rows()).unwrap_or(u64::MAX);
    if rows.saturating_mul(columns.len() as u64) > MOST_CELLS.max(size.saturating_mul(CELLS_PER_BYTE)) {
        let what = format!("{size} bytes claim {rows} rows of {} columns", columns.len());
        return Err(ImportError::Contradictory { what });
    }
    for column in reader.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let (start, length) = column.byte_range();
        let end = start.saturating_add(length).min(size);
        if !claims::are_plausible(bytes.get(start.min(end) as usize..end as usize).unwrap_or_default()) {
            let what =
                format!("the pages of column `{}` cannot be what they claim", column.column_descr().name());
            return Err(ImportError::Contradictory { what });
        }
    }
    let mut table = Cells { columns, rows: Vec::new() };
    for row in reader.get_row_iter(None).map_err(failed)? {
        if table.rows.len() as u64 >= rows {
            return Err(ImportError::Contradictory { what: format!("there are more than {rows} rows") });
        }
        table.rows.push(texts(&row.map_err(failed)?)?);
    }
    if (table.rows.len() as u64) < rows {
        return Err(ImportError::CutOff {
            missing: format!("{} of {rows} rows are there", table.rows.len()),
        });
    }
    Ok(table)
}

fn texts(row: &Row) -> Result<Vec<String>, ImportError> {
    row.get_column_iter()
        .map(|(name, field)| match field {
            Field::Null => Ok(String::new()),
            Field::Str(text) => Ok(text.clone()),
            Field::Bytes(bytes) => Ok(String::from_utf8_lossy(bytes.data()).into_owned()),
            Field::Byte(n) => Ok(n.to_string()),
            Field::Short(n) => Ok(n.to_string()),
            Field::Int(n) => Ok(n.to_string()),
            Field::Long(n) => Ok(n.to_string()),
            Field::UByte(n) => Ok(n.to_string()),
            Field::UShort(n) => Ok(n.to_string()),
            Field::UInt(n) => Ok(n.to_string()),
            Field::ULong(n) => Ok(n.to_string()),
            Field::Float(n) => Ok(n.to_string()),
            Field::Double(n) => Ok(n.to_string()),
            _ => Err(ImportError::Contradictory {
                what: format!("column `{name}` has neither numbers nor text"),
            }),
        })
        .collect()
}

/// The same as the table in csv, which has one set of rules for both.
fn matrix(table: &Cells, features: &[String]) -> Result<Imported, ImportError> {
    let field = |text: &String| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = String::new();
    for row in std::iter::once(&table.columns).chain(&table.rows) {
        text.push_str(&row.iter().map(field).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    let counts = csv::read(text.as_bytes(), features);
    counts.map(Imported::from).map_err(|e| ImportError::Contradictory { what: e.to_string() })
}

fn long(table: &Cells, [workload, location, count]: [usize; 3]) -> Result<Imported, ImportError> {
    let is_feature = |column: &usize| ![workload, location, count].contains(column);
    let features: Vec<usize> = (0..table.columns.len()).filter(is_feature).collect();
    let mut places = csv::Places::default();
    let mut locations = Vec::new();
    let mut location_ids: HashMap<&str, u32> = HashMap::new();
    let mut run_ids: HashMap<&str, usize> = HashMap::new();
    let mut runs: Vec<ImportedRun> = Vec::new();
    for (index, row) in table.rows.iter().enumerate() {
        let number = super::text::count(&row[count], "count", index + 1)?;
        let next = locations.len();
        let id = *location_ids.entry(&row[location]).or_insert_with(|| {
            locations.push(places.location(&row[location], next));
            next as u32
        });
        let run = *run_ids.entry(&row[workload]).or_insert_with(|| {
            let value = |&c: &usize| {
                Some((table.columns[c].clone(), row[c].parse().ok().filter(|v: &f64| v.is_finite())?))
            };
            let features: Vec<(String, f64)> = features.iter().filter_map(value).collect();
            let workload = Some(Arc::from(row[workload].as_str()));
            runs.push(ImportedRun { workload, features: features.into(), counts: Vec::new() });
            runs.len() - 1
        });
        runs[run].counts.push((id, number));
    }
    for run in &mut runs {
        run.counts.sort_unstable();
        if let Some(pair) = run.counts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = &locations[pair[0].0 as usize].label;
            let what = format!(
                "workload `{}` has two counts of `{name}`",
                run.workload.as_deref().unwrap_or_default()
            );
            return Err(ImportError::Contradictory { what });
        }
    }
    if runs.is_empty() {
        return Err(ImportError::NoCounts { reason: "it has no rows".to_owned() });
    }
    Ok(Imported {
        unit: Unit::default(),
        functions: places.functions,
        locations,
        features: features.iter().map(|&c| table.columns[c].clone()).collect(),
        runs,
        ..Imported::default()
    })
}
