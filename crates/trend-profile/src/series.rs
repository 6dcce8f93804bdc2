//! Costs of a place by the size of what it worked on, as an input-sensitive profiler measures them.

use serde::{Deserialize, Serialize};

use crate::{Symbol, Unit, WorkloadId};

/// The most variables that a series' sizes are measured in.
pub const MOST_VARIABLES: usize = 4;

/// What kind of place a series is about. New kinds go to the end: study files hold their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesKind {
    /// A routine; each of its calls is observed.
    Routine,
    /// A line that asks for memory; its costs are those of whole runs, in the units of [`MemoryMeasure`].
    Line,
}

/// How to speak of a kind of series.
#[derive(Clone, Copy, Debug)]
pub struct SeriesWords {
    /// A place of the kind: `routine`.
    pub place: &'static str,
    /// What is observed of it: `call`.
    pub execution: &'static str,
    /// What the size of an execution is.
    pub size: &'static str,
    /// What the size is a number of: `cells`.
    pub size_unit: &'static str,
    /// The command that makes studies with such series.
    pub made_by: &'static str,
}

impl SeriesKind {
    /// How to speak of it.
    pub fn words(self) -> SeriesWords {
        match self {
            Self::Routine => SeriesWords {
                place: "routine",
                execution: "call",
                size: "the size of a call's own input in cells of memory that it read (rms, drms)",
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

/// What a size is measured in. New variables go to the end: study files hold their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variable {
    /// Read memory size: the cells that an activation reads before it writes them.
    Rms,
    /// Dynamic read memory size: cells that the kernel or another thread wrote meanwhile count again.
    Drms,
}

impl Variable {
    /// `rms` or `drms`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rms => "rms",
            Self::Drms => "drms",
        }
    }

    /// What makes studies with sizes in it.
    pub fn made_by(self) -> &'static str {
        match self {
            Self::Rms => "`trend-prof build --probe routines` measures it, and aprof where it is told to",
            Self::Drms => {
                "`trend-prof build --probe routines --metric drms` measures it, and so do reports of aprof with `i drms`"
            }
        }
    }

    /// The variable of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Rms, Self::Drms].into_iter().find(|variable| variable.name() == name)
    }
}

/// What is known of the memory that a line asks for, in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryMeasure {
    /// How often it asked.
    Allocations,
    /// Bytes that it asked for, of all allocations.
    Asked,
    /// The most bytes of it that were allocated at one moment.
    Most,
    /// Bytes of it that were allocated at the heap's peak, when the program had most allocated.
    AtPeak,
    /// Bytes of it that were allocated when the program ended.
    Left,
}

impl MemoryMeasure {
    /// All, in the order of their columns.
    pub const ALL: [Self; 5] = [Self::Allocations, Self::Asked, Self::Most, Self::AtPeak, Self::Left];

    /// What its numbers are counted in.
    pub fn unit(self) -> Unit {
        Unit::new(match self {
            Self::Allocations => "allocations",
            Self::Asked => "bytes asked for",
            Self::Most => "bytes at most",
            Self::AtPeak => "bytes at the peak",
            Self::Left => "bytes at the end",
        })
    }

    /// The measure that has this unit.
    pub fn counted_in(unit: &Unit) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.unit() == *unit)
    }
}

/// What a series is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// What kind of place it is.
    pub kind: SeriesKind,
    /// Its names.
    pub symbol: Symbol,
    /// The program or library that it is in; of a probed program and of a line the source file.
    pub object: String,
    /// The callers as `main → parse`, for costs in one calling context; empty for all of them together.
    pub context: String,
    /// The line of a [`SeriesKind::Line`], 1-based; 0 where it is not known, and of other kinds.
    pub line: u32,
}

/// All executions of a place at one size. Costs of a routine include those of what it called.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observation {
    /// The size, in the order of the series' variables; 0 behind them.
    pub sizes: [u64; MOST_VARIABLES],
    /// How many executions: of a routine its calls.
    pub count: u64,
    /// The least cost of one.
    pub min: u64,
    /// The greatest cost of one.
    pub max: u64,
    /// The cost of all.
    pub sum: u64,
    /// The sum of the squares of their costs; 0 where it is not known.
    pub sum_of_squares: f64,
    /// What only some profilers tell.
    pub parts: ObservationParts,
}

/// Of the executions of an observation together; absent where the profiler does not tell them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObservationParts {
    /// The cost of the calls that are not nested in another call of the same routine: what the routine cost, each part
    /// of it once.
    pub outermost: Option<u64>,
    /// The cost without what the routine called.
    pub own: Option<u64>,
    /// Cells of the input that the kernel wrote.
    pub from_kernel: Option<u64>,
    /// Cells of the input that other threads wrote.
    pub from_threads: Option<u64>,
    /// More of the costs without what the routine called.
    pub own_costs: Option<OwnCosts>,
    /// What of the input it read itself, and none of the routines that it called.
    pub own_input: Option<OwnInput>,
}

/// Costs of executions without what the routine called.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnCosts {
    /// The least.
    pub min: u64,
    /// The greatest.
    pub max: u64,
    /// The sum of their squares; 0 where it is not known.
    pub sum_of_squares: f64,
}

/// Cells that a routine read itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnInput {
    /// Of those the ones that the kernel wrote.
    pub from_kernel: u64,
    /// The ones that other threads wrote.
    pub from_threads: u64,
}

impl Observation {
    /// One execution of this cost at a size in one variable.
    pub fn of_one(size: u64, cost: u64) -> Self {
        Self { count: 1, min: cost, max: cost, sum: cost, ..Self::at(size) }
    }

    /// Nothing yet at a size in one variable.
    pub const fn at(size: u64) -> Self {
        let mut sizes = [0; MOST_VARIABLES];
        sizes[0] = size;
        let parts = ObservationParts::NONE;
        Self { sizes, count: 0, min: 0, max: 0, sum: 0, sum_of_squares: 0.0, parts }
    }

    /// The size in the first variable.
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

    /// Sorts by size, and adds up what is of one size.
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
    /// Nothing but sum, least and greatest is known.
    pub const NONE: Self = Self {
        outermost: None,
        own: None,
        from_kernel: None,
        from_threads: None,
        own_costs: None,
        own_input: None,
    };

    /// The sums of both; absent where one of them is.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is about.
    pub place: Place,
    /// What its sizes are measured in: one to [`MOST_VARIABLES`]; none where its costs are of whole runs.
    pub variables: Vec<Variable>,
    /// What its costs are counted in.
    pub unit: Unit,
    /// The run.
    pub workload: WorkloadId,
    /// By ascending size, each once.
    pub observations: Vec<Observation>,
}

/// What series have in common that are added up: place, variables and unit.
pub type SeriesKey<'a> = (&'a Place, &'a [Variable], &'a Unit);

impl Series {
    /// Of a routine, over all its callers, in executions, of the first workload.
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

    /// Memory that a line asked for in a run of the first workload.
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

    /// What tells it from others of its workload.
    pub fn key(&self) -> SeriesKey<'_> {
        (&self.place, &self.variables, &self.unit)
    }

    /// Series of one workload, each place once: what several of them say is added up, as that of the threads of a run
    /// is.
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
