//! Reads criterion's files of a benchmark, in `target/criterion/GROUP/FUNCTION/VALUE/new`.

use std::rc::Rc;

use serde::Deserialize;
use trend_profile::Unit;

use super::points::{BenchmarkRuns, NANOSECOND, picoseconds};
use super::{Budget, ImportError, Imported};

/// The files of one benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// `benchmark.json`: names and parameters of the benchmark.
    pub benchmark: &'a [u8],
    /// `sample.json`: the measured times.
    pub sample: Option<&'a [u8]>,
    /// `estimates.json`: criterion's statistics, used if there is no sample.
    pub estimates: Option<&'a [u8]>,
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    #[serde(default)]
    function_id: Option<String>,
    #[serde(default)]
    value_str: Option<String>,
    #[serde(default)]
    throughput: Option<Throughput>,
}

#[derive(Deserialize)]
enum Throughput {
    Bytes(u64),
    BytesDecimal(u64),
    Elements(u64),
    #[serde(untagged)]
    Other(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct Estimates {
    #[serde(default)]
    slope: Option<Estimate>,
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// Reads one benchmark; each sample is a repetition. criterion's input value is the feature `n` if it is a number, and
/// the throughput is `bytes` or `elements`.
///
/// # Errors
/// Fails if a file is invalid JSON, is cut off, or has invalid times.
pub fn read(files: &Files<'_>, budget: &Rc<Budget>) -> Result<Imported, ImportError> {
    let benchmark: Benchmark = serde_json::from_slice(files.benchmark)?;
    let mut name = benchmark.group_id.clone();
    name.extend(benchmark.function_id.iter().map(|f| format!("/{f}")));
    let mut features = Vec::new();
    if let Some(value) = &benchmark.value_str {
        match value.parse::<f64>().ok().filter(|v| v.is_finite()) {
            Some(n) => features.push(("n".to_owned(), n)),
            None => name = format!("{name}/{value}"),
        }
    }
    features.extend(match benchmark.throughput {
        Some(Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes)) => {
            Some(("bytes".to_owned(), bytes as f64))
        }
        Some(Throughput::Elements(elements)) => Some(("elements".to_owned(), elements as f64)),
        Some(Throughput::Other(_)) | None => None,
    });
    let mut points = BenchmarkRuns::new(budget);
    points.add(&name, &features, times(files)?.into_iter().map(|time| picoseconds(time, NANOSECOND)))?;
    points.finish(Unit::new(Unit::PICOSECONDS), "its sample is empty")
}

/// Returns nanoseconds per iteration, one value per sample.
fn times(files: &Files<'_>) -> Result<Vec<f64>, ImportError> {
    if let Some(bytes) = files.sample {
        let sample: Sample = serde_json::from_slice(bytes)?;
        if sample.iters.len() != sample.times.len() {
            let what = format!("{} samples but {} times", sample.iters.len(), sample.times.len());
            return Err(ImportError::Contradictory { what });
        }
        return Ok(sample
            .times
            .iter()
            .zip(&sample.iters)
            .map(|(time, iterations)| time / iterations)
            .collect());
    }
    let Some(bytes) = files.estimates else {
        let missing = "neither sample.json nor estimates.json is beside benchmark.json".to_owned();
        return Err(ImportError::CutOff { missing });
    };
    let estimates: Estimates = serde_json::from_slice(bytes)?;
    Ok(vec![estimates.slope.unwrap_or(estimates.median).point_estimate])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Limits;

    const BENCHMARK: &str = r#"{"group_id":"sort","function_id":"bubble","value_str":"200",
        "throughput":{"Elements":200},"full_id":"sort/bubble/200","directory_name":"x","title":"x"}"#;

    #[test]
    fn samples_are_repetitions_and_estimates_stand_in_for_them() {
        let sample = br#"{"sampling_mode":"Linear","iters":[1.0,2.0],"times":[10.0,30.0]}"#;
        let estimates =
            br#"{"mean":{"point_estimate":1.0},"median":{"point_estimate":7.5},"slope":null,"std_dev":{}}"#;
        let files =
            Files { benchmark: BENCHMARK.as_bytes(), sample: Some(sample), estimates: Some(estimates) };
        let budget = Rc::new(Budget::new(Limits::for_files(1000)));
        let imported = read(&files, &budget).unwrap();
        let costs: Vec<u64> = imported.runs.iter().map(|r| r.counts[0].1).collect();
        assert_eq!(costs, [10_000, 15_000]);
        assert_eq!(imported.runs[0].workload.as_deref(), Some("n=200 elements=200"));
        assert_eq!(&*imported.locations[0].label, "sort/bubble");
        let files = Files { sample: None, ..files };
        assert_eq!(read(&files, &budget).unwrap().runs[0].counts[0].1, 7_500);
        let neither = read(&Files { estimates: None, ..files }, &budget).unwrap_err();
        assert!(matches!(neither, ImportError::CutOff { .. }), "{neither}");
    }

    #[test]
    fn a_time_that_is_none_is_refused() {
        let sample = br#"{"iters":[0.0],"times":[10.0]}"#;
        let files = Files { benchmark: BENCHMARK.as_bytes(), sample: Some(sample), estimates: None };
        let budget = Rc::new(Budget::new(Limits::for_files(1000)));
        assert!(read(&files, &budget).unwrap_err().to_string().contains("too large"));
    }
}
