//! `trend-prof calibrate`: measures the seconds per execution of fragments on this machine, and applies formulas to
//! them.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use trend_analyze::{CalibrationReport, FragmentsError, FragmentsRun, fragments_of_runs};
use trend_model::{FormulaError, Formulas};
use trend_profile::{Access, Calibration, Machine, StudyFile, open_readable};
use trend_run::{CONFIG_FILE, Config, Experiment, FragmentError, FragmentWorker, Fragments, this_machine};
use trend_steer::{CalibrateOptions, Calibrated, FailedSize};

use crate::cli::{self, CalibrateFormat};
use crate::commands::measuring::run::campaign::SUPERVISOR;
use crate::failure::Failure;
use crate::interruption::Interruption;
use crate::terminal::{Terminal, plural};
use crate::{study, terminal};

/// Maximum size of a machine file or a formula file in bytes.
const LONGEST_FILE: u64 = 4 << 20;

pub(crate) fn calibrate(args: &cli::Calibrate, terminal: Terminal) -> Result<ExitCode, Failure> {
    if args.header {
        terminal::document(trend_fragment::HEADER)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.output.as_os_str() == "-" {
        return Err(Failure::new("--output -: the constants must be kept in a file")
            .hint("use `--format json` to write them to stdout too"));
    }
    let Wanted { worker, formulas, study } = Wanted::new(args)?;
    let before = if args.output.exists() { Some(read_machine(&args.output)?) } else { None };
    let mut machine = this_machine();
    let is_same = before.as_ref().is_none_or(|before| before.cpu == machine.cpu);
    if !is_same && worker.is_some() {
        return Err(Failure::new(format!("{} is for another machine", args.output.display()))
            .hint("choose another file for this machine with --output"));
    }
    match (&worker, before) {
        (Some(_), before) => machine.constants = before.unwrap_or_default().constants,
        (None, Some(before)) => machine = before,
        (None, None) => {
            return Err(Failure::new("no program of experiments is configured").hint(
                "set `worker = [\"./experiments\"]` under [fragments] in trend-prof.toml, or run \
                 `trend-prof calibrate -- ./experiments`; `--header` writes the header that it includes",
            ));
        }
    }
    if let Some(worker) = &worker
        && let Some(code) = measure(worker, &mut machine, args, terminal)?
    {
        return Ok(code);
    }
    let runs = match &study {
        Some(study) => keep(study, &machine, formulas.as_ref(), terminal)?,
        None => Vec::new(),
    };
    let report = CalibrationReport::new(&machine, &runs);
    match args.format {
        CalibrateFormat::Table => {
            terminal::table(&trend_report::calibration_table(&report, &terminal.table_options()))?;
        }
        CalibrateFormat::Json => terminal::document(&trend_report::calibration_json(&report))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The resolved arguments of `calibrate`.
struct Wanted {
    worker: Option<FragmentWorker>,
    /// Formulas of the configuration, if one is read.
    formulas: Option<Texts>,
    /// The study in which constants and formulas are stored.
    study: Option<PathBuf>,
}

impl Wanted {
    fn new(args: &cli::Calibrate) -> Result<Self, Failure> {
        let here =
            std::env::current_dir().map_err(|e| Failure::from_error("failed to find this folder", &e))?;
        let open = |command: &[OsString], folder: &Path| {
            FragmentWorker::open(command, folder, &args.output, Path::new(SUPERVISOR))
        };
        let config = args.config.as_deref().unwrap_or(Path::new(CONFIG_FILE));
        if !args.command.is_empty() || args.config.is_none() && !config.exists() {
            let worker = (!args.command.is_empty()).then(|| open(&args.command, &here)).transpose()?;
            return Ok(Self { worker, formulas: None, study: args.study.clone() });
        }
        let config = Config::read(config)?;
        let Fragments { worker, formulas } = &config.fragments;
        let formulas = Some(Texts::read(formulas, &config.folder)?);
        let worker = (!worker.is_empty()).then(|| open(worker, &config.folder)).transpose()?;
        let is_here = |path: &PathBuf| path.exists();
        let study = args.study.clone().or_else(|| Some(study::default_of(&config)).filter(is_here));
        Ok(Self { worker, formulas, study })
    }
}

/// Formula files, which are parsed as one concatenated text.
#[derive(Default)]
struct Texts {
    /// Path and text of each file.
    files: Vec<(PathBuf, String)>,
}

impl Texts {
    fn read(paths: &[PathBuf], folder: &Path) -> Result<Self, Failure> {
        let mut texts = Self::default();
        for path in paths {
            let text = read(&folder.join(path))?;
            texts.files.push((path.clone(), text));
        }
        Formulas::parse(&texts.joined()).map_err(|error| texts.located(&error))?;
        Ok(texts)
    }

    fn joined(&self) -> String {
        self.files.iter().flat_map(|(_, text)| [text.trim_end(), "\n"]).collect()
    }

    /// Returns a failure that gives the error's position in its own file.
    fn located(&self, error: &FormulaError) -> Failure {
        let mut line = error.line;
        for (path, text) in &self.files {
            let lines = text.trim_end().lines().count().max(1);
            if line <= lines {
                return Failure::new(format!("{}:{line}:{}: {}", path.display(), error.column, error.what));
            }
            line -= lines;
        }
        Failure::new(error.to_string())
    }
}

/// Measures the constants that the machine's file lacks or has from another build of the program. Saves the file after
/// each constant. Returns an exit code if the user stopped it.
fn measure(
    worker: &FragmentWorker,
    machine: &mut Machine,
    args: &cli::Calibrate,
    terminal: Terminal,
) -> Result<Option<ExitCode>, Failure> {
    let interruption = Interruption::listen()?;
    let stop = interruption.flag();
    let options = CalibrateOptions { least: args.least, largest_bytes: args.largest };
    let failed = |error: FragmentError| match error {
        FragmentError::Stopped => Ok(Some(interruption.exit_code())),
        error => {
            let is_missing = matches!(error, FragmentError::NotStarted { .. });
            let hint = "build it first; a relative path starts in the folder of trend-prof.toml";
            Err(Failure::from_error("failed to time the fragments", &error)
                .maybe_hint(is_missing.then_some(hint)))
        }
    };
    let listed = match worker.experiments(stop) {
        Ok(listed) => listed,
        Err(error) => return failed(error),
    };
    if let Some(unknown) = args.only.iter().find(|only| listed.iter().all(|e| e.name != **only)) {
        let names: Vec<&str> = listed.iter().map(|experiment| experiment.name.as_str()).collect();
        return Err(Failure::new(format!("no experiment `{unknown}`"))
            .hint(format!("choose one of {}", names.join(", "))));
    }
    let is_wanted = |experiment: &&Experiment| {
        let fingerprint = worker.fingerprint(&experiment.name, options.least, options.largest_bytes);
        let is_good =
            machine.constant(&experiment.name).is_some_and(|constant| constant.fingerprint == fingerprint);
        let is_named = args.only.is_empty() || args.only.contains(&experiment.name);
        is_named && (args.fresh || !is_good)
    };
    let wanted: Vec<Experiment> = listed.iter().filter(is_wanted).cloned().collect();
    let bar = bar(terminal);
    for (i, experiment) in wanted.iter().enumerate() {
        bar.set_message(format!("{} of {}: {}", i + 1, wanted.len(), experiment.name));
        let progress = |done: usize, all: usize| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        };
        match trend_steer::calibrate(worker, experiment, &options, stop, &progress) {
            Ok(Calibrated { constant, failed: sizes }) => {
                bar.suspend(|| warn_of(experiment, constant.is_some(), &sizes, terminal));
                match constant {
                    Some(constant) => machine.set(constant),
                    // A constant measured with an earlier program does not apply to this one.
                    None => machine.constants.retain(|constant| constant.name != experiment.name),
                }
                terminal::file(&args.output, &machine.to_toml())?;
            }
            Err(error) => {
                bar.finish_and_clear();
                let (left, kept) = (plural(wanted.len() - i, "constant"), machine.constants.len());
                let kept = format!("{} in {}", plural(kept, "constant"), args.output.display());
                terminal.note(&format!("{left} not measured; {kept}"));
                return failed(error);
            }
        }
    }
    bar.finish_and_clear();
    // Write the file even if nothing was measured: `--output` may name one that does not exist yet.
    terminal::file(&args.output, &machine.to_toml())?;
    let up_to_date = listed.len() - wanted.len();
    if up_to_date > 0 && args.only.is_empty() {
        terminal.note(&format!(
            "{} in {} are up to date; measure again with `--fresh`",
            plural(up_to_date, "constant"),
            args.output.display()
        ));
    }
    Ok(None)
}

fn warn_of(experiment: &Experiment, has_any: bool, failed: &[FailedSize], terminal: Terminal) {
    if failed.is_empty() {
        return;
    }
    let why = failed.iter().find_map(|size| size.why.as_deref());
    let mut text = format!("{}: {}", experiment.name, why.unwrap_or("the measurements differ too much"));
    if has_any {
        let sizes: Vec<String> = failed.iter().map(|failed| failed.bytes.to_string()).collect();
        let _ = write!(text, "; no value for {} bytes, other sizes are used instead", sizes.join(", "));
    } else {
        text += "; it has no constant; try again with `trend-prof calibrate`";
    }
    terminal.warn(&text);
}

fn bar(terminal: Terminal) -> ProgressBar {
    let target =
        if terminal.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} {pos}/{len} processes  {elapsed} elapsed  {msg}")
    {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

/// Stores the constants and the formulas in the study, and keeps the study's own formulas if none are given. Returns
/// the formulas' predictions for its runs.
fn keep(
    path: &Path,
    machine: &Machine,
    formulas: Option<&Texts>,
    terminal: Terminal,
) -> Result<Vec<FragmentsRun>, Failure> {
    let mut file = StudyFile::open(path, Access::Write)?;
    let earlier = file.calibration().map(|calibration| calibration.formulas.clone()).unwrap_or_default();
    let text = formulas.map_or(earlier, Texts::joined);
    let has_formulas = !text.is_empty();
    file.set_calibration(Calibration { machine: machine.clone(), formulas: text })?;
    file.close()?;
    if !has_formulas {
        terminal.hint(
            "set `formulas = \"FILE\"` under [fragments]; `predict` then computes the time from these \
             constants",
        );
        return Ok(Vec::new());
    }
    let study = StudyFile::read(path, None)?;
    let runs = fragments_of_runs(&study).map_err(|error| match &error {
        FragmentsError::Formula(formula) => {
            let constants: Vec<&str> =
                machine.constants.iter().map(|constant| constant.name.as_str()).collect();
            let features: Vec<&str> = study.features().iter().map(|feature| feature.name.as_str()).collect();
            let located =
                formulas.map_or_else(|| Failure::new(error.to_string()), |texts| texts.located(formula));
            located.hint(format!("constants: {}; features: {}", constants.join(", "), features.join(", ")))
        }
        error => Failure::from_error("failed to use the formulas", error),
    })?;
    if runs.is_empty() {
        terminal.hint("no run of the study was timed; run `trend-prof run` without `--no-time`");
    }
    Ok(runs)
}

/// Reads a machine's file.
pub(crate) fn read_machine(path: &Path) -> Result<Machine, Failure> {
    let text = read(path)?;
    Machine::from_toml(&text).map_err(|what| {
        Failure::new(format!("{}: {what}", path.display()))
            .hint("write such a file with `trend-prof calibrate`")
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let failed = |e: io::Error| Failure::from_error(format!("failed to read {}", path.display()), &e);
    let mut text = String::new();
    open_readable(path)
        .and_then(|file| file.take(LONGEST_FILE + 1).read_to_string(&mut text))
        .map_err(failed)?;
    if text.len() as u64 > LONGEST_FILE {
        return Err(Failure::new(format!("{} is larger than {} MiB", path.display(), LONGEST_FILE >> 20)));
    }
    Ok(text)
}
