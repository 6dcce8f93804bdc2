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
use trend_profile::{LargerRun, Sampled, StudyFile, Usage, Warning};

use super::binaries::Binaries;
use super::diagnosis;
use super::larger::Larger;
use super::latency::latencies;
use super::process::Runner;
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
use crate::{Event, LargerSkipped, Observer, Plan, RunError, Template, TimingStep, machine, shell};

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
    // The time of a program that is stopped means nothing.
    let limits = limits(plan, options);
    if limits.stop_after.is_some() {
        return Ok(());
    }
    let states = study.run_states();
    let mut timed = chosen(plan, &states);
    if timed.iter().any(|one| one.is_known) && may_sample().is_err() {
        timed.retain(|one| !one.is_known);
    }
    if timed.is_empty() {
        return Ok(());
    }
    let folder = RunFolder::open(study.path())?;
    let stop = Stop { caller: cancel, recorder: AtomicBool::new(false) };
    let copies = folder.path().join("uncounted");
    observer.event(&Event::TimingStep(TimingStep::CopyingProgram));
    let copy = match copy(plan, options, &copies) {
        Ok(copy) => copy,
        Err(warning) => {
            if let Some(warning) = warning {
                observer.event(&Event::Warned(&warning));
            }
            return Ok(());
        }
    };
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
        observer.event(&Event::TimingStep(TimingStep::ReachingMemory));
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
    let longest = timed.iter().position(|one| !one.is_known);
    let larger = longest.and_then(|longest| {
        let larger = Larger::of(plan, &states, timed[longest].workload)?;
        let fingerprint = &larger.workload.workload.fingerprint;
        let is_known = study.larger_run().is_some_and(|known| known.fingerprint == *fingerprint);
        (!is_known).then_some((longest, larger))
    });
    stopwatch.begin(&mut timed, larger.is_some());
    let larger = larger.and_then(|(longest, larger)| stopwatch.time_larger(&larger, &timed[longest]));
    stopwatch.sample(&mut timed);
    stopwatch.repeat(&mut timed);
    observer.event(&Event::TimingStep(TimingStep::AttributingSamples));
    let not_sampled = record_samples(&timed, study, &copy)?;
    let _ = fs::remove_dir_all(&copies);
    if let Some(larger) = larger {
        study.set_larger_run(larger)?;
    }
    for timed in timed.iter().filter(|timed| !timed.runs.is_empty()) {
        study.set_timing(&timed.workload.workload.name, timing(timed.runs.clone()))?;
    }
    let warning = not_timed(&timed, plan).filter(|_| !stop.is_requested());
    let watches_memory = options.memory_by_line || plan.config.program.memory_by_line;
    let slow = || slow_counters(&timed, &copy, watches_memory);
    for warning in warning.or_else(slow).into_iter().chain(not_sampled) {
        observer.event(&Event::Warned(&warning));
    }
    Ok(())
}

/// Runs a program without counters within a time budget.
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
    fn run(&mut self, one: &Timed<'_>, period: Option<Duration>) -> Option<CopyRun> {
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
            &self.copy.program,
            self.copy.line.as_ref(),
            self.copy.variables.clone(),
            most,
            period,
        )?;
        self.spent += run.usage.wall;
        Some(run)
    }

    /// Runs each workload that is to be timed once.
    fn begin(&mut self, timed: &mut [Timed<'_>], has_larger: bool) {
        let sampled = timed.iter().filter(|one| one.is_to_be_sampled && one.period_when_timed().is_none());
        let runs = timed.iter().map(Timed::wanted).sum::<usize>() + usize::from(has_larger) + sampled.count();
        self.observer.event(&Event::TimingPlanned { runs });
        // A warm-up: the first run of a program reads it from disk.
        if let Some(shortest) = timed.iter().rfind(|one| !one.is_known) {
            self.run(shortest, None);
            self.spent = Duration::ZERO;
        }
        self.round(timed, 0);
    }

    /// Repeats the short workloads.
    fn repeat(&mut self, timed: &mut [Timed<'_>]) {
        for round in 1..REPETITIONS[0].1 + MOST_RETRIES {
            self.round(timed, round);
        }
    }

    /// Runs the chosen workloads once more to sample them, if their timed runs were not sampled. These runs last at
    /// most a second and ignore the budget, because samples are worth more. Longer runs are sampled while they are
    /// timed.
    fn sample(&mut self, timed: &mut [Timed<'_>]) {
        let is_to_run = |one: &&mut Timed<'_>| {
            one.is_to_be_sampled && one.samples.is_none() && (one.is_known || !one.runs.is_empty())
        };
        for one in timed.iter_mut().filter(is_to_run) {
            if self.context.stop.is_requested() {
                return;
            }
            let period = one.period();
            if let Some(run) = self.run(one, Some(period)) {
                let workload = one.workload.workload.name.as_str();
                self.observer.event(&Event::Sampled { workload, usage: &run.usage });
                one.samples = sampling(run, period);
            }
        }
    }

    /// Runs all workloads that need another run. The order differs in each round, so that disturbances of the machine
    /// affect all of them alike.
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
            let period = one.period_when_timed().filter(|_| round == 0);
            if let Some(run) = self.run(one, period) {
                let usage = run.usage;
                one.runs.push(usage);
                one.samples = one.samples.take().or(period.and_then(|period| sampling(run, period)));
                let workload = one.workload.workload.name.as_str();
                self.observer.event(&Event::Timed { workload, usage: &usage });
            }
        }
    }

    /// Runs the workload of three times the largest size if time and memory are sufficient. Otherwise reports why not.
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
        // Like other workloads, it is repeated if it was disturbed.
        for _ in 0..=MOST_RETRIES {
            let left = self.budget.saturating_sub(self.spent);
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
    copy: &Uncounted,
) -> Result<Option<Warning>, RunError> {
    if timed.iter().all(|one| one.samples.is_none()) {
        return Ok(None);
    }
    let (root, (functions, locations)) = (study.root().to_owned(), study.functions_and_locations()?);
    let mut owners = Owners::new(OwnCode::new(&root, &functions, &locations), &functions, &copy.originals);
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
            "the kernel does not let this user see where the time goes ({error}), so that seconds are of the whole program alone: \
             `sysctl kernel.perf_event_paranoid=2`, as root, allows it, and containers need the system call perf_event_open; \
             then run again"
        ),
        _ => format!(
            "where the time of {workload} goes was not recorded ({error}); `run --fresh` tries it again"
        ),
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
    if built::probe_of(config).is_some() {
        return Err(None);
    }
    let word = started(config);
    let program = diagnosis::on_path(&shell::resolved(&word, &config.folder)).ok_or(None)?;
    let not_timed = |why: String| Some(Warning::new("not_timed", format!("nothing was timed: {why}")));
    let copied = match options.counters {
        CountSource::Callgrind => plain(program),
        CountSource::Gcov if diagnosis::is_script(&program) => {
            return Err(not_timed(format!(
                "{} is a script, in which no program without counters can take the place of the one with them; in \
                 `sh -c './program …'` it can",
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
            "beside {} the line starts {}, whose time and memory would be taken for its own; a command that starts nothing else \
             is timed",
            Path::new(&word).display(),
            Path::new(other).display()
        )));
    }
    let line = shell::replaced(&command, Path::new(&word), &copied.program).ok_or_else(|| {
        not_timed(format!("a shell does not take {} as it is written", copied.program.display()))
    })?;
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
        "nothing was timed: {} cannot be run as `timed` in [program], or fails on every workload; `run --no-time` does \
         without",
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
            "{what} the program {times:.0} times slower: {} took {counted:.2} s of processor time, and {plain:.2} s \
             without them; where no second thread counts, `trend-prof build --update single` is faster",
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
        let warning = record_samples(&timed, &mut study, &copy).unwrap().unwrap();
        assert!(
            warning.message.starts_with("where the time of n=8 goes was not recorded"),
            "{}",
            warning.message
        );
        let samples = |name: &str| {
            let study = study.load().unwrap();
            let workload = study.workloads().iter().find(|one| one.name == name).unwrap();
            workload.sampled.as_ref().map(Sampled::samples)
        };
        assert_eq!((samples("n=7"), samples("n=8"), samples("n=9")), (Some(5), Some(0), None));
    }
}
