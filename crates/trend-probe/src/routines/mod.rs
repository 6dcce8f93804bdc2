//! Routines: functions with their own observations, and what they cost.
//!
//! A function costs the same for all inputs if it has no loop and calls only such functions and the C library's. It is
//! a *part* of its callers, for which its reads and costs are counted. If it is small, it is inlined as well. So are
//! other functions without a loop that are not recursive, as in a build without the probe. Recursive functions without
//! a loop that only forward to the next one become part of their callers, too: Rust's traits and closures create many.
//! All others are routines. A coroutine is always a routine: its beginning, each resumption, and its end are
//! activations.
//!
//! Code of the standard libraries of C++ and Rust is compiled with its users. It is a part of its callers, with or
//! without loops, like the C library. Crates that a program depends on are inlined as in any build, and their remaining
//! functions are routines.
//!
//! ```text
//!   sort ─▶ swap        part: no loop              parse ─▶ value ─▶ array ─▶ value     routines: they call themselves
//!        ─▶ less ─▶ key  parts                     main ─▶ print (another source)       main is a routine: `print` is unknown here
//! ```
//!
//! - Begin with [`marks`]: what a function is. [`inlining`] decides what is inlined before; [`parts`] finds the parts;
//!   [`origin`] and [`repeating`] tell where code comes from and what repeats.
//! - [`calls`]: calls that may not return; [`counters`]: counters of compilers; [`costs`]: the probe's own counters.

pub(crate) mod calls;
pub(crate) mod costs;
pub(crate) mod counters;
pub(crate) mod inlining;
pub(crate) mod marks;
pub(crate) mod origin;
pub(crate) mod parts;
pub(crate) mod repeating;
