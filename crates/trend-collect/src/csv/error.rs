//! What can be wrong with a table.

use crate::import::ImportError;

/// Why a table could not be used. Each completes "failed to read PATH: …"; the caller knows the path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    /// Not text, or in another encoding.
    #[error("line {line} is not UTF-8 (byte {offset}); save the table as UTF-8")]
    NotUtf8 {
        /// The line, 1-based.
        line: usize,
        /// Bytes from the beginning.
        offset: usize,
    },
    /// There is not even a header.
    #[error("is empty; the first line names the columns")]
    Empty,
    /// There is a header and nothing below it.
    #[error("has no rows below its header; each row is one run")]
    NoRows,
    /// A column without a name.
    #[error("column {column} has no name in the header; name it or remove it")]
    UnnamedColumn {
        /// The column, 1-based.
        column: usize,
    },
    /// Two columns of one name.
    #[error("has two columns `{column}`; rename or remove one")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A feature was asked for that no column is named after.
    #[error("has no column `{feature}` to be a feature; its columns are {columns}")]
    UnknownFeature {
        /// What was asked for.
        feature: String,
        /// The names there are, for reading.
        columns: String,
    },
    /// No column is left to be a location.
    #[error(
        "has no column with costs: its columns are {columns}; besides `workload` and the features there must \
         be at least one, and columns are separated by commas"
    )]
    NoLocations {
        /// The names there are, for reading.
        columns: String,
    },
    /// The table of features lacks what joins it to the runs.
    #[error("has no column `workload`, which says what run a row is about; its columns are {columns}")]
    NoWorkloads {
        /// The names there are, for reading.
        columns: String,
    },
    /// It cannot be read, or is more than may be kept.
    #[error(transparent)]
    Input(#[from] ImportError),
    /// A row that is longer or shorter than the header.
    #[error("line {line} has {found} cells, and the header {expected}; quote cells that contain commas")]
    Ragged {
        /// The line, 1-based.
        line: u64,
        /// Columns of the header.
        expected: usize,
        /// Cells of the line.
        found: usize,
    },
    /// Two rows are of the same run.
    #[error("line {line} is about workload `{workload}` again; give each run a name of its own")]
    DuplicateWorkload {
        /// The line, 1-based.
        line: u64,
        /// The name.
        workload: String,
    },
    /// A cost that is no count.
    #[error(
        "line {line}, column `{column}`: `{cell}` {problem}; costs are whole numbers (0: not executed), and \
         columns with other numbers can be named as features"
    )]
    NotACount {
        /// The line, 1-based.
        line: u64,
        /// The column's name.
        column: String,
        /// What is there.
        cell: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}
