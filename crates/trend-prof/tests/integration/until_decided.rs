//! `run --until-decided`: adds sizes until everything costly is decided, within a budget, and can be resumed.

use serde_json::Value;

use crate::bench::Bench;

/// Creates the quicksort example with sizes that are too small and too few to decide.
fn small_quicksort() -> Bench {
    let bench = Bench::with_example("quicksort");
    let all = "[100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000], seed = [1, 2, 3]";
    bench.replace("trend-prof.toml", all, "[50, 80, 130, 200, 300], seed = [1, 2]");
    bench
}

fn total(findings: &Value) -> &Value {
    &findings["total"]["models"][0]
}

#[test]
fn quicksort_is_decided_by_sizes_that_nobody_configured_and_goes_on_where_it_stopped() {
    let bench = small_quicksort();
    bench.run(["run"]).succeeds();
    let before = bench.findings(&[]);
    assert_eq!(total(&before)["growth"]["decided"], false, "{:#}", total(&before)["growth"]);
    let advice = &total(&before)["next"];
    assert!(!advice["sizes"].as_array().unwrap().is_empty(), "{advice:#}");
    bench.run(["show"]).succeeds().shows(&["next: run n = "]);

    let ran = bench.run(["run", "--until-decided", "--budget", "2m"]).succeeds();
    let ran = ran.says(&["round 2: n = ", "decided: ", "n log n for the whole program"]);
    assert!(ran.stderr.contains("everything costly is decided"), "{}", ran.stderr);
    let after = bench.findings(&[]);
    assert_eq!(total(&after)["growth"]["verdict"], "about n log n");
    let workloads = after["workloads"]["count"].as_u64().unwrap();
    assert!(workloads > before["workloads"]["count"].as_u64().unwrap());

    // All runs are reused, with and without the flag. Nothing is run twice or forgotten.
    for arguments in [&["run"][..], &["run", "--until-decided"]] {
        let message = format!("{workloads} recorded before");
        bench.run(arguments).succeeds().says(&["0 runs recorded", &message]);
    }
    assert_eq!(bench.findings(&[]), after);
    // A feature that is declared later also gets values for the added sizes.
    bench.replace("trend-prof.toml", "[features]", "[features]\nbytes = \"size\"");
    bench.run(["run"]).succeeds();
    let bytes = &bench.findings(&[])["features"][0];
    assert_eq!((bytes["name"].as_str(), bytes["missing"].as_u64()), (Some("bytes"), Some(0)));
}

#[test]
fn a_feature_that_follows_the_parameter_is_steered_through_it() {
    let bench = small_quicksort();
    bench.replace("trend-prof.toml", "n = { parameter = \"n\" }", "bytes = \"size\"");
    let ran = bench.run(["run", "--until-decided", "--budget", "2m"]).succeeds();
    ran.says(&["round 2: n = ", "n log n for the whole program"]);
    let bytes = &bench.findings(&[])["features"][0];
    assert!(bytes["max"].as_f64().unwrap() > 4.0 * 300.0, "{bytes:#}");
}

#[test]
fn a_decided_study_runs_nothing_more() {
    let bench = Bench::with_sizes("[10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 300000]");
    bench.run(["run", "--until-decided"]).succeeds().says(&["everything costly is decided"]);
    let ran = bench.run(["run", "--until-decided"]).succeeds();
    let ran = ran.says(&["0 runs recorded", "everything costly is decided"]);
    assert!(!ran.stderr.contains("round 2"), "{}", ran.stderr);
}

#[test]
fn few_sizes_become_enough() {
    let bench = Bench::with_sizes("[1000, 2000]");
    let ran = bench.run(["run", "--until-decided"]).succeeds();
    let ran = ran.says(&["round 2: n = ", "n for the whole program", "everything costly is decided"]);
    // If runs are too short to predict their time, the next size is at most four times as large.
    let mut largest = 2000.0;
    for line in ran.stderr.lines().filter_map(|line| Some(line.split_once(": n = ")?.1)) {
        let sizes = line.split_once(", for ").unwrap().0.split(", ");
        let size = sizes.map(|size| size.parse().unwrap()).fold(largest, f64::max);
        assert!(size <= 4.0 * largest, "{}", ran.stderr);
        largest = size;
    }
    assert!(largest > 8000.0, "{}", ran.stderr);
}

#[test]
fn a_small_size_that_fails_forbids_no_larger_ones() {
    let bench = Bench::with_loop();
    bench.configure(
        "[program]\ncommand = ['sh', '-c', '[ {n} != 1000 ] || exit 3; ./program {n}']\n[workloads]\n\
         parameters = { n = [1000, 2000, 3000] }\n",
    );
    let ran = bench.run(["run", "--until-decided"]);
    ran.fails(&["round 2: n = ", "n for the whole program", "everything costly is decided"]);
}

#[test]
fn what_is_no_longer_configured_is_kept_and_not_run_again() {
    let bench = Bench::with_sizes("[10, 100, 1000]");
    bench.run(["run"]).succeeds();
    bench.replace("trend-prof.toml", "[10, 100, 1000]", "[10]");
    let ran = bench.run(["run"]).succeeds();
    ran.says(&["the study also has 2 workloads with further values", "--fresh", "3 recorded before"]);
    bench.run(["run", "--repeat", "3"]).succeeds().says(&["2 runs recorded"]);
    assert_eq!(bench.findings(&[])["workloads"]["count"], 3);
    let fresh = bench.run(["run", "--fresh"]).succeeds();
    assert!(!fresh.stderr.contains("further values"), "{}", fresh.stderr);
    assert_eq!(bench.findings(&[])["workloads"]["count"], 1);
}

#[test]
fn a_spent_budget_ends_it_with_success() {
    let bench = Bench::with_sizes("[1000000000000, 2000000000000]");
    let ran = bench.run(["run", "--until-decided", "--budget", "300ms"]).succeeds();
    ran.says(&["budget spent (0.3 s of 0.3 s)"]);
}

#[test]
fn a_run_that_would_take_longer_than_is_left_is_not_begun() {
    let bench = Bench::with_loop();
    // Runs of 0.4 s and 1.2 s, and one of ten days that is configured before them.
    bench.configure(
        "[program]\ncommand = ['sh', '-c', 'sleep $(( {n} / 1000 )).$(( {n} % 1000 )); ./program {n}']\n[workloads]\n\
         parameters = { n = [1000000000, 400, 1200] }\n",
    );
    let ran = bench.run(["run", "--until-decided", "--budget", "8s", "--jobs", "1"]).succeeds();
    let ran = ran.says(&["n=1000000000 and longer runs are skipped", "of the budget is left", "not run"]);
    assert!(!ran.stderr.contains("budget spent"), "{}", ran.stderr);
    assert_eq!(bench.findings(&[])["features"][0]["max"].as_f64().map(|max| max < 10_000.0), Some(true));
}

#[test]
fn what_cannot_be_extended_says_what_would_help() {
    let bench = Bench::with_loop();
    for (name, length) in [("a", 1), ("b", 200)] {
        bench.write(format!("{name}.in"), "x".repeat(length));
    }
    bench.configure(
        "[program]\ncommand = ['sh', '-c', './program $(wc -c < {input})']\n[workloads]\nfiles = '*.in'\n",
    );
    let refused = bench.run(["run", "--until-decided"]);
    refused.refuses(&["no numeric parameter", "add input files"]);
    bench.run(["run"]).succeeds();
    bench.run(["run", "--until-decided"]).refuses(&["try: also run bytes = "]);
    bench.run(["run", "--budget", "1m"]).refuses(&["--until-decided"]);
    bench.run(["run", "--until-decided", "--budget", "fast"]).refuses(&["--budget"]);
    let words = ["run", "--until-decided", "--param", "mode=fast,slow", "--", "./program", "{mode}"];
    bench.run(words).refuses(&["no numeric parameter", "sweep over a size"]);
}

#[test]
fn a_check_runs_the_sizes_that_decide_it() {
    let bench = Bench::with_sizes("[1000, 2000]");
    let config = bench.read("trend-prof.toml");
    let expecting = |growth: &str| {
        bench.configure(&format!("{config}[[expect]]\nprogram = true\ngrowth = \"{growth}\"\n"));
    };
    expecting("<= n");
    bench.run(["check", "--until-decided"]).refuses(&["no study"]);
    bench.run(["run"]).succeeds();
    bench.run(["check"]).ends_with(3).shows(&["undecided the whole program", "run n = "]);
    let ran = bench.run(["check", "--until-decided"]).succeeds();
    let ran = ran.says(&["round 2: n = ", "for the whole program", "every expectation is decided"]);
    ran.shows(&["the only expectation holds"]);
    // The added sizes are part of the study now, so nothing is left to run.
    bench.run(["check"]).succeeds();
    let again = bench.run(["check", "--until-decided"]).succeeds();
    assert!(!again.stderr.contains("round"), "{}", again.stderr);
    expecting("<= log n");
    bench.run(["check", "--until-decided"]).ends_with(1).shows(&["broken the whole program grows as n"]);
}

#[test]
fn a_check_that_can_run_nothing_says_why() {
    let bench = Bench::with_sizes("[1000, 2000]");
    bench.run(["run"]).succeeds();
    bench.replace("trend-prof.toml", "n = [1000, 2000]", "mode = ['fast', 'slow']");
    bench.replace("trend-prof.toml", "{n}", "{mode}");
    let config = bench.read("trend-prof.toml");
    bench.configure(&format!("{config}[[expect]]\nprogram = true\ngrowth = \"<= n\"\nfeature = \"n\"\n"));
    bench.run(["check", "--until-decided"]).refuses(&["no numeric parameter"]);
    bench.run(["check", "--budget", "1m"]).refuses(&["--until-decided"]);
}
