//! What an analysis can be asked for.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Besides clusters, which rows are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rows {
    /// One per function. They are modelled as well where growth classes are told: the whole is the sum of its
    /// parts, and without them it is modelled by itself.
    Functions,
    /// One per source line.
    Lines,
    /// One per basic block.
    Blocks,
}

/// How intervals of power laws and linear models are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Intervals {
    /// Student's t with a variance that allows for uneven scatter: holds the truth as often as it says, also for
    /// few workloads.
    #[default]
    Robust,
    /// The paper's bootstrap percentiles: too narrow for few workloads.
    Percentile,
}

/// For what an analysis finds the runs that would tell more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Advise {
    /// For nothing; [`advise`](crate::advise()) does it later.
    Nothing,
    /// For the costliest clusters, and for the whole where these leave it open.
    #[default]
    Parts,
    /// For the whole also where they do not.
    Whole,
}

/// The settings of an analysis. [`Options::default`] are the paper's, but for the intervals.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of the bootstrap.
    pub seed: u64,
    /// A location joins a cluster when its R² with the representative is above `1 - alpha`.
    pub alpha: f64,
    /// How intervals are made.
    pub intervals: Intervals,
    /// How many bootstrap resamples [`Intervals::Percentile`] draws; with 0 it makes no intervals.
    pub resamples: usize,
    /// The level of the intervals.
    pub level: f64,
    /// A location whose sample standard deviation is below this is constant.
    pub min_deviation: f64,
    /// A cluster is costly when it takes more than this share of some workload's total.
    pub costly_share: f64,
    /// Whether growth classes are told at all. With thousands of clusters they take most of the time.
    pub growth: bool,
    /// Besides clusters, which rows to model.
    pub rows: BTreeSet<Rows>,
    /// Further sizes to predict at: feature and value. Sizes of different features are of one point.
    pub at: Vec<(String, f64)>,
    /// So many of the costliest rows of each kind get full attention, however little they cost.
    pub full_rows: usize,
    /// Rows whose names contain this get full attention as well.
    pub full_named: Option<String>,
    /// Functions and lines that one of these words means, by the ways of [`WAYS`](crate::WAYS), and those of a file that one
    /// names, get full attention as well.
    pub full_meant: Vec<String>,
    /// Curves go on beyond the predictions up to this many times the feature's 95th percentile; up to the furthest
    /// prediction at least.
    pub reach: f64,
    /// Whether the findings keep what [`predict`](crate::predict()) needs.
    pub keep_fits: bool,
    /// The features of the model in several features; with fewer than two names the analysis chooses.
    pub joint: Vec<String>,
    /// The largest size that is advised to be run next, with its feature; none is too large otherwise, as far as its
    /// cost goes.
    pub largest: Option<(String, f64)>,
    /// The memory of the machine that runs are to fit into, in bytes; without it that of the machine that they were made on.
    pub machine_memory: Option<u64>,
    /// For what runs are advised; with thousands of clusters that takes most of the time.
    pub advise: Advise,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            alpha: 0.02,
            intervals: Intervals::default(),
            resamples: 1000,
            level: 0.95,
            min_deviation: 10.0,
            costly_share: 0.02,
            growth: true,
            rows: [Rows::Functions].into(),
            at: Vec::new(),
            full_rows: 0,
            full_named: None,
            full_meant: Vec::new(),
            reach: 10.0,
            keep_fits: false,
            joint: Vec::new(),
            largest: None,
            machine_memory: None,
            advise: Advise::default(),
        }
    }
}
