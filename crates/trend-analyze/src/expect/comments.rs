//! Reads expectations from comments in the code: `// trend-prof: <= n log n in bytes`.

use std::collections::{BTreeMap, BTreeSet};

use trend_profile::Study;

use super::limit::{BadLimit, GrowthLimit};
use super::source_root::SourceRoot;
use super::{Expectation, Limit, Origin, Subject};

/// Comment markers of the supported languages.
const COMMENT_MARKERS: [&str; 5] = ["//", "/*", "#", "--", ";"];

/// The mark at the start of a comment that expects something.
const MARK: &str = "trend-prof:";

/// Spellings of the mark. If one that is not exactly [`MARK`] is followed by a limit, that is an error.
const MARK_SPELLINGS: [&str; 3] = ["trend-prof", "trend_prof", "trendprof"];

/// A comment that cannot be read, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {error}")]
pub struct BadComment {
    /// The source file with the comment.
    pub file: String,
    /// The line number, from 1.
    pub line: usize,
    /// The error in the comment.
    #[source]
    pub error: CommentError,
}

/// An error in a comment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommentError {
    /// The limit cannot be read.
    #[error(transparent)]
    Limit(#[from] BadLimit),
    /// The mark is misspelt.
    #[error("`{mark}` has no limit; write `{MARK} {limit}`")]
    Mark {
        /// The mark as written.
        mark: String,
        /// The limit after the mark.
        limit: String,
    },
}

/// Returns the expectations in a study's own source files, by file and line.
///
/// A comment on its own line is about the function that begins below it or, within a function, about the next counted
/// line. A comment after code is about the line of that code.
///
/// - Time: O(bytes of the sources).
///
/// # Errors
/// Returns [`BadComment`] for the first comment that cannot be read.
pub fn in_sources(study: &Study) -> Result<Vec<Expectation>, BadComment> {
    let (own, root) = (study.own_files(), SourceRoot::new(study));
    let is_own = |file: &str| own.contains(file) || root.has(file);
    let mut sources: Vec<_> = study.sources().iter().filter(|source| is_own(&source.file)).collect();
    sources.sort_by(|a, b| a.file.cmp(&b.file));
    let is_marked = |text: &str| MARK_SPELLINGS.iter().any(|mark| text.to_ascii_lowercase().contains(mark));
    let marked = sources.iter().filter(|source| is_marked(&source.text));
    let marked_files: BTreeSet<&str> = marked.clone().map(|source| source.file.as_str()).collect();
    if marked_files.is_empty() {
        return Ok(Vec::new());
    }
    let function_starts =
        lines_by_file(study.functions().iter().map(|f| (f.file.as_str(), f.line)), &marked_files);
    let counted_lines = lines_by_file(study.locations().iter().map(|l| (&*l.file, l.line)), &marked_files);
    let mut expectations = Vec::new();
    for source in marked {
        let file = &source.file;
        let no_lines = BTreeSet::new();
        let starts = function_starts.get(&**file).unwrap_or(&no_lines);
        let counted = counted_lines.get(&**file).unwrap_or(&no_lines);
        for (i, text) in source.text.lines().enumerate() {
            let line = i + 1;
            let bad_comment = |error| BadComment { file: file.clone(), line, error };
            let Some(comment) = Comment::read(text).map_err(bad_comment)? else { continue };
            let limit = comment.limit.parse().map_err(|error: BadLimit| bad_comment(error.into()))?;
            expectations.push(Expectation {
                origin: Origin::Comment { file: file.clone(), line },
                subject: comment.subject(file, line as u32, starts, counted),
                limit: Limit::Growth { limit },
                feature: comment.feature.map(str::to_owned),
            });
        }
    }
    Ok(expectations)
}

/// Returns the lines of these files, by file.
fn lines_by_file<'a>(
    places: impl Iterator<Item = (&'a str, u32)>,
    files: &BTreeSet<&str>,
) -> BTreeMap<&'a str, BTreeSet<u32>> {
    let mut lines: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for (file, line) in places.filter(|(file, line)| *line > 0 && files.contains(file)) {
        lines.entry(file).or_default().insert(line);
    }
    lines
}

/// A comment that expects something.
#[derive(Debug, PartialEq, Eq)]
struct Comment<'a> {
    limit: &'a str,
    feature: Option<&'a str>,
    /// True if code precedes the comment.
    is_behind_code: bool,
}

impl<'a> Comment<'a> {
    /// Reads the expectation of a line; `None` if it has none.
    fn read(line: &'a str) -> Result<Option<Self>, CommentError> {
        let lower = line.to_ascii_lowercase();
        let Some((at, mark)) = MARK_SPELLINGS.iter().find_map(|mark| Some((lower.find(mark)?, mark))) else {
            return Ok(None);
        };
        let before = line[..at].trim_end();
        // `///` and `/**` also start comments. A mark inside a string or a sentence is ignored.
        let code = before.trim_end_matches(['/', '*', '!', '#', '-', ';']);
        let is_comment = COMMENT_MARKERS.iter().any(|marker| before[code.len()..].starts_with(marker));
        if !is_comment || ends_in_string(code) {
            return Ok(None);
        }
        let rest = line[at + mark.len()..].trim_start();
        let text = rest.strip_prefix(':').unwrap_or(rest).trim().trim_end_matches("*/").trim_end();
        let (limit, feature) = match text.rsplit_once(" in ") {
            Some((limit, feature)) => (limit.trim(), Some(feature.trim())),
            None => (text, None),
        };
        if line[at..].starts_with(MARK) {
            return Ok(Some(Self { limit, feature, is_behind_code: !code.trim().is_empty() }));
        }
        if limit.starts_with(['<', '≤']) || limit.parse::<GrowthLimit>().is_ok() {
            let mark = line[at..line.len() - rest.len()].trim_end().to_owned();
            return Err(CommentError::Mark { mark, limit: limit.to_owned() });
        }
        Ok(None)
    }

    /// Returns the place that the comment is about. Functions begin on the lines `starts`, and the lines `counted` have
    /// counts.
    fn subject(&self, file: &str, line: u32, starts: &BTreeSet<u32>, counted: &BTreeSet<u32>) -> Subject {
        let subject_at = |line: u32| Subject::Line(format!("{file}:{line}"));
        if self.is_behind_code {
            return subject_at(line);
        }
        let start = starts.range(line..).next();
        match (start, counted.range(line..).next()) {
            (Some(start), Some(counted)) if start > counted => subject_at(*counted),
            (Some(start), _) => Subject::FunctionAt(file.to_owned(), *start),
            (None, counted) => subject_at(counted.copied().unwrap_or(line)),
        }
    }
}

/// Returns true if a line of code ends within a string: after an odd number of quotation marks.
fn ends_in_string(code: &str) -> bool {
    let without_characters = code.replace("'\"'", "").replace("\\\\", "").replace("\\\"", "");
    without_characters.matches('"').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_many_languages_are_read() {
        let read = |line| Comment::read(line).unwrap().map(|c| (c.limit, c.feature, c.is_behind_code));
        assert_eq!(read("// trend-prof: <= n log n in bytes"), Some(("<= n log n", Some("bytes"), false)));
        assert_eq!(read("  /* trend-prof: <= n */"), Some(("<= n", None, false)));
        assert_eq!(read("    while (p->next) // trend-prof: < n^2"), Some(("< n^2", None, true)));
        assert_eq!(read("/// trend-prof: n"), Some(("n", None, false)));
        assert_eq!(read("# trend-prof: n"), Some(("n", None, false)));
        assert_eq!(read("puts(\"trend-prof: n\");"), None);
        assert_eq!(read("read(\"// trend-prof: <= n\");"), None);
        assert_eq!(read("    \"# trend-prof n\","), None);
        assert_eq!(read(r#"say("a \" b"); // trend-prof: n"#), Some(("n", None, true)));
        assert_eq!(read(r#"if (c == '"') // trend-prof: n"#), Some(("n", None, true)));
        assert_eq!(read("// see trend-prof: n"), None);
        assert_eq!(read("int n; // n"), None);
    }

    #[test]
    fn a_limit_behind_a_misspelt_mark_is_an_error_and_a_sentence_is_none() {
        for line in [
            "// trend-prof <= n",
            "/* trend_prof: n log n */",
            "int n; // Trend-Prof: < n^2 in bytes",
            "# trendprof n",
            "// trend-prof : <= n",
        ] {
            let error = Comment::read(line).unwrap_err();
            assert!(matches!(error, CommentError::Mark { .. }), "{line}");
        }
        let message = Comment::read("// trend-prof <= n").unwrap_err().to_string();
        assert_eq!(message, "`trend-prof` has no limit; write `trend-prof: <= n`");
        for line in ["// trend-prof counts this", "# TREND_PROF  the program", "puts(\"trend-prof <= n\");"] {
            assert_eq!(Comment::read(line), Ok(None));
        }
    }

    #[test]
    fn a_comment_is_about_the_function_below_or_the_next_line_that_is_counted() {
        let (starts, counted) = (BTreeSet::from([4, 20]), BTreeSet::from([4, 5, 9, 20]));
        let above = Comment { limit: "n", feature: None, is_behind_code: false };
        assert_eq!(above.subject("a.c", 2, &starts, &counted), Subject::FunctionAt("a.c".to_owned(), 4));
        assert_eq!(above.subject("a.c", 7, &starts, &counted), Subject::Line("a.c:9".to_owned()));
        assert_eq!(above.subject("a.c", 12, &starts, &counted), Subject::FunctionAt("a.c".to_owned(), 20));
        let behind = Comment { is_behind_code: true, ..above };
        assert_eq!(behind.subject("a.c", 9, &starts, &counted), Subject::Line("a.c:9".to_owned()));
    }
}
