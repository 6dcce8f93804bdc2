//! Finds the count of a position: that of the innermost range around it.

use std::cmp::Reverse;

use super::{FunctionCoverage, RangeCoverage};

/// Ranges of a script, by position; outer ones come before inner ones.
pub(super) struct Ranges<'a> {
    functions: &'a [FunctionCoverage<'a>],
    /// `[functions' ranges]`: begin, reversed end, function, count.
    sorted: Vec<(u32, Reverse<u32>, usize, u64)>,
}

/// Innermost function and range around a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RangeCount {
    /// Index of the function.
    pub(super) function: usize,
    pub(super) count: u64,
}

impl<'a> Ranges<'a> {
    pub(super) fn new(functions: &'a [FunctionCoverage<'a>]) -> Self {
        // A position at which a function begins is not in it: in `a && function () {}` it counts the operand. The first
        // function is the script.
        let begin = |index: usize, number: usize, range: &RangeCoverage| {
            if index > 0 && number == 0 { range.begin.saturating_add(1) } else { range.begin }
        };
        let of = |(index, function): (usize, &FunctionCoverage<'_>)| {
            let ranges = function.ranges.iter().enumerate();
            let ranges = ranges.map(|(n, r)| (begin(index, n, r), Reverse(r.end), index, r.count));
            ranges.collect::<Vec<_>>()
        };
        let mut sorted: Vec<_> = functions.iter().enumerate().flat_map(of).collect();
        // A stable order: a function's own range comes before the ranges in it.
        sorted.sort_by_key(|&(begin, end, ..)| (begin, end));
        Self { functions, sorted }
    }

    /// Returns the innermost range around each of the ascending offsets; `None` if there is none.
    ///
    /// - Time: O(ranges + offsets).
    pub(super) fn around(&self, offsets: impl IntoIterator<Item = u32>) -> Vec<Option<RangeCount>> {
        let mut open: Vec<(u32, RangeCount)> = Vec::new();
        let mut next = self.sorted.iter().peekable();
        let mut around = Vec::new();
        for offset in offsets {
            while let Some(&&(_, Reverse(end), function, count)) =
                next.next_if(|range| range.0 <= offset).as_ref()
            {
                while open.last().is_some_and(|(outer, _)| *outer < end) {
                    open.pop();
                }
                open.push((end, RangeCount { function, count }));
            }
            while open.last().is_some_and(|(end, _)| *end <= offset) {
                open.pop();
            }
            around.push(open.last().map(|(_, around)| *around));
        }
        around
    }

    /// Returns the function whose range is the smallest around each function's beginning.
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let mut order: Vec<usize> = (0..self.functions.len()).collect();
        let span = |index: &usize| self.functions[*index].ranges.first().map_or((0, 0), |r| (r.begin, r.end));
        order.sort_by_key(|index| (span(index).0, Reverse(span(index).1), *index));
        let mut parents = vec![None; order.len()];
        let mut open: Vec<usize> = Vec::new();
        for index in order {
            while open.last().is_some_and(|outer| span(outer).1 <= span(&index).0) {
                open.pop();
            }
            parents[index] = open.last().copied();
            open.push(index);
        }
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_range_counts_even_if_ranges_cross() {
        let range = |begin, end, count| RangeCoverage { begin, end, count };
        let function = |ranges| FunctionCoverage { name: "".into(), ranges, has_blocks: true };
        let functions = [
            function(vec![range(0, 100, 1), range(10, 90, 7), range(20, 30, 3)]),
            function(vec![range(40, 60, 5)]),
            function(vec![range(55, 95, 2)]),
        ];
        let ranges = Ranges::new(&functions);
        let counts = |at: &[u32]| -> Vec<_> {
            ranges.around(at.iter().copied()).into_iter().map(|f| f.map(|f| (f.function, f.count))).collect()
        };
        let expected = [(0, 1), (0, 7), (0, 3), (0, 7), (1, 5), (2, 2), (2, 2), (0, 1)].map(Some);
        assert_eq!(counts(&[0, 10, 29, 30, 41, 56, 94, 99]), expected);
        assert_eq!(counts(&[40, 41, 100]), [Some((0, 7)), Some((1, 5)), None]);
        assert_eq!(ranges.parents(), [None, Some(0), Some(1)]);
    }
}
