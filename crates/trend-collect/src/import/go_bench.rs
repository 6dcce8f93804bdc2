//! Reads the output of `go test -bench`.
//!
//! ```text
//! pkg: example.com/sort
//! BenchmarkSort/n=1000-8   1234   987654 ns/op   1225 compares/op   120 B/op   3 allocs/op
//! │             │     │    │      └ values with their units
//! │             │     │    └ iterations
//! │             │     └ GOMAXPROCS if it is not 1
//! │             └ sub-benchmarks: those with a number are features
//! └ prefix of result lines; other lines are skipped
//! ```
//!
//! This is the text format of Go's proposal 14313. Each `-count` gives a line, which is a repetition.

use std::collections::BTreeSet;

use trend_profile::{Unit, Warning, WarningKind};

use super::budget::ENTRY;
use super::error::listed;
use super::points::{self, BenchmarkRuns, NANOSECOND, whole};
use super::text::shown;
use super::{ImportError, Imported, Input};

const FORMAT: &str = "output of `go test -bench`";
/// Time per iteration, the default metric.
const TIME: &str = "ns/op";
/// Suffix of metrics that are per iteration.
const PER_ITERATION: &str = "/op";
/// Go's own memory metrics, with their units as words.
const UNITS: [(&str, &str); 2] = [("B/op", "bytes"), ("allocs/op", "allocations")];
/// Maximum number of metrics; no handwritten benchmark has more.
const MOST_METRICS: usize = 1000;

/// A result line for the chosen metric.
struct Measured {
    /// Benchmark name with the package, without GOMAXPROCS.
    name: String,
    processors: Option<u32>,
    value: f64,
}

/// Reads the output. `metric` is one of the units, such as `B/op`; the default is the time.
///
/// # Errors
/// Fails if the output has no result, lacks the metric, or has an invalid result.
pub fn read<'a>(input: impl Into<Input<'a>>, metric: Option<&str>) -> Result<Imported, ImportError> {
    let mut input = input.into();
    let mut points = BenchmarkRuns::new(input.budget());
    let budget = std::rc::Rc::clone(input.budget());
    let wanted = metric.unwrap_or(TIME);
    let mut package = String::new();
    let mut metrics: BTreeSet<String> = BTreeSet::new();
    let mut measured: Vec<Measured> = Vec::new();
    while let Some((number, line)) = input.line()? {
        if let Some(name) = line.strip_prefix("pkg:") {
            name.trim().clone_into(&mut package);
            continue;
        }
        if let Some(failed) = line.trim_start().strip_prefix("--- FAIL: Benchmark") {
            points.warn(Warning::new(
                WarningKind::BenchmarkFailed,
                format!("Benchmark{} failed", shown(failed)),
            ));
            continue;
        }
        let Some((name, values)) = result(&line) else { continue };
        let mut words = values.split_ascii_whitespace();
        while let Some(value) = words.next() {
            let Some(unit) = words.next() else {
                return Err(ImportError::line(number, format!("the value `{}` has no unit", shown(value))));
            };
            let parsed = value.parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0);
            let value = parsed.ok_or_else(|| {
                ImportError::line(number, format!("`{} {}` is not a valid cost", shown(value), shown(unit)))
            })?;
            if !metrics.contains(unit) && metrics.len() < MOST_METRICS {
                budget.keep(ENTRY + unit.len());
                metrics.insert(unit.to_owned());
            }
            if unit == wanted {
                let (name, processors) = processors(name);
                let name = if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
                budget.keep(size_of::<Measured>() + ENTRY + name.len());
                budget.check()?;
                measured.push(Measured { name, processors, value });
            }
        }
    }
    if metrics.is_empty() {
        let problem = "it has no line `BenchmarkName iterations value unit`".to_owned();
        return Err(ImportError::OtherFormat { format: FORMAT, problem });
    }
    if measured.is_empty() {
        let choices = listed(metrics.iter().map(String::as_str));
        return Err(ImportError::Unknown { what: "metric", name: wanted.to_owned(), choices });
    }
    if !input.ended_with_newline() {
        points.warn(points::unfinished());
    }
    let (unit, factor) = match wanted {
        TIME => (Unit::new(Unit::PICOSECONDS), NANOSECOND),
        _ => points::scale(&unit(wanted), &measured.iter().map(|m| m.value)),
    };
    let has_processors = measured.iter().any(|m| m.processors != measured[0].processors);
    for Measured { name, processors, value } in &measured {
        let (name, mut features) = parts(name)?;
        if has_processors {
            features.push(("gomaxprocs".to_owned(), f64::from(processors.unwrap_or(1))));
        }
        let cost = whole(value * factor).ok_or_else(|| format!("{value} {} is too large", shown(wanted)));
        points.add(&name, &features, std::iter::once(cost))?;
    }
    points.finish(unit, "no benchmark has a value")
}

/// Returns true if a line is a result.
pub fn is_result(line: &str) -> bool {
    result(line).is_some()
}

/// Splits a result line into the benchmark's name and the values after the number of iterations.
fn result(line: &str) -> Option<(&str, &str)> {
    let (name, rest) =
        line.strip_prefix("Benchmark").and(line.split_once(|c: char| c.is_ascii_whitespace()))?;
    let (iterations, values) = rest.trim_ascii_start().split_once(|c: char| c.is_ascii_whitespace())?;
    super::text::digits(iterations).map(|_| (name, values))
}

/// Splits GOMAXPROCS off the end of a name.
fn processors(name: &str) -> (&str, Option<u32>) {
    let suffix =
        name.rsplit_once('-').and_then(|(name, count)| Some((name, super::text::line_number(count)?)));
    suffix.map_or((name, None), |(name, count)| (name, Some(count)))
}

/// Splits the numbers off a benchmark's name: `/1000`, `/n=1000`, `/rows-10`.
fn parts(name: &str) -> Result<(String, Vec<(String, f64)>), ImportError> {
    // The package contains slashes as well.
    let begin = name.find(".Benchmark").map_or(0, |at| at + 1);
    let end = name[begin..].find('/').map_or(name.len(), |at| begin + at);
    let words = std::iter::once(&name[..end]).chain(name[end..].split('/').skip(1));
    points::arguments(words, |word| {
        if let Ok(value) = word.parse() {
            return Some((None, value));
        }
        let (name, value) = word.rsplit_once(['=', ':', '_', '-'])?;
        let is_name = name.starts_with(char::is_alphabetic);
        value.parse().ok().filter(|_| is_name).map(|value| (Some(name), value))
    })
}

/// Returns the unit of a metric.
fn unit(metric: &str) -> String {
    let named_unit = UNITS.iter().find(|(name, _)| *name == metric).map(|(_, unit)| *unit);
    named_unit.unwrap_or(metric.strip_suffix(PER_ITERATION).unwrap_or(metric)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "goos: linux\npkg: example.com/a\ncpu: x\nBenchmarkSort\nBenchmarkSort/n=50-8 \t 100\t 3143 ns/op\t \
                          1.5 swaps/op\t 16 B/op\n    a_test.go:3: hello\nBenchmarkSort/n=50-8 \t 100\t 2.25 ns/op\t 16 B/op\n\
                          BenchmarkSort/n=100-8 \t 50\t 7000 ns/op\t 0.25 swaps/op\nPASS\nok  \texample.com/a\t1.2s\npkg: b\n\
                          BenchmarkSort/n=100-8 1 5 ns/op\n";

    fn rows(text: &str, metric: Option<&str>) -> Vec<(String, String, u64)> {
        let read = read(text.as_bytes(), metric).unwrap();
        super::super::rows(&read)
    }

    fn expected(rows: &[(&str, &str, u64)]) -> Vec<(String, String, u64)> {
        rows.iter().map(|&(name, workload, cost)| (name.to_owned(), workload.to_owned(), cost)).collect()
    }

    #[test]
    fn lines_are_repetitions_of_a_benchmark_of_a_package() {
        let sort = "example.com/a.BenchmarkSort";
        let times = [
            (sort, "n=50", 3_143_000),
            (sort, "n=50", 2_250),
            (sort, "n=100", 7_000_000),
            ("b.BenchmarkSort", "n=100", 5_000),
        ];
        assert_eq!(rows(OUTPUT, None), expected(&times));
        assert_eq!(rows(OUTPUT, Some("B/op")), expected(&[(sort, "n=50", 16), (sort, "n=50", 16)]));
        assert_eq!(rows(OUTPUT, Some("swaps/op")), expected(&[(sort, "n=50", 150), (sort, "n=100", 25)]));
        let unit = |metric| read(OUTPUT.as_bytes(), Some(metric)).unwrap().unit.name().to_owned();
        assert_eq!([unit(TIME), unit("B/op"), unit("swaps/op")], ["ps", "bytes", "1e-2 swaps"]);
    }

    #[test]
    fn sub_benchmarks_with_numbers_are_features() {
        let n = |name: &str, value: f64| (name.to_owned(), value);
        let parts = |name: &str| super::parts(name).unwrap();
        assert_eq!(parts("a.b/c.BenchmarkX/1e3"), ("a.b/c.BenchmarkX".to_owned(), vec![n("n", 1000.0)]));
        assert_eq!(
            parts("BenchmarkX/8/kind=map/64"),
            ("BenchmarkX/kind=map".to_owned(), vec![n("arg1", 8.0), n("arg2", 64.0)])
        );
        assert_eq!(
            parts("BenchmarkX/rows-8/my_cols_64/-5/sha256/inf"),
            ("BenchmarkX/sha256/inf".to_owned(), vec![n("n", -5.0), n("rows", 8.0), n("my_cols", 64.0)])
        );
        assert_eq!(parts("Benchmark10"), ("Benchmark10".to_owned(), vec![]));
    }

    #[test]
    fn several_numbers_of_processors_are_a_feature() {
        let text = "BenchmarkX/n=5 1 4 ns/op\nBenchmarkX/n=5-2 1 3 ns/op\n";
        let x = "BenchmarkX";
        assert_eq!(
            rows(text, None),
            expected(&[(x, "n=5 gomaxprocs=1", 4000), (x, "n=5 gomaxprocs=2", 3000)])
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str, metric| read(text.as_bytes(), metric).unwrap_err().to_string();
        assert!(error("PASS\n", None).contains("it has no line `BenchmarkName iterations"));
        assert_eq!(
            error("BenchmarkX 1 5 ns/op\n", Some("B/op")),
            "the file has no metric `B/op`; it has `ns/op`"
        );
        assert_eq!(error("\nBenchmarkX 1 5\n", None), "line 2: the value `5` has no unit");
        assert_eq!(error("BenchmarkX 1 -5 ns/op\n", None), "line 1: `-5 ns/op` is not a valid cost");
        assert_eq!(error("BenchmarkX 1 NaN ns/op\n", None), "line 1: `NaN ns/op` is not a valid cost");
        assert!(error("BenchmarkX 1 1e300 ns/op\n", None).ends_with(" ns/op is too large"));
        let failed = read(b"--- FAIL: BenchmarkY\nBenchmarkX 1 5 ns/op", None).unwrap().warnings;
        let kinds: Vec<&str> = failed.iter().map(|w| w.kind.as_str()).collect();
        assert_eq!(kinds, ["benchmark_failed", "unfinished_line"]);
    }
}
