//! Experiments that the tests run: a vector that grows, and a sum.

use std::hint::black_box;
use std::process::ExitCode;

use trend_fragment::{Experiment, ExperimentRun, experiments};

/// Times filling a vector, which is emptied before each measurement.
fn push(run: &mut ExperimentRun) {
    let mut numbers = Vec::with_capacity(run.elements());
    while run.goes_on() {
        numbers.clear();
        run.time(|elements, _| {
            for i in 0..elements {
                numbers.push(black_box(i));
            }
            elements
        });
    }
}

/// Times a sum over numbers that do not change.
fn sum(run: &mut ExperimentRun) {
    let numbers: Vec<usize> = (0..run.elements()).collect();
    while run.goes_on() {
        run.time(|elements, repetitions| {
            for _ in 0..repetitions {
                black_box(black_box(&numbers).iter().sum::<usize>());
            }
            elements * repetitions as usize
        });
    }
}

fn main() -> ExitCode {
    experiments(&[
        Experiment { name: "push", bytes: size_of::<usize>(), measure: push },
        Experiment { name: "sum", bytes: size_of::<usize>(), measure: sum },
    ])
}
