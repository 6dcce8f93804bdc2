//! Computes the cost of a call of a function: its loops, and the functions it calls with the arguments it passes.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use trend_model::loops::{
    Bounds, Cost, Growth, Order, Polynomial, Rational, Recurrence, SequenceBounds, Shrinking, Side,
};
use trend_profile::{LoopCall, LoopFunction, LoopInputKind};

use super::nest::{Certainty, Nest};
use super::recursion::{Measure, from_zero, is_of_range, shrinking, written};
use super::symbols::{counter, file_name, in_words};
use crate::study::matching::{bare_name, name_of_instance};

/// Maximum depth of nested calls; functions called below it are not analyzed.
const DEEPEST: usize = 64;

/// Maximum number of orders in a cost that the costs of callers spell out. A cost with more orders becomes a single
/// name there.
const MOST_ORDERS: usize = 4;

/// Maximum number of characters in a cost that the costs of callers spell out. Names such as `trips of list.c:7` add
/// up with each level of calls.
const MOST_CHARACTERS: usize = 40;

/// Maximum number of terms after replacing counters; beyond it, counters keep their names. A polynomial of degree 4 in
/// four names has 70 terms. If counters are replaced by such polynomials repeatedly, the number of terms grows as a
/// double exponential.
const MOST_TERMS: usize = 1000;

/// Maximum depth of calls that are searched for loops outside the range of a recursion.
const DEEPEST_IN_RANGE: usize = 4;

/// Symbol for the cost of any call through a pointer.
const INDIRECT: &str = "cost of an indirect call";

/// The cost of a function.
#[derive(Clone, Debug)]
pub(super) struct FunctionCost {
    pub(super) bounds: Bounds,
    /// The cost in normal form, if it is short enough for the costs of callers: a tree would grow with every level of
    /// calls.
    short: Option<Cost>,
    /// The recurrence as text, if the function calls itself.
    pub(super) recurrence: Option<String>,
}

impl FunctionCost {
    fn new(bounds: Bounds, recurrence: Option<String>) -> Self {
        let is_short =
            [&bounds.upper, &bounds.lower].into_iter().all(|one| one.as_ref().is_some_and(is_short));
        Self { short: if is_short { bounds.as_cost() } else { None }, bounds, recurrence }
    }
}

/// The costs of functions, each computed once.
pub(super) struct Costs<'a> {
    functions: &'a [LoopFunction],
    nests: &'a [Nest<'a>],
    /// Indices of the functions by linkage name. Functions that are local to different files can share a name.
    by_name: HashMap<&'a str, Vec<usize>>,
    /// Linkage names of functions without a cost, because the study has too many nested loops.
    left_out: HashSet<&'a str>,
    /// The [names](short_names) of functions in formulas, by linkage name.
    names: HashMap<&'a str, String>,
    /// The costs computed so far, by the index of their function.
    by_index: HashMap<usize, FunctionCost>,
    /// The functions being analyzed, outermost first.
    open: Vec<usize>,
    /// Functions that were called while they were being analyzed.
    called_while_open: HashSet<usize>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(
        functions: &'a [LoopFunction],
        nests: &'a [Nest<'a>],
        left_out: &'a [LoopFunction],
    ) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, function) in functions.iter().enumerate() {
            by_name.entry(&function.symbol.linkage).or_default().push(index);
        }
        let names = short_names(functions.iter().chain(left_out));
        let left_out = left_out.iter().map(|one| one.symbol.linkage.as_str()).collect();
        Self {
            functions,
            nests,
            by_name,
            left_out,
            names,
            by_index: HashMap::new(),
            open: Vec::new(),
            called_while_open: HashSet::new(),
        }
    }

    /// Returns the name of a function for formulas.
    fn name<'b>(&'b self, linkage: &'b str) -> &'b str {
        self.names.get(linkage).map_or(linkage, String::as_str)
    }

    /// Returns the callee of a call if its loops are known. If several functions share the name, the caller itself
    /// comes first, then a function of the caller's object file.
    fn callee(&self, caller: usize, call: &LoopCall) -> Option<usize> {
        let name = call.callee.as_deref()?;
        if name == self.functions[caller].symbol.linkage {
            return Some(caller);
        }
        let named = self.by_name.get(name)?;
        let object = &self.functions[caller].object;
        let own = named.iter().find(|&&index| self.functions[index].object == *object);
        own.or_else(|| named.first()).copied()
    }

    /// Returns the cost of one call of a function.
    pub(super) fn of_function(&mut self, index: usize) -> &FunctionCost {
        if !self.by_index.contains_key(&index) {
            self.open.push(index);
            let calls = self.call_costs(index);
            let own = self.of_body(index, &calls);
            self.open.pop();
            let cost = match self.without_itself(index, &own) {
                Some(cost) => cost,
                None => self.solve_recurrence(index, own),
            };
            // In a cycle of calls, this cost has a symbol for the function that was analyzed first. Each function is
            // analyzed only once because a cycle can have as many paths as there are subsets of its functions.
            self.by_index.insert(index, cost);
        }
        &self.by_index[&index]
    }

    /// Returns the cost of one activation of each loop of a function, including everything inside it.
    ///
    /// - Time: O(loops · depth) sums of trips. Memory: the sums of one loop, and the bounds of all.
    pub(super) fn of_loops(&mut self, index: usize) -> Vec<Bounds> {
        self.open.push(index);
        let calls = self.call_costs(index);
        self.open.pop();
        let (nest, function) = (&self.nests[index], &self.functions[index]);
        let mut in_loops = vec![Vec::new(); function.loops.len()];
        for (call, cost) in function.calls.iter().zip(&calls) {
            if let Some((within, cost)) = call.within.zip(cost.as_ref()) {
                in_loops[within as usize].push((call, cost));
            }
        }
        let mut sums = vec![SequenceBounds::default(); function.loops.len()];
        for one in 0..function.loops.len() as u32 {
            if nest.never_ran(one) {
                continue;
            }
            let is_covered = nest.is_covered(one);
            // True if a loop between this one and the loop around it may be skipped or left early.
            let mut is_perhaps = false;
            for (around, trips) in nest.trips_around(one) {
                let at = &function.loops[around as usize];
                is_perhaps |= nest.is_left_early(around);
                let part = Part { is_perhaps, is_bound: trips.certainty == Certainty::Bound };
                let polynomial = in_words(trips.polynomial());
                let (sum, calls) = (&mut sums[around as usize], &in_loops[one as usize]);
                let trips = bounds(&polynomial);
                for (call, cost) in calls {
                    sum.add(&part.if_entered(&polynomial).of_call(call, cost, &trips));
                }
                if !is_covered {
                    sum.add(&part.of_loop(trips));
                }
                is_perhaps |= at.is_conditional;
            }
        }
        sums.into_iter().map(SequenceBounds::total).collect()
    }

    /// Adds up the loops of a function and its calls, which have these costs. The recursive calls form a
    /// recurrence of the whole function.
    fn of_body(&self, index: usize, calls: &[Option<Cost>]) -> Bounds {
        let (nest, function) = (&self.nests[index], &self.functions[index]);
        let calling = self.trips_that_call(index);
        let one_of_calling = |name: &str| calling.contains(name).then(|| Polynomial::integer(1));
        // For each loop: its part, the part of its body, and its trips.
        let mut parts: Vec<(Part, Part, Cost)> = Vec::with_capacity(function.loops.len());
        let mut sum = SequenceBounds::default();
        for (one, at) in (0..).zip(&function.loops) {
            let is_inside = at.parent.is_some_and(|parent| parts[parent as usize].0.is_perhaps);
            let trips = nest.trips_in_call(one);
            let part = Part {
                is_perhaps: is_inside || nest.is_left_early(one) || at.is_conditional,
                is_bound: trips.certainty == Certainty::Bound,
            };
            let mut polynomial = without_counters(nest, trips.polynomial());
            if !calling.is_empty() {
                polynomial = polynomial.substituted(&one_of_calling).unwrap_or(polynomial);
            }
            let trips = bounds(&polynomial);
            if !nest.never_ran(one) && !nest.is_covered(one) {
                sum.add(&part.of_loop(trips.clone()));
            }
            parts.push((part, part.if_entered(&polynomial), trips));
        }
        for (call, cost) in function.calls.iter().zip(calls) {
            let Some(cost) = cost.as_ref().filter(|_| self.callee(index, call) != Some(index)) else {
                continue;
            };
            match call.within {
                Some(within) => {
                    let (_, part, trips) = &parts[within as usize];
                    sum.add(&part.of_call(call, cost, trips));
                }
                None => sum.add(&at_most(cost.clone(), call.is_conditional)),
            }
        }
        sum.total()
    }

    /// Returns false if no run entered the loop that contains a call.
    fn has_run(&self, index: usize, call: &LoopCall) -> bool {
        call.within.is_none_or(|within| !self.nests[index].never_ran(within))
    }

    /// Returns the costs of a function's calls in its own words. Calls in loops that never ran have no cost.
    fn call_costs(&mut self, index: usize) -> Vec<Option<Cost>> {
        let functions = self.functions;
        let cost = |call: &LoopCall| self.has_run(index, call).then(|| self.call_cost(index, call)).flatten();
        functions[index].calls.iter().map(cost).collect()
    }

    /// Returns the cost of a call in the caller's words; `None` if the callee is not watched. The cost is a symbol for
    /// a call through a pointer, and for a callee that is still being analyzed, such as the caller itself.
    fn call_cost(&mut self, caller: usize, call: &LoopCall) -> Option<Cost> {
        let Some(callee) = self.callee(caller, call) else {
            let Some(name) = call.callee.as_deref() else { return Some(Cost::name(INDIRECT)) };
            let is_left_out = self.left_out.contains(name);
            return is_left_out.then(|| Cost::name(&format!("cost of {}", self.name(name))));
        };
        let name = self.name(&self.functions[callee].symbol.linkage).to_owned();
        if self.open.contains(&callee) || self.open.len() > DEEPEST {
            self.called_while_open.insert(callee);
            return Some(Cost::name(&format!("cost of {name}")));
        }
        let function = &self.functions[callee];
        let short = self.of_function(callee).short.as_ref();
        let between =
            short.and_then(|short| short.substituted(&|word| Some(argument(function, &name, call, word))));
        Some(between.unwrap_or_else(|| Cost::name(&format!("cost of {name}"))))
    }

    /// Returns how often one call of a function makes this call; `None` unless it is a known positive number.
    fn times(&self, function: usize, call: &LoopCall) -> Option<u32> {
        let Some(within) = call.within else { return Some(1) };
        let trips = self.nests[function].trips_in_call(within);
        let count = trips.polynomial().as_constant().filter(|_| trips.is_known())?.as_integer()?;
        u32::try_from(count).ok().filter(|&count| count > 0)
    }

    /// Finds the quantity that shrinks with each recursive call of a function, and the way in which it shrinks. `own`
    /// is the cost of the function's body.
    fn shrinking(
        &self,
        index: usize,
        calls: &[&LoopCall],
        own: &Growth,
    ) -> Option<(Measure<'a>, Vec<Shrinking>)> {
        let function = &self.functions[index];
        let parameters = || function.parameters.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let argument_at =
            |call: &LoopCall, position: usize| Polynomial::parse(call.arguments.get(position)?.as_deref()?);
        let of_parameter = |(position, name): (usize, &'a String)| {
            let all = calls.iter().map(|call| shrinking(&argument_at(call, position)?, name));
            Some((Measure::Parameter(name), all.collect::<Option<_>>()?))
        };
        if let Some(by_parameter) = parameters().find_map(of_parameter) {
            return Some(by_parameter);
        }
        let trips = OnceCell::new();
        let trips = || trips.get_or_init(|| self.trips_within(index)).as_deref();
        // A quotient needs both ends of the range. A difference does not: `f(i + 1, n)` is also nearer to any other
        // parameter. The end is the one that the cost grows with.
        let of_range = |(start, from): (usize, &'a String), (end, to): (usize, &'a String)| {
            let length = |call: &&LoopCall| {
                let length = argument_at(call, end)?.minus(&argument_at(call, start)?)?;
                let of_length = is_of_range(&length, from, to).then(|| from_zero(&length, from)).flatten()?;
                shrinking(&of_length, to).filter(|shrinking| matches!(shrinking, Shrinking::By(_)))
            };
            let all = calls.iter().map(length).collect::<Option<_>>()?;
            let without = own.substituted(Side::Upper, &|name, _| (name == to).then(Growth::one));
            let is_end = without.is_some_and(|without| without != *own);
            let is_cost_of_range = is_end && trips()?.iter().all(|trips| is_of_range(trips, from, to));
            is_cost_of_range.then_some((Measure::Range { from, to }, all))
        };
        parameters().find_map(|from| parameters().find_map(|to| of_range(from, to)))
    }

    /// Returns the trips of all loops in one call of a function, in its own names. Includes the functions
    /// that it calls, but not its recursive calls. Returns `None` if one of these functions is recursive, or if there
    /// are too many trips to list.
    fn trips_within(&self, index: usize) -> Option<Vec<Polynomial>> {
        let mut all = Vec::new();
        let mut budget = MOST_TERMS;
        self.add_trips(index, DEEPEST_IN_RANGE, &|name| Some(Polynomial::name(name)), &mut budget, &mut all)?;
        Some(all)
    }

    fn add_trips(
        &self,
        index: usize,
        depth: usize,
        in_words_of_first: &dyn Fn(&str) -> Option<Polynomial>,
        budget: &mut usize,
        all: &mut Vec<Polynomial>,
    ) -> Option<()> {
        let (nest, function) = (&self.nests[index], &self.functions[index]);
        for one in (0..function.loops.len() as u32).filter(|&one| !nest.never_ran(one)) {
            *budget = budget.checked_sub(1)?;
            let trips = without_counters(nest, nest.trips_in_call(one).polynomial());
            all.push(trips.substituted(in_words_of_first)?);
        }
        for call in function.calls.iter().filter(|call| self.has_run(index, call)) {
            *budget = budget.checked_sub(1)?;
            let Some(callee) = self.callee(index, call) else { continue };
            if callee == index && depth == DEEPEST_IN_RANGE {
                continue;
            }
            if callee == index {
                return None;
            }
            let callee_function = &self.functions[callee];
            let words = |name: &str| {
                argument(callee_function, self.name(&callee_function.symbol.linkage), call, name)
                    .substituted(in_words_of_first)
            };
            self.add_trips(callee, depth.checked_sub(1)?, &words, budget, all)?;
        }
        Some(())
    }

    /// Returns the cost of a function that calls itself through other functions: the number of its calls, times the
    /// cost of one call, in which nested calls of the function count as 1. Returns `None` for other functions.
    fn without_itself(&self, index: usize, own: &Bounds) -> Option<FunctionCost> {
        let name = self.name(&self.functions[index].symbol.linkage);
        let symbol = format!("cost of {name}");
        let own = own.as_cost().filter(|_| self.called_while_open.contains(&index))?;
        let once = own.substituted(&|name| (name == symbol).then(|| Polynomial::integer(1)))?;
        let calls = Cost::name(&format!("calls of {name}"));
        (once != own).then(|| FunctionCost::new(Cost::Nest(vec![calls, once]).bounds(), None))
    }

    /// Returns the calls by which a function calls itself.
    fn recursive_calls(&self, index: usize) -> impl Iterator<Item = &'a LoopCall> {
        let function = &self.functions[index];
        let itself = function.symbol.linkage.as_str();
        function.calls.iter().filter(move |call| call.callee.as_deref() == Some(itself))
    }

    /// Returns the symbols of the outermost loops with unknown trips in which each trip makes a recursive call. The
    /// calls of the function include these trips, so the cost of one call counts them as a single trip.
    fn trips_that_call(&self, index: usize) -> HashSet<String> {
        let (nest, function) = (&self.nests[index], &self.functions[index]);
        let is_outermost = |one: &u32| {
            function.loops[*one as usize].parent.is_none() && nest.laws[*one as usize].is_unknown()
        };
        let calls = self.recursive_calls(index).filter(|call| !call.is_conditional);
        calls.filter_map(|call| call.within).filter(is_outermost).map(|one| nest.unknown_trips(one)).collect()
    }

    /// Adds the recursive calls of a function to its own cost. If the recurrence has no solution, the recursive calls
    /// become a symbol.
    fn solve_recurrence(&self, index: usize, own: Bounds) -> FunctionCost {
        let function = &self.functions[index];
        let itself = function.symbol.linkage.as_str();
        let calls: Vec<&LoopCall> = self.recursive_calls(index).collect();
        if calls.is_empty() {
            return FunctionCost::new(own, None);
        }
        let Some(cost) = own.as_cost() else { return FunctionCost::new(own, None) };
        let symbol = Cost::name(&format!("calls of {}", self.name(itself)));
        let unsolved = FunctionCost::new(Cost::Nest(vec![symbol, cost.clone()]).bounds(), None);
        let Some(upper) = &own.upper else { return unsolved };
        let Some((measure, all)) = self.shrinking(index, &calls, upper) else { return unsolved };
        let parameter = measure.parameter();
        let mut counted: Vec<(u32, Shrinking)> = Vec::new();
        for (call, one) in calls.into_iter().zip(all) {
            // `for (i = 0; i < n; i++) f(n - 1)` makes n! calls; a recurrence needs a constant number of calls.
            let Some(times) = self.times(index, call) else { return unsolved };
            match counted.iter_mut().find(|(_, other)| *other == one) {
                Some((count, _)) => match count.checked_add(times) {
                    Some(sum) => *count = sum,
                    None => return unsolved,
                },
                None => counted.push((times, one)),
            }
        }
        let recurrence = Recurrence { calls: counted };
        let Some(upper) = measure.of_length(upper) else { return unsolved };
        let Some(order) = solution(&recurrence, parameter, &upper) else { return unsolved };
        let written = written(&recurrence, measure, &upper);
        // Every recursion ends, and it may end at once.
        FunctionCost::new(cost.then_perhaps(Cost::Order(order)).bounds(), Some(written))
    }
}

/// Returns the solution of a recurrence. `own` is the cost of a call without its recursive calls. It may have the cost
/// of an indirect call as a factor, such as that of a comparison. This factor is the same in each recursive call, so the
/// solution has it as well.
fn solution(recurrence: &Recurrence, parameter: &str, own: &Growth) -> Option<Order> {
    let own = own.as_order()?;
    let without_indirect = own.substituted(&|name| (name == INDIRECT).then(Order::one))?;
    let (power, logarithm) = without_indirect.rates(parameter)?;
    let order = recurrence.growth(parameter, power, logarithm)?.as_order()?.clone();
    let has_indirect = without_indirect != *own;
    if has_indirect { order.times(&Order::power(INDIRECT, Rational::ONE)) } else { Some(order) }
}

/// Returns the names of functions by linkage name. A name is the first of these forms that no other function has: the
/// bare name, with a type (`max<int>`), with the place (`get at map.h:9`), with both, and the full name.
pub(super) fn short_names<'a>(functions: impl Iterator<Item = &'a LoopFunction>) -> HashMap<&'a str, String> {
    let all: BTreeMap<&str, &LoopFunction> =
        functions.map(|function| (function.symbol.linkage.as_str(), function)).collect();
    let forms = |function: &LoopFunction| {
        let name = &function.symbol.name;
        let place = format!("{}:{}", file_name(&function.file), function.line);
        let (bare, instance) = (bare_name(name), name_of_instance(name));
        let at_place = [format!("{bare} at {place}"), format!("{instance} at {place}")];
        [vec![bare, instance], at_place.to_vec(), vec![name.clone(), format!("{name} at {place}")]].concat()
    };
    let all: Vec<_> = all.into_iter().map(|(linkage, one)| (linkage, one, forms(one))).collect();
    // Functions with the same full name and place are copies, such as the two symbols of a C++ constructor.
    let mut having: HashMap<&str, HashSet<(&str, &str, u32)>> = HashMap::new();
    for (_, one, forms) in &all {
        for form in forms {
            having.entry(form).or_default().insert((&one.symbol.name, &one.file, one.line));
        }
    }
    // A form that is empty or starts with `<` comes from a name that was not split.
    let is_only =
        |form: &&String| !form.is_empty() && !form.starts_with('<') && having[form.as_str()].len() == 1;
    let shortest = |one: &LoopFunction, forms: &[String]| {
        forms.iter().find(is_only).cloned().unwrap_or_else(|| one.symbol.name.clone())
    };
    all.iter().map(|(linkage, one, forms)| (*linkage, shortest(one, forms))).collect()
}

/// Properties of a loop that determine its part in the cost of the code around it.
#[derive(Clone, Copy)]
struct Part {
    /// True if the loop may be skipped or left early.
    is_perhaps: bool,
    /// True if its trips are an upper bound.
    is_bound: bool,
}

impl Part {
    /// Returns the part of the loop's body. The body may also be skipped if the loop can have no trips although all
    /// names are large: `n − m`.
    fn if_entered(self, trips: &Polynomial) -> Self {
        Self { is_perhaps: self.is_perhaps || !Growth::is_sure(trips), ..self }
    }

    fn of_loop(self, trips: Cost) -> Cost {
        at_most(trips, self.is_perhaps || self.is_bound)
    }

    /// Returns the part of a call with this cost in each of these trips.
    fn of_call(self, call: &LoopCall, cost: &Cost, trips: &Cost) -> Cost {
        let is_at_most = call.is_conditional || self.is_perhaps || self.is_bound;
        at_most(Cost::Nest(vec![trips.clone(), cost.clone()]), is_at_most)
    }
}

/// Returns trips as a cost with computed bounds, because each call in a loop needs them.
fn bounds(trips: &Polynomial) -> Cost {
    let cost = Cost::Polynomial(trips.clone());
    cost.bounds().as_cost().unwrap_or(cost)
}

/// Returns the cost, or at most the cost.
fn at_most(cost: Cost, is_at_most: bool) -> Cost {
    if is_at_most { Cost::AtMost(Box::new(cost)) } else { cost }
}

/// Returns true if a growth is short enough for the costs of callers.
fn is_short(growth: &Growth) -> bool {
    growth.orders() <= MOST_ORDERS && growth.to_string().chars().count() <= MOST_CHARACTERS
}

/// Replaces counters by the trips of their loops, which bound the counters as far as growth is concerned.
/// Within an activation of an inner loop, the counters of the outer loops are constant and stay.
fn without_counters(nest: &Nest<'_>, polynomial: &Polynomial) -> Polynomial {
    let replaced = |polynomial: &Polynomial| {
        polynomial.substituted(&|name| {
            let (_, index) =
                counter(name).filter(|&(_, index)| (index as usize) < nest.function.loops.len())?;
            Some(nest.own(index).polynomial().clone())
        })
    };
    let mut sum = polynomial.clone();
    // The trips of a loop can contain the counters of the loops around it.
    for _ in &nest.function.loops {
        if !sum.any_name(&mut |name| counter(name).is_some()) {
            break;
        }
        match replaced(&sum).filter(|replaced| replaced.terms().len() <= MOST_TERMS) {
            Some(replaced) => sum = replaced,
            None => break,
        }
    }
    in_words(&sum)
}

/// Returns a name of a function in the words of a caller. `callee` is the function's name in formulas.
pub(super) fn argument(function: &LoopFunction, callee: &str, call: &LoopCall, name: &str) -> Polynomial {
    // Generated names stay as they are: `trips of list.c:7`, `k in fill`.
    if name.contains(" in ") || name.contains(" of ") {
        return Polynomial::name(name);
    }
    // In `*p at list.c:12`, the file is not a name of the program.
    let words = name.split_once(" at ").map_or(name, |(words, _)| words);
    for (position, parameter) in function.parameters.iter().enumerate() {
        if parameter.is_empty() {
            continue;
        }
        let Some(place) = word_in(words, parameter) else { continue };
        let Some(Some(argument)) = call.arguments.get(position) else { break };
        if name == parameter {
            return Polynomial::parse(argument).unwrap_or_else(|| Polynomial::name(argument));
        }
        // If `a` or `&a` is passed for `m`, `m.rows` becomes `a.rows`. If `&a` is passed, `*m` becomes `a`.
        let (before, after) = (&name[..place], &name[place + parameter.len()..]);
        let text = match argument.strip_prefix('&') {
            Some(object) if after.starts_with('.') => format!("{before}{object}{after}"),
            Some(object) if before.ends_with('*') => format!("{}{object}{after}", &before[..place - 1]),
            Some(_) if after.starts_with('[') => format!("{before}({argument}){after}"),
            _ => format!("{before}{argument}{after}"),
        };
        return Polynomial::name(&text);
    }
    let is_global = function
        .loops
        .iter()
        .flat_map(|one| &one.inputs)
        .any(|input| input.name == name && input.kind == LoopInputKind::Global);
    if is_global {
        return Polynomial::name(name);
    }
    Polynomial::name(&format!("{name} in {callee}"))
}

/// Returns the position of a word in a text, where it stands as a whole word and is not a field.
fn word_in(text: &str, word: &str) -> Option<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|c| is_letter(c) || c == '.') && !after.is_some_and(is_letter)
    })
}

/// Returns the trips of all loops of a function in one call, if all are known.
pub(super) fn all_trips(nest: &Nest<'_>) -> Option<Polynomial> {
    let mut sum = Polynomial::constant(Rational::ZERO);
    for (index, one) in nest.function.loops.iter().enumerate() {
        let index = index as u32;
        if !nest.trips_in_call(index).is_known() || one.is_conditional || nest.is_left_early(index) {
            return None;
        }
        let trips = nest.formula_in_call(index, true)?;
        if trips.any_name(&mut |name| counter(name).is_some()) {
            return None;
        }
        sum = sum.plus(&trips)?;
    }
    let is_one_value = sum.names().iter().all(|name| nest.is_same_in_call(name));
    (!nest.function.loops.is_empty() && is_one_value).then_some(sum)
}
