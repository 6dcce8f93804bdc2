//! Facts of a module's loops that are known before it runs, as text. trend-runtime's `loop_record.rs` describes the
//! format.

use std::fmt::Write as _;

use trend_runtime::loop_record::{MOST_DEPTH, MOST_INPUTS, MOST_LOOPS};

use crate::flow::loops::Loop;
use crate::ir::value::Value;
use crate::loops::inputs::input::{Input, InputSource};
use crate::loops::statements::stated::{Movement, Statement};

/// A function that is not watched, since it has too many loops or too deep a nest.
pub(crate) struct UnwatchedFunction {
    linkage: String,
    file: String,
    line: u32,
    loops: usize,
    depth: usize,
}

impl UnwatchedFunction {
    /// Returns a function with these loops if it is too large; `None` if they can be watched.
    pub(crate) fn check(function: Value, loops: &[Loop]) -> Option<Self> {
        let (loops, depth) = (loops.len(), depth(loops.iter().map(|one| one.parent)));
        let (file, line) = function.source().unwrap_or_default();
        is_too_large(loops, depth).then(|| Self { linkage: function.name(), file, line, loops, depth })
    }
}

fn is_too_large(loops: usize, depth: usize) -> bool {
    loops > MOST_LOOPS || depth > MOST_DEPTH
}

/// Returns the maximum depth of nested loops, from the parents of all loops. Outer loops come before their inner loops.
fn depth(parents: impl Iterator<Item = Option<usize>>) -> usize {
    let mut depths: Vec<usize> = Vec::new();
    for parent in parents {
        depths.push(parent.map_or(1, |parent| depths[parent] + 1));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Facts of a function that are known before it runs.
pub(crate) struct FunctionFacts {
    pub(crate) linkage: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) parameters: Vec<String>,
    pub(crate) loops: Vec<LoopFacts>,
    pub(crate) calls: Vec<CallFacts>,
}

/// Facts of a loop that are known before it runs.
#[derive(Default)]
pub(crate) struct LoopFacts {
    pub(crate) line: u32,
    pub(crate) parent: Option<usize>,
    /// True if only one block leaves the loop normally.
    pub(crate) has_one_exit: bool,
    pub(crate) is_conditional: bool,
    pub(crate) constant_trips: Option<u64>,
    /// Index of the loop's tables; `None` if the loop is not watched.
    pub(crate) table: Option<usize>,
    /// Inner loops, if the trips of all of them are counted.
    pub(crate) inner: Option<Vec<usize>>,
    /// `[per trip, fixed]` cost of an activation, if the code determines it.
    pub(crate) affine_cost: Option<[u64; 2]>,
    /// True if activations are also counted at their beginning.
    pub(crate) is_start_counted: bool,
    pub(crate) inputs: Vec<Input>,
    pub(crate) stated: Statement,
}

/// Facts of a call that are known before it runs.
pub(crate) struct CallFacts {
    pub(crate) line: u32,
    pub(crate) parent_loop: Option<usize>,
    pub(crate) is_conditional: bool,
    /// Linkage name of the callee; `None` for a call through a pointer.
    pub(crate) callee: Option<String>,
    pub(crate) arguments: Vec<Option<String>>,
}

/// Returns the text of a module.
pub(crate) fn text(functions: &[FunctionFacts], too_large: &[UnwatchedFunction]) -> String {
    let mut text = String::new();
    for UnwatchedFunction { linkage, file, line, loops, depth } in too_large {
        let _ = writeln!(text, "N\t{}\t{}\t{line}\t{loops}\t{depth}", word(linkage), word(file));
    }
    for function in functions {
        let _ = write!(text, "F\t{}\t{}\t{}", word(&function.linkage), word(&function.file), function.line);
        for parameter in &function.parameters {
            let _ = write!(text, "\t{}", word(parameter));
        }
        text.push('\n');
        for one in &function.loops {
            loop_text(&mut text, one);
        }
        for call in &function.calls {
            let (line, within) = (call.line, number(call.parent_loop));
            let conditional = if call.is_conditional { 'c' } else { '-' };
            let _ = write!(
                text,
                "C\t{line}\t{within}\t{conditional}\t{}",
                word(call.callee.as_deref().unwrap_or_default())
            );
            for argument in &call.arguments {
                match argument {
                    Some(argument) => text.extend(["\t=", &word(argument)]),
                    None => text.push_str("\t-"),
                }
            }
            text.push('\n');
        }
    }
    text
}

fn loop_text(text: &mut String, one: &LoopFacts) {
    let exits = if one.has_one_exit { '1' } else { 'n' };
    let conditional = if one.is_conditional { 'c' } else { '-' };
    let trips = one.constant_trips.map_or("-".to_owned(), |trips| trips.to_string());
    let started = if one.is_start_counted { 's' } else { '-' };
    let cost = one.affine_cost.map_or("-".to_owned(), |[each, once]| format!("{each}+{once}"));
    let inner = number(one.inner.as_ref().map(Vec::len));
    let _ = writeln!(
        text,
        "L\t{}\t{}\t{exits}\t{conditional}\t{trips}\t{}\t{started}\t{inner}\t{cost}",
        one.line,
        number(one.parent),
        number(one.table)
    );
    for input in one.inputs.iter().take(MOST_INPUTS) {
        let value = match input.source {
            InputSource::Changes => '-',
            InputSource::Before(value) | InputSource::Inside(value) if value.ty().is_floating() => 'f',
            _ => 'i',
        };
        let (kind, counter) = (input.kind.letter(), number(input.counter_of));
        let limit = if input.is_limit { 'l' } else { '-' };
        let _ = writeln!(text, "I\t{kind}\t{counter}\t{value}\t{limit}\t{}", word(&input.name));
    }
    if let Some(trips) = &one.stated.trips {
        let _ = writeln!(text, "S\t{}\t{trips}", if one.stated.is_bound { '<' } else { '=' });
    }
    for Movement { varies_in, counting } in &one.stated.movements {
        let [start, step] = match counting {
            Some(counting) => counting.each_ref().map(ToString::to_string),
            None => ["-", "-"].map(str::to_owned),
        };
        let _ = writeln!(text, "M\t{}\t{start}\t{step}", number(*varies_in));
    }
}

fn number(number: Option<usize>) -> String {
    number.map_or("-".to_owned(), |number| number.to_string())
}

/// Replaces the characters that separate words and lines.
fn word(word: &str) -> String {
    word.replace(['\t', '\n', '\0'], " ")
}

/// Returns the FNV-1a hash of a text.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_loops_and_deep_ones_are_too_much_and_many_beside_one_another_are_not_deep() {
        let nest = |parents: &[Option<usize>]| depth(parents.iter().copied());
        assert_eq!(nest(&[]), 0);
        assert_eq!(nest(&[None, Some(0), Some(1), Some(0), None]), 3);
        assert_eq!(depth((0..5000).map(|_| None)), 1);
        assert_eq!(
            [(4096, 64), (4097, 1), (65, 65)].map(|(loops, depth)| is_too_large(loops, depth)),
            [false, true, true]
        );
    }
}
