//! Finds the loop that repeats a function which grows because of more calls, and not because each call does more.
//!
//! ```text
//!   shift        entered n times      its loop runs n² times   ← the loop
//!   └ at         entered n² times     as often as it is called ← where the cost is
//! ```

use std::collections::{BTreeMap, HashMap};

use trend_model::PowerLaw;
use trend_profile::Study;

use crate::findings::answer::Repeating;
use crate::findings::row::{Cluster, Member};
use crate::fit::factors::Entries;

/// Minimum power of the cost by which calls must grow to count as growing like the cost. A function that is called n
/// times and costs `n^1.1` has 0.91: each call does more.
pub(crate) const AS_THE_COST: f64 = 0.95;

/// Maximum ratio between the rounds of a loop and the calls that it makes, in either direction. In tidy, the two
/// numbers differ by 164 of 8 million calls; in libconfig, they are equal.
const ALIKE: f64 = 1.02;

/// Minimum share of a function's loops in the rounds of all loops that run about as often, for the function to be
/// named.
const NEARLY_ALL: f64 = 0.8;

/// The lines of a cluster that loops repeat: their functions are not called more often as the cost grows.
pub(crate) struct Loops<'a> {
    /// Numbers of calls by function and file.
    calls: HashMap<(&'a str, &'a str), Option<Calls>>,
    /// The lines by rising cost.
    members: Vec<&'a Member>,
}

/// The number of calls of a function.
#[derive(Clone, Copy)]
struct Calls {
    greatest: f64,
    /// True if the calls grow like the cost of the cluster.
    grow_as_cost: bool,
}

impl<'a> Loops<'a> {
    /// Selects the members of a cluster in wanted files.
    pub(crate) fn new(
        study: &Study,
        entries: &Entries<'_>,
        cluster: &'a Cluster,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Self {
        let costs: Vec<f64> = cluster.costs.iter().map(|&cost| cost as f64).collect();
        let mut all = Self { calls: HashMap::new(), members: Vec::new() };
        for member in &cluster.members {
            let key = (&*member.function, &*member.file);
            let calls = *all.calls.entry(key).or_insert_with(|| {
                let calls = entries.per_run(study, key.0, key.1)?;
                let law = PowerLaw::fit(&costs, &calls);
                let greatest = calls.into_iter().fold(0.0, f64::max);
                Some(Calls { greatest, grow_as_cost: law.is_ok_and(|law| law.b >= AS_THE_COST) })
            });
            if calls.is_some_and(|calls| !calls.grow_as_cost) && is_wanted(&member.file) {
                all.members.push(member);
            }
        }
        all.members.sort_by_key(|member| member.max_cost);
        all
    }

    /// Returns the loop that runs as often as a function is called. It is in the function that has nearly all such
    /// loops, at the line that runs most nearly as often. `None` if each call of the function does more, or if several
    /// functions have such loops.
    pub(crate) fn repeating(&self, function: &str, file: &str) -> Option<Repeating> {
        let calls =
            self.calls.get(&(function, file)).copied().flatten().filter(|calls| calls.grow_as_cost)?;
        let off = |m: &Member| (m.max_cost as f64 / calls.greatest).ln().abs();
        let begin = self.members.partition_point(|m| (m.max_cost as f64) < calls.greatest / ALIKE);
        let end = self.members.partition_point(|m| m.max_cost as f64 <= calls.greatest * ALIKE);
        let near = &self.members[begin..end];
        let mut rounds: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for member in near {
            *rounds.entry((&member.function, &member.file)).or_default() += member.max_cost;
        }
        let all: u64 = rounds.values().sum();
        let (&most, _) = rounds.iter().find(|(_, own)| **own as f64 >= NEARLY_ALL * all as f64)?;
        let its = near.iter().copied().filter(|m| (&*m.function, &*m.file) == most);
        let nearest = |a: &&Member, b: &&Member| off(a).total_cmp(&off(b)).then(a.line.cmp(&b.line));
        let line = its.min_by(nearest)?.line;
        Some(Repeating { function: most.0.to_owned(), file: most.1.to_owned(), line })
    }
}

#[cfg(test)]
mod tests {
    use trend_profile::{
        Definition, Feature, Function, FunctionId, Kind, Location, Study, StudyParts, Workload,
    };

    use crate::analyze::analyze;
    use crate::options::Options;

    /// A counted line: its kind, its number, and its count for each n.
    type Counted = (Kind, u32, fn(u64) -> u64);

    /// Returns the named function and its loop. `shift` is entered n times and calls `at` from a loop of n rounds;
    /// `scan` has a loop of `rounds` in all and calls nothing. Counts of blocks are functions of n.
    fn answered(at: &[Counted], rounds: fn(u64) -> u64) -> Option<(String, Option<String>)> {
        let sizes: Vec<u64> = (0..12).map(|i| 100 << i).collect();
        let shift: [Counted; 3] =
            [(Kind::Entry, 10, |n| n), (Kind::Block, 12, |n| n * n + n), (Kind::Block, 13, |n| n * n)];
        let scan: [Counted; 2] = [(Kind::Entry, 30, |n| n), (Kind::Block, 31, rounds)];
        let functions = vec![
            Function::plain("at", "a.c", 3),
            Function::plain("shift", "a.c", 10),
            Function::plain("scan", "a.c", 30),
        ];
        let mut locations = Vec::new();
        let mut counts = Vec::new();
        for (function, rows) in [(0, at), (1, &shift[..]), (2, &scan[..])] {
            for (block, &(kind, line, cost)) in (0..).zip(rows) {
                let function = FunctionId(function);
                locations.push(Location { function, block, ..Location::on_line(kind, "a.c", line) });
                counts.push(sizes.iter().map(|&n| cost(n)).collect::<Vec<u64>>());
            }
        }
        let values = sizes.iter().map(|&n| Some(n as f64)).collect();
        let study = Study::new(StudyParts {
            program: "p".to_owned(),
            functions,
            locations,
            workloads: (0..12).map(|i| Workload::imported(&format!("w{i:02}"))).collect(),
            features: vec![Feature { name: "n".to_owned(), definition: Definition::Given, values }],
            counts,
            ..StudyParts::default()
        });
        let place = analyze(&study.unwrap(), &Options::default()).unwrap().answer?.place?;
        Some((
            place.function,
            place.repeating.map(|site| format!("{}:{} in {}", site.file, site.line, site.function)),
        ))
    }

    const CALLED: [Counted; 2] = [(Kind::Entry, 3, |n| n * n), (Kind::Block, 4, |n| 5 * n * n)];

    #[test]
    fn what_is_called_from_a_loop_is_named_with_the_loop() {
        let called = answered(&CALLED, |n| n * n / 3);
        assert_eq!(called, Some(("at".to_owned(), Some("a.c:13 in shift".to_owned()))));
    }

    #[test]
    fn where_several_functions_have_such_loops_none_is_named() {
        assert_eq!(answered(&CALLED, |n| n * n), Some(("at".to_owned(), None)));
    }

    #[test]
    fn what_has_the_loop_itself_is_named_alone() {
        let scans = answered(&[(Kind::Entry, 3, |n| n), CALLED[1]], |n| n);
        assert_eq!(scans, Some(("at".to_owned(), None)));
    }

    #[test]
    fn without_counted_entries_nothing_is_said() {
        assert_eq!(answered(&[CALLED[1]], |n| n * n / 3), Some(("at".to_owned(), None)));
    }
}
