//! A candidate with its fit and its evidence. This module compares nothing.

use super::candidate::Candidate;
use super::class::{GrowthClass, Term};
use super::evidence::{Evidence, HALF_LOG_TAU, SMALLEST_SHARE, log_range, scaled_information};
use super::fit::{Design, Fit};
use super::points::Points;
use super::previews::Previews;
use crate::linear_system::{MOST, cholesky};

mod free;

use free::Free;

/// Standard errors above 0 from which a leading term counts as seen although its share is smaller, as in exact counts.
const RESOLVED: f64 = 6.0;

/// Part of the smallest share that a resolved term needs at the third-largest size.
const RESOLVED_SHARE: f64 = 0.1;

/// Prior probability of a leading term below the smallest share.
const FAR_BELOW: f64 = 0.1;

/// Smallest share of the leading term at the third-largest size. A term that is visible in one or two sizes only is an
/// outlier, not growth.
const SMALLEST_THIRD_SHARE: f64 = 0.03;

/// A sum of terms, each relative to its value at the largest size.
pub(crate) type Column = Vec<(f64, Term)>;

/// A candidate that the data allow, with its fit.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) class: GrowthClass,
    pub(crate) fit: Fit,
    pub(crate) evidence: Evidence,
    columns: Vec<Column>,
    free: Option<Free>,
    /// Smallest size at which `columns` hold.
    pub(crate) from: f64,
    /// For a model of pieces, the columns of the design: one value per parameter and point.
    pieces: Option<Vec<Vec<f64>>>,
}

/// The columns of all fixed terms over the points, computed once.
pub(crate) struct Columns {
    one: Vec<f64>,
    fixed: Vec<Vec<f64>>,
    log_x: Vec<f64>,
    log_factors: Vec<f64>,
    distances: Vec<f64>,
    /// Slope of log cost over log size in the upper half, where the search for an exponent starts.
    slope: f64,
    /// Slope of log cost over size in the upper half, in units of the largest size.
    rate: f64,
    third: usize,
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
            crate::linear_regression(&along[n / 2..], &points.log_y[n / 2..]).map_or(1.0, |line| line.slope)
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

    fn of(&self, class: GrowthClass) -> &[f64] {
        GrowthClass::FIXED.iter().position(|&fixed| fixed == class).map_or(&self.one, |i| &self.fixed[i])
    }
}

impl Model {
    /// Fits a candidate. Returns `None` if the data do not allow it, or if it is another candidate in disguise.
    ///
    /// - Time: O(k) for up to four parameters, a few microseconds per step of the fit.
    pub(crate) fn new(points: &Points, columns: &Columns, candidate: &Candidate) -> Option<Self> {
        if candidate.is_free {
            return free::model(points, columns, candidate);
        }
        if !points.allows(candidate.class.term()) {
            return None;
        }
        let lead = columns.of(candidate.class);
        let lowers = lowers(candidate);
        let mut design = Design { columns: vec![lead], exponent: None };
        design.columns.extend(lowers.iter().map(|&class| columns.of(class)));
        let fit = Fit::new(points, points.len(), &design)?;
        let leading = candidate.class.term();
        let terms: Vec<Term> = lowers.iter().map(|class| class.term()).collect();
        let largest = share(&fit, &design, points.len() - 1);
        let is_resolved = fit.coefficients[0] > RESOLVED * fit.variance(&[1.0, 0.0, 0.0, 0.0]).sqrt();
        if largest < SMALLEST_SHARE && !is_resolved {
            return Self::at_the_edge(points, columns, candidate, &lowers);
        }
        let enough = SMALLEST_THIRD_SHARE * if is_resolved { RESOLVED_SHARE } else { 1.0 };
        if share(&fit, &design, columns.third) < enough {
            return None;
        }
        let far = if largest < SMALLEST_SHARE { FAR_BELOW.ln() } else { 0.0 };
        let mut evidence = Evidence::new(fit.log_likelihood, candidate.log_prior + far);
        evidence.add_volume(&fit, &design, leading, &terms, None)?;
        let columns = std::iter::once(leading).chain(terms).map(|term| vec![(1.0, term)]).collect();
        Some(Self { class: candidate.class, evidence, fit, columns, free: None, from: 0.0, pieces: None })
    }

    /// Returns a cheap upper estimate of how well a candidate can fit, comparable between candidates. The estimate is
    /// infinite if only the fit itself can tell.
    pub(crate) fn preview(previews: &Previews, candidate: &Candidate) -> Option<f64> {
        if candidate.is_free {
            return Some(f64::INFINITY);
        }
        let classes = std::iter::once(candidate.class).chain(lowers(candidate));
        let position = |class| GrowthClass::FIXED.iter().position(|&fixed| fixed == class);
        let columns: Vec<usize> = classes.filter_map(position).collect();
        previews.preview(&columns)
    }

    /// Fits the candidate with the leading term at its smallest share, because the best fit has less. The loss of
    /// quality counts against the class.
    fn at_the_edge(
        points: &Points,
        columns: &Columns,
        candidate: &Candidate,
        lowers: &[GrowthClass],
    ) -> Option<Self> {
        let lead = columns.of(candidate.class);
        let rest = 1.0 / SMALLEST_SHARE - 1.0;
        let mixed: Vec<Vec<f64>> = lowers
            .iter()
            .map(|&lower| columns.of(lower).iter().zip(lead).map(|(low, lead)| rest * low + lead).collect())
            .collect();
        let design = Design { columns: mixed.iter().map(Vec::as_slice).collect(), exponent: None };
        let fit = Fit::new(points, points.len(), &design)?;
        if !fit.coefficients[..lowers.len()].iter().all(|&c| c > 0.0) {
            return None;
        }
        let i = columns.third;
        let third: f64 = design.columns.iter().zip(&fit.coefficients).map(|(column, c)| column[i] * c).sum();
        let leading: f64 = fit.coefficients[..lowers.len()].iter().sum::<f64>() * lead[i];
        if leading / third < SMALLEST_THIRD_SHARE {
            return None;
        }
        let leading = candidate.class.term();
        let first = Design { columns: vec![lead, columns.of(lowers[0])], exponent: None };
        let factor = cholesky(&scaled_information(&fit, lowers.len()), fit.parameters)?;
        let width = |j: usize| HALF_LOG_TAU - factor[j][j].ln();
        let log_prior = candidate.log_prior + width(0) - log_range(&first, 1);
        let mut evidence = Evidence::new(fit.log_likelihood, log_prior);
        if lowers.len() > 1 {
            let second = Design { columns: vec![lead, columns.of(lowers[1])], exponent: None };
            evidence.add_width(width(1) - log_range(&second, 1));
        }
        Some(Self {
            class: candidate.class,
            evidence,
            fit,
            columns: lowers.iter().map(|lower| vec![(1.0, leading), (rest, lower.term())]).collect(),
            free: None,
            from: 0.0,
            pieces: None,
        })
    }

    /// Creates a model of pieces. `upper` holds the columns of the first parameters in the piece of the largest sizes,
    /// which begins at `from`.
    pub(crate) fn of_pieces(
        class: GrowthClass,
        fit: Fit,
        evidence: Evidence,
        (from, upper): (f64, Vec<Column>),
        pieces: Vec<Vec<f64>>,
    ) -> Self {
        Self { class, fit, evidence, columns: upper, free: None, from, pieces: Some(pieces) }
    }

    /// Returns the key that groups models of the same class: free exponents differ from fit to fit.
    pub(crate) fn family(&self) -> (bool, GrowthClass) {
        let is_of_all = self.from == 0.0 && !GrowthClass::FIXED.contains(&self.class);
        match self.free.filter(|_| is_of_all) {
            Some(Free::Power { log }) => (true, GrowthClass::free(0.0, log)),
            Some(Free::Base) => (true, GrowthClass::exponential(1.0)),
            None => (false, self.class),
        }
    }

    /// Returns true unless the model is a sum of positive powers and logarithms.
    pub(crate) fn is_no_sum(&self) -> bool {
        let is_negative = self.fit.coefficients.iter().any(|c| *c < 0.0);
        self.pieces.is_some() || is_negative || self.class.term().explodes()
    }

    /// Returns the log prior probability of the parameters around the fit, except for the total.
    pub(crate) fn log_prior_of_fit(&self, independent: f64) -> f64 {
        self.evidence.log(independent) - independent * self.fit.log_likelihood - HALF_LOG_TAU
    }

    /// Drops per-point data; [`Self::predict`] stays the same.
    pub(crate) fn forget_points(&mut self) {
        self.fit.standardized = Vec::new();
        self.pieces = None;
    }

    /// Returns `ln(ŷ/y_max)` at `x` and its standard error.
    pub(crate) fn predict(&self, points: &Points, x: f64) -> (f64, f64) {
        let mut gradient = [0.0; MOST];
        let mut value = 0.0;
        for (j, column) in self.columns.iter().enumerate() {
            gradient[j] = column.iter().map(|&(weight, term)| weight * points.relative(term, x)).sum();
            value += self.fit.coefficients[j] * gradient[j];
        }
        if let Some(free) = self.free {
            gradient[self.columns.len()] = self.fit.coefficients[0] * gradient[0] * free.along(points, x);
        }
        for derivative in &mut gradient {
            *derivative /= value;
        }
        (value.ln(), self.fit.variance(&gradient).sqrt())
    }

    /// Returns coefficients and terms in plain x, leading term first.
    pub(crate) fn terms(&self, points: &Points) -> Vec<(f64, Term)> {
        let mut terms: Vec<(f64, Term)> = Vec::new();
        for (column, coefficient) in self.columns.iter().zip(self.fit.coefficients) {
            for &(weight, term) in column {
                for (value, term) in points.absolute(coefficient * weight, term) {
                    match terms.iter_mut().find(|(_, known)| *known == term) {
                        Some((sum, _)) => *sum += value,
                        None if value != 0.0 => terms.push((value, term)),
                        None => {}
                    }
                }
            }
        }
        terms.sort_by(|p, q| order(q.1).total_cmp(&order(p.1)));
        terms
    }

    /// Returns the log density of the points from index `from` on, the largest sizes, as predicted from the others.
    pub(crate) fn log_predictive(&self, points: &Points, columns: &Columns, from: usize) -> f64 {
        let of = |term: Term| {
            let fixed = GrowthClass::FIXED.iter().position(|class| class.term() == term);
            fixed.map_or_else(|| points.column(term), |i| columns.fixed[i].clone())
        };
        let sum = |column: &Column| {
            let mut values = vec![0.0; points.len()];
            for &(weight, term) in column {
                for (value, part) in values.iter_mut().zip(of(term)) {
                    *value += weight * part;
                }
            }
            values
        };
        let made: Vec<Vec<f64>> =
            self.pieces.clone().unwrap_or_else(|| self.columns.iter().map(sum).collect());
        let exponent = self.free.map(|free| free.exponent(columns, self.fit.exponent));
        let design = Design { columns: made.iter().map(Vec::as_slice).collect(), exponent };
        Fit::new(points, from, &design)
            .map_or(f64::NEG_INFINITY, |fit| fit.log_predictive(points, from, &design))
    }
}

fn lowers(candidate: &Candidate) -> Vec<GrowthClass> {
    candidate.floor.then_some(GrowthClass::Constant).into_iter().chain(candidate.lower).collect()
}

/// Returns a key that sorts terms by growth.
fn order(term: Term) -> f64 {
    match term {
        // Every exponent is smaller than this.
        Term::Factorial | Term::TimesExponential { .. } => f64::INFINITY,
        Term::Exponential { .. } => f64::MAX,
        Term::Power { exponent, log } => exponent + if log { 1e-6 } else { 0.0 },
    }
}

/// Returns the share of the leading term in the fit at point i.
fn share(fit: &Fit, design: &Design, i: usize) -> f64 {
    let parts = design.columns.iter().zip(&fit.coefficients).map(|(column, c)| column[i] * c);
    fit.coefficients[0] * design.columns[0][i] / parts.sum::<f64>()
}
