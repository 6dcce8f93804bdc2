//! Makes accesses of each lane out of those of some lanes of a vector: what a mask leaves out is not accessed.

use inkwell::module::Module;

use crate::ProbeError;
use crate::ir;

/// What a function says of the processor that it is for.
const PROCESSOR: [&str; 2] = ["target-cpu", "target-features"];

/// Takes masked loads and stores, gathers and scatters apart by a pass that does so where the processor has no such instruction:
/// while it runs, functions are for one that has none.
pub(crate) fn take_apart(
    module: &Module<'_>,
    run: impl FnOnce(&str) -> Result<(), ProbeError>,
) -> Result<(), ProbeError> {
    let functions = ir::functions(module);
    if !functions.iter().any(|function| function.name().starts_with("llvm.masked.")) {
        return Ok(());
    }
    let taken: Vec<_> = functions
        .iter()
        .flat_map(|function| {
            PROCESSOR.iter().filter_map(|name| Some((*function, function.take_text_attribute(name)?)))
        })
        .collect();
    run("function(scalarize-masked-mem-intrin)")?;
    for (function, attribute) in taken {
        function.give_back_attribute(attribute);
    }
    Ok(())
}
