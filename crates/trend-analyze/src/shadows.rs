//! The shadows of rows in a space of few dimensions, and their order by the angle to the first of them. What they are good for
//! is said in `screen`.

use std::ops::Range;

/// Dimensions of the shadows. With 16, one pair in 2000 passes in vain on synthetic counts of the size of a large program; a
/// comparison in full takes as long as that of some tens of shadows.
pub(crate) const DIMENSIONS: usize = 16;

/// By how much the coordinates of rows differ that differ by rounding.
const ROUNDING: f32 = 1e-6;

/// Shadows of rows.
#[derive(Default)]
pub(crate) struct Shadows {
    /// `[rows × DIMENSIONS]`, row-major.
    pub(crate) coordinates: Vec<f32>,
    /// The lengths of the rests, `[rows]`.
    pub(crate) rests: Vec<f32>,
    /// Between each row, or the same with the other sign, and the first direction: 0 to π/2, `[rows]`.
    pub(crate) angles: Vec<f32>,
}

impl Shadows {
    /// Appends a copy of a shadow of others.
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

    /// The coordinates and the rests of some.
    pub(crate) fn slice(&self, range: Range<usize>) -> (&[f32], &[f32]) {
        (&self.coordinates[range.start * DIMENSIONS..range.end * DIMENSIONS], &self.rests[range])
    }
}

/// Shadows by their angle to the first direction.
#[derive(Default)]
pub(crate) struct Sorted {
    pub(crate) shadows: Shadows,
    /// By position: the angle's bits, which compare as it does, and which of the shadows it is.
    pub(crate) order: Vec<(u32, usize)>,
}

impl Sorted {
    /// Takes up the shadows that came since the last time.
    ///
    /// - Time: O(shadows), beside that of sorting the new ones.
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

    /// The shadow that is equal to shadow `i` of others or its opposite, but for rounding. One may be overlooked.
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
