//! Reads Gungraun's `summary.json`, of Rust benchmarks under valgrind. Until 0.16 the tool was named iai-callgrind.
//!
//! ```text
//! version   since                  path of the events
//! 1, 2      iai-callgrind 0.9      callgrind_summary.summaries[].events.Ir.new
//! 3         iai-callgrind 0.14     callgrind_summary.callgrind_run.total.summary.Ir.metrics.Left
//! 4         iai-callgrind 0.15     profiles[].summaries.total.summary.Callgrind.Ir.metrics.Left
//! 5, 6      iai-callgrind 0.15.2   like 4, as Left.Int or Left.Float
//! 7                                profiles[].data.total.metrics.Ir.values.new
//! ```
//!
//! `Left` and `new` belong to the current run, `Right` and `old` to the run compared with it. Numbers among a
//! benchmark's arguments are features. A benchmark without them has the number at the end of its id:
//!
//! ```text
//! id n_50, arguments (items(50))          n = 50
//! id of_3, arguments (items(400))         n = 400: `benches` numbers its ids
//! id small, arguments (grid(3, 40))       arg1 = 3, arg2 = 40
//! id rows_50, no arguments                rows = 50
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use trend_profile::{Unit, Warning, WarningKind};

use super::error::listed;
use super::points::{self, BenchmarkRuns, whole};
use super::text::shown;
use super::{ImportError, Imported, Input};

const FORMAT: &str = "summary of Gungraun";
const KNOWN: std::ops::RangeInclusive<u32> = 1..=7;
const INSTRUCTIONS: &str = "Ir";
/// Maximum number of numbers among the arguments; more are a list, not sizes.
const MOST_NUMBERS: usize = 4;

type Map<'a, T> = BTreeMap<Cow<'a, str>, T>;
type Events<'a> = Map<'a, Compared>;

#[derive(Deserialize)]
struct Summary<'a> {
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(borrow)]
    module_path: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    /// Arguments as text. Version 7 names them a description.
    #[serde(borrow, default, alias = "description")]
    details: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "callgrind_summary")]
    callgrind: Option<Callgrind<'a>>,
    #[serde(borrow, default)]
    profiles: Vec<Profile<'a>>,
}

#[derive(Deserialize)]
struct Callgrind<'a> {
    #[serde(borrow, default)]
    summaries: Vec<Process<'a>>,
    #[serde(borrow, default)]
    callgrind_run: Option<CallgrindRun<'a>>,
}

#[derive(Deserialize)]
struct Process<'a> {
    #[serde(borrow)]
    events: Events<'a>,
}

#[derive(Deserialize)]
struct CallgrindRun<'a> {
    #[serde(borrow)]
    total: CallgrindTotal<'a>,
}

#[derive(Deserialize)]
struct CallgrindTotal<'a> {
    #[serde(borrow)]
    summary: Events<'a>,
}

#[derive(Deserialize)]
struct Profile<'a> {
    #[serde(borrow, alias = "data")]
    summaries: ProfileData<'a>,
}

#[derive(Deserialize)]
struct ProfileData<'a> {
    #[serde(borrow)]
    total: Total<'a>,
}

#[derive(Deserialize)]
struct Total<'a> {
    #[serde(borrow, default)]
    summary: Option<OfTool<'a>>,
    #[serde(borrow, default)]
    metrics: Option<Events<'a>>,
}

#[derive(Deserialize)]
enum OfTool<'a> {
    None,
    #[serde(borrow)]
    ErrorTool(Events<'a>),
    #[serde(borrow)]
    Dhat(Events<'a>),
    #[serde(borrow)]
    Callgrind(Events<'a>),
    #[serde(borrow)]
    Cachegrind(Events<'a>),
}

/// A count, and the one it was compared with.
#[derive(Deserialize)]
struct Compared {
    #[serde(default)]
    new: Option<u64>,
    #[serde(default, alias = "values")]
    metrics: Option<NewAndOld>,
}

#[derive(Deserialize)]
struct NewAndOld {
    #[serde(default, alias = "new", rename = "Left")]
    left: Option<Metric>,
    #[serde(default, rename = "Both")]
    both: Option<(Metric, Metric)>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Metric {
    Whole(u64),
    Fraction(f64),
    Tagged(Tagged),
    /// An annotated metric of perf.
    Annotated {
        value: Number,
    },
}

#[derive(Clone, Copy, Deserialize)]
enum Tagged {
    Int(u64),
    Float(f64),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(u64),
    Fraction(f64),
}

/// Reads a summary, or the lines of `--output-format=json`. `event` is one of the events, such as `EstimatedCycles`;
/// the default is instructions.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, has an unknown version, or lacks the event.
pub fn read<'a>(input: impl Into<Input<'a>>, event: Option<&str>) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut points = BenchmarkRuns::new(input.budget());
    let event = event.unwrap_or(INSTRUCTIONS);
    let bytes = input.document()?;
    for summary in serde_json::Deserializer::from_slice(&bytes).into_iter::<Summary<'_>>() {
        add(&summary?, event, &mut points)?;
    }
    let unit = if event == INSTRUCTIONS { "instructions" } else { event };
    points.finish(Unit::new(unit), "it has no benchmark")
}

fn add(summary: &Summary<'_>, event: &str, points: &mut BenchmarkRuns) -> Result<(), ImportError> {
    if !summary.version.parse().is_ok_and(|version| KNOWN.contains(&version)) {
        let problem = format!(
            "it has version {}, but only {} to {} are known",
            shown(&summary.version),
            KNOWN.start(),
            KNOWN.end()
        );
        return Err(ImportError::OtherFormat { format: FORMAT, problem });
    }
    let tools = summary.tools();
    let Some(named) = tools.iter().map(|tool| of_event(tool, event)).find(|named| !named.is_empty()) else {
        let choices = listed(tools.iter().flatten().flat_map(|events| events.keys().map(|name| &**name)));
        return Err(ImportError::Unknown { what: "event", name: event.to_owned(), choices });
    };
    let cost = cost(&named);
    let (name, features) = summary.benchmark()?;
    let Some(cost) = cost else {
        let message = format!("{} has no {event} of its own run", shown(&name));
        points.warn(Warning::new(WarningKind::BenchmarkFailed, message));
        return Ok(());
    };
    points.add(&name, &features, std::iter::once(cost))
}

/// Returns an event of each process that has it.
fn of_event<'e>(processes: &[&'e Events<'_>], event: &str) -> Vec<&'e Compared> {
    processes.iter().filter_map(|events| events.get(event)).collect()
}

/// Returns the total cost of a run's processes.
fn cost(of_processes: &[&Compared]) -> Option<Result<u64, String>> {
    let values = of_processes.iter().filter_map(|compared| {
        let metrics = compared.metrics.as_ref();
        let new = metrics.and_then(|m| m.left.or(m.both.map(|(new, _)| new)));
        new.or(compared.new.map(Metric::Whole))
    });
    let counts: Result<Vec<u64>, String> = values.map(Metric::count).collect();
    match counts {
        Ok(counts) if counts.is_empty() => None,
        counts => Some(counts.map(|counts| counts.into_iter().fold(0, u64::saturating_add))),
    }
}

impl Metric {
    fn count(self) -> Result<u64, String> {
        let fraction = match self {
            Self::Whole(count)
            | Self::Tagged(Tagged::Int(count))
            | Self::Annotated { value: Number::Whole(count) } => {
                return Ok(count);
            }
            Self::Fraction(value)
            | Self::Tagged(Tagged::Float(value))
            | Self::Annotated { value: Number::Fraction(value) } => value,
        };
        let count = whole(fraction).filter(|count| *count as f64 == fraction);
        count.ok_or_else(|| format!("{fraction} is not a whole number"))
    }
}

impl<'a> Summary<'a> {
    /// Returns the events of each tool, for each of its processes.
    fn tools(&self) -> Vec<Vec<&Events<'a>>> {
        let mut tools = Vec::new();
        if let Some(callgrind) = &self.callgrind {
            let run = callgrind.callgrind_run.iter().map(|run| &run.total.summary);
            tools.push(callgrind.summaries.iter().map(|process| &process.events).chain(run).collect());
        }
        for profile in &self.profiles {
            let total = &profile.summaries.total;
            let summary = total.summary.as_ref().and_then(OfTool::events);
            tools.push(summary.into_iter().chain(&total.metrics).collect());
        }
        tools
    }

    /// Returns the benchmark's name without numbers, and the numbers as features.
    fn benchmark(&self) -> Result<(String, Vec<(String, f64)>), ImportError> {
        let arguments = self.details.as_deref().unwrap_or_default();
        let spans = literals(arguments);
        if (1..=MOST_NUMBERS).contains(&spans.len()) {
            // iai-callgrind writes arguments without brackets.
            let is_bare = !arguments.starts_with(['(', '<']);
            let mut name = format!("{}{}", self.module_path, if is_bare { "(" } else { "" });
            let mut end = 0;
            for (i, span) in spans.iter().enumerate() {
                name.push_str(&arguments[end..span.start]);
                name.push_str(&if spans.len() == 1 {
                    "{n}".to_owned()
                } else {
                    ["{arg", &(i + 1).to_string(), "}"].concat()
                });
                end = span.end;
            }
            name.push_str(&arguments[end..]);
            name.push_str(if is_bare { ")" } else { "" });
            let words = std::iter::once(&*name).chain(spans.into_iter().map(|span| &arguments[span]));
            return points::arguments(words, |word| number(word).map(|value| (None, value)));
        }
        let Some(id) = &self.id else { return Ok((self.module_path.clone().into_owned(), Vec::new())) };
        let at_end = id.rsplit_once('_').and_then(|(name, count)| Some((name, super::text::digits(count)?)));
        Ok(match at_end {
            Some((name, count)) => {
                let name = if name.is_empty() { "n" } else { name };
                (self.module_path.clone().into_owned(), vec![(name.to_owned(), count as f64)])
            }
            None => (format!("{} {id}", self.module_path), Vec::new()),
        })
    }
}

impl<'a> OfTool<'a> {
    fn events(&self) -> Option<&Events<'a>> {
        match self {
            Self::None => None,
            Self::ErrorTool(events)
            | Self::Dhat(events)
            | Self::Callgrind(events)
            | Self::Cachegrind(events) => Some(events),
        }
    }
}

/// Finds the numbers that stand alone in a text: `50` in `items(50)`, and none in `sha256(x.0)`.
fn literals(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    // Bytes of non-ASCII characters count as words, so that ranges begin and end at character boundaries.
    let is_word =
        |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii());
    let is_point =
        |at: usize| bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        while is_word(at) || at > begin && bytes[begin].is_ascii_digit() && is_point(at) {
            at += 1;
        }
        // A tuple field follows one point, the end of a range two.
        let is_field = text[..begin].ends_with('.') && !text[..begin].ends_with("..");
        if at > begin && !is_field && number(&text[begin..at]).is_some() {
            ranges.push(begin..at);
        }
        at = at.max(begin + 1);
    }
    ranges
}

/// Parses a Rust number literal: `1_000`, `50u64`, `1.5`, `1e6`.
fn number(literal: &str) -> Option<f64> {
    const TYPES: [&str; 14] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    ];
    let bare = TYPES.iter().find_map(|name| literal.strip_suffix(name)).unwrap_or(literal);
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit());
    bare.replace('_', "").parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, event: Option<&str>) -> Vec<(String, String, u64)> {
        let read = read(text.as_bytes(), event).unwrap();
        super::super::rows(&read)
    }

    fn summary(version: u32, id: &str, details: &str, rest: &str) -> String {
        format!(
            "{{\"version\": \"{version}\", \"module_path\": \"b::g::f\", \"id\": {id}, \"details\": {details}, \
             \"benchmark_exe\": \"x\", {rest}}}"
        )
    }

    #[test]
    fn every_version_has_its_events_where_it_has_them() {
        let of_callgrind = |rest: &str| format!("\"tool_summaries\": [], \"callgrind_summary\": {rest}");
        let profile = |name: &str, metrics: &str| {
            format!(
                "\"profiles\": [{{\"tool\": \"Massif\", \"{name}\": {{\"parts\": [], \"total\": {}}}}}, \
                     {{\"tool\": \"Callgrind\", \"{name}\": {{\"parts\": [], \"total\": {{{metrics}, \"regressions\": []}}}}}}]",
                if name == "data" { "{\"metrics\": {}}" } else { "{\"summary\": \"None\"}" }
            )
        };
        let event = |value: &str| format!("{{\"Ir\": {value}, \"Dr\": {value}}}");
        let of_tool = |value: &str| format!("\"summary\": {{\"Callgrind\": {}}}", event(value));
        let versions = [
            (
                1,
                of_callgrind(
                    "{\"summaries\": [{\"events\": {\"Ir\": {\"new\": 70, \"old\": 9}}}, {\"events\": {\"Ir\": {\"new\": 7}}}]}",
                ),
            ),
            (
                3,
                of_callgrind(&format!(
                    "{{\"callgrind_run\": {{\"segments\": [], \"total\": {{\"summary\": {}}}}}}}",
                    event("{\"metrics\": {\"Both\": [77, 9]}, \"diffs\": null}")
                )),
            ),
            (4, profile("summaries", &of_tool("{\"metrics\": {\"Left\": 77}}"))),
            (
                6,
                profile(
                    "summaries",
                    &of_tool("{\"metrics\": {\"Both\": [{\"Int\": 77}, {\"Float\": 0.5}]}}"),
                ),
            ),
            (
                7,
                profile(
                    "data",
                    &format!("\"metrics\": {}", event("{\"values\": {\"new\": 77, \"old\": 1}}")),
                ),
            ),
            (
                7,
                profile(
                    "data",
                    &format!("\"metrics\": {}", event("{\"values\": {\"new\": {\"value\": 77.0}}}")),
                ),
            ),
        ];
        for (version, rest) in versions {
            let arguments = if version < 6 { "\"items(50)\"" } else { "\"(items(50))\"" };
            let text = summary(version, "\"n_5\"", arguments, &rest);
            let expected = [("b::g::f(items({n}))".to_owned(), "n=50".to_owned(), 77)];
            assert_eq!(rows(&text, None), expected, "{version}");
        }
    }

    #[test]
    fn numbers_among_the_arguments_are_features_or_that_of_the_id() {
        let benchmark = |id: &str, details: &str| {
            let rest = "\"profiles\": [{\"summaries\": {\"total\": {\"summary\": {\"Callgrind\": {\"Ir\": {\"metrics\": \
                        {\"Left\": {\"Int\": 1}}}}}}}}]";
            let rows = rows(&summary(6, id, details, rest), None);
            (rows[0].0.clone(), rows[0].1.clone())
        };
        let named = |name: &str, workload: &str| (name.to_owned(), workload.to_owned());
        assert_eq!(
            benchmark("\"small\"", "\"(grid(3, 1_0u64))\""),
            named("b::g::f(grid({arg1}, {arg2}))", "arg1=3 arg2=10")
        );
        assert_eq!(benchmark("\"rows_50\"", "null"), named("b::g::f", "rows=50"));
        assert_eq!(benchmark("\"x_y\"", "\"(vec![1,2,3,4,5])\""), named("b::g::f x_y", "all"));
        assert_eq!(benchmark("null", "null"), named("b::g::f", "all"));
    }

    #[test]
    fn numbers_stand_alone() {
        let numbers_in =
            |text: &str| literals(text).into_iter().map(|span| text[span].to_owned()).collect::<Vec<_>>();
        assert_eq!(
            numbers_in("sha256(x.0, 0..100, \"in/20.json\", 1.5e3f64, 0x10, a_7, é9)"),
            ["0", "100", "20", "1.5e3f64"]
        );
        assert_eq!(number("1.5e3f64"), Some(1500.0));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text: &str, event| read(text.as_bytes(), event).unwrap_err().to_string();
        let of = |version, value: &str| {
            let rest = format!(
                "\"profiles\": [{{\"summaries\": {{\"total\": {{\"summary\": {{\"Callgrind\": {{\"Ir\": \
                        {{\"metrics\": {{{value}}}}}}}}}}}}}}}]"
            );
            summary(version, "null", "null", &rest)
        };
        assert!(error(&of(8, ""), None).contains("it has version 8, but only 1 to 7 are known"));
        assert_eq!(
            error(&of(6, "\"Left\": {\"Int\": 1}"), Some("Dr")),
            "the file has no event `Dr`; it has `Ir`"
        );
        assert!(error(&of(6, "\"Left\": {\"Float\": 0.5}"), None).contains("0.5 is not a whole number"));
        assert!(error(&of(6, "\"Left\": -1"), None).contains("-1 is not a whole number"));
        assert!(error(&of(6, "\"Right\": {\"Int\": 1}"), None).contains("it has no benchmark"));
        assert!(error("", None).contains("it has no benchmark"));
    }
}
