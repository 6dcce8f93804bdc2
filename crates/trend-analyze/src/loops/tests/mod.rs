mod doubtful;
mod held_out;
mod known_trips;
mod polybench;
pub(super) mod program;

use trend_profile::{
    Definition, Feature, LoopExits, LoopExtreme, LoopFunction, LoopInput, LoopInputKind, LoopInputValue,
    LoopObservation, LoopSummary, LoopTotal, RunLoops, Study, StudyParts, Symbol, WarningKind, Workload,
    WorkloadId,
};

use self::program::Program;
use super::*;
use crate::analyze::analyze;
use crate::findings::loops::RelationStatus;

/// Returns the study of running programs with these arguments; the first argument is the feature `size`.
fn study_of(programs: &mut [Program], runs: &[&[i64]]) -> Study {
    let mut loops = Vec::new();
    for (run, arguments) in runs.iter().enumerate() {
        for program in programs.iter_mut() {
            *program = program.again();
            program.run(arguments);
        }
        let functions = programs.iter().map(Program::observed).collect();
        loops.push(RunLoops { workload: WorkloadId(run as u32), functions });
    }
    let name = |i: usize| format!("w{i:03}");
    let values = runs.iter().map(|arguments| Some(arguments[0] as f64)).collect();
    Study::new(StudyParts {
        workloads: (0..runs.len()).map(|i| Workload::imported(&name(i))).collect(),
        features: vec![Feature { name: "size".to_owned(), definition: Definition::Given, values }],
        loops,
        ..StudyParts::default()
    })
    .unwrap()
}

/// Returns the rows of one program in runs with these arguments.
pub(super) fn loop_rows(text: &str, runs: &[&[i64]]) -> (Vec<LoopRow>, Vec<LoopFunctionRow>) {
    loop_rows_of(&[text], runs)
}

fn loop_rows_of(texts: &[&str], runs: &[&[i64]]) -> (Vec<LoopRow>, Vec<LoopFunctionRow>) {
    let mut programs: Vec<Program> = texts.iter().map(|text| Program::new(text)).collect();
    let study = study_of(&mut programs, runs);
    let findings = analyze(&study, &Options::default()).unwrap();
    (findings.loops, findings.loop_functions)
}

/// Returns line, trips, trips in a call, and O of each loop.
fn laws(rows: &[LoopRow]) -> Vec<(u32, &str, &str, &str)> {
    rows.iter()
        .map(|row| {
            let formula = row.trips.formula.as_deref().unwrap_or("–");
            (row.line, formula, row.in_call.formula.as_str(), row.o.as_str())
        })
        .collect()
}

const SIZES: [&[i64]; 6] = [&[3], &[7], &[12], &[20], &[33], &[50]];

/// Figure 1 of the paper. The loop at its line 18 makes n² + n trips: n elements and one end of line in each of the n
/// rows. The paper counts headers, one more than the trips.
const MULTIPLY: &str = "
multiply(n)
  for i 0 n
  for i 0 n
    for j 0 n
      for k 0 n
  for i 0 n*n+n
";

#[test]
fn the_papers_multiply_has_its_polynomials_and_is_cubic() {
    let (rows, functions) = loop_rows(MULTIPLY, &SIZES);
    let expected = [
        (2, "n", "n", "n"),
        (3, "n", "n", "n³"),
        (4, "n", "n²", "n²"),
        (5, "n", "n³", "n"),
        (6, "n² + n", "n² + n", "n²"),
    ];
    assert_eq!(laws(&rows), expected);
    assert!(rows.iter().all(|row| row.trips.status == LoopStatus::Exact && row.trips.off == 0));
    assert_eq!(rows[2].in_call.compared, 6, "confirmed by the outer loop's activations");
    let [multiply] = functions.as_slice() else { panic!("{functions:?}") };
    assert_eq!((multiply.o.as_str(), multiply.omega.as_str(), multiply.bounds.as_str()), ("n³", "n³", "n³"));
    assert_eq!(multiply.trips.as_deref(), Some("n³ + 2n² + 3n"));
}

#[test]
fn the_papers_print_dups_is_linear_or_quadratic() {
    // Figure 4: the second nest runs only if there are results, and its trips are upper bounds.
    let text = "
printDups(n)
  for i 0 n
  perhaps-return
  for i 0 n-1
    for j i+1 n
";
    let (rows, functions) = loop_rows(text, &SIZES);
    assert_eq!(laws(&rows)[2], (5, "n − i − 1", "½n² − ½n", "n"));
    assert_eq!(functions[0].bounds, "n ⊕ n²");
    assert_eq!((functions[0].o.as_str(), functions[0].omega.as_str()), ("n²", "n"));
}

#[test]
fn triangles_and_what_is_in_them_have_their_true_sums() {
    let text = "
nests(n, m)
  for i 0 n
    for j 0 i
      for k j i
  for a 1 n+1
    for b 0 a
      for c 0 b*m
  for d n-1 0 down
    for e d+1 n
";
    let runs: [&[i64]; 7] = [&[3, 2], &[5, 9], &[8, 4], &[13, 1], &[16, 6], &[20, 3], &[25, 5]];
    let (rows, functions) = loop_rows(text, &runs);
    let in_call: Vec<&str> = rows.iter().map(|row| row.in_call.formula.as_str()).collect();
    assert_eq!(in_call, ["n", "½n² − ½n", "⅙n³ − ⅙n", "n", "½n² + ½n", "⅙m·n³ − ⅙m·n", "n", "½n² − ½n"],);
    assert_eq!(functions[0].o, "m·n³");
    assert!(rows[5].in_call.compared == 0, "that m goes with n is known of no activation of the outer loop");
}

#[test]
fn a_counter_and_a_variable_of_the_same_name_are_told_apart() {
    let input = |counter_of| LoopInput {
        name: "i".to_owned(),
        kind: LoopInputKind::Variable,
        counter_of,
        value: LoopInputValue::Integer,
        is_limit: false,
    };
    let observed = |i: i64| LoopObservation {
        inputs: [100, i, 0, 0],
        activations: 1,
        trips: LoopSummary::new(i.cast_unsigned()),
        ..LoopObservation::default()
    };
    let one = ProgramLoop {
        inputs: vec![input(None), input(Some(3))],
        observations: (1..9).map(observed).collect(),
        ..ProgramLoop::default()
    };
    let law = trips::law(&one, &Options::default()).polynomial.unwrap();
    assert_eq!((law.to_string().as_str(), in_words(&law).to_string().as_str()), ("i@3", "i"));
}

#[test]
fn steps_and_other_starts_are_found_too() {
    let text = "
steps(n)
  for i 2 n step 3
    for j 0 i
  for k 5 n
    for l k n
";
    let sizes: Vec<Vec<i64>> = (6..30).map(|n| vec![n]).collect();
    let sizes: Vec<&[i64]> = sizes.iter().map(Vec::as_slice).collect();
    let (rows, _) = loop_rows(text, &sizes);
    assert_eq!(rows[0].trips.formula.as_deref(), Some("⌊n/3⌋"), "which is ⌈(n − 2)/3⌉");
    assert_eq!(rows[1].in_call.status, LoopStatus::Exact);
    assert_eq!(rows[1].in_call.formula, "(3/2)·⌊n/3⌋² + ½·⌊n/3⌋", "Σ of 2, 5, 8, …");
    assert_eq!(rows[3].in_call.formula, "½·max(0, n − 5)² + ½·max(0, n − 5)", "Σ of n − k from 5 on");
}

#[test]
fn triangles_by_steps_have_their_true_sums_or_a_bound() {
    let text = "
steps(n)
  for i 0 n
    for j 0 i step 2
  for k 0 n
    for l k n step 4
  for p 0 n step 3
    for q p n step 3
  for a 0 n step 3
    for b a n step 2
  for c n 1 step -2
    for d 0 c
";
    let sizes: Vec<Vec<i64>> = (6..30).map(|n| vec![n]).collect();
    let sizes: Vec<&[i64]> = sizes.iter().map(Vec::as_slice).collect();
    let (rows, functions) = loop_rows(text, &sizes);
    let in_call: Vec<(&str, usize)> = [1, 3, 5, 7, 9]
        .map(|row: usize| (rows[row].in_call.formula.as_str(), rows[row].in_call.compared))
        .to_vec();
    assert_eq!(
        in_call,
        [
            ("−⌈n/2⌉² + n·⌈n/2⌉", 24),
            ("−2·⌈n/4⌉² + n·⌈n/4⌉ + 2·⌈n/4⌉", 24),
            ("½·⌈n/3⌉² + ½·⌈n/3⌉", 24),
            // The start of loop b moves in steps of 3, but its trips are divided by 2, so only a bound is found.
            ("⌈n/2⌉·⌈n/3⌉", 0),
            ("−⌈n/2⌉² + n·⌈n/2⌉ + ⌈n/2⌉", 24),
        ]
    );
    assert!(rows[7].in_call.at_most);
    assert_eq!(functions[0].o, "n²");
}

/// A loop whose trips the compiler knows is not watched, so no measurement can confirm the sum of a loop inside it.
#[test]
fn in_a_loop_of_known_trips_the_counter_is_as_it_was_seen() {
    let text = "
main(n)
  for i 4 43 step 3
    for j 0 i
";
    let mut program = Program::new(text);
    program.run(&[1]);
    let mut function = program.observed();
    let line = function.loops[0].line;
    function.loops[0] = ProgramLoop { line, constant_trips: Some(13), ..ProgramLoop::default() };
    let laws: Vec<_> = function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
    let nest = nest::Nest::new(&function, &laws);
    let sum = nest.trips_in_call(1);
    assert_eq!(sum.polynomial().to_string(), "286", "Σ of 4, 7, …, 40");
    assert!(matches!(sum.certainty, nest::Certainty::Derived), "{sum:?}");
}

#[test]
fn a_callee_is_in_the_words_of_its_caller() {
    let callee = "
fill(rows, width)
  for i 0 rows
    for j 0 width
";
    let caller = "
draw(n, w)
  for k 0 n
    call fill(w, 8)
  call fill(n*2, w)
";
    let (_, functions) =
        loop_rows_of(&[caller, callee], &[&[3, 5], &[7, 9], &[12, 4], &[20, 30], &[33, 2], &[5, 8]]);
    let draw = functions.iter().find(|one| one.name == "draw").unwrap();
    assert_eq!(draw.o, "n·w");
    let fill = functions.iter().find(|one| one.name == "fill").unwrap();
    assert_eq!(fill.o, "rows·width");
}

#[test]
fn a_call_through_a_pointer_has_a_symbol_for_its_cost() {
    let caller = "
all(n, f)
  for i 0 n
    call pointer(n)
";
    let twice = "
twice(m, g)
  call all(m, g)
  call all(m, g)
";
    let (rows, functions) = loop_rows_of(&[caller, twice], &[&[3, 5], &[7, 9], &[12, 4], &[20, 30]]);
    assert_eq!(rows[0].o, "(cost of an indirect call)·n");
    assert_eq!(functions[0].bounds, "(cost of an indirect call)·n");
    assert_eq!(functions[1].bounds, "(cost of an indirect call)·m");
}

/// Returns the cost of a call, the number of loops that never ran, and the trips of each loop in a call. The flag of a
/// loop is true if its trips are an upper bound.
fn costs_of(function: &LoopFunction) -> (String, usize, Vec<(String, bool)>) {
    let runs = RunLoops { workload: WorkloadId(0), functions: vec![function.clone()] };
    let parts =
        StudyParts { workloads: vec![Workload::imported("w")], loops: vec![runs], ..StudyParts::default() };
    let findings = analyze(&Study::new(parts).unwrap(), &Options::default()).unwrap();
    let [row] = findings.loop_functions.as_slice() else { panic!("{:?}", findings.loop_functions) };
    let in_call = findings.loops.iter().map(|row| (row.in_call.formula.clone(), row.in_call.at_most));
    (row.bounds.clone(), row.never_ran, in_call.collect())
}

/// Changes a loop so that the data decide its trips.
fn decide_by_data(one: &mut ProgramLoop) {
    one.inputs[0].value = LoopInputValue::Changing;
    one.observations.iter_mut().for_each(|o| o.inputs = [0; 4]);
    LoopObservation::merge(&mut one.observations);
}

#[test]
fn nested_loops_with_unknown_trips_share_the_symbol_of_the_innermost() {
    let text = "
parse(n)
  for a 0 n
    for b 0 n
      for c 0 n
        call pointer(n)
";
    let mut program = Program::new(text);
    for arguments in SIZES {
        program.run(arguments);
    }
    let mut function = program.observed();
    function.loops[1..].iter_mut().for_each(decide_by_data);
    let (bounds, never_ran, in_call) = costs_of(&function);
    let call = "(cost of an indirect call)·n·(trips of test.c:4)";
    assert_eq!((bounds.as_str(), never_ran), (call, 0));
    assert_eq!(in_call[2].0, "n·(trips of test.c:4)");
    // A loop that is skipped in some trips can have fewer trips than the loop around it.
    function.loops[2].is_conditional = true;
    assert_eq!(costs_of(&function).0, format!("n·(trips of test.c:3) ⊕ {call}"));
    function.loops[2].is_conditional = false;
    decide_by_data(&mut function.loops[0]);
    let (bounds, _, in_call) = costs_of(&function);
    assert_eq!(bounds, "(cost of an indirect call)·(trips of test.c:4)");
    assert_eq!(in_call[2], ("trips of test.c:4".to_owned(), false));
    // The innermost loop, and the call in it, never ran.
    let never = &mut function.loops[2];
    (never.total, never.observations) = (LoopTotal::default(), Vec::new());
    let (bounds, never_ran, _) = costs_of(&function);
    assert_eq!((bounds.as_str(), never_ran), ("trips of test.c:3", 1));
    // The outermost loop was left by the end of the program, so it has no activation.
    let unfinished = &mut function.loops[0];
    (unfinished.total, unfinished.observations) = (LoopTotal::default(), Vec::new());
    assert_eq!(costs_of(&function).1, 1);
}

#[test]
fn trips_that_make_a_recursive_call_are_counted_as_calls() {
    let mut program = Program::new("walk(n)\n  for i 0 n\n    call walk(i)\n    for j 0 n\n");
    for arguments in SIZES {
        program.run(arguments);
    }
    let mut function = program.observed();
    function.loops.iter_mut().for_each(decide_by_data);
    assert_eq!(costs_of(&function).0, "(calls of walk)·(trips of test.c:4)");
    // An inner loop keeps its symbol: most of its activations may have no trip, and thus no call.
    function.calls[0].within = Some(1);
    assert_eq!(costs_of(&function).0, "(calls of walk)·(trips of test.c:4)");
    function.calls[0].within = Some(0);
    // If some trips skip the call, the number of calls does not limit the number of trips.
    function.calls[0].is_conditional = true;
    function.loops[1].is_conditional = true;
    let expected = "(calls of walk)·(trips of test.c:2) ⊕ (calls of walk)·(trips of test.c:4)";
    assert_eq!(costs_of(&function).0, expected);
    function.calls[0].is_conditional = false;
    assert_eq!(costs_of(&function).0, "calls of walk ⊕ (calls of walk)·(trips of test.c:4)");
}

#[test]
fn functions_that_share_a_short_name_get_a_type_or_a_place() {
    let named = |name: &str, line: u32| {
        let mut function = Program::new("f(n)\n  call pointer(n)\n").function;
        function.symbol = Symbol { linkage: format!("{name}{line}"), name: name.to_owned() };
        function.line = line;
        function
    };
    let names = |all: &[LoopFunction]| {
        let names = functions::short_names(all.iter());
        all.iter().map(|one| names[one.symbol.linkage.as_str()].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&[named("get(int)", 3), named("put(int)", 9)]), ["get", "put"]);
    let closures = [named("f::{{closure}}", 3), named("f::{{closure}}", 4)];
    assert_eq!(names(&closures), ["f::{{closure}} at test.c:3", "f::{{closure}} at test.c:4"]);
    let instances = [named("max<int>(int)", 3), named("max<long>(long)", 3)];
    assert_eq!(names(&instances), ["max<int>", "max<long>"]);
    let others = [named("at(int)", 3), named("at(Key const&)", 9)];
    assert_eq!(names(&others), ["at at test.c:3", "at at test.c:9"]);
    let alike = [named("at(int)", 3), named("at(Key const&)", 3)];
    assert_eq!(names(&alike), ["at(int)", "at(Key const&)"]);
}

#[test]
fn what_is_reached_through_an_address_is_that_of_the_object() {
    let callee = Program::new("size(m, n)\n  for i 0 n\n").function;
    let caller = Program::new("draw(v)\n  call size(&all[2], &v)\n").function;
    let argument = |name: &str| functions::argument(&callee, "size", &caller.calls[0], name).to_string();
    let expected = ["all[2].rows", "all[2]", "&all[2]", "(&all[2])[1]", "v.len()"];
    assert_eq!(["m.rows", "*m", "m", "m[1]", "n.len()"].map(argument), expected);
}

#[test]
fn functions_that_call_themselves_have_a_recurrence() {
    let sort = "
sort(n)
  if n-1
    call sort(n/2)
    call sort(n/2)
    for i 0 n
";
    let (_, functions) = loop_rows(sort, &SIZES);
    let [sort] = functions.as_slice() else { panic!("{functions:?}") };
    assert_eq!(sort.recurrence.as_deref(), Some("T(n) = 2·T(n/2) + n"));
    assert_eq!(sort.o, "n·log n");
    let by_pointer = "
sort(n)
  if n-1
    call sort(n/2)
    call sort(n/2)
    for i 0 n
      call pointer(i)
";
    let (_, functions) = loop_rows(by_pointer, &SIZES);
    let recurrence = "T(n) = 2·T(n/2) + (cost of an indirect call)·n";
    assert_eq!(functions[0].recurrence.as_deref(), Some(recurrence));
    assert_eq!(functions[0].o, "(cost of an indirect call)·n·log n");
    let select = "
select(n)
  if n
    call select(n-1)
    for i 0 n
";
    let (_, functions) = loop_rows(select, &SIZES);
    assert_eq!((functions[0].o.as_str(), functions[0].omega.as_str()), ("n²", "1"));
    // In a cycle of calls, the calls of one function stay a symbol.
    let even = "
even(n)
  if n
    call odd(n-1)
";
    let odd = "
odd(n)
  if n
    call even(n-1)
  for i 0 n
";
    let (_, functions) = loop_rows_of(&[even, odd], &SIZES);
    assert_eq!(functions.len(), 2);
    assert!(functions.iter().any(|one| one.o.contains("calls of")), "{functions:?}");
    // The function that was analyzed first has its calls and the cost of one, with the loop of the other function.
    let of = |name: &str| functions.iter().find(|one| one.name == name).unwrap().o.as_str();
    assert_eq!([of("even"), of("odd")], ["(calls of even)·n", "cost of even + n"]);
}

/// Returns a function with a loop whose trips depend on the data.
fn searching(runs: &[(i64, u64)]) -> LoopFunction {
    let mut program = Program::new("find(n)\n  for i 0 n");
    program.function.loops[0].exits = LoopExits::Several;
    for (n, _) in runs {
        program.run(&[*n]);
    }
    let mut function = program.observed();
    for o in &mut function.loops[0].observations {
        let trips = runs.iter().filter(|(n, _)| *n == o.inputs[0]).map(|(_, trips)| *trips);
        let all: Vec<u64> = trips.collect();
        o.trips.least = *all.iter().min().unwrap();
        o.trips.greatest = *all.iter().max().unwrap();
        o.trips.sum = all.iter().sum();
    }
    function
}

#[test]
fn a_search_that_ends_early_has_a_bound_and_a_constant_below() {
    let function = searching(&[(10, 3), (10, 7), (20, 20), (20, 1), (30, 11), (40, 39), (50, 2)]);
    let study = Study::new(StudyParts {
        workloads: vec![Workload::imported("w")],
        loops: vec![RunLoops { workload: WorkloadId(0), functions: vec![function] }],
        ..StudyParts::default()
    });
    let findings = analyze(&study.unwrap(), &Options::default()).unwrap();
    let row = &findings.loops[0];
    assert_eq!((row.trips.status, row.trips.bound.as_deref()), (LoopStatus::Symbolic, Some("n")));
    assert_eq!((row.o.as_str(), row.omega.as_str()), ("n", "1"));
    assert!(row.in_call.at_most);
}

#[test]
fn inputs_follow_from_features_and_predict_at_ten_times_the_size() {
    // The program's m is always 3·size + 1.
    let text = "walk(size, m)\n  for i 0 m";
    let runs: Vec<Vec<i64>> = [4, 10, 25, 60, 150, 400].map(|n| vec![n, 3 * n + 1]).to_vec();
    let runs: Vec<&[i64]> = runs.iter().map(Vec::as_slice).collect();
    let mut programs = [Program::new(text)];
    let study = study_of(&mut programs, &runs);
    let options = Options { at: vec![("size".to_owned(), 4000.0)], ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    let row = &findings.loops[0];
    let relation = row.inputs[0].relation.as_ref().unwrap();
    assert_eq!(
        (relation.feature.as_str(), relation.formula.as_str(), relation.status),
        ("size", "3·size + 1", RelationStatus::Exact)
    );
    assert_eq!(row.predicted[0], Some(12_001.0));
    let in_run = row.in_run.as_ref().unwrap();
    assert_eq!(
        (in_run.formula.as_str(), in_run.at[0]),
        ("3·size + 1", Some(12_001.0)),
        "one activation in each"
    );
    assert_eq!(row.mispredicted, 0);
}

#[test]
fn trips_of_a_run_are_exact_in_several_features_if_the_runs_tell_these_apart() {
    let in_run = |runs: &[(i64, i64)]| {
        let mut programs = [Program::new("f(n, m)\n  for i 0 n\n    for j 0 m")];
        let values: Vec<Vec<i64>> = runs.iter().map(|&(n, m)| vec![n, m]).collect();
        let loops =
            study_of(&mut programs, &values.iter().map(Vec::as_slice).collect::<Vec<_>>()).loops().to_vec();
        let feature = |name: &str, value: fn(&(i64, i64)) -> i64| Feature {
            name: name.to_owned(),
            definition: Definition::Given,
            values: runs.iter().map(|run| Some(value(run) as f64)).collect(),
        };
        let features = vec![feature("n", |run| run.0), feature("m", |run| run.1)];
        let at = vec![("n".to_owned(), 1000.0), ("m".to_owned(), 300.0)];
        let workloads = (0..runs.len()).map(|i| Workload::imported(&format!("w{i:03}"))).collect();
        let study = Study::new(StudyParts { workloads, features, loops, ..StudyParts::default() }).unwrap();
        let findings = analyze(&study, &Options { at, ..Options::default() }).unwrap();
        let relation = findings.loops.iter().find(|row| row.depth == 2).unwrap().in_run.clone().unwrap();
        (relation.status == RelationStatus::Exact, relation.feature, relation.formula, relation.at[0])
    };
    let grid = [(4, 3), (4, 8), (4, 20), (9, 3), (9, 8), (9, 20), (25, 3), (25, 8), (25, 20)];
    assert_eq!(in_run(&grid), (true, "n, m".into(), "m·n".into(), Some(300_000.0)));
    // If m = 2n in all runs, n alone gives the trips.
    let line = [4, 9, 25, 60, 100, 130].map(|n| (n, 2 * n));
    assert_eq!(in_run(&line), (true, "n".into(), "2n²".into(), Some(2_000_000.0)));
    // If one feature is changed at a time, the runs cannot tell a product from a sum.
    let star = [(4, 8), (9, 8), (25, 8), (60, 8), (9, 3), (9, 20), (9, 50)];
    assert!(!in_run(&star).0);
}

#[test]
fn formulas_of_a_call_are_given_in_features_where_every_name_has_an_exact_relation() {
    // `cols` is half of the size, rounded down, so no polynomial in the size gives the trips of the runs.
    let text = "sum(size, rows, cols)\n  for i 0 rows\n    for j 0 cols";
    let relation_of = |calls: fn(i64) -> i64, cols: fn(i64) -> i64| {
        let sizes = [5_i64, 8, 13, 20, 30, 47, 64];
        let run = |(run, &n): (usize, &i64)| {
            let mut program = Program::new(text);
            (0..calls(n)).for_each(|_| program.run(&[n, n, cols(n)]));
            RunLoops { workload: WorkloadId(run as u32), functions: vec![program.observed()] }
        };
        let study = Study::new(StudyParts {
            workloads: (0..sizes.len()).map(|i| Workload::imported(&format!("w{i:03}"))).collect(),
            features: vec![Feature {
                name: "size".to_owned(),
                definition: Definition::Given,
                values: sizes.iter().map(|n| Some(*n as f64)).collect(),
            }],
            loops: sizes.iter().enumerate().map(run).collect(),
            ..StudyParts::default()
        });
        let findings = analyze(&study.unwrap(), &Options::default()).unwrap();
        let in_run = findings.loops[1].in_run.clone().unwrap();
        (in_run.status, in_run.formula, findings.loop_functions[0].trips_in_features.clone())
    };
    let half = |n: i64| n / 2 + 3;
    let (status, formula, in_features) = relation_of(|_| 2, half);
    assert_eq!((status, formula.as_str()), (RelationStatus::Exact, "2·size·⌊size/2⌋ + 6·size"));
    assert_eq!(in_features.as_deref(), Some("size·⌊size/2⌋ + 4·size"));
    // Small sizes do not call it.
    assert_ne!(relation_of(|n| if n < 20 { 0 } else { 2 }, half).0, RelationStatus::Exact);
    // The number of calls depends on the size.
    let (status, ..) = relation_of(|n| 1 + n % 3, half);
    assert_ne!(status, RelationStatus::Exact);
    // Both factors of (size − 8)² are negative at small sizes, where there are no trips.
    let negative = |rows: fn(i64) -> i64| {
        let runs: Vec<Vec<i64>> = [9_i64, 12, 20, 30, 47, 64].map(|n| vec![n, rows(n), rows(n)]).to_vec();
        let (_, functions) = loop_rows(text, &runs.iter().map(Vec::as_slice).collect::<Vec<_>>());
        functions[0].trips_in_features.clone()
    };
    assert_eq!(negative(|n| n - 8), None);
    assert_eq!(negative(|n| n + 8).as_deref(), Some("size² + 17·size + 72"));
    // Half of the size at some sizes, and 3 more at others.
    let (status, _, in_features) = relation_of(|_| 1, |n| n / 2 + 3 * (n % 3));
    assert_ne!(status, RelationStatus::Exact);
    assert_eq!(in_features, None);
}

#[test]
fn a_recursion_over_a_range_shrinks_with_its_length() {
    let runs: Vec<Vec<i64>> =
        [(0, 5), (3, 9), (4, 24), (0, 40), (10, 110), (7, 8)].map(|(lo, hi)| vec![1, lo, hi]).to_vec();
    let runs: Vec<&[i64]> = runs.iter().map(Vec::as_slice).collect();
    let recursion = |body: &str, calls: [&str; 2]| {
        let calls = calls.map(|argument| format!("    call sort({argument})\n")).concat();
        let (_, functions) = loop_rows(&format!("sort(a, lo, hi)\n  if hi-lo-1\n{calls}{body}"), &runs);
        (functions[0].recurrence.clone(), functions[0].o.clone())
    };
    let body = "  for i lo hi";
    let halves = ["a, lo, (lo+hi)/2", "a, (lo+hi)/2, hi"];
    let (recurrence, o) = recursion(body, halves);
    assert_eq!(recurrence.as_deref(), Some("T(s) = 2·T(s/2) + s, s = hi − lo"));
    assert_eq!(o, "hi·log hi");
    let other = ["a, lo, lo+(hi-lo)/2", "a, lo+(hi-lo)/2+1, hi"];
    assert_eq!(recursion(body, other).1, "hi·log hi");
    // The loop does not follow the range: its trips in all calls are not known.
    assert_eq!(recursion("  for i 0 hi", halves).0, None);
    // The range is given from its end to its start.
    let reversed = "
sort(a, hi, lo)
  if hi-lo-1
    call sort(a, (lo+hi)/2, lo)
    call sort(a, hi, (lo+hi)/2)
  for i lo hi
";
    let (_, functions) =
        loop_rows(reversed, &[&[1, 5, 0], &[1, 9, 3], &[1, 24, 4], &[1, 40, 0], &[1, 110, 10]]);
    assert_eq!(functions[0].o, "hi·log hi");
    // A step says nothing about the end: `i + 1` is nearer to every other parameter.
    assert_eq!(recursion(body, ["a, lo+1, hi", "a, lo+1, hi"]).0, None);
    assert_eq!(recursion("", halves).0, None);
    // A callee that calls itself has a cost without loops.
    let sort = "sort(a, lo, hi)\n  if hi-lo-1\n    call sort(a, lo, (lo+hi)/2)\n    call sort(a, (lo+hi)/2, hi)\n  call down(hi)";
    let down = "down(n)\n  if n\n    call down(n-1)";
    let (_, functions) = loop_rows_of(&[sort, down], &runs);
    assert!(functions.iter().all(|one| one.name != "sort" || one.recurrence.is_none()), "{functions:?}");
    // Arguments that the code does not state as formulas of the parameters.
    assert_eq!(recursion(body, ["a, lo, j", "a, i, hi"]).0, None);
}

/// Returns a study of one loop whose trips depend on the data; `trips` has the size and the trips of each run.
fn decided_by_data(trips: &[(i64, u64)]) -> Study {
    let run = |(run, &(_, trips)): (usize, &(i64, u64))| {
        let mut program = Program::new("f(tok)\n  for i 0 tok");
        program.run(&[1]);
        let mut function = program.observed();
        let one = &mut function.loops[0];
        one.inputs[0].value = LoopInputValue::Changing;
        one.observations[0].trips = LoopSummary::new(trips);
        (one.total.trips, one.total.least.trips, one.total.greatest.trips) = (trips, trips, trips);
        RunLoops { workload: WorkloadId(run as u32), functions: vec![function] }
    };
    let values = trips.iter().map(|(size, _)| Some(*size as f64)).collect();
    let study = Study::new(StudyParts {
        workloads: (0..trips.len()).map(|i| Workload::imported(&format!("w{i:03}"))).collect(),
        features: vec![Feature { name: "size".to_owned(), definition: Definition::Given, values }],
        loops: trips.iter().enumerate().map(run).collect(),
        ..StudyParts::default()
    });
    study.unwrap()
}

#[test]
fn a_law_of_all_trips_in_a_run_has_the_interval_and_the_doubts_of_any_other() {
    let options = Options { at: vec![("size".to_owned(), 10_000.0)], ..Options::default() };
    let law_of = |trips: &[(i64, u64)]| {
        let findings = analyze(&decided_by_data(trips), &options).unwrap();
        let in_run = findings.loops[0].in_run.clone().unwrap();
        (in_run.status, in_run.at[0].zip(in_run.ci[0]), in_run.doubts)
    };
    let sizes = [10_i64, 20, 40, 80, 160, 320, 640, 1000];
    // A small deviation at each size, so that no polynomial is exact.
    let lines = sizes.map(|n| (n, (3 * n + n % 7) as u64));
    let (status, at, _) = law_of(&lines);
    let (at, [least, greatest]) = at.unwrap();
    assert_eq!(status, RelationStatus::Decided);
    assert!((29_000.0..31_000.0).contains(&at) && least <= at && at <= greatest);
    // Scattered trips get a wide interval and a doubt.
    let noise = [1.7, 0.4, 2.1, 0.6, 1.1, 0.3, 2.4, 0.8];
    let scattered = sizes.iter().zip(noise).map(|(&n, noise)| (n, (n as f64 * noise) as u64));
    let (status, at, doubts) = law_of(&scattered.collect::<Vec<_>>());
    let (_, [least, greatest]) = at.unwrap();
    assert_eq!(status, RelationStatus::Several);
    assert!(greatest > 3.0 * least && !doubts.is_empty(), "{least} {greatest} {doubts:?}");
    // Too few runs for an interval: no value is reported.
    let (status, at, doubts) = law_of(&lines[..3]);
    assert_eq!(status, RelationStatus::Undecided);
    assert!(at.is_none() && !doubts.is_empty(), "{at:?} {doubts:?}");
}

#[test]
fn what_is_known_of_a_sample_says_so_and_how_far_it_may_be_off() {
    let runs: Vec<Vec<i64>> = [4, 10, 25, 60, 150, 400].map(|n| vec![n, 3 * n + 1]).to_vec();
    let runs: Vec<&[i64]> = runs.iter().map(Vec::as_slice).collect();
    let mut programs = [Program::new("walk(size, m)\n  for i 0 m")];
    let all = study_of(&mut programs, &runs);
    let rows = |share: Option<f64>| {
        let mut loops = all.loops().to_vec();
        for one in loops.iter_mut().flat_map(|run| &mut run.functions).flat_map(|f| &mut f.loops) {
            (one.total.activations, one.total.sampled) = (50, share);
        }
        let parts = StudyParts {
            workloads: all.workloads().to_vec(),
            features: all.features().to_vec(),
            loops,
            ..StudyParts::default()
        };
        analyze(&Study::new(parts).unwrap(), &Options::default()).unwrap().loops
    };
    let row = &rows(Some(0.25))[0];
    // 75 of 300 activations were kept.
    let error = row.sampled_error.unwrap();
    assert!((error - (1.0 - 0.05_f64.powf(1.0 / 75.0))).abs() < 1e-12, "{error}");
    let doubts = &row.inputs[0].relation.as_ref().unwrap().doubts;
    assert!(doubts.iter().any(|doubt| doubt.to_string().contains("(25.00 % in one run)")), "{doubts:?}");
    let row = &rows(None)[0];
    assert_eq!(row.sampled_error, None);
    assert!(row.inputs[0].relation.as_ref().unwrap().doubts.is_empty());
}

#[test]
fn greatest_inputs_that_do_not_come_together_are_noticed() {
    // One activation has a large n and a small m, another a small n and a large m.
    let mut program = Program::new("f(n, m)\n  for i 0 n*m");
    let mut loops = Vec::new();
    for run in 1..8_i64 {
        program = program.again();
        for arguments in [[10 * run, 2], [run, 30 * run], [run + 3, 5]] {
            program.run(&arguments);
        }
        loops.push(RunLoops { workload: WorkloadId(run as u32 - 1), functions: vec![program.observed()] });
    }
    let values = (1..8).map(|run| Some(f64::from(run))).collect();
    let study = Study::new(StudyParts {
        workloads: (0..7).map(|i| Workload::imported(&format!("w{i}"))).collect(),
        features: vec![Feature { name: "run".to_owned(), definition: Definition::Given, values }],
        loops,
        ..StudyParts::default()
    });
    let findings = analyze(&study.unwrap(), &Options::default()).unwrap();
    assert_eq!(findings.loops[0].trips.formula.as_deref(), Some("m·n"));
    assert_eq!(findings.loops[0].mispredicted, 7);
}

#[test]
fn what_never_ran_or_ran_at_one_size_is_unknown() {
    let (rows, functions) = loop_rows("f(n)\n  for i 0 n\n  if 0-n\n    for j 0 n", &[&[100]]);
    assert_eq!(rows[0].trips.status, LoopStatus::Unknown);
    assert_eq!((rows[0].greatest, rows[0].trips.points), (100, 1));
    assert_eq!((rows[1].activations, rows[1].trips.points), (Some(0), 0));
    assert_eq!(rows[0].inputs[0].kind, LoopInputKind::Parameter);
    assert_eq!(functions[0].trips, None);
}

#[test]
fn floating_point_bounds_are_integers_or_unknown() {
    let with = |values: &[f64]| {
        let mut program = Program::new("f(x)\n  for i 0 x");
        program.function.loops[0].inputs[0].value = LoopInputValue::Floating;
        for x in values {
            program.run(&[x.ceil() as i64]);
        }
        let mut function = program.observed();
        for o in &mut function.loops[0].observations {
            let x = values.iter().find(|x| x.ceil() as i64 == o.inputs[0]).unwrap();
            o.inputs[0] = x.to_bits().cast_signed();
        }
        function.loops[0].observations.sort_by_key(|o| o.inputs);
        let study = Study::new(StudyParts {
            workloads: vec![Workload::imported("w")],
            loops: vec![RunLoops { workload: WorkloadId(0), functions: vec![function] }],
            ..StudyParts::default()
        });
        let row = analyze(&study.unwrap(), &Options::default()).unwrap().loops.remove(0);
        (row.trips.status, row.trips.formula)
    };
    assert_eq!(with(&[3.0, 8.0, 20.0, 100.0]), (LoopStatus::Exact, Some("x".to_owned())));
    assert_eq!(with(&[3.5, 8.0, 20.0, 100.0]), (LoopStatus::Symbolic, None));
}

#[test]
fn loops_of_another_build_are_a_doubt() {
    let (mut first, mut second) =
        (Program::new("f(n)\n  for i 0 7"), Program::new("f(n)\n  if n\n    for i 0 n"));
    first.run(&[5]);
    second.run(&[7]);
    let run = |workload, program: &Program| RunLoops {
        workload: WorkloadId(workload),
        functions: vec![program.observed()],
    };
    let values = vec![Some(5.0), Some(7.0)];
    let study = Study::new(StudyParts {
        workloads: vec![Workload::imported("a"), Workload::imported("b")],
        features: vec![Feature { name: "size".to_owned(), definition: Definition::Given, values }],
        loops: vec![run(0, &first), run(1, &second)],
        ..StudyParts::default()
    });
    let findings = analyze(&study.unwrap(), &Options::default()).unwrap();
    assert!(
        findings
            .doubts
            .iter()
            .any(|doubt| matches!(doubt, Doubt::Recorded(w) if w.kind == WarningKind::LoopsDiffer))
    );
    assert_eq!(findings.loops.len(), 1);
}

#[test]
fn a_loop_without_inputs_is_a_constant_if_it_always_is_the_same() {
    let law = |trips: &[u64]| {
        let mut one = ProgramLoop::default();
        for &trips in trips {
            let extreme = LoopExtreme { trips, inputs: [0; 4] };
            let observed = LoopObservation {
                activations: 1,
                trips: LoopSummary::new(trips),
                ..LoopObservation::default()
            };
            one.observations.push(observed);
            one.total.add(&LoopTotal {
                activations: 1,
                trips,
                least: extreme,
                greatest: extreme,
                sampled: None,
            });
        }
        LoopObservation::merge(&mut one.observations);
        let law = trips::law(&one, &Options::default());
        (law.status, law.polynomial.map(|one| one.to_string()))
    };
    assert_eq!(law(&[4, 4, 4]), (LoopStatus::Exact, Some("4".to_owned())));
    assert_eq!(law(&[4, 4]), (LoopStatus::Unknown, None));
    assert_eq!(law(&[4, 9, 4]), (LoopStatus::Symbolic, None));
}

#[test]
fn inputs_that_decide_without_a_formula_have_a_model() {
    let runs: Vec<Vec<i64>> = (1..20_i64).map(|k| vec![k * k * 11, 7 * k % 5]).collect();
    let mut program = Program::new("f(n, m)\n  for i 0 n\n");
    program.function.loops[0].inputs.push(LoopInput {
        name: "m".to_owned(),
        kind: LoopInputKind::Parameter,
        counter_of: None,
        value: LoopInputValue::Integer,
        is_limit: false,
    });
    for arguments in &runs {
        program.run(arguments);
    }
    let mut one = program.observed().loops.remove(0);
    for o in &mut one.observations {
        let trips = (o.inputs[0] as f64).powf(1.3) as u64;
        o.trips = LoopSummary::new(trips);
    }
    let law = trips::law(&one, &Options::default());
    assert_eq!(
        (law.status, law.fitted.map(|model| model.feature)),
        (LoopStatus::Fitted, Some("n".to_owned()))
    );
}

/// Makes a function of loops without observations, in nests of this depth.
fn nests(name: &str, loops: u32, depth: u32, trips: u64) -> LoopFunction {
    let one = |index: u32| {
        let total = LoopTotal { activations: 1, trips, ..LoopTotal::default() };
        let observation =
            LoopObservation { activations: 1, trips: LoopSummary::new(trips), ..LoopObservation::default() };
        ProgramLoop {
            line: index + 1,
            parent: (!index.is_multiple_of(depth)).then(|| index - 1),
            observations: vec![observation; 6],
            total,
            ..ProgramLoop::default()
        }
    };
    LoopFunction {
        symbol: Symbol::plain(name),
        object: "a.o".to_owned(),
        file: "a.c".to_owned(),
        line: 1,
        parameters: Vec::new(),
        loops: (0..loops).map(one).collect(),
        calls: Vec::new(),
    }
}

#[test]
fn the_nests_with_the_fewest_trips_are_left_out_where_there_are_too_many() {
    let deep = |name: &str, trips| nests(name, 4000, 63, trips);
    assert!(work(&deep("deep", 1)) < MOST_WORK / 2, "{}", work(&deep("deep", 1)));
    let honest = nests("honest", 30, 3, 1);
    assert!(10_000 * work(&honest) < MOST_WORK / 4, "{}", work(&honest));
    let mut all: Vec<LoopFunction> = (5..11).map(|trips| deep(&format!("deep{trips:02}"), trips)).collect();
    all.push(honest);
    let (analyzed, left_out) = within_limits(all);
    let names = |all: &[LoopFunction]| all.iter().map(|one| one.symbol.name.clone()).collect::<Vec<_>>();
    assert!(analyzed.iter().map(work).sum::<u64>() <= MOST_WORK);
    assert_eq!(names(&left_out), ["deep05"]);
    assert_eq!(names(&analyzed), ["deep06", "deep07", "deep08", "deep09", "deep10", "honest"]);
    let loops = Loops { left_out, ..Loops::default() };
    let doubts: Vec<Doubt> = loops.doubts().collect();
    assert!(matches!(doubts[..], [Doubt::LoopsLeftOut { functions: 1, loops: 4000 }]), "{doubts:?}");
}
