//! Fits candidates, also those with a fitted exponent or base. This module compares nothing.

use super::candidate::Candidate;
use super::columns::Columns;
use super::evidence::{
    Evidence, HALF_LOG_TAU, SMALLEST_SHARE, SMALLEST_THIRD_SHARE, log_range, scaled_information, share,
};
use super::free::Free;
use super::model::Model;
use crate::growth::fits::fit::{Design, Fit, FreeExponent};
use crate::growth::fits::points::Points;
use crate::growth::fits::previews::Previews;
use crate::laws::class::{GrowthClass, Term};
use crate::numerics::linear_system::cholesky;

/// Minimum number of standard errors above 0 for a leading term to count as seen although its share is small, as in
/// exact counts.
const RESOLVED: f64 = 6.0;

/// Part of the smallest share that a resolved term needs at the third-largest size.
const RESOLVED_SHARE: f64 = 0.1;

/// Prior probability of a leading term below the smallest share.
const FAR_BELOW: f64 = 0.1;

/// Distance from the exponent of a named class below which a fitted exponent counts as that of the class, if its
/// error allows it.
const SAME_EXPONENT: f64 = 0.06;

/// Relative distance from the logarithm of the base 2 below which a fitted base counts as 2, if its error allows it.
const SAME_BASE: f64 = 0.03;

/// Spread of the costs above which an exponent or base this near counts as that of the named class, whatever its
/// error.
const EXACT_SPREAD: f64 = 0.005;

/// Minimum slope of log cost over log size, in the upper half of the points, for growth to be exponential within the
/// data.
const LEAST_SLOPE: f64 = 1.5;

impl Model {
    /// Fits a candidate. Returns `None` if the data do not allow it, or if it is another candidate in disguise.
    ///
    /// - Time: O(k) for up to four parameters, a few microseconds per step of the fit.
    pub(crate) fn new(points: &Points, columns: &Columns, candidate: &Candidate) -> Option<Self> {
        if candidate.is_free {
            return free_model(points, columns, candidate);
        }
        if !points.allows(candidate.class.term()) {
            return None;
        }
        let lead = columns.column(candidate.class);
        let lowers = candidate.lowers();
        let mut design = Design { columns: vec![lead], exponent: None };
        design.columns.extend(lowers.iter().map(|&class| columns.column(class)));
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
        let classes = std::iter::once(candidate.class).chain(candidate.lowers());
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
        let lead = columns.column(candidate.class);
        let rest = 1.0 / SMALLEST_SHARE - 1.0;
        let mixed: Vec<Vec<f64>> = lowers
            .iter()
            .map(|&lower| {
                columns.column(lower).iter().zip(lead).map(|(low, lead)| rest * low + lead).collect()
            })
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
        let first = Design { columns: vec![lead, columns.column(lowers[0])], exponent: None };
        let factor = cholesky(&scaled_information(&fit, lowers.len()), fit.parameters)?;
        let width = |j: usize| HALF_LOG_TAU - factor[j][j].ln();
        let log_prior = candidate.log_prior + width(0) - log_range(&first, 1);
        let mut evidence = Evidence::new(fit.log_likelihood, log_prior);
        if lowers.len() > 1 {
            let second = Design { columns: vec![lead, columns.column(lowers[1])], exponent: None };
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
}

/// Fits a candidate with a free exponent or base. Returns `None` in the cases of [`Model::new`].
fn free_model(points: &Points, columns: &Columns, candidate: &Candidate) -> Option<Model> {
    let free = Free::from_class(candidate.class);
    if free == Free::Base && columns.slope < LEAST_SLOPE {
        return None;
    }
    let lowers = candidate.lowers();
    let search = free.search(columns, free.start(columns));
    let mut design = Design { columns: vec![search.factor], exponent: Some(search) };
    design.columns.extend(lowers.iter().map(|&class| columns.column(class)));
    let fit = Fit::new(points, points.len(), &design)?;
    let FreeExponent { along, factor, .. } = free.search(columns, fit.exponent);
    let lead: Vec<f64> = along.iter().zip(factor).map(|(x, f)| (fit.exponent * x).exp() * f).collect();
    let leading = free.term(points, fit.exponent);
    let terms: Vec<Term> = lowers.iter().map(|class| class.term()).collect();
    // The gap in growth to a lower-order term must exceed the precision of the exponents.
    if let (Free::Power { log }, Some(lower)) = (free, candidate.lower)
        && GrowthClass::free(fit.exponent - 0.05, log) < lower
    {
        return None;
    }
    let mut shown = Design { columns: vec![&lead], exponent: None };
    shown.columns.extend(lowers.iter().map(|&class| columns.column(class)));
    if share(&fit, &shown, points.len() - 1) < SMALLEST_SHARE
        || share(&fit, &shown, columns.third) < SMALLEST_THIRD_SHARE
        || !free.is_plausible(points, columns, fit.exponent)
    {
        return None;
    }
    let log_prior = candidate.log_prior + free.log_prior(points, fit.exponent);
    let mut evidence = Evidence::new(fit.log_likelihood, log_prior);
    evidence.add_volume(&fit, &shown, leading, &terms, Some(free.prior_width(fit.exponent)))?;
    let gradient = std::array::from_fn(|j| if j == shown.columns.len() { 1.0 } else { 0.0 });
    let error = fit.variance(&gradient).sqrt();
    Some(Model {
        class: name(leading, error / fit.exponent, &fit),
        evidence,
        columns: std::iter::once(leading).chain(terms).map(|term| vec![(1.0, term)]).collect(),
        fit,
        free: Some(free),
        from: 0.0,
        pieces: None,
    })
}

/// Returns the class of a fitted exponent or base, or a named class if the data cannot distinguish the two. `error` is
/// relative to the exponent or to the logarithm of the base.
fn name(leading: Term, error: f64, fit: &Fit) -> GrowthClass {
    let is_same =
        |distance: f64, error: f64| distance < 2.0 * error || distance < 0.005 || fit.sigma > EXACT_SPREAD;
    let is_near = |class: &GrowthClass| match (leading, class.term()) {
        (Term::Power { exponent, log }, Term::Power { exponent: named, log: named_log }) => {
            let distance = (exponent - named).abs();
            log == named_log && distance < SAME_EXPONENT && is_same(distance, error * exponent)
        }
        (Term::Exponential { base }, Term::Exponential { base: named }) => {
            let distance = (base.ln() / named.ln() - 1.0).abs();
            distance < SAME_BASE && is_same(distance, error)
        }
        _ => false,
    };
    let free = || match leading {
        Term::Power { exponent, log } => GrowthClass::free(exponent, log),
        Term::Exponential { base } | Term::TimesExponential { base } => GrowthClass::exponential(base),
        Term::Factorial => GrowthClass::Factorial,
    };
    GrowthClass::NAMED[1..].iter().copied().find(is_near).unwrap_or_else(free)
}
