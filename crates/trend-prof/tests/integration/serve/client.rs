//! A server for the duration of a test, and a client that sends arbitrary bytes.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::bench::Bench;

/// Time limit that no step reaches unless the test fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running server.
pub(super) struct Server {
    child: Child,
    pub(super) port: u16,
}

/// The server's response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    /// Headers, with names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Server {
    /// Starts a server in the bench's folder on a free port.
    pub(super) fn start(bench: &Bench, arguments: &[&str]) -> Self {
        Self::spawn(bench.interruptible(["-q", "serve", "--port", "0"].iter().chain(arguments)))
    }

    /// Starts a server with a command that must print its address.
    pub(super) fn spawn(mut command: std::process::Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim_end().strip_prefix("http://127.0.0.1:").and_then(|l| l.strip_suffix('/'));
        let port = port.unwrap_or_else(|| panic!("no address: {line:?}")).parse().unwrap();
        Self { child, port }
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the server to end, and returns its exit code.
    pub(super) fn exit_code(&mut self) -> Option<i32> {
        let begin = std::time::Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(begin.elapsed() < PATIENCE, "the server goes on");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes and returns the response, which may be empty.
    pub(super) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may close the connection before all bytes are sent.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        reply
    }

    /// Sends a request on a new connection, with a correct `Host`.
    #[track_caller]
    pub(super) fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let host = self.host();
        self.ask_as(&host, method, target, headers, body)
    }

    #[track_caller]
    pub(super) fn ask_as(
        &self,
        host: &str,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let mut request = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        if !body.is_empty() {
            request.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
        }
        request += "\r\n";
        request += body;
        self.reply_to(&request).unwrap()
    }

    /// Sends a complete request on a new connection and returns the response.
    fn reply_to(&self, request: &str) -> std::io::Result<Reply> {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes())?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply)?;
        Ok(Reply::parse(&reply))
    }

    /// Like [`Self::get`], but allows the server to close the connection.
    pub(super) fn try_get(&self, target: &str) -> std::io::Result<Reply> {
        let host = self.host();
        self.reply_to(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }

    #[track_caller]
    pub(super) fn get(&self, target: &str) -> Reply {
        self.ask("GET", target, &[], "")
    }

    /// Returns the JSON of an API request, which must succeed.
    #[track_caller]
    pub(super) fn json(&self, target: &str) -> Value {
        let reply = self.get(target);
        assert_eq!(reply.status, 200, "{target}: {}", reply.text());
        reply.json()
    }

    pub(super) fn revision(&self) -> String {
        self.json("/api/revision")["revision"].as_str().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    #[track_caller]
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let shown = String::from_utf8_lossy(bytes).into_owned();
        let end =
            bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or_else(|| panic!("no head: {shown:?}"));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().strip_prefix("HTTP/1.1 ").unwrap()[..3].parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        Self { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() }
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// Imports a quadratic and a linear function into `study.trend`.
pub(super) fn squares() -> Bench {
    let bench = Bench::new();
    bench.write("counts.csv", counts(&[100, 200, 400, 800, 1600, 3200, 6400, 12800]));
    bench.import();
    bench
}

/// Returns a table of counts for these sizes. The second line has two blocks.
pub(super) fn counts(sizes: &[u64]) -> String {
    let row = |n: &u64| format!("w{n:07},{n},1,{},{},{}", n * n, 3 * n, u64::MAX / 1000 + n * n);
    let header = "workload,n,a.c:1:main,a.c:2:main,a.c:2:inner,b.c:7:inner".to_owned();
    [header].into_iter().chain(sizes.iter().map(row)).collect::<Vec<_>>().join("\n")
}

pub(super) trait Import {
    /// Adds the content of `counts.csv` to `study.trend`.
    fn import(&self);
}

impl Import for Bench {
    fn import(&self) {
        let import = ["import", "csv", "counts.csv", "--features", "n", "--study", "study.trend"];
        self.run(import).succeeds();
    }
}
