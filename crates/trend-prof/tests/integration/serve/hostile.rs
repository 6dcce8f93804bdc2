//! Requests that the real page never sends.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::serve::client::{Reply, Server, squares};

#[test]
fn a_foreign_host_is_refused() {
    let server = Server::start(&squares(), &[]);
    let port = server.port;
    for target in ["/", "/api/data", "/api/revision", "/api/source?file=a.c", "/nothing"] {
        let foreign = [
            "evil.example".to_owned(),
            format!("evil.example:{port}"),
            format!("127.0.0.1.evil.example:{port}"),
            format!("localhost.:{port}"),
            "127.0.0.1".to_owned(),
            format!("127.0.0.1:{}", port ^ 1),
            format!("127.0.0.1:0{port}"),
            format!("0.0.0.0:{port}"),
            format!("[::1]:{port}"),
            format!("127.1:{port}"),
            format!("LOCALHOST:{port}"),
            format!("user@localhost:{port}"),
            String::new(),
        ];
        for host in foreign {
            let reply = server.ask_as(&host, "GET", target, &[], "");
            assert_eq!(reply.status, 403, "{host} {target}");
            assert!(!reply.text().contains("trend-prof/page"));
        }
    }
    assert_eq!(server.ask_as(&format!("localhost:{port}"), "GET", "/", &[], "").status, 200);
    let statuses = [
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), 403),
        (
            format!(
                "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
            ),
            403,
        ),
        (
            format!(
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            ),
            400,
        ),
    ];
    for (request, status) in statuses {
        assert_eq!(Reply::parse(&server.raw(request.as_bytes())).status, status, "{request}");
    }
}

#[test]
fn pages_from_elsewhere_get_no_answers() {
    let server = Server::start(&squares(), &[]);
    let (secure, other_name) =
        (format!("https://{}", server.host()), format!("http://localhost:{}", server.port));
    let foreign = [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://localhost"),
        ("Origin", &secure),
        ("Origin", &other_name),
        ("Sec-Fetch-Site", "anything"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ];
    for header in foreign {
        for target in ["/api/data", "/api/revision", "/api/predict?feature=n&at=1e6", "/api/source?file=a.c"]
        {
            assert_eq!(server.ask("GET", target, &[header], "").status, 403, "{header:?} {target}");
        }
    }
    // A link from another site may lead to the page.
    assert_eq!(server.ask("GET", "/", &[("Sec-Fetch-Site", "cross-site")], "").status, 200);
    let reply = server.ask("GET", "/api/data", &[("Sec-Fetch-Site", "same-origin")], "");
    assert!(reply.status == 200 && reply.header("access-control-allow-origin").is_empty());
}

#[test]
fn methods_and_paths_that_are_not_known_are_refused() {
    let server = Server::start(&squares(), &[]);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "X", "get"] {
        for target in ["/", "/api/data", "/api/revision"] {
            let reply = server.ask(method, target, &[], "");
            assert_eq!((reply.status, reply.header("allow")), (405, "GET, HEAD"), "{method} {target}");
        }
        assert_eq!(server.ask(method, "/nothing", &[], "").status, 404);
    }
    assert_eq!(server.ask("CONNECT", "127.0.0.1:1", &[], "").status, 403);
    let paths = [
        "/api",
        "/api/",
        "/api/data/",
        "/API/DATA",
        "//",
        "/.",
        "/..",
        "/../../etc/passwd",
        "/%2e%2e/etc/passwd",
        "/index.html",
        "/%2fapi/data",
        "/api%2fdata",
        "/%61pi/data",
        "/api/data;x",
        "/api/data%00",
        "/study.trend",
        "/favicon.ico",
    ];
    for path in paths {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.ask("OPTIONS", "*", &[], "").status, 404);
}

#[test]
fn garbage_and_excess_are_answered_or_hung_up_on_and_the_server_goes_on() {
    let server = Server::start(&squares(), &[]);
    let host = server.host();
    let head = |rest: &str| format!("GET / HTTP/1.1\r\nHost: {host}\r\n{rest}\r\n").into_bytes();
    let many = "X: y\r\n".repeat(500);
    let excess = [
        head(&format!("X: {}\r\n", "y".repeat(1 << 20))),
        head(&many),
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "y".repeat(1 << 20)).into_bytes(),
        format!("{} / HTTP/1.1\r\nHost: {host}\r\n\r\n", "Y".repeat(1 << 20)).into_bytes(),
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "y".repeat(70_000)).into_bytes(),
    ];
    for request in &excess {
        // The response can be lost if the server closes a connection with unread bytes.
        let reply = server.raw(request);
        if !reply.is_empty() {
            let status = Reply::parse(&reply).status;
            assert!(matches!(status, 400 | 414 | 431), "{status}");
        }
    }
    let mut noise = 1_u64;
    let mut random = || {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (noise >> 56) as u8
    };
    let mut garbage: Vec<Vec<u8>> = (0..200).map(|i| (0..i * 7).map(|_| random()).collect()).collect();
    garbage.extend([
        b"\0\0\0\0".to_vec(),
        b"\r\n\r\n\r\n".to_vec(),
        b"GET".to_vec(),
        b"GET /\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        head("Content-Length: x\r\n"),
        head("Content-Length: 5\r\nContent-Length: 6\r\n"),
        head("Content-Length: 99999999999999999999\r\n"),
        head("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
        head("Bad Header: x\r\n"),
        head("X: a\r\n folded\r\n"),
        head("X: \0\r\n"),
    ]);
    for request in &garbage {
        let reply = server.raw(request);
        // Some of these bytes form a valid request, which gets a response.
        assert!(reply.is_empty() || reply.starts_with(b"HTTP/1."), "{:?}", String::from_utf8_lossy(request));
    }
    // A request inside the body of another one must not be processed.
    let smuggled = format!(
        "POST /api/data HTTP/1.1\r\nHost: {host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/data HTTP/1.1\r\nHost: evil.example\r\n\r\n"
    );
    assert!(!String::from_utf8_lossy(&server.raw(smuggled.as_bytes())).contains("200 OK"));
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn who_dawdles_is_hung_up_on_and_keeps_nobody_waiting() {
    let server = Server::start(&squares(), &[]);
    server.json("/api/data");
    // Open more connections than the server has slots, some silent and some in the middle of a request.
    let mut slow: Vec<_> = (0..100).map(|_| server.connect()).collect();
    for stream in slow.iter_mut().step_by(2) {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    }
    let begin = Instant::now();
    assert_eq!(server.get("/").status, 200);
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
    for mut stream in slow {
        let mut reply = Vec::new();
        // The server either answers, for example with 408, or just closes the connection.
        let _ = stream.read_to_end(&mut reply);
        assert!(
            reply.is_empty() || reply.starts_with(b"HTTP/1.1 408"),
            "{}",
            String::from_utf8_lossy(&reply)
        );
    }
}

/// Time limit for a response that does not wait for other clients, even on a busy machine. A response that waits for
/// one takes five seconds.
const SOON: Duration = Duration::from_secs(4);

#[test]
fn hundreds_who_say_nothing_or_a_byte_a_second_keep_nobody_waiting() {
    let server = Server::start(&squares(), &["--editor", "touch"]);
    let (host, port) = (server.host(), server.port);
    server.json("/api/data");
    let silent: Vec<_> = (0..200).map(|_| server.connect()).collect();
    let is_over = Arc::new(AtomicBool::new(false));
    let dawdle = {
        let is_over = Arc::clone(&is_over);
        // Slow heads, slow bodies, and responses that are never read. Disconnected clients connect again.
        let requests = [
            format!("GET /api/data HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "y".repeat(500)),
            format!(
                "POST /api/open HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: \
                 application/json\r\nContent-Length: 500\r\n\r\n{}",
                " ".repeat(499)
            ),
        ];
        thread::spawn(move || {
            let connect = || TcpStream::connect(("127.0.0.1", port)).unwrap();
            let mut slow: Vec<(TcpStream, usize)> = (0..200).map(|_| (connect(), 0)).collect();
            while !is_over.load(Ordering::Relaxed) {
                for (index, (stream, sent)) in slow.iter_mut().enumerate() {
                    let request = requests[index % 2].as_bytes();
                    // Send the head of a request with a body at once.
                    let piece = if index % 2 == 1 && *sent == 0 { 150 } else { 1 };
                    let end = (*sent + piece).min(request.len());
                    if stream.write_all(&request[*sent..end]).is_err() || end == request.len() {
                        (*stream, *sent) = (connect(), 0);
                    } else {
                        *sent = end;
                    }
                }
                thread::sleep(Duration::from_millis(200));
            }
        })
    };
    let worst = (0..30)
        .map(|_| {
            thread::sleep(Duration::from_millis(50));
            let begin = Instant::now();
            // A new connection can be dropped if a hundred others arrive at once. A browser tries again.
            let status = (0..5).find_map(|_| server.try_get("/api/revision").ok()).map(|reply| reply.status);
            assert_eq!(status, Some(200));
            begin.elapsed()
        })
        .max();
    is_over.store(true, Ordering::Relaxed);
    dawdle.join().unwrap();
    drop(silent);
    assert!(worst < Some(SOON), "{worst:?}");
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for_long() {
    let server = Server::start(&squares(), &["--editor", "touch"]);
    let host = server.host();
    let mut stream = server.connect();
    let request = format!(
        "POST /api/open HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).unwrap();
    assert_eq!(Reply::parse(&reply).status, 408);
}

#[test]
fn connections_are_used_again() {
    let server = Server::start(&squares(), &[]);
    server.json("/api/data");
    let mut stream = server.connect();
    let host = server.host();
    for _ in 0..3 {
        let request = format!("GET /api/revision HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        while !reply.ends_with(b"}") {
            let mut some = [0; 1000];
            let read = stream.read(&mut some).unwrap();
            assert!(read > 0, "hung up");
            reply.extend_from_slice(&some[..read]);
        }
        assert_eq!(Reply::parse(&reply).json()["state"], "ready");
    }
}
