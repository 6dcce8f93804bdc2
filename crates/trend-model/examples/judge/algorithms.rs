//! Real algorithms that count their steps, run at random sizes. The truth is a run at ten times the largest size. This
//! module judges nothing.

use trend_model::GrowthClass::{self, Linear, Linearithmic, Quadratic, QuadraticLog, ThreeHalves};

use crate::draw::Draw;
use crate::programs::{Cell, Program, Truth};

/// An algorithm, its correct growth classes, and a largest size whose tenfold still runs quickly.
#[derive(Clone, Copy)]
struct Algorithm {
    name: &'static str,
    classes: &'static [GrowthClass],
    largest: f64,
    run: fn(usize, &mut Draw) -> u64,
}

const ALL: [Algorithm; 14] = [
    Algorithm { name: "insertion sort", classes: &[Quadratic], largest: 800.0, run: insertion_sort },
    Algorithm { name: "merge sort", classes: &[Linearithmic], largest: 20_000.0, run: merge_sort },
    Algorithm { name: "heap sort", classes: &[Linearithmic], largest: 20_000.0, run: heap_sort },
    Algorithm { name: "quicksort", classes: &[Linearithmic], largest: 20_000.0, run: quicksort },
    Algorithm { name: "search tree", classes: &[Linearithmic], largest: 10_000.0, run: search_tree },
    Algorithm { name: "sieve", classes: &[Linear, Linearithmic], largest: 50_000.0, run: sieve },
    Algorithm { name: "trial division", classes: &[ThreeHalves], largest: 5_000.0, run: trial_division },
    Algorithm { name: "digits below n", classes: &[Linear, Linearithmic], largest: 50_000.0, run: digits },
    Algorithm {
        name: "greatest divisors",
        classes: &[Quadratic, QuadraticLog],
        largest: 150.0,
        run: divisors,
    },
    Algorithm { name: "growing table", classes: &[Linear], largest: 50_000.0, run: growing_table },
    Algorithm { name: "bubble sort", classes: &[Quadratic], largest: 500.0, run: bubble_sort },
    Algorithm { name: "matching", classes: &[Linear], largest: 20_000.0, run: matching },
    Algorithm { name: "Collatz", classes: &[Linear, Linearithmic], largest: 10_000.0, run: collatz },
    Algorithm { name: "binary searches", classes: &[Linearithmic], largest: 20_000.0, run: searches },
];

/// Returns one cell of the table per algorithm.
pub(crate) fn cells() -> impl Iterator<Item = Cell> {
    ALL.into_iter().map(|algorithm| Cell {
        group: "algorithm",
        name: algorithm.name.to_owned(),
        program: Box::new(move |seed| program(algorithm, seed)),
    })
}

/// Runs an algorithm at 8 to 20 sizes over 1.3 to 2.5 decades.
fn program(algorithm: Algorithm, seed: u64) -> Program {
    let mut draw = Draw::new(seed);
    let count = draw.between(8.0, 21.0).floor();
    let decades = draw.between(1.3, 2.5);
    let last = algorithm.largest * draw.between(0.3, 1.0);
    let size = |i: usize| (last / 10f64.powf(decades * (1.0 - i as f64 / (count - 1.0)))).round().max(4.0);
    let mut x: Vec<f64> = (0..count as usize).map(size).collect();
    x.dedup();
    let mut cost = |n: f64| (algorithm.run)(n as usize, &mut draw) as f64;
    let y = x.iter().map(|&n| cost(n)).collect();
    let at_ten_times = cost(10.0 * x[x.len() - 1]);
    Program { x, y, truth: Truth::Class(algorithm.classes.to_vec()), at_ten_times, hidden: None }
}

fn random(n: usize, draw: &mut Draw) -> Vec<u64> {
    (0..n).map(|_| draw.between(0.0, 1e9) as u64).collect()
}

fn insertion_sort(n: usize, draw: &mut Draw) -> u64 {
    let mut values = random(n, draw);
    let mut steps = 0;
    for i in 1..n {
        let mut j = i;
        while j > 0 && values[j - 1] > values[j] {
            values.swap(j - 1, j);
            j -= 1;
            steps += 1;
        }
        steps += 1;
    }
    steps
}

fn bubble_sort(n: usize, draw: &mut Draw) -> u64 {
    let mut values = random(n, draw);
    let mut steps = 0;
    loop {
        let mut is_sorted = true;
        for i in 1..n {
            steps += 1;
            if values[i - 1] > values[i] {
                values.swap(i - 1, i);
                is_sorted = false;
            }
        }
        if is_sorted {
            return steps;
        }
    }
}

fn merge_sort(n: usize, draw: &mut Draw) -> u64 {
    fn sort(values: &mut [u64], steps: &mut u64) {
        if values.len() < 2 {
            return;
        }
        let (low, high) = values.split_at_mut(values.len() / 2);
        sort(low, steps);
        sort(high, steps);
        let (mut i, mut j, mut merged) = (0, 0, Vec::with_capacity(low.len() + high.len()));
        while i < low.len() && j < high.len() {
            *steps += 1;
            if low[i] <= high[j] {
                merged.push(low[i]);
                i += 1;
            } else {
                merged.push(high[j]);
                j += 1;
            }
        }
        merged.extend_from_slice(&low[i..]);
        merged.extend_from_slice(&high[j..]);
        values.copy_from_slice(&merged);
    }
    let mut steps = 1;
    sort(&mut random(n, draw), &mut steps);
    steps
}

fn heap_sort(n: usize, draw: &mut Draw) -> u64 {
    let mut values = random(n, draw);
    let mut steps = 0;
    let mut sift = |values: &mut [u64], mut at: usize| {
        while 2 * at + 1 < values.len() {
            steps += 1;
            let mut child = 2 * at + 1;
            if child + 1 < values.len() && values[child] < values[child + 1] {
                child += 1;
            }
            if values[at] >= values[child] {
                break;
            }
            values.swap(at, child);
            at = child;
        }
    };
    for at in (0..n / 2).rev() {
        sift(&mut values, at);
    }
    for end in (1..n).rev() {
        values.swap(0, end);
        sift(&mut values[..end], 0);
    }
    steps
}

fn quicksort(n: usize, draw: &mut Draw) -> u64 {
    fn sort(values: &mut [u64], steps: &mut u64) {
        if values.len() < 2 {
            return;
        }
        let last = values.len() - 1;
        let mut at = 0;
        for i in 0..last {
            *steps += 1;
            if values[i] < values[last] {
                values.swap(i, at);
                at += 1;
            }
        }
        values.swap(at, last);
        sort(&mut values[..at], steps);
        sort(&mut values[at + 1..], steps);
    }
    let mut steps = 1;
    sort(&mut random(n, draw), &mut steps);
    steps
}

fn search_tree(n: usize, draw: &mut Draw) -> u64 {
    let mut nodes: Vec<(u64, [usize; 2])> = Vec::new();
    let mut steps = 1;
    for value in random(n, draw) {
        let mut at = 0;
        while let Some(&(key, children)) = nodes.get(at) {
            steps += 1;
            let side = usize::from(value >= key);
            if children[side] == 0 {
                nodes[at].1[side] = nodes.len();
                break;
            }
            at = children[side];
        }
        nodes.push((value, [0, 0]));
    }
    steps
}

fn sieve(n: usize, _: &mut Draw) -> u64 {
    let mut is_composite = vec![false; n + 1];
    let mut steps = 1;
    for p in 2..=n {
        if !is_composite[p] {
            for multiple in (p..=n).step_by(p) {
                is_composite[multiple] = true;
                steps += 1;
            }
        }
    }
    steps
}

fn trial_division(n: usize, _: &mut Draw) -> u64 {
    let mut steps = 1;
    for number in 2..=n {
        let mut divisor = 2;
        while divisor * divisor <= number {
            steps += 1;
            divisor += 1;
        }
    }
    steps
}

fn digits(n: usize, _: &mut Draw) -> u64 {
    (1..n).map(|number| u64::from(number.ilog10()) + 1).sum()
}

fn divisors(n: usize, _: &mut Draw) -> u64 {
    let mut steps = 1;
    for i in 1..=n {
        for j in 1..=n {
            let (mut a, mut b) = (i, j);
            while b > 0 {
                (a, b) = (b, a % b);
                steps += 1;
            }
        }
    }
    steps
}

fn growing_table(n: usize, _: &mut Draw) -> u64 {
    let (mut steps, mut room) = (0, 4);
    for used in 0..n {
        if used == room {
            steps += room as u64;
            room *= 2;
        }
        steps += 1;
    }
    steps
}

fn matching(n: usize, draw: &mut Draw) -> u64 {
    let text: Vec<u8> = (0..n).map(|_| b'a' + draw.between(0.0, 3.0) as u8).collect();
    let mut steps = 1;
    for start in 0..n.saturating_sub(8) {
        for (a, b) in text[start..].iter().zip(b"abcabcab") {
            steps += 1;
            if a != b {
                break;
            }
        }
    }
    steps
}

fn collatz(n: usize, _: &mut Draw) -> u64 {
    let mut steps = 0;
    for start in 1..=n as u64 {
        let mut number = start;
        while number > 1 {
            number = if number.is_multiple_of(2) { number / 2 } else { 3 * number + 1 };
            steps += 1;
        }
    }
    steps
}

fn searches(n: usize, draw: &mut Draw) -> u64 {
    let mut steps = 1;
    for _ in 0..n {
        let target = draw.between(0.0, n as f64) as usize;
        let (mut low, mut high) = (0, n);
        while low < high {
            steps += 1;
            let middle = low.midpoint(high);
            if middle < target { low = middle + 1 } else { high = middle }
        }
    }
    steps
}
