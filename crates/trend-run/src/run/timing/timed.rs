//! Chooses the workloads to time and to sample, and collects their runs without counters.
//!
//! `stopwatch` runs a copy of the program without updates of counters. `trend-model` has the law of these times, and
//! `trend-analyze` the predictions at the target.

use std::io;
use std::time::Duration;

use trend_collect::Samples;
use trend_profile::{RunState, Timing, Usage};

use crate::machine::description::memory_bytes;
use crate::plan::workload::{Plan, PlannedWorkload};

/// Minimum time of a workload. Starting a process takes 0.5 to 2.4 ms, and workloads below about ten times that say
/// little.
const LEAST: Duration = Duration::from_millis(20);

/// Maximum ratio to the time of the next longer workload that is timed. A workload above it adds little: the predictions
/// of twelve programs were no worse with 0.75 than with 0.9. With 0.6, mostly the slowest input of each size is timed,
/// which biases predictions: 20 instead of 11 min for the demo.
const NEXT: f64 = 0.75;

/// Maximum ratio if [`NEXT`] leaves fewer than [`FEWEST`] workloads.
const NEXT_OF_FEW: f64 = 0.9;

/// Minimum number of timed workloads that show how time depends on the counts.
const FEWEST: usize = 3;

/// Number of timed runs of a workload, by the time of one run.
pub(crate) const REPETITIONS: [(Duration, usize); 2] =
    [(Duration::from_millis(100), 5), (Duration::from_secs(1), 3)];

/// CPU time between samples, in a run that is not timed and in one that is. A sample takes about 16 µs: 7 % of
/// the first period (measured), and 2 % of the second (computed). The periods are not round numbers, so that they do
/// not coincide with anything a program does every millisecond.
const PERIOD: Duration = Duration::from_micros(251);
const LONG_PERIOD: Duration = Duration::from_micros(1009);

/// Maximum number of samples, judged by the counted run. A run that uses many processors for hours has a longer period.
/// With this number, the standard error of a share is at most 0.16 %, and the kernel writes 3 MB. Runs without counters
/// are shorter and have fewer samples.
const MOST_SAMPLES: u32 = 100_000;

/// Besides the longest run, the longest one that takes at most this part of it is sampled.
const SMALLER: f64 = 0.5;

/// A workload to time, or a timed workload to sample.
pub(crate) struct Timed<'a> {
    pub(crate) workload: &'a PlannedWorkload,
    pub(crate) counted: Usage,
    /// True if the workload was already timed earlier.
    pub(crate) is_known: bool,
    pub(crate) runs: Vec<Usage>,
    /// True if samples are to be taken.
    pub(crate) is_to_be_sampled: bool,
    pub(crate) samples: Option<Sampling>,
}

/// A run that was sampled.
pub(crate) struct Sampling {
    pub(crate) usage: Usage,
    pub(crate) period: Duration,
    pub(crate) samples: io::Result<Samples>,
}

impl Timed<'_> {
    /// Returns the number of timed runs that the workload needs.
    pub(crate) fn wanted(&self) -> usize {
        if self.is_known {
            return 0;
        }
        let one = self.runs.first().unwrap_or(&self.counted).wall;
        REPETITIONS.iter().find(|(most, _)| one <= *most).map_or(1, |(_, wanted)| *wanted)
    }

    /// Returns the period of samples in the first timed run, if this run is to be sampled. It is sampled only if it is
    /// long and therefore run once.
    pub(crate) fn period_when_timed(&self) -> Option<Duration> {
        (self.is_to_be_sampled && self.wanted() == 1).then(|| self.at_least(LONG_PERIOD))
    }

    /// Returns the period of samples in a run that is not timed.
    pub(crate) fn period(&self) -> Duration {
        self.at_least(PERIOD)
    }

    fn at_least(&self, period: Duration) -> Duration {
        period.max(self.counted.cpu() / MOST_SAMPLES)
    }

    /// Returns true if other processes used the processor in all its runs.
    pub(crate) fn is_disturbed(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(|run| !is_undisturbed(run))
    }
}

/// Returns true if the program always had a processor for itself and never waited.
pub(crate) fn is_undisturbed(run: &Usage) -> bool {
    run.wall <= run.cpu().mul_f64(1.08) + Duration::from_millis(2)
}

/// Returns the timing of a workload's runs. Runs in which the program waited are dropped if there are others.
pub(crate) fn timing(runs: Vec<Usage>) -> Timing {
    let undisturbed: Vec<Usage> = runs.iter().filter(|run| is_undisturbed(run)).copied().collect();
    let runs = if undisturbed.is_empty() { runs } else { undisturbed };
    Timing { machine_memory_bytes: memory_bytes(), runs }
}

/// Returns the workloads to time or to sample, the longest first.
pub(crate) fn chosen<'a>(plan: &'a Plan, states: &[RunState]) -> Vec<Timed<'a>> {
    let recorded = |workload: &'a PlannedWorkload| {
        let name = &workload.workload.name;
        let mut of = states.iter().filter(|s| s.workload == *name && s.outcome.is_finished());
        let state = of.next().filter(|s| s.fingerprint == workload.workload.fingerprint)?;
        let counted = state.usage.filter(|usage| usage.cpu() >= LEAST)?;
        let (is_known, runs) = (state.is_timed, Vec::new());
        let timed = Timed { workload, counted, is_known, runs, is_to_be_sampled: false, samples: None };
        Some((timed, state.is_sampled))
    };
    let mut all: Vec<(Timed<'a>, bool)> = plan.workloads.iter().filter_map(recorded).collect();
    all.sort_by(|(a, _), (b, _)| {
        let by_name = || a.workload.workload.name.cmp(&b.workload.workload.name);
        b.counted.cpu().cmp(&a.counted.cpu()).then_with(by_name)
    });
    let spaced = |ratio: f64| {
        let mut least = Duration::MAX;
        let mut is_chosen = |(one, _): &(Timed<'_>, bool)| {
            let is_chosen = one.is_known || one.counted.cpu() <= least;
            if is_chosen {
                least = one.counted.cpu().mul_f64(ratio);
            }
            is_chosen
        };
        all.iter().map(&mut is_chosen).collect::<Vec<bool>>()
    };
    let mut chosen = spaced(NEXT);
    if chosen.iter().filter(|is_chosen| **is_chosen).count() < FEWEST {
        chosen = spaced(NEXT_OF_FEW);
    }
    let mut chosen = chosen.into_iter();
    all.retain(|_| chosen.next().unwrap_or(false));
    for position in sampled(&all) {
        let (one, is_sampled) = &mut all[position];
        one.is_to_be_sampled = !*is_sampled;
    }
    all.into_iter().map(|(one, _)| one).filter(|one| !one.is_known || one.is_to_be_sampled).collect()
}

/// Returns the positions of the workloads to sample. These are the longest one, and one that is enough shorter to show
/// how the parts grow, or else the shortest.
fn sampled(all: &[(Timed<'_>, bool)]) -> impl Iterator<Item = usize> + use<> {
    let most = all.first().map_or(Duration::ZERO, |(longest, _)| longest.counted.cpu().mul_f64(SMALLER));
    let smaller = all.iter().position(|(one, _)| one.counted.cpu() <= most);
    let shortest = all.len().checked_sub(1);
    shortest.into_iter().flat_map(move |shortest| [0, smaller.unwrap_or(shortest)])
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

    /// Creates a plan of these sizes, with recorded runs that took n ms with counters.
    fn sized(sizes: &str) -> (Plan, Vec<RunState>) {
        let parameters = vec![parse_parameter(&format!("n={sizes}")).unwrap()];
        let command = vec!["./work".into(), "{n}".into()];
        let line = CommandLine { command, parameters, ..CommandLine::default() };
        let plan = plan(&Config::from_command_line(Path::new("/nowhere"), line).unwrap()).unwrap();
        let state = |workload: &PlannedWorkload| {
            let took = Duration::from_millis(workload.parameters[0].1.parse().unwrap());
            RunState {
                workload: workload.workload.name.clone(),
                fingerprint: workload.workload.fingerprint.clone(),
                repetition: 0,
                outcome: Outcome::Finished,
                usage: Some(Usage { wall: took, user: took, ..Usage::default() }),
                is_timed: false,
                is_sampled: false,
                has_series: false,
                stderr_tail: String::new(),
            }
        };
        let states = plan.workloads.iter().map(state).collect();
        (plan, states)
    }

    /// Returns the chosen sizes, and for each if it is timed and if it is sampled.
    fn selected(plan: &Plan, states: &[RunState]) -> Vec<(String, bool, bool)> {
        let one =
            |one: &Timed<'_>| (one.workload.parameters[0].1.clone(), !one.is_known, one.is_to_be_sampled);
        chosen(plan, states).iter().map(one).collect()
    }

    fn expected(all: &[(u32, bool, bool)]) -> Vec<(String, bool, bool)> {
        all.iter().map(|(n, is_timed, is_sampled)| (n.to_string(), *is_timed, *is_sampled)).collect()
    }

    #[test]
    fn the_longest_and_half_of_it_are_sampled() {
        let (plan, states) = sized("10,100,390,400,800");
        let all = [(800, true, true), (400, true, true), (100, true, false)];
        assert_eq!(selected(&plan, &states), expected(&all));
        let (plan, states) = sized("600,800");
        assert_eq!(selected(&plan, &states), expected(&[(800, true, true), (600, true, true)]));
        assert!(selected(&plan, &[]).is_empty());
    }

    #[test]
    fn workloads_of_similar_length_are_timed_if_there_are_few() {
        let (plan, states) = sized("600,700,800");
        let all = [(800, true, true), (700, true, false), (600, true, true)];
        assert_eq!(selected(&plan, &states), expected(&all));
        let (plan, states) = sized("100,600,700,800");
        let all = [(800, true, true), (600, true, false), (100, true, true)];
        assert_eq!(selected(&plan, &states), expected(&all));
    }

    #[test]
    fn what_was_timed_and_could_not_be_sampled_is_sampled_later() {
        let (plan, mut states) = sized("100,400,800");
        for state in &mut states {
            state.is_timed = true;
        }
        assert_eq!(selected(&plan, &states), expected(&[(800, false, true), (400, false, true)]));
        states[1].is_sampled = true;
        assert_eq!(selected(&plan, &states), expected(&[(800, false, true)]));
        assert_eq!(chosen(&plan, &states)[0].wanted(), 0);
        states[2].is_sampled = true;
        assert!(selected(&plan, &states).is_empty());
    }

    #[test]
    fn a_long_run_has_no_more_samples_than_are_wanted() {
        let (plan, mut states) = sized("800,400000");
        let day_of_64 = Duration::from_hours(64 * 24);
        states[1].usage = Some(Usage { wall: day_of_64 / 64, user: day_of_64, ..Usage::default() });
        let timed = chosen(&plan, &states);
        for period in [timed[0].period_when_timed().unwrap(), timed[0].period()] {
            assert_eq!(day_of_64.as_nanos() / period.as_nanos(), u128::from(MOST_SAMPLES));
        }
        assert_eq!((timed[1].period_when_timed(), timed[1].period()), (None, PERIOD));
    }
}
