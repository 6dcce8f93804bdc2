//! Plans an extra workload of three times the largest size, which runs only without counters. Its measured time and
//! memory are worth more than any law of the smaller sizes.
//!
//! It must not need more time or memory than there is. Its needs are extrapolated from the counted runs, as a power of
//! the size with an exponent of at least 1.

use std::time::Duration;

use trend_profile::{RunState, Usage};

use crate::plan::workload::{Plan, PlannedWorkload};
use crate::words::quantity::parse_quantity;

/// Factor from the largest size.
const TIMES: f64 = 3.0;

/// Largest share of the machine's free memory that such a run may take.
const MOST_MEMORY: f64 = 0.5;

/// The workload, and its expected needs.
pub(crate) struct Larger {
    pub(crate) workload: PlannedWorkload,
    /// Expected time, in multiples of the longest counted workload's time.
    time: f64,
    /// Expected peak memory in bytes.
    peak_bytes: f64,
}

impl Larger {
    /// Creates the workload for a plan with a single size parameter. Returns `None` if `longest` does not have the
    /// parameter's largest value, or if there is no smaller size to extrapolate from.
    pub(crate) fn extrapolate(plan: &Plan, states: &[RunState], longest: &PlannedWorkload) -> Option<Self> {
        let parameters = &plan.config.workloads.parameters;
        let mut sizes = parameters.iter().filter(|p| p.is_numeric() && !p.is_repetition());
        let (parameter, None) = (sizes.next()?, sizes.next()) else { return None };
        let recorded = |workload: &PlannedWorkload| {
            let is_it = |s: &&RunState| s.workload == workload.workload.name && s.outcome.is_finished();
            let usage = states.iter().find(is_it)?.usage?;
            // Runs with other files, or with other values of the remaining parameters, say nothing about this one's
            // growth.
            let is_alike = workload.input_file == longest.input_file
                && workload
                    .parameters
                    .iter()
                    .zip(&longest.parameters)
                    .all(|(a, b)| a == b || a.0 == parameter.name);
            Some((size_of(workload, &parameter.name)?, usage)).filter(|_| is_alike)
        };
        let runs: Vec<(f64, Usage)> = plan.workloads.iter().filter_map(recorded).collect();
        let largest = size_of(longest, &parameter.name)?;
        let (_, of_largest) = *runs.iter().find(|(size, _)| *size == largest)?;
        let smaller = runs.iter().filter(|(size, _)| *size > 0.0 && *size * 2.0 <= largest);
        let (size, of_smaller) = smaller.max_by(|a, b| a.0.total_cmp(&b.0))?;
        if runs.iter().any(|(size, _)| *size > largest) {
            return None;
        }
        let growth =
            |large: f64, small: f64| TIMES.powf(((large / small).ln() / (largest / size).ln()).max(1.0));
        let time = growth(of_largest.cpu().as_secs_f64(), of_smaller.cpu().as_secs_f64());
        let peak = |usage: &Usage| usage.peak_rss_bytes as f64;
        let peak_bytes = peak(&of_largest) * growth(peak(&of_largest), peak(of_smaller));
        let is_whole = parameter.values.iter().all(|v| parse_quantity(v).is_ok_and(|v| v.fract() == 0.0));
        let value = TIMES * largest;
        let value = if is_whole { format!("{value:.0}") } else { format!("{value}") };
        let workload = plan.alike(longest, &parameter.name, &value);
        (time.is_finite() && peak_bytes.is_finite()).then_some(Self { workload, time, peak_bytes })
    }

    /// Returns the expected duration. `longest` is the duration of the longest counted workload.
    pub(crate) fn expected(&self, longest: Duration) -> Duration {
        Duration::try_from_secs_f64(longest.as_secs_f64() * self.time).unwrap_or(Duration::MAX)
    }

    /// Returns true if a machine with this much free memory can run it.
    pub(crate) fn fits_into(&self, free_bytes: u64) -> bool {
        self.peak_bytes <= MOST_MEMORY * free_bytes as f64
    }
}

fn size_of(workload: &PlannedWorkload, parameter: &str) -> Option<f64> {
    let (_, value) = workload.parameters.iter().find(|(name, _)| name == parameter)?;
    parse_quantity(value).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use trend_profile::Outcome;

    use super::*;
    use crate::config::command_line::CommandLine;
    use crate::config::settings::Config;
    use crate::plan::make::plan;
    use crate::words::parameter::parse_parameter;

    fn swept(parameters: &[&str]) -> Plan {
        let parameters: Vec<_> = parameters.iter().map(|p| parse_parameter(p).unwrap()).collect();
        let words = parameters.iter().map(|p| format!("{{{}}}", p.name).into());
        let command = std::iter::once("./sort".into()).chain(words).collect();
        let line = CommandLine { command, parameters, ..CommandLine::default() };
        plan(&Config::from_command_line(Path::new("/nowhere"), line).unwrap()).unwrap()
    }

    /// Plans the larger workload after runs that take n² ns and 100·n bytes. With the second seed, runs take twice as
    /// long.
    fn larger(plan: &Plan, longest: &str) -> Option<Larger> {
        let state = |w: &PlannedWorkload| {
            let n = size_of(w, "n").unwrap();
            let user = Duration::from_nanos((n * n * size_of(w, "seed").unwrap_or(1.0)) as u64);
            let usage = Usage { wall: user, user, peak_rss_bytes: 100 * n as u64, ..Usage::default() };
            RunState {
                workload: w.workload.name.clone(),
                fingerprint: w.workload.fingerprint.clone(),
                repetition: 0,
                outcome: Outcome::Finished,
                usage: Some(usage),
                is_timed: false,
                is_sampled: false,
                has_series: false,
                stderr_tail: String::new(),
            }
        };
        let states: Vec<RunState> = plan.workloads.iter().map(state).collect();
        let longest = plan.workloads.iter().find(|w| w.workload.name == longest).unwrap();
        Larger::extrapolate(plan, &states, longest)
    }

    #[test]
    fn three_times_the_largest_size_takes_what_the_runs_say_of_it() {
        let plan = swept(&["n=1000,4000,5000", "seed=1,2"]);
        let larger_run = larger(&plan, "n=5000 seed=2").unwrap();
        assert_eq!(larger_run.workload.workload.name, "n=15000 seed=2");
        let expected = larger_run.expected(Duration::from_millis(50));
        assert!((expected.as_secs_f64() / 0.45 - 1.0).abs() < 1e-9, "{expected:?}");
        assert!((larger_run.peak_bytes / 1.5e6 - 1.0).abs() < 1e-9, "{}", larger_run.peak_bytes);
        assert!(larger_run.fits_into(4_000_000) && !larger_run.fits_into(2_000_000));
    }

    #[test]
    fn without_one_size_that_the_longest_run_has_most_of_there_is_none() {
        assert!(larger(&swept(&["n=1000,5000", "m=1,2"]), "n=5000 m=2").is_none());
        assert!(larger(&swept(&["n=1000,4000,5000"]), "n=4000").is_none());
        // Without a smaller size, its time cannot be extrapolated.
        assert!(larger(&swept(&["n=4000,5000"]), "n=5000").is_none());
    }
}
