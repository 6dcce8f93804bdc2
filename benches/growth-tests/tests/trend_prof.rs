//! Tests with trend-prof: how the number of executed blocks grows.

use std::hint::black_box;

use growth_tests::{first, functions, input, second};
use trend_prof_test::grows;

macro_rules! tests {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        mod before {
            use super::*;
            $(
                #[grows($limit, setup = input::$name)]
                fn $name(input: &input::$input) {
                    black_box(first::$name(input));
                }
            )*
        }
        mod after {
            use super::*;
            $(
                #[grows($limit, setup = input::$name)]
                fn $name(input: &input::$input) {
                    black_box(second::$name(input));
                }
            )*
        }
    };
}

functions!(tests);
