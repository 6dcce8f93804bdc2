//! `trend-prof report`: writes the findings as an HTML page.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_analyze::{Comparison, Findings, common_targets};
use trend_profile::Study;
use trend_report::{PageComparison, PageOptions};

use super::diff::{self, Versions};
use crate::cli;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::waiting::Waiting;
use crate::{study, terminal};

pub(crate) fn report(args: &cli::Report, terminal: Terminal) -> Result<ExitCode, Failure> {
    let at = study::sizes(&args.at)?;
    let (path, study) = study::selected(args.study.as_deref(), &args.analysis, terminal)?;
    let before = args.before.as_deref();
    let since = before.map(|before| Since::new(before, &study, args, &at, terminal)).transpose()?;
    let study = trend_analyze::to_analyze(study, &[], &at);
    let waiting = study::analysing(&study, terminal);
    let findings = study::findings_for_page(&study, &args.analysis, &at)?;
    let output = args.output.clone().unwrap_or_else(|| default_page(&path));
    waiting.step("writing the page");
    write(&output, &findings, &study, &path, since.as_ref())?;
    drop(waiting);
    // Skip the destructors: the process ends now and frees all memory at once.
    std::mem::forget((study, findings, since));
    if output.as_os_str() != "-" {
        terminal.note(&format!("wrote {}", output.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Sizes of the comparison on a page as multiples of the 95th percentile. The default comes first.
const MULTIPLES: [f64; 4] = [10.0, 1.0, 2.0, 100.0];

/// Comparison with an earlier version.
pub(crate) struct Since {
    before: String,
    versions: Versions,
    comparisons: Vec<Comparison>,
}

impl Since {
    fn new(
        before: &Path,
        after: &Study,
        args: &cli::Report,
        at: &[(String, f64)],
        terminal: Terminal,
    ) -> Result<Self, Failure> {
        let (_, study) = study::selected(Some(before), &args.analysis, terminal)?;
        let feature = diff::shared_feature(&study, after, None, terminal)?;
        let usual = common_targets(&study, after, &feature, MULTIPLES);
        let mut sizes: Vec<f64> = usual.into_iter().flatten().collect();
        for (_, size) in at.iter().filter(|(name, _)| *name == feature) {
            if !sizes.contains(size) {
                sizes.push(*size);
            }
        }
        let at: Vec<(String, f64)> = sizes.into_iter().map(|size| (feature.clone(), size)).collect();
        let options = study::options_for_page(&args.analysis, &at)?;
        let _waiting = Waiting::new(terminal, "comparing with the earlier study");
        let mut versions = Versions::analysed(study, after.clone(), &feature, &options)?;
        let comparisons =
            (0..versions.targets()).map(|point| versions.compared_at(point)).collect::<Result<_, _>>()?;
        Ok(Self { before: before.to_string_lossy().into_owned(), versions, comparisons })
    }
}

/// Writes the page of the study in `file`.
pub(crate) fn write(
    path: &Path,
    findings: &Findings,
    study: &Study,
    file: &Path,
    since: Option<&Since>,
) -> Result<(), Failure> {
    let study_name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    // Use whole paths: two studies with the same name differ by their folders.
    let after = file.to_string_lossy();
    let comparison = since.map(|since| PageComparison {
        names: [&since.before, &after],
        findings: since.versions.findings.each_ref(),
        comparisons: &since.comparisons,
    });
    let options = PageOptions {
        generated_by: trend_report::GENERATED_BY,
        study_name: &study_name,
        comparison,
        ..PageOptions::default()
    };
    terminal::file(path, &trend_report::html(findings, study, &options))
}

/// Returns the path of the page, next to the study.
pub(crate) fn default_page(study: &Path) -> PathBuf {
    study.with_extension("html")
}
