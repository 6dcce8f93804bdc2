//! Reads the output of Google Benchmark with `--benchmark_format=json`.
//!
//! ```text
//! BM_sort/1024             benchmark BM_sort at n = 1024
//! BM_mix/8/64              benchmark BM_mix at arg1 = 8, arg2 = 64
//! BM_mix/rows:8/cols:64    arguments with names
//! …/repeats:3/threads:4    settings; threads are a feature
//! ```

use std::collections::HashSet;

use serde::Deserialize;
use trend_profile::{Unit, Warning, WarningKind};

use super::points::{self, BenchmarkRuns, NANOSECOND, picoseconds};
use super::text::shown;
use super::{ImportError, Imported, Input};

/// Parts of a name that are settings of the measurement.
const SETTINGS: [&str; 4] = ["iterations", "repeats", "min_time", "min_warmup_time"];
/// Parts of a name that select the wall time; the default is CPU time.
const ELAPSED: [&str; 2] = ["real_time", "manual_time"];

#[derive(Deserialize)]
struct Report {
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    #[serde(default)]
    run_name: Option<String>,
    #[serde(default)]
    run_type: Option<String>,
    #[serde(default)]
    aggregate_name: Option<String>,
    #[serde(default)]
    error_occurred: bool,
    #[serde(default)]
    error_message: String,
    #[serde(default)]
    real_time: Option<f64>,
    #[serde(default)]
    cpu_time: Option<f64>,
    #[serde(default)]
    time_unit: Option<String>,
}

impl Benchmark {
    fn is_aggregate(&self) -> bool {
        self.run_type.as_deref() == Some("aggregate") || self.aggregate_name.is_some()
    }

    fn run(&self) -> &str {
        self.run_name.as_deref().unwrap_or(&self.name)
    }
}

/// Reads a report. `metric` is `real_time` or `cpu_time`; the default is the one that the benchmark's name selects.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, or has invalid times.
pub fn read<'a>(input: impl Into<Input<'a>>, metric: Option<&str>) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut points = BenchmarkRuns::new(input.budget());
    let report: Report = serde_json::from_slice(&input.document()?)?;
    if let Some(name) = metric.filter(|m| !["real_time", "cpu_time"].contains(m)) {
        let choices = "`real_time`, `cpu_time`".to_owned();
        return Err(ImportError::Unknown { what: "metric", name: name.to_owned(), choices });
    }
    let single: HashSet<&str> =
        report.benchmarks.iter().filter(|b| !b.is_aggregate()).map(Benchmark::run).collect();
    for benchmark in &report.benchmarks {
        if benchmark.error_occurred {
            let message = format!("{} failed: {}", shown(&benchmark.name), benchmark.error_message);
            points.warn(Warning::new(WarningKind::BenchmarkFailed, message));
            continue;
        }
        // If single repetitions are not listed, the median represents them all.
        let is_median = benchmark.aggregate_name.as_deref() == Some("median");
        if benchmark.is_aggregate() && (!is_median || single.contains(benchmark.run())) {
            continue;
        }
        add(benchmark, metric, &mut points)?;
    }
    points.finish(Unit::new(Unit::PICOSECONDS), "no benchmark has a time; run it with or without repetitions")
}

fn add(benchmark: &Benchmark, metric: Option<&str>, points: &mut BenchmarkRuns) -> Result<(), ImportError> {
    let (family, features) = parts(benchmark.run())?;
    let is_elapsed = match metric {
        Some(metric) => metric == "real_time",
        None => benchmark.run().split('/').any(|part| ELAPSED.contains(&part)),
    };
    let time = if is_elapsed { benchmark.real_time } else { benchmark.cpu_time };
    let contradictory =
        |what: String| ImportError::Contradictory { what: format!("{}: {what}", benchmark.name) };
    let time = time.ok_or_else(|| contradictory("it has no time".to_owned()))?;
    let unit = match benchmark.time_unit.as_deref() {
        Some("ns") | None => 1.0,
        Some("us") => 1e3,
        Some("ms") => 1e6,
        Some("s") => 1e9,
        Some(other) => return Err(contradictory(format!("the unit `{other}` is unknown"))),
    };
    points.add(&family, &features, std::iter::once(picoseconds(time, unit * NANOSECOND)))
}

/// Splits a name into the benchmark's own name and its arguments.
fn parts(name: &str) -> Result<(String, Vec<(String, f64)>), ImportError> {
    let is_setting = |word: &str| match word.split_once(':') {
        Some((name, _)) => SETTINGS.contains(&name),
        None => ELAPSED.contains(&word) || word == "process_time",
    };
    let words =
        name.split('/').enumerate().filter(|&(i, word)| i == 0 || !is_setting(word)).map(|(_, word)| word);
    points::arguments(words, |word| match word.split_once(':') {
        Some((name, value)) => value.parse().ok().map(|value| (Some(name), value)),
        None => word.parse().ok().map(|value| (None, value)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_arguments() {
        let n = |name: &str, value: f64| (name.to_owned(), value);
        let parts = |name: &str| super::parts(name).unwrap();
        assert_eq!(parts("BM_sort/1024"), ("BM_sort".to_owned(), vec![n("n", 1024.0)]));
        assert_eq!(
            parts("BM_x<int>/8/64/repeats:3/real_time"),
            ("BM_x<int>".to_owned(), vec![n("arg1", 8.0), n("arg2", 64.0)])
        );
        assert_eq!(
            parts("Fix/Run/rows:8/threads:4"),
            ("Fix/Run".to_owned(), vec![n("rows", 8.0), n("threads", 4.0)])
        );
    }

    #[test]
    fn repetitions_are_kept_and_aggregates_are_left_out() {
        let benchmark = |run: &str, kind: &str, time: f64| {
            format!(
                "{{\"name\": \"{run}\", \"run_name\": \"{run}\", \"run_type\": \"{kind}\", \"cpu_time\": {time}, \
                 \"real_time\": 9.0, \"time_unit\": \"us\", \"aggregate_name\": {}}}",
                if kind == "aggregate" { "\"median\"" } else { "null" }
            )
        };
        let list = [
            benchmark("BM/8", "iteration", 1.5),
            benchmark("BM/8", "iteration", 2.5),
            benchmark("BM/8", "aggregate", 2.0),
            benchmark("BM/16", "aggregate", 4.0),
        ];
        let text = format!("{{\"context\": {{}}, \"benchmarks\": [{}]}}", list.join(","));
        let imported = read(text.as_bytes(), None).unwrap();
        let costs: Vec<_> =
            imported.runs.iter().map(|r| (r.workload.as_deref().unwrap(), r.counts[0].1)).collect();
        assert_eq!(costs, [("n=8", 1_500_000), ("n=8", 2_500_000), ("n=16", 4_000_000)]);
        assert!(imported.unit.is_time());
        assert_eq!(read(text.as_bytes(), Some("real_time")).unwrap().runs[0].counts[0].1, 9_000_000);
    }
}
