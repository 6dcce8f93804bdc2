//! `trend-prof build`: runs any build with instrumenting compilers.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use trend_profile::{Warning, WarningKind};
use trend_run::{
    BuildError, BuildOptions, BuildOutput, BuildReport, CONFIG_FILE, Config, GoCounters, Instrumentation,
    ProbeOptions, ProgramConfig, Update,
};

use crate::cli;
use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::interruption::Interruption;
use crate::terminal::{Terminal, plural};

pub(crate) fn build(args: &cli::Build, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (command, instrument) =
        if args.command.is_empty() { configured()? } else { (args.command.clone(), instrumentation(args)) };
    let interruption = Interruption::listen()?;
    let output = if terminal.quiet { BuildOutput::Kept } else { BuildOutput::Inherit };
    let options = options(Path::new("."), instrument, output)?;
    let report = instrumented(&command, &options, &interruption, terminal)?;
    let is_useless =
        |w: &&Warning| matches!(w.kind, WarningKind::NothingInstrumented | WarningKind::BuiltOtherwise);
    let (useless, doubts): (Vec<_>, Vec<_>) = report.warnings.iter().partition(is_useless);
    for doubt in doubts {
        terminal.warn(&doubt.message);
    }
    if let Some(useless) = useless.first() {
        // Exit with an error: a script that continues would run programs without counters.
        return Err(Failure::new(useless.message.as_str()).exit_code(EXIT_EXPECTATION));
    }
    if report.status.success() {
        return Ok(ExitCode::SUCCESS);
    }
    terminal.warn(&format!("the build failed ({})", report.status));
    // Pass on the build's exit code, which scripts may check.
    let code = report.status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(EXIT_EXPECTATION);
    Ok(ExitCode::from(code))
}

fn instrumentation(args: &cli::Build) -> Instrumentation {
    let cli::Build { update, counters, crates, probe, cell_size, cost, metric, contexts, .. } = *args;
    let probe = ProbeOptions { what: probe, cell_size, cost, metric, contexts };
    Instrumentation { update, counters, crates, plain: false, probe }
}

/// Returns the build command of the configuration in this folder, and its instrumentation.
fn configured() -> Result<(Vec<OsString>, Instrumentation), Failure> {
    let path = Path::new(CONFIG_FILE);
    let program = if path.exists() { Config::read(path)?.program } else { ProgramConfig::default() };
    let command = program.build.clone().ok_or_else(|| {
        Failure::new("no build command").hint(format!(
            "give it after `--`, as in `trend-prof build -- make`, or as `build` in [program] of {CONFIG_FILE}"
        ))
    })?;
    Ok((command, program.instrumentation()))
}

/// Returns the options of a build whose compiler shim is this executable.
pub(crate) fn options(
    folder: &Path,
    instrument: Instrumentation,
    output: BuildOutput,
) -> Result<BuildOptions, Failure> {
    let shim_binary = std::env::current_exe()
        .map_err(|e| Failure::from_error("failed to find the trend-prof executable", &e))?;
    let folder = folder.to_owned();
    Ok(BuildOptions { folder, shim_binary, instrument, output, ..BuildOptions::default() })
}

/// Builds and prints a summary of the instrumentation. The caller shows the warnings.
pub(crate) fn instrumented(
    command: &[OsString],
    options: &BuildOptions,
    interruption: &Interruption,
    terminal: Terminal,
) -> Result<BuildReport, Failure> {
    let report = trend_run::build(command, options, interruption.flag()).map_err(|error| {
        let is_interrupted = matches!(error, BuildError::Interrupted);
        let failure = Failure::from(error);
        if is_interrupted { failure.exit_code(interruption.code()) } else { failure }
    })?;
    // Skip the summary: calls are counted when they begin, so the counts include calls that failed.
    if !report.status.success() {
        crate::terminal::write_build_output(&report.output);
        return Ok(report);
    }
    for (reason, calls) in &report.passed_through {
        terminal.detail(&format!("{} not instrumented: {reason}", plural(*calls, "compiler call")));
    }
    if let Some(go) = &report.go {
        terminal.note(&go_in_words(go));
    } else if options.instrument.plain && report.compilations > 0 {
        terminal.note(&format!(
            "compiled {} with debug information and without counters",
            plural(report.compilations, "crate")
        ));
    } else if report.compilations + report.links > 0 {
        let compilers: Vec<&str> = report.compilers.iter().map(|c| c.version.as_str()).collect();
        terminal.note(&format!(
            "instrumented {} and {} by {}, {}",
            plural(report.compilations, "compilation"),
            plural(report.links, "link"),
            compilers.join(", "),
            counters_in_words(&report, options.instrument)
        ));
    }
    Ok(report)
}

/// Describes the counters of a Go program.
fn go_in_words(go: &GoCounters) -> String {
    let what = if go.modules.is_empty() { "the program".to_owned() } else { go.modules.join(", ") };
    match &go.reason {
        Some(file) => format!(
            "counts the packages of {what} with atomic counters, because {} may start goroutines (`--update single` is \
             faster, and exact for one goroutine)",
            file.display()
        ),
        None => {
            format!("counts the packages of {what} with plain counters (exact: one goroutine runs at a time)")
        }
    }
}

/// Describes the kind of counters and the number of threads for which they are exact.
fn counters_in_words(report: &BuildReport, instrument: Instrumentation) -> String {
    let counters = match (instrument.update, report.plain.as_slice(), report.locked.as_slice()) {
        (Update::Single, ..) => "with single-thread counters (exact for one thread)",
        (Update::Atomic, [_, ..], []) => "with single-thread counters (exact: the program starts no threads)",
        (Update::Atomic, [], _) => {
            "with atomic counters (exact for any number of threads; `--update single` is faster)"
        }
        (Update::Atomic, ..) => {
            "with atomic counters (exact for any number of threads; `--update single` is faster), and \
             single-thread counters in programs that start no threads"
        }
    };
    let what = instrument.probe.what;
    let probe = match (what.has_routines(), what.has_loops()) {
        (true, true) => "with the probe of routines and loops",
        (true, false) => "with the probe of routines",
        (false, true) => "with the probe of loops",
        (false, false) => return counters.to_owned(),
    };
    if what.has_blocks() { format!("{probe} and {counters}") } else { probe.to_owned() }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        Self::from_error("failed to build", &error).maybe_hint(error.hint())
    }
}
