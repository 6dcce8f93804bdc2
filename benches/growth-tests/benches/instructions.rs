//! Counts the instructions at two sizes with Gungraun.

use std::hint::black_box;

use growth_tests::{functions, input, measured};
use gungraun::{library_benchmark, library_benchmark_group, main};

macro_rules! benches {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        $(
            #[library_benchmark(setup = input::$name)]
            #[bench::small($small)]
            #[bench::large($large)]
            fn $name(input: input::$input) {
                black_box(measured::$name(black_box(&input)));
            }
        )*
        library_benchmark_group!(name = all, benchmarks = [$($name),*]);
    };
}

functions!(benches);

main!(library_benchmark_groups = all);
