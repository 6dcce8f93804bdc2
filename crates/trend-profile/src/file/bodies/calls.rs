//! Encodes calls: a table of texts, and rows that refer to texts by number.

use std::sync::Arc;

use indexmap::IndexSet;

use super::body::{BadBody, Budget, Values, push};
use crate::program::call::{Call, FunctionName};

/// A call: the caller's name and file, the call's file and line, the callee's name and file, the number of call
/// instructions.
type CallRow = ([u32; 2], u32, u32, [u32; 2], u32);

/// Encodes calls as a table of texts and rows.
pub(in crate::file) fn of_calls(calls: &[Call]) -> Vec<u8> {
    let (mut texts, mut rows) = (IndexSet::new(), Vec::new());
    let mut number = |text: &Arc<str>| texts.insert_full(Arc::clone(text)).0 as u32;
    for Call { caller, file, line, callee, sites } in calls {
        let [caller, callee] = [caller, callee].map(|of| [number(&of.name), number(&of.file)]);
        let row: CallRow = (caller, number(file), *line, callee, *sites);
        push(&mut rows, &row);
    }
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let mut bytes = Vec::new();
    push(&mut bytes, &texts);
    bytes.extend_from_slice(&rows);
    bytes
}

/// Decodes `count` calls.
pub(in crate::file) fn calls(bytes: &[u8], count: u32, budget: &mut Budget) -> Result<Vec<Call>, BadBody> {
    let mut values = Values(bytes);
    let texts: Vec<&str> = values.next()?;
    budget.take::<Arc<str>>(2 * texts.len() as u64)?;
    budget.take_bytes(texts.iter().map(|text| text.len() as u64).sum())?;
    let texts: Vec<Arc<str>> = texts.into_iter().map(Arc::from).collect();
    let text = |number: u32| {
        let text = texts.get(number as usize).map(Arc::clone);
        text.ok_or_else(|| BadBody::Damaged(format!("has no text {number}")))
    };
    let function = |[name, file]: [u32; 2]| Ok(FunctionName { name: text(name)?, file: text(file)? });
    let mut all = Vec::new();
    for _ in 0..count {
        let (caller, file, line, callee, sites): CallRow = values.next()?;
        budget.take::<Call>(2)?;
        let (caller, callee): (Result<_, BadBody>, Result<_, BadBody>) = (function(caller), function(callee));
        all.push(Call { caller: caller?, file: text(file)?, line, callee: callee?, sites });
    }
    values.end()?;
    Ok(all)
}
