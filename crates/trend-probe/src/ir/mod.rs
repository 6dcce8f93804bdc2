//! LLVM's values as the probe sees them: small handles, valid as long as their module.
//!
//! inkwell wraps contexts, modules and passes. Its instructions are made for generating code and not for changing it,
//! so these handles call the C API themselves.
//!
//! - Begin with [`value`]: handles of values, blocks and types; [`instruction`], [`function`], [`attributes`] and
//!   [`mod@pointer`] say more about some of them; [`symbols`]: those of a module.
//! - [`builder`]: inserts instructions; [`numbers`]: arithmetic; [`declarations`]: functions and constants;
//!   [`control`]: changes of the control flow.
//! - [`mod@predicates`]: predicates of comparisons; [`extremes`]: minima and maxima.
//! - [`options`]: options of LLVM itself.
#![expect(unsafe_code, reason = "LLVM has a C API")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block is a call of the C API with handles that are valid as long as the module, which outlives them"
)]

// SAFETY for all that follows: handles come from one module that outlives them, and are used by one thread. Each
// function is only called for the kinds of values that it supports.

pub(crate) mod attributes;
pub(crate) mod builder;
pub(crate) mod control;
pub(crate) mod declarations;
pub(crate) mod extremes;
pub(crate) mod function;
pub(crate) mod instruction;
pub(crate) mod numbers;
pub(crate) mod options;
pub(crate) mod pointer;
pub(crate) mod predicates;
pub(crate) mod symbols;
pub(crate) mod value;
