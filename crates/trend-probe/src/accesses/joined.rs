//! Joins accesses to adjacent cells.

use super::placed::Placed;
use crate::ir::value::Block;
use crate::options::Options;
use crate::routines::calls::{may_not_return, may_wait};

/// Maximum number of bytes that are checked together.
const MOST_TOGETHER: i64 = 64;

/// Joins accesses of one kind to adjacent whole cells of 4 bytes. Nothing between them may change which cells are new.
pub(super) fn together(block: Block, accesses: Vec<Placed>, options: Options) -> Vec<Placed> {
    if options.cell_shift != 2 || accesses.len() < 2 {
        return accesses;
    }
    let mut accesses = accesses.into_iter().peekable();
    let mut all = Vec::new();
    let mut group: Vec<Placed> = Vec::new();
    for instruction in block.instructions() {
        let waits = may_not_return(instruction) || (options.is_dynamic && may_wait(instruction));
        if waits {
            all.extend(joined(&std::mem::take(&mut group)));
        }
        while let Some(placed) = accesses.next_if(|placed| placed.access.at == instruction) {
            if group.last().is_some_and(|last| last.access.kind != placed.access.kind) {
                all.extend(joined(&std::mem::take(&mut group)));
            }
            group.push(placed);
        }
        if waits {
            all.extend(joined(&std::mem::take(&mut group)));
        }
    }
    all.extend(joined(&group));
    all
}

/// Joins adjacent accesses. A joined access is at the first of its members.
fn joined(group: &[Placed]) -> Vec<Placed> {
    let is_whole = |placed: &Placed| {
        let size = |(from, to): (i64, i64)| to - from;
        placed.access.alignment >= 4
            && placed.bytes().is_some_and(|bytes| size(bytes) % 4 == 0 && size(bytes) <= MOST_TOGETHER)
    };
    let mut is_done = vec![false; group.len()];
    let mut all = Vec::new();
    for first in 0..group.len() {
        if is_done[first] {
            continue;
        }
        let mut members = vec![first];
        if let Some(mut range) = group[first].bytes().filter(|_| is_whole(&group[first])) {
            let others = || {
                (first + 1..group.len()).filter(|other| group[*other].address.sum == group[first].address.sum)
            };
            while let Some((other, wider)) =
                others().filter(|other| !is_done[*other] && !members.contains(other)).find_map(|other| {
                    let (from, to) = group[other].bytes().filter(|_| is_whole(&group[other]))?;
                    let wider = (range.0.min(from), range.1.max(to));
                    let touches = from <= range.1 && range.0 <= to;
                    (touches && wider.1 - wider.0 <= MOST_TOGETHER).then_some((other, wider))
                })
            {
                members.push(other);
                range = wider;
            }
            if members.len() > 1 {
                let those: Vec<&Placed> = members.iter().map(|of| &group[*of]).collect();
                all.push(Placed::covering(range, &those));
                for of in members {
                    is_done[of] = true;
                }
                continue;
            }
        }
        let Placed { access, address } = &group[first];
        all.push(Placed { access: *access, address: address.clone() });
    }
    all
}
