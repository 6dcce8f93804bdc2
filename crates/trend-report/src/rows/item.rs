//! Clusters, functions, lines and blocks as rows of one shape.

use trend_analyze::{
    COSTLY_SHARE, Cluster, Findings, Fits, Outlook, Overtaking, PowerLawModel, RepresentativeKind, Row,
    RowLaw, is_far_above,
};

use super::place::row_place;
use super::scope::Scope;
use crate::layout::number;
use crate::layout::text::brief;
use crate::options::By;

/// One row of a table, of any kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) rank: usize,
    /// Full name of the row, as people write it.
    pub(crate) name: &'a str,
    pub(crate) max_cost: u64,
    pub(crate) max_share: f64,
    pub(crate) share_of_largest: f64,
    /// Share in the largest run according to the laws. Tables show this share.
    pub(crate) share: f64,
    pub(crate) is_costly: bool,
    pub(crate) fits: &'a Fits,
    /// Predicted costs at the findings' points.
    pub(crate) outlooks: &'a [Option<Outlook>],
    pub(crate) costs: &'a [u64],
    pub(crate) listed: Listed<'a>,
}

/// The cluster, function, line or block that a row shows.
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
            fits: &cluster.fits,
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
            fits: &row.fits,
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

    /// Returns the name as it is shown if there is room for it.
    pub(crate) fn shown(&self) -> String {
        brief(self.name, usize::MAX)
    }

    /// Returns the text that follows the name: the feature that a cluster is linear in, or a function's place.
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

    /// Returns the largest share of a run, if it is far above the share of the most expensive run.
    pub(crate) fn share_of_others(&self) -> Option<f64> {
        let (most, share) = (self.max_share, self.share);
        (is_far_above(most, share) && number::share(most) != number::share(share)).then_some(most)
    }

    /// Formats the shares: `14.9 % of the most expensive run`, followed by `, up to 90.0 % of others` if that is far
    /// above.
    pub(crate) fn shares(&self) -> String {
        let others = self.share_of_others();
        let others = others.map(|most| format!(", up to {} of others", number::share(most)));
        format!("{} of the most expensive run{}", number::share(self.share), others.unwrap_or_default())
    }

    /// Returns the law that represents the row.
    pub(crate) fn row_law(&self, scope: &Scope<'_>) -> Option<RowLaw<'a>> {
        scope.law(self.fits)
    }

    /// Returns the power law in the scope's feature.
    pub(crate) fn law(&self, scope: &Scope<'_>) -> Option<&'a PowerLawModel> {
        scope.model(self.fits)?.power_law.as_ref()
    }

    /// Returns flags for doubts and findings, one letter each; [`FLAGS`] explains them.
    pub(crate) fn flags(&self, scope: &Scope<'_>) -> String {
        let model = scope.model(self.fits);
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
        // Without features, as in one run of routines, no row has a model.
        let is_poor = !self.fits.models.is_empty() && model.map(RowLaw::Of).is_none_or(RowLaw::is_poor);
        if is_poor && !has_joint {
            flags.push('?');
        }
        if model.is_some_and(|m| law.is_some() && !m.doubts.is_empty()) && !has_joint {
            flags.push('!');
        }
        flags
    }
}

/// Letters of [`Item::flags`] and their meanings.
pub(crate) const FLAGS: [(char, &str); 4] = [
    ('^', "overtakes a more expensive cluster"),
    ('~', "counts differ between repeated runs"),
    ('?', "poorly modelled (R² below 0.9 or no model)"),
    ('!', "see warnings with `show NAME`"),
];

/// Returns the title of the cluster that is overtaken.
pub(crate) fn passed<'a>(findings: &'a Findings, overtaking: &'a Overtaking) -> &'a str {
    let cluster = overtaking.rank.checked_sub(1).and_then(|i| findings.clusters.get(i));
    cluster.map_or(&overtaking.cluster, |cluster| &cluster.title)
}

/// Returns the predicted cost of a row at the scope's point, according to the law that represents it.
pub(crate) fn predicted(item: &Item<'_>, scope: &Scope<'_>) -> Option<Outlook> {
    outlook(item.fits, item.outlooks, scope)
}

/// Returns the predicted cost of the program at the scope's point.
pub(crate) fn predicted_total(findings: &Findings, scope: &Scope<'_>) -> Option<Outlook> {
    outlook(&findings.total.fits, &findings.total.outlooks, scope)
}

fn outlook(fits: &Fits, outlooks: &[Option<Outlook>], scope: &Scope<'_>) -> Option<Outlook> {
    let (index, point) = scope.point?;
    match scope.feature {
        Some(_) if scope.several => {
            let model = scope.model(fits)?;
            model.prediction_at(point.value(model.id)?).map(Outlook::from)
        }
        _ => *outlooks.get(index)?,
    }
}
