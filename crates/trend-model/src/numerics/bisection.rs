//! Finds the largest number that satisfies a predicate.

/// Number of bisection steps, in logarithms: enough for every digit if the range is within twelve decades.
const HALVINGS: usize = 60;

/// Returns the largest number from `low` to `high` for which `holds` returns true. Both ends are positive. `holds` must
/// be true for all smaller numbers; if it is true for none, returns `low`.
pub fn largest_that(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_found_to_the_last_digits() {
        let largest = largest_that(1e-3, 1e9, |x| x * x <= 1e7);
        assert!(largest * largest <= 1e7 && (largest / 1e7_f64.sqrt() - 1.0).abs() < 1e-14, "{largest}");
        assert_eq!(largest_that(2.0, 1e9, |_| false), 2.0);
    }
}
