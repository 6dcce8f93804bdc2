//! Combines files into workloads with their repetitions.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indexmap::IndexSet;
use trend_collect::import::{Budget, ImportError, Imported, ImportedRun, Merged};
use trend_profile::{
    Function, Kind, Location, LoopFunction, MOST_FEATURES, Series, Unit, Warning, WarningKind,
};

use super::given::{FromPath, Given};
use crate::failure::Failure;
use crate::formats;

/// File extensions that describe the encoding, not the content.
const FORMAT_ENDINGS: [&str; 3] = ["gz", "json", "gcov"];

/// Number of locations from which counts that are all 0 or 1 are considered deliberate.
const SOME_LOCATIONS: usize = 5;

/// Maximum number of workloads. Each is a row of every plot and model, so more are of no use.
const MOST_WORKLOADS: usize = 100_000;

/// Costs by location, sorted by location, without duplicates.
pub(super) type Costs = Vec<(u32, u64)>;

/// Everything in one import, with the deduplicated functions and locations of all files.
pub(super) struct Workloads {
    is_additive: bool,
    budget: Rc<Budget>,
    unit: Option<(Unit, PathBuf)>,
    places: Merged,
    features: IndexSet<String>,
    by_name: BTreeMap<String, ImportedWorkload>,
    warnings: Vec<Warning>,
}

/// Features, costs and loops of one workload.
#[derive(Default)]
pub(super) struct ImportedWorkload {
    /// Feature values by name.
    pub(super) features: BTreeMap<String, f64>,
    /// Costs of each repetition.
    pub(super) repetitions: Vec<Costs>,
    /// For each location, the first repetition without a cost of it. Empty while there is only one repetition.
    free: HashMap<u32, usize>,
    /// Costs by input size.
    pub(super) series: Vec<Series>,
    pub(super) loops: Vec<LoopFunction>,
}

impl Workloads {
    pub(super) fn new(is_additive: bool, budget: &Rc<Budget>) -> Self {
        Self {
            is_additive,
            budget: Rc::clone(budget),
            unit: None,
            places: Merged::default(),
            features: IndexSet::new(),
            by_name: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds the content of a file. `name` is the workload's name if neither the file nor the command line gives one.
    pub(super) fn add(
        &mut self,
        path: &Path,
        name: &str,
        mut imported: Imported,
        given: &Given,
    ) -> Result<(), Failure> {
        self.same_unit(&imported.unit, path)?;
        let from_path = given.of_path(path)?;
        let moved = self.places.moved();
        let ids = self.places.learn(&imported);
        // The locations are in `places` now.
        imported.locations = Vec::new();
        self.features.extend(given.names().iter().chain(&imported.features).cloned());
        let (mut series, mut loops) = (imported.series, imported.loops);
        for run in imported.runs {
            let workload = self.run(run, name, &ids, &from_path, given, path)?;
            workload.series.append(&mut series);
            workload.loops.append(&mut loops);
        }
        if self.features.len() > MOST_FEATURES {
            let error = ImportError::TooMany { what: "features", most: MOST_FEATURES };
            return Err(formats::unreadable(path, &error));
        }
        let moved = self.places.moved() - moved;
        if moved > 0 {
            let message = format!(
                "{moved} of its blocks are on other lines than before, so it is from another build; their \
                 counts are kept separate"
            );
            imported.warnings.push(Warning::new(WarningKind::OtherBuild, message));
        }
        for warning in imported.warnings {
            let message = format!("{}: {}", path.display(), warning.message);
            self.warnings.push(Warning { message, ..warning });
        }
        self.budget.check().map_err(|e| formats::unreadable(path, &e))
    }

    fn run(
        &mut self,
        run: ImportedRun,
        name: &str,
        ids: &[u32],
        from_path: &FromPath,
        given: &Given,
        path: &Path,
    ) -> Result<&mut ImportedWorkload, Failure> {
        let name = from_path.workload.as_deref().or(run.workload.as_deref()).unwrap_or(name).to_owned();
        self.features.extend(run.features.iter().map(|(feature, _)| feature.clone()));
        // Later values override earlier ones.
        let of_run = run.features.iter().cloned().chain(given.of_workload(&name, from_path));
        let features: BTreeMap<String, f64> = of_run.collect();
        if !self.by_name.contains_key(&name) && self.by_name.len() == MOST_WORKLOADS {
            let error = ImportError::TooMany { what: "workloads", most: MOST_WORKLOADS };
            return Err(formats::unreadable(path, &error));
        }
        let workload = self.by_name.entry(name.clone()).or_default();
        for (feature, value) in features {
            if let Some(earlier) = workload.features.insert(feature.clone(), value).filter(|k| *k != value) {
                return Err(Failure::new(format!(
                    "{}: workload `{name}` has {feature} = {value}, but {earlier} in an earlier file",
                    path.display()
                ))
                .hint(
                    "runs of different sizes cannot be added up; name them with a group `workload` in \
                     --pattern",
                ));
            }
        }
        let mut counts: Costs = run.counts;
        for (location, _) in &mut counts {
            *location = ids[*location as usize];
        }
        workload.add(in_order(counts), self.is_additive);
        Ok(workload)
    }

    fn same_unit(&mut self, unit: &Unit, path: &Path) -> Result<(), Failure> {
        let (first_unit, first) = self.unit.get_or_insert_with(|| (unit.clone(), path.to_owned()));
        if first_unit == unit {
            return Ok(());
        }
        Err(Failure::new(format!(
            "{} counts {}, but {} counts {}",
            first.display(),
            first_unit.name(),
            path.display(),
            unit.name()
        ))
        .hint("import them into two studies"))
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

    pub(super) fn features(&self) -> &IndexSet<String> {
        &self.features
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Adds up the data of several files about one routine. Warns if the counts only tell whether a line ran.
    ///
    /// # Errors
    /// Fails if the counts, including zeros, exceed the memory budget. A reader of the study keeps all of them in
    /// memory.
    pub(super) fn finish(&mut self) -> Result<(), ImportError> {
        let runs: usize = self.by_name.values().map(|w| w.repetitions.len()).sum();
        self.budget.keep(runs.saturating_mul(self.places.locations().len()).saturating_mul(size_of::<u64>()));
        self.budget.check()?;
        // Findings use the first feature, so put features that most workloads have first.
        let (workloads, all) = (&self.by_name, self.by_name.len());
        let has = |feature: &str| workloads.values().filter(|w| w.features.contains_key(feature)).count();
        self.features.sort_by_cached_key(|feature| 2 * has(feature) <= all);
        for workload in self.by_name.values_mut() {
            workload.series = Series::added_up(std::mem::take(&mut workload.series));
            (workload.loops, _) = LoopFunction::added_up(&workload.loops);
        }
        let is_block = |location: u32| self.places.locations()[location as usize].kind == Kind::Block;
        let mut counts = self.by_name.values().flat_map(|w| &w.repetitions).flatten();
        let has_numbers = counts.any(|&(location, count)| count > 1 && is_block(location));
        if self.unit().is_executions() && !has_numbers && self.locations() >= SOME_LOCATIONS {
            let message = "every count is 0 or 1: the tool records only whether a line ran, which shows \
                           no growth";
            self.warnings.push(Warning::new(WarningKind::HitOrMiss, message));
        }
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    pub(super) fn locations(&self) -> usize {
        self.places.locations().iter().filter(|l| l.kind == trend_profile::Kind::Block).count()
    }
}

impl ImportedWorkload {
    /// Adds counts to the only run, or to the first repetition from which on none has a count of these locations.
    fn add(&mut self, counts: Costs, is_additive: bool) {
        let mut repetition = 0;
        if !is_additive && let Some(first) = self.repetitions.first() {
            if self.free.is_empty() {
                self.free.extend(first.iter().map(|&(location, _)| (location, 1)));
            }
            repetition = counts.iter().filter_map(|(l, _)| self.free.get(l)).copied().max().unwrap_or(0);
            self.free.extend(counts.iter().map(|&(location, _)| (location, repetition + 1)));
        }
        match self.repetitions.get_mut(repetition) {
            None => self.repetitions.push(counts),
            Some(costs) => {
                let both = std::mem::take(costs).into_iter().chain(counts).collect();
                *costs = in_order(both);
            }
        }
    }

    /// Returns the repetitions with equal sets of locations. If a location is missing in some repetitions, they get its
    /// lower median, which leaves the median unchanged.
    pub(super) fn level_repetitions(&self) -> Cow<'_, [Costs]> {
        if self.repetitions.len() < 2 {
            return Cow::Borrowed(&self.repetitions);
        }
        let mut seen: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for &(location, count) in self.repetitions.iter().flatten() {
            seen.entry(location).or_default().push(count);
        }
        seen.retain(|_, counts| counts.len() < self.repetitions.len());
        if seen.is_empty() {
            return Cow::Borrowed(&self.repetitions);
        }
        let mut level = self.repetitions.clone();
        let medians: Costs = seen
            .into_iter()
            .map(|(location, mut counts)| {
                counts.sort_unstable();
                (location, counts[(counts.len() - 1) / 2])
            })
            .collect();
        for repetition in &mut level {
            let has = |location: &u32| repetition.binary_search_by_key(location, |(l, _)| *l).is_ok();
            let missing: Costs = medians.iter().filter(|(location, _)| !has(location)).copied().collect();
            repetition.extend(missing);
            repetition.sort_unstable_by_key(|(location, _)| *location);
        }
        Cow::Owned(level)
    }
}

/// Sorts costs by location and adds up those of the same location.
fn in_order(mut counts: Costs) -> Costs {
    counts.sort_by_key(|(location, _)| *location);
    counts.dedup_by(|next, sum| {
        let is_same = next.0 == sum.0;
        if is_same {
            sum.1 = sum.1.saturating_add(next.1);
        }
        is_same
    });
    counts
}

/// Returns a distinct name for each file: its stem, its file name, or its path, the shortest that is unique.
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

/// Returns a file's name without its extensions.
pub(super) fn stem(file: &Path) -> String {
    let mut name = PathBuf::from(file.file_name().unwrap_or_default());
    while name.extension().is_some_and(|e| FORMAT_ENDINGS.iter().any(|ending| e == *ending)) {
        name.set_extension("");
    }
    // Keep numeric extensions, as in `callgrind.out.4711` and `v1.5`.
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
        let part = |pairs: &[(u32, u64)]| pairs.to_vec();
        let mut workload = ImportedWorkload::default();
        for counts in [part(&[(0, 10)]), part(&[(1, 5)]), part(&[(0, 30)]), part(&[(0, 20)])] {
            workload.add(counts, false);
        }
        assert_eq!(
            *workload.level_repetitions(),
            [part(&[(0, 10), (1, 5)]), part(&[(0, 30), (1, 5)]), part(&[(0, 20), (1, 5)])]
        );
        let mut workload = ImportedWorkload::default();
        workload.add(part(&[(0, 10)]), true);
        workload.add(part(&[(0, 1), (3, 4)]), true);
        assert_eq!(*workload.level_repetitions(), [part(&[(0, 11), (3, 4)])]);
    }
}
