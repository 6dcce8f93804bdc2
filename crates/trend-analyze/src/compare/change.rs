//! One row before and after: what changed, apart, with its interval.

use serde::Serialize;
use trend_model::{GrowthClass, Relation};

use super::{Pairs, model, place};
use crate::{Cluster, Findings, Joint, JudgedPlace, Model, Outlook, Row};

/// An exponent that differs by less is the same.
const LEAST_EXPONENT: f64 = 0.02;

/// A row of one version.
pub(super) struct VersionRow<'a> {
    place: Option<JudgedPlace>,
    costs: &'a [u64],
    max_cost: u64,
    model: Option<&'a Model>,
    joint: Option<&'a Joint>,
    outlook: Option<&'a Outlook>,
    /// The value of the feature where costs are predicted.
    target: Option<f64>,
}

impl<'a> VersionRow<'a> {
    pub(super) fn of(findings: &'a Findings, row: &'a Row, feature: &str) -> Self {
        Self {
            place: Some(place(row)),
            costs: &row.costs,
            max_cost: row.max_cost,
            model: model(&row.models, feature),
            joint: row.joint.as_ref(),
            outlook: row.outlooks.first().and_then(Option::as_ref),
            target: target(findings, feature),
        }
    }

    pub(super) fn of_cluster(findings: &'a Findings, cluster: &'a Cluster, feature: &str) -> Self {
        let named = cluster.members.iter().find(|member| member.name == cluster.named_by);
        let file = named.map(|member| member.file.to_string()).unwrap_or_default();
        let line = named.map_or(0, |member| member.line);
        Self {
            place: Some(JudgedPlace { name: cluster.title.clone(), file, line }),
            costs: &cluster.costs,
            max_cost: cluster.max_cost,
            model: model(&cluster.models, feature),
            joint: cluster.joint.as_ref(),
            outlook: cluster.outlooks.first().and_then(Option::as_ref),
            target: target(findings, feature),
        }
    }

    pub(super) fn of_total(findings: &'a Findings, feature: &str) -> Self {
        let total = &findings.total;
        Self {
            place: None,
            costs: &total.costs,
            max_cost: total.max_cost,
            model: model(&total.models, feature),
            joint: total.joint.as_ref(),
            outlook: total.outlooks.first().and_then(Option::as_ref),
            target: target(findings, feature),
        }
    }

    fn side(&self) -> Side {
        let growth = match (self.joint, self.model.and_then(|model| model.growth.as_ref())) {
            (Some(joint), _) => joint.law.formula(),
            (None, Some(growth)) => growth.short.to_string(),
            (None, None) => String::new(),
        };
        let cost = self.outlook.map_or(0.0, |outlook| outlook.cost);
        let ci = self.outlook.and_then(|outlook| outlook.ci);
        Side { growth, max_cost: self.max_cost, cost, ci }
    }

    /// The class, where it is decided by enough sizes.
    fn class(&self) -> Option<GrowthClass> {
        let model = self.model.filter(|model| model.is_sound())?;
        Some(model.growth.as_ref()?.decided_class()?.class)
    }
}

fn target(findings: &Findings, feature: &str) -> Option<f64> {
    findings.points.first()?.value_named(feature)
}

/// A row before and after.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Compared {
    /// Where it is now, or was where it vanished; absent of the whole program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub place: Option<JudgedPlace>,
    /// Where it was, if it was called otherwise or elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub was: Option<JudgedPlace>,
    /// What changed.
    pub change: Change,
    /// As it was.
    pub before: Side,
    /// As it is.
    pub after: Side,
    /// The greater of its shares of the whole at the target, 0 to 1.
    pub weight: f64,
    /// Its change in cost at the target as a share of the whole there.
    pub share_of_change: f64,
}

/// A row of one version.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Side {
    /// How it grows, in short; empty where that is not known.
    pub growth: String,
    /// The greatest cost of a workload.
    pub max_cost: u64,
    /// The predicted cost at the target; 0 where it is not there.
    pub cost: f64,
    /// Its interval.
    pub ci: Option<[f64; 2]>,
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Change {
    /// What.
    pub kind: ChangeKind,
    /// Which way, at the target.
    pub direction: Direction,
    /// The cost at the target as a multiple of that before; absent where there is none before or after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ratio: Option<f64>,
    /// Its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ratio_ci: Option<[f64; 2]>,
    /// The chance of such a difference where nothing changed, for one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub p_value: Option<f64>,
    /// Whether the costs differ without noise, or do not differ at all.
    pub exact: bool,
}

/// What changed of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeKind {
    /// Nothing, as far as the runs tell.
    None,
    /// It is new.
    New,
    /// It is gone.
    Vanished,
    /// It grows as another class.
    Class,
    /// The ratio of the costs grows with the size.
    Exponent {
        /// The difference.
        by: f64,
        /// Its interval.
        ci: [f64; 2],
    },
    /// It costs a multiple.
    Factor {
        /// The factor.
        by: f64,
        /// Its interval.
        ci: [f64; 2],
    },
    /// It costs so much more at every size, or less, besides a factor.
    Floor {
        /// The difference.
        by: f64,
        /// Its interval.
        ci: [f64; 2],
        /// The factor of the rest.
        factor: f64,
    },
}

impl ChangeKind {
    /// Whether it grows differently, and does not only cost more.
    pub fn is_of_law(self) -> bool {
        matches!(self, Self::Class | Self::Exponent { .. })
    }
}

/// Which way a cost changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// It costs more.
    Worse,
    /// It costs less.
    Better,
    /// It costs the same, or nobody knows.
    Same,
}

impl Compared {
    /// Its name; empty of the whole.
    pub fn name(&self) -> &str {
        self.place.as_ref().map_or("", |place| &place.name)
    }

    /// The cost at the target as a multiple of that before: infinite of what is new.
    pub fn ratio(&self) -> f64 {
        self.change.ratio.unwrap_or(match self.change.kind {
            ChangeKind::New => f64::INFINITY,
            ChangeKind::Vanished => 0.0,
            _ => 1.0,
        })
    }

    /// Sets what it is of the whole, which costs this at the target.
    pub(super) fn weigh(&mut self, whole: f64) {
        if whole > 0.0 {
            self.weight = (self.before.cost.max(self.after.cost) / whole).min(1.0);
            self.share_of_change = (self.after.cost - self.before.cost).abs() / whole;
        }
    }
}

/// A row that only one version has.
pub(super) fn alone(row: &VersionRow<'_>, kind: ChangeKind) -> Compared {
    let none = Side { growth: String::new(), max_cost: 0, cost: 0.0, ci: None };
    let (before, after, direction) = match kind {
        ChangeKind::Vanished => (row.side(), none, Direction::Better),
        _ => (none, row.side(), Direction::Worse),
    };
    let change = Change { kind, direction, ratio: None, ratio_ci: None, p_value: None, exact: true };
    Compared { place: row.place.clone(), was: None, change, before, after, weight: 0.0, share_of_change: 0.0 }
}

/// A row before and after; what chance explains with at least `alpha` is no change.
pub(super) fn compared(
    old: &VersionRow<'_>,
    new: &VersionRow<'_>,
    pairs: &Pairs,
    alpha: f64,
    level: f64,
) -> Compared {
    let change = change(old, new, pairs, alpha, level);
    let mut after = new.side();
    let before = old.side();
    // The ratio of the same inputs is known better than the two predictions, which each have their own doubt.
    if let (Some(ratio), true) = (change.ratio, before.cost > 0.0)
        && !change.kind.is_of_law()
    {
        after.cost = before.cost * ratio;
        after.ci = before.ci.zip(change.ratio_ci).map(|([lo, hi], [low, high])| [lo * low, hi * high]);
    }
    let was = old
        .place
        .clone()
        .filter(|was| new.place.as_ref().is_some_and(|now| (&now.name, &now.file) != (&was.name, &was.file)));
    Compared { place: new.place.clone(), was, change, before, after, weight: 1.0, share_of_change: 0.0 }
        .weighed()
}

impl Compared {
    fn weighed(mut self) -> Self {
        let whole = self.before.cost.max(self.after.cost);
        self.weigh(whole);
        self
    }
}

fn change(old: &VersionRow<'_>, new: &VersionRow<'_>, pairs: &Pairs, alpha: f64, level: f64) -> Change {
    let none = |exact: bool, p_value| Change {
        kind: ChangeKind::None,
        direction: Direction::Same,
        ratio: Some(1.0),
        // What is not told from noise has not changed, and nobody knows by how little.
        ratio_ci: exact.then_some([1.0, 1.0]),
        p_value,
        exact,
    };
    if pairs.are_equal(old.costs, new.costs) {
        return none(true, Some(1.0));
    }
    let Some(paired) = pairs.compared(old.costs, new.costs) else { return none(false, None) };
    let p_value = Some(paired.p_value());
    let relation = paired.relation(alpha, level);
    let kind = match relation {
        Relation::Same => return none(false, p_value),
        Relation::Factor { factor, ci } => ChangeKind::Factor { by: factor, ci: [ci.lo, ci.hi] },
        Relation::Line { floor, floor_ci, factor, .. } => {
            ChangeKind::Floor { by: floor, ci: [floor_ci.lo, floor_ci.hi], factor }
        }
        // It grows alike: what it costs at the target is all that may have changed.
        Relation::Power { exponent, .. } if exponent.abs() < LEAST_EXPONENT => {
            ChangeKind::Factor { by: 1.0, ci: [1.0, 1.0] }
        }
        Relation::Power { exponent, ci } => ChangeKind::Exponent { by: exponent, ci: [ci.lo, ci.hi] },
    };
    let outlooks = || {
        let (before, after) = (old.outlook?, new.outlook?);
        let ratio = after.cost / before.cost;
        let ci = before.ci.zip(after.ci).map(|([lo, hi], [low, high])| [low / hi, high / lo]);
        ratio.is_finite().then_some((ratio, ci))
    };
    let by_pairs = || {
        let at = new.target.or(old.target)?;
        let before = old.outlook.map_or(f64::INFINITY, |outlook| outlook.cost);
        let (ratio, ci) = paired.ratio_at(&relation, at, before, level)?;
        Some((ratio, Some([ci.lo, ci.hi])))
    };
    let (kind, ratio) = match (kind, old.class(), new.class()) {
        // What is decided of both is what the change is called, where the pairs agree with it.
        (ChangeKind::Exponent { by, .. }, Some(was), Some(is))
            if was.term() != is.term() && (is > was) == (by > 0.0) =>
        {
            (ChangeKind::Class, outlooks().or_else(by_pairs))
        }
        (ChangeKind::Exponent { .. }, ..) => (kind, outlooks().or_else(by_pairs)),
        (ChangeKind::Factor { by: 1.0, .. }, ..) => {
            let ratio = outlooks().or_else(by_pairs);
            let (by, ci) = ratio.map_or((1.0, None), |(by, ci)| (by, ci));
            (ChangeKind::Factor { by, ci: ci.unwrap_or([by, by]) }, ratio)
        }
        _ => (kind, by_pairs()),
    };
    let (ratio, ratio_ci) = ratio.map_or((None, None), |(ratio, ci)| (Some(ratio), ci));
    let is_worse = match (kind, ratio) {
        (ChangeKind::Exponent { by, .. }, _) => Some(by > 0.0),
        (ChangeKind::Class, _) => Some(new.class() > old.class()),
        (_, Some(ratio)) if ratio != 1.0 => Some(ratio > 1.0),
        _ => None,
    };
    let direction = match is_worse {
        Some(true) => Direction::Worse,
        Some(false) => Direction::Better,
        None => Direction::Same,
    };
    Change { kind, direction, ratio, ratio_ci, p_value, exact: paired.is_exact() }
}
