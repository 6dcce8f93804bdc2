//! Files → workloads with their repetitions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use trend_collect::import::{Imported, ImportedRun, Merged};
use trend_profile::{Function, Kind, Location, RoutineProfile, Unit, Warning};

use super::given::{FromPath, Given};
use crate::failure::Failure;

/// Endings that say how a file is written and not what it is about.
const FORMAT_ENDINGS: [&str; 3] = ["gz", "json", "gcov"];

/// From so many locations on, counts that are all 0 or 1 are no accident.
const SOME_LOCATIONS: usize = 5;

/// Everything that is imported at once: functions and locations of all files, each once.
pub(super) struct Workloads {
    is_additive: bool,
    unit: Option<(Unit, PathBuf)>,
    places: Merged,
    features: Vec<String>,
    by_name: BTreeMap<String, ImportedWorkload>,
    warnings: Vec<Warning>,
}

/// One workload.
#[derive(Default)]
pub(super) struct ImportedWorkload {
    pub(super) features: Vec<(String, f64)>,
    /// Costs by location, one map per repetition.
    pub(super) repetitions: Vec<BTreeMap<u32, u64>>,
    /// Its routines by input size.
    pub(super) routines: Vec<RoutineProfile>,
}

impl Workloads {
    pub(super) fn new(is_additive: bool) -> Self {
        Self {
            is_additive,
            unit: None,
            places: Merged::default(),
            features: Vec::new(),
            by_name: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds what a file says. `name` is the workload's where neither the file nor the command line names it.
    pub(super) fn add(
        &mut self,
        path: &Path,
        name: &str,
        imported: Imported,
        given: &Given,
    ) -> Result<(), Failure> {
        self.same_unit(&imported.unit, path)?;
        let from_path = given.of_path(path)?;
        let ids = self.places.learn(&imported);
        for feature in given.names().iter().chain(&imported.features) {
            self.declare(feature);
        }
        for run in &imported.runs {
            let workload = self.run(run, name, &ids, &from_path, given);
            workload.routines.extend(imported.routines.iter().cloned());
        }
        for warning in imported.warnings {
            let message = format!("{}: {}", path.display(), warning.message);
            self.warnings.push(Warning { message, ..warning });
        }
        Ok(())
    }

    fn run(
        &mut self,
        run: &ImportedRun,
        name: &str,
        ids: &[u32],
        from_path: &FromPath,
        given: &Given,
    ) -> &mut ImportedWorkload {
        let name = from_path.workload.as_deref().or(run.workload.as_deref()).unwrap_or(name).to_owned();
        for (feature, _) in run.features.iter() {
            self.declare(feature);
        }
        let mut features = run.features.to_vec();
        features.extend(given.of_workload(&name, from_path));
        let workload = self.by_name.entry(name).or_default();
        for (feature, value) in features {
            match workload.features.iter_mut().find(|(known, _)| *known == feature) {
                Some((_, known)) => *known = value,
                None => workload.features.push((feature, value)),
            }
        }
        let counts = run.counts.iter().map(|&(location, count)| (ids[location as usize], count));
        workload.add(counts.collect(), self.is_additive);
        workload
    }

    fn declare(&mut self, feature: &str) {
        if !self.features.iter().any(|f| f == feature) {
            self.features.push(feature.to_owned());
        }
    }

    fn same_unit(&mut self, unit: &Unit, path: &Path) -> Result<(), Failure> {
        let (known, first) = self.unit.get_or_insert_with(|| (unit.clone(), path.to_owned()));
        if known == unit {
            return Ok(());
        }
        Err(Failure::new(format!(
            "{} counts {}, and {} {}",
            first.display(),
            known.name(),
            path.display(),
            unit.name()
        ))
        .hint("costs of two kinds are not mixed: import them into two studies"))
    }

    pub(super) fn unit(&self) -> Unit {
        self.unit.as_ref().map(|(unit, _)| unit.clone()).unwrap_or_default()
    }

    pub(super) fn places(&self) -> (&[Function], &[Location]) {
        (self.places.functions(), self.places.locations())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &ImportedWorkload)> {
        self.by_name.iter().map(|(name, workload)| (name.as_str(), workload))
    }

    pub(super) fn features(&self) -> &[String] {
        &self.features
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Notices counts that only say whether a line ran.
    pub(super) fn finish(&mut self) {
        let is_block = |location: u32| self.places.locations()[location as usize].kind == Kind::Block;
        let mut counts = self.by_name.values().flat_map(|w| &w.repetitions).flatten();
        let has_numbers = counts.any(|(&location, &count)| count > 1 && is_block(location));
        if self.unit().is_executions() && !has_numbers && self.locations() >= SOME_LOCATIONS {
            let message = "every count is 0 or 1: the tool notes only whether a line ran, not how often, which says \
                           nothing about growth";
            self.warnings.push(Warning::new("hit_or_miss", message));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    pub(super) fn locations(&self) -> usize {
        self.places.locations().iter().filter(|l| l.kind == trend_profile::Kind::Block).count()
    }
}

impl ImportedWorkload {
    /// Adds counts to the one run, or to the first repetition that has none of these locations.
    fn add(&mut self, counts: BTreeMap<u32, u64>, is_additive: bool) {
        let fits = |known: &&mut BTreeMap<u32, u64>| {
            is_additive || !counts.keys().any(|location| known.contains_key(location))
        };
        match self.repetitions.iter_mut().find(fits) {
            Some(known) => {
                for (location, count) in counts {
                    let sum = known.entry(location).or_default();
                    *sum = count.saturating_add(*sum);
                }
            }
            None => self.repetitions.push(counts),
        }
    }

    /// The repetitions, all of the same locations: one that was repeated less often than others has its lower
    /// median where it is missing, which stays the median.
    pub(super) fn level_repetitions(&self) -> Vec<BTreeMap<u32, u64>> {
        let mut seen: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (&location, &count) in self.repetitions.iter().flatten() {
            seen.entry(location).or_default().push(count);
        }
        let mut level = self.repetitions.clone();
        for (location, mut counts) in seen.into_iter().filter(|(_, c)| c.len() < self.repetitions.len()) {
            counts.sort_unstable();
            let median = counts[(counts.len() - 1) / 2];
            for repetition in &mut level {
                repetition.entry(location).or_insert(median);
            }
        }
        level
    }
}

/// A name for each file: that of the file, or as much of its path as tells it from the others.
pub(super) fn names(files: &[PathBuf]) -> Vec<String> {
    let stems: Vec<String> = files.iter().map(|f| stem(f)).collect();
    let is_unique = |candidates: &[String]| {
        let mut sorted: Vec<&String> = candidates.iter().collect();
        sorted.sort();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    if is_unique(&stems) {
        return stems;
    }
    let whole_names: Vec<String> =
        files.iter().map(|f| f.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
    if is_unique(&whole_names) {
        return whole_names;
    }
    files.iter().map(|f| f.to_string_lossy().into_owned()).collect()
}

/// A file's name without its ending.
pub(super) fn stem(file: &Path) -> String {
    let mut name = PathBuf::from(file.file_name().unwrap_or_default());
    while name.extension().is_some_and(|e| FORMAT_ENDINGS.iter().any(|known| e == *known)) {
        name.set_extension("");
    }
    // `callgrind.out.4711` and `v1.5` end in no word.
    if name.extension().is_some_and(|e| e.to_string_lossy().starts_with(|c: char| c.is_ascii_alphabetic())) {
        name.set_extension("");
    }
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_as_much_as_tells_them_apart() {
        let named = |files: &[&str]| names(&files.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(named(&["a/run-1.info", "run-2.gcov.json.gz"]), ["run-1", "run-2"]);
        assert_eq!(named(&["callgrind.out.1", "callgrind.out.22"]), ["callgrind.out.1", "callgrind.out.22"]);
        assert_eq!(named(&["n.info", "n.txt"]), ["n.info", "n.txt"]);
        assert_eq!(named(&["1/lcov.info", "2/lcov.info"]), ["1/lcov.info", "2/lcov.info"]);
    }

    #[test]
    fn parts_of_a_run_are_put_together_and_repetitions_are_kept() {
        let part = |pairs: &[(u32, u64)]| pairs.iter().copied().collect::<BTreeMap<_, _>>();
        let mut workload = ImportedWorkload::default();
        for counts in [part(&[(0, 10)]), part(&[(1, 5)]), part(&[(0, 30)]), part(&[(0, 20)])] {
            workload.add(counts, false);
        }
        assert_eq!(
            workload.level_repetitions(),
            [part(&[(0, 10), (1, 5)]), part(&[(0, 30), (1, 5)]), part(&[(0, 20), (1, 5)])]
        );
        let mut workload = ImportedWorkload::default();
        workload.add(part(&[(0, 10)]), true);
        workload.add(part(&[(0, 1), (3, 4)]), true);
        assert_eq!(workload.level_repetitions(), [part(&[(0, 11), (3, 4)])]);
    }
}
