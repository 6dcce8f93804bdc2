//! `trend-prof import`: imports counts and features from other tools.
//!
//! ```text
//!   files ──reader──▶ Imported ──names, features──▶ runs of workloads ──▶ study
//!            formats            workloads                        record
//! ```

mod features;
mod given;
mod record;
mod workloads;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_collect::import::ImportError;
use trend_profile::shell_path;

use crate::cli;
use crate::failure::Failure;
use crate::formats::{self, Format, FormatKind, Options};
use crate::study::SUFFIX;
use crate::terminal::{Terminal, plural};

use self::given::Given;
use self::workloads::Workloads;

pub(crate) fn import(args: &cli::Import, terminal: Terminal) -> Result<ExitCode, Failure> {
    let (first, rest) = args.words.split_first().ok_or_else(|| Failure::new("nothing to import"))?;
    let name = first.to_str().unwrap_or_default();
    if name == "features" {
        return features::import(rest, args.study.as_deref(), terminal);
    }
    let (format, paths) = match Format::named(name) {
        Some(format) => (format, rest),
        None => (Format::of_file(first)?, args.words.as_slice()),
    };
    if paths.is_empty() {
        return Err(Failure::new("no file to import").hint(format!("`trend-prof import {name} FILE…`")));
    }
    let options =
        Options { features: &args.features, event: args.event.as_deref(), metric: args.metric.as_deref() };
    format.check(&options)?;
    let given = Given::new(args, terminal)?;
    let root = root(args)?;
    let files = format.files(paths)?;
    let budget = formats::budget(&files, args.memory)?;
    let mut workloads = Workloads::new(format.kind == FormatKind::Counts, &budget);
    for (path, name) in files.iter().zip(workloads::names(&files)) {
        let read = format.read(path, &root, &options, &budget)?;
        workloads.add(path, &name, read, &given)?;
    }
    workloads.finish().map_err(|e| formats::unreadable(&files[files.len() - 1], &e))?;
    if workloads.iter().all(|(_, w)| w.series.is_empty() && w.repetitions.iter().all(Vec::is_empty)) {
        let error = ImportError::NoCounts { reason: "it contains no costs".to_owned() };
        return Err(formats::unreadable(&files[0], &error));
    }
    for warning in workloads.warnings() {
        terminal.warn(&warning.message);
    }
    let path = args.study.clone().unwrap_or_else(|| default_study(&paths[0]));
    let recorded = record::record(&path, format, args, &root, &workloads)?;
    let mut parts = vec![
        plural(workloads.len(), "workload"),
        plural(workloads.features().len(), "feature"),
        plural(workloads.locations(), "location"),
    ];
    if recorded.repeated > 0 {
        parts.push(format!("{} recorded before", recorded.repeated));
    }
    terminal.note(&format!("{} in {}", parts.join(", "), path.display()));
    let kind = workloads.iter().find_map(|(_, workload)| Some(workload.series.first()?.place.kind));
    // Series bring their own sizes and need no feature.
    if !recorded.has_features && kind.is_none() {
        no_features(format, terminal);
    }
    let by = kind.and_then(cli::By::of_series).map(|by| format!(" --by {by}")).unwrap_or_default();
    terminal.note(&format!("next: `trend-prof show {}{by}`", shell_path(&path)));
    Ok(ExitCode::SUCCESS)
}

fn no_features(format: &Format, terminal: Terminal) {
    if format.kind == FormatKind::Table {
        terminal.warn("nothing can be predicted: no column is a feature");
        terminal.hint("name the feature columns: `--features n,bytes --fresh`");
    } else {
        terminal.warn("nothing can be predicted: no workload has a feature");
        terminal.hint("give their sizes with --pattern, --feature-table or --feature, and --fresh");
    }
}

/// Returns the absolute path of the folder of the sources.
fn root(args: &cli::Import) -> Result<PathBuf, Failure> {
    let folder = args.root.as_deref().unwrap_or(Path::new("."));
    folder
        .canonicalize()
        .map_err(|e| Failure::from_error(format!("failed to use the folder {}", folder.display()), &e))
}

fn default_study(file: &Path) -> PathBuf {
    PathBuf::from(workloads::stem(file)).with_extension(SUFFIX)
}
