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
