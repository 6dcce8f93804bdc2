//! Experiments of a program, one process for each and for each size of memory, until their values agree.
//!
//! The constants are those of Finkler and Mehlhorn: *Runtime Prediction of Real Programs on Real Machines* (SODA 1997). What
//! gives no value is measured again, then with repetitions that grow more slowly, and then in a wider interval.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use trend_model::Cumulated;
use trend_profile::{Constant, ConstantPoint};
use trend_run::{Experiment, Experimental, FragmentError, FragmentWorker};

/// The smallest data: less than any cache.
const SMALLEST_BYTES: u64 = 16 << 10;

/// Each size of memory is so many times the one before.
const STEP: u64 = 4;

/// How many processes measure where memory does not grow,
const PROCESSES: usize = 10;

/// and at each size where it does: their curve has more values than one of them.
const PROCESSES_PER_SIZE: usize = 5;

/// What is measured how: repetitions grow so, and more than half of the values are within this part of the greatest.
const ATTEMPTS: [(f64, f64); 4] = [(2.0, 10.0), (2.0, 10.0), (1.3, 10.0), (1.3, 5.0)];

/// How experiments are measured.
#[derive(Clone, Copy, Debug)]
pub struct CalibrateOptions {
    /// How long repetitions take at least that are worth a measurement.
    pub least: Duration,
    /// The largest data.
    pub largest_bytes: u64,
}

impl Default for CalibrateOptions {
    /// 20 ms, and 256 MiB.
    fn default() -> Self {
        Self { least: Duration::from_millis(20), largest_bytes: 256 << 20 }
    }
}

/// What came of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    /// Its constant; `None` where no size gave one.
    pub constant: Option<Constant>,
    /// The sizes without a value, in bytes.
    pub failed: Vec<Failed>,
}

/// A size of memory at which no half of the values agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    /// In bytes; 0 where the fragment's memory does not grow.
    pub bytes: u64,
}

/// Measures one experiment; `progress` is told after each process, how many there were and will be.
///
/// Sizes take turns, so that what the machine does meanwhile meets all of them alike.
///
/// # Errors
/// [`FragmentError`], also where the caller asks to stop.
pub fn calibrate(
    worker: &FragmentWorker,
    experiment: &Experiment,
    options: &CalibrateOptions,
    stop: &AtomicBool,
    progress: &dyn Fn(usize, usize),
) -> Result<Calibrated, FragmentError> {
    let sizes = sizes(experiment, options.largest_bytes);
    let processes = if sizes.len() > 1 { PROCESSES_PER_SIZE } else { PROCESSES };
    let planned = processes * sizes.len();
    let mut values = vec![Vec::new(); sizes.len()];
    for round in 0..processes {
        for (i, (_, elements)) in sizes.iter().enumerate() {
            values[i].extend(value(worker, experiment, *elements, options, stop)?);
            progress(round * sizes.len() + i + 1, planned);
        }
    }
    let (mut points, mut failed) = (Vec::new(), Vec::new());
    for ((bytes, _), values) in sizes.iter().zip(&values) {
        let found = ATTEMPTS.iter().find_map(|(_, narrowness)| Cumulated::new(values, *narrowness));
        // Half of the processes at least have to agree, also those that had no value.
        match found.filter(|found| 2 * found.kept > processes) {
            Some(Cumulated { mean, kept, interval: [low, high] }) => {
                let (kept, of) = (kept as u32, processes as u32);
                points.push(ConstantPoint { bytes: *bytes, seconds: mean, low, high, kept, of });
            }
            None => failed.push(Failed { bytes: *bytes }),
        }
    }
    let fingerprint = worker.fingerprint(&experiment.name, options.least, options.largest_bytes);
    let name = experiment.name.clone();
    let constant = (!points.is_empty()).then_some(Constant { name, fingerprint, points });
    Ok(Calibrated { constant, failed })
}

/// Sizes of memory in bytes, and of data in elements.
fn sizes(experiment: &Experiment, largest_bytes: u64) -> Vec<(u64, u64)> {
    let element = experiment.element_bytes;
    if element == 0 {
        return vec![(0, 1)];
    }
    let first = SMALLEST_BYTES.max(element);
    let bytes = std::iter::successors(Some(first), |bytes| bytes.checked_mul(STEP));
    let mut sizes: Vec<(u64, u64)> =
        bytes.take_while(|bytes| *bytes <= largest_bytes).map(|bytes| (bytes, bytes / element)).collect();
    if sizes.is_empty() {
        sizes.push((element, 1));
    }
    sizes
}

/// The value of one process; more processes where its measurements do not agree.
fn value(
    worker: &FragmentWorker,
    experiment: &Experiment,
    elements: u64,
    options: &CalibrateOptions,
    stop: &AtomicBool,
) -> Result<Option<f64>, FragmentError> {
    for (growth, narrowness) in ATTEMPTS {
        if stop.load(Ordering::Relaxed) {
            return Err(FragmentError::Stopped);
        }
        let how = Experimental { elements, least: options.least, growth };
        let measured = worker.measure(experiment, how, stop)?;
        if let Some(found) = Cumulated::new(&measured, narrowness) {
            return Ok(Some(found.mean));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_begin_below_the_caches_and_end_where_they_should() {
        let of = |element_bytes| Experiment { name: "a".to_owned(), element_bytes };
        assert_eq!(sizes(&of(0), 1 << 20), [(0, 1)]);
        assert_eq!(
            sizes(&of(64), 1 << 20),
            [(16384, 256), (65536, 1024), (262_144, 4096), (1_048_576, 16384)]
        );
        assert_eq!(sizes(&of(1 << 30), 1 << 20), [(1 << 30, 1)]);
        assert_eq!(sizes(&of(1), u64::MAX).len(), 25);
    }
}
