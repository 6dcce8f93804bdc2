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

/// The largest of ascending sizes at which something cost anything, where that is in none of the runs of the largest quarter,
/// and in nearly all before: what ran in four runs of five up to there is missing in three more by chance in 1 case of 100.
pub(crate) fn runs_until(sizes: &[f64], costs: &[f64]) -> Option<f64> {
    let until = costs.iter().rposition(|&cost| cost > 0.0)? + 1;
    let (ran, after) = (costs[..until].iter().filter(|&&cost| cost > 0.0).count(), costs.len() - until);
    let ends = after >= 3 && after * 4 >= costs.len() && ran * 5 >= until * 4;
    ends.then(|| sizes[until - 1])
}

/// What that says of a model.
pub(crate) fn ends_early(feature: &str, until: f64) -> Warning {
    let message = format!(
        "it ran in none of the runs of more than {feature} = {until}: beyond that nothing is predicted, and what the model says \
         is what it would cost if it ran"
    );
    Warning::new("ends_early", message)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_early_that_ran_in_nearly_all_smaller_runs_and_in_no_larger_one() {
        let sizes: Vec<f64> = (1..=12).map(f64::from).collect();
        let ends = |costs: [f64; 12]| runs_until(&sizes, &costs);
        assert_eq!(ends([1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), Some(6.0));
        assert_eq!(ends([1.0, 0.0, 9.0, 16.0, 25.0, 36.0, 7.0, 8.0, 9.0, 0.0, 0.0, 0.0]), Some(9.0));
        // By chance, or in the largest again, or never.
        assert_eq!(ends([1.0, 0.0, 9.0, 0.0, 25.0, 0.0, 7.0, 8.0, 9.0, 0.0, 0.0, 0.0]), None);
        assert_eq!(ends([1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 7.0, 8.0, 9.0, 1.0, 0.0, 0.0]), None);
        assert_eq!(ends([1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]), None);
        assert_eq!(ends([0.0; 12]), None);
    }
}
