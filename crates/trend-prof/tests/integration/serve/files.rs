//! Source files and the editor: the server gives access only to files that the study names.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use crate::bench::{Bench, LOOP};
use crate::serve::client::{Reply, Server, squares};

/// An editor that records the files that it is asked to open.
const EDITOR: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\" > opened.new\nmv opened.new opened\n";

/// Creates a study whose sources are either stored or only named.
fn studied(stored: bool) -> Bench {
    let bench = Bench::with_sizes("[100, 200, 300]");
    let text = bench.read("main.c");
    if !stored {
        // Sources that are missing during the run are not stored.
        fs::remove_file(bench.path("main.c")).unwrap();
    }
    bench.run(["-q", "run", "--study", "study.trend"]).succeeds();
    bench.write("main.c", &text);
    bench
}

fn source(server: &Server, file: &str) -> Reply {
    server.get(&format!("/api/source?file={file}"))
}

#[test]
fn a_stored_source_is_the_text_that_was_run() {
    let bench = studied(true);
    bench.write("main.c", "changed since\n");
    let server = Server::start(&bench, &[]);
    let reply = source(&server, "main.c");
    assert_eq!((reply.status, reply.text().as_str()), (200, LOOP));
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
}

#[test]
fn a_source_that_is_named_and_not_stored_is_read_from_the_folder_that_the_user_names() {
    let bench = studied(false);
    // Without a folder the file is not served: an attacker who has seen a study can forge one with its identity and
    // folder, but other file names.
    assert_eq!(source(&Server::start(&bench, &[]), "main.c").status, 404);
    let server = Server::start(&bench, &["--source-root", "."]);
    assert_eq!(source(&server, "main.c").text(), LOOP);
    // Other files in the same folder are not named by the study.
    bench.write("secret", "key");
    let folder = bench.folder().display();
    for path in ["secret", "./main.c", "main.c/", "main.c/.", "/main.c", "MAIN.C", "trend-prof.toml", "", "."]
    {
        assert_eq!(source(&server, path).status, 404, "{path}");
    }
    for path in
        ["../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd", "%2fetc%2fpasswd", "main.c%00"]
    {
        assert_eq!(source(&server, path).status, 404, "{path}");
    }
    assert_eq!(source(&server, &format!("{folder}/secret")).status, 404);
    assert_eq!(server.get("/api/source/main.c").status, 404);
    assert_eq!(server.get("/main.c").status, 404);

    // Symbolic links are followed only within the folder.
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("target.c"), "secret").unwrap();
    fs::rename(bench.path("main.c"), bench.path("moved.c")).unwrap();
    symlink("moved.c", bench.path("main.c")).unwrap();
    assert_eq!(source(&server, "main.c").text(), LOOP);
    for target in
        [elsewhere.path().join("target.c"), "/dev/zero".into(), "/etc/passwd".into(), bench.folder().into()]
    {
        fs::remove_file(bench.path("main.c")).unwrap();
        symlink(&target, bench.path("main.c")).unwrap();
        assert_eq!(source(&server, "main.c").status, 404, "{}", target.display());
    }
    // A named pipe does not block the server.
    fs::remove_file(bench.path("main.c")).unwrap();
    bench.shell("mkfifo main.c");
    assert_eq!(source(&server, "main.c").status, 404);
}

#[test]
fn a_study_from_elsewhere_does_not_open_this_machines_files() {
    let bench = Bench::new();
    bench.write(
        "counts.csv",
        "workload,n,etc/passwd:1:main,/etc/passwd:2:main,../x.c:1:f\na,1,10,10,1\nb,2,200,20,2\n",
    );
    bench.run(["import", "csv", "counts.csv", "--features", "n", "--study", "study.trend"]).succeeds();
    let source_study =
        trend_profile::StudyFile::open(&bench.path("study.trend"), trend_profile::Access::Read);
    let named = source_study.unwrap().load().unwrap();
    // A forged study claims that its sources are where this machine has other files.
    for root in ["", "/", "//", "/.", "/tmp/..", "etc", "/etc"] {
        fs::remove_file(bench.path("study.trend")).unwrap();
        let new = trend_profile::NewStudy::new("p", root);
        let mut file = trend_profile::StudyFile::create(&bench.path("study.trend"), &new).unwrap();
        let ids = file.intern(named.functions(), named.locations()).unwrap();
        for workload in named.workloads() {
            let run = trend_profile::Run {
                repetition: 0,
                outcome: trend_profile::Outcome::Finished,
                usage: trend_profile::Usage::default(),
                stderr_tail: String::new(),
            };
            file.record(workload, &run, Some(&vec![10; ids.len()]), &[]).unwrap();
        }
        file.close().unwrap();
        let server = Server::start(&bench, &["--editor", "touch"]);
        for path in ["etc/passwd", "/etc/passwd", "../x.c"] {
            assert_eq!(source(&server, path).status, 404, "{path} under {root:?}");
            assert_eq!(
                open(&server, &format!(r#"{{"file": "{path}"}}"#)).status,
                404,
                "{path} under {root:?}"
            );
        }
        assert_eq!(source(&server, "passwd").status, 404);
    }
    // Only the user can name a folder.
    bench.write("named/etc/passwd", "nobody\n");
    let server = Server::start(&bench, &["--source-root", "named"]);
    assert_eq!(source(&server, "etc/passwd").text(), "nobody\n");
}

fn open(server: &Server, body: &str) -> Reply {
    let origin = format!("http://{}", server.host());
    server.ask("POST", "/api/open", &[("Origin", &origin), ("Content-Type", "application/json")], body)
}

#[test]
fn a_line_is_opened_in_the_editor_that_was_named() {
    let bench = studied(true);
    bench.write("an editor", EDITOR);
    bench.shell("chmod +x 'an editor'");
    let server = Server::start(&bench, &["--editor", "'./an editor' -g {file}:{line}"]);
    let reply = open(&server, r#"{"file": "main.c", "line": 6}"#);
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.json()["line"], 6);
    let begin = Instant::now();
    while !bench.path("opened").exists() && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let file = fs::canonicalize(bench.path("main.c")).unwrap();
    assert_eq!(bench.read("opened"), format!("-g\n{}:6\n", file.display()));
    fs::remove_file(bench.path("opened")).unwrap();

    bench.write("secret", "key");
    for file in ["secret", "../main.c", "/etc/passwd", "-g", "", "main.c\\u0000"] {
        assert_eq!(open(&server, &format!(r#"{{"file": "{file}"}}"#)).status, 404, "{file}");
    }
    for body in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"file": 7}"#,
        r#"{"file": "main.c", "line": -1}"#,
        r#"{"file": "main.c", "at": 1}"#,
    ] {
        assert_eq!(open(&server, body).status, 400, "{body}");
    }
    let long = format!(r#"{{"file": "{}"}}"#, "x".repeat(100_000));
    assert_eq!(open(&server, &long).status, 413);

    // Requests from other sites, from forms, and without an origin.
    let own = format!("http://{}", server.host());
    let body = r#"{"file": "main.c", "line": 6}"#;
    let json = ("Content-Type", "application/json");
    for (headers, status) in [
        (vec![json], 403),
        (vec![json, ("Origin", "http://evil.example")], 403),
        (vec![json, ("Origin", "null")], 403),
        (vec![json, ("Origin", &own), ("Sec-Fetch-Site", "cross-site")], 403),
        (vec![("Origin", &own)], 415),
        (vec![("Origin", &own), ("Content-Type", "text/plain")], 415),
        (vec![("Origin", &own), ("Content-Type", "application/x-www-form-urlencoded")], 415),
    ] {
        assert_eq!(server.ask("POST", "/api/open", &headers, body).status, status, "{headers:?}");
    }
    assert_eq!(server.ask("GET", "/api/open", &[], "").header("allow"), "POST");
    std::thread::sleep(Duration::from_millis(200));
    assert!(!bench.path("opened").exists(), "something was opened");
}

#[test]
fn without_an_editor_the_answer_says_how_to_name_one() {
    let bench = studied(true);
    let body = r#"{"file": "main.c"}"#;
    for server in [Server::start(&bench, &[]), Server::start(&bench, &["--editor", "/nowhere/editor"])] {
        let reply = open(&server, body);
        assert_eq!(reply.status, 409);
        assert!(reply.text().contains("--editor"), "{}", reply.text());
        assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    }
}

#[test]
fn nothing_is_opened_of_an_imported_study() {
    let server = Server::start(&squares(), &["--editor", "touch"]);
    assert_eq!(open(&server, r#"{"file": "a.c"}"#).status, 404);
}
