//! Finds the leading terms of a sum: two laws with the same leading terms differ only in parts that hardly matter. This
//! module fits nothing.
//!
//! ```text
//!   10·y ┌───────────┐     3·x·y + 5 and 3·x·y + 0.4·x count as one law: x·y leads both at every corner.
//!        │ 3y²   3y² │     In 40·x + 3·y², each term leads at some corner.
//!      y └───────40x─┘
//!        x         10·x
//! ```

use super::products::Product;
use super::search::Fitted;

/// Minimum share of the cost at some corner for a term to lead there. Each of three equal terms still leads.
const LEADS: f64 = 0.3;

/// Factor from the largest values to the far corners: the distance that standard predictions reach.
const FAR: f64 = 10.0;

/// Corners at which a sum is evaluated. Each feature is at its smallest value or far beyond its largest; the corner
/// with only smallest values is left out.
pub(super) struct Corners(Vec<Vec<f64>>);

impl Corners {
    /// Finds the corners of rows with this number of features.
    pub(super) fn new(rows: &[Vec<f64>], features: usize) -> Self {
        let mut corners = vec![Vec::new()];
        for j in 0..features {
            let values = || rows.iter().map(|row| row[j]);
            let ends = [values().fold(f64::INFINITY, f64::min), FAR * values().fold(0.0, f64::max)];
            let longer =
                corners.iter().flat_map(|corner| ends.map(|end| [corner.as_slice(), &[end]].concat()));
            corners = longer.collect();
        }
        corners.remove(0);
        Self(corners)
    }

    /// Returns the products that lead a sum at some corner, ascending.
    pub(super) fn leading(&self, model: &Fitted, products: &[Product]) -> Vec<usize> {
        let (terms, coefficients) = (&model.shape.0, &model.fit.coefficients);
        let mut leads = vec![false; terms.len()];
        for corner in &self.0 {
            let cost = |(j, &i): (usize, &usize)| {
                let value: f64 = products[i].factors.iter().map(|factor| factor.value(corner)).product();
                coefficients[j] * value / products[i].largest
            };
            let costs: Vec<f64> = terms.iter().enumerate().map(cost).collect();
            let constant = if model.shape.1 { coefficients[terms.len()] } else { 0.0 };
            let all = constant + costs.iter().sum::<f64>();
            leads.iter_mut().zip(costs).for_each(|(leads, cost)| *leads |= cost >= LEADS * all);
        }
        terms.iter().zip(leads).filter(|(_, leads)| *leads).map(|(&i, _)| i).collect()
    }
}
