//! Charges the costs of libraries to the lines that call them.
//!
//! ```text
//!   main.rs:6 ──calls, 900──▶ realloc ──700──▶ memmove      own costs: realloc 300, memmove 600
//!   main.rs:9 ──────100─────▶ realloc
//! ```
//!
//! A function's own cost goes to its callers in proportion to the inclusive costs of their calls, together with the
//! cost charged to the function. In the example, memmove's 600 go to realloc. realloc then has 900 to give: 810 to line
//! 6 and 90 to line 9. Nothing is lost or counted twice. If a function only calls library code and is not recursive, a
//! line is charged the inclusive cost of its calls, as measured by callgrind. In other cases the division is an
//! approximation. Functions that call each other are treated as one. If a library calls the program back, or a line is
//! called again from within, inclusive costs contain other costs as well.
//!
//! Functions that no line of the program calls, not even indirectly, keep their costs. They run before `main`. A
//! function that is called from there too keeps that part.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Caller of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    /// A line of the program: the location that is charged.
    Program(u32),
    /// Another library function, by number.
    Library(u32),
}

/// Calls of library functions with their inclusive costs. Functions are numbered by the user of this type.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Costs by callee and caller.
    costs: BTreeMap<(u32, Caller), u64>,
}

/// Distribution of the costs of library functions.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Charges {
    /// Location and cost; a location can occur several times.
    pub(super) charged: Vec<(u32, u64)>,
    /// Remaining own cost of each function.
    pub(super) kept: Vec<u64>,
    /// Share of each function's calls, by cost, that the program makes directly or indirectly.
    pub(super) part: Vec<f64>,
}

impl Calls {
    /// Adds a call. Returns true if it is the first from this caller to this callee.
    pub(super) fn add(&mut self, caller: Caller, callee: u32, inclusive: u64) -> bool {
        let before = self.costs.len();
        if caller != Caller::Library(callee) {
            let sum = self.costs.entry((callee, caller)).or_default();
            *sum = sum.saturating_add(inclusive);
        }
        self.costs.len() > before
    }

    /// Distributes `own`, the functions' own costs by number.
    ///
    /// - Time: O(functions + calls · log calls).
    pub(super) fn charge(&self, own: &[u64]) -> Charges {
        let count = own.len();
        let mut calls: DiGraph<(), ()> = DiGraph::with_capacity(count, self.costs.len());
        for _ in 0..count {
            calls.add_node(());
        }
        let mut callers: Vec<Vec<(Caller, u64)>> = vec![Vec::new(); count];
        for (&(callee, caller), &cost) in self.costs.iter().filter(|(_, cost)| **cost > 0) {
            callers[callee as usize].push((caller, cost));
            if let Caller::Library(caller) = caller {
                calls.add_edge(caller.into(), callee.into(), ());
            }
        }
        // Groups of functions that call each other, callees before their callers.
        let groups = kosaraju_scc(&calls);
        let mut group_of = vec![0; count];
        for (number, group) in groups.iter().enumerate() {
            for &f in group {
                group_of[f.index()] = number;
            }
        }
        // Returns the calls of a group from outside.
        let calls_of = |number: usize| {
            let all = groups[number].iter().flat_map(|f| &callers[f.index()]);
            let group_of = &group_of;
            all.filter(
                move |(caller, _)| !matches!(caller, Caller::Library(f) if group_of[*f as usize] == number),
            )
        };
        let mut charges = Charges { charged: Vec::new(), kept: own.to_vec(), part: vec![0.0; count] };
        for number in (0..groups.len()).rev() {
            let part = charges.part_of(calls_of(number));
            for f in &groups[number] {
                charges.part[f.index()] = part;
            }
        }
        let mut received = vec![0_u64; count];
        for (number, group) in groups.iter().enumerate() {
            charges.give(group, calls_of(number), &mut received);
        }
        charges
    }
}

impl Charges {
    /// Returns the program's share of the inclusive cost of some calls.
    fn part_of<'c>(&self, calls: impl Iterator<Item = &'c (Caller, u64)>) -> f64 {
        let (mut of_program, mut all) = (0.0, 0.0);
        for &(caller, cost) in calls {
            all += cost as f64;
            of_program += cost as f64
                * match caller {
                    Caller::Program(_) => 1.0,
                    Caller::Library(f) => self.part[f as usize],
                };
        }
        if all > 0.0 { of_program / all } else { 0.0 }
    }

    /// Distributes the program's share of a group's costs to the callers outside of the group.
    fn give<'c>(
        &mut self,
        group: &[NodeIndex],
        calls: impl Iterator<Item = &'c (Caller, u64)> + Clone,
        received: &mut [u64],
    ) {
        let mut all = 0_u64;
        for f in group.iter().map(|f| f.index()) {
            let given = part(self.kept[f], self.part[f]);
            self.kept[f] -= given;
            all = all.saturating_add(given).saturating_add(received[f]);
        }
        if all == 0 {
            return;
        }
        let parts = &self.part;
        let weights = calls.clone().map(|&(caller, cost)| match caller {
            Caller::Program(_) => cost,
            Caller::Library(f) => part(cost, parts[f as usize]),
        });
        let mut rest = all;
        for ((caller, _), share) in calls.zip(shares(all, weights)) {
            rest -= share;
            match *caller {
                Caller::Program(location) => self.charged.push((location, share)),
                Caller::Library(f) => received[f as usize] = received[f as usize].saturating_add(share),
            }
        }
        // If the program's part of every call rounds down to a cost of zero, everything stays in the group.
        let first = &mut self.kept[group[0].index()];
        *first = first.saturating_add(rest);
    }
}

/// Returns a fraction of a cost, rounded down.
fn part(cost: u64, part: f64) -> u64 {
    // Whole costs above 2^53 have no exact f64.
    if part >= 1.0 { cost } else { ((cost as f64 * part) as u64).min(cost) }
}

/// Divides an amount into whole numbers in proportion to the weights. They add up to the amount, or are zero if all
/// weights are.
pub(super) fn shares(amount: u64, weights: impl Iterator<Item = u64> + Clone) -> impl Iterator<Item = u64> {
    let all = weights.clone().fold(0_u64, u64::saturating_add).max(1);
    let mut before = (0_u64, 0_u64);
    weights.map(move |weight| {
        let sum = before.0.saturating_add(weight);
        let given = (u128::from(amount) * u128::from(sum) / u128::from(all)) as u64;
        let share = given - before.1;
        before = (sum, given);
        share
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(all: &[(Caller, u32, u64)]) -> Calls {
        let mut calls = Calls::default();
        for &(caller, callee, cost) in all {
            calls.add(caller, callee, cost);
        }
        calls
    }

    use Caller::{Library, Program};

    #[test]
    fn a_line_pays_what_its_calls_cost_inclusively() {
        // The example in the module's documentation.
        let calls = calls(&[(Program(6), 0, 810), (Program(9), 0, 90), (Library(0), 1, 600)]);
        let charges = calls.charge(&[300, 600]);
        assert_eq!(charges.charged, [(6, 810), (9, 90)]);
        assert_eq!(charges.kept, [0, 0]);
    }

    #[test]
    fn what_happens_before_the_program_stays() {
        // Function 2 is the loader; like the program, it calls 1.
        let calls = calls(&[(Library(2), 1, 30), (Program(6), 1, 70), (Library(2), 3, 5)]);
        let charges = calls.charge(&[0, 100, 11, 5]);
        assert_eq!(charges.charged, [(6, 70)]);
        assert_eq!(charges.kept, [0, 30, 11, 5]);
        assert_eq!(charges.part, [0.0, 0.7, 0.0, 0.0]);
    }

    #[test]
    fn functions_that_call_each_other_give_as_one() {
        // Functions 0 and 1 call each other. Line 6 enters at 0, line 9 at 1. Inclusive costs of calls within the cycle
        // are ignored.
        let calls = calls(&[
            (Program(6), 0, 300),
            (Program(9), 1, 100),
            (Library(0), 1, 999),
            (Library(1), 0, 888),
            (Library(1), 1, 777),
        ]);
        let charges = calls.charge(&[200, 200]);
        assert_eq!(charges.charged, [(6, 300), (9, 100)]);
    }

    #[test]
    fn what_the_loader_costs_is_not_moved_among_its_functions() {
        // Function 0 of the loader and the program both call 1, which calls 2.
        let calls = calls(&[(Library(0), 1, 300), (Program(6), 1, 100), (Library(1), 2, 200)]);
        let charges = calls.charge(&[7, 200, 200]);
        assert_eq!(charges.charged, [(6, 100)]);
        assert_eq!(charges.kept, [7, 150, 150]);
    }

    #[test]
    fn nothing_is_lost_in_rounding_or_in_long_chains() {
        // Every function calls the next one. Three lines call the first one, with costs that do not divide evenly.
        let count = 200_000;
        let mut all: Vec<(Caller, u32, u64)> = (1..count).map(|f| (Library(f - 1), f, 7)).collect();
        all.extend([(Program(1), 0, 1), (Program(2), 0, 1), (Program(3), 0, 1)]);
        let charges = calls(&all).charge(&vec![1; count as usize]);
        assert_eq!(charges.charged.iter().map(|(_, cost)| cost).sum::<u64>(), u64::from(count));
        assert!(charges.charged.iter().all(|(_, cost)| cost.abs_diff(u64::from(count) / 3) <= 1));
    }

    #[test]
    fn huge_costs_neither_overflow_nor_get_lost() {
        let calls = calls(&[(Program(1), 0, u64::MAX), (Program(2), 0, u64::MAX)]);
        let charges = calls.charge(&[u64::MAX]);
        assert_eq!(
            charges.charged.iter().map(|(_, cost)| u128::from(*cost)).sum::<u128>(),
            u128::from(u64::MAX)
        );
    }
}
