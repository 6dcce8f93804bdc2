//! Reads Go's cover profiles: `go test -covermode=count -coverprofile=FILE`.
//!
//! ```text
//! mode: count
//! example.com/sort/sort.go:12.34,15.2 3 120      file:line.column,line.column statements executions
//! ```

use trend_profile::{Warning, WarningKind};

use super::place::{Places, Tally};
use super::text::{count, line_number, shown};
use super::{ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "Go cover profile";

/// Reads a profile as one run. A block that several tests ran occurs several times and adds up.
///
/// # Errors
/// Fails if the input is not a profile, is cut off, or has an invalid number.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let mut input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let mut mode = None;
    while let Some((number, line)) = input.line()? {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("mode:") {
            mode = Some(name.trim().to_owned());
        } else if mode.is_none() {
            let problem = format!("`{}` is not a `mode:` line", shown(line));
            return Err(ImportError::OtherFormat { format: FORMAT, problem });
        } else if !line.is_empty() {
            let (file, place, executions) = block(line)
                .ok_or_else(|| ImportError::line(number, format!("`{}` is not a block", shown(line))))?;
            let ((line, column), executions) = (place, count(executions, "count", number)?);
            let name = root.name(file);
            let file = places.file(&name);
            let function = places.outside(file);
            let location = places.labelled(function, column, file, line, &format!("{name}:{line}.{column}"));
            tally.add(location, executions);
        }
    }
    if mode.is_none() {
        let problem = "it is empty".to_owned();
        return Err(ImportError::OtherFormat { format: FORMAT, problem });
    }
    if !input.ended_with_newline() {
        return Err(ImportError::CutOff { missing: "its last line has no end".to_owned() });
    }
    let counts = tally.into_counts();
    if counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "it lists no block".to_owned() });
    }
    if mode.as_deref() == Some("set") {
        let message = "it tells only whether a block ran, not how often; test with -covermode=count";
        places.warn(Warning::new(WarningKind::HitOrMiss, message));
    }
    Ok(places.finish(vec![ImportedRun { counts, ..ImportedRun::default() }]))
}

/// Splits a line into file, line and column, and the text of the count.
fn block(line: &str) -> Option<(&str, (u32, u32), &str)> {
    let (place, executions) = line.rsplit_once(' ')?;
    let (place, _statements) = place.rsplit_once(' ')?;
    let (file, span) = place.rsplit_once(':')?;
    let (start, _) = span.split_once(',')?;
    let (line, column) = start.split_once('.')?;
    Some((file, (line_number(line)?, line_number(column)?), executions))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "mode: count\nexample.com/a b.go:12.34,15.2 3 120\nexample.com/a b.go:16.2,16.9 1 7\n\
                           example.com/a b.go:12.34,15.2 3 80\n";

    #[test]
    fn blocks_of_several_tests_add_up() {
        let read = read(PROFILE.as_bytes(), &Root::new("")).unwrap();
        let rows: Vec<_> = read.runs[0]
            .counts
            .iter()
            .map(|&(l, c)| (read.locations[l as usize].label.as_ref(), c))
            .collect();
        assert_eq!(rows, [("example.com/a b.go:12.34", 200), ("example.com/a b.go:16.2", 7)]);
    }

    #[test]
    fn a_profile_that_says_only_whether_a_block_ran_is_warned_of() {
        assert_eq!(
            read(b"mode: set\na.go:1.1,2.2 1 1\n", &Root::new("")).unwrap().warnings[0].kind,
            WarningKind::HitOrMiss
        );
    }
}
