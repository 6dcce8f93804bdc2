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

#![forbid(unsafe_code)]

mod advice;
mod answer;
mod aprof;
mod axis;
mod braille;
mod calibration;
mod call_tree;
mod cells;
mod check;
mod cluster_page;
mod columns;
mod counts;
mod csv;
mod curve;
mod diff;
mod document;
mod error;
mod extra_p;
mod fitting;
mod frame;
mod growth;
mod html;
mod json;
mod kinds;
mod laws;
mod loops;
mod markdown;
mod memory;
mod model_page;
mod number;
mod options;
mod overview;
mod page;
mod page_data;
#[cfg_attr(not(feature = "parquet"), path = "parquet/absent.rs")]
mod parquet;
mod plots;
mod point;
mod predicted;
mod prediction;
mod row_page;
mod rows;
#[cfg(test)]
mod sample;
mod select;
mod selection;
mod series;
mod series_page;
mod source_lines;
mod structure;
mod style;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod time_parts;
mod typed_columns;
#[cfg(test)]
#[path = "../../trend-analyze/src/typescript.rs"]
mod typescript;
mod verdict;

pub use answer::answer;
pub use aprof::aprof;
pub use calibration::{calibration_json, calibration_table};
pub use check::{check_github, check_json, check_junit, check_markdown, check_sarif, check_text};
pub use counts::counts_csv;
pub use csv::csv;
pub use diff::{diff_json, diff_markdown, diff_table};
pub use error::ReportError;
pub use extra_p::extra_p;
pub use fitting::fitting_table;
pub use html::{html, page_policy, waiting_page, waiting_page_policy};
pub use json::{json, write_json};
pub use laws::laws_csv;
pub use loops::{loops_markdown, loops_of_function, loops_of_function_markdown, loops_table};
pub use markdown::{markdown, series_markdown};
pub use options::{By, Sort, TableOptions};
pub use page::{findings_of, page, page_markdown};
pub use page_data::{GENERATED_BY, PageComparison, PageOptions, write_page_data};
pub use parquet::{laws_parquet, parquet_long, parquet_matrix};
pub use predicted::PredictedProfile;
pub use prediction::prediction_table;
pub use series::{SeriesFilter, choose_variable, series_table};
pub use table::table;
pub use time_parts::{time_markdown, time_table};
pub use verdict::{Statement, StatementKind, verdict};
