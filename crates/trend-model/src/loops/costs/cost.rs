//! The algebra of loops: the costs of a sequence add up, nested costs multiply, and one of several alternatives is
//! executed.
//!
//! | program | cost |
//! |---|---|
//! | `a; b;` | `a + b` |
//! | a loop with `t` trips around `b` | `t × b` |
//! | `if (…) a; else b;` | `a ⊕ b`: at most the greater, at least the lesser |
//! | `a; if (…) b;`, also after an early exit | `a ⊕ b` of the paper: `O(a + b)`, `Ω(a)` |
//!
//! The algebra comes from F. Demontiê et al., *Automatic Inference of Loop Complexity through Polynomial
//! Interpolation*, section 3.2. Its expander `a ⊕ b` is [`Cost::then_perhaps`]. The paper simplifies by rewriting.
//! Here, an expression is converted into the form of [`Growth`], which terminates because it visits the expression
//! once.

use super::growth::{Growth, Order, Side};
use super::growth_sum::GrowthSum;
use crate::loops::polynomials::polynomial::Polynomial;
use crate::loops::polynomials::rational::Rational;

/// Cost of a part of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// An exact polynomial.
    Polynomial(Polynomial),
    /// An order, with unknown coefficients.
    Order(Order),
    /// A cost between two bounds.
    Between {
        /// Lower bound.
        lower: Growth,
        /// Upper bound.
        upper: Growth,
    },
    /// At most this cost, and possibly none: the trips of a loop that can be left early.
    AtMost(Box<Cost>),
    /// Costs that are incurred one after the other.
    Sequence(Vec<Cost>),
    /// Costs that are each nested in the one before: they multiply.
    Nest(Vec<Cost>),
    /// One of several alternatives.
    Either(Vec<Cost>),
}

impl Cost {
    /// Creates the polynomial that consists of one name.
    pub fn name(name: &str) -> Self {
        Self::Polynomial(Polynomial::name(name))
    }

    /// Creates a constant cost.
    pub fn constant() -> Self {
        Self::Order(Order::one())
    }

    /// Returns this cost followed by an optional `other`: the paper's `this ⊕ other`.
    #[must_use]
    pub fn then_perhaps(self, other: Self) -> Self {
        Self::Sequence(vec![self, Self::AtMost(Box::new(other))])
    }

    /// Replaces names by polynomials. If `replacement` returns `None`, the name stays. Returns `None` if powers
    /// overflow.
    pub fn substituted(&self, replacement: &dyn Fn(&str) -> Option<Polynomial>) -> Option<Self> {
        let all = |parts: &[Self]| -> Option<Vec<Self>> {
            parts.iter().map(|part| part.substituted(replacement)).collect()
        };
        let growth_of = |name: &str, side: Side| match side {
            Side::Upper => Growth::upper(&replacement(name)?),
            Side::Lower => Some(Growth::lower(&replacement(name)?)),
        };
        Some(match self {
            Self::Polynomial(polynomial) => Self::Polynomial(polynomial.substituted(replacement)?),
            Self::Order(order) => {
                let order_of = |name: &str| {
                    let growth = Growth::upper(&replacement(name)?)?;
                    Some(growth.as_order().cloned().unwrap_or_else(|| Order::power(name, Rational::ONE)))
                };
                Self::Order(order.substituted(&order_of)?)
            }
            Self::Between { lower, upper } => Self::Between {
                lower: lower.substituted(Side::Lower, &growth_of)?,
                upper: upper.substituted(Side::Upper, &growth_of)?,
            },
            Self::AtMost(cost) => Self::AtMost(Box::new(cost.substituted(replacement)?)),
            Self::Sequence(parts) => Self::Sequence(all(parts)?),
            Self::Nest(parts) => Self::Nest(all(parts)?),
            Self::Either(parts) => Self::Either(all(parts)?),
        })
    }

    /// Returns the upper bound of the growth: `O`. Returns `None` if powers overflow.
    ///
    /// - Time: linear in the expression, times the size of the result.
    pub fn upper(&self) -> Option<Growth> {
        self.bound(Side::Upper)
    }

    /// Returns the lower bound of the growth: `Ω`. Returns `None` if powers overflow.
    pub fn lower(&self) -> Option<Growth> {
        self.bound(Side::Lower)
    }

    fn bound(&self, side: Side) -> Option<Growth> {
        let sum = |parts: &[Self]| {
            let mut sum = GrowthSum::default();
            for part in parts {
                sum.add(part.bound(side)?);
            }
            Some(sum.total(side))
        };
        match (self, side) {
            (Self::Polynomial(polynomial), Side::Upper) => Growth::upper(polynomial),
            (Self::Polynomial(polynomial), Side::Lower) => Some(Growth::lower(polynomial)),
            (Self::Order(order), _) => Some(Growth::from_order(order.clone())),
            (Self::Between { upper, .. }, Side::Upper) => Some(upper.clone()),
            (Self::Between { lower, .. }, Side::Lower) => Some(lower.clone()),
            (Self::AtMost(cost), Side::Upper) => cost.upper(),
            // A call or a trip always costs at least a constant.
            (Self::AtMost(_), Side::Lower) => Some(Growth::one()),
            (Self::Sequence(parts), _) | (Self::Either(parts), Side::Upper) => sum(parts),
            (Self::Nest(parts), _) => parts.iter().try_fold(Growth::one(), |product, part| {
                Some(product.times(&part.bound(side)?)?.limited(side))
            }),
            (Self::Either(parts), Side::Lower) => {
                let (first, others) = parts.split_first()?;
                others
                    .iter()
                    .try_fold(first.lower()?, |least, part| Some(least.or(&part.lower()?).limited(side)))
            }
        }
    }

    /// Returns both bounds.
    pub fn bounds(&self) -> Bounds {
        Bounds { lower: self.lower(), upper: self.upper() }
    }
}

/// Both bounds of a cost's growth. A bound is `None` if its powers overflow.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// The lower bound: `Ω`.
    pub lower: Option<Growth>,
    /// The upper bound: `O`.
    pub upper: Option<Growth>,
}

impl Bounds {
    /// Returns a cost between these bounds, if both are known.
    pub fn as_cost(&self) -> Option<Cost> {
        let (lower, upper) = (self.lower.clone()?, self.upper.clone()?);
        Some(Cost::Between { lower, upper })
    }

    /// Returns both bounds as the paper writes them: `n³` if they are equal, `n ⊕ n²` if only the first is certain. The
    /// possible part does not repeat the certain one: `n ⊕ m` is at most `n + m`.
    pub fn text(&self) -> Option<String> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        Some(if lower == upper { upper.to_string() } else { format!("{lower} ⊕ {}", upper.without(lower)) })
    }
}

/// The bounds of a sequence of costs, added up one by one: no part is kept.
#[derive(Clone, Debug)]
pub struct SequenceBounds {
    /// The sums from below and from above; `None` once powers overflow.
    sums: [(Side, Option<GrowthSum>); 2],
}

impl Default for SequenceBounds {
    fn default() -> Self {
        Self { sums: [Side::Lower, Side::Upper].map(|side| (side, Some(GrowthSum::default()))) }
    }
}

impl SequenceBounds {
    /// Adds the cost of the next part.
    pub fn add(&mut self, cost: &Cost) {
        for (side, sum) in &mut self.sums {
            match cost.bound(*side) {
                Some(growth) => sum.iter_mut().for_each(|sum| sum.add(growth.clone())),
                None => *sum = None,
            }
        }
    }

    /// Returns the bounds of the sequence.
    pub fn total(self) -> Bounds {
        let [lower, upper] = self.sums.map(|(side, sum)| sum.map(|sum| sum.total(side)));
        Bounds { lower, upper }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::loops::{Atom, Rounding, power_sum};

    fn nest(parts: &[Cost]) -> Cost {
        Cost::Nest(parts.to_vec())
    }

    #[test]
    fn the_papers_multiply_is_cubic() {
        let n = || Cost::name("n");
        let square = Cost::Polynomial(power_sum(1, &Polynomial::name("n")).unwrap());
        let multiply = Cost::Sequence(vec![n(), nest(&[n(), n(), n()]), square]);
        assert_eq!(multiply.bounds().text().unwrap(), "n³");
    }

    #[test]
    fn the_papers_print_dups_is_linear_or_quadratic() {
        let n = || Cost::name("n");
        let dups = n().then_perhaps(nest(&[n(), n()]));
        assert_eq!(dups.bounds().text().unwrap(), "n ⊕ n²");
        assert_eq!(dups.upper().unwrap().to_string(), "n²");
        assert_eq!(dups.lower().unwrap().to_string(), "n");
        // An optional part does not matter if it is at most as large as the certain part.
        assert_eq!(nest(&[n(), n()]).then_perhaps(n()).bounds().text().unwrap(), "n²");
        // The possible part does not repeat the certain one.
        let more = Cost::Sequence(vec![Cost::name("m"), nest(&[n(), Cost::name("k")])]);
        assert_eq!(n().then_perhaps(more.clone()).bounds().text().unwrap(), "n ⊕ k·n + m");
        assert_eq!(Cost::name("m").then_perhaps(more).bounds().text().unwrap(), "m ⊕ k·n");
    }

    #[test]
    fn orders_have_their_logarithms_last_and_no_constant_beside_quotients() {
        let growth = |order: Order| Growth::from_order(order);
        let power = |name, by| Order::power(name, Rational::integer(by));
        let logarithm = Order::logarithm("m", Rational::ONE);
        assert_eq!(growth(logarithm.times(&power("n", 1)).unwrap()).to_string(), "n·log m");
        let quotient = growth(power("n", 1).times(&power("k", -1)).unwrap()).plus(&Growth::one());
        assert_eq!([quotient.to_string(), Growth::one().to_string()], ["n/k", "1"]);
    }

    #[test]
    fn a_sum_keeps_one_order_of_sixty_loops_around_each_other() {
        let mut sum = GrowthSum::default();
        let names: Vec<Cost> = (0..60).map(|k| Cost::name(&format!("n{k}"))).collect();
        for depth in 1..=60 {
            sum.add(nest(&names[..depth]).upper().unwrap());
            assert_eq!(sum.clone().total(Side::Upper).orders(), 1);
        }
        // From the inside out as well, and whatever the order of the summands.
        let mut other = GrowthSum::default();
        (1..=60).rev().for_each(|depth| other.add(nest(&names[..depth]).upper().unwrap()));
        assert_eq!(sum.total(Side::Upper), other.total(Side::Upper));
    }

    #[test]
    fn the_bounds_of_a_sequence_are_those_of_its_parts_one_by_one() {
        let parts = [Cost::name("n"), Cost::AtMost(Box::new(Cost::name("m"))), Cost::constant()];
        let mut sum = SequenceBounds::default();
        for part in &parts {
            sum.add(part);
        }
        assert_eq!(sum.total(), Cost::Sequence(parts.to_vec()).bounds());
    }

    /// Adding these one by one would take minutes.
    #[test]
    fn two_thousand_parts_add_up_in_seconds() {
        let parts = || (0..2000).map(|k| Cost::name(&format!("x{k}")));
        assert_eq!(Cost::Sequence(parts().collect()).upper().unwrap().orders(), 2000);
        let squares = parts().take(3).map(|one| nest(&[one.clone(), one]));
        let sum = Cost::Sequence(parts().chain(squares).collect()).upper().unwrap();
        assert_eq!(sum.orders(), 2000, "x0 goes where x0² is there");
        assert_eq!(Cost::Sequence(Vec::new()).upper().unwrap(), Growth::one());
    }

    #[test]
    fn names_are_replaced_in_all_parts() {
        let half = Order::power("k", Rational::ONE).times(&Order::logarithm("k", Rational::ONE)).unwrap();
        let cost = Cost::name("k").then_perhaps(Cost::Order(half));
        let square = Polynomial::name("n").power(2).unwrap();
        let replaced = cost.substituted(&|name| (name == "k").then(|| square.clone())).unwrap();
        assert_eq!(replaced.bounds().text().unwrap(), "n² ⊕ n²·log n");
        // Growths that are in normal form already are replaced in the same way.
        let between = Cost::Between { lower: cost.lower().unwrap(), upper: cost.upper().unwrap() };
        assert_eq!(between.substituted(&|_| Some(square.clone())).unwrap().bounds(), replaced.bounds());
        let product = nest(&[Cost::name("k"), Cost::name("k"), Cost::name("m")]);
        let between = Cost::Between { lower: product.lower().unwrap(), upper: product.upper().unwrap() };
        let sum = Polynomial::name("a").plus(&Polynomial::name("b")).unwrap();
        let replaced = between.substituted(&|name| (name == "k").then(|| sum.clone())).unwrap();
        assert_eq!(replaced.bounds().text().unwrap(), "a²·m + b²·m + a·b·m");
    }

    #[test]
    fn what_may_be_nothing_is_a_constant_from_below() {
        let (n, m) = (Polynomial::name("n"), Polynomial::name("m"));
        let quotient = |divisor: Polynomial| {
            Cost::Polynomial(Polynomial::atom(Atom::Quotient {
                numerator: Box::new(n.clone()),
                divisor: Box::new(divisor),
                rounding: Rounding::Down,
            }))
        };
        let lower = |cost: &Cost| cost.lower().unwrap().to_string();
        assert_eq!(lower(&quotient(Polynomial::integer(3))), "n");
        assert_eq!(lower(&quotient(m.clone())), "1", "m may be larger");
        assert_eq!(lower(&Cost::Polynomial(n.minus(&m).unwrap())), "1");
        assert_eq!(lower(&Cost::AtMost(Box::new(Cost::name("n")))), "1");
        // A sum of many alternatives is at least the sum of their minima, whatever their number.
        let least = |k: usize| Cost::Either((0..2).map(|i| Cost::name(&format!("x{k}_{i}"))).collect());
        let many = Cost::Sequence((0..9).map(least).collect());
        let value = |name: &str| if name.ends_with("_0") { 1.0 } else { 1e9 };
        assert!(many.lower().unwrap().value(&value) <= 9.0);
    }

    #[test]
    fn variables_that_nothing_relates_stay_apart() {
        let (n, m) = (|| Cost::name("n"), || Cost::name("m"));
        let sum = Cost::Sequence(vec![nest(&[n(), m()]), nest(&[n(), n()]), n()]);
        assert_eq!(sum.upper().unwrap().to_string(), "n² + m·n");
        let either = Cost::Either(vec![nest(&[n(), n()]), m()]);
        assert_eq!(either.lower().unwrap().to_string(), "min(m, n²)");
        assert_eq!(either.upper().unwrap().to_string(), "n² + m");
    }

    /// Generates expressions over three names.
    fn costs() -> impl Strategy<Value = Cost> {
        let leaf = prop_oneof![
            prop::sample::select(vec!["n", "m", "k"]).prop_map(Cost::name),
            Just(Cost::constant()),
            prop::sample::select(vec!["n", "m"])
                .prop_map(|name| Cost::Order(Order::logarithm(name, Rational::ONE))),
            prop::sample::select(vec!["n", "m"])
                .prop_map(|name| Cost::Order(Order::power(name, Rational::new(1, 2).unwrap()))),
        ];
        leaf.prop_recursive(4, 20, 3, |inner| {
            let parts = || prop::collection::vec(inner.clone(), 1..4);
            prop_oneof![
                parts().prop_map(Cost::Sequence),
                parts().prop_map(Cost::Nest),
                parts().prop_map(Cost::Either),
                inner.clone().prop_map(|cost| Cost::AtMost(Box::new(cost))),
            ]
        })
    }

    /// Applies one law of the algebra somewhere; the result is another expression with the same cost.
    fn rewritten(cost: &Cost, choices: &mut impl Iterator<Item = u8>) -> Cost {
        let choice = choices.next().unwrap_or(0);
        let inner = |parts: &[Cost], choices: &mut _| -> Vec<Cost> {
            parts.iter().map(|part| rewritten(part, choices)).collect()
        };
        let mixed = |mut parts: Vec<Cost>, make: fn(Vec<Cost>) -> Cost| {
            match choice % 4 {
                1 => parts.reverse(),
                2 if parts.len() > 2 => {
                    let rest = parts.split_off(1);
                    parts.push(make(rest));
                }
                3 if parts.len() > 1 => parts.rotate_left(1),
                _ => {}
            }
            make(parts)
        };
        match cost {
            Cost::Sequence(parts) => mixed(inner(parts, choices), Cost::Sequence),
            Cost::Either(parts) => mixed(inner(parts, choices), Cost::Either),
            Cost::Nest(parts) => {
                let parts = inner(parts, choices);
                // a × (b + c) = a × b + a × c, and likewise for alternatives.
                match (choice % 8, parts.split_last()) {
                    (4.., Some((Cost::Sequence(sum), outer))) if !sum.is_empty() => {
                        let product =
                            |one: &Cost| Cost::Nest(outer.iter().cloned().chain([one.clone()]).collect());
                        Cost::Sequence(sum.iter().map(product).collect())
                    }
                    (4.., Some((Cost::Either(sum), outer))) if !sum.is_empty() => {
                        let product =
                            |one: &Cost| Cost::Nest(outer.iter().cloned().chain([one.clone()]).collect());
                        Cost::Either(sum.iter().map(product).collect())
                    }
                    _ => mixed(parts, Cost::Nest),
                }
            }
            Cost::AtMost(cost) => Cost::AtMost(Box::new(rewritten(cost, choices))),
            leaf => match choice % 4 {
                // For growth, x = x + x = x ⊕ x.
                2 => Cost::Sequence(vec![leaf.clone(), leaf.clone(), Cost::constant()]),
                3 => Cost::Either(vec![leaf.clone(), leaf.clone()]),
                _ => leaf.clone(),
            },
        }
    }

    /// Returns the maximum or minimum cost of an expression.
    fn value(cost: &Cost, values: &dyn Fn(&str) -> f64, is_upper: bool) -> f64 {
        let all =
            |parts: &[Cost]| -> Vec<f64> { parts.iter().map(|part| value(part, values, is_upper)).collect() };
        match cost {
            Cost::Polynomial(polynomial) => polynomial.value_f64(&|name| Some(values(name))).unwrap(),
            Cost::Order(order) => order.value(values),
            Cost::Between { lower, upper } => (if is_upper { upper } else { lower }).value(values),
            Cost::AtMost(cost) => {
                if is_upper {
                    value(cost, values, true)
                } else {
                    0.0
                }
            }
            // Every executed part costs something.
            Cost::Sequence(parts) => all(parts).iter().sum(),
            Cost::Nest(parts) => all(parts).iter().map(|part| part.max(1.0)).product(),
            Cost::Either(parts) if is_upper => all(parts).into_iter().fold(0.0, f64::max),
            Cost::Either(parts) => all(parts).into_iter().fold(f64::INFINITY, f64::min),
        }
    }

    /// Returns true if a product in the expression has, in its lower bound, alternatives in one factor and a sum in
    /// another.
    fn multiplies_alternatives_by_a_sum(cost: &Cost) -> bool {
        match cost {
            Cost::Nest(parts) => {
                let has = |part: &Cost| {
                    let lower = part.lower().unwrap();
                    let is_sum = lower.maxima().any(|maximum| maximum.count() > 1);
                    (lower.maxima().count() > 1, is_sum)
                };
                let has: Vec<(bool, bool)> = parts.iter().map(has).collect();
                let are_separate = |i: usize, j: usize| i != j && has[i].0 && has[j].1;
                (0..has.len()).any(|i| (0..has.len()).any(|j| are_separate(i, j)))
                    || parts.iter().any(multiplies_alternatives_by_a_sum)
            }
            Cost::Sequence(parts) | Cost::Either(parts) => parts.iter().any(multiplies_alternatives_by_a_sum),
            Cost::AtMost(cost) => multiplies_alternatives_by_a_sum(cost),
            _ => false,
        }
    }

    /// Returns true if two growths have about the same value, whatever the paces at which three names grow.
    fn are_of_one_value(a: &Growth, b: &Growth) -> bool {
        let paces = (1..4).flat_map(|x| (1..4).flat_map(move |y| (1..4).map(move |z| [x, y, z])));
        paces.into_iter().all(|paces: [i32; 3]| {
            let ratio = |scale: f64| {
                let at = |name: &str| {
                    let place = ["n", "m", "k"].iter().position(|one| *one == name).unwrap();
                    scale.powi(paces[place])
                };
                a.value(&at) / b.value(&at)
            };
            (1e-2..1e2).contains(&ratio(1e6)) && (0.1..10.0).contains(&(ratio(1e9) / ratio(1e6)))
        })
    }

    #[test]
    fn alternatives_times_a_sum_have_several_forms_of_one_value() {
        let log = || Cost::Order(Order::logarithm("n", Rational::ONE));
        let root = || Cost::Order(Order::power("m", Rational::new(1, 2).unwrap()));
        let least = || Cost::Either(vec![log(), Cost::name("m")]);
        let product = nest(&[least(), Cost::Sequence(vec![root(), log()])]);
        let sum = Cost::Sequence(vec![nest(&[least(), root()]), nest(&[least(), log()])]);
        let (product, sum) = (product.lower().unwrap(), sum.lower().unwrap());
        assert_ne!(product, sum);
        assert!(are_of_one_value(&product, &sum));
        // The comparison must not accept growths that differ.
        assert!(!are_of_one_value(&product, &log().lower().unwrap()));
    }

    proptest! {
        #[test]
        fn whatever_the_order_of_rewriting_the_normal_form_is_the_same(
            cost in costs(),
            choices in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let mut choices = choices.into_iter();
            let mut other = cost.clone();
            while choices.len() > 0 {
                other = rewritten(&other, &mut choices);
            }
            prop_assert_eq!(cost.upper(), other.upper());
            if multiplies_alternatives_by_a_sum(&cost) || multiplies_alternatives_by_a_sum(&other) {
                prop_assert!(are_of_one_value(&cost.lower().unwrap(), &other.lower().unwrap()), "{cost:?}");
            } else {
                prop_assert_eq!(cost.lower(), other.lower());
            }
        }

        #[test]
        fn bounds_hold_for_large_values_up_to_a_constant(
            cost in costs(),
            exponents in prop::array::uniform3(1_u32..4),
        ) {
            // A ray along which each name grows at its own pace.
            let at = |scale: f64| move |name: &str| {
                let place = ["n", "m", "k"].iter().position(|one| *one == name).unwrap();
                scale.powi(exponents[place] as i32)
            };
            let (upper, lower) = (cost.upper().unwrap(), cost.lower().unwrap());
            let ratio = |scale: f64, is_upper: bool| {
                let growth = if is_upper { &upper } else { &lower };
                value(&cost, &at(scale), is_upper).max(1.0) / growth.value(&at(scale))
            };
            for is_upper in [true, false] {
                // An expression has at most some hundred parts: a ratio that grew without bound would exceed this.
                prop_assert!(ratio(1e6, is_upper) < 1e4 && ratio(1e6, is_upper) > 1e-4, "{cost:?}");
                let change = ratio(1e9, is_upper) / ratio(1e6, is_upper);
                prop_assert!((0.02..50.0).contains(&change), "{cost:?}: {change}");
            }
            prop_assert!(lower.is_at_most(&upper), "{lower} {upper}");
        }

        #[test]
        fn what_is_at_most_something_stays_so(a in costs(), b in costs(), c in costs()) {
            let [a, b, c] = [a, b, c].map(|cost| cost.upper().unwrap());
            prop_assert!(a.is_at_most(&a.plus(&b)) && a.or(&b).is_at_most(&a));
            prop_assert_eq!(a.plus(&b.or(&c)), a.plus(&b).or(&a.plus(&c)), "distributive");
            prop_assert_eq!(a.times(&b.plus(&c)), Some(a.times(&b).unwrap().plus(&a.times(&c).unwrap())));
            prop_assert_eq!(a.plus(&a.or(&b)), a.clone(), "absorbing");
            if a.is_at_most(&b) {
                prop_assert_eq!(a.plus(&b), b.clone());
                prop_assert_eq!(a.or(&b), a.clone());
            }
        }
    }
}
