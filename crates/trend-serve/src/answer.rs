//! Builds answers: bodies with the headers that every answer has, and refusals.

use std::fmt::Display;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;

/// An answer whose body is in memory.
pub(crate) type Answer = Response<Full<Bytes>>;

/// Policy of all answers except pages: they may load nothing, run nothing, and not be framed.
const NOTHING_ALLOWED: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// Headers of every answer. They disable MIME sniffing, referrers, caching, and access from other origins.
const ALWAYS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// Returns an answer with this content type, under a policy that allows nothing.
pub(crate) fn body(content_type: &'static str, bytes: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(bytes.into()));
    let headers = answer.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(NOTHING_ALLOWED));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}

/// Returns a page under its own policy.
pub(crate) fn page(bytes: impl Into<Bytes>, policy: &str) -> Answer {
    let mut answer = body("text/html; charset=utf-8", bytes);
    // Only a bug can make the policy an invalid header value; then the strict policy stays.
    if let Ok(policy) = HeaderValue::from_str(&format!("{policy}; frame-ancestors 'none'")) {
        answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

/// Returns a JSON document as an answer.
pub(crate) fn json(bytes: impl Into<Bytes>) -> Answer {
    body("application/json", bytes)
}

/// Returns a small JSON value as an answer.
pub(crate) fn value(value: &Value) -> Answer {
    json(value.to_string())
}

/// Reason for refusing a request: a sentence for people, and a status for programs.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Display) -> Self {
        Self { status, message: message.to_string(), header: None }
    }

    /// 400 Bad Request: the request cannot be parsed.
    pub(crate) fn bad_request(message: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 404 Not Found: the requested item does not exist.
    pub(crate) fn not_found(message: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 403 Forbidden: the sender may not make this request.
    pub(crate) fn forbidden(message: impl Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// 503 Service Unavailable: the client may retry in a second.
    pub(crate) fn not_now(message: impl Display) -> Self {
        Self {
            header: Some((header::RETRY_AFTER, "1")),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
        }
    }

    /// 405 Method Not Allowed: the path supports other methods.
    pub(crate) fn method(allowed: &'static str) -> Self {
        let message = format!("method not allowed; use {allowed}");
        Self { header: Some((header::ALLOW, allowed)), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, message) }
    }

    /// 500 Internal Server Error: a bug in the server.
    pub(crate) fn internal(message: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        let mut answer = body("text/plain; charset=utf-8", refusal.message);
        *answer.status_mut() = refusal.status;
        if let Some((name, text)) = refusal.header {
            answer.headers_mut().insert(name, HeaderValue::from_static(text));
        }
        answer
    }
}
