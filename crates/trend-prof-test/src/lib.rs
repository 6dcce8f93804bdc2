//! A test that fails when the work of a function grows faster than it should.
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
//! `cargo test` and nextest run it as any other test. It builds this test binary once more, with counters in all crates, lets
//! `trend-prof` run this one function at sizes that it chooses, and judges how the number of executed basic blocks grows with
//! `n`, as `trend-prof check` does. What it judges are counts, which a busy machine does not change; where the attribute
//! gives no `sizes`, a busy machine may try fewer of them. The program `trend-prof` has to be on the PATH (`cargo install --path
//! crates/trend-prof` in its repository), or in the variable `TREND_PROF`; without it
//! the test fails.
//!
//! | what is found | the test |
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
//! - `sizes = "100..100000x10"`: these sizes and no others, in place of those from 4 to a million for which there is time. Give
//!   them where the function does not take any number.
//! - `budget = "30s"`: the time that the runs may take; 20 seconds where it is not given. One run takes a sixth of it at
//!   most.
//! - `setup = make`: a `fn make(n: usize) -> T` whose work is not counted. The function gets the `T` in place of `n`, or a
//!   reference to it. That is needed for limits below `n`, as making an input takes `n`.
//! - `allow_undecided`: pass where the sizes do not decide.
//!
//! The function returns nothing, or a `Result` whose error fails the test.
//!
//! # What is not counted
//!
//! The standard library comes compiled and without counters: what happens inside `Vec::remove`, `sort` or `contains` is not
//! seen. Where processor time says that it matters, the output has a warning; it decides nothing.
//!
//! # What is built
//!
//! `trend-prof build -- cargo test --no-run` of the target with this test, in `target/trend-prof`, with the features of this
//! package that are on, and in the release profile where there are no debug assertions. The first build takes as long as one of
//! the whole project. Each test leaves its study there, and names it where it fails: `trend-prof show` says which function
//! grows.

mod build;
#[doc(hidden)]
pub mod private;

pub use trend_prof_test_macro::grows;
