//! Predicted times of simulated programs whose runs have noise.

use trend_model::{TimeLaw, TimedRun};

use crate::draw::Draw;

/// Number of programs of a kind.
const PROGRAMS: usize = 400;

/// Returns the share of programs that show a startup, and the share whose interval contains the time at ten times the
/// counts of the largest run. A run takes `startup` plus one second per count.
fn simulated(startup: f64, runs: i32, range: f64, noise: f64) -> [f64; 2] {
    let mut draw = Draw::new(7);
    let mut shares = [0.0; 2];
    for _ in 0..PROGRAMS {
        let runs: Vec<TimedRun> = (0..runs)
            .map(|i| {
                let counts = range.powf(f64::from(i) / f64::from(runs - 1));
                let seconds = (startup + counts) * (noise * draw.normal()).exp();
                TimedRun { counts, seconds, size: Some(counts) }
            })
            .collect();
        let law = TimeLaw::fit(&runs).expect("all runs have counts");
        let counts = 10.0 * range;
        let [low, high] = law.at(counts, None, Some(counts)).ci;
        shares[0] += f64::from(u8::from(law.startup > 0.0)) / PROGRAMS as f64;
        shares[1] += f64::from(u8::from((low..=high).contains(&(startup + counts)))) / PROGRAMS as f64;
    }
    shares
}

#[test]
fn programs_without_a_startup_hardly_show_one() {
    for (runs, range) in [(5, 1.3), (4, 1.1), (5, 2.0), (8, 8.0), (10, 100.0)] {
        let [shown, covered] = simulated(0.0, runs, range, 0.03);
        assert!(shown <= 0.02 && covered >= 0.97, "{runs} runs over {range}: {shown}, {covered}");
    }
}

#[test]
fn the_time_beyond_a_startup_is_predicted() {
    // The startup takes half of the shortest run, or five sixths of the longest.
    let [shown, covered] = simulated(1.0, 8, 8.0, 0.03);
    assert!(shown >= 0.9 && covered >= 0.9, "{shown}, {covered}");
    let [shown, covered] = simulated(40.0, 8, 8.0, 0.01);
    assert!(shown >= 0.9 && covered >= 0.9, "{shown}, {covered}");
}
