//! `trend-prof import features`: adds numbers that describe the workloads of a study.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use trend_collect::csv;
use trend_profile::{Access, Definition, StudyFile};

use crate::failure::Failure;
use crate::formats;
use crate::study;
use crate::terminal::Terminal;

/// Maximum number of unknown workloads that a message lists.
const NAMES_SHOWN: usize = 3;

pub(super) fn import(
    files: &[PathBuf],
    study: Option<&Path>,
    terminal: Terminal,
) -> Result<ExitCode, Failure> {
    let [source] = files else {
        return Err(Failure::new("features come from one table")
            .hint("`trend-prof import features FILE --study STUDY.trend`"));
    };
    let budget = formats::budget([source], None)?;
    let table =
        csv::read_features(formats::input(source, &budget)?).map_err(|e| formats::unreadable(source, &e))?;
    for warning in &table.warnings {
        terminal.warn(&warning.message);
    }
    let path = study::path_or_only(study)?;
    let mut file = StudyFile::open(&path, Access::Write)?;
    let (recorded, _) = file.feature_table();
    let (matched, unknown): (Vec<usize>, Vec<usize>) =
        (0..table.workloads.len()).partition(|&i| recorded.contains(&table.workloads[i]));
    if matched.is_empty() {
        return Err(Failure::new(format!(
            "{}: none of its workloads is in {}",
            source.display(),
            path.display()
        ))
        .maybe_hint(recorded.first().map(|name| format!("the study has workloads such as `{name}`"))));
    }
    for feature in &table.features {
        file.add_feature(&feature.name, &Definition::Given)?;
    }
    for &index in &matched {
        let values: Vec<(String, Option<f64>)> =
            table.features.iter().map(|f| (f.name.clone(), f.values[index])).collect();
        file.set_feature_values(&table.workloads[index], &values)?;
    }
    file.close()?;
    if !unknown.is_empty() {
        let names: Vec<&str> =
            unknown.iter().take(NAMES_SHOWN).map(|&i| table.workloads[i].as_str()).collect();
        terminal.warn(&format!(
            "{} rows are for workloads that are not in the study, such as {}",
            unknown.len(),
            names.join(", ")
        ));
    }
    let names: Vec<&str> = table.features.iter().map(|f| f.name.as_str()).collect();
    terminal.note(&format!(
        "{} of {} workloads of {} have {}",
        matched.len(),
        recorded.len(),
        path.display(),
        names.join(", ")
    ));
    Ok(ExitCode::SUCCESS)
}
