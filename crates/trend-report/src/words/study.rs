//! Describes the study: its runs, features and units, and the intervals of its numbers.

use std::fmt::Write as _;
use std::iter;

use trend_analyze::{FeatureSummary, Findings, Intervals, Workloads};
use trend_profile::Study;

use crate::layout::number::{self, plural};
use crate::layout::text::shorten;

/// Maximum number of features whose ranges are in the title.
const MOST_RANGES: usize = 3;

/// Formats the number of runs, and the ranges of features: `27 runs (1 more failed), n from 60 to 8,000`.
pub(crate) fn runs(findings: &Findings) -> String {
    let &Workloads { count, failed, .. } = &findings.workloads;
    let failed = if failed > 0 { format!(" ({failed} more failed)") } else { String::new() };
    let ranges = findings.features.iter().map(range).take(MOST_RANGES);
    let all: Vec<String> = iter::once(plural(count, "workload") + &failed).chain(ranges).collect();
    all.join(", ")
}

/// Formats a feature's range: `n from 60 to 60,000`.
fn range(feature: &FeatureSummary) -> String {
    let name = shorten(&feature.name, 40);
    let size = |value: f64| number::feature_size(&feature.name, value);
    match (feature.min, feature.max) {
        // If both ends would read the same, writes them with more digits.
        (Some(min), Some(max)) if min < max && size(min) == size(max) => {
            format!("{name} from {} to {}", number::size(min), number::size(max))
        }
        (Some(min), Some(max)) if min < max => format!("{name} from {} to {}", size(min), size(max)),
        (Some(min), _) => format!("{name} is always {}", size(min)),
        _ => format!("{name} has no values"),
    }
}

/// Formats a feature's range with its decades: `n from 60 to 60,000 (3.0 decades)`.
pub(crate) fn range_with_decades(feature: &FeatureSummary) -> String {
    let mut text = range(feature);
    if let Some(decades) = decades(feature) {
        let _ = write!(text, " ({decades:.1} decades)");
    }
    if let Some(joins) = &feature.joins {
        let _ = write!(text, ", linear in {}", shorten(joins, 40));
    }
    text
}

/// Returns the number of decades that a feature spans, if its values are positive and differ.
pub(crate) fn decades(feature: &FeatureSummary) -> Option<f64> {
    let (min, max) = (feature.min?, feature.max?);
    let decades = (max / min).log10();
    (min > 0.0 && decades > 0.0 && decades.is_finite()).then_some(decades)
}

/// Returns the unit of the costs, as in `in basic-block executions`.
pub(crate) fn unit(findings: &Findings, study: Option<&Study>) -> String {
    match study {
        _ if findings.unit.is_time() => "in picoseconds".to_owned(),
        _ if !findings.unit.is_executions() => format!("in {}", shorten(findings.unit.name(), 40)),
        // Imported locations have a label, and their functions have no signature. Imported workloads have no command.
        Some(study)
            if study.workloads().iter().all(|workload| workload.command.is_empty())
                && study
                    .locations()
                    .iter()
                    .any(|l| !l.label.is_empty() && study.function(l.function).signature.is_empty()) =>
        {
            "in imported counts".to_owned()
        }
        _ => "in basic-block executions".to_owned(),
    }
}

/// Formats the confidence level of the intervals: `95 %`.
pub(crate) fn level(findings: &Findings) -> String {
    format!("{} %", number::significant(findings.level * 100.0, 2))
}

/// Explains the numbers, for outputs in which the settings cannot be looked up.
pub(crate) fn settings(findings: &Findings) -> String {
    format!(
        "Costs are {} ({}); shares are of the most expensive run; {} intervals by {}, seed {}.",
        shorten(findings.unit.name(), 60),
        number::legend(&findings.unit),
        level(findings),
        method(findings),
        findings.seed
    )
}

/// Names the method of the intervals: `Student's t` or `1000 bootstrap resamples`.
pub(crate) fn method(findings: &Findings) -> String {
    match findings.intervals {
        Intervals::Robust => "Student’s t with robust variance".to_owned(),
        Intervals::Percentile => format!("{} bootstrap resamples", findings.resamples),
    }
}
