//! `trend-prof import`: counts and features from elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_collect::csv::{self, CsvError, Imported};
use trend_profile::{Access, Definition, NewStudy, Outcome, Run, StudyError, StudyFile, Usage, Workload};

use crate::cli::{self, ImportFormat};
use crate::failure::Failure;
use crate::study::{self, SUFFIX};
use crate::terminal::{Terminal, plural};

/// How many unknown workloads are named.
const NAMES_SHOWN: usize = 3;

pub(super) fn import(args: &cli::Import, terminal: Terminal) -> Result<ExitCode, Failure> {
    match &args.format {
        ImportFormat::Csv(args) => counts(args, terminal),
        ImportFormat::Features(args) => features(args, terminal),
    }
}

fn counts(args: &cli::ImportCsv, terminal: Terminal) -> Result<ExitCode, Failure> {
    let table = csv::read(&read(&args.file)?, &args.features).map_err(|e| unreadable(&args.file, &e))?;
    for warning in &table.warnings {
        terminal.warn(&warning.message);
    }
    let path = args.study.clone().unwrap_or_else(|| default_study(&args.file));
    if path.exists() && !args.fresh {
        return Err(StudyError::Exists { path }.into());
    }
    // Filled under another name, so that a study that is there is a whole one.
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let scratch = tempfile::Builder::new()
        .prefix(".trend-prof-")
        .tempdir_in(folder)
        .map_err(|e| Failure::from_error(format!("failed to write {}", path.display()), &e))?;
    let unfinished = scratch.path().join("import.trend");
    let program = args.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = StudyFile::create(&unfinished, &NewStudy { program, root: String::new() })?;
    fill(file, &table)?;
    fs::rename(&unfinished, &path)
        .map_err(|e| Failure::from_error(format!("failed to write {}", path.display()), &e))?;
    terminal.note(&format!(
        "{}, {} and {} in {}",
        plural(table.workloads.len(), "workload"),
        plural(table.features.len(), "feature"),
        plural(table.locations.len(), "location"),
        path.display()
    ));
    if table.features.is_empty() {
        terminal.warn("no column is a feature, so that nothing can be predicted");
        terminal.hint("name the columns that are: `--features n,bytes --fresh`");
    }
    terminal.note(&format!("next: `trend-prof show {}`", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn fill(mut file: StudyFile, table: &Imported) -> Result<(), StudyError> {
    let declared: Vec<(String, Definition)> =
        table.features.iter().map(|f| (f.name.clone(), f.definition.clone())).collect();
    for (name, definition) in &declared {
        file.add_feature(name, definition)?;
    }
    file.add_warnings(&table.warnings)?;
    let ids = file.intern(&table.functions, &table.locations)?;
    for (index, name) in table.workloads.iter().enumerate() {
        let mut counts = vec![0; ids.len()];
        for (id, row) in ids.iter().zip(&table.counts) {
            counts[id.index()] = row[index];
        }
        let values: Vec<(String, Option<f64>)> =
            table.features.iter().map(|f| (f.name.clone(), f.values[index])).collect();
        let run = Run {
            repetition: 0,
            outcome: Outcome::Finished,
            usage: Usage::default(),
            stderr_tail: String::new(),
        };
        file.record(&Workload::imported(name), &run, Some(&counts), &values)?;
    }
    Ok(())
}

fn features(args: &cli::ImportFeatures, terminal: Terminal) -> Result<ExitCode, Failure> {
    let table = csv::read_features(&read(&args.file)?).map_err(|e| unreadable(&args.file, &e))?;
    for warning in &table.warnings {
        terminal.warn(&warning.message);
    }
    let path = study::path_or_only(args.study.as_deref())?;
    let mut file = StudyFile::open(&path, Access::Write)?;
    let (known, _) = file.feature_table()?;
    let (matched, unknown): (Vec<usize>, Vec<usize>) =
        (0..table.workloads.len()).partition(|&i| known.contains(&table.workloads[i]));
    if matched.is_empty() {
        return Err(Failure::new(format!(
            "{}: none of its workloads is in {}",
            args.file.display(),
            path.display()
        ))
        .maybe_hint(known.first().map(|name| format!("the study's are named like `{name}`"))));
    }
    for feature in &table.features {
        file.add_feature(&feature.name, &Definition::Given)?;
    }
    for &index in &matched {
        let values: Vec<(String, Option<f64>)> =
            table.features.iter().map(|f| (f.name.clone(), f.values[index])).collect();
        file.set_feature_values(&table.workloads[index], &values)?;
    }
    if !unknown.is_empty() {
        let names: Vec<&str> =
            unknown.iter().take(NAMES_SHOWN).map(|&i| table.workloads[i].as_str()).collect();
        terminal.warn(&format!(
            "{} rows are of workloads that the study does not have, such as {}",
            unknown.len(),
            names.join(", ")
        ));
    }
    let names: Vec<&str> = table.features.iter().map(|f| f.name.as_str()).collect();
    terminal.note(&format!(
        "{} of {} workloads of {} have {}",
        matched.len(),
        known.len(),
        path.display(),
        names.join(", ")
    ));
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|e| Failure::from_error(format!("failed to read {}", path.display()), &e))
}

fn unreadable(path: &Path, error: &CsvError) -> Failure {
    Failure::from_error(format!("failed to read {}", path.display()), error)
}

fn default_study(table: &Path) -> PathBuf {
    PathBuf::from(table.file_stem().unwrap_or_default()).with_extension(SUFFIX)
}
