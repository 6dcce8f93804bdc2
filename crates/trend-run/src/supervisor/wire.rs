//! What the tool and a supervisor say to each other, and how it goes over their socket: the length of a message in
//! four bytes, the least significant first, and the message as postcard writes it.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Arguments and variables of a program are some MiB at most, as the kernel takes no more.
const LONGEST_MESSAGE: usize = 64 << 20;

/// From the tool to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// Run this, and answer when nothing of it is left.
    Run(Box<Job>),
    /// End what is running. It is answered as if it had ended by itself; without a run it means nothing.
    Stop,
}

/// A program and everything that it is given. Paths are absolute, unless they say otherwise.
///
/// Paths are strings of the system here, as serde takes no other path than one of UTF-8.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The file, or a name that is looked for in PATH.
    pub(crate) program: OsString,
    /// What the program is told that it is called.
    pub(crate) name: OsString,
    pub(crate) arguments: Vec<OsString>,
    /// Changes of the environment: set, or removed.
    pub(crate) variables: Vec<(OsString, Option<OsString>)>,
    pub(crate) cwd: OsString,
    /// Nothing can be read without it.
    pub(crate) stdin: Option<OsString>,
    /// Discarded without it.
    pub(crate) stdout: Option<Output>,
    pub(crate) stderr: Option<Output>,
    pub(crate) limits: Limits,
    /// Takes samples of where it is.
    pub(crate) sampling: Option<Sampling>,
}

impl Job {
    pub(crate) fn variable(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.variables.push((name.into(), Some(value.into())));
    }

    pub(crate) fn without_variable(&mut self, name: impl Into<OsString>) {
        self.variables.push((name.into(), None));
    }

    /// The last value that a variable was given, where it was.
    pub(crate) fn value_of(&self, name: &str) -> Option<&OsString> {
        self.variables.iter().rev().find(|(n, _)| n == name).and_then(|(_, value)| value.as_ref())
    }
}

/// A file for what a program writes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Output {
    /// The file, below the scratch folder.
    pub(crate) path: OsString,
    /// How many bytes at its end stay on the disk whatever the program writes; all without it.
    pub(crate) keep: Option<u64>,
}

/// Samples of where a run's processes are in user mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// The file for the kernel's records, below the scratch folder.
    pub(crate) path: OsString,
    /// Processor time from one sample to the next.
    pub(crate) period: Duration,
}

/// What a run may use.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory_bytes: Option<u64>,
    /// When the program is asked to end, which is no failure.
    pub(crate) stop_after: Option<Duration>,
}

/// What a run was started with or wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    Program,
    Stdin,
    Stdout,
    Stderr,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Exited(i32),
    Signaled(i32),
    TimedOut,
    Cancelled,
    /// It was asked to end after [`Limits::stop_after`].
    Stopped,
    /// It was asked to end, and went on.
    Ignored,
    /// It wrote more than is kept of `part`, and the file system cannot drop the beginning of a file.
    Flooded {
        part: Part,
        errno: i32,
    },
    /// Processes of it are there still and cannot be ended, such as this one.
    Unending {
        process: i32,
    },
}

/// How a program ended and what it used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) wall: Duration,
    /// Of the program and of all processes that it left.
    pub(crate) user: Duration,
    pub(crate) system: Duration,
    /// Of the largest of them.
    pub(crate) peak_rss_bytes: u64,
    /// The largest address space that was seen; looked at only under a limit, and only now and then.
    pub(crate) peak_address_bytes: u64,
    /// Whether processes had to be killed that outlived the program.
    pub(crate) left_processes: bool,
    /// The error for which samples were to be taken and were not, or not all.
    pub(crate) not_sampled: Option<i32>,
}

/// From the supervisor to the tool: how it ended, or what could not be opened or started, and why.
pub(crate) type Answer = Result<Ended, (Part, i32)>;

/// Writes a message.
pub(crate) fn send<T: Serialize>(mut socket: &UnixStream, message: &T) -> io::Result<()> {
    let mut bytes = vec![0; 4];
    bytes = postcard::to_extend(message, bytes).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len() - 4).map_err(io::Error::other)?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    socket.write_all(&bytes)
}

/// Waits for a message.
///
/// # Errors
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) when the other side is gone.
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
