//! Judges the growth of counts over a few sizes: fast enough for every candidate, too coarse for a claim.
//!
//! The counts of an almost empty input are subtracted, because programs have startup costs. The size is the number of
//! bytes that the repetitions make, so a linear place has the exponent 1 at any size.

/// Minimum exponent of a steep place. `n log n` has about 1.15 at the sizes that are measured.
const STEEP: f64 = 1.3;

/// Minimum count at the largest size, per byte. Fewer executions are noise: a table that grows twice.
const LEAST_PER_BYTE: f64 = 0.05;

/// Minimum count at the largest size.
const LEAST_COUNT: f64 = 200.0;

/// The counts of a recipe at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Number of bytes that the repetitions make.
    pub grown_bytes: usize,
    /// Executions, `[locations]`. Locations that were found later are missing and count as 0.
    pub counts: Vec<u64>,
}

impl Measured {
    /// Returns the executions of a location.
    pub fn count(&self, location: usize) -> u64 {
        self.counts.get(location).copied().unwrap_or(0)
    }
}

/// A place whose count grows faster than the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steep {
    /// Position of the location.
    pub location: usize,
    /// The exponent from the smallest to the largest size.
    pub exponent: f64,
    /// Executions at the largest size.
    pub count: u64,
}

/// Returns the places that are steep between all successive sizes, by falling count. `idle` has the counts of an
/// almost empty input.
///
/// - Time: O(locations · sizes).
pub fn steep(idle: &Measured, sizes: &[Measured]) -> Vec<Steep> {
    let [first, .., last] = sizes else { return Vec::new() };
    let least = (last.grown_bytes as f64 * LEAST_PER_BYTE).max(LEAST_COUNT);
    let mut all: Vec<Steep> = (0..last.counts.len())
        .filter(|location| last.count(*location) as f64 >= least)
        .filter_map(|location| {
            let is_steep = |pair: &[Measured]| {
                exponent(idle, &pair[0], &pair[1], location).is_some_and(|exponent| exponent >= STEEP)
            };
            let exponent = exponent(idle, first, last, location)?;
            let count = last.count(location);
            sizes.windows(2).all(is_steep).then_some(Steep { location, exponent, count })
        })
        .collect();
    all.sort_by_key(|steep| (std::cmp::Reverse(steep.count), steep.location));
    all
}

/// Returns the exponent of a location's count between two sizes.
fn exponent(idle: &Measured, small: &Measured, large: &Measured, location: usize) -> Option<f64> {
    let added = |measured: &Measured| measured.count(location).saturating_sub(idle.count(location)) as f64;
    let (before, after) = (added(small).max(1.0), added(large));
    let sizes = (large.grown_bytes as f64 / small.grown_bytes.max(1) as f64).ln();
    let exponent = (after / before).ln() / sizes;
    (sizes > 0.0 && exponent.is_finite()).then_some(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(sizes: &[usize], cost: impl Fn(f64) -> f64) -> Vec<Measured> {
        let measured = |&n: &usize| Measured { grown_bytes: n, counts: vec![cost(n as f64) as u64] };
        sizes.iter().map(measured).collect()
    }

    fn is_steep(sizes: &[usize], cost: impl Fn(f64) -> f64 + Copy) -> bool {
        !steep(&measured(&[1], cost)[0], &measured(sizes, cost)).is_empty()
    }

    #[test]
    fn squares_are_steep_whatever_the_startup_costs_and_lines_are_not() {
        let sizes = [600, 2400];
        for startup in [0.0, 1e3, 1e6] {
            assert!(is_steep(&sizes, |n| startup + n * n / 50.0));
            assert!(is_steep(&sizes, |n| startup + 3.0 * n + n * n / 4.0));
            assert!(is_steep(&sizes, |n| startup + n.powf(1.5)));
            assert!(!is_steep(&sizes, |n| startup + 100.0 * n));
            assert!(!is_steep(&sizes, |n| startup + n * n.log2()));
        }
    }

    #[test]
    fn a_place_must_be_steep_between_all_sizes() {
        // Quadratic within a window, as a compressor's search for matches.
        let windowed = |n: f64| n * n.min(4000.0);
        assert!(is_steep(&[600, 2400], windowed) && !is_steep(&[600, 2400, 9600, 38_400], windowed));
        // A table that doubles just before the larger size.
        let doubling = |n: f64| 2f64.powf(n.log2().ceil());
        assert!(!is_steep(&[512, 2049, 8200], doubling));
    }
}
