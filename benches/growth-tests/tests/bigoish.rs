//! Tests with bigoish: which class fits the time best.

use std::hint::black_box;
use std::rc::Rc;

use bigoish::{Log, N, N2, assert_best_fit, growing_inputs};
use growth_tests::{both_versions, input};

/// Number of inputs, each a quarter larger than the previous one.
const INPUTS: usize = 20;

/// Returns the smallest size: 50, or 10 if the limit is n^2.
const fn smallest(small: usize) -> usize {
    if small < 1000 { small / 10 } else { small / 20 }
}

macro_rules! tests {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        $(
            #[test]
            fn $name() {
                // The time to copy an input is measured too, and an `Rc` costs nothing to copy.
                let inputs = growing_inputs(smallest($small), |n| Rc::new(input::$name(n)), INPUTS);
                let run = |input: Rc<input::$input>| {
                    black_box(version::$name(&input));
                };
                assert_best_fit($model, run, inputs);
            }
        )*
    };
}

both_versions!(tests);
