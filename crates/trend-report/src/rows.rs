//! Clusters, functions, lines and blocks as rows of one shape.

use trend_analyze::{
    Cluster, Findings, GrowthModel, Joint, Model, Outlook, Overtaking, Point, PowerLawModel, Prediction,
    RepresentativeKind, Row, RowLaw, best_model,
};

use crate::text::brief;
use crate::{By, ReportError, TableOptions, number, select};

/// As [`trend_analyze::Options::costly_share`] is by default; for rows that carry no mark.
pub(crate) const COSTLY_SHARE: f64 = 0.02;

/// A power law below this R² describes its row poorly.
pub(crate) const POOR_R2: f64 = 0.9;

/// A growth class whose costs scatter by less than this about it describes its row well, whatever R² is: that of a
/// constant is 0.
const GOOD_SPREAD: f64 = 0.25;

/// A greatest share above the share of the costliest run by this factor is told beside it.
const FAR_ABOVE: f64 = 1.25;

/// What a table is about: one feature, or each row's own law; and where it predicts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    /// The feature's position and name, where somebody asked for one or the study has one alone; else each row has its own
    /// law.
    pub(crate) feature: Option<(usize, &'a str)>,
    /// Where predictions are made, and its position among the findings' points.
    pub(crate) point: Option<(usize, &'a Point)>,
    /// Whether the study has several features, so that a class has to say of which it speaks.
    pub(crate) several: bool,
}

impl<'a> Scope<'a> {
    /// # Errors
    /// [`ReportError::UnknownFeature`].
    pub(crate) fn new(findings: &'a Findings, options: &TableOptions) -> Result<Self, ReportError> {
        let feature = match &options.feature {
            Some(name) => Some(select::feature(findings, name)?),
            None => (findings.features.len() == 1).then_some(0),
        };
        let points = || findings.points.iter().enumerate();
        let asked = points().find(|(_, point)| point.asked);
        Ok(Self {
            feature: feature.map(|i| (i, findings.features[i].name.as_str())),
            point: asked.or_else(|| points().next_back()),
            several: findings.features.len() > 1,
        })
    }

    /// Of a page that shows each row by its own law.
    pub(crate) fn of_page(findings: &'a Findings) -> Self {
        let options = TableOptions::default();
        // Only a feature that is named can be unknown.
        Self::new(findings, &options).unwrap_or(Self { feature: None, point: None, several: false })
    }

    /// The model that a row is shown by: in the scope's feature, or in the one that explains it best.
    pub(crate) fn model<'m>(&self, models: &'m [Model]) -> Option<&'m Model> {
        match self.feature {
            Some((feature, _)) => models.iter().find(|model| model.id.index() == feature),
            None => best_model(models).or(models.first()),
        }
    }

    /// The law that a row is shown by.
    pub(crate) fn law<'m>(&self, models: &'m [Model], joint: Option<&'m Joint>) -> Option<RowLaw<'m>> {
        match self.feature {
            Some(_) if self.several => self.model(models).map(RowLaw::Of),
            _ => RowLaw::of(models, joint),
        }
    }

    /// A feature's value where predictions are made.
    pub(crate) fn at(&self, feature: &str) -> Option<f64> {
        self.point?.1.value_named(feature)
    }
}

/// A predicted cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) cost: f64,
    pub(crate) ci: Option<[f64; 2]>,
}

impl From<&Prediction> for Estimate {
    fn from(prediction: &Prediction) -> Self {
        Self { cost: prediction.cost, ci: prediction.ci.filter(is_finite) }
    }
}

impl From<&Outlook> for Estimate {
    fn from(outlook: &Outlook) -> Self {
        Self { cost: outlook.cost, ci: outlook.ci.filter(is_finite) }
    }
}

/// Whether the model says little about what its row costs.
pub(crate) fn is_poor(model: &Model) -> bool {
    let is_close = |growth: &GrowthModel| growth.decided_class().is_some_and(|c| c.spread < GOOD_SPREAD);
    let Some(law) = &model.power_law else { return true };
    (law.r2.is_nan() || law.r2 < POOR_R2) && !model.growth.as_ref().is_some_and(is_close)
}

pub(crate) fn is_finite(ci: &[f64; 2]) -> bool {
    ci.iter().all(|v| v.is_finite())
}

/// One row of a table, whatever it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    Cluster(&'a Cluster),
    Row { rank: usize, row: &'a Row, by: By },
}

impl<'a> Item<'a> {
    pub(crate) fn rank(&self) -> usize {
        match self {
            Self::Cluster(cluster) => cluster.rank,
            Self::Row { rank, .. } => *rank,
        }
    }

    /// What a person calls the row, in full.
    pub(crate) fn name(&self) -> &'a str {
        match self {
            Self::Cluster(cluster) => &cluster.title,
            Self::Row { row, .. } => &row.name,
        }
    }

    /// The name as it is shown where there is room for it.
    pub(crate) fn shown(&self) -> String {
        brief(self.name(), usize::MAX)
    }

    /// What stands beside the name: the feature that a cluster is linear in, a function's place.
    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Cluster(cluster) => match cluster.representative.kind {
                RepresentativeKind::Location => String::new(),
                RepresentativeKind::Feature => format!("linear in {}", cluster.representative.name),
            },
            Self::Row { row, by: By::Function, .. } => row_place(row),
            Self::Row { .. } => String::new(),
        }
    }

    pub(crate) fn max_cost(&self) -> u64 {
        match self {
            Self::Cluster(cluster) => cluster.max_cost,
            Self::Row { row, .. } => row.max_cost,
        }
    }

    pub(crate) fn max_share(&self) -> f64 {
        match self {
            Self::Cluster(cluster) => cluster.max_share,
            Self::Row { row, .. } => row.max_share,
        }
    }

    pub(crate) fn share_of_largest(&self) -> f64 {
        match self {
            Self::Cluster(cluster) => cluster.share_of_largest,
            Self::Row { row, .. } => row.share_of_largest,
        }
    }

    /// The greatest share of a run, where the share of the costliest run does not tell about it.
    pub(crate) fn share_of_others(&self) -> Option<f64> {
        let (most, share) = (self.max_share(), self.share_of_largest());
        (most > share * FAR_ABOVE && number::share(most) != number::share(share)).then_some(most)
    }

    /// `14.9 % of the costliest run`, and `, up to 90.0 % of others` where that is far from it.
    pub(crate) fn shares(&self) -> String {
        let others = self.share_of_others();
        let others = others.map(|most| format!(", up to {} of others", number::share(most)));
        format!(
            "{} of the costliest run{}",
            number::share(self.share_of_largest()),
            others.unwrap_or_default()
        )
    }

    pub(crate) fn models(&self) -> &'a [Model] {
        match self {
            Self::Cluster(cluster) => &cluster.models,
            Self::Row { row, .. } => &row.models,
        }
    }

    pub(crate) fn joint(&self) -> Option<&'a Joint> {
        match self {
            Self::Cluster(cluster) => cluster.joint.as_ref(),
            Self::Row { row, .. } => row.joint.as_ref(),
        }
    }

    /// What it will cost at the findings' points.
    pub(crate) fn outlooks(&self) -> &'a [Option<Outlook>] {
        match self {
            Self::Cluster(cluster) => &cluster.outlooks,
            Self::Row { row, .. } => &row.outlooks,
        }
    }

    /// The law that it is shown by.
    pub(crate) fn row_law(&self, scope: &Scope<'_>) -> Option<RowLaw<'a>> {
        scope.law(self.models(), self.joint())
    }

    /// The power law in the scope's feature.
    pub(crate) fn law(&self, scope: &Scope<'_>) -> Option<&'a PowerLawModel> {
        scope.model(self.models())?.power_law.as_ref()
    }

    pub(crate) fn costs(&self) -> &'a [u64] {
        match self {
            Self::Cluster(cluster) => &cluster.costs,
            Self::Row { row, .. } => &row.costs,
        }
    }

    pub(crate) fn is_costly(&self) -> bool {
        match self {
            Self::Cluster(cluster) => cluster.costly,
            Self::Row { row, .. } => row.max_share > COSTLY_SHARE,
        }
    }

    /// How many locations it has; `None` where that is not known.
    pub(crate) fn locations(&self) -> Option<usize> {
        match self {
            Self::Cluster(cluster) => Some(cluster.members.len()),
            Self::Row { .. } => None,
        }
    }

    /// Doubts and findings, one letter each; [`FLAGS`] says what they mean.
    pub(crate) fn flags(&self, scope: &Scope<'_>) -> String {
        let model = scope.model(self.models());
        let law = model.and_then(|m| m.power_law.as_ref());
        let mut flags = String::new();
        if let Self::Cluster(cluster) = self {
            if !cluster.overtakes.is_empty() {
                flags.push('^');
            }
            if cluster.members.iter().any(|m| m.unstable) {
                flags.push('~');
            }
        }
        let has_joint = matches!(self.row_law(scope), Some(RowLaw::Joint(_)));
        if model.is_none_or(is_poor) && !has_joint {
            flags.push('?');
        }
        if model.is_some_and(|m| law.is_some() && !m.doubts.is_empty()) && !has_joint {
            flags.push('!');
        }
        flags
    }
}

/// The letters of [`Item::flags`].
pub(crate) const FLAGS: [(char, &str); 4] = [
    ('^', "overtakes a costlier cluster"),
    ('~', "counts differ between repetitions"),
    ('?', "poorly modelled (R² below 0.9 or no model)"),
    ('!', "the model has warnings (`show NAME` names them)"),
];

/// What a person calls the cluster that is passed.
pub(crate) fn passed<'a>(findings: &'a Findings, overtaking: &'a Overtaking) -> &'a str {
    let cluster = overtaking.rank.checked_sub(1).and_then(|i| findings.clusters.get(i));
    cluster.map_or(&overtaking.cluster, |cluster| &cluster.title)
}

pub(crate) fn row_place(row: &Row) -> String {
    match (row.file.as_str(), row.line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}

/// The cost of a row where the scope predicts, by the law that it is shown by.
pub(crate) fn predicted(item: &Item<'_>, scope: &Scope<'_>) -> Option<Estimate> {
    outlook(item.models(), item.outlooks(), scope)
}

/// The same of the whole.
pub(crate) fn predicted_total(findings: &Findings, scope: &Scope<'_>) -> Option<Estimate> {
    outlook(&findings.total.models, &findings.total.outlooks, scope)
}

fn outlook(models: &[Model], outlooks: &[Option<Outlook>], scope: &Scope<'_>) -> Option<Estimate> {
    let (index, point) = scope.point?;
    match scope.feature {
        Some(_) if scope.several => {
            let model = scope.model(models)?;
            model.prediction_at(point.value(model.id)?).map(Estimate::from)
        }
        _ => outlooks.get(index)?.as_ref().map(Estimate::from),
    }
}

/// The measured points of a row: feature value and cost, in the workloads' order; those without
/// the feature left out.
pub(crate) fn points(findings: &Findings, feature: usize, costs: &[u64]) -> Vec<(f64, f64)> {
    let Some(values) = findings.feature_values.get(feature) else { return Vec::new() };
    values.iter().zip(costs).filter_map(|(x, &y)| x.map(|x| (x, y as f64))).collect()
}
