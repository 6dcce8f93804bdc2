//! Runs loops over points in the widest vector registers of the processor; programs are otherwise compiled for the
//! oldest processor of a family. This module computes nothing itself.
//!
//! The same operations run in the same order, so the results are bit-identical. Two operations are never fused (no
//! fused multiply-add).

/// Compiles a function for AVX2 as well, and uses that version if the processor has AVX2. Callees benefit if they are
/// inlined.
macro_rules! widely {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name($($argument: $type),*) $(-> $result)? {
            #[allow(clippy::inline_always, reason = "compiled twice, for either kind of processor")]
            #[inline(always)]
            fn plain($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn wide($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }
                #[expect(unsafe_code, reason = "the only way to call what not every processor can run")]
                // SAFETY: this processor has AVX2.
                return unsafe { wide($($argument),*) };
            }
            plain($($argument),*)
        }
    };
}

pub(crate) use widely;

#[cfg(test)]
mod tests {
    widely! {
        /// A sum whose value depends on the order.
        fn sum(values: &[f64], by: &mut Vec<f64>) -> f64 {
            by.extend(values.iter().map(|v| v * 3.0 + 1.0));
            by.iter().sum()
        }
    }

    #[test]
    fn nothing_but_the_instructions_differs() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i).sin() * 10f64.powi(i % 30)).collect();
        let (mut actual, mut expected) = (Vec::new(), Vec::new());
        let total = sum(&values, &mut actual);
        for v in &values {
            expected.push(std::hint::black_box(v * 3.0) + 1.0);
        }
        let in_order = expected.iter().fold(-0.0, |sum, v| std::hint::black_box(sum + v));
        assert_eq!((actual, total.to_bits()), (expected, in_order.to_bits()));
    }
}
