//! Runs experiments of a program until their values agree, with one process per experiment and size of memory.
//!
//! The method comes from Finkler and Mehlhorn: *Runtime Prediction of Real Programs on Real Machines* (SODA 1997). If
//! the measurements of a process do not agree, they are repeated, then with slower-growing repetitions, and then with
//! a wider interval. If the values of the processes do not agree, the same number of further processes measures, and
//! then the interval is widened.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_model::MajorityMean;
use trend_profile::{Constant, ConstantMeasurement};
use trend_run::{Experiment, FragmentError, FragmentWorker, Measurement};

/// Size of the smallest data: less than any cache.
const SMALLEST_BYTES: u64 = 16 << 10;

/// Factor between successive sizes of memory.
const STEP: u64 = 4;

/// Number of processes for an experiment whose memory does not grow.
const PROCESSES: usize = 10;

/// Number of processes per size for an experiment whose memory grows: its curve has more values than a single size.
const PROCESSES_PER_SIZE: usize = 5;

/// Parameters of a process's attempts, until more than half of its measurements agree: the growth of the repetitions,
/// and the narrowness of the interval (a part of the largest value) that must contain the values.
const ATTEMPTS: [(f64, f64); 4] = [(2.0, 10.0), (2.0, 10.0), (1.3, 10.0), (1.3, 5.0)];

/// Narrowness of the interval that must contain the values of several processes. Before the second one applies, the
/// same number of further processes measures.
const NARROWNESS: [f64; 2] = [10.0, 5.0];

/// Options for measuring experiments.
#[derive(Clone, Copy, Debug)]
pub struct CalibrateOptions {
    /// Minimum time of one measurement.
    pub least: Duration,
    /// Size of the largest data, in bytes.
    pub largest_bytes: u64,
}

impl Default for CalibrateOptions {
    /// Returns 20 ms and 256 MiB.
    fn default() -> Self {
        Self { least: Duration::from_millis(20), largest_bytes: 256 << 20 }
    }
}

/// Result of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    /// The measured constant; `None` if no size gave a value.
    pub constant: Option<Constant>,
    /// Sizes without a value.
    pub failed: Vec<FailedSize>,
}

/// A size of memory without a value, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedSize {
    /// Size in bytes; 0 if the fragment's memory does not grow.
    pub bytes: u64,
    /// Failure of the program; `None` if the program ran, but no majority of the values agreed.
    pub why: Option<String>,
}

/// One size, with its measurements.
struct Size {
    bytes: u64,
    elements: u64,
    /// Seconds per execution, for each process with a value.
    values: Vec<f64>,
    processes: usize,
    why: Option<String>,
}

/// Measures one experiment. `progress` receives the number of finished and planned processes after each process.
///
/// Sizes take turns, so that disturbances of the machine affect all of them alike.
///
/// # Errors
/// [`FragmentError::Stopped`] if the caller asks to stop, and [`FragmentError::NotStarted`]. A program that fails has
/// no value at that size.
pub fn calibrate(
    worker: &FragmentWorker,
    experiment: &Experiment,
    options: &CalibrateOptions,
    stop: &AtomicBool,
    progress: &dyn Fn(usize, usize),
) -> Result<Calibrated, FragmentError> {
    let fingerprint = worker.fingerprint(&experiment.name, options.least, options.largest_bytes);
    let mut sizes = sizes(experiment, options.largest_bytes);
    let processes = if sizes.len() > 1 { PROCESSES_PER_SIZE } else { PROCESSES };
    let (mut done, mut planned) = (0, 0);
    for narrowness in NARROWNESS {
        let is_open = |size: &Size| size.why.is_none() && size.agreed(narrowness).is_none();
        planned += processes * sizes.iter().filter(|size| is_open(size)).count();
        let open: Vec<bool> = sizes.iter().map(is_open).collect();
        for _ in 0..processes {
            for size in sizes.iter_mut().zip(&open).filter_map(|(size, open)| open.then_some(size)) {
                if size.why.is_none() {
                    size.measure(worker, experiment, options, stop)?;
                }
                done += 1;
                progress(done, planned);
            }
        }
    }
    let (mut points, mut failed) = (Vec::new(), Vec::new());
    for size in sizes {
        let (bytes, measured_by) = (size.bytes, size.processes as u32);
        match NARROWNESS.iter().find_map(|narrowness| size.agreed(*narrowness)) {
            Some(MajorityMean { mean, count, interval: [low, high] }) => {
                let agreeing = count as u32;
                points.push(ConstantMeasurement { bytes, seconds: mean, low, high, agreeing, measured_by });
            }
            None => failed.push(FailedSize { bytes, why: size.why }),
        }
    }
    let name = experiment.name.clone();
    let constant = (!points.is_empty()).then_some(Constant { name, fingerprint, points });
    Ok(Calibrated { constant, failed })
}

impl Size {
    /// Returns the mean that more than half of all processes agree on. A process without a value agrees with no
    /// other.
    fn agreed(&self, narrowness: f64) -> Option<MajorityMean> {
        let majority = MajorityMean::new(&self.values, narrowness)?;
        (2 * majority.count > self.processes).then_some(majority)
    }

    /// Measures with one more process, or with several if its measurements do not agree.
    fn measure(
        &mut self,
        worker: &FragmentWorker,
        experiment: &Experiment,
        options: &CalibrateOptions,
        stop: &AtomicBool,
    ) -> Result<(), FragmentError> {
        self.processes += 1;
        for (growth, narrowness) in ATTEMPTS {
            let how = Measurement { elements: self.elements, least: options.least, growth };
            match worker.measure(experiment, how, stop) {
                Ok(measured) => {
                    if let Some(majority) = MajorityMean::new(&measured, narrowness) {
                        self.values.push(majority.mean);
                        break;
                    }
                }
                Err(error @ FragmentError::Failed { .. }) => {
                    self.why = Some(error.to_string());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Returns the sizes to measure, by ascending memory.
fn sizes(experiment: &Experiment, largest_bytes: u64) -> Vec<Size> {
    let size = |bytes, elements| Size { bytes, elements, values: Vec::new(), processes: 0, why: None };
    let element = experiment.element_bytes;
    if element == 0 {
        return vec![size(0, 1)];
    }
    let first = SMALLEST_BYTES.max(element);
    let bytes = std::iter::successors(Some(first), |bytes| bytes.checked_mul(STEP));
    let mut sizes: Vec<Size> =
        bytes.take_while(|bytes| *bytes <= largest_bytes).map(|bytes| size(bytes, bytes / element)).collect();
    if sizes.is_empty() {
        sizes.push(size(element, 1));
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_begin_below_the_caches_and_end_where_they_should() {
        let of = |element_bytes, largest_bytes| {
            let experiment = Experiment { name: "a".to_owned(), element_bytes };
            sizes(&experiment, largest_bytes)
                .iter()
                .map(|size| (size.bytes, size.elements))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(0, 1 << 20), [(0, 1)]);
        assert_eq!(of(64, 1 << 20), [(16384, 256), (65536, 1024), (262_144, 4096), (1_048_576, 16384)]);
        assert_eq!(of(1 << 30, 1 << 20), [(1 << 30, 1)]);
        assert_eq!(of(1, u64::MAX).len(), 25);
    }
}
