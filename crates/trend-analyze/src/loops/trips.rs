//! The trips of one loop as a polynomial in its inputs, or what is known of them otherwise.

use std::borrow::Cow;

use trend_model::loops::{Point, Polynomial, bound, interpolate};
use trend_profile::{LoopExits, LoopExtreme, LoopInputValue, LoopObservation, LoopSummary, ProgramLoop};

use super::rows::{LoopStatus, OffPoint};
use super::soundness;
use super::symbols::symbol;
use crate::modeller::{Attention, Modeller};
use crate::{Model, Options, sound_model};

/// A formula is not right at one in so many at most, of combinations of inputs, of activations, and of all trips. Beyond it,
/// inputs do not decide.
const ONE_OFF_IN: u64 = 8;

/// As many points give a usual model.
const LEAST_FITTED: usize = 5;

/// Each of so many parts of the points is held back once, and the law of the others has to give it ...
const PARTS: usize = 3;

/// ... up to this part of its trips, or half a trip: what is rounded is off by that.
const HELD_BACK_OFF: f64 = 0.1;
const HALF_A_TRIP: f64 = 0.5;

/// As many activations that are alike are more than chance: an exact constant in a loop without inputs, and said to be alike in others.
const LEAST_ALIKE: u64 = 3;

/// As many points are written down as being off.
const MOST_OFF: usize = 8;

/// What is known of the trips of a loop.
#[derive(Clone, Debug)]
pub(super) struct TripsLaw {
    pub(super) status: LoopStatus,
    /// In the [`symbol`]s of the inputs; below 0 there are no trips.
    pub(super) polynomial: Option<Polynomial>,
    /// What the trips were never above, where the polynomial is not known.
    pub(super) bound: Option<Polynomial>,
    /// The usual model of what is no polynomial, by the input that explains it best.
    pub(super) fitted: Option<Model>,
    /// Combinations of inputs.
    pub(super) points: usize,
    /// How many of them the polynomial does not give, and the first of these.
    pub(super) off: usize,
    pub(super) off_points: Vec<OffPoint>,
    /// Whether another polynomial as simple gives the points as well.
    pub(super) is_ambiguous: bool,
}

impl TripsLaw {
    fn unknown(points: usize) -> Self {
        Self {
            status: LoopStatus::Unknown,
            polynomial: None,
            bound: None,
            fitted: None,
            points,
            off: 0,
            off_points: Vec::new(),
            is_ambiguous: false,
        }
    }
}

/// The law of a loop.
pub(super) fn law(one: &ProgramLoop, options: &Options) -> TripsLaw {
    if let Some(trips) = one.constant_trips {
        let polynomial = Some(Polynomial::integer(i128::from(trips)));
        return TripsLaw { status: LoopStatus::Exact, polynomial, ..TripsLaw::unknown(0) };
    }
    // A body that was never run through: what would have to be for that, nobody knows.
    if one.total.greatest.trips == 0 && one.observations.iter().all(|o| o.trips.greatest == 0) {
        let status = if is_constant(one) { LoopStatus::Constant } else { LoopStatus::Unknown };
        return TripsLaw { status, ..TripsLaw::unknown(one.observations.len()) };
    }
    if one.inputs.is_empty() {
        return without_inputs(one);
    }
    let observations = observations(one);
    let Some(inputs) = inputs(one, &observations) else {
        // Floating point bounds that are no integers.
        let status = match one.total.activations {
            0 => LoopStatus::Unknown,
            _ if is_constant(one) => LoopStatus::Constant,
            _ => LoopStatus::Symbolic,
        };
        return TripsLaw { status, ..TripsLaw::unknown(observations.len()) };
    };
    let points = observations.len();
    if points == 0 {
        return TripsLaw::unknown(0);
    }
    let symbols: Vec<String> = one.inputs.iter().map(symbol).collect();
    let names: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let is_scattered = |o: &LoopObservation| o.trips.least != o.trips.greatest;
    let all = || observations.iter().zip(&inputs);
    let point = |inputs: &Vec<i64>, trips: u64| Point { inputs: inputs.clone(), trips };
    let clean: Vec<Point> =
        all().filter(|(o, _)| !is_scattered(o)).map(|(o, x)| point(x, o.trips.least)).collect();
    let greatest: Vec<Point> = all().map(|(o, x)| point(x, o.trips.greatest)).collect();
    let scattered = points - clean.len();
    let is_changing = one.inputs.iter().any(|input| input.value == LoopInputValue::Changing);
    let mut law = TripsLaw::unknown(points);
    // What changes from trip to trip decides as well, and it is luck where the rest gives the trips.
    if !is_changing
        && scattered as u64 * ONE_OFF_IN <= points as u64
        && let Some(found) = interpolate(&names, &clean)
        && let Some(found) = soundness::sound(one, &names, &clean, found)
        && found.off.len() + scattered <= (points / ONE_OFF_IN as usize).max(1)
        && is_nearly_all(&observations, &|index| value_at(&found.polynomial, &names, &inputs[index]))
    {
        // How a logarithm is rounded is a part of it: where no run came to a power of its base, nothing says.
        let is_decided = found.is_unique || found.polynomial.logarithms_and_roots() == 0;
        law.status = if is_decided { LoopStatus::Exact } else { LoopStatus::Fitted };
        law.is_ambiguous = !found.is_unique;
        law.off = found.off.len() + scattered;
        let expected = |point: &Point| value_at(&found.polynomial, &names, &point.inputs);
        let off = found.off.iter().map(|&index| (&clean[index].inputs, clean[index].trips));
        let different = all().filter(|(o, _)| is_scattered(o)).map(|(o, x)| (x, o.trips.least));
        law.off_points = off
            .chain(different)
            .take(MOST_OFF)
            .map(|(x, trips)| OffPoint { inputs: x.clone(), trips, expected: expected(&point(x, trips)) })
            .collect();
        law.polynomial = Some(found.polynomial);
        return law;
    }
    let varies = |k: usize| inputs.iter().any(|x| x[k] != inputs[0][k]);
    let varying: Vec<usize> = (0..names.len()).filter(|&k| varies(k)).collect();
    let limits: Vec<bool> = one.inputs.iter().map(|input| input.is_limit).collect();
    law.bound = bound(&names, &limits, &greatest);
    if is_constant(one) {
        law.status = LoopStatus::Constant;
        return law;
    }
    if scattered == 0 && !is_changing && one.exits == LoopExits::Single {
        let models = varying.iter().filter_map(|&k| {
            let (name, by_size) = (one.inputs[k].name.as_str(), by_size(&greatest, k)?);
            fitted(name, &by_size, options).filter(|_| gives_held_back(name, &by_size, options))
        });
        law.fitted = sound_model(&models.collect::<Vec<Model>>()).cloned();
        if law.fitted.is_some() {
            law.status = LoopStatus::Fitted;
            return law;
        }
    }
    // A bound or nothing: what decides is in the data, not in the inputs. With few points, nobody knows.
    let is_decided_elsewhere =
        scattered > 0 || is_changing || one.exits == LoopExits::Several || points >= LEAST_FITTED;
    if is_decided_elsewhere {
        law.status = LoopStatus::Symbolic;
    }
    law
}

/// Whether a formula that is not right everywhere is right for nearly all activations and trips.
fn is_nearly_all(observations: &[LoopObservation], expected: &dyn Fn(usize) -> Option<u64>) -> bool {
    let (mut activations, mut activations_off, mut trips, mut trips_off) = (0_u64, 0_u64, 0_u64, 0_u64);
    for (index, o) in observations.iter().enumerate() {
        activations = activations.saturating_add(o.activations);
        trips = trips.saturating_add(o.trips.sum);
        let expected = expected(index);
        if expected != Some(o.trips.least) || expected != Some(o.trips.greatest) {
            activations_off = activations_off.saturating_add(o.activations);
            let sum = expected.unwrap_or(0).saturating_mul(o.activations);
            trips_off = trips_off.saturating_add(o.trips.sum.abs_diff(sum));
        }
    }
    activations_off <= (activations / ONE_OFF_IN).max(1) && trips_off <= trips / ONE_OFF_IN
}

/// Whether all activations had as many trips.
fn is_constant(one: &ProgramLoop) -> bool {
    one.total.activations >= LEAST_ALIKE && one.total.least.trips == one.total.greatest.trips
}

/// The law of a loop that nothing outside decides.
fn without_inputs(one: &ProgramLoop) -> TripsLaw {
    let (total, points) = (&one.total, one.observations.len());
    let is_constant = is_constant(one);
    let polynomial = is_constant.then(|| Polynomial::integer(i128::from(total.least.trips)));
    let status = match (is_constant, total.least.trips == total.greatest.trips) {
        (true, _) => LoopStatus::Exact,
        (false, true) => LoopStatus::Unknown,
        (false, false) => LoopStatus::Symbolic,
    };
    TripsLaw { status, polynomial, ..TripsLaw::unknown(points) }
}

/// The observations of a loop. Where these are of a part of its activations, the ones with the fewest and the most trips are
/// known beside them.
pub(super) fn observations(one: &ProgramLoop) -> Cow<'_, [LoopObservation]> {
    let total = &one.total;
    if total.sampled.is_none() || total.activations == 0 {
        return Cow::Borrowed(&one.observations);
    }
    let extreme = |extreme: &LoopExtreme| LoopObservation {
        inputs: extreme.inputs,
        activations: 1,
        trips: LoopSummary::of(extreme.trips),
        ..LoopObservation::default()
    };
    let mut all = one.observations.clone();
    all.extend([&total.least, &total.greatest].map(extreme));
    LoopObservation::merge(&mut all);
    Cow::Owned(all)
}

/// The values of the inputs at each observation; `None` where floating point ones are no integers.
pub(super) fn inputs(one: &ProgramLoop, observations: &[LoopObservation]) -> Option<Vec<Vec<i64>>> {
    let value = |bits: i64, kind: LoopInputValue| {
        if kind != LoopInputValue::Floating {
            return Some(bits);
        }
        let value = f64::from_bits(bits.cast_unsigned());
        // Integers up to 2^53 are exact.
        (value.trunc() == value && value.abs() <= 9_007_199_254_740_992.0).then_some(value as i64)
    };
    let of = |o: &LoopObservation| {
        one.inputs.iter().zip(o.inputs).map(|(input, bits)| value(bits, input.value)).collect()
    };
    observations.iter().map(of).collect()
}

/// The value of a polynomial as a number of trips.
pub(super) fn value_at(polynomial: &Polynomial, names: &[&str], inputs: &[i64]) -> Option<u64> {
    let value = polynomial.value(&|name| {
        let position = names.iter().position(|one| *one == name)?;
        Some(i128::from(inputs[position]))
    })?;
    u64::try_from(value.floor().max(0)).ok()
}

/// The trips by the size of one input, from small to large; `None` where there are trips at sizes that models do not take, at 0
/// and below.
fn by_size(points: &[Point], input: usize) -> Option<Vec<(i64, u64)>> {
    let sizes = points.iter().map(|p| (p.inputs[input], p.trips));
    let (mut by_size, rest): (Vec<_>, Vec<_>) = sizes.partition(|(size, _)| *size > 0);
    by_size.sort_unstable();
    rest.iter().all(|(_, trips)| *trips == 0).then_some(by_size)
}

/// The usual model in one input.
fn fitted(name: &str, by_size: &[(i64, u64)], options: &Options) -> Option<Model> {
    if by_size.len() < LEAST_FITTED {
        return None;
    }
    // Sizes and counts far below 2^53, or rounded beyond any model's precision.
    let sizes = by_size.iter().map(|(size, _)| *size as f64).collect();
    let trips: Vec<f64> = by_size.iter().map(|(_, trips)| *trips as f64).collect();
    let modeller = Modeller::by_size(vec![(name, sizes)], options);
    modeller.models_with(&trips, Attention::Full).into_iter().next().filter(|model| model.law().is_some())
}

/// Whether laws of a part of the points give those that were held back. Some curve goes through any points: that of the trips
/// over the code of a token says nothing of the next code.
fn gives_held_back(name: &str, by_size: &[(i64, u64)], options: &Options) -> bool {
    let is_held = |position: usize, part: usize| position % PARTS == part;
    (0..PARTS).all(|part| {
        let all = || by_size.iter().enumerate();
        let kept: Vec<_> = all().filter(|(i, _)| !is_held(*i, part)).map(|(_, point)| *point).collect();
        let law = fitted(name, &kept, options).and_then(|model| model.law());
        let is_given = |(size, trips): (i64, u64)| {
            let cost = law.as_ref().and_then(|law| law.cost(&[size as f64]));
            cost.is_some_and(|cost| {
                (cost - trips as f64).abs() <= (HELD_BACK_OFF * trips as f64).max(HALF_A_TRIP)
            })
        };
        all().filter(|(i, _)| is_held(*i, part)).all(|(_, point)| is_given(*point))
    })
}
