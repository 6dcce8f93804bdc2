//! Chooses the place to name at a target.

use serde::Serialize;

use crate::Outlook;

/// Minimum share of the cost at the target from which a single place decides it.
pub const LEAST_SHARE: f64 = 0.05;

/// Minimum share of the cost at the target from which a row is mentioned.
pub const NOTABLE_SHARE: f64 = 0.01;

/// Minimum share at the target that a function of undecided growth must be able to reach to matter.
const OPEN_SHARE: f64 = 0.1;

/// Minimum ratio of the share that an undecided growth may reach to the share today. It does not apply if something
/// is known to grow too fast and no function explains it.
const OPEN_TIMES: f64 = 1.5;

/// Maximum number of groups that are named if no single place decides.
const MOST_GROUPS: usize = 3;

/// The pace of a row, as a reason to name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// The cost certainly grows faster than `n log n`.
    Fast,
    /// The classes that its law may have disagree.
    Open,
    /// The cost certainly grows no faster than `n log n`.
    Slow,
}

impl Pace {
    /// All paces, in their order.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Open, Self::Slow];
}

/// Action that an answer recommends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// The place grows faster than `n log n`: fix it.
    Fix,
    /// The growth of a large place is undecided: watch it.
    Open,
    /// No single place decides the cost of the program at the target.
    Spread,
    /// No large place is known to grow faster than `n log n`; the costliest is named.
    Steady,
}

/// The reason why no single place decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// Functions grow faster than `n log n`, but each takes little.
    SmallFast,
    /// Blocks that vary together grow faster than `n log n`, but no function is known to.
    FastGroup,
    /// The whole grows faster than `n log n`, but no function is known to.
    WholeFast,
    /// Every function takes little.
    AllSmall,
}

/// A claim about the rows that an answer does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unnamed {
    /// True if the claim covers only large parts of the cost at the target, as a smaller part grows faster than `n log
    /// n`.
    pub large_only: bool,
    /// True if no covered row grows faster than `n log n`; otherwise no covered row is known to.
    pub certain: bool,
}

/// A function that may be named, at a target.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// Its pace; `None` if it is unknown.
    pub pace: Option<Pace>,
    /// True if it is the user's own function, not a library's.
    pub is_own: bool,
    /// Its share of the cost today.
    pub share_now: f64,
    /// Its cost at the target; `None` without a prediction.
    pub then: Option<Outlook>,
    /// Its share of the time at the target; `None` if it has no samples.
    pub time_share: Option<f64>,
}

/// Blocks that vary together, at a target.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The cost at the target; `None` without a prediction.
    pub then: Option<Outlook>,
    /// True if the blocks certainly grow faster than `n log n`.
    pub is_fast: bool,
}

/// A row whose law, as shown, grows faster than `n log n` or may do so.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Its pace.
    pub pace: Pace,
    /// The cost at the target; `None` without a prediction.
    pub then: Option<Outlook>,
    /// True if the row is executed only up to some size.
    pub ends: bool,
}

/// A program at a target.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The cost of the whole.
    pub whole: Outlook,
    /// The pace of the whole; `None` if it is unknown.
    pub pace: Option<Pace>,
    /// Shares of the time of all functions with samples; `None` if the shares are unknown.
    pub time_shares: Option<Vec<f64>>,
    /// The functions that may be named.
    pub contenders: Vec<Contender>,
}

/// The rows beyond the functions that may be named. They decide only if no function is to be fixed or watched.
#[derive(Clone, Debug, Default)]
pub struct Others {
    /// All groups of blocks that vary together.
    pub groups: Vec<Group>,
    /// The rows that the claim must hold for.
    pub shown: Vec<Shown>,
}

/// The choice at a target, by the rule that made it.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// A function to fix.
    Fix(Weighed),
    /// A function to watch.
    Open(Weighed),
    /// No function; the groups with the largest shares, by their positions.
    Spread(Spread, Vec<(usize, f64)>),
    /// The costliest function, and a claim about all other rows.
    Steady(Weighed, Unnamed),
}

/// A function with its share of the whole at a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// Its position among the contenders.
    pub position: usize,
    /// Its share at the target.
    pub share_then: f64,
    /// The interval of that share, with everything else as predicted.
    pub share_then_ci: Option<[f64; 2]>,
    /// True if no other function costs more.
    pub costliest: bool,
    /// Its share at the target that decides which function is the costliest: a share of the time if samples exist, else
    /// of the cost.
    weight: f64,
}

/// Returns `cost` as a share of the whole, with everything else as predicted; `part` is the row's predicted cost.
pub fn share_of(cost: f64, part: f64, whole: f64) -> f64 {
    let rest = (whole - part).max(0.0);
    if cost > 0.0 { cost / (cost + rest) } else { 0.0 }
}

impl Scene {
    /// Returns the function to name, and the reason. `others` is called only if no function is to be fixed or
    /// watched; returns `None` if `others` does.
    ///
    /// The first rule that applies wins, own code before libraries:
    /// 1. *Fix*: the function certainly grows too fast, and takes at least [`LEAST_SHARE`] of the cost at the target.
    /// 2. *Open*: the growth of the function is undecided, and its share may reach `OPEN_SHARE` and also `OPEN_TIMES`
    ///    its share today. If the whole grows too fast, but no function is known to, `OPEN_SHARE` alone is enough. If only
    ///    a group of blocks grows too fast, `OPEN_SHARE` and the share of the largest such group are enough.
    /// 3. *Spread*: the functions that grow too fast take less than [`LEAST_SHARE`]. Or a group of blocks or the whole
    ///    grows too fast, but no function is known to, and none is open.
    /// 4. *Steady*: no large function is known to grow too fast; the costliest one is named.
    pub fn choose(&self, others: impl FnOnce() -> Option<Others>) -> Option<Choice> {
        let all: Vec<Weighed> = (0..self.contenders.len()).filter_map(|i| self.weighed(i)).collect();
        if let Some(fix) = self.fix(&all) {
            return Some(Choice::Fix(fix));
        }
        if let Some(open) = self.open(&all, OPEN_TIMES) {
            return Some(Choice::Open(open));
        }
        let others = others()?;
        if let Some(why) = self.spread(&all, &others) {
            let groups = self.largest(&others, why);
            let may_be_it = |open: &Weighed| match why {
                Spread::SmallFast | Spread::AllSmall => false,
                Spread::FastGroup => groups.first().is_some_and(|(_, share)| open.upper() >= *share),
                Spread::WholeFast => true,
            };
            return Some(match self.open(&all, 0.0).filter(may_be_it) {
                Some(open) => Choice::Open(open),
                None => Choice::Spread(why, groups),
            });
        }
        Some(match self.steady(&all) {
            Some(steady) => Choice::Steady(steady, self.claim(&others)),
            None => Choice::Spread(Spread::AllSmall, self.largest(&others, Spread::AllSmall)),
        })
    }

    fn share(&self, cost: f64, part: f64) -> f64 {
        share_of(cost, part, self.whole.cost)
    }

    /// Returns a contender with its shares; `None` if it has no prediction.
    fn weighed(&self, position: usize) -> Option<Weighed> {
        let Contender { then, time_share, .. } = self.contenders[position];
        let then = then?;
        let share_then = self.share(then.cost, then.cost);
        let weight = if self.time_shares.is_some() { time_share.unwrap_or(0.0) } else { share_then };
        let share_then_ci = then.ci.map(|ci| ci.map(|end| self.share(end, then.cost)));
        Some(Weighed { position, share_then, share_then_ci, costliest: false, weight })
    }

    fn pace(&self, weighed: &Weighed) -> Option<Pace> {
        self.contenders[weighed.position].pace
    }

    fn fix(&self, all: &[Weighed]) -> Option<Weighed> {
        let is_meant = |w: &Weighed| self.pace(w) == Some(Pace::Fast) && w.share_then >= LEAST_SHARE;
        self.own_first(all, is_meant, |w| w.share_then)
    }

    /// Returns the function of undecided growth whose share may reach `OPEN_SHARE` and this multiple of today's share.
    fn open(&self, all: &[Weighed], times: f64) -> Option<Weighed> {
        let may_matter = |w: &Weighed| {
            let (upper, now) = (w.upper(), self.contenders[w.position].share_now);
            w.share_then > 0.0 && upper >= OPEN_SHARE && upper >= times * now
        };
        self.own_first(all, |w| self.pace(w) == Some(Pace::Open) && may_matter(w), Weighed::upper)
    }

    /// Returns the costliest function of those that take a notable part of the time or of the cost.
    fn steady(&self, all: &[Weighed]) -> Option<Weighed> {
        self.own_first(all, |w| w.weight.max(w.share_then) >= LEAST_SHARE, |w| w.weight)
    }

    /// Returns the largest contender that `is_meant` selects, the user's own before a library's. If several are
    /// equal, returns the first, as in the tables.
    fn own_first(
        &self,
        all: &[Weighed],
        is_meant: impl Fn(&Weighed) -> bool,
        size: impl Fn(&Weighed) -> f64,
    ) -> Option<Weighed> {
        let largest_of = |is_own: bool| {
            let meant = all.iter().filter(|w| self.contenders[w.position].is_own == is_own && is_meant(w));
            meant.rev().max_by(|a, b| size(a).total_cmp(&size(b)))
        };
        let largest = *largest_of(true).or_else(|| largest_of(false))?;
        Some(Weighed { costliest: self.is_costliest(&largest, all), ..largest })
    }

    /// Returns true if no other function costs more.
    fn is_costliest(&self, named: &Weighed, all: &[Weighed]) -> bool {
        let time_share = self.contenders[named.position].time_share;
        match self.time_shares.as_ref().filter(|_| time_share.is_some()) {
            Some(shares) => shares.iter().all(|share| *share <= named.weight),
            None => all.iter().all(|w| w.share_then <= named.share_then),
        }
    }

    fn spread(&self, all: &[Weighed], others: &Others) -> Option<Spread> {
        let is_whole_fast = self.pace == Some(Pace::Fast);
        let mut fast = all.iter().filter(|w| self.pace(w) == Some(Pace::Fast));
        if fast.any(|w| is_whole_fast || w.share_then >= NOTABLE_SHARE) {
            return Some(Spread::SmallFast);
        }
        if self.shares(others, true).any(|(_, share)| share >= LEAST_SHARE) {
            return Some(Spread::FastGroup);
        }
        is_whole_fast.then_some(Spread::WholeFast)
    }

    /// Returns the groups, or only the fast ones, with their shares at the target.
    fn shares(&self, others: &Others, is_fast: bool) -> impl Iterator<Item = (usize, f64)> {
        let meant = others.groups.iter().enumerate().filter(move |(_, group)| group.is_fast || !is_fast);
        meant.filter_map(|(i, group)| Some((i, self.share(group.then?.cost, group.then?.cost))))
    }

    /// Returns the groups with the largest shares at the target. For [`Spread::FastGroup`], only fast ones count.
    fn largest(&self, others: &Others, why: Spread) -> Vec<(usize, f64)> {
        let mut groups: Vec<(usize, f64)> = self.shares(others, why == Spread::FastGroup).collect();
        groups.retain(|(_, share)| *share >= NOTABLE_SHARE);
        groups.sort_by(|a, b| b.1.total_cmp(&a.1));
        groups.truncate(MOST_GROUPS);
        groups
    }

    /// Returns the claim that holds about all rows.
    ///
    /// It is certain if no row that may grow faster can take [`LEAST_SHARE`]. It covers only large rows if smaller ones
    /// grow faster.
    fn claim(&self, Others { shown, .. }: &Others) -> Unnamed {
        let certain = !shown.iter().any(|row| self.may_be_large(row));
        let is_fast = shown.iter().any(|row| row.pace == Pace::Fast);
        Unnamed { large_only: !shown.is_empty() && (certain || is_fast), certain }
    }

    /// Returns true if the row may take a large part of the cost at the target. A row without a prediction may,
    /// unless large inputs do not execute it.
    fn may_be_large(&self, row: &Shown) -> bool {
        let Some(then) = row.then else { return !row.ends };
        let upper = then.ci.map_or(then.cost, |[_, upper]| upper);
        self.share(upper, then.cost) >= LEAST_SHARE
    }
}

impl Weighed {
    fn upper(&self) -> f64 {
        self.share_then_ci.map_or(0.0, |[_, upper]| upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    /// Returns a program that certainly grows too fast, with one function of undecided growth that takes this share.
    fn scene(share: f64) -> Scene {
        let outlook = |cost: f64| Outlook { cost, ci: Some([0.9 * cost, 1.1 * cost]), source: Source::Class };
        let contender = |pace: Pace, share: f64| Contender {
            pace: Some(pace),
            is_own: true,
            share_now: share,
            then: Some(outlook(100.0 * share)),
            time_share: None,
        };
        let contenders = vec![contender(Pace::Slow, 1.0 - share), contender(Pace::Open, share)];
        Scene { whole: outlook(100.0), pace: Some(Pace::Fast), time_shares: None, contenders }
    }

    #[test]
    fn a_large_function_of_undecided_growth_is_named_if_the_whole_grows_too_fast() {
        let choose = |scene: Scene| scene.choose(|| Some(Others::default())).unwrap();
        let Choice::Open(named) = choose(scene(0.9)) else { panic!("{:?}", choose(scene(0.9))) };
        assert_eq!(named.position, 1);
        assert_eq!(choose(scene(0.05)), Choice::Spread(Spread::WholeFast, Vec::new()));
        // If the whole may grow slowly, a share that does not rise is no reason to watch the function.
        let Choice::Steady(named, _) = choose(Scene { pace: Some(Pace::Open), ..scene(0.9) }) else {
            panic!()
        };
        assert_eq!(named.position, 1);
    }
}
