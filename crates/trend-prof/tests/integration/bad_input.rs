//! Invalid input of every kind leads to a clear error, a hint and an exit code, and loses no data.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::bench::{BODY, Bench, skipped};

const SIZES: &str = "[100, 200, 400, 800, 1600]";

/// Returns the notes file of the only object, wherever the compiler wrote it.
fn notes(bench: &Bench) -> std::path::PathBuf {
    let entries = fs::read_dir(bench.folder()).unwrap().map(|e| e.unwrap().path());
    entries.into_iter().find(|p| p.extension().is_some_and(|e| e == "gcno")).unwrap()
}

/// Asserts that runs fail with these words, and succeed after `repair`.
#[track_caller]
fn fails_until_repaired(bench: &Bench, words: &[&str], repair: impl FnOnce()) {
    bench.run(["run"]).fails(words).says(&["0 runs recorded", "5 failed", "hint: "]);
    repair();
    bench.run(["run"]).succeeds().says(&["5 runs recorded"]);
    assert_eq!(bench.counts(&[]).pairs("n", BODY).last(), Some(&(1600, 1600)));
}

#[test]
fn missing_notes_are_named() {
    let bench = Bench::with_sizes(SIZES);
    let notes = notes(&bench);
    let kept = bench.path("kept");
    fs::rename(&notes, &kept).unwrap();
    fails_until_repaired(&bench, &[notes.to_str().unwrap(), "missing"], || {
        fs::rename(&kept, &notes).unwrap();
    });
}

#[test]
fn damaged_notes_are_named() {
    let bench = Bench::with_sizes(SIZES);
    let notes = notes(&bench);
    let good = fs::read(&notes).unwrap();
    let random: Vec<u8> = (0..3000u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for bad in [&good[..30], &good[..good.len() - 5], random.as_slice(), b""] {
        fs::write(&notes, bad).unwrap();
        bench.run(["run"]).fails(&[notes.to_str().unwrap(), "5 failed", "build again"]);
    }
    fails_until_repaired(&bench, &["main"], || fs::write(&notes, &good).unwrap());
}

#[test]
fn notes_of_another_build_than_the_data_are_told() {
    let bench = Bench::with_sizes(SIZES);
    let notes = notes(&bench);
    let good = fs::read(&notes).unwrap();
    bench.write("main2/main.c", crate::bench::LOOP.replace("sum += i;", "if (i) sum += i;"));
    bench.shell("cd main2 && cc --coverage -o program main.c");
    let other = fs::read_dir(bench.path("main2")).unwrap().map(|e| e.unwrap().path());
    let other = other.into_iter().find(|p| p.extension().is_some_and(|e| e == "gcno")).unwrap();
    fs::copy(other, &notes).unwrap();
    fails_until_repaired(&bench, &["build"], || fs::write(&notes, &good).unwrap());
}

#[test]
fn a_newer_format_names_the_versions_that_are_read() {
    let bench = Bench::with_sizes(SIZES);
    let notes = notes(&bench);
    let good = fs::read(&notes).unwrap();
    let mut newer = good.clone();
    // The version of gcc 22, with its four characters in reverse order.
    newer[4..8].copy_from_slice(b"*02C");
    fs::write(&notes, newer).unwrap();
    fails_until_repaired(&bench, &["C20*", "gcc 22", "reads those of"], || fs::write(&notes, &good).unwrap());
}

#[test]
fn damaged_data_fails_the_run_and_not_the_tool() {
    let bench = Bench::with_loop();
    let cut = |files: &str| {
        let script = format!(
            "#!/bin/sh\n./program $1\nfind \"$GCOV_PREFIX\" -name '{files}' -exec truncate -s $2 {{}} +\n"
        );
        bench.write("cut", script);
        fs::set_permissions(bench.path("cut"), fs::Permissions::from_mode(0o755)).unwrap();
        let sizes = ["--param", "n=1,2", "--param", "size=0,20,40,60"];
        bench.run([&["run", "--fresh"][..], &sizes, &["--", "./cut", "{n}", "{size}"]].concat())
    };
    // The process writes only 40 bytes when it starts.
    cut("processes").fails(&["0 runs recorded", "8 failed", "cut off", "could not write its counters"]);
    bench.shell("cc --coverage -o program main.c");
    cut("*.gcda").fails(&["0 runs recorded", "8 failed", "cut off"]);
}

#[test]
fn a_program_without_counters_is_told_how_to_get_them() {
    let bench = Bench::with_sizes(SIZES);
    let words = ["`./program` is not instrumented", "trend-prof build -- make", "--coverage"];
    bench.shell("cc -o program main.c");
    bench.run(["run"]).fails(&words).says(&["5 failed"]);
    bench.run(["show"]).refuses(&["no workload"]).hints(&["trend-prof run"]);
}

#[test]
fn no_workload_is_no_run() {
    let bench = Bench::with_loop();
    bench
        .run(["run", "--files", "inputs/*", "--", "./program"])
        .refuses(&["no workload"])
        .hints(&["inputs/*"]);
    bench.run(["run", "--", "./program"]).refuses(&["no workload"]).hints(&["--param"]);
    bench
        .run(["run", "--param", "n=", "--", "./program", "{n}"])
        .refuses(&["empty"])
        .hints(&["n=60..60000x10"]);
    assert!(
        !fs::read_dir(bench.folder()).unwrap().any(|e| e
            .unwrap()
            .path()
            .extension()
            .is_some_and(|e| e == "trend"))
    );
}

#[test]
fn one_workload_says_nothing_about_growth() {
    let bench = Bench::with_loop();
    bench.run(["run", "--param", "n=5", "--", "./program", "{n}"]).succeeds();
    bench.run(["show"]).succeeds().shows(&["Only one workload was counted", "run more"]);
}

#[test]
fn equal_features_explain_nothing() {
    let bench = Bench::with_loop();
    bench.run(["run", "--param", "n=500", "--param", "seed=1,2,3", "--", "./program", "{n}"]).succeeds();
    bench.run(["show"]).succeeds().shows(&["n is 500 for every workload"]);
}

#[test]
fn features_that_are_zero_or_negative_are_left_out_and_said_to_be() {
    let bench = Bench::new();
    bench.write("t.csv", "n,a.c:3\n0,10\n-1,15\n1,20\n2,40\n4,80\n8,160\n");
    bench.run(["import", "csv", "t.csv", "--features", "n"]).succeeds();
    bench.run(["show"]).succeeds().shows(&["n is zero or negative for 2 workloads"]);
    let model = &bench.findings(&[])["clusters"][0]["models"][0]["power_law"];
    assert_eq!(model["points"], 4);
    assert_eq!(model["ignored_zeros"], 2);
}

#[test]
fn a_feature_that_is_no_number_is_missing_and_said_to_be() {
    let bench = Bench::new();
    bench.write("t.csv", "n,a.c:3\nfive,10\n1,20\n2,40\n");
    let ran = bench.run(["import", "csv", "t.csv", "--features", "n"]).succeeds();
    ran.says(&["feature `n` has no value in 1 of 3 rows", "line 2: `five`"]);
}

#[test]
fn a_table_that_is_none_names_its_line() {
    let bench = Bench::new();
    for (text, words) in [
        ("n,a.c:3\n5,1.5\n", ["line 2", "`1.5` is not a whole number"]),
        ("n,a.c:3\n5,-2\n", ["line 2", "`-2` is negative"]),
        ("n,a.c:3\n5,1\n1,20,7\n", ["line 3 has 3 cells", "header has 2"]),
        ("m,a.c:3\n5,1\n", ["`n`", "column"]),
        ("", ["is empty", "must name the columns"]),
    ] {
        bench.write("t.csv", text);
        bench.run(["import", "csv", "t.csv", "--features", "n"]).refuses(&words).refuses(&["t.csv"]);
        assert!(!bench.path("t.trend").exists());
    }
}

#[test]
fn a_pattern_that_never_matches_shows_what_it_was_matched_with() {
    let bench = Bench::with_sizes(SIZES);
    bench.replace(
        "trend-prof.toml",
        "[workloads]",
        "[features]\nnodes = { stdout = 'nodes=(\\d+)' }\n[workloads]",
    );
    let ran = bench.run(["run"]).succeeds();
    ran.says(&["feature `nodes`", "does not match", "sum=", "5 runs recorded"]);
    // The output of earlier runs is not stored: the corrected pattern applies to new runs only.
    bench.replace("trend-prof.toml", "nodes=", "sum=");
    bench.run(["run"]).succeeds().says(&["5 recorded before", "`nodes`", "run --fresh", "import features"]);
    assert_eq!(bench.findings(&[])["workloads"]["count"], 5);
    bench.run(["run", "--fresh"]).succeeds();
    assert_eq!(bench.findings(&[])["features"][0]["max"], 1_279_200.0);
}

#[test]
fn a_pattern_without_its_group_refuses() {
    let bench = Bench::with_sizes(SIZES);
    bench.replace(
        "trend-prof.toml",
        "[workloads]",
        "[features]\nnodes = { stdout = 'nodes=\\d+' }\n[workloads]",
    );
    bench.run(["run"]).refuses(&["trend-prof.toml:4", "0 groups"]).hints(&["parentheses"]);
}

#[test]
fn a_generator_that_fails_or_writes_nothing_is_named() {
    let bench = Bench::with_loop();
    for (generate, words) in [
        ("['sh', '-c', 'echo no luck >&2; exit {n}']", ["failed with exit code 3", "no luck"]),
        ("['sh', '-c', ': {n}']", ["wrote nothing", "stdout"]),
        ("['./nowhere', '{n}']", ["cannot be started", "./nowhere"]),
    ] {
        bench.configure(&format!(
            "[program]\ncommand = ['./program', '{{input}}']\n[workloads]\nparameters = {{ n = [3] }}\ngenerate = {generate}\n"
        ));
        bench.run(["run"]).fails(&words).says(&["1 failed", "hint: "]);
    }
}

#[test]
fn a_wrong_configuration_names_the_line_and_the_nearest_key() {
    let bench = Bench::new();
    for (text, words, hint) in [
        (
            "[program]\ncomand = ['x']\n",
            "trend-prof.toml:2: `comand = ['x']`: unknown field `comand`",
            "did you mean `command`?",
        ),
        (
            "[program]\ncommand = ['x']\n[featurs]\n",
            "trend-prof.toml:3: `[featurs]`: unknown field `featurs`",
            "`features`",
        ),
        ("[program]\ncommand = 7\n", "trend-prof.toml:2: `command = 7`: expected a string", ""),
        (
            "[program]\ncommand = ['x', '{m}']\n[workloads]\nparameters = { n = [1] }\n",
            "unknown placeholder `{m}`",
            "{n}",
        ),
        ("[program]\ncommand = ['x']\ntimeout = 'soon'\n", "trend-prof.toml:3", ""),
        ("[program\n", "trend-prof.toml:1", ""),
        ("[workloads]\nfiles = '*'\n", "`program.command` is missing", ""),
    ] {
        bench.configure(text);
        let ran = bench.run(["run"]).refuses(&[words]);
        if !hint.is_empty() {
            ran.hints(&[hint]);
        }
    }
    fs::remove_file(bench.path("trend-prof.toml")).unwrap();
    bench.run(["run"]).refuses(&["trend-prof.toml"]).hints(&["trend-prof init"]);
}

/// Creates the study `program.trend` with five workloads.
fn with_study() -> Bench {
    let bench = Bench::with_sizes(SIZES);
    bench.run(["run"]).succeeds();
    bench
}

#[test]
fn a_study_of_a_newer_version_is_left_alone() {
    let bench = with_study();
    let mut bytes = fs::read(bench.path("program.trend")).unwrap();
    // The version in the header, followed by the header's checksum.
    bytes[16] = 99;
    let check = twox_hash::XxHash3_64::oneshot(&bytes[..40]);
    bytes[40..48].copy_from_slice(&check.to_le_bytes());
    bench.write("newer.trend", &bytes);
    for arguments in
        [&["show", "newer.trend"][..], &["run", "--study", "newer.trend"], &["report", "newer.trend"]]
    {
        bench.run(arguments).refuses(&["newer.trend", "format version 99"]).hints(&["newer one"]);
    }
    assert_eq!(fs::read(bench.path("newer.trend")).unwrap(), bytes);
}

#[test]
fn what_is_no_study_is_left_alone() {
    let bench = with_study();
    fs::create_dir(bench.path("folder.trend")).unwrap();
    bench.write("text.trend", "hello\n");
    for study in ["text.trend", "folder.trend"] {
        bench.run(["show", study]).refuses(&[study, "is not a trend-prof study"]).hints(&["trend-prof run"]);
        bench.run(["run", "--study", study]).refuses(&[study, "is not a trend-prof study"]);
    }
    assert_eq!(bench.read("text.trend"), "hello\n");
    bench
        .run(["show", "nowhere.trend"])
        .refuses(&["nowhere.trend", "no such study"])
        .hints(&["trend-prof run"]);
}

#[test]
fn a_damaged_study_is_refused_or_says_the_same() {
    let bench = with_study();
    let bytes = fs::read(bench.path("program.trend")).unwrap();
    let whole = bench.run(["show", "program.trend", "--format", "json"]).succeeds().stdout;
    let mut damaged: Vec<Vec<u8>> = Vec::new();
    for eighth in 0..8 {
        damaged.push(bytes[..bytes.len() * eighth / 8].to_vec());
        let mut flipped = bytes.clone();
        flipped.iter_mut().skip(97 * eighth).step_by(1009).for_each(|b| *b ^= 0x5a);
        damaged.push(flipped);
    }
    let mut refused = 0;
    for bytes in &damaged {
        bench.write("damaged.trend", bytes);
        let ran = bench.run(["show", "damaged.trend", "--format", "json"]);
        if ran.code == 0 {
            assert_eq!(ran.stdout, whole, "other findings than before");
        } else {
            ran.refuses(&["damaged.trend"]);
            refused += 1;
        }
    }
    assert!(refused >= damaged.len() / 2, "{refused} of {}", damaged.len());
}

#[test]
fn without_or_with_several_studies_one_has_to_be_named() {
    let bench = with_study();
    bench.run(["show"]).succeeds();
    fs::copy(bench.path("program.trend"), bench.path("other.trend")).unwrap();
    bench.run(["show"]).succeeds().says(&["using program.trend, the study of trend-prof.toml"]);
    fs::remove_file(bench.path("trend-prof.toml")).unwrap();
    bench.run(["show"]).refuses(&["2 studies"]).hints(&["other.trend, program.trend"]);
    bench.run(["predict", "n=1e6"]).refuses(&["2 studies"]);
    bench.run(["show", "other.trend"]).succeeds();
    // A study whose runs all failed does not make the choice ambiguous.
    fs::remove_file(bench.path("other.trend")).unwrap();
    bench.run(["run", "--study", "failed.trend", "--param", "n=1,2", "--", "false", "{n}"]).ends_with(1);
    for command in [&["show"][..], &["predict", "n=1e6"], &["report"], &["export", "csv"]] {
        bench.run(command).succeeds().says(&["using program.trend, the only study"]);
    }
    bench.run(["show", "failed.trend"]).ends_with(2);
    fs::copy(bench.path("failed.trend"), bench.path("program.trend")).unwrap();
    bench.run(["show"]).refuses(&["2 studies"]);
    Bench::new().run(["show"]).refuses(&["no study"]).hints(&["trend-prof run"]);
}

#[test]
fn a_study_that_may_not_be_written_is_read_and_not_run() {
    let bench = with_study();
    let study = bench.path("program.trend");
    fs::set_permissions(&study, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&study).is_ok() {
        return skipped("read-only files", "this is root, who may write everything");
    }
    bench.run(["show"]).succeeds();
    bench.run(["run", "--param", "n=7", "--", "./program", "{n}"]).refuses(&["read-only"]).hints(&["folder"]);
}

#[test]
fn sizes_and_names_that_mean_nothing_are_told_what_there_is() {
    let bench = with_study();
    bench.run(["show", "--at", "n=abc"]).refuses(&["`abc`"]);
    bench.run(["show", "--at", "m=5"]).refuses(&["no feature named `m`", "has n"]);
    bench.run(["show", "--at", "n=-5"]).refuses(&["positive"]);
    bench.run(["show", "--feature", "m"]).refuses(&["`m`", "n"]);
    bench.run(["show", "program.trend", "9"]).refuses(&["`9`"]);
    bench.run(["predict", "bytes=1GB"]).refuses(&["no feature named `bytes`"]);
    bench.run(["predict", "program.trend"]).refuses(&["no size"]).hints(&["bytes=128MB"]);
    bench.run(["show", "--sort", "size"]).refuses(&["cost, predicted, exponent, share"]);
}

#[test]
fn a_failing_workload_is_told_with_its_stderr_and_the_others_count() {
    let bench = Bench::with_loop();
    bench.write(
        "odd",
        "#!/bin/sh\n[ $1 = 200 ] && { echo 'cannot do 200' >&2; exit 9; }\nexec ./program $1\n",
    );
    fs::set_permissions(bench.path("odd"), fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = ["run", "--param", "n=100,200,400", "--", "./odd", "{n}"];
    bench.run(arguments).fails(&["n=200", "exit code 9", "cannot do 200", "2 runs recorded", "1 failed"]);
    let quiet = bench.run([&["--quiet"], &arguments[..]].concat());
    assert!(!quiet.fails(&["error: `n=200`", "exit code 9"]).stderr.contains("recorded"));
    // Only the failed run is repeated.
    bench.run(arguments).fails(&["0 runs recorded", "2 recorded before", "1 failed"]);
    bench.write("odd", "#!/bin/sh\nexec ./program $1\n");
    bench.run(arguments).succeeds();
    assert_eq!(bench.counts(&[]).pairs("n", BODY), [(100, 100), (200, 200), (400, 400)]);
}

/// A pipe that nobody writes to would be waited for.
#[test]
fn a_named_pipe_is_refused_wherever_a_file_is_read() {
    let bench = Bench::with_sizes("[100, 200, 400, 800, 1600, 3200, 6400, 12800]");
    bench.run(["run"]).succeeds();
    bench.run(["check", "--save-baseline", "baseline"]).succeeds();
    bench.shell("mkfifo pipe pipe.trend");
    for words in [
        ["check", "--against", "pipe"].as_slice(),
        &["check", "--config", "pipe"],
        &["run", "--config", "pipe"],
        &["check", "--against", "/dev/zero"],
    ] {
        bench.run(words).refuses(&["not a file"]);
    }
    for words in
        [["show", "pipe.trend"], ["repair", "pipe.trend"], ["diff", "pipe.trend"], ["check", "pipe.trend"]]
    {
        let ran = bench.run(words.iter().chain(["program.trend"].iter().filter(|_| words[0] == "diff")));
        ran.refuses(&["pipe.trend", "it is not a file"]);
    }
    // A pipe of the shell has a writer.
    bench.shell(&format!(
        "cat baseline | '{}' -q check --against /dev/stdin",
        env!("CARGO_BIN_EXE_trend-prof")
    ));
}

#[test]
fn without_memory_the_tool_says_so() {
    let bench = Bench::with_sizes(SIZES);
    bench.run(["run"]).succeeds();
    let line = |kilobytes: u32| {
        let program = env!("CARGO_BIN_EXE_trend-prof");
        let line = format!("ulimit -v {kilobytes}; exec '{program}' show");
        let mut command = std::process::Command::new("sh");
        crate::bench::Ran::from(command.args(["-c", &line]).current_dir(bench.folder()).output().unwrap())
    };
    // In the least memory the kernel or the loader ends it, in more it ends itself, in enough it succeeds.
    let mut ends = Vec::new();
    while ends.last().is_none_or(|ran: &crate::bench::Ran| ran.code != 0) && ends.len() < 200 {
        ends.push(line(20_000 + 1500 * ends.len() as u32));
    }
    let says = |ran: &crate::bench::Ran| ran.stderr.starts_with("error: out of memory\n hint: ");
    assert!(ends.iter().any(|ran| ran.code == 2 && says(ran)), "{ends:?}");
    // A thread for which the C library has no memory either ends the process after the message.
    let is_fine =
        |ran: &crate::bench::Ran| [0, 2, 127, -11, -9].contains(&ran.code) || (ran.code == -6 && says(ran));
    assert!(ends.iter().all(is_fine), "{ends:?}");
}

#[test]
fn runs_of_files_that_are_gone_are_told_of() {
    let bench = Bench::with_loop();
    for n in ["10", "20", "40"] {
        bench.write(format!("inputs/{n}"), "x".repeat(n.parse().unwrap()));
    }
    let run = ["run", "--no-time", "--files", "inputs/*", "--", "./program", "{input}"];
    let ran = bench.run(run).succeeds();
    assert!(!ran.stderr.contains("is gone"), "{}", ran.stderr);
    fs::remove_file(bench.path("inputs/20")).unwrap();
    bench.run(run).succeeds().says(&["workload inputs/20 does not count", "its runs stay in the study"]);
    let findings = bench.findings(&[]);
    assert_eq!(findings["workloads"]["count"], 2);
    let is_warned =
        |findings: &serde_json::Value| findings["doubts"].to_string().contains("inputs/20 does not count");
    assert!(is_warned(&findings), "{}", findings["doubts"]);
    // The file is back, and nothing has to run again.
    bench.write("inputs/20", "x".repeat(20));
    bench.run(["-q", "export", "study", "--redact", "program.trend", "-o", "copy.trend"]).succeeds();
    assert_eq!(bench.findings(&["copy.trend"])["workloads"]["count"], 2);
    bench.run(run).succeeds();
    let findings = bench.findings(&["program.trend"]);
    assert_eq!(findings["workloads"]["count"], 3);
    assert!(!is_warned(&findings), "{}", findings["doubts"]);
}

#[test]
fn only_inputs_that_are_configured_count_and_further_sizes_do() {
    let bench = Bench::with_loop();
    for name in ["a/10", "a/20", "b/30"] {
        bench.write(name, "x".repeat(name[2..].parse().unwrap()));
    }
    let names = |bench: &Bench| bench.findings(&[])["workloads"]["count"].clone();
    let run = |files: &str| bench.run(["run", "--no-time", "--files", files, "--", "./program", "{input}"]);
    run("[ab]/*").succeeds();
    run("a/*").succeeds().says(&["workload b/30 does not count", "2 recorded before"]);
    assert_eq!(names(&bench), 2);
    run("b/*").succeeds().says(&["2 workloads, such as a/10, do not count", "1 recorded before"]);
    assert_eq!(names(&bench), 1);
    let sizes = Bench::with_sizes("[10, 100]");
    sizes.run(["run", "--no-time"]).succeeds();
    sizes.replace("trend-prof.toml", "[10, 100]", "[1000]");
    sizes.run(["run", "--no-time"]).succeeds().says(&["the study also has 2 workloads with further values"]);
    assert_eq!(names(&sizes), 3);
}
