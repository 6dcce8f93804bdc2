//! Measurements: commands that build a program, make its inputs, and run it.
//!
//! Begin with [`run`]: records workloads in a study, after [`build`] if necessary. [`init`] writes the configuration
//! that it reads; [`grow`] makes inputs. All commands that record runs in a study do so in a [`run::campaign`].

pub(crate) mod build;
pub(crate) mod grow;
pub(crate) mod init;
pub(crate) mod run;
