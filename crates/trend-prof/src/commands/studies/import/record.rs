//! Writes imported workloads to a new or an existing study.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use trend_collect::import::{Imported, Merged};
use trend_profile::{
    Access, Definition, Function, Location, NewStudy, Origin, Outcome, Run, Study, StudyError, StudyFile,
    Usage, Workload, shell_path,
};

use super::workloads::{ImportedWorkload, Workloads};
use crate::cli;
use crate::failure::Failure;
use crate::formats::{Format, FormatKind, sources};

/// Result of recording the workloads.
pub(super) struct Recorded {
    /// Number of workloads that the study already had, with the same counts.
    pub(super) repeated: usize,
    /// True if the study has a feature after the import.
    pub(super) has_features: bool,
}

/// Records everything in the study at `path`.
pub(super) fn record(
    path: &Path,
    format: &Format,
    args: &cli::Import,
    root: &Path,
    workloads: &Workloads,
) -> Result<Recorded, Failure> {
    // Only formats other than tables name source files.
    let is_table = format.kind == FormatKind::Table;
    let root = (!is_table).then_some(root);
    let origin = Origin { format: format.name.to_owned(), unit: workloads.unit() };
    if path.exists() && !args.fresh {
        // Add to an existing study only if the user named it.
        if args.study.is_none() {
            return Err(Failure::from(StudyError::Exists { path: path.to_owned() })
                .hint(format!("`--study {}` adds to it", shell_path(path))));
        }
        return add(path, &origin, args.program.as_deref(), workloads, root);
    }
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let program = args.program.clone().unwrap_or_else(stem);
    let new = NewStudy::new(program, root.unwrap_or(Path::new("")).to_string_lossy());
    // Replace an existing study only when this one is complete, so that readers never see a partial study.
    let mut file = StudyFile::draft(path, &new, args.fresh)?;
    file.set_origin(&origin)?;
    let recorded = fill(&mut file, workloads, root)?;
    file.publish()?;
    file.close()?;
    Ok(recorded)
}

/// Adds to a study if its counts are of the same kind and program.
fn add(
    path: &Path,
    origin: &Origin,
    program: Option<&str>,
    workloads: &Workloads,
    root: Option<&Path>,
) -> Result<Recorded, Failure> {
    let mut file = StudyFile::open(path, Access::Write)?;
    let other = |what: String| {
        Err(Failure::new(format!("{} {what}", path.display()))
            .hint("choose another study with --study, or replace this one with --fresh"))
    };
    match file.origin() {
        None => {
            return other("has measured counts, to which imported counts cannot be added".to_owned());
        }
        Some(earlier) if earlier != *origin => {
            let kind = |o: &Origin| format!("{} from {}", o.unit.name(), o.format);
            return other(format!("has {}, but these are {}", kind(&earlier), kind(origin)));
        }
        Some(_) => {}
    }
    let known_program = file.program();
    if let Some(program) = program.filter(|p| *p != known_program) {
        return other(format!("is a study of {known_program}, not of {program}"));
    }
    let study = file.load()?;
    let files = |locations: &[trend_profile::Location]| -> HashSet<Arc<str>> {
        locations.iter().map(|l| l.file.clone()).filter(|f| !f.is_empty()).collect()
    };
    let (recorded, new) = (files(study.locations()), files(workloads.places().1));
    if !recorded.is_empty() && !new.is_empty() && recorded.is_disjoint(&new) {
        return other(
            "has no source file in common with these counts, so they belong to another program".to_owned(),
        );
    }
    if let Some(what) = other_build(&study, workloads) {
        return other(what);
    }
    drop(study);
    let recorded = fill(&mut file, workloads, root)?;
    file.close()?;
    Ok(recorded)
}

/// Returns an error text if a block is on another line in the study: counts of two builds must not be mixed.
fn other_build(study: &Study, workloads: &Workloads) -> Option<String> {
    let mut both = Merged::default();
    both.learn(&Imported {
        functions: study.functions().to_vec(),
        locations: study.locations().to_vec(),
        ..Imported::default()
    });
    let (functions, locations) = workloads.places();
    let of_study = both.locations().len();
    let ids = both.learn(&Imported {
        functions: functions.to_vec(),
        locations: locations.to_vec(),
        ..Imported::default()
    });
    let is_moved = |(id, l): &(u32, &Location)| {
        *id as usize >= of_study && both.locations()[*id as usize].label != l.label
    };
    let (_, moved) = ids.into_iter().zip(locations).find(is_moved)?;
    let function = &functions[moved.function.index()].symbol.name;
    Some(format!("was imported from another build, where blocks of {function} are on other lines"))
}

/// Records the workloads and the texts of their sources below `root`. The root stored in the study is not used, because
/// another user may have made that study.
fn fill(file: &mut StudyFile, workloads: &Workloads, root: Option<&Path>) -> Result<Recorded, Failure> {
    let recorded: BTreeMap<String, String> =
        file.run_states().into_iter().map(|run| (run.workload, run.fingerprint)).collect();
    let prints = fingerprints(workloads);
    for ((name, _), print) in workloads.iter().zip(&prints) {
        if recorded.get(name).is_some_and(|k| k != print) {
            return Err(Failure::new(format!("the study already has other counts for workload `{name}`"))
                .hint("rename the workload, or replace the study with --fresh"));
        }
    }
    for feature in workloads.features() {
        file.add_feature(feature, &Definition::Given)?;
    }
    file.add_warnings(workloads.warnings())?;
    let (functions, locations) = workloads.places();
    let ids = file.intern(functions, locations)?;
    if let Some(root) = root {
        file.add_sources(&sources::texts(root, locations))?;
    }
    let length = ids.iter().map(|id| id.index() + 1).max().unwrap_or(0);
    let mut counts = Vec::new();
    for ((name, workload), print) in workloads.iter().zip(&prints) {
        let values: Vec<(String, Option<f64>)> =
            workload.features.iter().map(|(feature, value)| (feature.clone(), Some(*value))).collect();
        let described = Workload { fingerprint: print.clone(), ..Workload::imported(name) };
        for (repetition, costs) in workload.level_repetitions().iter().enumerate() {
            counts.clear();
            counts.resize(length, 0);
            for &(location, count) in costs {
                counts[ids[location as usize].index()] = count;
            }
            let run = Run {
                repetition: repetition as u32,
                outcome: Outcome::Finished,
                usage: Usage::default(),
                stderr_tail: String::new(),
            };
            file.record(&described, &run, Some(&counts), &values)?;
        }
        if !workload.series.is_empty() {
            file.set_series(name, &workload.series)?;
        }
        if !workload.loops.is_empty() {
            file.set_loops(name, &workload.loops)?;
        }
    }
    let (_, features) = file.feature_table();
    let repeated = workloads.iter().filter(|(name, _)| recorded.contains_key(*name)).count();
    Ok(Recorded { repeated, has_features: features.iter().any(|f| f.values.iter().any(Option::is_some)) })
}

/// Returns a fingerprint of each workload's counts. It sums a hash of each count with its place, so it does not depend
/// on the order of the places, which other files influence.
fn fingerprints(workloads: &Workloads) -> Vec<String> {
    let (functions, locations) = workloads.places();
    let of_function = |function: &Function| {
        let names = [&function.file, &function.symbol.linkage, &function.symbol.name];
        let hash = names.iter().fold(FNV, |hash, name| fnv(fnv(hash, name.as_bytes()), &[0xff]));
        fnv(hash, &function.line.to_le_bytes())
    };
    let functions: Vec<u64> = functions.iter().map(of_function).collect();
    let of_location = |l: &Location| {
        let hash = fnv(fnv(functions[l.function.index()], l.label.as_bytes()), &[0xff, l.kind as u8]);
        fnv(hash, &l.block.to_le_bytes())
    };
    let locations: Vec<u64> = locations.iter().map(of_location).collect();
    let of_count = |&(location, count): &(u32, u64)| {
        let hash = fnv(locations[location as usize], &count.to_le_bytes());
        // Mix the bits further: FNV's last bytes hardly reach its upper bits, so sums of plain FNV hashes would
        // collide.
        let hash = (hash ^ (hash >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ (hash >> 29)
    };
    let of_workload = |workload: &ImportedWorkload| {
        let repetitions = workload.repetitions.iter();
        let sums = repetitions.map(|r| r.iter().map(of_count).fold(0_u64, u64::wrapping_add));
        let hash = sums.fold(FNV, |hash, sum| fnv(hash, &sum.to_le_bytes()));
        format!("{hash:016x}")
    };
    workloads.iter().map(|(_, workload)| of_workload(workload)).collect()
}

const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
