//! Shows findings as terminal tables, JSON, Markdown, CSV and one HTML page.
//!
//! # Design constraints
//!
//! - Pure functions from findings to text: nothing is printed, read, or spawned here, and the same
//!   findings give the same bytes.
//! - Text from outside (names of programs, files, functions, features, workloads; source text) is made harmless in the
//!   language of the output before it is written.
//! - Terminal output always has ANSI colours; the caller strips them where they are not wanted.
//! - No estimate is shown without its interval, or a mark that it has none.
//!
//! # Folders
//!
//! From the bottom up: each folder uses only earlier ones. `terminal/` to `diff/` do not use each other.
//!
//! | folder | what it makes |
//! |---|---|
//! | `layout/` | text, numbers, tables and plots of any content |
//! | `rows/` | the rows that outputs show: found, selected, sorted |
//! | `words/` | sentences and cells |
//! | `terminal/` | tables of a study, and pages of single rows |
//! | `export/` | files for other programs |
//! | `check/` | judgements of expectations |
//! | `diff/` | the comparison of two studies |
//! | `html/` | the HTML page |

#![forbid(unsafe_code)]

mod check;
mod diff;
mod error;
mod export;
mod html;
mod layout;
mod options;
mod rows;
mod terminal;
#[cfg(test)]
mod tests;
mod words;

pub use check::github::check_github;
pub use check::junit::check_junit;
pub use check::sarif::check_sarif;
pub use check::text::{check_json, check_markdown, check_text};
pub use diff::table::{diff_json, diff_markdown, diff_table};
pub use error::ReportError;
pub use export::aprof::aprof;
pub use export::counts::counts_csv;
pub use export::csv::csv;
pub use export::extra_p::extra_p;
pub use export::json::{calibration_json, json, write_json};
pub use export::laws::laws_csv;
pub use export::parquet::{laws_parquet, parquet_long, parquet_matrix};
pub use export::predicted::profile::PredictedProfile;
pub use html::page::{html, page_policy};
pub use html::page_data::block::{GENERATED_BY, PageOptions, write_page_data};
pub use html::page_data::compare::PageComparison;
pub use html::waiting::{waiting_page, waiting_page_policy};
pub use options::{By, SeriesFilter, Sort, TableOptions};
pub use rows::select::noted;
pub use rows::selection::choose_variable;
pub use terminal::loops::page::{loops_of_function, loops_of_function_markdown};
pub use terminal::loops::table::{loops_markdown, loops_table};
pub use terminal::pages::page::{findings_of, page, page_markdown};
pub use terminal::series::table::series_table;
pub use terminal::tables::calibration::calibration_table;
pub use terminal::tables::fitting::fitting_table;
pub use terminal::tables::markdown::{markdown, series_markdown};
pub use terminal::tables::prediction::prediction_table;
pub use terminal::tables::table::table;
pub use terminal::tables::time_parts::{time_markdown, time_table};
pub use words::answer::answer;
pub use words::verdict::sentences::verdict;
pub use words::verdict::statement::{Statement, StatementKind};
