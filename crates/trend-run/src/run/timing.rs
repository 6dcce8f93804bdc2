//! How long the program takes without counters: runs of recorded workloads, one at a time, beside those that count.
//!
//! At two sizes it is sampled where the time goes, in runs that are not timed, or more seldom in those that are long and
//! timed once.
//!
//! What is timed is a copy of the counted program without the updates of its counters, which takes 4 to 10 % longer than a
//! build without counters (bzip2, Lua, md4c, comrak), or such a build, where the user names one.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use trend_collect::Samples;
use trend_profile::{LargerRun, RunState, StudyFile, Timing, Usage, Warning};

use super::binaries::Binaries;
use super::diagnosis;
use super::larger::Larger;
use super::latency::latencies;
use super::process::Runner;
use super::sampling::Owners;
use super::scratch::RunFolder;
use super::source::Source;
use super::stop::Stop;
use super::worker::{CopyRun, PreparedWorkload, RunContext};
use super::{CountSource, ExecuteOptions, built, limits, started};
use crate::shim::linkage::Linked;
use crate::shim::unlock::{Updates, rewrite};
use crate::{Event, LargerSkipped, Observer, Plan, PlannedWorkload, RunError, Template, machine, shell};

/// Starting a process takes 0.5 to 2.4 ms. What is shorter than some ten times that says little.
const LEAST: Duration = Duration::from_millis(20);

/// A workload that takes this part of the one above it tells no more than that one.
const NEXT: f64 = 0.9;

/// How often a workload is run, by the time that one run takes.
const REPETITIONS: [(Duration, usize); 2] = [(Duration::from_millis(100), 5), (Duration::from_secs(1), 3)];

/// Where all that counted took less than this, there is this much time: a run of three times the largest size takes as long as
/// all of them, and is worth more.
const LEAST_BUDGET: Duration = Duration::from_secs(5);

/// How often runs are made again in which other processes had the processor.
const MOST_RETRIES: usize = 2;

/// The processor time between samples in a run that is not timed, and in one that is: at the first
/// rate a loop took 2 % and bzip2 6 % longer, on a busy machine. The second is a quarter of it. It is no round number, so that it goes along with nothing that a program does every millisecond.
const PERIOD: Duration = Duration::from_micros(997);
const LONG_PERIOD: Duration = Duration::from_micros(3989);

/// Of the runs that take at most this part of the longest one, the longest is sampled as well.
const SMALLER: f64 = 0.5;

/// Runs with counters that take so many times as long are worth a word,
const NOTABLE: f64 = 2.0;

/// if they are this long.
const LONG_ENOUGH: Duration = Duration::from_millis(200);

/// A program that can be run in place of the counted one.
struct Uncounted {
    /// Whether it is the counted one but for the updates of its counters.
    is_copy: bool,
    program: PathBuf,
    variables: Vec<(&'static str, OsString)>,
    /// Each copy, and the file that it is of.
    originals: Vec<(PathBuf, PathBuf)>,
}

/// One workload that is timed.
struct Timed<'a> {
    workload: &'a PlannedWorkload,
    counted: Usage,
    runs: Vec<Usage>,
    /// Whether samples are to be taken of it.
    is_to_be_sampled: bool,
    samples: Option<Sampling>,
}

/// A run of which samples were taken.
struct Sampling {
    usage: Usage,
    period: Duration,
    samples: io::Result<Samples>,
}

impl Timed<'_> {
    fn wanted(&self) -> usize {
        let one = self.runs.first().unwrap_or(&self.counted).wall;
        REPETITIONS.iter().find(|(most, _)| one <= *most).map_or(1, |(_, wanted)| *wanted)
    }

    /// Whether samples are taken of its timed run: it is run once, and long.
    fn is_sampled_in_passing(&self) -> bool {
        self.is_to_be_sampled && self.wanted() == 1
    }

    fn is_disturbed(&self) -> bool {
        self.runs.iter().all(|run| !is_undisturbed(run))
    }
}

/// Whether the program had a processor for itself all the time, and waited for nothing.
fn is_undisturbed(run: &Usage) -> bool {
    run.wall <= run.cpu().mul_f64(1.08) + Duration::from_millis(2)
}

/// What is kept of runs: where there are others, those in which the program waited say nothing of it.
fn timing(runs: Vec<Usage>) -> Timing {
    let undisturbed: Vec<Usage> = runs.iter().filter(|run| is_undisturbed(run)).copied().collect();
    let runs = if undisturbed.is_empty() { runs } else { undisturbed };
    Timing { machine_memory_bytes: machine::memory_bytes(), runs }
}

/// Times workloads that are recorded and were not timed yet, the longest of each length; takes about as much time as the
/// runs that counted. Does nothing where no program without counters can be had, or no run is long enough.
///
/// # Errors
/// [`RunError`]; what was recorded before stays recorded.
pub fn time(
    plan: &Plan,
    study: &mut StudyFile,
    options: &ExecuteOptions,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<(), RunError> {
    // A program that is stopped says nothing by its time.
    let limits = limits(plan, options);
    if limits.stop_after.is_some() {
        return Ok(());
    }
    let states = study.run_states();
    let mut timed = chosen(plan, &states);
    if timed.is_empty() {
        return Ok(());
    }
    let folder = RunFolder::open(study.path())?;
    let stop = Stop { caller: cancel, recorder: AtomicBool::new(false) };
    let copies = folder.path().join("uncounted");
    let Some(copy) = copy(plan, options, &copies) else { return Ok(()) };
    let binaries = Binaries::new(None, &plan.config.folder);
    let source = Source::new(CountSource::Gcov, study.root(), [].into(), binaries, false);
    let supervisor = options.supervisor.as_path();
    let context = RunContext {
        config: &plan.config,
        folder: &folder,
        source: &source,
        memory: None,
        limits,
        supervisor,
        stop: &stop,
    };
    if study.latencies().is_empty() {
        study.set_latencies(latencies(machine::free_memory_bytes()))?;
    }
    let counted = states.iter().filter_map(|s| s.usage).map(|u| u.wall).sum::<Duration>();
    let runner = context.runner();
    let budget = counted.max(LEAST_BUDGET);
    let mut stopwatch = Stopwatch {
        context: &context,
        runner: &runner,
        copy: &copy,
        observer,
        budget,
        spent: Duration::ZERO,
    };
    let larger = Larger::of(plan, &states, timed[0].workload).filter(|larger| {
        let fingerprint = &larger.workload.workload.fingerprint;
        study.larger_run().is_none_or(|known| known.fingerprint != *fingerprint)
    });
    stopwatch.begin(&mut timed, larger.is_some());
    let larger = larger.and_then(|larger| stopwatch.time_larger(&larger, &timed[0]));
    stopwatch.sample(&mut timed);
    stopwatch.repeat(&mut timed);
    let not_sampled = record_samples(&timed, study, &copy)?;
    let _ = fs::remove_dir_all(&copies);
    if let Some(larger) = larger {
        study.set_larger_run(larger)?;
    }
    for timed in timed.iter().filter(|timed| !timed.runs.is_empty()) {
        study.set_timing(&timed.workload.workload.name, timing(timed.runs.clone()))?;
    }
    let warning = not_timed(&timed, plan).filter(|_| !stop.is_requested());
    for warning in warning.or_else(|| slow_counters(&timed, &copy)).into_iter().chain(not_sampled) {
        observer.event(&Event::Warned(&warning));
    }
    Ok(())
}

/// The workloads to be timed, the longest first.
fn chosen<'a>(plan: &'a Plan, states: &[RunState]) -> Vec<Timed<'a>> {
    let recorded = |workload: &PlannedWorkload| {
        let workload = &workload.workload;
        let mut of = states.iter().filter(|s| s.workload == workload.name && s.outcome.is_finished());
        let state = of.next().filter(|s| s.fingerprint == workload.fingerprint)?;
        Some((state.usage?, state.is_timed))
    };
    let all = plan.workloads.iter().filter_map(|workload| Some((workload, recorded(workload)?)));
    let mut all: Vec<_> = all.filter(|(_, (counted, _))| counted.cpu() >= LEAST).collect();
    all.sort_by(|(a, (x, _)), (b, (y, _))| {
        y.cpu().cmp(&x.cpu()).then_with(|| a.workload.name.cmp(&b.workload.name))
    });
    let mut least = Duration::MAX;
    all.retain(|(_, (counted, is_timed))| {
        let is_chosen = *is_timed || counted.cpu() <= least;
        if is_chosen {
            least = counted.cpu().mul_f64(NEXT);
        }
        is_chosen && !is_timed
    });
    let timed = |(workload, (counted, _))| Timed {
        workload,
        counted,
        runs: Vec::new(),
        is_to_be_sampled: false,
        samples: None,
    };
    let mut all: Vec<Timed<'a>> = all.into_iter().map(timed).collect();
    choose_sampled(&mut all);
    all
}

/// Samples the longest, and one that is so much shorter that it can be seen how the parts grow; else the shortest.
fn choose_sampled(timed: &mut [Timed<'_>]) {
    let Some(longest) = timed.first_mut() else { return };
    longest.is_to_be_sampled = true;
    let most = longest.counted.cpu().mul_f64(SMALLER);
    let smaller = timed.iter().position(|one| one.counted.cpu() <= most).unwrap_or(timed.len() - 1);
    timed[smaller].is_to_be_sampled = true;
}

/// Runs a program without counters, and knows how long it may.
struct Stopwatch<'a> {
    context: &'a RunContext<'a>,
    runner: &'a Runner<'a>,
    copy: &'a Uncounted,
    observer: &'a dyn Observer,
    budget: Duration,
    spent: Duration,
}

impl Stopwatch<'_> {
    /// Runs a workload once.
    fn run(&mut self, workload: &PlannedWorkload, period: Option<Duration>) -> Option<CopyRun> {
        let prepared = PreparedWorkload::prepare(self.context, self.runner, workload).ok()?;
        self.run_prepared(&prepared, None, period)
    }

    fn run_prepared(
        &mut self,
        prepared: &PreparedWorkload<'_>,
        most: Option<Duration>,
        period: Option<Duration>,
    ) -> Option<CopyRun> {
        let run = prepared.run_copy(&self.copy.program, self.copy.variables.clone(), most, period)?;
        self.spent += run.usage.wall;
        Some(run)
    }

    /// Runs every workload once.
    fn begin(&mut self, timed: &mut [Timed<'_>], has_larger: bool) {
        let runs = timed.iter().map(Timed::wanted).sum::<usize>() + usize::from(has_larger);
        self.observer.event(&Event::TimingPlanned { runs });
        // The first run of a program reads it from the disk.
        if let Some(shortest) = timed.last() {
            self.run(shortest.workload, None);
            self.spent = Duration::ZERO;
        }
        self.round(timed, 0);
    }

    /// Runs those that are short again and again.
    fn repeat(&mut self, timed: &mut [Timed<'_>]) {
        for round in 1..REPETITIONS[0].1 + MOST_RETRIES {
            self.round(timed, round);
        }
    }

    /// Runs the chosen workloads once more to sample them, unless a timed run was sampled, as far as the time allows.
    fn sample(&mut self, timed: &mut [Timed<'_>]) {
        for one in timed.iter_mut().filter(|one| one.is_to_be_sampled && one.samples.is_none()) {
            let expected = Usage::median(&one.runs).map(|run| run.wall);
            let left = self.budget.saturating_sub(self.spent);
            if expected.is_none_or(|expected| expected > left) || self.context.stop.is_requested() {
                continue;
            }
            if let Some(run) = self.run(one.workload, Some(PERIOD)) {
                one.samples = sampling(run, PERIOD);
            }
        }
    }

    /// Runs all workloads that want it, in another order each time, so that what the machine does meanwhile meets all of them
    /// alike.
    fn round(&mut self, timed: &mut [Timed<'_>], round: usize) {
        let mut order: Vec<usize> = (0..timed.len()).collect();
        order.sort_by_key(|i| {
            let mut hasher = DefaultHasher::new();
            (round, i).hash(&mut hasher);
            hasher.finish()
        });
        for i in order {
            let one = &mut timed[i];
            let wanted = one.wanted() + if one.is_disturbed() { MOST_RETRIES } else { 0 };
            let is_over = round >= wanted || one.runs.len() < round || round > 0 && self.spent >= self.budget;
            if is_over || self.context.stop.is_requested() {
                continue;
            }
            let period = (round == 0 && one.is_sampled_in_passing()).then_some(LONG_PERIOD);
            if let Some(run) = self.run(one.workload, period) {
                let usage = run.usage;
                one.runs.push(usage);
                one.samples = one.samples.take().or(period.and_then(|period| sampling(run, period)));
                let workload = one.workload.workload.name.as_str();
                self.observer.event(&Event::Timed { workload, usage: &usage });
            }
        }
    }

    /// Runs the workload of three times the largest size, where what is left is enough; says so where it is not.
    fn time_larger(&mut self, larger: &Larger, longest: &Timed<'_>) -> Option<LargerRun> {
        let workload = &larger.workload.workload;
        let one = Usage::median(&longest.runs).filter(|_| !self.context.stop.is_requested())?;
        let observer = self.observer;
        let skip = |reason: LargerSkipped| {
            observer.event(&Event::LargerSkipped { workload: &workload.name, reason });
            None
        };
        let expected = larger.expected(one.wall);
        let left = self.budget.saturating_sub(self.spent);
        if expected > left {
            return skip(LargerSkipped::Time { expected, left });
        }
        if !larger.fits_into(machine::free_memory_bytes()) {
            return skip(LargerSkipped::Memory);
        }
        let (context, runner) = (self.context, self.runner);
        let prepared = PreparedWorkload::prepare(context, runner, &larger.workload).ok()?;
        let (begin, mut runs) = (SystemTime::now(), Vec::new());
        // One that is disturbed is made again, as the others are.
        for _ in 0..=MOST_RETRIES {
            let left = self.budget.saturating_sub(self.spent);
            if expected > left || runs.last().is_some_and(is_undisturbed) || self.context.stop.is_requested()
            {
                break;
            }
            let Some(CopyRun { usage, .. }) = self.run_prepared(&prepared, Some(left), None) else { break };
            observer.event(&Event::Timed { workload: &workload.name, usage: &usage });
            runs.push(usage);
        }
        if runs.is_empty() {
            self.spent += expected;
            return if self.context.stop.is_requested() { None } else { skip(LargerSkipped::Failed) };
        }
        let features = context.config.features.iter().zip(prepared.values(begin));
        let values =
            features.filter_map(|(feature, value)| Some((feature.name.clone(), value.ok()?))).collect();
        let (name, fingerprint) = (workload.name.clone(), workload.fingerprint.clone());
        Some(LargerRun { workload: name, fingerprint, values, timing: timing(runs) })
    }
}

fn sampling(run: CopyRun, period: Duration) -> Option<Sampling> {
    let CopyRun { usage, samples } = run;
    samples.map(|samples| Sampling { usage, period, samples })
}

/// Records where the time went; gives why that is not known where it was to be.
fn record_samples(
    timed: &[Timed<'_>],
    study: &mut StudyFile,
    copy: &Uncounted,
) -> Result<Option<Warning>, RunError> {
    let sampled: Vec<_> = timed.iter().filter_map(|one| Some((one, one.samples.as_ref()?))).collect();
    if let Some(error) = sampled.iter().find_map(|(_, of)| of.samples.as_ref().err()) {
        return Ok(Some(not_sampled(error)));
    }
    if sampled.is_empty() {
        return Ok(None);
    }
    let (root, functions) = (study.root().to_owned(), study.functions()?);
    let mut owners = Owners::new(&root, &functions, &copy.originals);
    for (one, Sampling { usage, period, samples }) in sampled {
        let Ok(samples) = samples else { continue };
        let places = owners.sampled(samples, *usage, *period);
        study.set_sampled(&one.workload.workload.name, places)?;
    }
    Ok(None)
}

fn not_sampled(error: &io::Error) -> Warning {
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "the kernel does not let this user see where the time goes ({error}), so that seconds are of the whole program alone: \
             `sysctl kernel.perf_event_paranoid=2`, as root, allows it, and containers need the system call perf_event_open; \
             then run with `--fresh`"
        ),
        _ => format!(
            "where the time goes was not recorded ({error}), so that seconds are of the whole program alone"
        ),
    };
    Warning::new("not_sampled", message)
}

/// What is run in place of the counted program; `None` where there is nothing.
fn copy(plan: &Plan, options: &ExecuteOptions, folder: &Path) -> Option<Uncounted> {
    let config = &plan.config;
    let plain = |program: PathBuf| Uncounted {
        is_copy: false,
        program,
        variables: Vec::new(),
        originals: Vec::new(),
    };
    if let Some(program) = &config.program.timed {
        return Some(plain(config.folder.join(program)));
    }
    let program = diagnosis::on_path(&shell::resolved(&started(config), &config.folder))?;
    let first = config.program.command.first().map(Template::text).unwrap_or_default();
    // A script is not copied.
    if program.file_name() != Path::new(&first).file_name() {
        return None;
    }
    if options.counters == CountSource::Callgrind {
        return Some(plain(program));
    }
    if built::probe_of(config).is_some() {
        return None;
    }
    without_updates(&program, folder)
}

/// A copy of the program without updates of counters, which loads such copies of its libraries; `None` where nothing could be
/// taken out.
fn without_updates(program: &Path, folder: &Path) -> Option<Uncounted> {
    let program = Linked::read(program)?;
    let libraries = program.whole(&[]).libraries;
    fs::create_dir_all(folder).ok()?;
    // As the kernel names files.
    let folder = fs::canonicalize(folder).ok()?;
    let mut updates = 0;
    let mut copied = |number: usize, file: &Linked| {
        let copy = folder.join(number.to_string());
        fs::copy(&file.path, &copy).ok()?;
        let found = rewrite(&copy, Updates::None).ok()?;
        updates += found;
        Some((copy, found))
    };
    let (copy, _) = copied(0, &program)?;
    let mut originals = vec![(copy.clone(), program.path.clone())];
    let mut preloaded = Vec::new();
    for (i, library) in libraries.iter().enumerate() {
        let (copy, found) = copied(i + 1, library)?;
        originals.push((copy.clone(), library.path.clone()));
        if found > 0 {
            preloaded.push(copy);
        }
    }
    let own = std::iter::once(&program).chain(&libraries).flat_map(|file| file.folders().iter().cloned());
    let known = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = std::env::join_paths(own.chain(std::env::split_paths(&known))).ok()?;
    let preloaded = std::env::join_paths(preloaded).ok()?;
    let variables = vec![("LD_LIBRARY_PATH", folders), ("LD_PRELOAD", preloaded)];
    (updates > 0).then_some(Uncounted { is_copy: true, program: copy, variables, originals })
}

/// What to say where the program that is to be timed does not run.
fn not_timed(timed: &[Timed<'_>], plan: &Plan) -> Option<Warning> {
    let program = plan.config.program.timed.as_ref().filter(|_| timed.iter().all(|t| t.runs.is_empty()))?;
    let message = format!(
        "nothing was timed: {} cannot be run as `timed` in [program], or fails on every workload; `run --no-time` does \
         without",
        program.display()
    );
    Some(Warning::new("not_timed", message))
}

/// What to say where counters make the longest run much slower. It is of this machine, and not recorded.
fn slow_counters(timed: &[Timed<'_>], copy: &Uncounted) -> Option<Warning> {
    let longest = timed.first().filter(|timed| timed.counted.cpu() >= LONG_ENOUGH)?;
    let plain = Usage::median(&longest.runs).filter(|_| copy.is_copy)?;
    let (counted, plain) = (longest.counted.cpu().as_secs_f64(), plain.cpu().as_secs_f64());
    let times = counted / plain;
    (times >= NOTABLE).then(|| {
        let message = format!(
            "counters make the program {times:.0} times slower: {} took {counted:.2} s of processor time, and {plain:.2} s \
             without them; where no second thread counts, `trend-prof build --update single` is faster",
            longest.workload.workload.name
        );
        Warning::new("slow_counters", message)
    })
}
