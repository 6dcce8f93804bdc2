//! `trend-prof export`: writes counts and findings for other tools.

use std::path::Path;
use std::process::ExitCode;

use trend_analyze::Rows;
use trend_report::TableOptions;

use crate::cli::{self, ExportFormat};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{study, terminal};

pub(super) fn export(args: &cli::Export, terminal: Terminal) -> Result<ExitCode, Failure> {
    if args.redact && args.format != ExportFormat::Study {
        return Err(
            Failure::new("--redact makes a copy of a study").hint("`trend-prof export study --redact`")
        );
    }
    let (_, study) = study::selected(args.study.as_deref(), &args.analysis, terminal)?;
    let findings = |study| {
        let study = trend_analyze::to_analyze(study, &[], &[]);
        let _waiting = study::analysing(&study, terminal);
        study::findings(
            &study,
            &args.analysis,
            &[],
            &study::Wanted { rows: &[Rows::Functions], ..study::Wanted::default() },
        )
    };
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    let unwritten = |e| Failure::from_error("failed to write Parquet", &e);
    let text = match args.format {
        ExportFormat::Csv => trend_report::counts_csv(&study),
        ExportFormat::ExtraP => trend_report::extra_p(&study),
        ExportFormat::Aprof => trend_report::aprof(&study)?,
        ExportFormat::Json => trend_report::json(&findings(study)?),
        ExportFormat::Markdown => trend_report::markdown(&findings(study)?, &TableOptions::default())?,
        ExportFormat::Study => return redacted(args),
        ExportFormat::Parquet | ExportFormat::ParquetMatrix => {
            let is_long = args.format == ExportFormat::Parquet;
            let write = if is_long { trend_report::parquet_long } else { trend_report::parquet_matrix };
            terminal::binary(path, &write(&study).map_err(unwritten)?)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    terminal::file(path, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a copy of a study that reveals nothing about this machine and its users.
fn redacted(args: &cli::Export) -> Result<ExitCode, Failure> {
    if !args.redact {
        return Err(Failure::new("a study is exported only as a copy to give away")
            .hint("add --redact; docs/study.md says what a study holds, and what that leaves out"));
    }
    let source = study::path_or_only(args.study.as_deref())?;
    let failed = |error: std::io::Error| Failure::from_error("failed to write the copy", &error);
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    if let Some(output) = &args.output
        && place(output).is_some_and(|output| Some(output) == place(&source))
    {
        return Err(Failure::new(format!("{}: is the study itself, which would be lost", output.display()))
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
