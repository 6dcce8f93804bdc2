//! Peak memory as a function of the size, from the peaks of the largest runs.
//!
//! Memory is a constant and a part that grows with the input, or with the *capacity* of an array or a table, which doubles when it is full:
//!
//! ```text
//! bytes                          ┌───   capacity, the least 2^(k + phase) that holds n
//!                          · ┌───┘
//!                    ┌──────·┘   ·      n
//!              ┌─────┘ ·  ·
//!          ┌───┘·  ·
//!          ·─────────────────────── n
//! ```
//!
//! Sizes that are far apart do not tell one from the other: of runs at n, 2·n, 4·n, … each is at the same place of its step, and so any
//! capacity explains them as well as the line does. So all of these shapes are tried: the line, and mixtures of it with capacities of any
//! phase. A run is a bar, as high as memory scatters, and a shape explains the runs where a line over it meets all bars. What is predicted
//! is the line; where memory may be is the hull of all that explains the runs, over a whole step.
//!
//! Steps over a short range look like growth that is faster than a line, and the other way round. So where the line does not explain the
//! runs, mixtures of it with the powers 1.5 and 2 are tried beside the steps, and all that nearly explains the runs is in the hull.

use std::iter;

use crate::Linear;

/// Sizes from which a line is more than a guess.
const FEWEST_SIZES: usize = 4;

/// The largest size divided by the smallest.
const LEAST_SPAN: f64 = 3.0;

/// The runs within so many times the largest size are explained: four doublings, and a little for sizes that are rounded.
const TOP: f64 = 16.5;

/// Memory that does not grow differs by no more than this factor,
const FLAT: f64 = 1.05;

/// over at least this factor of the size: more than a step takes.
const FLAT_SPAN: f64 = 2.5;

/// Peaks of runs of the same program and input differ by so many bytes: the kernel maps more or less of libraries' files around what is
/// touched. Of single runs of a program that takes 1.3 MB the highest had 0.35 MB more than the lowest; the most of several scatters less.
const NOISE_BYTES: f64 = 200e3;

/// How far runs may be from a shape, as parts of their memory: the least at which any shape explains them, and the next one where that is
/// no line.
const SCATTER: [f64; 4] = [0.02, 0.04, 0.07, 0.1];

/// The parts of memory that follow a capacity.
const PARTS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Capacities that are tried, at as many places within a doubling.
const PHASES: u32 = 12;

/// The powers that are faster than a line,
const POWERS: [f64; 2] = [1.5, 2.0];

/// and the parts that they have of the growth up to the largest size.
const BENDS: [f64; 13] = [0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// How much further than what explains the runs memory may be.
const MARGIN: f64 = 0.05;

/// The hull is that of the curves that are the lowest and the highest at so many times the largest size;
const TARGETS: [f64; 3] = [2.0, FAR, 100.0];

/// what is predicted, and what is said of it, is chosen at this one.
const FAR: f64 = 10.0;

/// Steps are worth a word where memory may be so many times what is predicted, or that part of it.
const NOTABLE: f64 = 1.25;

/// A constant, a part that grows with the size, and one that grows with a power of it, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryCurve {
    /// What every run takes.
    pub constant: f64,
    /// What each unit of the size takes besides.
    pub per_unit: f64,
    /// And each unit of a power of the size; 0 where a line will do.
    pub per_power: f64,
    /// That power.
    pub exponent: f64,
}

impl MemoryCurve {
    fn line(constant: f64, per_unit: f64) -> Self {
        Self { constant, per_unit, per_power: 0.0, exponent: 1.0 }
    }

    /// At a size.
    pub fn at(self, size: f64) -> f64 {
        self.constant + self.growth(size)
    }

    /// What it has at a size beyond what every run takes.
    pub fn growth(self, size: f64) -> f64 {
        self.per_unit * size + self.per_power * size.powf(self.exponent)
    }

    /// The size at which it has grown by so many bytes, which are positive; infinite where it does not grow.
    pub fn size_of(self, growth: f64) -> f64 {
        // Either part alone needs the whole size or more, and one of the two makes at least half.
        let of = |bytes: f64| (bytes / self.per_unit).min((bytes / self.per_power).powf(1.0 / self.exponent));
        let [mut low, mut high] = [of(growth / 2.0), of(growth)];
        if !high.is_finite() {
            return high;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.growth(middle) < growth {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    fn times(self, factor: f64) -> Self {
        Self {
            constant: self.constant * factor,
            per_unit: self.per_unit * factor,
            per_power: self.per_power * factor,
            ..self
        }
    }
}

/// What memory does besides growing as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryShape {
    /// What is predicted explains the runs, and nothing else does that would matter.
    Clear,
    /// A line explains the runs, and other shapes do as well: the sizes do not tell which.
    PerhapsLine,
    /// No line explains the runs: memory moves in steps, as that of an array that doubles.
    Steps,
    /// No line explains the runs: memory grows faster, or moves in steps.
    Faster,
}

/// Peak memory over the size.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryLaw {
    /// What is predicted.
    pub curve: MemoryCurve,
    /// Beyond the largest run memory may lie above the lowest of these,
    pub low: Vec<MemoryCurve>,
    /// and below the highest of these.
    pub high: Vec<MemoryCurve>,
    /// What else it may be.
    pub shape: MemoryShape,
}

impl MemoryLaw {
    /// Of runs with their size and peak in bytes, both positive and by ascending size; `None` of too few sizes, or where no shape explains
    /// them.
    ///
    /// - Time: O(n), as no more than 49 of the largest sizes are used.
    pub fn fit(runs: &[(f64, f64)]) -> Option<Self> {
        let sizes = distinct(runs);
        let (first, last) = (sizes.first()?, sizes.last()?);
        if sizes.len() < FEWEST_SIZES || last.0 < LEAST_SPAN * first.0 {
            return None;
        }
        flat(&sizes).or_else(|| growing(&sizes))
    }

    /// Where memory may be at a size, which includes what is predicted.
    pub fn interval(&self, size: f64) -> [f64; 2] {
        let bytes = self.curve.at(size);
        let all = |curves: &[MemoryCurve], of: fn(f64, f64) -> f64| {
            curves.iter().map(|curve| curve.at(size)).fold(bytes, of)
        };
        [all(&self.low, f64::min), all(&self.high, f64::max)]
    }
}

/// The run with most memory of those whose sizes are within a twelfth of a doubling: they have the same capacities.
fn distinct(runs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let place = |run: &(f64, f64)| (run.0.log2() * f64::from(PHASES) + 0.5).floor();
    let most = |some: &[(f64, f64)]| some.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    runs.chunk_by(|a, b| place(a) == place(b)).filter_map(most).collect()
}

/// The sizes that are at least this part of the largest, or so many where they are fewer.
fn largest(sizes: &[(f64, f64)], factor: f64, fewest: usize) -> &[(f64, f64)] {
    let most = sizes[sizes.len() - 1].0;
    let begin = sizes.partition_point(|size| size.0 * factor < most);
    &sizes[begin.min(sizes.len() - fewest)..]
}

/// What does not grow, and may by as much as nobody would see.
fn flat(sizes: &[(f64, f64)]) -> Option<MemoryLaw> {
    let (end, last) = *sizes.last()?;
    let begin = sizes.partition_point(|size| size.0 * FLAT_SPAN <= end).checked_sub(1)?;
    let largest = &sizes[begin.min(sizes.len().checked_sub(3)?)..];
    let (x, first) = largest[0];
    let most = largest.iter().map(|s| s.1).fold(0.0, f64::max);
    if largest.iter().any(|s| most > FLAT * s.1) {
        return None;
    }
    let growth = ((last - first + NOISE_BYTES / 2.0) / (end - x)).max(0.0);
    let curve = MemoryCurve::line(most, 0.0);
    let high = MemoryCurve::line(most - growth * end, growth);
    Some(MemoryLaw {
        curve,
        low: vec![curve.times(1.0 - 2.0 * MARGIN)],
        high: vec![high.times(1.0 + 2.0 * MARGIN)],
        shape: MemoryShape::Clear,
    })
}

/// What explains the runs.
fn growing(sizes: &[(f64, f64)]) -> Option<MemoryLaw> {
    let top = largest(sizes, TOP, FEWEST_SIZES);
    let end = top[top.len() - 1].0;
    let least = sizes.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
    let explain = |shape: Shape, scatter: f64| {
        let bar = |&(x, y): &(f64, f64)| {
            let around = scatter * y + NOISE_BYTES / 2.0;
            (shape.of(x, end), y - around, y + around)
        };
        let most_constant = least * (1.0 + scatter) + NOISE_BYTES / 2.0;
        let lines = Bars { bars: top.iter().map(bar).collect(), most_constant }.lines()?;
        Some((shape, lines.map(|line| shape.curve(line, end))))
    };
    let all = || Shape::steps().chain(Shape::bends());
    let level = SCATTER.iter().position(|scatter| all().any(|shape| explain(shape, *scatter).is_some()))?;
    let explained: Vec<_> = if explain(Shape::LINE, SCATTER[level]).is_some() {
        Shape::steps().filter_map(|shape| explain(shape, SCATTER[level])).collect()
    } else {
        let next = SCATTER[(level + 1).min(SCATTER.len() - 1)];
        all().filter_map(|shape| explain(shape, next)).collect()
    };

    let far = FAR * end;
    let lows = explained.iter().map(|(shape, [low, _])| shape.over_a_step(*low)[0].times(1.0 - MARGIN));
    let highs = explained.iter().map(|(shape, [_, high])| shape.over_a_step(*high)[1].times(1.0 + MARGIN));
    let by = |at: f64| move |a: &MemoryCurve, b: &MemoryCurve| a.at(at * end).total_cmp(&b.at(at * end));
    let mut low: Vec<_> = TARGETS.iter().filter_map(|at| lows.clone().min_by(by(*at))).collect();
    let mut high: Vec<_> = TARGETS.iter().filter_map(|at| highs.clone().max_by(by(*at))).collect();
    low.dedup();
    high.dedup();

    let is = |kind: fn(&Shape) -> bool| explained.iter().find(|(shape, _)| kind(shape));
    let straight = is(Shape::is_line).map(|(_, ends)| *ends);
    let hull = [
        low.iter().map(|curve| curve.at(far)).fold(f64::INFINITY, f64::min),
        high.iter().map(|curve| curve.at(far)).fold(0.0, f64::max),
    ];
    let curve = match straight {
        Some(ends) => best_line(top, ends, far)?,
        None => {
            let middle = (hull[0] * hull[1]).sqrt();
            let off = |curve: &MemoryCurve| (curve.at(far) / middle).ln().abs();
            let curves = explained.iter().flat_map(|(_, ends)| *ends);
            curves.min_by(|a, b| off(a).total_cmp(&off(b)))?
        }
    };
    let [least, most] = straight.map_or([curve.at(far); 2], |ends| ends.map(|end| end.at(far)));
    let is_wide = hull[0] * NOTABLE < least || hull[1] > most * NOTABLE;
    let shape = match (straight, is(Shape::is_bent)) {
        _ if !is_wide => MemoryShape::Clear,
        (Some(_), _) => MemoryShape::PerhapsLine,
        (None, None) => MemoryShape::Steps,
        (None, Some(_)) => MemoryShape::Faster,
    };
    Some(MemoryLaw { curve, low, high, shape })
}

/// The line with the least relative errors, or the one of the two ends that it is beyond.
fn best_line(sizes: &[(f64, f64)], [low, high]: [MemoryCurve; 2], far: f64) -> Option<MemoryCurve> {
    let (x, y): (Vec<f64>, Vec<f64>) = sizes.iter().copied().unzip();
    let weights: Vec<f64> = y.iter().map(|y| 1.0 / (y * y)).collect();
    let fitted = Linear::fit_weighted(&x, &y, &weights).ok()?;
    let fitted = MemoryCurve::line(fitted.a, fitted.b);
    Some(match fitted.at(far) {
        bytes if bytes < low.at(far) => low,
        bytes if bytes > high.at(far) => high,
        _ => fitted,
    })
}

/// What memory may follow: the size, a capacity that doubles, or some of both; or the size and a power of it.
#[derive(Clone, Copy)]
struct Shape {
    /// The part that follows the capacity.
    part: f64,
    /// Where it doubles: at 2^(k + phase).
    phase: f64,
    /// The part that follows the power at the largest size.
    bend: f64,
    /// The power.
    exponent: f64,
}

impl Shape {
    const LINE: Self = Self { part: 0.0, phase: 0.0, bend: 0.0, exponent: 1.0 };

    /// The line, and all that have steps.
    fn steps() -> impl Iterator<Item = Self> {
        let phases = (0..PHASES).map(|place| f64::from(place) / f64::from(PHASES));
        let steps = phases.flat_map(|phase| PARTS.map(|part| Self { part, phase, ..Self::LINE }));
        iter::once(Self::LINE).chain(steps)
    }

    /// All that grow faster.
    fn bends() -> impl Iterator<Item = Self> {
        POWERS.into_iter().flat_map(|exponent| BENDS.map(|bend| Self { bend, exponent, ..Self::LINE }))
    }

    fn is_line(&self) -> bool {
        self.part == 0.0 && !self.is_bent()
    }

    fn is_bent(&self) -> bool {
        self.bend > 0.0
    }

    /// A capacity is 0.7 to 1.4 times the size here; a power is the largest size there.
    fn of(self, size: f64, largest: f64) -> f64 {
        if self.is_bent() {
            return (1.0 - self.bend) * size + self.bend * largest * (size / largest).powf(self.exponent);
        }
        // What a size that is rounded goes beyond a capacity is no reason for the next one.
        let doublings = (size.log2() - self.phase - 1e-3).ceil();
        let capacity = (doublings + self.phase - 0.5).exp2();
        (1.0 - self.part) * size + self.part * capacity
    }

    /// A line over the shape, by its constant and its slope, as a curve over the size; steps as their line.
    fn curve(self, (constant, slope): (f64, f64), largest: f64) -> MemoryCurve {
        MemoryCurve {
            constant,
            per_unit: slope * (1.0 - self.bend),
            per_power: slope * self.bend * largest.powf(1.0 - self.exponent),
            exponent: self.exponent,
        }
    }

    /// The lowest and the highest that a curve is over a step.
    fn over_a_step(self, curve: MemoryCurve) -> [MemoryCurve; 2] {
        [0.5_f64.sqrt(), 2_f64.sqrt()].map(|of_capacity| {
            let of_size = (1.0 - self.part) + self.part * of_capacity;
            MemoryCurve { per_unit: curve.per_unit * of_size, ..curve }
        })
    }
}

/// Runs, as what a shape makes of their size, and the bytes between which they are.
struct Bars {
    bars: Vec<(f64, f64, f64)>,
    /// The constant is at most that.
    most_constant: f64,
}

impl Bars {
    /// Of the lines that meet all bars, and neither fall nor begin below 0, the flattest and the steepest, by constant and slope; `None`
    /// where none meets all.
    fn lines(&self) -> Option<[(f64, f64); 2]> {
        let most = self.bars.iter().map(|(z, _, high)| high / z).fold(f64::INFINITY, f64::min);
        let best = self.roomiest(most);
        if self.room(best) < 0.0 {
            return None;
        }
        let [flattest, steepest] = [0.0, most].map(|end| self.last_with_room(best, end));
        Some([(self.constants(flattest)[0], flattest), (self.constants(steepest)[1], steepest)])
    }

    /// The least and the greatest constant of lines with this slope; none where the first is greater.
    fn constants(&self, slope: f64) -> [f64; 2] {
        let least = self.bars.iter().map(|(z, low, _)| low - slope * z).fold(0.0, f64::max);
        let most = self.bars.iter().map(|(z, _, high)| high - slope * z).fold(self.most_constant, f64::min);
        [least, most]
    }

    fn room(&self, slope: f64) -> f64 {
        let [least, most] = self.constants(slope);
        most - least
    }

    /// The slope from 0 to `most` with most room, which is concave, by the golden section.
    fn roomiest(&self, most: f64) -> f64 {
        let golden = 0.5 * (5_f64.sqrt() - 1.0);
        let [mut low, mut high] = [0.0, most];
        for _ in 0..60 {
            let inner = [high - golden * (high - low), low + golden * (high - low)];
            if self.room(inner[0]) < self.room(inner[1]) {
                low = inner[0];
            } else {
                high = inner[1];
            }
        }
        let all = [0.0, 0.5 * (low + high), most];
        all.into_iter().max_by(|a, b| self.room(*a).total_cmp(&self.room(*b))).unwrap_or(0.0)
    }

    /// The slope nearest to `end` that has room, as `has` does.
    fn last_with_room(&self, mut has: f64, end: f64) -> f64 {
        if self.room(end) >= 0.0 {
            return end;
        }
        let mut without = end;
        for _ in 0..50 {
            let middle = 0.5 * (has + without);
            if self.room(middle) >= 0.0 {
                has = middle;
            } else {
                without = middle;
            }
        }
        has
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured: a list of nodes of 32 bytes, at sizes 1.9 times apart and at three times the largest.
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

    /// Measured: a `std::vector` of 16 bytes each that is pushed to, at the same sizes.
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

    /// Measured: a `HashMap` of Rust, at sizes that double.
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

    fn sizes(of: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..8).map(|i| f64::from(1000 << i)).map(|n| (n, of(n))).collect()
    }

    /// Whether the truth is within the interval.
    fn covers(law: &MemoryLaw, size: f64, bytes: f64) -> bool {
        let [low, high] = law.interval(size);
        low <= bytes && bytes <= high
    }

    #[test]
    fn a_list_is_a_line() {
        let law = MemoryLaw::fit(&LIST).unwrap();
        let (at, truth) = (1_722_156.0, 56_594_432.0);
        assert_eq!(law.shape, MemoryShape::Clear);
        assert!((law.curve.at(at) / truth - 1.0).abs() < 0.01 && covers(&law, at, truth), "{law:?}");
        let [low, high] = law.interval(at);
        assert!(high < 1.5 * low, "{low} {high}");
    }

    #[test]
    fn a_vector_that_doubles_moves_in_steps_and_lies_within_a_whole_one() {
        let law = MemoryLaw::fit(&VECTOR).unwrap();
        assert_eq!(law.shape, MemoryShape::Steps);
        assert!(covers(&law, 1_722_156.0, 36_261_888.0), "{law:?}");
        // It doubles twice on the way there, and is then the same for a while.
        assert!(covers(&law, 2_048_000.0, 36_155_392.0), "{law:?}");
        // At 2.58 M it takes 69.7 MB.
        assert!(covers(&law, 2_580_318.0, 69_726_208.0), "{law:?}");
    }

    #[test]
    fn sizes_that_double_hide_that_a_table_does_and_one_between_shows_it() {
        let law = MemoryLaw::fit(&TABLE).unwrap();
        let (at, truth) = (2_580_318.0, 108_875_776.0);
        assert_eq!(law.shape, MemoryShape::PerhapsLine);
        assert!(law.curve.at(at) > 1.25 * truth && covers(&law, at, truth), "{law:?}");
        // Measured as well: 0.7 times the largest has the memory of half of it.
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
        // Measured: the vector, from 524,289 to 1,048,576 on one step.
        let small = [3.0, 4.0, 5.0].map(|n| (n * 1e5, 11_034_624.0));
        let large = [6.0, 7.0, 8.0, 9.0, 10.0].map(|n| (n * 1e5, 19_451_904.0));
        let law = MemoryLaw::fit(&[&small[..], &large[..]].concat()).unwrap();
        assert!(covers(&law, 1e7, 271_056_896.0), "{law:?}");
        assert_eq!(law.shape, MemoryShape::Steps);
        // The large ones are within a step of each other, and the next smaller size is on another.
        let few = [small[0], large[0], large[2], large[4]];
        let law = MemoryLaw::fit(&few).unwrap();
        assert!(covers(&law, 1e7, 271_056_896.0), "{law:?}");
    }

    #[test]
    fn memory_is_a_line_or_flat_or_unknown() {
        let at = |of: &[(f64, f64)], target: f64| Some(MemoryLaw::fit(of)?.curve.at(target));
        let is = |found: Option<f64>, bytes: f64| (found.unwrap() / bytes - 1.0).abs() < 1e-9;
        assert!(is(at(&sizes(|n| 1.4e6 + 16.0 * n), 1e6), 1.4e6 + 16e6));
        assert!(is(at(&sizes(|_| 1.4e6), 1e9), 1.4e6));
        // What grows by less than 5 % over the largest three is taken for flat, and may be a hundredfold at this target.
        let slow = MemoryLaw::fit(&sizes(|n| 20e6 + 10.0 * n)).unwrap();
        assert!(slow.curve.per_unit == 0.0 && covers(&slow, 2e8, 20e6 + 2e9), "{slow:?}");
        assert_eq!(at(&sizes(|n| n * n * n), 1e6), None);
        assert_eq!(at(&sizes(|n| 8.0 * n)[..3], 1e6), None);
    }

    #[test]
    fn memory_that_grows_faster_is_not_taken_for_steps() {
        // Measured: pieces of memory, each of which is larger than the one before.
        let sizes = [1059.0, 2119.0, 4238.0, 8476.0, 16_951.0, 33_903.0, 67_806.0, 135_611.0, 271_223.0];
        let peaks = [
            1_671_168, 1_548_288, 1_536_000, 1_548_288, 1_654_784, 1_970_176, 2_711_552, 6_295_552,
            20_013_056,
        ];
        let runs: Vec<_> = sizes.into_iter().zip(peaks.map(f64::from)).collect();
        let (at, truth) = (1_084_890.0, 298_160_128.0);
        let law = MemoryLaw::fit(&runs).unwrap();
        assert!(covers(&law, at, truth) && (law.curve.at(at) / truth - 1.0).abs() < 0.25, "{law:?}");
        // The last of them are 4 MB of 6.
        let law = MemoryLaw::fit(&runs[..8]).unwrap();
        assert!(covers(&law, at, truth), "{law:?}");
        assert_eq!(law.shape, MemoryShape::Faster);
        // Measured: n to the power of 1.5.
        let peaks = [
            1_671_168, 1_536_000, 1_654_784, 1_806_336, 2_072_576, 2_588_672, 4_427_776, 9_162_752,
            22_683_648,
        ];
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
        // Measured: the most of three runs each of a program that takes next to nothing.
        let peaks = [1.569e6, 1.544e6, 1.626e6, 1.7e6, 1.561e6];
        let runs: Vec<_> = sizes(|n| n).iter().zip(peaks).map(|((n, _), bytes)| (*n, bytes)).collect();
        let law = MemoryLaw::fit(&runs).unwrap();
        assert!(covers(&law, 160e3, 1.6e6), "{law:?}");
    }
}
