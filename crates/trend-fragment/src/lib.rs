//! Times fragments of code for `trend-prof calibrate`, as Finkler and Mehlhorn do it: *Runtime Prediction of Real Programs on
//! Real Machines* (SODA 1997).
//!
//! A program of *experiments* executes each fragment as its real program does: the same operations on as much memory in the
//! same order. It times one experiment per process and prints what it measured; `trend-prof calibrate` starts it with many
//! sizes of memory and makes constants of that, in seconds per execution.
//!
//! ```no_run
//! use std::hint::black_box;
//! use std::process::ExitCode;
//! use trend_fragment::{Experiment, Run, experiments};
//!
//! fn push(run: &mut Run) {
//!     // What changes its data begins anew each time; this is not timed.
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
//! The same for C and C++ is one header, which `trend-prof calibrate --header` writes.
//!
//! # Rules for experiments
//!
//! - A fragment is executed a thousand times and more between two looks at the clock: the time of the loop around it counts.
//! - What it computes goes through [`black_box`](std::hint::black_box), or the compiler leaves it out.
//! - Data are laid out as they are in the program. What was allocated one after the other lies one after the other, and is
//!   faster.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The same for C and C++, as one file.
pub const HEADER: &str = include_str!("../include/trend_fragment.h");

/// What begins each output.
const FIRST_LINE: &str = "trend-fragment 1";

/// Fewer measurements than these have no majority.
const FEWEST: u32 = 5;

/// What is shorter than this part of what is to be measured says little, and counts together with what comes next.
const SHORT: u32 = 32;

/// No fragment is repeated more often before somebody looks at the clock.
const MOST_REPETITIONS: f64 = 1e15;

/// A process ends when it took so many times as long as is to be measured: making the data takes the time then.
const PATIENCE: u32 = 40;

/// One fragment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The constant's name in formulas: letters, digits and `_`.
    pub name: &'static str,
    /// How many bytes of memory an element of its data takes; 0 where its memory does not grow.
    pub bytes: usize,
    /// What times it.
    pub measure: fn(&mut Run),
}

/// One process of one experiment.
#[derive(Debug)]
pub struct Run {
    elements: usize,
    repetitions: u64,
    least: Duration,
    growth: f64,
    /// What looking at the clock takes.
    clock: Duration,
    /// When it began to measure.
    begin: Option<Instant>,
    /// What is not printed yet, and how often the fragment was executed in it.
    time: Duration,
    executions: usize,
    /// What is printed, and in how many lines.
    measured: Duration,
    printed: u32,
}

impl Run {
    /// How many elements the data should have.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Whether to measure once more.
    pub fn goes_on(&mut self) -> bool {
        let begin = *self.begin.get_or_insert_with(Instant::now);
        let is_measured = self.printed >= FEWEST && self.measured >= 2 * self.least;
        !is_measured && begin.elapsed() < PATIENCE * self.least
    }

    /// Times a fragment. It is given the number of elements, and how often to repeat what leaves its data as they are;
    /// it returns how often the fragment was executed.
    ///
    /// Prints a line where that was long enough: repetitions, executions, nanoseconds of processor time.
    pub fn time(&mut self, fragment: impl FnOnce(usize, u64) -> usize) {
        let start = processor_time();
        let executions = std::hint::black_box(fragment(self.elements, self.repetitions));
        let time = processor_time().saturating_sub(start);
        self.time += time.saturating_sub(self.clock);
        self.executions += executions;
        if self.time >= self.least / SHORT {
            let (executions, nanoseconds) = (self.executions, self.time.as_nanos());
            // Nobody reads what cannot be written.
            let _ = writeln!(io::stdout(), "{} {executions} {nanoseconds}", self.repetitions);
            self.measured += self.time;
            self.printed += 1;
            (self.time, self.executions) = (Duration::ZERO, 0);
        }
        // An experiment that ignores the repetitions lets them grow without end.
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

/// The main function of a program of experiments: lists them, or measures the one that the arguments name.
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
                // Nobody reads what cannot be written.
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

fn run(elements: &str, least: &str, growth: &str) -> Option<Run> {
    let elements = elements.parse().ok().filter(|elements| *elements > 0)?;
    let least = Duration::from_nanos(least.parse().ok().filter(|least| *least > 0)?);
    let growth = growth.parse().ok().filter(|growth| *growth > 1.0)?;
    let look = || {
        let start = processor_time();
        processor_time().saturating_sub(start)
    };
    let clock = (0..100).map(|_| look()).min()?;
    let (begin, time, measured) = (None, Duration::ZERO, Duration::ZERO);
    Some(Run {
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
