//! Tests with big-o-test: how time grows from one size to its double.

use std::cell::RefCell;
use std::hint::black_box;

use big_o_test::{BigOAlgorithmComplexity, test_algorithm};
use growth_tests::{both_versions, input};

/// Number of retries of a failed test, each after 5 s. The crate's own examples have 15.
const RETRIES: u32 = 1;

fn test<T>(name: &str, size: usize, make: fn(usize) -> T, run: impl Fn(&T), limit: BigOAlgorithmComplexity) {
    let inputs = RefCell::new(None);
    let pass = |second: bool| {
        let inputs = inputs.borrow();
        let (small, large) = inputs.as_ref().unwrap();
        run(if second { large } else { small });
        0
    };
    test_algorithm(
        name,
        RETRIES,
        || *inputs.borrow_mut() = Some((make(size), make(size * 2))),
        size as u32,
        || pass(false),
        size as u32 * 2,
        || pass(true),
        limit,
        // Memory is not limited here.
        BigOAlgorithmComplexity::WorseThanExponential,
    );
}

macro_rules! tests {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        $(
            #[test]
            fn $name() {
                let run = |input: &input::$input| {
                    black_box(version::$name(input));
                };
                test(stringify!($name), $large * 2, input::$name, run, BigOAlgorithmComplexity::$class);
            }
        )*
    };
}

both_versions!(tests);
