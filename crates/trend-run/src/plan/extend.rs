//! Workloads beside those of the configuration: further values of a parameter, and what was recorded of them.

use std::collections::BTreeSet;

use trend_profile::RunState;

use super::{Expense, Plan, combinations_of, expense, inputs, planned, writes_one_file};
use crate::{Parameter, PlannedWorkload, RunError};

impl Plan {
    /// Adds the workloads in which `parameter` has one of these values, with every input file and every combination
    /// of the other parameters, and gives how many there are that were not in the plan yet.
    ///
    /// Where that makes fewer than `inputs` workloads of a value, and one parameter only varies the randomness and has
    /// whole numbers for values, it goes on counting.
    ///
    /// # Errors
    /// [`RunError::NoWorkload`] where the input files have gone.
    pub fn extend(&mut self, parameter: &str, values: &[String], inputs: usize) -> Result<usize, RunError> {
        let mut sweep = self.config.workloads.parameters.clone();
        for swept in sweep.iter_mut().filter(|p| p.name == parameter) {
            swept.values = values.to_vec();
        }
        let others: usize = sweep.iter().filter(|p| p.name != parameter).map(|p| p.values.len()).product();
        let mut repetitions = sweep.iter_mut().filter(|p| p.is_repetition() && p.name != parameter);
        if let (Some(repetition), None) = (repetitions.next(), repetitions.next()) {
            count_on(repetition, inputs, others);
        }
        let before = self.workloads.len();
        for file in super::inputs(&self.config)? {
            for combination in combinations_of(&sweep) {
                self.add(planned(&self.config, file.as_deref(), &combination, &mut BTreeSet::new()));
            }
        }
        self.settle();
        Ok(self.workloads.len() - before)
    }

    /// Adds the workloads that were recorded with success, differ from the planned ones by nothing but the values of
    /// parameters, and would still be run the same way; gives how many.
    ///
    /// # Errors
    /// [`RunError::NoWorkload`] where the input files have gone.
    pub fn adopt(&mut self, recorded: &[RunState]) -> Result<usize, RunError> {
        let before = self.workloads.len();
        let known: BTreeSet<String> = self.workloads.iter().map(|w| w.workload.name.clone()).collect();
        let names: Vec<&RunState> = recorded
            .iter()
            .filter(|run| run.outcome.is_finished() && !known.contains(&run.workload))
            .collect();
        if names.is_empty() || self.config.workloads.parameters.is_empty() {
            return Ok(0);
        }
        for file in inputs(&self.config)? {
            let prefix = file.as_deref().map_or(String::new(), |file| {
                format!("{} ", file.strip_prefix(&self.config.folder).unwrap_or(file).to_string_lossy())
            });
            for run in &names {
                let values = run.workload.strip_prefix(&prefix);
                let Some(values) = values.and_then(|v| values_in(v, &self.config.workloads.parameters))
                else {
                    continue;
                };
                let workload = planned(&self.config, file.as_deref(), &values, &mut BTreeSet::new());
                if workload.workload.fingerprint == run.fingerprint {
                    self.add(workload);
                }
            }
        }
        self.settle();
        Ok(self.workloads.len() - before)
    }

    fn add(&mut self, workload: PlannedWorkload) {
        if self.workloads.iter().all(|w| w.workload.name != workload.workload.name) {
            self.workloads.push(workload);
        }
    }

    /// The order and what else depends on all workloads.
    fn settle(&mut self) {
        let config = &self.config;
        self.workloads.sort_by_cached_key(|w| (Expense(expense(config, w)), w.workload.name.clone()));
        self.sequential = writes_one_file(config, &self.workloads);
    }
}

/// Further whole numbers for a parameter that only varies the randomness, so that `others` combinations become at
/// least `inputs`.
fn count_on(repetition: &mut Parameter, inputs: usize, others: usize) {
    let numbers: Option<Vec<i64>> = repetition.values.iter().map(|v| v.parse().ok()).collect();
    let Some(last) = numbers.and_then(|n| n.into_iter().max()) else { return };
    let per_value = (others / repetition.values.len()).max(1);
    let missing = inputs.div_ceil(per_value).saturating_sub(repetition.values.len());
    repetition.values.extend((1..=missing as i64).map_while(|i| Some(last.checked_add(i)?.to_string())));
}

/// The values in a workload's name such as `n=60 seed=1`.
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
    use crate::{CommandLine, Config, parse_parameter, plan};

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
            wall: None,
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
        assert_eq!(plan.adopt(&recorded(&extended)).unwrap(), 3);
        assert_eq!(names(&plan), names(&extended));
        assert_eq!(plan.adopt(&recorded(&extended)).unwrap(), 0);
    }

    #[test]
    fn what_was_run_in_another_way_or_failed_is_not() {
        let mut states = recorded(&swept(&["n=600", "seed=1,2"]));
        states[0].outcome = trend_profile::Outcome::TimedOut;
        states[1].fingerprint.push('0');
        states.extend(recorded(&swept(&["seed=1", "n=7"])));
        let mut plan = swept(&["n=60", "seed=1,2"]);
        assert_eq!(plan.adopt(&states).unwrap(), 0);
        assert_eq!(plan.workloads.len(), 2);
    }
}
