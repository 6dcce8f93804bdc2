//! Reads laws and rows from numbers, as the page writes them (`ui/src/data/law.ts`).
//!
//! ```text
//! list     length, items
//! row      list of positions of features, list of (position, end), band, law
//! band     list of sizes, their lower ends, their upper ends; an empty list without a band
//! law      source, list of parts, each a list of sums; no parts without a law
//! sum      weight, from, list of terms
//! term     coefficient, list of factors
//! factor   kind, feature, other feature or exponent or base, 1 for a logarithm
//! ```

use trend_model::{Factor, FeatureIndex, LawSum, LawTerm, Term};

use crate::{Band, Law, Row, Source};

/// Numbers that are read from front to back.
pub(crate) struct Numbers<'a>(pub(crate) std::slice::Iter<'a, f64>);

impl Numbers<'_> {
    pub(crate) fn number(&mut self) -> Option<f64> {
        self.0.next().copied()
    }

    pub(crate) fn index(&mut self) -> Option<usize> {
        self.number().filter(|number| *number >= 0.0).map(|number| number as usize)
    }

    /// Reads a list. Its length is not trusted: the items end where the numbers do.
    pub(crate) fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.index()?).map(|_| item(self)).collect()
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<f64>> {
        (0..count).map(|_| self.number()).collect()
    }

    pub(crate) fn row(&mut self) -> Option<Row> {
        let features = self.list(Self::index)?;
        let ends = self.list(|numbers| Some((numbers.index()?, numbers.number()?)))?;
        let at = self.list(Self::number)?;
        let band = Band { lo: self.numbers(at.len())?, hi: self.numbers(at.len())?, at };
        let band = Some(band).filter(|band| !band.at.is_empty());
        Some(Row { features, ends, band, law: self.law()? })
    }

    /// Reads a law. The inner `Option` is `None` if the law has no parts.
    #[expect(clippy::option_option, reason = "the outer one is `None` if the numbers cannot be read")]
    pub(crate) fn law(&mut self) -> Option<Option<Law>> {
        let source = *Source::ALL.get(self.index()?)?;
        let parts = self.list(|numbers| numbers.list(Self::sum))?;
        let parts: Vec<_> =
            parts.into_iter().map(|sums| (String::new(), trend_model::Law { sums })).collect();
        let law = Law { features: Vec::new(), source, decided: false, parts };
        Some(Some(law).filter(|law| !law.parts.is_empty()))
    }

    fn sum(&mut self) -> Option<LawSum> {
        let [weight, from] = [self.number()?, self.number()?];
        Some(LawSum { weight, class: None, from, terms: self.list(Self::term)? })
    }

    fn term(&mut self) -> Option<LawTerm> {
        Some(LawTerm { coefficient: self.number()?, factors: self.list(Self::factor)? })
    }

    fn factor(&mut self) -> Option<Factor> {
        let [kind, feature] = [self.index()?, self.index()?];
        let [value, log] = [self.number()?, self.number()?];
        let factor = |term| Factor::Of(FeatureIndex(feature), term);
        Some(match kind {
            0 => factor(Term::Power { exponent: value, log: log == 1.0 }),
            1 => factor(Term::Exponential { base: value }),
            2 => factor(Term::TimesExponential { base: value }),
            3 => factor(Term::Factorial),
            4 => Factor::Least(FeatureIndex(feature), FeatureIndex(value as usize)),
            5 => Factor::Inverse(FeatureIndex(feature)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_with_its_law_band_and_ends() {
        // 3·min(x, y) + 2·x^2·log x up to x = 90, where y is the third feature of the target and x the first.
        let terms = [2.0, 3.0, 1.0, 4.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0, 1.0];
        let head =
            [2.0, 0.0, 2.0, 1.0, 0.0, 90.0, 2.0, 1.0, 64.0, 0.5, 0.5, 2.0, 8.0, 3.0, 1.0, 1.0, 1.0, 0.0];
        let row = [&head[..], &terms].concat();
        let row = Numbers(row.iter()).row().unwrap();
        let outlook = row.outlook(&[8.0, f64::NAN, 5.0]).unwrap();
        assert_eq!((outlook.cost, outlook.source), (3.0 * 5.0 + 2.0 * 64.0 * 3.0, Source::Joint));
        let [low, high] = outlook.ci.unwrap();
        assert!((low / (0.5 * outlook.cost) - 1.0).abs() < 1e-12, "{low}");
        assert!((high / (4.0 * outlook.cost) - 1.0).abs() < 1e-12, "{high}");
        assert_eq!(row.outlook(&[91.0, f64::NAN, 5.0]), None);
        assert_eq!(row.outlook(&[8.0]), None);
    }

    #[test]
    fn what_is_cut_off_or_unknown_is_no_row() {
        for cut in
            [&[][..], &[1e18], &[0.0, 0.0, 0.0, 9.0], &[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0]]
        {
            assert!(Numbers(cut.iter()).row().is_none(), "{cut:?}");
        }
        assert!(Numbers([0.0, 0.0, 0.0, 0.0, 0.0].iter()).row().is_some_and(|row| row.law.is_none()));
    }
}
