//! `trend-prof run`: time and memory at the target, predicted from runs without counters.

use crate::bench::{Bench, Ran, is_installed, skipped};

/// A program that works for about `n` × 0.1 ms and uses memory proportional to n.
const WORK: &str = "#include <stdlib.h>\nint main(int c, char **v) {\n    long n = atol(v[1]), sum = 0;\n    \
    char *p = malloc(n * 10000);\n    for (long i = 0; i < n * 10000; i++)\n        p[i] = i;\n    \
    for (long i = 0; i < n * 100000; i++)\n        sum += p[i % 1000] ^ i;\n    return sum == 42 || c > 2;\n}\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("work.c", WORK);
    bench.run(["build", "--", "gcc", "-O1", "-o", "work", "work.c"]).succeeds();
    bench
}

#[test]
fn a_run_ends_with_seconds_and_bytes_and_once_is_enough() {
    let bench = bench();
    let ran = bench.run(["run", "-v", "--param", "n=30..960x6", "--", "./work", "{n}"]).succeeds();
    // Each step that may take seconds is announced.
    let steps = [
        " copy of the program",
        "this machine's memory",
        " runs without counters to do",
        "assigning the time to functions",
    ];
    ran.says(&[&steps[..], &["timed    n=960 ", "timed    n=2880 ", "of memory", " s ("]].concat());
    let answer = bench.findings(&["--at", "n=9600"])["answer"].clone();
    let time = &answer["time"];
    let (seconds, longest) = (time["seconds"].as_f64().unwrap(), time["longest"].as_f64().unwrap());
    // The longest run has three times the largest size. The work is proportional to n, so ten times the size takes 3.3
    // times as long, however busy the machine is.
    assert!((1.5..7.0).contains(&(seconds / longest)), "{time}");
    assert!(time["ci"][0].as_f64().unwrap() < seconds && time["ci"][1].as_f64().unwrap() > seconds, "{time}");
    let memory = &answer["memory"];
    let bytes = memory["bytes"].as_f64().unwrap();
    assert!((bytes / 96e6 - 1.0).abs() < 0.03, "{memory}");
    bench
        .run(["show", "--at", "n=9600", "--machine-memory", "50MB"])
        .succeeds()
        .shows(&["more than the machine's 50 MB", "The machine's 50 MB is enough up to n = 4,"]);
    let limits = "at = 'n=9600'\nmemory = '<= 120MB'\nseconds = '<= 1 d'";
    bench.write("limits.toml", format!("[[expect]]\nprogram = true\n{limits}\n"));
    // The machine's load decides whether the time is reliable, so the time may be undecided.
    let checked = bench.run(["check", "--config", "limits.toml", "--format", "json"]).json();
    assert_eq!(checked["broken"], 0, "{checked}");
    assert!(checked["holds"].as_u64().unwrap() >= 1, "{checked}");
    bench.write("limits.toml", format!("[[expect]]\nprogram = true\n{}\n", limits.replace("120MB", "60MB")));
    let broken = bench.run(["check", "--config", "limits.toml"]).ends_with(1);
    broken.shows(&[" MB) of memory; expected `<= 60 M bytes at n=9,600`"]);
    let again = bench.run(["run", "-v", "--param", "n=30..960x6", "--", "./work", "{n}"]).succeeds();
    assert!(!again.stderr.contains("timed    n="), "{}", again.stderr);
}

#[test]
fn one_workload_has_its_seconds_and_names_smaller_sizes() {
    let bench = bench();
    let n = "n=12000";
    let ran = bench.run(["run", "--param", n, "--", "./work", "{n}"]).succeeds();
    ran.says(&["n=12000 takes ", "Time at other sizes is not predicted."]);
    // 120 MB, plus the memory that every program takes.
    let longest = bench.findings(&[])["workloads"]["longest"].clone();
    assert!((120e6..130e6).contains(&longest["peak_bytes"].as_f64().unwrap()), "{longest}");
    let shown = bench.run(["show"]).succeeds();
    shown.shows(&["n=12000 takes ", "also run n = 120, 210, 380, 1200 and 3800: one size"]);
    bench.run(["show", "--by", "time"]).ends_with(2).says(&["need a prediction", "run more sizes"]);
    let sizes = "n=120,210,380,1200,3800,12000";
    let more = bench.run(["run", "--param", sizes, "--", "./work", "{n}"]).succeeds();
    more.says(&["At n = 120,000 (10×): "]);
}

#[test]
fn what_a_line_for_the_shell_starts_is_timed_and_a_script_says_that_it_is_not() {
    let bench = bench();
    let line = "true && ./work {n}";
    let ran = bench.run(["run", "-v", "--param", "n=30..960x6", "--", "sh", "-c", line]).succeeds();
    ran.says(&["timed    n=960 ", " of memory"]);
    bench.write("start.sh", "#!/bin/sh\nexec ./work $1\n");
    bench.shell("chmod +x start.sh");
    let study = ["run", "--study", "script.trend"];
    let ran =
        bench.run(study.iter().chain(&["--param", "n=30..960x6", "--", "./start.sh", "{n}"])).succeeds();
    ran.says(&["nothing was timed: ./start.sh is a script", "use `sh -c './program …'`"]);
    bench.shell("strip work");
    let stripped =
        ["run", "--study", "stripped.trend", "--no-build", "--param", "n=30..960x6", "--", "./work", "{n}"];
    bench.run(stripped).succeeds().says(&["nothing was timed: ./work has no symbols"]);
}

/// A program with two loops that take 30 % and 70 % of its own time, work in the C library, and pages that the kernel
/// has to allocate.
const PARTS: &str = r"#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static volatile unsigned long sum;
__attribute__((noinline)) static void thirty(long n) {
    unsigned long x = 1;
    for (long i = 0; i < 3 * n; i++)
        x = x * 6364136223846793005ul + i;
    sum = x;
}
__attribute__((noinline)) static void seventy(long n) {
    unsigned long x = 1;
    for (long i = 0; i < 7 * n; i++)
        x = x * 6364136223846793005ul + i;
    sum = x;
}
int main(int c, char **v) {
    long n = atol(v[1]) * 1000;
    for (int i = 0; i < 20; i++) {
        thirty(n / 20);
        seventy(n / 20);
    }
    static char from[1 << 16], to[1 << 16];
    for (long i = 0; i < n / 1000; i++)
        memmove(to, from + (v[1][0] & 1), sizeof from - 1);
    for (long i = 0; i < n / 20000; i++) {
        char *pages = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (long at = 0; at < 1 << 20; at += 4096)
            pages[at] = 1;
        munmap(pages, 1 << 20);
    }
    return to[1] == 42;
}
";

/// Reason why sampling is not possible here.
const NOT_ALLOWED: &str = "kernel.perf_event_paranoid is more than 2, or perf_event_open is refused";

#[test]
fn seconds_are_those_of_functions_libraries_and_the_kernel() {
    let bench = Bench::new();
    bench.write("parts.c", PARTS);
    bench.run(["build", "--", "gcc", "-g", "-O1", "-fno-builtin", "-o", "parts", "parts.c"]).succeeds();
    let ran = bench.run(["run", "--param", "n=1000..32000x6", "--", "./parts", "{n}"]).succeeds();
    if ran.stderr.contains("perf_event_paranoid") {
        bench.run(["show", "--by", "time"]).ends_with(2).says(&["perf_event_paranoid"]);
        skipped("where seconds go", NOT_ALLOWED);
        return;
    }
    let answer = bench.findings(&[])["answer"].clone();
    let parts = answer["time_parts"].clone();
    let rows = parts["rows"].as_array().unwrap();
    let share = |name: &str, kind: &str, field: &str| {
        let row = rows.iter().find(|row| row["name"] == name && row["kind"] == kind);
        row.unwrap_or_else(|| panic!("no {name}: {parts}"))[field].as_f64().unwrap()
    };
    let functions = ["thirty", "seventy"].map(|name| share(name, "function", "share"));
    let of_both = functions[0] / (functions[0] + functions[1]);
    let samples = parts["run"]["samples"].as_f64().unwrap();
    // Four standard errors for this number of samples, plus a tolerance for the processor.
    let error = 4.0 * (0.3 * 0.7 / samples).sqrt() + 0.02;
    assert!(samples > 50.0 && (of_both - 0.3).abs() < error, "{of_both} ± {error}: {parts}");
    let libc =
        rows.iter().find(|row| row["kind"] == "library" && row["name"].as_str().unwrap().contains("libc"));
    assert!(libc.is_some_and(|libc| libc["share"].as_f64().unwrap() > 0.005), "{parts}");
    assert!(share("", "kernel", "share") > 0.01, "{parts}");
    let line = share("seventy", "function", "line");
    assert!((13.0..=14.0).contains(&line), "{parts}");
    let sum: f64 = rows.iter().map(|row| row["seconds_then"].as_f64().unwrap()).sum();
    assert!((sum / answer["time"]["seconds"].as_f64().unwrap() - 1.0).abs() < 1e-6, "{answer}");
    bench.run(["show", "--by", "time"]).succeeds().shows(&["thirty", "seventy", "the kernel", "≈ "]);
    let markdown = bench.run(["show", "--by", "time", "--format", "markdown"]).succeeds();
    markdown.shows(&["| seventy", "≈ "]);
    bench
        .run(["run", "--fresh", "--no-time", "--param", "n=1000..32000x6", "--", "./parts", "{n}"])
        .succeeds();
    bench.run(["show", "--by", "time"]).ends_with(2).says(&["the study has no time samples"]);
}

/// A program with a function that is called and one that is inlined.
const RUST: &str = "#[inline(never)]\nfn pairs(n: u64) -> u64 {\n    let mut sum = 0u64;\n    for i in 0..n {\n        \
    for j in 0..n {\n            sum = sum.wrapping_mul(31).wrapping_add(i ^ j);\n        }\n    }\n    sum\n}\n\n#[inline(always)]\n\
fn line(n: u64) -> u64 {\n    (0..n * 3000).fold(1u64, |x, i| x.wrapping_mul(6364136223846793005).wrapping_add(i))\n}\n\n\
fn main() {\n    let n = std::env::args().nth(1).unwrap().parse().unwrap();\n    println!(\"{} {}\", pairs(n), line(n));\n}\n";

#[test]
fn the_time_of_a_rust_program_is_that_of_its_functions() {
    let bench = Bench::new();
    bench.write("Cargo.toml", "[package]\nname = \"mini\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    bench.write("src/main.rs", RUST);
    bench.run(["build", "--", "cargo", "build", "--release", "--offline"]).succeeds();
    let program = "target/trend-prof/x86_64-unknown-linux-gnu/release/mini";
    let ran = bench.run(["run", "--param", "n=500..24000x8", "--", program, "{n}"]).succeeds();
    if ran.stderr.contains("perf_event_paranoid") {
        skipped("the time of a Rust program", NOT_ALLOWED);
        return;
    }
    let parts = bench.findings(&[])["answer"]["time_parts"].clone();
    let rows = parts["rows"].as_array().unwrap();
    let functions = rows.iter().filter(|row| row["kind"] == "function");
    let share = |prefix: &str| {
        let named = functions.clone().filter(|row| row["name"].as_str().unwrap().starts_with(prefix));
        named.map(|row| row["share"].as_f64().unwrap()).sum::<f64>()
    };
    assert!((0.6..0.95).contains(&share("mini::pairs")) && share("mini::line") > 0.02, "{parts}");
    assert!(share("mini::") > 0.95, "{parts}");
}

/// A local function that does work, and an uncounted library with a function of the same name.
const NAMESAKES: [&str; 2] = [
    "#include <stdlib.h>\nlong other(long n);\nstatic volatile unsigned long sum;\n\
    static __attribute__((noinline)) void work(long n) {\n    unsigned long x = 1;\n    \
    for (long i = 0; i < n; i++)\n        x = x * 6364136223846793005ul + i;\n    sum = x;\n}\n\
    int main(int c, char **v) {\n    long n = atol(v[1]) * 10000;\n    work(n);\n    return other(3 * n) == 42 || c > 2;\n}\n",
    "static __attribute__((noinline)) unsigned long work(long n) {\n    unsigned long x = 1;\n    \
    for (long i = 0; i < n; i++)\n        x = x * 6364136223846793005ul + i;\n    return x;\n}\n\
    long other(long n) { return work(n); }\n",
];

#[test]
fn time_is_that_of_the_function_in_the_file_of_that_name() {
    // Debug information may give the folder another name.
    for (compiler, counters, named) in [
        ("gcc", "gcov", None),
        ("gcc", "gcov", Some("/elsewhere")),
        ("clang-22", "gcov", None),
        ("clang-22", "llvm", None),
    ] {
        if !is_installed(compiler) {
            skipped("whose time it is", &format!("{compiler} is not installed"));
            continue;
        }
        let bench = Bench::new();
        bench.write("main.c", NAMESAKES[0]);
        bench.write("other.c", NAMESAKES[1]);
        bench.shell(&format!("{compiler} -O1 -g -c other.c && ar rc libother.a other.o"));
        let folder = bench.folder().canonicalize().unwrap();
        let map = named.map(|name| format!("-fdebug-prefix-map={}={name}", folder.display()));
        let build = ["build", "--counters", counters, "--", compiler].into_iter().chain(map.as_deref());
        bench.run(build.chain(["-g", "-O1", "-o", "main", "main.c", "libother.a"])).succeeds();
        let ran = bench.run(["run", "--param", "n=100..12800x8", "--", "./main", "{n}"]).succeeds();
        if ran.stderr.contains("perf_event_paranoid") {
            skipped("whose time it is", NOT_ALLOWED);
            return;
        }
        let parts = bench.findings(&[])["answer"]["time_parts"].clone();
        let share = |kind: &str| {
            let rows = parts["rows"].as_array().unwrap().iter().filter(|row| row["kind"] == kind);
            rows.map(|row| row["share"].as_f64().unwrap()).sum::<f64>()
        };
        // One quarter of the time is in counted code, and three quarters are in the library.
        let [counted, others] = ["function", "library"].map(share);
        assert!(
            (0.15..0.35).contains(&counted) && others > 0.6,
            "{compiler}, {counters}, {named:?}: {parts}"
        );
    }
}

/// Runs a command in which `perf_event_open` fails with the error `ERROR`.
const REFUSES: &str = r"#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int c, char **v) {
    struct sock_filter of[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ERROR),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof of / sizeof *of, of};
    if (c < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
        return 99;
    execv(v[1], v + 1);
    return 98;
}
";

#[test]
fn a_run_samples_what_an_earlier_one_was_not_allowed_to() {
    let bench = bench();
    bench.write("refuses.c", REFUSES);
    bench.shell("gcc -DERROR=EACCES -o refuses refuses.c");
    let words = ["run", "-v", "--param", "n=30..960x6", "--", "./work", "{n}"];
    let refused =
        bench.run_under("./refuses", words).succeeds().says(&["perf_event_paranoid", "timed    n=960 "]);
    assert!(!refused.stderr.contains("--fresh"), "{}", refused.stderr);
    bench.run(["show", "--by", "time"]).ends_with(2);
    // While permission is missing, nothing is run again.
    let again = bench.run_under("./refuses", words).succeeds();
    assert!(!again.stderr.contains("perf_event_paranoid"), "{}", again.stderr);
    let allowed = bench.run(words).succeeds();
    if allowed.stderr.contains("perf_event_paranoid") {
        skipped("samples that are taken later", NOT_ALLOWED);
        return;
    }
    assert!(!allowed.stderr.lines().any(|line| line.starts_with("timed ")), "{}", allowed.stderr);
    allowed.says(&["sampled  n=960 "]);
    bench.run(["show", "--by", "time"]).succeeds().shows(&["main"]);
}

#[test]
fn what_cannot_be_sampled_is_not_run_again_and_what_was_not_allowed_is_run_once() {
    let bench = bench();
    bench.write("refuses.c", REFUSES);
    bench.write("plain", "#!/bin/sh\necho \"$1\" >> plain-runs\nexec ./work \"$@\"\n");
    bench.shell("chmod +x plain");
    let config = "[program]\ncommand = [\"./work\", \"{n}\"]\ntimed = \"plain\"\n";
    bench.write("trend-prof.toml", format!("{config}[workloads]\nparameters = {{ n = [300, 800] }}\n"));
    for (error, warning, expected) in
        [("EMFILE", "the time of n=800 was not sampled", ""), ("EACCES", "perf_event_paranoid", "800\n300\n")]
    {
        bench.shell(&format!("gcc -DERROR={error} -o refuses refuses.c"));
        bench.run_under("./refuses", ["run", "--fresh"]).succeeds().says(&[warning]);
        bench.shell("rm plain-runs");
        let again = bench.run(["run", "-v"]).succeeds();
        if again.stderr.contains("perf_event_paranoid") {
            skipped("samples that are taken later", NOT_ALLOWED);
            return;
        }
        let runs = std::fs::read_to_string(bench.path("plain-runs")).unwrap_or_default();
        assert_eq!(runs, expected, "{error}: {}", again.stderr);
    }
}

#[test]
fn a_build_of_ones_own_is_timed_in_its_place_and_nothing_is_where_that_is_asked_for() {
    let bench = bench();
    bench.write("plain", "#!/bin/sh\necho \"$1\" >> plain-runs\nexec ./work \"$@\"\n");
    bench.shell("chmod +x plain");
    let config = |line: &str| {
        let command = "[program]\ncommand = [\"./work\", \"{n}\"]";
        bench.write(
            "trend-prof.toml",
            format!("{command}\n{line}\n[workloads]\nparameters = {{ n = [200, 1600] }}\n"),
        );
    };
    config("timed = \"plain\"\ntime = false");
    bench.run(["run"]).succeeds();
    config("timed = \"plain\"");
    bench.run(["run", "--no-time"]).succeeds();
    assert!(!bench.path("plain-runs").exists());
    bench.run(["run"]).succeeds();
    let runs = std::fs::read_to_string(bench.path("plain-runs")).unwrap();
    assert!(runs.contains("1600\n"), "{runs}");
    config("timed = \"none\"");
    bench.run(["run", "--fresh"]).succeeds().says(&["nothing was timed: none"]);
}

/// Does the same work on n as `WORK`, but first waits in the given way or works in two threads.
const WAIT: &str = r#"#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static long n;
static void *work(void *sum) {
    for (long i = 0; i < n * 100000; i++)
        *(volatile long *)sum += i;
    return 0;
}
static void pipe_(void) {
    FILE *from = popen("sleep 0.4; echo done", "r");
    fgetc(from);
    pclose(from);
}
static void network(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    char answer = 0;
    bind(server, (struct sockaddr *)&at, sizeof at);
    listen(server, 1);
    getsockname(server, (struct sockaddr *)&at, &length);
    if (!fork()) {
        int from = accept(server, 0, 0);
        usleep(400000);
        _exit(write(from, "x", 1) != 1);
    }
    connect(client, (struct sockaddr *)&at, sizeof at);
    if (read(client, &answer, 1) != 1)
        exit(1);
    wait(0);
}
int main(int c, char **v) {
    long first = 0, second = 0;
    pthread_t thread;
    n = atol(v[1]);
    if (!strcmp(v[2], "sleep"))
        usleep(900000);
    if (!strcmp(v[2], "in proportion"))
        usleep(n * 2500);
    if (!strcmp(v[2], "pipe"))
        pipe_();
    if (!strcmp(v[2], "network"))
        network();
    if (!strcmp(v[2], "threads"))
        pthread_create(&thread, 0, work, &second);
    work(&first);
    if (!strcmp(v[2], "threads"))
        pthread_join(thread, 0);
    return c > 3;
}
"#;

/// Returns the predicted time of a program that waits in this way, at ten times the largest size, and its run.
fn waiting(how: &str) -> (serde_json::Value, Ran) {
    let bench = Bench::new();
    bench.write("wait.c", WAIT);
    bench.run(["build", "--", "gcc", "-O1", "-pthread", "-o", "wait", "wait.c"]).succeeds();
    let ran = bench.run(["run", "--param", "n=50..1600x6", "--", "./wait", "{n}", how]).succeeds();
    (bench.findings(&["--at", "n=16000"])["answer"]["time"].clone(), ran)
}

/// Asserts that wall time and CPU time differ if a run waits this many seconds.
fn has_both(how: &str, seconds: f64) -> Ran {
    let (time, ran) = waiting(how);
    let (elapsed, longest) = (time["elapsed"].as_f64().unwrap(), time["longest"].as_f64().unwrap());
    assert!(time["elapsed_is"] == "longer" && elapsed * longest > longest + 0.9 * seconds, "{how}: {time}");
    ran.says(&["of CPU time", "Wall time is unknown; the longest run took "])
}

#[test]
fn who_sleeps_has_elapsed_time_and_processor_time_apart() {
    // A run at three times the largest size would exceed the time budget.
    has_both("sleep", 0.9).says(&["n=4800 is not timed: it would take "]);
}

#[test]
fn samples_are_taken_whatever_time_other_runs_without_counters_took() {
    let bench = Bench::new();
    bench.write("wait.c", WAIT);
    bench.run(["build", "--", "gcc", "-O1", "-pthread", "-o", "wait", "wait.c"]).succeeds();
    let words = ["run", "-v", "--param", "n=200,400", "--", "./wait", "{n}", "in proportion"];
    let ran = bench.run(words).succeeds();
    if ran.stderr.contains("perf_event_paranoid") {
        skipped("whether all is sampled", NOT_ALLOWED);
        return;
    }
    // The run at three times the largest size takes the rest of the 5 seconds. The largest size is sampled while it is
    // timed.
    ran.says(&["timed    n=400 ", "sampled  n=200 "]);
}

#[test]
fn who_waits_for_another_process_has_elapsed_time_and_processor_time_apart() {
    has_both("pipe", 0.4);
}

#[test]
fn who_waits_for_the_network_has_elapsed_time_and_processor_time_apart() {
    has_both("network", 0.4);
}

#[test]
fn who_works_in_threads_has_less_elapsed_time_than_processor_time() {
    let (time, ran) = waiting("threads");
    // On a busy machine the threads take turns.
    let elapsed = time["elapsed"].as_f64().unwrap();
    assert_eq!(time["elapsed_is"] == "shorter", elapsed < 0.8, "{time}");
    if elapsed < 0.8 {
        ran.says(&["of CPU time, ", " of wall time"]);
    }
}
