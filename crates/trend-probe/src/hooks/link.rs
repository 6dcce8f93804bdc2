//! Links the hooks into a module.

use inkwell::context::Context;
use inkwell::module::Module;
use trend_runtime::thread::{LAST_ID, LAST_ID_WATCHED, STACK};

use crate::error::ProbeError;
use crate::ir::symbols;
use crate::options::{Options, Unit};

const SOURCE: &str = include_str!("hooks.ll");

/// Links the hooks into a module.
pub(crate) fn link<'a>(
    context: &'a Context,
    module: &Module<'a>,
    options: Options,
) -> Result<(), ProbeError> {
    let widened = 2_u32.saturating_sub(options.cell_shift);
    let inside: i64 = if widened > 0 { (1 << 47) - 1 } else { -1 };
    // Ids of activations stay below the marks of cells that the kernel or other threads wrote.
    let (below, last_id) = if options.is_dynamic { ("slt", LAST_ID_WATCHED) } else { ("ult", LAST_ID) };
    let lines = |are_there: bool| if are_there { ("", ";") } else { (";", "") };
    let (dynamic, fixed) = lines(options.is_dynamic);
    let (contexts, flat) = lines(options.has_contexts);
    let (timed, counted) = lines(options.unit == Unit::Nanoseconds);
    // Short ranges of cells of 4 bytes are checked without the runtime. For writes, this requires that writes of the
    // kernel and of other threads are not watched.
    let (short_read, long_read) = lines(options.cell_shift == 2);
    let (short_write, _) = lines(!options.is_dynamic && options.cell_shift == 2);
    let source = SOURCE
        .replace("{dynamic}", dynamic)
        .replace("{static}", fixed)
        .replace("{contexts}", contexts)
        .replace("{flat}", flat)
        .replace("{timed}", timed)
        .replace("{counted}", counted)
        .replace("{short.read}", short_read)
        .replace("{long.read}", long_read)
        .replace("{short.write}", short_write)
        .replace("{saving}", if options.is_dynamic { "preserve_mostcc" } else { "preserve_allcc" })
        .replace("{stack_mask}", &STACK.wrapping_neg().cast_signed().to_string())
        .replace("{below}", below)
        .replace("{last_id}", &last_id.cast_signed().to_string())
        .replace("{shift}", &options.cell_shift.to_string())
        .replace("{widened}", &widened.to_string())
        .replace("{inside}", &inside.to_string())
        .replace("{cell_mask}", &(-(1_i64 << options.cell_shift)).to_string());
    symbols::link(context, module, &source, "trend.")
        .map_err(|reason| ProbeError::Llvm { what: "cannot add the hooks", reason })
}
