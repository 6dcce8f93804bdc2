//! Parses trend-probe's text about a module's loops, in the format of `trend_runtime::loop_record`.

use trend_profile::{
    LoopCall, LoopExits, LoopExpression, LoopFunction, LoopInput, LoopInputKind, LoopInputValue,
    LoopMovement, LoopTerm, MOST_LOOP_INPUTS, MOST_LOOP_TERMS, ProgramLoop, Warning, WarningKind,
};
use trend_runtime::loop_record::{MOST_DEPTH, MOST_LOOPS};

use super::damaged;
use crate::import::{Budget, ImportError, Root};
use crate::names::symbol_of_routine;

/// Functions of a module, and the tables of their loops.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    pub(super) functions: Vec<LoopFunction>,
    pub(super) tables: Vec<Watched>,
    /// Functions that are not instrumented, by name and place.
    pub(super) too_large: Vec<TooLarge>,
}

/// A function that is not instrumented, because it has too many loops or too deep nests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TooLarge {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) loops: usize,
    pub(super) depth: usize,
}

impl TooLarge {
    /// Returns the warning about such functions in a record.
    pub(super) fn warning(mut all: Vec<Self>) -> Option<Warning> {
        all.sort_unstable();
        all.dedup();
        let first = all.first()?;
        let Self { name, file, line, loops, depth } = first;
        let others = match &all[1..] {
            [] => String::new(),
            [other] => format!(" and {}", other.name),
            others => format!(" and {} more functions", others.len()),
        };
        let message = format!(
            "the loops of {name} ({file}:{line}: {loops} loops, {depth} deep){others} are missing: \
             functions with more than {MOST_LOOPS} loops, or nested more than {MOST_DEPTH} deep, are not \
             watched"
        );
        Some(Warning::new(WarningKind::TooManyLoops, message))
    }
}

/// An instrumented loop and its table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Watched {
    /// Number of its table in the module.
    pub(super) table: u32,
    pub(super) function: usize,
    pub(super) number: usize,
    /// Number of trip sums of inner loops per entry; `None` if they are not counted.
    pub(super) inner: Option<usize>,
    pub(super) is_start_counted: bool,
    /// Cost of an activation per trip, and its constant part; `None` if entries record costs.
    pub(super) cost: Option<[u64; 2]>,
    /// Number of inputs with values.
    pub(super) values: usize,
}

/// Parses a module's text. Functions without loops and calls are left out.
///
/// # Errors
/// Fails if the text contradicts itself, or takes too much memory.
pub(super) fn read(text: &str, root: &Root, budget: &Budget) -> Result<Facts, ImportError> {
    let mut facts = Facts::default();
    for line in text.lines() {
        // Each word of a line is either a name that is kept, or most of a loop's or an input's data.
        let words = line.bytes().filter(|byte| *byte == b'\t').count() + 1;
        budget.keep(line.len() + size_of::<ProgramLoop>() + words * size_of::<String>());
        budget.check()?;
        let words: Vec<&str> = line.split('\t').collect();
        match words[..] {
            ["F", linkage, file, line, ref parameters @ ..] => {
                finish(&mut facts)?;
                let file = root.short_name(file);
                budget.keep(2 * file.len() + linkage.len());
                facts.functions.push(LoopFunction {
                    symbol: symbol_of_routine(linkage),
                    object: file.clone(),
                    file,
                    line: number(line)?,
                    parameters: parameters.iter().map(|name| (*name).to_owned()).collect(),
                    loops: Vec::new(),
                    calls: Vec::new(),
                });
            }
            ["L", line, parent, exits, conditional, trips, table, started, inner, cost] => {
                let function = facts
                    .functions
                    .len()
                    .checked_sub(1)
                    .ok_or_else(|| damaged("a loop without a function"))?;
                let loops = &mut facts.functions[function].loops;
                let parent: Option<u32> = optional(parent)?;
                if parent.is_some_and(|parent| parent as usize >= loops.len()) {
                    return Err(damaged("a loop within a loop that does not exist"));
                }
                loops.push(ProgramLoop {
                    line: number(line)?,
                    parent,
                    exits: if exits == "1" { LoopExits::Single } else { LoopExits::Several },
                    is_conditional: conditional == "c",
                    constant_trips: optional(trips)?,
                    is_uncounted: trips == "-" && table == "-",
                    ..ProgramLoop::default()
                });
                if let Some(table) = optional(table)? {
                    let (inner, index) = (optional(inner)?, loops.len() - 1);
                    let is_start_counted = started == "s";
                    let cost = match cost.split_once('+') {
                        Some((each, once)) => Some([number(each)?, number(once)?]),
                        None => None,
                    };
                    facts.tables.push(Watched {
                        table,
                        function,
                        number: index,
                        inner,
                        is_start_counted,
                        cost,
                        values: 0,
                    });
                }
            }
            ["I", kind, counter, value, limit, name] => {
                let one = facts.functions.last_mut().and_then(|f| f.loops.last_mut());
                let one = one.ok_or_else(|| damaged("an input without a loop"))?;
                let counter_of: Option<u32> = optional(counter)?;
                if one.inputs.len() >= MOST_LOOP_INPUTS {
                    return Err(damaged("a loop with too many inputs"));
                }
                let kind = kind_of(kind).ok_or_else(|| damaged("a loop input of unknown kind"))?;
                let value = match value {
                    "f" => LoopInputValue::Floating,
                    "i" => LoopInputValue::Integer,
                    _ => LoopInputValue::Changing,
                };
                one.inputs.push(LoopInput {
                    name: name.to_owned(),
                    kind,
                    counter_of,
                    value,
                    is_limit: limit == "l",
                });
                let (function, number) =
                    (facts.functions.len(), facts.functions.last().map_or(0, |f| f.loops.len()));
                let mut last = facts.tables.last_mut();
                last = last.filter(|t| (t.function + 1, t.number + 1) == (function, number));
                if let Some(watched) = last.filter(|_| value != LoopInputValue::Changing) {
                    watched.values += 1;
                }
            }
            ["S", kind, terms] => {
                let one = facts.functions.last_mut().and_then(|f| f.loops.last_mut());
                let one = one.ok_or_else(|| damaged("a statement without a loop"))?;
                (one.stated.trips, one.stated.is_bound) = (expression(terms)?, kind == "<");
            }
            ["M", varies, start, step] => {
                let one = facts.functions.last_mut().and_then(|f| f.loops.last_mut());
                let one = one.ok_or_else(|| damaged("a movement without a loop"))?;
                if one.stated.inputs.len() >= one.inputs.len() {
                    return Err(damaged("more movements than inputs"));
                }
                let (start, step) = (expression(start)?, expression(step)?);
                one.stated.inputs.push(LoopMovement { varies_in: optional(varies)?, start, step });
            }
            ["C", line, within, conditional, callee, ref arguments @ ..] => {
                let function = facts.functions.last_mut();
                let function = function.ok_or_else(|| damaged("a call without a function"))?;
                let within: Option<u32> = optional(within)?;
                function.calls.push(LoopCall {
                    line: number(line)?,
                    within,
                    is_conditional: conditional == "c",
                    callee: (!callee.is_empty()).then(|| symbol_of_routine(callee).linkage),
                    arguments: arguments
                        .iter()
                        .map(|word| word.strip_prefix('=').map(str::to_owned))
                        .collect(),
                });
            }
            ["N", linkage, file, line, loops, depth] => facts.too_large.push(TooLarge {
                name: symbol_of_routine(linkage).name,
                file: root.short_name(file),
                line: number(line)?,
                loops: number(loops)?,
                depth: number(depth)?,
            }),
            _ => return Err(damaged("a line about loops without content")),
        }
    }
    finish(&mut facts)?;
    Ok(facts)
}

/// Checks the last function once it is complete.
fn finish(facts: &mut Facts) -> Result<(), ImportError> {
    let Some(function) = facts.functions.last() else { return Ok(()) };
    let number = facts.functions.len() - 1;
    let nested = function.loops_nested();
    let mut last = facts.tables.iter().rev().take_while(|watched| watched.function == number);
    if last.any(|watched| watched.inner.is_some_and(|inner| inner != nested[watched.number])) {
        return Err(damaged("missing sums of inner loops"));
    }
    match function.flaw() {
        Some(_) => Err(damaged("a function with loops that contradict each other")),
        None => Ok(()),
    }
}

fn kind_of(letter: &str) -> Option<LoopInputKind> {
    Some(match letter {
        "P" => LoopInputKind::Parameter,
        "V" => LoopInputKind::Variable,
        "F" => LoopInputKind::Field,
        "L" => LoopInputKind::Length,
        "T" => LoopInputKind::Target,
        "G" => LoopInputKind::Global,
        "R" => LoopInputKind::Result,
        "U" => LoopInputKind::Unnamed,
        _ => return None,
    })
}

/// Parses an expression in postfix order; its shape is checked with the function.
fn expression(text: &str) -> Result<LoopExpression, ImportError> {
    if text == "-" {
        return Ok(LoopExpression::default());
    }
    let term = |word: &str| {
        Ok(match word {
            "+" => LoopTerm::Plus,
            "-" => LoopTerm::Minus,
            "*" => LoopTerm::Times,
            "d" => LoopTerm::QuotientDown,
            "u" => LoopTerm::QuotientUp,
            "l" => LoopTerm::Lesser,
            "g" => LoopTerm::Greater,
            "ld" => LoopTerm::LogarithmDown,
            "lu" => LoopTerm::LogarithmUp,
            _ => match word.strip_prefix('#') {
                Some(input) => LoopTerm::Input(number(input)?),
                None => LoopTerm::Number(number(word)?),
            },
        })
    };
    let terms: Result<Vec<LoopTerm>, ImportError> =
        text.split(' ').take(MOST_LOOP_TERMS + 1).map(term).collect();
    Ok(LoopExpression(terms?))
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, ImportError> {
    word.parse().map_err(|_| damaged("a value of a loop that is not a number"))
}

fn optional<T: std::str::FromStr>(word: &str) -> Result<Option<T>, ImportError> {
    if word == "-" { Ok(None) } else { number(word).map(Some) }
}
