//! Decides who may send requests: only pages of this server, and people who type its address.
//!
//! Anything on this machine can reach loopback, including a browser that shows a foreign page. Such a page can send
//! requests here, and can make its own host name resolve to this address (DNS rebinding). The browser then reveals it
//! in `Host`, `Origin` and `Sec-Fetch-Site`, which no page can change.

use hyper::header::{self, HeaderName};
use hyper::{HeaderMap, Request};

use crate::answer::Refusal;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Host names that this server answers to.
#[derive(Debug)]
pub(crate) struct Gate {
    hosts: [String; 2],
}

/// Purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The page itself, which links from anywhere may open.
    Page,
    /// Data that a page of this server reads.
    Reading,
    /// An action with an effect.
    Effect,
}

impl Gate {
    pub(crate) fn new(port: u16) -> Self {
        Self { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] }
    }

    /// Returns a refusal if the request is not permitted for this purpose.
    pub(crate) fn check<B>(&self, request: &Request<B>, purpose: Purpose) -> Result<(), Refusal> {
        let headers = request.headers();
        let host = only(headers, &header::HOST)?.filter(|host| self.is_own(host));
        let Some(host) = host else { return Err(self.foreign("Host")) };
        // `GET http://elsewhere/ HTTP/1.1` is meant for another host, even if its `Host` header is ours.
        if request.uri().authority().is_some_and(|a| a.as_str() != host) {
            return Err(self.foreign("address"));
        }
        match only(headers, &header::ORIGIN)? {
            Some(origin) if origin.strip_prefix("http://") != Some(host) => {
                return Err(self.foreign("Origin"));
            }
            None if purpose == Purpose::Effect => return Err(self.foreign("Origin")),
            _ => {}
        }
        let site = only(headers, &SEC_FETCH_SITE)?;
        if purpose != Purpose::Page && site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(Refusal::forbidden("only this server's own page may request this"));
        }
        Ok(())
    }

    fn is_own(&self, host: &str) -> bool {
        // Browsers omit the default port.
        self.hosts.iter().any(|own| own == host || own.strip_suffix(":80") == Some(host))
    }

    fn foreign(&self, what: &str) -> Refusal {
        let [address, name] = &self.hosts;
        Refusal::forbidden(format!(
            "this server accepts only {address} and {name}, but the {what} is another"
        ))
    }
}

/// Returns the value of a header that may occur at most once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(Refusal::bad_request(format!("the header {name} occurs twice")));
    }
    let as_text = |value: &'h hyper::header::HeaderValue| {
        value.to_str().map_err(|_| Refusal::bad_request(format!("the header {name} is not text")))
    };
    value.map(as_text).transpose()
}
