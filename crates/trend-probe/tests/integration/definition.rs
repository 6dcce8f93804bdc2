//! Compares random programs with a slow interpreter of the definition: sizes, numbers of calls and costs of every
//! routine must be equal.

mod program;
mod reference;
mod text;

use std::fmt::Write as _;

use trend_profile::{Observation, Variable};

use crate::support::{Build, done};
use program::{Program, Random};
use text::{HEAD, SUPPORT};

/// Compiles programs into one binary, runs it, and compares its record, with calling contexts if `options` ask for
/// them.
fn compare(seed: u64, programs: usize, cell_shift: u32, metric: &str, options: &[&str]) {
    let mut random = Random(seed);
    let programs: Vec<Program> = (0..programs).map(|_| Program::random(&mut random)).collect();
    let mut source = HEAD.to_owned();
    let mut main = String::from("int main(void) {\n");
    for (number, program) in programs.iter().enumerate() {
        source.push_str(&program.text(number));
        main.push_str(&program.call(number));
    }
    write!(source, "{main}return 0;\n}}\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let support = folder.path().join("support.c");
    let is_dynamic = metric == "drms";
    let last_id = if is_dynamic { (1 << 30) - 17 } else { u32::MAX - 16 };
    std::fs::write(&support, format!("#define LAST_ID {last_id}u\n{SUPPORT}")).unwrap();
    let cell_size = (1 << cell_shift).to_string();
    let build = Build {
        probe: &[&["--cell-size", &cell_size, "--metric", metric], options].concat(),
        link: &[support.to_str().unwrap()],
        ..Build::default()
    };
    let built = build.program(&source);
    let (mut command, records) = built.command(&[]);
    let output = String::from_utf8(done(&mut command).stdout).unwrap();
    let mut addresses = output.lines().map(|line| u64::from_str_radix(&line[2..], 16).unwrap());
    let expected = reference::expected(&programs, &mut addresses, cell_shift, is_dynamic);
    let costs = records.costs();
    // Reports the shortest program that differs.
    let mut differing = Vec::new();
    let has_contexts = options.contains(&"--contexts");
    let of_whole = |of: &(String, String)| of.1.is_empty();
    let contexts = expected.keys().filter(|of| !of_whole(of)).count();
    assert_eq!(costs.count_contexts(), if has_contexts { contexts } else { 0 }, "seed {seed}");
    for ((name, context), by_variable) in expected.iter().filter(|(of, _)| has_contexts || of_whole(of)) {
        for (variable, expected) in [Variable::Rms, Variable::Drms].into_iter().zip(by_variable) {
            let measured = costs.within(name, context, variable);
            if measured != *expected {
                let number = name[1..].split('_').next().and_then(|n| n.parse().ok());
                let text = number.map_or(String::new(), |number: usize| programs[number].text(number));
                let [measured, expected] = [&measured, expected].map(|of| lines(of));
                let by = variable.name();
                let message = format!(
                    "{name} in `{context}` by {by}: found\n{measured}and expected\n{expected}in\n{text}"
                );
                differing.push((name == "main", text.len(), message));
            }
        }
    }
    differing.sort();
    if let Some((_, _, message)) = differing.first() {
        let count = differing.len();
        panic!("seed {seed}, cells of {cell_size}, {metric}: {count} routines differ, such as {message}");
    }
}

fn lines(observations: &[Observation]) -> String {
    observations.iter().fold(String::new(), |mut text, of| {
        writeln!(text, "  {:?}", (of.size(), of.count, of.min, of.max, of.sum, of.parts)).unwrap();
        text
    })
}

#[test]
fn sizes_and_costs_are_those_of_the_definition() {
    compare(1, 80, 2, "rms", &[]);
}

#[test]
fn sizes_are_those_of_the_definition_whatever_a_cell_is() {
    for (seed, cell_shift) in (10..).zip([0, 1, 3, 4]) {
        compare(seed, 15, cell_shift, "rms", &[]);
    }
}

#[test]
fn what_others_write_counts_again_as_the_definition_says() {
    compare(2, 80, 2, "drms", &[]);
}

#[test]
fn what_others_write_counts_again_whatever_a_cell_is() {
    for (seed, cell_shift) in (20..).zip([0, 1, 3, 4]) {
        compare(seed, 12, cell_shift, "drms", &[]);
    }
}

#[test]
fn contexts_are_those_of_the_definition() {
    compare(3, 80, 2, "rms", &["--contexts"]);
    compare(4, 80, 2, "drms", &["--contexts"]);
}
