//! Builds the tree of calling contexts from the callers that a study names.
//!
//! ```text
//! sort in `main → parse`      x main 1 -1      main has no caller
//!                             x parse 2 1      parse in main
//!                             x sort 3 2       the context itself
//! ```
//!
//! Exports and the page use the tree. `ui/src/plot/icicle.tsx` draws it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use indexmap::IndexSet;
use trend_analyze::SeriesRow;
use trend_profile::Place;

/// A routine in a calling context: the number of the routine, and the number of the caller's context.
type Node = (usize, Option<usize>);

/// A tree of calling contexts, with numbered routines and contexts.
pub(crate) struct Tree {
    /// Routine numbers by name, in the form in which contexts name callers.
    routines: HashMap<String, usize>,
    /// Names of callers without a profile in the study, by their numbers.
    callers: BTreeMap<usize, String>,
    next: usize,
    /// Contexts in the order of their numbers, which start at 1.
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
}

impl Tree {
    /// Returns a tree for routines with these names, numbered in their order.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let (mut routines, mut next) = (HashMap::new(), 0);
        for name in names {
            routines.entry(Place::caller_name(name).to_owned()).or_insert(next);
            next += 1;
        }
        Self { routines, callers: BTreeMap::new(), next, nodes: Vec::new(), numbers: HashMap::new() }
    }

    /// Returns the number of a routine's context, after adding the contexts that are missing.
    pub(crate) fn context(&mut self, routine: usize, callers: &str) -> usize {
        let mut parent = None;
        for name in Place::callers_in(callers) {
            let caller = self.number_of(name);
            parent = Some(self.node(caller, parent));
        }
        self.node(routine, parent)
    }

    /// Returns the number of a context's routine.
    pub(crate) fn routine(&self, context: usize) -> usize {
        self.nodes[context - 1].0
    }

    fn number_of(&mut self, name: &str) -> usize {
        if let Some(number) = self.routines.get(name) {
            return *number;
        }
        let number = self.next;
        self.next += 1;
        self.routines.insert(name.to_owned(), number);
        self.callers.insert(number, name.to_owned());
        number
    }

    fn node(&mut self, routine: usize, parent: Option<usize>) -> usize {
        let next = self.nodes.len() + 1;
        let number = *self.numbers.entry((routine, parent)).or_insert(next);
        if number == next {
            self.nodes.push((routine, parent));
        }
        number
    }

    /// Returns the tree of the selected contexts, and their numbers in it. Each context is placed below its nearest
    /// selected caller. Contexts that differ only in other callers are merged.
    pub(crate) fn restricted_to(self, contexts: impl Fn(usize) -> bool) -> (Self, BTreeMap<usize, usize>) {
        let mut tree = Self { nodes: Vec::new(), numbers: HashMap::new(), ..self };
        let mut numbers = BTreeMap::new();
        for (index, (routine, parent)) in
            self.nodes.iter().enumerate().filter(|(index, _)| contexts(index + 1))
        {
            let mut callers = std::iter::successors(*parent, |number| self.nodes[number - 1].1);
            let parent = callers.find_map(|caller| numbers.get(&caller).copied());
            numbers.insert(index + 1, tree.node(*routine, parent));
        }
        (tree, numbers)
    }

    /// Returns the lines of the tree, callers first.
    pub(crate) fn lines(&self) -> String {
        let mut text = String::new();
        for (index, (routine, parent)) in self.nodes.iter().enumerate() {
            let parent = parent.map_or("-1".to_owned(), |p| p.to_string());
            let _ = writeln!(text, "x {routine} {} {parent}", index + 1);
        }
        text
    }
}

/// A node of the calling contexts of some rows.
pub(crate) struct ContextNode {
    /// Index of its caller's node; `None` for a root.
    pub(crate) caller: Option<usize>,
    pub(crate) name: String,
    /// Index of its row; `None` for a caller without a row.
    pub(crate) row: Option<usize>,
}

/// Returns the contexts of rows, callers before callees. Routines with one name in several files are separate nodes,
/// but their callees are all placed below the first of them.
pub(crate) fn contexts(rows: &[&SeriesRow]) -> Vec<ContextNode> {
    let routines: IndexSet<(&str, &str)> = rows.iter().map(|row| (&*row.name, &*row.object)).collect();
    let mut tree = Tree::new(routines.iter().map(|(name, _)| *name));
    let mut indices = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        let routine = routines.get_index_of(&(&*row.name, &*row.object)).unwrap_or_default();
        indices.insert(tree.context(routine, row.context.as_deref().unwrap_or_default()), index);
    }
    let name = |routine: &usize| {
        let name = routines.get_index(*routine).map(|(name, _)| *name);
        name.or_else(|| tree.callers.get(routine).map(String::as_str)).unwrap_or("?").to_owned()
    };
    let node = |(index, (routine, caller)): (usize, &Node)| ContextNode {
        caller: caller.map(|number| number - 1),
        name: name(routine),
        row: indices.get(&(index + 1)).copied(),
    };
    tree.nodes.iter().enumerate().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_are_nodes_once_each() {
        let mut tree = Tree::new(["main", "parse", "sort"].into_iter());
        assert_eq!(tree.context(2, "main → parse"), 3);
        assert_eq!(tree.context(1, "main"), 2);
        assert_eq!(tree.context(0, "(no caller)"), 1);
        assert_eq!(tree.context(2, "… → sort"), 6);
        assert_eq!(tree.lines(), "x 0 1 -1\nx 1 2 1\nx 2 3 2\nx 3 4 -1\nx 2 5 4\nx 2 6 5\n");
        let (part, numbers) = tree.restricted_to(|context| [1, 3, 6].contains(&context));
        assert_eq!(part.lines(), "x 0 1 -1\nx 2 2 1\nx 2 3 -1\n");
        assert_eq!(numbers, BTreeMap::from([(1, 1), (3, 2), (6, 3)]));
    }
}
