//! From a study to findings: clusters, models, ranking, predictions.
//!
//! # Design constraints
//!
//! - A pure function of the study and the options: no clock, no I/O, no globals. The same study and
//!   seed give the same findings at any number of threads.
//! - A number never travels without its interval, its points and the warnings about it.
//! - Whatever cannot be computed is absent and explained by a warning, never zero.

mod advice;
mod analyze;
mod better;
mod budget;
mod clusters;
mod column;
mod distinct;
mod doubts;
mod factors;
mod feature_choice;
mod findings;
mod growth;
mod joint;
mod model_doubts;
mod models;
mod names;
mod options;
mod overtaking;
mod predict;
mod resampling;
mod routines;
mod rule;
mod screen;
mod shadows;
mod split;
mod structure;
mod survey;
mod whole;

pub use analyze::{AnalyzeError, analyze};
pub use doubts::outcome_in_words;
pub use feature_choice::{MOST_MODELLED, choose_features};
pub use findings::{
    Cluster, CurvePoint, Failure, FeatureSummary, Findings, LinearModel, Locations, Member, Model,
    Overtaking, POWER_LAW, Part, Parts, PowerLawModel, Prediction, Program, Representative,
    RepresentativeKind, Row, SCHEMA, SUM_OF_PARTS, Total, Workloads,
};
pub use growth::{GrowthModel, GrowthSupport};
pub use names::location_names;
pub use options::{Intervals, Options, Rows};
pub use predict::{Predictions, predict};
pub use routines::{OffsetPowerModel, RoutineModel, RoutineRow};
pub use structure::{Decomposition, Factor, Joint, JointFactor, JointTerm, NextRuns, Split, Trend};
/// What growth models are made of.
pub use trend_model::{GrowthClass, GrowthFit, Term};
