//! Programs of loops, written as text and run by an interpreter that watches them as the probe does.
//!
//! ```text
//!   kernel(n, m)
//!     for i 0 n                 for (i = 0; i < n; i++)
//!       if i-3                  if (i > 3)
//!         for j i+1 m step 2    for (j = i + 1; j < m; j += 2)
//!     for k n-1 0 down          for (k = n - 1; k >= 0; k--)
//!     call g(n-1, m)
//! ```
//!
//! The interpreter counts trips by running them.

use std::collections::{BTreeMap, HashMap};

use trend_model::loops::{Atom, Polynomial};
use trend_profile::{
    LoopCall, LoopExpression, LoopExtreme, LoopFunction, LoopInput, LoopInputKind, LoopInputValue,
    LoopMovement, LoopObservation, LoopStatement, LoopSummary, LoopTerm, LoopTotal, ProgramLoop, Symbol,
};

enum Node {
    Loop {
        index: usize,
        counter: String,
        from: Polynomial,
        to: Polynomial,
        step: i64,
        body: Vec<Node>,
    },
    /// The body runs if the condition is above 0.
    If {
        condition: Polynomial,
        body: Vec<Node>,
    },
    Nothing,
}

pub(in crate::loops) struct Program {
    text: String,
    pub(in crate::loops) function: LoopFunction,
    body: Vec<Node>,
    /// For each loop, its observations by inputs: activations, trips, and the trips of the loops inside.
    observations: Vec<BTreeMap<[i64; 4], LoopObservation>>,
}

impl Program {
    /// Parses a program from text.
    pub(in crate::loops) fn new(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let (name, parameters) = called(lines[0].trim());
        let mut function = LoopFunction {
            symbol: Symbol { name: name.clone(), linkage: name },
            object: "test.c".to_owned(),
            file: "test.c".to_owned(),
            line: 1,
            parameters,
            loops: Vec::new(),
            calls: Vec::new(),
        };
        let mut next = 1;
        let body = block(&lines, &mut next, 0, &mut Vec::new(), false, &mut function);
        assert_eq!(next, lines.len(), "{}", lines.get(next).unwrap_or(&""));
        let observations = function.loops.iter().map(|_| BTreeMap::new()).collect();
        Self { text: text.to_owned(), function, body, observations }
    }

    /// Adds what the code states about each loop, as the probe does.
    pub(super) fn stated(mut self) -> Self {
        let mut all = HashMap::new();
        gather(&self.body, &mut all);
        let before = self.function.loops.clone();
        for (index, one) in self.function.loops.iter_mut().enumerate() {
            let (from, to, step) = &all[&index];
            let parameters = &self.function.parameters;
            one.stated = statement(one, &before, parameters, (from, to, *step), &all);
        }
        self
    }

    /// Returns the same program without observations.
    pub(super) fn again(&self) -> Self {
        let new = Self::new(&self.text);
        if self.function.loops.iter().any(|one| !one.stated.trips.is_empty()) { new.stated() } else { new }
    }

    /// Runs the program with arguments.
    pub(super) fn run(&mut self, arguments: &[i64]) {
        let names = self.function.parameters.iter().cloned();
        let mut values: HashMap<String, i64> = names.zip(arguments.iter().copied()).collect();
        let mut trips = vec![0; self.function.loops.len()];
        run(&self.body, &self.function, &mut values, &mut trips, &mut self.observations);
    }

    /// Returns the function with its observations.
    pub(super) fn observed(&self) -> LoopFunction {
        let mut function = self.function.clone();
        for (one, by_inputs) in function.loops.iter_mut().zip(&self.observations) {
            one.observations = by_inputs.values().cloned().collect();
            one.total = LoopTotal::default();
            for o in &one.observations {
                let extreme = |trips| LoopExtreme { trips, inputs: o.inputs };
                one.total.add(&LoopTotal {
                    activations: o.activations,
                    trips: o.trips.sum,
                    least: extreme(o.trips.least),
                    greatest: extreme(o.trips.greatest),
                    sampled: None,
                });
            }
        }
        function
    }
}

/// Start, end and step of each loop.
type Headers = HashMap<usize, (Polynomial, Polynomial, i64)>;

fn gather(nodes: &[Node], all: &mut Headers) {
    for node in nodes {
        match node {
            Node::Loop { index, from, to, step, body, .. } => {
                all.insert(*index, (from.clone(), to.clone(), *step));
                gather(body, all);
            }
            Node::If { body, .. } => gather(body, all),
            Node::Nothing => {}
        }
    }
}

/// Returns the statement about a loop: its trips, and the movement of its inputs.
fn statement(
    one: &ProgramLoop,
    loops: &[ProgramLoop],
    parameters: &[String],
    (from, to, step): (&Polynomial, &Polynomial, i64),
    all: &Headers,
) -> LoopStatement {
    let distance = if step > 0 {
        to.minus(from).unwrap()
    } else {
        from.minus(to).unwrap().plus(&Polynomial::integer(1)).unwrap()
    };
    let mut trips = terms(&distance, one);
    trips.extend([LoopTerm::Number(step.abs()), LoopTerm::QuotientUp]);
    let movement = |input: &LoopInput| {
        assert!(input.counter_of.is_some() || parameters.contains(&input.name));
        let Some(counter_loop) = input.counter_of.map(|counter_loop| counter_loop as usize) else {
            return LoopMovement::default();
        };
        let (start, _, step) = &all[&counter_loop];
        LoopMovement {
            varies_in: input.counter_of,
            start: LoopExpression(terms(start, &loops[counter_loop])),
            step: LoopExpression(vec![LoopTerm::Number(*step)]),
        }
    };
    let inputs = one.inputs.iter().map(movement).collect();
    LoopStatement { trips: LoopExpression(trips), is_bound: false, inputs }
}

/// Returns a polynomial of names as an expression in the inputs of a loop.
fn terms(polynomial: &Polynomial, one: &ProgramLoop) -> Vec<LoopTerm> {
    let mut terms = vec![LoopTerm::Number(0)];
    for (monomial, coefficient) in polynomial.terms() {
        terms.push(LoopTerm::Number(i64::try_from(coefficient.as_integer().unwrap()).unwrap()));
        for (atom, power) in monomial {
            let Atom::Name(name) = atom else { panic!("{atom}") };
            let input = one.inputs.iter().position(|input| input.name == **name).unwrap();
            for _ in 0..*power {
                terms.extend([LoopTerm::Input(input as u32), LoopTerm::Times]);
            }
        }
        terms.push(LoopTerm::Plus);
    }
    terms
}

fn called(text: &str) -> (String, Vec<String>) {
    let (name, rest) = text.split_once('(').unwrap();
    let arguments = rest.trim_end_matches(')').split(',').map(str::trim).filter(|one| !one.is_empty());
    (name.to_owned(), arguments.map(str::to_owned).collect())
}

fn read(text: &str) -> Polynomial {
    Polynomial::parse(text).unwrap_or_else(|| panic!("{text}"))
}

/// Parses the lines from `next` on that are indented deeper than `indent`.
fn block(
    lines: &[&str],
    next: &mut usize,
    indent: usize,
    around: &mut Vec<(usize, String)>,
    mut is_conditional: bool,
    function: &mut LoopFunction,
) -> Vec<Node> {
    let mut nodes = Vec::new();
    while let Some(line) = lines.get(*next) {
        let depth = line.len() - line.trim_start().len();
        if depth <= indent {
            break;
        }
        *next += 1;
        let number = *next as u32;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["for", counter, from, to, rest @ ..] => {
                let step = match rest {
                    [] => 1,
                    ["down"] => -1,
                    ["step", step] => step.parse().unwrap(),
                    _ => panic!("{line}"),
                };
                let (from, to) = (read(from), read(to));
                let names = from.names().into_iter().chain(to.names());
                let mut inputs: Vec<LoopInput> = Vec::new();
                for name in names {
                    let enclosing = around.iter().rev().find(|(_, counter)| **counter == *name);
                    let counter_of = enclosing.map(|(index, _)| *index as u32);
                    let kind =
                        if counter_of.is_some() { LoopInputKind::Variable } else { LoopInputKind::Parameter };
                    let input = LoopInput {
                        name: name.to_string(),
                        kind,
                        counter_of,
                        value: LoopInputValue::Integer,
                        is_limit: true,
                    };
                    if !inputs.contains(&input) {
                        inputs.push(input);
                    }
                }
                let index = function.loops.len();
                function.loops.push(ProgramLoop {
                    line: number,
                    parent: around.last().map(|(index, _)| *index as u32),
                    inputs,
                    is_conditional,
                    ..ProgramLoop::default()
                });
                around.push((index, (*counter).to_owned()));
                let body = block(lines, next, depth, around, false, function);
                around.pop();
                nodes.push(Node::Loop { index, counter: (*counter).to_owned(), from, to, step, body });
            }
            ["if", condition] => {
                let body = block(lines, next, depth, around, true, function);
                nodes.push(Node::If { condition: read(condition), body });
            }
            // The code after this line may not be reached.
            ["perhaps-return"] => is_conditional = true,
            ["call", ..] => {
                let (callee, arguments) = called(line.trim().strip_prefix("call ").unwrap());
                function.calls.push(LoopCall {
                    line: number,
                    within: around.last().map(|(index, _)| *index as u32),
                    is_conditional,
                    callee: Some(callee).filter(|callee| callee != "pointer"),
                    arguments: arguments.into_iter().map(Some).collect(),
                });
                nodes.push(Node::Nothing);
            }
            _ => panic!("{line}"),
        }
    }
    nodes
}

fn run(
    nodes: &[Node],
    function: &LoopFunction,
    values: &mut HashMap<String, i64>,
    trips: &mut Vec<u64>,
    observations: &mut [BTreeMap<[i64; 4], LoopObservation>],
) {
    for node in nodes {
        let value = |one: &Polynomial, values: &HashMap<String, i64>| {
            let value = one.value(&|name| values.get(name).map(|value| i128::from(*value)));
            i64::try_from(value.unwrap().as_integer().unwrap()).unwrap()
        };
        match node {
            Node::Nothing => {}
            Node::If { condition, body } => {
                if value(condition, values) > 0 {
                    run(body, function, values, trips, observations);
                }
            }
            Node::Loop { index, counter, from, to, step, body } => {
                let mut inputs = [0; 4];
                for (slot, input) in inputs.iter_mut().zip(&function.loops[*index].inputs) {
                    *slot = values[&input.name];
                }
                let before = trips.clone();
                let (mut at, end) = (value(from, values), value(to, values));
                let mut own = 0;
                while if *step > 0 { at < end } else { at >= end } {
                    values.insert(counter.clone(), at);
                    run(body, function, values, trips, observations);
                    at += step;
                    own += 1;
                }
                trips[*index] += own;
                let inner = function.nested().swap_remove(*index);
                let inner_trips =
                    inner.iter().map(|&one| trips[one as usize] - before[one as usize]).collect();
                let cost = LoopSummary::new(1 + own);
                let activation = LoopObservation {
                    inputs,
                    activations: 1,
                    trips: LoopSummary::new(own),
                    cost,
                    inner_trips,
                };
                observations[*index].entry(inputs).and_modify(|o| o.add(&activation)).or_insert(activation);
            }
        }
    }
}
