//! Computes the counts of all blocks from the counters of some arcs.
//!
//! Compilers count as few arcs as they can: all except the arcs of a spanning tree of the control flow graph. The graph
//! includes the step from the exit through the caller back to the entry. Inflow equals outflow in every block, which
//! determines the other counts. In the drawing, `=` marks arcs with a counter, and the numbers are counter values:
//!
//! ```text
//!      1
//! entry ══▶ test ──▶ exit
//!            │▲
//!            ▼║ 60
//!           body
//! ```
//!
//! A block's *excess* is its known inflow minus its known outflow. At a leaf of the tree, the only unknown arc carries
//! exactly the excess. It passes it on to its other end: the excess there grows by the leaf's, whichever way the arc
//! points. So one pass over the blocks from the leaves to the root solves the function. The order depends only on the
//! graph and is computed once ([`FlowPlan::new`]). Example with `test` as the root: `body` has −60 (60 are known to
//! leave it), so `test ──▶ body` carries 60. `exit` has 0 and `entry` −1, so the step `exit ──▶ entry` carries 1. Now
//! `exit` has −1, so `test ──▶ exit` carries 1. `test` ran 61 times.
//!
//! Sums cannot overflow: they are `i128`.

use super::notes::{Arc, FunctionNotes};

/// Execution counts of the blocks of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCounts {
    blocks: Vec<u64>,
    doubt: Option<Doubt>,
}

/// Reason why the counts of a function may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Doubt {
    /// Some arc would have a negative count; such counts become 0.
    ///
    /// Threads may have written counters at the same time without `-fprofile-update=atomic`. The counters may have been
    /// written in the middle of the function. With clang, a call in the function may never have returned.
    Contradictory,
    /// The notes lack a counter or an arc that the counts of some blocks depend on. Unknown counts are 0, and blocks
    /// near them are wrong. clang's notes are like this if it split an arc between two blocks and omitted the arc into
    /// the new block.
    Undetermined,
}

impl FunctionCounts {
    pub(crate) fn zeros(blocks: usize) -> Self {
        Self { blocks: vec![0; blocks], doubt: None }
    }

    /// Adds counts, `[blocks]`.
    pub(crate) fn add(&mut self, blocks: &[u64], doubt: Option<Doubt>) {
        self.blocks.iter_mut().zip(blocks).for_each(|(sum, &b)| *sum = sum.saturating_add(b));
        self.doubt = self.doubt.or(doubt);
    }

    /// Returns executions, `[blocks]`. Block 0 is the entry, and its count is the number of calls. A return by
    /// `longjmp` does not count as a call.
    pub fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// Returns the reason why the counts may be wrong, if any.
    pub fn doubt(&self) -> Option<Doubt> {
        self.doubt
    }
}

/// Steps that solve one function, independent of the counter values.
#[derive(Clone, Debug)]
pub(crate) struct FlowPlan {
    blocks: usize,
    /// Arcs with a counter, in the order of the counters.
    counted: Vec<Flow>,
    /// Steps from the leaves to the root.
    steps: Vec<Step>,
    is_determined: bool,
}

/// An arc, and the meaning of its count.
#[derive(Clone, Copy, Debug)]
struct Flow {
    source: u32,
    destination: u32,
    meaning: Meaning,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Control went that way.
    Jump,
    /// A call did not return. If counted negatively, it returned again: `setjmp`.
    CallWithoutReturn,
    /// Control came back into the middle of the function other than by a return. Not a call.
    Reentry,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    block: u32,
    parent: u32,
    /// True if the arc goes from the block to its parent.
    is_upward: bool,
    meaning: Meaning,
}

impl Flow {
    fn from_arc(arc: Arc) -> Self {
        let meaning = match (arc.is_fake(), arc.source) {
            (false, _) => Meaning::Jump,
            (true, 0) => Meaning::Reentry,
            (true, _) => Meaning::CallWithoutReturn,
        };
        Self { source: arc.source, destination: arc.destination, meaning }
    }
}

/// Reusable memory for [`FlowPlan::solve`].
#[derive(Default)]
pub(crate) struct Scratch {
    excess: Vec<i128>,
    outflow: Vec<i128>,
    blocks: Vec<u64>,
}

impl Scratch {
    /// Returns the counts of the function solved last, `[blocks]`.
    pub(crate) fn blocks(&self) -> &[u64] {
        &self.blocks
    }
}

impl FlowPlan {
    /// - Time and memory: O(blocks + arcs).
    pub(crate) fn new(function: &FunctionNotes) -> Self {
        let blocks = function.block_count() as usize;
        let (tree, counted): (Vec<Arc>, Vec<Arc>) =
            function.arcs().iter().copied().partition(|a| a.is_on_tree());
        let counted = counted.into_iter().map(Flow::from_arc).collect();
        let mut tree: Vec<Flow> = tree.into_iter().map(Flow::from_arc).collect();
        if function.exit_block() != 0 {
            tree.push(Flow { source: function.exit_block(), destination: 0, meaning: Meaning::Jump });
        }
        let (steps, is_determined) = order(blocks, &tree);
        let is_determined = is_determined && is_every_block_entered(function);
        Self { blocks, counted, steps, is_determined }
    }

    /// Returns the number of counters that the plan needs.
    pub(crate) fn counters(&self) -> usize {
        self.counted.len()
    }

    /// Computes the counts of the blocks into the scratch memory. `counters` must have [`Self::counters`] values.
    ///
    /// - Time: O(blocks + arcs).
    pub(crate) fn solve(&self, counters: &[u64], scratch: &mut Scratch) -> Option<Doubt> {
        let Scratch { excess, outflow, blocks } = scratch;
        for sums in [&mut *excess, &mut *outflow] {
            sums.clear();
            sums.resize(self.blocks, 0);
        }
        let mut is_contradictory = false;
        for (flow, &count) in self.counted.iter().zip(counters) {
            let (source, destination) = (flow.source as usize, flow.destination as usize);
            // The runtimes count in signed numbers; none reaches 2^63.
            let count = i128::from(count.cast_signed());
            is_contradictory |= count < 0;
            excess[destination] += count;
            excess[source] -= count;
            if flow.meaning != Meaning::Reentry {
                outflow[source] += count;
            }
        }
        for &Step { block, parent, is_upward, meaning } in &self.steps {
            let (block, parent) = (block as usize, parent as usize);
            let surplus = std::mem::take(&mut excess[block]);
            excess[parent] += surplus;
            let (source, count) = if is_upward { (block, surplus) } else { (parent, -surplus) };
            is_contradictory |= count < 0 && meaning != Meaning::CallWithoutReturn;
            if meaning != Meaning::Reentry {
                outflow[source] += count;
            }
        }
        // Only the roots still hold their excess.
        is_contradictory |= excess.iter().any(|&e| e != 0);
        is_contradictory |= outflow.iter().any(|&o| o < 0);
        blocks.clear();
        blocks.extend(outflow.iter().map(|&o| u64::try_from(o.max(0)).unwrap_or(u64::MAX)));
        match (self.is_determined, is_contradictory) {
            (false, _) => Some(Doubt::Undetermined),
            (true, true) => Some(Doubt::Contradictory),
            (true, false) => None,
        }
    }
}

/// Returns true if control can enter every block that it leaves. Compilers remove unreachable code, so a block without
/// an incoming arc is one whose arc is missing.
///
/// gcc omits incoming arcs on purpose for returns from `setjmp`; its calls have fake arcs.
fn is_every_block_entered(function: &FunctionNotes) -> bool {
    let mut is_entered = vec![false; function.block_count() as usize];
    function.arcs().iter().for_each(|a| is_entered[a.destination as usize] = true);
    function.arcs().iter().all(|a| a.source == 0 || is_entered[a.source as usize])
        || function.arcs().iter().any(|a| a.is_fake())
}

/// Returns the steps from the leaves of the tree to its roots, and true if it is a tree. The roots are block 0 and one
/// per part of the graph that the tree does not connect with it. Arcs that close a cycle are skipped.
fn order(blocks: usize, tree: &[Flow]) -> (Vec<Step>, bool) {
    let mut first = vec![0_u32; blocks + 1];
    for block in tree.iter().flat_map(|a| [a.source, a.destination]) {
        first[block as usize + 1] += 1;
    }
    for block in 0..blocks {
        first[block + 1] += first[block];
    }
    let mut next = first.clone();
    let mut at_block = vec![0_u32; tree.len() * 2];
    for (arc, flow) in tree.iter().enumerate() {
        for block in [flow.source, flow.destination] {
            at_block[next[block as usize] as usize] = arc as u32;
            next[block as usize] += 1;
        }
    }

    let mut is_seen = vec![false; blocks];
    let mut steps: Vec<Step> = Vec::with_capacity(blocks);
    let mut queue: Vec<u32> = Vec::with_capacity(blocks);
    for root in 0..blocks {
        if is_seen[root] {
            continue;
        }
        is_seen[root] = true;
        queue.clear();
        queue.push(root as u32);
        let mut head = 0;
        while let Some(&parent) = queue.get(head) {
            head += 1;
            let arcs = first[parent as usize] as usize..first[parent as usize + 1] as usize;
            for &arc in &at_block[arcs] {
                let Flow { source, destination, meaning } = tree[arc as usize];
                let is_upward = destination == parent;
                let block = if is_upward { source } else { destination };
                if !std::mem::replace(&mut is_seen[block as usize], true) {
                    steps.push(Step { block, parent, is_upward, meaning });
                    queue.push(block);
                }
            }
        }
    }
    steps.reverse();
    // A forest uses all of its arcs.
    let is_determined = steps.len() == tree.len();
    (steps, is_determined)
}
