//! Reads records of processes with instrumented loops: sums by the values of the loops' inputs.
//!
//! The layout is defined in [`trend_runtime::loop_record`]. If activations were skipped, the kept ones represent them,
//! so observations are estimates. Totals and extremes stay exact.

use std::collections::{HashMap, HashSet};
use std::mem::{offset_of, size_of};
use std::rc::Rc;

use trend_profile::{
    LOOP_SAMPLING, LoopExtreme, LoopFunction, LoopObservation, LoopSummary, LoopTotal, MOST_LOOP_INPUTS,
    Unit, Warning, WarningKind,
};
use trend_runtime::loop_record::{Entry, MAGIC, MOST_INPUTS, Module, SAMPLING, Table, VERSION, entry_size};
use trend_runtime::record::{Header, flag};

use super::loop_facts::{self, TooLarge, Watched};
use super::{Bytes, damaged, place_of};
use crate::import::place::{Places, Tally};
use crate::import::{Budget, ImportError, Imported, ImportedRun, Root};

const FORMAT: &str = "record of trend-prof's probe of loops";

/// Loops recorded by one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopRecord {
    /// Path of the program that the process ran.
    pub program: String,
    flags: u32,
    /// Hash and text of each module.
    modules: Vec<(u64, String)>,
    tables: Vec<RecordedTable>,
}

/// One thread's record of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedTable {
    module: u64,
    number: u32,
    inputs: u32,
    inner: u32,
    skipped: u64,
    skipped_trips: u64,
    least: LoopExtreme,
    greatest: LoopExtreme,
    started: u64,
    entries: Vec<RecordedEntry>,
}

/// Activations with equal inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedEntry {
    inputs: [i64; MOST_INPUTS],
    activations: u64,
    extra: u64,
    trips: LoopSummary,
    cost: LoopSummary,
    inner: Vec<u64>,
}

impl LoopRecord {
    /// Returns true if a file is a record of loops.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Returns true if no function is known and nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty() && self.tables.is_empty()
    }

    /// Adds the record of another process. A forked process lacks the modules loaded before the fork, so its record is
    /// only usable together with its parent's.
    pub fn add(&mut self, other: Self) {
        self.flags |= other.flags;
        for module in other.modules {
            if !self.modules.iter().any(|(hash, _)| *hash == module.0) {
                self.modules.push(module);
            }
        }
        self.tables.extend(other.tables);
    }

    /// Parses a record file.
    ///
    /// - Time and memory: O(bytes).
    ///
    /// # Errors
    /// Fails if the input is not a record, has another version, or contradicts itself.
    pub fn read(bytes: &[u8]) -> Result<Self, ImportError> {
        let file = Bytes(bytes);
        if !Self::is_one(bytes) {
            let problem = "it does not begin like one".to_owned();
            return Err(ImportError::OtherFormat { format: FORMAT, problem });
        }
        let header = |offset: usize| file.long(offset as u64);
        let version = file.short(offset_of!(Header, version) as u64)?;
        if version != VERSION {
            return Err(ImportError::OtherVersion { format: FORMAT, version, supported: VERSION });
        }
        file.check_seal()?;
        let program_length = header(offset_of!(Header, program_length))? as u32;
        let mut record = Self {
            program: file.text(header(offset_of!(Header, program))?, program_length)?,
            flags: file.short(offset_of!(Header, flags) as u64)?,
            modules: Vec::new(),
            tables: Vec::new(),
        };
        let first = header(offset_of!(Header, routines))?;
        let mut hashes = HashSet::new();
        let mut left = bytes.len() as u64;
        for at in file.list(first, size_of::<Module>(), offset_of!(Module, next))? {
            let hash = file.long(at.saturating_add(offset_of!(Module, hash) as u64))?;
            let length = file.long(at.saturating_add(offset_of!(Module, length) as u64))?;
            left = left.checked_sub(length).ok_or_else(|| damaged("texts longer than the file"))?;
            let start = usize::try_from(at).unwrap_or(usize::MAX).saturating_add(size_of::<Module>());
            let end = start.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
            let text = bytes.get(start..end).ok_or_else(|| ImportError::CutOff {
                missing: format!("the text about loops at byte {start} is missing"),
            })?;
            // Skips a library that was loaded again.
            if hashes.insert(hash) {
                record.modules.push((hash, String::from_utf8_lossy(text).into_owned()));
            }
        }
        let mut left = bytes.len() as u64;
        for at in
            file.list(header(offset_of!(Header, tables))?, size_of::<Table>(), offset_of!(Table, next))?
        {
            record.tables.push(RecordedTable::read(file, at, &mut left)?);
        }
        Ok(record)
    }

    /// Returns the functions with their loops and observations.
    ///
    /// # Errors
    /// Fails if the record contradicts itself, takes more memory than a file of its size may, or belongs to a forked
    /// process alone.
    pub fn imported(&self, root: &Root, budget: &Rc<Budget>) -> Result<Imported, ImportError> {
        let mut functions: Vec<LoopFunction> = Vec::new();
        let mut watched: HashMap<(u64, u32), Watched> = HashMap::new();
        let mut too_large = Vec::new();
        for (hash, text) in &self.modules {
            let facts = loop_facts::read(text, root, budget)?;
            let front = functions.len();
            watched.extend(
                facts
                    .tables
                    .into_iter()
                    .map(|one| ((*hash, one.table), Watched { function: front + one.function, ..one })),
            );
            functions.extend(facts.functions);
            too_large.extend(facts.too_large);
        }
        let mut unfinished = 0_u64;
        for table in &self.tables {
            let Some(of) = watched.get(&(table.module, table.number)) else {
                return Err(damaged("numbers of an unknown loop (a forked process without its parent?)"));
            };
            if of.inner.unwrap_or(0) != table.inner as usize || of.values != table.inputs as usize {
                return Err(damaged("numbers of a loop other than the one it names"));
            }
            let one = &mut functions[of.function].loops[of.number];
            let observations = table.entries.iter().map(|e| e.observation(of));
            let size = size_of::<LoopObservation>() + 8 * table.inner as usize;
            budget.keep(table.entries.len() * size);
            budget.check()?;
            one.observations.extend(observations);
            let total = table.total();
            if of.is_start_counted {
                unfinished = unfinished.saturating_add(table.started.saturating_sub(total.activations));
            }
            one.total.add(&total);
        }
        functions.retain(|function| !function.loops.is_empty() || !function.calls.is_empty());
        // Merges threads and modules, such as those with an inline function of a header. If copies differ, the last one
        // is kept.
        functions.sort_by_key(|function| {
            function.loops.iter().fold(0_u64, |sum, one| sum.saturating_add(one.total.activations))
        });
        let (loops, unlike) = LoopFunction::added_up(&functions);
        // The header of a loop is executed once more than its body.
        let (mut places, mut tally) = (Places::new(budget), Tally::new(budget));
        for function in loops.iter().filter(|function| !function.loops.is_empty()) {
            let file = places.file(&function.file);
            let place = places.function_of(function.symbol.clone(), file, function.line);
            for one in function.loops.iter().filter(|one| one.total.activations > 0) {
                let executed = one.total.trips.saturating_add(one.total.activations);
                tally.add(places.line(place, file, one.line), executed);
            }
        }
        let mut warnings: Vec<Warning> = TooLarge::warning(too_large).into_iter().collect();
        if let Some(name) = unlike.first() {
            let message = format!(
                "sources of the program have different copies of {}; only the loops of the copy that ran \
                 most are kept",
                if unlike.len() == 1 {
                    name.clone()
                } else {
                    format!("{name} and {} more functions", unlike.len() - 1)
                }
            );
            warnings.push(Warning::new(WarningKind::OtherLoops, message));
        }
        if unfinished > 0 {
            let message = format!(
                "{unfinished} activations of loops did not end normally (longjmp, or the end of the \
                 program), so their trips are missing"
            );
            warnings.push(Warning::new(WarningKind::LoopsUnfinished, message));
        }
        if self.flags & flag::DISK_FULL != 0 {
            let message = "some loops are missing because the disk was full";
            warnings.push(Warning::new(WarningKind::RecordCutOff, message));
        }
        if self.flags & flag::UNWATCHED_THREADS != 0 {
            let message = "some loops are missing because too many threads ran at once";
            warnings.push(Warning::new(WarningKind::UnwatchedThreads, message));
        }
        let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
        Ok(Imported { unit: Unit::default(), loops, warnings, ..places.finish(vec![run]) })
    }
}

impl RecordedTable {
    fn read(file: Bytes<'_>, at: u64, left: &mut u64) -> Result<Self, ImportError> {
        let long = |offset: usize| file.long(at.saturating_add(offset as u64));
        let short = |offset: usize| file.short(at.saturating_add(offset as u64));
        let inputs = |offset: usize| -> Result<[i64; MOST_INPUTS], ImportError> {
            let mut all = [0; MOST_INPUTS];
            for (index, value) in all.iter_mut().enumerate() {
                *value = long(offset + 8 * index)? as i64;
            }
            Ok(all)
        };
        let inner = short(offset_of!(Table, inner))?;
        let capacity = long(offset_of!(Table, capacity))?;
        let size = entry_size(inner);
        let bytes = capacity.checked_mul(size);
        *left = bytes
            .and_then(|bytes| left.checked_sub(bytes))
            .ok_or_else(|| damaged("too many values of inputs"))?;
        let least = long(offset_of!(Table, least))?;
        let mut table = Self {
            module: long(offset_of!(Table, module))?,
            number: short(offset_of!(Table, number))?,
            inputs: short(offset_of!(Table, inputs))?,
            inner,
            // Activations since the last kept one are counted down.
            skipped: long(offset_of!(Table, skipped))?.saturating_add(
                long(offset_of!(Table, drawn))?.saturating_sub(long(offset_of!(Table, countdown))?),
            ),
            skipped_trips: long(offset_of!(Table, skipped_trips))?,
            least: LoopExtreme { trips: least, inputs: inputs(offset_of!(Table, least_inputs))? },
            greatest: LoopExtreme {
                trips: least.saturating_add(long(offset_of!(Table, range))?),
                inputs: inputs(offset_of!(Table, greatest_inputs))?,
            },
            started: long(offset_of!(Table, started))?,
            entries: Vec::new(),
        };
        let entries = long(offset_of!(Table, entries))?;
        for index in 0..capacity {
            let at = place_of(entries, index, usize::try_from(size).unwrap_or(usize::MAX))?;
            let field = |offset: usize| file.long(at.saturating_add(offset as u64));
            let activations = field(offset_of!(Entry, activations))?;
            if activations == 0 {
                continue;
            }
            let mut inputs = [0; MOST_INPUTS];
            for (index, value) in inputs.iter_mut().enumerate().take(table.inputs as usize) {
                *value = field(offset_of!(Entry, inputs) + 8 * index)? as i64;
            }
            let sums = (0..inner as usize).map(|number| field(size_of::<Entry>() + 8 * number));
            let (least, greatest) = (field(offset_of!(Entry, least))?, field(offset_of!(Entry, greatest))?);
            let cost = (field(offset_of!(Entry, cost_least))?, field(offset_of!(Entry, cost_greatest))?);
            table.entries.push(RecordedEntry {
                inputs,
                activations,
                extra: field(offset_of!(Entry, extra))?,
                // A killed process may have written only one of the two.
                trips: LoopSummary {
                    least: least.min(greatest),
                    greatest,
                    sum: field(offset_of!(Entry, sum))?,
                },
                cost: LoopSummary {
                    least: cost.0.min(cost.1),
                    greatest: cost.1,
                    sum: field(offset_of!(Entry, cost_sum))?,
                },
                inner: sums.collect::<Result<_, _>>()?,
            });
        }
        Ok(table)
    }

    /// Returns the exact totals over all activations.
    fn total(&self) -> LoopTotal {
        let mut total = LoopTotal::default();
        let kept = self.entries.iter().fold(0_u64, |sum, entry| sum.saturating_add(entry.activations));
        for entry in &self.entries {
            let extreme = |trips| LoopExtreme { trips, inputs: entry.inputs };
            total.add(&LoopTotal {
                activations: entry.activations,
                trips: entry.trips.sum,
                least: extreme(entry.trips.least),
                greatest: extreme(entry.trips.greatest),
                sampled: None,
            });
        }
        if self.skipped > 0 {
            let (activations, trips) = (self.skipped, self.skipped_trips);
            let skipped =
                LoopTotal { activations, trips, least: self.least, greatest: self.greatest, sampled: None };
            total.add(&skipped);
            total.sampled = Some(kept as f64 / kept.saturating_add(self.skipped) as f64);
        }
        total
    }
}

impl RecordedEntry {
    /// Returns the observation, scaled up to include skipped activations.
    fn observation(&self, of: &Watched) -> LoopObservation {
        let all = self.activations.saturating_add(self.extra);
        let scaled = |sum: u64| {
            let product = u128::from(sum) * u128::from(all);
            let half = u128::from(self.activations / 2);
            u64::try_from((product + half) / u128::from(self.activations)).unwrap_or(u64::MAX)
        };
        let summary = |of: LoopSummary| LoopSummary { sum: scaled(of.sum), ..of };
        let trips = summary(self.trips);
        let cost = match of.cost {
            None => summary(self.cost),
            Some([each, once]) => {
                let cost = |trips: u64, times: u64| {
                    trips.saturating_mul(each).saturating_add(once.saturating_mul(times))
                };
                LoopSummary {
                    least: cost(trips.least, 1),
                    greatest: cost(trips.greatest, 1),
                    sum: cost(trips.sum, all),
                }
            }
        };
        LoopObservation {
            inputs: extended(self.inputs),
            activations: all,
            trips,
            cost,
            inner_trips: if of.inner.is_some() {
                self.inner.iter().map(|sum| scaled(*sum)).collect()
            } else {
                Vec::new()
            },
        }
    }
}

// Checks that the analysis assumes the probe's sampling.
const _: () = {
    assert!(SAMPLING.len() == LOOP_SAMPLING.len());
    let mut at = 0;
    while at < SAMPLING.len() {
        assert!(SAMPLING[at].0 == LOOP_SAMPLING[at].0 && SAMPLING[at].1 == LOOP_SAMPLING[at].1);
        at += 1;
    }
};

fn extended(inputs: [i64; MOST_INPUTS]) -> [i64; MOST_LOOP_INPUTS] {
    let mut all = [0; MOST_LOOP_INPUTS];
    all.iter_mut().zip(inputs).for_each(|(value, input)| *value = input);
    all
}
