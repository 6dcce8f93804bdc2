//! Adds workloads to the configuration's: further values of a parameter, and workloads that were recorded with such
//! values.

use std::collections::{BTreeMap, BTreeSet};

use trend_profile::{Definition, RunState};

use super::make::{self, combinations_of, inputs};
use super::single::planned;
use super::workload::{Plan, PlannedWorkload};
use crate::config::features::FeatureSource;
use crate::error::RunError;
use crate::words::parameter::Parameter;
use crate::words::quantity::parse_quantity;

impl Plan {
    /// Adds the workloads in which `parameter` has one of these values, with every input file and every combination of
    /// the other parameters. Returns the number of workloads that were new.
    ///
    /// If this makes fewer than `inputs` workloads per value, a parameter with whole numbers that only varies the
    /// randomness gets further values.
    ///
    /// # Errors
    /// [`RunError::NoWorkload`] if the input files no longer exist.
    pub fn extend(&mut self, parameter: &str, values: &[String], inputs: usize) -> Result<usize, RunError> {
        let before = self.workloads.len();
        for workload in self.further(parameter, values, inputs)? {
            self.add(workload);
        }
        self.settle();
        Ok(self.workloads.len() - before)
    }

    /// Returns the workloads that [`extend`](Self::extend) would add.
    ///
    /// # Errors
    /// [`RunError::NoWorkload`] if the input files no longer exist.
    pub fn further(
        &self,
        parameter: &str,
        values: &[String],
        inputs: usize,
    ) -> Result<Vec<PlannedWorkload>, RunError> {
        let mut sweep = self.config.workloads.parameters.clone();
        for swept in sweep.iter_mut().filter(|p| p.name == parameter) {
            swept.values = values.iter().map(|value| self.as_written(parameter, value)).collect();
        }
        let files = make::inputs(&self.config)?;
        let others = sweep.iter().filter(|p| p.name != parameter).map(|p| p.values.len());
        let others = others.product::<usize>() * files.len();
        let mut repetitions = sweep.iter_mut().filter(|p| p.is_repetition() && p.name != parameter);
        if let (Some(repetition), None) = (repetitions.next(), repetitions.next()) {
            count_on(repetition, inputs, others);
        }
        let names: BTreeSet<&str> = self.workloads.iter().map(|w| w.workload.name.as_str()).collect();
        let combinations = combinations_of(&sweep);
        let all = files.iter().flat_map(|file| combinations.iter().map(move |c| (file, c)));
        let all = all.map(|(file, c)| planned(&self.config, file.as_deref(), c, &mut BTreeSet::new()));
        Ok(all.filter(|w| !names.contains(w.workload.name.as_str())).collect())
    }

    /// Returns the workload that differs from `workload` only in the value of `parameter`.
    pub(crate) fn alike(&self, workload: &PlannedWorkload, parameter: &str, value: &str) -> PlannedWorkload {
        let changed = |(name, old): &(String, String)| {
            let value = if name == parameter { self.as_written(parameter, value) } else { old.clone() };
            (name.clone(), value)
        };
        let parameters: Vec<_> = workload.parameters.iter().map(changed).collect();
        planned(&self.config, workload.input_file.as_deref(), &parameters, &mut BTreeSet::new())
    }

    /// Returns the number of workloads in which the parameter has this value, or an equal quantity.
    pub fn count_of(&self, parameter: &str, value: &str) -> usize {
        self.values_of(parameter).filter(|other| is_same(other, value)).count()
    }

    /// Returns true if workloads must run one after another when each is run `repeat` times, because they write the
    /// same file.
    pub fn is_sequential(&self, repeat: u32) -> bool {
        let reads_a_file = |f: &FeatureSource| matches!(f.definition, Definition::File { .. });
        self.is_sequential || (repeat > 1 && self.config.features.iter().any(reads_a_file))
    }

    /// Returns a value as the plan's workloads write it, for example `1k` for 1000.
    fn as_written(&self, parameter: &str, value: &str) -> String {
        self.values_of(parameter).find(|other| is_same(other, value)).unwrap_or(value).to_owned()
    }

    fn values_of<'p>(&'p self, parameter: &'p str) -> impl Iterator<Item = &'p str> {
        let parameters = self.workloads.iter().flat_map(|w| &w.parameters);
        parameters.filter(move |(name, _)| name == parameter).map(|(_, value)| value.as_str())
    }

    /// Adds workloads that were recorded with success `repeat` times, and returns their number. They differ from the
    /// planned ones only in the values of parameters, and would still run the same way. They need no further runs.
    ///
    /// # Errors
    /// [`RunError::NoWorkload`] if the input files no longer exist.
    pub fn adopt(&mut self, recorded: &[RunState], repeat: u32) -> Result<usize, RunError> {
        let before = self.workloads.len();
        let names: BTreeSet<String> = self.workloads.iter().map(|w| w.workload.name.clone()).collect();
        let mut times: BTreeMap<(&str, &str), u32> = BTreeMap::new();
        for run in recorded.iter().filter(|run| run.outcome.is_finished() && !names.contains(&run.workload)) {
            *times.entry((&run.workload, &run.fingerprint)).or_default() +=
                u32::from(run.repetition < repeat);
        }
        times.retain(|_, times| *times >= repeat.max(1));
        for workload in self.with_other_values(&times.into_keys().collect())? {
            self.add(workload);
        }
        self.settle();
        Ok(self.workloads.len() - before)
    }

    /// Returns the names of recorded workloads that are no longer configured: their input file is gone or not
    /// configured, or they ran with other parameters or in another way. Workloads with further values of a parameter
    /// are not among them, and neither are workloads of other shards.
    ///
    /// # Errors
    /// [`RunError::NoWorkload`] if the input files no longer exist.
    pub fn retired(&self, recorded: &[RunState]) -> Result<BTreeSet<String>, RunError> {
        let names: BTreeSet<&str> = self.workloads.iter().map(|w| w.workload.name.as_str()).collect();
        let is_of_shard = |name: &str| self.config.shard.is_none_or(|shard| shard.has(name));
        let others: BTreeSet<(&str, &str)> = recorded
            .iter()
            .filter(|run| !names.contains(run.workload.as_str()) && is_of_shard(&run.workload))
            .map(|run| (run.workload.as_str(), run.fingerprint.as_str()))
            .collect();
        let alike = self.with_other_values(&others)?;
        let alike: BTreeSet<&str> = alike.iter().map(|w| w.workload.name.as_str()).collect();
        let retired = others.iter().filter(|(name, _)| !alike.contains(name));
        Ok(retired.map(|(name, _)| (*name).to_owned()).collect())
    }

    /// Returns the workloads of `of` that differ from configured ones only in the values of parameters. `of` has their
    /// names and fingerprints.
    fn with_other_values(&self, of: &BTreeSet<(&str, &str)>) -> Result<Vec<PlannedWorkload>, RunError> {
        let parameters = &self.config.workloads.parameters;
        if of.is_empty() || parameters.is_empty() {
            return Ok(Vec::new());
        }
        let mut workloads = Vec::new();
        for file in inputs(&self.config)? {
            let prefix = file.as_deref().map_or(String::new(), |file| {
                format!("{} ", file.strip_prefix(&self.config.folder).unwrap_or(file).to_string_lossy())
            });
            for (name, fingerprint) in of {
                let values = name.strip_prefix(&prefix).and_then(|rest| values_in(rest, parameters));
                let Some(values) = values else { continue };
                let workload = planned(&self.config, file.as_deref(), &values, &mut BTreeSet::new());
                if workload.workload.fingerprint == *fingerprint {
                    workloads.push(workload);
                }
            }
        }
        Ok(workloads)
    }

    fn add(&mut self, workload: PlannedWorkload) {
        if self.workloads.iter().all(|w| w.workload.name != workload.workload.name) {
            self.workloads.push(workload);
        }
    }
}

/// Returns true if two values are equal as texts or as quantities.
fn is_same(other: &str, value: &str) -> bool {
    other == value || parse_quantity(other).ok().zip(parse_quantity(value).ok()).is_some_and(|(a, b)| a == b)
}

/// Adds whole numbers to a parameter that only varies the randomness, until the number of combinations grows from
/// `others` to at least `inputs`.
fn count_on(repetition: &mut Parameter, inputs: usize, others: usize) {
    let numbers: Option<Vec<i64>> = repetition.values.iter().map(|v| v.parse().ok()).collect();
    let Some(last) = numbers.and_then(|n| n.into_iter().max()) else { return };
    let per_value = (others / repetition.values.len()).max(1);
    let missing = inputs.div_ceil(per_value).saturating_sub(repetition.values.len());
    repetition.values.extend((1..=missing as i64).map_while(|i| Some(last.checked_add(i)?.to_string())));
}

/// Parses the values in a workload's name, such as `n=60 seed=1`.
fn values_in(name: &str, parameters: &[Parameter]) -> Option<Vec<(String, String)>> {
    let mut rest = name.strip_prefix(&format!("{}=", parameters.first()?.name))?;
    let mut values = Vec::new();
    for (i, parameter) in parameters.iter().enumerate() {
        let value = match parameters.get(i + 1) {
            None => rest,
            Some(next) => {
                let (value, after) = rest.split_once(&format!(" {}=", next.name))?;
                rest = after;
                value
            }
        };
        values.push((parameter.name.clone(), value.to_owned()));
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::*;
    use crate::config::command_line::CommandLine;
    use crate::config::settings::Config;
    use crate::plan::make::plan;
    use crate::words::parameter::parse_parameter;

    fn swept(parameters: &[&str]) -> Plan {
        let line = CommandLine {
            command: ["./sort", "{n}", "{seed}"].map(OsString::from).to_vec(),
            parameters: parameters.iter().map(|p| parse_parameter(p).unwrap()).collect(),
            ..CommandLine::default()
        };
        plan(&Config::from_command_line(Path::new("/nowhere"), line).unwrap()).unwrap()
    }

    fn names(plan: &Plan) -> Vec<&str> {
        plan.workloads.iter().map(|w| w.workload.name.as_str()).collect()
    }

    fn recorded(plan: &Plan) -> Vec<RunState> {
        let state = |w: &PlannedWorkload| RunState {
            workload: w.workload.name.clone(),
            fingerprint: w.workload.fingerprint.clone(),
            repetition: 0,
            outcome: trend_profile::Outcome::Finished,
            usage: None,
            is_timed: false,
            is_sampled: false,
            has_series: false,
            stderr_tail: String::new(),
        };
        plan.workloads.iter().map(state).collect()
    }

    #[test]
    fn further_values_come_with_every_combination_of_the_others() {
        let mut plan = swept(&["n=60", "seed=1,2"]);
        assert_eq!(plan.extend("n", &["600".to_owned(), "60".to_owned()], 1).unwrap(), 2);
        assert_eq!(names(&plan), ["n=60 seed=1", "n=60 seed=2", "n=600 seed=1", "n=600 seed=2"]);
        assert_eq!(plan.extend("n", &["600".to_owned()], 2).unwrap(), 0);
        assert_eq!(plan.extend("n", &["7".to_owned()], 3).unwrap(), 3);
        assert_eq!(names(&plan)[..3], ["n=7 seed=1", "n=7 seed=2", "n=7 seed=3"]);
        assert_eq!(plan.workloads[2].workload.command, "./sort 7 3");
    }

    #[test]
    fn what_was_recorded_of_further_values_is_known_again() {
        let mut extended = swept(&["n=60", "seed=1,2"]);
        extended.extend("n", &["600".to_owned()], 3).unwrap();
        let mut plan = swept(&["n=60", "seed=1,2"]);
        assert_eq!(plan.adopt(&recorded(&extended), 1).unwrap(), 3);
        assert_eq!(names(&plan), names(&extended));
        assert_eq!(plan.adopt(&recorded(&extended), 1).unwrap(), 0);
    }

    #[test]
    fn what_was_recorded_less_often_than_is_asked_for_is_left_alone() {
        let states = recorded(&swept(&["n=600,6000", "seed=1"]));
        let twice = RunState { repetition: 1, ..states[0].clone() };
        let mut plan = swept(&["n=60", "seed=1"]);
        assert_eq!(plan.adopt(&[&states[..], &[twice]].concat(), 2).unwrap(), 1);
        assert_eq!(names(&plan), ["n=60 seed=1", "n=600 seed=1"]);
    }

    #[test]
    fn a_value_written_in_another_way_is_the_same() {
        let mut plan = swept(&["n=60", "seed=1"]);
        plan.extend("n", &["1k".to_owned()], 1).unwrap();
        let thousand = ["1000".to_owned()];
        assert_eq!((plan.count_of("n", "1000"), plan.further("n", &thousand, 1).unwrap().len()), (1, 0));
        assert_eq!(plan.extend("n", &thousand, 2).unwrap(), 1);
        assert_eq!(names(&plan), ["n=60 seed=1", "n=1k seed=1", "n=1k seed=2"]);
    }

    #[test]
    fn without_a_parameter_to_count_on_there_are_no_further_inputs() {
        let mut plan = swept(&["n=60", "seed=a,b"]);
        assert!(plan.further("n", &["60".to_owned()], 5).unwrap().is_empty());
        assert_eq!(plan.extend("n", &["60".to_owned()], 5).unwrap(), 0);
    }

    #[test]
    fn what_was_run_in_another_way_or_failed_is_not() {
        let mut states = recorded(&swept(&["n=600", "seed=1,2"]));
        states[0].outcome = trend_profile::Outcome::TimedOut;
        states[1].fingerprint.push('0');
        states.extend(recorded(&swept(&["seed=1", "n=7"])));
        let mut plan = swept(&["n=60", "seed=1,2"]);
        assert_eq!(plan.adopt(&states, 1).unwrap(), 0);
        assert_eq!(plan.workloads.len(), 2);
        // A failed run at a further size is still a result of this configuration.
        let retired = plan.retired(&states).unwrap();
        assert_eq!(retired.iter().collect::<Vec<_>>(), ["n=600 seed=2", "seed=1 n=7"]);
    }

    #[test]
    fn what_other_shards_recorded_is_not_retired() {
        let mut plan = swept(&["n=60", "seed=1"]);
        let states = recorded(&swept(&["seed=1,2,3,4", "n=60,600"]));
        assert_eq!(plan.retired(&states).unwrap().len(), 8);
        plan.config.shard = Some(crate::Shard::parse("1/2").unwrap());
        let retired = plan.retired(&states).unwrap().len();
        plan.config.shard = Some(crate::Shard::parse("2/2").unwrap());
        assert!(retired > 0 && retired + plan.retired(&states).unwrap().len() == 8, "{retired}");
    }
}
