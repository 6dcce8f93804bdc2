//! Relates the inputs of loops to the features of the runs, and predicts from these relations: `rows ≈ 0.0244·bytes`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use trend_answer::{Law, Outlook, Source};
use trend_model::loops;
use trend_model::loops::{Polynomial, Rational, interpolate};
use trend_profile::{LoopFunction, LoopInputValue, ProgramLoop, Study, Warning, WarningKind};

use super::soundness::is_integer_valued;
use super::symbols::symbol;
use crate::findings::doubt::Doubt;
use crate::findings::law::Fits;
use crate::findings::loops::{LoopRelation, LoopRow, LoopStatus, RelationStatus};
use crate::fit::modeller::{Attention, Modeller};
use crate::forecast::outlook::outlook;
use crate::options::Options;
use crate::study::point::Point;

/// Largest feature value that counts as an integer: up to here (2^53), floating-point numbers represent integers
/// exactly. No file or problem is larger.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// Maximum number of features of a study for which formulas in several features are searched. With more, each formula
/// has one.
const MOST_TOGETHER: usize = 4;

/// Minimum number of runs that confirm a formula of a call.
const FEWEST_RUNS: usize = 3;

/// A loop in one run.
#[derive(Clone, Copy)]
pub(super) struct LoopRun<'a> {
    pub(super) of_loop: &'a ProgramLoop,
    /// The trips of all its activations; `None` if they were not counted.
    pub(super) trips: Option<u64>,
}

/// Relations of loop inputs to the features of a study's runs.
pub(super) struct Relations<'a> {
    study: &'a Study,
    modeller: &'a Modeller,
    points: &'a [Point],
    level: f64,
    /// Relations found so far, by the values of the runs: many loops have the same inputs.
    cache: HashMap<(Vec<Option<i64>>, bool), Option<Related>>,
}

/// A relation to features, with its polynomial if it is exact.
#[derive(Clone)]
struct Related {
    relation: LoopRelation,
    polynomial: Option<Polynomial>,
}

/// Polynomials in features that give the names of a function's formulas exactly in every run.
#[derive(Default)]
pub(super) struct InFeatures {
    /// `None` for a name without an exact relation, or with different values in different loops.
    polynomials: HashMap<String, Option<Polynomial>>,
}

impl InFeatures {
    /// Adds a name of a loop.
    fn add(&mut self, name: String, polynomial: Option<Polynomial>) {
        match self.polynomials.entry(name) {
            Entry::Vacant(vacant) => {
                vacant.insert(polynomial);
            }
            Entry::Occupied(mut entry) if *entry.get() != polynomial => {
                entry.insert(None);
            }
            Entry::Occupied(_) => {}
        }
    }

    /// Replaces all names of a formula by features. Returns `None` if a name has no exact relation, and for a formula
    /// without names.
    ///
    /// A formula counts no trips below 0, but that need not hold for its factors, so names that may be negative are not
    /// replaced.
    pub(super) fn formula(&self, formula: &Polynomial) -> Option<Polynomial> {
        let names = formula.names();
        let replacement = |name: &str| {
            let polynomial = self.polynomials.get(name)?.clone()?;
            let is_positive = polynomial.terms().all(|(_, coefficient)| !coefficient.is_negative());
            is_positive.then_some(polynomial)
        };
        let is_known = !names.is_empty() && names.iter().all(|name| replacement(name).is_some());
        let replaced = is_known.then(|| formula.substituted(&replacement)).flatten()?;
        (!replaced.names().is_empty()).then_some(replaced)
    }
}

impl<'a> Relations<'a> {
    pub(super) fn new(
        study: &'a Study,
        options: &Options,
        modeller: &'a Modeller,
        points: &'a [Point],
    ) -> Self {
        Self { study, modeller, points, level: options.level, cache: HashMap::new() }
    }

    /// Returns a function as each run has it; `None` if a run lacks it or has it from another build.
    pub(super) fn runs_of(&self, function: &LoopFunction) -> Vec<Option<&'a LoopFunction>> {
        let mut runs = vec![None; self.study.workloads().len()];
        for run in self.study.loops() {
            let candidate = run.functions.binary_search_by(|one| one.key().cmp(&function.key()));
            let candidate = candidate.ok().map(|position| &run.functions[position]);
            runs[run.workload.index()] = candidate.filter(|candidate| candidate.is_same(function));
        }
        runs
    }

    /// Completes the row of a loop that is in these runs: adds the relations of its inputs to features, and the
    /// predictions at the points. `names` gets the inputs whose relations are exact.
    pub(super) fn relate(
        &mut self,
        row: &mut LoopRow,
        one: &ProgramLoop,
        runs: &[Option<LoopRun<'_>>],
        law: Option<&Polynomial>,
        names: &mut InFeatures,
    ) {
        if self.study.features().is_empty() {
            return;
        }
        let of_loop: Vec<_> = runs.iter().map(|run| Some((*run)?.of_loop)).collect();
        let recorded_share = of_loop.iter().flatten().filter_map(|run| run.total.sampled).fold(1.0, f64::min);
        let runs: Vec<_> = of_loop.iter().copied().map(|run| greatest(run?)).collect();
        for (k, input) in one.inputs.iter().enumerate() {
            // A counter depends on the loop around it, not on the run.
            if input.value != LoopInputValue::Integer || input.counter_of.is_some() {
                names.add(symbol(input), None);
                continue;
            }
            let values: Vec<Option<i64>> =
                runs.iter().map(|run| run.as_ref().map(|(inputs, _)| inputs[k])).collect();
            let related = self.relation(values, true);
            let is_steady = recorded_share >= 1.0 && of_loop.iter().flatten().all(|run| is_steady(run, k));
            names.add(symbol(input), in_features(one, k, related.as_ref()).filter(|_| is_steady));
            row.inputs[k].relation = related.map(|related| related.relation);
            if let Some(relation) = row.inputs[k].relation.as_mut().filter(|_| recorded_share < 1.0) {
                relation.doubts.push(Doubt::Recorded(of_a_part(recorded_share)));
            }
        }
        let has_counter = one.inputs.iter().any(|input| input.counter_of.is_some());
        let Some(law) = law.filter(|_| !has_counter) else { return };
        let by_name = |name: &str| one.inputs.iter().position(|input| symbol(input) == name);
        let is_wrong = |(inputs, most): &(Vec<i64>, u64)| {
            !law.gives(*most, &|name| Some(i128::from(inputs[by_name(name)?])))
        };
        row.mispredicted = runs.iter().flatten().filter(|run| is_wrong(run)).count();
        let needed = law.names();
        let at = |point: usize| {
            let value = law.value_f64(&|name| {
                let input = &row.inputs[by_name(name)?];
                match &input.relation {
                    Some(relation) => relation.at[point],
                    // A value that never differs stays as it is.
                    None => {
                        input.greatest.filter(|_| input.least == input.greatest).map(|value| value as f64)
                    }
                }
            })?;
            Some(value.max(0.0))
        };
        if !needed.is_empty() {
            row.predicted = (0..self.points.len()).map(at).collect();
            if row.predicted.iter().all(Option::is_none) {
                row.predicted.clear();
            }
        }
    }

    /// Returns the relation of all trips of a loop in a run to the features. `in_call` is the exact formula of the
    /// trips in a call, in features. It is used if every run made the same number of calls; otherwise, a law is
    /// fitted.
    pub(super) fn of_trips(
        &mut self,
        status: LoopStatus,
        runs: &[Option<LoopRun<'_>>],
        in_call: Option<&Polynomial>,
    ) -> Option<LoopRelation> {
        if self.study.features().is_empty() {
            return None;
        }
        let trips: Vec<Option<i64>> = runs.iter().map(|run| i64::try_from((*run)?.trips?).ok()).collect();
        if let Some(composed) = in_call.and_then(|formula| self.composed(formula, &trips)) {
            return Some(composed);
        }
        // If the code's variables do not decide the trips, a formula that holds in these runs may fail in others.
        let may_be_exact = matches!(status, LoopStatus::Exact | LoopStatus::Constant);
        self.relation(trips, may_be_exact).map(|related| related.relation)
    }

    /// Returns a formula of one call times the number of calls, if that is the same in all runs.
    fn composed(&self, formula: &Polynomial, trips: &[Option<i64>]) -> Option<LoopRelation> {
        let features: Vec<usize> = formula
            .names()
            .into_iter()
            .map(|name| Some(self.study.feature_named(&name)?.index()))
            .collect::<Option<_>>()?;
        let points = self.points_of_runs(&features, trips);
        if !tells_products_apart(&points) {
            return None;
        }
        let names: Vec<&str> =
            features.iter().map(|&feature| self.study.features()[feature].name.as_str()).collect();
        let mut calls = None;
        let mut confirmed = 0;
        for point in &points {
            let position = |name: &str| names.iter().position(|other| *other == name);
            let of_call = formula.value(&|name| Some(point.inputs[position(name)?].into()))?.as_integer()?;
            let trips = i128::from(point.trips);
            if of_call <= 0 {
                (trips == 0).then_some(())?;
                continue;
            }
            let of_run = (trips > 0 && trips % of_call == 0).then(|| trips / of_call)?;
            (*calls.get_or_insert(of_run) == of_run).then_some(())?;
            confirmed += 1;
        }
        let times = Polynomial::constant(Rational::integer(calls.filter(|_| confirmed >= FEWEST_RUNS)?));
        Some(self.exactly(&formula.times(&times)?))
    }

    /// Returns a value that each run has, at integer values of these features.
    fn points_of_runs(&self, features: &[usize], values: &[Option<i64>]) -> Vec<loops::Point> {
        let integer = |at: f64| (at.trunc() == at && at.abs() <= LARGEST).then_some(at as i64);
        let point = |(run, value): (usize, &Option<i64>)| {
            let trips = u64::try_from((*value)?).ok()?;
            let value = |&feature: &usize| integer(self.study.features()[feature].values[run]?);
            let inputs = features.iter().map(value).collect::<Option<_>>()?;
            Some(loops::Point { inputs, trips })
        };
        let mut points: Vec<loops::Point> = values.iter().enumerate().filter_map(point).collect();
        points.sort_by(|a, b| (&a.inputs, a.trips).cmp(&(&b.inputs, b.trips)));
        points.dedup();
        points
    }

    /// Builds the exact relation of a polynomial in features.
    fn exactly(&self, polynomial: &Polynomial) -> LoopRelation {
        let at = |point: &Point| polynomial.value_f64(&|name| point.value_named(name));
        let names = polynomial.names();
        let features = self.study.features().iter().map(|feature| feature.name.as_str());
        let features: Vec<&str> = features.filter(|name| names.contains(*name)).collect();
        LoopRelation {
            feature: features.join(", "),
            formula: polynomial.to_string(),
            status: RelationStatus::Exact,
            at: self.points.iter().map(|point| Some(at(point)?.max(0.0))).collect(),
            ci: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// Returns the law, in the features, of a value that each run has.
    fn relation(&mut self, values: Vec<Option<i64>>, may_be_exact: bool) -> Option<Related> {
        let key = (values, may_be_exact);
        if let Some(related) = self.cache.get(&key) {
            return related.clone();
        }
        let related = self.compute_relation(&key.0, may_be_exact);
        self.cache.insert(key, related.clone());
        related
    }

    /// Returns the law as [`Self::relation`] does, without the cache.
    fn compute_relation(&self, values: &[Option<i64>], may_be_exact: bool) -> Option<Related> {
        let measured: Vec<i64> = values.iter().flatten().copied().collect();
        // A value that is the same in all runs depends on no feature.
        if measured.is_empty()
            || measured.iter().all(|value| *value == measured[0])
            || measured.iter().any(|v| *v < 0)
        {
            return None;
        }
        let exact = may_be_exact.then(|| self.exact(values)).flatten();
        match exact {
            Some(polynomial) => {
                Some(Related { relation: self.exactly(&polynomial), polynomial: Some(polynomial) })
            }
            None => self.fitted(values).map(|relation| Related { relation, polynomial: None }),
        }
    }

    /// Searches for a polynomial, in as few integer features as possible, that gives the value exactly.
    fn exact(&self, values: &[Option<i64>]) -> Option<Polynomial> {
        let features = self.study.features().len();
        let most = if features <= MOST_TOGETHER { features } else { 1 };
        (1..=most)
            .find_map(|size| subsets(features, size).find_map(|features| self.exact_in(&features, values)))
    }

    /// Searches for a polynomial in exactly these features.
    fn exact_in(&self, features: &[usize], values: &[Option<i64>]) -> Option<Polynomial> {
        let names: Vec<&str> =
            features.iter().map(|&feature| self.study.features()[feature].name.as_str()).collect();
        let points = self.points_of_runs(features, values);
        let has_both = points.windows(2).any(|pair| pair[0].inputs == pair[1].inputs);
        if has_both || !tells_products_apart(&points) {
            return None;
        }
        let interpolated = interpolate(&names, &points)?;
        let needed = interpolated.polynomial.names();
        // A logarithm through a few sizes is a coincidence if other logarithms go through them as well.
        let is_open = !interpolated.is_unique
            && (names.len() > 1 || interpolated.polynomial.logarithms_and_roots() > 0);
        let needs_all = names.iter().all(|name| needed.contains(*name));
        let is_integer = is_integer_valued(&interpolated.polynomial, &names, &points);
        if is_open || !interpolated.off.is_empty() || !needs_all || !is_integer {
            return None;
        }
        Some(interpolated.polynomial)
    }

    /// Fits the usual model in the feature that explains the value best, with the interval and doubts of any other row.
    fn fitted(&self, values: &[Option<i64>]) -> Option<LoopRelation> {
        // A value that a run lacks becomes a cost of 0, which models leave out.
        let costs: Vec<u64> = values.iter().map(|value| value.unwrap_or(0).max(0).cast_unsigned()).collect();
        let models = self.modeller.models_of_rows(&[(&costs, Attention::Passing)]).pop()?;
        let fits = Fits { models, joint: None };
        let best = fits.best()?;
        let law = best.law()?;
        let at = |point: &Point| -> Option<Outlook> {
            let outlook = outlook(&fits, point, self.level, |model, at| model.prediction_at(at).cloned());
            outlook.filter(|outlook| outlook.ci.is_some() && best.is_sound())
        };
        let at: Vec<Option<Outlook>> = self.points.iter().map(at).collect();
        let has_interval = at.iter().any(|at| at.is_some_and(|at| at.ci.is_some()));
        Some(LoopRelation {
            feature: best.feature.clone(),
            formula: unmarked_formula(&law),
            status: match () {
                () if best.is_sound() && law.source == Source::Class => RelationStatus::Decided,
                () if has_interval => RelationStatus::Several,
                () => RelationStatus::Undecided,
            },
            at: at.iter().map(|at| Some((*at)?.cost)).collect(),
            ci: at.iter().map(|at| (*at)?.ci).collect(),
            doubts: best.doubts.clone(),
        })
    }
}

/// Returns the subsets of `0..all` of a size, each in ascending order.
fn subsets(all: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let members = move |bits: u32| (0..all).filter(|i| bits >> i & 1 == 1).collect();
    (0..1_u32 << all.min(31)).filter(move |bits| bits.count_ones() as usize == size).map(members)
}

/// Returns true if the points distinguish the product of any two inputs from a sum: `1`, `a`, `b` and `a·b` are
/// linearly independent at them. Where one input at a time was changed, they are not.
fn tells_products_apart(points: &[loops::Point]) -> bool {
    let inputs = points.first().map_or(0, |point| point.inputs.len());
    let scaled = |k: usize| {
        let values = points.iter().map(move |point| point.inputs[k] as f64);
        let most = values.clone().fold(1.0, |most: f64, value| most.max(value.abs()));
        values.map(move |value| value / most)
    };
    let of_pair = |a, b| rank(scaled(a).zip(scaled(b)).map(|(a, b)| [1.0, a, b, a * b])) == 4;
    (0..inputs).all(|b| (0..b).all(|a| of_pair(a, b)))
}

/// Returns the rank of a matrix, given its rows. Entries are at most 1 in absolute value.
fn rank(rows: impl Iterator<Item = [f64; 4]>) -> usize {
    const NEGLIGIBLE: f64 = 1e-9;
    let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut basis: Vec<[f64; 4]> = Vec::new();
    for mut row in rows {
        for direction in &basis {
            let part = dot(&row, direction);
            row.iter_mut().zip(direction).for_each(|(value, along)| *value -= part * along);
        }
        let length = dot(&row, &row).sqrt();
        if length > NEGLIGIBLE {
            basis.push(row.map(|value| value / length));
        }
    }
    basis.len()
}

/// Formats a law without the `≈` that marks an average, because the status says so already.
pub(super) fn unmarked_formula(law: &Law) -> String {
    if let Some(sum) = law.nearest() {
        return sum.formula(&law.features.iter().map(String::as_str).collect::<Vec<_>>());
    }
    match law.formulas().as_slice() {
        [slowest, _, .., fastest] => format!("{slowest} … {fastest}"),
        _ => law.formula(),
    }
}

/// Returns true if an input of a loop has one value in all activations of a run.
fn is_steady(run: &ProgramLoop, k: usize) -> bool {
    run.observations.windows(2).all(|pair| pair[0].inputs[k] == pair[1].inputs[k])
}

/// Returns an input of a loop as a polynomial in features, or its value if that is the same in all runs.
fn in_features(one: &ProgramLoop, k: usize, related: Option<&Related>) -> Option<Polynomial> {
    match related {
        Some(related) => related.polynomial.clone(),
        None if is_steady(one, k) => {
            Some(Polynomial::constant(Rational::integer(one.observations.first()?.inputs[k].into())))
        }
        None => None,
    }
}

/// Returns the warning that the greatest values of inputs cover only a part of the activations.
fn of_a_part(share: f64) -> Warning {
    let message = format!(
        "its largest value in a run comes from a sample of the activations ({:.2} % in one run); others \
         may be larger",
        100.0 * share
    );
    Warning::new(WarningKind::SampledInputs, message)
}

/// Returns the greatest value of each input in a run, and the most trips; `None` if the loop did not run.
fn greatest(one: &ProgramLoop) -> Option<(Vec<i64>, u64)> {
    if one.total.activations == 0 || one.observations.is_empty() {
        return None;
    }
    let greatest = |k: usize| one.observations.iter().map(|o| o.inputs[k]).max().unwrap_or(0);
    Some(((0..one.inputs.len()).map(greatest).collect(), one.total.greatest.trips))
}
