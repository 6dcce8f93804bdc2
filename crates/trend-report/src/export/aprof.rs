//! Writes routines by input size as a report for aprof-plot, in the latest version whose fields are all known.
//!
//! | version | fields of a point after its size |
//! |---|---|
//! | 5 | `min max sum squares calls real self selfmin selfmax selfsquares` |
//! | 3 | `min max sum calls real self selfmin selfmax`, if squares are unknown |
//! | 2 | `min max sum calls real self`, if only the sums of self costs are known |
//! | 1 | `min max sum squares calls` |
//!
//! For sizes by DRMS, a point of version 5 continues with `0 0 syscall thread selfsyscall selfthread`. Unknown fields
//! at the end are left out.
//!
//! Costs are decimals; times are exact, in microseconds. aprof-plot rejects a point whose smallest cost is 0, so such a
//! cost is written as 1 (for times, 1 ps). It also rejects sums of squares from which it computes a negative variance.
//! Such a sum is raised to the next larger number that it accepts.
//!
//! A report contains either routines (`p`) or their calling contexts (`q`, followed by the tree of contexts, `x`). If a
//! study has contexts, they are written: a routine is their sum. Callers without calls in the study are
//! left out, because aprof-plot cannot read them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use trend_profile::{Observation, OwnCosts, Series, SeriesKind, Study, Unit, Variable};

use crate::error::ReportError;
use crate::rows::call_tree::Tree;

/// Picoseconds per microsecond.
const MICROSECOND: u64 = 1_000_000;

/// A routine's readable name, its program or library, and its linkage name.
type Routine<'a> = (&'a str, &'a str, &'a str);
type Sizes = BTreeMap<u64, Observation>;

/// Returns the report of a study. It adds up the tuples of all workloads: one point per routine or context, and size.
/// Costs keep the study's unit, except that times become microseconds.
///
/// # Errors
/// [`ReportError::NoSeries`] for a study without profiles by input size.
pub fn aprof(study: &Study) -> Result<String, ReportError> {
    let routines = || study.series().iter().filter(|one| one.place.kind == SeriesKind::Routine);
    // If sizes were measured in several variables, the last is written: drms covers more input than rms.
    let variables =
        routines().map(|one| &one.variables).max().ok_or(ReportError::NoSeries(SeriesKind::Routine))?;
    let mut profiles: BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>> = BTreeMap::new();
    for profile in routines().filter(|one| one.variables == *variables) {
        let contexts = profiles.entry(routine(profile)).or_default();
        let sizes = contexts.entry(profile.place.context.as_str()).or_default();
        for tuple in &profile.observations {
            sizes.entry(tuple.size()).and_modify(|sum| sum.add(tuple)).or_insert(*tuple);
        }
    }
    let tuples = || profiles.values().flat_map(BTreeMap::values).flat_map(Sizes::values);
    let layout = Layout::of_tuples(*variables == [Variable::Drms], tuples);
    let unit = routines().find(|one| one.variables == *variables).map_or(study.unit(), |one| &one.unit);
    let writer = Writer { scale: if unit.is_time() { MICROSECOND } else { 1 }, layout };
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

/// Replaces control characters and quotation marks in a name, and returns `?` for an empty one.
fn word(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_control() || c == '"' { '_' } else { c }).collect();
    if clean.is_empty() { "?".to_owned() } else { clean }
}

/// Fields that are known for all points of a report.
#[derive(Clone, Copy)]
struct Layout {
    version: u32,
    is_dynamic: bool,
    /// True if input from the kernel and from other threads is known.
    has_input: bool,
    /// True if the part of that input that the routine itself reads is known.
    has_own_input: bool,
}

impl Layout {
    fn of_tuples<'a, T: Iterator<Item = &'a Observation>>(is_dynamic: bool, tuples: impl Fn() -> T) -> Self {
        let all = |is_known: fn(&Observation) -> bool| tuples().all(is_known);
        let has_parts = all(|t| t.parts.outermost.is_some() && t.parts.own.is_some());
        let has_own = has_parts && all(|t| t.parts.own_costs.is_some());
        let has_squares = all(|t| {
            let own = t.parts.own_costs.is_none_or(|own| own.sum_of_squares > 0.0 || own.max == 0);
            own && (t.sum_of_squares > 0.0 || t.max == 0)
        });
        let version = match (has_parts, has_own, has_squares) {
            (false, ..) => 1,
            (true, false, _) => 2,
            (true, true, false) => 3,
            (true, true, true) => 5,
        };
        let has_input = all(|t| t.parts.from_kernel.is_some() && t.parts.from_threads.is_some());
        let has_own_input = has_input && all(|t| t.parts.own_input.is_some());
        Self { version, is_dynamic, has_input, has_own_input }
    }
}

struct Writer {
    scale: u64,
    layout: Layout,
}

impl Writer {
    fn head(
        &self,
        study: &Study,
        unit: &Unit,
        variables: &[Variable],
        profiles: &BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>>,
    ) -> String {
        let total = study.program_cost(SeriesKind::Routine, variables).filter(|_| unit == study.unit());
        let total = self.cost(total.unwrap_or_else(|| self.total(profiles)));
        let version = self.layout.version;
        let cost = match unit {
            unit if unit.is_time() => "time-usec",
            unit if unit.name() == "instructions" => "vex-instr",
            _ => "bb_count",
        };
        let program = word(study.program());
        let input = if self.layout.is_dynamic { "drms" } else { "rms" };
        format!(
            "c written by trend-prof\nv {version}\nk {total}\nm {cost}\ni {input}\na {program}\nf {program}\n"
        )
    }

    /// Returns the cost of all routines: the sum of their own costs or, if those are unknown, the largest cost of a
    /// routine.
    fn total(&self, profiles: &BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>>) -> u64 {
        if self.layout.version == 1 {
            let sum = |sizes: &Sizes| sizes.values().map(|t| t.sum).fold(0, u64::saturating_add);
            return profiles.values().flat_map(BTreeMap::values).map(sum).max().unwrap_or(0);
        }
        // If a routine is known as a whole, its contexts are parts of it and must not be counted again.
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
        let Layout { version, is_dynamic, has_input, has_own_input } = self.layout;
        for observation in sizes.values() {
            let Observation { count: calls, min, max, sum, sum_of_squares, parts, .. } = *observation;
            let of_all = [min, max, sum].map(|cost| self.cost(cost.max(1)));
            let _ = write!(text, "{tag} {id} {} {}", observation.size(), of_all.join(" "));
            if matches!(version, 1 | 5) {
                let _ = write!(text, " {}", self.squares(sum_of_squares, sum.max(1), calls));
            }
            let _ = write!(text, " {calls}");
            if let (Some(outermost), Some(own)) = (parts.outermost, parts.own)
                && version > 1
            {
                let _ = write!(text, " {} {}", self.cost(outermost), self.cost(own));
                if let Some(OwnCosts { min, max, sum_of_squares }) = parts.own_costs.filter(|_| version > 2) {
                    let _ = write!(text, " {} {}", self.cost(min), self.cost(max));
                    if version > 3 {
                        let _ = write!(text, " {}", self.squares(sum_of_squares, own, calls));
                    }
                }
            }
            if version == 5 && is_dynamic {
                text.push_str(" 0 0");
                let or_zero = |count: Option<u64>| count.unwrap_or_default();
                if has_input {
                    let _ = write!(text, " {} {}", or_zero(parts.from_kernel), or_zero(parts.from_threads));
                }
                if let Some(own) = parts.own_input.filter(|_| has_own_input) {
                    let _ = write!(text, " {} {}", own.from_kernel, own.from_threads);
                }
            }
            text.push('\n');
        }
    }

    /// Formats a cost as an exact decimal.
    fn cost(&self, cost: u64) -> String {
        let (whole, rest) = (cost / self.scale, cost % self.scale);
        if rest == 0 {
            return whole.to_string();
        }
        let digits = self.scale.ilog10() as usize;
        format!("{whole}.{rest:0digits$}").trim_end_matches('0').to_owned()
    }

    /// Returns the sum of squares to write. It is raised until the variance that aprof-plot computes from it is not
    /// negative.
    fn squares(&self, squares: f64, sum: u64, calls: u64) -> f64 {
        let mut squares = squares / (self.scale as f64 * self.scale as f64);
        let mean = self.cost(sum).parse::<f64>().unwrap_or_default() / calls as f64;
        let is_known = squares > 0.0;
        while is_known && squares / calls as f64 - mean * mean < 0.0 {
            squares = (squares.max(mean * mean * calls as f64)).next_up();
        }
        squares
    }

    /// Writes the points of all contexts, and then their tree. aprof-plot requires the points of a context before its
    /// place in the tree, a context for every routine, and a point for every context. A routine that is known only as a
    /// whole therefore gets no caller, and callers that are known only by name are left out.
    fn contexts(&self, text: &mut String, profiles: &BTreeMap<Routine<'_>, BTreeMap<&str, Sizes>>) {
        let mut named = Tree::new(profiles.keys().map(|(name, ..)| *name));
        let mut by_context: BTreeMap<usize, &Sizes> = BTreeMap::new();
        for (id, contexts) in profiles.values().enumerate() {
            for (context, sizes) in contexts.iter().filter(|(context, _)| is_context(context, contexts)) {
                by_context.insert(named.context(id, context), sizes);
            }
        }
        let (tree, numbers) = named.restricted_to(|context| by_context.contains_key(&context));
        let mut points: BTreeMap<(usize, usize), Sizes> = BTreeMap::new();
        for (context, sizes) in by_context {
            let context = numbers[&context];
            add(points.entry((tree.routine(context), context)).or_default(), sizes);
        }
        for (id, (routine, contexts)) in profiles.iter().enumerate() {
            name(text, id, *routine);
            for ((_, context), sizes) in points.range((id, 0)..(id + 1, 0)) {
                self.points(text, 'q', *context, sizes);
            }
            if let Some(whole) = contexts.get("").filter(|_| contexts.len() > 1) {
                let mut sum = Sizes::new();
                contexts
                    .iter()
                    .filter(|(context, _)| !context.is_empty())
                    .for_each(|(_, sizes)| add(&mut sum, sizes));
                if !is_sum(whole, &sum) {
                    self.points(text, 'p', id, whole);
                }
            }
        }
        text.push_str(&tree.lines());
    }
}

/// Returns true if a series counts as a context: it has callers, or it is the routine's only series.
fn is_context(context: &str, all: &BTreeMap<&str, Sizes>) -> bool {
    !context.is_empty() || all.len() == 1
}

/// Returns true if the tuples equal the sum. Squares are ignored, because they are rounded.
fn is_sum(sizes: &Sizes, sum: &Sizes) -> bool {
    let without_squares = |sizes: &Sizes| -> Vec<Observation> {
        let mut tuples: Vec<Observation> = sizes.values().copied().collect();
        for tuple in &mut tuples {
            tuple.sum_of_squares = 0.0;
            tuple.parts.own_costs = tuple.parts.own_costs.map(|own| OwnCosts { sum_of_squares: 0.0, ..own });
        }
        tuples
    };
    without_squares(sizes) == without_squares(sum)
}

fn add(all: &mut Sizes, more: &Sizes) {
    for tuple in more.values() {
        all.entry(tuple.size()).and_modify(|sum| sum.add(tuple)).or_insert(*tuple);
    }
}
