//! Which clusters pass costlier ones as a feature grows.

use crate::{Cluster, Overtaking, PowerLawModel};

/// How far beyond the largest value of the feature a crossing is still worth telling. Nobody plans
/// for a load ten thousand times the largest that was tried, and no fit is good for more.
const HORIZON: f64 = 1e4;

/// A power law that explains less than this of the log cost crosses nothing that can be told.
const LEAST_R2: f64 = 0.8;

/// Fills in [`Cluster::overtakes`]. `largest` is the greatest value of each feature.
///
/// A cluster passes a costlier one when its exponent is greater with both intervals apart, and the
/// two power laws cross beyond the data, within [`HORIZON`].
pub(crate) fn find(clusters: &mut [Cluster], largest: &[Option<f64>]) {
    for later in 1..clusters.len() {
        let (costlier, rest) = clusters.split_at_mut(later);
        let cluster = &mut rest[0];
        let overtakes =
            costlier.iter().filter(|c| c.costly).filter_map(|c| first_crossing(cluster, c, largest));
        cluster.overtakes = overtakes.collect();
    }
}

/// Where `fast` passes `slow`, in the feature in which that is nearest.
fn first_crossing(fast: &Cluster, slow: &Cluster, largest: &[Option<f64>]) -> Option<Overtaking> {
    let crossing = |((fast_model, slow_model), &largest): ((&crate::Model, &crate::Model), &Option<f64>)| {
        let (f, s) = (trusted(fast_model.power_law.as_ref())?, trusted(slow_model.power_law.as_ref())?);
        let apart = f.b_ci?[0] > s.b_ci?[1];
        let largest = largest?;
        let at = crossing_of(f, s).filter(|&at| apart && at > largest && at <= largest * HORIZON)?;
        let feature = fast_model.feature.clone();
        Some((
            at / largest,
            Overtaking { cluster: slow.representative.name.clone(), rank: slow.rank, feature, at },
        ))
    };
    let crossings = fast.models.iter().zip(&slow.models).zip(largest).filter_map(crossing);
    crossings.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, overtaking)| overtaking)
}

fn trusted(model: Option<&PowerLawModel>) -> Option<&PowerLawModel> {
    model.filter(|m| m.r2 >= LEAST_R2)
}

fn crossing_of(fast: &PowerLawModel, slow: &PowerLawModel) -> Option<f64> {
    let law = |m: &PowerLawModel| trend_model::PowerLaw {
        a: m.a,
        b: m.b,
        r2: m.r2,
        points: m.points,
        ignored_zeros: m.ignored_zeros,
    };
    law(fast).crossing(&law(slow))
}
