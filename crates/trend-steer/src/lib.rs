//! Chooses further sizes of a sweep. After the configured workloads, it runs those that the analysis advises, until the
//! verdicts on everything expensive are decided or the time is spent.
//!
//! ```text
//!   plan ─▶ run ─▶ analyse ─▶ costliest undecided row ─▶ its advice, within the remaining time ──────┐
//!            ▲                  none: done                                                           │
//!            └────────────────────────── further values of the parameter ◀───────────────────────────┘
//! ```
//!
//! [`check`] reports whether a configuration has sizes to choose, [`decide`] runs the rounds, and an [`Account`]
//! describes their outcome. [`scout`] finds the first sizes of an unknown program.
//!
//! [`calibrate`] steers experiments: it chooses sizes of memory and repeats measurements.
//!
//! # Design constraints
//!
//! - Runs only by [`trend_run::execute`], and records nothing else, so a round is as resumable as any run.
//! - Prints nothing: an [`Observer`] receives the events.

#![forbid(unsafe_code)]

mod account;
mod admission;
mod calibrate;
mod choice;
mod deadline;
mod error;
mod event;
mod forecast;
mod rounds;
mod scout;
mod standing;
mod steering;

pub use account::{Account, Ended, RowAccount};
pub use calibrate::{CalibrateOptions, Calibrated, FailedSize, calibrate};
pub use deadline::within;
pub use error::SteerError;
pub use event::{Event, Note, Observer};
pub use rounds::{Job, check, decide};
pub use scout::{LARGEST, Scouted, scout};
pub use standing::{Goal, Standing};
