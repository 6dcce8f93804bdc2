//! Shadows of rows in a space of few dimensions, sorted by their angle to the first one. `screen` explains their use.

use std::ops::Range;

/// Number of dimensions of the shadows. With 16, one pair in 2000 passes needlessly on synthetic counts of the size of
/// a large program. A full comparison takes as long as comparing some tens of shadows.
pub(crate) const DIMENSIONS: usize = 16;

/// Maximum difference of the coordinates of rows that are equal up to rounding.
const ROUNDING: f32 = 1e-6;

/// Shadows of rows, with their rests and angles.
#[derive(Default)]
pub(crate) struct Shadows {
    /// `[rows × DIMENSIONS]`, row-major.
    pub(crate) coordinates: Vec<f32>,
    /// The lengths of the rests, `[rows]`.
    pub(crate) rests: Vec<f32>,
    /// The angle between each row, or its negative, and the first direction: 0 to π/2, `[rows]`.
    pub(crate) angles: Vec<f32>,
}

impl Shadows {
    /// Appends a copy of shadow `i` of others.
    pub(crate) fn push(&mut self, others: &Shadows, i: usize) {
        self.coordinates.extend_from_slice(others.row(i));
        self.rests.push(others.rests[i]);
        self.angles.push(others.angles[i]);
    }

    pub(crate) fn len(&self) -> usize {
        self.rests.len()
    }

    pub(crate) fn row(&self, i: usize) -> &[f32] {
        &self.coordinates[i * DIMENSIONS..(i + 1) * DIMENSIONS]
    }

    /// Returns the coordinates and the rests of a range of rows.
    pub(crate) fn slice(&self, range: Range<usize>) -> (&[f32], &[f32]) {
        (&self.coordinates[range.start * DIMENSIONS..range.end * DIMENSIONS], &self.rests[range])
    }
}

/// Shadows sorted by their angle to the first direction.
#[derive(Default)]
pub(crate) struct Sorted {
    pub(crate) shadows: Shadows,
    /// For each position, the angle's bits, which compare like the angle, and the shadow's original position.
    pub(crate) order: Vec<(u32, usize)>,
}

impl Sorted {
    /// Adds the shadows that are new since the last update.
    ///
    /// - Time: O(shadows), plus sorting the new ones.
    pub(crate) fn update(&mut self, all: &Shadows) {
        if self.order.len() == all.len() {
            return;
        }
        self.order.extend((self.order.len()..all.len()).map(|i| (all.angles[i].to_bits(), i)));
        self.sort();
        self.shadows = Shadows::default();
        for &(_, i) in &self.order {
            self.shadows.push(all, i);
        }
    }

    /// Returns a shadow that is equal to shadow `i` of others or its negative, up to rounding. May miss one.
    pub(crate) fn nearest(&self, others: &Shadows, i: usize) -> Option<usize> {
        let (angle, row) = (others.angles[i], others.row(i));
        let is_equal = |position: &usize| {
            let coordinates = row.iter().zip(self.shadows.row(*position));
            coordinates.fold(true, |equal, (x, y)| equal & ((x.abs() - y.abs()).abs() < ROUNDING))
        };
        let first = self.shadows.angles.partition_point(|other| *other < angle - ROUNDING);
        let last = self.shadows.angles.partition_point(|other| *other <= angle + ROUNDING);
        (first..last).find(is_equal).map(|position| self.order[position].1)
    }

    #[expect(clippy::stable_sort_primitive, reason = "merges those in order already with the new ones")]
    fn sort(&mut self) {
        self.order.sort();
    }
}
