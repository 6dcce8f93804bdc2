//! Which loop repeats a function that grows because it is called more often, and not because it does more each time.
//!
//! ```text
//!   shift        entered n times      its loop runs n² times   ← the loop
//!   └ at         entered n² times     as often as it is called ← where the cost is
//! ```

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use trend_model::PowerLaw;
use trend_profile::Study;

use crate::factors::Entries;
use crate::{Cluster, Member};

/// Calls grow as a cost does from this power of it on. What is called n times and costs `n^1.1` is 0.91: it does more each
/// time.
pub(crate) const AS_THE_COST: f64 = 0.95;

/// A loop that calls something has as many rounds as there are calls, within this factor: those of tidy and libconfig have all calls but 164
/// of 8 million, and all of them.
const ALIKE: f64 = 1.02;

/// What a loop runs in all, of all loops that run about as often, for it to be the one.
const NEARLY_ALL: f64 = 0.8;

/// A line that is behind the calls of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Repeating {
    /// The function that it is in.
    pub function: String,
    /// The source file.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The lines of a cluster that loops repeat: their function is called less often the more they cost.
pub(crate) struct Loops<'a> {
    /// By function and file.
    calls: HashMap<(&'a str, &'a str), Option<Calls>>,
    /// By rising cost.
    members: Vec<&'a Member>,
}

/// How often a function is called.
#[derive(Clone, Copy)]
struct Calls {
    greatest: f64,
    /// Whether that grows as what its cluster costs.
    grow_as_cost: bool,
}

impl<'a> Loops<'a> {
    /// Of the members of a cluster whose file is wanted.
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

    /// The loop that runs as often as a function is called: of the function that has nearly all such loops, the line that runs
    /// most nearly as often. `None` where the function itself does more each time, and where several functions have such loops.
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

    use crate::{Options, analyze};

    /// What is counted on a line, and how often for each n.
    type Counted = (Kind, u32, fn(u64) -> u64);

    /// `shift` is entered n times and calls `at` from a loop of n rounds; `scan` has a loop of so many rounds in all, and calls
    /// nothing. Costs of blocks are made from n.
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
            place.repeating.map(|of| format!("{}:{} in {}", of.file, of.line, of.function)),
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
