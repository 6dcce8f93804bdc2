//! Chooses the function to name at a target. The page implements the same rule in `ui/src/overview/answer.ts`.

use super::claim::then;
use super::{AnswerGroup, AnswerKind, AnswerPlace, Candidate, Candidates, Spread};
use crate::pace::Pace;
use crate::time_parts::{TimePart, TimeParts};
use crate::{Findings, Outlook, Row, TimePartKind};

/// The point that an answer is about, with the predicted cost of the whole.
pub(super) struct Target<'a> {
    pub(super) findings: &'a Findings,
    pub(super) point: usize,
    pub(super) whole: Outlook,
    pub(super) times: Option<&'a TimeParts>,
}

/// The chosen place, by the rule that chose it.
pub(super) enum Choice<'a> {
    Fix(Weighed<'a>),
    Open(Weighed<'a>),
    Spread(Spread),
    Steady(Weighed<'a>),
}

/// A candidate with its share of the whole at a target.
#[derive(Clone, Copy)]
pub(super) struct Weighed<'a> {
    pub(super) candidate: &'a Candidate,
    row: &'a Row,
    share_then: f64,
    share_then_ci: Option<[f64; 2]>,
    /// Its shares of the time, today and at the target.
    time_shares: Option<[f64; 2]>,
    /// Its share at the target, by which the costliest is found: a share of the time if samples exist, else of the
    /// cost.
    weight: f64,
}

impl<'a> Choice<'a> {
    pub(super) fn kind(&self) -> AnswerKind {
        match self {
            Self::Fix(_) => AnswerKind::Fix,
            Self::Open(_) => AnswerKind::Open,
            Self::Spread(_) => AnswerKind::Spread,
            Self::Steady(_) => AnswerKind::Steady,
        }
    }

    pub(super) fn named(&self) -> Option<&Weighed<'a>> {
        match self {
            Self::Fix(named) | Self::Open(named) | Self::Steady(named) => Some(named),
            Self::Spread(_) => None,
        }
    }
}

impl Candidates {
    /// Returns the function to name at the target, and why it is named.
    ///
    /// The first rule that applies wins, own code before libraries:
    /// 1. *Fix*: it certainly grows too fast, and takes at least `least_share` of the cost at the target.
    /// 2. *Open*: its growth is undecided, and its share may reach `open_share`.
    /// 3. *Spread*: the functions that grow too fast take less than that; or blocks or the whole grow too fast, but no
    ///    function is known to.
    /// 4. *Steady*: no large function is known to grow too fast; the costliest one is named.
    pub(super) fn choose<'a>(&'a self, target: &Target<'a>) -> Choice<'a> {
        let all = self.weighed(target);
        let fix = self.fix(&all).map(Choice::Fix);
        let open = || self.open(&all).map(Choice::Open);
        let spread = || self.spread(&all, target).map(Choice::Spread);
        let steady = || self.steady(&all).map(Choice::Steady);
        fix.or_else(open).or_else(spread).or_else(steady).unwrap_or(Choice::Spread(Spread::AllSmall))
    }

    fn weighed<'a>(&'a self, target: &Target<'a>) -> Vec<Weighed<'a>> {
        self.functions.iter().filter_map(|candidate| Weighed::new(candidate, target)).collect()
    }

    fn fix<'a>(&self, all: &[Weighed<'a>]) -> Option<Weighed<'a>> {
        own_first(all, |w| w.pace() == Some(Pace::Fast) && w.share_then >= self.least_share, |w| w.share_then)
    }

    fn open<'a>(&self, all: &[Weighed<'a>]) -> Option<Weighed<'a>> {
        let may_matter = |w: &Weighed<'_>| {
            let upper = w.upper();
            w.share_then > 0.0 && upper >= self.open_share && upper >= self.open_times * w.row.share_now
        };
        own_first(all, |w| w.pace() == Some(Pace::Open) && may_matter(w), Weighed::upper)
    }

    fn spread(&self, all: &[Weighed<'_>], target: &Target<'_>) -> Option<Spread> {
        let fast = || all.iter().filter(|w| w.pace() == Some(Pace::Fast));
        let is_whole_fast = self.whole == Some(Pace::Fast);
        if fast().any(|w| is_whole_fast || w.share_then >= self.notable_share) {
            return Some(Spread::SmallFast);
        }
        if self.fast_groups(target).any(|(_, share)| share >= self.least_share) {
            return Some(Spread::FastGroup);
        }
        is_whole_fast.then_some(Spread::WholeFast)
    }

    /// Returns the clusters that certainly grow too fast, with their shares at the target.
    fn fast_groups<'a>(&'a self, target: &'a Target<'_>) -> impl Iterator<Item = (usize, f64)> + 'a {
        self.fast_groups.iter().filter_map(|&i| Some((i, target.share_of_group(i)?)))
    }

    /// Returns the clusters with the largest shares at the target. For [`Spread::FastGroup`], only fast clusters count.
    pub(super) fn groups(&self, target: &Target<'_>, why: Spread) -> Vec<AnswerGroup> {
        let all = (0..target.findings.clusters.len()).filter_map(|i| Some((i, target.share_of_group(i)?)));
        let mut groups: Vec<(usize, f64)> = match why {
            Spread::FastGroup => self.fast_groups(target).collect(),
            _ => all.collect(),
        };
        groups.retain(|(_, share)| *share >= self.notable_share);
        groups.sort_by(|a, b| b.1.total_cmp(&a.1));
        groups.truncate(self.most_groups);
        groups.into_iter().map(|(i, share)| AnswerGroup::new(target.findings, i, share)).collect()
    }

    fn steady<'a>(&self, all: &[Weighed<'a>]) -> Option<Weighed<'a>> {
        own_first(all, |w| w.weight >= self.least_share, |w| w.weight)
    }
}

/// Returns the largest candidate that `is_meant` selects, the user's own before a library's; the last of equal ones.
fn own_first<'a>(
    all: &[Weighed<'a>],
    is_meant: impl Fn(&Weighed<'a>) -> bool,
    size: impl Fn(&Weighed<'a>) -> f64,
) -> Option<Weighed<'a>> {
    let of = |is_own: bool| {
        let meant = all.iter().filter(|w| w.candidate.is_own == is_own && is_meant(w));
        meant.max_by(|a, b| size(a).total_cmp(&size(b))).copied()
    };
    of(true).or_else(|| of(false))
}

impl<'a> Weighed<'a> {
    /// Returns the candidate with its shares; `None` if it has no prediction.
    fn new(candidate: &'a Candidate, target: &Target<'a>) -> Option<Self> {
        let row = &target.findings.functions[candidate.function];
        let is_it = |part: &&TimePart| (&part.name, &part.file) == (&row.name, &row.file);
        let time = target.times.and_then(|times| times.rows.iter().find(is_it));
        let then = row.outlooks.get(target.point).copied().flatten()?;
        let time_shares = time.map(|part| [part.share, part.share_then]);
        let share_then = target.share(then.cost, then.cost);
        let weight =
            if target.times.is_some() { time_shares.map_or(0.0, |[_, then]| then) } else { share_then };
        let share_then_ci = then.ci.map(|ci| ci.map(|end| target.share(end, then.cost)));
        Some(Self { candidate, row, share_then, share_then_ci, time_shares, weight })
    }

    fn pace(&self) -> Option<Pace> {
        self.candidate.pace
    }

    fn upper(&self) -> f64 {
        self.share_then_ci.map_or(0.0, |[_, upper]| upper)
    }

    pub(super) fn place(&self, candidates: &Candidates, target: &Target<'_>) -> AnswerPlace {
        AnswerPlace {
            function: self.row.name.clone(),
            file: self.row.file.clone(),
            line: self.candidate.line,
            repeating: self.candidate.repeating.clone(),
            is_own: self.candidate.is_own,
            caller: self.candidate.caller.clone(),
            branching: self.candidate.branching.clone(),
            share: self.row.share_now,
            share_then: self.share_then,
            share_then_ci: self.share_then_ci,
            time_shares: self.time_shares,
            costliest: self.is_costliest(candidates, target),
        }
    }

    /// True if no other function costs more.
    fn is_costliest(&self, candidates: &Candidates, target: &Target<'_>) -> bool {
        match target.times.filter(|_| self.time_shares.is_some()) {
            Some(times) => {
                let functions = times.rows.iter().filter(|part| part.kind == TimePartKind::Function);
                functions.map(|part| part.share_then).all(|share| share <= self.weight)
            }
            None => candidates.weighed(target).iter().all(|w| w.share_then <= self.share_then),
        }
    }
}

impl Target<'_> {
    /// Returns `cost` as a share of the whole, with everything else as predicted; `part` is the row's predicted cost.
    pub(super) fn share(&self, cost: f64, part: f64) -> f64 {
        let rest = (self.whole.cost - part).max(0.0);
        if cost > 0.0 { cost / (cost + rest) } else { 0.0 }
    }

    /// Returns the share of a cluster; `None` if it has no prediction.
    fn share_of_group(&self, cluster: usize) -> Option<f64> {
        let cost = then(&self.findings.clusters[cluster].outlooks, self.point)?.cost;
        Some(self.share(cost, cost))
    }
}

impl AnswerGroup {
    fn new(findings: &Findings, cluster: usize, share_then: f64) -> Self {
        let row = &findings.clusters[cluster];
        let (title, functions) = (row.title.clone(), row.function_count);
        Self { cluster, title, functions, share: row.share_now, share_then }
    }
}
