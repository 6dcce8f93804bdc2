//! Scope of a table: the feature of its laws, and the point of its predictions.

use trend_analyze::{Findings, Fits, Model, Point, RowLaw};

use super::select;
use crate::error::ReportError;
use crate::options::TableOptions;

/// Scope of a table: one feature or each row's own law, and the point of the predictions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    /// Index and name of the feature, if one was requested or the study has only one. Otherwise each row has its own
    /// law.
    pub(crate) feature: Option<(usize, &'a str)>,
    /// Point of the predictions, with its index among the findings' points.
    pub(crate) point: Option<(usize, &'a Point)>,
    /// True if the study has several features. A class must then name its feature.
    pub(crate) several: bool,
}

impl<'a> Scope<'a> {
    /// # Errors
    /// [`ReportError::UnknownFeature`] if the requested feature does not exist.
    pub(crate) fn new(findings: &'a Findings, options: &TableOptions) -> Result<Self, ReportError> {
        let feature = match &options.feature {
            Some(name) => Some(select::feature(findings, name)?),
            None => (findings.features.len() == 1).then_some(0),
        };
        let points = || findings.points.iter().enumerate();
        let requested = points().find(|(_, point)| point.asked);
        Ok(Self {
            feature: feature.map(|i| (i, findings.features[i].name.as_str())),
            point: requested.or_else(|| points().next_back()),
            several: findings.features.len() > 1,
        })
    }

    /// Returns true if each row is shown with its law in one of several features, which may not be the row's law.
    pub(crate) fn is_of_one_feature(&self) -> bool {
        self.several && self.feature.is_some()
    }

    /// Returns the scope of a page that shows each row by its own law.
    pub(crate) fn of_page(findings: &'a Findings) -> Self {
        let options = TableOptions::default();
        // Only a requested feature can be unknown.
        Self::new(findings, &options).unwrap_or(Self { feature: None, point: None, several: false })
    }

    /// Returns the model that represents a row: in the scope's feature, or in the feature that explains it best.
    pub(crate) fn model<'m>(&self, fits: &'m Fits) -> Option<&'m Model> {
        match self.feature {
            Some((feature, _)) => fits.models.iter().find(|model| model.id.index() == feature),
            None => fits.best().or(fits.models.first()),
        }
    }

    /// Returns the law that represents a row.
    pub(crate) fn law<'m>(&self, fits: &'m Fits) -> Option<RowLaw<'m>> {
        match self.feature {
            _ if self.is_of_one_feature() => self.model(fits).map(RowLaw::Of),
            _ => fits.law(),
        }
    }

    /// Returns a feature's value at the point of the predictions.
    pub(crate) fn at(&self, feature: &str) -> Option<f64> {
        self.point?.1.value_named(feature)
    }
}
