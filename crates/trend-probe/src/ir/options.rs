//! Options of LLVM for the whole process.

use std::ffi::{CStr, c_int};

/// Sets options of LLVM for the whole process.
pub(crate) fn set_options(options: &[&CStr]) {
    let words: Vec<_> = [c"trend-probe"].iter().chain(options).map(|word| word.as_ptr()).collect();
    let count = words.len() as c_int;
    unsafe {
        inkwell::llvm_sys::support::LLVMParseCommandLineOptions(count, words.as_ptr(), std::ptr::null());
    }
}
