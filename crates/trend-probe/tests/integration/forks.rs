//! Forked processes: each records its own work, whatever its parent does meanwhile.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::ends::{FILL_DISK, run_on_small_disk};
use crate::support::{Build, Costs, Program, Records, c, done};

const HEAD: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <sched.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <sys/wait.h>\n#include <unistd.h>\n#define NI __attribute__((noinline))\nint a[1 << 16];\nstatic volatile long sink;\n\
    NI long sum(long n) { long s = 0; for (long i = 0; i < n; i++) s += a[i]; return s; }\n\
    NI long deep(long n) { long s = a[n]; if (n) s += deep(n - 1); return s + a[1]; }\n\
    NI void child_work(void) { sink += sum(12); sum(7); }\n\
    static void ends_well(pid_t child) { int status; if (waitpid(child, &status, 0) != child || status) { puts(\"a child failed\"); exit(1); } }\n";

fn program(rest: &str) -> Program {
    c(&format!("{HEAD}{rest}"))
}

/// Asserts that this many children did the same work at the same cost.
#[track_caller]
fn assert_alike(costs: &Costs, children: u64) {
    let work = costs.only("child_work");
    assert_eq!((work.count, work.size(), work.min), (children, 14, work.max));
}

#[test]
fn children_are_whole_while_the_parent_goes_on() {
    // While the children begin, the parent's record grows, and its calls are deeply nested.
    let costs = program(
        "int main(void) {
            for (int k = 0; k < 300; k++) {
                pid_t child = fork();
                if (child == 0) { child_work(); _exit(0); }
                sink += deep(k); for (long i = 0; i < 40; i++) sum(1000 + 40 * k + i);
                ends_well(child); }
            return 0; }",
    )
    .run(&[]);
    assert_alike(&costs, 300);
    assert_eq!(costs.costs_of("deep").iter().map(|o| o.count).sum::<u64>(), (1..=300).sum::<u64>());
    let sums = costs.sizes("sum");
    assert_eq!(sums[..2], [(7, 300), (12, 300)]);
    assert!(sums.len() == 2 + 300 * 40 && sums[2..].iter().all(|(_, count)| *count == 1), "{}", sums.len());
}

#[test]
fn thousands_of_children_of_a_parent_with_threads_are_whole() {
    let costs = program(
        "static volatile int is_over;
        static void *busy(void *n) { while (!is_over) { sum(20 + (long)n); deep(50); } return 0; }
        int main(void) {
            pthread_t threads[4];
            for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, busy, (void *)i);
            for (int k = 0; k < 2000; k++) {
                pid_t child = fork();
                if (child == 0) { child_work(); _exit(0); }
                ends_well(child); }
            is_over = 1;
            for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
            return 0; }",
    )
    .run(&[]);
    assert_alike(&costs, 2000);
    assert_eq!(costs.sizes("sum")[..2], [(7, 2000), (12, 2000)]);
    assert_eq!(costs.only("main").count, 1);
    let busy = costs.costs_of("busy");
    assert_eq!(busy.iter().map(|o| o.count).sum::<u64>(), 4);
}

/// Children of `fork` and `clone`, and other programs of `vfork` and `posix_spawn`, while a thread and the parent work.
#[test]
fn ten_thousand_children_of_every_kind_are_whole_and_small() {
    let program = program(
        "#include <signal.h>
        #include <spawn.h>
        extern char **environ;
        static volatile int is_over;
        static char stack[1 << 16] __attribute__((aligned(16)));
        static void *busy(void *p) { while (!is_over) { sum(20); usleep(200); } return 0; }
        static int cloned(void *p) { child_work(); _exit(0); }
        int main(int count, char **words) {
            if (count > 1) { child_work(); return 0; }
            pthread_t thread;
            pthread_create(&thread, 0, busy, 0);
            for (int k = 0; k < 10000; k++) {
                char *again[] = { words[0], \"again\", 0 };
                pid_t child;
                switch (k % 50 ? k % 2 : 2 + k % 100 / 50) {
                case 0: child = fork(); if (child == 0) { child_work(); exit(0); } break;
                case 1: child = clone(cloned, stack + sizeof stack, SIGCHLD, 0); break;
                case 2: child = vfork(); if (child == 0) { execv(words[0], again); _exit(1); } break;
                case 3: if (posix_spawn(&child, words[0], 0, 0, again, environ)) return 1; }
                sink += deep(k % 60);
                ends_well(child); }
            is_over = 1;
            pthread_join(thread, 0);
            return 0; }",
    );
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let costs = records.costs();
    assert_alike(&costs, 10_000);
    assert_eq!(costs.sizes("sum")[..2], [(7, 10_000), (12, 10_000)]);
    let calls = |routine: &str| costs.costs_of(routine).iter().map(|o| o.count).sum::<u64>();
    let depths: u64 = (0..10_000).map(|k| k % 60 + 1).sum();
    assert_eq!((calls("main"), calls("busy"), calls("deep")), (1 + 200, 1, depths));
    let small = bytes_of_files(&records).into_iter().filter(|bytes| *bytes <= 16 << 10).count();
    assert_eq!((records.files().len(), small), (10_001, 9_800));
}

#[test]
fn each_generation_records_its_own() {
    let program = program(
        "int main(void) {
            for (int generation = 0; generation < 30; generation++) {
                if (generation % 3) sum(100 + generation);
                pid_t child = fork();
                if (child) { ends_well(child); return 0; } }
            child_work(); return 0; }",
    );
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let costs = records.costs();
    assert_alike(&costs, 1);
    let generations =
        (0..30).filter(|generation| generation % 3 != 0).map(|generation| (100 + generation, 1));
    assert_eq!(costs.sizes("sum"), [(7, 1), (12, 1)].into_iter().chain(generations).collect::<Vec<_>>());
    // A process that called nothing has no record of its own.
    assert_eq!(records.files().len(), 1 + 20 + 1);
}

#[test]
fn a_child_returns_from_what_it_inherited() {
    let costs = program(
        "NI int forks(int depth) {
            if (depth) { int is_child = forks(depth - 1); sum(3); return is_child; }
            pid_t child = fork(); if (child) ends_well(child); return !child; }
        NI void last(void) { sum(12); _exit(0); }
        int main(void) { if (forks(200)) { sum(7); last(); } return 0; }",
    )
    .run(&[]);
    assert_eq!(costs.sizes("sum"), [(3, 400), (7, 1), (12, 1)]);
    assert_eq!(costs.costs_of("forks").iter().map(|o| o.count).sum::<u64>(), 201);
    // The activation was running when the process ended.
    assert_eq!((costs.only("last").count, costs.only("last").size()), (1, 12));
    assert_eq!(costs.only("main").count, 1);
}

#[test]
fn a_child_goes_deeper_than_its_parent() {
    let costs = program(
        "int main(void) {
            deep(100);
            pid_t child = fork();
            if (child == 0) { child_work(); deep(5000); deep(20000); exit(0); }
            ends_well(child); return 0; }",
    )
    .run(&[]);
    assert_alike(&costs, 1);
    assert_eq!(costs.costs_of("deep").iter().map(|o| o.count).sum::<u64>(), 101 + 5001 + 20001);
}

#[test]
fn a_child_goes_deeper_on_a_full_disk() {
    // The tables of the many routines share a page with the frames.
    let of_each = |text: &dyn Fn(u32) -> String| (0..12).map(text).collect::<Vec<_>>().concat();
    let routines =
        of_each(&|i| format!("NI void r{i}(void) {{ for (int k = 0; k < 3; k++) sink += a[{i} + k]; }}\n"));
    let calls = of_each(&|i| format!("r{i}(); "));
    let program = program(&format!(
        "#include <string.h>\n{FILL_DISK}{routines}
        int main(void) {{
            deep(3);
            pid_t child = fork();
            if (child == 0) {{ {calls} fill(); for (int i = 0; i < 4000; i++) sum(i); deep(900); {calls} exit(0); }}
            ends_well(child); puts(\"done\"); return 0; }}"
    ));
    let Some((output, records)) = run_on_small_disk(&program, "3m") else { return };
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]), "{output:?}");
    let costs = records.costs();
    assert_eq!(costs.warnings, ["record_cut_off"]);
    for routine in (0..12).map(|i| format!("r{i}")) {
        let calls = costs.only(&routine);
        assert_eq!((calls.count, calls.size()), (2, 5), "{routine}");
        assert_eq!(calls.min, calls.max, "{routine}");
    }
}

/// A daemon closes all files, and its children are still recorded. The runtime never writes to a file that reuses its
/// descriptor.
#[test]
fn children_of_a_process_that_has_closed_all_files_are_recorded() {
    let program = program(
        "#include <fcntl.h>
        int main(int count, char **words) {
            if (count > 2) { pid_t daemon = fork(); if (daemon) { ends_well(daemon); return 0; } }
            for (int file = 3; file < 1024; file++) close(file);
            int other = open(words[1], O_RDWR);
            for (int file = 500; file < 510; file++) dup2(other, file);
            for (int k = 0; k < 20; k++) {
                pid_t child = fork();
                if (child == 0) { child_work(); for (long i = 0; i < 500; i++) sum(i); exit(0); }
                ends_well(child); }
            for (long i = 600; i < 3000; i++) sum(i);
            return 0; }",
    );
    let other = program.folder().join("other");
    let bytes = vec![7; 1 << 16];
    fs::write(&other, &bytes).unwrap();
    for arguments in [&[other.to_str().unwrap()][..], &[other.to_str().unwrap(), "daemon"]] {
        let (mut command, records) = program.command(arguments);
        done(&mut command);
        let costs = records.costs();
        assert_alike(&costs, 20);
        let sums = costs.sizes("sum").into_iter().filter(|(size, _)| *size >= 600);
        assert!(sums.eq((600..3000).map(|size| (size, 1))), "{arguments:?}");
        assert_eq!(fs::read(&other).unwrap(), bytes);
    }
}

/// The parent's other threads are not in the child. The child's new threads know nothing of the reads of those.
#[test]
fn threads_of_a_child_begin_anew() {
    let costs = program(
        "static pthread_barrier_t barrier;
        static void *reads(void *rounds) { for (long i = 0; i < (long)rounds; i++) sum(500); return 0; }
        static void *waits(void *p) { for (int i = 0; i < 100; i++) sum(500); pthread_barrier_wait(&barrier); for (;;) pause(); }
        int main(void) {
            pthread_t thread; pthread_barrier_init(&barrier, 0, 2);
            pthread_create(&thread, 0, waits, 0); pthread_barrier_wait(&barrier);
            pid_t child = fork();
            if (child == 0) {
                for (int i = 0; i < 3; i++) { pthread_create(&thread, 0, reads, (void *)5); pthread_join(thread, 0); }
                exit(0); }
            ends_well(child); return 0; }",
    )
    .run(&[]);
    assert_eq!(costs.sizes("sum"), [(500, 115)]);
    let reads = costs.only("reads");
    assert_eq!((reads.count, reads.size()), (3, 500));
}

#[test]
fn contexts_of_children_are_those_they_were_forked_in() {
    let build = Build { probe: &["--contexts"], ..Build::default() };
    let costs = build
        .program(&format!(
            "{HEAD}NI void serve(void) {{
                for (int k = 0; k < 200; k++) {{
                    pid_t child = fork();
                    if (child == 0) {{ child_work(); _exit(0); }}
                    deep(k); ends_well(child); }} }}
            int main(void) {{ serve(); child_work(); return 0; }}"
        ))
        .run(&[]);
    let calls: Vec<_> =
        costs.contexts("child_work").into_iter().map(|(context, calls, _)| (context, calls)).collect();
    assert_eq!(calls, [("main", 1), ("main → serve", 200)]);
}

#[test]
fn what_becomes_another_program_at_once_has_no_record() {
    let program = program(
        "int main(void) {
            child_work();
            for (int k = 0; k < 20; k++) {
                pid_t child = fork();
                if (child == 0) { execl(\"/bin/true\", \"true\", (char *)0); _exit(1); }
                ends_well(child); }
            return 0; }",
    );
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    assert_eq!(records.files().len(), 1);
    assert_alike(&records.costs(), 1);
}

#[test]
fn a_child_takes_no_more_room_than_its_own_work() {
    let program = program(
        "int main(void) {
            for (long i = 1; i < 30000; i++) sum(i);
            for (int k = 0; k < 50; k++) {
                pid_t child = fork();
                if (child == 0) { child_work(); exit(0); }
                ends_well(child); }
            return 0; }",
    );
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let shared: Vec<u64> = records.shared_files().into_iter().map(|file| bytes_of_file(&file)).collect();
    assert!(matches!(shared[..], [bytes] if bytes <= 1 << 20), "{shared:?}");
    let mut bytes = bytes_of_files(&records);
    bytes.sort_unstable();
    assert_eq!(bytes.len(), 51);
    assert!(bytes[..50].iter().all(|bytes| *bytes <= 16 << 10), "{bytes:?}");
    assert_alike(&records.costs(), 50);
}

fn bytes_of_files(records: &Records) -> Vec<u64> {
    records.files().into_iter().map(|file| bytes_of_file(&file)).collect()
}

fn bytes_of_file(file: &Path) -> u64 {
    let metadata = fs::metadata(file).unwrap();
    metadata.len().max(512 * metadata.blocks())
}
