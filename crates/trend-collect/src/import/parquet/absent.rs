//! Stands in for the reader of Parquet files in builds without the feature `parquet`.

use super::{ImportError, Imported, Input};

/// Fails; the feature `parquet` brings the reader.
///
/// # Errors
/// Always [`ImportError::NotBuilt`].
pub fn read<'a>(_: impl Into<Input<'a>>, _: &[String]) -> Result<Imported, ImportError> {
    Err(ImportError::NotBuilt { format: "Parquet", feature: "parquet" })
}
