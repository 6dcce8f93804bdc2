//! Turns a study into findings: clusters, models, ranking, predictions.
//!
//! # Design constraints
//!
//! - A pure function of the study and the options: no clock, no I/O, no globals. The same study and
//!   seed give the same findings at any number of threads.
//! - A number always comes with its interval, its points and the warnings about it.
//! - A result that cannot be computed is absent and explained by a warning, never zero.

// The tests of several crates share a module, which refers to this crate by name.
#[cfg(test)]
extern crate self as trend_analyze;

mod advice;
mod amortized;
mod analyze;
mod answer;
mod better;
mod bounding;
mod budget;
mod callers;
mod clusters;
mod column;
mod compare;
mod dependence;
mod distinct;
mod doubt;
mod doubt_words;
mod doubts;
mod error;
mod exclusion;
mod expect;
mod factors;
mod feature_choice;
mod findings;
mod fitting;
mod fragments;
mod growth;
mod joint;
mod latency;
mod law;
mod loops;
mod matching;
mod memory;
mod memory_lines;
mod model;
mod model_doubts;
mod modeller;
mod names;
mod options;
mod outliers;
mod outlook;
mod overtaking;
mod pace;
mod point;
mod predict;
#[cfg(test)]
#[path = "../tests/properties/mod.rs"]
#[expect(dead_code, reason = "other crates' tests check whole studies")]
mod properties;
mod repeating;
mod row_models;
mod rule;
#[cfg(test)]
mod schema;
mod screen;
mod seconds;
mod series;
mod shadows;
mod split;
mod statements;
mod structure;
mod summary;
mod survey;
mod time_parts;
mod today;
#[cfg(test)]
mod typescript;
mod whole;

pub use advice::advise;
pub use amortized::Amortized;
pub use analyze::analyze;
pub use answer::{Answer, AnswerGroup, AnswerPlace, Candidate, Candidates, ShownPaces};
pub use bounding::{Bound, Course};
pub use compare::{
    Basis, Change, ChangeKind, ChangeStatement, CompareError, Compared, Comparison, Direction, Effect,
    GrowthChange, OutOfReach, Outcome, OutcomeReason, Resource, Resources, Side, Uncounted, Version,
    WorkloadCounts, change_statements, common_feature, common_target, common_targets, compare, out_of_reach,
};
pub use doubt::{CodeKind, Doubt, Explanation, FeatureName, NoJoint, Unfit};
pub use doubts::outcome_in_words;
pub use error::AnalyzeError;
pub use exclusion::{Exclusion, NoSuchWorkload};
pub use expect::{
    Against, BadComment, BadLimit, Baseline, BaselineError, Checked, CommentError, Expectation, Found,
    GrowthLimit, Judged, JudgedPlace, Judgement, Limit, Origin, Reason, Subject, in_sources, judge,
    words as expected_words,
};
pub use feature_choice::{MOST_MODELLED, to_analyze};
pub use findings::{
    Cluster, Failure, FeatureSummary, Findings, Locations, LongestRun, Member, Overtaking, Part, Parts,
    Program, Representative, RepresentativeKind, Row, SCHEMA, Total, Workloads,
};
pub use fitting::{FittingSize, USUAL_TIMES};
pub use fragments::{
    CalibrationReport, FragmentPart, FragmentsError, FragmentsOutlook, FragmentsRun, curve, fragments_of_runs,
};
pub use growth::{GrowthModel, GrowthSupport, MayHide, Short};
pub use law::{RowLaw, best_model, depends_on_nothing, sound_model};
pub use loops::{
    LoopCallTrips, LoopFunctionRow, LoopInputRow, LoopRelation, LoopRow, LoopStatus, LoopTrips, OffPoint,
    RelationStatus,
};
pub use matching::{IsMeant, WAYS, bare_name, is_end_of, is_like, is_path_end, without_brackets};
pub use memory::{MemoryDoubt, MemoryOutlook};
pub use memory_lines::{MemoryHolder, MemoryLine};
pub use model::{CurvePoint, LinearModel, Model, PowerLawModel, Prediction, Soundness};
pub use names::{location_names, without_arguments};
pub use options::{Advise, Intervals, Options, Rows};
pub use outliers::{Outlier, Scatter};
pub use pace::{POOR_R2, degree, pace};
pub use point::{Along, Coordinate, Filling, Given, Point};
pub use predict::{Predictions, predict, predict_multiples};
pub use repeating::Repeating;
pub use seconds::{Elapsed, TimeDoubt, TimeOutlook, TimeTerms};
pub use series::{
    CallShares, KindLaw, KindOfCalls, KindOfContexts, Kinds, OffsetPowerModel, SeriesModel, SeriesRow, Tuple,
    thinned,
};
pub use statements::{
    COSTLY_SHARE, GroupName, Growing, NOTABLE_UNCOUNTED, SeriesStatement, Spoken, Statement, statements,
};
pub use structure::{Decomposition, Factor, Joint, JointSupport, NextRuns, Split, Trend};
pub use summary::is_far_above;
pub use time_parts::{PartCounts, PartGrowth, SampledRun, TimePart, TimePartKind, TimeParts};
pub use trend_answer::{AnswerKind, CacheStep, Law, Outlook, Pace, Source, Spread, Unnamed};
pub use trend_model::{
    Factor as LawFactor, FeatureIndex, GrowthClass, GrowthFit, LawSum, LawTerm, Term, largest_that,
};
