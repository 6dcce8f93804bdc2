//! What two curves could at most account for of what one leaves, told from a few sums: nearly all data follow one trend,
//! and this is how they are soon done with. Fits nothing.
//!
//! ```text
//!   y = parabola + residuals r ⟂ 1, z, z²        captured of |r|²: the part of r within the span of
//!   y = parabola ± ½(c₃ + c₄z) + …               s and sz, of which that of 1, z, z² is taken away
//! ```

use crate::wide::widely;

/// A direction of which less than this fraction is independent of the others leaves the question open.
const SMALLEST_INDEPENDENT_PART: f64 = 1e-3;

/// Fraction of what is asked for by which the answer is certain whatever rounding did.
const MARGIN: f64 = 1e-4;

/// Residuals of a parabola, and what all ways to cut them in two have in common.
pub(crate) struct Captured<'a> {
    z: &'a [f64],
    residuals: &'a [f64],
    squares: f64,
    /// Lower triangular: times its transpose it is the matrix of the sums of products of 1, z, z².
    root: [[f64; 3]; 3],
    /// Σz and Σz².
    sums: [f64; 2],
}

impl<'a> Captured<'a> {
    /// Of residuals of a least-squares parabola, with their sum of squares; z of order 1. `None` where 1, z and z² are
    /// nearly dependent.
    ///
    /// - Time: O(k).
    pub(crate) fn new(z: &'a [f64], residuals: &'a [f64], squares: f64) -> Option<Self> {
        let [z1, z2, z3, z4] = power_sums(z);
        let k = z.len() as f64;
        let products = [[k, z1, z2], [z1, z2, z3], [z2, z3, z4]];
        let mut root = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..=i {
                let known: f64 = (0..j).map(|l| root[i][l] * root[j][l]).sum();
                let left: f64 = products[i][j] - known;
                if i > j {
                    root[i][j] = left / root[j][j];
                } else if left > SMALLEST_INDEPENDENT_PART * products[i][i] {
                    root[i][i] = left.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Self { z, residuals, squares, root, sums: [z1, z2] })
    }

    /// Whether two curves through points of these signs certainly leave more than the fraction `most` of the sum of
    /// squares.
    ///
    /// - Time: O(k).
    pub(crate) fn leaves_more_than(&self, most: f64, signs: &[f64]) -> bool {
        let [s0, s1, s2, s3, r0, r1] = sign_sums(self.z, self.residuals, signs);
        let (s, sz) = (self.along([s0, s1, s2]), self.along([s1, s2, s3]));
        let product = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        // The squares of signs are 1.
        let (k, [z1, z2]) = (self.z.len() as f64, self.sums);
        let (ss, sc, cc) = (k - product(s, s), z1 - product(s, sz), z2 - product(sz, sz));
        let left = cc - sc * sc / ss;
        if !(ss > SMALLEST_INDEPENDENT_PART * k && left > SMALLEST_INDEPENDENT_PART * z2) {
            return false;
        }
        let across = r1 - sc / ss * r0;
        let captured = r0 * r0 / ss + across * across / left;
        self.squares - captured > (most + MARGIN) * self.squares
    }

    /// From products with 1, z, z² to coordinates in orthonormal directions of the same span.
    fn along(&self, products: [f64; 3]) -> [f64; 3] {
        let r = &self.root;
        let p = products[0] / r[0][0];
        let q = (products[1] - r[1][0] * p) / r[1][1];
        [p, q, (products[2] - r[2][0] * p - r[2][1] * q) / r[2][2]]
    }
}

const LANES: usize = 8;

widely! {
    /// The sums of the powers 1 to 4.
    fn power_sums(z: &[f64]) -> [f64; 4] {
        let mut sums = [[0.0; LANES]; 4];
        let mut add = |lane: usize, z: f64| {
            let square = z * z;
            sums[0][lane] += z;
            sums[1][lane] += square;
            sums[2][lane] += square * z;
            sums[3][lane] += square * square;
        };
        let (chunks, rest) = z.as_chunks::<LANES>();
        for chunk in chunks {
            for (lane, z) in chunk.iter().enumerate() {
                add(lane, *z);
            }
        }
        for (lane, z) in rest.iter().enumerate() {
            add(lane, *z);
        }
        sums.map(|lanes| lanes.iter().sum())
    }
}

widely! {
    /// The sums of signs times 1, z, z², z³, r and rz.
    fn sign_sums(z: &[f64], residuals: &[f64], signs: &[f64]) -> [f64; 6] {
        let mut sums = [[0.0; LANES]; 6];
        let mut add = |lane: usize, z: f64, r: f64, s: f64| {
            let (first, second) = (s * z, s * z * z);
            sums[0][lane] += s;
            sums[1][lane] += first;
            sums[2][lane] += second;
            sums[3][lane] += second * z;
            sums[4][lane] += s * r;
            sums[5][lane] += first * r;
        };
        let (z, z_rest) = z.as_chunks::<LANES>();
        let (residuals, residuals_rest) = residuals.as_chunks::<LANES>();
        let (signs, signs_rest) = signs.as_chunks::<LANES>();
        for ((z, r), s) in z.iter().zip(residuals).zip(signs) {
            for lane in 0..LANES {
                add(lane, z[lane], r[lane], s[lane]);
            }
        }
        for (lane, ((z, r), s)) in z_rest.iter().zip(residuals_rest).zip(signs_rest).enumerate() {
            add(lane, *z, *r, *s);
        }
        sums.map(|lanes| lanes.iter().sum())
    }
}
