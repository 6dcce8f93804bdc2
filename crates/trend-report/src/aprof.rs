//! Routines by input size as a report that aprof-plot reads: of the version whose fields are all known.
//!
//! | version | fields of a point after its size |
//! |---|---|
//! | 2 | `min max sum calls real self`, where a profiler told the outermost and own costs of all tuples |
//! | 1 | `min max sum squares calls` |
//!
//! A report tells either of routines (`p`) or of their calling contexts (`q`, and `x` for the tree of them, last). Where
//! a study knows contexts they are written: a routine is their sum.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use trend_profile::{Observation, Series, SeriesKind, Study, Unit, Variable};

use crate::ReportError;
use crate::call_tree::Tree;

/// Picoseconds of a microsecond.
const MICROSECOND: u64 = 1_000_000;

/// A routine's readable name, the program or library that it is in, and the linkage name.
type Routine<'a> = (&'a str, &'a str, &'a str);
type Sizes = BTreeMap<u64, Observation>;

/// A report: the tuples of all workloads together, one point per routine, or context, and size. Costs are as the study has
/// them; times are in microseconds, as reports have them.
///
/// # Errors
/// [`ReportError::NoSeries`] for a study without profiles by input size.
pub fn aprof(study: &Study) -> Result<String, ReportError> {
    let routines = || study.series().iter().filter(|one| one.place.kind == SeriesKind::Routine);
    // Of two variables the one that knows more is written.
    let variables =
        routines().map(|one| &one.variables).max().ok_or(ReportError::NoSeries(SeriesKind::Routine))?;
    let mut profiles: BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>> = BTreeMap::new();
    for profile in routines().filter(|one| one.variables == *variables) {
        let contexts = profiles.entry(routine(profile)).or_default();
        let sizes = contexts.entry(profile.place.context.as_str()).or_default();
        for tuple in &profile.observations {
            sizes.entry(tuple.size()).and_modify(|known| known.add(tuple)).or_insert(*tuple);
        }
    }
    let mut tuples = profiles.values().flat_map(BTreeMap::values).flat_map(Sizes::values);
    let has_parts = tuples.all(|t| t.parts.outermost.is_some() && t.parts.own.is_some());
    let unit = routines().find(|one| one.variables == *variables).map_or(study.unit(), |one| &one.unit);
    let writer = Writer { scale: if unit.is_time() { MICROSECOND } else { 1 }, has_parts };
    let mut text = writer.head(study, unit, variables, &profiles);
    let has_contexts = profiles.values().any(|contexts| contexts.keys().any(|c| !c.is_empty()));
    if has_contexts {
        writer.contexts(&mut text, &profiles);
    } else {
        for (id, (routine, contexts)) in profiles.iter().enumerate() {
            name(&mut text, id, *routine);
            for sizes in contexts.values() {
                writer.points(&mut text, 'p', id, sizes);
            }
        }
    }
    Ok(text)
}

fn routine(Series { place, .. }: &Series) -> Routine<'_> {
    (&place.symbol.name, &place.object, &place.symbol.linkage)
}

fn name(text: &mut String, id: usize, (name, object, linkage): Routine<'_>) {
    let _ = writeln!(text, "r \"{}\" \"{}\" {id}", word(name), word(object));
    if linkage != name {
        let _ = writeln!(text, "u {id} \"{}\"", word(linkage));
    }
}

/// A name that ends no line and no quotation, and is not empty.
fn word(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_control() || c == '"' { '_' } else { c }).collect();
    if clean.is_empty() { "?".to_owned() } else { clean }
}

struct Writer {
    scale: u64,
    has_parts: bool,
}

impl Writer {
    fn head(
        &self,
        study: &Study,
        unit: &Unit,
        variables: &[Variable],
        profiles: &BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>>,
    ) -> String {
        let total = study.program_cost(variables).filter(|_| unit == study.unit());
        let total = total.unwrap_or_else(|| self.total(profiles)) / self.scale;
        let version = if self.has_parts { 2 } else { 1 };
        let cost = match unit {
            unit if unit.is_time() => "time-usec",
            unit if unit.name() == "instructions" => "vex-instr",
            _ => "bb-count",
        };
        let program = word(study.program());
        let input = if variables == [Variable::Drms] { "i drms\n" } else { "" };
        format!(
            "c written by trend-prof\nv {version}\nk {total}\nm {cost}\n{input}a {program}\nf {program}\n"
        )
    }

    /// The cost of all routines: their own where these are known; else of the costliest one.
    fn total(&self, profiles: &BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>>) -> u64 {
        if !self.has_parts {
            let sum = |sizes: &Sizes| sizes.values().map(|t| t.sum).fold(0, u64::saturating_add);
            return profiles.values().flat_map(BTreeMap::values).map(sum).max().unwrap_or(0);
        }
        // A context is a part of its routine.
        let own = |contexts: &BTreeMap<&str, Sizes>| {
            let is_part = |context: &str| !context.is_empty() && contexts.contains_key("");
            let wholes = contexts
                .iter()
                .filter(|(context, _)| !is_part(context))
                .flat_map(|(_, sizes)| sizes.values());
            wholes.filter_map(|tuple| tuple.parts.own).fold(0, u64::saturating_add)
        };
        profiles.values().map(own).fold(0, u64::saturating_add)
    }

    fn points(&self, text: &mut String, tag: char, id: usize, sizes: &Sizes) {
        let scale = self.scale;
        for observation in sizes.values() {
            let Observation { count: calls, min, max, sum, sum_of_squares, parts, .. } = observation;
            let size = observation.size();
            let (min, max, sum) = (min / scale, max / scale, sum / scale);
            let _ = match (parts.outermost, parts.own) {
                (Some(outermost), Some(own)) if self.has_parts => {
                    let (outermost, own) = (outermost / scale, own / scale);
                    writeln!(text, "{tag} {id} {size} {min} {max} {sum} {calls} {outermost} {own}")
                }
                _ => {
                    let squares = sum_of_squares / (scale as f64 * scale as f64);
                    writeln!(text, "{tag} {id} {size} {min} {max} {sum} {squares:.0} {calls}")
                }
            };
        }
    }

    /// aprof-plot wants the points of a context before its place in the tree, and a context of every routine: one that
    /// is known as a whole only is called by nobody.
    fn contexts(&self, text: &mut String, profiles: &BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>>) {
        let mut tree = Tree::new(profiles.keys().map(|(name, ..)| *name));
        let mut lines = String::new();
        for (id, (routine, contexts)) in profiles.iter().enumerate() {
            name(&mut lines, id, *routine);
            let of_contexts =
                || contexts.iter().filter(|(context, _)| !context.is_empty()).map(|(_, sizes)| sizes);
            for (context, sizes) in contexts {
                if !context.is_empty() || contexts.len() == 1 {
                    self.points(&mut lines, 'q', tree.context(id, context), sizes);
                } else if !is_sum(sizes, &sum(of_contexts())) {
                    self.points(&mut lines, 'p', id, sizes);
                }
            }
        }
        for (id, caller) in tree.callers() {
            name(text, id, (caller, "NONE", caller));
        }
        text.push_str(&lines);
        text.push_str(&tree.lines());
    }
}

/// Whether the tuples are those, as far as reports of contexts tell them: squares are rounded.
fn is_sum(sizes: &Sizes, sum: &Sizes) -> bool {
    let told = |of: &Sizes| -> Vec<Observation> {
        of.values().map(|tuple| Observation { sum_of_squares: 0.0, ..*tuple }).collect()
    };
    told(sizes) == told(sum)
}

fn sum<'a>(contexts: impl Iterator<Item = &'a Sizes>) -> Sizes {
    let mut all = Sizes::new();
    for tuple in contexts.flat_map(Sizes::values) {
        all.entry(tuple.size()).and_modify(|known| known.add(tuple)).or_insert(*tuple);
    }
    all
}
