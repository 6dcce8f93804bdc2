//! Measures the time per count of the parts of an analysis, for programs of several sizes.
#![allow(missing_docs, reason = "criterion's macros make functions without")]

use std::fmt::Write;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use trend_analyze::{Intervals, Options, analyze};
use trend_profile::Study;

const WORKLOADS: u64 = 100;

/// Returns a deterministic number between 0 and 1 for every pair.
fn spread(a: u64, b: u64) -> f64 {
    let mixed = (a << 32 | b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) as f64 / u64::MAX as f64
}

/// A program in which groups of twenty locations are multiples of one power law, each law with its own scatter.
fn study(locations: u64, with_feature: bool) -> Study {
    let size = |workload: u64| 10f64.powf(2.0 + 3.0 * spread(0, workload));
    let row = |values: &dyn Fn(u64) -> u64| {
        (0..WORKLOADS).fold(String::new(), |mut row, workload| {
            let _ = write!(row, " {}", values(workload));
            row
        })
    };
    let mut text = String::new();
    if with_feature {
        let _ = writeln!(text, "n:{}", row(&|workload| size(workload) as u64));
    }
    for location in 0..locations {
        let (cluster, multiple) = (1 + location / 20, 1.0 + (location % 20) as f64);
        let exponent = 0.5 + spread(cluster, 1 << 20);
        let cost = |workload: u64| {
            let scatter = (2.0 * spread(cluster, workload) - 1.0).exp();
            (multiple * (20.0 * size(workload).powf(exponent) * scatter).round()) as u64
        };
        let _ = writeln!(text, "a.c:{}:f{}:{}", location + 1, location / 30, row(&cost));
    }
    Study::from_text(&text).expect("the text is a study")
}

fn parts(criterion: &mut Criterion) {
    let plain = Options { growth: false, ..Options::default() };
    let parts = [
        ("clusters", false, plain.clone()),
        ("clusters and robust intervals", true, plain.clone()),
        ("clusters and bootstrap", true, Options { intervals: Intervals::Percentile, ..plain }),
        ("everything", true, Options::default()),
    ];
    for (name, with_feature, options) in parts {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for locations in [500, 2000, 8000] {
            let study = study(locations, with_feature);
            group.throughput(Throughput::Elements(locations * WORKLOADS));
            group.bench_with_input(BenchmarkId::from_parameter(locations), &study, |bencher, study| {
                bencher.iter(|| analyze(study, &options));
            });
        }
    }
}

criterion_group!(benches, parts);
criterion_main!(benches);
