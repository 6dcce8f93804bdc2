//! Reports of the input-sensitive profiler aprof: the costs of a routine's calls by the size of their input.
//!
//! ```text
//! v 4                        the version; 0 where there is none
//! m bb-count                 costs are basic blocks, or `time-usec`
//! i drms                     sizes: `rms`, or `drms` (`rvms` in older reports)
//! r "sort" "/bin/prog" 7     routine 7               v0: `r sort 0x8048474 prog 7`
//! p 7 23 15 37 …             its calls on inputs of size 23: a point
//! x 7 352 350                context 352 is routine 7, called in context 350; -1 has no caller
//! q 352 23 15 37 …           the point of a context
//! ```
//!
//! The fields of a point after its size, by version:
//!
//! | version | fields |
//! |---|---|
//! | 0 | `mean calls` |
//! | 0, 1 | `min max sum squares calls` |
//! | 2 | `min max sum calls real self` |
//! | 3 | those and `selfmin selfmax` |
//! | 4 and later | `min max sum squares calls real self selfmin selfmax selfsquares` |
//! | 5 and later, DRMS | those and four or six that tell where the input came from |

use std::collections::BTreeMap;

use trend_profile::{InputMetric, RoutineProfile, Symbol, Tuple, Unit, WorkloadId};

use super::place::{Places, Tally};
use super::points::whole;
use super::text::{digits, lines, shown};
use super::{ImportError, Imported, ImportedRun};

const FORMAT: &str = "aprof report";
/// Tags of lines that say nothing about costs: comments, dates, commands, distinct sizes, favourites.
const SKIPPED: [&str; 9] = ["c", "e", "f", "a", "t", "g", "d", "fav", "k"];
/// As many callers of a context are named, and so much of each.
const MOST_CALLERS: usize = 8;
const LONGEST_CALLER: usize = 80;
/// Picoseconds of a microsecond.
const MICROSECOND: u64 = 1_000_000;

#[derive(Default)]
struct Reader {
    version: u64,
    is_time: bool,
    metric: Option<InputMetric>,
    has_extra_fields: bool,
    routines: BTreeMap<u64, Routine>,
    /// Routine and caller by context.
    contexts: BTreeMap<u64, (u64, Option<u64>)>,
    points: BTreeMap<u64, Sizes>,
    context_points: BTreeMap<u64, Sizes>,
}

struct Routine {
    symbol: Symbol,
    object: String,
}

type Sizes = BTreeMap<u64, Point>;

/// A point with what the routine itself took.
#[derive(Clone, Copy)]
struct Point {
    tuple: Tuple,
    own: Option<u64>,
}

/// Reads a report: the tuples of each routine and context, and the cost of each routine in all.
///
/// # Errors
/// It is none, is cut off, or contradicts itself.
pub fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    if bytes.last() != Some(&b'\n') && !bytes.is_empty() {
        return Err(ImportError::CutOff { missing: "its last line does not end".to_owned() });
    }
    let mut reader = Reader::default();
    for (number, line) in lines(bytes) {
        let line = line.trim();
        let (tag, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if tag.is_empty() || SKIPPED.contains(&tag) {
            continue;
        }
        if let Err(problem) = reader.line(tag, rest) {
            let is_foreign = reader.routines.is_empty() && reader.version == 0;
            let found = format!("line {number}: {problem}");
            return Err(if is_foreign {
                ImportError::OtherFormat { format: FORMAT, found }
            } else {
                ImportError::line(number, problem)
            });
        }
    }
    reader.imported()
}

impl Reader {
    fn line(&mut self, tag: &str, rest: &str) -> Result<(), String> {
        let number = |text: &str| digits(text).filter(|_| !text.is_empty());
        match tag {
            "v" => self.version = number(rest.trim()).ok_or("the version is no number")?,
            "m" => {
                self.is_time = match rest.trim() {
                    "time-usec" => true,
                    "bb-count" => false,
                    other => return Err(format!("the metric `{}` is not known", shown(other))),
                }
            }
            "i" => {
                self.metric = Some(match rest.trim() {
                    "rms" => InputMetric::Rms,
                    "drms" | "rvms" => InputMetric::Drms,
                    other => return Err(format!("the input metric `{}` is not known", shown(other))),
                });
            }
            "r" => {
                let (id, routine) = routine(rest).ok_or("is no routine")?;
                self.routines.insert(id, routine);
            }
            "u" => {
                let (id, name) = rest.split_once(' ').ok_or("is no name of a routine")?;
                let id = number(id).ok_or("is no name of a routine")?;
                if let Some(routine) = self.routines.get_mut(&id) {
                    name.trim().trim_matches('"').clone_into(&mut routine.symbol.linkage);
                }
            }
            "x" => {
                let mut words = rest.split_whitespace();
                let mut next = || words.next();
                let ids = next().and_then(number).zip(next().and_then(number));
                let (routine, context) = ids.ok_or("is no context")?;
                let parent = match next() {
                    Some("-1") => None,
                    Some(parent) => Some(number(parent).ok_or("has no caller")?),
                    None => return Err("has no caller".to_owned()),
                };
                self.contexts.insert(context, (routine, parent));
            }
            "p" | "q" => {
                let fields: Vec<&str> = rest.split_whitespace().collect();
                let id =
                    fields.first().copied().and_then(number).ok_or("has no number of what it is about")?;
                let point = self.point(fields.get(1..).unwrap_or_default())?;
                let points = if tag == "p" { &mut self.points } else { &mut self.context_points };
                add(points.entry(id).or_default(), point);
            }
            _ => return Err(format!("`{}` is no tag of one", shown(tag))),
        }
        Ok(())
    }

    fn point(&mut self, fields: &[&str]) -> Result<Point, String> {
        let number = |i: usize| {
            let text = fields.get(i).copied().unwrap_or_default();
            let value = digits(text).filter(|v| !text.is_empty() && i64::try_from(*v).is_ok());
            value.ok_or_else(|| format!("field {} `{}` is no number", i + 1, shown(text)))
        };
        let real = |i: usize| {
            let value: Option<f64> = fields.get(i).and_then(|t| t.parse().ok());
            value
                .filter(|v: &f64| v.is_finite() && *v >= 0.0)
                .ok_or_else(|| format!("field {} is no number", i + 1))
        };
        let size = number(0)?;
        let (min, max, sum, sum_of_squares, calls, own) = match (self.version, fields.len()) {
            (0, 3) => {
                let (mean, calls) = (real(1)?, number(2)?);
                let cost = whole(mean).ok_or("the mean is out of range")?;
                let sum = whole(mean * calls as f64).ok_or("the sum is out of range")?;
                (cost, cost, sum, 0.0, calls, None)
            }
            (0 | 1, 6) => (number(1)?, number(2)?, number(3)?, real(4)?, number(5)?, None),
            (2, 7) | (3, 9) => (number(1)?, number(2)?, number(3)?, 0.0, number(4)?, Some(number(6)?)),
            (4.., 11) => (number(1)?, number(2)?, number(3)?, real(4)?, number(5)?, Some(number(7)?)),
            (5.., 13 | 15 | 17) => {
                self.has_extra_fields = true;
                (number(1)?, number(2)?, number(3)?, real(4)?, number(5)?, Some(number(7)?))
            }
            (version, count) => {
                return Err(format!("a point of version {version} does not have {count} fields"));
            }
        };
        if min > max || max > sum || calls == 0 {
            return Err(format!("{calls} calls, from {min} to {max}, {sum} in all"));
        }
        Ok(Point { tuple: Tuple { size, calls, min, max, sum, sum_of_squares }, own })
    }

    fn imported(mut self) -> Result<Imported, ImportError> {
        // Without points of its own, a routine is the sum of its contexts.
        for (context, sizes) in &self.context_points {
            let contradictory = || ImportError::Contradictory {
                what: format!("there is no context {context}, and a point of it"),
            };
            let (routine, _) = self.contexts.get(context).ok_or_else(contradictory)?;
            let points = self.points.entry(*routine).or_default();
            for point in sizes.values() {
                add(points, *point);
            }
        }
        if let Some(id) = self.points.keys().find(|id| !self.routines.contains_key(id)) {
            return Err(ImportError::Contradictory {
                what: format!("there is no routine {id}, and a point of it"),
            });
        }
        if self.points.is_empty() {
            return Err(ImportError::NoCounts { reason: "no routine has a point".to_owned() });
        }
        let metric =
            self.metric.unwrap_or(if self.has_extra_fields { InputMetric::Drms } else { InputMetric::Rms });
        let mut places = Places::default();
        let mut tally = Tally::default();
        let mut routines = Vec::new();
        for (id, sizes) in &self.points {
            let routine = &self.routines[id];
            let file = places.file(&routine.object);
            let function = places.function_of(routine.symbol.clone(), file, 0);
            let location = places.whole(function, file, "");
            // Of some versions only costs with those of the called are known.
            let cost = |p: &Point| p.own.unwrap_or(p.tuple.sum);
            tally.add(location, self.scaled(sizes.values().map(cost).fold(0, u64::saturating_add)));
            let calls = sizes.values().map(|p| p.tuple.calls).fold(0, u64::saturating_add);
            tally.add(places.entry(function), calls);
            routines.push(self.profile(routine, String::new(), metric, sizes));
        }
        for (context, sizes) in &self.context_points {
            let (id, parent) = self.contexts[context];
            routines.push(self.profile(&self.routines[&id], self.callers(parent), metric, sizes));
        }
        let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
        let unit = if self.is_time { Unit::new(Unit::PICOSECONDS) } else { Unit::default() };
        Ok(Imported { unit, routines, ..places.finish(vec![run]) })
    }

    fn profile(
        &self,
        routine: &Routine,
        context: String,
        metric: InputMetric,
        sizes: &Sizes,
    ) -> RoutineProfile {
        let scale = if self.is_time { MICROSECOND as f64 } else { 1.0 };
        let tuple = |point: &Point| Tuple {
            min: self.scaled(point.tuple.min),
            max: self.scaled(point.tuple.max),
            sum: self.scaled(point.tuple.sum),
            sum_of_squares: point.tuple.sum_of_squares * scale * scale,
            ..point.tuple
        };
        RoutineProfile {
            symbol: routine.symbol.clone(),
            object: routine.object.clone(),
            context,
            metric,
            workload: WorkloadId(0),
            tuples: sizes.values().map(tuple).collect(),
        }
    }

    /// A cost in the unit of the study.
    fn scaled(&self, cost: u64) -> u64 {
        if self.is_time { cost.saturating_mul(MICROSECOND) } else { cost }
    }

    /// `main → parse → sort`, the nearest callers.
    fn callers(&self, mut context: Option<u64>) -> String {
        let mut names: Vec<&str> = Vec::new();
        while let Some((routine, parent)) = context.and_then(|c| self.contexts.get(&c)) {
            if names.len() == MOST_CALLERS {
                names.push("…");
                break;
            }
            let name = self.routines.get(routine).map_or("?", |r| r.symbol.name.as_str());
            names.push(&name[..name.floor_char_boundary(LONGEST_CALLER)]);
            context = *parent;
        }
        names.reverse();
        if names.is_empty() { "(no caller)".to_owned() } else { names.join(" → ") }
    }
}

/// Adds a point to those of other sizes, or to the one of its size.
fn add(sizes: &mut Sizes, point: Point) {
    let Some(known) = sizes.get_mut(&point.tuple.size) else {
        sizes.insert(point.tuple.size, point);
        return;
    };
    let (tuple, more) = (&mut known.tuple, point.tuple);
    tuple.calls = tuple.calls.saturating_add(more.calls);
    tuple.min = tuple.min.min(more.min);
    tuple.max = tuple.max.max(more.max);
    tuple.sum = tuple.sum.saturating_add(more.sum);
    tuple.sum_of_squares += more.sum_of_squares;
    known.own = known.own.zip(point.own).map(|(a, b)| a.saturating_add(b));
}

/// `"name" "object" id`, or version 0's `name address object id`, in which names can contain spaces too.
fn routine(text: &str) -> Option<(u64, Routine)> {
    const LONGEST: usize = 4096;
    let (rest, id) = text.trim_end().rsplit_once(' ')?;
    let id = digits(id).filter(|_| !id.is_empty())?;
    let quoted = rest.trim_end().strip_prefix('"').and_then(|r| r.strip_suffix('"'));
    let (name, object) = if let Some(quoted) = quoted {
        quoted.split_once("\" \"")?
    } else {
        let (rest, object) = rest.rsplit_once(' ')?;
        (rest.rsplit_once(' ').filter(|(_, a)| a.starts_with("0x"))?.0, object)
    };
    let cut = |text: &str| text[..text.floor_char_boundary(LONGEST)].to_owned();
    let name = cut(name);
    Some((id, Routine { symbol: Symbol { linkage: name.clone(), name }, object: cut(object) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(head: &str, point: &str) -> String {
        format!(
            "c report\n{head}a ./prog\nf ./prog 5\nr \"sort(int*, int)\" \"/bin/prog\" 7\nu 7 \"_Z4sortPii\"\n{point}\n"
        )
    }

    fn tuples(text: &str) -> Vec<(InputMetric, Tuple)> {
        let read = read(text.as_bytes()).unwrap();
        read.routines.iter().map(|r| (r.metric, r.tuples[0])).collect()
    }

    #[test]
    fn the_fields_of_every_version_are_known() {
        let exact = Tuple { size: 23, calls: 10, min: 15, max: 37, sum: 270, sum_of_squares: 7500.0 };
        let inexact = Tuple { sum_of_squares: 0.0, ..exact };
        let drms = "p 7 23 15 37 270 7500 10 199 200 10 30 4000 0 0 5 6";
        let cases = [
            ("v 1\n", "p 7 23 15 37 270 7500 10", exact),
            ("v 2\n", "p 7 23 15 37 270 10 199 200", inexact),
            ("v 3\n", "p 7 23 15 37 270 10 199 200 10 30", inexact),
            ("v 4\nm bb-count\n", "p 7 23 15 37 270 7500 10 199 200 10 30 4000", exact),
        ];
        for (head, point, expected) in cases {
            assert_eq!(tuples(&report(head, point)), [(InputMetric::Rms, expected)], "{head}");
        }
        assert_eq!(tuples(&report("v 5\n", drms)), [(InputMetric::Drms, exact)]);
        assert_eq!(tuples(&report("v 6\ni rvms\n", &format!("{drms} 1 2"))), [(InputMetric::Drms, exact)]);
        let own = read(report("v 5\n", drms).as_bytes()).unwrap().runs[0].counts[0].1;
        assert_eq!(own, 200);
        let old = "f ./bubble\nr ArraySort 0x8048474 NONE 2\np 2 26 2226 3\n";
        let mean = Tuple { size: 26, calls: 3, min: 2226, max: 2226, sum: 6678, sum_of_squares: 0.0 };
        assert_eq!(tuples(old), [(InputMetric::Rms, mean)]);
    }

    #[test]
    fn contexts_name_their_callers_and_add_up_to_their_routine() {
        let text = "v 4\nr \"main\" \"p\" 1\nr \"sort\" \"p\" 7\nx 1 1 -1\nx 7 2 1\nx 7 3 2\n\
                    q 2 5 9 9 9 81 1 9 9 9 9 81\nq 3 5 4 4 4 16 1 4 4 4 4 16\n";
        let read = read(text.as_bytes()).unwrap();
        let rows: Vec<_> = read.routines.iter().map(|r| (r.context.as_str(), r.tuples[0].sum)).collect();
        assert_eq!(rows, [("", 13), ("main", 9), ("main → sort", 4)]);
        assert_eq!(
            read.routines[0].tuples[0],
            Tuple { size: 5, calls: 2, min: 4, max: 9, sum: 13, sum_of_squares: 97.0 }
        );
    }

    #[test]
    fn times_are_in_picoseconds() {
        let read = read(report("v 1\nm time-usec\n", "p 7 23 1 2 3 5 2").as_bytes()).unwrap();
        assert!(read.unit.is_time());
        let tuple = read.routines[0].tuples[0];
        assert_eq!(
            (tuple.min, tuple.max, tuple.sum, tuple.sum_of_squares),
            (1_000_000, 2_000_000, 3_000_000, 5e12)
        );
    }

    #[test]
    fn a_report_that_is_cut_within_a_line_is_refused() {
        let text = report("v 4\n", "p 7 23 15 37 270 7500 10 199 200 10 30 4000");
        for length in (1..text.len()).filter(|&l| !text[..l].ends_with('\n')) {
            assert!(read(&text.as_bytes()[..length]).is_err(), "{length}");
        }
        let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert!(error("SF:a.c\n").contains("is no aprof report"));
        assert!(error(&report("v 4\n", "p 7 23 15 37 9")).contains("version 4 does not have 4 fields"));
        assert!(error(&report("v 1\n", "p 8 1 1 1 1 1 1")).contains("no routine 8"));
        assert!(error(&report("v 1\n", "p 7 1 9 1 1 1 1")).contains("from 9 to 1"));
    }
}
