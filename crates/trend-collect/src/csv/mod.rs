//! Tables of costs, one row per workload, as other tools export them.
//!
//! ```text
//! workload,n,a.c:3:main,a.c:5:main         workload: names the run, optional
//! small,10,11,100                          n: a feature, as requested by the caller
//! large,20,21,400                          other columns: costs of locations
//! ```
//!
//! The reader guesses nothing: it rejects a table with a cell that is not a count, and only features may be missing.

pub(crate) mod places;
mod rows;
mod table;

use std::rc::Rc;

use trend_profile::{Feature, Warning, WarningKind};

use self::rows::Rows;
pub use self::table::CountTable;
pub(crate) use self::table::{COLUMN, Columns, Table};
use crate::import::{ImportError, Input, shown};

/// Contents of a table of features.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureTable {
    /// Names of the runs, in the order of the rows.
    pub workloads: Vec<String>,
    /// Features in the order of the columns; their values are `[workloads]`.
    pub features: Vec<Feature>,
    /// Warnings about the table.
    pub warnings: Vec<Warning>,
}

/// Reads a table of costs; the columns named in `features` are features.
///
/// Without a column `workload`, runs are numbered from 1 and padded with zeros so that they sort.
///
/// # Errors
/// Fails if the table is not rectangular, names are duplicated, or a cost is not a count.
pub fn read<'a>(input: impl Into<Input<'a>>, features: &[String]) -> Result<CountTable, ImportError> {
    let mut rows = Rows::new(input.into());
    let columns = Columns::of_costs(header(&mut rows)?, features)?;
    let mut table = Table::new(columns, rows.budget());
    let last = read_rows(&mut rows, &mut table)?;
    table.into_counts(unfinished(&rows, &last))
}

/// Reads a table of features: the column `workload`, and one feature per other column.
///
/// # Errors
/// Fails if the table is not rectangular, names are duplicated, or the column `workload` is missing.
pub fn read_features<'a>(input: impl Into<Input<'a>>) -> Result<FeatureTable, ImportError> {
    let mut rows = Rows::new(input.into());
    let columns = Columns::of_features(header(&mut rows)?)?;
    let mut table = Table::new(columns, rows.budget());
    let last = read_rows(&mut rows, &mut table)?;
    let warnings = unfinished(&rows, &last);
    let CountTable { workloads, features, warnings, .. } = table.into_counts(warnings)?;
    Ok(FeatureTable { workloads, features, warnings })
}

fn header(rows: &mut Rows<'_>) -> Result<Vec<String>, ImportError> {
    let budget = Rc::clone(rows.budget());
    let row = rows
        .next()?
        .ok_or_else(|| ImportError::table("the file is empty; its first line must name the columns"))?;
    budget.keep(row.cells.iter().map(|cell| COLUMN + 4 * cell.len()).sum());
    budget.check()?;
    Ok(row.cells.iter().map(|&cell| cell.to_owned()).collect())
}

/// Reads all rows and returns the last cell.
fn read_rows(rows: &mut Rows<'_>, table: &mut Table) -> Result<String, ImportError> {
    let mut last = String::new();
    while let Some(row) = rows.next()? {
        table.add(row.line, &row.cells)?;
        last = shown(row.cells.last().copied().unwrap_or_default());
    }
    Ok(last)
}

/// Warns if the last line has no line end: nothing else reveals a table that is cut within its last number.
fn unfinished(rows: &Rows<'_>, last: &str) -> Vec<Warning> {
    let message = format!("its last line has no end, so its last cell `{last}` may be cut off");
    if rows.ended_with_newline() {
        Vec::new()
    } else {
        vec![Warning::new(WarningKind::UnfinishedLine, message)]
    }
}

#[cfg(test)]
mod tests {
    use super::places::place;
    use super::*;

    #[test]
    fn the_number_of_a_block_is_no_part_of_its_function() {
        assert_eq!(place("a.c:3:main#12"), ("a.c", 3, "main"));
        assert_eq!(place("a.c:3:main#12~2"), ("a.c", 3, "main"));
        assert_eq!(place("a.c:3:operator#"), ("a.c", 3, "operator#"));
    }

    fn features(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_owned()).collect()
    }

    #[test]
    fn a_table_becomes_locations_features_and_counts() {
        let table = "workload,n,a.c:3:main,bytes,a.c:5:std::max<int, int>,total\n\
                     small, 10, 11,, 1e2, 12.0\n\
                     large, 20, 21, x, 400, 0\n";
        let table = table.replace("a.c:5:std::max<int, int>", "\"a.c:5:std::max<int, int>\"");
        let read = read(table.as_bytes(), &features(&["n", "bytes"])).unwrap();
        assert_eq!(read.workloads, ["small", "large"]);
        assert_eq!(read.features[0].values, [Some(10.0), Some(20.0)]);
        assert_eq!(read.features[1].values, [None, None]);
        assert_eq!(read.counts, [[11, 21], [100, 400], [12, 0]]);
        assert_eq!(read.warnings.len(), 1);
        assert!(
            read.warnings[0].message.contains("`bytes` has no value in 2 of 2 rows (the first is line 2")
        );
        let place = |i: usize| {
            let location = &read.locations[i];
            let function = &read.functions[location.function.index()];
            (location.file.as_ref(), location.line, function.symbol.name.as_str(), location.label.as_ref())
        };
        assert_eq!(place(0), ("a.c", 3, "main", "a.c:3:main"));
        assert_eq!(place(1), ("a.c", 5, "std::max<int, int>", "a.c:5:std::max<int, int>"));
        assert_eq!(place(2), ("", 0, "total", "total"));
    }

    #[test]
    fn columns_name_places_as_they_can() {
        assert_eq!(place("src/a.c:12"), ("src/a.c", 12, ""));
        assert_eq!(place("C:\\a.c:12:f"), ("C:\\a.c", 12, "f"));
        assert_eq!(place("std::sort"), ("", 0, "std::sort"));
        assert_eq!(place("main()"), ("", 0, "main"));
        assert_eq!(place("a.c:0"), ("", 0, "a.c:0"));
        assert_eq!(place(":3"), ("", 0, ":3"));
        assert_eq!(place("a.c:99999999999"), ("", 0, "a.c:99999999999"));
    }

    #[test]
    fn unnamed_runs_are_numbered_so_that_they_sort() {
        let table = format!("\u{feff}cost\r\n{}", "5\r\n".repeat(10));
        let read = read(table.as_bytes(), &[]).unwrap();
        assert_eq!(read.workloads[0], "01");
        assert_eq!(read.workloads[9], "10");
        assert_eq!(&*read.locations[0].label, "cost");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let text =
            |table: &str, names: &[&str]| read(table.as_bytes(), &features(names)).unwrap_err().to_string();
        assert!(text("", &[]).starts_with("the file is empty"));
        assert!(text("a,b\n", &[]).starts_with("the table has no rows"));
        assert!(text("a,,b\n1,2,3\n", &[]).starts_with("column 2 has no name"));
        assert!(text("a,b,a\n1,2,3\n", &[]).starts_with("the table has two columns `a`"));
        assert!(text("a,b\n1,2\n\n1\n", &[]).starts_with("line 4 has 1 cells, but the header has 2"));
        assert!(text("a,b\n1,2\n", &["n"]).contains("its columns are `a`, `b`"));
        assert!(text("n,workload\n1,2\n", &["n"]).contains("no column with costs"));
        assert!(text("workload,a\nx,1\nx,2\n", &[]).starts_with("line 3 repeats workload `x`"));
        assert!(
            text("a,b\n1,2\n1,0.5\n", &[]).starts_with("line 3, column `b`: `0.5` is not a whole number")
        );
        assert!(text("a,b\n1,-2\n", &[]).contains("`-2` is negative"));
        assert!(text("a,b\n1,\n", &[]).contains("`` is empty"));
    }

    #[test]
    fn text_in_another_encoding_is_refused_with_its_place() {
        let error = read(b"a,b\n1,2\n\xe9,3\n", &[]).unwrap_err();
        assert!(error.to_string().starts_with("line 3 is not UTF-8 (byte 8)"), "{error}");
    }

    #[test]
    fn a_table_of_features_is_joined_by_workload() {
        let read = read_features(b"n,workload,m\n1,a,\n2,b,4.5\n").unwrap();
        assert_eq!(read.workloads, ["a", "b"]);
        assert_eq!(read.features[1].values, [None, Some(4.5)]);
        assert_eq!(read.warnings.len(), 1);
        assert!(read_features(b"n\n1\n").unwrap_err().to_string().contains("no column `workload`"));
    }
}
