//! Analyzes loops: the laws of their trips in the program's own words, the costs of nests and functions, and how loop
//! inputs depend on the features of the runs.

mod entries;
mod extent;
mod functions;
mod nest;
mod observed;
mod recursion;
mod relation;
mod signs;
mod soundness;
mod stated;
mod sums;
mod symbols;
#[cfg(test)]
mod tests;
mod together;
mod trips;

use std::cmp::Reverse;

use rayon::prelude::*;
use trend_model::loops::Growth;
use trend_profile::{LOOP_SAMPLING, LoopFunction, LoopInputValue, ProgramLoop, Study, Warning, WarningKind};

use self::functions::{Costs, FunctionCost, all_trips};
use self::nest::{Certainty, MOST_COMPARED, Nest};
use self::relation::unmarked_formula;
use self::symbols::in_words;
use self::together::Values;
use self::trips::TripsLaw;
use crate::findings::doubt::Doubt;
use crate::findings::loops::{LoopCallTrips, LoopFunctionRow, LoopInputRow, LoopRow, LoopStatus, LoopTrips};
use crate::fit::modeller::Modeller;
use crate::options::Options;
use crate::study::point::Point;

/// The results of the loop analysis of a study.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    pub(crate) rows: Vec<LoopRow>,
    pub(crate) functions: Vec<LoopFunctionRow>,
    /// Functions whose loops differ between runs.
    pub(crate) unlike: Vec<String>,
    /// Functions that are left out because there are too many nested loops.
    pub(crate) left_out: Vec<LoopFunction>,
}

/// Maximum work for the nests of a study, in the unit of [`work`]: some 5 s of CPU time. A function of 4,000 loops
/// that are 63 deep takes a third of it, and ten thousand functions with ten nests of three loops each a hundredth.
const MOST_WORK: u64 = 100_000_000;

/// Returns the work for the nests of a function: for each loop and loop around it, the names in a sum times the
/// observations that it is compared with.
fn work(function: &LoopFunction) -> u64 {
    let mut depths: Vec<u64> = Vec::with_capacity(function.loops.len());
    let mut work = 0;
    for index in 0..function.loops.len() as u32 {
        let depth = 1 + function.around(index).next().map_or(0, |parent| depths[parent as usize]);
        depths.push(depth);
        work += depth;
        for (names, around) in (2..).zip(function.around(index)) {
            let compared = function.loops[around as usize].observations.len().min(MOST_COMPARED);
            work += names * (1 + compared as u64);
        }
    }
    work
}

/// Returns the functions whose nests are within [`MOST_WORK`] together, and the functions that are left out, both in
/// their original order. If the work is too much, the functions with the most trips are kept.
fn within_limits(functions: Vec<LoopFunction>) -> (Vec<LoopFunction>, Vec<LoopFunction>) {
    let trips = |function: &LoopFunction| {
        function.loops.iter().map(|one| one.total.trips).fold(0, u64::saturating_add)
    };
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_cached_key(|&i| (Reverse(trips(&functions[i])), i));
    let mut budget = MOST_WORK;
    let mut is_analyzed = vec![false; functions.len()];
    for i in order {
        let rest = budget.checked_sub(work(&functions[i]));
        is_analyzed[i] = rest.is_some();
        budget = rest.unwrap_or(budget);
    }
    let (mut analyzed, mut left_out) = (Vec::with_capacity(functions.len()), Vec::new());
    for (function, is_analyzed) in functions.into_iter().zip(is_analyzed) {
        if is_analyzed { analyzed.push(function) } else { left_out.push(function) }
    }
    (analyzed, left_out)
}

impl Loops {
    /// Returns the doubts about all loops.
    pub(crate) fn doubts(&self) -> impl Iterator<Item = Doubt> {
        let functions = self.left_out.len();
        let loops = self.left_out.iter().map(|function| function.loops.len()).sum();
        let left_out = (functions > 0).then_some(Doubt::LoopsLeftOut { functions, loops });
        self.unlike().into_iter().chain(left_out)
    }

    /// Returns a doubt if loops of several builds were observed.
    fn unlike(&self) -> Option<Doubt> {
        let (first, others) = self.unlike.split_first()?;
        let more = if others.is_empty() {
            String::new()
        } else {
            format!(" and of {} more functions", others.len())
        };
        let message = format!(
            "the loops of {first}{more} differ between runs because the program was rebuilt; only the \
             last build counts for these. Measure one build with `trend-prof run --fresh`"
        );
        Some(Doubt::Recorded(Warning::new(WarningKind::LoopsDiffer, message)))
    }
}

/// Lines of a study's sources, split once for adjacent functions of a file.
struct Sources<'a> {
    study: &'a Study,
    last: Option<(&'a str, Option<Vec<&'a str>>)>,
}

impl<'a> Sources<'a> {
    fn lines(&mut self, file: &'a str) -> Option<&[&'a str]> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != file) {
            self.last = Some((file, self.study.source(file).map(|text| text.lines().collect())));
        }
        self.last.as_ref().and_then(|(_, lines)| lines.as_deref())
    }
}

/// Analyzes the loops of a study.
pub(crate) fn loops(study: &Study, options: &Options, modeller: &Modeller, points: &[Point]) -> Loops {
    let (functions, unlike) = LoopFunction::added_up(study.loops().iter().flat_map(|run| &run.functions));
    let (functions, left_out) = within_limits(functions);
    if functions.is_empty() {
        return Loops { unlike, left_out, ..Loops::default() };
    }
    let laws: Vec<Vec<TripsLaw>> = functions
        .par_iter()
        .map(|function| function.loops.iter().map(|one| trips::law(one, options)).collect())
        .collect();
    let mut sources = Sources { study, last: None };
    let nests = functions.iter().zip(&laws).map(|(function, laws)| {
        let nest = Nest::new(function, laws);
        match sources.lines(&function.file) {
            Some(lines) => nest.with_lines(extent::begins_of_loops(lines, function)),
            None => nest,
        }
    });
    let nests: Vec<Nest<'_>> = nests.collect();
    let mut costs = Costs::new(&functions, &nests, &left_out);
    let mut relations = relation::Relations::new(study, options, modeller, points);
    let mut all_loops = Loops { unlike, ..Loops::default() };
    for (index, function) in functions.iter().enumerate() {
        let nest = &nests[index];
        let lines = sources.lines(&function.file);
        let runs = relations.runs_of(function);
        let values = Values::new(&runs);
        let entered = entries::entries(function);
        let entered_in_runs: Vec<_> = runs.iter().map(|run| Some(entries::entries((*run)?))).collect();
        let mut names = relation::InFeatures::default();
        let mut of_runs: Vec<Vec<Option<relation::LoopRun<'_>>>> = Vec::new();
        let first = all_loops.rows.len();
        for (one, bounds) in (0..).zip(costs.of_loops(index)) {
            let mut row = row(nest, one, entered[one as usize]);
            if let Some(lines) = lines {
                row.last_line = extent::end_of_loop(lines, &row);
            }
            row.in_call.together = values.together(nest, one);
            (row.o, row.omega) = (text(bounds.upper.as_ref()), text(bounds.lower.as_ref()));
            let one = one as usize;
            let in_runs = runs.iter().zip(&entered_in_runs).map(|(run, entered)| {
                let of_loop = &(*run)?.loops[one];
                Some(relation::LoopRun { of_loop, trips: trips_in_all(of_loop, entered.as_ref()?[one]) })
            });
            of_runs.push(in_runs.collect());
            let law = laws[index][one].polynomial.as_ref();
            relations.relate(&mut row, &function.loops[one], &of_runs[one], law, &mut names);
            all_loops.rows.push(row);
        }
        for (one, row) in (0..).zip(&mut all_loops.rows[first..]) {
            let is_exact = row.in_call.status == LoopStatus::Exact;
            let in_call = nest.formula_in_call(one, false).filter(|_| is_exact);
            let in_call = in_call.and_then(|formula| names.formula(&formula));
            row.in_run = relations.of_trips(row.trips.status, &of_runs[one as usize], in_call.as_ref());
        }
        let trips = all_trips(nest);
        let FunctionCost { bounds, recurrence, .. } = costs.of_function(index);
        all_loops.functions.push(LoopFunctionRow {
            name: function.symbol.name.clone(),
            file: function.file.clone(),
            line: function.line,
            trips_in_features: trips.as_ref().and_then(|sum| Some(names.formula(sum)?.to_string())),
            trips: trips.map(|sum| in_words(&sum).to_string()),
            o: text(bounds.upper.as_ref()),
            omega: text(bounds.lower.as_ref()),
            bounds: bounds.text().unwrap_or_else(|| "?".to_owned()),
            recurrence: recurrence.clone(),
            never_ran: (0..function.loops.len() as u32).filter(|&one| nest.never_ran(one)).count(),
        });
    }
    all_loops.left_out = left_out;
    all_loops
}

/// Formats a growth; `?` if its powers overflow.
fn text(growth: Option<&Growth>) -> String {
    growth.map_or_else(|| "?".to_owned(), |growth| format!("{growth}"))
}

/// Builds the row of a loop, without its growth and its relations to features.
fn row(nest: &Nest<'_>, index: u32, entered: Option<u64>) -> LoopRow {
    let function = nest.function;
    let one = &function.loops[index as usize];
    let law = &nest.laws[index as usize];
    let parents = || function.around(index);
    let in_call = nest.trips_in_call(index);
    let chain = || std::iter::once(index).chain(parents());
    let is_conditional = |index: u32| function.loops[index as usize].is_conditional;
    let is_left_out = !in_call.is_symbol() && chain().any(is_conditional);
    let at_most = in_call.certainty == Certainty::Bound || is_left_out;
    let formula = nest.formula_in_call(index, false);
    let constant_trips = one.constant_trips.filter(|_| entered != Some(0));
    let line = nest.line(index);
    let inner = nest.nested[index as usize].iter().map(|&inner| nest.line(inner));
    let calls = function.calls.iter().filter(|call| call.within == Some(index)).map(|call| call.line);
    LoopRow {
        function: function.symbol.name.clone(),
        file: function.file.clone(),
        line,
        number: nest.number_on_line(index),
        last_line: inner.chain(calls).max().unwrap_or(line).max(line),
        depth: parents().count() as u32 + 1,
        parent: one.parent.map(|around| nest.line(around)),
        inputs: inputs(nest, one),
        trips: LoopTrips {
            formula: law
                .polynomial
                .as_ref()
                .map(|polynomial| in_words(polynomial).to_string())
                .or_else(|| Some(format!("≈ {}", unmarked_formula(&law.fitted.as_ref()?.law()?)))),
            status: law.status,
            points: law.points,
            off: law.off,
            off_points: law.off_points.clone(),
            bound: law.bound.as_ref().map(|bound| in_words(bound).to_string()),
            refuted: law.refuted.as_ref().map(|stated| in_words(stated).to_string()),
            ambiguous: law.is_ambiguous,
        },
        in_call: LoopCallTrips {
            formula: in_words(formula.as_ref().unwrap_or(in_call.polynomial())).to_string(),
            status: match in_call.certainty {
                _ if at_most || formula.is_none() => LoopStatus::Symbolic,
                Certainty::Exact(_) | Certainty::Derived => LoopStatus::Exact,
                Certainty::Interpolated(_) => LoopStatus::Fitted,
                Certainty::Symbolic | Certainty::Bound => LoopStatus::Symbolic,
            },
            compared: match in_call.certainty {
                Certainty::Exact(count) | Certainty::Interpolated(count) => count,
                _ => 0,
            },
            together: Vec::new(),
            at_most,
        },
        in_run: None,
        o: String::new(),
        omega: String::new(),
        conditional: one.is_conditional || nest.is_left_early(index),
        activations: entered,
        total: trips_in_all(one, entered),
        least: constant_trips.unwrap_or(one.total.least.trips),
        greatest: constant_trips.unwrap_or(one.total.greatest.trips),
        sampled: one.total.sampled.filter(|share| *share < 1.0),
        sampled_error: sampled_error(one, law),
        predicted: Vec::new(),
        mispredicted: 0,
    }
}

/// Returns the trips of all activations, given the number of activations.
fn trips_in_all(one: &ProgramLoop, entered: Option<u64>) -> Option<u64> {
    let entered = entered?;
    one.constant_trips.map_or(Some(one.total.trips), |trips| entered.checked_mul(trips))
}

/// Returns the largest share of all activations at which a formula may be wrong although it is right at every kept one.
///
/// # Formula
/// `1 − α^(w/n)` with `α` of 5 % and `n` activations, of which at least one in `w` was kept at any time. If a larger
/// share were different, all kept activations would agree with a probability below `α`. This holds even if the
/// different ones come last.
fn sampled_error(one: &ProgramLoop, law: &TripsLaw) -> Option<f64> {
    let share = one.total.sampled.filter(|share| *share > 0.0 && *share < 1.0)?;
    let all = one.total.activations;
    let least = LOOP_SAMPLING.iter().find(|(from, _)| all >= *from).map_or(1, |(_, weight)| *weight);
    let weight = (least as f64).max(1.0 / share);
    (law.polynomial.is_some() && law.off == 0 && all > 0).then(|| 1.0 - 0.05_f64.powf(weight / all as f64))
}

fn inputs(nest: &Nest<'_>, one: &ProgramLoop) -> Vec<LoopInputRow> {
    let value = |k: usize| one.observations.iter().map(move |o| o.inputs[k]);
    let row = |(k, input): (usize, &trend_profile::LoopInput)| LoopInputRow {
        name: input.name.clone(),
        kind: input.kind,
        counter_of: input.counter_of.map(|index| nest.line(index)),
        changes: input.value == LoopInputValue::Changing,
        least: value(k).min().filter(|_| input.value == LoopInputValue::Integer),
        greatest: value(k).max().filter(|_| input.value == LoopInputValue::Integer),
        relation: None,
    };
    one.inputs.iter().enumerate().map(row).collect()
}
