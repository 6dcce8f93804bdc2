//! Records the places of samples.

use std::io;
use std::path::Path;

use trend_collect::OwnCode;
use trend_profile::{Sampled, StudyFile, Warning, WarningKind};

use super::sampling::Owners;
use super::timed::{Sampling, Timed};
use super::uncounted::Uncounted;
use crate::error::RunError;
use crate::run::root;

/// Records the places of samples. Returns a warning if samples are missing. A failure is recorded as samples without
/// places, so that it is not repeated every time. Missing permission is not recorded, because the user may get it
/// later.
pub(crate) fn record_samples(
    timed: &[Timed<'_>],
    study: &mut StudyFile,
    folder: &Path,
    copy: &Uncounted,
) -> Result<Option<Warning>, RunError> {
    if timed.iter().all(|one| one.samples.is_none()) {
        return Ok(None);
    }
    let root = root::of_study(study.root(), folder);
    let (functions, locations) = study.functions_and_locations()?;
    let mut owners = Owners::new(
        OwnCode::new(&root.to_string_lossy(), &functions, &locations),
        &functions,
        &copy.originals,
    );
    let mut warning = None;
    for one in timed {
        let Some(Sampling { usage, period, samples }) = &one.samples else { continue };
        let workload = one.workload.workload.name.as_str();
        if let Err(error) = samples {
            warning.get_or_insert_with(|| not_sampled(workload, error));
        }
        let sampled = match samples {
            Ok(samples) => owners.sampled(samples, *usage, *period),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
            Err(_) => Sampled { usage: *usage, period: *period, lost: 0, places: Vec::new() },
        };
        study.set_sampled(workload, sampled)?;
    }
    Ok(warning)
}

fn not_sampled(workload: &str, error: &io::Error) -> Warning {
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "time is known only for the whole program because the kernel forbids sampling ({error}); \
             allow it with `sysctl kernel.perf_event_paranoid=2` as root (containers also need the system \
             call perf_event_open), then run again"
        ),
        _ => format!("the time of {workload} was not sampled ({error}); try again with `run --fresh`"),
    };
    Warning::new(WarningKind::NotSampled, message)
}
