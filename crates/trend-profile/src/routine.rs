//! What an input-sensitive profiler measures: a routine's cost by the size of its own input.

use serde::{Deserialize, Serialize};

use crate::{Symbol, WorkloadId};

/// How the size of a routine's input is measured, in cells of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputMetric {
    /// Read memory size: the cells that an activation reads before it writes them.
    Rms,
    /// Dynamic read memory size: cells that the kernel or another thread wrote meanwhile count again.
    Drms,
}

impl InputMetric {
    /// `rms` or `drms`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rms => "rms",
            Self::Drms => "drms",
        }
    }

    /// The metric of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Rms, Self::Drms].into_iter().find(|m| m.name() == name)
    }
}

/// All activations of a routine on inputs of one size. Costs include those of what the routine called.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tuple {
    /// The size of the input.
    pub size: u64,
    /// How often the routine was called with such an input.
    pub calls: u64,
    /// The least cost of a call.
    pub min: u64,
    /// The greatest cost of a call.
    pub max: u64,
    /// The cost of all calls.
    pub sum: u64,
    /// The sum of the squares of the calls' costs; 0 where it is not known.
    pub sum_of_squares: f64,
    /// What only some profilers tell.
    pub parts: TupleParts,
}

/// Sums over the calls of a tuple; absent where the profiler does not tell them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TupleParts {
    /// The cost of the calls that are not nested in another call of the same routine: what the routine cost, each part
    /// of it once.
    pub outermost: Option<u64>,
    /// The cost without what the routine called.
    pub own: Option<u64>,
    /// Cells of the input that the kernel wrote.
    pub from_kernel: Option<u64>,
    /// Cells of the input that other threads wrote.
    pub from_threads: Option<u64>,
}

impl Tuple {
    /// Adds the activations of another tuple of this size.
    pub fn add(&mut self, more: &Self) {
        self.calls = self.calls.saturating_add(more.calls);
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
        self.sum = self.sum.saturating_add(more.sum);
        self.sum_of_squares += more.sum_of_squares;
        self.parts = self.parts.plus(more.parts);
    }
}

impl TupleParts {
    /// The sums of both; absent where one of them is.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
        Self {
            outermost: sum(self.outermost, more.outermost),
            own: sum(self.own, more.own),
            from_kernel: sum(self.from_kernel, more.from_kernel),
            from_threads: sum(self.from_threads, more.from_threads),
        }
    }
}

/// A routine's costs by input size in one workload.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutineProfile {
    /// The routine.
    pub symbol: Symbol,
    /// The program or library that it is in.
    pub object: String,
    /// The callers as `main → parse`, for costs in one calling context; empty for all of them together.
    pub context: String,
    /// How sizes are measured.
    pub metric: InputMetric,
    /// The run.
    pub workload: WorkloadId,
    /// By ascending size, each once.
    pub tuples: Vec<Tuple>,
}

impl RoutineProfile {
    /// Profiles of one workload, each routine in each context once: what several of them say is added up, as that of the
    /// threads of a run is.
    ///
    /// - Time: O(tuples · log tuples).
    pub fn added_up(mut profiles: Vec<Self>) -> Vec<Self> {
        fn key(p: &RoutineProfile) -> (&Symbol, &str, &str, InputMetric) {
            (&p.symbol, &p.object, &p.context, p.metric)
        }
        profiles.sort_by(|a, b| key(a).cmp(&key(b)));
        profiles.dedup_by(|next, first| {
            let is_same = key(next) == key(first);
            if is_same {
                first.tuples.append(&mut next.tuples);
            }
            is_same
        });
        for profile in &mut profiles {
            profile.tuples.sort_by_key(|tuple| tuple.size);
            profile.tuples.dedup_by(|next, sum| {
                let is_same = next.size == sum.size;
                if is_same {
                    sum.add(next);
                }
                is_same
            });
        }
        profiles
    }
}
