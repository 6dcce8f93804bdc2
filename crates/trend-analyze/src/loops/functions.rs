//! Computes the cost of a call of a function: its loops, and the functions it calls with the arguments it passes.

use std::collections::HashMap;

use trend_model::loops::{Cost, Growth, Polynomial, Rational, Recurrence, Shrinking};
use trend_profile::{LoopCall, LoopExits, LoopFunction, LoopInputKind};

use super::nest::{Certainty, Nest};
use super::symbols::{counter, in_words};

/// Maximum depth of nested calls; functions called below it are not analyzed.
const DEEPEST: usize = 64;

/// Maximum number of orders in a cost that callers spell out. A cost with more orders is a single name in the costs of
/// callers.
const MOST_ORDERS: usize = 4;

/// Maximum number of characters in a cost that callers spell out. Names such as `trips of list.c:7` add up with each
/// level of calls.
const MOST_CHARACTERS: usize = 40;

/// Maximum number of terms after replacing counters; beyond it, counters keep their names. A polynomial of degree 4 in
/// four names has 70 terms. If counters are replaced by such polynomials repeatedly, the number of terms grows as a
/// double exponential.
const MOST_TERMS: usize = 1000;

/// Two large arguments, at which rounding and summands hardly change a quotient.
const LARGE: [f64; 2] = [1e9, 1e12];

/// Maximum relative difference of the quotient between the two arguments. A summand such as the 1000 of `n/2 + 1000`
/// stays far below it.
const SAME_QUOTIENT: f64 = 1e-3;

/// The cost of a function.
#[derive(Clone, Debug)]
pub(super) struct FunctionCost {
    pub(super) cost: Cost,
    /// The recurrence as text, if the function calls itself.
    pub(super) recurrence: Option<String>,
}

/// The costs of functions, each computed once.
pub(super) struct Costs<'a> {
    functions: &'a [LoopFunction],
    nests: &'a [Nest<'a>],
    /// Indices of the functions by linkage name. Functions that are local to different files can share a name.
    by_name: HashMap<&'a str, Vec<usize>>,
    found: HashMap<usize, FunctionCost>,
    /// The functions being analyzed, outermost first.
    open: Vec<usize>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(functions: &'a [LoopFunction], nests: &'a [Nest<'a>]) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, function) in functions.iter().enumerate() {
            by_name.entry(&function.symbol.linkage).or_default().push(index);
        }
        Self { functions, nests, by_name, found: HashMap::new(), open: Vec::new() }
    }

    /// Returns the callee of a call. If several functions share the name, the caller itself comes first, then a
    /// function of the caller's object file.
    fn callee(&self, caller: usize, call: &LoopCall) -> Option<usize> {
        if call.callee == self.functions[caller].symbol.linkage {
            return Some(caller);
        }
        let named = self.by_name.get(call.callee.as_str())?;
        let object = &self.functions[caller].object;
        let own = named.iter().find(|&&index| self.functions[index].object == *object);
        own.or_else(|| named.first()).copied()
    }

    /// Returns the cost of one call of a function.
    pub(super) fn of_function(&mut self, index: usize) -> FunctionCost {
        if let Some(found) = self.found.get(&index) {
            return found.clone();
        }
        self.open.push(index);
        let own = self.part(index, None);
        self.open.pop();
        let found = self.solved(index, own);
        // In a cycle of calls, this cost has a symbol for the function that was analyzed first. Each function is
        // analyzed only once because a cycle can have as many paths as there are subsets of its functions.
        self.found.insert(index, found.clone());
        found
    }

    /// Returns the cost of one activation of a loop, including everything inside it.
    pub(super) fn of_loop(&mut self, function: usize, index: u32) -> Cost {
        self.open.push(function);
        let cost = self.part(function, Some(index));
        self.open.pop();
        cost
    }

    /// Adds up the loops and calls in the loop `around`, or in the whole function if it is `None`.
    fn part(&mut self, function: usize, around: Option<u32>) -> Cost {
        let nest = &self.nests[function];
        let of = nest.function;
        let is_within = |index: u32| {
            let parent = |one: &u32| of.loops[*one as usize].parent;
            around.is_none_or(|around| std::iter::successors(Some(index), parent).any(|one| one == around))
        };
        // True if a loop between `index` and `around` may be skipped or left early.
        let is_perhaps = |index: u32| {
            let mut current = Some(index);
            while let Some(one) = current {
                let at = &of.loops[one as usize];
                if at.exits == LoopExits::Several || (at.is_conditional && Some(one) != around) {
                    return true;
                }
                if Some(one) == around {
                    break;
                }
                current = at.parent;
            }
            false
        };
        let mut parts = vec![Cost::constant()];
        for index in (0..of.loops.len() as u32).filter(|&index| is_within(index)) {
            let trips = nest.trips(index, around);
            let cost = Cost::Polynomial(without_counters(nest, &trips.polynomial, around));
            let is_at_most = is_perhaps(index) || trips.certainty == Certainty::Bound;
            parts.push(if is_at_most { Cost::AtMost(Box::new(cost)) } else { cost });
        }
        for call in of.calls.iter().filter(|call| call.within.map_or(around.is_none(), is_within)) {
            // A function's calls of itself form a recurrence of the whole function.
            if around.is_none() && self.callee(function, call) == Some(function) {
                continue;
            }
            let Some(callee) = self.called(function, call) else { continue };
            let outer = call.within.map(|within| {
                let trips = nest.trips(within, around);
                let polynomial = without_counters(nest, &trips.polynomial, around);
                (trips.certainty == Certainty::Bound || can_be_none(&polynomial), polynomial)
            });
            let callee = with_outer(callee, outer.as_ref().map(|(_, trips)| trips.clone()));
            let is_at_most = call.is_conditional
                || call.within.is_some_and(is_perhaps)
                || outer.is_some_and(|(is_bound, _)| is_bound);
            parts.push(if is_at_most { Cost::AtMost(Box::new(callee)) } else { callee });
        }
        Cost::Sequence(parts)
    }

    /// Returns the cost of a call in the caller's words; `None` if the callee is unknown. A function that is still
    /// being analyzed, such as the caller itself, becomes a symbol.
    fn called(&mut self, caller: usize, call: &LoopCall) -> Option<Cost> {
        let callee = self.callee(caller, call)?;
        let name = &self.functions[callee].symbol.name;
        if self.open.contains(&callee) || self.open.len() > DEEPEST {
            return Some(Cost::name(&format!("calls of {name}")));
        }
        // The cost is brought into normal form: a tree would grow with every level of calls.
        let cost = self.of_function(callee).cost;
        let function = &self.functions[callee];
        let between = match (cost.lower(), cost.upper()) {
            (Some(lower), Some(upper)) if is_short(&upper) && is_short(&lower) => {
                Cost::Between { lower, upper }.substituted(&|name| Some(argument(function, call, name)))
            }
            _ => None,
        };
        Some(between.unwrap_or_else(|| Cost::name(&format!("cost of {}", function.symbol.name))))
    }

    /// Returns how often one call of a function makes this call; `None` unless it is a known positive number.
    fn times(&self, function: usize, call: &LoopCall) -> Option<u32> {
        let Some(within) = call.within else { return Some(1) };
        let trips = self.nests[function].trips(within, None);
        let is_known = matches!(trips.certainty, Certainty::Exact(_) | Certainty::Derived);
        let count = trips.polynomial.as_constant().filter(|_| is_known)?.as_integer()?;
        u32::try_from(count).ok().filter(|&count| count > 0)
    }

    /// Adds a function's calls of itself to its own cost. If the recurrence has no solution, these calls become a
    /// symbol.
    fn solved(&self, index: usize, own: Cost) -> FunctionCost {
        let function = &self.functions[index];
        let itself = function.symbol.linkage.as_str();
        let calls: Vec<&LoopCall> = function.calls.iter().filter(|call| call.callee == itself).collect();
        if calls.is_empty() {
            return FunctionCost { cost: own, recurrence: None };
        }
        let symbol = || Cost::name(&format!("calls of {}", function.symbol.name));
        let unsolved = FunctionCost { cost: Cost::Nest(vec![symbol(), own.clone()]), recurrence: None };
        let shrinking = function.parameters.iter().enumerate().find_map(|(position, parameter)| {
            let all: Option<Vec<Shrinking>> = calls
                .iter()
                .map(|call| shrinking(call.arguments.get(position)?.as_deref()?, parameter))
                .collect();
            Some((parameter, all?))
        });
        let Some((parameter, all)) = shrinking else { return unsolved };
        let mut counted: Vec<(u32, Shrinking)> = Vec::new();
        for (call, one) in calls.into_iter().zip(all) {
            // `for (i = 0; i < n; i++) f(n - 1)` makes n! calls; a recurrence needs a constant number of calls.
            let Some(times) = self.times(index, call) else { return unsolved };
            match counted.iter_mut().find(|(_, known)| *known == one) {
                Some((count, _)) => match count.checked_add(times) {
                    Some(sum) => *count = sum,
                    None => return unsolved,
                },
                None => counted.push((times, one)),
            }
        }
        let recurrence = Recurrence { calls: counted };
        let Some(upper) = own.upper() else { return unsolved };
        let (power, logarithm) = match upper.as_order() {
            Some(order) => match order.rates(parameter) {
                Some(rates) => rates,
                None => return unsolved,
            },
            None => return unsolved,
        };
        let Some(growth) = recurrence.growth(parameter, power, logarithm) else { return unsolved };
        let Some(order) = growth.as_order() else { return unsolved };
        let written = written(&recurrence, parameter, &upper.to_string());
        // Every recursion ends, and it may end at once.
        FunctionCost { cost: own.then_perhaps(Cost::Order(order.clone())), recurrence: Some(written) }
    }
}

/// Returns true if a growth is short enough for the costs of callers.
fn is_short(growth: &Growth) -> bool {
    growth.orders() <= MOST_ORDERS && growth.to_string().chars().count() <= MOST_CHARACTERS
}

/// Multiplies a callee's cost by the trips of the loops around the call.
fn with_outer(callee: Cost, outer: Option<Polynomial>) -> Cost {
    match outer {
        Some(trips) => Cost::Nest(vec![Cost::Polynomial(trips), callee]),
        None => callee,
    }
}

/// Returns true if a loop with these trips may be skipped even if all names are large: `n − m`.
fn can_be_none(trips: &Polynomial) -> bool {
    !Growth::is_sure(trips)
}

/// Replaces counters by the trips of their loops, which bound the counters as far as growth is concerned.
fn without_counters(nest: &Nest<'_>, polynomial: &Polynomial, around: Option<u32>) -> Polynomial {
    // Within an activation of an inner loop, the counters of the outer loops are constant.
    if around.is_some() {
        return in_words(polynomial);
    }
    let replaced = |polynomial: &Polynomial| {
        polynomial.substituted(&|name| {
            let (_, of) = counter(name).filter(|&(_, of)| (of as usize) < nest.function.loops.len())?;
            Some(nest.trips(of, Some(of)).polynomial)
        })
    };
    let mut sum = polynomial.clone();
    // The trips of a loop can contain the counters of the loops around it.
    for _ in &nest.function.loops {
        if !sum.names().iter().any(|name| counter(name).is_some()) {
            break;
        }
        match replaced(&sum).filter(|replaced| replaced.terms().len() <= MOST_TERMS) {
            Some(replaced) => sum = replaced,
            None => break,
        }
    }
    in_words(&sum)
}

/// Returns a name of a function in the words of a caller.
pub(super) fn argument(function: &LoopFunction, call: &LoopCall, name: &str) -> Polynomial {
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
        let Some(Some(given)) = call.arguments.get(position) else { break };
        if name == parameter {
            return Polynomial::parse(given).unwrap_or_else(|| Polynomial::name(given));
        }
        // If `a` or `&a` is passed for `m`, `m.rows` becomes `a.rows`. If `&a` is passed, `*m` becomes `a`.
        let (before, after) = (&name[..place], &name[place + parameter.len()..]);
        let text = match given.strip_prefix('&') {
            Some(object) if after.starts_with('.') => format!("{before}{object}{after}"),
            Some(object) if before.ends_with('*') => format!("{}{object}{after}", &before[..place - 1]),
            Some(_) if after.starts_with('[') => format!("{before}({given}){after}"),
            _ => format!("{before}{given}{after}"),
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
    Polynomial::name(&format!("{name} in {}", function.symbol.name))
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

/// Returns how an argument shrinks compared with the parameter.
fn shrinking(argument: &str, parameter: &str) -> Option<Shrinking> {
    let given = Polynomial::parse(argument)?;
    let name = Polynomial::name(parameter);
    if let Some(less) = name.minus(&given)?.as_constant() {
        let less = u32::try_from(less.as_integer()?).ok().filter(|&less| less > 0)?;
        return Some(Shrinking::Less(less));
    }
    // At large values, rounding no longer affects a quotient. A constant is not a quotient: `f(5)` is the same for all
    // n.
    let divisor = |x: f64| Some(x / given.value_f64(&|one| (one == parameter).then_some(x))?);
    let [small, large] = LARGE.map(divisor);
    let (small, large) = (small?, large?);
    let is_quotient = large > 1.0 + 1e-9 && large.is_finite() && (small / large - 1.0).abs() < SAME_QUOTIENT;
    is_quotient.then_some(Shrinking::By(large))
}

/// Writes a recurrence as text.
fn written(recurrence: &Recurrence, parameter: &str, own: &str) -> String {
    let mut text = format!("T({parameter}) = ");
    for (count, shrinking) in &recurrence.calls {
        let argument = match shrinking {
            Shrinking::By(divisor) => format!("{parameter}/{}", (divisor * 1000.0).round() / 1000.0),
            Shrinking::Less(step) => format!("{parameter} − {step}"),
        };
        let count = if *count == 1 { String::new() } else { format!("{count}·") };
        text.extend([count.as_str(), "T(", argument.as_str(), ") + "]);
    }
    text + own
}

/// Returns the trips of all loops of a function in one call, if all are known.
pub(super) fn all_trips(nest: &Nest<'_>) -> Option<Polynomial> {
    let mut sum = Polynomial::constant(Rational::ZERO);
    for (index, one) in nest.function.loops.iter().enumerate() {
        let trips = nest.trips(index as u32, None);
        let is_known = matches!(trips.certainty, Certainty::Exact(_) | Certainty::Derived);
        if !is_known || one.is_conditional || one.exits == LoopExits::Several {
            return None;
        }
        if trips.polynomial.names().iter().any(|name| counter(name).is_some()) {
            return None;
        }
        sum = sum.plus(&trips.polynomial)?;
    }
    (!nest.function.loops.is_empty()).then_some(sum)
}
