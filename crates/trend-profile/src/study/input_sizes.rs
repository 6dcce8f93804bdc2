//! Features that are a routine's input size: `{ input-size = "parse_graph" }`.
//!
//! A run calls a routine many times. The feature's value is the size of the largest input in cells: the maximum over
//! the routine's observations in that workload, in all calling contexts. All values use one variable: DRMS, or RMS if
//! more of the runs have that. A run that did not call the routine has no value.

use std::collections::BTreeSet;

use super::Study;
use crate::observed::series::{Observation, Place, Series, SeriesKind, Variable};
use crate::runs::feature::Definition;
use crate::runs::warning::{Warning, WarningKind};

/// Maximum number of names that a warning suggests.
const SUGGESTIONS: usize = 3;

/// Ways to match a routine's name, strictest first: by its name, as `OBJECT:NAME`, and by the name without scope and
/// parameters.
const WAYS: [fn(&Place, &str) -> bool; 3] = [
    |place, name| place.symbol.name == name || place.symbol.linkage == name,
    |place, name| {
        let parts = name.split_once(':').filter(|(_, rest)| !rest.starts_with(':'));
        parts.is_some_and(|(object, rest)| {
            super::is_path_end(&place.object, object) && (place.symbol.name == rest || short(place) == rest)
        })
    },
    |place, name| short(place) == name,
];

impl Study {
    /// Computes the values of features that are input sizes.
    ///
    /// - Time: O(features · series), and O(observations of the matched routines).
    pub(super) fn evaluate_input_sizes(&mut self) {
        for i in 0..self.parts.features.len() {
            let Definition::InputSize(routine) = &self.parts.features[i].definition else { continue };
            match self.input_sizes(routine) {
                Ok(values) => self.parts.features[i].values = values,
                Err(why) => {
                    let message = format!("feature `{}`: {why}", self.parts.features[i].name);
                    self.parts.warnings.push(Warning::new(WarningKind::UnknownRoutine, message));
                    self.parts.features[i].values = vec![None; self.parts.workloads.len()];
                }
            }
        }
    }

    /// Returns the routine's largest input size in each workload, or a message if it is unknown.
    fn input_sizes(&self, routine: &str) -> Result<Vec<Option<f64>>, String> {
        let named = |is_meant: &fn(&Place, &str) -> bool| {
            self.routines().filter(|one| is_meant(&one.place, routine)).collect()
        };
        let mut candidates = WAYS.iter().map(named);
        let Some(candidates) = candidates.find(|candidates: &Vec<&Series>| !candidates.is_empty()) else {
            return Err(self.unknown_routine(routine));
        };
        let names: BTreeSet<String> =
            candidates.iter().map(|one| format!("{}:{}", one.place.object, one.place.symbol.name)).collect();
        if names.len() > 1 {
            let names: Vec<String> = names.into_iter().collect();
            return Err(format!("`{routine}` is ambiguous: {}", names.join("; ")));
        }
        let runs = |variable: Variable| {
            let measured = candidates.iter().filter(|one| one.variables.first() == Some(&variable));
            measured.map(|one| one.workload).collect::<BTreeSet<_>>().len()
        };
        let variable =
            if runs(Variable::Drms) >= runs(Variable::Rms) { Variable::Drms } else { Variable::Rms };
        let mut largest: Vec<Option<u64>> = vec![None; self.parts.workloads.len()];
        for one in candidates.iter().filter(|one| one.variables.first() == Some(&variable)) {
            let size = one.observations.iter().map(Observation::size).max();
            let largest_size = &mut largest[one.workload.index()];
            *largest_size = (*largest_size).max(size);
        }
        // A size above 2^53 loses its last digits here.
        Ok(largest.into_iter().map(|size| size.map(|size| size as f64)).collect())
    }

    fn routines(&self) -> impl Iterator<Item = &Series> {
        self.parts.series.iter().filter(|one| one.place.kind == SeriesKind::Routine)
    }

    fn unknown_routine(&self, routine: &str) -> String {
        let words = SeriesKind::Routine.words();
        let names: BTreeSet<&str> = self.routines().map(|one| one.place.symbol.name.as_str()).collect();
        if names.is_empty() {
            return format!(
                "the study has no {}s by input size; record them with `trend-prof {}`",
                words.place, words.made_by
            );
        }
        let mut scored: Vec<(f64, &str)> =
            names.into_iter().map(|name| (strsim::jaro_winkler(routine, name), name)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let nearest: Vec<&str> = scored.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect();
        format!("no routine `{routine}` was called; nearest: {}", nearest.join(", "))
    }
}

/// Returns the name without scope and parameters: `sum` for `sums::sum(int*, int)`.
fn short(place: &Place) -> &str {
    let name = place.symbol.name.split(['(', '<']).next().unwrap_or_default();
    name.rsplit("::").next().unwrap_or_default().rsplit(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::series::MemoryMeasure;
    use crate::program::location::Symbol;
    use crate::runs::feature::Feature;
    use crate::runs::workload::{Workload, WorkloadId};
    use crate::study::StudyParts;

    fn series(name: &str, object: &str, variable: Variable, workload: u32, sizes: &[u64]) -> Series {
        let symbol = Symbol::plain(name);
        let observation = |&size: &u64| Observation { count: 3, ..Observation::at(size) };
        let observations = sizes.iter().map(observation).collect();
        Series {
            workload: WorkloadId(workload),
            ..Series::of_routine(symbol, object, variable, observations)
        }
    }

    /// Returns a study of three runs; the last one did not call `parse_graph`.
    fn study(routine: &str) -> Study {
        let feature = Feature {
            name: "edges".to_owned(),
            definition: Definition::InputSize(routine.to_owned()),
            values: vec![None; 3],
        };
        let parts = StudyParts {
            workloads: ["a", "b", "c"].map(Workload::imported).to_vec(),
            features: vec![feature],
            series: vec![
                series("parse_graph", "src/graph.c", Variable::Rms, 0, &[4, 90]),
                series("parse_graph", "src/graph.c", Variable::Drms, 0, &[4, 7, 100]),
                series("parse_graph", "src/graph.c", Variable::Rms, 1, &[900]),
                series("parse_graph", "src/graph.c", Variable::Drms, 1, &[20, 1000]),
                series("sums::sum(int*, int)", "src/sum.cc", Variable::Drms, 2, &[5]),
                series("insert", "src/a.c", Variable::Rms, 0, &[1]),
                series("insert", "src/b.c", Variable::Rms, 0, &[2]),
                // A line that allocates memory. Its function is not a routine.
                Series::of_line(Symbol::plain("parse_graphs"), "src/graph.c", 3, MemoryMeasure::Most, 8),
            ],
            ..StudyParts::default()
        };
        Study::new(parts).unwrap()
    }

    #[test]
    fn the_largest_input_of_a_run_is_its_value() {
        for (name, expected) in [
            ("parse_graph", [Some(100.0), Some(1000.0), None]),
            ("graph.c:parse_graph", [Some(100.0), Some(1000.0), None]),
            ("sum", [None, None, Some(5.0)]),
            ("b.c:insert", [Some(2.0), None, None]),
        ] {
            let study = study(name);
            assert_eq!(study.features()[0].values, expected, "{name}");
            assert_eq!(study.warnings(), [], "{name}");
        }
    }

    #[test]
    fn a_routine_that_is_none_is_named_with_its_nearest() {
        for (name, candidates) in [
            ("parse_grpah", "nearest: parse_graph, insert, sums::sum(int*, int)"),
            ("insert", "ambiguous: src/a.c:insert; src/b.c:insert"),
        ] {
            let study = study(name);
            let [Warning { kind, message }] = study.warnings() else { panic!("{:?}", study.warnings()) };
            assert_eq!(*kind, WarningKind::UnknownRoutine);
            assert!(message.contains("`edges`") && message.contains(&format!("`{name}`")), "{message}");
            assert!(message.ends_with(candidates), "{message}");
            assert_eq!(study.features()[0].values, [None, None, None]);
        }
    }
}
