//! Reads values measured at points of some parameters, as benchmark tools write them.
//!
//! A benchmark is a location, the parameters are features, and a point is a workload. Each value is one repetition.

use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexSet;
use trend_profile::{Symbol, Unit, Warning, WarningKind};

use super::budget::{COUNT, ENTRY, RUN};
use super::place::Places;
use super::text::shown;
use super::{Budget, ImportError, Imported, ImportedRun};

/// Picoseconds per second.
pub(super) const SECOND: f64 = 1e12;
/// Picoseconds per nanosecond.
pub(super) const NANOSECOND: f64 = 1e3;

/// Maximum number of parameters, and maximum bytes of their names; handwritten benchmarks stay below. Every point has a
/// copy of them.
const MOST_FEATURES: usize = 20;
const LONGEST_FEATURE: usize = 100;
/// Maximum number of decimal digits kept.
const MOST_DIGITS: i32 = 12;

/// Rejects parameters that would take much more memory than the file.
pub(super) fn check<'a>(mut features: impl Iterator<Item = &'a str>) -> Result<(), ImportError> {
    let mut count = 0;
    if let Some(long) = features.find(|name| {
        count += 1;
        name.len() > LONGEST_FEATURE || count > MOST_FEATURES
    }) {
        let what = format!(
            "parameter `{}`: at most {MOST_FEATURES} parameters of at most {LONGEST_FEATURE} bytes are \
             possible",
            shown(long)
        );
        return Err(ImportError::Contradictory { what });
    }
    Ok(())
}

/// Splits the numbers off a benchmark's name and returns them as features. A single unnamed number is `n`, several are
/// `arg1`, `arg2`, … `number` returns a word's number and its name; all other words belong to the benchmark's name.
pub(super) fn arguments<'a>(
    words: impl Iterator<Item = &'a str>,
    number: impl Fn(&'a str) -> Option<(Option<&'a str>, f64)>,
) -> Result<(String, Vec<(String, f64)>), ImportError> {
    let mut family = String::new();
    let mut unnamed: Vec<f64> = Vec::new();
    let mut named: Vec<(&str, f64)> = Vec::new();
    for (position, word) in words.enumerate() {
        match number(word).filter(|(_, value)| value.is_finite()) {
            Some((Some(name), value)) if position > 0 => named.push((name, value)),
            Some((None, value)) if position > 0 => unnamed.push(value),
            _ => {
                if position > 0 {
                    family.push('/');
                }
                family.push_str(word);
            }
        }
    }
    check(named.iter().map(|(name, _)| *name).chain(unnamed.iter().map(|_| "")))?;
    let count = unnamed.len();
    let argument =
        |(i, value): (usize, f64)| (if count == 1 { "n".to_owned() } else { format!("arg{}", i + 1) }, value);
    let mut all: Vec<(String, f64)> = unnamed.into_iter().enumerate().map(argument).collect();
    for (name, value) in named {
        if !all.iter().any(|(parameter, _)| *parameter == name) {
            all.push((name.to_owned(), value));
        }
    }
    Ok((family, all))
}

/// Returns the unit for values that may have decimal digits, and the factor that makes them whole numbers of it.
pub(super) fn scale(metric: &str, values: &(impl Iterator<Item = f64> + Clone)) -> (Unit, f64) {
    let most = values.clone().fold(0.0, f64::max);
    let mut digits = 0;
    let is_whole = |digits: i32| {
        let factor = 10_f64.powi(digits);
        values.clone().all(|v| ((v * factor).round() - v * factor).abs() <= 1e-9 * (v * factor).abs())
    };
    while digits < MOST_DIGITS && !is_whole(digits) && whole(most * 10_f64.powi(digits + 1)).is_some() {
        digits += 1;
    }
    let name = if digits == 0 { metric.to_owned() } else { format!("1e-{digits} {metric}") };
    (Unit::new(&name), 10_f64.powi(digits))
}

/// Returns the warning for a text whose last number may lack digits.
pub(super) fn unfinished() -> Warning {
    let message = "its last line has no end, so its last number may be cut off";
    Warning::new(WarningKind::UnfinishedLine, message)
}

/// Collects the runs of benchmarks.
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

    /// Adds measured values of the benchmark `name`; each is a repetition.
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
        if let Some(&id) = self.names.get(name) {
            return id;
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

/// Returns a point's name: `n=100 m=2`.
fn workload(features: &[(String, f64)]) -> String {
    if features.is_empty() {
        return "all".to_owned();
    }
    let words: Vec<String> = features.iter().map(|(name, value)| format!("{name}={value}")).collect();
    words.join(" ")
}

/// Converts a time to picoseconds. `unit` is the number of picoseconds per unit of the value.
pub(super) fn picoseconds(value: f64, unit: f64) -> Result<u64, String> {
    whole(value * unit).ok_or_else(|| format!("the time {value} is negative, not a number or too large"))
}

/// Rounds to the nearest whole number; returns `None` for negative or too large ones.
pub(super) fn whole(value: f64) -> Option<u64> {
    let value = value.round();
    // 2^64 itself is the first number that does not fit.
    (0.0..18_446_744_073_709_551_616.0).contains(&value).then_some(value as u64)
}
