//! The program: its places, calls and loops as the code states them, and the command that runs it. Begin at `location`.

pub(crate) mod call;
pub(crate) mod command;
pub(crate) mod location;
pub(crate) mod loops_stated;
