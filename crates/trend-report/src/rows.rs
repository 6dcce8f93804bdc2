//! Clusters, functions, lines and blocks as rows of one shape.

use trend_analyze::{
    Cluster, Findings, GrowthModel, Joint, Member, Model, PowerLawModel, RepresentativeKind, Row,
};

use crate::{By, ReportError, TableOptions, cells, number, select};

/// As [`trend_analyze::Options::costly_share`] is by default; for rows that carry no mark.
pub(crate) const COSTLY_SHARE: f64 = 0.02;

/// A power law below this R² describes its row poorly.
pub(crate) const POOR_R2: f64 = 0.9;

/// A growth class whose costs scatter by less than this about it describes its row well, whatever R² is: that of a
/// constant is 0.
const GOOD_SPREAD: f64 = 0.25;

/// A greatest share above the share of the costliest run by this factor is told beside it.
const FAR_ABOVE: f64 = 1.25;

/// Predictions are for this many times the 95th percentile unless asked otherwise.
const USUAL_MULTIPLE: f64 = 10.0;

/// The feature that a table is about, and the value that it predicts at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    /// The feature's name and position; `None` when the study has none.
    pub(crate) feature: Option<(usize, &'a str)>,
    pub(crate) at: Option<f64>,
}

impl<'a> Scope<'a> {
    /// # Errors
    /// [`ReportError::UnknownFeature`].
    pub(crate) fn new(findings: &'a Findings, options: &TableOptions) -> Result<Self, ReportError> {
        let feature = match &options.feature {
            Some(name) => Some(select::feature(findings, name)?),
            None => (!findings.features.is_empty()).then_some(0),
        };
        let usual = feature.and_then(|i| findings.features[i].p95).map(|p95| p95 * USUAL_MULTIPLE);
        let positive = |at: &f64| at.is_finite() && *at > 0.0;
        Ok(Self {
            feature: feature.map(|i| (i, findings.features[i].name.as_str())),
            at: options.at.or(usual).filter(positive),
        })
    }

    /// The model in the scope's feature.
    pub(crate) fn model<'m>(&self, models: &'m [Model]) -> Option<&'m Model> {
        let (_, name) = self.feature?;
        models.iter().find(|m| m.feature == name)
    }
}

/// A predicted cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) cost: f64,
    pub(crate) ci: Option<[f64; 2]>,
}

/// Whether two sizes are the same but for their way through text: findings are published with nine digits, and sizes
/// that differ by less than that rounding are one. As on the page.
pub(crate) fn same_size(a: f64, b: f64) -> bool {
    const TOLERANCE: f64 = 1e-8;
    (a - b).abs() <= a.abs().max(b.abs()) * TOLERANCE
}

/// The model's prediction at this value, with its interval where the analysis made one there.
pub(crate) fn estimate(model: &Model, at: f64) -> Option<Estimate> {
    match model.predictions.iter().find(|p| same_size(p.at, at)) {
        Some(p) => Some(Estimate { cost: p.cost, ci: p.ci.filter(is_finite) }),
        None => Some(Estimate { cost: model.predict(at)?, ci: None }),
    }
}

/// Whether the model says little about what its row costs.
pub(crate) fn is_poor(model: &Model) -> bool {
    let is_close = |growth: &GrowthModel| growth.decided_class().is_some_and(|c| c.spread < GOOD_SPREAD);
    let Some(law) = &model.power_law else { return true };
    (law.r2.is_nan() || law.r2 < POOR_R2) && !model.growth.as_ref().is_some_and(is_close)
}

/// `a·x^b`, in logarithms so that `x^b` may overflow where the product does not.
pub(crate) fn evaluate(law: &PowerLawModel, x: f64) -> f64 {
    law.predict(x)
}

/// Warnings that say where a power law bends. A class of growth that is decided says what the bend is.
const OF_BENDS: [&str; 2] = ["hump", "lower_order_term"];

fn is_settled(model: &Model, warning: &str) -> bool {
    OF_BENDS.contains(&warning) && cells::is_decided(model)
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

    /// The row's name.
    pub(crate) fn name(&self) -> &'a str {
        match self {
            Self::Cluster(cluster) => &cluster.representative.name,
            Self::Row { row, .. } => &row.name,
        }
    }

    /// What stands beside the name: a cluster's function, a feature's costliest place, a function's
    /// place.
    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Cluster(cluster) => match cluster.representative.kind {
                RepresentativeKind::Location => {
                    representative(cluster).map(|m| m.function.to_string()).unwrap_or_default()
                }
                RepresentativeKind::Feature => cluster.members.first().map(place).unwrap_or_default(),
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

    /// The power law in the scope's feature.
    pub(crate) fn law(&self, scope: &Scope<'_>) -> Option<&'a PowerLawModel> {
        scope.model(self.models())?.power_law.as_ref()
    }

    /// The growth class in the scope's feature.
    pub(crate) fn growth(&self, scope: &Scope<'_>) -> Option<&'a GrowthModel> {
        scope.model(self.models())?.growth.as_ref()
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
        if model.is_none_or(is_poor) {
            flags.push('?');
        }
        let of_note = |m: &Model| m.warnings.iter().any(|w| !is_settled(m, &w.kind));
        if model.is_some_and(|m| law.is_some() && of_note(m)) {
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

/// The member that a cluster is named by.
pub(crate) fn representative(cluster: &Cluster) -> Option<&Member> {
    let name = &cluster.representative.name;
    cluster.members.iter().find(|m| *m.name == **name).or_else(|| cluster.members.first())
}

/// A member's `file:line`, or its name where it has no line.
pub(crate) fn place(member: &Member) -> String {
    if member.line > 0 { format!("{}:{}", member.file, member.line) } else { member.name.to_string() }
}

pub(crate) fn row_place(row: &Row) -> String {
    match (row.file.as_str(), row.line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}

/// The cost of a row at the scope's value.
pub(crate) fn predicted(item: &Item<'_>, scope: &Scope<'_>) -> Option<Estimate> {
    let (model, at) = (scope.model(item.models())?, scope.at?);
    estimate(model, at).filter(|_| model.runs_until.is_none_or(|until| at <= until))
}

/// The measured points of a row: feature value and cost, in the workloads' order; those without
/// the feature left out.
pub(crate) fn points(findings: &Findings, feature: usize, costs: &[u64]) -> Vec<(f64, f64)> {
    let Some(values) = findings.feature_values.get(feature) else { return Vec::new() };
    values.iter().zip(costs).filter_map(|(x, &y)| x.map(|x| (x, y as f64))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_differ_by_the_rounding_of_their_nine_digits_are_the_same() {
        assert!(same_size(1_234_567_891.0, 1.234_567_89e9) && same_size(0.0, 0.0));
        assert!(!same_size(1e6, 1e6 + 1.0));
    }
}
