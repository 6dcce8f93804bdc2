// benches/sorting.rs; `unique` and `sum` are src/lib.rs of the crate `gun`.
use gungraun::{library_benchmark, library_benchmark_group, main};
use std::hint::black_box;

fn items(n: u64) -> Vec<u64> { (0..n).map(|i| i * 7919 % n).collect() }

#[library_benchmark]
#[bench::n_50(items(50))]
#[bench::n_100(items(100))]
#[bench::n_200(items(200))]
#[bench::n_400(items(400))]
#[bench::n_800(items(800))]
#[bench::n_1600(items(1600))]
fn unique(items: Vec<u64>) -> usize { black_box(gun::unique(black_box(&items))) }

#[library_benchmark]
#[benches::of(args = [50, 100, 200, 400, 800, 1600], setup = items)]
fn sum(items: Vec<u64>) -> u64 { black_box(gun::sum(black_box(&items))) }

library_benchmark_group!(name = lists, benchmarks = [unique, sum]);
main!(library_benchmark_groups = lists);

// pub fn unique(items: &[u64]) -> usize {
//     let mut seen: Vec<u64> = Vec::new();
//     for item in items { if !seen.contains(item) { seen.push(*item); } }
//     seen.len()
// }
// pub fn sum(items: &[u64]) -> u64 { items.iter().map(|i| std::hint::black_box(*i)).sum() }
