//! The machine-readable output.

use std::io::{self, BufWriter, Write};

use trend_analyze::Findings;

/// Writes the machine-readable output: pretty-printed JSON with a trailing newline; numbers that are not
/// finite are `null`.
///
/// Names are there as they are: JSON escapes control characters, and a reader wants the true name.
///
/// # Errors
/// What the stream says.
pub fn write_json(findings: &Findings, stream: impl Write) -> io::Result<()> {
    let mut stream = BufWriter::with_capacity(1 << 16, stream);
    // Findings have string keys only, and serde_json writes numbers that are not finite as null.
    serde_json::to_writer_pretty(&mut stream, findings)?;
    stream.write_all(b"\n")?;
    stream.flush()
}

/// What [`write_json`] writes.
pub fn json(findings: &Findings) -> String {
    let mut text = Vec::new();
    // Nothing but memory is written to, and JSON is UTF-8.
    let written = write_json(findings, &mut text);
    debug_assert!(written.is_ok());
    String::from_utf8(text).unwrap_or_default()
}
