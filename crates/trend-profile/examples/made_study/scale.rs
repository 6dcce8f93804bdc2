//! Studies that are large in one respect: many features, many locations, many clusters, long texts. Each takes its size
//! as numbers, so that the cost of a step can be measured against the size it should depend on.

use std::error::Error;
use std::path::Path;

use trend_profile::{Definition, Function, Location, NewStudy, SourceText, StudyFile};

use super::{Numbers, function, location, run, workload};

/// Default number of locations per function, and number of functions per file.
const LOCATIONS_OF_FUNCTION: usize = 10;
const FUNCTIONS_OF_FILE: usize = 100;

/// Makes functions with `of_function` locations each, in files of a hundred functions.
fn places(locations: usize, of_function: usize) -> (Vec<Function>, Vec<Location>) {
    let functions: Vec<Function> = (0..locations.div_ceil(of_function))
        .map(|f| {
            let line = 1 + 60 * (f % FUNCTIONS_OF_FILE) as u32;
            function(&format!("step_{f}"), &file_of(f), line)
        })
        .collect();
    let locations = (0..locations).map(|l| {
        let (f, block) = (l / of_function, l % of_function);
        let line = functions[f].line + 1 + 4 * block as u32;
        location(f, 2 + block as u32, &functions[f].file, line)
    });
    let locations = locations.collect();
    (functions, locations)
}

fn file_of(function: usize) -> String {
    let file = function / FUNCTIONS_OF_FILE;
    format!("src/part{}/module{file}.c", file % 12)
}

fn new_study(
    path: &Path,
    features: &[String],
    functions: &[Function],
    locations: &[Location],
) -> Result<StudyFile, Box<dyn Error>> {
    let new = NewStudy::new("made", "");
    let mut file = StudyFile::create(path, &new)?;
    let features: Vec<_> = features.iter().map(|name| (name.clone(), Definition::Given)).collect();
    file.declare_features(&features)?;
    file.intern(functions, locations)?;
    Ok(file)
}

fn record(
    file: &mut StudyFile,
    w: usize,
    counts: &[u64],
    names: &[String],
    values: &[f64],
) -> Result<(), Box<dyn Error>> {
    let name = format!("input/{w:06}");
    let values: Vec<_> = names.iter().zip(values).map(|(name, v)| (name.clone(), Some(*v))).collect();
    file.record(&workload(name.clone(), format!("./made {name}")), &run(0.1), Some(counts), &values)?;
    Ok(())
}

/// Writes a study of a thousand locations. Their costs are products of powers of three features; all other features are
/// noise.
pub(super) fn features(path: &Path, features: usize, workloads: usize) -> Result<(), Box<dyn Error>> {
    const LOCATIONS: usize = 1000;
    /// Relative positions of the relevant features in the list of features.
    const PLACES: [f64; 3] = [0.31, 0.62, 0.93];
    let mut numbers = Numbers(11);
    let names: Vec<String> = (0..features).map(|i| format!("feature{i:05}")).collect();
    let (functions, locations) = places(LOCATIONS, LOCATIONS_OF_FUNCTION);
    let mut file = new_study(path, &names, &functions, &locations)?;
    for w in 0..workloads {
        let values: Vec<f64> = (0..features).map(|_| numbers.log_uniform(1e2, 1e5).round()).collect();
        let at = |place: f64| values[(features as f64 * place) as usize];
        let [size, depth, width] = PLACES.map(at);
        let counts: Vec<u64> = (0..LOCATIONS)
            .map(|l| {
                let cost = match l / 250 {
                    0 => size * size,
                    1 => 500.0 * size * depth.sqrt(),
                    2 => 5_000.0 * width,
                    _ => 2_000.0 * depth,
                };
                (cost * (1 + l % 7) as f64 * numbers.log_uniform(0.97, 1.03)) as u64
            })
            .collect();
        record(&mut file, w, &counts, &names, &values)?;
    }
    Ok(())
}

/// Writes a study in which two thirds of the locations vary, in one cluster per 22 locations.
pub(super) fn locations(path: &Path, locations: usize, workloads: usize) -> Result<(), Box<dyn Error>> {
    varying(path, locations, workloads, LOCATIONS_OF_FUNCTION)
}

/// Writes a study like `locations`, but with one function per location, as tables of costs have it.
pub(super) fn functions(path: &Path, functions: usize, workloads: usize) -> Result<(), Box<dyn Error>> {
    varying(path, functions, workloads, 1)
}

fn varying(
    path: &Path,
    locations: usize,
    workloads: usize,
    of_function: usize,
) -> Result<(), Box<dyn Error>> {
    let names = vec!["n".to_owned()];
    let (functions, places) = places(locations, of_function);
    let mut file = new_study(path, &names, &functions, &places)?;
    let mut numbers = Numbers(13);
    let shapes = locations.div_ceil(22);
    let shape: Vec<(f64, f64)> =
        (0..shapes).map(|_| (numbers.log_uniform(1.0, 100.0), 0.2 + 1.6 * numbers.uniform())).collect();
    for w in 0..workloads {
        let n = numbers.log_uniform(1e2, 1e5).round();
        let cost: Vec<f64> =
            shape.iter().map(|(a, b)| a * n.powf(*b) * numbers.log_uniform(0.4, 2.5)).collect();
        let count = |l: usize| {
            if l % 3 == 2 { l as u64 % 50 } else { (cost[l % shapes] * (1 + l % 7) as f64) as u64 }
        };
        let counts: Vec<u64> = (0..locations).map(count).collect();
        record(&mut file, w, &counts, &names, &[n])?;
    }
    Ok(())
}

/// Writes a small file in which every location is a separate cluster, and every cluster is costly in some workload.
/// Each location ran in three of the workloads.
pub(super) fn clusters(path: &Path, locations: usize, workloads: usize) -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = ["n", "m", "k"].map(str::to_owned).to_vec();
    let (functions, places) = places(locations, LOCATIONS_OF_FUNCTION);
    let mut file = new_study(path, &names, &functions, &places)?;
    let ran = |l: usize| {
        let (a, rest) = (l % workloads, l / workloads);
        let (b, c) = (rest % workloads, rest / workloads % workloads);
        [a, b, c]
    };
    for w in 0..workloads {
        let counts: Vec<u64> =
            (0..locations).map(|l| ran(l).iter().filter(|&&at| at == w).count() as u64 * 1000).collect();
        let values = [w + 1, (w * 7) % workloads + 1, w * w + 1].map(|v| v as f64);
        record(&mut file, w, &counts, &names, &values)?;
    }
    Ok(())
}

/// Writes a study whose names, commands and sources have `bytes` bytes each.
pub(super) fn texts(path: &Path, count: usize, bytes: usize) -> Result<(), Box<dyn Error>> {
    let long = |i: usize, what: &str| format!("{what}{i}{}", "x".repeat(bytes));
    let functions: Vec<Function> = (0..count).map(|i| function(&long(i, "f"), &long(i, "s"), 1)).collect();
    let places: Vec<Location> =
        (0..count).map(|i| location(i, 2, &functions[i].file, 1 + i as u32)).collect();
    let names = vec![long(0, "n")];
    let mut file = new_study(path, &names, &functions, &places)?;
    let text = |i: usize| SourceText { file: functions[i].file.clone(), text: "x\n".repeat(bytes / 2) };
    file.add_sources(&(0..count).map(text).collect::<Vec<_>>())?;
    for w in 0..12_usize {
        let n = 10.0 * 2_f64.powi(w as i32);
        let counts: Vec<u64> =
            (0..count).map(|l| (n.powf(1.0 + l as f64 / count as f64)) as u64 + 20).collect();
        let name = long(w, "w");
        let values = vec![(names[0].clone(), Some(n))];
        file.record(&workload(name.clone(), format!("./made {name}")), &run(0.1), Some(&counts), &values)?;
    }
    Ok(())
}
