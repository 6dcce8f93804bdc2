//! Counts the formulas and bounds that other runs of real programs contradict. The test is not part of the suite: it
//! needs studies of these programs.
//!
//! ```text
//!   HELD_OUT='small.trend other.trend large.trend; …' cargo nextest run -p trend-analyze --run-ignored only held_out --no-capture
//! ```
//!
//! The first study of each program provides the formulas; all its studies check them.

use std::collections::BTreeMap;
use std::path::Path;

use trend_profile::{LoopFunction, Study, StudyFile};

use super::super::observed::{observations, value_at};
use super::super::symbols::symbol;
use super::super::trips;
use super::super::trips::TripsLaw;
use super::*;

/// Returns the functions of some of a study's runs.
fn functions(study: &Study, is_taken: impl Fn(usize) -> bool) -> Vec<LoopFunction> {
    let runs = study.loops().iter().enumerate().filter(|(number, _)| is_taken(*number));
    LoopFunction::added_up(runs.flat_map(|(_, run)| &run.functions)).0
}

fn study(path: &str) -> Study {
    StudyFile::read(Path::new(path), None).unwrap()
}

/// Returns the observations that contradict a law, each as text: the inputs, the trips, and the value of the law.
fn contradictions(law: &TripsLaw, one: &ProgramLoop) -> Option<Vec<String>> {
    let symbols: Vec<String> = one.inputs.iter().map(symbol).collect();
    let names: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let (polynomial, is_bound) = match (&law.polynomial, &law.bound) {
        (Some(polynomial), _) => (polynomial, false),
        (None, Some(bound)) => (bound, true),
        _ => return None,
    };
    let observations = observations(one);
    let inputs = if one.inputs.is_empty() {
        vec![Vec::new(); observations.len()]
    } else {
        trips::inputs(one, &observations)?
    };
    let rows = observations.iter().zip(&inputs).filter_map(|(o, inputs)| {
        let value = value_at(polynomial, &names, inputs)?;
        let is_right = o.trips.greatest <= value && (is_bound || o.trips.least >= value);
        (!is_right).then(|| format!("{inputs:?}: {}..{} and not {value}", o.trips.least, o.trips.greatest))
    });
    Some(rows.collect())
}

#[test]
#[ignore = "needs studies of real programs, which HELD_OUT names"]
fn held_out_runs_contradict_few_formulas() {
    let all = std::env::var("HELD_OUT").expect("HELD_OUT names studies");
    let (mut claims, mut wrong) = ([0_usize; 2], [0_usize; 2]);
    for program in all.split(';') {
        let paths: Vec<&str> = program.split_whitespace().collect();
        let small = study(paths[0]);
        let checks: Vec<BTreeMap<_, LoopFunction>> = paths
            .iter()
            .map(|path| functions(&study(path), |_| true))
            .map(|all| all.into_iter().map(|f| ((f.file.clone(), f.symbol.linkage.clone()), f)).collect())
            .collect();
        let (mut of_program, mut wrong_of_program) = ([0_usize; 2], [0_usize; 2]);
        // Formulas from few runs are wrong more often.
        for runs in [1, 2, 3, 5, small.workloads().len()] {
            for function in &functions(&small, |run| run < runs) {
                for (index, one) in function.loops.iter().enumerate() {
                    let law = trips::law(one, &Options::default());
                    let kind = usize::from(law.polynomial.is_none());
                    let executed: Vec<Vec<String>> = checks
                        .iter()
                        .filter_map(|check| {
                            check.get(&(function.file.clone(), function.symbol.linkage.clone()))
                        })
                        .filter(|f| f.loops[index].total.activations > 0)
                        .filter_map(|f| contradictions(&law, &f.loops[index]))
                        .collect();
                    if one.constant_trips.is_some() || executed.is_empty() {
                        continue;
                    }
                    of_program[kind] += 1;
                    let against: Vec<&String> = executed.iter().flatten().collect();
                    if let Some(first) = against.first() {
                        wrong_of_program[kind] += 1;
                        let formula = law.polynomial.as_ref().or(law.bound.as_ref()).map(ToString::to_string);
                        println!(
                            "  {runs} runs: {}:{} {} {} {} ({} points, {} off; {} against: {first}) inputs {:?}",
                            function.file,
                            one.line,
                            function.symbol.name,
                            ["=", "≤"][kind],
                            formula.unwrap_or_default(),
                            law.points,
                            law.off,
                            against.len(),
                            one.inputs.iter().map(|i| (&*i.name, i.value, i.is_limit)).collect::<Vec<_>>()
                        );
                    }
                }
            }
        }
        println!(
            "{}: formulas {}/{}, bounds {}/{}",
            paths[0], wrong_of_program[0], of_program[0], wrong_of_program[1], of_program[1]
        );
        for kind in [0, 1] {
            claims[kind] += of_program[kind];
            wrong[kind] += wrong_of_program[kind];
        }
    }
    println!("all: formulas {}/{}, bounds {}/{}", wrong[0], claims[0], wrong[1], claims[1]);
    assert!(wrong[0] * 100 <= claims[0] && wrong[1] * 100 <= claims[1], "more than 1 % are wrong");
}
