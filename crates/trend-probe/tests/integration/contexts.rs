//! Calling contexts: the callers of a routine, and its cost in each context.

use std::fmt::Write as _;

use trend_collect::import::{Root, probe};
use trend_profile::Variable;

use crate::support::{Build, Program, done, unsealed};

const HEAD: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdlib.h>\n\
    #include <sys/wait.h>\n#include <unistd.h>\n\
    int a[1000];\n__attribute__((noinline)) int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";

fn program(rest: &str) -> Program {
    Build { probe: &["--contexts"], ..Build::default() }.program(&format!("{HEAD}{rest}"))
}

/// Returns the contexts of a routine, with its number of calls in each.
fn calls(costs: &crate::support::Costs, routine: &str) -> Vec<(String, u64)> {
    costs.contexts(routine).into_iter().map(|(context, calls, _)| (context.to_owned(), calls)).collect()
}

fn owned<const N: usize>(all: [(&str, u64); N]) -> Vec<(String, u64)> {
    all.map(|(context, calls)| (context.to_owned(), calls)).to_vec()
}

#[test]
fn a_routine_has_costs_in_each_path_of_callers() {
    let costs = program(
        "__attribute__((noinline)) void parse(int n) { for (int i = 0; i < n; i++) sum(100); }
        __attribute__((noinline)) void print(int n) { for (int i = 0; i < n; i++) { sum(10); parse(2); } }
        int main(void) { parse(5); print(3); parse(1); sum(7); return 0; }",
    )
    .run(&[]);
    assert_eq!(
        calls(&costs, "sum"),
        owned([("main", 1), ("main → parse", 6), ("main → print", 3), ("main → print → parse", 6)])
    );
    assert_eq!(calls(&costs, "parse"), owned([("main", 2), ("main → print", 3)]));
    assert_eq!(calls(&costs, "main"), owned([("(no caller)", 1)]));
    let sizes = |context: &str| {
        let measured = costs.within("sum", context, Variable::Rms);
        measured.iter().map(|o| (o.size(), o.count)).collect::<Vec<_>>()
    };
    assert_eq!([sizes("main → print"), sizes("main → parse")], [vec![(10, 3)], vec![(100, 6)]]);
    assert_eq!(costs.sizes("sum"), [(7, 1), (10, 3), (100, 12)]);
}

/// `even` and `odd` call each other, and `main` also calls `odd`.
#[test]
fn recursion_stays_in_the_context_where_it_began() {
    let costs = program(
        "int odd(int); __attribute__((noinline)) int even(int n) { sum(n); return n == 0 || odd(n - 1); }
        __attribute__((noinline)) int odd(int n) { sum(n); return n != 0 && even(n - 1); }
        int main(void) { return even(8) + odd(3) != 2; }",
    )
    .run(&[]);
    assert_eq!(calls(&costs, "even"), owned([("main", 5), ("main → odd", 2)]));
    assert_eq!(calls(&costs, "odd"), owned([("main", 2), ("main → even", 4)]));
    // A call from within a recursion has the caller's own context.
    assert_eq!(
        calls(&costs, "sum"),
        owned([("main → even", 5), ("main → even → odd", 4), ("main → odd", 2), ("main → odd → even", 2)])
    );
    // A call that no other call of the same routine encloses counts once, also in all contexts together.
    let outermost =
        |all: &[trend_profile::Observation]| all.iter().map(|o| o.parts.outermost.unwrap()).sum::<u64>();
    for routine in ["even", "odd", "sum"] {
        let parts: u64 = calls(&costs, routine)
            .iter()
            .map(|(context, _)| outermost(&costs.within(routine, context, Variable::Rms)))
            .sum();
        assert_eq!(parts, outermost(&costs.costs_of(routine)), "{routine}");
    }
}

#[test]
fn threads_and_handlers_have_the_callers_that_they_interrupt_or_none() {
    let costs = program(
        "static void handler(int s) { sum(10); }
        static void *work(void *n) { for (int i = 0; i < 100; i++) sum(20); return 0; }
        __attribute__((noinline)) void raises(void) { sum(5); raise(SIGUSR1); }
        int main(void) { signal(SIGUSR1, handler); raises(); raises(); pthread_t t[20];
            for (int i = 0; i < 20; i++) pthread_create(&t[i], 0, work, 0);
            for (int i = 0; i < 20; i++) pthread_join(t[i], 0);
            return 0; }",
    )
    .run(&[]);
    assert_eq!(calls(&costs, "work"), owned([("(no caller)", 20)]));
    assert_eq!(
        calls(&costs, "sum"),
        owned([("main → raises", 2), ("main → raises → handler", 2), ("work", 2000)])
    );
}

#[test]
fn jumps_come_back_to_the_context_that_they_were_made_in() {
    let costs = program(
        "jmp_buf here;
        __attribute__((noinline)) void deep(int n) { if (n == 0) { sum(100); longjmp(here, 1); } deep(n - 1); }
        __attribute__((noinline)) int tried(int n) { if (setjmp(here) == 0) deep(n); return sum(200); }
        int main(void) { for (int i = 0; i < 10; i++) tried(50); sum(7); return 0; }",
    )
    .run(&[]);
    assert_eq!(calls(&costs, "sum"), owned([("main", 1), ("main → tried", 10), ("main → tried → deep", 10)]));
}

/// The child continues within four activations of `forks` that belong to its parent, calls another function, and
/// returns to `main`.
#[test]
fn forked_processes_go_on_in_their_parents_contexts() {
    let costs = program(
        "__attribute__((noinline)) void other(void) { sum(9); }
        __attribute__((noinline)) int forks(int depth) {
            if (depth < 0) { sum(2); return 0; }
            if (depth > 0) { int is_child = forks(depth - 1); sum(1); return is_child; }
            sum(100); if (fork() == 0) { sum(300); forks(-1); return 1; } wait(0); sum(200); return 0; }
        int main(void) { sum(50); if (forks(3)) other(); sum(60); return 0; }",
    )
    .run(&[]);
    assert_eq!(calls(&costs, "sum"), owned([("main", 3), ("main → forks", 10), ("main → other", 1)]));
    assert_eq!(calls(&costs, "forks"), owned([("main", 5)]));
    assert_eq!(calls(&costs, "main"), owned([("(no caller)", 1)]));
}

#[test]
fn what_runs_at_the_end_of_a_process_is_in_its_context() {
    let program = program(
        "__attribute__((noinline)) void ends(int how) { sum(100); if (how) raise(SIGKILL); exit(0); }
        __attribute__((noinline)) void begins(int n, int how) { if (n) begins(n - 1, how); else ends(how); sum(1); }
        int main(int n, char **how) { begins(3, atoi(how[1])); return 0; }",
    );
    for how in ["0", "1"] {
        let (mut command, records) = program.command(&[how]);
        command.output().unwrap();
        let costs = records.costs();
        assert_eq!(calls(&costs, "main"), owned([("(no caller)", 1)]));
        assert_eq!(calls(&costs, "begins"), owned([("main", 4)]));
        assert_eq!(calls(&costs, "ends"), owned([("main → begins", 1)]));
        assert_eq!(calls(&costs, "sum"), owned([("main → begins → ends", 1)]));
        let sum = |routine: &str| costs.costs_of(routine).iter().map(|o| o.parts.own.unwrap()).sum::<u64>();
        assert_eq!(costs.only("main").sum, ["main", "begins", "ends", "sum"].map(sum).iter().sum::<u64>());
    }
}

/// 41 routines call 41 others, and each of these calls 41 more: 68921 + 1681 + 41 + 1 contexts.
#[test]
fn beyond_the_most_contexts_callers_are_unknown_and_all_calls_are_there() {
    let mut source = String::from(HEAD);
    let all: Vec<usize> = (0..41).collect();
    for (level, below) in [("c", None), ("b", Some("c")), ("a", Some("b"))] {
        for number in &all {
            let body =
                below.map_or(String::new(), |below| format!("for (int i = 0; i < 41; i++) {below}[i]();"));
            writeln!(
                source,
                "__attribute__((noinline)) static void {level}{number}(void) {{ {body} sum(1); }}"
            )
            .unwrap();
        }
        let names: Vec<String> = all.iter().map(|number| format!("{level}{number}")).collect();
        writeln!(source, "static void (*volatile {level}[])(void) = {{ {} }};", names.join(", ")).unwrap();
    }
    source.push_str("int main(void) { for (int i = 0; i < 41; i++) a[i](); for (int i = 0; i < 41; i++) a[i](); return 0; }");
    let source =
        source.replacen("int a[1000]", "int numbers[1000]", 1).replacen("s += a[i]", "s += numbers[i]", 1);
    let costs = Build { probe: &["--contexts"], ..Build::default() }.program(&source).run(&[]);
    assert_eq!(costs.warnings, ["many_contexts"]);
    let calls_of = |routine: &str| costs.costs_of(routine).iter().map(|o| o.count).sum::<u64>();
    assert_eq!(calls_of("sum"), 2 * (41 + 41 * 41 + 41 * 41 * 41));
    assert_eq!((calls_of("a40"), calls_of("b40"), calls_of("c40")), (2, 2 * 41, 2 * 41 * 41));
    let sums: u64 = calls(&costs, "sum").iter().map(|(_, calls)| calls).sum();
    assert_eq!(sums, calls_of("sum"));
    let unknown = calls(&costs, "sum").into_iter().find(|(context, _)| context == "…").unwrap();
    assert!(unknown.1 > 2000, "{unknown:?}");
    assert!((65_000..66_500).contains(&costs.count_contexts()), "{}", costs.count_contexts());
}

#[test]
fn a_record_whose_callers_are_none_is_an_error() {
    let program = program("int main(void) { return sum(3); }");
    let (mut command, records) = program.command(&[]);
    done(command.arg("x"));
    let whole = unsealed(std::fs::read(&records.files()[0]).unwrap());
    let read = |bytes: &[u8]| probe::read(bytes, &Root::new(""));
    assert_eq!(read(&whole).unwrap().series.len(), 4);
    // The newest table is linked first: `sum` in `main`, and then `main`.
    let long = |at: usize| u64::from_ne_bytes(whole[at..at + 8].try_into().unwrap());
    let table = long(std::mem::offset_of!(trend_runtime::record::Header, tables)) as usize;
    let caller = table + std::mem::offset_of!(trend_runtime::record::Table, caller);
    assert_eq!(long(caller), long(table));
    for (other, is_error) in
        [(table as u64, true), (table as u64 + 8, true), (u64::MAX, true), (0, false), (1, false)]
    {
        let mut changed = whole.clone();
        changed[caller..caller + 8].copy_from_slice(&other.to_ne_bytes());
        assert_eq!(read(&changed).is_err(), is_error, "{other}");
    }
}
