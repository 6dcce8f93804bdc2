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

/// How far runs may be from a shape, as parts of their memory: the least at which any shape explains them.
const SCATTER: [f64; 4] = [0.02, 0.04, 0.07, 0.1];

/// The parts of memory that follow a capacity.
const PARTS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Capacities that are tried, at as many places within a doubling.
const PHASES: u32 = 12;

/// How much further than what explains the runs memory may be.
const MARGIN: f64 = 0.05;

/// The hull is that of the lines that are the lowest and the highest at so many times the largest size.
const FAR: f64 = 10.0;

/// Steps are worth a word where memory may be so many times what is predicted, or that part of it.
const NOTABLE: f64 = 1.25;

/// A constant and a part that grows with the size, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryLine {
    /// What every run takes.
    pub constant: f64,
    /// What each unit of the size takes besides.
    pub per_unit: f64,
}

impl MemoryLine {
    /// At a size.
    pub fn at(self, size: f64) -> f64 {
        self.constant + self.per_unit * size
    }

    fn times(self, factor: f64) -> Self {
        Self { constant: self.constant * factor, per_unit: self.per_unit * factor }
    }

    /// The line at this part of the way to another.
    fn towards(self, other: Self, part: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * part;
        Self {
            constant: between(self.constant, other.constant),
            per_unit: between(self.per_unit, other.per_unit),
        }
    }
}

/// Whether memory moves in steps, as that of an array that doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySteps {
    /// A line explains the runs, and no steps do that would matter.
    None,
    /// The sizes do not tell steps from a line.
    Possible,
    /// It does: no line explains the runs.
    Seen,
}

/// Peak memory over the size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryLaw {
    /// What is predicted.
    pub line: MemoryLine,
    /// Where memory may lie beyond the largest run: above this,
    pub low: MemoryLine,
    /// and below this.
    pub high: MemoryLine,
    /// Whether it moves in steps.
    pub steps: MemorySteps,
}

impl MemoryLaw {
    /// Of runs with their size and peak in bytes, both positive and by ascending size; `None` of too few sizes, or where neither a line nor
    /// steps explain them.
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
        let bytes = self.line.at(size);
        [self.low.at(size).min(bytes), self.high.at(size).max(bytes)]
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
    let line = MemoryLine { constant: most, per_unit: 0.0 };
    let high = MemoryLine { constant: most - growth * end, per_unit: growth };
    let (low, high) = (line.times(1.0 - 2.0 * MARGIN), high.times(1.0 + 2.0 * MARGIN));
    Some(MemoryLaw { line, low, high, steps: MemorySteps::None })
}

/// What explains the runs.
fn growing(sizes: &[(f64, f64)]) -> Option<MemoryLaw> {
    let top = largest(sizes, TOP, FEWEST_SIZES);
    let far = FAR * top[top.len() - 1].0;
    let least = sizes.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
    let explain = |shape: Shape, scatter: f64| {
        let bar = |&(x, y): &(f64, f64)| {
            let around = scatter * y + NOISE_BYTES / 2.0;
            (shape.of(x), y - around, y + around)
        };
        let most_constant = least * (1.0 + scatter) + NOISE_BYTES / 2.0;
        Bars { bars: top.iter().map(bar).collect(), most_constant }.lines()
    };
    let by_scatter = SCATTER.iter().map(|&scatter| {
        let shapes = Shape::all().filter_map(|shape| Some((shape, explain(shape, scatter)?)));
        shapes.collect::<Vec<_>>()
    });
    let explained = by_scatter.into_iter().find(|explained| !explained.is_empty())?;
    let whole_steps = |(shape, [low, high]): &(Shape, [MemoryLine; 2])| {
        let [least, most] = shape.over_a_step();
        let along = |line: &MemoryLine, of: f64| MemoryLine { per_unit: line.per_unit * of, ..*line };
        [along(low, least), along(high, most)]
    };
    let by_far = |a: &MemoryLine, b: &MemoryLine| a.at(far).total_cmp(&b.at(far));
    let low = explained.iter().map(|one| whole_steps(one)[0]).min_by(by_far)?.times(1.0 - MARGIN);
    let high = explained.iter().map(|one| whole_steps(one)[1]).max_by(by_far)?.times(1.0 + MARGIN);
    let straight = explained.iter().find(|(shape, _)| shape.part == 0.0).map(|(_, lines)| lines);
    let line = match straight {
        Some(ends) => best_line(top, *ends, far)?,
        // The geometric mean.
        None => low.towards(high, 1.0 / (1.0 + (high.at(far) / low.at(far)).sqrt())),
    };
    let is_wide = |[least, most]: [f64; 2]| low.at(far) * NOTABLE < least || high.at(far) > most * NOTABLE;
    let steps = match straight {
        Some(ends) if is_wide(ends.map(|end| end.at(far))) => MemorySteps::Possible,
        None if is_wide([line.at(far); 2]) => MemorySteps::Seen,
        _ => MemorySteps::None,
    };
    Some(MemoryLaw { line, low, high, steps })
}

/// The line with the least relative errors, or the one of the two ends that it is beyond.
fn best_line(sizes: &[(f64, f64)], [low, high]: [MemoryLine; 2], far: f64) -> Option<MemoryLine> {
    let (x, y): (Vec<f64>, Vec<f64>) = sizes.iter().copied().unzip();
    let weights: Vec<f64> = y.iter().map(|y| 1.0 / (y * y)).collect();
    let fitted = Linear::fit_weighted(&x, &y, &weights).ok()?;
    let fitted = MemoryLine { constant: fitted.a, per_unit: fitted.b };
    Some(match fitted.at(far) {
        bytes if bytes < low.at(far) => low,
        bytes if bytes > high.at(far) => high,
        _ => fitted,
    })
}

/// What memory may follow: the size, a capacity that doubles, or some of both.
#[derive(Clone, Copy)]
struct Shape {
    /// The part that follows the capacity.
    part: f64,
    /// Where it doubles: at 2^(k + phase).
    phase: f64,
}

impl Shape {
    fn all() -> impl Iterator<Item = Self> {
        let phases = (0..PHASES).map(|place| f64::from(place) / f64::from(PHASES));
        let steps = phases.flat_map(|phase| PARTS.map(|part| Self { part, phase }));
        iter::once(Self { part: 0.0, phase: 0.0 }).chain(steps)
    }

    /// A capacity is 0.7 to 1.4 times the size here.
    fn of(self, size: f64) -> f64 {
        // What a size that is rounded goes beyond a capacity is no reason for the next one.
        let doublings = (size.log2() - self.phase - 1e-3).ceil();
        let capacity = (doublings + self.phase - 0.5).exp2();
        (1.0 - self.part) * size + self.part * capacity
    }

    /// The least and the most that it is of the size.
    fn over_a_step(self) -> [f64; 2] {
        [0.5_f64.sqrt(), 2_f64.sqrt()].map(|of_capacity| (1.0 - self.part) + self.part * of_capacity)
    }
}

/// Runs, as what a shape makes of their size, and the bytes between which they are.
struct Bars {
    bars: Vec<(f64, f64, f64)>,
    /// The constant is at most that.
    most_constant: f64,
}

impl Bars {
    /// Of the lines that meet all bars, and neither fall nor begin below 0, the flattest and the steepest; `None` where none meets all.
    fn lines(&self) -> Option<[MemoryLine; 2]> {
        let most = self.bars.iter().map(|(z, _, high)| high / z).fold(f64::INFINITY, f64::min);
        let best = self.roomiest(most);
        if self.room(best) < 0.0 {
            return None;
        }
        let [flattest, steepest] = [0.0, most].map(|end| self.last_with_room(best, end));
        let line = |per_unit: f64, constant: f64| MemoryLine { constant, per_unit };
        Some([line(flattest, self.constants(flattest)[0]), line(steepest, self.constants(steepest)[1])])
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
        assert_eq!(law.steps, MemorySteps::None);
        assert!((law.line.at(at) / truth - 1.0).abs() < 0.01 && covers(&law, at, truth), "{law:?}");
        let [low, high] = law.interval(at);
        assert!(high < 1.5 * low, "{low} {high}");
    }

    #[test]
    fn a_vector_that_doubles_moves_in_steps_and_lies_within_a_whole_one() {
        let law = MemoryLaw::fit(&VECTOR).unwrap();
        assert_eq!(law.steps, MemorySteps::Seen);
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
        assert_eq!(law.steps, MemorySteps::Possible);
        assert!(law.line.at(at) > 1.25 * truth && covers(&law, at, truth), "{law:?}");
        // Measured as well: 0.7 times the largest has the memory of half of it.
        let with = |bytes: f64, n: f64, all: &[(f64, f64)]| {
            let mut all = all.to_vec();
            all.insert(all.len() - 1, (n, bytes));
            MemoryLaw::fit(&all).unwrap().steps
        };
        assert_eq!(with(8_859_648.0, 181_019.0, &TABLE), MemorySteps::Seen);
        let list = sizes(|n| 1.4e6 + 100.0 * n);
        assert_eq!(MemoryLaw::fit(&list).unwrap().steps, MemorySteps::Possible);
        assert_eq!(with(1.4e6 + 9e6, 90_000.0, &list), MemorySteps::None);
    }

    #[test]
    fn a_step_that_holds_all_large_runs_is_not_flat() {
        // Measured: the vector, from 524,289 to 1,048,576 on one step.
        let small = [3.0, 4.0, 5.0].map(|n| (n * 1e5, 11_034_624.0));
        let large = [6.0, 7.0, 8.0, 9.0, 10.0].map(|n| (n * 1e5, 19_451_904.0));
        let law = MemoryLaw::fit(&[&small[..], &large[..]].concat()).unwrap();
        assert!(covers(&law, 1e7, 271_056_896.0), "{law:?}");
        assert_eq!(law.steps, MemorySteps::Seen);
        // The large ones are within a step of each other, and the next smaller size is on another.
        let few = [small[0], large[0], large[2], large[4]];
        let law = MemoryLaw::fit(&few).unwrap();
        assert!(covers(&law, 1e7, 271_056_896.0), "{law:?}");
    }

    #[test]
    fn memory_is_a_line_or_flat_or_unknown() {
        let at = |of: &[(f64, f64)], target: f64| Some(MemoryLaw::fit(of)?.line.at(target));
        let is = |found: Option<f64>, bytes: f64| (found.unwrap() / bytes - 1.0).abs() < 1e-9;
        assert!(is(at(&sizes(|n| 1.4e6 + 16.0 * n), 1e6), 1.4e6 + 16e6));
        assert!(is(at(&sizes(|_| 1.4e6), 1e9), 1.4e6));
        // What grows by less than 5 % over the largest three is taken for flat, and may be a hundredfold at this target.
        let slow = MemoryLaw::fit(&sizes(|n| 20e6 + 10.0 * n)).unwrap();
        assert!(slow.line.per_unit == 0.0 && covers(&slow, 2e8, 20e6 + 2e9), "{slow:?}");
        assert_eq!(at(&sizes(|n| n * n), 1e6), None);
        // A square that is only 4 of 6 MB as yet.
        let runs: Vec<_> = sizes(|n| 2e6 + n * n / 1000.0)[..7].iter().map(|(n, y)| (n / 10.0, *y)).collect();
        assert_eq!(at(&runs, 64e3), None);
        assert_eq!(at(&sizes(|n| 8.0 * n)[..3], 1e6), None);
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
