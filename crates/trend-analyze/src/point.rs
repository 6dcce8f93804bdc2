//! Where costs are predicted: a value for every feature, and where each comes from.
//!
//! ```text
//!   predict n=640         n = 640 was asked for; m goes along with n in the runs, and stands at what that says;
//!                         depth has nothing to do with n, and stands where it was in the costliest run
//! ```

use serde::Serialize;
use trend_model::PowerLaw;
use trend_profile::{FeatureId, Study};

/// R² between the logarithms of two features from which one goes along with the other.
const GOES_ALONG: f64 = 0.9;

/// Runs from which that is told from an accident.
const FEWEST_RUNS: usize = 4;

/// Sizes that are always predicted, as multiples of the first feature's 95th percentile.
pub(crate) const MULTIPLES_OF_P95: [f64; 2] = [2.0, 10.0];

/// Where a feature's value at a point comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Given {
    /// Somebody asked for it.
    Asked,
    /// It is this multiple of the feature's 95th percentile.
    Multiple {
        /// Such as 10.
        of_p95: f64,
    },
    /// It goes along with another feature in the runs.
    Follows {
        /// That feature.
        feature: String,
    },
    /// It is what it was in the costliest run.
    Costliest {
        /// That run.
        workload: String,
    },
}

/// A feature's value at a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Coordinate {
    /// The feature by its place in the study.
    #[serde(skip)]
    pub id: FeatureId,
    /// The feature.
    pub feature: String,
    /// Its value.
    pub at: f64,
    /// Where that comes from.
    pub given: Given,
}

/// Where costs are predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Point {
    /// One per feature of the study that has a value there, in declared order.
    pub values: Vec<Coordinate>,
    /// Whether somebody asked for it.
    pub asked: bool,
}

impl Point {
    /// The value of a feature.
    pub fn value(&self, feature: FeatureId) -> Option<f64> {
        self.values.iter().find(|value| value.id == feature).map(|value| value.at)
    }

    /// The value of a feature by its name.
    pub fn value_named(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|value| value.feature == name).map(|value| value.at)
    }

    /// The values of features by name, in their order; `None` where one has none.
    pub fn values_of(&self, features: &[String]) -> Option<Vec<f64>> {
        features.iter().map(|name| self.value_named(name)).collect()
    }

    /// The features whose values nobody gave.
    pub fn filled_in(&self) -> impl Iterator<Item = &Coordinate> {
        let is_filled = |given: &Given| matches!(given, Given::Follows { .. } | Given::Costliest { .. });
        self.values.iter().filter(move |value| is_filled(&value.given))
    }
}

/// The points of an analysis: the usual ones, and those that somebody asked for. Sizes that are asked for are of one point
/// as long as their features differ: `n=100 m=7 n=200` are two points.
pub(crate) fn points(study: &Study, totals: &[u64], asked: &[(String, f64)]) -> Vec<Point> {
    let mut wanted: Vec<Vec<(usize, f64, Given)>> = Vec::new();
    for (name, at) in asked {
        let Some(feature) = study.feature_named(name).map(trend_profile::FeatureId::index) else { continue };
        match wanted.last_mut().filter(|point| point.iter().all(|(known, ..)| *known != feature)) {
            Some(point) => point.push((feature, *at, Given::Asked)),
            None => wanted.push(vec![(feature, *at, Given::Asked)]),
        }
    }
    let first: Vec<f64> =
        study.features().first().into_iter().flat_map(|f| f.values.iter().flatten().copied()).collect();
    if let Some(p95) = trend_model::nearest_rank(&first, 0.95).filter(|p95| p95.is_finite() && *p95 > 0.0) {
        wanted.extend(MULTIPLES_OF_P95.map(|of_p95| vec![(0, of_p95 * p95, Given::Multiple { of_p95 })]));
    }
    wanted.into_iter().map(|given| point(study, totals, &given)).collect()
}

/// How a feature that is not given is filled in: along with a feature that is, or from the costliest run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Filling {
    /// The feature.
    pub feature: String,
    /// Its value in the costliest run; `null` where that has none.
    pub costliest: Option<f64>,
    /// The features that it goes along with: `value = a·leader^b`.
    pub along: Vec<Along>,
}

/// How a feature goes along with another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Along {
    /// The other feature.
    pub leader: String,
    /// The coefficient.
    pub a: f64,
    /// The exponent.
    pub b: f64,
    /// In the log domain.
    pub r2: f64,
}

/// How every feature is filled in; nothing of a study with one feature.
pub(crate) fn fillings(study: &Study, totals: &[u64]) -> Vec<Filling> {
    let features = study.features();
    let costliest = (0..totals.len()).rev().max_by_key(|&run| totals[run]);
    let filling = |follower: usize| {
        let leaders = (0..features.len()).filter(|leader| *leader != follower);
        let along = leaders.filter_map(|leader| {
            let law = along(study, leader, follower)?;
            Some(Along { leader: features[leader].name.clone(), a: law.a, b: law.b, r2: law.r2 })
        });
        Filling {
            feature: features[follower].name.clone(),
            costliest: costliest.and_then(|run| features[follower].values[run]),
            along: along.collect(),
        }
    };
    if features.len() < 2 { Vec::new() } else { (0..features.len()).map(filling).collect() }
}

fn point(study: &Study, totals: &[u64], given: &[(usize, f64, Given)]) -> Point {
    let costliest = (0..totals.len()).rev().max_by_key(|&run| totals[run]);
    let coordinate = |feature: usize| {
        let (id, name) = (FeatureId(feature as u32), study.features()[feature].name.clone());
        if let Some((_, at, given)) = given.iter().find(|(known, ..)| *known == feature) {
            return Some(Coordinate { id, feature: name, at: *at, given: given.clone() });
        }
        let followed = given.iter().filter_map(|&(leader, at, _)| {
            let law = along(study, leader, feature)?;
            Some((law.r2, law.predict(at), leader))
        });
        if let Some((_, at, leader)) = followed.max_by(|p, q| p.0.total_cmp(&q.0)) {
            let leader = study.features()[leader].name.clone();
            return Some(Coordinate { id, feature: name, at, given: Given::Follows { feature: leader } });
        }
        let run = costliest?;
        let at = study.features()[feature].values[run]?;
        let workload = study.workloads()[run].name.clone();
        Some(Coordinate { id, feature: name, at, given: Given::Costliest { workload } })
    };
    Point {
        values: (0..study.features().len()).filter_map(coordinate).collect(),
        asked: given.iter().any(|(.., given)| *given == Given::Asked),
    }
}

/// How a feature goes along with another in the runs, where it does.
fn along(study: &Study, leader: usize, follower: usize) -> Option<PowerLaw> {
    let values = |feature: usize| study.features()[feature].values.iter();
    let both = values(leader).zip(values(follower)).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
    let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
    PowerLaw::fit(&x, &y).ok().filter(|law| law.r2 >= GOES_ALONG && law.points >= FEWEST_RUNS)
}

/// The one value that a point was asked for, where it is one; the others go along with it or stand still.
pub(crate) fn the_size(point: &Point) -> Option<&Coordinate> {
    let mut given = point.values.iter().filter(|v| matches!(v.given, Given::Asked | Given::Multiple { .. }));
    given.next().filter(|_| given.next().is_none())
}

/// A positive size with two digits, not rounded up.
pub(crate) fn two_digits_below(size: f64) -> f64 {
    let unit = 10_f64.powf(size.log10().floor() - 1.0);
    (size / unit).floor() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_is_not_given_goes_along_or_stays_where_the_costliest_run_had_it() {
        let study =
            Study::from_text("n: 10 20 40 80\nm: 21 39 82 159\nd: 5 1 7 3\na.c:1:f: 1 2 9 3").unwrap();
        let found = points(&study, &[1, 2, 9, 3], &[("n".to_owned(), 1000.0)]);
        let [asked, double, ten_times] = found.as_slice() else { panic!("{found:?}") };
        assert!(asked.asked && !double.asked);
        assert_eq!(asked.value(FeatureId(0)), Some(1000.0));
        assert!((asked.value(FeatureId(1)).unwrap() / 2000.0 - 1.0).abs() < 0.05, "{asked:?}");
        assert_eq!(asked.values[1].given, Given::Follows { feature: "n".to_owned() });
        assert_eq!((asked.value(FeatureId(2)), asked.filled_in().count()), (Some(7.0), 2));
        assert_eq!(asked.values[2].given, Given::Costliest { workload: "w0003".to_owned() });
        assert_eq!(ten_times.value(FeatureId(0)), Some(800.0));
    }

    #[test]
    fn sizes_of_different_features_are_one_point() {
        let study = Study::from_text("n: 10 20\nm: 5 1\na.c:1:f: 1 2").unwrap();
        let asked = [("n", 100.0), ("m", 7.0), ("n", 200.0)].map(|(name, at)| (name.to_owned(), at));
        let found = points(&study, &[1, 2], &asked);
        let values: Vec<_> = found.iter().map(|p| (p.value(FeatureId(0)), p.value(FeatureId(1)))).collect();
        assert_eq!(values[..2], [(Some(100.0), Some(7.0)), (Some(200.0), Some(1.0))]);
    }
}
