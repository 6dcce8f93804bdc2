//! Which classes a verdict names, by their supports. Computes no supports.

use super::class::GrowthClass;
use super::growth_fit::GrowthFit;

/// Support from which a class is decided. With it, verdicts are wrong in at most 5 % of the instances in every cell of
/// the recovery matrix, in most cells in none: supports are cautious.
const DECIDED: f64 = 0.92;

/// The same for a cost that does not grow: a startup cost hides a logarithm well.
const DECIDED_CONSTANT: f64 = 0.94;

/// The same for `n·2^n`: over few sizes with outliers it is hard to tell from `2^n`, which is what programs usually have.
const DECIDED_TIMES_EXPONENTIAL: f64 = 0.98;

/// The same for costs that scatter much: scatter has causes, which are not as independent as a fit takes them to be.
const DECIDED_SCATTERED: f64 = 0.97;

/// Support that the classes of an undecided verdict have together, and where costs scatter much: having said that it
/// does not know, a verdict loses nothing by naming one class more.
const NAMED: f64 = 0.98;
const NAMED_SCATTERED: f64 = 0.99;

/// Spreads of log cost that are still little, and already much.
const LITTLE_SPREAD: f64 = 0.1;
const MUCH_SPREAD: f64 = 0.3;

/// Support of all other classes that keeps a verdict from saying that growth is superlinear: it is what alarms.
const DOUBT: f64 = 0.03;

/// How many of the fits, by falling support, the verdict names; 1 is decided.
pub(crate) fn named(fits: &[GrowthFit]) -> usize {
    let Some(best) = fits.first() else { return 0 };
    if best.support >= needed(best) {
        return below_too(fits, 1);
    }
    let needed = if best.spread > MUCH_SPREAD { NAMED_SCATTERED } else { NAMED };
    let mut sum = 0.0;
    let before = fits.iter().take_while(|fit| {
        sum += fit.support;
        sum < needed
    });
    let named = (before.count() + 1).clamp(2.min(fits.len()), fits.len());
    below_too(fits, named)
}

/// Support from which the class of a fit is decided.
fn needed(fit: &GrowthFit) -> f64 {
    let scattered = ((fit.spread - LITTLE_SPREAD) / (MUCH_SPREAD - LITTLE_SPREAD)).clamp(0.0, 1.0);
    let decided = DECIDED + scattered * (DECIDED_SCATTERED - DECIDED);
    match fit.class {
        GrowthClass::Constant => decided.max(DECIDED_CONSTANT),
        GrowthClass::TimesExponential => decided.max(DECIDED_TIMES_EXPONENTIAL),
        _ => decided,
    }
}

/// As many more as it takes to name a class that is not superlinear, where there is doubt whether growth is.
fn below_too(fits: &[GrowthFit], named: usize) -> usize {
    let is_above = |fit: &GrowthFit| fit.class > GrowthClass::Linear;
    let below: f64 = fits.iter().filter(|fit| !is_above(fit)).map(|fit| fit.support).sum();
    match fits.iter().position(|fit| !is_above(fit)) {
        Some(first) if below > DOUBT => named.max(first + 1),
        _ => named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(spread: f64, supports: &[(GrowthClass, f64)]) -> Vec<GrowthFit> {
        let fit = |&(class, support)| GrowthFit { class, support, terms: Vec::new(), spread, from: 0.0 };
        supports.iter().map(fit).collect()
    }

    #[test]
    fn a_class_with_nearly_all_support_is_decided_unless_costs_scatter() {
        let supports = [(GrowthClass::Quadratic, 0.93), (GrowthClass::QuadraticLog, 0.07)];
        assert_eq!(named(&fits(0.05, &supports)), 1);
        assert_eq!(named(&fits(0.5, &supports)), 2);
        let constant = [(GrowthClass::Constant, 0.93), (GrowthClass::Logarithmic, 0.07)];
        assert_eq!(named(&fits(0.05, &constant)), 2);
    }

    #[test]
    fn an_undecided_verdict_names_all_that_have_a_say() {
        let supports =
            [(GrowthClass::Quadratic, 0.9), (GrowthClass::QuadraticLog, 0.07), (GrowthClass::Cubic, 0.03)];
        assert_eq!(named(&fits(0.05, &supports)), 3);
    }

    #[test]
    fn doubt_about_superlinear_growth_is_named() {
        let above = [(GrowthClass::Linearithmic, 0.96), (GrowthClass::Linear, 0.04)];
        assert_eq!(named(&fits(0.05, &above)), 2);
        let below = [(GrowthClass::Linear, 0.96), (GrowthClass::Linearithmic, 0.04)];
        assert_eq!(named(&fits(0.05, &below)), 1);
    }
}
