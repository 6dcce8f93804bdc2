//! Lattices of places at which a density is summed. This module knows no laws.

/// Reach of a lattice on both sides of an estimate, in standard deviations.
const REACH: f64 = 3.6;

/// Step of a lattice around an estimate, in standard deviations.
const FINE: f64 = 0.8;

/// Evenly spaced places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    from: f64,
    step: f64,
    places: usize,
}

impl Lattice {
    /// Spans the range in steps of at most `step`.
    pub(super) fn over(from: f64, to: f64, step: f64) -> Self {
        /// Maximum number of steps; no lattice here needs more.
        const MOST_STEPS: f64 = 1e4;
        let steps = ((to - from) / step).ceil().clamp(1.0, MOST_STEPS);
        Self { from, step: (to - from) / steps, places: steps as usize + 1 }
    }

    /// Spans the surroundings of an estimate with a standard error.
    pub(super) fn about(centre: f64, error: f64) -> Self {
        Self::over(centre - REACH * error, centre + REACH * error, FINE * error)
    }

    pub(super) fn values(self) -> impl DoubleEndedIterator<Item = f64> {
        (0..self.places).map(move |i| self.from + self.step * i as f64)
    }

    /// Returns the number of places per unit at a position.
    pub(super) fn density(self, at: f64) -> f64 {
        let slack = 1e-9 * self.step;
        let to = self.from + self.step * (self.places - 1) as f64;
        if at >= self.from - slack && at <= to + slack { 1.0 / self.step } else { 0.0 }
    }
}

/// A lattice over the whole range, and a finer one around an estimate. A sum over both weighs each place by the density
/// of places around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattices {
    coarse: Lattice,
    fine: Option<Lattice>,
}

impl Lattices {
    /// Combines the lattices. The one around the estimate is left out unless it is finer.
    pub(super) fn new(coarse: Lattice, estimate: Option<(f64, f64)>) -> Self {
        let fine = estimate.map(|(at, error)| Lattice::about(at, error));
        Self { coarse, fine: fine.filter(|fine| fine.step > 0.0 && fine.step < coarse.step) }
    }

    fn all(self) -> impl Iterator<Item = Lattice> {
        std::iter::once(self.coarse).chain(self.fine)
    }

    pub(super) fn values(self) -> impl Iterator<Item = f64> {
        self.all().flat_map(Lattice::values)
    }

    pub(super) fn density(self, at: f64) -> f64 {
        self.all().map(|lattice| lattice.density(at)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_density_far_narrower_than_the_coarse_lattice_is_summed_up() {
        for width in [1e-7_f64, 1e-3, 0.5, 3.0] {
            let lattices = Lattices::new(Lattice::over(-20.0, 20.0, 1.0), Some((0.3, width)));
            let density = |at: f64| (-0.5 * ((at - 0.3) / width).powi(2)).exp() / width / 2.506_628_274_631;
            let sum: f64 = lattices.values().map(|at| density(at) / lattices.density(at)).sum();
            assert!((sum - 1.0).abs() < 0.01, "{width}: {sum}");
        }
    }
}
