//! Reads Parquet files, as a matrix like a table of costs, or in the long form.
//!
//! ```text
//! matrix:  workload, features, and a column per location, as `csv` reads them
//! long:    workload, features, location, count: a row per count
//! ```

mod claims;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::rc::Rc;
use std::sync::Once;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use super::long_table::LongTable;
use super::text::shown;
use super::{Budget, ImportError, Imported, Input};
use crate::csv;

const FORMAT: &str = "Parquet file";
const WORKLOAD: &str = "workload";
const LOCATION: &str = "location";
const COUNT: &str = "count";
/// Maximum digits of a decimal; longer ones do not fit into 128 bits.
const MOST_DIGITS: usize = 38;
/// Maximum number of cells, and of cells per byte: repeated values take nearly no room in a file. No real measurement
/// has more.
const MOST_CELLS: u64 = 100_000;
const CELLS_PER_BYTE: u64 = 64;

/// Limits of the unpacked size of all pages. A value of a page takes up to eight times its bytes while it is read.
const PAGES: u64 = 32 << 20;
const PAGES_PER_BYTE: u64 = 16;

/// Reads a table; the columns named in `features` are features. In the long form, which has the columns `workload`,
/// `location` and `count`, all other columns are features.
///
/// # Errors
/// Fails if the input is not a Parquet file, is damaged, or has cells that are not counts.
pub fn read<'a>(input: impl Into<Input<'a>>, features: &[String]) -> Result<Imported, ImportError> {
    let input = input.into();
    let budget = Rc::clone(input.budget());
    let bytes = input.document()?;
    if !claims::is_plausible(&bytes) {
        let what = "its description has lists that are too long".to_owned();
        return Err(ImportError::Contradictory { what });
    }
    let damaged = || ImportError::OtherFormat { format: FORMAT, problem: "it is damaged".to_owned() };
    quietly(|| table(bytes, features, &budget)).ok_or_else(damaged)?
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs work that may panic, and suppresses the panic message: the library panics for some damaged files.
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

fn table(bytes: Vec<u8>, features: &[String], budget: &Rc<Budget>) -> Result<Imported, ImportError> {
    let failed = |e: ParquetError| match e {
        // A file with a feature that the library does not support is not damaged.
        ParquetError::NYI(what) => {
            ImportError::Unreadable { error: format!("the file cannot be read: {what}") }
        }
        e => ImportError::OtherFormat { format: FORMAT, problem: e.to_string() },
    };
    let size = bytes.len() as u64;
    let bytes = Bytes::from(bytes);
    let reader = SerializedFileReader::new(bytes.clone()).map_err(failed)?;
    let metadata = reader.metadata().file_metadata();
    let columns: Vec<String> = metadata.schema().get_fields().iter().map(|f| f.name().to_owned()).collect();
    budget.keep(columns.iter().map(|c| csv::COLUMN + 4 * c.len()).sum());
    budget.check()?;
    let rows = u64::try_from(metadata.num_rows()).unwrap_or(u64::MAX);
    if rows.saturating_mul(columns.len() as u64) > MOST_CELLS.max(size.saturating_mul(CELLS_PER_BYTE)) {
        let what = format!("{size} bytes cannot hold the claimed {rows} rows of {} columns", columns.len());
        return Err(ImportError::Contradictory { what });
    }
    let (mut pages, most) = (0, PAGES.saturating_add(size.saturating_mul(PAGES_PER_BYTE)));
    for column in reader.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let (start, length) = column.byte_range();
        let end = start.saturating_add(length).min(size);
        let claimed = claims::claimed(bytes.get(start.min(end) as usize..end as usize).unwrap_or_default());
        let Some(claimed) = claimed else {
            let what =
                format!("the pages of column `{}` contradict their headers", column.column_descr().name());
            return Err(ImportError::Contradictory { what });
        };
        pages += claimed;
        if pages > most {
            return Err(ImportError::TooMuchUnpacked { most });
        }
    }
    let at = |name: &str| columns.iter().position(|c| c == name);
    let mut table =
        if let (Some(workload), Some(location), Some(count)) = (at(WORKLOAD), at(LOCATION), at(COUNT)) {
            Form::Long(LongTable::new(columns, [workload, location, count], budget))
        } else {
            let columns = csv::Columns::of_costs(columns, features)?;
            Form::Matrix(csv::Table::new(columns, budget))
        };
    let mut read = 0;
    for row in reader.get_row_iter(None).map_err(failed)? {
        if read >= rows {
            return Err(ImportError::Contradictory { what: format!("it has more than {rows} rows") });
        }
        read += 1;
        let cells = texts(&row.map_err(failed)?)?;
        // A repeated text exists once in the file, but is copied for each row.
        budget.unpack(cells.iter().map(String::len).sum())?;
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        match &mut table {
            Form::Matrix(table) => table.add(read + 1, &cells)?,
            Form::Long(table) => table.add(read, &cells)?,
        }
    }
    if read < rows {
        return Err(ImportError::CutOff { missing: format!("it has only {read} of {rows} rows") });
    }
    match table {
        // Both forms use the rules of `csv`.
        Form::Matrix(table) => table.into_counts(Vec::new()).map(Imported::from),
        Form::Long(table) => table.imported(),
    }
}

enum Form {
    Matrix(csv::Table),
    Long(LongTable),
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
            Field::Decimal(n) => decimal(n.data(), n.scale()).ok_or_else(|| ImportError::Contradictory {
                what: format!("column `{name}` has a decimal of more than {MOST_DIGITS} digits"),
            }),
            other => Err(ImportError::Contradictory {
                what: format!(
                    "column `{name}` has neither numbers nor text: `{}`; remove it, or write it as a number",
                    shown(&other.to_string())
                ),
            }),
        })
        .collect()
}

/// Formats a decimal from its big-endian bytes and its number of fractional digits. Returns `None` if it does not fit
/// into 128 bits. A fraction of zeros is dropped, so whole numbers are counts.
fn decimal(bytes: &[u8], scale: i32) -> Option<String> {
    let places = usize::try_from(scale).ok().filter(|places| *places <= MOST_DIGITS)?;
    let is_negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
    let append = |number: i128, byte: &u8| number.checked_mul(256)?.checked_add(i128::from(*byte));
    let number = bytes.iter().try_fold(-i128::from(is_negative), append)?;
    let digits = format!("{:0>width$}", number.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    let (sign, point) = (if is_negative { "-" } else { "" }, if fraction.is_empty() { "" } else { "." });
    Some(format!("{sign}{whole}{point}{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_the_numbers_that_their_digits_say() {
        let text = |number: i128, scale| decimal(&number.to_be_bytes(), scale);
        assert_eq!(text(1250, 2).as_deref(), Some("12.5"));
        assert_eq!(text(1200, 2).as_deref(), Some("12"));
        assert_eq!(text(-5, 3).as_deref(), Some("-0.005"));
        assert_eq!(text(i128::MIN, 0), Some(i128::MIN.to_string()));
        assert_eq!(decimal(&[0xff, 0x38], 0).as_deref(), Some("-200"));
        assert_eq!(decimal(&[], 1).as_deref(), Some("0"));
        // Numbers longer than 128 bits, padded and not.
        assert_eq!(
            decimal(&[&[0; 9][..], &[1; 15]].concat(), 0),
            text(0x0001_0101_0101_0101_0101_0101_0101_0101, 0)
        );
        assert_eq!(decimal(&[1; 17], 0), None);
        assert_eq!(decimal(&[1], i32::MAX), None);
        assert_eq!(decimal(&[1], -1), None);
    }
}
