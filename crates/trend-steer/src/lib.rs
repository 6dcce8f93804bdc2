//! Further sizes of a sweep: after the configured workloads, those that the analysis advises, until the verdicts on all
//! that is costly are decided or the time is spent.
//!
//! ```text
//!   plan ─▶ run ─▶ analyse ─▶ costliest undecided row ─▶ its advice, as far as there is time for it ─┐
//!            ▲                  none: done                                                           │
//!            └────────────────────────── further values of the parameter ◀───────────────────────────┘
//! ```
//!
//! [`check`] says whether a configuration has anything to choose, [`Rounds`] does the rounds, and an [`Account`] says how
//! they ended. [`scout`] finds the first sizes of a program of which nothing is known.
//!
//! [`calibrate`] steers experiments: which sizes of memory, and what is measured again.
//!
//! # Design constraints
//!
//! - Runs only by [`trend_run::execute`], and records only what that records: a round is as resumable as any run.
//! - Prints nothing: an [`Observer`] receives what happens.

#![forbid(unsafe_code)]

mod account;
mod admission;
mod calibrate;
mod choice;
mod error;
mod event;
mod forecast;
mod rounds;
mod scout;
mod standing;
mod steering;

pub use account::{Account, Ended, RowAccount};
pub use calibrate::{CalibrateOptions, Calibrated, FailedSize, calibrate};
pub use error::SteerError;
pub use event::{Event, Note, Observer};
pub use rounds::{Job, Rounds, check};
pub use scout::{LARGEST, Scouted, scout};
pub use standing::{Goal, Standing};
