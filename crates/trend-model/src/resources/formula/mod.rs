//! Evaluates formulas that a person writes for an algorithm's time: sums of execution counts times the constants of the
//! fragments.
//!
//! ```text
//!   # A heap of n elements.
//!   heap(n, deletes) = n*insert + 1.5*deletes*log2(n)*sift
//!   seconds = heap(nodes, nodes) + edges*relax
//! ```

mod expression;
mod parse;

use std::collections::BTreeMap;

pub use self::expression::FormulaError;
use self::expression::{Definition, Expression, Function, Kind, Operator, Position};

/// Maximum number of evaluation steps. Reasonable formulas take a few hundred; calls that multiply would otherwise not
/// end in reasonable time.
const MOST_STEPS: usize = 1_000_000;

/// Maximum nesting depth of an evaluation, through all formulas that call each other.
const MOST_DEPTH: usize = 400;

/// Maximum number of formulas.
const MOST_DEFINITIONS: usize = 1000;

/// Maximum length of all formulas together, in bytes.
const LONGEST: usize = 64 << 10;

/// Value of a formula, or of a name in one.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// A number without a unit, or a number of bytes.
    Number(f64),
    /// A time in seconds: the multiple of each constant, by the constant's name.
    Time(BTreeMap<String, f64>),
}

impl Quantity {
    /// Returns the time of one execution of a constant's fragment.
    pub fn constant(name: &str) -> Self {
        Self::Time(BTreeMap::from([(name.to_owned(), 1.0)]))
    }
}

/// Named formulas, some with parameters, which may call each other.
///
/// Times are sums: a constant can be multiplied or divided by a number, and added to other times. Anything else is an
/// error, such as adding a time to a number or multiplying two times.
///
/// ```
/// # use trend_model::{Formulas, Quantity};
/// let formulas = Formulas::parse("sort(n) = n*log2(n)*compare + start\nseconds = 2*sort(rows)")?;
/// let value = |name: &str| match name {
///     "rows" => Some(Quantity::Number(8.0)),
///     "compare" | "start" => Some(Quantity::constant(name)),
///     _ => None,
/// };
/// let Quantity::Time(times) = formulas.evaluate("seconds", value)? else { unreachable!() };
/// assert_eq!((times["compare"], times["start"]), (48.0, 2.0));
/// # Ok::<(), trend_model::FormulaError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Formulas {
    /// Sorted by ascending name.
    definitions: Vec<Definition>,
}

impl Formulas {
    /// Parses definitions of the form `name = …` or `name(a, b) = …`. A definition continues on lines that begin with a
    /// space. `#` begins a comment, and a name may contain points: `sift.memory`. Expressions use `+ - * / ^`, also `·`
    /// and `×`, parentheses, `log2`, `ln`, `sqrt`, `min(a, b)` and `max(a, b)`.
    ///
    /// # Errors
    /// [`FormulaError`] for text that does not parse, for a name that is defined twice or that is built in, and for too
    /// much text.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let begin = Position { line: 1, column: 1 };
        if text.len() > LONGEST {
            return Err(begin.error(format!("the formulas are longer than {LONGEST} bytes")));
        }
        let mut definitions = parse::definitions(text)?;
        if definitions.len() > MOST_DEFINITIONS {
            return Err(begin.error(format!("there are more than {MOST_DEFINITIONS} formulas")));
        }
        definitions.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = definitions.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(pair[1].place.error(format!("`{}` is defined twice", pair[1].name)));
        }
        if let Some(definition) = definitions.iter().find(|d| Function::named(&d.name).is_some()) {
            return Err(definition.place.error(format!("`{}` is a built-in function", definition.name)));
        }
        Ok(Self { definitions })
    }

    /// Returns true if a formula without parameters has this name.
    pub fn defines(&self, name: &str) -> bool {
        self.definition(name).is_some_and(|definition| definition.parameters.is_empty())
    }

    /// Returns the names that are used but not defined here, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for definition in &self.definitions {
            let mut waiting = vec![&definition.is];
            while let Some(expression) = waiting.pop() {
                match &expression.kind {
                    Kind::Number(_) => {}
                    Kind::Name(name) => {
                        let name = name.as_str();
                        let is_known = self.definition(name).is_some()
                            || definition.parameters.iter().any(|parameter| parameter == name)
                            || names.contains(&name);
                        if !is_known {
                            names.push(name);
                        }
                    }
                    Kind::Call(_, arguments) => waiting.extend(arguments.iter().rev()),
                    Kind::Negative(inner) => waiting.push(inner),
                    Kind::Operation(_, sides) => waiting.extend(sides.iter().rev()),
                }
            }
        }
        names
    }

    /// Evaluates a formula without parameters. `value` returns the values of the names that are not defined here.
    ///
    /// # Errors
    /// [`FormulaError`] for an unknown name, units that do not fit, a formula that calls itself, and numbers that are
    /// not finite.
    pub fn evaluate(
        &self,
        name: &str,
        value: impl Fn(&str) -> Option<Quantity>,
    ) -> Result<Quantity, FormulaError> {
        let nowhere = Position { line: 1, column: 1 };
        let definition =
            self.definition(name).ok_or_else(|| nowhere.error(format!("`{name}` is not defined")))?;
        let mut evaluation = Evaluation { formulas: self, value: &value, steps: 0 };
        evaluation.call(definition.place, definition, &[], 0)
    }

    fn definition(&self, name: &str) -> Option<&Definition> {
        let index = self.definitions.binary_search_by(|definition| definition.name.as_str().cmp(name));
        index.ok().map(|index| &self.definitions[index])
    }
}

/// Parameter names with their values.
type Arguments<'a> = [(&'a str, Quantity)];

struct Evaluation<'a> {
    formulas: &'a Formulas,
    value: &'a dyn Fn(&str) -> Option<Quantity>,
    steps: usize,
}

impl Evaluation<'_> {
    fn call(
        &mut self,
        place: Position,
        definition: &Definition,
        arguments: &[Quantity],
        depth: usize,
    ) -> Result<Quantity, FormulaError> {
        let Definition { name, parameters, is, .. } = definition;
        if parameters.len() != arguments.len() {
            let what = format!("`{name}` takes {}, not {}", in_words(parameters.len()), arguments.len());
            return Err(place.error(what));
        }
        let named: Vec<_> = parameters.iter().map(String::as_str).zip(arguments.iter().cloned()).collect();
        self.evaluate(is, &named, depth + 1)
    }

    fn evaluate(
        &mut self,
        expression: &Expression,
        bindings: &Arguments<'_>,
        depth: usize,
    ) -> Result<Quantity, FormulaError> {
        if depth >= MOST_DEPTH {
            return Err(expression.place.error("formulas call each other too deeply, or recursively"));
        }
        // A sum of many parts nests to the left; the loop takes it apart, so that it counts as no deeper than its
        // parts.
        let mut operations = Vec::new();
        let mut first = expression;
        while let Kind::Operation(operator, sides) = &first.kind {
            operations.push((first.place, *operator, &sides[1]));
            first = &sides[0];
        }
        let mut left = match &first.kind {
            Kind::Number(number) => Quantity::Number(*number),
            Kind::Name(name) => self.evaluate_name(first.place, name, bindings, depth)?,
            Kind::Call(name, arguments) => {
                let arguments: Vec<Quantity> = arguments
                    .iter()
                    .map(|argument| self.evaluate(argument, bindings, depth + 1))
                    .collect::<Result<_, _>>()?;
                self.evaluate_call(first.place, name, &arguments, depth)?
            }
            Kind::Negative(inner) => times(self.evaluate(inner, bindings, depth + 1)?, -1.0),
            // The loop above has removed all operations.
            Kind::Operation(..) => Quantity::Number(f64::NAN),
        };
        self.check(first.place, &left)?;
        for (place, operator, right) in operations.into_iter().rev() {
            let right = self.evaluate(right, bindings, depth + 1)?;
            left = operate(operator, left, right).map_err(|what| place.error(what))?;
            self.check(place, &left)?;
        }
        Ok(left)
    }

    /// Fails if a number is not finite, or if the evaluation has taken too many steps.
    fn check(&mut self, place: Position, quantity: &Quantity) -> Result<(), FormulaError> {
        let (is_finite, steps) = match quantity {
            Quantity::Number(number) => (number.is_finite(), 1),
            Quantity::Time(times) => (times.values().all(|times| times.is_finite()), 1 + times.len()),
        };
        self.steps += steps;
        if self.steps > MOST_STEPS {
            return Err(place.error("takes too many steps"));
        }
        if is_finite { Ok(()) } else { Err(place.error("is not a finite number here")) }
    }

    fn evaluate_name(
        &mut self,
        place: Position,
        name: &str,
        bindings: &Arguments<'_>,
        depth: usize,
    ) -> Result<Quantity, FormulaError> {
        if let Some((_, quantity)) = bindings.iter().find(|(parameter, _)| *parameter == name) {
            return Ok(quantity.clone());
        }
        let formulas = self.formulas;
        if let Some(definition) = formulas.definition(name) {
            return self.call(place, definition, &[], depth);
        }
        (self.value)(name).ok_or_else(|| place.error(format!("`{name}` is unknown")))
    }

    fn evaluate_call(
        &mut self,
        place: Position,
        name: &str,
        arguments: &[Quantity],
        depth: usize,
    ) -> Result<Quantity, FormulaError> {
        let formulas = self.formulas;
        if let Some(definition) = formulas.definition(name) {
            return self.call(place, definition, arguments, depth);
        }
        let Some((function, count)) = Function::named(name) else {
            let names: Vec<&str> = Function::ALL.iter().map(|function| function.0).collect();
            return Err(
                place.error(format!("unknown function `{name}(…)`; built in are {}", names.join(", ")))
            );
        };
        if arguments.len() != count {
            return Err(place.error(format!("`{name}` takes {}, not {}", in_words(count), arguments.len())));
        }
        let numbers: Option<Vec<f64>> = arguments
            .iter()
            .map(|argument| match argument {
                Quantity::Number(number) => Some(*number),
                Quantity::Time(_) => None,
            })
            .collect();
        let numbers =
            numbers.ok_or_else(|| place.error(format!("`{name}` takes numbers, but this is a time")))?;
        Ok(Quantity::Number(function.apply(&numbers)))
    }
}

fn in_words(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

fn times(quantity: Quantity, factor: f64) -> Quantity {
    match quantity {
        Quantity::Number(number) => Quantity::Number(number * factor),
        Quantity::Time(times) => {
            Quantity::Time(times.into_iter().map(|(name, times)| (name, times * factor)).collect())
        }
    }
}

fn operate(operator: Operator, left: Quantity, right: Quantity) -> Result<Quantity, &'static str> {
    use Quantity::{Number, Time};
    Ok(match (operator, left, right) {
        (Operator::Add, Number(a), Number(b)) => Number(a + b),
        (Operator::Subtract, Number(a), Number(b)) => Number(a - b),
        (Operator::Multiply, Number(a), Number(b)) => Number(a * b),
        (Operator::Divide, Number(a), Number(b)) => Number(a / b),
        (Operator::Power, Number(a), Number(b)) => Number(a.powf(b)),
        (Operator::Add, Time(a), Time(b)) => Time(sum(a, b)),
        (Operator::Subtract, Time(a), b @ Time(_)) => match times(b, -1.0) {
            Time(b) => Time(sum(a, b)),
            number @ Number(_) => number,
        },
        (Operator::Multiply, time @ Time(_), Number(factor))
        | (Operator::Multiply, Number(factor), time @ Time(_)) => times(time, factor),
        (Operator::Divide, time @ Time(_), Number(divisor)) => times(time, 1.0 / divisor),
        (Operator::Add | Operator::Subtract, ..) => return Err("adds or subtracts a time and a number"),
        (Operator::Multiply, ..) => return Err("multiplies two times"),
        (Operator::Divide, ..) => return Err("divides by a time"),
        (Operator::Power, ..) => return Err("takes a power of a time"),
    })
}

fn sum(mut a: BTreeMap<String, f64>, b: BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    for (name, times) in b {
        *a.entry(name).or_default() += times;
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str) -> Option<Quantity> {
        match name {
            "n" => Some(Quantity::Number(8.0)),
            "m" => Some(Quantity::Number(3.0)),
            "a" | "b" => Some(Quantity::constant(name)),
            _ => None,
        }
    }

    fn evaluate(text: &str) -> Result<Quantity, String> {
        let formulas = Formulas::parse(text).map_err(|e| e.to_string())?;
        formulas.evaluate("seconds", value).map_err(|e| e.to_string())
    }

    fn time(parts: &[(&str, f64)]) -> Quantity {
        Quantity::Time(parts.iter().map(|(name, times)| ((*name).to_owned(), *times)).collect())
    }

    #[test]
    fn numbers_follow_the_usual_order() {
        for (text, expected) in [
            ("1 + 2*3^2", 19.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("(1 + 2)·3 × 2 / 4", 4.5),
            ("10 - 2 - 3", 5.0),
            ("16/4/2", 2.0),
            ("n*log2(n) + sqrt(16) + min(n, m) - max(n, m)", 23.0),
            ("1e3 + 2.5E-1 + .5", 1000.75),
            ("ln(1) - - 2", 2.0),
            ("2*-3", -6.0),
        ] {
            assert_eq!(evaluate(&format!("seconds = {text}")), Ok(Quantity::Number(expected)), "{text}");
        }
    }

    #[test]
    fn formulas_of_a_hierarchy_use_those_below() {
        let text = "\
# The heap.
heap(n, l) = n*a   # inserts
    + 1.5*l*log2(n)*b
dijkstra(n, m) = heap(n, n) + m*a/2
rounds = 2
sift.memory = 3
seconds = sift.memory/3*rounds*dijkstra(n, m) - a
";
        assert_eq!(evaluate(text), Ok(time(&[("a", 2.0 * (8.0 + 1.5) - 1.0), ("b", 72.0)])));
        assert_eq!(Formulas::parse(text).unwrap().names().len(), 4);
        assert!(Formulas::parse(text).unwrap().defines("rounds"));
        assert!(!Formulas::parse(text).unwrap().defines("heap"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, expected) in [
            ("seconds = a*b", "line 1, column 12: multiplies two times"),
            ("\nseconds = a + n", "line 2, column 13: adds or subtracts a time and a number"),
            ("seconds = n/a", "line 1, column 12: divides by a time"),
            ("seconds = a^2", "line 1, column 12: takes a power of a time"),
            ("seconds = log2(a)", "line 1, column 11: `log2` takes numbers, but this is a time"),
            ("seconds = x*a", "line 1, column 11: `x` is unknown"),
            ("seconds = f(1)", "line 1, column 11: unknown function `f(…)`"),
            ("f(x) = x\nseconds = f(1, 2)", "line 2, column 11: `f` takes 1 argument, not 2"),
            ("f(x) = x\nseconds = f", "line 2, column 11: `f` takes 1 argument, not 0"),
            ("seconds = min(1)", "line 1, column 11: `min` takes 2 arguments, not 1"),
            ("seconds = 1/0", "line 1, column 12: is not a finite number here"),
            ("seconds = log2(0)", "line 1, column 11: is not a finite number here"),
            ("f = g\ng = f\nseconds = f", "line 1, column 5: formulas call each other … recursively"),
            ("seconds = 1\nseconds = 2", "line 2, column 1: `seconds` is defined twice"),
            ("min = 1", "line 1, column 1: `min` is a built-in function"),
            ("other = 1", "line 1, column 1: `seconds` is not defined"),
            ("seconds = 1 2", "line 1, column 13: expected an operator … not `2`"),
            ("seconds = (1 + 2", "line 1, column 17: expected `)`, not the end"),
            ("seconds = ", "line 1, column 10: expected a number … not the end"),
            ("seconds 1", "line 1, column 9: expected `=`, not `1`"),
            ("1 = 2", "line 1, column 1: expected a name to define, not `1`"),
            ("f(1) = 2", "line 1, column 3: expected the name of a parameter, not `1`"),
            ("f(x, x) = 2", "line 1, column 6: `x` is already a parameter"),
            ("seconds = 1 % 2", "line 1, column 13: expected an operator … not `%`"),
            ("seconds = 1.2.3", "line 1, column 11: `1.2.3` is not a number"),
            ("  seconds = 1", "line 1, column 1: begins with a space"),
        ] {
            let error = evaluate(text).unwrap_err();
            let (beginning, end) = expected.split_once(" … ").unwrap_or((expected, ""));
            assert!(error.starts_with(beginning) && error.ends_with(end), "{text}: {error}");
        }
    }

    #[test]
    fn hostile_formulas_end() {
        // Each of sixty formulas calls the previous one twice.
        let twice: Vec<String> = (1..60).map(|i| format!("f{i} = f{0} + f{0}", i - 1)).collect();
        let error = evaluate(&format!("f0 = 1\n{}\nseconds = f59\n", twice.join("\n"))).unwrap_err();
        assert!(error.ends_with("takes too many steps"), "{error}");
        let deep = format!("seconds = {}1{}", "(".repeat(30_000), ")".repeat(30_000));
        let error = evaluate(&deep).unwrap_err();
        assert!(error.ends_with("parentheses are nested too deeply"), "{error}");
        let error = evaluate(&format!("seconds = {}1", "-".repeat(30_000))).unwrap_err();
        assert!(error.ends_with("parentheses are nested too deeply"), "{error}");
        let error = evaluate(&format!("seconds = {}1", "2^".repeat(30_000))).unwrap_err();
        assert!(error.ends_with("parentheses are nested too deeply"), "{error}");
        // Wide and deep at once.
        let sum = "+a".repeat(999);
        let nested: Vec<String> = (1..60).map(|i| format!("f{i} = f{}{sum}", i - 1)).collect();
        let error = evaluate(&format!("f0 = a\n{}\nseconds = f59", nested.join("\n"))).unwrap_err();
        assert!(error.ends_with("the formulas are longer than 65536 bytes"), "{error}");
        let nested: Vec<String> = (1..29).map(|i| format!("f{i} = f{}{sum}", i - 1)).collect();
        let text = format!("f0 = a\n{}\nseconds = f28", nested.join("\n"));
        assert_eq!(evaluate(&text), Ok(time(&[("a", 1.0 + 28.0 * 999.0)])));
        let calls: Vec<String> = (1..999).map(|i| format!("f{i} = f{}", i - 1)).collect();
        let error = evaluate(&format!("f0 = a\n{}\nseconds = f998", calls.join("\n"))).unwrap_err();
        assert!(error.ends_with("formulas call each other too deeply, or recursively"), "{error}");
        let many: Vec<String> = (0..1001).map(|i| format!("f{i} = 1")).collect();
        let error = evaluate(&many.join("\n")).unwrap_err();
        assert!(error.ends_with("there are more than 1000 formulas"), "{error}");
    }
}
