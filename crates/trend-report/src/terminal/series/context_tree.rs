//! Shows the tree of calling contexts: the callees are below each routine, the most expensive first.
//!
//! ```text
//! main
//!   parse          a series in `main`
//!     value        one in `main → parse`
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trend_analyze::SeriesRow;
use trend_profile::SeriesWords;

use crate::layout::columns::{Column, Columns, Room};
use crate::layout::number;
use crate::layout::text::brief;
use crate::options::Sort;
use crate::rows::call_tree::{ContextNode, contexts};
use crate::rows::selection::exponent_of_series;
use crate::words::{cells, series};

/// Spaces of indentation per level.
const STEP: usize = 2;

/// A routine below its caller.
pub(crate) struct Node<'a> {
    depth: usize,
    name: String,
    /// Series of the routine; absent for a caller that is known only by name.
    row: Option<&'a SeriesRow>,
    /// Cost of the routine; if unknown, the summed cost of its callees.
    cost: u64,
    called: Vec<usize>,
}

/// Returns the `most` most expensive nodes of the tree of the rows with a context, callers first, and the number of all
/// nodes.
pub(crate) fn nodes<'a>(rows: &[&'a SeriesRow], sort: Sort, most: usize) -> (Vec<Node<'a>>, usize) {
    let rows: Vec<&SeriesRow> = rows.iter().copied().filter(|row| row.context.is_some()).collect();
    let mut nodes: Vec<Node<'a>> = Vec::new();
    let mut roots = Vec::new();
    for (number, ContextNode { caller, name, row }) in contexts(&rows).into_iter().enumerate() {
        let depth = caller.map_or(0, |caller| nodes[caller].depth + 1);
        match caller {
            Some(caller) => nodes[caller].called.push(number),
            None => roots.push(number),
        }
        nodes.push(Node { depth, name, row: row.map(|row| rows[row]), cost: 0, called: Vec::new() });
    }
    // Callers precede their callees.
    for number in (0..nodes.len()).rev() {
        let below =
            nodes[number].called.iter().map(|called| nodes[*called].cost).fold(0, u64::saturating_add);
        nodes[number].cost = nodes[number].row.map_or(below, SeriesRow::cumulative);
    }
    let mut is_shown = vec![false; nodes.len()];
    let mut next: BinaryHeap<(u64, Reverse<usize>)> = BinaryHeap::new();
    next.extend(roots.iter().map(|root| (nodes[*root].cost, Reverse(*root))));
    for _ in 0..most {
        let Some((_, Reverse(number))) = next.pop() else { break };
        is_shown[number] = true;
        next.extend(nodes[number].called.iter().map(|called| (nodes[*called].cost, Reverse(*called))));
    }
    let all = nodes.len();
    let mut places: Vec<usize> = Vec::new();
    let mut open = vec![roots];
    while let Some(siblings) = open.last_mut() {
        sort_siblings(siblings, &nodes, sort);
        let Some(number) = siblings.pop() else {
            open.pop();
            continue;
        };
        if is_shown[number] {
            places.push(number);
            open.push(nodes[number].called.clone());
        }
    }
    let mut nodes: Vec<Option<Node<'a>>> = nodes.into_iter().map(Some).collect();
    (places.into_iter().filter_map(|place| nodes[place].take()).collect(), all)
}

/// Sorts siblings so that the first to be shown is last.
fn sort_siblings(siblings: &mut [usize], nodes: &[Node<'_>], sort: Sort) {
    let steepness = |node: &Node<'_>| node.row.map_or(f64::NEG_INFINITY, exponent_of_series);
    siblings.sort_by(|a, b| {
        let [a, b] = [a, b].map(|number| &nodes[*number]);
        let by_cost = a.cost.cmp(&b.cost).then_with(|| b.name.cmp(&a.name));
        if sort == Sort::Exponent { steepness(a).total_cmp(&steepness(b)).then(by_cost) } else { by_cost }
    });
}

/// Returns the columns of a table of nodes.
pub(crate) fn columns(nodes: &[Node<'_>], words: SeriesWords) -> Vec<Column> {
    let cell = |cost: u64| cells::aligned(number::count(cost));
    let law = |node: &Node<'_>| node.row.map(|row| series::fit(&row.worst));
    Columns::new(nodes)
        .left(words.place, Room::Shrinks(24), |node| {
            " ".repeat(STEP * node.depth) + &brief(&node.name, usize::MAX)
        })
        .right(&format!("{}s", words.execution), Room::Goes(3), |node| node.row.map(|row| cell(row.count)))
        .right("cost", Room::Fixed, |node| node.row.map(|row| cell(row.cumulative())))
        .right("cumulative", Room::Goes(1), |node| node.row.map(|row| number::share(row.share)))
        .right("self", Room::Goes(2), |node| node.row.and_then(|row| row.self_share).map(number::share))
        .right("tuples", Room::Goes(5), |node| node.row.map(|row| row.sizes.to_string()))
        .left(&format!("worst {} grows", words.execution), Room::Fixed, |node| {
            node.row.and_then(|row| row.worst.fits.law()).map(cells::growth_or_trends)
        })
        .left("worst", Room::Goes(4), law)
        .columns
}
