//! Charging what libraries cost to the lines that call them.
//!
//! ```text
//!   main.rs:6 ──calls, 900──▶ realloc ──700──▶ memmove      own costs: realloc 300, memmove 600
//!   main.rs:9 ──────100─────▶ realloc
//! ```
//!
//! A function's own cost goes to its callers by the inclusive costs of their calls, together with what it was charged
//! itself: memmove's 600 to realloc, which then has 900 to give, 810 to line 6 and 90 to line 9. Nothing is lost or
//! counted twice. What a line is charged for a function that calls only library code, and not itself through others, is
//! the inclusive cost of that line's calls, which callgrind measures. Elsewhere it is a division in proportion to these:
//! functions that call each other give as one, and where a library calls the program back, or a line of the
//! program calls it again from within, inclusive costs have other costs in them as well.
//!
//! What no line of the program calls, not even through others, stays where it is: what happens before `main`. A
//! function that is called from there too keeps that part.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Who calls a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    /// A line of the program: the location that is charged.
    Program(u32),
    /// Another library function.
    Library(u32),
}

/// Calls of library functions with their inclusive costs. Functions are numbered by the caller.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// By callee and caller.
    costs: BTreeMap<(u32, Caller), u64>,
}

/// What became of the costs of library functions.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Charges {
    /// Location and cost; a location can be there several times.
    pub(super) charged: Vec<(u32, u64)>,
    /// What remains of each function's own cost.
    pub(super) kept: Vec<u64>,
    /// Which part of the function's calls, by cost, the program makes, directly or through others.
    pub(super) part: Vec<f64>,
}

impl Calls {
    /// Adds a call; says whether no such call was known.
    pub(super) fn add(&mut self, caller: Caller, callee: u32, inclusive: u64) -> bool {
        let before = self.costs.len();
        if caller != Caller::Library(callee) {
            let sum = self.costs.entry((callee, caller)).or_default();
            *sum = sum.saturating_add(inclusive);
        }
        self.costs.len() > before
    }

    /// Charges `own`, the functions' own costs by number.
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
        // Functions that call each other, callees before their callers.
        let groups = kosaraju_scc(&calls);
        let mut group_of = vec![0; count];
        for (number, group) in groups.iter().enumerate() {
            for &f in group {
                group_of[f.index()] = number;
            }
        }
        // The calls of a group from outside of it.
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
    /// Which part of the inclusive cost of some calls is the program's.
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

    /// Lets functions that call each other give the program's part of what they have to those outside who call them.
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
        // Where the program's part of every call is less than one.
        let first = &mut self.kept[group[0].index()];
        *first = first.saturating_add(rest);
    }
}

/// A part of a cost, in whole numbers.
fn part(cost: u64, part: f64) -> u64 {
    // Whole costs above 2^53 have no exact f64.
    if part >= 1.0 { cost } else { ((cost as f64 * part) as u64).min(cost) }
}

/// Divides an amount in proportion, into whole numbers that add up to it; nothing where all weights are zero.
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
        // The example of the module.
        let calls = calls(&[(Program(6), 0, 810), (Program(9), 0, 90), (Library(0), 1, 600)]);
        let charges = calls.charge(&[300, 600]);
        assert_eq!(charges.charged, [(6, 810), (9, 90)]);
        assert_eq!(charges.kept, [0, 0]);
    }

    #[test]
    fn what_happens_before_the_program_stays() {
        // 2 is the loader: it calls 1 as the program does.
        let calls = calls(&[(Library(2), 1, 30), (Program(6), 1, 70), (Library(2), 3, 5)]);
        let charges = calls.charge(&[0, 100, 11, 5]);
        assert_eq!(charges.charged, [(6, 70)]);
        assert_eq!(charges.kept, [0, 30, 11, 5]);
        assert_eq!(charges.part, [0.0, 0.7, 0.0, 0.0]);
    }

    #[test]
    fn functions_that_call_each_other_give_as_one() {
        // 0 ⇄ 1, entered at 0 by line 6 and at 1 by line 9; inclusive costs of the cycle's calls are not looked at.
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
        // 0, the loader's, calls 1 as the program does; 1 calls 2.
        let calls = calls(&[(Library(0), 1, 300), (Program(6), 1, 100), (Library(1), 2, 200)]);
        let charges = calls.charge(&[7, 200, 200]);
        assert_eq!(charges.charged, [(6, 100)]);
        assert_eq!(charges.kept, [7, 150, 150]);
    }

    #[test]
    fn nothing_is_lost_in_rounding_or_in_long_chains() {
        // Every function calls the next; three lines call the first with costs that do not divide.
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
