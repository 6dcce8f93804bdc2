//! Splits accesses to some lanes of a vector into accesses to single lanes, since a lane that is masked out is not
//! accessed.

use inkwell::module::Module;

use crate::error::ProbeError;
use crate::ir::symbols;

/// Attributes of a function that describe its processor.
const PROCESSOR: [&str; 2] = ["target-cpu", "target-features"];

/// Splits masked loads and stores, gathers and scatters. The pass only does so for processors without such
/// instructions. So while it runs, functions lack the attributes of their processor.
pub(crate) fn take_apart(
    module: &Module<'_>,
    run: impl FnOnce(&str) -> Result<(), ProbeError>,
) -> Result<(), ProbeError> {
    let functions = symbols::functions(module);
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
