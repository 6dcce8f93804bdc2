//! Loops whose trips the compiler knows: other loops show how often they were entered.

use super::*;

/// Runs a program whose loops without inputs are not watched. Returns its observations, and how often each loop was
/// entered.
fn unwatched(text: &str, runs: &[&[i64]]) -> (LoopFunction, Vec<u64>) {
    let mut program = Program::new(text);
    for arguments in runs {
        program.run(arguments);
    }
    let mut function = program.observed();
    let entered = function.loops.iter().map(|one| one.total.activations).collect();
    for one in function.loops.iter_mut().filter(|one| one.inputs.is_empty()) {
        assert_eq!(one.total.least.trips, one.total.greatest.trips, "line {}", one.line);
        one.constant_trips = Some(one.total.least.trips);
        (one.observations, one.total) = (Vec::new(), LoopTotal::default());
    }
    (function, entered)
}

#[test]
fn entries_of_loops_of_known_trips_follow_from_what_is_counted() {
    let text = "
f(n)
  for a 0 8
    for b 0 3
  for i 0 n
    if i-2
      for c 0 5
        for d 0 4
    for e 0 2
  for r 0 6
    for s 0 n
      for t 0 7
  if n-4
    for u 0 9
";
    let (function, entered) = unwatched(text, &[&[3], &[7], &[0]]);
    let expected: Vec<_> = entered.iter().copied().map(Some).collect();
    let counts = entries::entries(&function);
    let [_, _, expected @ .., _] = &expected[..] else { unreachable!() };
    assert_eq!(counts[2..2 + expected.len()], *expected);
    // No count shows how often these loops were entered: the code before them may leave the function.
    assert_eq!((counts[0], counts[1], counts.last()), (None, None, Some(&None)));
}

#[test]
fn a_loop_beside_nothing_that_is_counted_is_not_counted_and_one_around_a_counted_one_is() {
    let (function, _) = unwatched("f(n)\n  for a 0 8\n    for b 0 3\n", &[&[3], &[7]]);
    assert_eq!(entries::entries(&function), [None, None]);
    let (function, _) = unwatched("f(n)\n  for a 0 8\n    for b 0 n\n", &[&[3], &[7]]);
    assert_eq!(entries::entries(&function), [Some(2), Some(16)]);
    let (function, _) = unwatched("f(n)\n  for a 0 8\n    if n-4\n      for b 0 n\n", &[&[3], &[7]]);
    assert_eq!(entries::entries(&function), [None, Some(8)]);
}

#[test]
fn of_a_sample_a_loop_is_counted_that_was_entered_in_each_trip() {
    let text = "f(n)\n  for i 0 n\n    for a 0 8\n    if i-2\n      for b 0 3\n";
    let (mut function, entered) = unwatched(text, &[&[3], &[7]]);
    function.loops[0].total.sampled = Some(0.5);
    assert_eq!(entries::entries(&function), [Some(2), Some(entered[1]), None]);
    // One activation leaves the outer loop in the middle of a trip, so the sums include one more activation of the
    // inner loop.
    function.loops[0].observations[0].inner_trips[0] += 8;
    assert_eq!(entries::entries(&function)[1], None);
}

#[test]
fn a_row_says_the_trips_in_all_of_what_is_counted_and_nothing_of_the_rest() {
    let (function, _) = unwatched("f(n)\n  for i 0 n\n    for a 0 8\n", &[&[3], &[7]]);
    let (alone, _) = unwatched("g()\n  for a 0 4\n", &[&[]]);
    let study = Study::new(StudyParts {
        workloads: vec![Workload::imported("w")],
        loops: vec![RunLoops { workload: WorkloadId(0), functions: vec![function, alone] }],
        ..StudyParts::default()
    });
    let rows = analyze(&study.unwrap(), &Options::default()).unwrap().loops;
    let counted: Vec<_> =
        rows.iter().map(|row| (row.activations, row.total, row.least, row.greatest)).collect();
    assert_eq!(counted, [(Some(2), Some(10), 3, 7), (Some(10), Some(80), 8, 8), (None, None, 4, 4)]);
}
