//! Findings of a study: commands that show, judge or compare them.
//!
//! Begin with [`show`]: findings in the terminal, with [`loops`] and [`predict`]. [`report`] and [`serve`] make pages
//! of them; [`check`] and [`diff`] judge them, and may measure before; [`calibrate`] turns costs into seconds.

pub(crate) mod calibrate;
pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod loops;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod show;
