//! The questions that the rounds decide, and their current state. This module chooses nothing.

use trend_analyze::{
    Advise, AnalyzeError, Expectation, Findings, Found, Judged, Judgement, Model, NextRuns, Options, Subject,
    judge,
};
use trend_profile::Study;

/// Question that the rounds decide.
#[derive(Clone, Copy, Debug)]
pub enum Goal<'a> {
    /// Growth of everything expensive.
    Costly,
    /// The judgement whether these expectations hold.
    Expectations {
        /// Expectations to judge.
        expected: &'a [Expectation],
        /// Options for the analysis that judges them.
        options: &'a Options,
    },
}

impl Goal<'_> {
    pub(crate) fn options(&self) -> Options {
        match self {
            // The whole program is to be decided as well.
            Self::Costly => Options { advise: Advise::Whole, ..Options::default() },
            Self::Expectations { options, .. } => Options { advise: Advise::Whole, ..(*options).clone() },
        }
    }

    /// Returns the features that an analysis must not leave out.
    pub(crate) fn features(&self) -> Vec<String> {
        match self {
            Self::Costly => Vec::new(),
            Self::Expectations { expected, .. } => {
                expected.iter().filter_map(|e| e.feature.clone()).collect()
            }
        }
    }

    /// Returns the rows to decide, with their current state. `findings` must come from [`Goal::options`], optionally
    /// with a largest size.
    pub(crate) fn rows(
        &self,
        study: &Study,
        findings: &Findings,
        feature: usize,
    ) -> Result<Vec<Row>, AnalyzeError> {
        match self {
            Self::Costly => Ok(costly_rows(findings, feature)),
            Self::Expectations { expected, options } => {
                let judged = judge(study, findings, options, expected)?;
                let steered = &findings.features[feature].name;
                let first = &findings.features[0].name;
                Ok(judged.iter().map(|judged| expected_row(judged, steered, first)).collect())
            }
        }
    }

    /// Returns a phrase for all rows.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Costly => "everything costly",
            Self::Expectations { .. } => "every expectation",
        }
    }
}

/// A costly cluster, the whole program, or a place with an expectation.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) standing: Standing,
}

/// Current state of a row's question.
#[derive(Clone, Debug)]
pub enum Standing {
    /// Decided: the class, or the judgement.
    Decided(String),
    /// Open: the verdict so far, and the runs that would help.
    Open {
        /// Verdict, or the reason why it does not count.
        verdict: String,
        /// Advice on further runs.
        next: Option<NextRuns>,
    },
}

impl Standing {
    pub(crate) fn next(&self) -> Option<&NextRuns> {
        match self {
            Self::Decided(_) => None,
            Self::Open { next, .. } => next.as_ref(),
        }
    }
}

/// Returns the costly clusters by falling cost, then the whole program, by their models for the feature.
pub(crate) fn costly_rows(findings: &Findings, feature: usize) -> Vec<Row> {
    let clusters = findings.clusters.iter().filter(|c| c.costly);
    let named = clusters.map(|c| (c.title.clone(), &c.fits.models));
    let all = named.chain([("the whole program".to_owned(), &findings.total.fits.models)]);
    all.filter_map(|(name, models)| Some(Row { name, standing: standing(models.get(feature)?) })).collect()
}

fn standing(model: &Model) -> Standing {
    let growth = model.growth.as_ref();
    match growth.filter(|growth| !growth.is_open()) {
        Some(growth) if model.is_sound() => Standing::Decided(growth.verdict.clone()),
        Some(growth) => Standing::Open {
            verdict: format!("{} (from too few or too similar sizes)", growth.verdict),
            next: model.next.clone(),
        },
        None => Standing::Open {
            verdict: growth.map_or_else(|| "no verdict".to_owned(), |growth| growth.verdict.clone()),
            next: model.next.clone(),
        },
    }
}

/// Returns the row of an expectation. Advice for a feature other than the steered one is dropped.
fn expected_row(judged: &Judged, steered: &str, first: &str) -> Row {
    let name = match (&judged.place, &judged.expectation.subject) {
        (Some(place), _) => place.name.clone(),
        (None, Subject::Function(name) | Subject::File(name) | Subject::Line(name)) => name.clone(),
        (None, _) => "the whole program".to_owned(),
    };
    let feature = judged.expectation.feature.as_deref().unwrap_or(first);
    let standing = match judged.judgement {
        Judgement::Holds => Standing::Decided("the expectation holds".to_owned()),
        Judgement::Broken => Standing::Decided("the expectation is broken".to_owned()),
        Judgement::Unknown => Standing::Decided("the study has no such place".to_owned()),
        Judgement::Undecided => Standing::Open {
            verdict: match &judged.found {
                Some(Found::Growth { growth, .. }) => growth.clone(),
                Some(Found::Cost { .. }) | None => "undecided".to_owned(),
            },
            next: judged.next.clone().filter(|_| feature == steered),
        },
    };
    Row { name, standing }
}
