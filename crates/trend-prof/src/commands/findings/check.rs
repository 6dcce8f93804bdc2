//! `trend-prof check`: checks a program's growth against expectations.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_analyze::{
    Advise, Baseline, Checked, Expectation, Findings, Judged, Judgement, Limit, Options, Origin, Rows,
    Subject, Version, analyze, expected_words, in_sources, judge,
};
use trend_profile::{Measure, Study, open_readable};
use trend_run::{CONFIG_FILE, Config, CostLimit, CountSource, Target};
use trend_steer::Goal;

use crate::cli::{self, CheckFormat};
use crate::commands::measuring::run::campaign::{Campaign, execution};
use crate::commands::measuring::run::configured::configured as configured_runs;
use crate::failure::{EXIT_EXPECTATION, EXIT_UNDECIDED, EXIT_WRONG_INPUT, Failure};
use crate::terminal::{Terminal, plural};
use crate::{study, terminal};

pub(crate) fn check(args: &cli::Check, terminal: Terminal) -> Result<ExitCode, Failure> {
    let mut judgement = Judgements::new(args, terminal)?;
    if args.until_decided && judgement.checked.undecided > 0 {
        if let Some(code) = judgement.run_what_decides(args, terminal)? {
            return Ok(code);
        }
        judgement = Judgements::new(args, terminal)?;
    }
    let Judgements { expectations, checked, .. } = &judgement;
    if let Some(path) = &args.save_baseline {
        save(path, &judgement, terminal)?;
    }
    report(args, checked, terminal)?;
    if expectations.is_empty() && args.save_baseline.is_none() {
        terminal.hint(
            "add [[expect]] to trend-prof.toml, or a comment such as `// trend-prof: <= n log n` (`#` in \
             Python) above a function, and run the program again",
        );
    }
    let code = exit_code(checked.judgement, args.allow_undecided);
    std::mem::forget(judgement);
    Ok(code)
}

/// A study's expectations and their judgements.
struct Judgements {
    path: PathBuf,
    expectations: Vec<Expectation>,
    options: Options,
    study: Study,
    findings: Findings,
    checked: Checked,
}

impl Judgements {
    fn new(args: &cli::Check, terminal: Terminal) -> Result<Self, Failure> {
        let mut expectations = configured(args.config.as_deref())?;
        let (path, study) = study::selected(args.study.as_deref(), &args.analysis, terminal)?;
        expectations.extend(in_sources(&study).map_err(|error| {
            Failure::from_error("failed to read an expectation", &error).hint(
                "write for example `// trend-prof: <= n log n in bytes`; the study keeps the source as it \
                 was run",
            )
        })?);
        let features: Vec<String> = expectations.iter().filter_map(|e| e.feature.clone()).collect();
        let sizes: Vec<(String, f64)> = expectations.iter().flat_map(sizes).collect();
        let study = trend_analyze::to_analyze(study, &features, &sizes);
        let waiting = study::analysing(&study, terminal);
        let options = options(&expectations, &args.analysis)?;
        let options = Options { advise: Advise::Nothing, full_features: features, ..options };
        let mut findings = analyze(&study, &options)?;
        let version = Version { study: &study, findings: &findings };
        let unknown = match &args.against {
            Some(path) => against(path, version, &options, &mut expectations)?,
            None => None,
        };
        if let Some(expectation) = expectations.iter().find(|e| e.subject == Subject::NewCode(Vec::new()))
            && args.against.is_none()
        {
            return Err(Failure::new(format!("{}: `new-code` needs a baseline", place(expectation)))
                .hint("name one with `--against`; write it with `--save-baseline`"));
        }
        let mut judged = judge(&study, &findings, &options, &expectations)?;
        if judged.iter().any(|judged| judged.judgement == Judgement::Undecided) {
            let advise = if args.until_decided { Advise::Whole } else { Advise::Parts };
            trend_analyze::advise(&study, &Options { advise, ..options.clone() }, &mut findings);
            judged = judge(&study, &findings, &options, &expectations)?;
        }
        drop(waiting);
        judged.extend(unknown);
        let checked = Checked::new(&findings, judged);
        Ok(Self { path, expectations, options, study, findings, checked })
    }

    /// Runs the sizes that decide the undecided expectations, within the time budget. Returns an exit code if the user
    /// stopped the runs.
    fn run_what_decides(&self, args: &cli::Check, terminal: Terminal) -> Result<Option<ExitCode>, Failure> {
        let config = args.config.as_deref().unwrap_or(Path::new(CONFIG_FILE));
        if !config.exists() {
            return Err(Failure::new(format!(
                "--until-decided needs {}, which does not exist",
                config.display()
            ))
            .hint(
                "write it with `trend-prof init`, or run `trend-prof try --expect '<= n log n' -- \
                 ./program {n}`",
            ));
        }
        let config = configured_runs(config)?;
        let is_callgrind = *self.study.unit() == CountSource::Callgrind.unit();
        let counters = if is_callgrind { CountSource::Callgrind } else { CountSource::own(&config) };
        trend_steer::check(&config, &self.path)?;
        let may_build = counters == CountSource::Gcov;
        let mut campaign = Campaign::begin(&config, &self.path, execution(counters), may_build, terminal)?;
        let goal = Goal::Expectations { expected: &self.expectations, options: &self.options };
        let is_over = campaign.until_decided(goal, args.budget)?;
        if self.expectations.iter().any(is_of_time_or_memory) {
            campaign.time()?;
        }
        let code = (!is_over).then(|| campaign.exit_code(is_over));
        campaign.finish()?;
        Ok(code)
    }
}

pub(crate) fn exit_code(judgement: Judgement, allow_undecided: bool) -> ExitCode {
    match judgement {
        Judgement::Holds => ExitCode::SUCCESS,
        Judgement::Undecided if allow_undecided => ExitCode::SUCCESS,
        Judgement::Undecided => ExitCode::from(EXIT_UNDECIDED),
        Judgement::Unknown => ExitCode::from(EXIT_WRONG_INPUT),
        Judgement::Broken => ExitCode::from(EXIT_EXPECTATION),
    }
}

/// Reads the configuration's expectations. Returns none if no file is given and the default one does not exist.
fn configured(named: Option<&Path>) -> Result<Vec<Expectation>, Failure> {
    let path = named.unwrap_or(Path::new(CONFIG_FILE));
    if named.is_none() && !path.exists() {
        return Ok(Vec::new());
    }
    let mut expectations = Vec::new();
    for written in Config::read_expectations(path)? {
        let origin =
            || Origin::Config { file: path.to_string_lossy().into_owned(), line: written.config_line };
        let subject = || match written.target.clone() {
            Target::Program => Subject::Program,
            Target::Function(name) => Subject::Function(name),
            Target::File(name) => Subject::File(name),
            Target::Line(name) => Subject::Line(name),
            Target::NewCode => Subject::NewCode(Vec::new()),
        };
        let mut expect = |limit, feature: Option<&String>| {
            let feature = feature.cloned();
            expectations.push(Expectation { origin: origin(), subject: subject(), limit, feature });
        };
        let features = &written.features;
        if let Some(growth) = &written.growth {
            let limit = growth.parse().map_err(|error| {
                Failure::from_error(format!("{}:{}", path.display(), written.config_line), &error)
            })?;
            for feature in 0..features.len().max(1) {
                expect(Limit::Growth { limit }, features.get(feature));
            }
        }
        for CostLimit { measure, at, most } in written.costs {
            expect(Limit::Cost { measure, at, most }, features.first());
        }
    }
    Ok(expectations)
}

fn is_of_time_or_memory(expectation: &Expectation) -> bool {
    matches!(expectation.limit, Limit::Cost { measure: Measure::Seconds | Measure::Bytes, .. })
}

fn sizes(expectation: &Expectation) -> Vec<(String, f64)> {
    match &expectation.limit {
        Limit::Cost { at, .. } => at.clone(),
        Limit::Growth { .. } => Vec::new(),
    }
}

pub(crate) fn options(expectations: &[Expectation], analysis: &cli::Analysis) -> Result<Options, Failure> {
    let has_lines = expectations.iter().any(|e| matches!(e.subject, Subject::Line(_)));
    let lines = has_lines.then_some(Rows::Lines);
    Ok(Options {
        rows: [Rows::Functions].into_iter().chain(lines).collect(),
        full_meant: expected_words(expectations),
        keep_fits: true,
        ..study::options(analysis, &[])?
    })
}

/// Adds the baseline's expectations, and gives `new-code` the functions that the baseline knows. If the baseline lacks
/// too much of the study, returns a judgement that says so.
fn against(
    path: &Path,
    version: Version<'_>,
    options: &Options,
    expectations: &mut Vec<Expectation>,
) -> Result<Option<Judged>, Failure> {
    let name = path.to_string_lossy();
    let failed = |error: &dyn std::error::Error| {
        Failure::from_error(format!("failed to read the baseline {name}"), error)
            .hint("write one with `trend-prof check --save-baseline FILE`")
    };
    let text = open_readable(path).and_then(io::read_to_string).map_err(|error| failed(&error))?;
    let baseline = Baseline::parse(&text).map_err(|error| failed(&error))?;
    let against = baseline.against(&name, version, options).map_err(|error| failed(&error))?;
    for expectation in expectations.iter_mut() {
        if let Subject::NewCode(names) = &mut expectation.subject {
            names.clone_from(&against.known_functions);
        }
    }
    expectations.extend(against.expectations);
    Ok(against.unknown)
}

fn save(path: &Path, judgements: &Judgements, terminal: Terminal) -> Result<(), Failure> {
    let Judgements { study, findings, options, .. } = judgements;
    let baseline = Baseline::new(study, findings, options)?;
    let text = serde_json::to_string_pretty(&baseline)
        .map_err(|error| Failure::from_error("failed to write the baseline", &error))?;
    terminal::file(path, &(text + "\n"))?;
    terminal.note(&format!("{} kept in {}", plural(baseline.len(), "function"), path.display()));
    Ok(())
}

fn report(args: &cli::Check, checked: &Checked, terminal: Terminal) -> Result<(), Failure> {
    for report in &args.report {
        terminal::file(&report.file, &written(report.format, checked, terminal))?;
    }
    match args.format {
        // Saving a baseline needs no expectations.
        CheckFormat::Text if checked.expectations.is_empty() && args.save_baseline.is_some() => Ok(()),
        CheckFormat::Text => terminal::table(&trend_report::check_text(checked, &terminal.table_options())),
        format => terminal::document(&written(format, checked, terminal)),
    }
}

fn written(format: CheckFormat, checked: &Checked, terminal: Terminal) -> String {
    match format {
        CheckFormat::Text => {
            let text = trend_report::check_text(checked, &terminal.table_options());
            anstream::adapter::strip_str(&text).to_string()
        }
        CheckFormat::Json => trend_report::check_json(checked),
        CheckFormat::Markdown => trend_report::check_markdown(checked),
        CheckFormat::Junit => trend_report::check_junit(checked),
        CheckFormat::Sarif => trend_report::check_sarif(checked),
        CheckFormat::Github => trend_report::check_github(checked),
    }
}

fn place(expectation: &Expectation) -> String {
    match &expectation.origin {
        Origin::Config { file, line } | Origin::Comment { file, line } => format!("{file}:{line}"),
        Origin::CommandLine => "command line".to_owned(),
        Origin::Baseline { file } => file.clone(),
    }
}
