//! Fits peak memory as a function of the size to the peaks of the largest runs.
//!
//! Memory is a constant plus a part that grows with the input, or with the *capacity* of an array or a table, which
//! doubles when it is full:
//!
//! ```text
//! bytes                          ┌───   capacity: the smallest 2^(k + phase) ≥ n
//!                          · ┌───┘
//!                    ┌──────·┘   ·      n
//!              ┌─────┘ ·  ·
//!          ┌───┘·  ·
//!          ·─────────────────────── n
//! ```
//!
//! Sizes that are far apart cannot distinguish the two. Runs at n, 2·n, 4·n, … are each at the same place of their
//! step, so any capacity explains them as well as the line does. So all of these shapes are tried: the line, and
//! mixtures of it with capacities of any phase. A run is a bar whose height is the scatter of memory. A shape explains
//! the runs if a line over the shape meets all bars. The prediction is the line; the interval is the hull of all shapes
//! that explain the runs, over a whole step.
//!
//! Steps over a short range look like superlinear growth, and vice versa. So if the line does not explain the runs,
//! mixtures of it with the powers 1.5 and 2 are tried in addition to the steps. Squares that grow in steps are tried
//! too, as caused by many doubling arrays. The hull contains all shapes that nearly explain the runs.

use std::iter;

use crate::models::linear::Linear;

/// Minimum number of sizes for a line.
const FEWEST_SIZES: usize = 4;

/// Minimum ratio of the largest size to the smallest.
const LEAST_SPAN: f64 = 3.0;

/// Factor below the largest size within which runs must be explained: four doublings, and a little for rounded sizes.
const TOP: f64 = 16.5;

/// Maximum ratio of the peaks of memory that counts as flat.
const FLAT: f64 = 1.05;

/// Minimum ratio of the largest size to the smallest for memory to count as flat. It is more than a step spans.
const FLAT_SPAN: f64 = 2.5;

/// Difference in bytes between the peaks of identical runs: the kernel maps a varying amount of the libraries' files
/// around touched pages. Among single runs of a program with 1.3 MB, the highest peak was 0.35 MB above the lowest; the
/// maximum of several runs scatters less.
const NOISE_BYTES: f64 = 200e3;

/// Allowed distances of runs from a shape, as parts of their memory. The smallest one at which any shape explains the
/// runs is used. If the line does not explain them at that distance, the next one is used.
const SCATTER: [f64; 4] = [0.02, 0.04, 0.07, 0.1];

/// Parts of memory that follow a capacity.
const PARTS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Number of capacities that are tried within a doubling.
const PHASES: u32 = 12;

/// Exponents of powers that grow faster than a line.
const POWERS: [f64; 2] = [1.5, 2.0];

/// Parts of the growth up to the largest size that follow a power.
const BENDS: [f64; 13] = [0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Extra margin of the interval beyond the shapes that explain the runs.
const MARGIN: f64 = 0.05;

/// Multiples of the largest size at which the lowest and the highest curves are chosen for the hull.
const TARGETS: [f64; 3] = [2.0, FAR, 100.0];

/// Multiple of the largest size at which the prediction and its shape are chosen.
const FAR: f64 = 10.0;

/// Minimum ratio between the hull and the prediction, in either direction, for steps to be reported.
const NOTABLE: f64 = 1.25;

/// A constant, a part that grows with the size, and a part that grows with a power of the size, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryCurve {
    /// Bytes that every run takes.
    pub constant: f64,
    /// Bytes per unit of the size.
    pub per_unit: f64,
    /// Bytes per unit of the power of the size; 0 for a line.
    pub per_power: f64,
    /// Exponent of that power.
    pub exponent: f64,
}

impl MemoryCurve {
    fn line(constant: f64, per_unit: f64) -> Self {
        Self { constant, per_unit, per_power: 0.0, exponent: 1.0 }
    }

    /// Returns the bytes at a size.
    pub fn at(self, size: f64) -> f64 {
        self.constant + self.growth(size)
    }

    /// Returns the bytes at a size, without the constant.
    pub fn growth(self, size: f64) -> f64 {
        self.per_unit * size + self.per_power * size.powf(self.exponent)
    }

    /// Returns the size at which the curve has grown by a positive number of bytes; infinite if it does not grow.
    pub fn size_of(self, growth: f64) -> f64 {
        // Each part alone needs at least the whole size, and one of the two makes up at least half of the growth.
        let size_for =
            |bytes: f64| (bytes / self.per_unit).min((bytes / self.per_power).powf(1.0 / self.exponent));
        let [mut low, mut high] = [size_for(growth / 2.0), size_for(growth)];
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

/// Growth of memory, and how certain the runs make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryShape {
    /// The prediction explains the runs, and other shapes that explain them hardly differ from it.
    Clear,
    /// A line explains the runs, at least nearly, but so do other shapes: the sizes cannot distinguish them.
    PerhapsLine,
    /// No line explains the runs: memory grows in steps, like an array that doubles.
    Steps,
    /// No line explains the runs: memory grows superlinearly or in steps.
    Faster,
}

/// Peak memory as a function of the size.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryLaw {
    /// Curve of the prediction.
    pub curve: MemoryCurve,
    /// Lower bounds: beyond the largest run, memory may be as low as the lowest of these curves.
    pub low: Vec<MemoryCurve>,
    /// Upper bounds: beyond the largest run, memory may be as high as the highest of these curves.
    pub high: Vec<MemoryCurve>,
    /// Shape of the growth and certainty of the prediction.
    pub shape: MemoryShape,
    /// Sizes that were run, ascending, with the range of bytes at each.
    pub measured: Vec<(f64, [f64; 2])>,
}

impl MemoryLaw {
    /// Fits runs given by size and peak in bytes, both positive, by ascending size. Returns `None` if there are too few
    /// sizes, or if no shape explains the runs.
    ///
    /// - Time: O(n), because at most 49 of the largest sizes are used.
    pub fn fit(runs: &[(f64, f64)]) -> Option<Self> {
        let sizes = distinct(runs);
        let (first, last) = (sizes.first()?, sizes.last()?);
        if sizes.len() < FEWEST_SIZES || last.0 < LEAST_SPAN * first.0 {
            return None;
        }
        flat(&sizes).or_else(|| growing(&sizes))
    }

    /// Returns the prediction at a size, and its interval. Up to the largest run, the interval is given by the
    /// neighbouring runs, because larger runs take at least as much.
    pub fn outlook(&self, size: f64) -> (f64, [f64; 2]) {
        let bytes = self.curve.at(size);
        let below = self.measured.iter().rev().find(|run| run.0 <= size).map_or(0.0, |(_, [low, _])| *low);
        if let Some((_, [_, high])) = self.measured.iter().find(|run| run.0 >= size)
            && below <= *high
        {
            return (bytes.clamp(below, *high), [below, *high]);
        }
        let all = |curves: &[MemoryCurve], extreme: fn(f64, f64) -> f64| {
            curves.iter().map(|curve| curve.at(size)).fold(bytes, extreme)
        };
        (bytes, [all(&self.low, f64::min), all(&self.high, f64::max)])
    }
}

/// Returns the run with the most memory among those whose sizes are within a twelfth of a doubling: these have the same
/// capacities.
fn distinct(runs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let place = |run: &(f64, f64)| (run.0.log2() * f64::from(PHASES) + 0.5).floor();
    let most = |some: &[(f64, f64)]| some.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    runs.chunk_by(|a, b| place(a) == place(b)).filter_map(most).collect()
}

/// Returns the sizes that are at least this part of the largest, but at least `fewest` sizes.
fn largest(sizes: &[(f64, f64)], factor: f64, fewest: usize) -> &[(f64, f64)] {
    let most = sizes[sizes.len() - 1].0;
    let begin = sizes.partition_point(|size| size.0 * factor < most);
    &sizes[begin.min(sizes.len() - fewest)..]
}

/// Returns the range of bytes at each size.
fn measured(sizes: &[(f64, f64)]) -> Vec<(f64, [f64; 2])> {
    let around = |&(size, bytes): &(f64, f64)| {
        let scatter = MARGIN * bytes + NOISE_BYTES / 2.0;
        (size, [bytes - scatter, bytes + scatter])
    };
    sizes.iter().map(around).collect()
}

/// Fits memory that does not grow, or grows too little to be noticed.
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
        measured: measured(sizes),
    })
}

/// Fits all shapes that explain the runs.
fn growing(sizes: &[(f64, f64)]) -> Option<MemoryLaw> {
    let top = largest(sizes, TOP, FEWEST_SIZES);
    let end = top[top.len() - 1].0;
    let least = sizes.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
    let explain = |shape: GrowthShape, scatter: f64| {
        let bar = |&(x, y): &(f64, f64)| {
            let around = scatter * y + NOISE_BYTES / 2.0;
            (shape.value(x, end), y - around, y + around)
        };
        let most_constant = least * (1.0 + scatter) + NOISE_BYTES / 2.0;
        let lines = Bars { bars: top.iter().map(bar).collect(), most_constant }.lines()?;
        Some((shape, lines.map(|line| shape.curve(line, end))))
    };
    let all = || GrowthShape::steps().chain(GrowthShape::faster());
    let level = SCATTER.iter().position(|scatter| all().any(|shape| explain(shape, *scatter).is_some()))?;
    let next = SCATTER[(level + 1).min(SCATTER.len() - 1)];
    let steps: Vec<_> = GrowthShape::steps().filter_map(|shape| explain(shape, SCATTER[level])).collect();
    let ends_of_line = |scatter: f64| explain(GrowthShape::LINE, scatter).map(|(_, ends)| ends);
    let (line, explained) = match ends_of_line(SCATTER[level]) {
        Some(ends) => (Some(ends), steps),
        // Steps follow a line. So if the line nearly explains the runs too, it is the prediction.
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
    Some(MemoryLaw { curve, low, high, shape, measured: measured(sizes) })
}

/// Returns the least and the greatest value.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.map(|value| [value; 2]).reduce(|[least, most], [value, _]| [least.min(value), most.max(value)])
}

/// Returns the line with the smallest relative errors, limited to the range between the two ends.
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

/// A shape that memory may follow: the size, a capacity that doubles, or a mixture of both. Each may be multiplied by a
/// power of the size.
#[derive(Clone, Copy)]
struct GrowthShape {
    /// Part that follows the capacity.
    part: f64,
    /// Place of the doublings: at 2^(k + phase).
    phase: f64,
    /// Part that follows the power at the largest size.
    bend: f64,
    /// Exponent of the power.
    exponent: f64,
}

impl GrowthShape {
    const LINE: Self = Self { part: 0.0, phase: 0.0, bend: 0.0, exponent: 1.0 };

    /// Returns the line and all shapes with steps.
    fn steps() -> impl Iterator<Item = Self> {
        let phases = (0..PHASES).map(|place| f64::from(place) / f64::from(PHASES));
        let steps = phases.flat_map(|phase| PARTS.map(|part| Self { part, phase, ..Self::LINE }));
        iter::once(Self::LINE).chain(steps)
    }

    /// Returns all shapes that grow faster than a line: mixtures of a line with a power, and squares that may grow in
    /// steps, as caused by many doubling arrays.
    fn faster() -> impl Iterator<Item = Self> {
        let sums =
            POWERS.into_iter().flat_map(|exponent| BENDS.map(|bend| Self { bend, exponent, ..Self::LINE }));
        sums.chain(Self::steps().map(|shape| Self { bend: 1.0, exponent: 2.0, ..shape }))
    }

    fn is_bent(&self) -> bool {
        self.bend > 0.0
    }

    /// Returns the shape's value at a size. A capacity is 0.7 to 1.4 times the size; the factor with the power is 1 at
    /// the largest size.
    fn value(self, size: f64, largest: f64) -> f64 {
        // A size that exceeds a capacity only by rounding does not need the next one.
        let doublings = (size.log2() - self.phase - 1e-3).ceil();
        let capacity = (doublings + self.phase - 0.5).exp2();
        let of_one = (1.0 - self.part) * size + self.part * capacity;
        of_one * (1.0 - self.bend + self.bend * (size / largest).powf(self.exponent - 1.0))
    }

    /// Converts a line over the shape, given by constant and slope, into a curve over the size; steps become their
    /// line.
    fn curve(self, (constant, slope): (f64, f64), largest: f64) -> MemoryCurve {
        MemoryCurve {
            constant,
            per_unit: slope * (1.0 - self.bend),
            per_power: slope * self.bend * largest.powf(1.0 - self.exponent),
            exponent: self.exponent,
        }
    }

    /// Returns the lowest and the highest curve over a step.
    fn over_a_step(self, curve: MemoryCurve) -> [MemoryCurve; 2] {
        [0.5_f64.sqrt(), 2_f64.sqrt()].map(|of_capacity| {
            let of_size = (1.0 - self.part) + self.part * of_capacity;
            MemoryCurve { per_unit: curve.per_unit * of_size, per_power: curve.per_power * of_size, ..curve }
        })
    }
}

/// Runs as bars: the shape's value at the size, and the range of bytes.
struct Bars {
    bars: Vec<(f64, f64, f64)>,
    /// Upper bound of the constant.
    most_constant: f64,
}

impl Bars {
    /// Returns the flattest and the steepest line that meet all bars, by constant and slope. The lines neither fall nor
    /// begin below 0. Returns `None` if no line meets all bars.
    fn lines(&self) -> Option<[(f64, f64); 2]> {
        let most = self.bars.iter().map(|(z, _, high)| high / z).fold(f64::INFINITY, f64::min);
        let best = self.roomiest(most);
        if self.room(best) < 0.0 {
            return None;
        }
        let [flattest, steepest] = [0.0, most].map(|end| self.last_with_room(best, end));
        Some([(self.constants(flattest)[0], flattest), (self.constants(steepest)[1], steepest)])
    }

    /// Returns the range of the constants of lines with this slope. The range is empty if the first is greater.
    fn constants(&self, slope: f64) -> [f64; 2] {
        let least = self.bars.iter().map(|(z, low, _)| low - slope * z).fold(0.0, f64::max);
        let most = self.bars.iter().map(|(z, _, high)| high - slope * z).fold(self.most_constant, f64::min);
        [least, most]
    }

    fn room(&self, slope: f64) -> f64 {
        let [least, most] = self.constants(slope);
        most - least
    }

    /// Returns the slope from 0 to `most` that allows the widest range of constants, by golden section search. The
    /// width of that range is concave in the slope.
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

    /// Returns the slope nearest to `end` that allows a constant. The search starts from `has`, a slope that does.
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
