//! Studies of routines whose costs depend on the size of their input.

use std::error::Error;
use std::path::Path;

use trend_profile::{
    Definition, Function, Location, NewStudy, Observation, ObservationParts, Series, SourceText, StudyFile,
    Symbol, Variable,
};

use super::{Numbers, function, location, run, workload};

/// Maps an input size to the number of calls, and to the minimum, mean and maximum cost of a call.
type Shape = fn(u64) -> (u64, [u64; 3]);

/// Returns the costs of a routine with this shape at one size. A quarter of its input comes from files.
fn observation(shape: Shape, size: u64) -> Observation {
    let (calls, [min, mean, max]) = shape(size);
    let sum = if calls > 1 { mean * (calls - 2) + min + max } else { mean };
    let (min, max) = if calls > 1 { (min, max) } else { (mean, mean) };
    let squares =
        calls.saturating_sub(2) as f64 * (mean * mean) as f64 + (min * min) as f64 + (max * max) as f64;
    let parts = ObservationParts {
        outermost: Some(sum),
        own: Some(sum),
        from_kernel: Some(size / 4 * calls),
        from_threads: Some(0),
        ..ObservationParts::NONE
    };
    Observation { count: calls, min, max, sum, sum_of_squares: squares, parts, ..Observation::at(size) }
}

/// Returns one call of a routine that does little itself and calls others.
fn caller(size: u64, own: u64, callees: &[&Series]) -> Observation {
    let sum = own + callees.iter().flat_map(|series| &series.observations).map(|o| o.sum).sum::<u64>();
    let squares = (sum as f64).powi(2);
    let parts = ObservationParts {
        outermost: Some(sum),
        own: Some(own),
        from_kernel: Some(0),
        from_threads: Some(0),
        ..ObservationParts::NONE
    };
    Observation { count: 1, min: sum, max: sum, sum, sum_of_squares: squares, parts, ..Observation::at(size) }
}

fn series(name: &str, context: &str, mut observations: Vec<Observation>) -> Series {
    Observation::merge(&mut observations);
    let mut series = Series::of_routine(Symbol::plain(name), "table.c", Variable::Rms, observations);
    context.clone_into(&mut series.place.context);
    series
}

/// Returns the same series with sizes in `drms`, which are a third larger.
fn dynamic(series: &Series) -> Series {
    let more = |o: &Observation| Observation { sizes: [o.size() + o.size() / 3, 0, 0, 0], ..*o };
    let mut observations: Vec<Observation> = series.observations.iter().map(more).collect();
    Observation::merge(&mut observations);
    Series { variables: vec![Variable::Drms], observations, ..series.clone() }
}

/// Six runs of a program whose `main` fills a table, sorts it and queries it. Two callers call `lookup`.
pub(super) fn few(path: &Path) -> Result<(), Box<dyn Error>> {
    let shapes: [(&str, Shape, &[&str]); 5] = [
        ("linear_scan", |n| (40, [2 * n + 10, 3 * n + 10, 4 * n + 20]), &["main → query"]),
        ("insertion_sort", |n| (10, [n, n * n / 4 + n, n * n / 2 + n]), &["main"]),
        // Nearly every push reads little and is cheap; a push that reads more copies the table.
        ("push_back", |n| if n <= 64 { (4000, [5, 6, 8]) } else { (1, [3 * n; 3]) }, &["main → fill"]),
        (
            "lookup",
            |n| (200, [4, 6 + u64::from(n.ilog2()), 30 + 4 * u64::from(n.ilog2())]),
            &["main → query", "main → fill"],
        ),
        ("startup", |_| (1, [100, 120, 150]), &["main"]),
    ];
    let names = shapes.map(|(name, ..)| name).into_iter().chain(["query", "fill", "main"]);
    let mut file = StudyFile::create(path, &NewStudy::new("routines", ""))?;
    file.declare_features(&[("n".to_owned(), Definition::Given)])?;
    let functions: Vec<Function> =
        names.zip(1..).map(|(name, i)| function(name, "table.c", 10 * i)).collect();
    let locations: Vec<Location> =
        (0..functions.len()).map(|i| location(i, 2, "table.c", 10 * i as u32 + 12)).collect();
    file.intern(&functions, &locations)?;
    let text = "int line; /* table.c */\n".repeat(92);
    file.add_sources(&[SourceText { file: "table.c".to_owned(), text }])?;
    for (w, n) in [64_u64, 128, 256, 512, 1024, 2048].into_iter().enumerate() {
        let mut sizes: Vec<u64> = (1..=40).map(|i| (n * i / 40).max(1)).collect();
        sizes.dedup();
        let mut contexts: Vec<Series> = Vec::new();
        for (name, shape, callers) in shapes {
            // The callers of a routine with several callers take turns.
            for (i, context) in callers.iter().enumerate() {
                let own = sizes.iter().skip(i).step_by(callers.len());
                contexts.push(series(name, context, own.map(|&size| observation(shape, size)).collect()));
            }
        }
        let called =
            |context: &str| contexts.iter().filter(|one| one.place.context == context).collect::<Vec<_>>();
        let query = series("query", "main", vec![caller(n, 5 * n, &called("main → query"))]);
        let fill = series("fill", "main", vec![caller(n, 2 * n, &called("main → fill"))]);
        let of_main = called("main").into_iter().chain([&query, &fill]).collect::<Vec<_>>();
        let main = series("main", "(no caller)", vec![caller(n, 50, &of_main)]);
        contexts.extend([query, fill, main]);
        let whole = |f: &Function| {
            let parts = contexts.iter().filter(|one| one.place.symbol.name == f.symbol.name);
            series(&f.symbol.name, "", parts.flat_map(|one| &one.observations).copied().collect())
        };
        let wholes: Vec<Series> = functions.iter().map(whole).collect();
        let own = |one: &Series| one.observations.iter().filter_map(|o| o.parts.own).sum();
        let counts: Vec<u64> = wholes.iter().map(own).collect();
        let mut all: Vec<Series> = wholes.into_iter().chain(contexts).collect();
        all.extend(all.iter().map(dynamic).collect::<Vec<_>>());
        let name = format!("n={n}");
        let values = [("n".to_owned(), Some(n as f64))];
        file.record(
            &workload(name.clone(), format!("./prog {n}")),
            &run(0.01 * (w + 1) as f64),
            Some(&counts),
            &values,
        )?;
        file.set_series(&name, &all)?;
    }
    Ok(())
}

/// Writes a study of one run. Each routine is called from an earlier one, and its costs grow in any way.
pub(super) fn many(path: &Path, count: usize, sizes: usize) -> Result<(), Box<dyn Error>> {
    let mut numbers = Numbers(11);
    let mut file = StudyFile::create(path, &NewStudy::new("many", ""))?;
    file.declare_features(&[])?;
    let name = |i: usize| format!("module{}_step{i}", i / 20);
    let functions: Vec<Function> =
        (0..count).map(|i| function(&name(i), &format!("module{}.c", i / 20), 1 + i as u32 % 20)).collect();
    let locations: Vec<Location> =
        (0..count).map(|i| location(i, 2, &format!("module{}.c", i / 20), 1 + i as u32 % 20)).collect();
    file.intern(&functions, &locations)?;
    let mut all = Vec::new();
    let mut counts = Vec::new();
    for i in 0..count {
        let (scale, growth) = (numbers.log_uniform(1.0, 1000.0), 2.0 * numbers.uniform());
        let mut observations: Vec<Observation> = (1..=sizes as u64)
            .map(|k| {
                let mean = (scale * ((4 * k) as f64).powf(growth)) as u64 + 1;
                let sum = 3 * mean;
                let parts =
                    ObservationParts { outermost: Some(sum), own: Some(sum), ..ObservationParts::default() };
                let squares = 3.0 * (mean as f64).powi(2);
                let costs =
                    Observation { count: 3, min: mean, max: mean, sum, parts, ..Observation::at(4 * k) };
                Observation { sum_of_squares: squares, ..costs }
            })
            .collect();
        Observation::merge(&mut observations);
        counts.push(observations.iter().map(|o| o.sum).sum());
        let mut one = series(&name(i), "", observations);
        one.place.object = format!("module{}.c", i / 20);
        all.push(one);
    }
    file.record(&workload("all".to_owned(), "./many".to_owned()), &run(1.0), Some(&counts), &[])?;
    file.set_series("all", &all)?;
    Ok(())
}
