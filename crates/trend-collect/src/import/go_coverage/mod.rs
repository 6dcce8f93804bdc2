//! Reads the coverage data of programs that Go built with `-cover`: a description of the program's blocks
//! (`covmeta.HASH`), and the counters of each process (`covcounters.HASH.PID.TIME`), in the folder `GOCOVERDIR`.

mod bytes;
mod counters;
mod meta;
mod receiver;

use trend_profile::{Symbol, Warning, WarningKind};

use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Input, Root};
use meta::{Meta, Package, Unit};
use receiver::Declarations;

/// Returns the text of a source file by its name in the study.
pub type Sources<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Name of a description before its hash.
pub const META: &str = "covmeta.";
/// Name of a process's counters before their hash.
pub const COUNTERS: &str = "covcounters.";

/// Lines that a program's blocks may have: a constant, and lines per byte of the description. A unit of a few bytes can
/// claim four thousand million lines.
const FREE_LINES: usize = 4096;
const LINES_PER_BYTE: usize = 16;

/// A module whose sources lie in a known folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The module path that `go.mod` declares, with which names of source files begin.
    pub path: String,
    /// The folder that contains `go.mod`, as a prefix of paths.
    pub folder: String,
}

/// Returns the name of the description that counters of this file name belong to.
pub fn meta_of(counters: &str) -> Option<String> {
    let hash = counters.strip_prefix(COUNTERS)?.split('.').next()?;
    Some(format!("{META}{hash}"))
}

/// Reads the counters of one process as one run. `meta` is the description, and `modules` lead to the sources.
///
/// # Errors
/// Fails if a file is damaged or cut off, or if the counters belong to another description.
pub fn read<'a>(
    counters: impl Into<Input<'a>>,
    meta: &[u8],
    root: &Root,
    modules: &[Module],
    sources: Sources<'_>,
) -> Result<Imported, ImportError> {
    let input = counters.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let (hash, counted) = counters::parse(&input.document()?)?;
    let program = Meta::parse(meta)?;
    if program.hash != hash {
        let what = "its counters and their description are from different builds".to_owned();
        return Err(ImportError::Contradictory { what });
    }
    let mut lines = FREE_LINES + LINES_PER_BYTE * meta.len();
    let mut declarations = Declarations::new(sources);
    let mut ids: Vec<Vec<Ids>> = Vec::with_capacity(program.packages.len());
    for package in &program.packages {
        let mut functions = Vec::with_capacity(package.functions.len());
        for function in &package.functions {
            let name = root.name(&path_of(&function.file, package, modules));
            let first = function.units.iter().map(|unit| unit.begin.0).min().unwrap_or_default();
            let line = declarations.line(&name, &function.name, first);
            let symbol = Symbol::plain(&format!(
                "{}.{}",
                package.name,
                declarations.name(&name, &function.name, line)
            ));
            let file = places.file(&name);
            let id = places.function_of(symbol, file, line.unwrap_or(first));
            let of_units = units(&function.units, id, file, &name, &mut lines, &mut places);
            functions.push(Ids { entry: places.entry(id), units: of_units });
            places.budget().check()?;
        }
        ids.push(functions);
    }
    for functions in ids.iter().flatten() {
        for &unit in &functions.units {
            tally.add(unit, 0);
        }
    }
    for counted in counted {
        let function = ids.get(counted.package as usize).and_then(|f| f.get(counted.function as usize));
        let function = function.filter(|ids| ids.units.len() == counted.counters.len());
        let Some(Ids { entry, units }) = function else {
            let (package, function) = (counted.package, counted.function);
            let what = format!("function {function} of package {package} is not as described");
            return Err(ImportError::Contradictory { what });
        };
        tally.add(*entry, counted.counters.first().copied().unwrap_or_default().into());
        for (&unit, &count) in units.iter().zip(&counted.counters) {
            tally.add(unit, count.into());
        }
        places.budget().check()?;
    }
    if program.is_set {
        let message = "it tells only whether a block ran, not how often; build with -covermode=count";
        places.warn(Warning::new(WarningKind::HitOrMiss, message));
    }
    let counts = tally.into_counts();
    if counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "the program has no counted function".to_owned() });
    }
    Ok(places.finish(vec![ImportedRun { counts, ..ImportedRun::default() }]))
}

/// Locations of a function.
struct Ids {
    entry: u32,
    units: Vec<u32>,
}

/// Returns the path of a source: files have their package's path before their names.
fn path_of(file: &str, package: &Package, modules: &[Module]) -> String {
    let module = modules.iter().find(|module| module.path == package.module);
    let below = module.and_then(|module| Some((module, file.strip_prefix(&module.path)?.strip_prefix('/')?)));
    below.map_or_else(|| file.to_owned(), |(module, rest)| format!("{}/{rest}", module.folder))
}

fn units(
    units: &[Unit],
    function: u32,
    file: u32,
    name: &str,
    left: &mut usize,
    places: &mut Places,
) -> Vec<u32> {
    let mut begins: Vec<u32> = units.iter().map(|unit| unit.begin.0).collect();
    begins.sort_unstable();
    let is_crowded =
        |line: u32| begins.partition_point(|l| *l <= line) - begins.partition_point(|l| *l < line) > 1;
    let mut location = |(index, unit): (usize, &Unit)| {
        let (line, column) = unit.begin;
        // A block ends before the closing brace that follows it.
        let last = if unit.end.1 <= 1 { unit.end.0.saturating_sub(1) } else { unit.end.0 };
        let count = (last.saturating_sub(line) as usize).saturating_add(1).min(*left);
        *left -= count;
        let lines: Vec<u32> = (line..=last.max(line)).take(count.max(1)).collect();
        let label = if is_crowded(line) { format!("{name}:{line}:{column}") } else { String::new() };
        places.spanning(function, index as u32 + 1, file, &lines, &label)
    };
    units.iter().enumerate().map(&mut location).collect()
}

#[cfg(test)]
mod tests;
