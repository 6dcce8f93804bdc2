//! Carries the counts of earlier runs over to the lines where their code is now.

use std::collections::{BTreeMap, BTreeSet};

use trend_profile::{
    Kind, Location, LocationId, Outcome, Run, SourceText, Study, StudyError, StudyFile, Symbol, Workload,
};

use super::diff::Hunk;
use super::since::Bodies;

impl Bodies {
    /// Returns the reason why the workloads `kept` of `old` might count differently now, or `None` if nothing suggests
    /// it. `now` is a study of the same program, built again, with the workload `compared`.
    pub fn contradiction(&self, old: &Study, kept: &[usize], now: &Study, compared: &str) -> Option<String> {
        let position = |study: &Study| study.workloads().iter().position(|w| w.name == compared);
        let (Some(before), Some(after)) = (position(old), position(now)) else {
            return Some(format!("{compared} gave no counts"));
        };
        let count = |study: &Study, location: LocationId, workload| study.counts().row(location).at(workload);
        let mut sum = 0;
        for (i, there) in self.matches(old, now).into_iter().enumerate() {
            let here = LocationId(i as u32);
            let name = || &old.function(old.location(here).function).symbol.name;
            match there {
                Some(there) if count(now, there, after) == count(old, here, before) => {
                    sum += count(old, here, before);
                }
                Some(_) => return Some(format!("{compared} has different counts in {}", name())),
                None if kept.iter().all(|kept| count(old, here, *kept) == 0) => {}
                None => return Some(format!("the compiler compiled {} differently", name())),
            }
        }
        let all = (0..now.locations().len()).map(|i| count(now, LocationId(i as u32), after));
        (all.sum::<u64>() != sum).then(|| format!("{compared} executes code that it did not execute before"))
    }

    /// Records the workloads at the positions `kept` of `old` in `file`, the study of the present build. `now` is the
    /// content of that study so far, for which there was no contradiction.
    ///
    /// # Errors
    /// Fails if the study cannot be written.
    pub fn carry(
        &self,
        old: &Study,
        kept: &[usize],
        now: &Study,
        file: &mut StudyFile,
    ) -> Result<(), StudyError> {
        let matches = self.matches(old, now).into_iter().enumerate();
        let (here, there): (Vec<LocationId>, Vec<Location>) = matches
            .filter_map(|(i, there)| Some((LocationId(i as u32), now.location(there?).clone())))
            .unzip();
        let ids = file.intern(now.functions(), &there)?;
        let length = ids.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let is_same = |name: &str| !self.hunks.contains_key(name);
        let sources: Vec<SourceText> = old.sources().iter().filter(|s| is_same(&s.file)).cloned().collect();
        file.add_sources(&sources)?;
        for &workload in kept {
            let mut counts = vec![0; length];
            for (here, id) in here.iter().zip(&ids) {
                counts[id.index()] = old.counts().row(*here).at(workload);
            }
            let described: &Workload = &old.workloads()[workload];
            let values: Vec<(String, Option<f64>)> = old
                .features()
                .iter()
                .map(|feature| (feature.name.clone(), feature.values[workload]))
                .collect();
            let usage = described.usage.unwrap_or_default();
            let run = Run { repetition: 0, outcome: Outcome::Finished, usage, stderr_tail: String::new() };
            file.record(described, &run, Some(&counts), &values)?;
        }
        Ok(())
    }

    /// Returns the location in `now` for each location of `old`; `None` if there is none, or if it is ambiguous.
    fn matches(&self, old: &Study, now: &Study) -> Vec<Option<LocationId>> {
        let line = |file: &str, line: u32| self.hunks.get(file).map_or(line, |hunks| moved(hunks, line));
        let mut locations: BTreeMap<Key<'_>, Option<LocationId>> = BTreeMap::new();
        for (i, location) in now.locations().iter().enumerate() {
            let there =
                locations.entry(key(now, location, |_, line| line)).or_insert(Some(LocationId(i as u32)));
            if *there != Some(LocationId(i as u32)) {
                *there = None;
            }
        }
        // Use each location once: two copies of a function must not map to one.
        let mut taken = BTreeSet::new();
        let there = |l: &Location| {
            locations.get(&key(old, l, line)).copied().flatten().filter(|id| taken.insert(*id))
        };
        old.locations().iter().map(there).collect()
    }
}

/// The properties that identify a location in any build. A function's signature depends on its lines.
type Key<'a> = (&'a Symbol, &'a str, u32, Kind, u32, &'a str, Vec<u32>, &'a str);

fn key<'a>(study: &'a Study, l: &'a Location, line: impl Fn(&str, u32) -> u32) -> Key<'a> {
    let function = study.function(l.function);
    let lines = l.lines.iter().map(|of| line(&l.file, *of)).collect();
    let begin = line(&function.file, function.line);
    (&function.symbol, &function.file, begin, l.kind, l.block, &l.file, lines, &l.label)
}

/// Returns the number of a line after the hunks above it. A replaced line stays close to its old place.
fn moved(hunks: &[Hunk], line: u32) -> u32 {
    let above = hunks
        .iter()
        .filter(|hunk| if hunk.old == 0 { hunk.first < line } else { hunk.first + hunk.old <= line });
    let (old, new) = above.fold((0, 0), |(old, new), hunk| (old + hunk.old, new + hunk.new));
    (line + new).saturating_sub(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_move_with_what_is_above_them() {
        let hunk = |first, old, new| Hunk { first, old, new, texts: Vec::new() };
        let hunks = [hunk(3, 2, 1), hunk(10, 0, 4)];
        let lines = [1, 2, 5, 10, 11].map(|line| moved(&hunks, line));
        assert_eq!(lines, [1, 2, 4, 9, 14]);
    }
}
