//! Turns the probe's records of a run into series of its routines, their own costs, and loops.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError, RwLock};

use trend_collect::import::probe::{EXTENSION, LoopRecord, ProbeRecord, Records, not_probed};
use trend_collect::import::{Budget, ImportError, Imported, Limits, Merged, Root};
use trend_profile::{Function, Location, ObjectRecord, Series, Warning, WarningKind};

use super::counted::{Counted, Uncounted};
use crate::program::digest::stamp_of;

/// Decodes the records of programs with the probe.
#[derive(Debug)]
pub(crate) struct RoutineDecoder {
    folder: PathBuf,
    root: Root,
    places: RwLock<Merged>,
    /// Numbers of calls of functions without the probe, over all runs.
    externals: Mutex<BTreeMap<(String, String), u64>>,
}

impl RoutineDecoder {
    pub(crate) fn new(root: &str) -> Self {
        let (places, externals) = (RwLock::default(), Mutex::default());
        Self { folder: PathBuf::from(root), root: Root::new(root), places, externals }
    }

    pub(crate) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        use_places(places.functions(), places.locations())
    }

    /// Returns a warning about functions without the probe, over all runs.
    pub(crate) fn warnings(&self) -> Option<Warning> {
        not_probed(&self.externals.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds up the records of all processes of one run. Returns `None` if there are none.
    pub(crate) fn count(&self, folder: &Path) -> Result<Option<Counted>, Uncounted> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        files.retain(|file| file.extension() == Some(OsStr::new(EXTENSION)));
        files.sort();
        let mut counted = Counted::default();
        let mut programs = BTreeSet::new();
        let mut of_other_version = None;
        let (mut loops, mut routines): (Option<LoopRecord>, Vec<ProbeRecord>) = (None, Vec::new());
        // This tool wrote the files on this machine, so no limit is needed.
        let budget = || Rc::new(Budget::new(Limits { kept: u64::MAX, ..Limits::for_files(0) }));
        for file in &files {
            let file = File::open(file).map_err(unreadable)?;
            let Some(records) = if_same_version(Records::new(file), &mut of_other_version)? else { continue };
            for bytes in records {
                let bytes = bytes.map_err(unreadable)?;
                if LoopRecord::is_one(&bytes) {
                    let record = if_same_version(LoopRecord::read(&bytes), &mut of_other_version)?;
                    let Some(record) = record else { continue };
                    programs.extend(Some(PathBuf::from(&record.program)).filter(|_| !record.is_empty()));
                    match &mut loops {
                        Some(all) => all.add(record),
                        None => loops = Some(record),
                    }
                    continue;
                }
                let record = if_same_version(ProbeRecord::read(&bytes), &mut of_other_version)?;
                let Some(record) = record.filter(|record| !record.is_empty()) else { continue };
                programs.insert(PathBuf::from(&record.program));
                match routines.iter_mut().find(|all| all.is_like(&record)) {
                    Some(all) => all.add(record).map_err(unreadable)?,
                    None => routines.push(record),
                }
            }
        }
        let mut is_any = false;
        for record in routines {
            let imported = record.imported(&self.root, &budget()).map_err(unreadable)?;
            if std::mem::replace(&mut is_any, true) && counted.unit != imported.unit {
                let what = "programs of one run count costs in different units; rebuild all of them";
                return Err(Uncounted::Unreadable(what.to_owned()));
            }
            counted.unit = imported.unit.clone();
            self.add_counts(&mut counted, &imported);
            counted.warnings.extend(imported.warnings);
            counted.series.extend(imported.series);
            let mut externals = self.externals.lock().unwrap_or_else(PoisonError::into_inner);
            for (name, calls) in record.externals() {
                let sum = externals.entry(name.clone()).or_default();
                *sum = sum.saturating_add(*calls);
            }
        }
        counted.series = Series::added_up(counted.series);
        if let Some(record) = loops.filter(|record| !record.is_empty()) {
            let imported = record.imported(&self.root, &budget()).map_err(unreadable)?;
            // If no routine was recorded, the loops provide the costs of lines.
            if !is_any {
                is_any = true;
                let message = "only loops are counted, not code outside them or in loops of constant \
                               length; count the whole program with `--probe loops,blocks`";
                counted.warnings.push(Warning::new(WarningKind::LoopsAlone, message));
                self.add_counts(&mut counted, &imported);
            }
            counted.loops = imported.loops;
            counted.warnings.extend(imported.warnings);
        }
        if let Some(error) = of_other_version {
            if !is_any {
                return Err(Uncounted::Unreadable(format!("the record of the probe: {error}")));
            }
            let message = "a part of the program (perhaps a library) has the probe of another trend-prof \
                           version, so its reads and costs are missing; rebuild it";
            counted.warnings.push(Warning::new(WarningKind::OtherProbe, message));
        }
        let of_record = |path: PathBuf| {
            Some(ObjectRecord { stamp: stamp_of(&path)?, path: path.to_string_lossy().into_owned() })
        };
        counted.objects = programs
            .into_iter()
            .filter(|path| path.starts_with(&self.folder))
            .filter_map(of_record)
            .collect();
        Ok(is_any.then_some(counted))
    }

    /// Adds the counts of locations.
    fn add_counts(&self, counted: &mut Counted, imported: &Imported) {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let ids = places.learn(imported);
        counted.counts.resize(places.locations().len().max(counted.counts.len()), 0);
        for &(location, count) in imported.runs.iter().flat_map(|run| &run.counts) {
            let sum = &mut counted.counts[ids[location as usize] as usize];
            *sum = sum.saturating_add(count);
        }
    }
}

/// Returns the record. If another version of the probe wrote it, stores the error in `of_other_version` and returns
/// `None`.
fn if_same_version<T>(
    read: Result<T, ImportError>,
    of_other_version: &mut Option<String>,
) -> Result<Option<T>, Uncounted> {
    match read {
        Err(error @ ImportError::OtherVersion { .. }) => {
            *of_other_version = Some(error.to_string());
            Ok(None)
        }
        read => read.map(Some).map_err(unreadable),
    }
}

fn unreadable(what: impl Display) -> Uncounted {
    Uncounted::Unreadable(format!("the record of the probe: {what}; is the disk full?"))
}
