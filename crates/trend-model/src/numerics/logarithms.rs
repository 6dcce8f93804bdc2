//! Computes many logarithms at once. Logarithms take half of the time of a fit.

use super::wide::widely;

/// Replaces numbers by their natural logarithms.
pub(crate) fn replace_by_ln(values: &mut [f64]) {
    if values.iter().all(|value| value.is_normal() && *value > 0.0) {
        replace_normal_by_ln(values);
    } else {
        for value in values {
            *value = value.ln();
        }
    }
}

widely! {
    /// Replaces values by their natural logarithms, without branches, so that the compiler can use vector instructions.
    /// The result is within one unit in the last place for all positive normal numbers; other values become an
    /// arbitrary number or NaN.
    ///
    /// # Formula
    ///
    /// FreeBSD's `e_log.c`: `x = 2^k·(1 + f)` with `1 + f` between √½ and √2, `s = f/(2 + f)`, and `ln(1 + f) = f −
    /// f²/2 + s·(f²/2 + R(s²))`. R is a polynomial, the minimax approximation of `ln((1 + s)/(1 − s))/s − 2`.
    pub(crate) fn replace_normal_by_ln(values: &mut [f64]) {
        const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
        const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
        const R: [f64; 7] = [
            0.666_666_666_666_673_5,
            0.399_999_999_994_094_2,
            0.285_714_287_436_623_9,
            0.222_221_984_321_497_84,
            0.181_835_721_616_180_5,
            0.153_138_376_992_093_73,
            0.147_981_986_051_165_86,
        ];
        const ONE: u64 = 0x3ff0_0000_0000_0000;
        const ROOT_OF_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
        const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;
        /// The bits of 2^52, whose last bits count units.
        const COUNTER: u64 = 0x4330_0000_0000_0000;
        const COUNTED: f64 = 4_503_599_627_370_496.0 + 1023.0;
        for value in values {
            let shifted = value.to_bits().wrapping_add(ONE - ROOT_OF_HALF);
            let k = f64::from_bits((shifted >> 52) | COUNTER) - COUNTED;
            let f = f64::from_bits((shifted & MANTISSA) + ROOT_OF_HALF) - 1.0;
            let s = f / (2.0 + f);
            let z = s * s;
            let w = z * z;
            let even = w * (R[1] + w * (R[3] + w * R[5]));
            let odd = z * (R[0] + w * (R[2] + w * (R[4] + w * R[6])));
            let half = 0.5 * f * f;
            *value = k * LN_2_HIGH - ((half - (s * (half + (even + odd)) + k * LN_2_LOW)) - f);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn logarithms_are_those_of_the_platform(values in prop::collection::vec(prop_oneof![1e-300..1e300f64, 0.5..2.0f64], 1..20)) {
            let mut logs = values.clone();
            replace_normal_by_ln(&mut logs);
            for (value, ln) in values.iter().zip(logs) {
                prop_assert!((ln - value.ln()).abs() <= 2.0 * f64::EPSILON * value.ln().abs(), "{value}: {ln}");
            }
        }
    }

    #[test]
    fn powers_of_two_have_exact_multiples() {
        let mut values = [1.0, 2.0, 0.5, 1024.0, f64::MIN_POSITIVE];
        replace_normal_by_ln(&mut values);
        let ln_2 = std::f64::consts::LN_2;
        assert_eq!(values[..4], [0.0, ln_2, -ln_2, 10.0 * ln_2]);
        assert!((values[4] + 1022.0 * ln_2).abs() < 1e-12);
        let mut smaller = [5e-324, 1.0];
        replace_by_ln(&mut smaller);
        assert!((smaller[0] + 1074.0 * ln_2).abs() < 1e-12 && smaller[1] == 0.0);
    }
}
