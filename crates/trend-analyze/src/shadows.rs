//! The shadows of rows in a space of few dimensions, and their order along the first of them. What they are good for is said in
//! `screen`.

use std::ops::Range;

/// Dimensions of the shadows. With 16, one pair in 2000 passes in vain on synthetic counts of the size of a large program; a
/// comparison in full takes as long as that of some tens of shadows.
pub(crate) const DIMENSIONS: usize = 16;

/// Shadows of rows, `[rows × DIMENSIONS]`, row-major, and the lengths of the rests.
#[derive(Default)]
pub(crate) struct Shadows {
    pub(crate) coordinates: Vec<f32>,
    pub(crate) rests: Vec<f32>,
}

impl Shadows {
    /// Appends a copy of a shadow of others.
    pub(crate) fn push(&mut self, others: &Shadows, i: usize) {
        self.coordinates.extend_from_slice(others.row(i));
        self.rests.push(others.rests[i]);
    }

    pub(crate) fn len(&self) -> usize {
        self.rests.len()
    }

    /// The coordinate along the first direction, without its sign.
    pub(crate) fn along_first(&self, i: usize) -> f32 {
        self.coordinates[i * DIMENSIONS].abs()
    }

    pub(crate) fn row(&self, i: usize) -> &[f32] {
        &self.coordinates[i * DIMENSIONS..(i + 1) * DIMENSIONS]
    }

    /// The coordinates and the rests of some.
    pub(crate) fn slice(&self, range: Range<usize>) -> (&[f32], &[f32]) {
        (&self.coordinates[range.start * DIMENSIONS..range.end * DIMENSIONS], &self.rests[range])
    }
}

/// Shadows by their coordinate along the first direction, without its sign.
#[derive(Default)]
pub(crate) struct Sorted {
    pub(crate) shadows: Shadows,
    pub(crate) along_first: Vec<f32>,
    /// By position: the coordinate's bits, which compare as it does, and which of the shadows it is.
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
        self.order.extend((self.order.len()..all.len()).map(|i| (all.along_first(i).to_bits(), i)));
        self.sort();
        self.shadows = Shadows::default();
        self.along_first.clear();
        for &(_, i) in &self.order {
            self.shadows.push(all, i);
            self.along_first.push(all.along_first(i));
        }
    }

    #[expect(clippy::stable_sort_primitive, reason = "merges those in order already with the new ones")]
    fn sort(&mut self) {
        self.order.sort();
    }
}
