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
//! runs, mixtures of it with the powers 1.5 and 2 are tried beside the steps, and squares that move in steps, as many arrays do that
//! double; all that nearly explains the runs is in the hull.

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

/// How far runs may be from a shape, as parts of their memory. The least at which any shape explains them counts; where no line does at that,
/// the next one.
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
    /// A line explains the runs, or nearly, and other shapes do as well: the sizes do not tell which.
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
    /// How sure that is.
    pub shape: MemoryShape,
    /// Sizes that were run, ascending, and the bytes between which memory is there.
    pub known: Vec<(f64, [f64; 2])>,
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

    /// What is predicted at a size, and where memory may be there. Up to the largest run that is what the runs beside it took, as larger
    /// ones take no less.
    pub fn outlook(&self, size: f64) -> (f64, [f64; 2]) {
        let bytes = self.curve.at(size);
        let below = self.known.iter().rev().find(|known| known.0 <= size).map_or(0.0, |(_, [low, _])| *low);
        if let Some((_, [_, high])) = self.known.iter().find(|known| known.0 >= size)
            && below <= *high
        {
            return (bytes.clamp(below, *high), [below, *high]);
        }
        let all = |curves: &[MemoryCurve], of: fn(f64, f64) -> f64| {
            curves.iter().map(|curve| curve.at(size)).fold(bytes, of)
        };
        (bytes, [all(&self.low, f64::min), all(&self.high, f64::max)])
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

/// Between which bytes memory is at each size.
fn known(sizes: &[(f64, f64)]) -> Vec<(f64, [f64; 2])> {
    let around = |&(size, bytes): &(f64, f64)| {
        let scatter = MARGIN * bytes + NOISE_BYTES / 2.0;
        (size, [bytes - scatter, bytes + scatter])
    };
    sizes.iter().map(around).collect()
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
        known: known(sizes),
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
    let all = || Shape::steps().chain(Shape::faster());
    let level = SCATTER.iter().position(|scatter| all().any(|shape| explain(shape, *scatter).is_some()))?;
    let next = SCATTER[(level + 1).min(SCATTER.len() - 1)];
    let steps: Vec<_> = Shape::steps().filter_map(|shape| explain(shape, SCATTER[level])).collect();
    let ends_of_line = |scatter: f64| explain(Shape::LINE, scatter).map(|(_, ends)| ends);
    let (line, explained) = match ends_of_line(SCATTER[level]) {
        Some(ends) => (Some(ends), steps),
        // Steps go along a line, which is what is predicted where it nearly explains the runs as well.
        None => (
            ends_of_line(next).filter(|_| !steps.is_empty()),
            all().filter_map(|shape| explain(shape, next)).collect(),
        ),
    };

    let far = FAR * end;
    let lows = explained.iter().map(|(shape, [low, _])| shape.over_a_step(*low)[0].times(1.0 - MARGIN));
    let highs = explained.iter().map(|(shape, [_, high])| shape.over_a_step(*high)[1].times(1.0 + MARGIN));
    let by = |at: f64| move |a: &MemoryCurve, b: &MemoryCurve| a.at(at * end).total_cmp(&b.at(at * end));
    let mut low: Vec<_> = TARGETS.iter().filter_map(|at| lows.clone().min_by(by(*at))).collect();
    let mut high: Vec<_> = TARGETS.iter().filter_map(|at| highs.clone().max_by(by(*at))).collect();
    low.dedup();
    high.dedup();

    let hull =
        [range(low.iter().map(|curve| curve.at(far)))?[0], range(high.iter().map(|curve| curve.at(far)))?[1]];
    let curve = if let Some(ends) = line {
        best_line(top, ends, far)?
    } else {
        let off = |curve: &MemoryCurve| (curve.at(far) / (hull[0] * hull[1]).sqrt()).ln().abs();
        let curves = explained.iter().flat_map(|(_, ends)| *ends);
        curves.min_by(|a, b| off(a).total_cmp(&off(b)))?
    };
    let [least, most] = line.map_or([curve.at(far); 2], |ends| ends.map(|end| end.at(far)));
    let is_wide = hull[0] * NOTABLE < least || hull[1] > most * NOTABLE;
    let shape = match line {
        _ if !is_wide => MemoryShape::Clear,
        Some(_) => MemoryShape::PerhapsLine,
        None if explained.iter().any(|(shape, _)| shape.is_bent()) => MemoryShape::Faster,
        None => MemoryShape::Steps,
    };
    Some(MemoryLaw { curve, low, high, shape, known: known(sizes) })
}

/// The least and the greatest.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.map(|value| [value; 2]).reduce(|[least, most], [value, _]| [least.min(value), most.max(value)])
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

/// What memory may follow: the size, a capacity that doubles, or some of both; or these times a power of the size.
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

    /// All that grow faster: sums with a power, and as many arrays as each of them has elements.
    fn faster() -> impl Iterator<Item = Self> {
        let sums =
            POWERS.into_iter().flat_map(|exponent| BENDS.map(|bend| Self { bend, exponent, ..Self::LINE }));
        sums.chain(Self::steps().map(|shape| Self { bend: 1.0, exponent: 2.0, ..shape }))
    }

    fn is_bent(&self) -> bool {
        self.bend > 0.0
    }

    /// A capacity is 0.7 to 1.4 times the size here; the power that multiplies is 1 at the largest size.
    fn of(self, size: f64, largest: f64) -> f64 {
        // What a size that is rounded goes beyond a capacity is no reason for the next one.
        let doublings = (size.log2() - self.phase - 1e-3).ceil();
        let capacity = (doublings + self.phase - 0.5).exp2();
        let of_one = (1.0 - self.part) * size + self.part * capacity;
        of_one * (1.0 - self.bend + self.bend * (size / largest).powf(self.exponent - 1.0))
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
            MemoryCurve { per_unit: curve.per_unit * of_size, per_power: curve.per_power * of_size, ..curve }
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
mod tests;
