//! What a call of a function costs: its loops, and the functions that it calls with the arguments that it gives them.

use std::collections::HashMap;

use trend_model::loops::{Cost, Growth, Polynomial, Rational, Recurrence, Shrinking};
use trend_profile::{LoopCall, LoopExits, LoopFunction, LoopInputKind};

use super::nest::{Certainty, Nest};
use super::symbols::{counter, in_words};

/// Calls nest no deeper; beyond it, a function is not looked into.
const DEEPEST: usize = 64;

/// A function whose cost has more orders than people read has one name for all of it in the costs of its callers.
const MOST_ORDERS: usize = 4;

/// A cost of more characters has one name as well: with each level of calls, names such as `trips of list.c:7` add up.
const MOST_CHARACTERS: usize = 40;

/// A polynomial of degree 4 in four names has 70 terms. With counters replaced by such polynomials again and again, their
/// number grows as a double exponential; beyond this one, counters keep their names.
const MOST_TERMS: usize = 1000;

/// Two large arguments at which a quotient is the same up to rounding and summands.
const LARGE: [f64; 2] = [1e9, 1e12];

/// As far may the quotient differ between these, by summands of up to a million: `n/2 + 1000`.
const SAME_QUOTIENT: f64 = 1e-3;

/// What a function costs.
#[derive(Clone, Debug)]
pub(super) struct FunctionCost {
    pub(super) cost: Cost,
    /// The recurrence in words, if it calls itself.
    pub(super) recurrence: Option<String>,
}

/// Costs of functions, each found once.
pub(super) struct Costs<'a> {
    functions: &'a [LoopFunction],
    nests: &'a [Nest<'a>],
    /// By their names for the linker, of which some are of one file alone.
    by_name: HashMap<&'a str, Vec<usize>>,
    found: HashMap<usize, FunctionCost>,
    /// Those that are being looked into.
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

    /// The function that is called: of several of a name the caller itself, or else the one of the same file.
    fn callee(&self, caller: usize, call: &LoopCall) -> Option<usize> {
        if call.callee == self.functions[caller].symbol.linkage {
            return Some(caller);
        }
        let named = self.by_name.get(call.callee.as_str())?;
        let object = &self.functions[caller].object;
        let own = named.iter().find(|&&index| self.functions[index].object == *object);
        own.or_else(|| named.first()).copied()
    }

    /// What a call costs.
    pub(super) fn of_function(&mut self, index: usize) -> FunctionCost {
        if let Some(found) = self.found.get(&index) {
            return found.clone();
        }
        self.open.push(index);
        let own = self.part(index, None);
        self.open.pop();
        let found = self.solved(index, own);
        // In a circle of calls, this has a symbol for the function that was looked into first. Each function is looked into
        // once: there can be as many ways through a circle as there are subsets of its functions.
        self.found.insert(index, found.clone());
        found
    }

    /// What an activation of a loop costs, with what is in it.
    pub(super) fn of_loop(&mut self, function: usize, index: u32) -> Cost {
        self.open.push(function);
        let cost = self.part(function, Some(index));
        self.open.pop();
        cost
    }

    /// The loops in a loop or in the whole function, and the calls there.
    fn part(&mut self, function: usize, around: Option<u32>) -> Cost {
        let nest = &self.nests[function];
        let of = nest.function;
        let is_within = |index: u32| {
            let parent = |one: &u32| of.loops[*one as usize].parent;
            around.is_none_or(|around| std::iter::successors(Some(index), parent).any(|one| one == around))
        };
        // Whether it can be passed over, or ended, between here and there.
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
            // What a function calls of itself is a recurrence of the whole function.
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

    /// What a call costs, in the caller's words; `None` for a function that is not known. What is being looked into, such as
    /// the caller itself, is a symbol.
    fn called(&mut self, caller: usize, call: &LoopCall) -> Option<Cost> {
        let callee = self.callee(caller, call)?;
        let name = &self.functions[callee].symbol.name;
        if self.open.contains(&callee) || self.open.len() > DEEPEST {
            return Some(Cost::name(&format!("calls of {name}")));
        }
        // In normal form: a tree would grow with every level of calls.
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

    /// How often a call is made in one call of its function; `None` where that is not a known number.
    fn times(&self, function: usize, call: &LoopCall) -> Option<u32> {
        let Some(within) = call.within else { return Some(1) };
        let trips = self.nests[function].trips(within, None);
        let is_known = matches!(trips.certainty, Certainty::Exact(_) | Certainty::Derived);
        let count = trips.polynomial.as_constant().filter(|_| is_known)?.as_integer()?;
        u32::try_from(count).ok().filter(|&count| count > 0)
    }

    /// With the calls that a function makes of itself.
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
            // `for (i = 0; i < n; i++) f(n - 1)` is n! and no recurrence with a number of calls.
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
        // A recursion ends in any case, and may do so at once.
        FunctionCost { cost: own.then_perhaps(Cost::Order(order.clone())), recurrence: Some(written) }
    }
}

/// Whether a growth is written in the costs of callers.
fn is_short(growth: &Growth) -> bool {
    growth.orders() <= MOST_ORDERS && growth.to_string().chars().count() <= MOST_CHARACTERS
}

/// Once for each trip of the loops around it.
fn with_outer(callee: Cost, outer: Option<Polynomial>) -> Cost {
    match outer {
        Some(trips) => Cost::Nest(vec![Cost::Polynomial(trips), callee]),
        None => callee,
    }
}

/// Whether a loop with these trips may be passed over although all names are large: `n − m`.
fn can_be_none(trips: &Polynomial) -> bool {
    !Growth::is_sure(trips)
}

/// The trips of loops instead of their counters, which are at most that: as far as growth goes.
fn without_counters(nest: &Nest<'_>, polynomial: &Polynomial, around: Option<u32>) -> Polynomial {
    // Within an activation of an inner loop, the counters of those around it are what they are.
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
    // The trips of a loop can have the counters of those around it.
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

/// A name of a function in the words of a caller.
pub(super) fn argument(function: &LoopFunction, call: &LoopCall, name: &str) -> Polynomial {
    // What is already in words of its own stays so: `trips of list.c:7`, `k in fill`.
    if name.contains(" in ") || name.contains(" of ") {
        return Polynomial::name(name);
    }
    // In `*p at list.c:12`, the file is no name of the program.
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
        // `m.rows` of `m` that is `a`, or `&a`, is `a.rows`, and `*m` of `&a` is `a`.
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

/// Where a word stands in a text, as a whole word.
fn word_in(text: &str, word: &str) -> Option<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|c| is_letter(c) || c == '.') && !after.is_some_and(is_letter)
    })
}

/// How an argument is smaller than the parameter.
fn shrinking(argument: &str, parameter: &str) -> Option<Shrinking> {
    let given = Polynomial::parse(argument)?;
    let name = Polynomial::name(parameter);
    if let Some(less) = name.minus(&given)?.as_constant() {
        let less = u32::try_from(less.as_integer()?).ok().filter(|&less| less > 0)?;
        return Some(Shrinking::Less(less));
    }
    // At large values a quotient is what it is without rounding. A constant is no quotient: `f(5)` is the same for all n.
    let divisor = |x: f64| Some(x / given.value_f64(&|one| (one == parameter).then_some(x))?);
    let [small, large] = LARGE.map(divisor);
    let (small, large) = (small?, large?);
    let is_quotient = large > 1.0 + 1e-9 && large.is_finite() && (small / large - 1.0).abs() < SAME_QUOTIENT;
    is_quotient.then_some(Shrinking::By(large))
}

/// A recurrence in words.
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

/// The trips of all loops of a function in one call, where all are known.
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
