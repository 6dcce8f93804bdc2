//! `trend-prof try`: from nothing to an answer in one command.
//!
//! What the program is and how it is built comes from `trend-prof.toml`, from the command line or from what is found in the
//! folder, as `init` finds it; sizes come from [`trend_steer::scout`] and its rounds.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use trend_analyze::{Checked, Doubt, Expectation, Limit, Options, Origin, Subject, analyze, judge};
use trend_profile::{Outcome, StudyFile, shell_word};
use trend_report::TableOptions;
use trend_run::{CONFIG_FILE, Config, CountSource, ExecuteOptions, Parameter, Summary, Template};
use trend_steer::{Account, Ended, Event, Goal, Job, LARGEST, Note, Observer, Rounds};

use super::check;
use super::run::{self, Prepared};
use crate::failure::{EXIT_EXPECTATION, EXIT_WRONG_INPUT, Failure};
use crate::progress::Progress;
use crate::terminal::{self, Terminal};
use crate::{cli, study};

/// The parameter of inputs that are made out of one.
const PERCENT: &str = "percent";

/// The largest size that is chosen before it is known whether it is needed to decide an expectation: enough for five
/// decades, and little memory.
const LARGEST_EXPECTED: f64 = 1_048_576.0;

/// Files that are run, spread over their sizes; more tell little.
const MOST_FILES: usize = 60;

pub(super) fn trial(args: &cli::Try, terminal: Terminal) -> Result<ExitCode, Failure> {
    let mut setup = setup(args, terminal)?;
    let expected: Vec<Expectation> = args.expect.map(of_program).into_iter().collect();
    let analysis = check::options(&expected, &cli::Analysis::default())?;
    let path = args.study.clone().unwrap_or_else(|| study::default_of(&setup.config));
    let counters = counters(&mut setup, args, terminal)?;
    let options = ExecuteOptions {
        supervisor: run::SUPERVISOR.into(),
        jobs: args.jobs,
        counters,
        ..ExecuteOptions::default()
    };
    let may_build = !args.no_build && counters == CountSource::Gcov;
    let Prepared { mut plan, study, interruption } =
        run::prepared(&setup.config, &path, &options, may_build, terminal)?;
    built(&setup.config)?;
    let watcher = Watcher { progress: Progress::new(terminal) };
    let begin = std::time::Instant::now();
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
    let mut study = study;
    let mut failures = Vec::new();
    if let Some(parameter) = &setup.scouted {
        let largest = if expected.is_empty() { LARGEST } else { LARGEST_EXPECTED };
        let scouted = trend_steer::scout(job(args.budget), parameter, largest, &mut plan, &mut study)?;
        watcher.progress.finish();
        if scouted.sizes.is_empty() && !interruption.is_requested() {
            run::report_summary(&scouted.summary, &path, terminal);
            let failure =
                Failure::new(format!("no run succeeded with {{{parameter}}} = 4, nor with larger values"));
            return Err(match parameter.as_str() {
                PERCENT => failure,
                _ => failure.hint(format!("if it takes other values: `--param {parameter}=1000..100000x8`")),
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
    let left = args.budget.saturating_sub(begin.elapsed());
    let mut rounds = Rounds::new(job(left), plan, study);
    let account = rounds.run();
    watcher.progress.finish();
    let mut summary = rounds.summary().clone();
    drop(rounds);
    let account = Account { spent: begin.elapsed(), budget: args.budget, ..account? };
    if interruption.is_requested() {
        run::report_summary(&summary, &path, terminal);
        return Ok(interruption.exit_code());
    }
    let ran = summary.finished + summary.skipped + summary.failures.len();
    if files > ran {
        let budget = args.budget.as_secs_f64();
        terminal.warn(&format!(
            "{} of {files} files were not run: there was no time for them in {budget} s; `--budget` gives more",
            files - ran
        ));
    }
    if !expected.is_empty() {
        summary.failures.splice(0..0, failures);
        if account.ended != Ended::Stopped && !account.rows.is_empty() {
            account.lines().last().into_iter().for_each(|line| terminal.note(line));
        }
        return judgement(args, &expected, &analysis, &path, summary, terminal);
    }
    run::time(&setup.config, &path, &options, &interruption, terminal)?;
    answer(&path, &summary, &account, terminal)?;
    setup.offer(args, &path, terminal);
    Ok(ExitCode::SUCCESS)
}

/// What is tried.
struct Setup {
    config: Config,
    /// The parameter whose values are chosen, if any.
    scouted: Option<String>,
    /// The configuration is that of the folder.
    is_configured: bool,
}

fn setup(args: &cli::Try, terminal: Terminal) -> Result<Setup, Failure> {
    let folder = Path::new(".");
    let file = folder.join(CONFIG_FILE);
    if args.command.is_empty() && file.exists() {
        terminal.note(&format!("as {CONFIG_FILE} says"));
        return Ok(Setup { config: Config::read(&file)?, scouted: None, is_configured: true });
    }
    let proposal = trend_run::propose(folder, &args.command);
    let mut config = Config::parse(&proposal.text, &file)?;
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
    if let Some(seed) = &args.grow {
        grown(&mut config, seed)?;
        terminal.warn(&format!(
            "inputs larger than {} repeat it: what grows with how many different things are in one does not show; \
             `--files` takes inputs that are",
            seed.display()
        ));
    }
    let takes_files = !config.workloads.files.is_empty();
    if takes_files && args.files.is_empty() && !proposal.to_do.is_empty() {
        let hint = "say how to run it: `trend-prof try -- ./program {n}`, `trend-prof try --files 'inputs/*' -- ./program \
                    {input}`, or `--grow` with one input";
        return Err(Failure::new("there is nothing to choose sizes of").hint(hint));
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
        [] => Ok(Setup { config, scouted: None, is_configured: false }),
        [one] => {
            let scouted = Some(one.clone());
            // A number, so that there is something to steer; it is replaced.
            config
                .workloads
                .parameters
                .iter_mut()
                .filter(|p| p.name == *one)
                .for_each(|p| p.values = vec!["4".to_owned()]);
            Ok(Setup { config, scouted, is_configured: false })
        }
        several => Err(Failure::new(format!("sizes are chosen for one of {{{}}}", several.join("}, {")))
            .hint(format!("give values to the others: `--param {}=10`", several[1]))),
    }
}

/// Inputs that `trend-prof grow` makes out of one.
fn grown(config: &mut Config, seed: &Path) -> Result<(), Failure> {
    let failed = |error: &dyn std::error::Error| {
        Failure::from_error(format!("failed to read {}", seed.display()), error)
    };
    let seed = std::fs::canonicalize(seed).map_err(|error| failed(&error))?;
    let binary = std::env::current_exe().map_err(|error| failed(&error))?;
    let words: [OsString; 4] = [binary.into(), "grow".into(), seed.into(), format!("{{{PERCENT}}}").into()];
    // Braces of a file name are no placeholders.
    let literal = |word: &OsString| word.to_string_lossy().replace('{', "{{").replace('}', "}}");
    let generate = words.iter().enumerate().map(|(i, word)| match i {
        3 => Template::parse(word),
        _ => Template::parse(literal(word).as_ref()),
    });
    config.workloads.generate = Some(generate.collect());
    config.workloads.files.clear();
    config
        .workloads
        .parameters
        .insert(0, Parameter { name: PERCENT.to_owned(), values: vec!["4".to_owned()] });
    Ok(())
}

/// Says so where the program is not there, whatever the build thinks of it.
fn built(config: &Config) -> Result<(), Failure> {
    let Some(word) = config.program.command.first().map(Template::text) else { return Ok(()) };
    let is_file = word.contains('/') && !word.contains('{');
    if is_file && config.program.cwd.is_none() && !config.folder.join(&word).exists() {
        let failure = match &config.program.build {
            Some(_) => {
                Failure::new(format!("{word} is not there after the build")).exit_code(EXIT_EXPECTATION)
            }
            None => Failure::new(format!("{word} is not there")),
        };
        return Err(failure.hint(
            "build it with `trend-prof build -- COMMAND`, and say where it is: `trend-prof try --no-build -- PROGRAM {n}`",
        ));
    }
    Ok(())
}

/// What counts: the program's own counters or, where it has none and nothing here builds it, valgrind.
fn counters(setup: &mut Setup, args: &cli::Try, terminal: Terminal) -> Result<CountSource, Failure> {
    let program = &mut setup.config.program;
    let Some(word) = program.command.first().map(Template::text) else { return Ok(CountSource::Gcov) };
    let here = setup.config.folder.join(&word);
    let command: Vec<OsString> = program.command.iter().map(|word| word.text().into()).collect();
    if trend_run::starts_instrumented(&command, &setup.config.folder) {
        return Ok(CountSource::Gcov);
    }
    // A build of this folder makes what is in it, and nothing else.
    let builds = word.contains('/') && program.build.is_some() && !args.no_build;
    if builds {
        if let Some(build) = &mut program.build
            && build.last().is_some_and(|line| line == "make")
            && here.exists()
        {
            // What was made without counters is up to date for make.
            let line = build.len() - 1;
            build[line] = "make -B".into();
        }
        return Ok(CountSource::Gcov);
    }
    program.build = None;
    built(&setup.config)?;
    terminal.note(&format!(
        "{word} has no counters, and nothing here builds it: valgrind counts its instructions"
    ));
    Ok(CountSource::Callgrind)
}

fn say_sizes(parameter: &str, scouted: &trend_steer::Scouted, terminal: Terminal) {
    let (Some(first), Some(last)) = (scouted.sizes.first(), scouted.sizes.last()) else { return };
    let failed =
        scouted.failed.map(|failed| format!("; {failed} failed or took too long")).unwrap_or_default();
    terminal.note(&format!("{parameter} from {first} to {last} in {} runs{failed}", scouted.sizes.len()));
}

/// At most so many, the smallest and the largest among them; they are the cheapest first.
fn spread<T>(workloads: &mut Vec<T>) {
    let count = workloads.len();
    if count <= MOST_FILES {
        return;
    }
    // The first of each of so many equal parts, and the last of all.
    let part = |i: usize| i * (MOST_FILES - 1) / (count - 1);
    let mut i = 0;
    workloads.retain(|_| {
        let is_kept = i == 0 || part(i) != part(i - 1);
        i += 1;
        is_kept
    });
}

/// That the whole program grows no faster.
fn of_program(limit: trend_analyze::GrowthLimit) -> Expectation {
    let limit = Limit::Growth { limit };
    Expectation { origin: Origin::CommandLine, subject: Subject::Program, limit, feature: None }
}

/// Whether the program keeps to what is expected. It has to succeed at every size for which there is time.
fn judgement(
    args: &cli::Try,
    expected: &[Expectation],
    analysis: &Options,
    path: &Path,
    mut summary: Summary,
    terminal: Terminal,
) -> Result<ExitCode, Failure> {
    summary.failures.retain(|failure| failure.outcome != Outcome::TimedOut);
    if !summary.failures.is_empty() {
        summary.advice().iter().for_each(|advice| terminal.warn(&run::failure_text(advice)));
        return Err(Failure::new("the program fails, so that nothing can be said of its growth")
            .hint("where it takes no such sizes, give those that it takes: `--param n=100..10000x10`"));
    }
    let study = trend_analyze::to_analyze(StudyFile::read(path, None)?, &[], &[]);
    let findings = analyze(&study, analysis)?;
    let checked = Checked::new(&findings, judge(&study, &findings, analysis, expected)?);
    let is_uncounted =
        |doubt: &&Doubt| matches!(doubt, Doubt::UncountedGrowth { .. } | Doubt::MostlyUncounted { .. });
    for doubt in findings.doubts.iter().filter(is_uncounted) {
        terminal.warn(&doubt.to_string());
    }
    terminal::table(&trend_report::check_text(&checked, &terminal.table_options()))?;
    Ok(check::exit_code(checked.judgement, args.allow_undecided))
}

/// What was found, and why it ended.
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
    let options = TableOptions { ..terminal.table_options() };
    terminal::table(&trend_report::table(&findings, Some(&study), &options)?)?;
    if account.ended != Ended::Stopped {
        account.lines().last().into_iter().for_each(|line| terminal.note(line));
    }
    Ok(())
}

impl Setup {
    /// What to do next.
    fn offer(&self, args: &cli::Try, path: &Path, terminal: Terminal) {
        let words: Vec<String> =
            args.command.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
        if !self.is_configured {
            let command = if words.is_empty() { String::new() } else { format!(" -- {}", words.join(" ")) };
            terminal.note(&format!("to keep this: `trend-prof init{command}` writes {CONFIG_FILE}"));
        }
        terminal.note(&format!(
            "next: `trend-prof report {0}`, `trend-prof show {0} --by function`",
            shell_word(&path.to_string_lossy())
        ));
    }
}

/// Shows the progress of the runs, and what is decided between them.
struct Watcher {
    progress: Progress,
}

impl Observer for Watcher {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Run(event) => trend_run::Observer::event(&self.progress, event),
            Event::RunsOver => self.progress.finish(),
            // Files have sizes of their own.
            Event::Note(Note::NothingFollows) => {}
            Event::Note(note) => self.progress.note(&note.to_string()),
        }
    }
}
