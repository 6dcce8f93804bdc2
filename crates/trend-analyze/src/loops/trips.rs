//! Finds the trips of one loop as a polynomial in its inputs, or otherwise as a model or a bound.

use std::collections::HashSet;

use trend_model::loops::{Point, Polynomial, bound, interpolate};
use trend_profile::{LoopExits, LoopInputValue, LoopObservation, ProgramLoop};

use super::observed::{observations, value_at};
use super::soundness;
use super::stated::stated;
use super::symbols::symbol;
use crate::findings::law::sound_model;
use crate::findings::loops::{LoopStatus, OffPoint};
use crate::findings::model::Model;
use crate::fit::modeller::{Attention, Modeller};
use crate::options::Options;

/// A formula may be wrong at one in this many input combinations, activations, and trips. If it is wrong at more, the
/// inputs do not decide.
const ONE_OFF_IN: u64 = 8;

/// Minimum number of points, and of different trip counts, for a usual growth model.
const LEAST_FITTED: usize = 5;

/// Number of parts into which the points are divided to test a growth model. Each part is held back once, and the law
/// of the others has to predict it.
const PARTS: usize = 3;

/// Maximum error of the prediction for a point that was held back, as a share of its trips.
const HELD_BACK_OFF: f64 = 0.1;

/// Error that is always allowed for a point that was held back, in trips: the error of rounding.
const HALF_A_TRIP: f64 = 0.5;

/// Minimum number of equal activations that are more than chance. They make an exact constant of a loop without inputs,
/// and give other loops the status [`LoopStatus::Constant`].
const LEAST_ALIKE: u64 = 3;

/// Maximum number of wrong points that are listed.
const MOST_OFF: usize = 8;

/// The law of a loop's trips, as far as it is known.
#[derive(Clone, Debug)]
pub(super) struct TripsLaw {
    pub(super) status: LoopStatus,
    /// The polynomial in the [`symbol`]s of the inputs; a value below 0 means no trips.
    pub(super) polynomial: Option<Polynomial>,
    /// An upper bound that the trips never exceeded, if the polynomial is unknown.
    pub(super) bound: Option<Polynomial>,
    /// True if the code alone states the polynomial, with all names, and every activation confirms it.
    pub(super) is_stated: bool,
    /// True if every activation reached the bound that the code states.
    pub(super) is_reached: bool,
    /// Trips that the code states, and that an activation contradicts.
    pub(super) refuted: Option<Polynomial>,
    /// The usual growth model in the input that explains the trips best, if no polynomial fits.
    pub(super) fitted: Option<Model>,
    /// Number of different input combinations.
    pub(super) points: usize,
    /// Number of combinations at which the polynomial is wrong; the first of them are in `off_points`.
    pub(super) off: usize,
    pub(super) off_points: Vec<OffPoint>,
    /// True if another polynomial, equally simple, fits the points as well.
    pub(super) is_ambiguous: bool,
}

impl TripsLaw {
    /// Returns true if there is neither a formula nor a bound.
    pub(super) fn is_unknown(&self) -> bool {
        self.polynomial.is_none() && self.bound.is_none()
    }

    fn unknown(points: usize) -> Self {
        Self {
            status: LoopStatus::Unknown,
            polynomial: None,
            bound: None,
            is_stated: false,
            is_reached: false,
            refuted: None,
            fitted: None,
            points,
            off: 0,
            off_points: Vec::new(),
            is_ambiguous: false,
        }
    }
}

/// Finds the law of a loop. The code's own statement comes first; what the code does not state is interpolated.
pub(super) fn law(one: &ProgramLoop, options: &Options) -> TripsLaw {
    if let Some(trips) = one.constant_trips {
        let polynomial = Some(Polynomial::integer(i128::from(trips)));
        return TripsLaw { status: LoopStatus::Exact, polynomial, is_stated: true, ..TripsLaw::unknown(0) };
    }
    let Some(stated) = stated(one) else { return observed(one, None, options) };
    if !stated.is_confirmed {
        return TripsLaw { refuted: Some(stated.trips), ..observed(one, None, options) };
    }
    if !stated.is_bound {
        let (status, polynomial) = (LoopStatus::Exact, Some(stated.trips));
        return TripsLaw {
            status,
            polynomial,
            is_stated: true,
            ..TripsLaw::unknown(observations(one).len())
        };
    }
    let law = observed(one, Some(&stated.trips), options);
    if law.polynomial.is_some() {
        return law;
    }
    TripsLaw { bound: Some(stated.trips), is_reached: stated.is_reached, ..law }
}

/// Finds the law of a loop from its observations. A bound that the code states replaces an interpolated one.
fn observed(one: &ProgramLoop, stated: Option<&Polynomial>, options: &Options) -> TripsLaw {
    // The body never ran: the condition under which it runs is unknown.
    if one.total.greatest.trips == 0 && one.observations.iter().all(|o| o.trips.greatest == 0) {
        let status = if is_constant(one) { LoopStatus::Constant } else { LoopStatus::Unknown };
        return TripsLaw { status, ..TripsLaw::unknown(one.observations.len()) };
    }
    if one.inputs.is_empty() {
        return without_inputs(one);
    }
    let observations = observations(one);
    let Some(inputs) = inputs(one, &observations) else {
        // A floating-point bound is not an integer.
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
    // Inputs that change from trip to trip decide as well. If the other inputs give the trips, that is luck.
    if !is_changing
        && scattered as u64 * ONE_OFF_IN <= points as u64
        && let Some(interpolated) = interpolate(&names, &clean)
        && let Some(interpolated) = soundness::sound(one, &names, &clean, interpolated)
        && interpolated.off.len() + scattered <= (points / ONE_OFF_IN as usize).max(1)
        && is_nearly_all(&observations, &|index| value_at(&interpolated.polynomial, &names, &inputs[index]))
    {
        law.is_ambiguous = !interpolated.is_unique;
        law.off = interpolated.off.len() + scattered;
        let is_exact = interpolated.is_unique && law.off == 0;
        law.status = if is_exact { LoopStatus::Exact } else { LoopStatus::Fitted };
        let expected = |point: &Point| value_at(&interpolated.polynomial, &names, &point.inputs);
        let off = interpolated.off.iter().map(|&index| (&clean[index].inputs, clean[index].trips));
        let different = all().filter(|(o, _)| is_scattered(o)).map(|(o, x)| (x, o.trips.least));
        law.off_points = off
            .chain(different)
            .take(MOST_OFF)
            .map(|(x, trips)| OffPoint { inputs: x.clone(), trips, expected: expected(&point(x, trips)) })
            .collect();
        law.polynomial = Some(interpolated.polynomial);
        return law;
    }
    let varies = |k: usize| inputs.iter().any(|x| x[k] != inputs[0][k]);
    let varying: Vec<usize> = (0..names.len()).filter(|&k| varies(k)).collect();
    let limits: Vec<bool> = one.inputs.iter().map(|input| input.is_limit).collect();
    law.bound = stated.cloned().or_else(|| bound(&names, &limits, &greatest));
    if is_constant(one) {
        law.status = LoopStatus::Constant;
        return law;
    }
    // A bound that every activation reached says more than a curve. A few trip counts do not determine a curve.
    let value = |bound: &Polynomial, point: &Point| value_at(bound, &names, &point.inputs);
    let is_reached =
        law.bound.as_ref().is_some_and(|bound| greatest.iter().all(|p| value(bound, p) == Some(p.trips)));
    let trip_counts = greatest.iter().map(|point| point.trips).collect::<HashSet<_>>().len();
    let may_be_fitted = !is_reached && trip_counts >= LEAST_FITTED;
    if may_be_fitted && scattered == 0 && !is_changing && one.exits == LoopExits::Single {
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
    // The data decide, not the inputs; at most a bound is known. With few points, the status stays unknown.
    let is_decided_elsewhere =
        scattered > 0 || is_changing || one.exits == LoopExits::Several || points >= LEAST_FITTED;
    if is_decided_elsewhere {
        law.status = LoopStatus::Symbolic;
    }
    law
}

/// Returns true if a formula that is wrong at some points is right for nearly all activations and trips.
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

/// Returns true if enough activations were seen and all had the same number of trips.
fn is_constant(one: &ProgramLoop) -> bool {
    one.total.activations >= LEAST_ALIKE && one.total.least.trips == one.total.greatest.trips
}

/// Returns the law of a loop without inputs.
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

/// Returns the values of the inputs at each observation; `None` if a floating-point value is not an integer.
pub(super) fn inputs(one: &ProgramLoop, observations: &[LoopObservation]) -> Option<Vec<Vec<i64>>> {
    let value = |bits: i64, kind: LoopInputValue| {
        if kind != LoopInputValue::Floating {
            return Some(bits);
        }
        let value = f64::from_bits(bits.cast_unsigned());
        // Integers up to 2^53 are exact.
        (value.trunc() == value && value.abs() <= 9_007_199_254_740_992.0).then_some(value as i64)
    };
    let integers = |o: &LoopObservation| {
        one.inputs.iter().zip(o.inputs).map(|(input, bits)| value(bits, input.value)).collect()
    };
    observations.iter().map(integers).collect()
}

/// Returns the trips by the size of one input, in ascending order. Returns `None` if there are trips at sizes of 0 and
/// below, which models do not accept.
fn by_size(points: &[Point], input: usize) -> Option<Vec<(i64, u64)>> {
    let sizes = points.iter().map(|p| (p.inputs[input], p.trips));
    let (mut by_size, rest): (Vec<_>, Vec<_>) = sizes.partition(|(size, _)| *size > 0);
    by_size.sort_unstable();
    rest.iter().all(|(_, trips)| *trips == 0).then_some(by_size)
}

/// Fits the usual growth model in one input.
fn fitted(name: &str, by_size: &[(i64, u64)], options: &Options) -> Option<Model> {
    if by_size.len() < LEAST_FITTED {
        return None;
    }
    // Sizes and counts are far below 2^53; beyond it, rounding is below the precision of any model.
    let sizes = by_size.iter().map(|(size, _)| *size as f64).collect();
    let trips: Vec<f64> = by_size.iter().map(|(_, trips)| *trips as f64).collect();
    let modeller = Modeller::by_size(vec![(name, sizes)], options);
    modeller.models_with(&trips, Attention::Full).into_iter().next().filter(|model| model.law().is_some())
}

/// Returns true if laws of a part of the points predict the points that were held back. Without this test, some curve
/// would fit any points, such as trips over the code of a token, which say nothing about the next code.
fn gives_held_back(name: &str, by_size: &[(i64, u64)], options: &Options) -> bool {
    let is_held = |position: usize, part: usize| position % PARTS == part;
    (0..PARTS).all(|part| {
        let all = || by_size.iter().enumerate();
        let fitted_points: Vec<_> =
            all().filter(|(i, _)| !is_held(*i, part)).map(|(_, point)| *point).collect();
        let law = fitted(name, &fitted_points, options).and_then(|model| model.law());
        let is_given = |(size, trips): (i64, u64)| {
            let cost = law.as_ref().and_then(|law| law.cost(&[size as f64]));
            cost.is_some_and(|cost| {
                (cost - trips as f64).abs() <= (HELD_BACK_OFF * trips as f64).max(HALF_A_TRIP)
            })
        };
        all().filter(|(i, _)| is_held(*i, part)).all(|(_, point)| is_given(*point))
    })
}
