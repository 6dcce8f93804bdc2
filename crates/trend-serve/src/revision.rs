//! A digest of a study's content, by which a page knows whether it shows the present one.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};
use trend_analyze::Options;
use trend_profile::{LocationId, Study};

/// Digits of a revision. They only have to tell the few states of one study apart.
const DIGITS: usize = 16;

/// Hexadecimal digits that change when the study does, or what is asked of its analysis.
///
/// A server that is started anew gives the same study the same revision, so that a page that is still open stays as it
/// is.
///
/// - Time: O(counts), far below that of the analysis.
pub(crate) fn revision(study: &Study, options: &Options) -> String {
    let mut digest = Text(Sha256::new());
    // The texts are told apart by the quotes that `Debug` puts around them. Writing into a digest does not fail.
    let _ = write!(digest, "{:?}", (study.program(), study.root(), study.unit(), options));
    let _ =
        write!(digest, "{:?}", (study.functions(), study.locations(), study.workloads(), study.features()));
    let _ = write!(digest, "{:?}", (study.series(), study.failed(), study.sources(), study.warnings()));
    for id in (0..study.locations().len() as u32).map(LocationId) {
        digest.0.update([u8::from(study.is_unstable(id))]);
        for count in study.counts().row(id).iter() {
            digest.0.update(count.to_le_bytes());
        }
    }
    let mut digits = String::with_capacity(DIGITS);
    for byte in digest.0.finalize().iter().take(DIGITS / 2) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// A digest that text is written into.
struct Text(Sha256);

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_follows_the_content_and_the_options_alone() {
        let of = |text: &str, options: &Options| revision(&Study::from_text(text).unwrap(), options);
        let usual = Options::default();
        let first = of("n: 1 2\na.c:3:f: 10 20", &usual);
        assert_eq!(first.len(), DIGITS);
        assert_eq!(of("n: 1 2\na.c:3:f: 10 20", &usual), first);
        for changed in [
            "n: 1 2\na.c:3:f: 10 21",
            "n: 1 3\na.c:3:f: 10 20",
            "n: 1 2\na.c:4:f: 10 20",
            "n: 1 2 3\na.c:3:f: 10 20 30",
        ] {
            assert_ne!(of(changed, &usual), first, "{changed}");
        }
        assert_ne!(of("n: 1 2\na.c:3:f: 10 20", &Options { seed: 2, ..usual }), first);
    }
}
