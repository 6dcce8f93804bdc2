//! Predicts the costs of rows at a point, each by the row's law. Fits nothing.

use std::collections::{BTreeMap, HashMap};

use trend_answer::{Outlook, Source, widened};

use crate::findings::doubt::Doubt;
use crate::findings::law::{Fits, RowLaw};
use crate::findings::model::{Model, Prediction};
use crate::findings::row::{Cluster, Row};
use crate::study::point::Point;

impl From<&Prediction> for Outlook {
    fn from(prediction: &Prediction) -> Self {
        let ci = prediction.ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
        Self { cost: prediction.cost, ci, source: prediction.source }
    }
}

/// Returns the predicted cost of a row at a point; `predicted` evaluates a model at a size. `None` if the law predicts
/// nothing there, if the row no longer runs, or if its law lacks features that the cost depends on.
pub(crate) fn outlook(
    fits: &Fits,
    point: &Point,
    level: f64,
    predicted: impl FnOnce(&Model, f64) -> Option<Prediction>,
) -> Option<Outlook> {
    let has_ended = |model: &Model| {
        let at = point.value(model.id);
        model.runs_until.zip(at).is_some_and(|(until, at)| at > until)
    };
    match fits.law()? {
        _ if fits.models.iter().any(has_ended) => None,
        RowLaw::Of(model) if model.doubts.iter().any(Doubt::lacks_features) => None,
        RowLaw::Of(model) => predicted(model, point.value(model.id)?).as_ref().map(Outlook::from),
        RowLaw::Joint(joint) => {
            let at = point.values_of(&joint.law.features)?;
            let cost = joint.fit.law.cost(&at)?;
            let interval = joint.fit.predict_interval(&at, level).ok();
            let ci = interval.map(|interval| [interval.lo.min(cost), interval.hi.max(cost)]);
            let ci = ci.filter(|ci| ci.iter().all(|end| end.is_finite()));
            Some(Outlook { cost, ci, source: Source::Joint })
        }
    }
}

/// Returns the functions that lie in each cluster, by their positions: all of their cost is that of its members.
fn within(clusters: &[Cluster], functions: &[Row]) -> Vec<Vec<usize>> {
    let place = |(i, row)| {
        let row: &Row = row;
        ((row.name.as_str(), row.file.as_str()), i)
    };
    let positions: HashMap<(&str, &str), usize> = functions.iter().enumerate().map(place).collect();
    let of_cluster = |cluster: &Cluster| {
        let mut costs: BTreeMap<usize, u64> = BTreeMap::new();
        for member in &cluster.members {
            if let Some(&i) = positions.get(&(&*member.function, &*member.file)) {
                let cost = costs.entry(i).or_default();
                *cost = u64::saturating_add(*cost, member.max_cost);
            }
        }
        costs.into_iter().filter(|&(i, cost)| cost >= functions[i].max_cost).map(|(i, _)| i).collect()
    };
    clusters.iter().map(of_cluster).collect()
}

/// Finds the functions in each cluster, and widens the cluster's intervals at every point by theirs.
pub(crate) fn widen(clusters: &mut [Cluster], functions: &[Row]) {
    let within = within(clusters, functions);
    for (cluster, within) in clusters.iter_mut().zip(within) {
        for (point, outlook) in cluster.outlooks.iter_mut().enumerate() {
            let functions = within.iter().map(|&i| functions[i].outlooks.get(point).copied().flatten());
            *outlook = widened(*outlook, functions);
        }
        cluster.functions_within = within;
    }
}

#[cfg(test)]
mod tests {
    use trend_profile::Study;

    use super::*;
    use crate::analyze::analyze;
    use crate::forecast::predict::predict;
    use crate::options::Options;

    #[test]
    fn a_cluster_may_cost_what_a_function_in_it_may() {
        let sizes: Vec<u64> = (0..10).map(|i| 100 << i).collect();
        let row =
            |f: &dyn Fn(u64) -> u64| sizes.iter().map(|n| f(*n).to_string()).collect::<Vec<_>>().join(" ");
        let text = format!(
            "n: {}\na.c:1:line: {}\na.c:4:part: {}\na.c:9:other: {}",
            row(&|n| n),
            row(&|n| 1000 * n),
            row(&|n| 20 * n),
            row(&|n| n * n / 9)
        );
        let study = Study::from_text(&text).unwrap();
        let options = Options { at: vec![("n".to_owned(), 1e6)], keep_fits: true, ..Options::default() };
        let mut findings = analyze(&study, &options).unwrap();
        let [square, line] = &findings.clusters[..] else { panic!("{:?}", findings.clusters) };
        assert_eq!((square.members.len(), line.members.len()), (1, 2));
        let before = [square, line].map(|cluster| cluster.outlooks[0]);
        // The part may cost more at the target than the line is sure to.
        let part = findings.functions.iter_mut().find(|row| row.name == "part").unwrap();
        part.outlooks[0].as_mut().unwrap().ci = Some([1e7, 1e11]);
        widen(&mut findings.clusters, &findings.functions);
        let after: Vec<Option<Outlook>> =
            findings.clusters.iter().map(|cluster| cluster.outlooks[0]).collect();
        assert_eq!(after[0], before[0]);
        let (was, is) = (before[1].unwrap(), after[1].unwrap());
        assert_eq!((is.cost, is.ci.unwrap()), (was.cost, [was.ci.unwrap()[0], 1e11]));
        // A function that also costs something elsewhere says nothing about a cluster.
        let part = findings.functions.iter_mut().find(|row| row.name == "part").unwrap();
        part.max_cost += 1;
        assert_eq!(within(&findings.clusters, &findings.functions)[1].len(), 1);
        let later = predict(&study, &findings, &options, &[("n".to_owned(), 1e6)]).unwrap();
        assert_eq!(later.clusters, before);
    }
}
