//! The records of a study. Each is a measured fact or a change of the study.
//!
//! A record's payload is this enum in postcard's encoding. Data that is too large to be read with the record follows
//! it: counts, and compressed places, texts, series and loops. New kinds go to the end; a change of an existing one
//! needs a new version of the format.
//!
//! A run is one record with everything but the names of its places: its counts are ordered by the position of each
//! place in the study. It has its own id, so a study takes it only once.

use serde::{Deserialize, Serialize};

use crate::program::command::CommandPiece;
use crate::runs::feature::Definition;
use crate::runs::machine::Calibration;
use crate::runs::note::Note;
use crate::runs::sampled::Sampled;
use crate::runs::usage::Usage;
use crate::runs::warning::Warning;
use crate::runs::workload::{LargerRun, MemoryLatency, Outcome, Run, Timing, Workload};

/// Maximum length in bytes of a record that is kept in memory; places, texts, series and counts follow their records.
pub(in crate::file) const LONGEST: usize = 8 << 20;

/// Maximum number of facts of one kind written into one record, so that it stays below [`LONGEST`].
pub(in crate::file) const FACTS_PER_RECORD: usize = 1000;

#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::file) enum Record {
    /// First record of every study.
    Program {
        program: String,
        root: String,
        /// Mark with which earlier versions recognised their own studies; empty now.
        seal: Vec<u8>,
        written_by: String,
    },
    /// Line of the command in the format that did not keep its words; read, but no longer written.
    Command(String),
    Unit(String),
    /// Name of the format that the counts were imported from.
    Origin(String),
    /// Objects of the build: path and stamp.
    Objects(Vec<(String, u32)>),
    /// Functions and locations: the position of the first of each, and their numbers.
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
    /// Replaces the declared features.
    Features(Vec<(String, Definition)>),
    /// Adds a feature, or redefines one.
    Feature(String, Definition),
    Values {
        workload: String,
        values: Vec<(String, Option<f64>)>,
    },
    Run(Box<RunRecord>),
    /// Series in the format that only knew routines; read, but no longer written.
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
    /// A run, and the series of its workload. Its body has `counts` bytes of counts, then the series.
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
    /// A run, and the series and loops of its workload. Its body has `counts` bytes of counts, then the series, then
    /// the loops.
    RunWithLoops {
        run: Box<RunRecord>,
        counts: u64,
        series: Packed,
        loops: Packed,
    },
    /// Replaces the times of a workload.
    Timing(String, Timing),
    /// Replaces the run that is larger than all counted ones.
    Larger(LargerRun),
    /// Replaces the machine's memory latencies, by ascending working set.
    Latencies(Vec<MemoryLatency>),
    /// Replaces the machine's constants and the formulas.
    Calibration(Box<Calibration>),
    /// Replaces the samples of a workload.
    Sampled(String, Sampled),
    /// Replaces the calls in the program's code.
    Calls {
        count: u32,
        bytes: u64,
    },
    /// Replaces the command: words of text and placeholders.
    Template(Vec<Vec<CommandPiece>>),
    /// Retires these workloads, or brings them back.
    Retired {
        workloads: Vec<String>,
        is_retired: bool,
    },
    /// Replaces the note on a row; an empty text removes it.
    Note(Note),
}

/// Reason why a record with a valid checksum is unusable.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::file) enum Flaw {
    /// The record contradicts earlier ones or cannot be decoded. The text completes "the record …".
    Damaged(String),
    /// A later version wrote the record.
    UnknownKind,
}

impl From<String> for Flaw {
    fn from(what: String) -> Self {
        Self::Damaged(what)
    }
}

/// One of several bodies after a record.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::file) struct Packed {
    /// Number of series, or of functions with loops.
    pub(in crate::file) count: u32,
    /// Length in the file, in bytes.
    pub(in crate::file) length: u64,
    /// Unpacked length in bytes.
    pub(in crate::file) bytes: u64,
}

#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::file) struct RunRecord {
    /// Random id, the same for every copy of this record.
    pub(in crate::file) id: [u8; 16],
    pub(in crate::file) workload: String,
    /// The filled command of earlier versions; empty now, as the template and the workload have its parts.
    pub(in crate::file) command: String,
    pub(in crate::file) input: Option<String>,
    pub(in crate::file) fingerprint: String,
    pub(in crate::file) repetition: u32,
    pub(in crate::file) outcome: Outcome,
    pub(in crate::file) usage: Option<Usage>,
    pub(in crate::file) stderr_tail: String,
    pub(in crate::file) values: Vec<(String, Option<f64>)>,
    /// True if counts follow the record.
    pub(in crate::file) has_counts: bool,
}

impl Record {
    /// Decodes a record and returns it with its body.
    pub(in crate::file) fn parse(payload: &[u8]) -> Result<(Self, &[u8]), Flaw> {
        let front = &payload[..payload.len().min(LONGEST)];
        let (record, rest) = postcard::take_from_bytes(front).map_err(|e| {
            let is_known = !matches!(
                postcard::take_from_bytes::<Self>(&front[..front.len().min(1)]),
                Err(postcard::Error::SerdeDeCustom)
            );
            if is_known { Flaw::Damaged(format!("cannot be read: {e}")) } else { Flaw::UnknownKind }
        })?;
        Ok((record, &payload[front.len() - rest.len()..]))
    }

    pub(in crate::file) fn to_bytes(&self) -> Vec<u8> {
        // Encoding these types into memory that grows cannot fail.
        postcard::to_allocvec(self).unwrap_or_default()
    }
}

impl RunRecord {
    pub(in crate::file) fn new(
        workload: &Workload,
        run: &Run,
        values: &[(String, Option<f64>)],
        has_counts: bool,
    ) -> Self {
        Self {
            id: crate::identity::random(),
            workload: workload.name.clone(),
            command: String::new(),
            input: workload.input.clone(),
            fingerprint: workload.fingerprint.clone(),
            repetition: run.repetition,
            outcome: run.outcome.clone(),
            // Imported runs have no measured usage.
            usage: workload.usage.map(|_| run.usage),
            stderr_tail: run.stderr_tail.clone(),
            values: values.to_vec(),
            has_counts,
        }
    }
}
