//! Checks that programs that do not end by `exit` have the same counts as after a normal end of the same work.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Cursor};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use trend_collect::{ProcessLog, process_log};
use trend_profile::{Outcome, WarningKind};
use trend_run::{BuildOptions, BuildReport, ClangCounters, Instrumentation, build};

use crate::bench::{Bench, shim_binary};

/// A program that does the same work, whatever end its second argument selects. Only `work` contains the line [`LINE`].
const ENDS: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
extern void __gcov_dump(void);
static volatile long sink;
static void work(long n) {
    for (long i = 0; i < n; i++)
        sink += i; /* COUNTED */
}
static long rounds;
static void *in_thread(void *unused) { work(rounds); return unused; }
static void leave(int signal) { _exit(0); }
static void again(int s) { signal(s, SIG_DFL); raise(s); }
static int overflow(int n) { volatile char room[4096]; room[n % 4096] = 1; return overflow(n + 1) + room[0]; }
int main(int argc, char **argv) {
    long n = rounds = atol(argv[1]);
    const char *how = argv[2];
    int child, status;
    if (!strcmp(how, "fork") || !strcmp(how, "forkexit") || !strcmp(how, "forkkill")) {
        work(n / 2);
        if ((child = fork()) == 0) {
            work(n - n / 2);
            if (!strcmp(how, "fork")) _exit(0);
            if (!strcmp(how, "forkkill")) raise(SIGKILL);
            exit(0);
        }
        waitpid(child, &status, 0);
        _exit(0);
    }
    if (!strcmp(how, "daemon")) { work(n / 2); int p[2]; char c; pipe(p); if (fork() == 0) { close(p[0]); daemon(1, 1);
        work(n - n / 2); _exit(0); } close(p[1]); read(p[0], &c, 1); return 0; }
    if (!strncmp(how, "timer", 5)) {
        /* A signal comes at any moment of an end, and its handler ends the process as well. */
        for (long i = 1; i < n; i++) {
            if ((child = fork()) == 0) {
                signal(SIGALRM, leave);
                work(1);
                struct itimerval soon = {{0, 0}, {0, 1 + i % 150}};
                setitimer(ITIMER_REAL, &soon, NULL);
                if (!strcmp(how, "timerexec")) execl("/bin/true", "true", NULL);
                if (!strcmp(how, "timerquick")) quick_exit(0);
                _exit(0);
            }
            waitpid(child, &status, 0);
        }
        work(1);
        return 0;
    }
    if (!strcmp(how, "rawfork")) { work(n); if (syscall(SYS_fork) == 0) exit(0); wait(&status); return 0; }
    if (!strcmp(how, "raw_exit")) { work(n); if (syscall(SYS_fork) == 0) _exit(0); wait(&status); return 0; }
#ifdef DUMPS
    if (!strcmp(how, "dumped")) { work(n); __gcov_dump(); execl("/no/where", "nowhere", NULL); return 0; }
#endif
    if (!strcmp(how, "vfork")) { if ((child = vfork()) == 0) { execl("/bin/true", "true", NULL); _exit(1); }
        waitpid(child, &status, 0); }
    if (!strcmp(how, "spawn")) { char *words[] = {"true", NULL}; posix_spawn(&child, "/bin/true", NULL, NULL, words, NULL);
        waitpid(child, &status, 0); }
    if (!strcmp(how, "noexec")) execl("/no/where", "nowhere", NULL);
    if (!strcmp(how, "thread")) { pthread_t t; work(n / 2); rounds = n - n / 2; pthread_create(&t, NULL, in_thread, NULL);
        pthread_join(t, NULL); _exit(0); }
    if (!strcmp(how, "again")) { work(n); signal(SIGTERM, again); raise(SIGTERM); }
    if (!strcmp(how, "once")) { struct sigaction a = {.sa_handler = again, .sa_flags = SA_RESETHAND};
        sigaction(SIGTERM, &a, NULL); work(n); raise(SIGTERM); }
    if (!strcmp(how, "handler")) { signal(SIGTERM, leave); work(n); raise(SIGTERM); }
    // An interrupt may be ignored from outside.
    if (!strcmp(how, "view")) { struct sigaction a; sigaction(SIGTERM, NULL, &a); signal(SIGINT, SIG_DFL);
        if (a.sa_handler != SIG_DFL || signal(SIGINT, SIG_IGN) != SIG_DFL || signal(SIGINT, SIG_DFL) != SIG_IGN) return 9;
        work(n); return 0; }
    if (!strcmp(how, "cleared")) { clearenv(); work(n); return 0; }
    if (!strcmp(how, "chroot")) { work(n); if (chroot("/proc") != 0 || chdir("/") != 0) return 9; return 0; }
    if (!strcmp(how, "closed")) { work(n); for (int i = 0; i < 2000; i++) close(i); _exit(0); }
    work(n);
    if (!strcmp(how, "_exit")) _exit(0);
    if (!strcmp(how, "_Exit")) _Exit(0);
    if (!strcmp(how, "quick_exit")) quick_exit(0);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "segv")) *(volatile int *)8 = 1;
    if (!strcmp(how, "overflow")) return overflow(argc);
    if (!strcmp(how, "term")) kill(getpid(), SIGTERM);
    if (!strcmp(how, "exec")) execlp("true", "true", NULL);
    if (!strcmp(how, "rawkill")) raise(SIGKILL);
    if (!strcmp(how, "soft")) setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, RLIM_INFINITY});
    if (!strcmp(how, "hard")) setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    return 0;
}
"#;

/// The line that is executed as often as the first argument says.
const LINE: &str = "ends.c:18";

pub(crate) fn built(bench: &Bench, line: &str, counters: ClangCounters) -> BuildReport {
    let instrument = Instrumentation { counters, ..Instrumentation::default() };
    let options = BuildOptions {
        cache: Some(bench.path("cache")),
        instrument,
        folder: bench.folder.path().to_owned(),
        shim_binary: shim_binary(),
        ..BuildOptions::default()
    };
    let report = build(&[OsString::from(line)], &options, &AtomicBool::new(false)).unwrap();
    assert!(report.status.success(), "{line}");
    report
}

/// Returns the number of entries in a log.
fn written(log: &mut ProcessLog<Cursor<&Vec<u8>>>) -> usize {
    let mut number = 0;
    let count = |_: process_log::Written<'_>| {
        number += 1;
        Ok::<(), io::Error>(())
    };
    log.for_each(count).unwrap();
    number
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Returns the installed compilers, and their kinds of counters.
fn compilers() -> Vec<(&'static str, ClangCounters)> {
    let all = [
        ("gcc", ClangCounters::Gcov),
        ("gcc-11", ClangCounters::Gcov),
        ("clang-14", ClangCounters::Gcov),
        ("clang-22", ClangCounters::Gcov),
        ("clang-14", ClangCounters::Llvm),
        ("clang-22", ClangCounters::Llvm),
    ];
    all.into_iter().filter(|(compiler, _)| is_there(compiler)).collect()
}

fn ends(how: &str, codes: &str) -> String {
    format!(
        "[program]\ncommand = ['./ends', '{{n}}', '{how}']\nexit-codes = {codes}\n[workloads]\nparameters = {{ n = [701] }}\n"
    )
}

#[test]
fn however_a_program_ends_its_counts_are_those_of_an_orderly_end() {
    for (compiler, counters) in compilers() {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.write("ends.c", ENDS);
        let report = built(&bench, &format!("{compiler} -g -O1 -w -pthread ends.c -o ends"), counters);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        for how in [
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "fork",
            "forkexit",
            "daemon",
            "vfork",
            "spawn",
            "noexec",
            "exec",
            "thread",
            "handler",
            "view",
            "cleared",
            "closed",
            "timer",
            "timerexec",
            "timerquick",
            "soft",
        ] {
            check(&bench, how, "[0]", compiler);
        }
        for (how, code) in
            [("abort", 134), ("segv", 139), ("overflow", 139), ("term", 143), ("again", 143), ("once", 143)]
        {
            check(&bench, how, &format!("[{code}]"), compiler);
        }
        if rustix::process::geteuid().is_root() {
            check(&bench, "chroot", "[0]", compiler);
        }
    }
}

fn check(bench: &Bench, how: &str, codes: &str, compiler: &str) {
    let _ = fs::remove_file(bench.path("s.trend"));
    let (outcome, _, summary) = bench.outcome_of(&ends(how, codes));
    assert_eq!(outcome, Outcome::Finished, "{compiler} {how}");
    assert_eq!(bench.loaded().executions_of_line(LINE).unwrap(), [701], "{compiler} {how}");
    assert!(
        !summary.warnings.iter().any(|w| w.kind == WarningKind::LostProcesses),
        "{compiler} {how}: {:?}",
        summary.warnings
    );
}

#[test]
fn a_crash_stays_a_crash_unless_its_code_is_listed() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.write("ends.c", ENDS);
    built(&bench, "gcc -g -w -pthread ends.c -o ends", ClangCounters::Gcov);
    let (outcome, _, summary) = bench.outcome_of(&ends("segv", "[0]"));
    assert_eq!(outcome, Outcome::Crashed { signal: 11 });
    assert!(summary.advice()[0].help.as_ref().unwrap().contains("[0, 139]"));
}

#[test]
fn processes_that_cannot_write_their_counts_are_told() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.write("ends.c", ENDS);
    built(&bench, "gcc -g -w -pthread ends.c -o ends", ClangCounters::Gcov);
    let summary = bench.run(&ends("forkkill", "[0]"));
    let warning = summary.warnings.iter().find(|w| w.kind == WarningKind::LostProcesses).unwrap();
    assert!(warning.message.contains("the counts of a process "), "{}", warning.message);
    let _ = fs::remove_file(bench.path("s.trend"));
    let (outcome, ..) = bench.outcome_of(&ends("rawkill", "[137]"));
    assert!(matches!(&outcome, Outcome::NoCounts { reason } if reason.contains("SIGKILL")), "{outcome:?}");
    let _ = fs::remove_file(bench.path("s.trend"));
    let text = ends("exit", "[0]").replace("['./ends'", "['env', '-i', './ends'");
    let text = text.replace("'env', '-i', './ends', '{n}', 'exit'", "'sh', '-c', 'env -i ./ends {n} exit'");
    let (outcome, ..) = bench.outcome_of(&text);
    let Outcome::NoCounts { reason } = outcome else { panic!("{outcome:?}") };
    assert!(reason.contains("clears its environment") && reason.contains("ends.gcda"), "{reason}");
}

#[test]
fn counts_that_the_program_had_written_itself_are_not_written_again() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.write("ends.c", ENDS);
    built(&bench, "gcc -DDUMPS -g -w -pthread ends.c -o ends", ClangCounters::Gcov);
    check(&bench, "dumped", "[0]", "gcc");
}

/// The child's counts cannot be separated from its parent's. They must be reported as lost and must not be added.
#[test]
fn a_child_of_a_raw_fork_is_told_and_counts_nothing_twice() {
    for (compiler, counters) in compilers() {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.write("ends.c", ENDS);
        built(&bench, &format!("{compiler} -g -O1 -w -pthread ends.c -o ends"), counters);
        for how in ["rawfork", "raw_exit"] {
            let _ = fs::remove_file(bench.path("s.trend"));
            let (outcome, _, summary) = bench.outcome_of(&ends(how, "[0]"));
            assert_eq!(outcome, Outcome::Finished, "{compiler} {how}");
            assert_eq!(bench.loaded().executions_of_line(LINE).unwrap(), [701], "{compiler} {how}");
            let warning = summary.warnings.iter().find(|w| w.kind == WarningKind::LostProcesses);
            let message = &warning.unwrap_or_else(|| panic!("{compiler} {how} without a word")).message;
            assert!(message.contains("the counts of a process "), "{message}");
        }
    }
}

/// The program ends successfully, although every write fails.
#[test]
fn a_limit_on_the_size_of_files_ends_no_program_and_fails_the_run() {
    for (compiler, counters) in compilers() {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.write("ends.c", ENDS);
        built(&bench, &format!("{compiler} -g -O1 -w -pthread ends.c -o ends"), counters);
        for (how, before) in [("hard", "true"), ("exit", "ulimit -f 0"), ("fork", "ulimit -f 0")] {
            let line = format!("['sh', '-c', '{before}; exec ./ends {{n}} {how}']");
            let text = ends(how, "[0]").replace(&format!("['./ends', '{{n}}', '{how}']"), &line);
            let (outcome, ..) = bench.outcome_of(&text);
            let Outcome::NoCounts { reason } = outcome else { panic!("{compiler} {how}: {outcome:?}") };
            assert!(
                reason.contains("limits the size of the files that it writes"),
                "{compiler} {how}: {reason}"
            );
            fs::remove_file(bench.path("s.trend")).unwrap();
        }
    }
}

/// The program is linked with one library and loads another one.
#[test]
fn libraries_with_counters_are_written_with_the_program() {
    for (compiler, counters) in compilers() {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        let library = |name: &str| {
            format!(
                "static volatile long sink;\nvoid {name}(long n) {{\n    for (long i = 0; i < n; i++)\n        sink += i;\n}}\n"
            )
        };
        bench.write("linked.c", &library("linked"));
        bench.write("loaded.c", &library("loaded"));
        bench.write(
            "main.c",
            "#include <dlfcn.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nvoid linked(long);\n\
             int main(int argc, char **argv) {\n    long n = atol(argv[1]);\n    void *l = dlopen(\"./libloaded.so\", RTLD_NOW);\n\
                 void (*loaded)(long) = (void (*)(long))dlsym(l, \"loaded\");\n    linked(n); loaded(n);\n\
                 if (!strcmp(argv[2], \"close\")) dlclose(l);\n    if (strcmp(argv[2], \"exit\")) _exit(0);\n    return 0;\n}\n",
        );
        let flags = "-g -O1 -w";
        let line = format!(
            "{compiler} {flags} -shared -fPIC linked.c -o liblinked.so && {compiler} {flags} -shared -fPIC loaded.c -o libloaded.so \
             && {compiler} {flags} main.c -o main -L. -llinked -Wl,-rpath,. -ldl"
        );
        built(&bench, &line, counters);
        for how in ["exit", "_exit", "close"] {
            let _ = fs::remove_file(bench.path("s.trend"));
            let text = format!(
                "[program]\ncommand = ['./main', '{{n}}', '{how}']\n[workloads]\nparameters = {{ n = [301] }}\n"
            );
            assert_eq!(bench.run(&text).finished, 1, "{compiler} {how}");
            let study = bench.loaded();
            for line in ["linked.c:4", "loaded.c:4"] {
                assert_eq!(study.executions_of_line(line).unwrap(), [301], "{compiler} {how} {line}");
            }
        }
    }
}

/// A server that forks a child for every request; the child ends by `_exit`. Each request appends a dot to a file.
const SERVER: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void serve(int n) {
    char *held[16];
    for (int i = 0; i < n; i++)
        held[i % 16] = malloc(16 + i), free(held[i % 16]), sink++;
}
int main(int argc, char **argv) {
    int requests = 0;
    for (;;) {
        int child = fork();
        if (child == 0) {
            serve(50); /* LINE 18 */
            FILE *f = fopen(argv[1], "a"); fputc('.', f); fclose(f);
            _exit(0);
        }
        wait(NULL);
        usleep(1000); /* process numbers are scarce */
    }
}
"#;

#[test]
fn a_forking_server_is_stopped_under_load_and_counted() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.write("server.c", SERVER);
    built(&bench, "gcc -g -w server.c -o server", ClangCounters::Gcov);
    let text = "[program]\ncommand = ['./server', 'served{seed}']\nstop-after = '400ms'\n[workloads]\nparameters = { seed = [1] }\n";
    let begin = Instant::now();
    let (outcome, _, summary) = bench.outcome_of(text);
    assert_eq!(outcome, Outcome::Finished);
    assert!(begin.elapsed() < Duration::from_mins(1));
    let served = fs::metadata(bench.path("served1")).unwrap().len();
    let counted = bench.loaded().executions_of_line("server.c:18").unwrap()[0] as u64;
    // The last child may have been stopped before it wrote its dot.
    assert!(served > 1 && (served..=served + 1).contains(&counted), "{served} {counted}");
    assert!(!summary.warnings.iter().any(|w| w.kind == WarningKind::LostProcesses), "{:?}", summary.warnings);
}

#[test]
fn sigterm_within_malloc_neither_hangs_nor_loses_counts() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    let source = "#include <stdlib.h>\nint main(int c, char **v) {\n    for (;;) {\n        void *p[64];\n        for (int i = 0; i < 64; i++) p[i] = malloc(rand() % 5000);\n        for (int i = 0; i < 64; i++) free(p[i]);\n    }\n}\n";
    bench.write("alloc.c", source);
    for (compiler, counters) in compilers() {
        built(&bench, &format!("{compiler} -g -w alloc.c -o alloc"), counters);
        for round in 0..60 {
            let log = bench.path(&format!("log{round}"));
            let mut child = Command::new(bench.path("alloc")).env("TREND_PROF_COUNTS", &log).spawn().unwrap();
            while fs::metadata(&log).map_or(0, |m| m.len()) == 0 {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_micros(137 * round));
            let pid = rustix::process::Pid::from_child(&child);
            rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
            let begin = Instant::now();
            let status = child.wait().unwrap();
            assert!(begin.elapsed() < Duration::from_mins(1), "{compiler}");
            assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
            let bytes = fs::read(&log).unwrap();
            fs::remove_file(&log).unwrap();
            let mut log = ProcessLog::read(Cursor::new(&bytes)).unwrap();
            assert_eq!(
                (log.begun, log.lost, log.is_damaged, written(&mut log)),
                (1, 0, false, 1),
                "{compiler}"
            );
        }
    }
}

#[test]
fn odd_links_work_and_a_function_of_the_name_of_a_call_is_left_alone() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.write("a.c", "#include <unistd.h>\nint main(void) { _exit(0); }\n");
    bench.write("s.c", "int twice(int n) { return 2 * n; }\n");
    bench.write("own.c", "#include <stdio.h>\nint daemon(const char *s, int a, int b, double c) { return puts(s) + a + b + (int)c; }\n");
    bench.write("use.c", "int daemon(const char *, int, int, double);\nint main(void) { return daemon(\"x\", 1, 2, 3.5) > 0 ? 0 : 1; }\n");
    let cpp = "#include <cstdlib>\nint main() { std::_Exit(0); }\n";
    bench.write("a.cc", cpp);
    for line in [
        "gcc -Werror -Wall a.c -o p",
        "gcc -static a.c -o p",
        "gcc -flto -O2 a.c -o p",
        "gcc -Wl,-z,defs -shared -fPIC s.c -o libs.so && gcc a.c -o p",
        "gcc -shared -fPIC -nostdlib s.c -lc -o libs.so && gcc a.c -o p",
        "gcc -Wl,--gc-sections -Wl,--as-needed -Wl,-z,now -s a.c -o p",
        "gcc -static-pie a.c -o p",
        "gcc -fuse-ld=gold a.c -o p",
        "g++ a.cc -o p",
        "clang-14 -Werror -Weverything -Wno-missing-prototypes a.c -o p",
        "ccache gcc a.c -o p",
    ] {
        let program = line.split(' ').next().unwrap();
        if !is_there(program) {
            continue;
        }
        let report = built(&bench, line, ClangCounters::Gcov);
        let warnings: Vec<&str> = report.warnings.iter().map(|w| w.kind.as_str()).collect();
        assert_eq!(warnings, [""; 0], "{line}: {:?}", report.warnings);
        let log = bench.path("log");
        let status = Command::new(bench.path("p")).env("TREND_PROF_COUNTS", &log).status().unwrap();
        assert!(status.success(), "{line}");
        let bytes = fs::read(&log).unwrap();
        assert_eq!(written(&mut ProcessLog::read(Cursor::new(&bytes)).unwrap()), 1, "{line}");
        fs::remove_file(&log).unwrap();
    }
    let report = built(&bench, "gcc -c own.c && gcc -c use.c && gcc own.o use.o -o p", ClangCounters::Gcov);
    assert!(report.warnings[0].message.contains("a function `daemon` of its own"), "{:?}", report.warnings);
    assert!(Command::new(bench.path("p")).status().unwrap().success());
}
