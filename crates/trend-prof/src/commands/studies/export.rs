//! `trend-prof export`: writes counts and findings for other tools.

use std::path::Path;
use std::process::ExitCode;

use trend_analyze::{Findings, Rows};
use trend_report::{PredictedProfile, TableOptions};

use crate::cli::{self, ExportFormat};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(crate) fn export(args: &cli::Export, terminal: Terminal) -> Result<ExitCode, Failure> {
    if args.redact && args.format != ExportFormat::Study {
        return Err(
            Failure::new("--redact makes a copy of a study").hint("`trend-prof export study --redact`")
        );
    }
    if !args.at.is_empty() && !args.format.has_predictions() {
        return Err(Failure::new("--at sets the size of predictions, which this format does not contain")
            .hint("export pprof, speedscope, laws, laws-parquet, json or markdown"));
    }
    let at = study::sizes(&args.at)?;
    let (_, study) = study::selected(args.study.as_deref(), &args.analysis, terminal)?;
    let findings = |study| {
        let study = trend_analyze::to_analyze(study, &[], &at);
        let _waiting = study::analysing(&study, terminal);
        let wanted = study::Wanted { rows: &[Rows::Functions], ..study::Wanted::default() };
        study::findings(&study, &args.analysis, &at, &wanted)
    };
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    let parquet =
        |written: Result<Vec<u8>, _>| written.map_err(|e| Failure::from_error("failed to write Parquet", &e));
    let text = match args.format {
        ExportFormat::Csv => trend_report::counts_csv(&study),
        ExportFormat::ExtraP => trend_report::extra_p(&study),
        ExportFormat::Aprof => trend_report::aprof(&study)?,
        ExportFormat::Json => trend_report::json(&findings(study)?),
        ExportFormat::Markdown => trend_report::markdown(&findings(study)?, &TableOptions::default())?,
        ExportFormat::Laws => trend_report::laws_csv(&findings(study)?),
        ExportFormat::Speedscope => profile(&findings(study)?, terminal)?.speedscope(),
        ExportFormat::Study => return redacted(args),
        ExportFormat::Pprof => return bytes(path, &profile(&findings(study)?, terminal)?.pprof()?),
        ExportFormat::Parquet => return bytes(path, &parquet(trend_report::parquet_long(&study))?),
        ExportFormat::ParquetMatrix => return bytes(path, &parquet(trend_report::parquet_matrix(&study))?),
        ExportFormat::LawsParquet => {
            return bytes(path, &parquet(trend_report::laws_parquet(&findings(study)?))?);
        }
    };
    terminal::file(path, &text)?;
    Ok(ExitCode::SUCCESS)
}

fn bytes(path: &Path, bytes: &[u8]) -> Result<ExitCode, Failure> {
    terminal::binary(path, bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the predicted costs of functions. Notes which functions have none.
fn profile(findings: &Findings, terminal: Terminal) -> Result<PredictedProfile<'_>, Failure> {
    let profile = PredictedProfile::new(findings)?;
    for left_out in profile.left_out(terminal.verbose > 0) {
        terminal.note(&left_out);
    }
    Ok(profile)
}

/// Writes a copy of a study that reveals nothing about this machine and its users.
fn redacted(args: &cli::Export) -> Result<ExitCode, Failure> {
    if !args.redact {
        return Err(Failure::new("a study is exported only as a redacted copy")
            .hint("add --redact; docs/study.md says what a study holds, and what the copy leaves out"));
    }
    let source = study::path_or_only(args.study.as_deref())?;
    let failed = |error: std::io::Error| Failure::from_error("failed to write the copy", &error);
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    if let Some(output) = &args.output
        && place(output).is_some_and(|output| Some(output) == place(&source))
    {
        return Err(Failure::new(format!("{} is the study itself, which would be lost", output.display()))
            .hint("name another file with -o"));
    }
    let folder = tempfile::tempdir().map_err(failed)?;
    let copy = folder.path().join("copy");
    trend_profile::redact(&source, &copy, &names_here())?;
    let bytes = std::fs::read(&copy).map_err(failed)?;
    terminal::binary(args.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the names of this user and this machine. Names of fewer than three letters are left out, because they are
/// parts of other words. `root` identifies no user.
fn names_here() -> Vec<String> {
    let of_user = ["USER", "LOGNAME"].map(|name| std::env::var(name).ok());
    let of_home =
        std::env::home_dir().and_then(|home| Some(home.file_name()?.to_string_lossy().into_owned()));
    let of_machine = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let names = of_user.into_iter().chain([of_home, of_machine]).flatten().map(|name| name.trim().to_owned());
    let mut names: Vec<String> = names.filter(|name| name.chars().count() >= 3 && name != "root").collect();
    // A name within another one is replaced after it.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names
}
