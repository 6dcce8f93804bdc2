//! Trip counts: the simplest polynomial that gives them, or an upper bound. Begin at `interpolation`.

pub(crate) mod bounds;
pub(crate) mod interpolation;
pub(crate) mod problem;

mod geometric;
mod modular;
mod quotients;
