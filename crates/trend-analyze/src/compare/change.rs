//! Compares one row before and after a change: the kind of difference, and its interval.

use serde::Serialize;
use trend_answer::Outlook;
use trend_model::{GrowthClass, Paired, Relation};

use super::effect::{Effect, MATTERS, WORTHWHILE};
use super::pairs::{Basis, Pairs, agree};
use super::ratio;
use super::version_row::{Side, VersionRow};
use crate::findings::row::JudgedPlace;

/// Smallest difference of exponents that counts as a change.
const LEAST_EXPONENT: f64 = 0.02;

/// A row before and after a change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compared {
    /// The current place, or the former place of a vanished row; absent for the whole program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<JudgedPlace>,
    /// The former place, if the row had another name or file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<JudgedPlace>,
    /// The difference between both versions.
    pub change: Change,
    /// The row before the change.
    pub before: Side,
    /// The row after the change.
    pub after: Side,
    /// The greater of the row's two shares of the whole at the target, 0 to 1.
    pub weight: f64,
    /// The row's change in cost at the target as a share of the whole there.
    pub share_of_change: f64,
    /// The effect on the cost at the target.
    pub effect: Effect,
    /// The change of the growth class.
    pub grows: GrowthChange,
}

/// A change of growth class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GrowthChange {
    /// The growth class is higher. A new row grows faster if the whole did not grow as fast before.
    Faster,
    /// The growth class is lower.
    Slower,
    /// The growth class is the same.
    Alike,
    /// The runs leave it open.
    Unknown,
}

/// The difference between a row before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The direction in which the cost at the target changed.
    pub direction: Direction,
    /// The ratio of the costs at the target, after to before; absent if either is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The interval of the ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_ci: Option<[f64; 2]>,
    /// The probability of such a difference if nothing changed, for one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// True if the costs differ without noise, or do not differ at all.
    pub exact: bool,
}

/// The kind of a row's change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeKind {
    /// The runs show no change. [`Change::exact`] is true if all counts are the same.
    None,
    /// The row exists only after the change.
    New,
    /// The row existed only before the change.
    Vanished,
    /// The growth class is different.
    Class,
    /// The ratio of the costs grows with the size.
    Exponent {
        /// The difference of the exponents.
        by: f64,
        /// The interval of the difference.
        ci: [f64; 2],
    },
    /// The cost is multiplied by a factor.
    Factor {
        /// The factor on the cost.
        by: f64,
        /// The interval of the factor.
        ci: [f64; 2],
    },
    /// The counts differ by more than they scatter, but in no known shape.
    Differs {
        /// The ratio of the costs in the largest shared run.
        by: f64,
    },
    /// The cost differs by a constant at every size, besides a factor.
    Floor {
        /// The difference at every size.
        by: f64,
        /// The interval of the difference.
        ci: [f64; 2],
        /// The factor on the rest of the cost.
        factor: f64,
    },
}

impl ChangeKind {
    /// Returns true if the growth differs, and not only the cost.
    pub fn is_of_law(self) -> bool {
        matches!(self, Self::Class | Self::Exponent { .. })
    }
}

/// The direction of a change in cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The cost is higher.
    Worse,
    /// The cost is lower.
    Better,
    /// The cost is the same, or its change is unknown.
    Same,
}

impl Compared {
    /// Returns the name of the row; empty for the whole program.
    pub fn name(&self) -> &str {
        self.place.as_ref().map_or("", |place| &place.name)
    }

    /// Returns the ratio of the costs at the target, after to before. It is infinite for a new row, 0 for a vanished
    /// one, and 1 if unknown.
    pub fn ratio(&self) -> f64 {
        self.change.ratio.unwrap_or(match self.change.kind {
            ChangeKind::New => f64::INFINITY,
            ChangeKind::Vanished => 0.0,
            _ => 1.0,
        })
    }

    /// Returns the higher class of before and after, if either is known.
    pub(super) fn higher_class(&self) -> Option<GrowthClass> {
        let least = |side: &Side| side.classes.map(|[slowest, _]| slowest);
        least(&self.before).max(least(&self.after))
    }

    /// Returns true if the row may take a notable part of the whole.
    pub(super) fn may_matter(&self, whole: f64) -> bool {
        let most = |side: &Side| side.ci.map_or(side.cost, |[_, high]| high);
        most(&self.before).max(most(&self.after)) >= WORTHWHILE * whole
    }

    /// Sets the row's shares of the whole, which costs `whole` at the target.
    pub(super) fn weigh(&mut self, whole: f64) {
        if whole > 0.0 {
            self.weight = (self.before.cost.max(self.after.cost) / whole).min(1.0);
            self.share_of_change = (self.after.cost - self.before.cost).abs() / whole;
        }
    }
}

/// The context in which rows are compared.
pub(super) struct Comparing<'a> {
    pub(super) pairs: &'a Pairs,
    pub(super) basis: Basis,
    /// Significance level for one row.
    pub(super) alpha: f64,
    pub(super) level: f64,
}

/// Builds a row that only one version has. `other` has the possible classes of the whole in the other version.
pub(super) fn alone(
    row: Side,
    place: Option<JudgedPlace>,
    kind: ChangeKind,
    other: Option<[GrowthClass; 2]>,
) -> Compared {
    let none = Side { growth: String::new(), max_cost: 0, cost: 0.0, ci: None, classes: None };
    let classes = row.classes;
    let (before, after, direction, effect, growth_change) = match kind {
        ChangeKind::Vanished => (row, none, Direction::Better, Effect::Better, GrowthChange::Slower),
        _ => (none, row, Direction::Worse, Effect::Worse, GrowthChange::Faster),
    };
    let grows = match classes.zip(other) {
        Some(([slowest, _], [_, fastest])) if slowest > fastest => growth_change,
        Some(([_, fastest], [slowest, _])) if fastest <= slowest => GrowthChange::Alike,
        _ => GrowthChange::Unknown,
    };
    let change = Change { kind, direction, ratio: None, ratio_ci: None, p_value: None, exact: true };
    Compared { place, was: None, change, before, after, weight: 0.0, share_of_change: 0.0, effect, grows }
}

/// Compares a row before and after. If chance explains a difference with a probability above `alpha`, it is no change.
pub(super) fn compared(old: &VersionRow<'_>, new: &VersionRow<'_>, by: &Comparing<'_>) -> Compared {
    let (before, after) = match by.basis {
        Basis::Predicted => (old.predicted(), new.predicted()),
        Basis::Measured { .. } => {
            let [was, is] = by.pairs.mean_costs(old.costs, new.costs);
            (old.measured(was), new.measured(is))
        }
    };
    let mut change = match by.basis {
        Basis::Predicted => predicted(old, new, by),
        Basis::Measured { .. } => measured(old, new, by),
    };
    let is_told = change.kind != ChangeKind::None;
    let effect = match (is_told, Effect::from_interval(change.ratio_ci, MATTERS)) {
        (false, Effect::Worse | Effect::Better) => Effect::Open,
        (_, effect) => effect,
    };
    change.direction = match change.ratio {
        Some(ratio) if is_told && ratio > 1.0 => Direction::Worse,
        Some(ratio) if is_told && ratio < 1.0 => Direction::Better,
        _ => Direction::Same,
    };
    let grows = grows(&before, &after, &change, effect);
    let has_no_shape = matches!(change.kind, ChangeKind::Differs { .. });
    if (has_no_shape || keeps_the_law(change.kind))
        && matches!(grows, GrowthChange::Faster | GrowthChange::Slower)
    {
        change.kind = ChangeKind::Class;
    }
    let was = old
        .place
        .clone()
        .filter(|was| new.place.as_ref().is_some_and(|now| (&now.name, &now.file) != (&was.name, &was.file)));
    let place = new.place.clone();
    let mut compared =
        Compared { place, was, change, before, after, weight: 1.0, share_of_change: 0.0, effect, grows };
    compared.weigh(compared.before.cost.max(compared.after.cost));
    compared
}

/// Returns the change of the growth class. It is faster or slower only if both versions have classes and the pairs
/// show a change.
fn grows(before: &Side, after: &Side, change: &Change, effect: Effect) -> GrowthChange {
    let is_told = change.kind != ChangeKind::None;
    match (before.classes, after.classes) {
        _ if !is_told && (change.exact || effect == Effect::Same) => GrowthChange::Alike,
        (Some([_, old]), Some([new, _])) if is_told && new > old => GrowthChange::Faster,
        (Some([old, _]), Some([_, new])) if is_told && old > new => GrowthChange::Slower,
        (Some(old), Some(new)) if old == new && keeps_the_law(change.kind) => GrowthChange::Alike,
        _ => GrowthChange::Unknown,
    }
}

fn keeps_the_law(kind: ChangeKind) -> bool {
    matches!(kind, ChangeKind::Factor { .. } | ChangeKind::Floor { .. })
}

/// Returns the change between two predictions.
fn predicted(old: &VersionRow<'_>, new: &VersionRow<'_>, by: &Comparing<'_>) -> Change {
    let (before, after) = (old.outlook, new.outlook);
    let both = before.zip(after).filter(|(before, after)| before.cost > 0.0 && after.cost > 0.0);
    let ratio = both.map(|(before, after)| after.cost / before.cost).filter(|ratio| ratio.is_finite());
    let none = Change {
        kind: ChangeKind::None,
        direction: Direction::Same,
        ratio,
        ratio_ci: None,
        p_value: None,
        exact: false,
    };
    // If the counts are equal, the laws can differ only because one version has further runs. If the laws agree, those
    // runs show no change either.
    let agrees = by.pairs.reaches_the_largest || both.is_some_and(|(before, after)| do_agree(before, after));
    let is_equal = by.pairs.are_equal(old.costs, new.costs);
    if agrees && is_equal {
        let ratio = ratio.map(|_| 1.0);
        return Change {
            p_value: Some(1.0),
            exact: true,
            ratio,
            ratio_ci: ratio.map(|one| [one, one]),
            ..none
        };
    }
    let laws = both.and_then(|(before, after)| ratio::of_laws(before, after));
    let Some(paired) = by.pairs.compared(old.costs, new.costs) else {
        return Change { ratio_ci: laws, ..none };
    };
    let relation = paired.relation(by.alpha, by.level);
    let is_notable = old.max_cost.max(new.max_cost) as f64 >= WORTHWHILE * by.pairs.largest_total;
    let ratio_ci = ratio.zip(both).and_then(|(ratio, both)| {
        let at = new.target.or(old.target).filter(|_| is_notable);
        let costs = by.pairs.costs(old.costs, new.costs);
        let pairs =
            at.and_then(|at| ratio::of_pairs(&paired, &relation, &costs, (at, both.0.cost), by.level));
        // Other features do not cancel in differences.
        let is_alone = by.pairs.reaches_the_largest && [old, new].iter().all(|row| row.is_in_target());
        let differences =
            at.filter(|_| is_alone).and_then(|at| ratio::of_differences(&costs, at, both, by.level));
        ratio::narrowed(ratio, laws, pairs, differences)
    });
    let p_beyond = old.spread().zip(new.spread()).map_or(1.0, |(old, new)| paired.p_beyond(old.hypot(new)));
    let p_value = paired.p_value().min(p_beyond);
    let kind = kind(old, new, &paired, &relation, p_beyond <= by.alpha);
    let kind = match kind {
        ChangeKind::Differs { .. } => ChangeKind::Differs { by: by.pairs.last_ratio(old.costs, new.costs) },
        kind => kind,
    };
    // If the counts are equal, the difference comes from runs that only one version has, and is not exact.
    Change { kind, ratio_ci, p_value: Some(p_value), exact: paired.is_exact() && !is_equal, ..none }
}

/// Returns true if each of two predictions is within the interval of the other. Without an interval, they must be
/// equal up to rounding.
fn do_agree(before: Outlook, after: Outlook) -> bool {
    const ROUNDING: f64 = 1e-9;
    let is_within = |cost: f64, of: Outlook| {
        let [low, high] = of.ci.unwrap_or([of.cost; 2]);
        low * (1.0 - ROUNDING) <= cost && cost <= high * (1.0 + ROUNDING)
    };
    is_within(before.cost, after) && is_within(after.cost, before)
}

/// Returns the kind of change. `beyond` is true if the counts differ by more than either version scatters.
fn kind(
    old: &VersionRow<'_>,
    new: &VersionRow<'_>,
    paired: &Paired,
    relation: &Relation,
    beyond: bool,
) -> ChangeKind {
    let classes = old.class().zip(new.class()).filter(|(was, is)| was.term() != is.term());
    let is_class = |by: f64| classes.is_some_and(|(was, is)| (is > was) == (by > 0.0));
    match *relation {
        Relation::Power { exponent, .. } if is_class(exponent) => ChangeKind::Class,
        // A factor or a floor that leaves much unexplained does not count.
        Relation::Same | Relation::Factor { .. } | Relation::Line { .. }
            if beyond && !paired.is_exact() && classes.is_some() =>
        {
            ChangeKind::Class
        }
        Relation::Factor { factor, ci } => ChangeKind::Factor { by: factor, ci: [ci.lo, ci.hi] },
        Relation::Line { floor, floor_ci, factor, .. } => {
            ChangeKind::Floor { by: floor, ci: [floor_ci.lo, floor_ci.hi], factor }
        }
        Relation::Power { exponent, ci } if exponent.abs() >= LEAST_EXPONENT => {
            ChangeKind::Exponent { by: exponent, ci: [ci.lo, ci.hi] }
        }
        Relation::Power { .. } => ChangeKind::Differs { by: 1.0 },
        Relation::Same if beyond => ChangeKind::Differs { by: 1.0 },
        Relation::Same => ChangeKind::None,
    }
}

/// Returns the change between runs without a range of sizes: a factor, with a wide interval if the runs disagree about
/// it.
fn measured(old: &VersionRow<'_>, new: &VersionRow<'_>, by: &Comparing<'_>) -> Change {
    let none = Change {
        kind: ChangeKind::None,
        direction: Direction::Same,
        ratio: None,
        ratio_ci: None,
        p_value: None,
        exact: false,
    };
    if by.pairs.are_equal(old.costs, new.costs) {
        return Change {
            ratio: Some(1.0),
            ratio_ci: Some([1.0; 2]),
            p_value: Some(1.0),
            exact: true,
            ..none
        };
    }
    let Some(mean) = by.pairs.mean_ratio(old.costs, new.costs) else { return none };
    let (factor, ci) = mean.at(by.level);
    let p_value = mean.p_value();
    let factors = ChangeKind::Factor { by: factor, ci: [ci.lo, ci.hi] };
    let kind = if p_value <= by.alpha { factors } else { ChangeKind::None };
    let ratio_ci = if agree(&mean) { [ci.lo, ci.hi] } else { [mean.least.min(1.0), mean.most.max(1.0)] };
    Change { kind, ratio: Some(factor), ratio_ci: Some(ratio_ci), p_value: Some(p_value), ..none }
}
