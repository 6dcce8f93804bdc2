//! Encodes functions with their loops, calls and observations, one after the other.

use serde::{Deserialize, Serialize};

use super::body::{BadBody, Budget, Values, push};
use crate::observed::loops::{
    LoopCall, LoopExits, LoopExtreme, LoopFunction, LoopInput, LoopInputKind, LoopInputValue,
    LoopObservation, LoopSummary, LoopTotal, MOST_LOOP_INPUTS, ProgramLoop,
};
use crate::program::location::Symbol;
use crate::program::loops_stated::{LoopExpression, LoopMovement, LoopStatement, LoopTerm, MOST_LOOP_TERMS};

/// A function: name, linkage, object, file, line; numbers of parameters, loops and calls.
type FunctionRow<'a> = (&'a str, &'a str, &'a str, &'a str, u32, [u32; 3]);

/// A loop: line, parent, exits, conditional flag, constant trips, numbers of inputs and observations.
type LoopRow = (u32, Option<u32>, Exits, bool, Option<u64>, [u32; 2]);

/// Exits of a loop, and if a statement follows its inputs. No statement follows if the loop is not counted. Earlier
/// studies have only the first two or four.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Exits {
    Single,
    Several,
    SingleStated,
    SeveralStated,
    Uncounted,
}

impl Exits {
    fn from_loop(one: &ProgramLoop) -> Self {
        match (one.exits, one.stated == LoopStatement::default()) {
            _ if one.is_uncounted => Self::Uncounted,
            (LoopExits::Single, true) => Self::Single,
            (LoopExits::Several, true) => Self::Several,
            (LoopExits::Single, false) => Self::SingleStated,
            (LoopExits::Several, false) => Self::SeveralStated,
        }
    }

    fn exits(self) -> LoopExits {
        match self {
            Self::Single | Self::SingleStated => LoopExits::Single,
            Self::Several | Self::SeveralStated | Self::Uncounted => LoopExits::Several,
        }
    }

    fn is_stated(self) -> bool {
        matches!(self, Self::SingleStated | Self::SeveralStated)
    }
}

/// Totals over all activations: number, trips, both extremes, the sampled share.
type TotalRow = (u64, u64, LoopExtreme, LoopExtreme, Option<f64>);

/// A call: line, loop around it, conditional flag, callee, an obsolete field, number of arguments. The callee of a call
/// through a pointer is empty.
type CallRow<'a> = (u32, Option<u32>, bool, &'a str, Option<u64>, u32);

/// An input: name, kind, the loop whose counter it is, the kind of its value.
type InputRow<'a> = (&'a str, LoopInputKind, Option<u32>, ValueKind);

/// Kind of an input's value, and whether it is a limit. The first two variants are encoded like the bool `is_floating`
/// of earlier studies.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum ValueKind {
    Integer,
    Floating,
    Changing,
    IntegerLimit,
    FloatingLimit,
    ChangingLimit,
}

impl ValueKind {
    const ALL: [(Self, LoopInputValue, bool); 6] = [
        (Self::Integer, LoopInputValue::Integer, false),
        (Self::Floating, LoopInputValue::Floating, false),
        (Self::Changing, LoopInputValue::Changing, false),
        (Self::IntegerLimit, LoopInputValue::Integer, true),
        (Self::FloatingLimit, LoopInputValue::Floating, true),
        (Self::ChangingLimit, LoopInputValue::Changing, true),
    ];
}

/// An observation after its inputs: activations, trips, cost, number of inner loops.
#[derive(Serialize, Deserialize)]
struct ObservationRow(u64, LoopSummary, LoopSummary, u32);

/// Encodes functions with their loops.
pub(in crate::file) fn encode_loops(functions: &[LoopFunction]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for LoopFunction { symbol, object, file, line, parameters, loops, calls } in functions {
        let counts = [parameters.len(), loops.len(), calls.len()].map(|count| count as u32);
        let row: FunctionRow<'_> = (&symbol.name, &symbol.linkage, object, file, *line, counts);
        push(&mut bytes, &row);
        for name in parameters {
            push(&mut bytes, name);
        }
        for one in loops {
            let counts = [one.inputs.len(), one.observations.len()].map(|count| count as u32);
            let row: LoopRow =
                (one.line, one.parent, Exits::from_loop(one), one.is_conditional, one.constant_trips, counts);
            push(&mut bytes, &row);
            let t = &one.total;
            let sampled = t.sampled.filter(|share| share.is_finite());
            let row: TotalRow = (t.activations, t.trips, t.least, t.greatest, sampled);
            push(&mut bytes, &row);
            for LoopInput { name, kind, counter_of, value, is_limit } in &one.inputs {
                let position = (*value as usize) + if *is_limit { 3 } else { 0 };
                let row: InputRow<'_> = (name, *kind, *counter_of, ValueKind::ALL[position].0);
                push(&mut bytes, &row);
            }
            if Exits::from_loop(one).is_stated() {
                push_statement(&mut bytes, &one.stated);
            }
            for o in &one.observations {
                o.inputs.iter().take(one.inputs.len()).for_each(|value| push(&mut bytes, value));
                let row = ObservationRow(o.activations, o.trips, o.cost, o.inner_trips.len() as u32);
                push(&mut bytes, &row);
                o.inner_trips.iter().for_each(|trips| push(&mut bytes, trips));
            }
        }
        for call in calls {
            let arguments = call.arguments.len() as u32;
            let callee = call.callee.as_deref().unwrap_or_default();
            let row: CallRow<'_> = (call.line, call.within, call.is_conditional, callee, None, arguments);
            push(&mut bytes, &row);
            call.arguments.iter().for_each(|argument| push(&mut bytes, argument));
        }
    }
    bytes
}

fn push_statement(bytes: &mut Vec<u8>, stated: &LoopStatement) {
    let LoopStatement { trips, is_bound, inputs } = stated;
    push(bytes, &(*is_bound, inputs.len() as u32));
    push_expression(bytes, trips);
    for LoopMovement { varies_in, start, step } in inputs {
        push(bytes, varies_in);
        push_expression(bytes, start);
        push_expression(bytes, step);
    }
}

fn push_expression(bytes: &mut Vec<u8>, LoopExpression(terms): &LoopExpression) {
    push(bytes, &(terms.len() as u32));
    for term in terms {
        push(bytes, term);
    }
}

/// Decodes the loops of `count` functions.
pub(in crate::file) fn decode_loops(
    bytes: &[u8],
    count: u32,
    budget: &mut Budget,
) -> Result<Vec<LoopFunction>, BadBody> {
    let mut values = Values(bytes);
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(function(&mut values, budget)?);
    }
    values.end()?;
    Ok(all)
}

fn function(values: &mut Values<'_>, budget: &mut Budget) -> Result<LoopFunction, BadBody> {
    let (name, linkage, object, file, line, [parameters, loops, calls]): FunctionRow<'_> = values.next()?;
    budget.take::<LoopFunction>(1)?;
    budget.take_bytes((name.len() + linkage.len() + object.len() + file.len()) as u64)?;
    let mut function = LoopFunction {
        symbol: Symbol { name: name.to_owned(), linkage: linkage.to_owned() },
        object: object.to_owned(),
        file: file.to_owned(),
        line,
        parameters: Vec::new(),
        loops: Vec::new(),
        calls: Vec::new(),
    };
    for _ in 0..parameters {
        function.parameters.push(text(values, budget)?);
    }
    for _ in 0..loops {
        function.loops.push(one_loop(values, budget)?);
    }
    for _ in 0..calls {
        function.calls.push(call(values, budget)?);
    }
    function.flaw().map_or(Ok(function), |flaw| Err(BadBody::Damaged(flaw)))
}

fn text(values: &mut Values<'_>, budget: &mut Budget) -> Result<String, BadBody> {
    let text: &str = values.next()?;
    // Twice, because a growing `Vec` may hold twice its length. So it is below.
    budget.take::<String>(2)?;
    budget.take_bytes(text.len() as u64)?;
    Ok(text.to_owned())
}

fn one_loop(values: &mut Values<'_>, budget: &mut Budget) -> Result<ProgramLoop, BadBody> {
    let (line, parent, exits, is_conditional, constant_trips, [inputs, observations]): LoopRow =
        values.next()?;
    budget.take::<ProgramLoop>(2)?;
    let (activations, trips, least, greatest, sampled): TotalRow = values.next()?;
    let total = LoopTotal { activations, trips, least, greatest, sampled };
    let mut one =
        ProgramLoop { line, parent, is_conditional, constant_trips, total, ..ProgramLoop::default() };
    one.exits = exits.exits();
    one.is_uncounted = matches!(exits, Exits::Uncounted);
    for _ in 0..inputs {
        let (name, kind, counter_of, observed): InputRow<'_> = values.next()?;
        budget.take::<LoopInput>(2)?;
        budget.take_bytes(name.len() as u64)?;
        let (_, value, is_limit) = ValueKind::ALL[observed as usize];
        one.inputs.push(LoopInput { name: name.to_owned(), kind, counter_of, value, is_limit });
    }
    if exits.is_stated() {
        one.stated = statement(values, budget)?;
    }
    for _ in 0..observations {
        let mut inputs = [0; MOST_LOOP_INPUTS];
        for value in inputs.iter_mut().take(one.inputs.len()) {
            *value = values.next()?;
        }
        let ObservationRow(activations, trips, cost, inner) = values.next()?;
        budget.take::<LoopObservation>(2)?;
        let mut inner_trips = Vec::new();
        for _ in 0..inner {
            budget.take::<u64>(2)?;
            inner_trips.push(values.next()?);
        }
        one.observations.push(LoopObservation { inputs, activations, trips, cost, inner_trips });
    }
    Ok(one)
}

fn statement(values: &mut Values<'_>, budget: &mut Budget) -> Result<LoopStatement, BadBody> {
    let (is_bound, count): (bool, u32) = values.next()?;
    let mut stated = LoopStatement { trips: expression(values, budget)?, is_bound, inputs: Vec::new() };
    for _ in 0..count {
        budget.take::<LoopMovement>(2)?;
        let varies_in = values.next()?;
        let (start, step) = (expression(values, budget)?, expression(values, budget)?);
        stated.inputs.push(LoopMovement { varies_in, start, step });
    }
    Ok(stated)
}

fn expression(values: &mut Values<'_>, budget: &mut Budget) -> Result<LoopExpression, BadBody> {
    let count: u32 = values.next()?;
    if count as usize > MOST_LOOP_TERMS {
        return Err(BadBody::Damaged(format!("has an expression of {count} terms")));
    }
    budget.take::<LoopTerm>(u64::from(count))?;
    let terms: Result<Vec<LoopTerm>, BadBody> = (0..count).map(|_| values.next()).collect();
    Ok(LoopExpression(terms?))
}

fn call(values: &mut Values<'_>, budget: &mut Budget) -> Result<LoopCall, BadBody> {
    let (line, within, is_conditional, callee, _, count): CallRow<'_> = values.next()?;
    budget.take::<LoopCall>(2)?;
    budget.take_bytes(callee.len() as u64)?;
    let mut arguments = Vec::new();
    for _ in 0..count {
        let argument: Option<&str> = values.next()?;
        budget.take::<Option<String>>(2)?;
        budget.take_bytes(argument.map_or(0, str::len) as u64)?;
        arguments.push(argument.map(str::to_owned));
    }
    let callee = Some(callee.to_owned()).filter(|callee| !callee.is_empty());
    Ok(LoopCall { line, within, is_conditional, callee, arguments })
}

#[cfg(test)]
pub(in crate::file) mod tests {
    use super::*;

    /// Returns a function with a triangular nest, a call in it, and a loop with constant trips.
    pub(in crate::file) fn triangle() -> LoopFunction {
        let input = |name: &str, kind, counter_of| LoopInput {
            name: name.to_owned(),
            kind,
            counter_of,
            value: LoopInputValue::Integer,
            is_limit: false,
        };
        let observation = |inputs: [i64; 4], activations, trips, inner_trips: &[u64]| LoopObservation {
            inputs,
            activations,
            trips,
            cost: LoopSummary::new(7),
            inner_trips: inner_trips.to_vec(),
        };
        let extreme = |trips, n| LoopExtreme { trips, inputs: [n, 0, 0, 0] };
        let outer = ProgramLoop {
            line: 3,
            inputs: vec![input("n", LoopInputKind::Parameter, None)],
            observations: vec![observation([3, 0, 0, 0], 2, LoopSummary::new(6), &[6, 24])],
            total: LoopTotal {
                activations: 2,
                trips: 6,
                least: extreme(3, 3),
                greatest: extreme(3, 3),
                sampled: Some(0.5),
            },
            ..ProgramLoop::default()
        };
        let inner = ProgramLoop {
            line: 4,
            parent: Some(0),
            exits: LoopExits::Several,
            is_conditional: true,
            inputs: vec![
                input("i", LoopInputKind::Variable, Some(0)),
                input("*p at a.c:2", LoopInputKind::Target, None),
            ],
            stated: LoopStatement {
                trips: LoopExpression(vec![LoopTerm::Input(1), LoopTerm::Input(0), LoopTerm::Minus]),
                is_bound: true,
                inputs: vec![
                    LoopMovement {
                        varies_in: Some(0),
                        start: LoopExpression(vec![LoopTerm::Number(-1)]),
                        step: LoopExpression(vec![LoopTerm::Number(1)]),
                    },
                    LoopMovement::default(),
                ],
            },
            observations: (-1..2).map(|i| observation([i, 9, 0, 0], 1, LoopSummary::new(1), &[4])).collect(),
            ..ProgramLoop::default()
        };
        let constant =
            ProgramLoop { line: 5, parent: Some(1), constant_trips: Some(4), ..ProgramLoop::default() };
        LoopFunction {
            symbol: Symbol { name: "f(int)".to_owned(), linkage: "_Z1fi".to_owned() },
            object: "a.c".to_owned(),
            file: "a.c".to_owned(),
            line: 2,
            parameters: vec!["n".to_owned(), String::new()],
            loops: vec![outer, inner, constant],
            calls: vec![LoopCall {
                line: 4,
                within: Some(1),
                is_conditional: true,
                callee: Some("g".to_owned()),
                arguments: vec![Some("n".to_owned()), None, Some("8".to_owned())],
            }],
        }
    }

    #[test]
    fn inputs_of_studies_that_knew_no_limits_are_read() {
        for (is_floating, value) in [(false, LoopInputValue::Integer), (true, LoopInputValue::Floating)] {
            let mut bytes = Vec::new();
            push(&mut bytes, &("n", LoopInputKind::Parameter, None::<u32>, is_floating));
            let (name, _, _, observed): InputRow<'_> = Values(&bytes).next().unwrap();
            assert_eq!((name, ValueKind::ALL[observed as usize].1), ("n", value));
        }
        let all = ValueKind::ALL.iter().enumerate();
        assert!(all.clone().all(|(position, (observed, ..))| *observed as usize == position));
        assert!(
            all.map(|(position, (_, value, limit))| (position, *value as usize + usize::from(*limit) * 3))
                .all(|(a, b)| a == b)
        );
    }

    #[test]
    fn exits_of_studies_without_statements_are_read() {
        for (exits, position) in [(LoopExits::Single, Exits::Single), (LoopExits::Several, Exits::Several)] {
            let mut bytes = Vec::new();
            push(&mut bytes, &exits);
            let read: Exits = Values(&bytes).next().unwrap();
            assert_eq!((read.exits(), read.is_stated()), (exits, false));
            assert_eq!(read as usize, position as usize);
        }
    }

    #[test]
    fn loops_come_back_as_they_were() {
        let written = [triangle(), LoopFunction { line: 9, loops: Vec::new(), ..triangle() }];
        // A function without loops cannot have calls within one.
        let written = written.map(|mut function| {
            let loops = function.loops.len();
            function.calls.retain(|call| call.within.is_none_or(|within| (within as usize) < loops));
            function
        });
        let bytes = encode_loops(&written);
        assert_eq!(decode_loops(&bytes, 2, &mut Budget::of_file(0)).unwrap(), written);
        let damaged = |bytes: &[u8], count| match decode_loops(bytes, count, &mut Budget::of_file(0)) {
            Err(BadBody::Damaged(what)) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(damaged(&bytes, 1), "has extra bytes");
        assert!(damaged(&bytes, 3).contains("cannot be read"));
        for end in 0..bytes.len() {
            damaged(&bytes[..end], 2);
        }
    }

    #[test]
    fn loops_that_contradict_themselves_are_damage() {
        let flaw = |change: fn(&mut LoopFunction)| {
            let mut function = triangle();
            change(&mut function);
            match decode_loops(&encode_loops(&[function]), 1, &mut Budget::of_file(0)) {
                Err(BadBody::Damaged(what)) => what,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            flaw(|f| f.loops[1].parent = Some(1)),
            "has a loop at line 4 in loop 1, which is not before it"
        );
        assert_eq!(
            flaw(|f| f.loops[1].inputs[0].counter_of = Some(7)),
            "has an input `i` that counts a loop which does not exist"
        );
        assert_eq!(
            flaw(|f| f.calls[0].within = Some(3)),
            "has a call at line 4 in loop 3, which does not exist"
        );
        assert_eq!(
            flaw(|f| f.loops[0].observations[0].inner_trips.truncate(1)),
            "has trips of 1 inner loops of 2"
        );
        assert_eq!(
            flaw(|f| f.loops[0].inputs = vec![f.loops[0].inputs[0].clone(); 5]),
            "has a loop with 5 inputs"
        );
        assert_eq!(flaw(|f| f.loops[0].total.sampled = Some(1.5)), "has a share of 1.5 of the activations");
        assert_eq!(
            flaw(|f| f.loops[1].stated.trips = LoopExpression(vec![LoopTerm::Input(2)])),
            "has a loop whose stated trips are not an expression"
        );
        assert_eq!(
            flaw(|f| f.loops[1].stated.inputs[0].start = LoopExpression(vec![LoopTerm::Plus])),
            "has a loop at line 4 with a counter whose movement is not an expression"
        );
        let many = |f: &mut LoopFunction| f.loops[1].observations.swap(0, 1);
        assert_eq!(flaw(many), "has observations that are not in order");
    }

    #[test]
    fn loops_take_no_more_memory_than_a_study_may() {
        let mut function = triangle();
        function.loops[1].observations = (0..100_000)
            .map(|i| LoopObservation { inputs: [i, 0, 0, 0], ..LoopObservation::default() })
            .collect();
        let bytes = encode_loops(&[function]);
        assert!(decode_loops(&bytes, 1, &mut Budget::of_bytes(64 << 20)).is_ok());
        let over = decode_loops(&bytes, 1, &mut Budget::of_bytes(8 << 20));
        assert!(matches!(over, Err(BadBody::OverBudget(_))));
    }
}
