//! What makes a model of one row in one feature doubtful, as warnings. Finds no doubts of its own: the tests are
//! `trend_model`'s.

use trend_model::{Diagnosis, FitError, PowerLaw};
use trend_profile::Warning;

use crate::column::{Column, span};

/// Below this many points an interval of the percentile bootstrap is known to be too narrow, and hardly a doubt
/// about a model shows.
pub(crate) const FEW_POINTS: usize = 10;

/// A feature that spans less than this factor says little about growth: over a third of a decade a
/// log factor cannot be told from 10 % of noise.
pub(crate) const NARROW_RANGE: f64 = 10.0;

/// Why there is no power law, and what helps.
pub(crate) fn no_model(error: &FitError, column: &Column, y: &[f64]) -> Warning {
    let feature = &column.name;
    let message = match error {
        FitError::TooFewPoints { points, needed } if y.iter().all(|&c| c == 0.0) => {
            let _ = (points, needed);
            "never executed".to_owned()
        }
        FitError::TooFewPoints { points, needed } => format!(
            "no power law in {feature}: {points} workloads have a positive cost and a positive {feature}, \
             and {needed} are needed"
        ),
        FitError::ConstantFeature => {
            format!("no power law in {feature}: it has one value only; run workloads of other sizes")
        }
        other => format!("no power law in {feature}: {other}"),
    };
    Warning::new("no_model", message)
}

/// What makes a fit doubtful; `explodes`: its growth is that of an exponential, which shows over a few units.
pub(crate) fn doubts(column: &Column, fit: &PowerLaw, sizes: &[f64], explodes: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if fit.points < FEW_POINTS {
        let why = if column.resamples.is_some() {
            "the intervals are too narrow for so few"
        } else {
            "too few to see where the model is wrong"
        };
        warnings.push(Warning::new("few_points", format!("{} points only: {why}", fit.points)));
    }
    if span(sizes) < NARROW_RANGE && !explodes {
        let message = format!(
            "{} grows by a factor of {:.1} only over the points used: run larger or smaller workloads",
            column.name,
            span(sizes)
        );
        warnings.push(Warning::new("narrow_range", message));
    }
    let zeros = column.values.values().len() - fit.points;
    if zeros > 0 {
        let message = format!(
            "{zeros} workloads with a cost or a {} of zero are left out: the model says what this costs where \
             it runs at all",
            column.name
        );
        warnings.push(Warning::new("ignored_zeros", message));
    }
    warnings
}

/// Kinds of warnings that other parts of the analysis have more to say on.
pub(crate) const SPLIT: &str = "split";
pub(crate) const EQUAL_RUNS: &str = "equal_runs";
pub(crate) const UNEXPLAINED: &str = "unexplained";

/// The stable word for a diagnosis.
pub(crate) fn kind(diagnosis: &Diagnosis) -> &'static str {
    match diagnosis {
        Diagnosis::Hump { .. } => "hump",
        Diagnosis::LowerOrderTerm { .. } => "lower_order_term",
        Diagnosis::ChangePoint { .. } => "change_point",
        Diagnosis::Fan { .. } => "fan",
        Diagnosis::Split { .. } => SPLIT,
        Diagnosis::EqualRuns { .. } => EQUAL_RUNS,
        Diagnosis::Unexplained { .. } => UNEXPLAINED,
    }
}
