//! Routines by the size of their own input: models of the worst, the average and the best call.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use trend_model::OffsetPower;
use trend_profile::{InputMetric, RoutineProfile, Study, Tuple, TupleParts};

use crate::models::{Attention, Modeller};
use crate::{Model, Options};

/// Routines that never take this share of all costs have no growth class, as with functions.
const GROWTH_SHARE: f64 = 0.001;

/// What one routine costs, by the size of its input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct RoutineRow {
    /// Its name.
    pub name: String,
    /// The program or library that it is in.
    pub object: String,
    /// The callers, for costs in one calling context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// How input sizes are measured.
    #[cfg_attr(test, schemars(with = "String"), ts(type = "string"))]
    pub metric: InputMetric,
    /// How many different sizes there are, over all workloads.
    pub sizes: usize,
    /// How often it was called.
    pub calls: u64,
    /// The cost of all calls, with what they called. What a call of the routine within another one cost counts in both.
    pub sum: u64,
    /// The cost of the calls that are not nested in another call of the routine; absent where the profiler does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outermost_sum: Option<u64>,
    /// The cost of all calls without what they called; absent where the profiler does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_sum: Option<u64>,
    /// The part of the program's cost that the routine took with what it called.
    pub share: f64,
    /// The same without what it called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_share: Option<f64>,
    /// The part of the calls of all routines.
    pub call_share: f64,
    /// The part of its input that the kernel wrote, such as what was read from a file; absent where the profiler does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel_input: Option<f64>,
    /// The part of its input that other threads wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_input: Option<f64>,
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
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct RoutineModel {
    /// As for other costs; the feature is the input size.
    #[serde(flatten)]
    pub model: Model,
    /// `a + b·n^c`; absent where there are fewer than three sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset_power: Option<OffsetPowerModel>,
}

/// `cost = a + b·n^c`, by least squares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
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

impl RoutineRow {
    /// What the routine cost with what it called, each part once where the profiler tells that.
    pub fn cumulative(&self) -> u64 {
        self.outermost_sum.unwrap_or(self.sum)
    }
}

/// The rows of a study's routines, by falling cost.
pub(crate) fn routines(study: &Study, options: &Options) -> Vec<RoutineRow> {
    let mut groups: BTreeMap<(&str, &str, &str, InputMetric), Vec<&RoutineProfile>> = BTreeMap::new();
    for profile in study.routines() {
        let key =
            (profile.symbol.name.as_str(), profile.object.as_str(), profile.context.as_str(), profile.metric);
        groups.entry(key).or_default().push(profile);
    }
    let largest = study.routines().iter().flat_map(|r| &r.tuples).map(|t| t.sum).max().unwrap_or(0);
    let groups: Vec<_> = groups.into_iter().collect();
    let mut rows: Vec<RoutineRow> = groups
        .par_iter()
        .map(|((name, object, context, metric), profiles)| {
            let tuples = merged(profiles);
            let total = |cost: &dyn Fn(&Tuple) -> u64| tuples.iter().map(cost).fold(0, u64::saturating_add);
            let sum = total(&|t| t.sum);
            let parts = tuples.iter().map(|t| t.parts).reduce(TupleParts::plus).unwrap_or_default();
            let input = tuples.iter().map(|t| t.size as f64 * t.calls as f64).sum::<f64>();
            let of_input = |cells: Option<u64>| cells.map(|cells| cells as f64 / input.max(1.0));
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
                calls: total(&|t| t.calls),
                sum,
                outermost_sum: parts.outermost,
                self_sum: parts.own,
                // Of all routines, which are known below.
                share: 0.0,
                self_share: None,
                call_share: 0.0,
                kernel_input: of_input(parts.from_kernel),
                thread_input: of_input(parts.from_threads),
                max_cost: tuples.iter().map(|t| t.max).max().unwrap_or(0),
                worst: model(1),
                average: model(2),
                best: model(3),
                tuples,
            }
        })
        .collect();
    for metric in [InputMetric::Rms, InputMetric::Drms] {
        share_out(study, metric, &mut rows);
    }
    let key = |row: &RoutineRow| (Reverse(row.cumulative()), row.name.clone(), row.context.clone());
    rows.sort_by_cached_key(key);
    rows
}

/// Sets the shares of the rows of one metric: each metric profiles the same calls again. Rows of one calling context are
/// parts of the row of the whole routine.
fn share_out(study: &Study, metric: InputMetric, rows: &mut [RoutineRow]) {
    let wholes = || rows.iter().filter(|row| row.metric == metric && row.context.is_none());
    let costliest = wholes().map(RoutineRow::cumulative).max().unwrap_or(0);
    let calls = wholes().map(|row| row.calls as f64).sum::<f64>().max(1.0);
    let is_known = wholes().all(|row| row.self_sum.is_some());
    let program = if is_known { study.program_cost(metric) } else { 0 };
    let whole = program.max(costliest).max(1) as f64;
    for row in rows.iter_mut().filter(|row| row.metric == metric) {
        row.share = row.cumulative() as f64 / whole;
        row.self_share = row.self_sum.map(|own| own as f64 / whole);
        row.call_share = row.calls as f64 / calls;
    }
}

/// Tuples of several workloads, one per size.
fn merged(profiles: &[&RoutineProfile]) -> Vec<Tuple> {
    let mut sizes: BTreeMap<u64, Tuple> = BTreeMap::new();
    for tuple in profiles.iter().flat_map(|p| &p.tuples) {
        sizes.entry(tuple.size).and_modify(|known| known.add(tuple)).or_insert(*tuple);
    }
    sizes.into_values().collect()
}

fn point(tuple: &Tuple) -> [f64; 4] {
    let average = tuple.sum as f64 / tuple.calls.max(1) as f64;
    [tuple.size as f64, tuple.max as f64, average, tuple.min as f64]
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use trend_profile::{StudyParts, Symbol, Workload, WorkloadId};

    use super::*;

    fn study(cost: impl Fn(u64) -> u64) -> Study {
        let tuple = |size: u64| {
            let (min, max) = (cost(size) / 2, cost(size));
            Tuple { size, calls: 2, min, max, sum: min + max, ..Tuple::default() }
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

    /// A routine with one tuple of these parts, and its own cost as a location.
    fn shares(routines: &[(&str, u64, TupleParts)], unnamed: u64) -> Vec<RoutineRow> {
        let mut text = format!("unnamed:1:u: {unnamed}\n");
        for (name, _, parts) in routines {
            writeln!(text, "{name}:1:{name}: {}", parts.own.unwrap_or(999)).unwrap();
        }
        let profile = |&(name, sum, parts): &(&str, u64, TupleParts)| RoutineProfile {
            symbol: Symbol { name: name.to_owned(), linkage: name.to_owned() },
            object: "prog".to_owned(),
            context: String::new(),
            metric: InputMetric::Rms,
            workload: WorkloadId(0),
            tuples: vec![Tuple { size: 50, calls: 2, min: 1, max: sum, sum, sum_of_squares: 0.0, parts }],
        };
        let drawn = Study::from_text(&text).unwrap();
        let parts = StudyParts {
            workloads: drawn.workloads().to_vec(),
            functions: drawn.functions().to_vec(),
            locations: drawn.locations().to_vec(),
            counts: drawn.blocks().map(|id| drawn.counts().row(id).to_vec()).collect(),
            routines: routines.iter().map(profile).collect(),
            ..StudyParts::default()
        };
        super::routines(&Study::new(parts).unwrap(), &Options::default())
    }

    /// A program of cost 1000: main calls a recursive walk, whose four nested calls count four times in its sum.
    #[test]
    fn recursive_calls_count_once_in_a_share_of_the_whole_program() {
        let parts = |outermost, own| TupleParts {
            outermost: Some(outermost),
            own: Some(own),
            ..TupleParts::default()
        };
        let rows = shares(&[("walk", 2400, parts(900, 900)), ("main", 984, parts(984, 84))], 16);
        let told: Vec<_> = rows.iter().map(|r| (r.name.as_str(), r.share, r.self_share)).collect();
        assert_eq!(told, [("main", 0.984, Some(0.084)), ("walk", 0.9, Some(0.9))]);
        assert_eq!((rows[1].sum, rows[1].outermost_sum, rows[1].call_share), (2400, Some(900), 0.5));
    }

    #[test]
    fn without_own_costs_the_costliest_routine_is_the_whole() {
        let rows = shares(&[("sort", 90, TupleParts::default()), ("main", 120, TupleParts::default())], 7);
        let told: Vec<_> = rows.iter().map(|r| (r.name.as_str(), r.share, r.self_share)).collect();
        assert_eq!(told, [("main", 1.0, None), ("sort", 0.75, None)]);
    }

    #[test]
    fn input_of_the_kernel_and_of_other_threads_is_a_share_of_the_input_of_all_calls() {
        let parts = TupleParts { from_kernel: Some(25), from_threads: Some(10), ..TupleParts::default() };
        let rows = shares(&[("read", 90, parts)], 0);
        assert_eq!((rows[0].kernel_input, rows[0].thread_input), (Some(0.25), Some(0.1)));
    }
}
