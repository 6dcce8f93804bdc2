//! Passes the candidates at a target to the rule that chooses one.

use trend_answer::{Choice, Contender, Group, Others, Outlook, Pace, Scene, Shown, Weighed};

use super::{Candidate, Candidates};
use crate::findings::Findings;
use crate::findings::answer::{AnswerGroup, AnswerPlace};
use crate::findings::model::Model;
use crate::findings::row::Row;
use crate::findings::time::{TimePart, TimePartKind, TimeParts};

/// The point that an answer is about, with the predicted cost of the whole.
pub(super) struct Target<'a> {
    pub(super) findings: &'a Findings,
    pub(super) point: usize,
    pub(super) whole: Outlook,
    pub(super) times: Option<&'a TimeParts>,
}

impl Target<'_> {
    pub(super) fn choose(&self, candidates: &Candidates) -> Option<Choice> {
        let contender = |candidate: &Candidate| {
            let row = &self.findings.functions[candidate.function];
            Contender {
                pace: candidate.pace,
                is_own: candidate.is_own,
                share_now: row.share_now,
                then: self.then(&row.outlooks),
                time_share: self.time(row).map(|part| part.share_then),
            }
        };
        let is_function = |part: &&TimePart| part.kind == TimePartKind::Function;
        let shares =
            |times: &TimeParts| times.rows.iter().filter(is_function).map(|part| part.share_then).collect();
        let scene = Scene {
            whole: self.whole,
            pace: candidates.whole,
            time_shares: self.times.map(shares),
            contenders: candidates.functions.iter().map(contender).collect(),
        };
        scene.choose(|| Some(self.others(candidates)))
    }

    fn others(&self, candidates: &Candidates) -> Others {
        let Findings { functions, clusters, .. } = self.findings;
        let group = |(i, row): (usize, &crate::findings::row::Cluster)| Group {
            then: self.then(&row.outlooks),
            is_fast: candidates.fast_groups.contains(&i),
        };
        let shown = |pace: Pace, models: &[Model], outlooks: &[Option<Outlook>]| Shown {
            pace,
            then: self.then(outlooks),
            ends: models.iter().any(|model| model.runs_until.is_some()),
        };
        let of_functions = candidates.shown.functions.iter().map(|&(i, pace)| (pace, &functions[i]));
        let of_clusters = candidates.shown.clusters.iter().map(|&(i, pace)| (pace, &clusters[i]));
        let of_functions = of_functions.map(|(pace, row)| shown(pace, &row.fits.models, &row.outlooks));
        let of_clusters = of_clusters.map(|(pace, row)| shown(pace, &row.fits.models, &row.outlooks));
        Others {
            groups: clusters.iter().enumerate().map(group).collect(),
            shown: of_functions.chain(of_clusters).collect(),
        }
    }

    fn then(&self, outlooks: &[Option<Outlook>]) -> Option<Outlook> {
        outlooks.get(self.point).copied().flatten()
    }

    /// Returns a function's part of the time.
    fn time(&self, row: &Row) -> Option<&TimePart> {
        self.times?.rows.iter().find(|part| (&part.name, &part.file) == (&row.name, &row.file))
    }

    pub(super) fn place(&self, candidates: &Candidates, named: &Weighed) -> AnswerPlace {
        let candidate = &candidates.functions[named.position];
        let row = &self.findings.functions[candidate.function];
        AnswerPlace {
            function: row.name.clone(),
            file: row.file.clone(),
            line: candidate.line,
            repeating: candidate.repeating.clone(),
            is_own: candidate.is_own,
            caller: candidate.caller.clone(),
            branching: candidate.branching.clone(),
            share: row.share_now,
            share_then: named.share_then,
            share_then_ci: named.share_then_ci,
            time_shares: self.time(row).map(|part| [part.share, part.share_then]),
            costliest: named.costliest,
        }
    }
}

impl AnswerGroup {
    pub(super) fn new(findings: &Findings, cluster: usize, share_then: f64) -> Self {
        let row = &findings.clusters[cluster];
        let (title, functions) = (row.title.clone(), row.function_count);
        Self { cluster, title, functions, share: row.share_now, share_then }
    }
}
