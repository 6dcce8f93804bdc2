//! Serving a study while it is being filled.

use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::serve::client::{Import as _, Server, counts, squares};

/// Waits for a newer revision, as the page does.
fn next(server: &Server, since: &str) -> (String, Duration) {
    let begin = Instant::now();
    loop {
        let now = server.json(&format!("/api/revision?since={since}"));
        if now["revision"] != since {
            return (now["revision"].as_str().unwrap().to_owned(), begin.elapsed());
        }
        assert!(begin.elapsed() < Duration::from_mins(1), "no other revision");
    }
}

#[test]
fn what_another_process_records_is_served_without_asking_twice() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    let before = server.json("/api/data");
    assert_eq!(before["findings"]["workloads"]["count"], 8);
    let revision = before["revision"].as_str().unwrap();

    bench.write("counts.csv", counts(&[25600, 51200]));
    let (mut after, took) = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| next(&server, revision));
        std::thread::sleep(Duration::from_millis(300));
        bench.import();
        waiting.join().unwrap()
    });
    assert!(took >= Duration::from_millis(300), "answered before anything changed");
    // An import writes in several steps, so a partial state may be visible. Another server of the same study must
    // report the same revision.
    let whole = Server::start(&bench, &[]).json("/api/data")["revision"].as_str().unwrap().to_owned();
    while after != whole {
        (after, _) = next(&server, &after);
    }
    let data = server.json("/api/data");
    assert_eq!(data["findings"]["workloads"]["count"], 10);
    assert_eq!(data["revision"], whole);
    assert!(data["feature_values"][0].as_array().unwrap().contains(&51200.0.into()));
    assert_eq!(server.json("/api/points?location=a.c:1:main")["costs"].as_array().unwrap().len(), 10);
    assert_eq!(server.json("/api/predict?feature=n&at=1e9")["revision"], whole);

    // Reading the study does not change its revision.
    bench.run(["show"]).succeeds();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.revision(), whole);
}

#[test]
fn a_study_that_fills_is_watched_from_its_beginning() {
    let bench = Bench::with_sizes("[50000000, 60000000, 70000000, 80000000, 90000000, 100000000]");
    // Create the study before its first successful run.
    bench.shell(
        "sed 's/50000000/1/' trend-prof.toml > other.toml && sed -i 's/.\\/program/false/' other.toml",
    );
    let failed = bench.run(["-q", "run", "--config", "other.toml", "--study", "study.trend"]);
    assert_ne!(failed.code, 0);
    assert!(bench.path("study.trend").exists(), "{}", failed.stderr);

    let server = Server::start(&bench, &[]);
    let (revision, _) = next(&server, "analysing");
    let state = server.json("/api/revision");
    assert_eq!(state["state"], "waiting");
    assert!(state["message"].as_str().unwrap().contains("No workload"), "{state}");
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(
        page.text().contains("No workload") && page.text().contains(&format!("data-revision=\"{revision}\""))
    );
    assert!(page.header("content-security-policy").contains("connect-src 'self'"));
    let data = server.get("/api/data");
    assert_eq!((data.status, data.header("retry-after")), (503, "1"));

    let run = bench.command(["-q", "run", "-j1", "--study", "study.trend"]).spawn().unwrap();
    let mut revision = revision;
    let mut seen = Vec::new();
    while seen.last() != Some(&6) {
        (revision, _) = next(&server, &revision);
        if server.json("/api/revision")["state"] == "ready" {
            seen.push(server.json("/api/data")["findings"]["workloads"]["count"].as_u64().unwrap());
        }
    }
    assert!(run.wait_with_output().unwrap().status.success());
    assert!(seen.is_sorted() && seen.len() >= 2, "{seen:?}");
    assert!(
        server.get("/").text().contains("trend-prof/page/4")
            || server.get("/").text().contains("id=\"data\"")
    );
    // The server keeps no file of the study open, so only one file remains after the run.
    std::thread::sleep(Duration::from_millis(500));
    assert!(!bench.path("study.trend-wal").exists() && !bench.path("study.trend-shm").exists());
}

#[test]
fn a_study_that_goes_away_is_shown_as_it_was_until_it_comes_back() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    let before = server.json("/api/data");
    bench.shell("mv study.trend away && echo damaged > study.trend");
    let begin = Instant::now();
    while server.json("/api/revision")["message"].is_null() {
        assert!(begin.elapsed() < Duration::from_secs(20), "nothing is said");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.json("/api/data"), before);
    bench.shell("rm study.trend");
    bench.write("counts.csv", counts(&[10, 20, 30]));
    bench.import();
    next(&server, before["revision"].as_str().unwrap());
    let state = server.json("/api/revision");
    assert_eq!((state["state"].as_str(), state["message"].is_null()), (Some("ready"), true));
    assert_eq!(server.json("/api/data")["findings"]["workloads"]["count"], 3);
}
