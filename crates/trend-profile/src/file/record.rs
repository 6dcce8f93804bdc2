//! What a study says, record by record: each one is a fact that was found or something that was done to the study.
//!
//! A record's payload is this enum in postcard's encoding, and behind it what is too large to be read on the way: counts,
//! and compressed places, texts, series and loops. New kinds go to the end; a change of one that is there is a new version of
//! the format.
//!
//! A run is one record, with everything that it is about but the names of its places: its counts are by the position of
//! each place in the study. It has a number of its own, so that a study takes it once, however often it is given.

use serde::{Deserialize, Serialize};

use crate::{
    Calibration, Definition, LargerRun, MemoryLatency, Outcome, Run, Sampled, Timing, Usage, Warning,
    Workload,
};

/// No fact that is kept in memory is longer; places, texts, series and counts lie behind theirs.
pub(super) const LONGEST: usize = 8 << 20;

/// How many facts of one kind are written into one record, so that it stays below [`LONGEST`].
pub(super) const FACTS_PER_RECORD: usize = 1000;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Record {
    /// The first of every study.
    Program {
        program: String,
        root: String,
        /// What earlier versions wrote to know their own studies again; empty now.
        seal: Vec<u8>,
        written_by: String,
    },
    Command(String),
    Unit(String),
    /// Imported, from a format of this name.
    Origin(String),
    /// Objects of the build: path and stamp.
    Objects(Vec<(String, u32)>),
    /// Functions and locations: the positions of the first of each, and how many.
    Places {
        first: [u32; 2],
        count: [u32; 2],
        bytes: u64,
    },
    Source {
        file: String,
        bytes: u64,
    },
    Warnings(Vec<Warning>),
    /// The features from now on.
    Features(Vec<(String, Definition)>),
    /// One more feature, or another definition of one.
    Feature(String, Definition),
    Values {
        workload: String,
        values: Vec<(String, Option<f64>)>,
    },
    Run(Box<RunRecord>),
    /// Series as studies had them that knew routines alone; read, and not written any more.
    Routines {
        workload: String,
        profiles: u32,
        bytes: u64,
    },
    /// Replaces the series of a workload.
    Series {
        workload: String,
        count: u32,
        bytes: u64,
    },
    /// A run, and the series of its workload: `counts` bytes of counts and then the series lie behind.
    RunWithSeries {
        run: Box<RunRecord>,
        counts: u64,
        count: u32,
        bytes: u64,
    },
    /// Replaces the loops of a workload.
    Loops {
        workload: String,
        count: u32,
        bytes: u64,
    },
    /// A run, and the series and loops of its workload: `counts` bytes of counts, then the series and then the loops lie
    /// behind.
    RunWithLoops {
        run: Box<RunRecord>,
        counts: u64,
        series: Packed,
        loops: Packed,
    },
    /// Replaces the times of a workload.
    Timing(String, Timing),
    /// Replaces the run that is larger than all that were counted.
    Larger(LargerRun),
    /// How long the machine takes to reach its memory, by ascending working set.
    Latencies(Vec<MemoryLatency>),
    /// Replaces the machine's constants and the formulas.
    Calibration(Box<Calibration>),
    /// Replaces where the time of a workload goes.
    Sampled(String, Sampled),
    /// Replaces the calls in the program's code.
    Calls {
        count: u32,
        bytes: u64,
    },
}

/// Why a record is of no use, whose bytes are those that were written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// It contradicts what is there, or cannot be read; completes "the record …".
    Damaged(String),
    /// A later version wrote it.
    UnknownKind,
}

impl From<String> for Flaw {
    fn from(what: String) -> Self {
        Self::Damaged(what)
    }
}

/// One of several bodies that lie behind a record.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Packed {
    /// How many series or functions with loops.
    pub(super) count: u32,
    /// Bytes in the file.
    pub(super) length: u64,
    /// Bytes when they are unpacked.
    pub(super) bytes: u64,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRecord {
    /// Random: the same for every copy of this record.
    pub(super) id: [u8; 16],
    pub(super) workload: String,
    pub(super) command: String,
    pub(super) input: Option<String>,
    pub(super) fingerprint: String,
    pub(super) repetition: u32,
    pub(super) outcome: Outcome,
    pub(super) usage: Option<Usage>,
    pub(super) stderr_tail: String,
    pub(super) values: Vec<(String, Option<f64>)>,
    /// Whether counts lie behind.
    pub(super) has_counts: bool,
}

impl Record {
    /// Reads a record; the rest of the payload lies behind it.
    pub(super) fn parse(payload: &[u8]) -> Result<(Self, &[u8]), Flaw> {
        let known = &payload[..payload.len().min(LONGEST)];
        let (record, rest) = postcard::take_from_bytes(known).map_err(|e| {
            let is_known = !matches!(
                postcard::take_from_bytes::<Self>(&known[..known.len().min(1)]),
                Err(postcard::Error::SerdeDeCustom)
            );
            if is_known { Flaw::Damaged(format!("cannot be read: {e}")) } else { Flaw::UnknownKind }
        })?;
        Ok((record, &payload[known.len() - rest.len()..]))
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Into memory that grows, nothing of these types can fail.
        postcard::to_allocvec(self).unwrap_or_default()
    }
}

impl RunRecord {
    pub(super) fn new(
        workload: &Workload,
        run: &Run,
        values: &[(String, Option<f64>)],
        has_counts: bool,
    ) -> Self {
        Self {
            id: crate::identity::random(),
            workload: workload.name.clone(),
            command: workload.command.clone(),
            input: workload.input.clone(),
            fingerprint: workload.fingerprint.clone(),
            repetition: run.repetition,
            outcome: run.outcome.clone(),
            // Imported counts took no time that anybody measured.
            usage: workload.usage.map(|_| run.usage),
            stderr_tail: run.stderr_tail.clone(),
            values: values.to_vec(),
            has_counts,
        }
    }
}
