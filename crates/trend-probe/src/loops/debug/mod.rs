//! Debug information: variables, types, lines. LLVM's C API has little for it, so nodes are read by their operands,
//! with the positions of LLVM 22.
//!
//! Begin with [`reader`]: what is said about an instruction, a function or a variable. [`node`] reads a single node;
//! [`types`] finds the members of structures.
#![expect(unsafe_code, reason = "LLVM has a C API")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block is a call of the C API with handles that are valid as long as the module, which outlives them"
)]

pub(crate) mod node;
pub(crate) mod reader;
pub(crate) mod types;
