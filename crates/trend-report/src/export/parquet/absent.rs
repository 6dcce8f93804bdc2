//! Stands in for the Parquet writer in builds without the feature `parquet`.

use trend_analyze::Findings;
use trend_profile::Study;

/// The build has no Parquet writer.
#[derive(Debug, thiserror::Error)]
#[error(
    "this trend-prof was built without Parquet: install it with `--features parquet`, or export csv or laws"
)]
pub struct NoParquet;

/// Fails; the feature `parquet` brings the writer.
///
/// # Errors
/// Always [`NoParquet`].
pub fn parquet_long(_: &Study) -> Result<Vec<u8>, NoParquet> {
    Err(NoParquet)
}

/// Fails; the feature `parquet` brings the writer.
///
/// # Errors
/// Always [`NoParquet`].
pub fn parquet_matrix(_: &Study) -> Result<Vec<u8>, NoParquet> {
    Err(NoParquet)
}

/// Fails; the feature `parquet` brings the writer.
///
/// # Errors
/// Always [`NoParquet`].
pub fn laws_parquet(_: &Findings) -> Result<Vec<u8>, NoParquet> {
    Err(NoParquet)
}
