//! Connections: how long they may take, and how much they may send.

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

/// Connections at a time. A browser opens six for a page.
const MOST: usize = 64;

/// How long a request's head may take to arrive, and a connection may lie idle.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);

/// Bytes of a request's head. Nothing that is asked here comes near it; longer ones are answered with 431.
const LONGEST_HEAD: usize = 16 << 10;

/// Lines of a request's head.
const MOST_HEADERS: usize = 64;

/// How long a connection is used; whoever has more to ask opens another.
const LIFETIME: Duration = Duration::from_mins(2);

/// How long the last answer of a connection may take: longer than the longest wait for another revision.
const LAST_ANSWER: Duration = Duration::from_secs(40);

/// The rest after a connection could not be accepted, such as for want of file descriptors.
const REST: Duration = Duration::from_millis(50);

/// Answers everybody, for ever. Where too many are connected the oldest connection ends, so that nobody who asks something
/// waits for those who do not: a question is answered long before as many others have come.
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
    // Answers are written whole: there is nothing to gather.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(routes::answer(site, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // Who has asked everything may say so and wait for the answer.
        .half_close(true)
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // What went wrong with a connection concerns the other end alone, and that has been answered where it could be.
    if tokio::time::timeout(LIFETIME, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(LAST_ANSWER, connection).await;
    }
}
