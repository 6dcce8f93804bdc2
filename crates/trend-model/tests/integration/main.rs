//! Growth verdicts on simulated programs: a small version of the recovery matrix, and the quicksort of the paper on
//! trend profiling.

#[path = "../../examples/simulation/draw.rs"]
mod draw;
#[path = "../../examples/simulation/exponentials.rs"]
mod exponential_programs;
mod exponentials;
#[path = "../../examples/simulation/matrix.rs"]
mod matrix;
mod quicksort;
mod recovery;
mod times;
