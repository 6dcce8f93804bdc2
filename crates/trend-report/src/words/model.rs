//! Describes the power law and the linear model of a row, and the source of a prediction.

use trend_analyze::{Findings, Model, Outlook, PowerLawModel, Source};

use super::{cells, growth, study};
use crate::layout::number;
use crate::layout::text::shorten;

/// Noun for the data points of a row.
pub(crate) const WORKLOAD: &str = "workload";
/// Noun for the data points of a series.
pub(crate) const SIZE: &str = "size";

/// Returns the smallest and the largest value of the model's feature, if both are positive.
pub(crate) fn range(findings: &Findings, model: &Model) -> Option<(f64, f64)> {
    let feature = &findings.features[findings.feature(&model.feature)?];
    feature.min.zip(feature.max).filter(|(min, _)| *min > 0.0)
}

/// Returns sentences about the power law, if it is the law of the model: the formula with its intervals, and the effect
/// of doubling the feature.
///
/// `observed` is the noun for the data points: workloads, or the sizes of a series.
pub(crate) fn sentences(findings: &Findings, model: &Model, observed: &str) -> Vec<String> {
    let feature = shorten(&model.feature, 40);
    let Some(law) = &model.power_law else {
        return vec![format!("No power law in {feature} fits.")];
    };
    if model.source != Some(Source::PowerLaw) {
        return Vec::new();
    }
    let doubled = law.b_ci.map(|ci| ci.map(f64::exp2));
    let growth = format!(
        "By it, doubling {feature} multiplies the cost by {}.",
        number::factor(law.b.exp2(), doubled)
    );
    vec![format!("The law is the {}.", power_law(findings, model, law, observed)), growth]
}

/// Formats a power law with its quality: `power law 1.49·n^2.00; 95 % intervals: coefficient 1.48–1.50, exponent
/// 2.000–2.001; R² 1.00 over 30 workloads`.
pub(crate) fn power_law(findings: &Findings, model: &Model, law: &PowerLawModel, observed: &str) -> String {
    let intervals = match (law.a_ci.filter(number::is_finite), law.b_ci.filter(number::is_finite)) {
        (Some([lo, hi]), Some(b)) => format!(
            "{} intervals: coefficient {}, exponent {}",
            study::level(findings),
            number::significant_interval([lo, hi]),
            number::exponent_interval(b)
        ),
        _ => format!("no intervals: too few {observed}s for them"),
    };
    let zeros = match law.ignored_zeros {
        0 => String::new(),
        n => format!(" ({n} with a cost or feature of zero left out)"),
    };
    format!(
        "power law {}; {intervals}; R² {} over {}{zeros}",
        cells::formula(law, &model.feature),
        number::r2(law.r2),
        number::plural(law.points, observed),
    )
}

/// Formats a prediction with its interval: `540 G (537–542 G)`, or `≈ 540 G (no interval)`. Omits an interval whose ends
/// round to the same three digits.
pub(crate) fn with_interval(estimate: &Outlook) -> String {
    match estimate.ci {
        Some(ci) => number::followed_by(cells::point(estimate), Some(number::cost_ends(ci))),
        None => format!("{} (no interval)", cells::point(estimate)),
    }
}

/// Names the source of a prediction: the growth class, the classes whose average it is, the power law, or parts.
pub(crate) fn from(model: &Model, source: Source) -> String {
    match (source, &model.growth) {
        (Source::Class | Source::Classes, Some(growth)) => growth::cell(growth),
        (Source::SumOfParts, _) => "sum of parts".to_owned(),
        (Source::LargestPart, _) => "its largest part".to_owned(),
        (Source::Joint, _) => "several features".to_owned(),
        _ => "power law".to_owned(),
    }
}

/// Formats a linear model: `−1.1 G + 81 k · n (slope 70–90 k), R² 0.96`.
pub(crate) fn linear(model: &Model) -> String {
    let Some(line) = &model.linear else { return String::new() };
    let slope = line.b_ci.map_or_else(
        || "slope without interval".to_owned(),
        |ci| format!("slope {}", number::cost_interval(ci)),
    );
    let (sign, b) = if line.b < 0.0 { ('−', -line.b) } else { ('+', line.b) };
    format!(
        "{} {sign} {} · {} ({slope}), R² {}",
        number::cost(line.a, number::supported_digits(line.a, line.a_ci).min(3)),
        number::cost(b, number::supported_digits(b, line.b_ci).min(3)),
        shorten(&model.feature, 40),
        number::r2(line.r2)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::doubtful;

    #[test]
    fn a_prediction_says_what_it_comes_from() {
        let findings = doubtful();
        let model = &findings.clusters[1].fits.models[0];
        assert_eq!(from(model, Source::Classes), "n or n log n ?");
        assert_eq!(from(model, Source::SumOfParts), "sum of parts");
        assert_eq!(from(&findings.clusters[0].fits.models[0], Source::Class), "n^2");
        assert_eq!(from(&findings.clusters[0].fits.models[0], Source::PowerLaw), "power law");
    }
}
