//! Workloads that an analysis leaves out: `--exclude`.

use glob::Pattern;
use trend_profile::Study;

use crate::failure::Failure;

/// What was asked to be left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusion {
    wanted: Vec<Wanted>,
}

/// A name, which may be a pattern as well: names of workloads can have brackets and stars of their own.
#[derive(Clone, Debug)]
struct Wanted {
    name: String,
    pattern: Option<Pattern>,
}

impl Wanted {
    fn names(&self, workload: &str) -> bool {
        self.name == workload || self.pattern.as_ref().is_some_and(|pattern| pattern.matches(workload))
    }
}

impl Exclusion {
    /// What `--exclude` names; a word that is no pattern is a name.
    pub(crate) fn new(words: &[String]) -> Self {
        let wanted = |word: &String| Wanted { name: word.clone(), pattern: Pattern::new(word).ok() };
        Self { wanted: words.iter().map(wanted).collect() }
    }

    /// The study without what is to be left out.
    pub(crate) fn apply(&self, study: Study) -> Study {
        if self.wanted.is_empty() {
            return study;
        }
        study.without(|workload| self.wanted.iter().any(|wanted| wanted.names(&workload.name)))
    }

    /// The same, where each word has to name a workload: a word that names none is a mistake.
    pub(crate) fn apply_all(&self, study: Study) -> Result<Study, Failure> {
        let names_none = |wanted: &&Wanted| !study.workloads().iter().any(|w| wanted.names(&w.name));
        if let Some(wanted) = self.wanted.iter().find(names_none) {
            let example = study.workloads().first();
            return Err(Failure::new(format!("--exclude {}: the study has no such workload", wanted.name))
                .maybe_hint(example.map(|w| format!("the study's are named like `{}`", w.name))));
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
        let kept = words(&["w0002", "*4"]).apply_all(study()).unwrap();
        assert_eq!(names(&kept), ["w0001", "w0003"]);
        assert_eq!(kept.counts().row(trend_profile::LocationId(0)), [10, 40]);
        assert_eq!(kept.features()[0].values, [Some(1.0), Some(4.0)]);
        assert_eq!(kept.warnings().len(), 1, "{:?}", kept.warnings());
        assert!(words(&["w0009"]).apply_all(study()).is_err());
        assert_eq!(names(&words(&[]).apply_all(study()).unwrap()).len(), 4);
        // No pattern, and so a name that none has.
        assert!(words(&["a[["]).apply_all(study()).is_err());
    }
}
