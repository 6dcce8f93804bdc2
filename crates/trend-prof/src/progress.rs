//! Progress of the runs on stderr, with a remaining time from a power law over the finished runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use trend_model::PowerLaw;
use trend_profile::Outcome;
use trend_run::{Event, LargerSkipped, Observer, PendingRun, TimingStep};

use crate::terminal::{Terminal, plural};

/// Minimum number of finished runs for a growth law. With fewer, their mean is used.
const FEWEST_RUNS: usize = 4;

/// Redraw interval of the bar while nothing happens.
const TICK: Duration = Duration::from_millis(250);

/// Templates of the bar: during runs, and during a step without runs.
const RUNS: &str = "{bar:24} {pos}/{len} runs  {elapsed} elapsed  {msg}";
const STEP: &str = "{spinner} {msg}  {elapsed}";

/// Draws a bar if stderr is a terminal, and lists the runs if requested.
pub(crate) struct Progress {
    terminal: Terminal,
    bar: ProgressBar,
    forecast: Mutex<Forecast>,
}

impl Progress {
    pub(crate) fn new(terminal: Terminal) -> Self {
        let target = if terminal.shows_progress() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        set_style(&bar, RUNS);
        Self { terminal, bar, forecast: Mutex::new(Forecast::default()) }
    }

    /// Removes the bar until further runs are planned.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn forecast(&self) -> MutexGuard<'_, Forecast> {
        // The forecast stays valid if another thread panicked.
        self.forecast.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a line above the bar if `--verbose` is given.
    fn detail(&self, text: &str) {
        if self.terminal.verbose > 0 {
            self.note(text);
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| self.terminal.note(text));
    }
}

impl Observer for Progress {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Planned { total, done, jobs, pending } => {
                *self.forecast() = Forecast::new(pending, *jobs);
                self.bar.reset();
                set_style(&self.bar, RUNS);
                self.bar.set_message("");
                self.bar.set_length(*total as u64);
                self.bar.set_position(*done as u64);
                self.bar.enable_steady_tick(TICK);
                self.terminal.detail(&format!("{} of {total} runs to do, {jobs} at once", pending.len()));
            }
            Event::Started { workload, repetition } => {
                self.forecast().started(workload, *repetition);
                if self.terminal.verbose > 1 {
                    self.note(&format!("run   {workload}"));
                }
            }
            Event::Finished { workload, repetition, outcome, usage, done, .. } => {
                let mut forecast = self.forecast();
                forecast.finished(workload, *repetition, usage.wall, outcome.is_finished());
                let left = forecast.left();
                drop(forecast);
                self.bar.set_position(*done as u64);
                self.bar
                    .set_message(left.map_or(String::new(), |left| format!("about {} left", rough(left))));
                if self.terminal.verbose > 0 {
                    self.note(&format!("{}  {workload}  {:.3} s", word(outcome), usage.wall.as_secs_f64()));
                }
            }
            Event::TimingStep(step) => {
                set_style(&self.bar, STEP);
                self.bar.set_message(in_words(*step));
                self.bar.reset();
                self.bar.enable_steady_tick(TICK);
                self.detail(in_words(*step));
            }
            Event::TimingPlanned { runs } => {
                set_style(&self.bar, RUNS);
                self.bar.set_message("without counters");
                self.bar.set_length(*runs as u64);
                self.bar.reset();
                self.bar.enable_steady_tick(TICK);
                self.detail(&format!(
                    "{} without counters to do; disturbed runs are repeated",
                    plural(*runs, "run")
                ));
            }
            Event::TimingStarted { workload, expected } => {
                // Disturbed runs are repeated.
                if self.bar.length() == Some(self.bar.position()) {
                    self.bar.inc_length(1);
                }
                self.bar.set_message(format!("without counters: {workload}, about {}", rough(*expected)));
                if self.terminal.verbose > 1 {
                    self.note(&format!("run      {workload}, about {}", rough(*expected)));
                }
            }
            Event::Timed { workload, usage } => {
                self.bar.inc(1);
                if self.terminal.verbose > 0 {
                    self.note(&format!("timed    {workload}  {:.3} s", usage.cpu().as_secs_f64()));
                }
            }
            Event::Sampled { workload, usage } => {
                self.bar.inc(1);
                if self.terminal.verbose > 0 {
                    self.note(&format!("sampled  {workload}  {:.3} s", usage.cpu().as_secs_f64()));
                }
            }
            Event::LargerSkipped { workload, reason } => {
                self.bar.dec_length(1);
                self.note(&format!("{workload} is not timed: {}", skipped(*reason)));
            }
            Event::Warned(warning) => self.bar.suspend(|| self.terminal.warn(&warning.message)),
            Event::Stopping => self.note("stopping; finished runs are recorded"),
            _ => {}
        }
    }
}

impl trend_steer::Observer for Progress {
    fn event(&self, event: &trend_steer::Event<'_>) {
        match event {
            trend_steer::Event::Run(event) => Observer::event(self, event),
            trend_steer::Event::RunsOver => self.finish(),
            trend_steer::Event::Note(note) => self.note(&note.to_string()),
        }
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
}

fn in_words(step: TimingStep) -> &'static str {
    match step {
        TimingStep::CopyingProgram => "removing the counters from a copy of the program",
        TimingStep::ReachingMemory => "timing this machine's memory",
        TimingStep::AttributingSamples => "assigning the time to functions",
    }
}

fn skipped(reason: LargerSkipped) -> String {
    match reason {
        LargerSkipped::Time { expected, left } => {
            format!(
                "it would take {}, but only {} are left for runs without counters; to time it anyway, \
                 make it a workload",
                seconds(expected),
                seconds(left)
            )
        }
        LargerSkipped::Memory => "it would take more than half of the free memory".to_owned(),
        LargerSkipped::Failed => "it fails, or takes longer than expected".to_owned(),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Finished => "ok     ",
        Outcome::TimedOut => "timeout",
        Outcome::Crashed { .. } => "crash  ",
        _ => "failed ",
    }
}

/// Formats a duration with about two digits.
fn rough(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{:.1} h", left.as_secs_f64() / 3600.0),
    }
}

/// Forecast of the time that the remaining runs will take.
#[derive(Debug, Default)]
struct Forecast {
    jobs: usize,
    /// Features of each run that has not finished.
    pending: BTreeMap<(String, u32), Vec<(String, f64)>>,
    started: BTreeMap<(String, u32), Instant>,
    /// Features and seconds of each finished run.
    finished: Vec<(Vec<(String, f64)>, f64)>,
}

impl Forecast {
    fn new(pending: &[PendingRun], jobs: usize) -> Self {
        let pending =
            pending.iter().map(|p| ((p.workload.clone(), p.repetition), p.features.clone())).collect();
        Self { jobs: jobs.max(1), pending, ..Self::default() }
    }

    fn started(&mut self, workload: &str, repetition: u32) {
        self.started.insert((workload.to_owned(), repetition), Instant::now());
    }

    fn finished(&mut self, workload: &str, repetition: u32, wall: Duration, succeeded: bool) {
        let key = (workload.to_owned(), repetition);
        self.started.remove(&key);
        if let Some(features) = self.pending.remove(&key)
            && succeeded
        {
            self.finished.push((features, wall.as_secs_f64()));
        }
    }

    /// Returns the predicted time of the remaining runs, less the time already spent on them, divided by the jobs. It
    /// is at least the time that the longest of them needs.
    fn left(&self) -> Option<Duration> {
        let mean = self.finished.iter().map(|(_, seconds)| seconds).sum::<f64>() / self.finished.len() as f64;
        if self.finished.is_empty() {
            return None;
        }
        let law = self.best_law();
        let seconds_of = |features: &[(String, f64)]| {
            let by_law = law.as_ref().and_then(|(name, law)| {
                features.iter().find(|(n, _)| n == name).map(|&(_, value)| law.predict(value))
            });
            by_law.filter(|s| s.is_finite()).unwrap_or(mean)
        };
        let (mut sum, mut longest) = (0.0, 0.0_f64);
        for (key, features) in &self.pending {
            let spent = self.started.get(key).map_or(0.0, |s| s.elapsed().as_secs_f64());
            let seconds = (seconds_of(features) - spent).max(0.0);
            sum += seconds;
            longest = longest.max(seconds);
        }
        Duration::try_from_secs_f64((sum / self.jobs as f64).max(longest)).ok()
    }

    /// Returns the feature that explains the time of the finished runs best, and its law.
    fn best_law(&self) -> Option<(String, PowerLaw)> {
        if self.finished.len() < FEWEST_RUNS {
            return None;
        }
        let names: Vec<&String> = self.finished[0].0.iter().map(|(name, _)| name).collect();
        let law = |name: &String| {
            let points = self.finished.iter().filter_map(|(features, seconds)| {
                features.iter().find(|(n, _)| n == name).map(|&(_, value)| (value, *seconds))
            });
            let (x, y): (Vec<f64>, Vec<f64>) = points.unzip();
            Some((name.clone(), PowerLaw::fit(&x, &y).ok()?))
        };
        names.into_iter().filter_map(law).max_by(|a, b| a.1.r2.total_cmp(&b.1.r2))
    }
}

#[cfg(test)]
mod tests {
    use trend_profile::Usage;

    use super::*;

    #[test]
    fn quadratic_runs_have_a_quadratic_forecast() {
        let run = |n: u32| PendingRun {
            workload: n.to_string(),
            repetition: 0,
            features: vec![("seed".to_owned(), f64::from(n % 3)), ("n".to_owned(), f64::from(n))],
        };
        let sizes = [100, 200, 300, 400, 1000, 2000];
        let mut forecast = Forecast::new(&sizes.map(run), 2);
        assert_eq!(forecast.left(), None);
        for n in &sizes[..4] {
            forecast.started(&n.to_string(), 0);
            forecast.finished(&n.to_string(), 0, Duration::from_millis(u64::from(n * n) / 10), true);
        }
        // 1000 takes 100 s and 2000 takes 400 s: two jobs still need 400 s.
        assert_eq!(forecast.left().unwrap().as_secs(), 400);
        forecast.jobs = 1;
        assert_eq!(forecast.left().unwrap().as_secs(), 500);
    }

    #[test]
    fn runs_without_counters_are_named_and_more_of_them_lengthen_the_bar() {
        let progress = Progress::new(Terminal { verbose: 0, quiet: true });
        let usage = Usage::default();
        let expected = Duration::from_secs(4);
        progress.event(&Event::TimingStep(TimingStep::ReachingMemory));
        assert_eq!(progress.bar.message(), "timing this machine's memory");
        progress.event(&Event::TimingPlanned { runs: 2 });
        for expected_length in [2, 2, 3] {
            progress.event(&Event::TimingStarted { workload: "n=7", expected });
            assert_eq!(progress.bar.length(), Some(expected_length));
            assert_eq!(progress.bar.message(), "without counters: n=7, about 4 s");
            progress.event(&Event::Timed { workload: "n=7", usage: &usage });
        }
        progress.event(&Event::TimingPlanned { runs: 2 });
        progress.event(&Event::LargerSkipped { workload: "n=9", reason: LargerSkipped::Memory });
        assert_eq!(progress.bar.length(), Some(1));
    }

    #[test]
    fn runs_without_features_are_forecast_by_their_mean() {
        let run = |i: u32| PendingRun { workload: i.to_string(), repetition: 0, features: Vec::new() };
        let mut forecast = Forecast::new(&[1, 2, 3].map(run), 1);
        forecast.finished("1", 0, Duration::from_secs(7), true);
        assert_eq!(forecast.left().unwrap().as_secs(), 14);
        forecast.finished("2", 0, Duration::from_secs(70), false);
        assert_eq!(forecast.left().unwrap().as_secs(), 7);
    }
}
