//! Costs in nanoseconds, compared with times that the programs measure themselves and sleep.

use trend_profile::{Observation, Variable};

use crate::support::{Build, Costs, Program, done};

const HEAD: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n\
    #include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n\
    static inline long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }\n\
    __attribute__((noinline)) void sleeps(long ms) { long until = now() + ms * 1000000; while (now() < until) usleep(1000); }\n\
    __attribute__((noinline)) void spins(long ms) { long until = now() + ms * 1000000; while (now() < until); }\n";
/// Costs of studies are in picoseconds.
const NANOSECOND: u64 = 1000;
const MILLISECOND: u64 = 1_000_000 * NANOSECOND;

fn program(rest: &str, options: &[&str]) -> Program {
    let probe = [&["--cost", "nanoseconds"], options].concat();
    Build { probe: &probe, ..Build::default() }.program(&format!("{HEAD}{rest}"))
}

fn total(costs: &Costs, routine: &str, of: fn(&Observation) -> u64) -> u64 {
    costs.costs_of(routine).iter().map(of).sum()
}

fn own(costs: &Costs, routines: &[&str]) -> u64 {
    routines.iter().map(|routine| total(costs, routine, |o| o.parts.own.unwrap())).sum()
}

#[test]
fn a_routine_takes_the_time_that_its_caller_sees_pass() {
    let program = program(
        "int main(void) { long a = now(); sleeps(20); long b = now(); spins(15); long c = now();
            printf(\"%ld %ld\\n\", b - a, c - b); return 0; }",
        &[],
    );
    let (mut command, records) = program.command(&[]);
    let output = String::from_utf8(done(&mut command).stdout).unwrap();
    let seen: Vec<u64> = output.split_whitespace().map(|n| n.parse::<u64>().unwrap() * NANOSECOND).collect();
    let costs = records.costs();
    for ((routine, least), seen) in [("sleeps", 20), ("spins", 15)].into_iter().zip(seen) {
        let cost = costs.only(routine).sum;
        assert!((least * MILLISECOND..=seen).contains(&cost), "{routine}: {cost} and {seen}");
        // Only the caller's time includes the probe at the entry and the exit.
        assert!(seen - cost < 5 * MILLISECOND, "{routine}: {cost} and {seen}");
    }
    assert_eq!(own(&costs, &["main", "sleeps", "spins"]), costs.only("main").sum);
}

#[test]
fn all_own_times_are_that_of_main_whatever_calls_and_jumps() {
    let source = "jmp_buf here;
        __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        __attribute__((noinline)) void deep(int n) { if (n == 0) { spins(2); longjmp(here, 1); } deep(n - 1); }
        __attribute__((noinline)) int tried(int n) { if (setjmp(here) == 0) deep(n); return fib(10); }
        static void handler(int s) { fib(5); }
        int main(void) { signal(SIGUSR1, handler); for (int i = 0; i < 10; i++) { tried(20); raise(SIGUSR1); } return fib(20) != 6765; }";
    for options in [&[][..], &["--contexts", "--metric", "drms"]] {
        let costs = program(source, options).run(&[]);
        let all = ["main", "tried", "deep", "spins", "fib", "handler"];
        assert_eq!(own(&costs, &all), costs.only("main").sum);
        assert_eq!(total(&costs, "fib", |o| o.count), 10 * 177 + 10 * 15 + 21891);
        assert!(total(&costs, "spins", |o| o.sum) >= 20 * MILLISECOND);
        for routine in all {
            let contexts: u64 = costs.contexts(routine).iter().map(|(_, _, sum)| sum).sum();
            let whole = costs.within(routine, "", Variable::Rms).iter().map(|o| o.sum).sum::<u64>();
            assert_eq!(contexts, if options.is_empty() { 0 } else { whole }, "{routine}");
        }
    }
}

#[test]
fn the_time_of_a_recursion_is_that_of_its_outermost_call() {
    let costs = program(
        "__attribute__((noinline)) void down(int n) { spins(2); if (n > 1) down(n - 1); }
        int main(void) { down(5); return 0; }",
        &[],
    )
    .run(&[]);
    let (sum, outermost) =
        (total(&costs, "down", |o| o.sum), total(&costs, "down", |o| o.parts.outermost.unwrap()));
    let greatest = costs.costs_of("down").iter().map(|o| o.max).max().unwrap();
    assert_eq!((outermost, own(&costs, &["down", "spins"])), (greatest, greatest));
    assert!(outermost >= 10 * MILLISECOND && sum >= (2 + 4 + 6 + 8 + 10) * MILLISECOND, "{outermost} {sum}");
}

#[test]
fn threads_take_time_of_their_own_and_what_a_kill_leaves_is_counted_to_its_last_call() {
    let program = program(
        "static void *work(void *n) { spins(5); sleeps(20); return 0; }
        int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
            for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
            sleeps(10); raise(SIGKILL); return 0; }",
        &[],
    );
    let (mut command, records) = program.command(&[]);
    assert!(!command.output().unwrap().status.success());
    let costs = records.costs();
    assert!(total(&costs, "work", |o| o.sum) >= 3 * 25 * MILLISECOND);
    let main = costs.only("main");
    assert!(main.sum >= 35 * MILLISECOND, "{main:?}");
    assert_eq!(
        own(&costs, &["main", "work", "sleeps", "spins"]),
        main.sum + total(&costs, "work", |o| o.sum)
    );
}
