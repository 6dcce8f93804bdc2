//! Bodies stored after records, compressed: places, texts, series. Sizes claimed by a study from elsewhere are
//! believed only within its [`Budget`].

use std::sync::Arc;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::observed::series::{
    MOST_VARIABLES, Observation, ObservationParts, OwnCosts, OwnInput, Place, Series, SeriesKind, Variable,
};
use crate::program::location::{Function, FunctionId, Kind, Location, Symbol};
use crate::runs::unit::Unit;
use crate::runs::workload::WorkloadId;

/// Compression level: a good trade of time for size on the texts of sqlite.
const LEVEL: i32 = 6;

/// Memory in bytes that reading a study of any size may take.
const LEAST_BUDGET: u64 = 512 << 20;

/// Bytes of memory per byte of the file that reading a larger study may take. A million locations in 200 workloads take
/// 9 bytes per byte.
const BUDGET_PER_BYTE: u64 = 32;

/// Memory that a study may still take, in bytes.
#[derive(Debug)]
pub(in crate::file) struct Budget {
    left: u64,
    whole: u64,
}

/// Error: a study takes more memory than a file of its size may. Holds the limit in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) struct OverBudget(pub(in crate::file) u64);

/// Reason why a body is unusable.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::file) enum BadBody {
    Damaged(String),
    OverBudget(OverBudget),
}

impl From<OverBudget> for BadBody {
    fn from(over: OverBudget) -> Self {
        Self::OverBudget(over)
    }
}

impl Budget {
    /// Creates the budget for a file of this many bytes.
    pub(in crate::file) fn of_file(bytes: u64) -> Self {
        Self::of_bytes(LEAST_BUDGET.max(bytes.saturating_mul(BUDGET_PER_BYTE)))
    }

    /// Creates a budget of this many bytes.
    pub(in crate::file) fn of_bytes(whole: u64) -> Self {
        Self { left: whole, whole }
    }

    /// Takes memory for `count` values of a type.
    pub(in crate::file) fn take<T>(&mut self, count: u64) -> Result<(), OverBudget> {
        self.take_bytes(count.saturating_mul(size_of::<T>() as u64))
    }

    pub(in crate::file) fn take_bytes(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.left = self.left.checked_sub(bytes).ok_or(OverBudget(self.whole))?;
        Ok(())
    }

    /// Returns the bytes left.
    pub(in crate::file) fn left(&self) -> u64 {
        self.left
    }

    /// Returns the initial budget in bytes.
    pub(in crate::file) fn whole(&self) -> u64 {
        self.whole
    }
}

/// Packs a body and returns it with its unpacked length in bytes.
pub(in crate::file) fn pack(bytes: &[u8]) -> std::io::Result<(Vec<u8>, u64)> {
    Ok((zstd::bulk::compress(bytes, LEVEL)?, bytes.len() as u64))
}

/// Unpacks a body whose unpacked length must be `bytes`.
pub(in crate::file) fn unpack(body: &[u8], bytes: u64, budget: &mut Budget) -> Result<Vec<u8>, BadBody> {
    budget.take_bytes(bytes)?;
    let length = usize::try_from(bytes).map_err(|e| BadBody::Damaged(e.to_string()))?;
    let unpacked = zstd::bulk::decompress(body, length).map_err(|e| BadBody::Damaged(e.to_string()))?;
    if unpacked.len() != length {
        return Err(BadBody::Damaged(format!("has {} bytes of {length}", unpacked.len())));
    }
    Ok(unpacked)
}

/// Reader of consecutive values in postcard's encoding.
pub(in crate::file) struct Values<'a>(pub(in crate::file) &'a [u8]);

impl<'a> Values<'a> {
    pub(in crate::file) fn next<T: Deserialize<'a>>(&mut self) -> Result<T, BadBody> {
        let (value, rest) = postcard::take_from_bytes(self.0)
            .map_err(|e| BadBody::Damaged(format!("cannot be read: {e}")))?;
        self.0 = rest;
        Ok(value)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::file) fn end(&self) -> Result<(), BadBody> {
        if self.is_empty() { Ok(()) } else { Err(BadBody::Damaged("has extra bytes".to_owned())) }
    }
}

pub(in crate::file) fn push<T: Serialize>(bytes: &mut Vec<u8>, value: &T) {
    // Encoding these types into memory that grows cannot fail.
    if let Ok(encoded) = postcard::to_extend(value, std::mem::take(bytes)) {
        *bytes = encoded;
    }
}

/// A function: name, linkage, file, line, signature. Shared texts are stored once and referred to by number.
type FunctionRow<'a> = (&'a str, &'a str, u32, u32, &'a str);

/// A location: function, entry flag, block, file, line, lines, label.
type LocationRow = (u32, bool, u32, u32, u32, Vec<u32>, u32);

/// Encodes places: texts, functions, then locations. Locations number functions from the first one of the study.
pub(in crate::file) fn of_places(functions: &[&Function], locations: &[(u32, &Location)]) -> Vec<u8> {
    let mut texts = IndexSet::new();
    let mut number = |text| texts.insert_full(text).0 as u32;
    let mut rows = Vec::new();
    for f in functions {
        let row: FunctionRow<'_> =
            (&f.symbol.name, &f.symbol.linkage, number(&*f.file), f.line, &f.signature);
        push(&mut rows, &row);
    }
    for (function, l) in locations {
        let is_entry = l.kind == Kind::Entry;
        let (file, label) = (number(&*l.file), number(&*l.label));
        let row: LocationRow = (*function, is_entry, l.block, file, l.line, l.lines.to_vec(), label);
        push(&mut rows, &row);
    }
    let mut bytes = Vec::new();
    push(&mut bytes, &texts.iter().collect::<Vec<&&str>>());
    bytes.extend_from_slice(&rows);
    bytes
}

/// Functions and locations of a study, by position.
#[derive(Debug, Default)]
pub(in crate::file) struct KnownPlaces {
    pub(in crate::file) functions: Vec<Function>,
    pub(in crate::file) locations: Vec<Location>,
}

impl KnownPlaces {
    /// Adds the functions and locations of one record, which must have these numbers of each.
    pub(in crate::file) fn add(
        &mut self,
        bytes: &[u8],
        [functions, locations]: [u32; 2],
        budget: &mut Budget,
    ) -> Result<(), BadBody> {
        let mut values = Values(bytes);
        let texts: Vec<&str> = values.next()?;
        budget.take::<Arc<str>>(2 * texts.len() as u64)?;
        let texts: Vec<Arc<str>> = texts.into_iter().map(Arc::from).collect();
        let text = |number: u32| {
            texts.get(number as usize).ok_or_else(|| BadBody::Damaged(format!("has no text {number}")))
        };
        for _ in 0..functions {
            let (name, linkage, file, line, signature): FunctionRow<'_> = values.next()?;
            let file = text(file)?;
            budget.take::<Function>(1)?;
            budget.take_bytes((name.len() + linkage.len() + file.len() + signature.len()) as u64)?;
            let symbol = Symbol { name: name.to_owned(), linkage: linkage.to_owned() };
            let (file, signature) = (file.to_string(), signature.to_owned());
            self.functions.push(Function { symbol, file, line, signature });
        }
        for _ in 0..locations {
            let (function, is_entry, block, file, line, lines, label): LocationRow = values.next()?;
            if function as usize >= self.functions.len() {
                return Err(BadBody::Damaged(format!("has no function {function}")));
            }
            budget.take::<Location>(1)?;
            budget.take::<u32>(4 + lines.len() as u64)?;
            self.locations.push(Location {
                function: FunctionId(function),
                kind: if is_entry { Kind::Entry } else { Kind::Block },
                block,
                file: Arc::clone(text(file)?),
                line,
                lines: lines.into(),
                label: Arc::clone(text(label)?),
            });
        }
        values.end()
    }
}

/// Layout of series in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum SeriesLayout {
    /// Routines in one variable, in the study's unit: the format before series existed.
    Routines,
    Series,
}

/// A routine: name, linkage, object, context, DRMS flag, number of observations.
type RoutineRow<'a> = (&'a str, &'a str, &'a str, &'a str, bool, u32);

/// A series: kind, name, linkage, object, context, variables, unit, number of observations.
type SeriesRow<'a> = (SeriesKind, &'a str, &'a str, &'a str, &'a str, Vec<Variable>, &'a str, u32);

/// An observation after its sizes: count, least, greatest, sum, sum of squares.
type ObservationRow = (u64, u64, u64, u64, f64);

/// Parts of an observation: outermost cost, own cost, cells from the kernel, cells from threads.
type PartsRow = [Option<u64>; 4];

/// Parts added in a later version; studies of earlier programs end before them.
type OwnRow = (Option<OwnCosts>, Option<OwnInput>);

/// Encodes series: first the observations of each series. If a profiler reports any parts, the parts of all
/// observations follow. The parts added later and the lines of places come last.
pub(in crate::file) fn of_series(series: &[Series]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Series {
        place: Place { kind, symbol, object, context, line: _ },
        variables,
        unit,
        observations,
        ..
    } in series
    {
        let count = observations.len() as u32;
        let row: SeriesRow<'_> =
            (*kind, &symbol.name, &symbol.linkage, object, context, variables.clone(), unit.name(), count);
        push(&mut bytes, &row);
        for o in observations {
            o.sizes.iter().take(variables.len()).for_each(|size| push(&mut bytes, size));
            // A sum of squares that is not finite counts as unknown.
            let squares = if o.sum_of_squares.is_finite() { o.sum_of_squares } else { 0.0 };
            let row: ObservationRow = (o.count, o.min, o.max, o.sum, squares);
            push(&mut bytes, &row);
        }
    }
    let observations = || series.iter().flat_map(|one| &one.observations);
    // A later section can only be present if the earlier ones are.
    let has_lines = series.iter().any(|one| one.place.line > 0);
    let has_own =
        has_lines || observations().any(|o| o.parts.own_costs.is_some() || o.parts.own_input.is_some());
    if has_own || observations().any(|o| o.parts != ObservationParts::default()) {
        for Observation { parts, .. } in observations() {
            let row: PartsRow = [parts.outermost, parts.own, parts.from_kernel, parts.from_threads];
            push(&mut bytes, &row);
        }
    }
    if has_own {
        for Observation { parts, .. } in observations() {
            let is_number = |own: &OwnCosts| own.sum_of_squares.is_finite();
            let row: OwnRow = (parts.own_costs.filter(is_number), parts.own_input);
            push(&mut bytes, &row);
        }
    }
    if has_lines {
        for one in series {
            push(&mut bytes, &one.place.line);
        }
    }
    bytes
}

/// Reads the series of a workload. Series in the layout of routines have no unit of their own.
pub(in crate::file) fn series(
    bytes: &[u8],
    count: u32,
    layout: SeriesLayout,
    workload: WorkloadId,
    budget: &mut Budget,
) -> Result<Vec<Series>, BadBody> {
    let mut values = Values(bytes);
    let mut all = Vec::new();
    for _ in 0..count {
        let (kind, name, linkage, object, context, variables, unit, count): SeriesRow<'_> = match layout {
            SeriesLayout::Series => values.next()?,
            SeriesLayout::Routines => {
                let (name, linkage, object, context, is_drms, count): RoutineRow<'_> = values.next()?;
                let variables = vec![if is_drms { Variable::Drms } else { Variable::Rms }];
                (SeriesKind::Routine, name, linkage, object, context, variables, "", count)
            }
        };
        if variables.len() > MOST_VARIABLES {
            return Err(BadBody::Damaged(format!("has a series in {} variables", variables.len())));
        }
        // A cost of a whole run is one number.
        if variables.is_empty() && count > 1 {
            return Err(BadBody::Damaged(format!("has a series of {count} sizes without variables")));
        }
        budget.take::<Series>(1)?;
        budget.take_bytes((name.len() + linkage.len() + object.len() + context.len()) as u64)?;
        let mut observations = Vec::new();
        for _ in 0..count {
            let mut sizes = [0; MOST_VARIABLES];
            for size in sizes.iter_mut().take(variables.len()) {
                *size = values.next()?;
            }
            let (count, min, max, sum, sum_of_squares): ObservationRow = values.next()?;
            budget.take::<Observation>(2)?;
            if !sum_of_squares.is_finite() {
                return Err(BadBody::Damaged("has a sum of squares that is not a number".to_owned()));
            }
            let parts = ObservationParts::default();
            observations.push(Observation { sizes, count, min, max, sum, sum_of_squares, parts });
        }
        let symbol = Symbol { name: name.to_owned(), linkage: linkage.to_owned() };
        let place = Place { kind, symbol, object: object.to_owned(), context: context.to_owned(), line: 0 };
        all.push(Series { place, variables, unit: Unit::new(unit), workload, observations });
    }
    if !values.is_empty() {
        for Observation { parts, .. } in all.iter_mut().flat_map(|one| &mut one.observations) {
            let row: PartsRow = values.next()?;
            [parts.outermost, parts.own, parts.from_kernel, parts.from_threads] = row;
        }
    }
    if !values.is_empty() {
        for Observation { parts, .. } in all.iter_mut().flat_map(|one| &mut one.observations) {
            let row: OwnRow = values.next()?;
            (parts.own_costs, parts.own_input) = row;
            if parts.own_costs.is_some_and(|own| !own.sum_of_squares.is_finite()) {
                return Err(BadBody::Damaged("has a sum of squares that is not a number".to_owned()));
            }
        }
    }
    if !values.is_empty() {
        for one in &mut all {
            one.place.line = values.next()?;
        }
    }
    values.end()?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_of_earlier_studies_are_series() {
        let mut bytes = Vec::new();
        let routine: RoutineRow<'_> = ("sort(int*)", "_Z4sortPi", "/p", "main", true, 2);
        push(&mut bytes, &routine);
        let tuples: [(u64, u64, u64, u64, u64, f64); 2] = [(4, 2, 3, 5, 8, 34.0), (9, 1, 700, 700, 700, 0.0)];
        for tuple in &tuples {
            push(&mut bytes, tuple);
        }
        let parts = ObservationParts { own: Some(6), ..ObservationParts::default() };
        for _ in &tuples {
            push(&mut bytes, &(None::<u64>, Some(6_u64), None::<u64>, None::<u64>));
        }
        let read = series(&bytes, 1, SeriesLayout::Routines, WorkloadId(3), &mut Budget::of_file(0)).unwrap();
        let symbol = Symbol { name: "sort(int*)".to_owned(), linkage: "_Z4sortPi".to_owned() };
        let observations = tuples.map(|(size, count, min, max, sum, sum_of_squares)| Observation {
            count,
            min,
            max,
            sum,
            sum_of_squares,
            parts,
            ..Observation::at(size)
        });
        let mut routine = Series::of_routine(symbol, "/p", Variable::Drms, observations.to_vec());
        routine.place.context = "main".to_owned();
        assert_eq!(read, [Series { workload: WorkloadId(3), ..routine }]);
    }

    #[test]
    fn parts_of_observations_come_back_whatever_is_known_of_them() {
        let own_costs = OwnCosts { min: 1, max: 7, sum_of_squares: 50.0 };
        let older = ObservationParts { outermost: Some(8), own: Some(6), ..ObservationParts::NONE };
        let own = ObservationParts { own_costs: Some(own_costs), ..older };
        let own_input = Some(OwnInput { from_kernel: 3, from_threads: 2 });
        let whole = ObservationParts { from_kernel: Some(4), from_threads: Some(5), own_input, ..own };
        let observation = |size, parts| Observation { count: 2, parts, ..Observation::at(size) };
        let symbol = Symbol::plain("sort");
        for parts in [[ObservationParts::NONE; 2], [older; 2], [older, own], [own, whole], [whole; 2]] {
            let observations = vec![observation(4, parts[0]), observation(9, parts[1])];
            let written = Series::of_routine(symbol.clone(), "/p", Variable::Drms, observations);
            let bytes = of_series(std::slice::from_ref(&written));
            let read = series(&bytes, 1, SeriesLayout::Series, WorkloadId(0), &mut Budget::of_file(0));
            assert_eq!(read.unwrap(), [written]);
        }
    }

    #[test]
    fn what_unpacks_to_more_than_it_says_is_refused_before_it_takes_memory() {
        let (bomb, length) = pack(&vec![0; 100 << 20]).unwrap();
        assert!(bomb.len() < 20_000);
        let mut budget = Budget::of_file(bomb.len() as u64);
        assert!(matches!(unpack(&bomb, 1000, &mut budget), Err(BadBody::Damaged(_))));
        assert!(matches!(unpack(&bomb, length + 1, &mut budget), Err(BadBody::Damaged(_))));
        assert!(unpack(&bomb, length, &mut budget).is_ok());
        assert_eq!(unpack(&bomb, 400 << 20, &mut budget), Err(OverBudget(LEAST_BUDGET).into()));
    }

    #[test]
    fn places_that_take_no_bytes_are_counted_by_what_they_take_in_memory() {
        let function = Function {
            symbol: Symbol { name: String::new(), linkage: String::new() },
            file: String::new(),
            line: 0,
            signature: String::new(),
        };
        let mut bytes = of_places(&[&function], &[]);
        let row: LocationRow = (0, false, 0, 0, 0, Vec::new(), 0);
        for _ in 0..1_000_000 {
            push(&mut bytes, &row);
        }
        let mut budget = Budget { left: 50 << 20, whole: 50 << 20 };
        let claims = |count| [1, count];
        let added = KnownPlaces::default().add(&bytes, claims(1_000_000), &mut budget);
        assert_eq!(added, Err(OverBudget(50 << 20).into()));
        let mut budget = Budget::of_file(0);
        assert_eq!(KnownPlaces::default().add(&bytes, claims(1_000_000), &mut budget), Ok(()));
        let damaged =
            |count, budget: &mut Budget| match KnownPlaces::default().add(&bytes, claims(count), budget) {
                Err(BadBody::Damaged(what)) => what,
                other => panic!("{other:?}"),
            };
        assert!(damaged(1_000_001, &mut budget).contains("end of buffer"));
        assert_eq!(damaged(999_999, &mut budget), "has extra bytes");
    }
}
