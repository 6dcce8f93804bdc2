//! Points at which costs are predicted: a value for every feature, and its origin.
//!
//! ```text
//!   predict n=640         the user asked for n = 640; m follows n in the runs, and gets the value that follows;
//!                         depth does not depend on n, and keeps its value in the costliest run
//! ```

use serde::Serialize;
use trend_answer::{Leader, Origin, fill};
use trend_model::PowerLaw;
use trend_profile::{FeatureId, Study};

/// Minimum R² between the logarithms of two features for one to follow the other.
const GOES_ALONG: f64 = 0.9;

/// Minimum number of runs for one feature to follow another. Fewer may agree by accident.
const FEWEST_RUNS: usize = 4;

/// Sizes that are always predicted, as multiples of the first feature's 95th percentile.
pub(crate) const MULTIPLES_OF_P95: [f64; 2] = [2.0, 10.0];

/// Origin of a feature's value at a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Given {
    /// The user asked for it.
    Asked,
    /// It is this multiple of the feature's 95th percentile.
    Multiple {
        /// The factor, such as 10.
        of_p95: f64,
    },
    /// It follows another feature as in the runs.
    Follows {
        /// Name of the other feature.
        feature: String,
    },
    /// It is the feature's value in the costliest run.
    Costliest {
        /// Name of the costliest run.
        workload: String,
    },
}

/// A feature's value at a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Coordinate {
    /// The feature, by its position in the study.
    #[serde(skip)]
    pub id: FeatureId,
    /// Name of the feature.
    pub feature: String,
    /// The value of the feature.
    pub at: f64,
    /// The origin of the value.
    pub given: Given,
}

/// Point at which costs are predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Point {
    /// One value per feature of the study that has one there, in declared order.
    pub values: Vec<Coordinate>,
    /// True if the user asked for it.
    pub asked: bool,
}

impl Point {
    /// Returns the value of a feature.
    pub fn value(&self, feature: FeatureId) -> Option<f64> {
        self.values.iter().find(|value| value.id == feature).map(|value| value.at)
    }

    /// Returns the value of a feature by its name.
    pub fn value_named(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|value| value.feature == name).map(|value| value.at)
    }

    /// Returns the values of features by name, in their order; `None` if one is missing.
    pub fn values_of(&self, features: &[String]) -> Option<Vec<f64>> {
        features.iter().map(|name| self.value_named(name)).collect()
    }

    /// Returns the features whose values were filled in, as neither the user nor a multiple gives them.
    pub fn filled_in(&self) -> impl Iterator<Item = &Coordinate> {
        let is_filled = |given: &Given| matches!(given, Given::Follows { .. } | Given::Costliest { .. });
        self.values.iter().filter(move |value| is_filled(&value.given))
    }
}

/// Returns the points of an analysis: the ones that the user asked for, followed by the usual ones. Requested sizes
/// form one point as long as their features differ: `n=100 m=7 n=200` are two points.
pub(crate) fn points(study: &Study, totals: &[u64], requested: &[(String, f64)]) -> Vec<Point> {
    let mut requests: Vec<Vec<(usize, f64, Given)>> = Vec::new();
    for (name, at) in requested {
        let Some(feature) = study.feature_named(name).map(trend_profile::FeatureId::index) else { continue };
        match requests.last_mut().filter(|point| point.iter().all(|(other, ..)| *other != feature)) {
            Some(point) => point.push((feature, *at, Given::Asked)),
            None => requests.push(vec![(feature, *at, Given::Asked)]),
        }
    }
    let first: Vec<f64> =
        study.features().first().into_iter().flat_map(|f| f.values.iter().flatten().copied()).collect();
    if let Some(p95) = trend_model::nearest_rank(&first, 0.95).filter(|p95| p95.is_finite() && *p95 > 0.0) {
        requests.extend(MULTIPLES_OF_P95.map(|of_p95| vec![(0, of_p95 * p95, Given::Multiple { of_p95 })]));
    }
    let rules = rules(study, totals);
    requests.into_iter().map(|sizes| point(study, totals, &rules, &sizes)).collect()
}

/// Rule for a feature that a point does not give: follow a given feature, or keep the value in the costliest run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Filling {
    /// Name of the feature.
    pub feature: String,
    /// Its value in the costliest run; `null` if unknown.
    pub costliest: Option<f64>,
    /// The features that it can follow: `value = a·leader^b`.
    pub along: Vec<Along>,
}

/// Law by which a feature follows another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Along {
    /// Name of the other feature.
    pub leader: String,
    /// The coefficient `a`.
    pub a: f64,
    /// The exponent `b`.
    pub b: f64,
    /// R² in the log domain.
    pub r2: f64,
}

/// Returns the rules for all features, as they are published; empty for a study with one feature.
pub(crate) fn fillings(study: &Study, totals: &[u64]) -> Vec<Filling> {
    let name = |feature: usize| study.features()[feature].name.clone();
    let published = |(feature, rule): (usize, trend_answer::Filling)| {
        let along =
            rule.along.iter().map(|&Leader { feature, a, b, r2 }| Along { leader: name(feature), a, b, r2 });
        Filling { feature: name(feature), costliest: rule.costliest, along: along.collect() }
    };
    let rules = if study.features().len() < 2 { Vec::new() } else { rules(study, totals) };
    rules.into_iter().enumerate().map(published).collect()
}

/// Returns the rules for all features.
fn rules(study: &Study, totals: &[u64]) -> Vec<trend_answer::Filling> {
    let features = study.features();
    let costliest = costliest(totals);
    let rule = |follower: usize| {
        let leaders = (0..features.len()).filter(|leader| *leader != follower);
        let along = leaders.filter_map(|leader| {
            let law = along(study, leader, follower)?;
            Some(Leader { feature: leader, a: law.a, b: law.b, r2: law.r2 })
        });
        let costliest = costliest.and_then(|run| features[follower].values[run]);
        trend_answer::Filling { costliest, along: along.collect() }
    };
    (0..features.len()).map(rule).collect()
}

/// Returns the costliest run, the first of equal ones.
fn costliest(totals: &[u64]) -> Option<usize> {
    (0..totals.len()).rev().max_by_key(|&run| totals[run])
}

fn point(
    study: &Study,
    totals: &[u64],
    rules: &[trend_answer::Filling],
    sizes: &[(usize, f64, Given)],
) -> Point {
    let size_in = |feature: usize| sizes.iter().find(|(other, ..)| *other == feature);
    let values: Vec<Option<f64>> =
        (0..study.features().len()).map(|i| size_in(i).map(|(_, at, _)| *at)).collect();
    let name = |feature: usize| study.features()[feature].name.clone();
    let coordinate = |(feature, filled): (usize, Option<(f64, Origin)>)| {
        let (at, origin) = filled?;
        let given = match origin {
            Origin::Given => size_in(feature)?.2.clone(),
            Origin::Follows(leader) => Given::Follows { feature: name(leader) },
            Origin::Costliest => {
                Given::Costliest { workload: study.workloads()[costliest(totals)?].name.clone() }
            }
        };
        Some(Coordinate { id: FeatureId(feature as u32), feature: name(feature), at, given })
    };
    Point {
        values: fill(rules, &values).into_iter().enumerate().filter_map(coordinate).collect(),
        asked: sizes.iter().any(|(.., origin)| *origin == Given::Asked),
    }
}

/// Returns the law by which a feature follows another in the runs, if it does.
fn along(study: &Study, leader: usize, follower: usize) -> Option<PowerLaw> {
    let values = |feature: usize| study.features()[feature].values.iter();
    let both = values(leader).zip(values(follower)).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
    let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
    PowerLaw::fit(&x, &y).ok().filter(|law| law.r2 >= GOES_ALONG && law.points >= FEWEST_RUNS)
}

/// Returns the only given value of a point; `None` if several are given. The other features follow it or keep their
/// values.
pub(crate) fn the_size(point: &Point) -> Option<&Coordinate> {
    let mut sizes = point.values.iter().filter(|v| matches!(v.given, Given::Asked | Given::Multiple { .. }));
    sizes.next().filter(|_| sizes.next().is_none())
}

/// Rounds a positive size down to two digits.
pub(crate) fn two_digits_below(size: f64) -> f64 {
    let unit = 10_f64.powf(size.log10().floor() - 1.0);
    (size / unit).floor() * unit
}

/// Returns the position of the point that the answer is about: the first one that the user asked for, or else the last.
pub(crate) fn target(points: &[Point]) -> Option<usize> {
    let last = points.len().checked_sub(1)?;
    Some(if points[0].asked { 0 } else { last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_is_not_given_goes_along_or_stays_where_the_costliest_run_had_it() {
        let study =
            Study::from_text("n: 10 20 40 80\nm: 21 39 82 159\nd: 5 1 7 3\na.c:1:f: 1 2 9 3").unwrap();
        let points = points(&study, &[1, 2, 9, 3], &[("n".to_owned(), 1000.0)]);
        let [requested, double, ten_times] = points.as_slice() else { panic!("{points:?}") };
        assert!(requested.asked && !double.asked);
        assert_eq!(requested.value(FeatureId(0)), Some(1000.0));
        assert!((requested.value(FeatureId(1)).unwrap() / 2000.0 - 1.0).abs() < 0.05, "{requested:?}");
        assert_eq!(requested.values[1].given, Given::Follows { feature: "n".to_owned() });
        assert_eq!((requested.value(FeatureId(2)), requested.filled_in().count()), (Some(7.0), 2));
        assert_eq!(requested.values[2].given, Given::Costliest { workload: "w0003".to_owned() });
        assert_eq!(ten_times.value(FeatureId(0)), Some(800.0));
    }

    #[test]
    fn sizes_of_different_features_are_one_point() {
        let study = Study::from_text("n: 10 20\nm: 5 1\na.c:1:f: 1 2").unwrap();
        let requested = [("n", 100.0), ("m", 7.0), ("n", 200.0)].map(|(name, at)| (name.to_owned(), at));
        let points = points(&study, &[1, 2], &requested);
        let values: Vec<_> = points.iter().map(|p| (p.value(FeatureId(0)), p.value(FeatureId(1)))).collect();
        assert_eq!(values[..2], [(Some(100.0), Some(7.0)), (Some(200.0), Some(1.0))]);
    }
}
