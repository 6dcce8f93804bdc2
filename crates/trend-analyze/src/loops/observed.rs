//! Observations of a loop, and the value of a formula at their inputs.

use std::borrow::Cow;

use trend_model::loops::Polynomial;
use trend_profile::{LoopExtreme, LoopObservation, LoopSummary, ProgramLoop};

/// Returns the observations of a loop. If they cover only a sample of its activations, the activations with the fewest
/// and the most trips are added.
pub(super) fn observations(one: &ProgramLoop) -> Cow<'_, [LoopObservation]> {
    let total = &one.total;
    if total.sampled.is_none() || total.activations == 0 {
        return Cow::Borrowed(&one.observations);
    }
    let extreme = |extreme: &LoopExtreme| LoopObservation {
        inputs: extreme.inputs,
        activations: 1,
        trips: LoopSummary::new(extreme.trips),
        ..LoopObservation::default()
    };
    let mut all = one.observations.clone();
    all.extend([&total.least, &total.greatest].map(extreme));
    LoopObservation::merge(&mut all);
    Cow::Owned(all)
}

/// Evaluates a polynomial as a number of trips.
pub(super) fn value_at(polynomial: &Polynomial, names: &[&str], inputs: &[i64]) -> Option<u64> {
    let value = polynomial.value(&|name| {
        let position = names.iter().position(|one| *one == name)?;
        Some(i128::from(inputs[position]))
    })?;
    u64::try_from(value.floor().max(0)).ok()
}
