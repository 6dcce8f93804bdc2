//! The outcome of a comparison. It follows from the rows; report, terminal and page derive their words from it.

use serde::Serialize;

use super::change::{Compared, GrowthChange};
use super::effect::{Effect, MATTERS, WORTHWHILE};
use super::pairs::{Basis, WorkloadCounts};
use super::resources::Resources;

/// Minimum number of workloads that both studies must have.
pub(super) const FEWEST: usize = 4;

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The interval of the change excludes a change that matters.
    Holds,
    /// The cost is higher, or a function grows in a higher class.
    Regressed,
    /// The cost is lower, or a function grows in a lower class.
    Improved,
    /// The runs leave it open.
    CannotTell,
}

impl From<Effect> for Outcome {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Worse => Self::Regressed,
            Effect::Better => Self::Improved,
            Effect::Same => Self::Holds,
            Effect::Open => Self::CannotTell,
        }
    }
}

/// The reason for the outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OutcomeReason {
    /// Too few workloads are in both studies.
    FewShared {
        /// The minimum number of shared workloads.
        needed: usize,
    },
    /// A version has no law that predicts the cost at the target.
    NoPrediction,
    /// Without a range of sizes, only a factor can be found, and the runs disagree about it.
    NoFactor {
        /// The least ratio of a run.
        least: f64,
        /// The greatest ratio of a run.
        most: f64,
    },
    /// The interval of the change in cost includes a change that matters and one that does not.
    Open,
    /// The cost of the whole changed.
    Cost,
    /// A function grows in another class, and the cost of the whole does not contradict it.
    Growth,
    /// The cost is unchanged, but the CPU time is not.
    Seconds,
    /// The cost is unchanged, but the memory is not.
    Memory,
    /// Nothing changed that matters.
    Same,
}

impl OutcomeReason {
    /// Returns true if the costs of both versions were compared.
    pub fn is_compared(self) -> bool {
        !matches!(self, Self::FewShared { .. } | Self::NoPrediction)
    }
}

/// Returns the outcome and its reason. The first rule that applies wins:
///
/// 1. Nothing can be compared: *cannot tell*.
/// 2. The cost of the whole changed, regardless of other changes.
/// 3. Functions grow in other classes, and the whole does not contradict. If they differ, the highest class decides.
/// 4. The whole is open: *cannot tell*.
/// 5. CPU time or memory changed.
pub(super) fn outcome(
    total: &Compared,
    functions: &[Compared],
    workloads: WorkloadCounts,
    basis: Basis,
    resources: &Resources,
) -> (Outcome, OutcomeReason) {
    if workloads.shared < FEWEST {
        return (Outcome::CannotTell, OutcomeReason::FewShared { needed: FEWEST });
    }
    if total.change.ratio.is_none() {
        return (Outcome::CannotTell, OutcomeReason::NoPrediction);
    }
    if let (Basis::Measured { least, most, .. }, Effect::Open) = (basis, total.effect) {
        return (Outcome::CannotTell, OutcomeReason::NoFactor { least, most });
    }
    if matches!(total.effect, Effect::Worse | Effect::Better) {
        return (Outcome::from(total.effect), OutcomeReason::Cost);
    }
    let growth = growth(functions);
    let agrees = match (growth, total.change.ratio_ci) {
        (Effect::Worse, Some([low, _])) => low > 1.0 / MATTERS,
        (Effect::Better, Some([_, high])) => high < MATTERS,
        _ => false,
    };
    if agrees {
        return (Outcome::from(growth), OutcomeReason::Growth);
    }
    if total.effect == Effect::Open {
        return (Outcome::CannotTell, OutcomeReason::Open);
    }
    let changed = |effect: Option<Effect>| effect.filter(|e| matches!(e, Effect::Worse | Effect::Better));
    let seconds = changed(resources.seconds.as_ref().map(|seconds| seconds.effect));
    let memory = changed(resources.memory.as_ref().map(|memory| memory.effect));
    match (seconds, memory) {
        (Some(effect), _) => (Outcome::from(effect), OutcomeReason::Seconds),
        (None, Some(effect)) => (Outcome::from(effect), OutcomeReason::Memory),
        (None, None) => (Outcome::Holds, OutcomeReason::Same),
    }
}

/// Returns the direction in which growth changed. The highest class that was gained or lost decides.
fn growth(functions: &[Compared]) -> Effect {
    let highest = |effect: Effect, change: GrowthChange| {
        let those = functions.iter().filter(move |c| c.effect == effect && c.grows == change);
        those.filter(|c| c.weight >= WORTHWHILE).filter_map(Compared::higher_class).max()
    };
    let gained = highest(Effect::Worse, GrowthChange::Faster);
    let lost = highest(Effect::Better, GrowthChange::Slower);
    match gained.cmp(&lost) {
        std::cmp::Ordering::Greater => Effect::Worse,
        std::cmp::Ordering::Less => Effect::Better,
        std::cmp::Ordering::Equal => Effect::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_what_the_interval_leaves_no_doubt_of() {
        for (ci, expected) in [
            ([1.2, 1.4], Effect::Worse),
            ([1.02, 1.4], Effect::Open),
            ([0.97, 1.03], Effect::Same),
            ([0.5, 0.9], Effect::Better),
            ([0.5, 3.0], Effect::Open),
        ] {
            assert_eq!(Effect::from_interval(Some(ci), MATTERS), expected, "{ci:?}");
            let mirrored = match expected {
                Effect::Worse => Effect::Better,
                Effect::Better => Effect::Worse,
                other => other,
            };
            assert_eq!(Effect::from_interval(Some([1.0 / ci[1], 1.0 / ci[0]]), MATTERS), mirrored, "{ci:?}");
        }
        assert_eq!(Effect::from_interval(None, MATTERS), Effect::Open);
    }
}
