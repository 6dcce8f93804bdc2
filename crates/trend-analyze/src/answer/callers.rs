//! Finds the user's own line behind the cost of a function: the line that calls it, or in recursion, the line that
//! multiplies the calls.
//!
//! ```text
//!   main      9  if (std::find(…) …)    runs n times        ← the line
//!   └ std::find     called n times, by line 9 alone
//!     └ std::__find_if   called n times, costs n²           ← where the cost is
//! ```
//!
//! A line calls a function as often as the line runs, once for each call instruction. The counts confirm that: if the
//! known calling lines run less often than the function is entered, there are other callers, and no line is named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use trend_model::PowerLaw;
use trend_profile::{Call, FunctionName, LocationId, Study};

use super::repeating::AS_THE_COST;
use crate::findings::answer::Repeating;
use crate::findings::row::Row;
use crate::fit::factors::{Entries, name_and_file};

/// Minimum share of a function's calls that the named lines, and the known calls, must cover.
const NEARLY_ALL: f64 = 0.8;

/// Maximum depth of calls between library functions that is followed.
const DEEPEST: usize = 100;

/// A function by its name and file.
pub(super) type Key<'a> = (&'a str, &'a str);

/// A line that calls functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Site<'a> {
    pub(super) caller: Key<'a>,
    pub(super) file: &'a str,
    pub(super) line: u32,
}

/// Calls of a function from one line.
#[derive(Clone, Copy)]
struct Calls<'a> {
    site: Site<'a>,
    /// Number of times the line ran in the costliest run.
    runs: Runs,
    /// Number of call instructions.
    instructions: f64,
}

/// Number of times that a line ran.
#[derive(Clone, Copy)]
enum Runs {
    Counted(f64),
    /// Unknown: the line has no block, because its code was inlined, or code without counters lies in between. The
    /// value is the maximum number of calls per instruction.
    AtMost(f64),
}

impl Calls<'_> {
    /// Returns the number of calls, or 0 if it is unknown.
    fn counted(&self) -> f64 {
        match self.runs {
            Runs::Counted(runs) => runs * self.instructions,
            Runs::AtMost(_) => 0.0,
        }
    }

    /// Returns the maximum number of calls if they were not counted.
    fn at_most(&self) -> Option<f64> {
        match self.runs {
            Runs::Counted(_) => None,
            Runs::AtMost(runs) => Some(runs * self.instructions),
        }
    }
}

/// Shares of a function's calls that originate from each of the user's own lines.
type Shares<'a> = Rc<BTreeMap<Site<'a>, f64>>;

/// The call graph, with the numbers of calls in the costliest run.
pub(crate) struct Callers<'a> {
    study: &'a Study,
    entries: &'a Entries<'a>,
    /// The position of the costliest run.
    run: usize,
    /// Files of the user's own; `None` if all are.
    own: Option<HashSet<&'a str>>,
    /// Calls of each function, by callee.
    calls: HashMap<Key<'a>, Vec<Calls<'a>>>,
    /// Callees of each function, by caller.
    callees: HashMap<Key<'a>, Vec<Key<'a>>>,
    shares: RefCell<HashMap<Key<'a>, Shares<'a>>>,
}

/// The lines behind a function's cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Behind {
    /// The line that calls the function.
    pub(crate) caller: Option<Repeating>,
    /// A line at which a function calls itself more than once.
    pub(crate) branching: Option<Repeating>,
}

impl<'a> Callers<'a> {
    /// Collects the calls that happened in the run with the greatest of `totals`. Functions in `own` files are the
    /// user's.
    ///
    /// - Time: O(calls + lines of all locations).
    pub(crate) fn new(
        study: &'a Study,
        entries: &'a Entries<'a>,
        totals: &[u64],
        own: Option<HashSet<&'a str>>,
    ) -> Self {
        let run = (0..totals.len()).max_by_key(|&run| totals[run]).unwrap_or(0);
        let blocks = blocks_of_lines(study);
        let runs: HashMap<Site<'_>, u64> = blocks
            .iter()
            .filter_map(|(site, blocks)| {
                let counts = blocks.iter().map(|&id| study.counts().row(id).at(run));
                Some((*site, counts.max()?))
            })
            .collect();
        let greatest = greatest_blocks(study, run);
        let (mut calls, mut callees): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for call in study.calls() {
            let (site, callee) = (site(call), key(&call.callee));
            let most = greatest.get(&site.caller).copied().unwrap_or(0) as f64;
            let runs = match runs.get(&site).copied() {
                Some(0) => continue,
                Some(runs) if call.sites > 0 => Runs::Counted(runs as f64),
                // Code without counters may call in a loop.
                _ if call.sites == 0 && most > 0.0 => Runs::AtMost(f64::INFINITY),
                _ => Runs::AtMost(most),
            };
            let (Runs::Counted(most) | Runs::AtMost(most)) = runs;
            if most > 0.0 {
                let instructions = f64::from(call.sites.max(1));
                calls.entry(callee).or_default().push(Calls { site, runs, instructions });
                callees.entry(site.caller).or_default().push(callee);
            }
        }
        Self { study, entries, run, own, calls, callees, shares: RefCell::default() }
    }

    /// Returns the lines that explain a function's cost.
    ///
    /// No line is returned for an own function that does more in each call. For a function that is called more often,
    /// the search goes up the callers, until it reaches one that is not called more often.
    pub(crate) fn behind(&self, row: &'a Row) -> Behind {
        let mut function: Key<'a> = (&row.name, &row.file);
        let is_own = self.is_own(function);
        let mut behind = Behind::default();
        if is_own && !self.grows_as_cost(function, row) {
            return behind;
        }
        let mut visited = HashSet::from([function]);
        loop {
            behind.branching = self.branching(function);
            if behind.branching.is_some() || self.calls_itself(function) {
                break;
            }
            let Some(site) = self.own_site(function) else { break };
            behind.caller = Some(site.named());
            function = site.caller;
            if !visited.insert(function) || !self.grows_as_cost(function, row) {
                break;
            }
        }
        behind.caller = behind.caller.filter(|_| !is_own || behind.branching.is_none());
        behind
    }

    /// Returns the line that makes most calls of a function, in the only own function that makes nearly all of them,
    /// directly or through a library. Returns `None` for a function that makes most of its calls itself.
    pub(crate) fn direct(&self, row: &'a Row) -> Option<Repeating> {
        let function = (row.name.as_str(), row.file.as_str());
        let site = self.own_site(function)?;
        let is_outside = !self.calls_itself(function) && !self.cycle(function).contains(&site.caller);
        is_outside.then(|| site.named())
    }

    /// Returns true if the function is the user's own and makes most of its calls itself, perhaps through others.
    fn calls_itself(&self, function: Key<'a>) -> bool {
        let Some(calls) = self.calls.get(&function).filter(|_| self.is_own(function)) else { return false };
        let cycle = self.cycle(function);
        let outer = calls.iter().filter(|calls| !cycle.contains(&calls.site.caller)).map(Calls::counted);
        let outer: f64 = outer.sum();
        !cycle.is_empty() && self.entered(function).is_some_and(|entered| outer < NEARLY_ALL * entered)
    }

    fn is_own(&self, function: Key<'_>) -> bool {
        self.own.as_ref().is_none_or(|own| own.contains(function.1))
    }

    /// Returns true if the number of entries of a function grows like the cost of `row`.
    fn grows_as_cost(&self, function: Key<'_>, row: &Row) -> bool {
        let costs: Vec<f64> = row.costs.iter().map(|&cost| cost as f64).collect();
        let entries = self.entries.per_run(self.study, function.0, function.1);
        let law = entries.and_then(|entries| PowerLaw::fit(&costs, &entries).ok());
        law.is_some_and(|law| law.b >= AS_THE_COST)
    }

    fn entered(&self, function: Key<'_>) -> Option<f64> {
        self.entries.per_run(self.study, function.0, function.1)?.get(self.run).copied()
    }

    /// Returns the user's own line behind nearly all calls of a function: the line with the largest share in the only
    /// own function that makes them.
    fn own_site(&self, function: Key<'a>) -> Option<Site<'a>> {
        let shares = self.shares(function, 0);
        let mut by_function: BTreeMap<Key<'_>, (f64, f64, Option<Site<'a>>)> = BTreeMap::new();
        for (site, share) in shares.iter() {
            let (sum, most, first) = by_function.entry(site.caller).or_insert((0.0, 0.0, None));
            *sum += share;
            if *share > *most {
                (*most, *first) = (*share, Some(*site));
            }
        }
        by_function.into_values().find(|(sum, ..)| *sum >= NEARLY_ALL)?.2
    }

    /// Returns the share of a function's calls that originates from each own line. Calls from the function itself do
    /// not count.
    fn shares(&self, function: Key<'a>, depth: usize) -> Shares<'a> {
        if let Some(shares) = self.shares.borrow().get(&function) {
            return Rc::clone(shares);
        }
        // A function in a cycle adds nothing to its own shares while they are computed.
        self.shares.borrow_mut().insert(function, Shares::default());
        let shares = Rc::new(self.find_shares(function, depth));
        self.shares.borrow_mut().insert(function, Rc::clone(&shares));
        shares
    }

    fn find_shares(&self, function: Key<'a>, depth: usize) -> BTreeMap<Site<'a>, f64> {
        let mut shares = BTreeMap::new();
        let Some(calls) = self.calls.get(&function).filter(|_| depth < DEEPEST) else { return shares };
        let rest = self.rest(function, calls);
        let count = |calls: &Calls<'_>| calls.counted() + if calls.at_most().is_some() { rest } else { 0.0 };
        let call_count: f64 = calls.iter().map(count).sum();
        if self.entered(function).is_some_and(|entered| call_count < NEARLY_ALL * entered) {
            return shares;
        }
        let outer = calls.iter().filter(|calls| calls.site.caller != function);
        let all: f64 = outer.clone().map(count).sum();
        for calls in outer.filter(|calls| count(calls) > 0.0) {
            let share = count(calls) / all;
            if self.is_own(calls.site.caller) {
                *shares.entry(calls.site).or_default() += share;
                continue;
            }
            for (site, part) in self.shares(calls.site.caller, depth + 1).iter() {
                *shares.entry(*site).or_default() += share * part;
            }
        }
        shares
    }

    /// Returns the number of calls per uncounted line: the calls that the counted lines leave, shared equally. It is 0
    /// unless all uncounted lines are in one function and can have run that often.
    fn rest(&self, function: Key<'a>, calls: &[Calls<'a>]) -> f64 {
        let uncounted: Vec<(&Calls<'_>, f64)> =
            calls.iter().filter_map(|calls| Some((calls, calls.at_most()?))).collect();
        let callers: HashSet<Key<'_>> = uncounted.iter().map(|(calls, _)| calls.site.caller).collect();
        let remaining = match self.entered(function) {
            Some(entered) => entered - calls.iter().map(Calls::counted).sum::<f64>(),
            None => 1.0,
        };
        let most: f64 = uncounted.iter().map(|(_, most)| most).sum();
        let is_possible = callers.len() == 1 && remaining > 0.0 && remaining * NEARLY_ALL <= most;
        if is_possible { remaining / uncounted.len() as f64 } else { 0.0 }
    }

    /// Returns a line at which an own function calls itself a second time, perhaps through others.
    ///
    /// Two call instructions that run equally often are both executed; they are not alternatives.
    fn branching(&self, function: Key<'a>) -> Option<Repeating> {
        let cycle = self.cycle(function);
        // By caller and number of runs of the line: the number of call instructions, and the last such line.
        let mut equally: BTreeMap<(Key<'a>, u64), (f64, Site<'a>)> = BTreeMap::new();
        for callee in &cycle {
            let calls = self.calls.get(callee).map_or(&[][..], Vec::as_slice);
            let call_count: f64 = calls.iter().map(Calls::counted).sum();
            // Copies of one instruction that the compiler made are not several calls.
            let is_counted = self.entered(*callee).is_some_and(|entered| {
                call_count * NEARLY_ALL <= entered && entered * NEARLY_ALL <= call_count
            });
            for calls in calls.iter().filter(|calls| is_counted && cycle.contains(&calls.site.caller)) {
                let Runs::Counted(runs) = calls.runs else { continue };
                let key = (calls.site.caller, runs as u64);
                let entry = equally.entry(key).or_insert((0.0, calls.site));
                *entry = (entry.0 + calls.instructions, calls.site.max(entry.1));
            }
        }
        let twice = equally.into_iter().filter(|(_, (instructions, _))| *instructions >= 2.0);
        let own = twice.filter(|((caller, _), _)| self.is_own(*caller));
        own.max_by_key(|((_, runs), (_, site))| (*runs, *site)).map(|(_, (_, site))| site.named())
    }

    /// Returns the functions that a function calls and that call it, each perhaps through others. Empty if it does not
    /// call itself.
    fn cycle(&self, function: Key<'a>) -> BTreeSet<Key<'a>> {
        let callers = |callee: Key<'a>| {
            let calls = self.calls.get(&callee).map_or(&[][..], Vec::as_slice);
            calls.iter().map(|calls| calls.site.caller).collect()
        };
        let above = reached(function, callers);
        if !above.contains(&function) {
            return BTreeSet::new();
        }
        let below = reached(function, |caller| self.callees.get(&caller).cloned().unwrap_or_default());
        above.into_iter().filter(|function| below.contains(function)).collect()
    }
}

impl Site<'_> {
    fn named(&self) -> Repeating {
        let (function, file) = (self.caller.0.to_owned(), self.file.to_owned());
        Repeating { function, file, line: self.line }
    }
}

/// Returns the functions that can be reached from a function in at least one step.
fn reached<'a>(from: Key<'a>, steps: impl Fn(Key<'a>) -> Vec<Key<'a>>) -> BTreeSet<Key<'a>> {
    let (mut reachable, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(function) = next.pop() {
        next.extend(steps(function).into_iter().filter(|step| reachable.insert(*step)));
    }
    reachable
}

pub(super) fn key(name: &FunctionName) -> Key<'_> {
    (&name.name, &name.file)
}

pub(super) fn site(call: &Call) -> Site<'_> {
    Site { caller: key(&call.caller), file: &call.file, line: call.line }
}

/// Returns the blocks of each calling line. A line without blocks is inlined code, or is not counted.
///
/// - Time: O(calls + lines of the calling functions).
pub(super) fn blocks_of_lines(study: &Study) -> HashMap<Site<'_>, Vec<LocationId>> {
    let mut blocks: HashMap<Site<'_>, Vec<LocationId>> =
        study.calls().iter().map(|call| (site(call), Vec::new())).collect();
    let callers: HashSet<Key<'_>> = blocks.keys().map(|site| site.caller).collect();
    for id in study.blocks() {
        let caller = name_and_file(study, id);
        if !callers.contains(&caller) {
            continue;
        }
        let location = study.location(id);
        for line in location.lines.iter() {
            if let Some(blocks) = blocks.get_mut(&Site { caller, file: &location.file, line: *line }) {
                blocks.push(id);
            }
        }
    }
    blocks
}

/// Returns the count of the most frequent block of each calling function in a run.
pub(super) fn greatest_blocks(study: &Study, run: usize) -> HashMap<Key<'_>, u64> {
    let mut greatest: HashMap<Key<'_>, u64> =
        study.calls().iter().map(|call| (key(&call.caller), 0)).collect();
    for id in study.blocks() {
        if let Some(most) = greatest.get_mut(&name_and_file(study, id)) {
            *most = study.counts().row(id).at(run).max(*most);
        }
    }
    greatest
}

#[cfg(test)]
mod tests;
