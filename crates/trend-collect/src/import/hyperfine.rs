//! Reads the output of hyperfine with `--export-json`: the times of commands. Its parameters are the features.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use trend_profile::Unit;

use super::points::{self, BenchmarkRuns, SECOND, picoseconds};
use super::{ImportError, Imported, Input};

#[derive(Deserialize)]
struct Report {
    results: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    command: String,
    #[serde(default)]
    mean: Option<f64>,
    #[serde(default)]
    times: Vec<f64>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

/// Reads a report. A numeric parameter is a feature; any other one is part of the command.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, or has invalid times.
pub fn read<'a>(input: impl Into<Input<'a>>) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut points = BenchmarkRuns::new(input.budget());
    let report: Report = serde_json::from_slice(&input.document()?)?;
    for benchmark in &report.results {
        // Limits the parameters first, because each is searched for in the command.
        points::check(benchmark.parameters.keys().map(String::as_str))?;
    }
    let names = names(&report.results);
    for (benchmark, name) in report.results.iter().zip(&names) {
        let numbers = |(name, value): (&String, &String)| {
            Some((name.clone(), value.parse::<f64>().ok().filter(|v| v.is_finite())?))
        };
        let features: Vec<(String, f64)> = benchmark.parameters.iter().filter_map(numbers).collect();
        let mean = benchmark.mean.filter(|_| benchmark.times.is_empty());
        let times = benchmark.times.iter().chain(&mean);
        points.add(name, &features, times.map(|&time| picoseconds(time, SECOND)))?;
    }
    points.finish(Unit::new(Unit::PICOSECONDS), "no command has a time")
}

/// Returns the commands with their numbers replaced by parameter names, so that a command is equal at every point.
///
/// `sort 5` becomes `sort {n}`. Other commands decide whether `in5.txt` becomes `in{n}.txt`, and `md5sum` stays: the
/// template shared by more commands wins.
fn names(results: &[Benchmark]) -> Vec<String> {
    let candidates: Vec<[String; 2]> = results
        .iter()
        .map(|b| [template(b, char::is_alphanumeric), template(b, |c| c.is_ascii_digit())])
        .collect();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for [strict, loose] in &candidates {
        *seen.entry(strict).or_default() += 1;
        if loose != strict {
            *seen.entry(loose).or_default() += 1;
        }
    }
    let name = |[strict, loose]: &[String; 2]| {
        if seen[loose.as_str()] > seen[strict.as_str()] { loose.clone() } else { strict.clone() }
    };
    candidates.iter().map(name).collect()
}

fn template(benchmark: &Benchmark, joins: impl Fn(char) -> bool + Copy) -> String {
    let mut command = benchmark.command.clone();
    for (name, value) in &benchmark.parameters {
        if value.parse::<f64>().is_ok() {
            command = replaced(&command, value, &format!("{{{name}}}"), joins);
        }
    }
    command
}

/// Replaces a number wherever it stands alone and is not part of a word or of another number.
fn replaced(text: &str, number: &str, with: &str, joins: impl Fn(char) -> bool) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(number).filter(|_| !number.is_empty()) {
        let end = at + number.len();
        let before = rest[..at].chars().next_back().or_else(|| result.chars().next_back());
        let mut after = rest[end..].chars();
        let (next, second) = (after.next(), after.next());
        let continues =
            next.is_some_and(&joins) || (next == Some('.') && second.is_some_and(|c| c.is_ascii_digit()));
        let stands_alone = !before.is_some_and(|c| joins(c) || c == '.') && !continues;
        result.push_str(&rest[..at]);
        result.push_str(if stands_alone { with } else { number });
        rest = &rest[end..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(command: &str, n: u32, times: &str) -> String {
        let command = command.replace('@', &n.to_string());
        format!(
            "{{\"command\": \"{command}\", \"mean\": 1.0, \"times\": {times}, \"parameters\": {{\"n\": \"{n}\"}}}}"
        )
    }

    fn report(results: &[String]) -> String {
        format!("{{\"results\": [{}]}}", results.join(","))
    }

    #[test]
    fn times_are_repetitions_at_the_point_of_the_parameters() {
        let list =
            [result("a @", 100, "[0.001, 0.002]"), result("a @", 5, "[0.004]"), result("b @", 5, "[]")];
        let text = report(&list);
        let imported = read(text.as_bytes()).unwrap();
        let cost = |r: &crate::import::ImportedRun| {
            let (location, cost) = r.counts[0];
            (
                r.workload.as_deref().unwrap().to_owned(),
                imported.locations[location as usize].label.to_string(),
                cost,
            )
        };
        let costs: Vec<_> = imported.runs.iter().map(cost).collect();
        let row = |n: &str, command: &str, ms: u64| (n.to_owned(), command.to_owned(), ms * 1_000_000_000);
        let expected = [
            row("n=100", "a {n}", 1),
            row("n=100", "a {n}", 2),
            row("n=5", "a {n}", 4),
            row("n=5", "b {n}", 1000),
        ];
        assert_eq!(costs, expected);
    }

    #[test]
    fn the_same_command_at_several_points_is_one_location() {
        let names = |command: &str| {
            let results = [5, 6, 17].map(|n| result(command, n, "[1]"));
            let read = read(report(&results).as_bytes()).unwrap();
            read.locations.iter().map(|l| l.label.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names("a 1.@"), ["a 1.5", "a 1.6", "a 1.17"]);
        assert_eq!(names("sort in@.txt"), ["sort in{n}.txt"]);
        assert_eq!(names("md5sum --times @"), ["md5sum --times {n}"]);
    }
}
