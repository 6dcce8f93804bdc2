//! The terms of candidates as columns over the points. This module fits nothing.

use crate::growth::fits::points::Points;
use crate::growth::fits::previews::Previews;
use crate::laws::class::GrowthClass;
use crate::lines::regression::linear_regression;

/// The columns of all fixed terms over the points, computed once.
pub(crate) struct Columns {
    pub(super) one: Vec<f64>,
    pub(super) fixed: Vec<Vec<f64>>,
    pub(super) log_x: Vec<f64>,
    pub(super) log_factors: Vec<f64>,
    pub(super) distances: Vec<f64>,
    /// Slope of log cost over log size in the upper half, where the search for an exponent starts.
    pub(super) slope: f64,
    /// Slope of log cost over size in the upper half, in units of the largest size.
    pub(super) rate: f64,
    pub(super) third: usize,
}

impl Columns {
    /// Returns previews of the fixed terms, in the order of [`GrowthClass::FIXED`].
    pub(crate) fn previews(&self, points: &Points) -> Previews {
        Previews::new(points, self.fixed.iter().map(Vec::as_slice))
    }

    pub(crate) fn new(points: &Points) -> Self {
        let n = points.len();
        let log_x = points.log_x();
        let distances: Vec<f64> = points.relative_x().iter().map(|x| x - 1.0).collect();
        let slope = |along: &[f64]| {
            linear_regression(&along[n / 2..], &points.log_y[n / 2..]).map_or(1.0, |line| line.slope)
        };
        Self {
            one: vec![1.0; n],
            fixed: GrowthClass::FIXED.iter().map(|class| points.column(class.term())).collect(),
            slope: slope(&log_x),
            rate: slope(&distances),
            log_x,
            distances,
            log_factors: points.log_factors(),
            third: points.without_largest(2).saturating_sub(1),
        }
    }

    pub(super) fn column(&self, class: GrowthClass) -> &[f64] {
        GrowthClass::FIXED.iter().position(|&fixed| fixed == class).map_or(&self.one, |i| &self.fixed[i])
    }
}
