//! Decides when a predicted time is doubtful, and computes the shares of its parts.

use serde::Serialize;

use crate::Outlook;

/// Ratio of the ends of the counts' interval above which their growth is undecided. Counts without an interval are
/// undecided too.
pub const OPEN: f64 = 2.0;

/// Point from which the working set no longer fits into a cache that holds the working set of the longest run. If the
/// runs are already leaving a cache, it is the longest run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CacheStep {
    /// A size of the input.
    Size(f64),
    /// A number of counts, as the working set may grow like the work.
    Counts(f64),
}

impl CacheStep {
    /// Returns true if the working set of a run with these counts and this size leaves the cache.
    pub fn is_left(self, counts: f64, size: Option<f64>) -> bool {
        match self {
            Self::Size(from) => size.is_some_and(|size| size > from),
            Self::Counts(from) => counts > from,
        }
    }
}

/// Returns true if the growth of the counts is undecided.
pub fn is_open(ci: Option<[f64; 2]>) -> bool {
    ci.is_none_or(|[low, high]| high > OPEN * low)
}

/// A part of the time, and its growth from the sampled run to a target.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its share of the time of the run.
    pub share: f64,
    /// The factor by which its counts grow; `None` if it has no counts.
    pub counts: Option<f64>,
    /// The power of the size by which its share of the time beyond the startup grows; 0 if it keeps its share.
    pub power: f64,
}

/// Maximum share of a run's time in parts without counts that is startup. The rest is only there to divide by.
const MOST_STARTUP: f64 = 1.0 - 1e-6;

/// Factors from the sampled run to a target.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Factor of the time beyond the startup.
    time: f64,
    /// Factor of the counts of the whole.
    counts: f64,
    /// Factor of the size, or of the counts if there is no single size.
    size: f64,
    /// The startup's share of the time of every part without counts.
    startup: f64,
}

impl Growth {
    /// Returns the factors between two runs, given the time, counts and size of each. Both take `startup` seconds to
    /// start. The startup has no counts, so it is at most the time of the parts without counts, whose share of the first
    /// run is `uncounted`.
    pub fn new(
        startup: f64,
        uncounted: f64,
        seconds: [f64; 2],
        counts: [f64; 2],
        size: Option<[f64; 2]>,
    ) -> Self {
        let of_uncounted = uncounted * seconds[0];
        let startup = startup.min(MOST_STARTUP * of_uncounted);
        let factor = |[now, then]: [f64; 2]| then / now;
        Self {
            time: factor(seconds.map(|seconds| seconds - startup)),
            counts: factor(counts),
            size: factor(size.unwrap_or(counts)),
            startup: if startup > 0.0 { startup / of_uncounted } else { 0.0 },
        }
    }

    /// Returns the factor by which the time of a part with counts grows, if its counts grow by `counts`. The time per
    /// count changes as in the whole program.
    pub fn of_counted(&self, counts: f64) -> f64 {
        counts * self.time / self.counts
    }

    /// Returns the factor by which the time of a part without counts grows, if its share of the time beyond the startup
    /// grows as the given power of the size.
    pub fn of_uncounted(&self, power: f64) -> f64 {
        self.startup + (1.0 - self.startup) * self.time * self.size.powf(power)
    }

    /// Returns the shares of the parts at the target, which add up to 1; `None` if the parts take no time, or an
    /// unknown one.
    pub fn shares(&self, parts: &[Part]) -> Option<Vec<f64>> {
        let times = |part: &Part| {
            part.counts.map_or_else(|| self.of_uncounted(part.power), |counts| self.of_counted(counts))
        };
        let then: Vec<f64> = parts.iter().map(|part| part.share * times(part)).collect();
        let sum: f64 = then.iter().sum();
        (sum > 0.0).then(|| then.iter().map(|part| part / sum).collect())
    }
}

/// A faster-growing part that is too small to be seen at the sizes that were run.
#[derive(Clone, Copy, Debug)]
pub struct HiddenPart {
    /// Its maximum share of the cost of the largest run.
    pub share: f64,
    /// Its cost there.
    pub cost: f64,
    /// The factor by which it grows to a target.
    pub growth: f64,
}

impl HiddenPart {
    /// Returns the cost of a row that hides this part, if the row's law predicts `law`.
    pub fn with(self, law: f64) -> f64 {
        (1.0 - self.share) * law + self.cost * self.growth
    }

    /// Returns that cost if the row's interval does not contain it.
    pub fn beyond(self, law: Outlook) -> Option<f64> {
        let most = self.with(law.cost);
        (most > law.ci.map_or(law.cost, |[_, high]| high) && most.is_finite()).then_some(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_startup_is_at_most_the_time_without_counts() {
        // A law says that 0.9 s of 1 s are startup, but half of the time is in code with counts, which grow tenfold.
        let parts = [Some(10.0), None].map(|counts| Part { share: 0.5, counts, power: 0.0 });
        let growth = Growth::new(0.9, 0.5, [1.0, 10.0], [1.0, 10.0], None);
        let shares = growth.shares(&parts).unwrap();
        assert!((10.0 * shares[1] - 0.5).abs() < 0.1, "{shares:?}");
        // A run that took less than the startup.
        let growth = Growth::new(2.0, 1.0, [1.0, 10.0], [1.0, 10.0], None);
        assert!((growth.of_uncounted(0.0) - 10.0).abs() < 1e-9 && growth.of_counted(1.0) > 0.0, "{growth:?}");
    }
}
