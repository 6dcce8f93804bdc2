//! The curve of the law that a row's predictions come from, drawn over the measured points.

use trend_analyze::{Findings, Joint, Law, Model, Prediction, Source};

use crate::layout::axis::Axis;
use crate::layout::number;
use crate::words::{cells, growth};

/// Returns the measured points of a row, feature value and cost, in the workloads' order. Workloads without the feature
/// are left out.
pub(crate) fn points(findings: &Findings, feature: usize, costs: &[u64]) -> Vec<(f64, f64)> {
    let Some(values) = findings.feature_values.get(feature) else { return Vec::new() };
    values.iter().zip(costs).filter_map(|(x, &y)| x.map(|x| (x, y as f64))).collect()
}

/// Maximum factor by which a drawn interval exceeds the points and predictions. A very wide interval would squash the
/// rest of the plot.
const FURTHEST: f64 = 100.0;

/// Maximum width of a formula in a legend.
const LEGEND_WIDTH: usize = 64;

/// A law in one feature, to be drawn as the fit.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    law: Law,
    /// Legend: `n^2: 1.5·n^2 − 0.5·n`, `n or n log n ?: 3·n … 0.8·n log n`, `power law 1.49·n^2.00`.
    pub(crate) words: String,
}

impl Drawn {
    fn new(findings: &Findings, model: &Model) -> Option<Self> {
        let law = match model.source {
            Some(Source::SumOfParts) => findings.total.law_in(model)?,
            _ => model.law()?,
        };
        let formula = growth::law_formula(&law, LEGEND_WIDTH);
        let words = match (law.source, &model.growth, &model.power_law) {
            (Source::Class | Source::Classes, Some(growth), _) => {
                format!("{}: {formula}", growth::cell(growth))
            }
            (Source::SumOfParts, ..) => format!("sum of parts: {formula}"),
            (_, _, Some(power)) => format!("power law {}", cells::formula(power, &model.feature)),
            _ => formula,
        };
        Some(Self { law, words })
    }

    /// Returns the cost at a feature value, or `None` if it is not a positive number.
    pub(crate) fn cost(&self, x: f64) -> Option<f64> {
        self.law.cost(&[x])
    }
}

/// The content of a plot of cost over a feature.
pub(crate) struct Picture<'a> {
    /// Label of the x axis: a feature, or the cost by a law in several features.
    pub(crate) over: String,
    /// Feature values and costs, all positive, in the workloads' order.
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) law: Option<Drawn>,
    pub(crate) predictions: Vec<&'a Prediction>,
    /// Intervals by feature value, ascending.
    pub(crate) ribbon: Vec<(f64, [f64; 2])>,
}

impl<'a> Picture<'a> {
    /// Returns the plot of a row's costs over the model's feature, or `None` if there is nothing to draw.
    pub(crate) fn new(findings: &Findings, costs: &[u64], model: &'a Model) -> Option<Self> {
        let feature = findings.feature(&model.feature)?;
        Self::of_points(findings, points(findings, feature, costs), model)
    }

    /// Returns the plot of costs observed at these values of the model's feature, or `None` if there is nothing to
    /// draw.
    pub(crate) fn of_points(
        findings: &Findings,
        mut points: Vec<(f64, f64)>,
        model: &'a Model,
    ) -> Option<Self> {
        points.retain(|p| p.0 > 0.0 && p.0.is_finite() && p.1 > 0.0);
        if points.is_empty() {
            return None;
        }
        let drawable = |v: f64| v.is_finite() && v > 0.0;
        let predictions =
            model.predictions.iter().filter(|p| drawable(p.at) && drawable(p.cost)).collect::<Vec<_>>();
        // The curve can extend far beyond the last prediction.
        let furthest = predictions.last().map_or(f64::INFINITY, |last| last.at);
        let of_curve = model.curve.iter().filter(|p| p.at <= furthest).map(|p| (p.at, p.ci));
        let ends = of_curve.chain(predictions.iter().map(|p| (p.at, p.ci)));
        let mut ribbon: Vec<(f64, [f64; 2])> =
            ends.filter_map(|(at, ci)| Some((at, ci.filter(number::is_finite)?))).collect();
        ribbon.sort_by(|p, q| p.0.total_cmp(&q.0));
        ribbon.dedup_by(|p, q| p.0 == q.0);
        let law = Drawn::new(findings, model);
        Some(Self { over: model.feature.clone(), points, law, predictions, ribbon })
    }

    /// Returns the plot of a row's costs over the costs that its joint law predicts for the runs. Points on the line
    /// follow the law.
    pub(crate) fn of_joint(findings: &Findings, costs: &[u64], joint: &Joint) -> Option<Self> {
        let law = &joint.law;
        let columns: Option<Vec<&Vec<Option<f64>>>> =
            law.features.iter().map(|name| findings.feature_values.get(findings.feature(name)?)).collect();
        let columns = columns?;
        let modelled = |run: usize| {
            let point: Option<Vec<f64>> = columns.iter().map(|values| *values.get(run)?).collect();
            law.cost(&point?)
        };
        let points = costs.iter().enumerate().filter(|(_, cost)| **cost > 0);
        let points: Vec<(f64, f64)> =
            points.filter_map(|(run, &cost)| Some((modelled(run)?, cost as f64))).collect();
        let words = growth::law_formula(law, LEGEND_WIDTH);
        let law = Some(Drawn { law: Law::identity(), words });
        let (predictions, ribbon) = (Vec::new(), Vec::new());
        let over = "cost by the law".to_owned();
        (!points.is_empty()).then_some(Self { over, points, law, predictions, ribbon })
    }

    pub(crate) fn x_axis(&self, ticks: usize) -> Axis {
        let values = self.points.iter().map(|p| p.0).chain(self.predictions.iter().map(|p| p.at));
        Axis::logarithmic(values, ticks)
    }

    pub(crate) fn y_axis(&self, ticks: usize) -> Axis {
        let costs = || self.points.iter().map(|p| p.1).chain(self.predictions.iter().map(|p| p.cost));
        let (least, most) =
            costs().fold((f64::INFINITY, 0.0), |(lo, hi): (f64, f64), v| (lo.min(v), hi.max(v)));
        let ends = self.ribbon.iter().flat_map(|r| r.1).map(|v| v.clamp(least / FURTHEST, most * FURTHEST));
        Axis::logarithmic(costs().chain(ends), ticks)
    }

    /// Returns the interval at a feature value, interpolated on logarithmic scales. Returns `None` outside
    /// the known values.
    pub(crate) fn interval_at(&self, x: f64) -> Option<[f64; 2]> {
        let after = self.ribbon.partition_point(|r| r.0 < x);
        let right = self.ribbon.get(after)?;
        if right.0 == x {
            return Some(right.1);
        }
        let left = self.ribbon.get(after.checked_sub(1)?)?;
        let part = (x / left.0).ln() / (right.0 / left.0).ln();
        let log = |v: f64| v.max(f64::MIN_POSITIVE).ln();
        Some([0, 1].map(|i| (log(left.1[i]) + part * (log(right.1[i]) - log(left.1[i]))).exp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{bubble_sort, doubtful};

    #[test]
    fn the_law_of_the_predictions_is_drawn() {
        let findings = bubble_sort();
        let words = |findings: &Findings, i: usize| {
            Drawn::new(findings, &findings.clusters[i].fits.models[0])
                .map(|drawn| drawn.words)
                .unwrap_or_default()
        };
        assert_eq!(words(&findings, 0), "n^2: 1.5·n^2 − 0.5·n");
        assert_eq!(words(&findings, 1), "power law 0.25·n^2.00");
        assert_eq!(words(&doubtful(), 1), "n or n log n ?: 9·n … 0.8·n log n");
        assert_eq!(words(&doubtful(), 2), "");
    }

    #[test]
    fn an_interval_lies_between_its_neighbours_on_a_log_scale() {
        let findings = bubble_sort();
        let cluster = &findings.clusters[0];
        let mut picture = Picture::new(&findings, &cluster.costs, &cluster.fits.models[0]).unwrap();
        picture.ribbon = vec![(10.0, [1.0, 4.0]), (1000.0, [100.0, 400.0])];
        let [lo, hi] = picture.interval_at(100.0).unwrap();
        assert!((lo - 10.0).abs() < 1e-9 && (hi - 40.0).abs() < 1e-9);
        assert_eq!(picture.interval_at(10.0), Some([1.0, 4.0]));
        assert_eq!((picture.interval_at(9.0), picture.interval_at(1001.0)), (None, None));
    }
}
