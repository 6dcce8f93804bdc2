//! The messages between the tool and a supervisor. On their socket, each message is preceded by its length in four
//! bytes (little-endian), and is encoded by postcard.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Maximum length of a message in bytes. The kernel limits a program's arguments and variables to some MiB.
const LONGEST_MESSAGE: usize = 64 << 20;

/// A message from the tool to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// Run this job, and answer when none of its processes are left.
    Run(Box<Job>),
    /// End the current run. The answer is sent as if the run had ended by itself. Without a run, this has no effect.
    Stop,
}

/// A program with everything that it is given. Paths are absolute unless stated otherwise.
///
/// Paths are `OsString`s here, because serde only accepts a `Path` in UTF-8.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Path of the file, or a name to search on PATH.
    pub(crate) program: OsString,
    /// The program's `argv[0]`.
    pub(crate) name: OsString,
    pub(crate) arguments: Vec<OsString>,
    /// Changes of the environment: a value to set, or `None` to remove the variable.
    pub(crate) variables: Vec<(OsString, Option<OsString>)>,
    pub(crate) cwd: OsString,
    /// If `None`, the input is empty.
    pub(crate) stdin: Option<OsString>,
    /// If `None`, the output is discarded.
    pub(crate) stdout: Option<Output>,
    pub(crate) stderr: Option<Output>,
    pub(crate) limits: Limits,
    /// If set, the run is sampled.
    pub(crate) sampling: Option<Sampling>,
}

impl Job {
    pub(crate) fn variable(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.variables.push((name.into(), Some(value.into())));
    }

    pub(crate) fn without_variable(&mut self, name: impl Into<OsString>) {
        self.variables.push((name.into(), None));
    }

    /// Returns the last value that the job sets for a variable.
    pub(crate) fn value_of(&self, name: &str) -> Option<&OsString> {
        self.variables.iter().rev().find(|(n, _)| n == name).and_then(|(_, value)| value.as_ref())
    }
}

/// A file for a program's output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Output {
    /// Path below the scratch folder.
    pub(crate) path: OsString,
    /// Number of bytes at the end that stay on disk, however much the program writes; `None` for all.
    pub(crate) keep: Option<u64>,
}

/// Options for sampling a run's processes in user mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// Path of the file for the kernel's records, below the scratch folder.
    pub(crate) path: OsString,
    /// CPU time between two samples.
    pub(crate) period: Duration,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory_bytes: Option<u64>,
    /// Time after which the program is asked to end, which is not a failure.
    pub(crate) stop_after: Option<Duration>,
    /// True if the stack may be larger than without instrumentation, whose frames are larger.
    pub(crate) needs_larger_stack: bool,
}

/// A part of a run that can fail to be opened or started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    Program,
    Stdin,
    Stdout,
    Stderr,
}

/// The way in which a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Exited(i32),
    Signaled(i32),
    TimedOut,
    Cancelled,
    /// It was asked to end after [`Limits::stop_after`], and did.
    Stopped,
    /// It was asked to end, but kept running.
    Ignored,
    /// It wrote more to `part` than is kept, and the file system cannot free the beginning of a file.
    Flooded {
        part: Part,
        errno: i32,
    },
    /// Processes such as this one remain and cannot be ended.
    Unending {
        process: i32,
    },
}

/// The end of a program, and the resources that it used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) wall: Duration,
    /// CPU time of the program and of all processes that it left.
    pub(crate) user: Duration,
    pub(crate) system: Duration,
    /// Peak of the largest process.
    pub(crate) peak_rss_bytes: u64,
    /// Largest address space observed. Checked only under a limit, and only at intervals.
    pub(crate) peak_address_bytes: u64,
    /// True if processes outlived the program and had to be killed.
    pub(crate) has_left_processes: bool,
    /// The error number if samples were wanted, but are missing or incomplete.
    pub(crate) not_sampled: Option<i32>,
}

/// A message from the supervisor to the tool: the end of the run, or the part that could not be opened or started, with
/// the error number.
pub(crate) type Answer = Result<Ended, (Part, i32)>;

/// Writes a message to the socket, preceded by its length.
pub(crate) fn send<T: Serialize>(mut socket: &UnixStream, message: &T) -> io::Result<()> {
    let mut bytes = vec![0; 4];
    bytes = postcard::to_extend(message, bytes).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len() - 4).map_err(io::Error::other)?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    socket.write_all(&bytes)
}

/// Reads the next message from the socket, and waits for it if necessary.
///
/// # Errors
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the other side is gone.
pub(crate) fn receive<T: DeserializeOwned>(mut socket: &UnixStream) -> io::Result<T> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_MESSAGE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a message of {length} bytes")));
    }
    let mut bytes = vec![0; length];
    socket.read_exact(&mut bytes)?;
    postcard::from_bytes(&bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn orders_arrive_as_they_were_sent_whatever_bytes_their_words_have() {
        let (here, there) = UnixStream::pair().unwrap();
        let word = OsString::from_vec(b"\xff\n\0x".to_vec());
        let mut job = Job { program: word.clone(), arguments: vec![word.clone(); 3], ..Job::default() };
        job.variable("A", &word);
        job.without_variable("B");
        send(&here, &Order::Run(Box::new(job))).unwrap();
        send(&here, &Order::Stop).unwrap();
        let Order::Run(job) = receive(&there).unwrap() else { panic!("not the job") };
        assert_eq!((job.program, job.arguments), (word.clone(), vec![word.clone(); 3]));
        assert_eq!(job.variables, [("A".into(), Some(word)), ("B".into(), None)]);
        assert!(matches!(receive(&there).unwrap(), Order::Stop));
        drop(here);
        assert_eq!(receive::<Order>(&there).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_length_is_not_believed() {
        let (mut here, there) = UnixStream::pair().unwrap();
        here.write_all(&[0xff; 8]).unwrap();
        assert_eq!(receive::<Order>(&there).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
