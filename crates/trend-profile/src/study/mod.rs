//! A study in memory: checked, in canonical order, ready for analysis.

pub(crate) mod counts;
pub(crate) mod source_text;

mod input_sizes;
mod long_names;
mod order;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use self::counts::{Counts, CountsRow};
use self::order::{inverse, permute, sorted_by};
use self::source_text::SourceText;
use crate::error::StudyError;
use crate::identity::StudyId;
use crate::observed::loops::{LoopFunction, RunLoops};
use crate::observed::series::{Series, SeriesKind, Variable};
use crate::program::call::Call;
use crate::program::location::{Function, FunctionId, Kind, Location, LocationId};
use crate::runs::feature::{Definition, Feature, FeatureId};
use crate::runs::machine::{Calibration, Machine};
use crate::runs::note::Note;
use crate::runs::unit::Unit;
use crate::runs::warning::{Warning, WarningKind};
use crate::runs::workload::{FailedWorkload, LargerRun, MemoryLatency, Workload, WorkloadId};

/// The parts of a study before [`Study::new`] checks them.
#[derive(Clone, Debug, Default)]
pub struct StudyParts {
    /// Identity of the study.
    pub id: StudyId,
    /// Name of the program.
    pub program: String,
    /// Folder that relative paths start from; empty if unknown.
    pub root: String,
    /// Unit of the counts.
    pub unit: Unit,
    /// Functions, in any order.
    pub functions: Vec<Function>,
    /// Locations, in any order; they refer to `functions` by index.
    pub locations: Vec<Location>,
    /// Workloads with counts, in any order.
    pub workloads: Vec<Workload>,
    /// Features in declared order; their values are in the order of `workloads`.
    pub features: Vec<Feature>,
    /// `[locations × workloads]` in the orders above.
    pub counts: Vec<Vec<u64>>,
    /// Flag per location: repetitions of one workload disagreed. Empty if none did.
    pub unstable: Vec<bool>,
    /// Costs by size; their workloads refer to `workloads` by index.
    pub series: Vec<Series>,
    /// Loops by run; their workloads refer to `workloads` by index, each once.
    pub loops: Vec<RunLoops>,
    /// Calls in the program's code, in any order; empty if unknown.
    pub calls: Vec<Call>,
    /// Run without counters of a workload that is larger than all counted ones.
    pub larger: Option<LargerRun>,
    /// Memory latencies of the machine, by ascending working set.
    pub latencies: Vec<MemoryLatency>,
    /// Notes that people wrote on functions and clusters, one per row.
    pub notes: Vec<Note>,
    /// Workloads without counts, in any order.
    pub failed: Vec<FailedWorkload>,
    /// Source files as they were when the program ran.
    pub sources: Vec<SourceText>,
    /// Warnings found while measuring.
    pub warnings: Vec<Warning>,
    /// Machine constants, and formulas that use them.
    pub calibration: Option<Calibration>,
}

impl StudyParts {
    /// Parses the parts of [`Study::from_text`], for tests that add to them.
    ///
    /// # Errors
    /// [`StudyError::Inconsistent`] for an invalid row.
    pub fn from_text(text: &str) -> Result<Self, StudyError> {
        let mut parts = Self { program: "text".to_owned(), ..Self::default() };
        for row in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let inconsistent = || StudyError::Inconsistent { what: format!("row {row:?} cannot be read") };
            let (name, values) = row.rsplit_once(": ").ok_or_else(inconsistent)?;
            let values: Vec<&str> = values.split_whitespace().collect();
            if parts.workloads.is_empty() {
                parts.workloads =
                    (1..=values.len()).map(|i| Workload::imported(&format!("w{i:04}"))).collect();
            }
            if let Some((function, location)) = place(name) {
                let position = parts.functions.iter().position(|f| *f == function);
                let id = position.unwrap_or_else(|| {
                    parts.functions.push(function);
                    parts.functions.len() - 1
                });
                let block = 2 + parts.locations.len() as u32;
                parts.locations.push(Location { function: FunctionId(id as u32), block, ..location });
                parts.counts.push(
                    values.iter().map(|v| v.parse().ok()).collect::<Option<_>>().ok_or_else(inconsistent)?,
                );
            } else {
                let values = values.iter().map(|v| v.parse().ok()).collect();
                parts.features.push(Feature { name: name.to_owned(), definition: Definition::Given, values });
            }
        }
        Ok(parts)
    }
}

/// One program with its workloads, features and counts.
#[derive(Clone, Debug)]
pub struct Study {
    /// Parts, checked and in canonical order; their counts are moved to `counts`.
    parts: StudyParts,
    counts: Counts,
}

impl Study {
    /// Checks the parts and brings them into canonical order.
    ///
    /// # Errors
    /// [`StudyError::Inconsistent`] if shapes disagree, an index is out of range or a name is duplicated.
    pub fn new(mut parts: StudyParts) -> Result<Self, StudyError> {
        check_rows(&parts)?;
        let rows = std::mem::take(&mut parts.counts).into_iter().map(|row| row.as_slice().into()).collect();
        Self::of_rows(parts, rows)
    }

    /// Creates a study like [`Self::new`], with the counts as rows instead of `parts.counts`.
    ///
    /// # Panics
    /// Panics unless every location has a row with a count for every workload.
    pub(crate) fn of_rows(mut parts: StudyParts, rows: Vec<CountsRow>) -> Result<Self, StudyError> {
        check(&parts)?;
        assert_eq!(rows.len(), parts.locations.len(), "a row for each location");
        assert!(rows.iter().all(|row| row.len() == parts.workloads.len()), "a count for each workload");

        let function_order = sorted_by(&parts.functions, |f, g| {
            (&f.file, f.line, &f.symbol, &f.signature).cmp(&(&g.file, g.line, &g.symbol, &g.signature))
        });
        let new_function = inverse(&function_order);
        for location in &mut parts.locations {
            location.function = FunctionId(new_function[location.function.index()]);
        }
        let location_order = sorted_by(&parts.locations, |l, m| {
            (&l.file, l.line, l.function, l.kind, l.block, &l.label)
                .cmp(&(&m.file, m.line, m.function, m.kind, m.block, &m.label))
        });
        let workload_order = sorted_by(&parts.workloads, |w, x| w.name.cmp(&x.name));
        let new_workload = inverse(&workload_order);

        let mut counts = Counts::new(rows, parts.workloads.len());
        counts.reorder(&location_order, &workload_order);
        parts.unstable.resize(parts.locations.len(), false);
        permute(&mut parts.unstable, &location_order);
        permute(&mut parts.functions, &function_order);
        permute(&mut parts.locations, &location_order);
        permute(&mut parts.workloads, &workload_order);
        for feature in &mut parts.features {
            permute(&mut feature.values, &workload_order);
        }
        for one in &mut parts.series {
            one.workload = WorkloadId(new_workload[one.workload.index()]);
        }
        for one in &mut parts.loops {
            one.workload = WorkloadId(new_workload[one.workload.index()]);
            one.functions.sort_by(|a, b| a.key().cmp(&b.key()));
        }
        parts.loops.sort_by_key(|one| one.workload);
        parts.series.sort_by(|a, b| a.key().cmp(&b.key()).then(a.workload.cmp(&b.workload)));
        parts.calls.sort();
        parts.failed.sort_by(|a, b| a.name.cmp(&b.name));
        let mut study = Self { parts, counts };
        study.evaluate_location_features();
        study.evaluate_input_sizes();
        Ok(study)
    }

    /// Parses a small study from text, for tests and examples: one row per feature or location.
    ///
    /// A row is `name: value value …`. A name with a line number (`a.c:3` or `a.c:3:main`) or with the ending `()` is a
    /// location, every other name a feature. Workloads are `w0001`, `w0002`, ….
    ///
    /// ```
    /// # use trend_profile::Study;
    /// let study = Study::from_text("n: 1 2 4\na.c:3:main: 10 20 40")?;
    /// assert_eq!(study.counts().row(trend_profile::LocationId(0)).to_vec(), [10, 20, 40]);
    /// # Ok::<(), trend_profile::StudyError>(())
    /// ```
    ///
    /// # Errors
    /// [`StudyError::Inconsistent`] for an invalid row, or one of another length.
    pub fn from_text(text: &str) -> Result<Self, StudyError> {
        Self::new(StudyParts::from_text(text)?)
    }

    /// Returns the study without the excluded workloads, and with a warning about that. Failed workloads stay listed.
    #[must_use]
    pub fn without(mut self, is_excluded: impl Fn(&str) -> bool) -> Self {
        let kept: Vec<bool> = self.parts.workloads.iter().map(|w| !is_excluded(&w.name)).collect();
        let larger = self.parts.larger.take_if(|larger| is_excluded(&larger.workload));
        let excluded: Vec<&str> = self
            .parts
            .workloads
            .iter()
            .zip(&kept)
            .filter(|(_, kept)| !**kept)
            .map(|(w, _)| w.name.as_str())
            .chain(larger.as_ref().map(|larger| larger.workload.as_str()))
            .collect();
        let message = match excluded.as_slice() {
            [] => return self,
            [one] => format!("workload {one} is left out, as requested"),
            [first, ..] => {
                format!("{} workloads, such as {first}, are left out, as requested", excluded.len())
            }
        };
        self.parts.warnings.push(Warning::new(WarningKind::Excluded, message));
        let mut next = 0;
        let position: Vec<Option<WorkloadId>> = kept
            .iter()
            .map(|&kept| {
                kept.then(|| {
                    next += 1;
                    WorkloadId(next - 1)
                })
            })
            .collect();
        self.parts.loops.retain_mut(|one| {
            let moved = position[one.workload.index()];
            one.workload = moved.unwrap_or(one.workload);
            moved.is_some()
        });
        self.parts.series.retain_mut(|one| {
            let moved = position[one.workload.index()];
            one.workload = moved.unwrap_or(one.workload);
            moved.is_some()
        });
        for feature in &mut self.parts.features {
            retain(&mut feature.values, &kept);
        }
        self.counts.retain_workloads(&kept);
        retain(&mut self.parts.workloads, &kept);
        self
    }

    /// Returns the study with only some of its features, in declared order, and with the warning `why`.
    #[must_use]
    pub fn with_features(mut self, is_kept: impl Fn(FeatureId) -> bool, why: Warning) -> Self {
        let kept: Vec<bool> =
            (0..self.parts.features.len()).map(|id| is_kept(FeatureId(id as u32))).collect();
        retain(&mut self.parts.features, &kept);
        for workload in &mut self.parts.failed {
            retain(&mut workload.values, &kept);
        }
        self.parts.warnings.push(why);
        self
    }

    /// Returns the program's name.
    pub fn program(&self) -> &str {
        &self.parts.program
    }

    /// Returns the study's identity.
    pub fn id(&self) -> StudyId {
        self.parts.id
    }

    /// Returns the folder that relative source paths start from; empty if unknown. Do not trust it: the study may come
    /// from elsewhere.
    pub fn root(&self) -> &str {
        &self.parts.root
    }

    /// Returns the unit of the costs.
    pub fn unit(&self) -> &Unit {
        &self.parts.unit
    }

    /// Returns the functions in canonical order, indexed by [`FunctionId`].
    pub fn functions(&self) -> &[Function] {
        &self.parts.functions
    }

    /// Returns the function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.parts.functions[id.index()]
    }

    /// Returns the locations of both kinds in canonical order, indexed by [`LocationId`].
    pub fn locations(&self) -> &[Location] {
        &self.parts.locations
    }

    /// Returns the location with this id.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.parts.locations[id.index()]
    }

    /// Returns the ids of the locations that are costs.
    pub fn blocks(&self) -> impl Iterator<Item = LocationId> + '_ {
        let ids = (0..self.parts.locations.len() as u32).map(LocationId);
        ids.filter(|&id| self.location(id).kind == Kind::Block)
    }

    /// Returns the workloads with counts, by name: the columns of the counts.
    pub fn workloads(&self) -> &[Workload] {
        &self.parts.workloads
    }

    /// Returns the features in declared order, indexed by [`FeatureId`].
    pub fn features(&self) -> &[Feature] {
        &self.parts.features
    }

    /// Returns the feature with this name.
    pub fn feature_named(&self, name: &str) -> Option<FeatureId> {
        self.parts.features.iter().position(|f| f.name == name).map(|i| FeatureId(i as u32))
    }

    /// Returns the costs, `[locations × workloads]`.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Returns true if repetitions of one workload disagreed about this location.
    pub fn is_unstable(&self, id: LocationId) -> bool {
        self.parts.unstable[id.index()]
    }

    /// Returns the cost of the whole program in the workloads that have series of this kind in these variables.
    /// Requires counts from the profiler that made the series: each place's own cost then equals the cost of its
    /// locations, and further locations hold the rest. Returns `None` for other counts, or if own costs are unknown.
    pub fn program_cost(&self, kind: SeriesKind, variables: &[Variable]) -> Option<u64> {
        let is_meant = |one: &&Series| one.place.kind == kind && one.variables == variables;
        let measured = || self.parts.series.iter().filter(is_meant);
        let workloads: BTreeSet<WorkloadId> = measured().map(|one| one.workload).collect();
        let mut own: BTreeMap<&str, u64> = BTreeMap::new();
        for one in measured().filter(|one| one.place.context.is_empty()) {
            let sum = own.entry(&one.place.symbol.name).or_default();
            for observation in &one.observations {
                *sum = sum.saturating_add(observation.parts.own?);
            }
        }
        let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
        for id in self.blocks() {
            let row = self.counts.row(id);
            let cost = workloads.iter().map(|workload| row.at(workload.index())).fold(0, u64::saturating_add);
            let sum = counted.entry(&self.function(self.location(id).function).symbol.name).or_default();
            *sum = sum.saturating_add(cost);
        }
        let is_counted_so = !own.is_empty() && own.iter().all(|(name, cost)| counted.get(name) == Some(cost));
        is_counted_so.then(|| counted.values().copied().fold(0, u64::saturating_add))
    }

    /// Returns the costs by size, sorted by place, variables, unit and workload.
    pub fn series(&self) -> &[Series] {
        &self.parts.series
    }

    /// Returns the loops by workload.
    pub fn loops(&self) -> &[RunLoops] {
        &self.parts.loops
    }

    /// Returns the calls in the program's code, by caller, line and callee; empty if unknown.
    pub fn calls(&self) -> &[Call] {
        &self.parts.calls
    }

    /// Returns the run without counters of a workload that is larger than all counted ones.
    pub fn larger(&self) -> Option<&LargerRun> {
        self.parts.larger.as_ref()
    }

    /// Returns the machine's memory latencies, by ascending working set; empty if none were measured.
    pub fn latencies(&self) -> &[MemoryLatency] {
        &self.parts.latencies
    }

    /// Returns the notes on rows.
    pub fn notes(&self) -> &[Note] {
        &self.parts.notes
    }

    /// Returns the workloads without counts, by name.
    pub fn failed(&self) -> &[FailedWorkload] {
        &self.parts.failed
    }

    /// Returns the source files as they were when the program ran.
    pub fn sources(&self) -> &[SourceText] {
        &self.parts.sources
    }

    /// Returns the user's own files with code: those below the study's root.
    ///
    /// Such files have relative names. Sources of crates and of Rust's standard library have relative short names as
    /// well, but the study does not store their text.
    pub fn own_files(&self) -> HashSet<&str> {
        let is_relative = |file: &&str| !file.is_empty() && !file.starts_with(['/', '<']);
        let texts: HashSet<&str> =
            self.parts.sources.iter().map(|source| source.file.as_str()).filter(is_relative).collect();
        if !texts.is_empty() {
            return texts;
        }
        self.parts.locations.iter().map(|location| &*location.file).filter(is_relative).collect()
    }

    /// Returns the text of one source file.
    pub fn source(&self, file: &str) -> Option<&str> {
        self.parts.sources.iter().find(|s| s.file == file).map(|s| s.text.as_str())
    }

    /// Returns the warnings found while measuring.
    pub fn warnings(&self) -> &[Warning] {
        &self.parts.warnings
    }

    /// Returns a machine's constants and the formulas that use them, if `trend-prof calibrate` made them.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.parts.calibration.as_ref()
    }

    /// Returns the study with the constants of another machine. A study without formulas is returned unchanged.
    #[must_use]
    pub fn on_machine(mut self, machine: Machine) -> Self {
        if let Some(calibration) = &mut self.parts.calibration {
            calibration.machine = machine;
        }
        self
    }

    /// Returns how often a line ran in each workload, or `None` if no block has code of it.
    ///
    /// Several blocks of one function can lie on one line (the three parts of a `for`). The line ran as often as the
    /// most frequent of them. Functions that share a line (instances of a template) add up. If costs are not
    /// executions, everything on a line adds up. `place` is `file:line`; the end of the file's path is enough.
    pub fn executions_of_line(&self, place: &str) -> Option<Vec<u64>> {
        self.executions_of_line_among(place, &self.blocks().collect::<Vec<_>>())
    }

    fn executions_of_line_among(&self, place: &str, blocks: &[LocationId]) -> Option<Vec<u64>> {
        let (file, line) = place.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        let mut of_function: BTreeMap<FunctionId, Vec<u64>> = BTreeMap::new();
        for &id in blocks {
            let location = self.location(id);
            if !location.lines.contains(&line) || !is_path_end(&location.file, file) {
                continue;
            }
            let row = self.counts.row(id);
            let most = of_function.entry(location.function).or_insert_with(|| vec![0; row.len()]);
            let is_sum = !self.parts.unit.is_executions();
            most.iter_mut()
                .zip(row.iter())
                .for_each(|(m, c)| *m = if is_sum { m.saturating_add(c) } else { c.max(*m) });
        }
        of_function.into_values().reduce(|mut sum, most| {
            sum.iter_mut().zip(most).for_each(|(s, c)| *s = s.saturating_add(c));
            sum
        })
    }

    /// Computes the values of features that are counts of lines.
    ///
    /// - Time: O(locations + counts of blocks on lines with such a number).
    fn evaluate_location_features(&mut self) {
        let place = |f: &Feature| match &f.definition {
            Definition::Location(place) => place.rsplit_once(':').and_then(|(_, line)| line.parse().ok()),
            _ => None,
        };
        let lines: HashSet<u32> = self.parts.features.iter().filter_map(place).collect();
        let on_lines: Vec<LocationId> = if lines.is_empty() {
            Vec::new()
        } else {
            self.blocks().filter(|id| self.location(*id).lines.iter().any(|l| lines.contains(l))).collect()
        };
        for i in 0..self.parts.features.len() {
            let Definition::Location(place) = &self.parts.features[i].definition else { continue };
            let executions = self.executions_of_line_among(place, &on_lines);
            let Some(executions) = executions else {
                let message = format!(
                    "feature `{}`: no counted block has code of {place}; give the file and the line as `show --by \
                     line` prints them",
                    self.parts.features[i].name
                );
                self.parts.warnings.push(Warning::new(WarningKind::UnknownLocation, message));
                self.parts.features[i].values = vec![None; self.parts.workloads.len()];
                continue;
            };
            // A count above 2^53 is rounded here, far below any model's precision.
            self.parts.features[i].values = executions.into_iter().map(|c| Some(c as f64)).collect();
        }
    }
}

/// Returns true if `path` is `end` or ends in `/end`.
fn is_path_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

impl Workload {
    /// Creates a workload with imported counts.
    pub fn imported(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            command: String::new(),
            input: None,
            fingerprint: String::new(),
            repetitions: 1,
            usage: None,
            timing: None,
            sampled: None,
        }
    }
}

/// Parses `file:line`, `file:line:function` or `function()`; returns `None` for any other name.
fn place(name: &str) -> Option<(Function, Location)> {
    let (file, line, function) = if let Some(function) = name.strip_suffix("()") {
        (String::new(), 0, function.to_owned())
    } else {
        let mut words = name.splitn(3, ':');
        let file = words.next()?.to_owned();
        let line = words.next()?.parse().ok()?;
        (file, line, words.next().unwrap_or_default().to_owned())
    };
    Some((Function::plain(&function, &file, 0), Location::on_line(Kind::Block, file, line)))
}

/// Keeps the items whose flag is set.
pub(crate) fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut flags = kept.iter();
    items.retain(|_| flags.next().is_some_and(|&kept| kept));
}

fn check_rows(parts: &StudyParts) -> Result<(), StudyError> {
    let (k, n) = (parts.workloads.len(), parts.locations.len());
    let fail = |what: String| Err(StudyError::Inconsistent { what });
    if parts.counts.len() != n {
        return fail(format!("{n} locations and {} rows of counts", parts.counts.len()));
    }
    if let Some(row) = parts.counts.iter().position(|r| r.len() != k) {
        return fail(format!("{k} workloads and {} counts in row {row}", parts.counts[row].len()));
    }
    Ok(())
}

fn check(parts: &StudyParts) -> Result<(), StudyError> {
    let (k, n) = (parts.workloads.len(), parts.locations.len());
    let fail = |what: String| Err(StudyError::Inconsistent { what });
    if !parts.unstable.is_empty() && parts.unstable.len() != n {
        return fail(format!("{n} locations and {} marks of repetition", parts.unstable.len()));
    }
    if let Some(f) = parts.features.iter().find(|f| f.values.len() != k) {
        return fail(format!("{k} workloads and {} values of feature `{}`", f.values.len(), f.name));
    }
    if let Some(l) = parts.locations.iter().find(|l| l.function.index() >= parts.functions.len()) {
        return fail(format!("location {}:{} belongs to no function", l.file, l.line));
    }
    if let Some(one) = parts.series.iter().find(|one| one.workload.index() >= k) {
        return fail(format!("{} was not measured in any workload", one.place.symbol.name));
    }
    let mut of_loops = HashSet::new();
    for one in &parts.loops {
        if one.workload.index() >= k || !of_loops.insert(one.workload) {
            return fail("loops are of no workload, or several times of one".to_owned());
        }
        if let Some(flaw) = one.functions.iter().find_map(LoopFunction::flaw) {
            return fail(format!("a record of loops {flaw}"));
        }
    }
    let mut names = HashSet::new();
    if let Some(f) = parts.features.iter().find(|f| !names.insert(f.name.as_str())) {
        return fail(format!("two features are named `{}`", f.name));
    }
    names.clear();
    if let Some(w) = parts.workloads.iter().find(|w| !names.insert(w.name.as_str())) {
        return fail(format!("two workloads are named `{}`", w.name));
    }
    Ok(())
}
