use super::*;

/// Measured: a list with nodes of 32 bytes, at sizes 1.9 times apart and at three times the largest.
const LIST: [(f64, f64); 9] = [
    (2000.0, 1_437_696.0),
    (3775.0, 1_445_888.0),
    (7127.0, 1_769_472.0),
    (13_454.0, 1_908_736.0),
    (25_398.0, 2_109_440.0),
    (47_946.0, 2_969_600.0),
    (90_510.0, 4_268_032.0),
    (170_860.0, 6_889_472.0),
    (512_000.0, 17_879_040.0),
];

/// Measured: pushing to a `std::vector` of 16-byte elements, at the same sizes.
const VECTOR: [(f64, f64); 9] = [
    (2000.0, 3_018_752.0),
    (3775.0, 3_026_944.0),
    (7127.0, 3_145_728.0),
    (13_454.0, 3_158_016.0),
    (25_398.0, 3_358_720.0),
    (47_946.0, 3_694_592.0),
    (90_510.0, 4_808_704.0),
    (170_860.0, 6_905_856.0),
    (512_000.0, 11_087_872.0),
];

/// Measured: a Rust `HashMap`, at sizes that double.
const TABLE: [(f64, f64); 8] = [
    (2000.0, 2_187_264.0),
    (4000.0, 2_232_320.0),
    (8000.0, 2_519_040.0),
    (16_000.0, 2_883_584.0),
    (32_000.0, 3_674_112.0),
    (64_000.0, 5_472_256.0),
    (128_000.0, 8_908_800.0),
    (256_000.0, 15_376_384.0),
];

fn sizes(bytes: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    (0..8).map(|i| f64::from(1000 << i)).map(|n| (n, bytes(n))).collect()
}

/// Returns true if the interval contains the truth.
fn covers(law: &MemoryLaw, size: f64, bytes: f64) -> bool {
    let [low, high] = law.outlook(size).1;
    low <= bytes && bytes <= high
}

#[test]
fn up_to_the_largest_run_memory_is_what_the_runs_beside_it_took() {
    let law = MemoryLaw::fit(&TABLE).unwrap();
    // The run at 128,000 took 8.9 MB. Possible steps alone would leave 6 to 12 MB open.
    for (size, least, most) in [(128_000.0, 8_908_800.0, 8_908_800.0), (100_000.0, 5_472_256.0, 8_908_800.0)]
    {
        let (bytes, [low, high]) = law.outlook(size);
        assert!((0.9..=1.0).contains(&(low / least)) && (1.0..1.1).contains(&(high / most)), "{low} {high}");
        assert!(low <= bytes && bytes <= high);
    }
    let (bytes, [low, high]) = law.outlook(300_000.0);
    assert!(low < 0.8 * bytes && high > bytes, "{low} {bytes} {high}");
    // A run that took more than a larger one says nothing about sizes in between.
    let mut runs = TABLE;
    runs[0].1 = 3e6;
    let [low, high] = MemoryLaw::fit(&runs).unwrap().outlook(3000.0).1;
    assert!(low <= high, "{low} {high}");
    // Below the smallest run, memory is at most the peak of that run.
    let [low, high] = law.outlook(500.0).1;
    assert!(low < 1e6 && (2.2e6..2.5e6).contains(&high), "{low} {high}");
}

#[test]
fn a_list_is_a_line() {
    let law = MemoryLaw::fit(&LIST).unwrap();
    let (at, truth) = (1_722_156.0, 56_594_432.0);
    assert_eq!(law.shape, MemoryShape::Clear);
    assert!((law.curve.at(at) / truth - 1.0).abs() < 0.01 && covers(&law, at, truth), "{law:?}");
    let [low, high] = law.outlook(at).1;
    assert!(high < 1.5 * low, "{low} {high}");
}

#[test]
fn a_vector_that_doubles_moves_in_steps_and_lies_within_a_whole_one() {
    let law = MemoryLaw::fit(&VECTOR).unwrap();
    assert_eq!(law.shape, MemoryShape::Steps);
    assert!(covers(&law, 1_722_156.0, 36_261_888.0), "{law:?}");
    // The vector doubles twice on the way there, and then stays the same for a while.
    assert!(covers(&law, 2_048_000.0, 36_155_392.0), "{law:?}");
    // At 2.58 M, it takes 69.7 MB.
    assert!(covers(&law, 2_580_318.0, 69_726_208.0), "{law:?}");
}

#[test]
fn sizes_that_double_hide_that_a_table_does_and_one_between_shows_it() {
    let law = MemoryLaw::fit(&TABLE).unwrap();
    let (at, truth) = (2_580_318.0, 108_875_776.0);
    assert_eq!(law.shape, MemoryShape::PerhapsLine);
    assert!(law.curve.at(at) > 1.25 * truth && covers(&law, at, truth), "{law:?}");
    // Also measured: 0.7 times the largest size takes as much memory as half of it.
    let with = |bytes: f64, n: f64, all: &[(f64, f64)]| {
        let mut all = all.to_vec();
        all.insert(all.len() - 1, (n, bytes));
        MemoryLaw::fit(&all).unwrap().shape
    };
    assert_eq!(with(8_859_648.0, 181_019.0, &TABLE), MemoryShape::Steps);
    let list = sizes(|n| 1.4e6 + 100.0 * n);
    assert_eq!(MemoryLaw::fit(&list).unwrap().shape, MemoryShape::PerhapsLine);
    assert_eq!(with(1.4e6 + 9e6, 90_000.0, &list), MemoryShape::Clear);
}

#[test]
fn a_step_that_holds_all_large_runs_is_not_flat() {
    // Measured: the vector, with sizes from 524,289 to 1,048,576 on one step.
    let small = [3.0, 4.0, 5.0].map(|n| (n * 1e5, 11_034_624.0));
    let large = [6.0, 7.0, 8.0, 9.0, 10.0].map(|n| (n * 1e5, 19_451_904.0));
    let law = MemoryLaw::fit(&[&small[..], &large[..]].concat()).unwrap();
    assert!(covers(&law, 1e7, 271_056_896.0), "{law:?}");
    assert_eq!(law.shape, MemoryShape::Steps);
    // The large sizes are within one step, and the next smaller size is on another.
    let few = [small[0], large[0], large[2], large[4]];
    let law = MemoryLaw::fit(&few).unwrap();
    assert!(covers(&law, 1e7, 271_056_896.0), "{law:?}");
}

#[test]
fn memory_is_a_line_or_flat_or_unknown() {
    let at = |runs: &[(f64, f64)], target: f64| Some(MemoryLaw::fit(runs)?.curve.at(target));
    let is = |actual: Option<f64>, bytes: f64| (actual.unwrap() / bytes - 1.0).abs() < 1e-9;
    assert!(is(at(&sizes(|n| 1.4e6 + 16.0 * n), 1e6), 1.4e6 + 16e6));
    assert!(is(at(&sizes(|_| 1.4e6), 1e9), 1.4e6));
    // Growth below 5 % over the largest three sizes counts as flat, but may reach a hundredfold at this target.
    let slow = MemoryLaw::fit(&sizes(|n| 20e6 + 10.0 * n)).unwrap();
    assert!(slow.curve.per_unit == 0.0 && covers(&slow, 2e8, 20e6 + 2e9), "{slow:?}");
    assert_eq!(at(&sizes(|n| n * n * n), 1e6), None);
    assert_eq!(at(&sizes(|n| 8.0 * n)[..3], 1e6), None);
}

#[test]
fn memory_that_grows_faster_is_not_taken_for_steps() {
    // Measured: blocks of memory, each larger than the one before.
    let sizes = [1059.0, 2119.0, 4238.0, 8476.0, 16_951.0, 33_903.0, 67_806.0, 135_611.0, 271_223.0];
    let peaks =
        [1_671_168, 1_548_288, 1_536_000, 1_548_288, 1_654_784, 1_970_176, 2_711_552, 6_295_552, 20_013_056];
    let runs: Vec<_> = sizes.into_iter().zip(peaks.map(f64::from)).collect();
    let (at, truth) = (1_084_890.0, 298_160_128.0);
    let law = MemoryLaw::fit(&runs).unwrap();
    assert!(covers(&law, at, truth) && (law.curve.at(at) / truth - 1.0).abs() < 0.25, "{law:?}");
    // The last block is 4 MB of 6.
    let law = MemoryLaw::fit(&runs[..8]).unwrap();
    assert!(covers(&law, at, truth), "{law:?}");
    assert_eq!(law.shape, MemoryShape::Faster);
    // Measured: n to the power of 1.5.
    let peaks =
        [1_671_168, 1_536_000, 1_654_784, 1_806_336, 2_072_576, 2_588_672, 4_427_776, 9_162_752, 22_683_648];
    let runs: Vec<_> = sizes.into_iter().zip(peaks.map(f64::from)).collect();
    let law = MemoryLaw::fit(&runs).unwrap();
    assert!(covers(&law, at, 171_077_632.0), "{law:?}");
}

#[test]
fn a_curve_tells_the_size_at_which_it_has_grown() {
    let curve = MemoryCurve { constant: 1e6, per_unit: 40.0, per_power: 0.01, exponent: 1.5 };
    for size in [10.0, 1e4, 1e9] {
        assert!((curve.size_of(curve.growth(size)) / size - 1.0).abs() < 1e-9);
    }
    assert_eq!(MemoryCurve::line(1e6, 8.0).size_of(8e6), 1e6);
    assert_eq!(MemoryCurve::line(1e6, 0.0).size_of(8e6), f64::INFINITY);
}

#[test]
fn memory_that_only_scatters_may_not_grow_at_all() {
    // Measured: the maximum of three runs each of a program that takes next to nothing.
    let peaks = [1.569e6, 1.544e6, 1.626e6, 1.7e6, 1.561e6];
    let runs: Vec<_> = sizes(|n| n).iter().zip(peaks).map(|((n, _), bytes)| (*n, bytes)).collect();
    let law = MemoryLaw::fit(&runs).unwrap();
    assert!(covers(&law, 160e3, 1.6e6), "{law:?}");
}
