//! Finds and analyses the study that a command works on.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use trend_analyze::{Exclusion, Findings, Options, Rows, RunLimit, analyze, predict_multiples};
use trend_profile::{Access, Study, StudyFile, shell_path};
use trend_report::{By, Sort, TableOptions};
use trend_run::{CONFIG_FILE, Config};

use crate::cli;
use crate::failure::Failure;
use crate::terminal::{Terminal, plural};
use crate::waiting::Waiting;

/// Extension of study files.
pub(crate) const SUFFIX: &str = "trend";

/// Returns the given study, or else the only one in this folder.
pub(crate) fn path_or_only(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    only(studies_here()?)
}

/// Returns the studies in this folder, sorted by name.
fn studies_here() -> Result<Vec<PathBuf>, Failure> {
    let failed = |e: std::io::Error| Failure::from_error("failed to look for a study in this folder", &e);
    let mut studies = Vec::new();
    for entry in std::fs::read_dir(".").map_err(failed)? {
        let path = PathBuf::from(entry.map_err(failed)?.file_name());
        let hidden = path.as_os_str().as_encoded_bytes().starts_with(b".");
        if path.extension().is_some_and(|e| e == SUFFIX) && !hidden && path.is_file() {
            studies.push(path);
        }
    }
    studies.sort();
    Ok(studies)
}

fn only(mut studies: Vec<PathBuf>) -> Result<PathBuf, Failure> {
    match studies.len() {
        1 => Ok(studies.remove(0)),
        0 => Err(Failure::new("no study in this folder")
            .hint("make one with `trend-prof run`, or give the path of one")),
        _ => {
            let names: Vec<_> = studies.iter().map(|path| shell_path(path)).collect();
            Err(Failure::new(format!("there are {} studies in this folder", names.len()))
                .hint(format!("name one of {}", names.join(", "))))
        }
    }
}

/// Finds the study of a read-only command. Among several it takes the only one with counts, or else the one of
/// trend-prof.toml.
pub(crate) fn path_or_only_with_counts(named: Option<&Path>, terminal: Terminal) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let studies = studies_here()?;
    let mut counted: Vec<&PathBuf> = studies.iter().filter(|path| may_have_counts(path)).collect();
    match counted.pop() {
        Some(path) if counted.is_empty() && studies.len() > 1 => {
            terminal.note(&format!("using {}, the only study in this folder with counts", path.display()));
            Ok(path.clone())
        }
        _ => match configured(&studies) {
            Some(path) if studies.len() > 1 => {
                terminal.note(&format!("using {}, the study of {CONFIG_FILE}", path.display()));
                Ok(path)
            }
            _ => only(studies),
        },
    }
}

/// Returns the study to which `run` writes with this folder's configuration.
fn configured(studies: &[PathBuf]) -> Option<PathBuf> {
    let config = Config::read(Path::new(CONFIG_FILE)).ok()?;
    let path = default_of(&config);
    studies.contains(&path).then_some(path)
}

/// Returns the study in which a configuration's runs are recorded by default.
pub(crate) fn default_of(config: &Config) -> PathBuf {
    let mut name = OsString::from(&config.program.name);
    if let Some(shard) = config.shard {
        name.push(format!(".{}", shard.file_name()));
    }
    name.push(".");
    name.push(SUFFIX);
    let path = config.folder.join(name);
    // A relative path is shorter to read and to type.
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path)
}

/// Returns true if some run left counts, or if the study cannot be opened.
fn may_have_counts(path: &Path) -> bool {
    let study = StudyFile::open(path, Access::Read);
    study.map_or(true, |study| study.run_states().iter().any(|run| run.outcome.is_finished()))
}

/// Returns true if a word of the command line is a study, not a function or a source file. Studies end in .trend or
/// begin as study files do.
pub(crate) fn is_study(word: &OsString) -> bool {
    let path = Path::new(word);
    path.extension().is_some_and(|e| e == SUFFIX) || (path.is_file() && begins_as_study(path))
}

fn begins_as_study(path: &Path) -> bool {
    let mut start = [0; 16];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && StudyFile::may_begin_with(&start)
}

/// Reads a study without the excluded workloads.
pub(crate) fn selected(
    named: Option<&Path>,
    analysis: &cli::Analysis,
    terminal: Terminal,
) -> Result<(PathBuf, Study), Failure> {
    let path = path_or_only_with_counts(named, terminal)?;
    let _waiting = Waiting::new(terminal, "reading the study");
    let study = StudyFile::read(&path, analysis.memory)?;
    let study = Exclusion::new(&analysis.exclude).apply_all(study).map_err(|error| {
        Failure::new(format!("--exclude {}: the study has no such workload", error.word))
            .maybe_hint(error.example.map(|name| format!("the study has workloads such as `{name}`")))
    })?;
    Ok((path, study))
}

/// Shows a status line while a study is analysed.
pub(crate) fn analysing(study: &Study, terminal: Terminal) -> Waiting {
    let locations = plural(study.locations().len(), "location");
    let workloads = plural(study.workloads().len(), "workload");
    let features = plural(study.features().len(), "feature");
    Waiting::new(terminal, format!("analysing {locations} over {workloads} in {features}"))
}

/// Pages predict at any size up to this multiple of a feature's 95th percentile.
const REACH_OF_A_PAGE: f64 = 1e6;

/// Multiples of the 95th percentile that a page offers as buttons. Their predictions come from the analysis and are not
/// interpolated.
const MULTIPLES_OF_A_PAGE: [f64; 2] = [1.0, 100.0];

/// Maximum number of rows for which a page contains the multiples. With 30,000 rows it would exceed its limit of 4 MB
/// (4.2 MB).
const ROWS_WITH_MULTIPLES: usize = 1_000;

/// Optional parts of an analysis that a table needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted<'a> {
    /// Kinds of rows to model.
    pub(crate) rows: &'a [Rows],
    /// Features to combine in one law.
    pub(crate) joint: &'a [String],
    /// Number of rows to analyse fully, whatever they cost.
    pub(crate) full_rows: usize,
    /// Name of a row to analyse fully.
    pub(crate) name: Option<&'a str>,
    /// Limits to find the largest inputs for; empty for the default limits. `None` if these inputs are not shown.
    pub(crate) within: Option<&'a [RunLimit]>,
}

/// Analyses a study for tables.
pub(crate) fn findings(
    study: &Study,
    analysis: &cli::Analysis,
    at: &[(String, f64)],
    wanted: &Wanted<'_>,
) -> Result<Findings, Failure> {
    let joint = if wanted.joint.len() > 1 { wanted.joint.to_vec() } else { Vec::new() };
    let rows = wanted.rows.iter().copied().collect();
    let (full_rows, full_named) = (wanted.full_rows, wanted.name.map(str::to_owned));
    let mut options = options(analysis, at)?;
    if let Some(within) = wanted.within {
        options.reach = REACH_OF_A_PAGE;
        if !within.is_empty() {
            options.within = within.to_vec();
        }
    }
    Ok(analyze(study, &Options { rows, joint, full_rows, full_named, ..options })?)
}

/// Analyses a study for a page.
pub(crate) fn findings_for_page(
    study: &Study,
    analysis: &cli::Analysis,
    at: &[(String, f64)],
) -> Result<Findings, Failure> {
    let options = Options { keep_fits: true, ..options_for_page(analysis, at)? };
    let mut findings = analyze(study, &options)?;
    if at.is_empty() && findings.functions.len() + findings.clusters.len() <= ROWS_WITH_MULTIPLES {
        predict_multiples(study, &mut findings, &options, &MULTIPLES_OF_A_PAGE)?;
    }
    Ok(findings)
}

/// Returns the analysis options for a page.
pub(crate) fn options_for_page(analysis: &cli::Analysis, at: &[(String, f64)]) -> Result<Options, Failure> {
    Ok(Options { reach: REACH_OF_A_PAGE, ..options(analysis, at)? })
}

/// Returns the analysis options for predictions at these sizes.
pub(crate) fn options(analysis: &cli::Analysis, at: &[(String, f64)]) -> Result<Options, Failure> {
    if !(analysis.alpha > 0.0 && analysis.alpha < 0.5) {
        return Err(Failure::new(format!("--alpha {} is not between 0 and 0.5", analysis.alpha))
            .hint("the paper's value is 0.02"));
    }
    Ok(Options {
        seed: analysis.seed,
        alpha: analysis.alpha,
        intervals: analysis.intervals,
        growth: !analysis.no_growth,
        machine_memory: analysis.machine_memory,
        at: at.to_vec(),
        ..Options::default()
    })
}

/// Parses `feature=size`, such as `bytes=1GB`.
pub(crate) fn size(text: &str) -> Result<(String, f64), Failure> {
    let (feature, size) = text.rsplit_once('=').ok_or_else(|| {
        Failure::new(format!("`{text}` is not a size")).hint("write feature=size, for example bytes=128MB")
    })?;
    let value =
        trend_run::parse_quantity(size).map_err(|e| Failure::from_error("failed to read the size", &e))?;
    Ok((feature.to_owned(), value))
}

/// Parses several sizes.
pub(crate) fn sizes(texts: &[String]) -> Result<Vec<(String, f64)>, Failure> {
    texts.iter().map(|t| size(t)).collect()
}

/// Returns the options of a table.
pub(crate) fn table_options(table: &cli::Table, terminal: Terminal) -> TableOptions {
    TableOptions {
        by: match table.by {
            cli::By::Function => By::Function,
            cli::By::Line => By::Line,
            cli::By::Block => By::Block,
            // Series and CPU time have separate tables.
            _ => By::Cluster,
        },
        sort: match table.sort {
            Some(cli::Sort::Predicted) => Sort::Predicted,
            Some(cli::Sort::Exponent) => Sort::Exponent,
            Some(cli::Sort::Share) => Sort::Share,
            None if table.by == cli::By::Function => Sort::Predicted,
            Some(cli::Sort::Cost) | None => Sort::Cost,
        },
        // With several features, each row is shown by its joint law.
        feature: table.feature.first().filter(|_| table.feature.len() == 1).cloned(),
        top: table.top,
        ..terminal.table_options()
    }
}

impl From<trend_report::ReportError> for Failure {
    fn from(error: trend_report::ReportError) -> Self {
        Self::new(error.to_string())
    }
}
