//! Where the server listens: on loopback alone.

use std::io;
use std::net::{Ipv4Addr, TcpListener};

use crate::failure::Failure;

/// Where it is looked for first.
const FIRST_PORT: u16 = 7357;

/// How many ports after the first are tried before the system chooses one.
const FURTHER_PORTS: u16 = 20;

/// Listens on the port that was asked for, or else on the first that is free.
pub(super) fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let listener = match port {
        Some(port) => on(port).map_err(|e| refused(port, &e))?,
        None => (FIRST_PORT..=FIRST_PORT + FURTHER_PORTS)
            .find_map(|port| on(port).ok())
            .map_or_else(|| on(0), Ok)
            .map_err(|e| Failure::from_error("failed to listen on 127.0.0.1", &e))?,
    };
    listener.set_nonblocking(true).map_err(|e| Failure::from_error("failed to listen", &e))?;
    Ok(listener)
}

fn on(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

fn refused(port: u16, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "leave --port out, and the next free one is taken; or stop the server that listens there"
        }
        io::ErrorKind::PermissionDenied => "ports below 1024 are reserved: name another, or none",
        _ => "name another with --port, or none",
    };
    Failure::from_error(format!("failed to listen on 127.0.0.1:{port}"), error).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_refused_when_named_and_passed_over_when_not() {
        let taken = on(0).unwrap();
        let port = taken.local_addr().unwrap().port();
        let failure = format!("{:?}", listen(Some(port)).unwrap_err());
        assert!(
            failure.contains(&format!("127.0.0.1:{port}")) && failure.contains("leave --port out"),
            "{failure}"
        );
        // Whether or not others hold the usual ports, two servers find two.
        let (one, other) = (listen(None).unwrap(), listen(None).unwrap());
        assert_ne!(one.local_addr().unwrap(), other.local_addr().unwrap());
        assert!(one.local_addr().unwrap().ip().is_loopback());
    }
}
