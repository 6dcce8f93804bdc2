//! Opens the port on which the server listens, on loopback only.

use std::io;
use std::net::{Ipv4Addr, TcpListener};

use crate::ServeError;

/// First port that is tried.
const FIRST_PORT: u16 = 7357;

/// Number of further ports that are tried before the system chooses one.
const FURTHER_PORTS: u16 = 20;

/// Listens on the requested port, or else on the first free one.
pub(crate) fn listen(port: Option<u16>) -> Result<TcpListener, ServeError> {
    let listener = match port {
        Some(port) => on(port).map_err(|source| ServeError::Listen { port, source })?,
        None => (FIRST_PORT..=FIRST_PORT + FURTHER_PORTS)
            .find_map(|port| on(port).ok())
            .map_or_else(|| on(0), Ok)
            .map_err(|source| ServeError::Listen { port: 0, source })?,
    };
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn on(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_refused_when_named_and_passed_over_when_not() {
        let taken = on(0).unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = listen(Some(port)).unwrap_err();
        assert!(error.to_string().starts_with(&format!("listen on 127.0.0.1:{port}: ")), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.starts_with("omit --port")));
        // Even if the default ports are taken, two servers find two ports.
        let (one, other) = (listen(None).unwrap(), listen(None).unwrap());
        assert_ne!(one.local_addr().unwrap(), other.local_addr().unwrap());
        assert!(one.local_addr().unwrap().ip().is_loopback());
    }
}
