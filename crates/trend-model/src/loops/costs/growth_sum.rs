//! Sums of many growths.

use std::collections::{BTreeSet, HashMap};

use super::growth::{Growth, Order, Side};
use crate::loops::polynomials::polynomial::Name;

/// A sum of growths that is added up one by one. It keeps the greatest orders only, however many summands there are.
#[derive(Clone, Debug, Default)]
pub struct GrowthSum {
    /// The orders of summands without alternatives. No order is at most another. When a greater order is added, a lower
    /// one becomes `None`.
    orders: Vec<Option<Order>>,
    /// The positions of the orders by each name that they grow with. Positions of dropped orders remain.
    growing: HashMap<Name, Vec<usize>>,
    /// The positions of the orders by the first name that they grow with; `None` for orders that grow with no name.
    by_first: HashMap<Option<Name>, Vec<usize>>,
    /// Summands with alternatives.
    others: BTreeSet<Growth>,
}

impl GrowthSum {
    /// Adds a growth.
    ///
    /// - Time: for each order of the growth, one comparison per order that grows with one of its names, or with none.
    ///   If it grows with no name, one per order of the sum.
    pub fn add(&mut self, growth: Growth) {
        if growth.0.len() != 1 {
            self.others.insert(growth);
            return;
        }
        for order in growth.0.into_iter().flatten() {
            if !self.has_at_least(&order) {
                self.insert(order);
            }
        }
    }

    /// Returns true if an order of the sum is at least this one. It then grows with every name that this one grows
    /// with, so the shortest list of `growing` suffices.
    fn has_at_least(&self, order: &Order) -> bool {
        let is_at_least = |other: &Option<Order>| other.as_ref().is_some_and(|other| order.is_at_most(other));
        // The last order is most often that of a loop around this one.
        if self.orders.last().is_some_and(is_at_least) {
            return true;
        }
        let with = |name: &Name| self.growing.get(name).map_or(&[][..], Vec::as_slice);
        match order.growing().map(with).min_by_key(|positions| positions.len()) {
            Some(positions) => positions.iter().any(|&position| is_at_least(&self.orders[position])),
            None => self.orders.iter().any(is_at_least),
        }
    }

    /// Inserts an order, and drops the ones below it. An order below it grows only with names that it grows with, so
    /// the first name of that order is one of them.
    fn insert(&mut self, order: Order) {
        for first in order.growing().cloned().map(Some).chain([None]) {
            let Some(positions) = self.by_first.get_mut(&first) else { continue };
            positions.retain(|&position| {
                let lower = self.orders[position].take_if(|lower| lower.is_at_most(&order));
                lower.is_none()
            });
        }
        let position = self.orders.len();
        for name in order.growing() {
            self.growing.entry(Name::clone(name)).or_default().push(position);
        }
        self.by_first.entry(order.growing().next().cloned()).or_default().push(position);
        self.orders.push(Some(order));
    }

    /// Returns the sum, with a limited number of alternatives. It is at least a constant.
    #[must_use]
    pub fn total(mut self, side: Side) -> Growth {
        self.add(Growth::one());
        let plain = Growth(BTreeSet::from([self.orders.into_iter().flatten().collect()]));
        self.others.iter().fold(plain, |sum, one| sum.plus(one).limited(side))
    }
}

impl Growth {
    /// Returns the growth of the sum of all, with a limited number of alternatives. A function can have a thousand
    /// loops and calls, so a summand without alternatives is compared only with orders that grow with one of its
    /// names, or with none.
    #[must_use]
    pub fn sum(all: impl IntoIterator<Item = Self>, side: Side) -> Self {
        let mut sum = GrowthSum::default();
        all.into_iter().for_each(|one| sum.add(one));
        sum.total(side)
    }
}
