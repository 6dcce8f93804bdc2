//! The tree of a record's calling contexts, with the recorded costs.

use std::collections::{BTreeMap, HashMap};

use trend_profile::{Observation, ObservationParts, OwnCosts, OwnInput};

/// Maximum number of callers of a context; deeper contexts count as called by an unknown caller. A context of the probe
/// has no routine twice.
const DEEPEST: usize = 1000;

/// Caller of a context's routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    /// No probed routine called it.
    Nobody,
    Unknown,
    /// The routine of this context called it.
    In(usize),
}

/// All contexts, callers before callees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contexts {
    pub(super) all: Vec<Context>,
    numbers: HashMap<(Caller, usize), usize>,
}

/// A routine in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) routine: usize,
    pub(super) caller: Caller,
    depth: usize,
    pub(super) sizes: Sizes,
}

/// Recorded activations by their size, and by the part of the size that counts again.
pub(super) type Sizes = BTreeMap<(u64, u64), Recorded>;

/// Totals over all activations of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded {
    pub(super) calls: u64,
    pub(super) least: u64,
    pub(super) greatest: u64,
    pub(super) sum: u64,
    pub(super) squares: u128,
    pub(super) outermost: u64,
    pub(super) own: u64,
    pub(super) own_least: u64,
    pub(super) own_greatest: u64,
    pub(super) own_squares: u128,
    pub(super) from_threads: u64,
    pub(super) from_kernel: u64,
    pub(super) own_from_threads: u64,
    pub(super) own_from_kernel: u64,
}

impl Contexts {
    /// Returns the number of a routine's context. If the routine calls itself directly or indirectly, as in the record
    /// of a forked process, it is the number of the outer activation's context.
    ///
    /// - Time: O([`DEEPEST`]).
    pub(super) fn number(&mut self, caller: Caller, routine: usize) -> usize {
        let mut depth = 0;
        let mut above = caller;
        while let Caller::In(number) = above {
            if self.all[number].routine == routine {
                return number;
            }
            depth = depth.max(self.all[number].depth + 1);
            above = self.all[number].caller;
        }
        let (caller, depth) = if depth > DEEPEST { (Caller::Unknown, 0) } else { (caller, depth) };
        *self.numbers.entry((caller, routine)).or_insert_with(|| {
            self.all.push(Context { routine, caller, depth, sizes: Sizes::new() });
            self.all.len() - 1
        })
    }

    /// Returns the callers of a context as numbers of routines, innermost first. A last `None` means that further
    /// callers are unknown.
    pub(super) fn callers(&self, context: &Context) -> impl Iterator<Item = Option<usize>> {
        let mut next = context.caller;
        std::iter::from_fn(move || match next {
            Caller::Nobody => None,
            Caller::Unknown => {
                next = Caller::Nobody;
                Some(None)
            }
            Caller::In(number) => {
                next = self.all[number].caller;
                Some(Some(self.all[number].routine))
            }
        })
    }
}

/// Adds activations of one size.
pub(super) fn add(sizes: &mut Sizes, size: (u64, u64), more: &Recorded) {
    let nothing = Recorded { least: u64::MAX, own_least: u64::MAX, ..Recorded::default() };
    let sum = sizes.entry(size).or_insert(nothing);
    sum.calls = sum.calls.saturating_add(more.calls);
    sum.least = sum.least.min(more.least);
    sum.greatest = sum.greatest.max(more.greatest);
    sum.sum = sum.sum.saturating_add(more.sum);
    sum.squares = sum.squares.saturating_add(more.squares);
    sum.outermost = sum.outermost.saturating_add(more.outermost);
    sum.own = sum.own.saturating_add(more.own);
    sum.own_least = sum.own_least.min(more.own_least);
    sum.own_greatest = sum.own_greatest.max(more.own_greatest);
    sum.own_squares = sum.own_squares.saturating_add(more.own_squares);
    sum.from_threads = sum.from_threads.saturating_add(more.from_threads);
    sum.from_kernel = sum.from_kernel.saturating_add(more.from_kernel);
    sum.own_from_threads = sum.own_from_threads.saturating_add(more.own_from_threads);
    sum.own_from_kernel = sum.own_from_kernel.saturating_add(more.own_from_kernel);
}

impl Recorded {
    /// Returns activations with equal costs, inclusive and own, that read nothing again.
    pub(super) fn of_equal(calls: u64, cost: u64, own: u64, is_outermost: bool) -> Self {
        let squares = |of: u64| (u128::from(of) * u128::from(of)).saturating_mul(calls.into());
        let sum = cost.saturating_mul(calls);
        Self {
            calls,
            least: cost,
            greatest: cost,
            sum,
            squares: squares(cost),
            outermost: if is_outermost { sum } else { 0 },
            own: own.saturating_mul(calls),
            own_least: own,
            own_greatest: own,
            own_squares: squares(own),
            ..Self::default()
        }
    }

    /// Converts to an observation; costs are multiplied by `scale`.
    pub(super) fn observation(&self, size: u64, scale: u64, is_dynamic: bool) -> Observation {
        let cost = |cost: u64| cost.saturating_mul(scale);
        let squares = |squares: u128| squares as f64 * (scale * scale) as f64;
        Observation {
            count: self.calls,
            min: cost(self.least.min(self.greatest)),
            max: cost(self.greatest),
            sum: cost(self.sum),
            sum_of_squares: squares(self.squares),
            parts: ObservationParts {
                outermost: Some(cost(self.outermost)),
                own: Some(cost(self.own)),
                from_kernel: is_dynamic.then_some(self.from_kernel),
                from_threads: is_dynamic.then_some(self.from_threads),
                own_costs: Some(OwnCosts {
                    min: cost(self.own_least.min(self.own_greatest)),
                    max: cost(self.own_greatest),
                    sum_of_squares: squares(self.own_squares),
                }),
                own_input: is_dynamic.then_some(OwnInput {
                    from_kernel: self.own_from_kernel,
                    from_threads: self.own_from_threads,
                }),
            },
            ..Observation::at(size)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_has_a_routine_twice_or_is_deeper_than_the_deepest() {
        let mut contexts = Contexts::default();
        let main = contexts.number(Caller::Nobody, 0);
        let parse = contexts.number(Caller::In(main), 1);
        let value = contexts.number(Caller::In(parse), 2);
        assert_eq!(contexts.number(Caller::In(value), 1), parse);
        assert_eq!(contexts.number(Caller::In(value), 2), value);
        assert_eq!(contexts.number(Caller::In(main), 1), parse);
        let unknown = contexts.number(Caller::Unknown, 2);
        let callers = |of: usize| contexts.callers(&contexts.all[of]).collect::<Vec<_>>();
        assert_eq!(callers(value), [Some(1), Some(0)]);
        assert_eq!((callers(unknown), callers(main)), (vec![None], vec![]));
        let mut last = Caller::Nobody;
        for routine in 10..10 + 3 * DEEPEST {
            last = Caller::In(contexts.number(last, routine));
        }
        let depths = contexts.all.iter().map(|context| contexts.callers(context).count());
        assert_eq!(depths.max(), Some(DEEPEST + 1));
    }
}
