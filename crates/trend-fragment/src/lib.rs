//! Times fragments of code for `trend-prof calibrate`, as Finkler and Mehlhorn do it: *Runtime Prediction of Real
//! Programs on Real Machines* (SODA 1997).
//!
//! A program of *experiments* executes each fragment as its real program does: the same operations in the same order,
//! on as much memory. It times one experiment per process and prints the measurements. `trend-prof calibrate` starts it
//! with many sizes of memory and derives constants from the output, in seconds per execution.
//!
//! ```no_run
//! use std::hint::black_box;
//! use std::process::ExitCode;
//! use trend_fragment::{Experiment, ExperimentRun, experiments};
//!
//! fn push(run: &mut ExperimentRun) {
//!     // An experiment that changes its data prepares it again before each measurement; this is not timed.
//!     let mut numbers = Vec::with_capacity(run.elements());
//!     while run.goes_on() {
//!         numbers.clear();
//!         run.time(|elements, _| {
//!             for i in 0..elements {
//!                 numbers.push(black_box(i));
//!             }
//!             elements
//!         });
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     experiments(&[Experiment { name: "push", bytes: size_of::<usize>(), measure: push }])
//! }
//! ```
//!
//! For C and C++, a single header does the same; `trend-prof calibrate --header` writes it.
//!
//! # Rules for experiments
//!
//! - Execute the fragment at least a thousand times between two clock reads: the time of the loop around it counts too.
//! - Pass results through [`black_box`](std::hint::black_box); otherwise the compiler removes the computation.
//! - Lay out data as the program does. Elements that were allocated one after the other are adjacent in memory, and
//!   faster to access.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The header that times fragments of C and C++ code.
pub const HEADER: &str = include_str!("../include/trend_fragment.h");

/// First line of every output: the format and its version.
const FIRST_LINE: &str = "trend-fragment 1";

/// Minimum number of measurements: fewer have no majority.
const FEWEST: u32 = 5;

/// Divisor of the required time. A measurement below that part is too short to be reliable and is added to the next
/// one.
const SHORT: u32 = 32;

/// Limit up to which the repetitions grow. An experiment that ignores them would let them grow without end.
const MOST_REPETITIONS: f64 = 1e15;

/// A process stops after this multiple of the required time; by then, preparing the data is taking most of it.
const PATIENCE: u32 = 40;

/// A fragment with the function that times it.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The constant's name in formulas: letters, digits and `_`.
    pub name: &'static str,
    /// Bytes of memory that an element of the data takes; 0 if the memory does not grow.
    pub bytes: usize,
    /// Prepares the data, then times the fragment in a loop.
    pub measure: fn(&mut ExperimentRun),
}

/// One process that measures one experiment.
#[derive(Debug)]
pub struct ExperimentRun {
    elements: usize,
    repetitions: u64,
    least: Duration,
    growth: f64,
    /// CPU time of reading the clock, subtracted from each measurement.
    clock: Duration,
    /// Start of the first measurement.
    begin: Option<Instant>,
    /// Time and executions that are not printed yet.
    time: Duration,
    executions: usize,
    /// Total time and number of the printed lines.
    measured: Duration,
    printed: u32,
}

impl ExperimentRun {
    /// Returns the number of elements that the data should have.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Returns true if the experiment should measure once more.
    pub fn goes_on(&mut self) -> bool {
        let begin = *self.begin.get_or_insert_with(Instant::now);
        let is_measured = self.printed >= FEWEST && self.measured >= 2 * self.least;
        !is_measured && begin.elapsed() < PATIENCE * self.least
    }

    /// Times a fragment. The fragment receives the number of elements, and the number of repetitions for work that
    /// leaves its data unchanged. It returns the number of executions.
    ///
    /// Prints a line if the time was long enough: repetitions, executions, nanoseconds of CPU time.
    pub fn time(&mut self, fragment: impl FnOnce(usize, u64) -> usize) {
        let start = processor_time();
        let executions = std::hint::black_box(fragment(self.elements, self.repetitions));
        let time = processor_time().saturating_sub(start);
        self.time += time.saturating_sub(self.clock);
        self.executions += executions;
        if self.time >= self.least / SHORT {
            let (executions, nanoseconds) = (self.executions, self.time.as_nanos());
            // A failed write is ignored: the reader is gone.
            let _ = writeln!(io::stdout(), "{} {executions} {nanoseconds}", self.repetitions);
            self.measured += self.time;
            self.printed += 1;
            (self.time, self.executions) = (Duration::ZERO, 0);
        }
        // An experiment that ignores the repetitions would let them grow without end.
        let next = self.repetitions as f64 * self.growth;
        if next < MOST_REPETITIONS {
            self.repetitions = (self.repetitions + 1).max(next as u64);
        }
    }
}

fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Runs a program of experiments: lists them, or measures the one that the arguments name.
pub fn experiments(experiments: &[Experiment]) -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let words: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => {
            let list = experiments.iter().map(|e| format!("{} {}\n", e.name, e.bytes));
            let written =
                io::stdout().write_all(format!("{FIRST_LINE}\n{}", list.collect::<String>()).as_bytes());
            return if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        [name, elements, least, growth] => {
            let experiment = experiments.iter().find(|experiment| experiment.name == *name);
            if let (Some(experiment), Some(mut run)) = (experiment, run(elements, least, growth)) {
                // A failed write is ignored: the reader is gone.
                let _ = writeln!(io::stdout(), "{FIRST_LINE}");
                (experiment.measure)(&mut run);
                return ExitCode::SUCCESS;
            }
        }
        _ => {}
    }
    let program = arguments.first().map_or("experiments", String::as_str);
    let _ = writeln!(
        io::stderr(),
        "usage: {program} list\n       {program} EXPERIMENT ELEMENTS NANOSECONDS GROWTH\n\
         `trend-prof calibrate -- {program}` makes constants of what it measures."
    );
    ExitCode::from(2)
}

fn run(elements: &str, least: &str, growth: &str) -> Option<ExperimentRun> {
    let elements = elements.parse().ok().filter(|elements| *elements > 0)?;
    let least = Duration::from_nanos(least.parse().ok().filter(|least| *least > 0)?);
    let growth = growth.parse().ok().filter(|growth| *growth > 1.0)?;
    let look = || {
        let start = processor_time();
        processor_time().saturating_sub(start)
    };
    let clock = (0..100).map(|_| look()).min()?;
    let (begin, time, measured) = (None, Duration::ZERO, Duration::ZERO);
    Some(ExperimentRun {
        elements,
        repetitions: 1,
        least,
        growth,
        clock,
        begin,
        time,
        executions: 0,
        measured,
        printed: 0,
    })
}
