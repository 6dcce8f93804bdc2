//! Tests of the runtime without a probe: they call its functions as probed code does. `ci/sanitize.sh` runs them under
//! Miri, AddressSanitizer and ThreadSanitizer.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

#[cfg(not(miri))]
mod forks;
#[cfg(not(miri))]
mod hooks;
#[cfg(not(miri))]
mod input;
mod loops;
#[cfg(not(miri))]
mod threads;
