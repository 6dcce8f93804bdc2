//! Curve bounding: divides the cost by a growth class. If the quotient stays flat towards large sizes, the class grows
//! as fast as the cost; if it rises, the cost grows faster; if it falls, slower.
//!
//! This compares the points that were run with a single class. The verdict decides which class the data support.

use trend_answer::published_term;
use trend_model::{Growth, GrowthClass, linear_regression};

use crate::findings::bound::{Bound, Course};

/// Fraction of the sizes' range on a log scale, counted from the largest, over which the quotient is followed.
const UPPER_PART: f64 = 0.5;

/// Slopes below this power of the size count as flat: 4 % from a size to its double.
const FLAT: f64 = 0.06;

/// Minimum number of points for a course other than unclear.
const FEWEST_POINTS: usize = 4;

/// Minimum number of sizes for a course other than unclear.
const FEWEST_SIZES: usize = 3;

/// Minimum distance of a slope from 0, in standard errors, to count as rising or falling.
const CERTAIN: f64 = 2.0;

/// Classes that every cost is compared with, besides the ones that its verdict names.
const CLASSES: [GrowthClass; 7] = [
    GrowthClass::Constant,
    GrowthClass::Logarithmic,
    GrowthClass::Linear,
    GrowthClass::Linearithmic,
    GrowthClass::ThreeHalves,
    GrowthClass::Quadratic,
    GrowthClass::Cubic,
];

/// Returns the bounds of a cost, with classes from slow to fast.
///
/// - Time: O(n · classes)
pub(crate) fn bounds(x: &[f64], y: &[f64], verdict: Option<&Growth>) -> Vec<Bound> {
    let mut classes: Vec<GrowthClass> = CLASSES.to_vec();
    classes.extend(verdict.into_iter().flat_map(Growth::named).map(|named| named.class));
    classes.sort_unstable();
    classes.dedup();
    let decided = verdict.filter(|verdict| verdict.decided).map(|verdict| verdict.best().class);
    let bound = |class: GrowthClass| {
        let course = match course(x, y, class) {
            Course::Rises | Course::Falls if decided == Some(class) => Course::LevelsOff,
            course => course,
        };
        Bound { class, course, term: published_term(class.term()) }
    };
    classes.into_iter().map(bound).collect()
}

/// Compares the slope of a least-squares line through the logarithms with its standard error.
fn course(x: &[f64], y: &[f64], class: GrowthClass) -> Course {
    let quotient = |(&x, &y): (&f64, &f64)| (x.ln(), (y / class.term().value(x)).ln());
    let is_drawn = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
    let points: Vec<(f64, f64)> = x.iter().zip(y).map(quotient).filter(is_drawn).collect();
    let lo = points.iter().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let hi = points.iter().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let from = hi - (hi - lo) * UPPER_PART - 1e-9;
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().filter(|point| point.0 >= from).unzip();
    let mut sizes: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if x.len() < FEWEST_POINTS || sizes.len() < FEWEST_SIZES {
        return Course::Unclear;
    }
    let Ok(line) = linear_regression(&x, &y) else { return Course::Unclear };
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let spread: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
    let rest: f64 = x.iter().zip(&y).map(|(x, y)| (y - line.intercept - line.slope * x).powi(2)).sum();
    let error = CERTAIN * (rest / (x.len() - 2) as f64 / spread).sqrt();
    let slope = line.slope.abs();
    if slope > error && slope > FLAT {
        return if line.slope > 0.0 { Course::Rises } else { Course::Falls };
    }
    if error <= FLAT || slope + error <= 2.0 * FLAT { Course::Flat } else { Course::Unclear }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f64; 9] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];

    fn course_of(cost: impl Fn(f64) -> f64, class: GrowthClass) -> Course {
        course(&SIZES, &SIZES.map(cost), class)
    }

    #[test]
    fn a_cost_outgrows_what_is_slower_and_falls_below_what_is_faster() {
        let square = |n: f64| 1.5 * n * n - 0.5 * n;
        assert_eq!(course_of(square, GrowthClass::Linearithmic), Course::Rises);
        assert_eq!(course_of(square, GrowthClass::Quadratic), Course::Flat);
        assert_eq!(course_of(square, GrowthClass::Cubic), Course::Falls);
    }

    #[test]
    fn noise_and_too_few_sizes_say_nothing() {
        let noisy = |n: f64| if n == 2000.0 { 9.0 * n } else { n };
        assert_eq!(course_of(noisy, GrowthClass::Linear), Course::Unclear);
        assert_eq!(course(&[1.0, 2.0, 2.0, 2.0], &[1.0; 4], GrowthClass::Constant), Course::Unclear);
        assert_eq!(course(&[], &[], GrowthClass::Constant), Course::Unclear);
        assert_eq!(course_of(|_| 0.0, GrowthClass::Constant), Course::Unclear);
    }

    #[test]
    fn under_a_decided_class_a_startup_cost_is_no_slower_growth() {
        let costs = SIZES.map(|n| n * n + 3e6);
        let verdict = trend_model::growth(&SIZES, &costs).unwrap();
        assert!(verdict.decided && verdict.best().class == GrowthClass::Quadratic, "{verdict:?}");
        let bounds = bounds(&SIZES, &costs, Some(&verdict));
        let course_under = |class| bounds.iter().find(|bound| bound.class == class).unwrap().course;
        assert_eq!((bounds.len(), course_under(GrowthClass::Quadratic)), (7, Course::LevelsOff));
        assert_eq!(
            (course_under(GrowthClass::Constant), course_under(GrowthClass::Cubic)),
            (Course::Rises, Course::Falls)
        );
    }
}
