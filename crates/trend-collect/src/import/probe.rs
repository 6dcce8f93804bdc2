//! Reads records of programs with trend-prof's probe: costs of routines' calls by the size of their input.
//!
//! A process writes its record into memory mapped from the file. So the file of a killed process is complete, except
//! for what was being written at that moment. A process that ends normally seals its record with checks, and a sealed
//! record with changed bytes is refused. The layout is defined in [`trend_runtime::record`].

mod bytes;
mod contexts;
mod loop_facts;
mod loops;
mod not_probed;
mod pooled;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Cursor;
use std::mem::{offset_of, size_of};
use std::rc::Rc;

use trend_profile::{
    Observation, Place, Series, SeriesKind, Symbol, Unit, Variable, Warning, WarningKind, WorkloadId,
};
use trend_runtime::record::{
    CALLERS_UNKNOWN, Entry, External, Frame, Header, MAGIC, NO_CALLER, RECENT, Recent, Routine, Segment,
    Table, Unit as CostUnit, VERSION, flag,
};

use self::bytes::Bytes;
use self::contexts::{Caller, Contexts, Recorded, Sizes, add};
use super::budget::ENTRY;
use super::place::{Places, Tally};
use super::{Budget, ImportError, Imported, ImportedRun, Input, Root};
use crate::names::symbol_of_routine;

pub use loops::LoopRecord;
pub use not_probed::not_probed;
pub use pooled::Records;

const FORMAT: &str = "record of trend-prof's probe";
/// Extension of record files.
pub const EXTENSION: &str = "trend-record";
/// Maximum number of callers named in a context.
const MOST_CALLERS: usize = 64;
/// Picoseconds per nanosecond.
const NANOSECOND: u64 = 1000;
/// Functions that switch to another call stack.
const SWITCHES: [&str; 2] = ["setcontext", "swapcontext"];
/// Maximum bytes of names and paths; longer ones occur only in damaged files.
const LONGEST_NAME: u32 = 1 << 16;

/// Record of one process, including the activations that were running at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeRecord {
    /// Path of the program that the process ran.
    pub program: String,
    /// Bytes per cell.
    pub cell_size: u32,
    unit: CostUnit,
    flags: u32,
    lost: u64,
    routines: Vec<RecordedRoutine>,
    /// Positions of the routines in `routines`, once another record was added.
    numbers: HashMap<RecordedRoutine, usize>,
    /// Contexts; one per routine if contexts are not distinguished.
    contexts: Contexts,
    /// Calls of functions that are not instrumented, by linkage name and path of the library.
    externals: BTreeMap<(String, String), u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct RecordedRoutine {
    linkage: String,
    file: String,
    line: u32,
}

/// Reads the record of one process, or the sum of the records of forked processes in one file.
///
/// # Errors
/// Fails if the input is not a record, has another version, or contradicts itself.
pub fn read<'a>(input: impl Into<Input<'a>>, root: &Root) -> Result<Imported, ImportError> {
    let input = input.into();
    let budget = Rc::clone(input.budget());
    let (mut loops, mut routines): (Option<LoopRecord>, Option<ProbeRecord>) = (None, None);
    for bytes in Records::new(Cursor::new(input.long_document()?))? {
        let bytes = bytes?;
        if LoopRecord::is_one(&bytes) {
            let record = LoopRecord::read(&bytes)?;
            match &mut loops {
                Some(all) => all.add(record),
                None => loops = Some(record),
            }
        } else {
            let record = ProbeRecord::read(&bytes)?;
            match &mut routines {
                Some(all) => all.add(record)?,
                None => routines = Some(record),
            }
        }
    }
    if let Some(record) = loops {
        return record.imported(root, &budget);
    }
    let Some(record) = routines else {
        return Err(ImportError::NoCounts { reason: "no forked process called a routine".to_owned() });
    };
    let imported = record.imported(root, &budget)?;
    let not_probed = not_probed(&record.externals);
    Ok(Imported { warnings: imported.warnings.into_iter().chain(not_probed).collect(), ..imported })
}

impl ProbeRecord {
    /// Parses a record file.
    ///
    /// - Time and memory: O(bytes).
    ///
    /// # Errors
    /// Fails if the input is not a record, has another version, or contradicts itself.
    pub fn read(bytes: &[u8]) -> Result<Self, ImportError> {
        let file = Bytes(bytes);
        if !bytes.starts_with(&MAGIC) {
            let problem = "it does not begin like one".to_owned();
            return Err(ImportError::OtherFormat { format: FORMAT, problem });
        }
        let header = |offset: usize| file.long(offset as u64);
        let version = file.short(offset_of!(Header, version) as u64)?;
        if version != VERSION {
            return Err(ImportError::OtherVersion { format: FORMAT, version, supported: VERSION });
        }
        file.check_seal()?;
        let unit = file.short(offset_of!(Header, unit) as u64)?;
        let unit = CostUnit::from_number(unit).ok_or_else(|| damaged("an unknown unit"))?;
        let program_length = header(offset_of!(Header, program_length))? as u32;
        let mut record = Self {
            program: file.text(header(offset_of!(Header, program))?, program_length)?,
            cell_size: file.short(offset_of!(Header, cell_size) as u64)?,
            unit,
            flags: file.short(offset_of!(Header, flags) as u64)?,
            lost: header(offset_of!(Header, lost))?,
            routines: Vec::new(),
            numbers: HashMap::new(),
            contexts: Contexts::default(),
            externals: BTreeMap::new(),
        };
        let mut indices = HashMap::new();
        let mut names = bytes.len() as u64;
        for at in
            file.list(header(offset_of!(Header, routines))?, size_of::<Routine>(), offset_of!(Routine, next))?
        {
            let index = file.short(at + offset_of!(Routine, index) as u64)?;
            let (linkage, path) = file.names::<Routine>(
                at,
                offset_of!(Routine, name_length),
                offset_of!(Routine, file_length),
                &mut names,
            )?;
            let line = file.short(at + offset_of!(Routine, line) as u64)?;
            indices.insert(index, record.routines.len());
            record.routines.push(RecordedRoutine { linkage, file: path, line });
        }
        let tables = record.read_tables(file, header(offset_of!(Header, tables))?, &indices)?;
        record.end_activations(file, header(offset_of!(Header, segments))?, &indices, &tables)?;
        for at in file.list(
            header(offset_of!(Header, externals))?,
            size_of::<External>(),
            offset_of!(External, next),
        )? {
            let names = file.names::<External>(
                at,
                offset_of!(External, name_length),
                offset_of!(External, file_length),
                &mut names,
            )?;
            let calls = file.long(at + offset_of!(External, calls) as u64)?;
            if calls > 0 {
                let sum = record.externals.entry(names).or_default();
                *sum = sum.saturating_add(calls);
            }
        }
        // Functions defined in another module are instrumented there. They are compared by name, because a constructor
        // has several linkage names: compilers emit its variants as one function.
        let names: BTreeSet<String> =
            record.routines.iter().map(|r| symbol_of_routine(&r.linkage).name).collect();
        record.externals.retain(|(name, _), _| !names.contains(&symbol_of_routine(name).name));
        let switches = record.externals.extract_if(.., |(name, _), _| SWITCHES.contains(&&**name)).count();
        if switches > 0 {
            record.flags |= flag::INTERLEAVED;
        }
        Ok(record)
    }

    /// Returns true if two records measure the same: the unit of costs, the kind of sizes, and contexts.
    pub fn is_like(&self, other: &Self) -> bool {
        const OPTIONS: u32 = flag::DYNAMIC | flag::CONTEXTS;
        (self.unit, self.flags & OPTIONS) == (other.unit, other.flags & OPTIONS)
    }

    /// Adds the record of another process.
    ///
    /// # Errors
    /// Fails unless [`Self::is_like`] holds.
    pub fn add(&mut self, other: Self) -> Result<(), ImportError> {
        if !self.is_like(&other) {
            return Err(damaged("records that measure different things"));
        }
        if self.numbers.is_empty() {
            self.numbers = self.routines.iter().cloned().zip(0..).collect();
        }
        self.flags |= other.flags;
        self.lost = self.lost.saturating_add(other.lost);
        let number = |routine: RecordedRoutine| {
            *self.numbers.entry(routine).or_insert_with_key(|routine| {
                self.routines.push(routine.clone());
                self.routines.len() - 1
            })
        };
        let routines: Vec<usize> = other.routines.into_iter().map(number).collect();
        let mut contexts: Vec<usize> = Vec::new();
        for context in other.contexts.all {
            let caller = match context.caller {
                Caller::In(caller) => Caller::In(contexts[caller]),
                caller => caller,
            };
            let here = self.contexts.number(caller, routines[context.routine]);
            for (size, recorded) in context.sizes {
                add(&mut self.contexts.all[here].sizes, size, &recorded);
            }
            contexts.push(here);
        }
        for (name, calls) in other.externals {
            let sum = self.externals.entry(name).or_default();
            *sum = sum.saturating_add(calls);
        }
        Ok(())
    }

    /// Reads the tables. Returns their contexts by the tables' positions.
    fn read_tables(
        &mut self,
        file: Bytes<'_>,
        first: u64,
        indices: &HashMap<u32, usize>,
    ) -> Result<HashMap<u64, usize>, ImportError> {
        let mut contexts = HashMap::new();
        // No two tables overlap, so this many entries are possible.
        let mut left = file.0.len() as u64 / size_of::<Entry>() as u64;
        // The oldest table is the last one, and callers are older than callees.
        for at in file.list(first, size_of::<Table>(), offset_of!(Table, next))?.into_iter().rev() {
            let routine = file.short(at + offset_of!(Table, routine) as u64)?;
            let routine =
                *indices.get(&routine).ok_or_else(|| damaged("costs of a routine without a name"))?;
            let caller = match file.long(at + offset_of!(Table, caller) as u64)? {
                NO_CALLER => Caller::Nobody,
                CALLERS_UNKNOWN => Caller::Unknown,
                caller => {
                    let caller = contexts.get(&caller).ok_or_else(|| damaged("an unknown caller"))?;
                    Caller::In(*caller)
                }
            };
            let context = self.contexts.number(caller, routine);
            contexts.insert(at, context);
            for place in 0..RECENT as u64 {
                let at = place_of(at + offset_of!(Table, recent) as u64, place, size_of::<Recent>())?;
                let field = |offset: usize| file.long(at + offset as u64);
                let calls = field(offset_of!(Recent, calls))?;
                if calls > 0 {
                    let own = field(offset_of!(Recent, own))?;
                    let cost = field(offset_of!(Recent, cost))?;
                    let recorded = Recorded::of_equal(calls, cost, own / 2, own % 2 == 0);
                    let size = field(offset_of!(Recent, size))?;
                    add(&mut self.contexts.all[context].sizes, (size, 0), &recorded);
                }
            }
            let capacity = file.long(at + offset_of!(Table, capacity) as u64)?;
            let entries = file.long(at + offset_of!(Table, entries) as u64)?;
            left = left.checked_sub(capacity).ok_or_else(|| damaged("too many sizes"))?;
            for entry in 0..capacity {
                let at = place_of(entries, entry, size_of::<Entry>())?;
                let field = |offset: usize| file.long(at + offset as u64);
                let calls = field(offset_of!(Entry, calls))?;
                if calls == 0 {
                    continue;
                }
                let squares = |at: usize| -> Result<u128, ImportError> {
                    Ok(u128::from(field(at)?) | (u128::from(field(at + 8)?) << 64))
                };
                add(
                    &mut self.contexts.all[context].sizes,
                    (field(offset_of!(Entry, size))?, field(offset_of!(Entry, again))?),
                    &Recorded {
                        calls,
                        least: field(offset_of!(Entry, least))?,
                        greatest: field(offset_of!(Entry, greatest))?,
                        sum: field(offset_of!(Entry, sum))?,
                        squares: squares(offset_of!(Entry, squares))?,
                        outermost: field(offset_of!(Entry, outermost))?,
                        own: field(offset_of!(Entry, own))?,
                        own_least: field(offset_of!(Entry, own_least))?,
                        own_greatest: field(offset_of!(Entry, own_greatest))?,
                        own_squares: squares(offset_of!(Entry, own_squares))?,
                        from_threads: field(offset_of!(Entry, from_threads))?,
                        from_kernel: field(offset_of!(Entry, from_kernel))?,
                        own_from_threads: field(offset_of!(Entry, own_from_threads))?,
                        own_from_kernel: field(offset_of!(Entry, own_from_kernel))?,
                    },
                );
            }
        }
        Ok(contexts)
    }

    /// Ends the running activations as of their last call: `main` if the program ended by `exit`, and all if it was
    /// killed.
    fn end_activations(
        &mut self,
        file: Bytes<'_>,
        first: u64,
        indices: &HashMap<u32, usize>,
        contexts: &HashMap<u64, usize>,
    ) -> Result<(), ImportError> {
        let window = file.long(offset_of!(Header, address) as u64)?;
        let mut stacks: BTreeMap<u32, BTreeMap<u32, (u64, u64)>> = BTreeMap::new();
        let mut left = file.0.len() as u64 / size_of::<Frame>() as u64;
        for at in file.list(first, size_of::<Segment>(), offset_of!(Segment, next))? {
            let slot = file.short(at + offset_of!(Segment, slot) as u64)?;
            let index = file.short(at + offset_of!(Segment, index) as u64)?;
            let length = file.long(at + offset_of!(Segment, length) as u64)?;
            left = left.checked_sub(length).ok_or_else(|| damaged("too many activations"))?;
            stacks
                .entry(slot)
                .or_default()
                .insert(index, (file.long(at + offset_of!(Segment, frames) as u64)?, length));
        }
        for segments in stacks.into_values() {
            let mut running = Vec::new();
            // The bottom frame stands for the caller of the first one. A missing segment was only in memory because the
            // disk was full, and so may the ones above it be.
            let segments = segments.into_iter().zip(0..).take_while(|((index, _), n)| index == n);
            let places = segments
                .map(|((_, segment), _)| segment)
                .flat_map(|(frames, length)| (0..length).map(move |n| (frames, n)));
            for (frames, number) in places.skip(1) {
                let at = place_of(frames, number, size_of::<Frame>())?;
                if file.short(at + offset_of!(Frame, id) as u64)? == 0 {
                    break;
                }
                let routine = file.short(at + offset_of!(Frame, routine) as u64)?;
                // Inherited activations belong to the process that forked.
                let routine = match routine {
                    0 => None,
                    index => Some(
                        *indices
                            .get(&index)
                            .ok_or_else(|| damaged("an activation of a routine without a name"))?,
                    ),
                };
                running.push((routine, at));
            }
            let mut depths: HashMap<usize, usize> = HashMap::new();
            for (routine, _) in &running {
                *depths.entry(routine.unwrap_or(usize::MAX)).or_default() += 1;
            }
            let (mut inclusive, mut carried) = (0_u64, 0_i64);
            let [mut again, mut from_kernel, mut from_threads] = [0_u64; 3];
            for (routine, at) in running.into_iter().rev() {
                let field = |offset: usize| file.long(at + offset as u64);
                let own = field(offset_of!(Frame, own))?.saturating_add(field(offset_of!(Frame, parts_own))?);
                inclusive =
                    field(offset_of!(Frame, inclusive))?.saturating_add(own).saturating_add(inclusive);
                carried = carried.saturating_add(field(offset_of!(Frame, carried))? as i64);
                again = again.saturating_add(field(offset_of!(Frame, again))?);
                from_kernel = from_kernel.saturating_add(field(offset_of!(Frame, from_kernel))?);
                from_threads = from_threads.saturating_add(field(offset_of!(Frame, from_threads))?);
                let Some(routine) = routine else { continue };
                let depth = depths.entry(routine).or_default();
                *depth -= 1;
                let read =
                    field(offset_of!(Frame, count))?.saturating_add(field(offset_of!(Frame, parts_count))?);
                let size = carried.saturating_add(read as i64).max(0) as u64;
                let ended = Recorded {
                    from_threads,
                    from_kernel,
                    own_from_threads: field(offset_of!(Frame, own_from_threads))?,
                    own_from_kernel: field(offset_of!(Frame, own_from_kernel))?,
                    ..Recorded::of_equal(1, inclusive, own, *depth == 0)
                };
                let table = field(offset_of!(Frame, table))?.wrapping_sub(window);
                let context = match contexts.get(&table) {
                    Some(context) if self.contexts.all[*context].routine == routine => *context,
                    // The table is missing because the disk was full.
                    _ => self.contexts.number(Caller::Unknown, routine),
                };
                add(&mut self.contexts.all[context].sizes, (size, again), &ended);
            }
        }
        Ok(())
    }

    /// Returns true if no call was recorded.
    pub fn is_empty(&self) -> bool {
        self.contexts.all.iter().all(|context| context.sizes.is_empty())
    }

    /// Returns the calls of functions that are not instrumented, by linkage name and path of the library.
    pub fn externals(&self) -> &BTreeMap<(String, String), u64> {
        &self.externals
    }

    /// Returns the series of its routines, and each routine's own cost as a location.
    ///
    /// # Errors
    /// Fails if the record takes more memory than a file of its size may.
    pub fn imported(&self, root: &Root, budget: &Rc<Budget>) -> Result<Imported, ImportError> {
        let (unit, scale) = match self.unit {
            CostUnit::Blocks => (Unit::default(), 1),
            CostUnit::Instructions => (Unit::new("instructions"), 1),
            CostUnit::Nanoseconds => (Unit::new(Unit::PICOSECONDS), NANOSECOND),
        };
        let is_dynamic = self.flags & flag::DYNAMIC != 0;
        let mut places = Places::new(budget);
        let mut tally = Tally::new(budget);
        let mut series = Vec::new();
        let mut add_series = |place: Place, sizes: &Sizes| -> Result<(), ImportError> {
            let names = 2 * place.symbol.name.len() + place.object.len() + place.context.len();
            budget.keep(size_of::<Series>() + ENTRY + names + sizes.len() * size_of::<Observation>());
            budget.check()?;
            let mut add = |variable, size: fn((u64, u64)) -> u64| {
                let is_dynamic = variable == Variable::Drms;
                let sizes = sizes.iter().map(|(of, r)| r.observation(size(*of), scale, is_dynamic));
                let mut observations: Vec<Observation> = sizes.collect();
                Observation::merge(&mut observations);
                let (place, unit, workload) = (place.clone(), unit.clone(), WorkloadId(0));
                series.push(Series { place, variables: vec![variable], unit, workload, observations });
            };
            add(Variable::Rms, |(size, again)| size.saturating_sub(again));
            if is_dynamic {
                add(Variable::Drms, |(size, _)| size);
            }
            Ok(())
        };
        let symbols: Vec<Symbol> = self.routines.iter().map(|r| symbol_of_routine(&r.linkage)).collect();
        let files: Vec<String> = self.routines.iter().map(|r| root.short_name(&r.file)).collect();
        let mut wholes = vec![Sizes::new(); self.routines.len()];
        for context in &self.contexts.all {
            context.sizes.iter().for_each(|(size, r)| add(&mut wholes[context.routine], *size, r));
        }
        let place = |routine: usize, context| Place {
            kind: SeriesKind::Routine,
            symbol: symbols[routine].clone(),
            object: files[routine].clone(),
            context,
            line: 0,
        };
        for (number, sizes) in wholes.iter().enumerate().filter(|(_, sizes)| !sizes.is_empty()) {
            let line = self.routines[number].line;
            let file = places.file(&files[number]);
            let function = places.function_of(symbols[number].clone(), file, line);
            let sum = |of: fn(&Recorded) -> u64| sizes.values().map(of).fold(0, u64::saturating_add);
            tally.add(places.line(function, file, line), sum(|r| r.own).saturating_mul(scale));
            tally.add(places.entry(function), sum(|r| r.calls));
            add_series(place(number, String::new()), sizes)?;
        }
        let has_contexts = self.flags & flag::CONTEXTS != 0;
        for context in self.contexts.all.iter().filter(|context| has_contexts && !context.sizes.is_empty()) {
            let name = |of: Option<usize>| of.map_or(Place::UNKNOWN_CALLERS, |of| &*symbols[of].name);
            let callers = self.contexts.callers(context).map(name);
            let callers = Place::context_of(callers, MOST_CALLERS);
            add_series(place(context.routine, callers), &context.sizes)?;
        }
        if series.is_empty() {
            return Err(ImportError::NoCounts { reason: "no routine was called".to_owned() });
        }
        self.warnings().for_each(|warning| places.warn(warning));
        let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
        // Merges copies of a routine in several modules, such as an inline function of a header.
        Ok(Imported { unit, series: Series::added_up(series), ..places.finish(vec![run]) })
    }

    fn warnings(&self) -> impl Iterator<Item = Warning> {
        let lost = self.lost;
        let when = move |flag: u32, kind: WarningKind, message: String| {
            (self.flags & flag != 0).then(|| Warning::new(kind, message))
        };
        [
            when(
                flag::INTERLEAVED,
                WarningKind::InterleavedCalls,
                "costs and sizes of some calls are wrong because a routine outlived its caller, like a \
                 coroutine"
                    .to_owned(),
            ),
            when(
                flag::DISK_FULL,
                WarningKind::RecordCutOff,
                format!("{lost} or more are missing because the disk was full"),
            ),
            when(
                flag::UNWATCHED_THREADS,
                WarningKind::UnwatchedThreads,
                "some calls are missing because too many threads ran at once".to_owned(),
            ),
            when(
                flag::NO_FRAMES,
                WarningKind::CallsTooDeep,
                format!("{lost} or more are missing because calls were nested too deeply for the memory"),
            ),
            when(
                flag::CONTEXTS_FULL,
                WarningKind::ManyContexts,
                "some callers are unknown because there were too many calling contexts".to_owned(),
            ),
        ]
        .into_iter()
        .flatten()
    }
}

fn damaged(what: &str) -> ImportError {
    ImportError::Contradictory { what: format!("it has {what}") }
}

/// Returns the position of an item in an array.
fn place_of(start: u64, number: u64, size: usize) -> Result<u64, ImportError> {
    let place = number.checked_mul(size as u64).and_then(|offset| start.checked_add(offset));
    let is_place = |place: &u64| place.checked_add(size as u64).is_some();
    place.filter(is_place).ok_or_else(|| damaged("a place without a file"))
}
