//! Reads line counts of Python's own `trace` module: the `.cover` files of `python3 -m trace --count -C FOLDER`.
//!
//! ```text
//!        def square(xs):            a line without a count
//!   400:     for x in xs:           a line that ran 400 times
//! >>>>>>         never()            a line that did not run (`--missing`)
//! ```
//!
//! The file contains every line of the source, so the position of a line is its number.

use trend_profile::{Warning, WarningKind};

use super::place::{Places, Tally};
use super::text::{count, shown};
use super::{ImportError, Imported, ImportedRun, Input};

/// Number of columns before the source text.
const MARGIN: usize = 7;
const MISSING: &str = ">>>>>> ";

/// Reads the counts of one module. Its dotted name is the file's name without `.cover`.
///
/// # Errors
/// Fails if the input has another format.
pub fn read<'a>(input: impl Into<Input<'a>>, module: &str) -> Result<Imported, ImportError> {
    let mut input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let file = places.file(&format!("{}.py", module.replace('.', "/")));
    // Functions around the current line, with their indentation.
    let mut open: Vec<(usize, u32)> = Vec::new();
    while let Some((number, line)) = input.line()? {
        let (executions, text) = row(&line, number)?;
        let code = text.trim_start();
        if !code.is_empty() && !code.starts_with('#') {
            let indentation = text.len() - code.len();
            open.retain(|(of_function, _)| *of_function < indentation);
            let name = code.strip_prefix("async ").unwrap_or(code).strip_prefix("def ");
            // The line of a `def` runs when the function is defined.
            let outer = open.last().map(|&(_, function)| function);
            if let Some(executions) = executions {
                let function = outer.unwrap_or_else(|| places.function(module, file, 0));
                tally.add(places.line(function, file, number as u32), executions);
            }
            if let Some(name) = name.and_then(|n| n.split(['(', '[', ':', ' ']).next()) {
                let function = places.function(name, file, number as u32);
                open.push((indentation, function));
            }
        } else if let Some(executions) = executions {
            let function = open.last().map_or_else(|| places.function(module, file, 0), |&(_, f)| f);
            tally.add(places.line(function, file, number as u32), executions);
        }
    }
    let counts = tally.into_counts();
    if counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "no line of it ran".to_owned() });
    }
    if !input.ended_with_newline() {
        let message = "its last line has no end: the source's has no end either, or it is cut off";
        places.warn(Warning::new(WarningKind::UnfinishedLine, message));
    }
    Ok(places.finish(vec![ImportedRun { counts, ..ImportedRun::default() }]))
}

/// Splits a line into the count, if there is one, and the source text.
fn row(line: &str, number: usize) -> Result<(Option<u64>, &str), ImportError> {
    if line.trim().is_empty() {
        return Ok((None, ""));
    }
    if let Some(text) = line.strip_prefix(MISSING) {
        return Ok((Some(0), text));
    }
    if line.len() >= MARGIN && line.as_bytes()[..MARGIN].iter().all(|b| *b == b' ') {
        return Ok((None, &line[MARGIN..]));
    }
    let wrong = || ImportError::OtherFormat {
        format: ".cover file of Python's trace",
        problem: format!("line {number}, `{}`, has no count in its margin", shown(line)),
    };
    let (executions, text) = line.split_once(':').ok_or_else(wrong)?;
    // Shorter numbers are padded to five columns, so source text like `12: x` is not a count.
    if executions.len() < MARGIN - 2 || !executions.trim_start().bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    Ok((Some(count(executions.trim_start(), "count", number)?), text.strip_prefix(' ').unwrap_or(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COVER: &str = "    1: import sys\n\n    1: def square(xs):\n    5:     total = 0\n  400:     for x in xs:\n\
                         123456:         total += {\n                   12: 3,\n               }[x]\n>>>>>>     never()\n       # done\n    1: square([])\n";

    #[test]
    fn lines_have_the_counts_of_their_margin_and_belong_to_functions() {
        let read = read(COVER.as_bytes(), "pkg.mod").unwrap();
        let row = |&(l, c): &(u32, u64)| {
            let l = &read.locations[l as usize];
            (read.functions[l.function.index()].symbol.name.as_str(), l.line, c)
        };
        let rows: Vec<_> = read.runs[0].counts.iter().map(row).collect();
        let expected = [
            ("pkg.mod", 1, 1),
            ("pkg.mod", 3, 1),
            ("square", 4, 5),
            ("square", 5, 400),
            ("square", 6, 123_456),
            ("square", 9, 0),
            ("pkg.mod", 11, 1),
        ];
        assert_eq!(rows, expected);
        assert_eq!(&*read.locations[0].file, "pkg/mod.py");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["SF:a.c\n", "12: x\n", "    5\n", "  x: 5\n"] {
            let error = read(text.as_bytes(), "m").unwrap_err();
            assert!(matches!(error, ImportError::OtherFormat { .. }), "{text}: {error}");
        }
        let nothing = read("       x = 1\n".as_bytes(), "m").unwrap_err();
        assert!(matches!(nothing, ImportError::NoCounts { .. }), "{nothing}");
    }
}
