//! Sets of address ranges.

use std::collections::BTreeMap;

/// Disjoint address ranges, as a map from start to end.
#[derive(Debug, Default)]
pub(super) struct Ranges(pub(super) BTreeMap<u64, u64>);

impl Ranges {
    pub(super) fn add(&mut self, (begin, end): (u64, u64)) {
        self.remove((begin, end));
        self.0.insert(begin, end);
    }

    pub(super) fn remove(&mut self, (begin, end): (u64, u64)) {
        if let Some((&first, &last)) = self.0.range(..begin).next_back()
            && last > begin
        {
            self.0.insert(first, begin);
            if last > end {
                self.0.insert(end, last);
            }
        }
        let inside: Vec<(u64, u64)> = self.0.range(begin..end).map(|(a, b)| (*a, *b)).collect();
        for (first, last) in inside {
            self.0.remove(&first);
            if last > end {
                self.0.insert(end, last);
            }
        }
    }
}

/// Sorts ranges and merges overlapping ones.
pub(super) fn merged(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut all: Vec<(u64, u64)> = Vec::new();
    for (begin, end) in ranges {
        match all.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => all.push((begin, end)),
        }
    }
    all
}

/// Subtracts `others` from `ranges`; both must be ascending and disjoint.
pub(super) fn without(ranges: &[(u64, u64)], others: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut left = Vec::new();
    let mut next = 0;
    for &(begin, end) in ranges {
        let mut begin = begin;
        while next < others.len() && others[next].1 <= begin {
            next += 1;
        }
        let mut other = next;
        while begin < end {
            let (first, last) = others.get(other).copied().unwrap_or((u64::MAX, u64::MAX));
            if first > begin {
                left.push((begin, end.min(first)));
            }
            begin = begin.max(last);
            other += 1;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_taken_from_each_other() {
        assert_eq!(merged(vec![(5, 7), (1, 3), (3, 4), (6, 9)]), [(1, 4), (5, 9)]);
        assert_eq!(
            without(&[(1, 10), (20, 30)], &[(0, 2), (4, 5), (9, 21), (29, 40)]),
            [(2, 4), (5, 9), (21, 29)]
        );
        let mut ranges = Ranges::default();
        ranges.add((10, 20));
        ranges.remove((12, 14));
        ranges.add((13, 15));
        ranges.remove((18, 30));
        assert_eq!(Vec::from_iter(ranges.0), [(10, 12), (13, 15), (15, 18)]);
    }
}
