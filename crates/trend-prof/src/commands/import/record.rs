//! Workloads → a new study, or one that is there.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use trend_profile::{
    Access, Definition, NewStudy, Origin, Outcome, Run, SourceText, StudyError, StudyFile, Usage, Workload,
};

use super::formats::Format;
use super::workloads::{ImportedWorkload, Workloads};
use crate::cli;
use crate::failure::Failure;
use crate::ownership;

/// Larger sources are generated tables, and nobody reads them.
const LONGEST_SOURCE: u64 = 4 << 20;

/// What became of the workloads.
pub(super) struct Recorded {
    /// Workloads that the study had already, with the same counts.
    pub(super) known: usize,
    /// Whether the study has a feature now.
    pub(super) has_features: bool,
}

/// Records everything in the study at `path`.
pub(super) fn record(
    path: &Path,
    format: &Format<'_>,
    args: &cli::ImportFiles,
    root: &Path,
    workloads: &Workloads,
) -> Result<Recorded, Failure> {
    // A table names its places as it likes; all other formats name files.
    let is_table = matches!(format, Format::Csv { .. } | Format::Parquet { .. });
    let root = (!is_table).then_some(root);
    let origin = Origin { format: format.name().to_owned(), unit: workloads.unit() };
    if path.exists() && !args.fresh {
        // A study that was not named is not added to by the way.
        if args.study.is_none() {
            return Err(Failure::from(StudyError::Exists { path: path.to_owned() })
                .hint(format!("`--study {}` adds to it", path.display())));
        }
        return add(path, &origin, args.program.as_deref(), workloads, root);
    }
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let program = args.program.clone().unwrap_or_else(stem);
    let new = ownership::sealed(NewStudy::new(program, root.unwrap_or(Path::new("")).to_string_lossy()));
    // A study that is there is a whole one: until this one is, nobody sees it.
    let mut file = StudyFile::draft(path, &new, args.fresh)?;
    file.set_origin(&origin)?;
    let recorded = fill(&mut file, workloads, root)?;
    file.publish()?;
    file.close()?;
    Ok(recorded)
}

/// Adds to a study, when its counts are of the same kind and program.
fn add(
    path: &Path,
    origin: &Origin,
    program: Option<&str>,
    workloads: &Workloads,
    root: Option<&Path>,
) -> Result<Recorded, Failure> {
    let mut file = StudyFile::open(path, Access::Write)?;
    let other = |what: String| {
        Err(Failure::new(format!("{}: {what}", path.display()))
            .hint("name another study with --study, or replace this one with --fresh"))
    };
    match file.origin() {
        None => {
            return other("its counts were measured, and imported ones are not added to those".to_owned());
        }
        Some(known) if known != *origin => {
            let kind = |o: &Origin| format!("{} from {}", o.unit.name(), o.format);
            return other(format!("has {}, and these are {}", kind(&known), kind(origin)));
        }
        Some(_) => {}
    }
    let known_program = file.program();
    if let Some(program) = program.filter(|p| *p != known_program) {
        return other(format!("is a study of {known_program}, and not of {program}"));
    }
    let study = file.load()?;
    let files = |locations: &[trend_profile::Location]| -> HashSet<Arc<str>> {
        locations.iter().map(|l| l.file.clone()).filter(|f| !f.is_empty()).collect()
    };
    let (known, new) = (files(study.locations()), files(workloads.places().1));
    if !known.is_empty() && !new.is_empty() && known.is_disjoint(&new) {
        return other(
            "has no source file in common with these counts, which are of another program".to_owned(),
        );
    }
    drop(study);
    let recorded = fill(&mut file, workloads, root)?;
    file.close()?;
    Ok(recorded)
}

/// Records the workloads, and the texts of their sources that lie below `root`: never below the root that the study names,
/// which somebody else may have made.
fn fill(file: &mut StudyFile, workloads: &Workloads, root: Option<&Path>) -> Result<Recorded, Failure> {
    let known: BTreeMap<String, String> =
        file.run_states().into_iter().map(|run| (run.workload, run.fingerprint)).collect();
    let prints: Vec<String> = workloads.iter().map(|(_, w)| fingerprint(w, workloads)).collect();
    for ((name, _), print) in workloads.iter().zip(&prints) {
        if known.get(name).is_some_and(|k| k != print) {
            return Err(Failure::new(format!("the study has other counts of workload `{name}` already"))
                .hint("give the workload another name, or replace the study with --fresh"));
        }
    }
    for feature in workloads.features() {
        file.add_feature(feature, &Definition::Given)?;
    }
    file.add_warnings(workloads.warnings())?;
    let (functions, locations) = workloads.places();
    let ids = file.intern(functions, locations)?;
    if let Some(root) = root {
        file.add_sources(&sources(root, locations))?;
    }
    let length = ids.iter().map(|id| id.index() + 1).max().unwrap_or(0);
    for ((name, workload), print) in workloads.iter().zip(&prints) {
        let values: Vec<(String, Option<f64>)> =
            workload.features.iter().map(|(feature, value)| (feature.clone(), Some(*value))).collect();
        let described = Workload { fingerprint: print.clone(), ..Workload::imported(name) };
        for (repetition, costs) in workload.level_repetitions().iter().enumerate() {
            let mut counts = vec![0; length];
            for (&location, &count) in costs {
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
        if !workload.routines.is_empty() {
            file.set_routines(name, &workload.routines)?;
        }
    }
    let (_, features) = file.feature_table();
    let known = workloads.iter().filter(|(name, _)| known.contains_key(*name)).count();
    Ok(Recorded { known, has_features: features.iter().any(|f| f.values.iter().any(Option::is_some)) })
}

/// A word that differs where counts differ: FNV-1a of names and numbers.
fn fingerprint(workload: &ImportedWorkload, workloads: &Workloads) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let (functions, locations) = workloads.places();
    for repetition in &workload.repetitions {
        add(b"repetition");
        let named = repetition.iter().map(|(&id, &count)| {
            let l = &locations[id as usize];
            (&functions[l.function.index()], l.kind, l.block, &l.label, count)
        });
        // In an order that does not depend on the other files.
        for (function, kind, block, label, count) in named.collect::<BTreeSet<_>>() {
            for text in [&*function.file, &function.symbol.linkage, &function.symbol.name, label] {
                add(text.as_bytes());
                add(&[0xff]);
            }
            add(&[kind as u8]);
            add(&function.line.to_le_bytes());
            add(&block.to_le_bytes());
            add(&count.to_le_bytes());
        }
    }
    format!("{hash:016x}")
}

/// The texts of files below `root`. Others are not read: an import can name any file of this machine, and a
/// study can be mailed.
fn sources(root: &Path, locations: &[trend_profile::Location]) -> Vec<SourceText> {
    let Ok(root) = root.canonicalize() else { return Vec::new() };
    let files: BTreeSet<&str> = locations.iter().map(|l| &*l.file).filter(|f| !f.is_empty()).collect();
    let text = |file: &str| {
        let path = root.join(file).canonicalize().ok().filter(|path| path.starts_with(&root))?;
        let metadata = fs::metadata(&path).ok()?;
        let bytes =
            (metadata.is_file() && metadata.len() <= LONGEST_SOURCE).then(|| fs::read(&path).ok())??;
        Some(SourceText { file: file.to_owned(), text: String::from_utf8_lossy(&bytes).into_owned() })
    };
    files.into_iter().filter_map(text).collect()
}
