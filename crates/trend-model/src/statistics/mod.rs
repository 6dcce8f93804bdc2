//! Samples: percentiles, Student's t, resamples, paired comparisons. Nothing here fits a line.

pub(crate) mod centred;
pub(crate) mod chance;
pub(crate) mod interval;
#[cfg(test)]
pub(crate) mod noise;
pub(crate) mod order_statistics;
pub(crate) mod paired;
pub(crate) mod resamples;
pub(crate) mod standardized;
pub(crate) mod students;
