//! The paper's example of a logarithmic factor: compares of a plain quicksort on random arrays. For arrays 60 times as
//! large, a power law is off by a factor of two.

use trend_model::{PowerLaw, growth};

use crate::draw::Draw;

const SIZES: [usize; 10] = [60, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];

/// Sorts with the last element as pivot; returns the number of compares.
fn quicksort(values: &mut [f64]) -> u64 {
    let Some((&mut pivot, rest)) = values.split_last_mut() else { return 0 };
    let compares = rest.len() as u64;
    let mut smaller = 0;
    for i in 0..rest.len() {
        if rest[i] < pivot {
            rest.swap(i, smaller);
            smaller += 1;
        }
    }
    let last = values.len() - 1;
    values.swap(smaller, last);
    let (left, right) = values.split_at_mut(smaller);
    compares + quicksort(left) + quicksort(&mut right[1..])
}

fn compares(size: usize, draw: &mut Draw) -> f64 {
    let mut values: Vec<f64> = (0..size).map(|_| draw.between(0.0, 1.0)).collect();
    let count = quicksort(&mut values);
    assert!(values.is_sorted());
    count as f64
}

/// Counts the compares for three arrays of each size, as in the paper.
fn study(seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut draw = Draw::new(seed);
    let sizes = SIZES.iter().flat_map(|&size| [size; 3]);
    sizes.map(|size| (size as f64, compares(size, &mut draw))).unzip()
}

#[test]
fn quicksort_is_n_log_n_and_predicted_60_times_further_on() {
    let (x, y) = study(1);
    let verdict = growth(&x, &y).unwrap();
    assert_eq!(verdict.verdict(), "n log n");
    let truth = compares(3_600_000, &mut Draw::new(99));
    let predicted = verdict.best().predict(3.6e6);
    assert!((predicted / truth - 1.0).abs() < 0.1, "{predicted} for {truth}");
    let interval = verdict.predict_interval(3.6e6, 0.95).unwrap();
    assert!(interval.contains(truth), "{interval:?} for {truth}");
    let power_law = PowerLaw::fit(&x, &y).unwrap().predict(3.6e6);
    assert!(power_law / truth > 1.1, "the power law's {power_law} for {truth}");
}

#[test]
fn most_quicksorts_are_decided_and_all_name_n_log_n() {
    // Closed form of the expected number of compares: 2(n+1)H(n) − 4n.
    let n = 3.6e6_f64;
    let expected = 2.0 * (n + 1.0) * (n.ln() + 0.577_215_664_901_532_9 + 0.5 / n) - 4.0 * n;
    let (mut decided, mut near) = (0, 0);
    for seed in 0..30 {
        let (x, y) = study(seed);
        let verdict = growth(&x, &y).unwrap();
        assert!(verdict.verdict().contains("n log n"), "seed {seed}: {}", verdict.verdict());
        decided += u32::from(verdict.decided);
        near += u32::from((verdict.best().predict(n) / expected - 1.0).abs() < 0.1);
    }
    // Measured: 28 and 29.
    assert!(decided >= 27 && near >= 28, "{decided} decided, {near} within 10 %, of 30");
}
