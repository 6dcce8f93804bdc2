//! Costs of a place by the size of its input, as an input-sensitive profiler measures them.

use serde::{Deserialize, Serialize};

use crate::program::location::Symbol;
use crate::runs::unit::Unit;
use crate::runs::workload::WorkloadId;

/// Maximum number of variables in which a series' sizes are measured.
pub const MOST_VARIABLES: usize = 4;

/// Kind of place that a series is about. New kinds go to the end: study files store their positions.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesKind {
    /// A routine; each of its calls is observed.
    Routine,
    /// A line that allocates memory. Its costs are totals of whole runs, in the units of [`MemoryMeasure`].
    Line,
}

/// Words for a kind of series, used in messages.
#[derive(Clone, Copy, Debug)]
pub struct SeriesWords {
    /// Noun for a place: `routine`.
    pub place: &'static str,
    /// Noun for one execution: `call`.
    pub execution: &'static str,
    /// Description of an execution's size.
    pub size: &'static str,
    /// Unit of the size: `cells`.
    pub size_unit: &'static str,
    /// Command that makes studies with such series.
    pub made_by: &'static str,
}

impl SeriesKind {
    /// Returns the words for this kind.
    pub fn words(self) -> SeriesWords {
        match self {
            Self::Routine => SeriesWords {
                place: "routine",
                execution: "call",
                size: "the size of a call's own input: the cells of memory that it reads before it writes them (rms, read \
                       memory size); drms (dynamic) counts cells again after the kernel or another thread wrote them",
                size_unit: "cells",
                made_by: "build --probe routines",
            },
            Self::Line => SeriesWords {
                place: "line",
                execution: "allocation",
                size: "the run",
                size_unit: "runs",
                made_by: "run --memory-by-line",
            },
        }
    }
}

/// Variable in which a size is measured. New variables go to the end: study files store their positions.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variable {
    /// Read memory size: the cells that an activation reads before it writes them.
    Rms,
    /// Dynamic read memory size: like RMS, but cells count again after the kernel or another thread wrote them.
    Drms,
}

impl Variable {
    /// All variables, in the order of their positions.
    pub const ALL: [Self; 2] = [Self::Rms, Self::Drms];

    /// Returns `rms` or `drms`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rms => "rms",
            Self::Drms => "drms",
        }
    }

    /// Returns the definition in one sentence.
    pub fn definition(self) -> &'static str {
        match self {
            Self::Rms => {
                "The input size rms (read memory size) is the number of memory cells that a call reads before it \
                 writes them."
            }
            Self::Drms => {
                "The input size drms (dynamic read memory size) is the number of memory cells that a call reads before \
                 it writes them. A cell counts again if the kernel or another thread wrote to it since."
            }
        }
    }

    /// Returns a phrase that names the commands which measure this variable.
    pub fn made_by(self) -> &'static str {
        match self {
            Self::Rms => "measure it with `trend-prof build --probe routines`, or with aprof",
            Self::Drms => {
                "measure it with `trend-prof build --probe routines --metric drms`, or with aprof reports \
                 that have `i drms`"
            }
        }
    }

    /// Returns the variable with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variable| variable.name() == name)
    }
}

/// Measure of the memory that a line allocates in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryMeasure {
    /// Number of allocations by the line.
    Allocations,
    /// Total bytes of all allocations.
    Asked,
    /// Largest number of bytes allocated at one moment.
    Most,
    /// Bytes allocated at the heap's peak, when the program had allocated most.
    AtPeak,
    /// Bytes still allocated when the program ended.
    Left,
}

impl MemoryMeasure {
    /// All measures, in the order of their columns.
    pub const ALL: [Self; 5] = [Self::Allocations, Self::Asked, Self::Most, Self::AtPeak, Self::Left];

    /// Returns the unit of its numbers.
    pub fn unit(self) -> Unit {
        Unit::new(match self {
            Self::Allocations => "allocations",
            Self::Asked => "bytes asked for",
            Self::Most => "bytes at most",
            Self::AtPeak => "bytes at the peak",
            Self::Left => "bytes at the end",
        })
    }

    /// Returns the measure with this unit.
    pub fn counted_in(unit: &Unit) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.unit() == *unit)
    }
}

/// Place that a series is about.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Kind of the place.
    pub kind: SeriesKind,
    /// Names of the place's function.
    pub symbol: Symbol,
    /// Program or library that contains it; for a probed program and for a line, the source file.
    pub object: String,
    /// Callers as `main → parse`, for costs in one calling context; empty for the sum over all contexts.
    pub context: String,
    /// Line of a [`SeriesKind::Line`], 1-based; 0 if unknown and for other kinds.
    pub line: u32,
}

/// All executions of a place at one size. Costs of a routine include its callees.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observation {
    /// Sizes in the order of the series' variables. Unused entries are 0.
    pub sizes: [u64; MOST_VARIABLES],
    /// Number of executions, which are calls for a routine.
    pub count: u64,
    /// Smallest cost of one execution.
    pub min: u64,
    /// Largest cost of one execution.
    pub max: u64,
    /// Total cost of all executions.
    pub sum: u64,
    /// Sum of the squared costs; 0 if unknown.
    pub sum_of_squares: f64,
    /// Parts that only some profilers report.
    pub parts: ObservationParts,
}

/// Totals over the executions of an observation; `None` if the profiler does not report them.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObservationParts {
    /// Cost of the calls that are not nested in another call of the same routine: the routine's total, without counting
    /// nested calls twice.
    pub outermost: Option<u64>,
    /// Cost of the routine without callees.
    pub own: Option<u64>,
    /// Cells of the input that the kernel wrote.
    pub from_kernel: Option<u64>,
    /// Cells of the input that other threads wrote.
    pub from_threads: Option<u64>,
    /// Further statistics of the costs without callees.
    pub own_costs: Option<OwnCosts>,
    /// Input that the routine read itself, without its callees.
    pub own_input: Option<OwnInput>,
}

/// Statistics of costs without callees.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnCosts {
    /// Smallest cost of an execution.
    pub min: u64,
    /// Largest cost of an execution.
    pub max: u64,
    /// Sum of the squared costs; 0 if unknown.
    pub sum_of_squares: f64,
}

/// Cells that a routine read itself.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnInput {
    /// Cells that the kernel wrote.
    pub from_kernel: u64,
    /// Cells that other threads wrote.
    pub from_threads: u64,
}

impl Observation {
    /// Creates an observation of one execution, at a size in one variable.
    pub fn of_one(size: u64, cost: u64) -> Self {
        Self { count: 1, min: cost, max: cost, sum: cost, ..Self::at(size) }
    }

    /// Creates an observation without executions, at a size in one variable.
    pub const fn at(size: u64) -> Self {
        let mut sizes = [0; MOST_VARIABLES];
        sizes[0] = size;
        let parts = ObservationParts::NONE;
        Self { sizes, count: 0, min: 0, max: 0, sum: 0, sum_of_squares: 0.0, parts }
    }

    /// Returns the size in the first variable.
    pub fn size(&self) -> u64 {
        self.sizes[0]
    }

    /// Adds the executions of another observation at this size.
    pub fn add(&mut self, more: &Self) {
        self.count = self.count.saturating_add(more.count);
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
        self.sum = self.sum.saturating_add(more.sum);
        self.sum_of_squares += more.sum_of_squares;
        self.parts = self.parts.plus(more.parts);
    }

    /// Sorts by size, and merges observations of equal size.
    ///
    /// - Time: O(observations · log observations).
    pub fn merge(observations: &mut Vec<Self>) {
        observations.sort_by_key(|observation| observation.sizes);
        observations.dedup_by(|next, sum| {
            let is_same = next.sizes == sum.sizes;
            if is_same {
                sum.add(next);
            }
            is_same
        });
    }
}

impl ObservationParts {
    /// No parts are known.
    pub const NONE: Self = Self {
        outermost: None,
        own: None,
        from_kernel: None,
        from_threads: None,
        own_costs: None,
        own_input: None,
    };

    /// Returns the sums of both; a part that either lacks is absent.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
        Self {
            outermost: sum(self.outermost, more.outermost),
            own: sum(self.own, more.own),
            from_kernel: sum(self.from_kernel, more.from_kernel),
            from_threads: sum(self.from_threads, more.from_threads),
            own_costs: self.own_costs.zip(more.own_costs).map(|(a, b)| OwnCosts {
                min: a.min.min(b.min),
                max: a.max.max(b.max),
                sum_of_squares: a.sum_of_squares + b.sum_of_squares,
            }),
            own_input: self.own_input.zip(more.own_input).map(|(a, b)| OwnInput {
                from_kernel: a.from_kernel.saturating_add(b.from_kernel),
                from_threads: a.from_threads.saturating_add(b.from_threads),
            }),
        }
    }
}

/// The costs of a place by size in one workload.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Place of the series.
    pub place: Place,
    /// Variables of its sizes, at most [`MOST_VARIABLES`]; empty if its costs are totals of whole runs.
    pub variables: Vec<Variable>,
    /// Unit of its costs.
    pub unit: Unit,
    /// Workload of the run.
    pub workload: WorkloadId,
    /// Observations by ascending size, each size once.
    pub observations: Vec<Observation>,
}

/// Key of series that may be added up: place, variables and unit.
pub type SeriesKey<'a> = (&'a Place, &'a [Variable], &'a Unit);

impl Series {
    /// Creates the series of a routine over all its callers, in executions, for the first workload.
    pub fn of_routine(
        symbol: Symbol,
        object: &str,
        variable: Variable,
        observations: Vec<Observation>,
    ) -> Self {
        let object = object.to_owned();
        Self {
            place: Place { kind: SeriesKind::Routine, symbol, object, context: String::new(), line: 0 },
            variables: vec![variable],
            unit: Unit::default(),
            workload: WorkloadId(0),
            observations,
        }
    }

    /// Creates the series of memory that a line allocated in a run of the first workload.
    pub fn of_line(function: Symbol, file: &str, line: u32, measure: MemoryMeasure, amount: u64) -> Self {
        let (object, context) = (file.to_owned(), String::new());
        Self {
            place: Place { kind: SeriesKind::Line, symbol: function, object, context, line },
            variables: Vec::new(),
            unit: measure.unit(),
            workload: WorkloadId(0),
            observations: vec![Observation::of_one(0, amount)],
        }
    }

    /// Returns the key that identifies the series within its workload.
    pub fn key(&self) -> SeriesKey<'_> {
        (&self.place, &self.variables, &self.unit)
    }

    /// Merges series of one workload that have the same key, such as those of the threads of a run.
    ///
    /// - Time: O(observations · log observations).
    pub fn added_up(mut series: Vec<Self>) -> Vec<Self> {
        series.sort_by(|a, b| a.key().cmp(&b.key()));
        series.dedup_by(|next, first| {
            let is_same = next.key() == first.key();
            if is_same {
                first.observations.append(&mut next.observations);
            }
            is_same
        });
        for one in &mut series {
            Observation::merge(&mut one.observations);
        }
        series
    }
}
