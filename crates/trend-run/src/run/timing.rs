//! Times recorded workloads without counters, one at a time and separately from the counted runs.
//!
//! Two of the sizes are sampled as well, in runs that are not timed. Long runs, which are timed only once, are sampled
//! less often instead.
//!
//! The timed program is a copy of the counted one without the updates of its counters. It takes 4 to 10 % longer than a
//! build without counters (bzip2, Lua, md4c, comrak). If the user names a build without counters, that is timed
//! instead.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use object::Object as _;
use trend_collect::OwnCode;
use trend_profile::{LargerRun, RunState, Sampled, StudyFile, Usage, Warning};

use super::binaries::Binaries;
use super::diagnosis;
use super::larger::Larger;
use super::latency::latencies;
use super::process::Runner;
use super::root;
use super::sampling::Owners;
use super::scratch::RunFolder;
use super::source::Source;
use super::stop::Stop;
use super::timed::{REPETITIONS, Sampling, Timed, chosen, is_undisturbed, timing};
use super::worker::{CopyRun, PreparedWorkload, RunContext};
use super::{CountSource, ExecuteOptions, built, limits, started};
use crate::shim::linkage::Linked;
use crate::shim::unlock::{Updates, rewrite};
use crate::supervisor::may_sample;
use crate::supervisor::wire::Limits;
use crate::{Event, Language, LargerSkipped, Observer, Plan, RunError, Template, TimingStep, machine, shell};

/// Minimum time budget, if all counted runs together took less. A run of three times the largest size takes as long as
/// all of them, and is worth more.
const LEAST_BUDGET: Duration = Duration::from_secs(5);

/// Maximum number of retries of runs in which other processes used the processor.
const MOST_RETRIES: usize = 2;

/// A warning is given if counters make a run at least this many times slower,
const NOTABLE: f64 = 2.0;

/// and the counted run takes at least this long.
const LONG_ENOUGH: Duration = Duration::from_millis(200);

/// A program that can run in place of the counted one.
struct Uncounted {
    /// True if it is a copy of the counted program without the updates of counters.
    is_copy: bool,
    program: PathBuf,
    /// The shell line that starts it, if the command is one.
    line: Option<Template>,
    variables: Vec<(&'static str, OsString)>,
    /// Pairs of a copy and the file that it was copied from.
    originals: Vec<(PathBuf, PathBuf)>,
}

/// Times recorded workloads that have no timing yet. Among workloads of similar length, only the longest is timed.
/// Takes about as much time as the counted runs. Does nothing if there is no program without counters, or if all runs
/// are too short.
///
/// # Errors
/// [`RunError`]; everything recorded until then stays recorded.
pub fn time(
    plan: &Plan,
    study: &mut StudyFile,
    options: &ExecuteOptions,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<(), RunError> {
    time_side_by_side(&mut [(plan, study)], options, observer, cancel)
}

/// Times several versions of a program as [`time`] does one. Their runs of a workload follow each other, so that a machine
/// that slows down or warms up slows all of them.
///
/// # Errors
/// [`RunError`]; what was recorded before stays recorded.
pub fn time_side_by_side(
    versions: &mut [(&Plan, &mut StudyFile)],
    options: &ExecuteOptions,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<(), RunError> {
    let (mut prepared, mut studies) = (Vec::new(), Vec::new());
    for (plan, study) in versions {
        if let Some(version) = Version::prepare(plan, study, options, observer)? {
            prepared.push(version);
            studies.push(study);
        }
    }
    let stop = Stop { caller: cancel, recorder: AtomicBool::new(false) };
    let contexts: Vec<RunContext<'_>> =
        prepared.iter().map(|version| version.context(options, &stop)).collect();
    let runners: Vec<Runner<'_>> = contexts.iter().map(RunContext::runner).collect();
    let mut stopwatches: Vec<Stopwatch<'_>> = prepared
        .iter()
        .zip(contexts.iter().zip(&runners))
        .map(|(version, (context, runner))| Stopwatch {
            context,
            runner,
            version,
            timed: version.timed(),
            observer,
            spent: Duration::ZERO,
        })
        .collect();
    let runs = stopwatches.iter().map(Stopwatch::planned).sum();
    if runs == 0 {
        return Ok(());
    }
    observer.event(&Event::TimingPlanned { runs });
    stopwatches.iter_mut().for_each(Stopwatch::warm_up);
    round(&mut stopwatches, 0);
    let larger: Vec<Option<LargerRun>> = stopwatches.iter_mut().map(Stopwatch::time_larger).collect();
    stopwatches.iter_mut().for_each(Stopwatch::sample);
    for number in 1..REPETITIONS[0].1 + MOST_RETRIES {
        round(&mut stopwatches, number);
    }
    observer.event(&Event::TimingStep(TimingStep::AttributingSamples));
    let timed: Vec<Vec<Timed<'_>>> = stopwatches.into_iter().map(|stopwatch| stopwatch.timed).collect();
    let is_stopped = stop.is_requested();
    for (((version, study), larger), timed) in prepared.iter().zip(studies).zip(larger).zip(&timed) {
        for warning in version.record(timed, larger, study, options, is_stopped)? {
            observer.event(&Event::Warned(&warning));
        }
    }
    Ok(())
}

/// Runs the workloads of all versions that want it. The order differs from round to round, so that disturbances of the machine
/// meet all workloads alike; the versions take turns within each workload.
fn round(stopwatches: &mut [Stopwatch<'_>], number: usize) {
    let hash = |workload: &str| {
        let mut hasher = DefaultHasher::new();
        (number, workload).hash(&mut hasher);
        hasher.finish()
    };
    let mut order: Vec<(u64, usize, usize)> = Vec::new();
    for (version, stopwatch) in stopwatches.iter().enumerate() {
        let turn = (version + number) % stopwatches.len();
        let timed = stopwatch.timed.iter().enumerate();
        order.extend(timed.map(|(i, one)| (hash(&one.workload.workload.name), turn, i)));
    }
    order.sort_unstable();
    let versions = stopwatches.len();
    for (_, turn, i) in order {
        stopwatches[(turn + versions - number % versions) % versions].run_in_round(i, number);
    }
}

/// A version of a program that is timed.
struct Version<'a> {
    plan: &'a Plan,
    states: Vec<RunState>,
    folder: RunFolder,
    source: Source,
    copies: PathBuf,
    copy: Uncounted,
    limits: Limits,
    /// The workload of three times the largest size, if it is to run.
    larger: Option<Larger>,
    /// The time that runs without counters may take.
    budget: Duration,
}

impl<'a> Version<'a> {
    /// Makes the program without counters. Returns `None` if nothing is to be timed or nothing can be.
    fn prepare(
        plan: &'a Plan,
        study: &mut StudyFile,
        options: &ExecuteOptions,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, RunError> {
        // The time of a program that is stopped means nothing.
        let limits = limits(plan, options);
        if limits.stop_after.is_some() {
            return Ok(None);
        }
        let states = study.run_states();
        let timed = to_time(plan, &states);
        if timed.is_empty() {
            return Ok(None);
        }
        let folder = RunFolder::open(study.path(), &options.supervisor)?;
        let copies = folder.path().join("uncounted");
        observer.event(&Event::TimingStep(TimingStep::CopyingProgram));
        let copy = match copy(plan, options, &copies) {
            Ok(copy) => copy,
            Err(warning) => {
                if let Some(warning) = warning {
                    observer.event(&Event::Warned(&warning));
                }
                return Ok(None);
            }
        };
        if study.latencies().is_empty() {
            observer.event(&Event::TimingStep(TimingStep::ReachingMemory));
            study.set_latencies(latencies(machine::free_memory_bytes()))?;
        }
        // The longest run of a shard need not be that of the plan.
        let is_whole = plan.config.shard.is_none();
        let larger = timed.iter().find(|one| is_whole && !one.is_known).and_then(|longest| {
            let larger = Larger::of(plan, &states, longest.workload)?;
            let fingerprint = &larger.workload.workload.fingerprint;
            let is_known = study.larger_run().is_some_and(|known| known.fingerprint == *fingerprint);
            (!is_known).then_some(larger)
        });
        let counted = states.iter().filter_map(|s| s.usage).map(|u| u.wall).sum::<Duration>();
        let binaries = Binaries::new(None, &plan.config.folder);
        let root = root::of_study(study.root(), &plan.config.folder);
        let source =
            Source::new(CountSource::Gcov, &root.to_string_lossy(), [].into(), binaries, &plan.config);
        let budget = counted.max(LEAST_BUDGET);
        Ok(Some(Self { plan, states, folder, source, copies, copy, limits, larger, budget }))
    }

    fn timed(&self) -> Vec<Timed<'a>> {
        to_time(self.plan, &self.states)
    }

    fn context<'c>(&'c self, options: &'c ExecuteOptions, stop: &'c Stop<'c>) -> RunContext<'c> {
        RunContext {
            config: &self.plan.config,
            folder: &self.folder,
            source: &self.source,
            memory: None,
            limits: self.limits,
            supervisor: options.supervisor.as_path(),
            stop,
        }
    }

    /// Records times and samples. Returns the warnings about them.
    fn record(
        &self,
        timed: &[Timed<'_>],
        larger: Option<LargerRun>,
        study: &mut StudyFile,
        options: &ExecuteOptions,
        is_stopped: bool,
    ) -> Result<impl Iterator<Item = Warning> + use<>, RunError> {
        let not_sampled = record_samples(timed, study, &self.plan.config.folder, &self.copy)?;
        let _ = fs::remove_dir_all(&self.copies);
        if let Some(larger) = larger {
            study.set_larger_run(larger)?;
        }
        for timed in timed.iter().filter(|timed| !timed.runs.is_empty()) {
            study.set_timing(&timed.workload.workload.name, timing(timed.runs.clone()))?;
        }
        let warning = not_timed(timed, self.plan).filter(|_| !is_stopped);
        let watches_memory = options.memory_by_line || self.plan.config.program.memory_by_line;
        let slow = || slow_counters(timed, &self.copy, watches_memory);
        Ok(warning.or_else(slow).into_iter().chain(not_sampled))
    }
}

/// Returns the workloads to time or sample, the longest first. Known ones are left out if the user may not sample.
fn to_time<'a>(plan: &'a Plan, states: &[RunState]) -> Vec<Timed<'a>> {
    let mut timed = chosen(plan, states);
    if timed.iter().any(|one| one.is_known) && may_sample().is_err() {
        timed.retain(|one| !one.is_known);
    }
    if plan.config.language() == Some(Language::Node) {
        // Compiled JavaScript is in no file, so samples cannot tell counted code from other code.
        for one in &mut timed {
            one.is_to_be_sampled = false;
        }
        timed.retain(|one| !one.is_known);
    }
    timed
}

/// Runs a program without counters within a time budget.
struct Stopwatch<'a> {
    context: &'a RunContext<'a>,
    runner: &'a Runner<'a>,
    version: &'a Version<'a>,
    timed: Vec<Timed<'a>>,
    observer: &'a dyn Observer,
    spent: Duration,
}

impl Stopwatch<'_> {
    /// Runs a workload once.
    fn run(&mut self, i: usize, period: Option<Duration>) -> Option<CopyRun> {
        let one = &self.timed[i];
        let expected = one.runs.first().unwrap_or(&one.counted).wall;
        self.observer.event(&Event::TimingStarted { workload: &one.workload.workload.name, expected });
        let prepared = PreparedWorkload::prepare(self.context, self.runner, one.workload).ok()?;
        self.run_prepared(&prepared, None, period)
    }

    fn run_prepared(
        &mut self,
        prepared: &PreparedWorkload<'_>,
        most: Option<Duration>,
        period: Option<Duration>,
    ) -> Option<CopyRun> {
        let run = prepared.run_copy(
            &self.version.copy.program,
            self.version.copy.line.as_ref(),
            self.version.copy.variables.clone(),
            most,
            period,
        )?;
        self.spent += run.usage.wall;
        Some(run)
    }

    /// Returns the number of runs to make, without repetitions of disturbed ones.
    fn planned(&self) -> usize {
        let sampled =
            self.timed.iter().filter(|one| one.is_to_be_sampled && one.period_when_timed().is_none());
        let has_larger = self.version.larger.is_some();
        self.timed.iter().map(Timed::wanted).sum::<usize>() + usize::from(has_larger) + sampled.count()
    }

    /// Runs the shortest workload, and does not time it: the first run of a program reads it from the disk.
    fn warm_up(&mut self) {
        if let Some(shortest) = self.timed.iter().rposition(|one| !one.is_known) {
            self.run(shortest, None);
            self.spent = Duration::ZERO;
        }
    }

    /// Runs the chosen workloads once more to sample them, if their timed runs were not sampled. These runs are at most a second
    /// long, and worth more than the time that is left: longer ones are sampled while they are timed.
    fn sample(&mut self) {
        for i in 0..self.timed.len() {
            let one = &self.timed[i];
            let is_to_run =
                one.is_to_be_sampled && one.samples.is_none() && (one.is_known || !one.runs.is_empty());
            if !is_to_run {
                continue;
            }
            if self.context.stop.is_requested() {
                return;
            }
            let period = one.period();
            if let Some(run) = self.run(i, Some(period)) {
                let one = &mut self.timed[i];
                let workload = one.workload.workload.name.as_str();
                self.observer.event(&Event::Sampled { workload, usage: &run.usage });
                one.samples = sampling(run, period);
            }
        }
    }

    /// Runs a workload in a round, if it wants another run and there is time for it.
    fn run_in_round(&mut self, i: usize, round: usize) {
        let one = &self.timed[i];
        let wanted = one.wanted() + if one.is_disturbed() { MOST_RETRIES } else { 0 };
        let is_out_of_time = round > 0 && self.spent >= self.version.budget;
        let is_over = round >= wanted || one.runs.len() < round || is_out_of_time;
        if is_over || self.context.stop.is_requested() {
            return;
        }
        let period = one.period_when_timed().filter(|_| round == 0);
        if let Some(run) = self.run(i, period) {
            let one = &mut self.timed[i];
            let usage = run.usage;
            one.runs.push(usage);
            one.samples = one.samples.take().or(period.and_then(|period| sampling(run, period)));
            let workload = one.workload.workload.name.as_str();
            self.observer.event(&Event::Timed { workload, usage: &usage });
        }
    }

    /// Runs the workload of three times the largest size if the time that is left is enough, and says so if it is not.
    fn time_larger(&mut self) -> Option<LargerRun> {
        let larger = self.version.larger.as_ref()?;
        let longest = self.timed.iter().find(|one| !one.is_known)?;
        let workload = &larger.workload.workload;
        let one = Usage::median(&longest.runs).filter(|_| !self.context.stop.is_requested())?;
        let observer = self.observer;
        let skip = |reason: LargerSkipped| {
            observer.event(&Event::LargerSkipped { workload: &workload.name, reason });
            None
        };
        let expected = larger.expected(one.wall);
        let left = self.version.budget.saturating_sub(self.spent);
        if expected > left {
            return skip(LargerSkipped::Time { expected, left });
        }
        if !larger.fits_into(machine::free_memory_bytes()) {
            return skip(LargerSkipped::Memory);
        }
        let (context, runner) = (self.context, self.runner);
        let prepared = PreparedWorkload::prepare(context, runner, &larger.workload).ok()?;
        let (begin, mut runs) = (SystemTime::now(), Vec::new());
        // Like other workloads, it is repeated if it was disturbed.
        for _ in 0..=MOST_RETRIES {
            let left = self.version.budget.saturating_sub(self.spent);
            if expected > left || runs.last().is_some_and(is_undisturbed) || self.context.stop.is_requested()
            {
                break;
            }
            observer.event(&Event::TimingStarted { workload: &workload.name, expected });
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

/// Records the places of samples. Returns a warning if samples are missing. A failure is recorded as samples without
/// places, so that it is not repeated every time. Missing permission is not recorded, because the user may get it
/// later.
fn record_samples(
    timed: &[Timed<'_>],
    study: &mut StudyFile,
    folder: &Path,
    copy: &Uncounted,
) -> Result<Option<Warning>, RunError> {
    if timed.iter().all(|one| one.samples.is_none()) {
        return Ok(None);
    }
    let root = root::of_study(study.root(), folder);
    let (functions, locations) = study.functions_and_locations()?;
    let mut owners = Owners::new(
        OwnCode::new(&root.to_string_lossy(), &functions, &locations),
        &functions,
        &copy.originals,
    );
    let mut warning = None;
    for one in timed {
        let Some(Sampling { usage, period, samples }) = &one.samples else { continue };
        let workload = one.workload.workload.name.as_str();
        if let Err(error) = samples {
            warning.get_or_insert_with(|| not_sampled(workload, error));
        }
        let sampled = match samples {
            Ok(samples) => owners.sampled(samples, *usage, *period),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
            Err(_) => Sampled { usage: *usage, period: *period, lost: 0, places: Vec::new() },
        };
        study.set_sampled(workload, sampled)?;
    }
    Ok(warning)
}

fn not_sampled(workload: &str, error: &io::Error) -> Warning {
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "time is known only for the whole program because the kernel forbids sampling ({error}); \
             allow it with `sysctl kernel.perf_event_paranoid=2` as root (containers also need the system \
             call perf_event_open), then run again"
        ),
        _ => format!("the time of {workload} was not sampled ({error}); try again with `run --fresh`"),
    };
    Warning::new("not_sampled", message)
}

/// Returns the program to run in place of the counted one. If there is none, the error is a warning, or `None` if it is
/// not worth one.
fn copy(plan: &Plan, options: &ExecuteOptions, folder: &Path) -> Result<Uncounted, Option<Warning>> {
    let config = &plan.config;
    let plain = |program: PathBuf| Uncounted {
        is_copy: false,
        program,
        line: None,
        variables: Vec::new(),
        originals: Vec::new(),
    };
    if let Some(program) = &config.program.timed {
        return Ok(plain(config.folder.join(program)));
    }
    if options.counters == CountSource::Go {
        let why = "nothing was timed: a Go program with counters takes longer; set `timed` to a build without \
                   `-cover`, or use `go run`, which builds both";
        return Err(Some(Warning::new("not_timed", why)));
    }
    if options.counters.language().is_some() {
        // The same command counts nothing without the variables of a counted run.
        let first = config.program.command.first().map(Template::text).unwrap_or_default();
        return Ok(plain(shell::resolved(first.as_ref(), &config.folder)));
    }
    if built::probe_of(config).is_some() {
        return Err(None);
    }
    let word = started(config);
    let program = diagnosis::on_path(&shell::resolved(&word, &config.folder)).ok_or(None)?;
    let not_timed = |why: String| Some(Warning::new("not_timed", format!("nothing was timed: {why}")));
    let copied = match options.counters {
        CountSource::Callgrind | CountSource::Python | CountSource::Node | CountSource::Go => plain(program),
        CountSource::Gcov if diagnosis::is_script(&program) => {
            return Err(not_timed(format!(
                "{} is a script, so its program cannot be replaced by one without counters; use `sh -c \
                 './program …'`",
                Path::new(&word).display()
            )));
        }
        CountSource::Gcov => without_updates(&program, folder).ok_or_else(|| {
            let why = || format!("{} has no symbols: link it without `-s`", Path::new(&word).display());
            is_stripped(&program).then(why).and_then(not_timed)
        })?,
    };
    let command: Vec<OsString> = config.program.command.iter().map(|word| word.text().into()).collect();
    if shell::script(&command).is_none() || command.first() == Some(&word) {
        return Ok(copied);
    }
    if let Some(other) =
        shell::programs(&command).iter().find(|other| **other != word && !shell::is_builtin(other))
    {
        return Err(not_timed(format!(
            "the command also starts {1}, whose time and memory would be added to those of {0}; use a \
             command that starts nothing else",
            Path::new(&word).display(),
            Path::new(other).display()
        )));
    }
    let line = shell::replaced(&command, Path::new(&word), &copied.program)
        .ok_or_else(|| not_timed(format!("a shell changes {}", copied.program.display())))?;
    Ok(Uncounted { line: Some(Template::parse(&line)), ..copied })
}

/// True if a program has no symbols, which are needed to find its counters.
fn is_stripped(program: &Path) -> bool {
    let Ok(bytes) = fs::read(program) else { return false };
    object::File::parse(&*bytes).is_ok_and(|file| file.symbols().next().is_none())
}

/// Copies the program without the updates of its counters. The copy loads such copies of its libraries. Returns `None`
/// if there was nothing to remove.
fn without_updates(program: &Path, folder: &Path) -> Option<Uncounted> {
    let program = Linked::read(program)?;
    let libraries = program.whole(&[]).libraries;
    fs::create_dir_all(folder).ok()?;
    // The kernel reports canonical paths.
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
    (updates > 0).then_some(Uncounted { is_copy: true, program: copy, line: None, variables, originals })
}

/// Returns a warning if the program that was configured for timing does not run.
fn not_timed(timed: &[Timed<'_>], plan: &Plan) -> Option<Warning> {
    let mut now = timed.iter().filter(|one| !one.is_known).peekable();
    now.peek()?;
    let program = plan.config.program.timed.as_ref().filter(|_| now.all(|one| one.runs.is_empty()))?;
    let message = format!(
        "nothing was timed: {} (`timed` in [program]) cannot be run, or fails on every workload; skip \
         timing with `run --no-time`",
        program.display()
    );
    Some(Warning::new("not_timed", message))
}

/// Returns a warning if counters make the longest run much slower. It applies to this machine only and is not recorded.
fn slow_counters(timed: &[Timed<'_>], copy: &Uncounted, watches_memory: bool) -> Option<Warning> {
    let longest = timed.iter().find(|timed| !timed.runs.is_empty())?;
    if longest.counted.cpu() < LONG_ENOUGH {
        return None;
    }
    let plain = Usage::median(&longest.runs).filter(|_| copy.is_copy)?;
    let (counted, plain) = (longest.counted.cpu().as_secs_f64(), plain.cpu().as_secs_f64());
    let times = counted / plain;
    (times >= NOTABLE).then(|| {
        let what = if watches_memory { "counters and memory by line make" } else { "counters make" };
        let message = format!(
            "{what} the program {times:.0} times slower: {} took {counted:.2} s of CPU time, and \
             {plain:.2} s without them; for single-threaded programs, `trend-prof build --update single` \
             is faster",
            longest.workload.workload.name
        );
        Warning::new("slow_counters", message)
    })
}

#[cfg(test)]
mod tests {
    use trend_collect::Samples;
    use trend_profile::{NewStudy, Outcome, Run};

    use super::*;
    use crate::{CommandLine, Config, parse_parameter, plan};

    fn plan_of(sizes: &str) -> Plan {
        let parameters = vec![parse_parameter(sizes).unwrap()];
        let command = vec!["./a".into(), "{n}".into()];
        let line = CommandLine { command, parameters, ..CommandLine::default() };
        plan(&Config::from_command_line(Path::new("/nowhere"), line).unwrap()).unwrap()
    }

    #[test]
    fn what_makes_counted_runs_slow_is_said() {
        let plan = plan_of("n=9");
        let took = |seconds| Usage { user: Duration::from_secs(seconds), ..Usage::default() };
        let timed = |counted| Timed {
            workload: &plan.workloads[0],
            counted: took(counted),
            is_known: false,
            runs: vec![took(1)],
            is_to_be_sampled: false,
            samples: None,
        };
        let (program, variables, originals) = (PathBuf::new(), Vec::new(), Vec::new());
        let copy = Uncounted { is_copy: true, program, line: None, variables, originals };
        let said = |counted, watches_memory| {
            slow_counters(&[timed(counted)], &copy, watches_memory).map(|warning| warning.message)
        };
        assert!(said(3, false).unwrap().starts_with("counters make the program 3 times slower"));
        assert!(
            said(3, true).unwrap().starts_with("counters and memory by line make the program 3 times slower")
        );
        assert_eq!(said(1, true), None);
        // The longest workload may have been timed earlier and is then not run again.
        let known = Timed { is_known: true, runs: Vec::new(), ..timed(9) };
        let warning = slow_counters(&[known, timed(3)], &copy, false).unwrap();
        assert!(warning.message.contains("3 times slower"), "{}", warning.message);
    }

    #[test]
    fn samples_of_one_run_are_kept_where_those_of_another_failed() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan_of("n=7,8,9");
        let path = folder.path().join("a.trend");
        let mut study = StudyFile::create(&path, &NewStudy::new("a", "/nowhere")).unwrap();
        let run = Run {
            repetition: 0,
            outcome: Outcome::Finished,
            usage: Usage::default(),
            stderr_tail: String::new(),
        };
        let results = [
            Ok(Samples { elsewhere: 5, ..Samples::default() }),
            Err(io::Error::from_raw_os_error(libc::EMFILE)),
            Err(io::Error::from_raw_os_error(libc::EACCES)),
        ];
        let mut timed = Vec::new();
        for (workload, samples) in plan.workloads.iter().zip(results) {
            study.record(&workload.workload, &run, Some(&[]), &[]).unwrap();
            let (usage, period) = (Usage::default(), Duration::from_millis(1));
            timed.push(Timed {
                workload,
                counted: usage,
                is_known: true,
                runs: Vec::new(),
                is_to_be_sampled: true,
                samples: Some(Sampling { usage, period, samples }),
            });
        }
        let (program, variables, originals) = (PathBuf::new(), Vec::new(), Vec::new());
        let copy = Uncounted { is_copy: true, program, line: None, variables, originals };
        let warning = record_samples(&timed, &mut study, Path::new("/nowhere"), &copy).unwrap().unwrap();
        assert!(warning.message.starts_with("the time of n=8 was not sampled"), "{}", warning.message);
        let samples = |name: &str| {
            let study = study.load().unwrap();
            let workload = study.workloads().iter().find(|one| one.name == name).unwrap();
            workload.sampled.as_ref().map(Sampled::samples)
        };
        assert_eq!((samples("n=7"), samples("n=8"), samples("n=9")), (Some(5), Some(0), None));
    }
}
