//! Runs the recipes that the search proposes, and judges them.
//!
//! ```text
//!   600 and 2400 bytes ─▶ a place is steep ─▶ 9600, 38,400 bytes ─▶ still steep ─▶ larger, until a run takes a second
//!          │ all recipes       │ few                  │ very few                          │ still steep: a fault
//!          └─▶ the archive of the search                                                 └─▶ made as short as possible
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use trend_run::{Trial, TrialEnd, TrialError, TrialWorker, Trials};
use trend_worst::{Measured, Recipe, Search, Steep, smaller, steep};

use crate::failure::Failure;
use crate::interruption::Interruption;

/// Sizes at which a recipe is judged, in bytes that its repetitions make.
const SIZES: [usize; 4] = [600, 2400, 9600, 38_400];

/// Number of these sizes that every recipe runs at.
const FIRST: usize = 2;

/// Smaller sizes for a recipe that takes too long.
const SMALL_SIZES: [usize; 3] = [40, 80, 160];

/// Number of recipes between two checks of the time. It is the same on all machines, so that the order of the recipes
/// is also the same.
const BATCH: usize = 64;

/// Time limit of a run; a run of an ordinary input of these sizes takes milliseconds.
const LONGEST: Duration = Duration::from_secs(2);

/// Time limit of a run that uses little CPU time because it waits, for example on a busy machine. Larger runs, whose
/// CPU time is predicted, have the same limit.
const PATIENCE: Duration = Duration::from_secs(30);

/// CPU time below which a run that reaches its time limit is assumed to have waited.
const WAITING: Duration = Duration::from_secs(1);

/// Minimum CPU time of a slow run: a run of four times its size may take too long.
const SLOW: Duration = Duration::from_millis(40);

/// Maximum predicted CPU time of a larger run.
const LONG: Duration = Duration::from_millis(700);

/// Maximum size of an input.
const MOST_BYTES: usize = 8 << 20;

/// Maximum number of simpler recipes to try for one fault.
const MOST_SIMPLER: usize = 600;

/// Number of refutations by larger inputs after which a place is no longer suspected.
const MOST_REFUTED: usize = 3;

/// Signals that end a program because of an error in it.
const CRASHES: [i32; 5] = [4, 6, 7, 8, 11];

/// A run of a recipe.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) n: u64,
    pub(super) measured: Measured,
    pub(super) processor: Duration,
}

/// A recipe for which a place grows faster than the input.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) recipe: Recipe,
    /// Position of the costliest place that grows.
    pub(super) location: usize,
    /// The runs, by size.
    pub(super) steps: Vec<Step>,
    /// Number of recipes and time until it was found.
    pub(super) after: (usize, Duration),
}

/// An input that ends the program in an unusual way.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) recipe: Recipe,
    pub(super) n: u64,
    /// The signal that ended the program; `None` if it took too long.
    pub(super) signal: Option<i32>,
}

/// The amount of work done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) recipes: usize,
    pub(super) runs: usize,
    /// CPU time of these runs.
    pub(super) processor: Duration,
    pub(super) elapsed: Duration,
}

/// The end of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) time: Duration,
    pub(super) recipes: Option<usize>,
}

/// The results of a search.
#[derive(Debug)]
pub(super) struct Hunted {
    pub(super) faults: Vec<Fault>,
    pub(super) troubles: Vec<Trouble>,
    pub(super) tally: Tally,
    /// Positions of the places that were steep at some size.
    pub(super) steep: BTreeSet<usize>,
    /// Positions of the places that some run reached.
    pub(super) reached: BTreeSet<usize>,
    /// Exit codes of the runs.
    pub(super) exit_codes: BTreeSet<u8>,
}

/// A search in progress.
pub(super) struct Hunt<'a> {
    workers: Vec<TrialWorker<'a>>,
    interruption: &'a Interruption,
    idle: Measured,
    search: Search,
    /// Places that faults explain.
    explained: BTreeSet<usize>,
    /// Number of times that larger inputs refuted a place.
    refuted: BTreeMap<usize, usize>,
    hunted: Hunted,
    begin: Instant,
}

/// The runs of one recipe.
struct Judged {
    steps: Vec<Step>,
    trouble: Option<Trouble>,
    codes: BTreeSet<u8>,
    runs: usize,
    processor: Duration,
}

impl<'a> Hunt<'a> {
    /// Prepares a search, and runs the program on an empty input.
    pub(super) fn new(
        trials: &'a Trials<'a>,
        jobs: usize,
        search: Search,
        interruption: &'a Interruption,
    ) -> Result<Self, Failure> {
        let workers = (0..jobs).map(|number| trials.worker(number));
        let workers = workers.collect::<Result<Vec<_>, _>>().map_err(|error| failure(&error))?;
        let counts = workers[0].run(b"\n", LONGEST).map_err(|error| failure(&error))?.counts;
        if counts.iter().all(|count| *count == 0) {
            return Err(Failure::new("the program left no counts for an empty input")
                .hint("if it needs files of its own, set `cwd` in trend-prof.toml"));
        }
        let hunted = Hunted {
            faults: Vec::new(),
            troubles: Vec::new(),
            tally: Tally::default(),
            steep: BTreeSet::new(),
            reached: BTreeSet::new(),
            exit_codes: BTreeSet::new(),
        };
        let idle = Measured { grown_bytes: 0, counts };
        let (explained, refuted, begin) = (BTreeSet::new(), BTreeMap::new(), Instant::now());
        Ok(Self { workers, interruption, idle, search, explained, refuted, hunted, begin })
    }

    /// Searches until the limit. Calls `on_fault` for each fault.
    pub(super) fn run(mut self, limit: Limit, on_fault: &dyn Fn(&Fault)) -> Result<Hunted, Failure> {
        self.run_until(limit, on_fault).map_err(|error| failure(&error))?;
        self.hunted.tally.elapsed = self.begin.elapsed();
        Ok(self.hunted)
    }

    fn run_until(&mut self, limit: Limit, on_fault: &dyn Fn(&Fault)) -> Result<(), TrialError> {
        loop {
            let left = limit.recipes.map_or(BATCH, |most| most - self.hunted.tally.recipes).min(BATCH);
            if left == 0 || self.begin.elapsed() >= limit.time || self.interruption.is_requested() {
                return Ok(());
            }
            let recipes: Vec<Recipe> = (0..left).map(|_| self.search.next_recipe()).collect();
            let judged = self.judge_all(&recipes)?;
            for (recipe, judged) in recipes.into_iter().zip(judged) {
                self.hunted.tally.recipes += 1;
                if let Some(fault) = self.learn(recipe, judged)? {
                    on_fault(&fault);
                    self.hunted.faults.push(fault);
                }
            }
        }
    }

    /// Judges recipes on all workers.
    fn judge_all(&mut self, recipes: &[Recipe]) -> Result<Vec<Judged>, TrialError> {
        let Self { workers, idle, explained, refuted, .. } = self;
        let judge = Judge { idle, explained, refuted };
        let all = each(workers, recipes, |worker, recipe| judge.judged(worker, recipe))?;
        for judged in &all {
            self.hunted.tally.runs += judged.runs;
            self.hunted.tally.processor += judged.processor;
            self.hunted.exit_codes.extend(&judged.codes);
        }
        Ok(all)
    }

    /// Learns from a recipe. Returns a fault if it is one.
    fn learn(&mut self, recipe: Recipe, judged: Judged) -> Result<Option<Fault>, TrialError> {
        let Judged { steps, trouble, .. } = judged;
        self.hunted.troubles.extend(trouble);
        for step in &steps {
            let counts = step.measured.counts.iter().enumerate();
            self.hunted.reached.extend(counts.filter(|(_, count)| **count > 0).map(|(location, _)| location));
        }
        if let Some(step) = steps.get(FIRST - 1) {
            self.search.learn(&recipe, &step.measured);
        }
        if steps.len() < FIRST {
            return Ok(None);
        }
        let suspects = self.judge().new_places(&steps);
        self.hunted.steep.extend(suspects.iter().map(|steep| steep.location));
        let Some(suspect) = suspects.first().copied().filter(|_| is_suspect(&steps)) else { return Ok(None) };
        let Some(steps) = self.climbed(&recipe, steps, suspect)? else { return Ok(None) };
        let after = (self.hunted.tally.recipes, self.begin.elapsed());
        let fault = Fault { recipe, location: suspect.location, steps, after };
        let fault = self.simplified(fault)?;
        Ok(self.settled(fault))
    }

    /// Remembers the places that a fault explains. Returns `None` if an earlier fault's place grows as well, which
    /// is then another view of the same fault.
    fn settled(&mut self, fault: Fault) -> Option<Fault> {
        let measured: Vec<Measured> = fault.steps.iter().map(|step| step.measured.clone()).collect();
        let all: BTreeSet<usize> =
            steep(&self.idle, last_three(&measured)).iter().map(|steep| steep.location).collect();
        let is_known = self.hunted.faults.iter().any(|earlier| all.contains(&earlier.location));
        self.hunted.steep.extend(&all);
        self.explained.extend(all);
        self.explained.insert(fault.location);
        (!is_known).then_some(fault)
    }

    fn judge(&self) -> Judge<'_> {
        Judge { idle: &self.idle, explained: &self.explained, refuted: &self.refuted }
    }

    /// Runs larger inputs until one takes long. Returns all runs if the place stays steep.
    fn climbed(
        &mut self,
        recipe: &Recipe,
        mut steps: Vec<Step>,
        suspect: Steep,
    ) -> Result<Option<Vec<Step>>, TrialError> {
        let power = suspect.exponent.max(1.0);
        while let Some(last) = steps.last() {
            let factor = [4.0, 2.0].into_iter().find(|factor: &f64| {
                let seconds = last.processor.as_secs_f64() * factor.powf(power);
                seconds <= LONG.as_secs_f64()
                    && last.measured.grown_bytes as f64 * factor <= MOST_BYTES as f64
            });
            let Some(factor) = factor else { break };
            let n = (last.n as f64 * factor) as u64;
            let trial = self.workers[0].run(&recipe.input(n), PATIENCE)?;
            self.count(&trial);
            match step(recipe, n, trial) {
                Ok(step) => steps.push(step),
                Err(trouble) => {
                    self.hunted.troubles.extend(trouble);
                    break;
                }
            }
        }
        let measured: Vec<Measured> = steps.iter().map(|step| step.measured.clone()).collect();
        let is_steep =
            steep(&self.idle, last_three(&measured)).iter().any(|s| s.location == suspect.location);
        if !is_steep && !self.interruption.is_requested() {
            *self.refuted.entry(suspect.location).or_default() += 1;
        }
        Ok(is_steep.then_some(steps))
    }

    fn count(&mut self, trial: &Trial) {
        self.hunted.tally.runs += 1;
        self.hunted.tally.processor += trial.processor;
        if let TrialEnd::Exited(code) = trial.end {
            self.hunted.exit_codes.extend(u8::try_from(code));
        }
    }

    /// Leaves out of a recipe what does not matter for its place.
    fn simplified(&mut self, fault: Fault) -> Result<Fault, TrialError> {
        let sizes = SIZES.len().min(fault.steps.len());
        let original = fault.clone();
        let (mut recipe, location) = (fault.recipe, fault.location);
        let mut left = MOST_SIMPLER;
        'simpler: while left > 0 && !self.interruption.is_requested() {
            let candidates: Vec<Recipe> = smaller(&recipe).into_iter().take(left).collect();
            for some in candidates.chunks(4 * self.workers.len()) {
                left -= some.len();
                let kept = self.keep_growing(some, location, sizes)?;
                if let Some(simpler) = some.iter().zip(kept).find(|(_, kept)| *kept).map(|(recipe, _)| recipe)
                {
                    recipe = simpler.clone();
                    continue 'simpler;
                }
            }
            break;
        }
        let suspect = Steep { location, exponent: 2.0, count: 0 };
        let steps = self.measured(&recipe, sizes)?;
        match self.climbed(&recipe, steps, suspect)? {
            Some(steps) => Ok(Fault { recipe, steps, ..original }),
            None => Ok(original),
        }
    }

    /// Returns for each recipe whether the place stays steep.
    fn keep_growing(
        &mut self,
        recipes: &[Recipe],
        location: usize,
        sizes: usize,
    ) -> Result<Vec<bool>, TrialError> {
        let idle = &self.idle;
        let runs = AtomicUsize::new(0);
        let kept = each(&mut self.workers, recipes, |worker, recipe| {
            let mut measured = Vec::new();
            for bytes in &SIZES[..sizes] {
                let n = recipe.size_for(*bytes);
                runs.fetch_add(1, Ordering::Relaxed);
                match step(recipe, n, run(worker, recipe, n)?) {
                    Ok(step) => measured.push(step.measured),
                    Err(_) => return Ok(false),
                }
                let is_steep = |steep: &Steep| steep.location == location;
                if measured.len() > 1 && !steep(idle, &measured).iter().any(is_steep) {
                    return Ok(false);
                }
            }
            Ok(true)
        });
        self.hunted.tally.runs += runs.into_inner();
        kept
    }

    /// Runs a recipe at the first sizes.
    fn measured(&mut self, recipe: &Recipe, sizes: usize) -> Result<Vec<Step>, TrialError> {
        let mut steps = Vec::new();
        for bytes in &SIZES[..sizes] {
            let n = recipe.size_for(*bytes);
            let trial = run(&self.workers[0], recipe, n)?;
            self.count(&trial);
            let Ok(step) = step(recipe, n, trial) else { break };
            steps.push(step);
        }
        Ok(steps)
    }
}

fn failure(error: &TrialError) -> Failure {
    Failure::from_error("failed to run the program", error)
}

/// Returns the last three of several, or fewer.
fn last_three(measured: &[Measured]) -> &[Measured] {
    &measured[measured.len().saturating_sub(3)..]
}

/// Returns true if a recipe ran at more sizes than the usual ones, or if it is too slow for more.
fn is_suspect(steps: &[Step]) -> bool {
    steps.len() > FIRST || is_slow(steps)
}

/// Decides which recipes run at larger sizes.
struct Judge<'a> {
    idle: &'a Measured,
    explained: &'a BTreeSet<usize>,
    refuted: &'a BTreeMap<usize, usize>,
}

impl Judge<'_> {
    /// Runs a recipe at the sizes that it deserves.
    fn judged(&self, worker: &TrialWorker<'_>, recipe: &Recipe) -> Result<Judged, TrialError> {
        let mut judged = Judged {
            steps: Vec::new(),
            trouble: None,
            codes: BTreeSet::new(),
            runs: 0,
            processor: Duration::ZERO,
        };
        for (i, bytes) in SIZES.iter().enumerate() {
            if i >= FIRST && (self.new_places(&judged.steps).is_empty() || is_slow(&judged.steps)) {
                break;
            }
            if !judged.run(worker, recipe, *bytes)? {
                break;
            }
        }
        // Too slow even at a small size: it may grow very fast.
        let is_too_slow = judged.trouble.as_ref().is_some_and(|trouble| trouble.signal.is_none());
        if is_too_slow && judged.steps.len() < FIRST {
            judged.steps.clear();
            for bytes in SMALL_SIZES {
                if !judged.run(worker, recipe, bytes)? {
                    break;
                }
            }
        }
        Ok(judged)
    }

    /// Returns the steep places that no fault explains, by falling count.
    fn new_places(&self, steps: &[Step]) -> Vec<Steep> {
        let measured: Vec<Measured> = steps.iter().map(|step| step.measured.clone()).collect();
        let mut all = steep(self.idle, &measured);
        all.retain(|steep| {
            let refuted = self.refuted.get(&steep.location).copied().unwrap_or(0);
            !self.explained.contains(&steep.location) && refuted < MOST_REFUTED
        });
        all
    }
}

/// Returns true if a run of four times the size would take too long.
fn is_slow(steps: &[Step]) -> bool {
    steps.last().is_some_and(|last| last.processor >= SLOW)
}

/// Runs the program on the input of a recipe.
fn run(worker: &TrialWorker<'_>, recipe: &Recipe, n: u64) -> Result<Trial, TrialError> {
    let input = recipe.input(n);
    let trial = worker.run(&input, LONGEST)?;
    if trial.end == TrialEnd::TimedOut && trial.processor < WAITING {
        return worker.run(&input, PATIENCE);
    }
    Ok(trial)
}

impl Judged {
    /// Runs one size. Returns false if larger sizes make no sense.
    fn run(&mut self, worker: &TrialWorker<'_>, recipe: &Recipe, bytes: usize) -> Result<bool, TrialError> {
        let n = recipe.size_for(bytes);
        if self.steps.last().is_some_and(|last| last.n >= n) {
            return Ok(false);
        }
        let trial = run(worker, recipe, n)?;
        self.runs += 1;
        self.processor += trial.processor;
        if let TrialEnd::Exited(code) = trial.end {
            self.codes.extend(u8::try_from(code));
        }
        match step(recipe, n, trial) {
            Ok(step) => self.steps.push(step),
            Err(trouble) => {
                self.trouble = trouble.or(self.trouble.take());
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the counts of a run. `Err` has the trouble, or `None` if the user asked to stop.
fn step(recipe: &Recipe, n: u64, trial: Trial) -> Result<Step, Option<Trouble>> {
    let trouble = |signal| Some(Trouble { recipe: recipe.clone(), n, signal });
    match trial.end {
        TrialEnd::Cancelled => return Err(None),
        TrialEnd::TimedOut => return Err(trouble(None)),
        TrialEnd::Signaled(signal) if CRASHES.contains(&signal) => return Err(trouble(Some(signal))),
        TrialEnd::Exited(_) | TrialEnd::Signaled(_) => {}
    }
    let grown_bytes = recipe.input(n).len() - recipe.fixed_bytes();
    let measured = Measured { grown_bytes, counts: trial.counts };
    Ok(Step { n, measured, processor: trial.processor })
}

/// Calls `work` for each item on the workers, and returns the results in the order of the items.
fn each<T: Sync, R: Send>(
    workers: &mut [TrialWorker<'_>],
    items: &[T],
    work: impl Fn(&TrialWorker<'_>, &T) -> Result<R, TrialError> + Sync,
) -> Result<Vec<R>, TrialError> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, Result<R, TrialError>)> = thread::scope(|scope| {
        let (next, work) = (&next, &work);
        let started = workers.iter_mut().map(|worker| {
            scope.spawn(move || {
                let mut done = Vec::new();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { return done };
                    done.push((i, work(worker, item)));
                }
            })
        });
        let started: Vec<_> = started.collect();
        let joined =
            started.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect()
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}
