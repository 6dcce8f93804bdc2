//! The readers against real compilers, real programs and damaged files.

mod compilers;
mod damage;
mod oracle;
mod programs;
mod real_programs;
