//! Checks a study against the baseline of an earlier one.
//!
//! ```text
//!   functions of both ─▶ matched, as `diff` matches them
//!        whole program ─▶ grows no faster; costs, takes and needs no more
//!        known code    ─▶ grows no faster; costs no more where it is at least 2 % of a run
//!        unknown code  ─▶ grows no faster than the code that it replaces, or else than the whole did
//! ```
//!
//! A cost may exceed the worst cost of an unchanged program by a tenth. The worst cost is the kept cost times a power
//! of its spread. Two studies of one program differ by more than that about once in 300,000 comparisons.

use std::collections::BTreeMap;

use trend_model::GrowthClass;
use trend_profile::Measure;

use super::baseline::{Baseline, BaselineError, BaselineFunction, PointCost, predictions, share};
use super::source_root::SourceRoot;
use super::{Expectation, GrowthLimit, Judged, Judgement, Limit, Origin, Reason, Subject};
use crate::compare::Version;
use crate::compare::matching::{Functions, Matched, matched};
use crate::findings::row::Row;
use crate::forecast::predict::Predictions;
use crate::options::Options;

/// Smallest factor at which a cost counts as greater than an earlier one. A new build may differ by some instructions
/// for harmless reasons.
const TOLERANCE: f64 = 1.1;

/// Exponent of the spread. The upper end of an interval is two standard errors off. The costs of two studies differ by
/// √2 standard errors, and by 4.5 times that once in 300,000 times.
const SPREAD_EXPONENT: f64 = 3.2;

/// Maximum spread at which a cost beyond the largest run is limited. If runs scatter more, one study finds `n` and the
/// next `n log n`. At ten times the size, these two differ by more than either interval covers.
const LARGEST_CERTAIN_SPREAD: f64 = 1.01;

/// Share of a run below which the cost of code is not limited.
pub(super) const LEAST_SHARE: f64 = 0.02;

/// Factor by which CPU time may differ because of a busy or different machine.
const MACHINE_FACTOR: f64 = 3.0;

/// Least share of a baseline's cost in functions that still exist. Below it, the baseline describes other code.
const LEAST_KNOWN_SHARE: f64 = 0.5;

/// The expectations of a baseline about a study.
#[derive(Clone, Debug)]
pub struct Against {
    /// The expectations, for the whole program, known code and unknown code.
    pub expectations: Vec<Expectation>,
    /// The study's functions that the baseline knows, by name and file.
    pub known_functions: Vec<(String, String)>,
    /// The judgement that the baseline knows too little of the study, if it does.
    pub unknown: Option<Judged>,
}

impl Baseline {
    /// Returns the baseline's expectations of a version; `file` is the path of the baseline.
    ///
    /// # Errors
    /// Returns an error if the baseline is of another program or feature, has no laws, or has unknown classes.
    pub fn against(
        &self,
        file: &str,
        version: Version<'_>,
        options: &Options,
    ) -> Result<Against, BaselineError> {
        self.check(version)?;
        let predictions = predictions(version.study, version.findings, options, &self.points)?;
        let root = SourceRoot::new(version.study);
        let mut functions = Functions::new(version);
        functions.places.iter_mut().for_each(|place| place.file = root.name(place.file));
        let matched = matched(&self.as_functions(), &functions);
        let check = BaselineCheck { baseline: self, file, version, predictions, matched };
        let mut expectations = check.whole_program_expectations()?;
        expectations.extend(check.known_code_expectations()?);
        expectations.extend(check.new_code_expectations()?);
        let unknown = check.judge_other_code(&expectations);
        Ok(Against { expectations, known_functions: check.known_functions(), unknown })
    }

    /// Returns an error if the baseline says nothing about the study.
    fn check(&self, version: Version<'_>) -> Result<(), BaselineError> {
        let findings = version.findings;
        if self.program != findings.program.name {
            let (baseline, study) = (self.program.clone(), findings.program.name.clone());
            return Err(BaselineError::Program { baseline, study });
        }
        let whole = self.whole.iter().map(|whole| &whole.growth);
        let growths = || whole.clone().chain(self.functions.iter().map(|function| &function.growth));
        if growths().all(BTreeMap::is_empty) {
            return Err(BaselineError::Empty);
        }
        let mut named = growths().flat_map(BTreeMap::keys).chain(self.points.iter().flat_map(BTreeMap::keys));
        match named.find(|name| findings.feature(name).is_none()) {
            Some(feature) => Err(BaselineError::Feature {
                feature: feature.clone(),
                features: findings.features.iter().map(|feature| format!("`{}`", feature.name)).collect(),
            }),
            None => Ok(()),
        }
    }
}

/// A baseline and the version that is checked against it.
struct BaselineCheck<'a> {
    baseline: &'a Baseline,
    file: &'a str,
    version: Version<'a>,
    /// Predictions at the points of the baseline.
    predictions: Vec<Predictions>,
    matched: Matched,
}

impl BaselineCheck<'_> {
    /// Builds an expectation with the baseline as its origin.
    fn expectation(&self, subject: Subject, limit: Limit, feature: Option<String>) -> Expectation {
        Expectation { origin: Origin::Baseline { file: self.file.to_owned() }, subject, limit, feature }
    }

    /// Limits the growth of a subject in each feature by its class in the baseline. `name` is its name in errors.
    fn growth_expectations(
        &self,
        subject: &Subject,
        name: &str,
        growth: &BTreeMap<String, String>,
    ) -> Result<Vec<Expectation>, BaselineError> {
        let expected = growth.iter().map(|(feature, class)| {
            let limit = Limit::Growth { limit: GrowthLimit::at_most(parse_class(name, class)?) };
            Ok(self.expectation(subject.clone(), limit, Some(feature.clone())))
        });
        expected.collect()
    }

    /// Limits the cost of a subject at each point by its cost in the baseline.
    fn cost_expectations<'s>(
        &'s self,
        subject: &'s Subject,
        costs: &'s [Option<PointCost>],
    ) -> impl Iterator<Item = Expectation> + 's {
        let points = self.baseline.points.iter().zip(costs).enumerate();
        points.filter_map(move |(i, (point, cost))| {
            let baseline_cost = (*cost)?;
            // The last point is the target; costs at the points before it were measured.
            let is_measured = i + 1 < self.baseline.points.len();
            let most = baseline_cost.cost * baseline_cost.spread.powf(SPREAD_EXPONENT) * TOLERANCE;
            let limit = Limit::Cost { measure: Measure::Counts, at: coordinates(point), most };
            (is_measured || baseline_cost.spread <= LARGEST_CERTAIN_SPREAD)
                .then(|| self.expectation(subject.clone(), limit, None))
        })
    }

    /// Limits the growth, cost, time and memory of the whole program.
    fn whole_program_expectations(&self) -> Result<Vec<Expectation>, BaselineError> {
        let Some(whole) = &self.baseline.whole else { return Ok(Vec::new()) };
        let mut expectations =
            self.growth_expectations(&Subject::Program, "the whole program", &whole.growth)?;
        expectations.extend(self.cost_expectations(&Subject::Program, &whole.costs));
        let measured = [
            (Measure::Seconds, whole.seconds.map(|seconds| seconds * MACHINE_FACTOR)),
            (Measure::Bytes, whole.memory.map(|bytes| bytes * TOLERANCE)),
        ];
        let target = self.baseline.points.last();
        for (measure, most) in measured {
            if let (Some(most), Some(point)) = (most, target) {
                let limit = Limit::Cost { measure, at: coordinates(point), most };
                expectations.push(self.expectation(Subject::Program, limit, None));
            }
        }
        Ok(expectations)
    }

    /// Limits the growth of the functions that the baseline knows, and the cost of those with a share of at least
    /// [`LEAST_SHARE`].
    fn known_code_expectations(&self) -> Result<Vec<Expectation>, BaselineError> {
        let mut expectations = Vec::new();
        for &(old, new) in &self.matched.pairs {
            let (function, row) = (&self.baseline.functions[old], &self.version.findings.functions[new]);
            if !row.is_judgeable() {
                continue;
            }
            let subject = Subject::Function(row.place_in_words());
            expectations.extend(self.growth_expectations(&subject, &function.name, &function.growth)?);
            if function.share.max(self.share(new)) >= LEAST_SHARE {
                expectations.extend(self.cost_expectations(&subject, &function.costs));
            }
        }
        Ok(expectations)
    }

    /// Limits the growth of unknown code by the growth of the code that it may have replaced. Its cost counts toward
    /// the limit of the whole program.
    fn new_code_expectations(&self) -> Result<Vec<Expectation>, BaselineError> {
        let functions = &self.version.findings.functions;
        let (small, large): (Vec<usize>, Vec<usize>) =
            self.matched.new.iter().partition(|&&new| self.share(new) < LEAST_SHARE);
        if large.is_empty() {
            return Ok(Vec::new());
        }
        let not_judged =
            self.known_functions().into_iter().chain(small.into_iter().map(|new| functions[new].key()));
        let subject = Subject::NewCode(not_judged.collect());
        let expected = self.fastest_allowed()?.into_iter().map(|(feature, class)| {
            let limit = Limit::Growth { limit: GrowthLimit::at_most(class) };
            self.expectation(subject.clone(), limit, Some(feature))
        });
        Ok(expected.collect())
    }

    /// Returns, for each feature, the fastest growth of the replaced code, or else of the whole program.
    fn fastest_allowed(&self) -> Result<BTreeMap<String, GrowthClass>, BaselineError> {
        let name_and_growth =
            |function: &'_ BaselineFunction| (function.name.clone(), function.growth.clone());
        let mut growths: Vec<_> = self.replaced_functions().map(name_and_growth).collect();
        if growths.is_empty() {
            growths = match &self.baseline.whole {
                Some(whole) => vec![("the whole program".to_owned(), whole.growth.clone())],
                None => self.baseline.functions.iter().map(name_and_growth).collect(),
            };
        }
        let mut fastest: BTreeMap<String, GrowthClass> = BTreeMap::new();
        for (name, growth) in growths {
            for (feature, class) in growth {
                let class = parse_class(&name, &class)?;
                let fastest_class = fastest.entry(feature).or_insert(class);
                *fastest_class = (*fastest_class).max(class);
            }
        }
        Ok(fastest)
    }

    /// Returns the known code that may have moved elsewhere. It is gone, or it costs much less than in the baseline's
    /// most expensive run.
    fn replaced_functions(&self) -> impl Iterator<Item = &BaselineFunction> {
        let gone = self.matched.vanished.iter().map(|&old| &self.baseline.functions[old]);
        let cheaper = self.matched.pairs.iter().filter_map(|&(old, new)| {
            let function = &self.baseline.functions[old];
            let old_cost = function.costs.first().copied().flatten()?.cost;
            let new_cost = self.predictions.first()?.functions[new]?.cost;
            (function.share * (1.0 - new_cost / old_cost) >= LEAST_SHARE).then_some(function)
        });
        gone.filter(|function| function.share >= LEAST_SHARE && !function.growth.is_empty()).chain(cheaper)
    }

    /// Returns a judgement if most of the baseline's cost is in functions that are gone.
    fn judge_other_code(&self, expectations: &[Expectation]) -> Option<Judged> {
        let functions = &self.baseline.functions;
        let total_share: f64 = functions.iter().map(|function| function.share).sum();
        let known_share: f64 = self.matched.pairs.iter().map(|&(old, _)| functions[old].share).sum();
        // Reports of some coverage tools name no functions; then only the whole can be compared.
        let has_functions = !(functions.is_empty() && self.version.findings.functions.is_empty());
        let is_comparable = !has_functions || !self.matched.pairs.is_empty();
        let known_part = if total_share > 0.0 { known_share / total_share } else { f64::from(is_comparable) };
        let expectation = expectations.first().cloned().unwrap_or_else(|| {
            let limit = Limit::Growth { limit: GrowthLimit::at_most(GrowthClass::Constant) };
            self.expectation(Subject::Program, limit, None)
        });
        (known_part < LEAST_KNOWN_SHARE).then_some(Judged {
            expectation: Expectation { subject: Subject::Program, ..expectation },
            judgement: Judgement::Unknown,
            place: None,
            found: None,
            reason: Some(Reason::OtherCode { known: known_part }),
            next: None,
        })
    }

    /// Returns the names and files of the study's functions that the baseline knows.
    fn known_functions(&self) -> Vec<(String, String)> {
        let functions = &self.version.findings.functions;
        self.matched.pairs.iter().map(|&(_, new)| functions[new].key()).collect()
    }

    /// Returns the share of the study's function at this position in the findings.
    fn share(&self, position: usize) -> f64 {
        share(&self.version.findings.functions[position], position, self.predictions.last())
    }
}

impl Row {
    /// Returns true if the function takes enough of a run for its growth to be known.
    pub(super) fn is_judgeable(&self) -> bool {
        self.fits.joint.is_some() || self.fits.models.iter().any(|model| model.growth.is_some())
    }

    fn key(&self) -> (String, String) {
        (self.name.clone(), self.file.clone())
    }

    /// Returns the name with its file, if the file is known.
    pub(super) fn place_in_words(&self) -> String {
        if self.file.is_empty() { self.name.clone() } else { format!("{}:{}", self.file, self.name) }
    }
}

fn coordinates(point: &BTreeMap<String, f64>) -> Vec<(String, f64)> {
    point.clone().into_iter().collect()
}

fn parse_class(function: &str, class: &str) -> Result<GrowthClass, BaselineError> {
    let no_class = |_| BaselineError::Class { function: function.to_owned(), class: class.to_owned() };
    class.parse().map_err(no_class)
}
