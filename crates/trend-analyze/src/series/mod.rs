//! Models the worst, the average and the best execution of a place by its input size.

pub(crate) mod amortized;

mod kinds;
mod thinned;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;
use trend_model::{OffsetPower, Scattered, scatter_of_one, variances_of_averages, weights_of_averages};
use trend_profile::{Observation, ObservationParts, Series, SeriesKey, SeriesKind, Study, Unit, Variable};

use self::amortized::amortized;
use self::thinned::MOST_SIZES;
pub use self::thinned::thinned;
use crate::findings::doubt::{Doubt, Unfit};
use crate::findings::growth::GrowthModel;
use crate::findings::law::Fits;
use crate::findings::model::Model;
use crate::findings::series::{Amortized, Kinds, OffsetPowerModel, SeriesModel, SeriesRow};
use crate::fit::budget::{SeriesWork, attention_of_series};
use crate::fit::modeller::{Attention, Modeller, as_costs};
use crate::options::Options;

/// Share of the largest cost of a place at one size that a place must reach for a growth class, as with functions.
const GROWTH_SHARE: f64 = 0.001;

/// The series of one place, before they have models.
struct SeriesParts<'a> {
    key: SeriesKey<'a>,
    parts: Vec<&'a Series>,
    /// The cost of all calls, including callees; nested calls count once.
    sum: u64,
    sizes: usize,
}

impl<'a> SeriesParts<'a> {
    fn new((key, parts): (SeriesKey<'a>, Vec<&'a Series>)) -> Self {
        let costs = parts.iter().flat_map(|part| &part.observations).map(cumulative);
        let sum = costs.fold(0, u64::saturating_add);
        let sizes = parts.iter().map(|part| part.observations.len()).sum();
        Self { key, parts, sum, sizes }
    }
}

/// Returns the rows of a study's series, by falling cost, with doubts that count what is left out. `modeller` fits
/// costs of runs to the features of the study.
pub(crate) fn series(study: &Study, options: &Options, modeller: &Modeller) -> (Vec<SeriesRow>, Vec<Doubt>) {
    let mut groups: BTreeMap<SeriesKey<'_>, Vec<&Series>> = BTreeMap::new();
    // Memory by line is measured per run, and has its own rows.
    for one in study.series().iter().filter(|one| one.place.kind != SeriesKind::Line) {
        groups.entry(one.key()).or_default().push(one);
    }
    let mut places: Vec<SeriesParts<'_>> = groups.into_iter().map(SeriesParts::new).collect();
    places.sort_by(|a, b| b.sum.cmp(&a.sum).then_with(|| a.key.cmp(&b.key)));
    let of_places = places.iter().flat_map(|place| place.parts.iter().flat_map(|part| &part.observations));
    let largest = of_places.map(cumulative).max().unwrap_or(0);
    let least = GROWTH_SHARE * largest as f64;
    let features = study.features().len();
    let work = |place: &SeriesParts<'_>| {
        let name = &place.key.0.symbol.name;
        SeriesWork {
            models: 4 * place.key.1.len().max(1) + 2 * features,
            points: place.sizes.max(if features > 0 { study.workloads().len() } else { 0 }),
            is_cheap: (place.sum as f64) < least,
            is_requested: options.full_named.as_ref().is_some_and(|word| name.contains(&**word)),
        }
    };
    let (attention, left_out) = attention_of_series(&places.iter().map(work).collect::<Vec<_>>());
    let modelled =
        places.into_iter().zip(attention).filter_map(|(place, attention)| Some((place, attention?)));
    let row = |(SeriesParts { key, parts, .. }, attention): (SeriesParts<'_>, Attention)| {
        let observations = parts.iter().flat_map(|part| &part.observations).copied().collect();
        let of_runs = |cost| runs(study, modeller, &parts, least, attention, cost);
        let mut row = SeriesRow::new(key, observations, attention, options);
        if options.growth && attention == Attention::Full {
            row.find_kinds(study, &parts, options);
        }
        SeriesRow { runs: of_runs(|o| Some(cumulative(o))), own_runs: of_runs(|o| o.parts.own), ..row }
    };
    let mut rows: Vec<SeriesRow> = modelled.collect::<Vec<_>>().into_par_iter().map(row).collect();
    add_kinds_of_contexts(&mut rows);
    let mut alike: Vec<(SeriesKind, Vec<Variable>, Unit)> =
        rows.iter().map(|row| (row.kind, row.variables.clone(), row.unit.clone())).collect();
    alike.sort_unstable();
    alike.dedup();
    for (kind, variables, unit) in alike {
        let is_one =
            |row: &&mut SeriesRow| row.kind == kind && row.variables == variables && row.unit == unit;
        let program = if unit == *study.unit() { study.program_cost(kind, &variables) } else { None };
        share_out(program, rows.iter_mut().filter(is_one).collect());
    }
    rows.sort_by_cached_key(|row| (Reverse(row.cumulative()), row.name.clone(), row.context.clone()));
    let most = rows.iter().map(|row| row.observations.len()).max().unwrap_or(0);
    let thinned =
        (most > MOST_SIZES).then_some(Doubt::PointsLeftOut { points: "sizes", most: MOST_SIZES, all: most });
    (rows, left_out.doubts("routines").chain(thinned).collect())
}

/// Replaces kinds by kinds of calling contexts, if these differ. The caller explains more than the spread of calls of
/// one size.
fn add_kinds_of_contexts(rows: &mut [SeriesRow]) {
    let mut contexts: BTreeMap<_, Vec<&SeriesRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.context.is_some()) {
        contexts.entry(row.place()).or_default().push(row);
    }
    let kinds_of = |row: &SeriesRow| match row.context {
        None => kinds::of_contexts(row, contexts.get(&row.place())?),
        Some(_) => None,
    };
    let kinds: Vec<Option<Kinds>> = rows.iter().map(kinds_of).collect();
    for (row, kinds) in rows.iter_mut().zip(kinds).filter(|(_, kinds)| kinds.is_some()) {
        row.kinds = kinds;
    }
}

/// Returns the verdict on the mean costs of observations in one variable.
fn average_growth(
    variable: Variable,
    observations: &[Observation],
    options: &Options,
) -> Option<GrowthModel> {
    let observations = thinned(observations, MOST_SIZES);
    let column = |value: &dyn Fn(&Observation) -> f64| observations.iter().map(value).collect::<Vec<f64>>();
    let modeller = Modeller::by_size(vec![(variable.name(), column(&|o| o.size() as f64))], options);
    let scattered: Vec<Scattered> = observations.iter().map(scattered).collect();
    let costs: Vec<f64> = scattered.iter().map(Scattered::mean).collect();
    modeller.models_of_averages(&costs, &variances_of_averages(&scattered), Attention::Full).pop()?.growth
}

/// Returns the model of the total cost of a run's calls; `None` if the cost of an observation is unknown.
fn runs(
    study: &Study,
    modeller: &Modeller,
    parts: &[&Series],
    least: f64,
    most: Attention,
    cost: fn(&Observation) -> Option<u64>,
) -> Option<SeriesModel> {
    if study.features().is_empty() {
        return None;
    }
    let mut counts = vec![0_u64; study.workloads().len()];
    for part in parts {
        let count = &mut counts[part.workload.index()];
        for observation in &part.observations {
            *count = count.saturating_add(cost(observation)?);
        }
    }
    let is_costly = counts.iter().any(|&count| count as f64 >= least);
    let attention = if is_costly { most } else { Attention::Little };
    let mut models = modeller.models_with(&as_costs(&counts), attention);
    models.iter_mut().for_each(withdraw_law_of_two_sizes);
    let fits = if attention == Attention::Full {
        modeller.fit_jointly(study, &counts, models)
    } else {
        Fits { models, joint: None }
    };
    Some(SeriesModel { fits, offset_power: None })
}

impl SeriesRow {
    /// Builds a row without shares, which depend on all rows, and without costs of runs.
    fn new(
        (place, variables, unit): SeriesKey<'_>,
        mut observations: Vec<Observation>,
        attention: Attention,
        options: &Options,
    ) -> Self {
        Observation::merge(&mut observations);
        let total =
            |cost: fn(&Observation) -> u64| observations.iter().map(cost).fold(0, u64::saturating_add);
        let sum = total(|o| o.sum);
        let parts = observations.iter().map(|o| o.parts).reduce(ObservationParts::plus).unwrap_or_default();
        let input = observations.iter().map(|o| o.size() as f64 * o.count as f64).sum::<f64>();
        let of_input = |cells: Option<u64>| cells.map(|cells| cells as f64 / input.max(1.0));
        let modelled = thinned(&observations, MOST_SIZES);
        let mut fitting = Fitting::new(variables, &modelled, attention, options);
        let scattered: Vec<Scattered> = modelled.iter().map(scattered).collect();
        let variances = variances_of_averages(&scattered);
        let mut model =
            |cost: &dyn Fn(&Observation) -> f64, variances: &[f64]| fitting.model(cost, variances);
        let mean = |sum: u64, o: &Observation| sum as f64 / o.count.max(1) as f64;
        let (worst, best) = (model(&|o| o.max as f64, &[]), model(&|o| o.min as f64, &[]));
        let average = model(&|o| mean(o.sum, o), &variances);
        // The scatter of own costs is unknown, and assumed to equal the scatter of all costs.
        let own = parts.own.map(|_| model(&|o| mean(o.parts.own.unwrap_or(0), o), &variances));
        // An outer call of a recursion includes the cost of the inner ones, so they cannot pay for it.
        let is_recursive = parts.outermost.is_some_and(|outermost| outermost < sum);
        let is_amortizable = variables.len() == 1 && !is_recursive;
        Self {
            kind: place.kind,
            name: place.symbol.name.clone(),
            object: place.object.clone(),
            context: Some(place.context.clone()).filter(|context| !context.is_empty()),
            variables: variables.to_vec(),
            unit: unit.clone(),
            sizes: observations.len(),
            count: total(|o| o.count),
            sum,
            outermost_sum: parts.outermost,
            self_sum: parts.own,
            share: 0.0,
            self_share: None,
            count_share: 0.0,
            kernel_input: of_input(parts.from_kernel),
            thread_input: of_input(parts.from_threads),
            call_scatter: scatter_of_one(&scattered).map(f64::sqrt),
            max_cost: observations.iter().map(|o| o.max).max().unwrap_or(0),
            worst,
            average,
            best,
            own,
            kinds: None,
            tuples: Vec::new(),
            runs: None,
            own_runs: None,
            amortized: if is_amortizable { amortized(&observations) } else { Amortized::default() },
            observations,
        }
    }
}

impl SeriesRow {
    /// Finds kinds of calls with different laws.
    ///
    /// If the mean costs of the sizes follow two trends, each kind has a separate law. The costlier kind gives the law
    /// of the worst call, and the cheaper kind that of the best call. The average has no law.
    fn find_kinds(&mut self, study: &Study, parts: &[&Series], options: &Options) {
        let &[variable] = self.variables.as_slice() else { return };
        let sizes = thinned(&self.observations, MOST_SIZES);
        self.kinds =
            kinds::of_runs(study, parts, options).or_else(|| kinds::of_spread(variable, &sizes, options));
        if self.kinds.is_some() {
            return;
        }
        let Some((kinds, [cheaper, costlier])) = kinds::of_trends(variable, &sizes, options) else { return };
        let own_mean = |o: &Observation| o.parts.own.unwrap_or(0) as f64 / o.count.max(1) as f64;
        let own = self.own.as_mut().filter(|_| kinds::are_trends(&sizes, own_mean));
        for mean in own.into_iter().chain([&mut self.average]) {
            (mean.fits.joint, mean.offset_power) = (None, None);
            mean.fits.models.iter_mut().for_each(|model| withdraw_law(model, Unfit::TwoKinds));
        }
        let fitting = |sizes| Fitting::new(&self.variables, sizes, Attention::Full, options);
        let worst = fitting(&costlier).model(&|o| o.max as f64, &[]);
        let best = fitting(&cheaper).model(&|o| o.min as f64, &[]);
        (self.kinds, self.worst, self.best) = (Some(kinds), worst, best);
    }
}

/// A fit of costs to the sizes of observations.
struct Fitting<'a> {
    observations: &'a [Observation],
    /// Sizes of the observations, `[variables × observations]`.
    sizes: Vec<Vec<f64>>,
    modeller: Modeller,
    attention: Attention,
    /// Costs and variances with their models. The worst call is the best and the mean one if all calls of a size cost
    /// the same.
    cache: Vec<(Vec<f64>, Vec<f64>, SeriesModel)>,
}

impl<'a> Fitting<'a> {
    fn new(
        variables: &[Variable],
        observations: &'a [Observation],
        attention: Attention,
        options: &Options,
    ) -> Self {
        let of_variable = |i: usize| observations.iter().map(|o| o.sizes[i] as f64).collect::<Vec<f64>>();
        let sizes: Vec<Vec<f64>> = (0..variables.len()).map(of_variable).collect();
        let columns = variables.iter().zip(&sizes).map(|(variable, sizes)| (variable.name(), sizes.clone()));
        let modeller = Modeller::by_size(columns.collect(), options);
        Self { observations, sizes, modeller, attention, cache: Vec::new() }
    }

    /// Models the costs of the observations. `variances` is the known variance of the logarithm of each, or empty.
    fn model(&mut self, cost: &dyn Fn(&Observation) -> f64, variances: &[f64]) -> SeriesModel {
        let costs: Vec<f64> = self.observations.iter().map(cost).collect();
        let is_known = |cached: &&(Vec<f64>, Vec<f64>, _)| cached.0 == costs && cached.1 == variances;
        if let Some((_, _, model)) = self.cache.iter().find(is_known) {
            return model.clone();
        }
        let model = self.new_model(&costs, variances);
        self.cache.push((costs, variances.to_vec(), model.clone()));
        model
    }

    fn new_model(&self, costs: &[f64], variances: &[f64]) -> SeriesModel {
        let mut models = self.modeller.models_of_averages(costs, variances, self.attention);
        models.iter_mut().for_each(withdraw_law_of_two_sizes);
        let is_full = self.attention == Attention::Full;
        let joint = if is_full { self.modeller.joint(costs, &mut models) } else { None };
        let is_worth_it = self.attention > Attention::Little && self.sizes.len() == 1;
        let fit = is_worth_it.then(|| match weights_of_averages(&self.sizes[0], costs, variances) {
            None => OffsetPower::fit(&self.sizes[0], costs),
            Some(weights) => OffsetPower::fit_weighted(&self.sizes[0], costs, &weights),
        });
        let offset_power =
            fit.and_then(Result::ok).map(|f| OffsetPowerModel { a: f.a, b: f.b, c: f.c, r2: f.r2 });
        SeriesModel { fits: Fits { models, joint }, offset_power }
    }
}

/// Minimum number of sizes for a law. A power law goes through the costs at any two sizes, and says nothing about a
/// third one.
const LEAST_SIZES: usize = 3;

/// Removes the laws from a model of fewer sizes, and adds the reason.
fn withdraw_law_of_two_sizes(model: &mut Model) {
    if let Some(law) = model.power_law.as_ref().filter(|law| law.sizes < LEAST_SIZES) {
        let why = Unfit::TooFew { points: law.sizes, needed: LEAST_SIZES };
        withdraw_law(model, why);
    }
}

/// Removes the laws from a model, and adds the reason.
fn withdraw_law(model: &mut Model, why: Unfit) {
    (model.source, model.power_law, model.linear, model.growth) = (None, None, None, None);
    model.predictions.clear();
    model.curve.clear();
    model.bounds.clear();
    model.doubts.retain(|doubt| matches!(doubt, Doubt::NoGrowth { .. }));
    if model.doubts.is_empty() {
        model.doubts.push(Doubt::NoGrowth { feature: model.feature.as_str().into(), why });
    }
}

/// Returns the cost of the executions of one size. Nested calls count once if the profiler reports them.
fn cumulative(o: &Observation) -> u64 {
    o.parts.outermost.unwrap_or(o.sum)
}

/// Returns the sums of the executions of one size.
fn scattered(o: &Observation) -> Scattered {
    Scattered {
        count: o.count,
        min: o.min as f64,
        max: o.max as f64,
        sum: o.sum as f64,
        sum_of_squares: o.sum_of_squares,
    }
}

/// Sets the shares of rows that have the same kind, variables and unit. Rows with other variables measure the same
/// executions again. A row of one calling context is a part of the row of the whole place. `program` is the cost of
/// the program, if it is counted.
fn share_out(program: Option<u64>, rows: Vec<&mut SeriesRow>) {
    let wholes = || rows.iter().filter(|row| row.context.is_none());
    let costliest = wholes().map(|row| row.cumulative()).max().unwrap_or(0);
    let count = wholes().map(|row| row.count as f64).sum::<f64>().max(1.0);
    let add = |sum: u64, own: Option<u64>| own.map(|own| sum.saturating_add(own));
    let of_places = wholes().map(|row| row.self_sum).try_fold(0, add).unwrap_or(0);
    let whole = program.unwrap_or(of_places).max(costliest).max(1) as f64;
    for row in rows {
        row.share = row.cumulative() as f64 / whole;
        row.self_share = row.self_sum.map(|own| own as f64 / whole);
        row.count_share = row.count as f64 / count;
    }
}

#[cfg(test)]
mod tests;
