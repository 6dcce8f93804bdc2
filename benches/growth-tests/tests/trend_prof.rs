//! Tests with trend-prof: how the number of executed blocks grows.

use std::hint::black_box;

use growth_tests::{both_versions, input};
use trend_prof_test::grows;

macro_rules! tests {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        $(
            #[grows($limit, setup = input::$name)]
            fn $name(input: &input::$input) {
                black_box(version::$name(input));
            }
        )*
    };
}

both_versions!(tests);
