//! Writes the findings as JSON.

use std::io::{self, BufWriter, Write};

use trend_analyze::{CalibrationReport, Findings};

/// Returns the machine, its constants and the runs as JSON.
pub fn calibration_json(report: &CalibrationReport<'_>) -> String {
    // This cannot fail: all keys are strings, and serde_json writes non-finite numbers as null.
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

/// Writes the findings as pretty-printed JSON with a trailing newline. Numbers that are not finite are `null`.
///
/// Names are unchanged: JSON escapes control characters, and readers need the true names.
///
/// # Errors
/// Fails if writing to the stream fails.
pub fn write_json(findings: &Findings, stream: impl Write) -> io::Result<()> {
    let mut stream = BufWriter::with_capacity(1 << 16, stream);
    // All keys are strings, and serde_json writes non-finite numbers as null.
    serde_json::to_writer_pretty(&mut stream, findings)?;
    stream.write_all(b"\n")?;
    stream.flush()
}

/// Returns the output of [`write_json`] as a string.
pub fn json(findings: &Findings) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail, and JSON is UTF-8.
    let written = write_json(findings, &mut text);
    debug_assert!(written.is_ok());
    String::from_utf8(text).unwrap_or_default()
}
