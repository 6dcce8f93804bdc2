//! Describes the largest inputs that stay within limits of time and memory.

use serde::Serialize;
use trend_analyze::{Answer, Findings, FittingSize, MemoryOutlook, RunLimit};

use super::answer;
use crate::layout::number;

/// The largest inputs within limits.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Fitting {
    /// The feature in which the sizes are given.
    pub(crate) feature: String,
    /// The limits, times before memory, each by rising amount.
    pub(crate) rows: Vec<Fits>,
    /// The first doubt about the time and about the memory, or the reason why memory limits no size; in sentences.
    pub(crate) doubts: Vec<String>,
}

/// A limit, and the largest size within it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Fits {
    /// The limit: `1 h of CPU time`.
    pub(crate) limit: String,
    /// The largest size by the law.
    pub(crate) size: f64,
    /// The largest size for which the whole interval is within the limit; `null` if unknown.
    pub(crate) at_least: Option<f64>,
}

impl Fitting {
    /// Returns the largest inputs within the limits of the analysis; `None` if none are known.
    pub(crate) fn new(findings: &Findings) -> Option<Self> {
        let answer = findings.answer.as_ref()?;
        let times = answer.time.as_ref().filter(|time| !time.fits.is_empty());
        let of_memory = answer.memory.iter().flat_map(|memory| &memory.fits);
        let fits = times.iter().flat_map(|time| &time.fits).chain(of_memory);
        let rows: Vec<Fits> = fits.map(|fit| Fits::new(fit, answer)).collect();
        let doubts = [
            times.and_then(answer::time_doubt),
            match answer.memory.as_ref() {
                Some(memory) => {
                    answer::memory_doubt(findings, memory).or_else(|| memory_is_no_limit(findings, memory))
                }
                None => answer::memory_unknown(findings),
            },
        ];
        let doubts = doubts.into_iter().flatten().collect();
        (!rows.is_empty()).then_some(Self { feature: answer::given_feature(findings)?, rows, doubts })
    }
}

impl Fits {
    fn new(FittingSize { limit, size, at_least }: &FittingSize, answer: &Answer) -> Self {
        let machine = answer.memory.as_ref().and_then(|memory| memory.machine_bytes);
        let limit = match *limit {
            RunLimit::Seconds(seconds) => format!("{} of CPU time", time(seconds)),
            RunLimit::Bytes(bytes) => {
                let whose = if machine == Some(bytes) { " (the machine's)" } else { "" };
                format!("{} of memory{whose}", number::bytes(bytes as f64, 2))
            }
        };
        Self { limit, size: *size, at_least: *at_least }
    }
}

/// Explains that memory limits no size. `None` if a size is given, or if the target may exceed the machine's memory.
fn memory_is_no_limit(findings: &Findings, memory: &MemoryOutlook) -> Option<String> {
    let machine = memory.machine_bytes.filter(|machine| memory.ci[1] <= *machine as f64)?;
    let feature = answer::given_feature(findings)?;
    let machine = number::bytes(machine as f64, 2);
    memory.fits.is_empty().then(|| {
        format!("Memory hardly grows with {feature}: no size was found at which it exceeds the machine's {machine}.")
    })
}

/// Formats a time in the largest unit that divides it.
fn time(seconds: f64) -> String {
    let units = [(number::DAY, "d"), (3600.0, "h"), (60.0, "min")];
    let exact = units.into_iter().find(|(size, _)| seconds >= *size && seconds % size == 0.0);
    let (size, unit) = exact.unwrap_or((1.0, "s"));
    format!("{} {unit}", seconds / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_the_largest_unit_that_they_are_a_multiple_of() {
        let shown = [0.5, 10.0, 60.0, 90.0, 3600.0, 172_800.0].map(time);
        assert_eq!(shown, ["0.5 s", "10 s", "1 min", "90 s", "1 h", "2 d"]);
    }
}
