//! `trend-prof try`: builds, runs and answers in one command.
//!
//! The program and its build come from `trend-prof.toml`, from the command line, or from the files in the folder, like
//! `init`. The sizes come from [`trend_steer::scout`] and its rounds.

mod judgement;
mod worst;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use trend_analyze::{Doubt, Expectation, Limit, Origin, Subject};
use trend_profile::{StudyFile, shell_word};
use trend_report::{By, Sort, TableOptions};
use trend_run::{
    CONFIG_FILE, Config, CountSource, ExecuteOptions, Language, Parameter, Publish, Seed, Summary, Template,
};
use trend_steer::{Account, Ended, Event, Goal, Job, LARGEST, Note, Observer, Rounds};

use super::run::{self, Prepared};
use super::{check, grow};
use crate::failure::{EXIT_EXPECTATION, EXIT_WRONG_INPUT, Failure};
use crate::progress::Progress;
use crate::terminal::{self, Terminal};
use crate::{cli, study};

/// Largest size that is chosen before an expectation is known to need larger ones. It covers five decades and needs
/// little memory.
const LARGEST_EXPECTED: f64 = 1_048_576.0;

/// Share of the time budget for runs with counters. Runs without counters get the rest and take about as long.
const COUNTED: f64 = 2.0 / 3.0;

/// Interval at which the deadline is checked.
const TICK: Duration = Duration::from_millis(20);

/// Maximum number of files to run, spread over their sizes. More would add little.
const MOST_FILES: usize = 60;

pub(super) fn trial(args: &cli::Try, terminal: Terminal) -> Result<ExitCode, Failure> {
    let mut setup = setup(args, terminal)?;
    let program = &mut setup.config.program;
    program.packages = args.packages.unwrap_or(program.packages);
    if args.worst {
        return worst::worst(args, setup, terminal);
    }
    let expected: Vec<Expectation> = args.expect.map(of_program).into_iter().collect();
    let analysis = check::options(&expected, &cli::Analysis::default())?;
    let Begun { path, mut options, prepared } = begin(args, &mut setup, terminal)?;
    let Prepared { mut plan, mut study, interruption, .. } = prepared;
    if std::mem::take(&mut options.fresh) && study.is_published() {
        study.clear()?;
    }
    let watcher = Watcher { progress: Progress::new(terminal) };
    let begin = Instant::now();
    let to_count = if expected.is_empty() { args.budget.mul_f64(COUNTED) } else { args.budget };
    let job = |budget| Job {
        config: &setup.config,
        goal: match (expected.as_slice(), &setup.scouted) {
            ([], _) => Goal::Costly,
            (_, None) if !args.parameters.is_empty() => {
                Goal::Expectations { expected: &[], options: &analysis }
            }
            (expected, _) => Goal::Expectations { expected, options: &analysis },
        },
        options: &options,
        budget,
        observer: &watcher,
        stop: interruption.flag(),
    };
    let mut failures = Vec::new();
    if let Some(parameter) = &setup.scouted {
        let largest = if expected.is_empty() { LARGEST } else { LARGEST_EXPECTED };
        let scouted = trend_steer::scout(job(to_count), parameter, largest, &mut plan, &mut study)?;
        watcher.progress.finish();
        if scouted.sizes.is_empty() && !interruption.is_requested() {
            run::report_summary(&scouted.summary, &path, terminal);
            let failure =
                Failure::new(format!("no run succeeded with {{{parameter}}} = 4, nor with larger values"));
            return Err(match parameter.as_str() {
                grow::PERCENT | grow::REPETITIONS => failure,
                _ => failure.hint(format!(
                    "if it needs other values, give them: `--param {parameter}=1000..100000x8`"
                )),
            }
            .exit_code(if expected.is_empty() { EXIT_EXPECTATION } else { EXIT_WRONG_INPUT }));
        }
        say_sizes(parameter, &scouted, terminal);
        failures = scouted.summary.failures;
    }
    if plan.workloads.iter().all(|workload| workload.parameters.is_empty()) {
        spread(&mut plan.workloads);
    }
    let files = if args.files.is_empty() { 0 } else { plan.workloads.len() };
    let left = to_count.saturating_sub(begin.elapsed());
    let mut rounds = Rounds::new(job(left), plan, study);
    let account = rounds.run();
    watcher.progress.finish();
    let mut summary = rounds.summary().clone();
    drop(rounds);
    let account = Account { spent: begin.elapsed(), budget: to_count, ..account? };
    if interruption.is_requested() {
        run::report_summary(&summary, &path, terminal);
        return Ok(interruption.exit_code());
    }
    let ran = summary.finished + summary.skipped + summary.failures.len();
    if files > ran {
        let budget = args.budget.as_secs_f64();
        terminal.warn(&format!(
            "{} of {files} files were not run for lack of time ({budget} s); give more with `--budget`",
            files - ran
        ));
    }
    if !expected.is_empty() {
        if account.ended != Ended::Stopped && !account.rows.is_empty() {
            account.lines().last().into_iter().for_each(|line| terminal.note(line));
        }
        summary.failures.splice(0..0, failures);
        let tried = Tried { path: &path, summary, scouted: setup.scouted.as_deref() };
        return judgement::judged(args, &expected, &analysis, tried, terminal);
    }
    let end = begin + args.budget;
    until(end, interruption.flag(), |stop| run::time_until(&setup.config, &path, &options, stop, terminal))?;
    answer(&path, &summary, &account, terminal)?;
    setup.offer(args, &path, terminal);
    Ok(ExitCode::SUCCESS)
}

/// The completed runs.
struct Tried<'a> {
    /// Path of the study.
    path: &'a Path,
    summary: Summary,
    /// The parameter whose values were chosen, if any.
    scouted: Option<&'a str>,
}

/// Calls `work` with a flag that is set when the user asks to stop or when the time is over.
fn until<T>(end: Instant, asked: &AtomicBool, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let is_over = asked.load(Ordering::Relaxed) || Instant::now() >= end;
                stop.fetch_or(is_over, Ordering::Relaxed);
                thread::park_timeout(TICK);
            }
        });
        let worked = work(&stop);
        done.store(true, Ordering::Relaxed);
        worked
    })
}

/// The program, its build and the parameter to vary.
struct Setup {
    config: Config,
    /// The command for a full rebuild, if the build would take a program without counters for up to date.
    build_anew: Option<String>,
    /// The parameter whose values are chosen, if any.
    scouted: Option<String>,
    /// True if the configuration is the folder's `trend-prof.toml`.
    is_configured: bool,
}

fn setup(args: &cli::Try, terminal: Terminal) -> Result<Setup, Failure> {
    let folder = Path::new(".");
    let file = folder.join(CONFIG_FILE);
    if args.command.is_empty() && file.exists() {
        terminal.note(&format!("using {CONFIG_FILE}"));
        let mut config = Config::read(&file)?;
        config.read_run()?;
        return Ok(Setup { config, build_anew: None, scouted: None, is_configured: true });
    }
    let seed = args.grow.as_deref().map(grow::seed);
    if let Some(seed) = seed
        && let Some(word) = args.command.iter().find(|word| is_same_file(word, seed.path))
    {
        let word = shell_word(&word.to_string_lossy());
        return Err(Failure::new(format!("the command names {word} itself, so all runs would be the same"))
            .hint(format!("write `{{input}}` in place of {word}")));
    }
    let mut proposal = trend_run::propose(folder, &args.command, seed)?;
    let mut config = Config::parse(&proposal.text, &file)?;
    config.read_run()?;
    // The file may contain only expectations.
    if let Some(build) = Config::read(&file).ok().and_then(|written| written.program.build)
        && !args.command.is_empty()
    {
        config.program.build = Some(build);
        proposal.build_anew = None;
    }
    let build_anew = proposal.build_anew;
    if args.command.is_empty() {
        proposal.found.iter().for_each(|found| terminal.note(found));
    }
    let given =
        args.parameters.iter().map(|p| trend_run::parse_parameter(p)).collect::<Result<Vec<_>, _>>()?;
    let workloads = &mut config.workloads;
    for Parameter { name, values } in given.clone() {
        let Some(swept) = workloads.parameters.iter_mut().find(|swept| swept.name == name) else {
            return Err(Failure::new(format!("--param {name}: the command has no {{{name}}}")));
        };
        swept.values = values;
    }
    if !args.files.is_empty() {
        workloads.files.clone_from(&args.files);
    }
    if let Some(stdin) = &args.stdin {
        config.program.stdin = Some(Template::parse(stdin));
    }
    if let Some(seed) = seed {
        grown(&mut config, seed)?;
        if seed.parameter == grow::PERCENT {
            terminal.warn(&format!(
                "inputs larger than {} repeat it, so growth with the number of distinct items does not show; \
                 use real inputs with `--files`",
                seed.path.display()
            ));
        }
    }
    let takes_files = !config.workloads.files.is_empty();
    if takes_files && args.files.is_empty() && !proposal.to_do.is_empty() {
        let hint = "give a command: `trend-prof try -- ./program {n}`, `trend-prof try --files 'inputs/*' \
                    -- ./program {input}`, or use `--grow` with one input";
        return Err(Failure::new("no size to vary").hint(hint));
    }
    let is_given = |p: &&Parameter| given.iter().any(|g| g.name == p.name);
    let open: Vec<String> = config
        .workloads
        .parameters
        .iter()
        .filter(|p| !p.is_repetition() && !is_given(p))
        .map(|p| p.name.clone())
        .collect();
    match open.as_slice() {
        [] => Ok(Setup { config, build_anew, scouted: None, is_configured: false }),
        [one] => {
            let scouted = Some(one.clone());
            // Any number works here: steering replaces it.
            config
                .workloads
                .parameters
                .iter_mut()
                .filter(|p| p.name == *one)
                .for_each(|p| p.values = vec!["4".to_owned()]);
            Ok(Setup { config, build_anew, scouted, is_configured: false })
        }
        several => Err(Failure::new(format!("only one of {{{}}} can vary", several.join("}, {")))
            .hint(format!("set the others: `--param {}=10`", several[1]))),
    }
}

fn is_same_file(word: &OsStr, file: &Path) -> bool {
    std::fs::canonicalize(word)
        .ok()
        .is_some_and(|word| std::fs::canonicalize(file).is_ok_and(|file| word == file))
}

/// Lets this executable make the inputs from the seed, even if another is installed.
fn grown(config: &mut Config, seed: Seed<'_>) -> Result<(), Failure> {
    let path = std::fs::canonicalize(seed.path)
        .map_err(|error| Failure::from_error(format!("failed to read {}", seed.path.display()), &error))?;
    let binary = std::env::current_exe()
        .map_err(|error| Failure::from_error("failed to find this executable", &error))?;
    let size = Template::parse(OsStr::new(&format!("{{{}}}", seed.parameter)));
    let literals = [binary.as_os_str(), "grow".as_ref(), path.as_os_str()].map(Template::literal);
    let workloads = &mut config.workloads;
    workloads.generate = Some(literals.into_iter().chain([size]).collect());
    workloads.files.clear();
    if workloads.parameters.iter().all(|parameter| parameter.name != seed.parameter) {
        workloads.parameters.insert(0, Parameter { name: seed.parameter.to_owned(), values: Vec::new() });
    }
    Ok(())
}

/// A trial whose program is built and whose study is open.
struct Begun {
    path: PathBuf,
    options: ExecuteOptions,
    prepared: Prepared,
}

/// Builds the program, opens the study, and chooses the source of counts.
fn begin(args: &cli::Try, setup: &mut Setup, terminal: Terminal) -> Result<Begun, Failure> {
    let path = args.study.clone().unwrap_or_else(|| study::default_of(&setup.config));
    let mut options = ExecuteOptions {
        supervisor: run::SUPERVISOR.into(),
        jobs: args.jobs,
        fresh: args.fresh,
        publish: Publish::WithSuccess,
        counters: CountSource::own(&setup.config),
        ..ExecuteOptions::default()
    };
    let is_to_build = setup.choose_build(args);
    let prepared = run::prepared(&setup.config, &path, &options, is_to_build, terminal)?;
    setup.config.program.clone_from(&prepared.plan.config.program);
    if options.counters == CountSource::Gcov {
        options.counters = counters(&setup.config, is_to_build, prepared.build_doubt.clone(), terminal);
    }
    Ok(Begun { path, options, prepared })
}

/// Returns the source of counts: the program's own counters or, if it has none, valgrind.
fn counters(config: &Config, is_built: bool, build_doubt: Option<String>, terminal: Terminal) -> CountSource {
    let command: Vec<OsString> = config.program.command.iter().map(|word| word.text().into()).collect();
    let may_start_another = is_built && trend_run::starts_script(&command, &config.folder);
    if may_start_another || trend_run::starts_instrumented(&command, &config.folder) {
        return CountSource::Gcov;
    }
    if let Some(doubt) = build_doubt {
        terminal.warn(&doubt);
    }
    let word = command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let why = if is_built { "the build added none" } else { "there is no build for it" };
    terminal.note(&format!("{word} has no counters ({why}), so valgrind counts its instructions"));
    CountSource::Callgrind
}

fn say_sizes(parameter: &str, scouted: &trend_steer::Scouted, terminal: Terminal) {
    let (Some(first), Some(last)) = (scouted.sizes.first(), scouted.sizes.last()) else { return };
    let failed =
        scouted.failed.map(|failed| format!("; {failed} failed or took too long")).unwrap_or_default();
    terminal.note(&format!("{parameter} from {first} to {last} in {} runs{failed}", scouted.sizes.len()));
}

/// Keeps at most `MOST_FILES` workloads, including the smallest and the largest. They must be sorted by size.
fn spread<T>(workloads: &mut Vec<T>) {
    let count = workloads.len();
    if count <= MOST_FILES {
        return;
    }
    // Keep the first workload of each of `MOST_FILES - 1` equal parts, and the last of all.
    let part = |i: usize| i * (MOST_FILES - 1) / (count - 1);
    let mut i = 0;
    workloads.retain(|_| {
        let is_kept = i == 0 || part(i) != part(i - 1);
        i += 1;
        is_kept
    });
}

/// Returns the expectation that the whole program grows within the limit.
fn of_program(limit: trend_analyze::GrowthLimit) -> Expectation {
    let limit = Limit::Growth { limit };
    Expectation { origin: Origin::CommandLine, subject: Subject::Program, limit, feature: None }
}

/// Prints the findings and the reason why the runs ended.
fn answer(path: &Path, summary: &Summary, account: &Account, terminal: Terminal) -> Result<(), Failure> {
    if summary.finished + summary.skipped == 0 && !summary.failures.is_empty() {
        run::report_summary(summary, path, terminal);
        return Err(Failure::new("no run succeeded").exit_code(EXIT_EXPECTATION));
    }
    let analysis = cli::Analysis::default();
    let study = StudyFile::read(path, None)?;
    let study = trend_analyze::to_analyze(study, &[], &[]);
    let waiting = study::analysing(&study, terminal);
    let findings = study::findings(&study, &analysis, &[], &study::Wanted::default())?;
    drop(waiting);
    let options = TableOptions { by: By::Function, sort: Sort::Predicted, ..terminal.table_options() };
    terminal::table(&trend_report::table(&findings, Some(&study), &options)?)?;
    if findings.doubts.iter().any(|doubt| matches!(doubt, Doubt::NothingVaries)) {
        let feature = findings.features.first().map_or("the size", |feature| feature.name.as_str());
        terminal.warn(&format!(
            "nothing counted varies with {feature}: the program ignores its argument, reads its standard \
             input (use `--stdin {{input}}`), or leaves the work to libraries that are not counted"
        ));
    }
    if account.ended != Ended::Stopped {
        account.lines().last().into_iter().for_each(|line| terminal.note(line));
    }
    Ok(())
}

impl Setup {
    /// Decides whether and how to build the program first.
    fn choose_build(&mut self, args: &cli::Try) -> bool {
        let is_to_build = !args.no_build
            && self.config.language().is_none_or(Language::is_built)
            && self.config.program.build.is_some()
            && (self.is_configured
                || self.config.language().is_some()
                || trend_run::may_be_made(&self.config));
        if args.no_build {
            // Messages tell that the build was skipped.
        } else if !is_to_build {
            self.config.program.build = None;
        } else if let Some(anew) = &self.build_anew
            && trend_run::is_made_without_counters(&self.config)
        {
            // Make considers a program without counters up to date, so force a rebuild.
            self.config.program.build = Some(vec!["sh".into(), "-c".into(), anew.into()]);
        }
        is_to_build
    }

    /// Suggests the next commands.
    fn offer(&self, args: &cli::Try, path: &Path, terminal: Terminal) {
        let words: Vec<String> =
            args.command.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
        if !self.is_configured {
            let seed =
                args.grow.iter().map(|seed| format!(" --grow {}", shell_word(&seed.to_string_lossy())));
            let command = if words.is_empty() { String::new() } else { format!(" -- {}", words.join(" ")) };
            let files = if args.files.is_empty() { "" } else { ", and set `files` in it" };
            terminal.note(&format!(
                "to keep this, write {CONFIG_FILE} with `trend-prof init{}{command}`{files}",
                seed.collect::<String>()
            ));
        }
        terminal.note(&format!(
            "next: `trend-prof report {0}`, `trend-prof show {0} --by cluster`",
            shell_word(&path.to_string_lossy())
        ));
    }
}

/// Shows the progress of the runs and, between them, decided results.
struct Watcher {
    progress: Progress,
}

impl Observer for Watcher {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Run(event) => trend_run::Observer::event(&self.progress, event),
            Event::RunsOver => self.progress.finish(),
            // Not worth a note, because files bring their own sizes.
            Event::Note(Note::NothingFollows) => {}
            Event::Note(note) => self.progress.note(&note.to_string()),
        }
    }
}
