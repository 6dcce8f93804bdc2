//! Measured values at points of some parameters: what benchmark tools write.
//!
//! What was measured is a location, the parameters are features, and a point is a workload. Each value is one
//! repetition.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexSet;
use trend_profile::{Symbol, Unit, Warning};

use super::budget::{COUNT, ENTRY, RUN};
use super::place::Places;
use super::text::shown;
use super::{Budget, ImportError, Imported, ImportedRun};

/// Picoseconds of a second.
pub(super) const SECOND: f64 = 1e12;
/// Picoseconds of a nanosecond.
pub(super) const NANOSECOND: f64 = 1e3;

/// More parameters, or longer names of them, are none that a person wrote; every point has a copy of them.
const MOST_FEATURES: usize = 20;
const LONGEST_FEATURE: usize = 100;

/// Refuses parameters that would take much more memory than the file.
pub(super) fn check<'a>(mut features: impl Iterator<Item = &'a str>) -> Result<(), ImportError> {
    let mut count = 0;
    if let Some(long) = features.find(|name| {
        count += 1;
        name.len() > LONGEST_FEATURE || count > MOST_FEATURES
    }) {
        let what = format!(
            "parameter `{}`: at most {MOST_FEATURES} parameters are possible, of {LONGEST_FEATURE} bytes at most",
            shown(long)
        );
        return Err(ImportError::Contradictory { what });
    }
    Ok(())
}

/// Collects points.
pub(super) struct BenchmarkRuns {
    places: Places,
    budget: Rc<Budget>,
    names: HashMap<String, u32>,
    features: IndexSet<String>,
    runs: Vec<ImportedRun>,
}

impl BenchmarkRuns {
    pub(super) fn new(budget: &Rc<Budget>) -> Self {
        Self {
            places: Places::new(budget),
            budget: Rc::clone(budget),
            names: HashMap::new(),
            features: IndexSet::new(),
            runs: Vec::new(),
        }
    }

    /// Measured values of what is called `name`, each a repetition.
    pub(super) fn add(
        &mut self,
        name: &str,
        features: &[(String, f64)],
        costs: impl Iterator<Item = Result<u64, String>>,
    ) -> Result<(), ImportError> {
        check(features.iter().map(|(name, _)| name.as_str()))?;
        let location = self.location(name);
        for (feature, _) in features {
            if self.features.insert(feature.clone()) {
                self.budget.keep(2 * (ENTRY + feature.len()));
            }
        }
        self.budget.keep(features.iter().map(|(name, _)| 2 * (ENTRY + name.len())).sum());
        let run = ImportedRun {
            workload: Some(workload(features).into()),
            features: features.into(),
            counts: Vec::new(),
        };
        for cost in costs {
            let cost = cost
                .map_err(|what| ImportError::Contradictory { what: format!("`{}`: {what}", shown(name)) })?;
            self.budget.keep(RUN + COUNT);
            self.budget.check()?;
            self.runs.push(ImportedRun { counts: vec![(location, cost)], ..run.clone() });
        }
        Ok(())
    }

    fn location(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        self.budget.keep(ENTRY + name.len());
        let file = self.places.file("");
        let symbol = Symbol::plain(name);
        let function = self.places.function_of(symbol, file, 0);
        let location = self.places.labelled(function, 0, file, 0, name);
        self.names.insert(name.to_owned(), location);
        location
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        self.places.warn(warning);
    }

    pub(super) fn finish(self, unit: Unit, nothing: &str) -> Result<Imported, ImportError> {
        if self.runs.is_empty() {
            return Err(ImportError::NoCounts { reason: nothing.to_owned() });
        }
        Ok(Imported { unit, features: self.features.into_iter().collect(), ..self.places.finish(self.runs) })
    }
}

/// A point's name: `n=100 m=2`.
fn workload(features: &[(String, f64)]) -> String {
    if features.is_empty() {
        return "all".to_owned();
    }
    let words: Vec<String> = features.iter().map(|(name, value)| format!("{name}={value}")).collect();
    words.join(" ")
}

/// A time in picoseconds. `unit` is how many picoseconds the number counts.
pub(super) fn picoseconds(value: f64, unit: f64) -> Result<u64, String> {
    whole(value * unit).ok_or_else(|| format!("the time {value} is negative, no number or too large"))
}

/// The nearest whole number, where there is one that is not negative.
pub(super) fn whole(value: f64) -> Option<u64> {
    let value = value.round();
    // 2^64 itself is the first that does not fit.
    (0.0..18_446_744_073_709_551_616.0).contains(&value).then_some(value as u64)
}
