//! Reads reports of the input-sensitive profiler aprof: the costs of a routine's calls by the size of their input.
//!
//! ```text
//! v 4                        the version; 0 if missing
//! m bb-count                 costs are basic blocks, or `vex-instr`, or `time-usec`
//! i drms                     sizes: `rms`, or `drms` (`rvms` in older reports)
//! r "sort" "/bin/prog" 7     routine 7; a number of distinct sizes can follow     v0: `r sort 0x8048474 prog 7`
//! p 7 23 15 37 …             its calls on inputs of size 23: a point
//! q 352 23 15 37 …           the point of a context; a report has `q` or `p`
//! x 7 352 350                context 352 is routine 7, called in context 350; -1 means no caller; these come last
//! ```
//!
//! The fields of a point after its size, by version:
//!
//! | version | fields |
//! |---|---|
//! | 0 | `mean calls` |
//! | 0, 1 | `min max sum squares calls` |
//! | 2 | `min max sum calls real self` |
//! | 3 | like 2, and `selfmin selfmax` |
//! | 4 and later | `min max sum squares calls real self selfmin selfmax selfsquares` |
//! | 4, DRMS | like 4, and `rms rmssquares`, and `syscall thread` in some |
//! | 5 and later, DRMS | like 4, and `0 0 syscall thread`, and `selfsyscall selfthread` in some |
//!
//! `self` is the cost without callees; `real` excludes calls within calls of the same routine. `syscall` and `thread`
//! are the parts of the input that came from the kernel and from other threads. A time can be a decimal. `k`, before
//! all routines, is the cost of the whole program. The difference to the own costs of the named routines becomes a
//! location of its own.

mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use trend_profile::{Place, Series, SeriesKind, Unit, Variable, Warning, WarningKind, WorkloadId};

use self::lines::{Decimal, Point, Routine, add, number};
use super::budget::ENTRY;
use super::place::{Places, Tally};
use super::text::shown;
use super::{Budget, ImportError, Imported, ImportedRun, Input};

const FORMAT: &str = "aprof report";
/// Tags of lines without costs: comments, dates, commands, distinct sizes, favourites.
const SKIPPED: [&str; 8] = ["c", "e", "f", "a", "t", "g", "d", "fav"];

/// Name for the routines that a report leaves out.
const UNNAMED: &str = "(routines without a name)";

type Sizes = BTreeMap<u64, Point>;

/// Maximum number of callers named in a context.
const MOST_CALLERS: usize = 8;
/// Picoseconds per microsecond.
const MICROSECOND: u64 = 1_000_000;

/// Unit of the costs in a report.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Cost {
    #[default]
    Blocks,
    /// Instructions of valgrind's intermediate language.
    Instructions,
    Microseconds,
}

impl Cost {
    /// Returns the factor from the report's unit to the study's.
    fn scale(self) -> u64 {
        if self == Self::Microseconds { MICROSECOND } else { 1 }
    }
}

#[derive(Default)]
struct ReportReader {
    version: u64,
    cost: Cost,
    variable: Option<Variable>,
    has_extra_fields: bool,
    /// Cost of the whole program; its unit comes later in the file.
    total: Option<Decimal>,
    routines: BTreeMap<u64, Routine>,
    /// Routine and calling context of each context.
    contexts: BTreeMap<u64, (u64, Option<u64>)>,
    points: BTreeMap<u64, Sizes>,
    context_points: BTreeMap<u64, Sizes>,
}

/// Reads a report: the points of each routine and context, and the total cost of each routine.
///
/// # Errors
/// Fails if the input is not a report, is cut off, or contradicts itself.
pub fn read<'a>(input: impl Into<Input<'a>>) -> Result<Imported, ImportError> {
    let mut input = input.into();
    let budget = Rc::clone(input.budget());
    let mut reader = ReportReader::default();
    while let Some((number, line)) = input.line()? {
        let line = line.trim();
        let (tag, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if tag.is_empty() || SKIPPED.contains(&tag) {
            continue;
        }
        if let Err(problem) = reader.line(tag, rest, &budget) {
            let is_foreign = reader.routines.is_empty() && reader.version == 0;
            let problem = format!("line {number}: {problem}");
            return Err(if !input.ended_with_newline() {
                ImportError::CutOff { missing: CUT.to_owned() }
            } else if is_foreign {
                ImportError::OtherFormat { format: FORMAT, problem }
            } else {
                ImportError::line(number, problem)
            });
        }
    }
    if !input.ended_with_newline() {
        return Err(ImportError::CutOff { missing: CUT.to_owned() });
    }
    reader.imported(&budget)
}

const CUT: &str = "its last line has no end";

impl ReportReader {
    fn line(&mut self, tag: &str, rest: &str, budget: &Budget) -> Result<(), String> {
        match tag {
            "v" => self.version = number(rest.trim()).ok_or("the version is not a number")?,
            "m" => {
                let cost = match rest.trim() {
                    "time-usec" => Cost::Microseconds,
                    "bb-count" | "bb_count" => Cost::Blocks,
                    "vex-instr" => Cost::Instructions,
                    other => return Err(format!("the metric `{}` is unknown", shown(other))),
                };
                let has_points = !self.points.is_empty() || !self.context_points.is_empty();
                if has_points && cost != self.cost {
                    return Err("the metric comes after the first point".to_owned());
                }
                self.cost = cost;
            }
            "i" => {
                self.variable = Some(match rest.trim() {
                    "rms" => Variable::Rms,
                    "drms" | "rvms" => Variable::Drms,
                    other => return Err(format!("the input metric `{}` is unknown", shown(other))),
                });
            }
            "r" => {
                let (id, routine) = Routine::parse(rest).ok_or("is not a routine")?;
                budget.keep(4 * ENTRY + 2 * routine.symbol.name.len() + routine.object.len());
                if let Some(previous) = self.routines.insert(id, routine)
                    && previous.symbol.name != self.routines[&id].symbol.name
                {
                    let names = [&previous, &self.routines[&id]].map(|r| shown(&r.symbol.name));
                    return Err(format!("routine {id} is `{}`, but was `{}` before", names[1], names[0]));
                }
            }
            "k" => self.total = Some(Decimal::parse(rest.trim()).ok_or("the total is not a number")?),
            "u" => {
                let (id, name) = rest.split_once(' ').ok_or("is not a routine name")?;
                let id = number(id).ok_or("is not a routine name")?;
                if let Some(routine) = self.routines.get_mut(&id) {
                    budget.keep(name.len());
                    name.trim().trim_matches('"').clone_into(&mut routine.symbol.linkage);
                }
            }
            "x" => {
                let mut words = rest.split_whitespace();
                let mut next = || words.next();
                let ids = next().and_then(number).zip(next().and_then(number));
                let (routine, context) = ids.ok_or("is not a context")?;
                let parent = match next() {
                    Some("-1") => None,
                    Some(parent) => Some(number(parent).ok_or("has no caller")?),
                    None => return Err("has no caller".to_owned()),
                };
                budget.keep(ENTRY);
                if self
                    .contexts
                    .insert(context, (routine, parent))
                    .is_some_and(|activation| activation != (routine, parent))
                {
                    return Err(format!("context {context} differs from before"));
                }
            }
            "p" | "q" => {
                let fields: Vec<&str> = rest.split_whitespace().collect();
                let id = fields
                    .first()
                    .copied()
                    .and_then(number)
                    .ok_or("lacks the id of its routine or context")?;
                let point =
                    Point::parse(self.version, self.cost.scale(), fields.get(1..).unwrap_or_default())?;
                self.has_extra_fields |= point.is_dynamic;
                let points = if tag == "p" { &mut self.points } else { &mut self.context_points };
                if add(points.entry(id).or_default(), point) {
                    // A point is in memory here, in its routine, and in the study's observations.
                    budget.keep(3 * size_of::<Point>());
                }
            }
            _ => return Err(format!("`{}` is not a known tag", shown(tag))),
        }
        Ok(())
    }

    fn imported(mut self, budget: &Rc<Budget>) -> Result<Imported, ImportError> {
        // A routine without its own points is the sum of its contexts.
        let of_routines: BTreeSet<u64> = self.points.keys().copied().collect();
        for (context, sizes) in &self.context_points {
            let contradictory = || ImportError::Contradictory {
                what: format!("a point refers to context {context}, which does not exist"),
            };
            let (routine, _) = self.contexts.get(context).ok_or_else(contradictory)?;
            if of_routines.contains(routine) {
                continue;
            }
            let points = self.points.entry(*routine).or_default();
            for point in sizes.values() {
                add(points, *point);
            }
        }
        if let Some(id) = self.points.keys().find(|id| !self.routines.contains_key(id)) {
            return Err(ImportError::Contradictory {
                what: format!("a point refers to routine {id}, which does not exist"),
            });
        }
        if self.points.is_empty() {
            return Err(ImportError::NoCounts { reason: "no routine has a point".to_owned() });
        }
        let variable =
            self.variable.unwrap_or(if self.has_extra_fields { Variable::Drms } else { Variable::Rms });
        let mut places = Places::new(budget);
        let mut tally = Tally::new(budget);
        if let Some((own, total)) = self.own_and_total() {
            let share = 100.0 * own as f64 / total as f64;
            let [took, claimed] = [own, total].map(|cost| cost / self.cost.scale());
            let message = format!(
                "its routines took only {took} of the claimed {claimed} ({share:.1} %): the others have \
                 no name, or it is cut off"
            );
            places.warn(Warning::new(WarningKind::IncompleteCosts, message));
            let file = places.file("");
            let function = places.function(UNNAMED, file, 0);
            tally.add(places.labelled(function, 0, file, 0, ""), total - own);
        }
        let unit = match self.cost {
            Cost::Blocks => Unit::default(),
            Cost::Instructions => Unit::new("instructions"),
            Cost::Microseconds => Unit::new(Unit::PICOSECONDS),
        };
        let mut series = Vec::new();
        for (id, sizes) in &self.points {
            let routine = &self.routines[id];
            let file = places.file(&routine.object);
            let function = places.function_of(routine.symbol.clone(), file, 0);
            let location = places.labelled(function, 0, file, 0, "");
            // Some versions only have costs with callees.
            let cost = |p: &Point| p.observation.parts.own.unwrap_or(p.observation.sum);
            tally.add(location, sizes.values().map(cost).fold(0, u64::saturating_add));
            let calls = sizes.values().map(|p| p.observation.count).fold(0, u64::saturating_add);
            tally.add(places.entry(function), calls);
            series.push(series_of(routine, String::new(), variable, &unit, sizes));
        }
        for (context, sizes) in &self.context_points {
            let (id, parent) = self.contexts[context];
            let callers = self.callers(parent);
            let Routine { symbol, object } = &self.routines[&id];
            let names = symbol.name.len() + symbol.linkage.len() + object.len();
            budget.keep(2 * (size_of::<Series>() + names + callers.len()));
            budget.check()?;
            series.push(series_of(&self.routines[&id], callers, variable, &unit, sizes));
        }
        let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
        Ok(Imported { unit, series, ..places.finish(vec![run]) })
    }

    /// Returns the routines' own costs and the program's total, if the total is larger: aprof leaves out routines
    /// without a name. Nothing else shows whether a report is complete.
    fn own_and_total(&self) -> Option<(u64, u64)> {
        let total = self.total?.scaled(self.cost.scale())?;
        let mut own = 0_u64;
        for point in self.points.values().flat_map(Sizes::values) {
            own = own.saturating_add(point.observation.parts.own?);
        }
        (own < total).then_some((own, total))
    }

    /// Formats the nearest callers: `main → parse → sort`.
    fn callers(&self, mut context: Option<u64>) -> String {
        let callers = std::iter::from_fn(|| {
            let (routine, parent) = self.contexts.get(&context?)?;
            context = *parent;
            Some(self.routines.get(routine).map_or("?", |r| r.symbol.name.as_str()))
        });
        Place::context_of(callers, MOST_CALLERS)
    }
}

fn series_of(routine: &Routine, context: String, variable: Variable, unit: &Unit, sizes: &Sizes) -> Series {
    let (symbol, object) = (routine.symbol.clone(), routine.object.clone());
    Series {
        place: Place { kind: SeriesKind::Routine, symbol, object, context, line: 0 },
        variables: vec![variable],
        unit: unit.clone(),
        workload: WorkloadId(0),
        observations: sizes.values().map(|point| point.observation).collect(),
    }
}

#[cfg(test)]
mod tests {
    use trend_profile::{Kind, Observation, ObservationParts, OwnCosts};

    use super::*;

    fn report(head: &str, point: &str) -> String {
        format!(
            "c report\n{head}a ./prog\nf ./prog 5\nr \"sort(int*, int)\" \"/bin/prog\" 7\nu 7 \"_Z4sortPii\"\n{point}\n"
        )
    }

    #[test]
    fn contexts_name_their_callers_and_add_up_to_their_routine() {
        let text = "v 4\nr \"main\" \"p\" 1\nr \"sort\" \"p\" 7\nx 1 1 -1\nx 7 2 1\nx 7 3 2\n\
                    q 2 5 9 9 9 81 1 9 9 9 9 81\nq 3 5 4 4 4 16 1 4 4 4 4 16\n";
        let read = read(text.as_bytes()).unwrap();
        let rows: Vec<_> =
            read.series.iter().map(|r| (r.place.context.as_str(), r.observations[0].sum)).collect();
        assert_eq!(rows, [("", 13), ("main", 9), ("main → sort", 4)]);
        assert_eq!(
            read.series[0].observations[0],
            Observation {
                count: 2,
                min: 4,
                max: 9,
                sum: 13,
                sum_of_squares: 97.0,
                parts: ObservationParts {
                    outermost: Some(13),
                    own: Some(13),
                    own_costs: Some(OwnCosts { min: 4, max: 9, sum_of_squares: 97.0 }),
                    ..ObservationParts::NONE
                },
                ..Observation::at(5)
            }
        );
    }

    #[test]
    fn a_routine_with_points_of_its_own_is_not_counted_twice() {
        let text =
            "v 4\nr \"sort\" \"p\" 7\np 7 5 9 9 9 81 1 9 9 9 9 81\nq 2 5 9 9 9 81 1 9 9 9 9 81\nx 7 2 -1\n";
        let read = read(text.as_bytes()).unwrap();
        let rows: Vec<_> =
            read.series.iter().map(|r| (r.place.context.as_str(), r.observations[0].sum)).collect();
        assert_eq!(rows, [("", 9), ("(no caller)", 9)]);
        assert_eq!(read.runs[0].counts[0].1, 9);
    }

    #[test]
    fn costs_that_are_missing_in_the_whole_are_told_of() {
        let text = "v 2\nk 300\nr \"main\" \"p\" 1\np 1 30 300 300 300 1 300 100\nr \"f\" \"p\" 2\np 2 9 200 200 200 1 200 200\n";
        assert_eq!(read(text.as_bytes()).unwrap().warnings, []);
        let cut = text.find("r \"f\"").unwrap();
        let part = read(&text.as_bytes()[..cut]).unwrap();
        assert_eq!(part.warnings[0].kind, WarningKind::IncompleteCosts);
        assert!(
            part.warnings[0].message.contains("took only 100 of the claimed 300"),
            "{}",
            part.warnings[0].message
        );
        // Locations add up to the whole program; one of them holds the cost of unnamed routines.
        let costs: u64 = part.runs[0]
            .counts
            .iter()
            .filter(|(id, _)| part.locations[*id as usize].kind == Kind::Block)
            .map(|(_, cost)| cost)
            .sum();
        assert_eq!(costs, 300);
    }

    #[test]
    fn instructions_of_valgrind_are_instructions() {
        let read = read(report("v 1\nm vex-instr\n", "p 7 23 1 2 3 5 2").as_bytes()).unwrap();
        assert_eq!((read.unit.name(), read.series[0].observations[0].sum), ("instructions", 3));
    }

    #[test]
    fn times_are_in_picoseconds() {
        let read = read(report("v 1\nm time-usec\n", "p 7 23 1 2 3 5 2").as_bytes()).unwrap();
        assert!(read.unit.is_time());
        let tuple = read.series[0].observations[0];
        assert_eq!(
            (tuple.min, tuple.max, tuple.sum, tuple.sum_of_squares),
            (1_000_000, 2_000_000, 3_000_000, 5e12)
        );
        let read =
            self::read(report("k 12.5\nv 1\nm time-usec\n", "p 7 23 0.0015 2 2.0015004 4.5 2").as_bytes());
        let tuple = read.unwrap().series[0].observations[0];
        assert_eq!((tuple.min, tuple.max, tuple.sum), (1500, 2_000_000, 2_001_500));
    }

    #[test]
    fn only_times_have_parts() {
        let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert!(error(&report("v 1\n", "p 7 23 1.5 2 3 5 2")).contains("`1.5` is not a number"));
        assert!(
            error(&report("v 1\nm time-usec\n", "p 7 23 1.5e3 2 3 5 2")).contains("`1.5e3` is not a number")
        );
        let late = report("v 1\n", "p 7 23 1 2 3 5 2\nm time-usec");
        assert!(error(&late).contains("the metric comes after the first point"));
    }

    #[test]
    fn a_report_that_is_cut_within_a_line_is_refused() {
        let text = report("v 4\n", "p 7 23 15 37 270 7500 10 199 200 10 30 4000");
        for length in (1..text.len()).filter(|&l| !text[..l].ends_with('\n')) {
            assert!(read(&text.as_bytes()[..length]).is_err(), "{length}");
        }
        let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert!(error("SF:a.c\n").contains("is not a valid aprof report"));
        assert!(error(&report("v 4\n", "p 7 23 15 37 9")).contains("version 4 does not have 4 fields"));
        assert!(error(&report("v 1\n", "p 8 1 1 1 1 1 1")).contains("refers to routine 8"));
        assert!(
            error(&report("v 1\n", "r \"g\" \"/bin/prog\" 7"))
                .contains("routine 7 is `g`, but was `sort(int*, int)` before")
        );
        assert!(error(&report("v 1\n", "x 7 2 1\nx 7 2 3")).contains("context 2 differs from before"));
        assert!(error(&report("v 1\n", "p 7 1 9 1 1 1 1")).contains("least 9, greatest 1"));
    }
}
