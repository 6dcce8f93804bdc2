//! Limits the duration of connections and the amount that they send.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::routes::{self, Site};

/// Maximum number of simultaneous connections. A browser opens six for a page.
const MOST: usize = 64;

/// Time limit for a request's head to arrive, and for a connection to be idle.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);

/// Maximum length of a request's head in bytes. The page's requests are far shorter; longer heads are answered with
/// 431.
const LONGEST_HEAD: usize = 16 << 10;

/// Maximum number of header lines of a request.
const MOST_HEADERS: usize = 64;

/// Time after which a connection is closed; clients can open another.
const LIFETIME: Duration = Duration::from_mins(2);

/// Time limit of a connection's last answer: longer than the longest wait for another revision.
const LAST_ANSWER: Duration = Duration::from_secs(40);

/// Pause after a connection could not be accepted, for example if file descriptors ran out.
const REST: Duration = Duration::from_millis(50);

/// Accepts connections and answers them, without end. If there are too many connections, the oldest is closed, so that
/// idle ones cannot block new requests. A closed long poll is simply repeated.
pub(crate) async fn accept(listener: TcpListener, site: Arc<Site>) {
    let mut connections: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.retain(|connection| !connection.is_finished());
                if connections.len() >= MOST
                    && let Some(oldest) = connections.pop_front()
                {
                    oldest.abort();
                }
                connections.push_back(tokio::spawn(serve(stream, Arc::clone(&site))).abort_handle());
            }
            Err(_) => tokio::time::sleep(REST).await,
        }
    }
}

/// Answers the requests of one connection.
async fn serve(stream: TcpStream, site: Arc<Site>) {
    // Answers are written at once, so buffering small packets has no benefit.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(routes::answer(site, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // A client may close its sending side and wait for the answer.
        .half_close(true)
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // Errors of a connection concern only the client, and were answered if possible.
    if tokio::time::timeout(LIFETIME, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(LAST_ANSWER, connection).await;
    }
}
