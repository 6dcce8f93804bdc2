//! Compares Extra-P's files as read here with Extra-P's own readings in `measured.csv`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use trend_collect::import::extra_p;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/extra-p")
}

/// Number of repetitions, and least, median and greatest value, by callpath and point.
type Measured = BTreeMap<(String, BTreeMap<String, String>), (usize, [f64; 3])>;

fn point<'a>(pairs: impl Iterator<Item = (&'a str, f64)>) -> BTreeMap<String, String> {
    pairs.map(|(name, value)| (name.to_owned(), value.to_string())).collect()
}

/// Returns Extra-P's own readings by file and metric.
fn theirs() -> BTreeMap<(String, String), Measured> {
    let mut files: BTreeMap<(String, String), Measured> = BTreeMap::new();
    for line in std::fs::read_to_string(folder().join("measured.csv")).unwrap().lines().skip(1) {
        let [file, metric, callpath, at, repetitions, least, median, greatest] =
            line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let at = at.split(' ').map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            (name, value.parse().unwrap())
        });
        let values = [least, median, greatest].map(|v| v.parse().unwrap());
        let key = (callpath.to_owned(), point(at));
        let of_file = files.entry((file.to_owned(), metric.to_owned())).or_default();
        assert_eq!(of_file.insert(key, (repetitions.parse().unwrap(), values)), None);
    }
    files
}

fn ours(file: &str, metric: &str) -> Measured {
    let read = extra_p::read(&std::fs::read(folder().join(file)).unwrap(), Some(metric)).unwrap();
    assert_eq!(read.warnings, []);
    let part = read.unit.name().split_once(' ').and_then(|(part, _)| part.parse().ok()).unwrap_or(1.0);
    let unit = if read.unit.is_time() { 1e-12 } else { part };
    let mut values: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for run in &read.runs {
        let callpath = read.locations[run.counts[0].0 as usize].label.to_string();
        let at = point(run.features.iter().map(|(name, value)| (name.as_str(), *value)));
        values.entry((callpath, at)).or_default().push(run.counts[0].1 as f64 * unit);
    }
    let summary = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        (n, [values[0], f64::midpoint(values[(n - 1) / 2], values[n / 2]), values[n - 1]])
    };
    values.into_iter().map(|(key, values)| (key, summary(values))).collect()
}

#[test]
fn every_measurement_is_what_extra_p_reads() {
    let theirs = theirs();
    assert_eq!(theirs.len(), 7, "files and metrics");
    for ((file, metric), theirs) in theirs {
        let ours = ours(&file, &metric);
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>(), "{file}, {metric}");
        for (key, (repetitions, values)) in &theirs {
            let (our_repetitions, our_values) = ours[key];
            assert_eq!(our_repetitions, *repetitions, "{file}, {metric}, {key:?}");
            for (our, their) in our_values.iter().zip(values) {
                assert!((our - their).abs() <= 1e-9 * their, "{file}, {metric}, {key:?}: {our} and {their}");
            }
        }
    }
}
