//! `run --since REV`: reruns some workloads and keeps others, with the same result as a complete run.

use crate::bench::{Bench, Ran};

const PROGRAM: &str = r"#include <stdlib.h>
static long line(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

static long square(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += line(i);
    return sum;
}

static long fixed(long n) {
    long sum = n;
    for (long i = 0; i < 10; i++)
        sum ^= i;
    return sum;
}

int main(int argc, char **argv) {
    long n = atol(argv[2]);
    switch (argv[1][0]) {
    case 's':
        return square(n) == -1;
    case 'l':
        return line(n) == -1;
    default:
        return fixed(n) == -1;
    }
}
";

/// Creates a repository with a program of three modes, measured at its first commit.
fn measured() -> Bench {
    let bench = Bench::new();
    bench.write("main.c", PROGRAM);
    bench.write(".gitignore", "program\n*.trend\n");
    bench.configure(
        "[program]\nbuild = 'cc -O0 -o program main.c'\ncommand = ['./program', '{mode}', '{n}']\n[workloads]\n\
         parameters = { mode = ['fixed', 'line', 'square'], n = [10, 20, 40] }\n",
    );
    bench.shell(
        "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m first",
    );
    bench.run(["run"]).succeeds();
    bench
}

fn since(bench: &Bench) -> Ran {
    bench.run(["run", "--since", "HEAD"])
}

/// Asserts that the counts equal those of a complete run.
#[track_caller]
fn assert_as_anew(bench: &Bench) {
    let kept = bench.run(["export", "csv"]).succeeds().stdout;
    bench.run(["run", "--fresh"]).succeeds();
    assert_eq!(kept, bench.run(["export", "csv"]).succeeds().stdout);
}

#[test]
fn workloads_that_did_not_execute_what_changed_are_kept() {
    let bench = measured();
    since(&bench).succeeds().says(&["no source changed since HEAD", "0 runs recorded", "9 recorded before"]);
    // A longer body moves all lines below it.
    bench.replace(
        "main.c",
        "        sum += line(i);\n",
        "        sum += line(i);\n    sum *= 2;\n    sum += n;\n",
    );
    let ran = since(&bench).succeeds();
    ran.says(&["3 workloads to run", "(square)", "kept 5 workloads", "4 runs recorded"]);
    assert_as_anew(&bench);
    bench.shell("git -c user.name=a -c user.email=a@example.org commit -q -a -m second");
    // A function that another one calls is executed as well.
    bench.replace("main.c", "        sum += i;\n", "        sum += i + (i & 1);\n        sum ^= 1;\n");
    since(&bench).succeeds().says(&["6 workloads to run", "(line)", "kept 2 workloads", "7 runs recorded"]);
    assert_as_anew(&bench);
}

#[test]
fn what_cannot_be_told_is_run_again() {
    for (old, new, reason) in [
        ("static long fixed(long n)", "static long fixed(const long n)", "not inside one function"),
        ("#include <stdlib.h>", "#include <stdlib.h>\n#define TWO 2", "not inside one function"),
        ("    long sum = n;\n", "#define TEN 10\n    long sum = n;\n", "not inside one function"),
    ] {
        let bench = measured();
        bench.replace("main.c", old, new);
        since(&bench).succeeds().says(&["everything runs again: main.c:", reason, "9 runs recorded"]);
    }
    let bench = measured();
    bench.write("other.h", "");
    since(&bench).succeeds().says(&["everything runs again: other.h changed", "9 runs recorded"]);
    // The study is of the working tree, not of the revision.
    bench.shell("rm other.h");
    bench.replace("main.c", "i < 10", "i < 20");
    bench.run(["run", "--fresh"]).succeeds();
    since(&bench).succeeds().says(&["everything runs again: the study ", "its main.c differs"]);
}

#[test]
fn a_program_that_differs_from_run_to_run_is_run_again() {
    let bench = Bench::new();
    bench.write(
        "main.c",
        "#include <stdlib.h>\n#include <time.h>\nstatic long other(long n) {\n    long m = n;\n    return m + 1;\n}\n\
         int main(int argc, char **argv) {\n    struct timespec t;\n    clock_gettime(CLOCK_REALTIME, &t);\n    long n = \
         atol(argv[1]), s = 0;\n    if (n > 50)\n        return other(n) == 0;\n    for (long i = 0; i < t.tv_nsec % 1000003; i++)\n        \
         s += i;\n    return s == -1;\n}\n",
    );
    bench.write(".gitignore", "program\n*.trend\n");
    bench.configure(
        "[program]\nbuild = 'cc -O0 -o program main.c'\ncommand = ['./program', '{n}']\n[workloads]\nparameters = { n = [10, \
         20, 60] }\n",
    );
    bench.shell(
        "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m first",
    );
    bench.run(["run"]).succeeds();
    bench.replace("main.c", "    long m = n;\n", "    long m = n + 1;\n");
    let ran = since(&bench).succeeds();
    ran.says(&[
        "1 workload to run",
        "everything runs again: n=10 has different counts in main",
        "3 runs recorded",
    ]);
}

#[test]
fn a_revision_or_a_study_that_is_not_there_is_refused() {
    let bench = measured();
    bench.run(["run", "--since", "nothing"]).refuses(&["nothing", "no such commit"]);
    bench.run(["run", "--since", "HEAD", "--study", "none.trend"]).refuses(&["no study of HEAD"]);
    bench.run(["run", "--since", "HEAD", "--fresh"]).refuses(&["cannot be used with"]);
}
