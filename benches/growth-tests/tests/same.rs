//! Both versions give the same results.

use growth_tests::{first, functions, input, second};

macro_rules! tests {
    ($($name:ident $limit:tt $model:tt $class:ident $input:ident $small:tt $large:tt;)*) => {
        $(
            #[test]
            fn $name() {
                for n in [0, 1, 2, 3, 10, 100, 1000] {
                    let input = input::$name(n);
                    let (before, after) = (first::$name(&input), second::$name(&input));
                    // These two have different results on purpose.
                    if !["checksum", "lru_cache"].contains(&stringify!($name)) {
                        assert_eq!(before, after, "{n}");
                    }
                }
            }
        )*
    };
}

functions!(tests);
