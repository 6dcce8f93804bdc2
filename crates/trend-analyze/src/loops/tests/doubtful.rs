//! Loops that seem to follow a law but follow none, or a different one.

use super::program::Program;
use super::*;

/// Returns a loop with inputs of these names, whose activations had these values and trips.
fn observed(names: &[&str], activations: &[(&[i64], u64)]) -> ProgramLoop {
    let input = |name: &&str| LoopInput {
        name: (*name).to_owned(),
        kind: LoopInputKind::Parameter,
        counter_of: None,
        value: LoopInputValue::Integer,
        is_limit: false,
    };
    let mut one = ProgramLoop { inputs: names.iter().map(input).collect(), ..ProgramLoop::default() };
    for (values, trips) in activations {
        let mut inputs = [0; 4];
        inputs[..values.len()].copy_from_slice(values);
        one.observations.push(LoopObservation {
            inputs,
            activations: 1,
            trips: LoopSummary::new(*trips),
            ..LoopObservation::default()
        });
        let extreme = LoopExtreme { trips: *trips, inputs };
        one.total.add(&LoopTotal {
            activations: 1,
            trips: *trips,
            least: extreme,
            greatest: extreme,
            sampled: None,
        });
    }
    LoopObservation::merge(&mut one.observations);
    one
}

fn law(one: &ProgramLoop) -> (LoopStatus, Option<String>, Option<String>) {
    let law = trips::law(one, &Options::default());
    let words = |one: Option<trend_model::loops::Polynomial>| one.map(|one| in_words(&one).to_string());
    (law.status, words(law.polynomial), words(law.bound))
}

const TO_TWELVE: [i64; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

#[test]
fn what_changes_from_trip_to_trip_decides_as_well() {
    // A search for values that do not exist: each search ran to the end.
    let points: Vec<([i64; 2], u64)> = TO_TWELVE.map(|n| ([n, 0], n as u64)).to_vec();
    let points: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    let mut search = observed(&["n", "a[i]"], &points);
    assert_eq!(law(&search), (LoopStatus::Exact, Some("n".to_owned()), None));
    search.inputs[1].value = LoopInputValue::Changing;
    assert_eq!(law(&search), (LoopStatus::Symbolic, None, Some("n".to_owned())));
}

#[test]
fn two_trip_counts_and_a_bound_that_is_always_reached_have_no_curve() {
    // `while (value > 9) value /= 10;` for numbers of three and seven digits.
    let values: Vec<[i64; 1]> =
        (0..40).map(|k| [if k < 20 { 100 + 40 * k } else { 1_000_000 + k }]).collect();
    let digits: Vec<(&[i64], u64)> =
        values.iter().map(|value| (&value[..], value[0].ilog10().into())).collect();
    assert_eq!(law(&observed(&["value"], &digits)).0, LoopStatus::Symbolic);
    // The runs do not show if `other`, which also varies, ever decides.
    let sizes: Vec<[i64; 2]> = (4..30).map(|n| [n, n * n % 7]).collect();
    let less: Vec<(&[i64], u64)> = sizes.iter().map(|size| (&size[..], size[0] as u64 - 1)).collect();
    assert_eq!(
        law(&observed(&["n", "other"], &less)),
        (LoopStatus::Symbolic, None, Some("n − 1".to_owned()))
    );
}

#[test]
fn a_model_that_does_not_give_what_was_held_back_is_none() {
    // `while (tok != X) next()`: the trips by the code of the token at which the loop starts.
    let by_code = [31, 2, 5, 18, 44, 7, 3, 29, 12, 55, 6, 21];
    let points: Vec<([i64; 1], u64)> =
        by_code.iter().zip(40_i64..).map(|(&trips, code)| ([code * code], trips)).collect();
    let points: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    let one = observed(&["tok"], &points);
    let law = trips::law(&one, &Options::default());
    assert_eq!(
        (law.status, law.fitted.map(|model| model.law().unwrap().formula())),
        (LoopStatus::Symbolic, None)
    );
}

#[test]
fn a_formula_that_most_activations_contradict_is_none() {
    // At nearly all inputs the loop makes no trip. At the only input with trips, their number differs.
    let mut points: Vec<([i64; 1], u64)> = TO_TWELVE.map(|n| ([n], 0)).to_vec();
    points.extend((0..300).map(|k| ([40], k % 17)));
    let points: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    let (status, formula, _) = law(&observed(&["n"], &points));
    assert_eq!((status, formula), (LoopStatus::Symbolic, None));
}

#[test]
fn what_changes_with_the_trips_of_an_outer_loop_is_not_multiplied_by_them() {
    // `for (row …) { span = spans[row]; for (j = span.lo; j < span.hi; j++) … }`, in two calls.
    let rows = |outer: &[(&[i64], u64)], spans: &[(&[i64], u64)]| {
        let mut inner = observed(&["span.lo", "span.hi"], spans);
        inner.parent = Some(0);
        let function = LoopFunction {
            loops: vec![observed(&["height"], outer), inner],
            ..Program::new("scale(height)\n").function
        };
        let laws: Vec<_> = function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
        let sum = nest::Nest::new(&function, &laws).trips_in_call(1);
        (in_words(sum.polynomial()).to_string(), sum.certainty)
    };
    let spans: Vec<[i64; 2]> = (0..12).map(|k| [k * k, k * k + 2 + 5 * k % 7]).collect();
    let spans: Vec<(&[i64], u64)> =
        spans.iter().map(|span| (&span[..], (span[1] - span[0]) as u64)).collect();
    let (sum, certainty) = rows(&[(&[5], 5), (&[7], 7)], &spans);
    assert_eq!((sum.as_str(), certainty), ("trips of test.c:0 no. 2", nest::Certainty::Symbolic));
    // One span per call.
    let calls: Vec<[i64; 1]> = (0..12).map(|k| [k + 2]).collect();
    let calls: Vec<(&[i64], u64)> = calls.iter().map(|call| (&call[..], call[0] as u64)).collect();
    assert_eq!(rows(&calls, &spans).1, nest::Certainty::Derived);
}

#[test]
fn a_number_that_trips_never_come_near_is_no_bound() {
    let points =
        [([120, 9], 3), ([97, 9], 9), ([112, 9], 3), ([120, 8], 8), ([101, 20], 17), ([101, 12], 12)];
    let points: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_eq!(law(&observed(&["letter", "n"], &points)).2.as_deref(), Some("n"));
    // If the trips reach the input only once, that may be chance.
    let once: Vec<(&[i64], u64)> = points.iter().take(3).copied().collect();
    assert_eq!(law(&observed(&["letter", "n"], &once)).2, None);
    // The loop always ends at n, however far away n is.
    let far: Vec<(&[i64], u64)> = vec![(&[120, 900], 3), (&[97, 700], 9), (&[101, 80], 17), (&[101, 80], 2)];
    let mut one = observed(&["letter", "n"], &far);
    assert_eq!(law(&one).2, None);
    one.inputs[1].is_limit = true;
    assert_eq!(law(&one).2.as_deref(), Some("n"), "and not n − 1, which may be luck");
    let letters: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..1], *trips)).collect();
    assert_eq!(law(&observed(&["letter"], &letters)), (LoopStatus::Symbolic, None, None));
}

#[test]
fn extremes_of_a_sampled_loop_are_observations() {
    let points: Vec<([i64; 1], u64)> = TO_TWELVE.map(|n| ([n], n as u64)).to_vec();
    let points: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    let mut one = observed(&["n"], &points);
    one.total.sampled = Some(0.01);
    assert_eq!(trips::law(&one, &Options::default()).off, 0);
    one.total.greatest = LoopExtreme { trips: 14, inputs: [13, 0, 0, 0] };
    let law = trips::law(&one, &Options::default());
    assert_eq!((law.status, law.off, law.off_points[0].trips), (LoopStatus::Fitted, 1, 14));
}

#[test]
fn calls_of_itself_in_a_loop_are_no_recurrence_with_a_number_of_calls() {
    // The function makes n! calls.
    let permutations = "
permute(n)
  if n
    for i 0 n
      call permute(n-1)
";
    let (_, functions) = loop_rows(permutations, &[&[1], &[2], &[3], &[4], &[5], &[6]]);
    assert_eq!(functions[0].recurrence, None);
    assert!(functions[0].o.contains("calls of permute"), "{functions:?}");
    let halves = "
halves(n)
  if n
    for i 0 n
    for k 0 2
      call halves(n/2)
";
    let (_, functions) = loop_rows(halves, &[&[1], &[2], &[5], &[9], &[16], &[33]]);
    assert_eq!(functions[0].recurrence.as_deref(), Some("T(n) = 2·T(n/2) + n"));
    // The argument is the same for every n, so it does not show how n shrinks.
    let fixed = "
fixed(n)
  if n-5
    call fixed(5)
  for i 0 n
";
    let (_, functions) = loop_rows(fixed, &[&[1], &[2], &[5], &[9], &[16], &[33]]);
    assert_eq!(functions[0].recurrence, None);
}

#[test]
fn parameters_are_replaced_in_names_of_the_program_alone() {
    let mut list = Program::new("length(test)\n  for i 0 test");
    list.function.loops[0].inputs[0].value = LoopInputValue::Changing;
    let mut caller = Program::new("all(n)\n  for i 0 n\n    call length(n)");
    for n in 1..9 {
        list.run(&[n]);
        caller.run(&[n]);
    }
    // Before the loop starts, no value shows how long the list is.
    let mut list = list.observed();
    for o in &mut list.loops[0].observations {
        o.inputs = [0; 4];
    }
    LoopObservation::merge(&mut list.loops[0].observations);
    let study = Study::new(StudyParts {
        workloads: vec![Workload::imported("w")],
        loops: vec![RunLoops { workload: WorkloadId(0), functions: vec![caller.observed(), list] }],
        ..StudyParts::default()
    });
    let functions = analyze(&study.unwrap(), &Options::default()).unwrap().loop_functions;
    let all = functions.iter().find(|one| one.name == "all").unwrap();
    assert_eq!(all.o, "n·(trips of test.c:2)");
}

#[test]
fn what_one_combination_alone_says_is_confirmed_by_nothing() {
    // Lua hashes l / (l / 32 + 1) characters of a string; all but one of these strings are short.
    let points: Vec<([i64; 2], u64)> = [1, 2, 3, 5, 8, 9, 12, 15, 17, 20, 24, 26, 33]
        .map(|l| ([l, l / 32 + 1], (l / (l / 32 + 1)) as u64))
        .to_vec();
    let samples: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_eq!(law(&observed(&["l", "step"], &samples)).1.as_deref(), Some("⌊l/step⌋"));
    // A table doubles each time except the first. The distance fits all points and is simpler than a formula with an
    // exception.
    let sizes = [([0, 8], 8), ([8, 16], 8), ([16, 32], 16), ([32, 64], 32), ([64, 128], 64)];
    let samples: Vec<(&[i64], u64)> = sizes.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_eq!(law(&observed(&["old", "new"], &samples)).1.as_deref(), Some("new − old"));
    // Two points that contradict a coefficient do not confirm it.
    let mut steps: Vec<([i64; 2], u64)> = (5..25).map(|l| ([l, 1], l as u64)).collect();
    steps.extend([([40, 2], 17), ([67, 2], 31)]);
    let samples: Vec<(&[i64], u64)> = steps.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_eq!(law(&observed(&["l", "s"], &samples)).1, None);
    // A sum is not a distance: only one point shows the effect of f.
    let sums = [([5, 0], 5), ([6, 0], 6), ([7, 0], 7), ([8, 1], 9)];
    let samples: Vec<(&[i64], u64)> = sums.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_ne!(law(&observed(&["n", "f"], &samples)).1.as_deref(), Some("f + n"));
    // The head of a list is −1 or an index, and an index always means one trip. Nothing shows that a larger index means
    // more trips.
    let heads =
        [([-1, 3], 0), ([-1, 5], 0), ([6, 8], 1), ([6, 9], 1), ([6, 12], 1), ([-1, 20], 0), ([6, 31], 1)];
    let samples: Vec<(&[i64], u64)> = heads.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_eq!(law(&observed(&["head", "n"], &samples)).1, None);
}

#[test]
fn a_loop_that_never_made_a_trip_has_no_formula() {
    let points: Vec<([i64; 1], u64)> = TO_TWELVE.map(|n| ([n], 0)).to_vec();
    let samples: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
    assert_eq!(law(&observed(&["n"], &samples)), (LoopStatus::Constant, None, None));
    assert_eq!(law(&observed(&["n"], &samples[..2])), (LoopStatus::Unknown, None, None), "seen twice");
}

/// In `for (i = 0; i < n && i < 8; i++)`, runs in which `n` was never below 8 do not show whether `n` or another limit
/// decides.
#[test]
fn trips_that_were_always_the_same_are_constant_and_no_formula() {
    let same: Vec<(&[i64], u64)> = vec![(&[8], 8), (&[8], 8), (&[8], 8)];
    assert_eq!(law(&observed(&["n"], &same)), (LoopStatus::Constant, None, None), "one value");
    let varied: Vec<(&[i64], u64)> = vec![(&[9], 8), (&[20], 8), (&[33], 8), (&[70], 8)];
    let (status, formula, _) = law(&observed(&["n"], &varied));
    assert_eq!((status, formula), (LoopStatus::Constant, None));
    let different: Vec<(&[i64], u64)> = vec![(&[8], 8), (&[8], 7), (&[8], 8)];
    assert_eq!(law(&observed(&["n"], &different)).0, LoopStatus::Symbolic);
}

#[test]
fn a_loop_that_is_passed_over_at_times_makes_at_most_its_trips_in_a_call() {
    let (rows, _) = loop_rows("f(n)\n  if n-10\n    for i 0 n\n  for k 0 n", &SIZES);
    let in_call = |row: &LoopRow| (row.in_call.formula.clone(), row.in_call.status, row.in_call.at_most);
    assert_eq!(in_call(&rows[0]), ("n".to_owned(), LoopStatus::Symbolic, true));
    assert_eq!(in_call(&rows[1]), ("n".to_owned(), LoopStatus::Exact, false));
}

#[test]
fn what_is_inside_may_be_run_in_the_trip_that_leaves_as_well() {
    // for (;;) { for (j = 0; j < m; j++) …; if (i == 0) break; i--; }, without measured sums.
    let mut program = Program::new("f(n, m)\n  for i 0 n\n    for j 0 m");
    for arguments in [[3, 2], [5, 9], [8, 4], [13, 1], [16, 6], [20, 3]] {
        program.run(&arguments);
    }
    let mut function = program.observed();
    for o in &mut function.loops[0].observations {
        o.inner_trips.clear();
    }
    let trips_of = |function: &LoopFunction| {
        let laws: Vec<TripsLaw> =
            function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
        let trips = Nest::new(function, &laws).trips_in_call(1);
        (trips.polynomial().to_string(), trips.certainty)
    };
    assert_eq!(trips_of(&function), ("m·n".to_owned(), Certainty::Derived));
    function.loops[1].total.activations += function.loops[0].total.activations;
    assert_eq!(trips_of(&function), ("m·n + m".to_owned(), Certainty::Bound));
}

#[test]
fn loops_on_one_line_have_names_of_their_own() {
    let mut program = Program::new("f(n)\n  for i 0 n\n    for j 0 n");
    for n in 1..9 {
        program.run(&[n]);
    }
    let mut function = program.observed();
    for one in &mut function.loops {
        (one.line, one.inputs[0].value) = (2, LoopInputValue::Changing);
        for o in &mut one.observations {
            o.inputs = [0; 4];
            o.inner_trips.clear();
        }
        LoopObservation::merge(&mut one.observations);
    }
    let laws: Vec<TripsLaw> = function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
    let trips_of =
        |function: &LoopFunction| Nest::new(function, &laws).trips_in_call(1).polynomial().to_string();
    assert_eq!(trips_of(&function), "trips of test.c:2 no. 2");
}

#[test]
fn loops_between_count_where_the_innermost_trips_differ_in_an_outer_loop() {
    let mut program = Program::new("f(n, m)\n  for i 0 n\n    for j 0 n\n      for k 0 m\n");
    for arguments in [[3, 5], [7, 9], [12, 4], [20, 30]] {
        program.run(&arguments);
    }
    let mut function = program.observed();
    let trips_of = |function: &LoopFunction| {
        let laws: Vec<TripsLaw> =
            function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
        Nest::new(function, &laws).trips_in_call(2).polynomial().to_string()
    };
    assert_eq!(trips_of(&function), "m·n²");
    // Each trip of the outer loop has another `m`.
    let movement = trend_profile::LoopMovement { varies_in: Some(0), ..Default::default() };
    function.loops[2].stated.inputs = vec![movement];
    assert_eq!(trips_of(&function), "n²·(trips of test.c:4)");
}

/// Returns the formula found for a loop with one exit or with several.
fn with_exits(names: &[&str], exits: LoopExits, points: &[(&[i64], u64)]) -> Option<String> {
    law(&ProgramLoop { exits, ..observed(names, points) }).1
}

#[test]
fn a_formula_has_each_input_that_varied() {
    let points: Vec<(&[i64], u64)> = vec![(&[3, 90], 1), (&[8, 50], 1), (&[20, 70], 1), (&[33, 10], 1)];
    assert_eq!(law(&observed(&["off", "end"], &points)).1, None);
    let points: Vec<(&[i64], u64)> = vec![(&[3, 90], 3), (&[8, 50], 8), (&[20, 70], 20), (&[33, 99], 33)];
    let (status, formula, bound) = law(&observed(&["n", "room"], &points));
    assert_eq!((status, formula, bound.as_deref()), (LoopStatus::Unknown, None, Some("n")));
    let points: Vec<(&[i64], u64)> = vec![(&[3, 90], 3), (&[8, 90], 8), (&[20, 90], 20), (&[33, 90], 33)];
    assert_eq!(law(&observed(&["n", "room"], &points)).1, Some("n".to_owned()), "it did not vary");
}

#[test]
fn of_a_lesser_of_two_each_was_that_at_several_numbers_of_trips() {
    let formula = |points: &[(i64, i64)]| {
        let points: Vec<([i64; 2], u64)> = points.iter().map(|&(a, b)| ([a, b], a.min(b) as u64)).collect();
        let points: Vec<(&[i64], u64)> = points.iter().map(|(inputs, trips)| (&inputs[..], *trips)).collect();
        law(&observed(&["wanted", "room"], &points)).1
    };
    let mut points = vec![(19, 300), (14, 900), (17, 5000), (12, 80), (16, 700), (18, 3)];
    assert_eq!(formula(&points), None, "room was the smaller one only once");
    points.push((15, 9));
    assert_eq!(formula(&points), Some("min(wanted, room)".to_owned()));
}

#[test]
fn a_loop_that_is_run_once_in_any_case_has_the_greater_of_1_and_a_formula() {
    let formula = |exits, trips: fn(i64) -> u64| {
        let sizes = [-4_i64, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100];
        let points: Vec<([i64; 1], u64)> = sizes.iter().map(|&n| ([n], trips(n))).collect();
        let points: Vec<(&[i64], u64)> = points.iter().map(|(x, trips)| (&x[..], *trips)).collect();
        with_exits(&["n"], exits, &points)
    };
    let line = |n: i64| n.max(1).unsigned_abs();
    let halves = |n: i64| u64::from(n.max(1).ilog2()) + 1;
    assert_eq!(formula(LoopExits::Single, line).as_deref(), Some("max(1, n)"));
    assert_eq!(formula(LoopExits::Single, halves).as_deref(), Some("max(1, ⌊log₂ n⌋ + 1)"));
    assert_eq!(formula(LoopExits::Several, halves), None, "a logarithm in max(1, …) needs one exit too");
}

#[test]
fn a_logarithm_has_all_inputs_and_one_exit() {
    let sizes: Vec<[i64; 1]> = [2, 3, 5, 9, 17, 40, 100, 300, 1000].map(|n| [n]).to_vec();
    let points: Vec<(&[i64], u64)> = sizes.iter().map(|n| (&n[..], u64::from(n[0].ilog2()))).collect();
    assert_eq!(with_exits(&["n"], LoopExits::Single, &points), Some("⌊log₂ n⌋".to_owned()));
    assert_eq!(with_exits(&["n"], LoopExits::Several, &points), None);
    // A buffer is doubled up to a needed size, which always stayed below the next power of two.
    let pairs: Vec<[i64; 2]> = (0..9).map(|k| [16 << k, 5000 + k * k * 37 % 997]).collect();
    let points: Vec<(&[i64], u64)> =
        pairs.iter().map(|x| (&x[..], 9 - u64::from(x[0].ilog2() - 4))).collect();
    // The formula contains both inputs, and its rounding is undecided.
    let (status, formula, _) = law(&observed(&["bufferSize", "neededSize"], &points));
    assert_eq!(formula.as_deref(), Some("⌈log₂(neededSize/bufferSize)⌉"));
    assert_eq!(status, LoopStatus::Fitted);
}

#[test]
fn a_number_that_an_input_always_was_is_that_input() {
    let rows: Vec<[i64; 2]> = (0..9).map(|k| [3860 + 7 * k, 3856]).collect();
    let points: Vec<(&[i64], u64)> = rows.iter().map(|x| (&x[..], (x[0] - x[1]) as u64)).collect();
    assert_eq!(law(&observed(&["pp", "base"], &points)).1, Some("pp − base".to_owned()));
}
