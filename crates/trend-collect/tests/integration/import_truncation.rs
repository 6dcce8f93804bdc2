//! Tests files that end too early: each length gives an error, a warning, or a correct partial result.

use std::collections::BTreeMap;

use trend_collect::import::Imported;
use trend_profile::Kind;

use crate::import_formats::{drawn, real};

/// Workload, number of the repetition, function, file, line, entry flag, block number and label.
type LocationRow = (String, usize, String, String, u32, bool, u32, String);

fn counts(imported: &Imported) -> BTreeMap<LocationRow, u64> {
    let mut repetitions: BTreeMap<(String, u32), usize> = BTreeMap::new();
    let mut counts = BTreeMap::new();
    for run in &imported.runs {
        let workload = format!("{:?} {:?}", run.workload, run.features);
        for &(location, count) in &run.counts {
            let repetition = repetitions.entry((workload.clone(), location)).or_default();
            let l = &imported.locations[location as usize];
            let function = imported.functions[l.function.index()].symbol.name.clone();
            let is_entry = l.kind == Kind::Entry;
            let place = (
                workload.clone(),
                *repetition,
                function,
                l.file.to_string(),
                l.line,
                is_entry,
                l.block,
                l.label.to_string(),
            );
            assert_eq!(counts.insert(place, count), None);
            *repetition += 1;
        }
    }
    counts
}

/// Returns the observations of all series with their places, as text.
fn observations(imported: &Imported) -> Vec<String> {
    let of = |one: &trend_profile::Series| -> Vec<String> {
        one.observations.iter().map(|o| format!("{:?} {o:?}", one.place)).collect()
    };
    imported.series.iter().flat_map(of).collect()
}

fn is_right_as_far_as_it_goes(part: &Imported, whole: &Imported) -> bool {
    let (part_observations, whole_observations) = (observations(part), observations(whole));
    let whole = counts(whole);
    if part.series.is_empty() {
        // A file of one test does not name its workload, a file of several tests does.
        let is_same = |a: &LocationRow, b: &LocationRow| {
            let (mut a, b) = (a.clone(), b.clone());
            if part.runs.iter().all(|run| run.workload.is_none()) {
                a.0.clone_from(&b.0);
            }
            a == b
        };
        return counts(part).iter().all(|(place, count)| {
            whole.get(place) == Some(count)
                || whole.iter().any(|(other, all)| all == count && is_same(place, other))
        });
    }
    // A routine's cost is the sum of its points.
    let is_known = counts(part).iter().all(|(place, count)| whole.get(place).is_some_and(|all| count <= all));
    is_known && part_observations.iter().all(|t| whole_observations.contains(t))
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused_or_warned_of_or_right_as_far_as_it_goes() {
    for (name, read, sample) in drawn().into_iter().chain(real()) {
        let whole = read(sample.as_slice().into()).unwrap();
        for length in 0..sample.len() {
            let Ok(part) = read((&sample[..length]).into()) else { continue };
            let is_warned_of = part.warnings.iter().any(|w| !whole.warnings.contains(w));
            assert!(
                is_warned_of || is_right_as_far_as_it_goes(&part, &whole),
                "{name}, the first {length} of {}",
                sample.len()
            );
        }
    }
}

#[test]
fn no_part_of_a_document_is_one() {
    let is_document = |name: &str| matches!(name.rsplit_once('.'), Some((_, "json" | "parquet" | "xml")));
    for (name, read, sample) in drawn().into_iter().chain(real()).filter(|(name, ..)| is_document(name)) {
        // A trailing line end and criterion's other files are not part of the document.
        let whole = read(sample.as_slice().into()).unwrap();
        for length in 0..sample.len() {
            let part = read((&sample[..length]).into());
            let is_all = sample[length..].iter().all(u8::is_ascii_whitespace);
            let is_one_of_several = name.starts_with("criterion") && sample[..length].contains(&b'\n');
            assert!(
                part.is_err() || is_one_of_several || is_all && part == Ok(whole.clone()),
                "{name}: {length}"
            );
        }
    }
}
