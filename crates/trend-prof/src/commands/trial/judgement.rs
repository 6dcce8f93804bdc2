//! `trend-prof try --expect`: checks the program's growth and names the place that breaks the limit.

use std::path::Path;
use std::process::ExitCode;

use trend_analyze::{
    Checked, Doubt, Expectation, Findings, Found, Judged, Judgement, Limit, Options, Origin, Row, Rows,
    Subject, analyze, judge,
};
use trend_profile::{Definition, Outcome, Study, StudyFile};
use trend_run::Summary;

use crate::cli;
use crate::commands::findings::check;
use crate::commands::measuring::run::summary::failure_text;
use crate::failure::Failure;
use crate::terminal::{self, Terminal};

/// Number of rows, most expensive first, that are searched for the place that grows.
const MOST_ROWS: usize = 20;

/// The completed runs.
pub(super) struct Tried<'a> {
    /// Path of the study.
    pub(super) path: &'a Path,
    pub(super) summary: Summary,
    /// The parameter whose values were chosen, if any.
    pub(super) scouted: Option<&'a str>,
}

/// Judges the runs. Failures at chosen sizes are ignored if the sizes lie outside the range in which the program works.
/// All given sizes have to succeed.
pub(super) fn judged(
    args: &cli::Try,
    expected: &[Expectation],
    analysis: &Options,
    mut tried: Tried<'_>,
    terminal: Terminal,
) -> Result<ExitCode, Failure> {
    tried.summary.failures.retain(|failure| failure.outcome != Outcome::TimedOut);
    let study = StudyFile::read(tried.path, None).ok().filter(|study| !study.workloads().is_empty());
    let study = study.filter(|study| match tried.scouted {
        Some(parameter) => fails_beyond(study, parameter),
        None => tried.summary.failures.is_empty(),
    });
    let Some(study) = study else {
        tried.summary.advice().iter().for_each(|advice| terminal.warn(&failure_text(advice)));
        return Err(Failure::new("the program fails, so its growth is unknown")
            .hint("if it needs other sizes, give them: `--param n=100..10000x10`"));
    };
    let study = trend_analyze::to_analyze(study, &[], &[]);
    let rows = [Rows::Functions, Rows::Lines].into();
    let findings = analyze(&study, &Options { rows, ..analysis.clone() })?;
    let is_told = |doubt: &&Doubt| {
        matches!(
            doubt,
            Doubt::UncountedGrowth { .. } | Doubt::MostlyUncounted { .. } | Doubt::LargestFailed { .. }
        )
    };
    for doubt in findings.doubts.iter().filter(is_told) {
        terminal.warn(&doubt.to_string());
    }
    let checked = Checked::new(&findings, judge(&study, &findings, analysis, expected)?);
    terminal::table(&trend_report::check_text(&checked, &terminal.table_options()))?;
    if checked.judgement == Judgement::Broken
        && let Some(place) = place(&study, &findings, analysis, expected)?
    {
        terminal::table(&format!("{place}\n"))?;
    }
    Ok(check::exit_code(checked.judgement, args.allow_undecided))
}

/// Returns true if all failed workloads are smaller or larger in a parameter than all successful ones. The parameter
/// of a generator is no feature, so no workload may fail then.
fn fails_beyond(study: &Study, parameter: &str) -> bool {
    let is_parameter = |d: &Definition| matches!(d, Definition::Parameter(name) if name == parameter);
    let Some(index) = study.features().iter().position(|feature| is_parameter(&feature.definition)) else {
        return study.failed().iter().all(|failed| failed.outcome == Outcome::TimedOut);
    };
    let sizes = study.features()[index].values.iter().flatten().copied();
    let (least, largest) =
        sizes.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), size| (a.min(size), b.max(size)));
    let failed = study.failed().iter().filter(|failed| failed.outcome != Outcome::TimedOut);
    failed.map(|failed| failed.values[index]).all(|size| size.is_some_and(|n| n < least || n > largest))
}

/// Returns the most expensive line that breaks the limit by itself, with its function; or else a function that breaks
/// it.
fn place(
    study: &Study,
    findings: &Findings,
    analysis: &Options,
    expected: &[Expectation],
) -> Result<Option<String>, Failure> {
    let Some(Limit::Growth { limit }) = expected.first().map(|expected| &expected.limit) else {
        return Ok(None);
    };
    let broken = |rows: &[Row], subject: fn(&Row) -> Subject| -> Result<Option<Judged>, Failure> {
        let limit = || Limit::Growth { limit: *limit };
        let expectation = |row: &Row| Expectation {
            origin: Origin::CommandLine,
            subject: subject(row),
            limit: limit(),
            feature: None,
        };
        let expectations: Vec<Expectation> = rows.iter().take(MOST_ROWS).map(expectation).collect();
        let judged = judge(study, findings, analysis, &expectations)?;
        Ok(judged.into_iter().find(|judged| judged.judgement == Judgement::Broken))
    };
    let function = broken(&findings.functions, |row| Subject::FunctionAt(row.file.clone(), row.line))?;
    let line = broken(findings.lines.as_deref().unwrap_or_default(), |row| Subject::Line(row.name.clone()))?;
    let line = line.and_then(|line| Some((line.place?, line.found)));
    let function = function.and_then(|function| Some((function.place?, function.found)));
    Ok(match (line, function) {
        (Some((line, finding)), _) => {
            let function = of_line(findings, &line.file, line.line).map(|name| format!(" in {name}"));
            Some(format!(
                "{}{} grows{}",
                line.name,
                function.unwrap_or_default(),
                as_growth(finding.as_ref())
            ))
        }
        (None, Some((function, finding))) => {
            let place = format!("{} ({}:{})", function.name, function.file, function.line);
            Some(format!("{place} grows{}", as_growth(finding.as_ref())))
        }
        (None, None) => None,
    })
}

/// Returns the function that contains a line: the last one that starts before it.
fn of_line<'f>(findings: &'f Findings, file: &str, line: u32) -> Option<&'f str> {
    let before = findings.functions.iter().filter(|row| row.file == file && row.line <= line);
    before.max_by_key(|row| row.line).map(|row| row.name.as_str())
}

fn as_growth(finding: Option<&Found>) -> String {
    match finding {
        Some(Found::Growth { growth, .. }) => format!(" as {growth}"),
        _ => String::new(),
    }
}
