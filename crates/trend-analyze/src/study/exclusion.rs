//! Selects workloads that an analysis leaves out.

use std::collections::BTreeSet;

use glob::Pattern;
use trend_profile::Study;

/// Names and patterns of the workloads to leave out.
#[derive(Clone, Debug, Default)]
pub struct Exclusion {
    excluded: Vec<NameOrPattern>,
}

/// The study has no workload that a word matches.
#[derive(Debug, thiserror::Error)]
#[error("the study has no workload {word}")]
pub struct NoSuchWorkload {
    /// The word that matches nothing.
    pub word: String,
    /// The name of one of the study's workloads.
    pub example: Option<String>,
}

/// A workload's name, or a pattern if no workload has that name: names can contain brackets and stars themselves.
#[derive(Clone, Debug)]
struct NameOrPattern {
    name: String,
    pattern: Option<Pattern>,
}

impl NameOrPattern {
    /// Returns the names of the workloads that match.
    fn matching<'a>(&self, study: &'a Study) -> Vec<&'a str> {
        let larger = || study.larger().map(|larger| larger.workload.as_str());
        let names = || study.workloads().iter().map(|workload| workload.name.as_str()).chain(larger());
        if let Some(name) = names().find(|name| *name == self.name) {
            return vec![name];
        }
        let matches = |name: &&str| self.pattern.as_ref().is_some_and(|pattern| pattern.matches(name));
        names().filter(matches).collect()
    }
}

impl Exclusion {
    /// Leaves out the workloads that these words match. A word that is not a valid pattern is a name.
    pub fn new(words: &[String]) -> Self {
        let excluded = |word: &String| NameOrPattern { name: word.clone(), pattern: Pattern::new(word).ok() };
        Self { excluded: words.iter().map(excluded).collect() }
    }

    /// Returns the study without these workloads.
    #[must_use]
    pub fn apply(&self, study: Study) -> Study {
        let names: BTreeSet<String> =
            self.excluded.iter().flat_map(|word| word.matching(&study)).map(str::to_owned).collect();
        study.without(|name| names.contains(name))
    }

    /// Returns the study without these workloads, or an error if a word matches none.
    pub fn apply_all(&self, study: Study) -> Result<Study, NoSuchWorkload> {
        let matches_none = |word: &&NameOrPattern| word.matching(&study).is_empty();
        if let Some(word) = self.excluded.iter().find(matches_none) {
            let example = study.workloads().first().map(|w| w.name.clone());
            return Err(NoSuchWorkload { word: word.name.clone(), example });
        }
        Ok(self.apply(study))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(study: &Study) -> Vec<&str> {
        study.workloads().iter().map(|w| w.name.as_str()).collect()
    }

    #[test]
    fn names_and_patterns_are_left_out_with_their_counts() {
        let study = || Study::from_text("n: 1 2 4 8\na.c:3:main: 10 20 40 80").unwrap();
        let words =
            |words: &[&str]| Exclusion::new(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
        let remaining = words(&["w0002", "*4"]).apply_all(study()).unwrap();
        assert_eq!(names(&remaining), ["w0001", "w0003"]);
        assert_eq!(remaining.counts().row(trend_profile::LocationId(0)).to_vec(), [10, 40]);
        assert_eq!(remaining.features()[0].values, [Some(1.0), Some(4.0)]);
        assert_eq!(remaining.warnings().len(), 1, "{:?}", remaining.warnings());
        let refused = |word: &str| words(&[word]).apply_all(study()).err().map(|error| error.to_string());
        assert_eq!(refused("w0009").as_deref(), Some("the study has no workload w0009"));
        assert_eq!(names(&words(&[]).apply_all(study()).unwrap()).len(), 4);
        // If a workload's name is also a pattern, it matches only itself.
        let parts = |name: &str| trend_profile::Workload::imported(name);
        let bracketed = trend_profile::StudyParts {
            workloads: vec![parts("a[1]"), parts("a1")],
            ..trend_profile::StudyParts::default()
        };
        let remaining = words(&["a[1]"]).apply_all(Study::new(bracketed).unwrap()).unwrap();
        assert_eq!(names(&remaining), ["a1"]);
        // The word is not a valid pattern, and no workload has it as its name.
        assert_eq!(refused("a[[").as_deref(), Some("the study has no workload a[["));
    }
}
