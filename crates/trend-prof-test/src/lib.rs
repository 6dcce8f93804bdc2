//! Tests that fail when the work of a function grows faster than it should.
//!
//! ```
//! use trend_prof_test::grows;
//!
//! #[grows("<= n log n")]
//! fn sorting(n: usize) {
//!     let mut list: Vec<usize> = (0..n).map(|i| i * 7919 % n).collect();
//!     merge_sort(&mut list);
//!     assert!(list.is_sorted());
//! }
//! # fn merge_sort(list: &mut [usize]) { list.sort() }
//! ```
//!
//! `cargo test` and nextest run it like any other test. The test builds its binary again, with counters in all crates.
//! `trend-prof` then runs this one function at sizes that it chooses. Like `trend-prof check`, it judges how the number
//! of executed basic blocks grows with `n`. These counts do not depend on how busy the machine is. If the attribute
//! gives no `sizes`, fewer sizes may be tried on a busy machine. The program `trend-prof` must be on the PATH (`cargo
//! install --path crates/trend-prof` in its repository) or in the variable `TREND_PROF`. Without it, the test fails.
//!
//! | result | the test |
//! |---|---|
//! | every class that the verdict names is within the limit | passes |
//! | every class is beyond it | fails |
//! | the sizes do not decide it | fails, and names the sizes that would; with `allow_undecided` it passes and says so |
//! | the function panics above some size | is judged by the smaller sizes, and the output says so |
//! | the function panics at other sizes, or at one of its `sizes` | fails, with the panic |
//!
//! # Options
//!
//! - `"<= n log n"`: the limit, as in [`check`](https://github.com/trend-prof/trend-prof/blob/main/docs/check.md).
//! - `sizes = "100..100000x10"`: the sizes to run. By default, they range from 4 to a million, as far as time permits.
//!   Give sizes if the function does not accept every number.
//! - `budget = "30s"`: the time for all runs; 20 seconds by default. One run takes at most a sixth of it.
//! - `setup = make`: a `fn make(n: usize) -> T` whose work is not counted. The function gets the `T`, or a reference to
//!   it, in place of `n`. Limits below `n` need this, because making an input already takes `n`.
//! - `allow_undecided`: pass if the sizes do not decide.
//!
//! The function returns nothing or a `Result`. An error fails the test.
//!
//! # Uncounted work
//!
//! The standard library is precompiled, without counters. Work inside `Vec::remove`, `sort` or `contains` is not
//! counted. If CPU time shows that this matters, the output has a warning, but the result stays the same.
//!
//! # The build
//!
//! The test runs `trend-prof build -- cargo test --no-run` for the target that contains it, in `target/trend-prof`. It
//! uses the enabled features of this package, and the release profile if there are no debug assertions. The first build
//! takes as long as one of the whole project. Each test leaves its study there, and names it on failure: `trend-prof
//! show` says which function grows.

mod build;
#[doc(hidden)]
pub mod private;

pub use trend_prof_test_macro::grows;
