//! Turns features whose values could not be found into warnings.

use trend_profile::{Definition, Warning, WarningKind};

use super::resume::Earlier;
use crate::plan::values::NoValue;
use crate::plan::workload::Plan;

/// The values that were found for each feature.
pub(crate) struct Matches {
    /// Indexed like `[features]`.
    seen: Vec<Seen>,
    /// True if each run has a value of exactly one feature. The features then divide the workloads into groups, and a
    /// group has no values of the others.
    are_groups: bool,
}

#[derive(Clone, Default)]
struct Seen {
    values: usize,
    /// Number of runs without a value.
    missing: usize,
    /// The first reason for a missing value.
    reason: Option<NoValue>,
    /// True if an earlier run has a value.
    has_earlier: bool,
    /// True if there are earlier runs that are not repeated.
    has_runs: bool,
}

impl Matches {
    pub(crate) fn new(plan: &Plan, earlier: &Earlier) -> Self {
        let seen = |name: &str| Seen {
            has_earlier: earlier.has_value(name),
            has_runs: !earlier.is_empty(),
            ..Seen::default()
        };
        let seen: Vec<Seen> = plan.config.features.iter().map(|f| seen(&f.name)).collect();
        Self { are_groups: seen.len() > 1 && earlier.is_empty(), seen }
    }

    /// Takes the values of a run, one for each feature.
    pub(crate) fn saw_run(&mut self, values: &[Result<f64, NoValue>]) {
        self.are_groups &= values.iter().flatten().count() == 1;
        for (feature, value) in values.iter().enumerate() {
            self.saw(feature, value);
        }
    }

    pub(crate) fn saw(&mut self, feature: usize, value: &Result<f64, NoValue>) {
        let seen = &mut self.seen[feature];
        match value {
            Ok(_) => seen.values += 1,
            Err(NoValue::NotHere) => {}
            Err(reason) => {
                seen.missing += 1;
                seen.reason.get_or_insert_with(|| reason.clone());
            }
        }
    }

    pub(crate) fn warnings(&self, plan: &Plan) -> Vec<Warning> {
        let is_doubtful = |seen: &Seen| !self.are_groups || seen.values == 0;
        let features = plan.config.features.iter().zip(&self.seen).filter(|(_, seen)| is_doubtful(seen));
        features.filter_map(|(feature, seen)| seen.warning(&feature.name, &feature.definition)).collect()
    }
}

impl Seen {
    fn warning(&self, name: &str, definition: &Definition) -> Option<Warning> {
        let reason = self.reason.as_ref()?;
        let never = self.values == 0 && !self.has_earlier;
        let how_often = match (never, self.has_runs) {
            (true, _) => "no workload has a value".to_owned(),
            (false, false) => {
                format!("{} of {} runs have no value", self.missing, self.missing + self.values)
            }
            (false, true) => format!("{} runs have no value", self.missing),
        };
        let (kind, why) = match reason {
            NoValue::NoMatch { sample } => {
                let pattern = pattern(definition).unwrap_or_default();
                let kind = if never { WarningKind::FeatureNeverMatched } else { WarningKind::FeatureMissing };
                (kind, format!("the pattern '{pattern}' does not match; the text ends in {sample:?}"))
            }
            NoValue::NotANumber { text } => {
                (WarningKind::FeatureNotANumber, format!("{text:?} is not a finite number"))
            }
            NoValue::Nothing { why } => (WarningKind::FeatureMissing, why.clone()),
            NoValue::NotHere => return None,
        };
        Some(Warning::new(kind, format!("feature `{name}`: {how_often}: {why}")))
    }
}

fn pattern(definition: &Definition) -> Option<&str> {
    match definition {
        Definition::Path(pattern)
        | Definition::Stdout(pattern)
        | Definition::Stderr(pattern)
        | Definition::File { pattern, .. } => Some(pattern),
        _ => None,
    }
}
