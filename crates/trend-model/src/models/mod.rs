//! Models that are lines on some axes: power laws and linear models, their intervals, and the weights of averages.
//! Begin at `power_law`.

pub(crate) mod axes;
pub(crate) mod bootstrap;
pub(crate) mod intervals;
pub(crate) mod linear;
pub(crate) mod log_points;
pub(crate) mod offset_power;
pub(crate) mod power_law;
pub(crate) mod weights;
