//! Clusters, functions, lines and blocks as rows of one shape.

use trend_analyze::{
    COSTLY_SHARE, Cluster, Findings, Joint, Model, Outlook, Overtaking, Point, PowerLawModel,
    RepresentativeKind, Row, RowLaw, best_model,
};

use crate::text::brief;
use crate::{By, ReportError, TableOptions, number, select};

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

pub(crate) fn is_finite(ci: &[f64; 2]) -> bool {
    ci.iter().all(|v| v.is_finite())
}

/// One row of a table, whatever it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) rank: usize,
    /// What a person calls the row, in full.
    pub(crate) name: &'a str,
    pub(crate) max_cost: u64,
    pub(crate) max_share: f64,
    pub(crate) share_of_largest: f64,
    /// The share that is shown: by the laws, in the largest run.
    pub(crate) share: f64,
    pub(crate) is_costly: bool,
    pub(crate) models: &'a [Model],
    pub(crate) joint: Option<&'a Joint>,
    /// What it will cost at the findings' points.
    pub(crate) outlooks: &'a [Option<Outlook>],
    pub(crate) costs: &'a [u64],
    pub(crate) listed: Listed<'a>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listed<'a> {
    Cluster(&'a Cluster),
    Row(&'a Row, By),
}

impl<'a> Item<'a> {
    pub(crate) fn of_cluster(cluster: &'a Cluster) -> Self {
        Self {
            rank: cluster.rank,
            name: &cluster.title,
            max_cost: cluster.max_cost,
            max_share: cluster.max_share,
            share_of_largest: cluster.share_of_largest,
            share: cluster.share_now,
            is_costly: cluster.costly,
            models: &cluster.models,
            joint: cluster.joint.as_ref(),
            outlooks: &cluster.outlooks,
            costs: &cluster.costs,
            listed: Listed::Cluster(cluster),
        }
    }

    pub(crate) fn of_row(rank: usize, row: &'a Row, by: By) -> Self {
        Self {
            rank,
            name: &row.name,
            max_cost: row.max_cost,
            max_share: row.max_share,
            share_of_largest: row.share_of_largest,
            share: row.share_now,
            is_costly: row.max_share > COSTLY_SHARE,
            models: &row.models,
            joint: row.joint.as_ref(),
            outlooks: &row.outlooks,
            costs: &row.costs,
            listed: Listed::Row(row, by),
        }
    }

    pub(crate) fn cluster(&self) -> Option<&'a Cluster> {
        match self.listed {
            Listed::Cluster(cluster) => Some(cluster),
            Listed::Row(..) => None,
        }
    }

    /// The name as it is shown where there is room for it.
    pub(crate) fn shown(&self) -> String {
        brief(self.name, usize::MAX)
    }

    /// What stands beside the name: the feature that a cluster is linear in, a function's place.
    pub(crate) fn detail(&self) -> String {
        match self.listed {
            Listed::Cluster(cluster) => match cluster.representative.kind {
                RepresentativeKind::Location if cluster.function_count > 1 => {
                    format!("{} functions", cluster.function_count)
                }
                RepresentativeKind::Location => String::new(),
                RepresentativeKind::Feature => format!("linear in {}", cluster.representative.name),
            },
            Listed::Row(row, By::Function) => row_place(row),
            Listed::Row(..) => String::new(),
        }
    }

    /// The greatest share of a run, where the share of the costliest run does not tell about it.
    pub(crate) fn share_of_others(&self) -> Option<f64> {
        let (most, share) = (self.max_share, self.share);
        (most > share * FAR_ABOVE && number::share(most) != number::share(share)).then_some(most)
    }

    /// `14.9 % of the costliest run`, and `, up to 90.0 % of others` where that is far from it.
    pub(crate) fn shares(&self) -> String {
        let others = self.share_of_others();
        let others = others.map(|most| format!(", up to {} of others", number::share(most)));
        format!("{} of the costliest run{}", number::share(self.share), others.unwrap_or_default())
    }

    /// The law that it is shown by.
    pub(crate) fn row_law(&self, scope: &Scope<'_>) -> Option<RowLaw<'a>> {
        scope.law(self.models, self.joint)
    }

    /// The power law in the scope's feature.
    pub(crate) fn law(&self, scope: &Scope<'_>) -> Option<&'a PowerLawModel> {
        scope.model(self.models)?.power_law.as_ref()
    }

    /// Doubts and findings, one letter each; [`FLAGS`] says what they mean.
    pub(crate) fn flags(&self, scope: &Scope<'_>) -> String {
        let model = scope.model(self.models);
        let law = model.and_then(|m| m.power_law.as_ref());
        let mut flags = String::new();
        if let Some(cluster) = self.cluster() {
            if !cluster.overtakes.is_empty() {
                flags.push('^');
            }
            if cluster.members.iter().any(|m| m.unstable) {
                flags.push('~');
            }
        }
        let has_joint = matches!(self.row_law(scope), Some(RowLaw::Joint(_)));
        if model.map(RowLaw::Of).is_none_or(RowLaw::is_poor) && !has_joint {
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
pub(crate) fn predicted(item: &Item<'_>, scope: &Scope<'_>) -> Option<Outlook> {
    outlook(item.models, item.outlooks, scope)
}

/// The same of the whole.
pub(crate) fn predicted_total(findings: &Findings, scope: &Scope<'_>) -> Option<Outlook> {
    outlook(&findings.total.models, &findings.total.outlooks, scope)
}

fn outlook(models: &[Model], outlooks: &[Option<Outlook>], scope: &Scope<'_>) -> Option<Outlook> {
    let (index, point) = scope.point?;
    match scope.feature {
        Some(_) if scope.several => {
            let model = scope.model(models)?;
            model.prediction_at(point.value(model.id)?).map(Outlook::from)
        }
        _ => *outlooks.get(index)?,
    }
}

/// The measured points of a row: feature value and cost, in the workloads' order; those without
/// the feature left out.
pub(crate) fn points(findings: &Findings, feature: usize, costs: &[u64]) -> Vec<(f64, f64)> {
    let Some(values) = findings.feature_values.get(feature) else { return Vec::new() };
    values.iter().zip(costs).filter_map(|(x, &y)| x.map(|x| (x, y as f64))).collect()
}
