//! Tests the readers with real compilers, real programs and damaged files.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "in a test a panic is the report")]

mod compilers;
mod damage;
mod generated;
mod import_aprof;
mod import_callgrind;
mod import_coverage;
mod import_damage;
mod import_extra_p;
mod import_formats;
mod import_limits;
mod import_llvm_cov;
mod import_readers;
mod import_samples;
mod import_truncation;
mod imports;
mod llvm;
mod memory;
mod oracle;
mod programs;
mod real_programs;
