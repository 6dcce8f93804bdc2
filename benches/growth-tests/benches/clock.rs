//! Measures the time at two sizes with criterion.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use growth_tests::{functions, input, measured};

macro_rules! benches {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        fn all(criterion: &mut Criterion) {
            $(
                let mut group = criterion.benchmark_group(stringify!($name));
                for n in [$small, $large] {
                    let input: input::$input = input::$name(n);
                    group.bench_with_input(BenchmarkId::from_parameter(n), &input, |bencher, input| {
                        bencher.iter(|| measured::$name(black_box(input)));
                    });
                }
                group.finish();
            )*
        }
    };
}

functions!(benches);

criterion_group!(benches, all);
criterion_main!(benches);
