//! Recovers the intact part of a damaged study as a new study.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::error::StudyError;
use crate::file::bodies::blob::Unpacker;
use crate::file::bodies::body;
use crate::file::bodies::body::{Budget, KnownPlaces};
use crate::file::container::frame::{Frames, Next};
use crate::file::container::header;
use crate::file::container::header::Header;
use crate::file::container::log;
use crate::file::container::log::Access;
use crate::file::container::log::io_error;
use crate::file::records::record::Record;
use crate::file::study_file::{NewStudy, StudyFile};

/// Result of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Number of runs in the new study.
    pub runs: usize,
    /// Number of intact runs that are useless because the names of their places are lost.
    pub lost_runs: usize,
    /// Unreadable ranges of the file: first byte and length. The length is 0 where records were removed.
    pub gaps: Vec<(u64, u64)>,
}

/// Copies the intact part of the study at `damaged` into a new one at `target`. Does not change the damaged file.
///
/// # Errors
/// [`StudyError::NotAStudy`] if nothing can be recovered, [`StudyError::Exists`] if `target` exists.
pub fn repair(damaged: &Path, target: &Path) -> Result<Repaired, StudyError> {
    let failed = |e: io::Error| io_error(damaged, e);
    let file = log::open_without_waiting(damaged, Access::Read)?;
    let end = file.metadata().map_err(failed)?.len();
    let mut repaired = Repaired::default();
    let mut rescue = Rescue {
        target,
        places: RecoveredPlaces::within(Budget::of_file(end)),
        study: None,
        unpacker: Unpacker::default(),
    };
    let first = first_check(&file, end);
    let mut frames = Frames::new(&file, (header::LENGTH as u64).min(end), end, first.unwrap_or_default());
    if first.is_none() {
        // Without an intact header, the checksum that the first frame is chained to is unknown.
        frames.resynchronise().map_err(failed)?;
    }
    loop {
        let position = frames.position();
        match frames.next().map_err(failed)? {
            Next::Payload { payload, .. } => rescue.take(payload, &mut repaired)?,
            Next::End => break,
            Next::Broken => {
                let is_more = frames.resynchronise().map_err(failed)?;
                let next = if is_more { frames.position() } else { end };
                repaired.gaps.push((position, next - position));
                if !is_more {
                    break;
                }
            }
        }
    }
    let Some(mut study) = rescue.study else {
        let problem = "no record of it is whole".to_owned();
        return Err(StudyError::NotAStudy { path: damaged.to_owned(), problem });
    };
    repaired.runs = study.run_states().len();
    study.publish()?;
    study.close()?;
    Ok(repaired)
}

/// Returns the checksum that the first frame is chained to; `None` if the header is damaged.
fn first_check(file: &File, end: u64) -> Option<u64> {
    let mut bytes = [0; header::LENGTH];
    if end < bytes.len() as u64 || file.read_exact_at(&mut bytes, 0).is_err() {
        return None;
    }
    Some(crate::file::container::frame::seed(Header::parse(&bytes).ok()?.id))
}

/// Places recovered so far.
struct RecoveredPlaces {
    places: KnownPlaces,
    budget: Budget,
}

impl RecoveredPlaces {
    fn within(budget: Budget) -> Self {
        Self { places: KnownPlaces::default(), budget }
    }

    /// Adds the places of a record. Returns false if they cannot be decoded.
    fn add(&mut self, packed: &[u8], bytes: u64, count: [u32; 2]) -> bool {
        let Self { places, budget } = self;
        let before = (places.functions.len(), places.locations.len());
        let added =
            body::unpack(packed, bytes, budget).and_then(|unpacked| places.add(&unpacked, count, budget));
        if added.is_err() {
            places.functions.truncate(before.0);
            places.locations.truncate(before.1);
        }
        added.is_ok()
    }
}

struct Rescue<'a> {
    target: &'a Path,
    places: RecoveredPlaces,
    study: Option<StudyFile>,
    unpacker: Unpacker,
}

impl Rescue<'_> {
    /// Copies an intact record if it makes sense without the lost ones.
    fn take(&mut self, payload: &[u8], repaired: &mut Repaired) -> Result<(), StudyError> {
        let Ok((mut record, rest)) = Record::parse(payload) else { return Ok(()) };
        let study = match &mut self.study {
            Some(study) => study,
            none => {
                let new = match &record {
                    Record::Program { program, root, .. } => NewStudy::new(program, root),
                    _ => NewStudy::new("unknown", ""),
                };
                none.insert(StudyFile::draft(self.target, &new, false)?)
            }
        };
        let positions = study.facts.positions();
        let has = |workload: &str| study.facts.workloads.contains_key(workload);
        let is_of_use = match &mut record {
            Record::Program { .. } => false,
            // The claimed numbers do no harm: only actual contents take memory later.
            Record::Places { first, count, bytes } => {
                *first == positions && self.places.add(rest, *bytes, *count)
            }
            Record::Values { workload, .. }
            | Record::Routines { workload, .. }
            | Record::Series { workload, .. }
            | Record::Loops { workload, .. }
            | Record::Timing(workload, _)
            | Record::Sampled(workload, _) => has(workload),
            Record::Run(run) | Record::RunWithSeries { run, .. } | Record::RunWithLoops { run, .. }
                if run.has_counts =>
            {
                let counts = match &record {
                    Record::RunWithSeries { counts, .. } | Record::RunWithLoops { counts, .. } => {
                        rest.get(..*counts as usize)
                    }
                    _ => Some(rest),
                };
                let has_names = counts.is_some_and(|counts| {
                    self.unpacker.unpack(counts, positions[1] as usize, &mut Vec::new()).is_ok()
                });
                repaired.lost_runs += usize::from(!has_names);
                has_names
            }
            Record::Retired { workloads, .. } => {
                workloads.retain(|workload| has(workload));
                !workloads.is_empty()
            }
            _ => true,
        };
        if !is_of_use {
            return Ok(());
        }
        match study.append_with(record, rest) {
            // Skips records that are invalid, or that do not follow from the ones before.
            Err(StudyError::Inconsistent { .. }) => Ok(()),
            written => written,
        }
    }
}
