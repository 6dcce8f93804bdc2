//! Ranges of bytes.

/// Ascending ranges that do not touch each other.
#[derive(Clone, Default)]
pub(crate) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }

    /// Returns the range without those parts of its beginning and its end that are in these ranges.
    pub(super) fn missing(&self, (mut from, mut to): (i64, i64)) -> Option<(i64, i64)> {
        for (first, last) in &self.0 {
            if (*first..*last).contains(&from) {
                from = *last;
            }
            if *first < to && to <= *last {
                to = *first;
            }
        }
        (from < to).then_some((from, to))
    }

    pub(crate) fn add(&mut self, (mut from, mut to): (i64, i64)) {
        self.0.retain(|(first, last)| {
            let touches = *first <= to && from <= *last;
            if touches {
                (from, to) = (from.min(*first), to.max(*last));
            }
            !touches
        });
        let at = self.0.partition_point(|(first, _)| *first < from);
        self.0.insert(at, (from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one_and_what_they_miss_is_left_to_watch() {
        let mut ranges = Ranges::default();
        assert_eq!(ranges.missing((0, 8)), Some((0, 8)));
        for bytes in [(16, 24), (0, 4), (4, 8), (20, 32)] {
            ranges.add(bytes);
        }
        assert_eq!(ranges.iter().collect::<Vec<_>>(), [(0, 8), (16, 32)]);
        assert_eq!(ranges.missing((2, 8)), None);
        assert_eq!(ranges.missing((4, 20)), Some((8, 16)));
        assert_eq!(ranges.missing((4, 40)), Some((8, 40)));
        assert_eq!(ranges.missing((-4, 4)), Some((-4, 0)));
    }
}
