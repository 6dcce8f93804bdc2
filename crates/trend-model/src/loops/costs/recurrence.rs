//! The cost of functions that call themselves: `T(n) = Σ aᵢ·T(n/bᵢ) + f(n)` and `T(n) = Σ aᵢ·T(n − cᵢ) + f(n)`.
//!
//! # Formula
//! - Divide and conquer, by M. Akra and L. Bazzi, *On the solution of linear recurrence equations*, Computational
//!   Optimization and Applications 10 (1998). With `p` such that `Σ aᵢ·bᵢ^(−p) = 1` and `f = n^q·(log n)^k`, the cost
//!   is `n^p` if `q < p`, `n^p·(log n)^(k+1)` if `q = p`, and `f` if `q > p`. With a single `b`, this is the master
//!   theorem.
//! - Linear: with one call, `n/c` times `f`; with several, `r^n` with the largest root `r` of `Σ aᵢ·r^(−cᵢ) = 1`.

use super::growth::{Growth, Order};
use crate::loops::polynomials::polynomial::Polynomial;
use crate::loops::polynomials::rational::Rational;
use crate::loops::polynomials::summation::sum_over;

/// Distance below which powers count as equal: `p` is computed to 1e-12, and the powers of real programs have small
/// denominators.
const SAME_POWER: f64 = 1e-9;

/// Number of bisection steps: more than the bits of a double.
const STEPS: usize = 200;

/// Reduction of the argument of a recursive call, compared with the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shrinking {
    /// `n/b`, with `b` above 1.
    By(f64),
    /// `n − c`, with `c` of at least 1.
    Less(u32),
}

/// The recursive calls in one call of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recurrence {
    /// Number of calls for each kind of argument.
    pub calls: Vec<(u32, Shrinking)>,
}

impl Recurrence {
    /// Returns the growth of a function with its parameter `name`. Besides its calls, the function costs `n^power·(log
    /// n)^logarithm`. Returns `None` if calls shrink in both ways, or if there are none.
    pub fn growth(&self, name: &str, power: u32, logarithm: u32) -> Option<Growth> {
        let own = Order::power(name, Rational::integer(i128::from(power)))
            .times(&Order::logarithm(name, Rational::integer(i128::from(logarithm))))?;
        if let Some(divisions) = self.all(|shrinking| match shrinking {
            Shrinking::By(divisor) if divisor > 1.0 => Some(divisor),
            _ => None,
        }) {
            return divided(&divisions, name, power, &own);
        }
        let steps = self.all(|shrinking| match shrinking {
            Shrinking::Less(step) if step > 0 => Some(f64::from(step)),
            _ => None,
        })?;
        if let [(1, _)] = steps.as_slice() {
            return Some(Growth::from_order(own.times(&Order::power(name, Rational::ONE))?));
        }
        let root = greatest_root(|r| steps.iter().map(|(a, c)| f64::from(*a) * r.powf(-c)).sum());
        // The exponential outgrows the work besides the calls, which is a power.
        Some(Growth::from_order(Order::exponential(root, name)))
    }

    fn all(&self, amount: impl Fn(Shrinking) -> Option<f64>) -> Option<Vec<(u32, f64)>> {
        let calls = self.calls.iter().filter(|(count, _)| *count > 0);
        let all: Option<Vec<_>> =
            calls.map(|(count, shrinking)| Some((*count, amount(*shrinking)?))).collect();
        all.filter(|all| !all.is_empty())
    }

    /// Returns the exact total cost of a function that calls itself once with `n − 1`. Each call costs `own` besides
    /// that, and calls at or below `base` cost nothing. Returns `None` for other calls, or if `own` has no sum in
    /// closed form.
    pub fn linear_sum(&self, name: &str, own: &Polynomial, base: i64) -> Option<Polynomial> {
        let [(1, Shrinking::Less(step @ 1))] = self.calls.as_slice() else { return None };
        let trips = Polynomial::name(name).minus(&Polynomial::integer(i128::from(base)))?;
        let first = Polynomial::integer(i128::from(base) + 1);
        sum_over(own, name, &first, i64::from(*step), &trips)
    }
}

fn divided(calls: &[(u32, f64)], name: &str, power: u32, own: &Order) -> Option<Growth> {
    let exponent = calls_exponent(calls);
    let critical = if (exponent - exponent.round()).abs() < SAME_POWER {
        Rational::integer(exponent.round() as i128)
    } else {
        // Rounds to three decimals, as displayed.
        Rational::new((exponent * 1000.0).round() as i128, 1000)?
    };
    let difference = f64::from(power) - exponent;
    Some(Growth::from_order(if difference.abs() < SAME_POWER {
        own.times(&Order::logarithm(name, Rational::ONE))?
    } else if difference > 0.0 {
        own.clone()
    } else {
        Order::power(name, critical)
    }))
}

/// Returns `p` with `Σ a·b^(−p) = 1`.
fn calls_exponent(calls: &[(u32, f64)]) -> f64 {
    let sum = |p: f64| -> f64 { calls.iter().map(|(a, b)| f64::from(*a) * b.powf(-p)).sum() };
    // The sum falls with p. For a single call, p is 0.
    let (mut low, mut high) = (-64.0, 64.0);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if sum(middle) > 1.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Returns `r ≥ 1` with `sum(r) = 1`, for a falling sum.
fn greatest_root(sum: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1.0, 1e6);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if sum(middle) > 1.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(calls: &[(u32, f64)]) -> Recurrence {
        Recurrence { calls: calls.iter().map(|&(a, b)| (a, Shrinking::By(b))).collect() }
    }

    fn less(calls: &[(u32, u32)]) -> Recurrence {
        Recurrence { calls: calls.iter().map(|&(a, c)| (a, Shrinking::Less(c))).collect() }
    }

    fn growth(recurrence: &Recurrence, power: u32) -> String {
        recurrence.growth("n", power, 0).unwrap().to_string()
    }

    #[test]
    fn divide_and_conquer_grows_as_the_textbooks_say() {
        // T. H. Cormen et al., Introduction to Algorithms, 3rd edition, sections 4.2, 4.4 and 4.5.
        assert_eq!(growth(&by(&[(2, 2.0)]), 1), "n·log n", "merge sort");
        assert_eq!(growth(&by(&[(1, 2.0)]), 0), "log n", "binary search");
        assert_eq!(growth(&by(&[(7, 2.0)]), 2), "n^2.807", "Strassen");
        assert_eq!(growth(&by(&[(8, 2.0)]), 2), "n³");
        assert_eq!(growth(&by(&[(3, 2.0)]), 1), "n^1.585", "Karatsuba");
        assert_eq!(growth(&by(&[(4, 2.0)]), 3), "n³");
        assert_eq!(growth(&by(&[(1, 3.0), (1, 1.5)]), 1), "n·log n", "n/3 and 2n/3");
        assert_eq!(growth(&by(&[(1, 5.0), (1, 10.0 / 7.0)]), 1), "n", "medians of five");
        assert_eq!(by(&[(2, 2.0)]).growth("n", 1, 1).unwrap().to_string(), "n·(log n)²");
    }

    #[test]
    fn recursion_by_less_is_a_loop_or_exponential() {
        assert_eq!(growth(&less(&[(1, 1)]), 0), "n");
        assert_eq!(growth(&less(&[(1, 1)]), 1), "n²", "selection sort");
        assert_eq!(growth(&less(&[(2, 1)]), 0), "2^n", "towers of Hanoi");
        assert_eq!(growth(&less(&[(1, 1), (1, 2)]), 0), "1.618^n", "Fibonacci");
        assert!(
            Recurrence { calls: vec![(1, Shrinking::By(2.0)), (1, Shrinking::Less(1))] }
                .growth("n", 0, 0)
                .is_none()
        );
    }

    /// Returns the total number of calls for a parameter of `n`, including the first. Calls below 2 make no further
    /// calls, and arguments are rounded down.
    fn calls_of(recurrence: &Recurrence, n: u64) -> u64 {
        let (mut total, mut open) = (0, vec![n]);
        while let Some(n) = open.pop() {
            total += 1;
            for &(count, shrinking) in recurrence.calls.iter().filter(|_| n > 1) {
                let argument = match shrinking {
                    Shrinking::By(divisor) => (n as f64 / divisor) as u64,
                    Shrinking::Less(step) => n.saturating_sub(u64::from(step)),
                };
                open.extend((0..count).map(|_| argument));
            }
        }
        total
    }

    #[test]
    fn growth_is_that_of_the_counted_calls() {
        let fibonacci = less(&[(1, 1), (1, 2)]);
        // fib(12) makes 465 calls.
        assert_eq!(calls_of(&fibonacci, 12), 465);
        assert_eq!(calls_of(&by(&[(2, 2.0)]), 1024), 2047);
        assert_eq!(calls_of(&by(&[(1, 2.0)]), 1024), 11);
        let ratio = |n| calls_of(&fibonacci, n) as f64;
        assert!((ratio(22) / ratio(21) - 1.618).abs() < 0.001);
        let three = by(&[(3, 2.0)]);
        let calls = |n| calls_of(&three, n) as f64;
        assert!(((calls(4096) / calls(64)).log(64.0) - 1.585).abs() < 0.01);
    }

    #[test]
    fn a_linear_recursion_is_summed_exactly() {
        let one = less(&[(1, 1)]);
        let sum = one.linear_sum("n", &Polynomial::name("n"), 0).unwrap();
        assert_eq!(sum.to_string(), "½n² + ½n");
        assert_eq!(less(&[(2, 1)]).linear_sum("n", &Polynomial::name("n"), 0), None);
    }
}
