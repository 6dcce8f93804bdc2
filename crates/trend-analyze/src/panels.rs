//! Products of the weights of resamples with the columns of many rows: the weights are laid out once for all rows, and read
//! in the widest registers there are. Draws nothing and fits nothing.
//!
//! ```text
//!   panel: 24 resamples, point by point           tile: 24 resamples × 8 columns, all in registers
//!   w₀…w₇ w₈…w₁₅ w₁₆…w₂₃   (point 0)              every weight is read once for 8 columns,
//!   w₀…w₇ w₈…w₁₅ w₁₆…w₂₃   (point 1)              every value of a column once for 24 resamples
//!   …
//! ```
//!
//! The sums are to the last bit those of `matrixmultiply` on a processor with AVX-512, which is where this can be used:
//! of up to 256 points each one after the other, with fused multiplication, and then of these.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m512d, _mm512_add_pd, _mm512_fmadd_pd, _mm512_set1_pd, _mm512_setzero_pd};

use trend_model::Resamples;

/// Weights of resamples, laid out for products with many columns.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Panels {
    points: usize,
    resamples: usize,
    /// `[panels × points]`; the last panel is filled up with zeros.
    weights: Vec<[__m512d; VECTORS]>,
}

/// Nothing: other processors have no such registers.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) enum Panels {}

/// Numbers in a register.
#[cfg(target_arch = "x86_64")]
const LANES: usize = 8;

/// Registers to a panel: with eight columns 24 sums and three weights are in 32 registers.
#[cfg(target_arch = "x86_64")]
const VECTORS: usize = 3;

/// Resamples in a panel.
#[cfg(target_arch = "x86_64")]
const WIDTH: usize = LANES * VECTORS;

/// Points that are summed up one after the other.
#[cfg(target_arch = "x86_64")]
const BLOCK: usize = 256;

/// Columns that go through all panels together: so many stay in the second-level cache.
#[cfg(target_arch = "x86_64")]
const TOGETHER: usize = 64;

#[cfg(not(target_arch = "x86_64"))]
impl Panels {
    pub(crate) fn new(_: &Resamples) -> Option<Self> {
        None
    }

    pub(crate) fn sums(&self, _: &[f64]) -> Vec<f64> {
        match *self {}
    }
}

#[cfg(target_arch = "x86_64")]
impl Panels {
    /// `None` where the processor lacks what this needs.
    pub(crate) fn new(resamples: &Resamples) -> Option<Self> {
        if !std::arch::is_x86_feature_detected!("avx512f") || resamples.points() == 0 {
            return None;
        }
        let (points, count) = (resamples.points(), resamples.len());
        let mut weights = vec![[register([0.0; LANES]); VECTORS]; count.div_ceil(WIDTH) * points];
        let rows = resamples.weights();
        for (panel, weights) in weights.chunks_exact_mut(points).enumerate() {
            for (point, weights) in weights.iter_mut().enumerate() {
                let weight = |r: usize| if r < count { rows[r * points + point] } else { 0.0 };
                let first = |vector: usize| panel * WIDTH + vector * LANES;
                *weights = std::array::from_fn(|vector| {
                    register(std::array::from_fn(|lane| weight(first(vector) + lane)))
                });
            }
        }
        Some(Self { points, resamples: count, weights })
    }

    /// The weighted sums of all columns, `[columns × resamples]`, row-major; `columns` is `[columns × points]`.
    ///
    /// # Panics
    ///
    /// When the columns are of another number of points.
    pub(crate) fn sums(&self, columns: &[f64]) -> Vec<f64> {
        assert_eq!(columns.len() % self.points, 0, "columns have a value for every point");
        let mut sums = vec![0.0; columns.len() / self.points * self.resamples];
        let together =
            columns.chunks(TOGETHER * self.points).zip(sums.chunks_mut((TOGETHER * self.resamples).max(1)));
        for (columns, sums) in together {
            for (panel, weights) in self.weights.chunks_exact(self.points).enumerate() {
                #[expect(unsafe_code, reason = "the only way to call what not every processor can run")]
                // SAFETY: there are panels only where there is AVX-512.
                unsafe {
                    self.panel(panel, weights, columns, sums);
                }
            }
        }
        sums
    }

    /// The sums over the resamples of one panel.
    #[target_feature(enable = "avx512f")]
    fn panel(&self, panel: usize, weights: &[[__m512d; VECTORS]], columns: &[f64], sums: &mut [f64]) {
        let start = panel * WIDTH;
        let width = WIDTH.min(self.resamples - start);
        let (points, resamples) = (self.points, self.resamples);
        let count = columns.len() / points;
        let mut column = 0;
        let mut store = |column: usize, tile: &[[__m512d; VECTORS]]| {
            for (i, vectors) in tile.iter().enumerate() {
                let values = vectors.map(numbers);
                let at = (column + i) * resamples + start;
                sums[at..at + width].copy_from_slice(&values.as_flattened()[..width]);
            }
        };
        while column < count {
            let rest = &columns[column * points..];
            column += match count - column {
                1 => {
                    store(column, &tile::<1>(weights, rest));
                    1
                }
                2..4 => {
                    store(column, &tile::<2>(weights, rest));
                    2
                }
                4..8 => {
                    store(column, &tile::<4>(weights, rest));
                    4
                }
                _ => {
                    store(column, &tile::<8>(weights, rest));
                    8
                }
            };
        }
    }
}

/// The sums of the first columns over the resamples of one panel, in registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn tile<const COLUMNS: usize>(
    weights: &[[__m512d; VECTORS]],
    columns: &[f64],
) -> [[__m512d; VECTORS]; COLUMNS] {
    let points = weights.len();
    assert!(columns.len() >= COLUMNS * points, "columns have a value for every point");
    let zeros = [[_mm512_setzero_pd(); VECTORS]; COLUMNS];
    let mut total = zeros;
    for (block, weights) in weights.chunks(BLOCK).enumerate() {
        let mut sums = zeros;
        for (point, weights) in weights.iter().enumerate() {
            for (i, sums) in sums.iter_mut().enumerate() {
                let at = i * points + block * BLOCK + point;
                #[expect(unsafe_code, reason = "the innermost loop of all")]
                // SAFETY: `at` is below `COLUMNS * points`, as `i` is below `COLUMNS` and the rest below `points`.
                let value = _mm512_set1_pd(unsafe { *columns.get_unchecked(at) });
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum = _mm512_fmadd_pd(value, weight, *sum);
                }
            }
        }
        for (total, sums) in total.iter_mut().zip(sums) {
            for (total, sum) in total.iter_mut().zip(sums) {
                *total = if block == 0 { sum } else { _mm512_add_pd(*total, sum) };
            }
        }
    }
    total
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "a register is its numbers, and nothing safe says so on every processor")]
fn register(numbers: [f64; LANES]) -> __m512d {
    // SAFETY: both are 64 bytes, of which all patterns are valid.
    unsafe { std::mem::transmute(numbers) }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "as above")]
fn numbers(register: __m512d) -> [f64; LANES] {
    // SAFETY: both are 64 bytes, of which all patterns are valid.
    unsafe { std::mem::transmute(register) }
}
