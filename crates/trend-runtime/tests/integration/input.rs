//! Sizes of the input that activations read.

use std::process;

use crate::hooks::{Calls, ProbedRoutine, cells, recorded};

static WHOLE: ProbedRoutine = ProbedRoutine::new("whole");
static HALF: ProbedRoutine = ProbedRoutine::new("half");

#[test]
fn a_cell_is_input_of_each_activation_that_reads_it_before_it_writes_it() {
    let (input, output) = (cells(1000), cells(400));
    WHOLE.run(|whole| {
        whole.costs(5);
        whole.writes(output);
        for half in [&input[..500], &input[500..], &input[..500]] {
            HALF.run(|activation| {
                activation.costs(500);
                activation.reads(half);
                activation.reads(output);
                activation.reads(half);
            });
        }
        whole.reads(input);
    });
    let of_half = Calls { size: 900, count: 3, cost: 1500, own: 1500 };
    assert_eq!(recorded(process::id(), "half"), [of_half]);
    let of_whole = Calls { size: 1000, count: 1, cost: 1505, own: 5 };
    assert_eq!(recorded(process::id(), "whole"), [of_whole]);
}
