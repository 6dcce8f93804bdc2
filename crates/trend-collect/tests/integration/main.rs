//! The readers against real compilers, real programs and damaged files.

mod compilers;
mod oracle;
mod real_programs;
