//! Routines by the size of their own input: models of the worst, the average and the best call.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use trend_model::OffsetPower;
use trend_profile::{InputMetric, RoutineProfile, Study, Tuple};

use crate::models::{Attention, Modeller};
use crate::{Model, Options};

/// Routines that never take this share of all costs have no growth class, as with functions.
const GROWTH_SHARE: f64 = 0.001;

/// What one routine costs, by the size of its input.
#[derive(Clone, Debug, Serialize)]
pub struct RoutineRow {
    /// Its name.
    pub name: String,
    /// The program or library that it is in.
    pub object: String,
    /// The callers, for costs in one calling context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// How input sizes are measured.
    pub metric: InputMetric,
    /// How many different sizes there are, over all workloads.
    pub sizes: usize,
    /// How often it was called.
    pub calls: u64,
    /// The cost of all calls, with what they called.
    pub sum: u64,
    /// The cost of all calls without what they called; absent for one calling context, and where the study does not tell
    /// it from the cost with what was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_sum: Option<u64>,
    /// The greatest cost of a call.
    pub max_cost: u64,
    /// The greatest cost of a call at each size.
    pub worst: RoutineModel,
    /// The mean cost of the calls at each size.
    pub average: RoutineModel,
    /// The least cost of a call at each size.
    pub best: RoutineModel,
    /// Over all workloads, by ascending size, each once.
    #[serde(skip)]
    pub tuples: Vec<Tuple>,
}

/// A cost by input size.
#[derive(Clone, Debug, Serialize)]
pub struct RoutineModel {
    /// As for other costs; the feature is the input size.
    #[serde(flatten)]
    pub model: Model,
    /// `a + b·n^c`; absent where there are fewer than three sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset_power: Option<OffsetPowerModel>,
}

/// `cost = a + b·n^c`, by least squares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OffsetPowerModel {
    /// The cost at 0.
    pub a: f64,
    /// The coefficient.
    pub b: f64,
    /// The exponent.
    pub c: f64,
    /// In the original domain.
    pub r2: f64,
}

/// The rows of a study's routines, by falling cost of all calls.
pub(crate) fn routines(study: &Study, options: &Options) -> Vec<RoutineRow> {
    let mut groups: BTreeMap<(&str, &str, &str, InputMetric), Vec<&RoutineProfile>> = BTreeMap::new();
    for profile in study.routines() {
        let key =
            (profile.symbol.name.as_str(), profile.object.as_str(), profile.context.as_str(), profile.metric);
        groups.entry(key).or_default().push(profile);
    }
    let largest = study.routines().iter().flat_map(|r| &r.tuples).map(|t| t.sum).max().unwrap_or(0);
    let groups: Vec<_> = groups.into_iter().collect();
    let own = own_costs(study);
    let mut rows: Vec<RoutineRow> = groups
        .par_iter()
        .map(|((name, object, context, metric), profiles)| {
            let tuples = merged(profiles);
            let sum = tuples.iter().map(|t| t.sum).fold(0, u64::saturating_add);
            let points: Vec<[f64; 4]> = tuples.iter().map(point).collect();
            let is_costly = sum as f64 >= GROWTH_SHARE * largest as f64;
            let attention = if is_costly { Attention::Full } else { Attention::Little };
            let sizes: Vec<f64> = points.iter().map(|point| point[0]).collect();
            let modeller = Modeller::by_size(metric.name(), sizes.clone(), options);
            let model = |column: usize| {
                let costs: Vec<f64> = points.iter().map(|point| point[column]).collect();
                let fit = OffsetPower::fit(&sizes, &costs).ok();
                let offset_power = fit.map(|f| OffsetPowerModel { a: f.a, b: f.b, c: f.c, r2: f.r2 });
                RoutineModel { model: modeller.models_with(&costs, attention).swap_remove(0), offset_power }
            };
            RoutineRow {
                name: (*name).to_owned(),
                object: (*object).to_owned(),
                context: Some((*context).to_owned()).filter(|c| !c.is_empty()),
                metric: *metric,
                sizes: tuples.len(),
                calls: tuples.iter().map(|t| t.calls).fold(0, u64::saturating_add),
                sum,
                self_sum: own.get(&(*name, *object)).copied().filter(|_| context.is_empty()),
                max_cost: tuples.iter().map(|t| t.max).max().unwrap_or(0),
                worst: model(1),
                average: model(2),
                best: model(3),
                tuples,
            }
        })
        .collect();
    // Profiles that know nothing of own costs make every location cost what its routine cost with all it called.
    if rows.iter().all(|row| row.self_sum.is_none_or(|own| own >= row.sum)) {
        for row in &mut rows {
            row.self_sum = None;
        }
    }
    rows.sort_by(|a, b| b.sum.cmp(&a.sum).then_with(|| (&a.name, &a.context).cmp(&(&b.name, &b.context))));
    rows
}

/// What the locations of functions cost over all workloads, by the function's name and file: of a profile of routines,
/// the cost of a routine without what it called, and the object that it is in.
fn own_costs(study: &Study) -> BTreeMap<(&str, &str), u64> {
    let mut own = BTreeMap::new();
    if study.routines().is_empty() {
        return own;
    }
    for id in study.blocks() {
        let function = study.function(study.location(id).function);
        let cost = own.entry((function.symbol.name.as_str(), function.file.as_str())).or_insert(0_u64);
        *cost = study.counts().row(id).iter().fold(*cost, u64::saturating_add);
    }
    own
}

/// Tuples of several workloads, one per size.
fn merged(profiles: &[&RoutineProfile]) -> Vec<Tuple> {
    let mut sizes: BTreeMap<u64, Tuple> = BTreeMap::new();
    for tuple in profiles.iter().flat_map(|p| &p.tuples) {
        sizes
            .entry(tuple.size)
            .and_modify(|known| {
                known.calls = known.calls.saturating_add(tuple.calls);
                known.min = known.min.min(tuple.min);
                known.max = known.max.max(tuple.max);
                known.sum = known.sum.saturating_add(tuple.sum);
                known.sum_of_squares += tuple.sum_of_squares;
            })
            .or_insert(*tuple);
    }
    sizes.into_values().collect()
}

fn point(tuple: &Tuple) -> [f64; 4] {
    let average = tuple.sum as f64 / tuple.calls.max(1) as f64;
    [tuple.size as f64, tuple.max as f64, average, tuple.min as f64]
}

#[cfg(test)]
mod tests {
    use trend_profile::{StudyParts, Symbol, Workload, WorkloadId};

    use super::*;

    fn study(cost: impl Fn(u64) -> u64) -> Study {
        let tuple = |size: u64| {
            let (min, max) = (cost(size) / 2, cost(size));
            Tuple { size, calls: 2, min, max, sum: min + max, sum_of_squares: 0.0 }
        };
        let profile = |workload: u32, sizes: std::ops::Range<u64>| RoutineProfile {
            symbol: Symbol { name: "sort".to_owned(), linkage: "sort".to_owned() },
            object: "prog".to_owned(),
            context: String::new(),
            metric: InputMetric::Rms,
            workload: WorkloadId(workload),
            tuples: sizes.map(|i| tuple(10 * i)).collect(),
        };
        let parts = StudyParts {
            workloads: ["a", "b"].map(Workload::imported).to_vec(),
            routines: vec![profile(0, 1..40), profile(1, 30..80)],
            ..StudyParts::default()
        };
        Study::new(parts).unwrap()
    }

    #[test]
    fn sizes_of_all_workloads_are_one_model_of_worst_average_and_best() {
        let rows = routines(&study(|n| 4 * n * n), &Options::default());
        let row = &rows[0];
        assert_eq!((row.name.as_str(), row.sizes, row.calls), ("sort", 79, 178));
        for (model, factor) in [(&row.worst, 4.0), (&row.average, 3.0), (&row.best, 2.0)] {
            let law = model.model.power_law.as_ref().unwrap();
            assert!((law.a - factor).abs() < 1e-6 && (law.b - 2.0).abs() < 1e-9, "{law:?}");
            assert_eq!(model.model.growth.as_ref().unwrap().verdict, "n^2");
            let offset = model.offset_power.unwrap();
            assert!((offset.c - 2.0).abs() < 1e-3 && (offset.b / factor - 1.0).abs() < 1e-2, "{offset:?}");
        }
    }

    #[test]
    fn own_costs_are_told_where_they_differ_from_those_with_the_called() {
        let with_counts = |counts: [u64; 2]| {
            let routine = |name: &str, sum: u64| RoutineProfile {
                symbol: Symbol { name: name.to_owned(), linkage: name.to_owned() },
                object: "prog".to_owned(),
                context: String::new(),
                metric: InputMetric::Rms,
                workload: WorkloadId(0),
                tuples: vec![Tuple { size: 5, calls: 1, min: sum, max: sum, sum, sum_of_squares: 0.0 }],
            };
            let function = |name: &str| trend_profile::Function {
                symbol: Symbol { name: name.to_owned(), linkage: name.to_owned() },
                file: "prog".to_owned(),
                line: 0,
                signature: String::new(),
            };
            let location = |id| trend_profile::Location {
                function: trend_profile::FunctionId(id),
                kind: trend_profile::Kind::Block,
                block: 0,
                file: "prog".into(),
                line: 0,
                lines: [].into(),
                label: "".into(),
            };
            let parts = StudyParts {
                workloads: vec![Workload::imported("a")],
                functions: vec![function("main"), function("sort")],
                locations: vec![location(0), location(1)],
                counts: counts.map(|count| vec![count]).to_vec(),
                routines: vec![routine("main", 100), routine("sort", 90)],
                ..StudyParts::default()
            };
            let rows = routines(&Study::new(parts).unwrap(), &Options::default());
            rows.iter().map(|row| (row.name.clone(), row.self_sum)).collect::<Vec<_>>()
        };
        let named = |main, sort| vec![("main".to_owned(), main), ("sort".to_owned(), sort)];
        assert_eq!(with_counts([10, 90]), named(Some(10), Some(90)));
        assert_eq!(with_counts([100, 90]), named(None, None));
    }
}
