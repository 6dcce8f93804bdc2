//! Links the bodies of the hooks, and the facts of the loops, into a module.

use std::fmt::Write as _;

use inkwell::context::Context;
use inkwell::module::Module;

use super::hooks::Hooks;
use crate::error::ProbeError;
use crate::ir::symbols;
use crate::loops::facts;

/// Adds the bodies of the hooks, and the facts of the loops.
pub(crate) fn link<'a>(context: &'a Context, module: &Module<'a>, facts: &str) -> Result<(), ProbeError> {
    let escaped = facts.bytes().fold(String::with_capacity(3 * facts.len()), |mut text, byte| {
        let _ = write!(text, "\\{byte:02X}");
        text
    });
    let mut source = Hooks::source();
    // The section is named, since `llvm.global_ctors` may use one that not every linker reads.
    let _ = write!(
        source,
        "@trend.facts.text = private constant [{length} x i8] c\"{escaped}\"
        @trend.facts = hidden global {{ i64, ptr, i64 }} {{ i64 {hash}, ptr @trend.facts.text, i64 {length} }}
        @trend.begin = private constant ptr @trend.loops.begin, section \".init_array\", align 8
        @llvm.used = appending global [1 x ptr] [ptr @trend.begin], section \"llvm.metadata\"
        declare void @trend_probe_loops_3_module(ptr)
        define internal void @trend.loops.begin() nounwind {{
          call void @trend_probe_loops_3_module(ptr @trend.facts)
          ret void
        }}\n",
        length = facts.len(),
        hash = facts::hash(facts) as i64,
    );
    symbols::link(context, module, &source, "trend.loop")
        .map_err(|reason| ProbeError::Llvm { what: "cannot add the hooks of loops", reason })?;
    symbols::make_global_internal(module, c"trend.facts");
    Ok(())
}
