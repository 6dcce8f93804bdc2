use std::fmt::Write as _;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::loops::bound;

/// Draws a number from `first` up to but excluding `end`.
fn between(random: &mut ChaCha8Rng, first: i64, end: i64) -> i64 {
    first + (random.next_u64() % (end - first) as u64) as i64
}

/// Returns the points of a function of inputs.
fn points(inputs: &[Vec<i64>], mut f: impl FnMut(&[i64]) -> i64) -> Vec<Point> {
    inputs.iter().map(|x| Point { inputs: x.clone(), trips: f(x).max(0) as u64 }).collect()
}

fn of_one(values: &[i64], mut f: impl FnMut(i64) -> i64) -> Vec<Point> {
    let inputs: Vec<Vec<i64>> = values.iter().map(|&n| vec![n]).collect();
    points(&inputs, |x| f(x[0]))
}

fn formula(names: &[&str], points: &[Point]) -> String {
    interpolate(names, points).map_or("none".to_owned(), |law| law.polynomial.to_string())
}

const SIZES: [i64; 8] = [3, 7, 12, 20, 33, 50, 81, 128];

#[test]
fn the_papers_loop_is_n_squared_and_n_and_1_with_one_point_off_by_one() {
    // Section 3.4 of the paper: size and cost of the loop at lines 18 to 25 of its figure 1.
    let data = [(13, 183), (50, 2551), (72, 5257), (80, 6481), (98, 9704), (115, 13341), (139, 19461)];
    let points: Vec<Point> = data.iter().map(|&(n, trips)| Point { inputs: vec![n], trips }).collect();
    let law = interpolate(&["n"], &points).unwrap();
    assert_eq!(law.polynomial.to_string(), "n² + n + 1");
    assert_eq!((law.points, law.off), (7, vec![4]));
    assert_eq!(law.polynomial.value(&|_| Some(98)), Some(Rational::integer(9703)));
}

#[test]
fn loops_of_all_kinds_get_their_polynomials() {
    let one = |f: fn(i64) -> i64| formula(&["n"], &of_one(&SIZES, f));
    assert_eq!(one(|_| 7), "7");
    assert_eq!(one(|n| n), "n");
    assert_eq!(one(|n| 3 * n - 2), "3n − 2");
    assert_eq!(one(|n| (n - 10).max(0)), "n − 10", "a loop from 10 on");
    assert_eq!(one(|n| (0..n).step_by(4).count() as i64), "⌈n/4⌉");
    assert_eq!(one(|n| (n..40).step_by(3).count() as i64), "⌈(40 − n)/3⌉");
    assert_eq!(one(|n| n / 2), "⌊n/2⌋");
    let dense: Vec<i64> = (1..60).collect();
    assert_eq!(formula(&["n"], &of_one(&dense, |n| (n + 3) / 8)), "⌊(n + 3)/8⌋");
    let counted = |n: i64| (n - 1..52).step_by(5).count() as i64;
    assert_eq!(formula(&["n"], &of_one(&dense, counted)), "⌈(53 − n)/5⌉");
    assert_eq!(one(|n| n * (n - 1) / 2), "½n² − ½n");
    assert_eq!(one(|n| n * n * n), "n³");
    assert_eq!(one(|n| 64 - i64::from(n.leading_zeros())), "⌊log₂ n⌋ + 1", "while (n) n /= 2");
    assert_eq!(one(|n| (0..n).take_while(|i| i * i < n).count() as i64), "⌈√n⌉");
    assert_eq!(one(|n| n * 64 - n * i64::from((n - 1).leading_zeros())), "n·⌈log₂ n⌉");
}

#[test]
fn loops_with_several_inputs_get_their_polynomials() {
    let pairs =
        [(3, 50), (7, 4), (12, 12), (20, 9), (33, 80), (50, 6), (81, 41), (10, 11), (5, 30), (60, 95)];
    let pairs = pairs.map(|(n, m)| vec![n, m]);
    let two = |f: fn(i64, i64) -> i64| formula(&["n", "m"], &points(&pairs, |x| f(x[0], x[1])));
    assert_eq!(two(|n, m| n * m), "m·n");
    assert_eq!(two(|n, m| m - n), "m − n", "no trips where it is below 0");
    assert_eq!(two(i64::min), "min(n, m)");
    assert_eq!(two(|n, m| n.max(m) + 2), "max(n, m) + 2");
    assert_eq!(two(|n, m| (n + m - 1) / m), "⌈n/m⌉");
    assert_eq!(two(|n, m| n / m), "⌊n/m⌋");
    assert_eq!(two(|n, m| (0..n).step_by(2 * m as usize).count() as i64), "⌈n/(2m)⌉");
    assert_eq!(two(|n, m| ((m - n + 2) / 3).max(0)), "⌈(m − n)/3⌉");
    let mut four = Vec::new();
    for i in 0_i64..40 {
        four.push(vec![1 + i * 7 % 11, 20 + i * 5 % 13, 1 + i % 3, i * 3 % 7]);
    }
    let names = ["lo", "hi", "step", "k"];
    let steps = points(&four, |x| (x[0]..x[1]).step_by(x[2] as usize).count() as i64);
    assert_eq!(formula(&names, &steps), "⌈(hi − lo)/step⌉");
    let product = points(&four, |x| x[0] * x[1] * x[2] * x[3] + x[0]);
    assert_eq!(formula(&names, &product), "hi·k·lo·step + lo");
}

/// Counts the trips of a loop that starts at a number and multiplies or divides it.
fn trips(first: i64, goes_on: impl Fn(i64) -> bool, next: impl Fn(i64) -> i64) -> i64 {
    std::iter::successors(Some(first), |&x| Some(next(x))).take_while(|&x| goes_on(x)).count() as i64
}

#[test]
fn loops_that_multiply_or_divide_have_logarithms_rounded_as_they_end() {
    let dense: Vec<i64> = (0..70).chain([100, 128, 255, 256, 1000, 65_535, 65_536, 20_000_000]).collect();
    let one = |f: fn(i64) -> i64| formula(&["n"], &of_one(&dense, f));
    assert_eq!(one(|n| trips(n, |x| x > 1, |x| x / 2)), "⌊log₂ n⌋");
    assert_eq!(one(|n| trips(n, |x| x > 0, |x| x >> 1)), "⌊log₂ n⌋ + 1");
    assert_eq!(one(|n| trips(n, |x| x > 255, |x| x >> 8)), "⌊log₂₅₆ n⌋");
    assert_eq!(one(|n| trips(n, |x| x > 0, |x| x >> 4)), "⌊log₁₆ n⌋ + 1");
    assert_eq!(one(|n| trips(n, |x| x > 5, |x| x / 2)), "⌊log₂(n/6)⌋ + 1");
    assert_eq!(one(|n| trips(16, |x| x < n, |x| x * 2)), "⌈log₂ n⌉ − 4");
    assert_eq!(one(|n| trips(16, |x| x <= n, |x| x * 2)), "⌊log₂ n⌋ − 3");
    assert_eq!(one(|n| trips(12, |x| x < n, |x| x * 2)), "⌈log₂(n/12)⌉");
    assert_eq!(one(|n| trips(1, |x| x < n, |x| x * 5)), "⌈log₅ n⌉");
    assert_eq!(one(|n| trips(n, |x| x > 0, |x| (x - 1) / 2)), "⌊log₂(n + 1)⌋", "up a heap");
    // Without a power of 2 among the sizes, the rounding is undetermined.
    let odd = of_one(&[3, 5, 7, 9, 11, 21, 43, 85, 171], |n| trips(n, |x| x > 0, |x| x / 2));
    assert!(!interpolate(&["n"], &odd).unwrap().is_unique);
    let even = of_one(&[3, 5, 7, 8, 15, 16, 43, 85, 171], |n| trips(n, |x| x > 0, |x| x / 2));
    assert!(interpolate(&["n"], &even).unwrap().is_unique);
    assert_eq!(one(|n| trips(1, |x| x < n - 1, |x| x * 2)), "⌊log₂(n − 2)⌋ + 1");
    assert_eq!(one(|n| trips(1, |x| x <= n + 2, |x| x * 2)), "⌊log₂(n + 2)⌋ + 1");
    assert_eq!(one(|n| trips(3, |x| x < n, |x| 2 * x - 1)), "⌊log₂(n − 2)⌋");
    assert_eq!(one(|n| trips(n, |x| x > 0, |x| x / 2 - 1)), "⌊log₂((n + 2)/3)⌋ + 1");
    assert_eq!(one(|n| trips(4, |x| x < n, |x| x + x / 2)), "none", "it grows by a half, rounded down");
    assert_eq!(one(|n| i64::from(n.count_ones())), "none");

    let pairs: Vec<Vec<i64>> =
        (0..60).map(|i| vec![i * 7 % 60, 1 + i * 5 % 13]).chain((0..8).map(|i| vec![12 << i, 3])).collect();
    let two = |f: fn(i64, i64) -> i64| formula(&["n", "m"], &points(&pairs, |x| f(x[0], x[1])));
    assert_eq!(two(|n, m| trips(m, |x| x < n, |x| x * 2)), "⌈log₂(n/m)⌉");
    assert_eq!(two(|n, m| trips(m, |x| x <= n, |x| x * 2)), "⌊log₂(n/m)⌋ + 1");
    assert_eq!(two(|n, m| trips(n, |x| x > m, |x| x / 3)), "⌊log₃(n/(m + 1))⌋ + 1");
    assert_eq!(two(|n, m| trips(n, |x| x >= m, |x| x >> 1)), "⌊log₂(n/m)⌋ + 1");

    let three: Vec<Vec<i64>> = (0..80).map(|i| vec![i * 7 % 90, i * 11 % 50, 1 + i * 5 % 9]).collect();
    let grown = points(&three, |x| trips(x[2], |cap| cap < x[0] + x[1], |cap| cap * 2));
    assert_eq!(formula(&["len", "more", "cap"], &grown), "⌈log₂((len + more)/cap)⌉");
}

#[test]
fn what_is_run_once_in_any_case_is_the_greater_of_1_and_a_formula() {
    let dense: Vec<i64> = (0..70).chain([100, 128, 255, 256, 1000, 65_535, 65_536, 20_000_000]).collect();
    // A loop whose body precedes its condition.
    let again = |mut x: i64, goes_on: &dyn Fn(i64) -> bool, next: &dyn Fn(i64) -> i64| {
        let mut count = 1;
        x = next(x);
        while goes_on(x) {
            (x, count) = (next(x), count + 1);
        }
        count
    };
    let one = |f: &dyn Fn(i64) -> i64| formula(&["n"], &of_one(&dense, f));
    assert_eq!(one(&|n| again(0, &|x| x < n, &|x| x + 1)), "max(1, n)");
    assert_eq!(one(&|n| again(0, &|x| x < n, &|x| x + 4)), "max(1, ⌈n/4⌉)");
    assert_eq!(one(&|n| again(n, &|x| x > 0, &|x| x / 2)), "max(1, ⌊log₂ n⌋ + 1)");
    assert_eq!(one(&|n| again(1, &|x| x < n, &|x| x * 2)), "max(1, ⌈log₂ n⌉)");
    assert_eq!(one(&|n| again(0, &|x| x < n * n, &|x| x + 1)), "max(1, n²)");
    assert_eq!(one(&|n| again(0, &|x| x <= n, &|x| x + 1)), "n + 1", "it never is less");
    let pairs: Vec<Vec<i64>> = (0..60).map(|i| vec![i * 7 % 60, 1 + i * 5 % 13]).collect();
    let two = |f: &dyn Fn(i64, i64) -> i64| formula(&["n", "m"], &points(&pairs, |x| f(x[0], x[1])));
    assert_eq!(two(&|n, m| again(m, &|x| x < n, &|x| x + 1)), "max(1, n − m)");
    assert_eq!(two(&|n, m| again(m, &|x| x < n, &|x| x * 2)), "max(1, ⌈log₂(n/m)⌉)");
    // A single point at which it is 1 proves too little, so that point counts as off.
    assert_eq!(formula(&["n"], &of_one(&[0, 2, 3, 7, 9, 20], |n| n.max(1))), "n");
}

#[test]
fn a_logarithm_of_huge_ends_is_no_other_one_and_what_wraps_around_has_none() {
    let sizes =
        [i64::MIN, -7, 0, 1, 2, 3, 4, 5, 8, 9, 1 << 20, (1 << 20) + 1, 1 << 62, (1 << 62) + 1, i64::MAX];
    let doubled = |n: i64| {
        std::iter::successors(Some(1_i128), |x| Some(x * 2)).take_while(|x| *x < i128::from(n)).count() as i64
    };
    assert_eq!(formula(&["n"], &of_one(&sizes, doubled)), "⌈log₂ n⌉");
    // An unsigned number of 64 bits is negative from its upper half on.
    let halved = |n: i64| i64::from(64 - n.cast_unsigned().leading_zeros());
    let law = interpolate(&["n"], &of_one(&sizes, halved));
    assert!(law.as_ref().is_none_or(|law| !law.off.is_empty()), "{law:?}");
    // A byte that is tripled wraps around before it reaches an end above 243.
    let byte = |n: i64| {
        let next = |x: &u8| Some(x.wrapping_mul(3));
        std::iter::successors(Some(1_u8), next).take_while(|x| i64::from(*x) < n).take(40).count() as i64
    };
    let sizes: Vec<i64> = (0..40).chain([80, 81, 82, 200, 243, 244, 250, 255]).collect();
    let law = interpolate(&["n"], &of_one(&sizes, byte));
    assert!(law.as_ref().is_none_or(|law| !law.off.is_empty()), "{law:?}");
}

#[test]
fn a_logarithm_that_is_the_only_one_is_right_at_all_sizes() {
    let loops: [fn(i64) -> i64; 8] = [
        |n| trips(1, |x| x < n - 1, |x| x * 2),
        |n| trips(1, |x| x < n - 2, |x| x * 2),
        |n| trips(1, |x| x <= n + 2, |x| x * 2),
        |n| trips(1, |x| x < n / 2, |x| x * 2),
        |n| trips(3, |x| x < n, |x| 2 * x - 1),
        |n| trips(n, |x| x > 0, |x| x / 2 - 1),
        |n| trips(n, |x| x > 0, |x| x / 58),
        |n| trips(4, |x| x < n, |x| x * 2 + 1),
    ];
    let (mut certain, mut state) = (0, 1_u64);
    for round in 0..400 {
        let sizes: Vec<i64> = (0..8 + round % 30)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                1 + (state >> 33) as i64 % (30 << (round % 7))
            })
            .collect();
        let trips_of = loops[round % loops.len()];
        let Some(law) = interpolate(&["n"], &of_one(&sizes, trips_of)) else { continue };
        if law.is_unique && law.polynomial.logarithms_and_roots() > 0 {
            certain += 1;
            let all: Vec<i64> = (1..3000).collect();
            let wrong = of_one(&all, trips_of)
                .into_iter()
                .find(|point| !law.polynomial.gives(point.trips, &|_| Some(i128::from(point.inputs[0]))));
            assert_eq!(wrong, None, "loop {}: {}", round % loops.len(), law.polynomial);
        }
    }
    assert!(certain > 20, "{certain}");
}

#[test]
fn what_begins_at_0_never_ends_or_has_no_trips() {
    let log = interpolate(
        &["n", "size"],
        &points(&GROWN.map(|(n, size)| vec![n, size]), |x| trips(x[1], |s| s < x[0], |s| s * 2)),
    );
    let log = log.unwrap().polynomial;
    let at = |n, size| log.value(&|name| Some(if name == "n" { n } else { size }));
    assert_eq!(log.to_string(), "⌈log₂(n/size)⌉");
    assert_eq!([at(0, 0), at(-3, 0), at(-3, -2)], [Some(Rational::ZERO); 3], "no trips");
    assert_eq!([at(1, 0), at(5, -1)], [None; 2], "it never ends");
    assert!(
        at(1 << 62, 1).unwrap() == Rational::integer(62)
            && at(i64::MAX.into(), 1).unwrap() == Rational::integer(63)
    );
}

/// Ends and beginnings: end above, below and equal to the beginning, and zero.
const GROWN: [(i64, i64); 12] = [
    (100, 3),
    (96, 3),
    (97, 3),
    (5, 40),
    (7, 7),
    (0, 0),
    (64, 1),
    (65, 1),
    (30, 16),
    (1000, 9),
    (9, 2),
    (3, 1),
];

#[test]
fn inputs_that_are_always_equal_are_not_told_apart() {
    let inputs: Vec<Vec<i64>> = SIZES.iter().map(|&n| vec![n, n]).collect();
    let law = interpolate(&["n", "m"], &points(&inputs, |x| x[0])).unwrap();
    assert_eq!((law.polynomial.to_string().as_str(), law.is_unique), ("n", false));
    let constant: Vec<Vec<i64>> = SIZES.iter().map(|&n| vec![n, 5]).collect();
    let law = interpolate(&["n", "start"], &points(&constant, |x| x[0] - x[1])).unwrap();
    assert_eq!(law.polynomial.to_string(), "n − 5", "an input that does not vary is a number");
}

#[test]
fn too_few_points_have_no_polynomial() {
    assert_eq!(formula(&["n"], &of_one(&[100], |n| n)), "none");
    assert_eq!(formula(&["n"], &of_one(&[100, 200], |n| n)), "none");
    assert_eq!(formula(&["n"], &of_one(&[100, 200, 300], |n| n)), "n");
    assert_eq!(
        formula(&["n"], &of_one(&[100, 200, 300], |n| n + 1)),
        "none",
        "two points and one that confirms"
    );
    assert_eq!(formula(&["n"], &of_one(&[1, 2, 5, 9], |n| n * n + 1)), "n² + 1");
    assert_eq!(formula(&["n"], &[]), "none");
}

#[test]
fn early_exits_leave_a_bound() {
    let samples = of_one(&SIZES, |n| if n % 2 == 0 { n } else { n / 3 });
    assert_eq!(bound(&["n"], &[false], &samples).unwrap().to_string(), "n");
    let pairs: Vec<Vec<i64>> = SIZES.iter().map(|&n| vec![n / 3, n]).collect();
    let early = points(&pairs, |x| x[1] - x[0] - x[1] % 3);
    assert_eq!(bound(&["i", "n"], &[false, false], &early).unwrap().to_string(), "n − i");
    assert_eq!(bound(&["i", "n"], &[false, true], &early).unwrap().to_string(), "n", "in any case");
}

#[test]
fn large_inputs_do_not_overflow() {
    let sizes = [1_000_000, 2_500_000, 3_000_000, 1_234_567, 999, 1];
    assert_eq!(formula(&["n"], &of_one(&sizes, |n| n * n - n)), "n² − n");
    let huge = [i64::MAX, i64::MIN, 0, -1, 1, 77, 1 << 40];
    assert_eq!(formula(&["n"], &of_one(&huge, |n| n)), "n", "no trips where n is negative");
}

/// Draws designs like those of real studies: some random values of each input.
fn design(random: &mut ChaCha8Rng, inputs: usize, count: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> =
        (0..count).map(|_| (0..inputs).map(|_| between(random, 1, 200)).collect()).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn random_polynomials_are_found_again_and_nothing_else() {
    let mut random = ChaCha8Rng::seed_from_u64(15);
    let (mut recovered, mut spurious, mut trials, mut mistakes) = (0, 0, 0, String::new());
    for trial in 0..600_usize {
        let inputs = 1 + trial % 3;
        let names = &["x", "y", "z"][..inputs];
        let terms = between(&mut random, 1, 4);
        let mut polynomial = Polynomial::integer(between(&mut random, 0, 3).into());
        for _ in 0..terms {
            let degree = between(&mut random, 1, 5);
            let mut term = Polynomial::integer(between(&mut random, 1, 4).into());
            for _ in 0..degree {
                term = term
                    .times(&Polynomial::name(names[between(&mut random, 0, inputs as i64) as usize]))
                    .unwrap();
            }
            polynomial = polynomial.plus(&term).unwrap();
        }
        let count = between(&mut random, 8, 40) as usize;
        let inputs = design(&mut random, inputs, count);
        let data: Vec<Point> = inputs
            .into_iter()
            .map(|x| {
                let position = |name: &str| names.iter().position(|one| *one == name);
                let value = polynomial.value(&|name| Some(i128::from(x[position(name)?])));
                Point { trips: value.unwrap().numerator() as u64, inputs: x }
            })
            .collect();
        trials += 1;
        match interpolate(names, &data) {
            Some(one) if one.polynomial == polynomial => recovered += 1,
            Some(one) => {
                spurious += 1;
                let _ = writeln!(mistakes, "{polynomial} became {} ({} points)", one.polynomial, data.len());
            }
            None => {}
        }
    }
    // Sums of four terms in three inputs need as many points as coefficients.
    assert!(recovered * 100 >= trials * 90, "{recovered} of {trials}, {spurious} otherwise\n{mistakes}");
    assert_eq!(spurious, 0, "{mistakes}");
}

#[test]
fn what_is_of_no_family_is_not_called_exact() {
    const TRIALS: u64 = 1500;
    let mut random = ChaCha8Rng::seed_from_u64(16);
    let (mut exact, mut mistakes) = (0, String::new());
    for trial in 0..TRIALS {
        let count = between(&mut random, 4, 16);
        let mut sizes: Vec<i64> = (0..count).map(|_| between(&mut random, 2, 400)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let exponent: f64 = [0.7, 1.2, 1.5, 1.8, 2.3][between(&mut random, 0, 5) as usize];
        let factor = between(&mut random, 30, 300) as f64 / 100.0;
        let noise = between(&mut random, 1, 20);
        let mut jitter = ChaCha8Rng::seed_from_u64(trial);
        let data = of_one(&sizes, |n| {
            let x = n as f64;
            match trial % 6 {
                0 => (factor * x.powf(exponent)) as i64,
                1 => (factor * x * x.ln()) as i64,
                2 => n + between(&mut jitter, 0, noise + 1),
                3 => between(&mut jitter, 0, n + 1),
                4 => (2..=n).filter(|p| (2..*p).all(|d| p % d != 0)).count() as i64,
                _ => {
                    let (mut a, mut steps) = (n, 0);
                    while a > 1 {
                        (a, steps) = (if a % 2 == 0 { a / 2 } else { 3 * a + 1 }, steps + 1);
                    }
                    steps
                }
            }
        });
        if let Some(one) = interpolate(&["n"], &data) {
            exact += 1;
            let (kind, off) = (trial % 6, one.off.len());
            let _ =
                writeln!(mistakes, "kind {kind} is no {} ({} points, {off} off)", one.polynomial, data.len());
        }
    }
    assert!(exact * 100 <= TRIALS, "{exact} of {TRIALS}\n{mistakes}");
}

#[test]
fn a_value_rounded_in_both_directions_is_no_formula() {
    // `¼m² + ¼·⌊log₂ m⌋ − ¼·⌈log₂ m⌉` equals `⌊m²/4⌋` here, because all even sizes are powers of 2.
    let points = [7, 5, 8, 11, 4, 9, 13].map(|m: i64| Point { inputs: vec![m], trips: (m * m / 4) as u64 });
    assert_eq!(interpolate(&["m"], &points).map(|found| found.polynomial.to_string()), None);
}
