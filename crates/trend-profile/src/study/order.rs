//! Sorts and permutes items in place.

/// Returns the positions of the items in ascending order.
pub(crate) fn sorted_by<T>(items: &[T], compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    // Stable: equal items keep their order.
    order.sort_by(|&i, &j| compare(&items[i], &items[j]));
    order
}

/// Moves the `order[i]`-th item to the `i`-th place. Works in place along the cycles of the order.
pub(crate) fn permute<T>(items: &mut [T], order: &[usize]) {
    let mut rest = order.to_vec();
    for first in 0..rest.len() {
        let mut at = first;
        while rest[at] != first {
            let from = std::mem::replace(&mut rest[at], at);
            items.swap(at, from);
            at = from;
        }
        rest[at] = at;
    }
}

/// Inverts an order: the place of `order[i]` is `i`.
pub(crate) fn inverse(order: &[usize]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&item, place)| places[item] = place);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_the_order_given_and_equal_ones_in_their_own() {
        // Orders with many cycles: multiples of a number in the integers modulo 101.
        for factor in 1..101_usize {
            let keys: Vec<usize> = (0..101).map(|i| i * factor % 101 / 3).collect();
            let mut numbered: Vec<(usize, usize)> = keys.iter().copied().zip(0..).collect();
            let mut expected = numbered.clone();
            expected.sort_unstable();
            permute(&mut numbered, &sorted_by(&keys, usize::cmp));
            assert_eq!(numbered, expected);
        }
    }
}
