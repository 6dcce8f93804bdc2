//! Requests of a well-behaved page.

use crate::serve::client::{Server, squares};

#[test]
fn the_page_is_under_a_policy_that_lets_it_ask_its_server_alone() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    // Until the first analysis is done, the server answers only requests for the page.
    server.json("/api/points?cluster=n");
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';") && policy.contains("connect-src 'self';"), "{policy}");
    // The page runs its own module, and nothing else that is made while it runs.
    let others = policy.replace("'wasm-unsafe-eval'", "");
    assert!(policy.ends_with("; frame-ancestors 'none'") && !others.contains("unsafe"), "{policy}");
    // The page contains the same policy, apart from the directive that works only as a header.
    let meta = policy.strip_suffix("; frame-ancestors 'none'").unwrap().replace('\'', "&#39;");
    let text = page.text().replace('\'', "&#39;");
    assert!(text.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{meta}\"")), "{policy}");
    for (header, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        assert_eq!(page.header(header), value);
        assert_eq!(server.get("/api/revision").header(header), value);
        assert_eq!(server.get("/nothing").header(header), value);
    }
    assert_eq!(server.get("/?anything#here").status, 200);
    // A page in a file may not connect to any server.
    bench.run(["report", "-o", "page.html"]).succeeds();
    assert!(!bench.read("page.html").contains("connect-src"));
}

#[test]
fn the_data_are_those_of_the_study() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    let data = server.json("/api/data");
    assert_eq!(data["schema"], "trend-prof/page/5");
    assert_eq!(data["served"], true);
    assert_eq!(data["study"], "study.trend");
    // The page rounds numbers, but integers are the same.
    let findings = bench.findings(&["study.trend"]);
    for rows in ["clusters", "functions"] {
        assert_eq!(data["tables"][rows]["count"], findings[rows].as_array().unwrap().len());
    }
    for key in ["workloads", "locations", "seed"] {
        assert_eq!(data["findings"][key], findings[key]);
    }
    assert_eq!(data["revision"], server.revision());

    let head = server.ask("HEAD", "/api/data", &[], "");
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn points_are_exact_for_locations_lines_functions_and_clusters() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    let costs = |query: &str| {
        let points = server.json(&format!("/api/points?{query}"));
        let costs = points["costs"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap());
        (points["kind"].as_str().unwrap().to_owned(), costs.collect::<Vec<_>>())
    };
    let sizes: Vec<u64> = (0..8).map(|i| 100 << i).collect();
    let costs_of = |cost: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| cost(n)).collect::<Vec<_>>();
    // Costs above 2^53 must not be rounded to the nearest double.
    let large = |n: u64| u64::MAX / 1000 + n * n;
    assert_eq!(costs("location=b.c:7:inner"), ("location".to_owned(), costs_of(&large)));
    assert_eq!(costs("location=a.c:2:main"), ("location".to_owned(), costs_of(&|n| n * n)));
    assert_eq!(costs("location=a.c%3A2"), ("line".to_owned(), costs_of(&|n| n * n + 3 * n)));
    assert_eq!(costs("location=main&file=a.c"), ("function".to_owned(), costs_of(&|n| n * n + 1)));
    let cluster = bench.findings(&["study.trend"])["clusters"][0].clone();
    let (kind, of_cluster) =
        costs(&format!("cluster={}", cluster["representative"]["name"].as_str().unwrap()));
    assert_eq!((kind.as_str(), of_cluster.iter().max().copied()), ("cluster", cluster["max_cost"].as_u64()));

    for missing in
        ["location=c.c:1", "location=a.c:99", "location=", "cluster=none", "location=main&file=b.c"]
    {
        let reply = server.get(&format!("/api/points?{missing}"));
        assert_eq!(reply.status, 404, "{missing}: {}", reply.text());
        assert!(reply.text().starts_with("no "), "{}", reply.text());
    }
    for wrong in
        ["", "location=a&cluster=b", "location=a&location=b", "place=a", "location=%ff", "location=%"]
    {
        assert_eq!(server.get(&format!("/api/points?{wrong}")).status, 400, "{wrong}");
    }
}

#[test]
fn a_prediction_is_what_the_command_line_says() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    let predicted = server.json("/api/predict?feature=n&at=1MB");
    assert_eq!(predicted["at"], 1e6);
    let prediction = bench.run(["predict", "study.trend", "n=1e6", "--format", "json"]).succeeds().json();
    let point =
        prediction["points"].as_array().unwrap().iter().position(|point| point["asked"] == true).unwrap();
    let same = |answer: &serde_json::Value, row: &serde_json::Value| {
        assert!(row["outlooks"][point]["cost"].is_f64(), "{row}");
        assert_eq!(answer["outlook"], row["outlooks"][point], "{answer}");
    };
    same(&predicted["total"], &prediction["total"]);
    for rows in ["clusters", "functions"] {
        let (answers, prediction) =
            (predicted[rows].as_array().unwrap(), prediction[rows].as_array().unwrap());
        assert_eq!(answers.len(), prediction.len());
        for (answer, row) in answers.iter().zip(prediction) {
            same(answer, row);
            let named = if rows == "clusters" { &row["representative"] } else { row };
            assert_eq!(answer["name"], named["name"]);
        }
    }
    assert_eq!(server.json("/api/predict?feature=n&at=1e6"), predicted);

    assert_eq!(server.get("/api/predict?feature=m&at=1e6").status, 404);
    for at in ["", "0", "-5", "nan", "inf", "1e999", "many", "1XB", "%00"] {
        let reply = server.get(&format!("/api/predict?feature=n&at={at}"));
        assert_eq!(reply.status, 400, "{at}: {}", reply.text());
    }
    // A size near the largest double. The answer must still be valid JSON.
    let far = server.json("/api/predict?feature=n&at=1e300");
    assert_eq!(far["at"], 1e300);
}

#[test]
fn many_sizes_at_once_are_queued_or_put_off_and_the_page_goes_on() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    server.json("/api/data");
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=30)
            .map(|i| {
                let server = &server;
                scope.spawn(move || server.get(&format!("/api/predict?feature=n&at={i}e6")).status)
            })
            .collect();
        assert_eq!(server.get("/").status, 200);
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|status| matches!(status, 200 | 503)), "{statuses:?}");
    assert!(statuses.contains(&200));
    // The queue is empty again.
    assert_eq!(server.get("/api/predict?feature=n&at=77e6").status, 200);
}

#[test]
fn an_interrupt_ends_the_server_at_once() {
    let bench = squares();
    let mut server = Server::start(&bench, &[]);
    let revision = server.revision();
    // One connection waits for a newer revision, and another has sent nothing yet.
    let _silent = server.connect();
    let address = format!("/api/revision?since={revision}");
    let begin = std::time::Instant::now();
    let host = server.host();
    let mut waiting = server.connect();
    std::io::Write::write_all(
        &mut waiting,
        format!("GET {address} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes(),
    )
    .unwrap();
    bench.shell(&format!("kill -INT {}", server.id()));
    assert_eq!(server.exit_code(), Some(0));
    assert!(begin.elapsed().as_secs() < 10);
}

#[test]
fn a_port_that_is_taken_and_a_wrong_study_are_told() {
    let bench = squares();
    let server = Server::start(&bench, &[]);
    let port = server.port.to_string();
    bench.run(["serve", "--port", &port]).refuses(&["127.0.0.1:", &port, "in use"]).hints(&["--port"]);
    bench.run(["serve", "nothing.trend"]).refuses(&["nothing.trend"]).hints(&["trend-prof run"]);
    bench.run(["serve", "--editor", "'"]).refuses(&["--editor"]).hints(&["{file}:{line}"]);
    bench.run(["serve", "--alpha", "7"]).refuses(&["--alpha"]);
    bench.write("broken.trend", "trend-prof study and nothing else");
    bench.run(["serve", "broken.trend"]).refuses(&["broken.trend"]);
}
