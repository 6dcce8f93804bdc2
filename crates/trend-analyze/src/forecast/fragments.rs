//! Predicts the time of a program by the user's formulas and a machine's constants, and compares it with timed runs.

use serde::Serialize;
use trend_model::{ConstantCurve, ConstantPoint, FormulaError, Formulas, Quantity};
use trend_profile::{Calibration, Constant, Machine, Study};

use crate::findings::fragments::{FragmentPart, FragmentsOutlook};
use crate::study::point::Point;

/// The schema of [`CalibrationReport`].
pub(crate) const SCHEMA: &str = "trend-prof/calibration/1";

/// Name of the formula for the whole program's time.
const SECONDS: &str = "seconds";

/// Name of the formula for the program's working set, in bytes; `sift.memory` is the one of the constant `sift` alone.
const MEMORY: &str = "memory";

/// A timed run, with the time by the formulas.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FragmentsRun {
    /// Name of the workload.
    pub workload: String,
    /// Measured CPU time, in seconds.
    pub measured: f64,
    /// The time by the formulas.
    pub predicted: FragmentsOutlook,
}

/// A machine with its constants, and the runs that its formulas are compared with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CalibrationReport<'a> {
    /// The version of this format.
    schema: &'static str,
    /// The machine and its constants, as in its file.
    #[cfg_attr(test, schemars(with = "crate::tests::schema::MachineFields"))]
    pub machine: &'a Machine,
    /// The timed runs of the study; none without formulas.
    pub runs: &'a [FragmentsRun],
}

impl<'a> CalibrationReport<'a> {
    /// Reports on a machine and the runs of a study.
    pub fn new(machine: &'a Machine, runs: &'a [FragmentsRun]) -> Self {
        Self { schema: SCHEMA, machine, runs }
    }
}

/// Reason why formulas give no time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentsError {
    /// A formula cannot be computed.
    #[error("the formulas, {0}")]
    Formula(FormulaError),
    /// No formula defines the time of the whole program.
    #[error("no formula named `seconds`")]
    NoSeconds,
    /// The formula of the time contains no constant.
    #[error("the formula `seconds` is a plain number; use a constant in it")]
    NoTime,
    /// The formula of a working set is a time.
    #[error("the formula `{0}` is a time, but should be bytes")]
    NoBytes(String),
    /// A constant has the name of a feature or a formula.
    #[error("`{0}` is both {1} and a constant; rename one")]
    Ambiguous(String, &'static str),
    /// The time is not positive, or infinite.
    #[error("the formula `seconds` comes to {0:e} s")]
    NotPositive(f64),
}

impl From<FormulaError> for FragmentsError {
    fn from(error: FormulaError) -> Self {
        Self::Formula(error)
    }
}

/// Returns the time at a point; `None` if the study has no formulas.
pub(crate) fn fragments(study: &Study, point: &Point) -> Option<Result<FragmentsOutlook, FragmentsError>> {
    let calibration = study.calibration().filter(|calibration| !calibration.formulas.trim().is_empty())?;
    let timed = Timed::new(study, calibration);
    Some(timed.and_then(|timed| timed.outlook(&|name| point.value_named(name))))
}

/// Returns each timed run, in the order of the workloads. Runs for which the formulas fail, as a feature is unknown or
/// has no logarithm, are left out if they work for others.
///
/// # Errors
/// [`FragmentsError`] if they fail for all runs; [`FragmentsError::NoSeconds`] without formulas.
pub fn fragments_of_runs(study: &Study) -> Result<Vec<FragmentsRun>, FragmentsError> {
    let timed = Timed::new(study, study.calibration().ok_or(FragmentsError::NoSeconds)?)?;
    let (mut runs, mut first_error) = (Vec::new(), None);
    for (i, workload) in study.workloads().iter().enumerate() {
        let Some(used) = workload.timing.as_ref().and_then(trend_profile::Timing::median) else { continue };
        let measured = used.cpu().as_secs_f64();
        let value = |name: &str| study.features()[study.feature_named(name)?.index()].values[i];
        match timed.outlook(&value) {
            Ok(predicted) if measured > 0.0 => {
                runs.push(FragmentsRun { workload: workload.name.clone(), measured, predicted });
            }
            Ok(_) => {}
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match first_error.filter(|_| runs.is_empty()) {
        Some(error) => Err(error),
        None => Ok(runs),
    }
}

/// The parsed formulas of a study.
struct Timed<'a> {
    machine: &'a Machine,
    formulas: Formulas,
}

impl<'a> Timed<'a> {
    fn new(study: &Study, calibration: &'a Calibration) -> Result<Self, FragmentsError> {
        let machine = &calibration.machine;
        let formulas = Formulas::parse(&calibration.formulas)?;
        if !formulas.defines(SECONDS) {
            return Err(FragmentsError::NoSeconds);
        }
        let is_constant = |name: &&str| machine.constant(name).is_some();
        let is_feature = |name: &&str| study.feature_named(name).is_some();
        if let Some(both) = formulas.names().into_iter().filter(is_constant).find(is_feature) {
            return Err(FragmentsError::Ambiguous(both.to_owned(), "a feature"));
        }
        let mut constants = machine.constants.iter().map(|constant| constant.name.as_str());
        if let Some(both) = constants.find(|name| formulas.defines(name)) {
            return Err(FragmentsError::Ambiguous(both.to_owned(), "a formula"));
        }
        Ok(Self { machine, formulas })
    }

    fn outlook(&self, feature: &dyn Fn(&str) -> Option<f64>) -> Result<FragmentsOutlook, FragmentsError> {
        let Self { machine, formulas } = self;
        let value = |name: &str| match machine.constant(name) {
            Some(_) => Some(Quantity::constant(name)),
            None => feature(name).map(Quantity::Number),
        };
        let bytes =
            |name: &str| match formulas.defines(name).then(|| formulas.evaluate(name, value)).transpose()? {
                Some(Quantity::Number(bytes)) => Ok(Some(bytes)),
                Some(Quantity::Time(_)) => Err(FragmentsError::NoBytes(name.to_owned())),
                None => Ok(None),
            };
        let of_all = bytes(MEMORY)?;
        let Quantity::Time(times) = formulas.evaluate(SECONDS, value)? else {
            return Err(FragmentsError::NoTime);
        };
        let (mut ci, mut beyond) = ([0.0; 2], Vec::new());
        let mut parts = Vec::new();
        for (constant, times) in times {
            let Some(curve) = machine.constant(&constant).and_then(curve) else { continue };
            let memory_bytes = bytes(&format!("{constant}.{MEMORY}"))?.or(of_all);
            let at = curve.at(memory_bytes);
            let ends = at.interval.map(|end| end * times);
            ci = [ci[0] + ends[0].min(ends[1]), ci[1] + ends[0].max(ends[1])];
            if at.is_beyond {
                beyond.push(constant.clone());
            }
            parts.push(FragmentPart { constant, times, seconds: times * at.seconds, memory_bytes });
        }
        parts.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then_with(|| a.constant.cmp(&b.constant)));
        let seconds: f64 = parts.iter().map(|part| part.seconds).sum();
        if !(seconds > 0.0 && ci.iter().all(|end| end.is_finite())) {
            return Err(FragmentsError::NotPositive(seconds));
        }
        Ok(FragmentsOutlook { seconds, ci, cpu: machine.cpu.clone(), beyond, parts })
    }
}

/// Converts a constant to a curve over memory; `None` without points.
pub fn curve(constant: &Constant) -> Option<ConstantCurve> {
    let point = |point: &trend_profile::ConstantMeasurement| ConstantPoint {
        bytes: point.bytes as f64,
        seconds: point.seconds,
        interval: [point.low, point.high],
    };
    ConstantCurve::new(constant.points.iter().map(point).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trend_profile::{ConstantMeasurement, StudyParts, Timing, Usage, WarningKind};

    use super::*;
    use crate::analyze::analyze;
    use crate::findings::doubt::Doubt;
    use crate::options::Options;

    fn machine() -> Machine {
        let point = |bytes, seconds: f64| ConstantMeasurement {
            bytes,
            seconds,
            low: 0.9 * seconds,
            high: 1.1 * seconds,
            agreeing: 3,
            measured_by: 5,
        };
        let constant =
            |name: &str, points| Constant { name: name.to_owned(), fingerprint: String::new(), points };
        let constants = vec![
            constant("sift", vec![point(1 << 14, 1e-8), point(1 << 24, 3e-8)]),
            constant("start", vec![point(0, 1e-3)]),
        ];
        Machine { cpu: "Z80".to_owned(), constants, ..Machine::default() }
    }

    fn study(formulas: &str) -> Study {
        let costs = "100000 200000 400000 800000 1600000 3200000 6400000 12800000";
        let mut parts = StudyParts::from_text(&format!("n: {costs}\na.c:1:f: {costs}")).unwrap();
        for (workload, n) in parts.workloads.iter_mut().zip((0..8).map(|i| 1e5 * f64::from(1 << i))) {
            let user = Duration::from_secs_f64(1e-3 + n * 2.5e-8);
            let run = Usage { wall: user, user, ..Usage::default() };
            workload.timing = Some(Timing { machine_memory_bytes: 1 << 30, runs: vec![run] });
        }
        parts.calibration = Some(Calibration { machine: machine(), formulas: formulas.to_owned() });
        Study::new(parts).unwrap()
    }

    #[test]
    fn runs_and_points_take_what_the_formulas_say() {
        let study = study("memory = 16*n\nseconds = start + n*sift");
        let runs = fragments_of_runs(&study).unwrap();
        assert_eq!(runs.len(), 8);
        assert!((runs[0].measured - 3.5e-3).abs() < 1e-9);
        // On a log scale, 1.6 MB is two thirds of the way from 16 KiB to 16 MiB.
        let share = (1.6e6_f64 / 16384.0).ln() / 1024_f64.ln();
        let sift = 1e5 * (1e-8 + share * 2e-8);
        let predicted = &runs[0].predicted;
        assert!((predicted.seconds - 1e-3 - sift).abs() < 1e-12, "{predicted:?}");
        assert_eq!(
            predicted.parts.iter().map(|p| p.constant.as_str()).collect::<Vec<_>>(),
            ["sift", "start"]
        );
        assert!(predicted.beyond.is_empty());

        let options = Options { at: vec![("n".to_owned(), 1e7)], ..Options::default() };
        let findings = analyze(&study, &options).unwrap();
        let at = findings.fragments.unwrap();
        assert!((at.seconds - 0.301).abs() < 1e-9, "{at:?}");
        assert!((at.ci[0] - 0.9 * at.seconds).abs() < 1e-9 && (at.ci[1] - 1.1 * at.seconds).abs() < 1e-9);
        assert_eq!((at.parts[0].memory_bytes, at.beyond), (Some(1.6e8), vec!["sift".to_owned()]));
    }

    #[test]
    fn without_its_memory_a_constant_reaches_from_small_to_large() {
        let one = study("seconds = n*sift");
        let run = &fragments_of_runs(&one).unwrap()[0].predicted;
        assert!((run.seconds - 3e-3).abs() < 1e-12 && (run.ci[0] - 0.9e-3).abs() < 1e-12, "{run:?}");
        let other = study("memory = 1e9\nsift.memory = 16384\nseconds = n*sift");
        let run = &fragments_of_runs(&other).unwrap()[0].predicted;
        assert!((run.seconds - 1e-3).abs() < 1e-12, "{run:?}");
    }

    #[test]
    fn formulas_that_say_nothing_are_told_and_break_nothing() {
        let ambiguous = "n*sift + start";
        for (formulas, expected) in [
            ("rows = 1", "no formula named `seconds`"),
            ("seconds = 0*sift", "the formula `seconds` comes to 0e0 s"),
            ("seconds = 1e300*n*n*sift/1e-300", "is not a finite number here"),
            ("seconds = start\nsift = 1", "`sift` is both a formula and a constant; rename one"),
            ("seconds = n", "the formula `seconds` is a plain number"),
            ("seconds = sift\nmemory = sift", "the formula `memory` is a time, but should be bytes"),
            ("seconds = m*sift", "the formulas, line 1, column 11: `m` is unknown"),
            ("seconds = ", "the formulas, line 1, column 10: expected a number"),
        ] {
            let study = study(formulas);
            let error = fragments_of_runs(&study).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            let findings = analyze(&study, &Options::default()).unwrap();
            assert_eq!(findings.fragments, None);
            let warning = findings.doubts.iter().find_map(|doubt| match doubt {
                Doubt::Recorded(warning) if warning.kind == WarningKind::Formulas => Some(&warning.message),
                _ => None,
            });
            assert!(warning.is_some_and(|text| text.contains(expected)), "{warning:?}");
        }
        let mut parts = StudyParts::from_text("sift: 1 2 3\na.c:1:f: 1 2 3").unwrap();
        let formulas = format!("seconds = {ambiguous}");
        parts.calibration = Some(Calibration { machine: machine(), formulas });
        for workload in &mut parts.workloads {
            let runs = vec![Usage { user: Duration::from_secs(1), ..Usage::default() }];
            workload.timing = Some(Timing { machine_memory_bytes: 0, runs });
        }
        let error = fragments_of_runs(&Study::new(parts).unwrap()).unwrap_err();
        assert_eq!(error, FragmentsError::Ambiguous("sift".to_owned(), "a feature"));
    }
}
