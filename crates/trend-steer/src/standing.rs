//! Which of the costly rows are decided. Chooses nothing.

use trend_analyze::{Findings, Model, NextRuns};

/// A costly cluster, or the whole program.
pub(crate) struct CostlyRow {
    pub(crate) name: String,
    pub(crate) standing: Standing,
}

/// How far the question for a row's growth class is.
#[derive(Clone, Debug)]
pub enum Standing {
    /// The class.
    Decided(String),
    /// The verdict so far, and which runs would tell more.
    Open {
        /// The verdict, or why it does not count.
        verdict: String,
        /// The advice.
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

/// The costly clusters by falling cost, then the whole program, by their models for the feature.
pub(crate) fn rows(findings: &Findings, feature: usize) -> Vec<CostlyRow> {
    let clusters = findings.clusters.iter().filter(|c| c.costly);
    let named = clusters.map(|c| (c.title.clone(), &c.models));
    let all = named.chain([("the whole program".to_owned(), &findings.total.models)]);
    all.filter_map(|(name, models)| Some(CostlyRow { name, standing: standing(models.get(feature)?) }))
        .collect()
}

fn standing(model: &Model) -> Standing {
    let growth = model.growth.as_ref();
    match growth.and_then(|growth| growth.decided_class()) {
        Some(class) if model.is_sound() => Standing::Decided(class.class.to_string()),
        Some(class) => Standing::Open {
            verdict: format!("{} by too few or too similar sizes", class.class),
            next: model.next.clone(),
        },
        None => Standing::Open {
            verdict: growth.map_or_else(|| "no verdict".to_owned(), |growth| growth.verdict.clone()),
            next: model.next.clone(),
        },
    }
}
