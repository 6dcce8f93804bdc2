//! The largest number of which something holds.

/// Halvings, in logarithms: enough for every digit of what lies within twelve decades.
const HALVINGS: usize = 60;

/// The largest number from `low` to `high`, which are positive, of which `holds` is true, where it is true of all smaller
/// ones; `low` where it is true of none.
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
        let found = largest_that(1e-3, 1e9, |x| x * x <= 1e7);
        assert!(found * found <= 1e7 && (found / 1e7_f64.sqrt() - 1.0).abs() < 1e-14, "{found}");
        assert_eq!(largest_that(2.0, 1e9, |_| false), 2.0);
    }
}
