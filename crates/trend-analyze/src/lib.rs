//! Turns a study into findings: clusters, models, ranking, predictions.
//!
//! # Design constraints
//!
//! - A pure function of the study and the options: no clock, no I/O, no globals. The same study and
//!   seed give the same findings at any number of threads.
//! - A number always comes with its interval, its points and the warnings about it.
//! - A result that cannot be computed is absent and explained by a warning, never zero.
//!
//! # Folders
//!
//! The folders are listed from the bottom up. Each uses only earlier ones, and folders on the same line do not use
//! each other.
//!
//! | folder | what it does |
//! |---|---|
//! | `study/` | reads the study: names, points, places that a user means |
//! | `findings/` | the results, as data |
//! | `clusters/`, `fit/` | groups locations; fits models to rows |
//! | `doubts/`, `series/` | finds doubts about the study; models costs by the size of a routine's own input |
//! | `forecast/` | applies the models at the points: costs, time, memory |
//! | `advice/`, `answer/`, `loops/` | advises further runs; names the place to fix; finds formulas of loops |
//! | `analyze/` | runs all of these, in order |
//! | `compare/` | compares two studies |
//! | `expect/` | judges expectations |

// The tests of several crates share a module, which refers to this crate by name.
#[cfg(test)]
extern crate self as trend_analyze;

mod advice;
mod analyze;
mod answer;
mod clusters;
mod compare;
mod doubts;
mod error;
mod expect;
mod findings;
mod fit;
mod forecast;
mod loops;
mod options;
#[cfg(test)]
#[path = "../tests/properties/mod.rs"]
#[expect(dead_code, reason = "other crates' tests check whole studies")]
mod properties;
mod series;
mod study;
#[cfg(test)]
mod tests;

pub use advice::advise;
pub use analyze::analyze;
pub use analyze::summary::is_far_above;
pub use answer::statements::{
    COSTLY_SHARE, GroupName, Growing, NOTABLE_UNCOUNTED, SeriesStatement, Spoken, Statement, statements,
};
pub use answer::{Candidate, Candidates, ShownPaces};
pub use compare::{
    Basis, Change, ChangeKind, ChangeStatement, CompareError, Compared, Comparison, Direction, Effect,
    GrowthChange, OutOfReach, Outcome, OutcomeReason, Resource, Resources, Side, Uncounted, Version,
    WorkloadCounts, change_statements, common_feature, common_target, common_targets, compare, out_of_reach,
};
pub use doubts::{last_words, outcome_in_words};
pub use error::AnalyzeError;
pub use expect::{
    Against, BadComment, BadLimit, Baseline, BaselineError, Checked, CommentError, Expectation, Found,
    GrowthLimit, Judged, Judgement, Limit, Origin, Reason, Subject, in_sources, judge,
    words as expected_words,
};
pub use findings::Intervals;
pub use findings::answer::Repeating;
pub use findings::answer::{Answer, AnswerGroup, AnswerPlace};
pub use findings::bound::{Bound, Course};
pub use findings::doubt::{CodeKind, Doubt, Explanation, FeatureName, NoJoint, Unfit};
pub use findings::fitting::{FittingSize, RunLimit};
pub use findings::fragments::{FragmentPart, FragmentsOutlook};
pub use findings::growth::{GrowthModel, GrowthSupport, MayHide, Short};
pub use findings::law::{Fits, RowLaw};
pub use findings::loops::{
    LoopCallTrips, LoopFunctionRow, LoopInputRow, LoopRelation, LoopRow, LoopStatus, LoopTrips, OffPoint,
    RelationStatus,
};
pub use findings::memory::{MemoryDoubt, MemoryOutlook};
pub use findings::memory::{MemoryHolder, MemoryLine};
pub use findings::model::{CurvePoint, LinearModel, Model, PowerLawModel, Prediction, Soundness};
pub use findings::model::{NextRuns, Split, Trend};
pub use findings::row::{
    CallingLine, Cluster, Member, OnlyCaller, Overtaking, Part, Parts, Representative, RepresentativeKind,
    Row, Total,
};
pub use findings::row::{JudgedPlace, Outlier, Scatter};
pub use findings::series::Amortized;
pub use findings::series::{
    CallShares, KindLaw, KindOfCalls, KindOfContexts, Kinds, OffsetPowerModel, SeriesModel, SeriesRow, Tuple,
};
pub use findings::structure::{Decomposition, Factor, Joint, JointSupport};
pub use findings::time::{Elapsed, TimeDoubt, TimeOutlook, TimeTerms};
pub use findings::time::{PartCounts, PartGrowth, SampledRun, TimePart, TimePartKind, TimeParts};
pub use findings::{Failure, FeatureSummary, Findings, Locations, LongestRun, Program, SCHEMA, Workloads};
pub use fit::feature_choice::{MOST_MODELLED, to_analyze};
pub use forecast::fragments::{CalibrationReport, FragmentsError, FragmentsRun, curve, fragments_of_runs};
pub use forecast::pace::{POOR_R2, degree, pace};
pub use forecast::predict::{Predictions, predict, predict_multiples};
pub use options::{Advise, Options, Rows};
pub use series::thinned;
pub use study::exclusion::{Exclusion, NoSuchWorkload};
pub use study::matching::{
    IsMeant, WAYS, bare_name, is_end_of, is_like, is_path_end, positions_outside_brackets, without_brackets,
};
pub use study::names::{location_names, without_arguments};
pub use study::point::{Along, Coordinate, Filling, Given, Point};
pub use trend_answer::{AnswerKind, CacheStep, Law, Outlook, Pace, Source, Spread, Unnamed};
pub use trend_model::{
    Factor as LawFactor, FeatureIndex, GrowthClass, GrowthFit, LawSum, LawTerm, Term, largest_that,
};
