//! Measurements: commands that build a program, make its inputs, and run it.
//!
//! Begin with [`run`]: it records workloads in a study, after [`build`] if necessary. [`init`] writes the configuration
//! that it reads, and [`grow`] makes inputs. Every command that records runs in a study uses a [`run::campaign`].

pub(crate) mod build;
pub(crate) mod grow;
pub(crate) mod init;
pub(crate) mod run;
