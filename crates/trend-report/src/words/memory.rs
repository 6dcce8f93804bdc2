//! Describes allocated memory: the line that holds most, and predicted bytes.

use trend_analyze::{MemoryHolder, Outlook};

use crate::layout::number;
use crate::layout::text::{brief, visible};

/// Maximum width of a function's name in the table and in sentences.
pub(crate) const FUNCTION_WIDTH: usize = 32;

/// Describes the line that holds the most memory: `Memory: parse.c:40 in read_all holds 78 % of the heap at its peak,
/// and grows as n.`
pub(crate) fn holder(holder: &MemoryHolder) -> String {
    let function = match holder.function.as_str() {
        "" => String::new(),
        name if name == holder.name => String::new(),
        name => format!(" in {}", brief(name, FUNCTION_WIDTH)),
    };
    let growth = match holder.growth.as_deref() {
        None => String::new(),
        Some("1") => ", and does not grow".to_owned(),
        Some(growth) => format!(", and grows as {growth}"),
    };
    let (name, share) = (visible(&holder.name), number::share(holder.share));
    format!("Memory: {name}{function} holds {share} of the heap at its peak{growth}.")
}

/// Formats predicted bytes with their interval: `8.2 GB (7.9–8.5)`.
pub(crate) fn bytes_of(outlook: &Outlook) -> String {
    number::bytes_with_interval(outlook.cost, outlook.ci.filter(|[low, high]| low < high))
}
