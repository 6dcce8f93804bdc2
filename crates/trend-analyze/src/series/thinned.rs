//! Selects some of very many sizes of a place for its models. Costs and calls are always those of all sizes.

use trend_profile::Observation;

use crate::fit::modeller::IN_FULL;

/// Maximum number of sizes with models. All that a model needs for a size takes some 25 µs and 1 kB.
pub(crate) const MOST_SIZES: usize = IN_FULL;

/// Returns at most `most` observations, evenly spread over the logarithm of the size, including both ends.
/// `observations` are by ascending size.
///
/// - Time: O(observations).
pub fn thinned(observations: &[Observation], most: usize) -> Vec<Observation> {
    let most = most.max(2);
    if observations.len() <= most {
        return observations.to_vec();
    }
    let logarithm = |o: &Observation| (o.size() as f64 + 1.0).ln();
    let (least, greatest) = (logarithm(&observations[0]), logarithm(&observations[observations.len() - 1]));
    let mut next = 0;
    let mut take = |i: usize| {
        // Takes the first remaining size at or beyond the target, but leaves enough sizes for the later targets.
        let target = least + (greatest - least) * i as f64 / (most - 1) as f64;
        let last = observations.len() - (most - i);
        while next < last && logarithm(&observations[next]) < target {
            next += 1;
        }
        next += 1;
        observations[next - 1]
    };
    (0..most).map(&mut take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_million_sizes_some_of_each_order_are_kept_with_both_ends() {
        let all: Vec<Observation> = (0..1_000_000).map(Observation::at).collect();
        let some: Vec<u64> = thinned(&all, 600).iter().map(Observation::size).collect();
        assert_eq!((some.len(), some[0], some[599]), (600, 0, 999_999));
        assert!(some.is_sorted_by(|a, b| a < b));
        for from in [10, 100, 1000, 10_000, 100_000] {
            let decade = some.iter().filter(|size| (from..10 * from).contains(*size)).count();
            assert!(decade >= 60, "{decade} from {from}");
        }
        assert_eq!(thinned(&all[..5], 600), all[..5]);
        let equal = vec![Observation::at(7); 10];
        assert_eq!(thinned(&equal, 3).len(), 3);
    }
}
