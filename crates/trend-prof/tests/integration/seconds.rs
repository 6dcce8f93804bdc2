//! `trend-prof run`: seconds and bytes at the target, by runs without counters.

use crate::bench::Bench;

/// Works for some `n` × 0.1 ms in memory that grows with n, and waits where it is told to.
const WORK: &str = "#include <stdlib.h>\n#include <unistd.h>\nint main(int c, char **v) {\n    long n = atol(v[1]), sum = 0;\n    \
    char *p = malloc(n * 10000);\n    for (long i = 0; i < n * 10000; i++)\n        p[i] = i;\n    \
    for (long i = 0; i < n * 100000; i++)\n        sum += p[i % 1000] ^ i;\n    if (c > 2)\n        usleep(atol(v[2]));\n    \
    return sum == 42;\n}\n";

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
    ran.says(&["timed    n=960 ", "timed    n=2880 ", "of memory", " s ("]);
    let answer = bench.findings(&["--at", "n=9600"])["answer"].clone();
    let time = &answer["time"];
    let (seconds, longest) = (time["seconds"].as_f64().unwrap(), time["longest"].as_f64().unwrap());
    // The longest run has three times the largest size. The work is proportional to n, and ten times of it takes 3.3 times as
    // long, whatever else the machine does.
    assert!((1.5..7.0).contains(&(seconds / longest)), "{time}");
    assert!(time["ci"][0].as_f64().unwrap() < seconds && time["ci"][1].as_f64().unwrap() > seconds, "{time}");
    let memory = &answer["memory"];
    let bytes = memory["bytes"].as_f64().unwrap();
    assert!((bytes / 96e6 - 1.0).abs() < 0.03, "{memory}");
    bench
        .run(["show", "--at", "n=9600", "--machine-memory", "50MB"])
        .succeeds()
        .shows(&[" MB of memory, more than the 50 MB of the machine (inputs fit up to n = 4,"]);
    let limits = "at = 'n=9600'\nmemory = '<= 120MB'\nseconds = '<= 1 d'";
    bench.write("limits.toml", format!("[[expect]]\nprogram = true\n{limits}\n"));
    // Whether the seconds are to be relied on is of the machine.
    let checked = bench.run(["check", "--config", "limits.toml", "--format", "json"]).json();
    assert_eq!(checked["broken"], 0, "{checked}");
    assert!(checked["holds"].as_u64().unwrap() >= 1, "{checked}");
    bench.write("limits.toml", format!("[[expect]]\nprogram = true\n{}\n", limits.replace("120MB", "60MB")));
    let broken = bench.run(["check", "--config", "limits.toml"]).ends_with(1);
    broken.shows(&[" MB) of memory; `<= 60 M bytes at n=9,600` is"]);
    let again = bench.run(["run", "-v", "--param", "n=30..960x6", "--", "./work", "{n}"]).succeeds();
    assert!(!again.stderr.contains("timed "), "{}", again.stderr);
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

#[test]
fn who_waits_has_elapsed_time_and_processor_time_apart() {
    let bench = bench();
    let ran = bench.run(["run", "--param", "n=100..3200x6", "--", "./work", "{n}", "900000"]).succeeds();
    // One run of three times the largest size would take longer than all that counted.
    ran.says(&["of processor time, elapsed time ", "n=9600 is not timed: it would take "]);
    let time = bench.findings(&[])["answer"]["time"].clone();
    assert!(time["doubts"].as_array().unwrap().contains(&"disturbed".into()), "{time}");
}
