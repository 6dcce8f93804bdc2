//! Costs of places by the size of their own input: their models, and kinds of calls.

use serde::Serialize;
use trend_answer::Law;
use trend_profile::{Observation, SeriesKind, Unit, Variable};

use super::law::Fits;
#[cfg(test)]
use super::published::WithLaw;
use super::published::{Modelled, with_law, with_law_if_any};

/// The cost of a place by the size of its input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SeriesRow {
    /// The kind of place: `routine`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub kind: SeriesKind,
    /// The name of the place.
    pub name: String,
    /// The program or library that contains the place.
    pub object: String,
    /// The callers, for costs in one calling context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The measures of input size: `rms`, `drms`.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub variables: Vec<Variable>,
    /// The unit of costs.
    #[cfg_attr(test, schemars(with = "String"))]
    pub unit: Unit,
    /// Number of different sizes over all workloads.
    pub sizes: usize,
    /// Number of executions; for a routine, of calls.
    pub count: u64,
    /// The cost of all calls, including callees. If a call of the routine is nested in another one, its cost counts in
    /// both.
    pub sum: u64,
    /// The cost of the calls that are not nested in another call of the routine; absent if the profiler does not report
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outermost_sum: Option<u64>,
    /// The cost of all calls without callees; absent if the profiler does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_sum: Option<u64>,
    /// The share of the program's cost that the routine took, including callees.
    pub share: f64,
    /// The share of the program's cost that the routine took without callees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_share: Option<f64>,
    /// The share of the executions of all places of its kind.
    pub count_share: f64,
    /// The share of its input that the kernel wrote, such as data read from a file; absent if the profiler does not
    /// report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel_input: Option<f64>,
    /// The share of its input that other threads wrote; absent if the profiler does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_input: Option<f64>,
    /// Standard deviation of a call's cost about the mean of its size, as a share of that mean. It covers all sizes
    /// with several calls. Absent if no size has several calls, or if the profiler does not report it. It determines
    /// the weights of the averages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_scatter: Option<f64>,
    /// The greatest cost of a call.
    pub max_cost: u64,
    /// The greatest cost of a call at each size.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, SeriesModel>"))]
    pub worst: SeriesModel,
    /// The mean cost of the calls at each size.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, SeriesModel>"))]
    pub average: SeriesModel,
    /// The least cost of a call at each size.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, SeriesModel>"))]
    pub best: SeriesModel,
    /// The mean cost of the calls at each size, without callees; absent if the profiler does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_law_if_any")]
    #[cfg_attr(test, schemars(with = "Option<WithLaw<'static, SeriesModel>>"))]
    pub own: Option<SeriesModel>,
    /// The cost of all calls of a run, including callees, by the features of the runs; absent for a study without
    /// features.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_law_if_any")]
    #[cfg_attr(test, schemars(with = "Option<WithLaw<'static, SeriesModel>>"))]
    pub runs: Option<SeriesModel>,
    /// The cost of all calls of a run without callees, so that costs of callers are sums. Absent without features, or
    /// if the profiler does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_law_if_any")]
    #[cfg_attr(test, schemars(with = "Option<WithLaw<'static, SeriesModel>>"))]
    pub own_runs: Option<SeriesModel>,
    /// The amount that cheap calls pay for expensive ones; only for sizes in one variable.
    pub amortized: Amortized,
    /// Kinds of calls with different laws; absent if the data do not show several kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Kinds>,
    /// The measurements, by ascending size; absent unless the findings are for this place alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuples: Vec<Tuple>,
    /// The observations over all workloads, by ascending size, each size once.
    #[serde(skip)]
    pub observations: Vec<Observation>,
}

impl SeriesRow {
    /// Returns the key that the rows of one place share across contexts.
    pub(crate) fn place(&self) -> (SeriesKind, &str, &str, &[Variable], &Unit) {
        (self.kind, &self.name, &self.object, &self.variables, &self.unit)
    }

    /// Returns the row with its observations as [`Self::tuples`], for findings of this place alone.
    #[must_use]
    pub fn with_tuples(mut self) -> Self {
        let variables = self.variables.len();
        let tuple = |o: &Observation| Tuple {
            sizes: o.sizes[..variables].to_vec(),
            count: o.count,
            min: o.min,
            max: o.max,
            sum: o.sum,
            sum_of_squares: Some(o.sum_of_squares).filter(|sum| *sum > 0.0),
            outermost_sum: o.parts.outermost,
            self_sum: o.parts.own,
        };
        self.tuples = self.observations.iter().map(tuple).collect();
        self
    }

    /// Returns the cost of the routine, including callees. Nested calls count once if the profiler reports them.
    pub fn cumulative(&self) -> u64 {
        self.outermost_sum.unwrap_or(self.sum)
    }
}

/// All executions of a place at one size, over all workloads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tuple {
    /// The size, one number per variable.
    pub sizes: Vec<u64>,
    /// Number of executions at this size.
    pub count: u64,
    /// The least cost of an execution.
    pub min: u64,
    /// The greatest cost of an execution.
    pub max: u64,
    /// The cost of all executions.
    pub sum: u64,
    /// The sum of the squared costs; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum_of_squares: Option<f64>,
    /// The cost of the calls that are not nested in another call of the routine; absent if the profiler does not report
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outermost_sum: Option<u64>,
    /// The cost of all executions without callees; absent if the profiler does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_sum: Option<u64>,
}

/// A cost by size, modelled like any other row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SeriesModel {
    /// The models, whose features are the variables; for costs of runs, the study's features.
    #[serde(flatten)]
    pub fits: Fits,
    /// `a + b·n^c`; absent for fewer than three sizes, for several variables, and for a place that is too cheap for a
    /// growth class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset_power: Option<OffsetPowerModel>,
}

impl Modelled for SeriesModel {
    fn law(&self) -> Option<Law> {
        self.fits.law()?.law()
    }
}

/// `cost = a + b·n^c`, by least squares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OffsetPowerModel {
    /// The cost at 0.
    pub a: f64,
    /// The coefficient of the power.
    pub b: f64,
    /// The exponent of the size.
    pub c: f64,
    /// The R² in the original domain.
    pub r2: f64,
}

/// Share of the rare, expensive calls in the cost of the frequent, cheap ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Amortized {
    /// Additional cost that the cheap calls pay for the expensive ones, relative to their own cost.
    pub alpha: f64,
    /// The input sizes whose cost is spread over the others, ascending.
    pub spread: Vec<u64>,
}

/// Kinds of calls, by the property that distinguishes them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Kinds {
    /// The caller: calling contexts have different growth classes.
    Contexts {
        /// The kinds by growth, from slow to fast.
        kinds: Vec<KindOfContexts>,
    },
    /// The run: the averages of the runs follow two trends, and each run one of them.
    Runs {
        /// The feature whose value distinguishes the runs, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told_apart_by: Option<String>,
        /// The rule that distinguishes the runs: `sorted = 0 is cheaper, sorted = 1 costlier`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// The calls of the cheaper runs.
        cheaper: KindOfCalls,
        /// The calls of the costlier runs.
        costlier: KindOfCalls,
    },
    /// The curve: the mean costs of the sizes follow two trends. Calls of one size are of one kind.
    Trends {
        /// The calls of the sizes on the lower trend.
        cheaper: KindOfCalls,
        /// The calls of the sizes on the upper trend.
        costlier: KindOfCalls,
    },
    /// The cost of calls of one size: the greatest grows faster than the least.
    Spread {
        /// The law of the cheapest call of each size.
        cheapest: KindLaw,
        /// The law of the most expensive call of each size.
        dearest: KindLaw,
        /// The shares of the calls that cost about as much as the most expensive of their size. Absent if other calls
        /// lie in between, or if unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dearest_part: Option<CallShares>,
    },
}

/// The cost of calls of one kind by their size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KindLaw {
    /// The verdict in short: `n^2`.
    pub growth: String,
    /// The formula of the best class, in the variable's name.
    pub formula: String,
    /// True if the law is a constant.
    pub is_constant: bool,
}

/// The shares of some calls in a routine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CallShares {
    /// The share of the routine's calls.
    pub calls: f64,
    /// The share of the routine's cost.
    pub cost: f64,
}

/// Calls of some runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KindOfCalls {
    /// The law of their mean cost.
    pub law: KindLaw,
    /// The shares of these calls.
    pub part: CallShares,
}

/// Calls from calling contexts with one growth class.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KindOfContexts {
    /// The contexts, by falling cost.
    pub contexts: Vec<String>,
    /// The law of the mean cost of calls from the most expensive context.
    pub law: KindLaw,
    /// The shares of all these calls together.
    pub part: CallShares,
}
