//! forecast

pub(crate) mod fitting;
pub(crate) mod fragments;
pub(crate) mod latency;
pub(crate) mod memory;
pub(crate) mod memory_lines;
pub(crate) mod outliers;
pub(crate) mod outlook;
pub(crate) mod overtaking;
pub(crate) mod pace;
pub(crate) mod predict;
pub(crate) mod row_models;
pub(crate) mod seconds;
pub(crate) mod time_parts;
pub(crate) mod today;
