//! A study of two nested loops: the outer one counts to `n`, the inner one walks lists whose lengths depend on the
//! data.

use std::error::Error;
use std::path::Path;

use trend_profile::{
    Definition, LoopCall, LoopExtreme, LoopFunction, LoopInput, LoopInputKind, LoopInputValue,
    LoopObservation, LoopSummary, LoopTotal, NewStudy, ProgramLoop, SourceText, StudyFile, Symbol,
};

use super::{function, location, run, workload};

const FILE: &str = "lists.c";
/// Line of the function, low enough that a viewer must scroll to it.
const LINE: u32 = 60;
const FUNCTION: &str = "long total(struct node **lists, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (struct node *p = lists[i]; p; p = p->next)
            sum += p->value;
    return sum;
}
";
/// Maximum number of nodes in a list; the minimum is 1.
const LONGEST: u64 = 9;

pub(super) fn few(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut file = StudyFile::create(path, &NewStudy::new("loops", "/home/somebody/loops"))?;
    file.declare_features(&[("n".to_owned(), Definition::Given)])?;
    let text = "\n".repeat(LINE as usize - 1) + FUNCTION;
    file.add_sources(&[SourceText { file: FILE.into(), text }])?;
    let lines = [LINE + 2, LINE + 3, LINE + 4];
    let locations: Vec<_> = (2..).zip(lines).map(|(block, line)| location(0, block, FILE, line)).collect();
    file.intern(&[function("total", FILE, LINE)], &locations)?;
    for n in (0..8).map(|step| 100_u64 << step) {
        let nodes = (0..n).map(|list| 1 + list * list % LONGEST).sum();
        let values = [("n".to_owned(), Some(n as f64))];
        let described = workload(format!("n={n}"), format!("./loops {n}"));
        file.record_with_loops(
            &described,
            &run(1e-6 * n as f64),
            Some(&[n, nodes, nodes]),
            &values,
            &[],
            &[total(n, nodes)],
        )?;
    }
    Ok(())
}

/// Returns the loops observed by a run that walks `n` lists.
fn total(n: u64, nodes: u64) -> LoopFunction {
    let input = |name: &str, kind, value| LoopInput {
        name: name.to_owned(),
        kind,
        counter_of: None,
        value,
        is_limit: false,
    };
    let extreme = |trips| LoopExtreme { trips, ..LoopExtreme::default() };
    let one =
        |line, parent, input, [first, activations]: [u64; 2], trips: LoopSummary, inner_trips| ProgramLoop {
            line,
            parent,
            inputs: vec![input],
            observations: vec![LoopObservation {
                inputs: [first as i64, 0, 0, 0],
                activations,
                trips,
                cost: trips,
                inner_trips,
            }],
            total: LoopTotal {
                activations,
                trips: trips.sum,
                least: extreme(trips.least),
                greatest: extreme(trips.greatest),
                sampled: None,
            },
            ..ProgramLoop::default()
        };
    let counted = input("n", LoopInputKind::Parameter, LoopInputValue::Integer);
    let next = input("p.next", LoopInputKind::Field, LoopInputValue::Changing);
    LoopFunction {
        symbol: Symbol::plain("total"),
        object: FILE.to_owned(),
        file: FILE.to_owned(),
        line: LINE,
        parameters: vec!["lists".to_owned(), "n".to_owned()],
        loops: vec![
            one(LINE + 2, None, counted, [n, 1], LoopSummary { least: n, greatest: n, sum: n }, vec![nodes]),
            one(
                LINE + 3,
                Some(0),
                next,
                [0, n],
                LoopSummary { least: 1, greatest: LONGEST, sum: nodes },
                Vec::new(),
            ),
        ],
        calls: Vec::new(),
    }
}

/// Sizes of the runs of a study with many loops.
const SIZES: [u64; 6] = [8, 16, 32, 64, 128, 256];

/// Writes a study of one function with `count` loops, in nests that are `depth` deep.
pub(super) fn nests(path: &Path, count: usize, depth: usize) -> Result<(), Box<dyn Error>> {
    let depth = depth.max(1);
    let one = |index: usize, n: u64| {
        let level = index % depth;
        let parent = (level > 0).then(|| index as u32 - 1);
        counting(&format!("n{level}"), LINE + index as u32, parent, n)
    };
    many(path, |n| vec![of_loops("nests", (0..count).map(|index| one(index, n)).collect())])
}

/// Writes a study of `functions` functions. Each counts to its parameter `n` and calls the next `fanout` functions in
/// its loop.
pub(super) fn calls(path: &Path, functions: usize, fanout: usize) -> Result<(), Box<dyn Error>> {
    let name = |index: usize| format!("step_{index:06}");
    let one = |index: usize, n: u64| {
        let call = |callee: usize| LoopCall {
            line: LINE + 1,
            within: Some(0),
            is_conditional: false,
            callee: Some(name(callee)),
            arguments: vec![Some("n".to_owned())],
        };
        let callees = index + 1..functions.min(index + 1 + fanout);
        let looping = counting("n", LINE, None, n);
        LoopFunction { calls: callees.map(call).collect(), ..of_loops(&name(index), vec![looping]) }
    };
    many(path, |n| (0..functions).map(|index| one(index, n)).collect())
}

/// Returns a loop that counts to the parameter `name`, which is `n`.
fn counting(name: &str, line: u32, parent: Option<u32>, n: u64) -> ProgramLoop {
    let input = LoopInput {
        name: name.to_owned(),
        kind: LoopInputKind::Parameter,
        counter_of: None,
        value: LoopInputValue::Integer,
        is_limit: false,
    };
    let trips = LoopSummary::new(n);
    ProgramLoop {
        line,
        parent,
        inputs: vec![input],
        observations: vec![LoopObservation {
            inputs: [n as i64, 0, 0, 0],
            activations: 1,
            trips,
            cost: trips,
            inner_trips: Vec::new(),
        }],
        total: LoopTotal { activations: 1, trips: n, ..LoopTotal::default() },
        ..ProgramLoop::default()
    }
}

fn of_loops(name: &str, loops: Vec<ProgramLoop>) -> LoopFunction {
    LoopFunction {
        symbol: Symbol::plain(name),
        object: FILE.to_owned(),
        file: FILE.to_owned(),
        line: LINE,
        parameters: vec!["n".to_owned()],
        loops,
        calls: Vec::new(),
    }
}

/// Writes a study of one location whose runs have these loops.
fn many(path: &Path, loops: impl Fn(u64) -> Vec<LoopFunction>) -> Result<(), Box<dyn Error>> {
    let mut file = StudyFile::create(path, &NewStudy::new("loops", ""))?;
    file.declare_features(&[("n".to_owned(), Definition::Given)])?;
    file.intern(&[function("total", FILE, LINE)], &[location(0, 2, FILE, LINE + 2)])?;
    for n in SIZES {
        let values = [("n".to_owned(), Some(n as f64))];
        let described = workload(format!("n={n}"), format!("./loops {n}"));
        file.record_with_loops(&described, &run(0.1), Some(&[n]), &values, &[], &loops(n))?;
    }
    Ok(())
}
