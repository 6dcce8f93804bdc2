//! Parses a report like aprof-plot, and rejects input on which aprof-plot throws an exception.
//!
//! The grammar follows its parser (`AprofReport.java`). Words are separated by white space. Costs are decimals; all
//! other numbers are 64-bit integers. The version determines exactly which fields a point has:
//!
//! ```text
//! line   = "c" … | "v" VERSION | "m" COST-METRIC | "i" INPUT-METRIC | "k" TOTAL | "a" WORD | "f " COMMAND
//!        | routine | "u" ROUTINE NAME… | ("p" ROUTINE | "q" CONTEXT) point | "x" ROUTINE CONTEXT (CALLER | "-1")
//! routine = 'r "' NAME '" "' OBJECT '" ' ROUTINE       by single spaces; neither name has a quotation mark
//! point  = SIZE MIN MAX SUM [SQUARES: versions 1, 4, 5] CALLS
//!          [REAL SELF: from 2 on] [SELFMIN SELFMAX: from 3 on] [SELFSQUARES: from 4 on] [induced: DRMS from 5 on]
//! induced = UNUSED UNUSED [SYSCALL THREAD [SELFSYSCALL SELFTHREAD]]
//! ```
//!
//! aprof-plot stores routines and contexts in lists by number, and resolves references in the order of the lines:
//!
//! ```text
//! r "main" "p" 0       a routine; from the first `q` on one with contexts
//! p 0 9 …              a point of a routine that has to be there
//! q 2 9 …              a point of a context, which this line makes
//! x 0 2 -1             names the routine of a context that has a point, and its caller
//! ```
//!
//! In a report with contexts, each routine must have one.

use std::collections::BTreeMap;
use std::str::SplitWhitespace;

/// Costs of all calls with one input size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) sum: f64,
    pub(crate) squares: f64,
    pub(crate) calls: u64,
    pub(crate) real: f64,
    pub(crate) own: f64,
    pub(crate) own_min: f64,
    pub(crate) own_max: f64,
    pub(crate) own_squares: f64,
    /// Input from the kernel and from other threads: in total, then the part that the routine read itself.
    pub(crate) induced: [u64; 4],
}

type Points = BTreeMap<u64, Point>;

#[derive(Debug)]
struct Routine {
    name: String,
    has_contexts: bool,
    points: Points,
}

/// A calling context; `caller` is the number of another context.
#[derive(Debug, Default)]
struct Context {
    routine: Option<usize>,
    caller: Option<usize>,
    points: Points,
}

#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) version: i32,
    pub(crate) metric: String,
    pub(crate) input: String,
    pub(crate) total: f64,
    pub(crate) own: f64,
    routines: Vec<Option<Routine>>,
    contexts: Vec<Option<Context>>,
}

pub(crate) fn read(report: &str) -> Result<Report, String> {
    let mut read = Report { version: -1, ..Report::default() };
    for line in report.lines() {
        read.line(line).map_err(|problem| format!("{problem}: {line}"))?;
    }
    if !read.contexts.is_empty() {
        for routine in read.routines.iter().flatten() {
            if !routine.has_contexts {
                return Err(format!("{} has no context", routine.name));
            }
        }
        for context in read.contexts.iter().flatten() {
            let routine = context.routine.ok_or("a context is that of no routine")?;
            let points = &mut read.routines[routine].as_mut().ok_or("no such routine")?.points;
            for (size, point) in &context.points {
                points.entry(*size).and_modify(|sum| sum.add(point)).or_insert(*point);
            }
        }
    }
    if read.routines.iter().any(Option::is_none) {
        return Err("a number is that of no routine".to_owned());
    }
    Ok(read)
}

impl Report {
    /// Returns the points of each routine, summed over its contexts.
    pub(crate) fn routines(&self) -> BTreeMap<&str, &Points> {
        self.routines.iter().flatten().map(|routine| (routine.name.as_str(), &routine.points)).collect()
    }

    /// Returns caller and callee of each context that has a caller, as in `main → parse`.
    pub(crate) fn callers(&self) -> Vec<(&str, &str)> {
        let name = |context: &Context| {
            context.routine.and_then(|at| self.routines[at].as_ref()).map_or("", |routine| &routine.name)
        };
        let contexts = self.contexts.iter().flatten();
        let called = contexts.filter_map(|context| Some((self.contexts[context.caller?].as_ref()?, context)));
        called.map(|(caller, context)| (name(caller), name(context))).collect()
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "v" => self.version = number(&mut words)?,
            "m" => self.metric = word(&mut words)?.to_owned(),
            "i" => self.input = word(&mut words)?.to_owned(),
            "k" => self.total = number(&mut words)?,
            "a" => {
                word(&mut words)?;
            }
            "c" => {}
            "f" => {
                line.strip_prefix("f ").ok_or("no command")?;
            }
            "r" => self.routine(line)?,
            "u" => {
                self.routine_at(number(&mut words)?)?;
            }
            "p" => {
                let (routine, size) = (number(&mut words)?, number(&mut words)?);
                let point = self.point(&mut words)?;
                self.routine_at(routine)?.points.insert(size, point).map_or(Ok(()), twice)?;
            }
            "q" => {
                let (context, size) = (number(&mut words)?, number(&mut words)?);
                let point = self.point(&mut words)?;
                let context = at(&mut self.contexts, context).get_or_insert_default();
                context.points.insert(size, point).map_or(Ok(()), twice)?;
            }
            "x" => {
                let (routine, context) = (number(&mut words)?, number::<usize>(&mut words)?);
                let caller = usize::try_from(number::<i64>(&mut words)?).ok();
                self.routine_at(routine)?.has_contexts = true;
                if caller.is_some_and(|caller| self.contexts.get(caller).is_none_or(Option::is_none)) {
                    return Err("the caller has no point".to_owned());
                }
                let node = self.contexts.get_mut(context).and_then(Option::as_mut);
                let node = node.ok_or("the context has no point")?;
                (node.routine, node.caller) = (Some(routine), caller);
            }
            // aprof-plot ignores such a line, so its data would be lost.
            _ => return Err("a line of no kind".to_owned()),
        }
        Ok(())
    }

    /// `r "([^"]+)" "([^"]+)" ([0-9]+)`.
    fn routine(&mut self, line: &str) -> Result<(), String> {
        let ["r ", name, " ", object, id] = line.split('"').collect::<Vec<_>>()[..] else {
            return Err("no routine".to_owned());
        };
        if name.is_empty() || object.is_empty() {
            return Err("a routine without a name".to_owned());
        }
        let has_contexts = !self.contexts.is_empty();
        let routine = Routine { name: name.to_owned(), has_contexts, points: Points::new() };
        *at(&mut self.routines, number(&mut id.split_whitespace())?) = Some(routine);
        Ok(())
    }

    fn routine_at(&mut self, number: usize) -> Result<&mut Routine, String> {
        self.routines.get_mut(number).and_then(Option::as_mut).ok_or_else(|| "no such routine".to_owned())
    }

    /// Parses the fields after the size.
    fn point(&mut self, words: &mut SplitWhitespace<'_>) -> Result<Point, String> {
        let version = self.version;
        let mut point =
            Point { min: number(words)?, max: number(words)?, sum: number(words)?, ..Point::default() };
        if !(2..=3).contains(&version) {
            point.squares = number(words)?;
        }
        point.calls = number(words)?;
        if version >= 2 {
            (point.real, point.own) = (number(words)?, number(words)?);
            self.own += point.own;
        }
        if version >= 3 {
            (point.own_min, point.own_max) = (number(words)?, number(words)?);
        }
        if version > 3 {
            point.own_squares = number(words)?;
        }
        if version >= 5 && self.input == "drms" {
            let _ = (word(words)?, word(words)?);
            for pair in point.induced.chunks_mut(2) {
                if let Some(first) = words.next() {
                    pair[0] = first.parse().map_err(|_| format!("`{first}` is not a number"))?;
                    pair[1] = number(words)?;
                }
            }
        }
        if let Some(word) = words.next() {
            return Err(format!("`{word}` is in no field"));
        }
        if point.min <= 0.0 || point.min > point.max || point.calls == 0 {
            return Err("invalid costs".to_owned());
        }
        // aprof-plot draws the variances of both kinds of costs.
        let is_negative = |squares: f64, sum: f64| {
            let mean = sum / point.calls as f64;
            version > 3 && squares / point.calls as f64 - mean * mean < 0.0
        };
        if is_negative(point.squares, point.sum) || is_negative(point.own_squares, point.own) {
            return Err("invalid variance".to_owned());
        }
        Ok(point)
    }
}

impl Point {
    pub(crate) fn add(&mut self, more: &Self) {
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
        self.sum += more.sum;
        self.squares += more.squares;
        self.calls += more.calls;
        self.real += more.real;
        self.own += more.own;
        self.own_min = self.own_min.min(more.own_min);
        self.own_max = self.own_max.max(more.own_max);
        self.own_squares += more.own_squares;
        self.induced.iter_mut().zip(more.induced).for_each(|(total, more)| *total += more);
    }
}

/// Returns an entry of the list, and extends the list if needed.
fn at<T>(list: &mut Vec<Option<T>>, index: usize) -> &mut Option<T> {
    while list.len() <= index {
        list.push(None);
    }
    &mut list[index]
}

fn word<'a>(words: &mut SplitWhitespace<'a>) -> Result<&'a str, String> {
    words.next().ok_or_else(|| "a word is missing".to_owned())
}

fn number<T: std::str::FromStr>(words: &mut SplitWhitespace<'_>) -> Result<T, String> {
    let word = word(words)?;
    word.parse().map_err(|_| format!("`{word}` is not a number"))
}

fn twice(_: Point) -> Result<(), String> {
    Err("a size has two points".to_owned())
}
