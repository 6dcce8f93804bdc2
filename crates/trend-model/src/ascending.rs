//! Points by ascending feature value. Knows nothing of what they are.

/// Sorts points `(x, y)` by x and those of equal x by y; quickly where they are by ascending x already.
///
/// - Time: O(k), or O(k log k).
pub(crate) fn sort_by_feature(points: &mut [(f64, f64)]) {
    if points.is_sorted_by(|p, q| p.0 <= q.0) {
        for equal in points.chunk_by_mut(|p, q| p.0 == q.0) {
            equal.sort_unstable_by(|p, q| p.1.total_cmp(&q.1));
        }
    } else {
        points.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorted_points_are_sorted_like_others(points in prop::collection::vec((1..6_u32, 1..4_u32), 0..40)) {
            let mut points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
            let mut by_x = points.clone();
            by_x.sort_by(|p, q| p.0.total_cmp(&q.0));
            sort_by_feature(&mut points);
            sort_by_feature(&mut by_x);
            prop_assert!(points.is_sorted());
            prop_assert_eq!(points, by_x);
        }
    }
}
