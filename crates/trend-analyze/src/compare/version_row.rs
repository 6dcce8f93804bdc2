//! A row of one version, in the form that is compared.

use serde::Serialize;
use trend_answer::Outlook;
use trend_model::GrowthClass;

use crate::findings::Findings;
use crate::findings::law::{Fits, RowLaw};
use crate::findings::model::Model;
use crate::findings::row::{Cluster, JudgedPlace, Row};
use crate::forecast::pace::classes;

/// A row of one version.
pub(super) struct VersionRow<'a> {
    pub(super) place: Option<JudgedPlace>,
    pub(super) costs: &'a [u64],
    pub(super) max_cost: u64,
    fits: &'a Fits,
    model: Option<&'a Model>,
    pub(super) outlook: Option<Outlook>,
    /// The feature value at which costs are predicted.
    pub(super) target: Option<f64>,
}

impl<'a> VersionRow<'a> {
    pub(super) fn new(findings: &'a Findings, row: &'a Row, feature: &str) -> Self {
        Self {
            place: Some(place(row)),
            costs: &row.costs,
            max_cost: row.max_cost,
            fits: &row.fits,
            model: model(&row.fits, feature),
            outlook: row.outlooks.first().copied().flatten(),
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
            fits: &cluster.fits,
            model: model(&cluster.fits, feature),
            outlook: cluster.outlooks.first().copied().flatten(),
            target: target(findings, feature),
        }
    }

    pub(super) fn of_total(findings: &'a Findings, feature: &str) -> Self {
        let total = &findings.total;
        Self {
            place: None,
            costs: &total.costs,
            max_cost: total.max_cost,
            fits: &total.fits,
            model: model(&total.fits, feature),
            outlook: total.outlooks.first().copied().flatten(),
            target: target(findings, feature),
        }
    }

    /// Returns the row with its cost at the target, by its own law.
    pub(super) fn predicted(&self) -> Side {
        let growth = match (self.fits.joint.as_ref(), self.model.and_then(|model| model.growth.as_ref())) {
            (Some(joint), _) => joint.law.formula(),
            (None, Some(growth)) => growth.short.to_string(),
            (None, None) if self.is_constant() => "1".to_owned(),
            (None, None) => String::new(),
        };
        let cost = self.outlook.map_or(0.0, |outlook| outlook.cost);
        let ci = self.outlook.and_then(|outlook| outlook.ci);
        Side { growth, max_cost: self.max_cost, cost, ci, classes: self.classes() }
    }

    /// Returns the row without a law, with its mean cost in the runs.
    pub(super) fn measured(&self, cost: f64) -> Side {
        Side { growth: String::new(), max_cost: self.max_cost, cost, ci: None, classes: None }
    }

    /// Returns the slowest and the fastest possible class.
    pub(super) fn classes(&self) -> Option<[GrowthClass; 2]> {
        let law = self.fits.joint.as_ref().map(RowLaw::Joint).or(self.model.map(RowLaw::Of));
        law.and_then(classes).or_else(|| self.is_constant().then_some([GrowthClass::Constant; 2]))
    }

    /// Returns true if the row costs the same in every run. Such a row has no model with a class.
    fn is_constant(&self) -> bool {
        self.costs.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Returns the class, if enough sizes decide it.
    pub(super) fn class(&self) -> Option<GrowthClass> {
        let model = self.model.filter(|model| model.is_sound() && self.fits.joint.is_none())?;
        Some(model.growth.as_ref()?.decided_class()?.class)
    }

    /// Returns the scatter of the costs about the best law in the feature, as the standard deviation of their
    /// logarithm.
    pub(super) fn spread(&self) -> Option<f64> {
        let model = self.model.filter(|model| model.is_sound())?;
        Some(model.growth.as_ref()?.best()?.spread)
    }

    /// Returns true if the row's law is in the feature of the target alone.
    pub(super) fn is_in_target(&self) -> bool {
        match (self.fits.law(), self.model) {
            (Some(RowLaw::Of(law)), Some(model)) => law.id == model.id,
            _ => false,
        }
    }

    /// Returns true if there are enough sizes over a wide enough range for a law.
    pub(super) fn has_range(&self) -> bool {
        match self.fits.law() {
            Some(RowLaw::Joint(_)) => true,
            Some(RowLaw::Of(model)) => model.is_sound(),
            None => false,
        }
    }
}

fn target(findings: &Findings, feature: &str) -> Option<f64> {
    findings.points.first()?.value_named(feature)
}

/// A row of one version.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Side {
    /// The growth in short; empty if unknown.
    pub growth: String,
    /// The greatest cost in a workload.
    pub max_cost: u64,
    /// The cost at the target by the row's own law, as its study shows it. If the shared runs have no range, the mean
    /// cost of these runs. 0 if the version lacks the row.
    pub cost: f64,
    /// The interval of the cost.
    pub ci: Option<[f64; 2]>,
    /// The slowest and the fastest possible class.
    #[serde(skip)]
    pub(crate) classes: Option<[GrowthClass; 2]>,
}

/// Returns the place of a row, for display.
pub(super) fn place(row: &Row) -> JudgedPlace {
    JudgedPlace { name: row.name.clone(), file: row.file.clone(), line: row.line }
}

/// Returns the model in a feature, or else the model that explains the row best.
pub(super) fn model<'a>(fits: &'a Fits, feature: &str) -> Option<&'a Model> {
    fits.in_feature(feature).or_else(|| fits.best())
}
