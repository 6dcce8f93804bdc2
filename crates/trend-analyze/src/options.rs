//! Settings of an analysis.

use std::collections::BTreeSet;

use crate::findings::Intervals;
use crate::findings::fitting::RunLimit;

/// Default limits to find the largest inputs for: a second, a minute, an hour, and 16 GB of memory.
const USUAL_LIMITS: [RunLimit; 4] = [
    RunLimit::Seconds(1.0),
    RunLimit::Seconds(60.0),
    RunLimit::Seconds(3600.0),
    RunLimit::Bytes(16_000_000_000),
];

/// Kinds of rows that can be modelled besides clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rows {
    /// One per function. They are always modelled if growth classes are: the whole is the sum of its parts, and without
    /// them it is modelled by itself.
    Functions,
    /// One per source line.
    Lines,
    /// One per basic block.
    Blocks,
}

/// Rows for which an analysis advises further runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Advise {
    /// No rows; [`advise`](crate::advise()) can do it later.
    Nothing,
    /// The costliest clusters, and the whole if these leave it open.
    #[default]
    Parts,
    /// The costliest clusters, and always the whole.
    Whole,
}

/// The settings of an analysis. [`Options::default`] are the paper's, except for the intervals.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of the bootstrap.
    pub seed: u64,
    /// A location joins a cluster if its R² with the representative is above `1 - alpha`.
    pub alpha: f64,
    /// Method for the intervals.
    pub intervals: Intervals,
    /// Number of bootstrap resamples that [`Intervals::Percentile`] draws; with 0 it makes no intervals.
    pub resamples: usize,
    /// The level of the intervals.
    pub level: f64,
    /// A location is constant if its sample standard deviation is below this.
    pub min_deviation: f64,
    /// A cluster is costly if it takes more than this share of some workload's total.
    pub costly_share: f64,
    /// True if growth classes are determined. With thousands of clusters this takes most of the time.
    pub growth: bool,
    /// Kinds of rows to model besides clusters.
    pub rows: BTreeSet<Rows>,
    /// Further sizes to predict at: feature and value. Sizes of different features form one point.
    pub at: Vec<(String, f64)>,
    /// Number of the costliest rows of each kind that get full attention, however little they cost.
    pub full_rows: usize,
    /// Rows whose names contain this text get full attention as well.
    pub full_named: Option<String>,
    /// Functions and lines that match one of these words by the [`WAYS`](crate::WAYS), or are in a file that one names,
    /// get full attention as well.
    pub full_meant: Vec<String>,
    /// Features in which rows get full attention, also if others explain them better.
    pub full_features: Vec<String>,
    /// Curves extend beyond the predictions up to this multiple of the feature's 95th percentile, and at least to the
    /// furthest prediction.
    pub reach: f64,
    /// True if the findings keep the data that [`predict`](crate::predict()) needs.
    pub keep_fits: bool,
    /// The features of the model in several features. With fewer than two names, the analysis chooses them.
    pub joint: Vec<String>,
    /// Largest size to advise for the next runs, with its feature. Without it, only cost and memory limit the size.
    pub largest: Option<(String, f64)>,
    /// Memory of the machine for the next runs, in bytes. Defaults to the machine that made the recorded runs.
    pub machine_memory: Option<u64>,
    /// Limits to find the largest inputs for. The machine's memory is always added to them.
    pub within: Vec<RunLimit>,
    /// Rows for which further runs are advised. With thousands of clusters this takes most of the time.
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
            full_features: Vec::new(),
            reach: 10.0,
            keep_fits: false,
            joint: Vec::new(),
            largest: None,
            machine_memory: None,
            within: USUAL_LIMITS.to_vec(),
            advise: Advise::default(),
        }
    }
}
