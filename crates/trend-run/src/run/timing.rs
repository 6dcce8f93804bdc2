//! How long the program takes without counters: runs of recorded workloads, one at a time, beside those that count.
//!
//! What is timed is a copy of the counted program without the updates of its counters, which takes 4 to 10 % longer than a
//! build without counters (bzip2, Lua, md4c, comrak), or such a build, where the user names one.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_profile::{RunState, StudyFile, Timing, Usage, Warning};

use super::binaries::Binaries;
use super::diagnosis;
use super::process::Runner;
use super::scratch::RunFolder;
use super::source::Source;
use super::stop::Stop;
use super::worker::{PreparedWorkload, RunContext};
use super::{CountSource, ExecuteOptions, built, limits, started};
use crate::shim::linkage::Linked;
use crate::shim::unlock::{Updates, rewrite};
use crate::{Event, Observer, Plan, PlannedWorkload, RunError, Template, machine, shell};

/// Starting a process takes 0.5 to 2.4 ms. What is shorter than some ten times that says little.
const LEAST: Duration = Duration::from_millis(20);

/// A workload that takes this part of the one above it tells no more than that one.
const NEXT: f64 = 0.9;

/// How often a workload is run, by the time that one run takes.
const REPETITIONS: [(Duration, usize); 2] = [(Duration::from_millis(100), 5), (Duration::from_secs(1), 3)];

/// How often runs are made again in which other processes had the processor.
const MOST_RETRIES: usize = 2;

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
}

/// One workload that is timed.
struct Timed<'a> {
    workload: &'a PlannedWorkload,
    counted: Usage,
    runs: Vec<Usage>,
}

impl Timed<'_> {
    fn wanted(&self) -> usize {
        let one = self.runs.first().unwrap_or(&self.counted).wall;
        REPETITIONS.iter().find(|(most, _)| one <= *most).map_or(1, |(_, wanted)| *wanted)
    }

    fn is_disturbed(&self) -> bool {
        self.runs.iter().all(|run| !is_undisturbed(run))
    }
}

/// Whether the program had a processor for itself all the time, and waited for nothing.
fn is_undisturbed(run: &Usage) -> bool {
    run.wall <= run.cpu().mul_f64(1.08) + Duration::from_millis(2)
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
        limits,
        supervisor,
        stop: &stop,
    };
    let runner = context.runner();
    let budget = states.iter().filter_map(|s| s.usage).map(|u| u.wall).sum();
    measure(&mut timed, &context, &runner, &copy, budget, observer);
    let _ = fs::remove_dir_all(&copies);
    for timed in timed.iter().filter(|timed| !timed.runs.is_empty()) {
        // Where there are others, those in which it waited say nothing of it.
        let undisturbed: Vec<Usage> = timed.runs.iter().filter(|run| is_undisturbed(run)).copied().collect();
        let runs = if undisturbed.is_empty() { timed.runs.clone() } else { undisturbed };
        let timing = Timing { machine_memory_bytes: machine::memory_bytes(), runs };
        study.set_timing(&timed.workload.workload.name, timing)?;
    }
    let warning = not_timed(&timed, plan).filter(|_| !stop.is_requested());
    if let Some(warning) = warning.or_else(|| slow_counters(&timed, &copy)) {
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
    all.into_iter().map(|(workload, (counted, _))| Timed { workload, counted, runs: Vec::new() }).collect()
}

/// Fills in the runs: all workloads once, then those that are short again and again, in another order each time, so that
/// what the machine does meanwhile meets all of them alike.
fn measure(
    timed: &mut [Timed<'_>],
    context: &RunContext<'_>,
    runner: &Runner<'_>,
    copy: &Uncounted,
    budget: Duration,
    observer: &dyn Observer,
) {
    let run = |workload: &PlannedWorkload| {
        let prepared = PreparedWorkload::prepare(context, runner, workload).ok()?;
        prepared.run_copy(&copy.program, copy.variables.clone())
    };
    let runs = timed.iter().map(Timed::wanted).sum();
    observer.event(&Event::TimingPlanned { runs });
    // The first run of a program reads it from the disk.
    if let Some(shortest) = timed.last() {
        run(shortest.workload);
    }
    let most = REPETITIONS[0].1;
    let mut spent = Duration::ZERO;
    for round in 0..most + MOST_RETRIES {
        let mut order: Vec<usize> = (0..timed.len()).collect();
        order.sort_by_key(|i| {
            let mut hasher = DefaultHasher::new();
            (round, i).hash(&mut hasher);
            hasher.finish()
        });
        for i in order {
            let one = &mut timed[i];
            let wanted = one.wanted() + if one.is_disturbed() { MOST_RETRIES } else { 0 };
            let is_over = round >= wanted || one.runs.len() < round || round > 0 && spent >= budget;
            if is_over || context.stop.is_requested() {
                continue;
            }
            let name = one.workload.workload.name.as_str();
            if let Some(usage) = run(one.workload) {
                spent += usage.wall;
                one.runs.push(usage);
                observer.event(&Event::Timed { workload: name, usage: &usage });
            }
        }
    }
}

/// What is run in place of the counted program; `None` where there is nothing.
fn copy(plan: &Plan, options: &ExecuteOptions, folder: &Path) -> Option<Uncounted> {
    let config = &plan.config;
    let plain = |program: PathBuf| Uncounted { is_copy: false, program, variables: Vec::new() };
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
    let (program, variables) = without_updates(&program, folder)?;
    Some(Uncounted { is_copy: true, program, variables })
}

/// A copy of the program without updates of counters, and the variables that let it load such copies of its libraries; `None`
/// where nothing could be taken out.
fn without_updates(program: &Path, folder: &Path) -> Option<(PathBuf, Vec<(&'static str, OsString)>)> {
    let program = Linked::read(program)?;
    let libraries = program.whole(&[]).libraries;
    fs::create_dir_all(folder).ok()?;
    let mut updates = 0;
    let mut copied = |number: usize, file: &Linked| {
        let copy = folder.join(number.to_string());
        fs::copy(&file.path, &copy).ok()?;
        let found = rewrite(&copy, Updates::None).ok()?;
        updates += found;
        Some((copy, found))
    };
    let (copy, _) = copied(0, &program)?;
    let mut preloaded = Vec::new();
    for (i, library) in libraries.iter().enumerate() {
        let (copy, found) = copied(i + 1, library)?;
        if found > 0 {
            preloaded.push(copy);
        }
    }
    let own = std::iter::once(&program).chain(&libraries).flat_map(|file| file.folders().iter().cloned());
    let known = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = std::env::join_paths(own.chain(std::env::split_paths(&known))).ok()?;
    let preloaded = std::env::join_paths(preloaded).ok()?;
    (updates > 0).then(|| (copy, vec![("LD_LIBRARY_PATH", folders), ("LD_PRELOAD", preloaded)]))
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
