#![expect(clippy::items_after_statements, reason = "each case has the functions that it adds beside it")]

use trend_profile::{
    Call, Definition, Feature, Function, FunctionId, FunctionName, Kind, Location, SourceText, Study,
    StudyParts, Workload,
};

use crate::analyze::analyze;
use crate::findings::Findings;
use crate::findings::answer::AnswerPlace;
use crate::options::Options;

/// A function: its name, its file, its number of entries at n, and its lines with their counts at n.
type Drawn = (&'static str, &'static str, fn(u64) -> u64, &'static [(u32, fn(u64) -> u64)]);

/// A call: caller, line, callee, number of call instructions.
type DrawnCall = (&'static str, u32, &'static str, u32);

/// Returns the findings of twelve runs. C++ files are the user's own; headers belong to a library.
fn findings(functions: &[Drawn], calls: &[DrawnCall]) -> Findings {
    let sizes: Vec<u64> = (0..12).map(|i| 100 << i).collect();
    let (mut locations, mut counts) = (Vec::new(), Vec::new());
    for (id, (_, file, entries, lines)) in functions.iter().enumerate() {
        let entry = (Kind::Entry, 1, *entries);
        let blocks = lines.iter().map(|(line, count)| (Kind::Block, *line, *count));
        for (block, (kind, line, count)) in (0..).zip(std::iter::once(entry).chain(blocks)) {
            let location = Location::on_line(kind, *file, line);
            locations.push(Location { function: FunctionId(id as u32), block, ..location });
            counts.push(sizes.iter().map(|&n| count(n)).collect());
        }
    }
    let file = |name: &str| functions.iter().find(|f| f.0 == name).unwrap().1;
    let named = |name: &str| FunctionName::new(name, file(name));
    let call = |(caller, line, callee, sites): &DrawnCall| Call {
        caller: named(caller),
        file: file(caller).into(),
        line: *line,
        callee: named(callee),
        sites: *sites,
    };
    let values = sizes.iter().map(|&n| Some(n as f64)).collect();
    let study = Study::new(StudyParts {
        program: "p".to_owned(),
        functions: functions.iter().map(|f| Function::plain(f.0, f.1, 1)).collect(),
        locations,
        calls: calls.iter().map(call).collect(),
        workloads: (0..12).map(|i| Workload::imported(&format!("w{i:02}"))).collect(),
        features: vec![Feature { name: "n".to_owned(), definition: Definition::Given, values }],
        counts,
        sources: vec![SourceText { file: "a.cpp".to_owned(), text: String::new() }],
        ..StudyParts::default()
    });
    analyze(&study.unwrap(), &Options::default()).unwrap()
}

/// Returns the place that the answer names.
fn place(functions: &[Drawn], calls: &[DrawnCall]) -> AnswerPlace {
    findings(functions, calls).answer.unwrap().place.unwrap()
}

fn caller(functions: &[Drawn], calls: &[DrawnCall]) -> Option<(String, u32)> {
    place(functions, calls).caller.map(|site| (site.function, site.line))
}

const MAIN: Drawn = ("main", "a.cpp", |_| 1, &[(9, |n| n), (12, |n| n / 2), (15, |n| n / 100)]);
const FIND: Drawn = ("find", "/usr/include/algo.h", |n| n, &[(70, |n| n)]);
const SEARCH: Drawn = ("search", "/usr/include/algobase.h", |n| n, &[(80, |n| n * n)]);

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be absent")]
fn own(function: &str, line: u32) -> Option<(String, u32)> {
    Some((function.to_owned(), line))
}

#[test]
fn a_library_is_named_by_the_own_line_that_calls_it_through_whatever_it_calls() {
    let all = [MAIN, FIND, SEARCH];
    let place = place(&all, &[("main", 9, "find", 1), ("find", 70, "search", 1)]);
    assert_eq!((&*place.function, place.is_own), ("search", false));
    assert_eq!(
        place.caller.map(|site| (site.function, site.file, site.line)),
        Some(("main".to_owned(), "a.cpp".to_owned(), 9))
    );
}

#[test]
fn of_several_lines_one_is_named_that_makes_nearly_all_calls() {
    let all = [MAIN, FIND, SEARCH];
    let inner = ("find", 70, "search", 1);
    assert_eq!(caller(&all, &[("main", 9, "find", 1), ("main", 15, "find", 1), inner]), own("main", 9));
    // Two lines of one function count together.
    assert_eq!(caller(&all, &[("main", 9, "find", 1), ("main", 12, "find", 1), inner]), own("main", 9));
    const OTHER: Drawn = ("other", "a.cpp", |_| 1, &[(30, |n| n)]);
    const BOTH: Drawn = ("find", "/usr/include/algo.h", |n| 2 * n, &[(70, |n| 2 * n)]);
    let all = [MAIN, OTHER, BOTH, SEARCH];
    assert_eq!(caller(&all, &[("main", 9, "find", 1), ("other", 30, "find", 1), inner]), None);
}

#[test]
fn where_known_lines_do_not_make_the_calls_nothing_is_said() {
    let all = [MAIN, FIND, SEARCH];
    // Line 15 runs a hundredth as often as `find` is entered, so others call it, through pointers.
    assert_eq!(caller(&all, &[("main", 15, "find", 1), ("find", 70, "search", 1)]), None);
    assert_eq!(caller(&all, &[]), None);
    // Line 12 runs half as often, but calls twice.
    assert_eq!(caller(&all, &[("main", 12, "find", 2), ("find", 70, "search", 1)]), own("main", 12));
}

#[test]
fn a_line_of_no_block_made_the_calls_that_others_leave() {
    let all = [MAIN, FIND, SEARCH];
    let inner = ("find", 70, "search", 1);
    // No block has line 99.
    assert_eq!(caller(&all, &[("main", 99, "find", 1), inner]), own("main", 99));
    assert_eq!(caller(&all, &[("main", 99, "find", 1), ("main", 9, "find", 1), inner]), own("main", 9));
    // No block of `other` runs as often as `find` is entered.
    const OTHER: Drawn = ("other", "a.cpp", |_| 1, &[(30, |n| n / 9)]);
    assert_eq!(caller(&[OTHER, FIND, SEARCH], &[("other", 99, "find", 1), inner]), None);
}

#[test]
fn code_that_is_not_counted_may_call_any_number_of_times() {
    const LESS: Drawn = ("less", "/usr/include/algo.h", |n| n * n, &[(80, |n| n * n)]);
    const UNUSED: Drawn = ("unused", "a.cpp", |_| 0, &[(30, |_| 0)]);
    let calls = [("main", 15, "less", 0), ("unused", 30, "less", 0)];
    assert_eq!(caller(&[MAIN, UNUSED, LESS], &calls), own("main", 15));
    assert_eq!(caller(&[MAIN, LESS], &[("main", 15, "less", 1)]), None);
}

#[test]
fn recursion_within_a_library_is_called_from_outside() {
    const LOOP: Drawn = ("loop", "/usr/include/algo.h", |n| 10 * n, &[(70, |n| 9 * n), (71, |n| n * n)]);
    assert_eq!(caller(&[MAIN, LOOP], &[("main", 9, "loop", 1), ("loop", 70, "loop", 1)]), own("main", 9));
}

#[test]
fn an_own_function_is_traced_to_the_caller_that_is_not_called_more_often() {
    const AT: Drawn = ("at", "a.cpp", |n| n * n, &[(3, |n| 5 * n * n)]);
    const GET: Drawn = ("get", "a.cpp", |n| n * n, &[(5, |n| n * n)]);
    const SHIFT: Drawn = ("shift", "a.cpp", |n| n, &[(21, |n| n * n)]);
    let all = [MAIN, SHIFT, GET, AT];
    let calls = [("main", 9, "shift", 1), ("shift", 21, "get", 1), ("get", 5, "at", 1)];
    assert_eq!(caller(&all, &calls), own("shift", 21));
}

#[test]
fn an_own_function_that_does_more_at_each_call_is_given_its_direct_caller() {
    const SCAN: Drawn = ("at", "a.cpp", |n| n, &[(3, |n| 5 * n * n)]);
    const GET: Drawn = ("get", "a.cpp", |n| n, &[(5, |n| n)]);
    assert_eq!(caller(&[MAIN, SCAN], &[("main", 9, "at", 1)]), own("main", 9));
    assert_eq!(caller(&[MAIN, GET, SCAN], &[("main", 9, "get", 1), ("get", 5, "at", 1)]), own("get", 5));
    // Half of the calls are through a pointer.
    assert_eq!(caller(&[MAIN, SCAN], &[("main", 12, "at", 1)]), None);
    // It calls itself through a library.
    let through = [("at", 3, "find", 1), ("find", 70, "at", 1)];
    assert_eq!(caller(&[SCAN, FIND], &through), None);
}

/// Returns the line of a function that calls itself more than once.
fn branching(functions: &[Drawn], calls: &[DrawnCall]) -> Option<(String, u32)> {
    place(functions, calls).branching.map(|site| (site.function, site.line))
}

#[test]
fn of_recursion_the_function_is_named_that_calls_itself_more_than_once() {
    const TREE: Drawn = ("tree", "a.cpp", |n| 2 * n * n, &[(41, |n| n * n), (42, |n| n * n)]);
    const ROOT: Drawn = ("main", "a.cpp", |_| 1, &[(9, |_| 1)]);
    let root = ("main", 9, "tree", 1);
    let both = [root, ("tree", 41, "tree", 1), ("tree", 42, "tree", 1)];
    assert_eq!(branching(&[ROOT, TREE], &both), own("tree", 42));
    assert_eq!(branching(&[ROOT, TREE], &[root, ("tree", 41, "tree", 2)]), own("tree", 41));
    // Calls one after the other, or one or the other.
    const CHAIN: Drawn =
        ("tree", "a.cpp", |n| n * n, &[(41, |n| n * n / 3), (42, |n| n * n - n * n / 3), (43, |n| n * n)]);
    let chain = [root, ("tree", 41, "tree", 1), ("tree", 42, "tree", 1)];
    assert_eq!(branching(&[ROOT, CHAIN], &chain), None);
    // A single call from elsewhere explains nothing.
    assert_eq!(caller(&[ROOT, CHAIN], &chain), None);
    // The compiler made two copies of one instruction.
    assert_eq!(branching(&[ROOT, CHAIN], &[root, ("tree", 43, "tree", 2)]), None);
    // Recursion through another function, and a function that the recursion calls.
    const BOTH: Drawn = ("both", "a.cpp", |n| n * n, &[(51, |n| n * n)]);
    const LEAF: Drawn = ("leaf", "a.cpp", |n| 2 * n * n, &[(61, |n| 50 * n * n)]);
    let all = [ROOT, TREE, BOTH, LEAF];
    let calls = [root, ("tree", 41, "both", 1), ("both", 51, "tree", 2), ("tree", 41, "leaf", 2)];
    let place = place(&all, &calls);
    let called = place.caller.map(|site| (site.function, site.line));
    assert_eq!((&*place.function, called), ("leaf", own("tree", 41)));
    assert_eq!(place.branching.map(|site| (site.function, site.line)), own("both", 51));
}

#[test]
fn the_lines_that_call_a_function_have_the_number_of_calls_in_the_costliest_run() {
    const MAIN: Drawn =
        ("main", "a.cpp", |_| 1, &[(9, |n| n), (12, |_| 40), (15, |_| 0), (18, |n| n), (18, |n| n / 4)]);
    const ADD: Drawn = ("add", "a.cpp", |n| n + n / 4 + 80, &[(70, |n| n * n)]);
    let calls = [
        ("main", 9, "add", 1),
        ("main", 12, "add", 2),
        // This line was never executed.
        ("main", 15, "add", 1),
        // One of two blocks calls.
        ("main", 18, "add", 1),
        // No block has the line.
        ("main", 21, "add", 1),
    ];
    let findings = findings(&[MAIN, ADD], &calls);
    let add = findings.functions.iter().find(|row| row.name == "add").unwrap();
    let lines: Vec<_> = add.callers.iter().map(|line| (line.line, line.calls, line.at_most)).collect();
    let n = 100 << 11;
    assert_eq!(lines, [(9, Some(n), false), (18, Some(n), true), (12, Some(80), true), (21, None, false)]);
    assert!(add.callers.iter().all(|line| line.function == "main" && line.file == "a.cpp"));
    // The number of calls from line 12 does not vary.
    let clusters: Vec<_> = add.callers.iter().map(|line| line.cluster.as_deref()).collect();
    assert_eq!(clusters, [Some("n"), Some("n"), None, None]);
    assert!(findings.functions.iter().filter(|row| row.name != "add").all(|row| row.callers.is_empty()));
}

#[test]
fn a_line_does_not_call_more_often_than_the_function_is_entered() {
    const MAIN: Drawn = ("main", "a.cpp", |_| 1, &[(9, |n| n)]);
    const ADD: Drawn = ("add", "a.cpp", |n| n / 8, &[(70, |n| n * n)]);
    let findings = findings(&[MAIN, ADD], &[("main", 9, "add", 1)]);
    let add = findings.functions.iter().find(|row| row.name == "add").unwrap();
    assert_eq!((add.callers[0].calls, add.callers[0].at_most), (Some((100 << 11) / 8), true));
}

#[test]
fn only_the_most_frequent_lines_are_listed() {
    const MAIN: Drawn = ("main", "a.cpp", |_| 1, &[(1, |n| n)]);
    const ADD: Drawn = ("add", "a.cpp", |n| n, &[(70, |n| n * n)]);
    let calls: Vec<DrawnCall> = (1..=30).map(|line| ("main", line, "add", 1)).collect();
    let findings = findings(&[MAIN, ADD], &calls);
    let add = findings.functions.iter().find(|row| row.name == "add").unwrap();
    assert_eq!((add.callers.len(), add.more_callers, add.callers[0].line), (20, 10, 1));
}

#[test]
fn calls_of_copies_of_a_function_add_up() {
    // Two functions with the same name and file, as when two files include the same header.
    const MAIN: Drawn = ("main", "a.cpp", |_| 1, &[(9, |n| n)]);
    const COPY: Drawn = ("main", "a.cpp", |_| 1, &[(9, |n| 2 * n)]);
    const ADD: Drawn = ("add", "a.cpp", |n| 3 * n, &[(70, |n| n * n)]);
    let findings = findings(&[MAIN, COPY, ADD], &[("main", 9, "add", 1)]);
    let add = findings.functions.iter().find(|row| row.name == "add").unwrap();
    assert_eq!((add.callers[0].calls, add.callers[0].at_most), (Some(3 * (100 << 11)), false));
}

#[test]
fn a_function_has_an_only_caller_if_one_function_accounts_for_all_its_entries() {
    const MAIN: Drawn = ("main", "a.cpp", |_| 1, &[(9, |n| n), (10, |n| n / 2)]);
    const OTHER: Drawn = ("other", "a.cpp", |n| n, &[(30, |n| n)]);
    const ADD: Drawn = ("add", "a.cpp", |n| n, &[(70, |n| n * n)]);
    let only_caller = |add: Drawn, calls: &[DrawnCall]| {
        let findings = findings(&[MAIN, OTHER, add], calls);
        let add = findings.functions.into_iter().find(|row| row.name == "add").unwrap();
        add.only_caller.map(|caller| caller.name)
    };
    assert_eq!(only_caller(ADD, &[("main", 9, "add", 1)]).as_deref(), Some("main"));
    assert_eq!(only_caller(ADD, &[("main", 9, "add", 1), ("other", 30, "add", 1)]), None);
    // Half of the calls are through a pointer.
    assert_eq!(only_caller(ADD, &[("main", 10, "add", 1)]), None);
    // A function that calls itself is not another caller.
    const RECURSIVE: Drawn = ("add", "a.cpp", |n| n + n / 2, &[(70, |n| n / 2)]);
    let calls = [("main", 9, "add", 1), ("add", 70, "add", 1)];
    assert_eq!(only_caller(RECURSIVE, &calls).as_deref(), Some("main"));
    // Both call only each other, as far as is known.
    let circle = [("add", 70, "other", 1), ("other", 30, "add", 1)];
    assert_eq!(only_caller(ADD, &circle), None);
}

#[test]
fn a_function_that_was_not_entered_has_no_calling_lines() {
    const MAIN: Drawn = ("main", "a.cpp", |_| 1, &[(9, |n| n)]);
    const ADD: Drawn = ("add", "a.cpp", |n| u64::from(n == 100), &[(70, |n| u64::from(n == 100))]);
    let findings = findings(&[MAIN, ADD], &[("main", 9, "add", 1)]);
    assert!(findings.functions.iter().all(|row| row.callers.is_empty()));
}
