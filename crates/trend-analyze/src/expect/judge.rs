//! Judges expectations by the findings of an analysis.

use rayon::prelude::*;
use trend_answer::Outlook;
use trend_model::{GrowthClass, time_keeps_to};
use trend_profile::{Measure, Study};

use super::growth::RowGrowth;
use super::{Expectation, Found, GrowthLimit, Judged, Judgement, Limit, Reason, Subject};
use crate::doubts::TIMER_FLOOR_SECONDS;
use crate::error::AnalyzeError;
use crate::findings::Findings;
use crate::findings::doubt::Doubt;
use crate::findings::law::Fits;
use crate::findings::model::{Model, NextRuns};
use crate::findings::row::{JudgedPlace, Row};
use crate::findings::time::TimeDoubt;
use crate::forecast::memory::memory;
use crate::forecast::predict::{Predictions, predict};
use crate::forecast::seconds::seconds;
use crate::options::Options;
use crate::study::matching::{WAYS, bare_name, is_path_end};

/// Factor by which an unreliable time may be off. It is within or beyond a limit only if this is true for its whole
/// range.
const DOUBTFUL_TIME_FACTOR: f64 = 3.0;

/// Maximum end of a cost's interval, as a multiple of a baseline's limit, at which the cost keeps to the limit. Beyond
/// it, the sizes that were run say too little about the baseline's sizes.
const GREATEST_UPPER_END: f64 = 2.0;

/// Maximum number of suggestions for an unknown name.
const MOST_SUGGESTIONS: usize = 3;

/// Judges expectations by the findings of a study. Returns one or several judgements for each, in the order of the
/// expectations.
///
/// `findings` are the results of analyzing `study` under `options`. The options have [`Options::keep_fits`], the words
/// of [`words`](super::words()) in [`Options::full_meant`], and lines if an expectation is about one.
///
/// - Time: O(expectations · rows), plus a prediction of all rows for each size with a cost limit.
///
/// # Errors
/// Returns the errors of [`predict`](crate::predict()), for sizes in unknown features.
pub fn judge(
    study: &Study,
    findings: &Findings,
    options: &Options,
    expectations: &[Expectation],
) -> Result<Vec<Judged>, AnalyzeError> {
    let mut predicted: Vec<(&[(String, f64)], Predictions)> = Vec::new();
    for expectation in expectations {
        if let Limit::Cost { at, .. } = &expectation.limit
            && !predicted.iter().any(|(size, _)| *size == at.as_slice())
        {
            predicted.push((at, predict(study, findings, options, at)?));
        }
    }
    let is_timed = |expectation: &Expectation| {
        let is_of_time = matches!(expectation.limit, Limit::Cost { measure: Measure::Seconds, .. });
        is_of_time && expectation.is_of_baseline()
    };
    let has_time = expectations.iter().any(is_timed);
    let judged = expectations.par_iter().map(|expectation| {
        let predictions_at =
            |size: &[(String, f64)]| predicted.iter().find(|(at, _)| *at == size).map(|(_, p)| p);
        let predictions = match &expectation.limit {
            Limit::Cost { at, .. } => predictions_at(at),
            Limit::Growth { .. } => None,
        };
        Judge { study, findings, expectation, predictions, has_time }.judge()
    });
    Ok(judged.collect::<Vec<_>>().concat())
}

/// An expectation and the data to judge it.
struct Judge<'a> {
    study: &'a Study,
    findings: &'a Findings,
    expectation: &'a Expectation,
    /// Predictions at the size of the limit.
    predictions: Option<&'a Predictions>,
    /// True if a baseline limits the CPU time of the whole program.
    has_time: bool,
}

impl Judge<'_> {
    /// Judges the expectation at every place that its subject covers.
    fn judge(&self) -> Vec<Judged> {
        if let Some(feature) = &self.expectation.feature
            && self.findings.feature(feature).is_none()
        {
            let known = self.findings.features.iter().map(|feature| feature.name.clone()).collect();
            return vec![self.without_finding(Judgement::Unknown, Reason::NoSuchFeature { known })];
        }
        let total = &self.findings.total;
        match &self.expectation.subject {
            Subject::Program => {
                let outlook = self.predictions.and_then(|p| p.total.as_ref());
                vec![self.judge_row(None, &total.fits, outlook)]
            }
            Subject::Line(name) => self.judge_lines(name),
            Subject::Function(word) => {
                let functions = self.named_functions(word);
                if functions.is_empty() { self.judge_absent(word) } else { self.judge_functions(functions) }
            }
            Subject::FunctionAt(file, line) => {
                let functions = self.matching_rows(|row| row.file == *file && row.line == *line);
                if functions.is_empty() {
                    self.judge_absent(&format!("{file}:{line}"))
                } else {
                    self.judge_functions(functions)
                }
            }
            Subject::File(file) => {
                if !self.study.functions().iter().any(|f| f.file == *file || is_path_end(&f.file, file)) {
                    return self.judge_absent(file);
                }
                self.judge_functions(self.matching_rows(|row| row.is_in(file) && row.is_judgeable()))
            }
            Subject::NewCode(known_functions) => self.judge_functions(self.matching_rows(|row| {
                row.is_judgeable()
                    && !known_functions.iter().any(|(name, file)| *name == row.name && *file == row.file)
            })),
        }
    }

    /// Returns the matching functions with their positions.
    fn matching_rows(&self, is_meant: impl Fn(&Row) -> bool) -> Vec<(usize, &Row)> {
        self.findings.functions.iter().enumerate().filter(|(_, row)| is_meant(row)).collect()
    }

    /// Returns the functions that a word means in the strictest way that means any. A baseline means exactly the
    /// function that it names.
    fn named_functions(&self, word: &str) -> Vec<(usize, &Row)> {
        if self.expectation.is_of_baseline() {
            return self.matching_rows(|row| row.place_in_words() == word);
        }
        let ways =
            WAYS.iter().map(|is_meant| self.matching_rows(|row| is_meant((&row.name, &row.file), word)));
        ways.into_iter().find(|rows| !rows.is_empty()).unwrap_or_default()
    }

    /// Judges functions, each given with its position in the findings.
    fn judge_functions(&self, functions: Vec<(usize, &Row)>) -> Vec<Judged> {
        let judged = functions.into_iter().map(|(i, row)| {
            let outlook = self.predictions.and_then(|p| p.functions.get(i)?.as_ref());
            self.judge_row(Some(row), &row.fits, outlook)
        });
        judged.collect()
    }

    /// Judges the lines with this name. If no line has exactly this name, `name` may omit leading folders.
    fn judge_lines(&self, name: &str) -> Vec<Judged> {
        let lines = self.findings.lines.iter().flatten();
        let has_name = |row: &&Row| row.name == name;
        let rows: Vec<&Row> = match lines.clone().find(has_name) {
            Some(row) => vec![row],
            None => lines.filter(|row| is_path_end(&row.name, name)).collect(),
        };
        if rows.is_empty() {
            return self.judge_absent(name);
        }
        rows.into_iter().map(|row| self.judge_row(Some(row), &row.fits, None)).collect()
    }

    /// Judges a subject that no run executed, or that does not exist.
    fn judge_absent(&self, word: &str) -> Vec<Judged> {
        let is_meant = |name: &str, file: &str| WAYS.iter().any(|way| way((name, file), word));
        let is_function = self
            .study
            .functions()
            .iter()
            .any(|f| is_meant(&f.symbol.name, &f.file) || format!("{}:{}", f.file, f.line) == word);
        let is_line = word.rsplit_once(':').is_some_and(|(file, line)| {
            let is_line = |l: &trend_profile::Location| {
                line.parse() == Ok(l.line) && (*l.file == *file || is_path_end(&l.file, file))
            };
            self.study.locations().iter().any(is_line)
        });
        if is_function || is_line {
            return vec![self.without_finding(Judgement::Undecided, Reason::NeverExecuted)];
        }
        // Vanished code keeps to every expectation of a baseline.
        if self.expectation.is_of_baseline() {
            return Vec::new();
        }
        vec![
            self.without_finding(
                Judgement::Unknown,
                Reason::NoSuchPlace { nearest: self.similar_names(word) },
            ),
        ]
    }

    /// Returns the names of functions that are most similar to a word, the most similar first.
    fn similar_names(&self, word: &str) -> Vec<String> {
        let mut names: Vec<String> = self.findings.functions.iter().map(|row| bare_name(&row.name)).collect();
        names.sort_unstable();
        names.dedup();
        let mut scored: Vec<(f64, String)> =
            names.into_iter().map(|name| (strsim::jaro_winkler(word, &name), name)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        scored.into_iter().take(MOST_SUGGESTIONS).map(|(_, name)| name).collect()
    }

    /// Returns a judgement without a place and a finding.
    fn without_finding(&self, judgement: Judgement, reason: Reason) -> Judged {
        Judged {
            expectation: self.expectation.clone(),
            judgement,
            place: None,
            found: None,
            reason: Some(reason),
            next: None,
        }
    }

    /// Judges a row, or the whole program if `row` is `None`.
    fn judge_row(&self, row: Option<&Row>, fits: &Fits, outlook: Option<&Outlook>) -> Judged {
        let place =
            row.map(|row| JudgedPlace { name: row.name.clone(), file: row.file.clone(), line: row.line });
        let judged = match &self.expectation.limit {
            Limit::Growth { limit } => self.judge_growth(fits, *limit),
            Limit::Cost { measure, most, .. } => self.judge_cost(*measure, outlook, *most),
        };
        let (judgement, finding, reason) = judged;
        let is_of_counts = match &self.expectation.limit {
            Limit::Growth { .. } | Limit::Cost { measure: Measure::Counts, .. } => true,
            Limit::Cost { .. } => matches!(reason, Some(Reason::Time { doubt: TimeDoubt::Undecided, .. })),
        };
        let is_open = judgement == Judgement::Undecided && is_of_counts;
        let next = if is_open { self.advice(row, &fits.models) } else { None };
        Judged { expectation: self.expectation.clone(), judgement, place, found: finding, reason, next }
    }

    /// Checks the classes that a verdict names against a limit.
    fn judge_growth(&self, fits: &Fits, limit: GrowthLimit) -> Outcome {
        let first = self.findings.features.first().map(|feature| feature.name.as_str());
        let Some(feature) = self.expectation.feature.as_deref().or(first) else {
            return (Judgement::Undecided, None, Some(Reason::FewSizes { sizes: 0 }));
        };
        let model = fits.in_feature(feature);
        let sizes = model.and_then(|model| model.power_law.as_ref()).map_or(0, |law| law.sizes);
        let classes = match fits.joint.as_ref() {
            Some(joint) => Some(RowGrowth::from_joint(joint, feature)),
            None => model.and_then(RowGrowth::from_model),
        };
        let Some(RowGrowth { classes, growth, formula }) = classes else {
            let is_unsound = model.is_none_or(|model| !model.is_sound());
            let reason = if is_unsound { Reason::FewSizes { sizes } } else { Reason::NoLaw };
            return (Judgement::Undecided, None, Some(reason));
        };
        let finding = Some(Found::Growth { feature: feature.to_owned(), growth, formula });
        if fits.joint.is_none() && !model.is_some_and(Model::is_sound) {
            return (Judgement::Undecided, finding, Some(Reason::FewSizes { sizes }));
        }
        // A baseline may have `log n` for runs that scatter about a constant.
        let least =
            if self.expectation.is_of_baseline() { GrowthClass::Logarithmic } else { GrowthClass::Constant };
        if limit.class > least && !self.varies_with(feature) {
            let reason = Reason::NothingVaries { feature: feature.to_owned() };
            return (Judgement::Undecided, finding, Some(reason));
        }
        let allowed_classes = classes.iter().filter(|class| limit.allows(**class)).count();
        // A result of an earlier study counts as unchanged as long as it is still possible.
        let is_baseline = self.expectation.is_of_baseline();
        let is_uncounted =
            || self.findings.doubts.iter().any(|doubt| matches!(doubt, Doubt::MostlyUncounted { .. }));
        // If the baseline limits the time itself, that limit decides.
        let is_timed = is_baseline && self.has_time;
        let is_time_open = || !is_timed && is_uncounted() && !self.keeps_time(feature, limit);
        match allowed_classes {
            // The counts do not cover the code that takes the time, and the measured time does not settle it.
            count
                if count == classes.len()
                    && self.expectation.subject == Subject::Program
                    && is_time_open() =>
            {
                (Judgement::Undecided, finding, Some(Reason::Uncounted))
            }
            count if count == classes.len() => (Judgement::Holds, finding, None),
            0 => (Judgement::Broken, finding, None),
            _ if is_baseline => (Judgement::Holds, finding, None),
            _ => (
                Judgement::Undecided,
                finding,
                Some(undecided_reason(model.filter(|_| fits.joint.is_none()))),
            ),
        }
    }

    /// Returns true if anything in the program costs more at some sizes than at others. This is false if the command
    /// ignores the feature.
    fn varies_with(&self, feature: &str) -> bool {
        let varies = |fits: &Fits| {
            let growth = match fits.joint.as_ref() {
                Some(joint) => Some(RowGrowth::from_joint(joint, feature)),
                None => fits.in_feature(feature).and_then(RowGrowth::from_model),
            };
            growth.is_some_and(|growth| growth.classes.iter().any(|class| *class != GrowthClass::Constant))
        };
        let total = &self.findings.total;
        let mut functions = self.findings.functions.iter();
        varies(&total.fits) || functions.any(|row| varies(&row.fits))
    }

    /// Returns true if the CPU time of the runs grows no faster than the limit.
    fn keeps_time(&self, feature: &str, limit: GrowthLimit) -> bool {
        let Some(feature) = self.study.feature_named(feature) else { return false };
        let values = &self.study.features()[feature.index()].values;
        let timed = self.study.workloads().iter().zip(values);
        let timed = timed.filter_map(|(w, n)| Some(((*n)?, w.usage?.cpu().as_secs_f64())));
        let (sizes, seconds): (Vec<f64>, Vec<f64>) = timed.unzip();
        time_keeps_to(&sizes, &seconds, TIMER_FLOOR_SECONDS, |n| limit.class.term().value(n))
    }

    /// Checks a predicted cost, time or memory against a limit. `outlook` is the prediction of the cost.
    fn judge_cost(&self, measure: Measure, outlook: Option<&Outlook>, most: f64) -> Outcome {
        let is_timed = || self.study.workloads().iter().any(|workload| workload.timing.is_some());
        let undecided = |reason| (Judgement::Undecided, None, Some(reason));
        match (measure, outlook, self.predictions) {
            (Measure::Counts, Some(outlook), _) => self.compare_cost(outlook.cost, outlook.ci, most),
            (Measure::Seconds | Measure::Bytes, ..) if !is_timed() => undecided(Reason::NotTimed),
            (Measure::Seconds, Some(outlook), Some(predictions)) => {
                let (total, point) = (&self.findings.total, &predictions.point);
                let memory = memory(self.study, point, None, &[]);
                let Some(time) = seconds(self.study, point, *outlook, total, memory.as_ref(), &[]) else {
                    return undecided(Reason::NoLaw);
                };
                let Some(&doubt) = time.doubts.first() else {
                    return self.compare_cost(time.seconds, Some(time.ci), most);
                };
                let [low, high] = time.ci;
                let has_interval = outlook.ci.is_some();
                let widened = Some([low / DOUBTFUL_TIME_FACTOR, high * DOUBTFUL_TIME_FACTOR]);
                let (judgement, ..) = self.compare_cost(time.seconds, widened, most);
                let finding = Some(Found::Cost { cost: time.seconds, ci: Some(time.ci) });
                match judgement {
                    Judgement::Holds | Judgement::Broken if has_interval => (judgement, finding, None),
                    _ => (
                        Judgement::Undecided,
                        finding,
                        Some(Reason::Time { doubt, longest: time.longest_work() }),
                    ),
                }
            }
            (Measure::Bytes, _, Some(predictions)) => match memory(self.study, &predictions.point, None, &[])
            {
                Some(memory) => self.compare_cost(memory.bytes, Some(memory.ci), most),
                None => undecided(Reason::NoLine),
            },
            _ => undecided(Reason::NoLaw),
        }
    }

    /// Compares a cost with a limit. A baseline's limit is already the highest cost of an unchanged program. The cost
    /// itself then decides, unless its interval is much wider than the limit.
    fn compare_cost(&self, cost: f64, ci: Option<[f64; 2]>, most: f64) -> Outcome {
        let finding = Some(Found::Cost { cost, ci });
        let keeps_to_baseline = |high: f64| {
            self.expectation.is_of_baseline() && cost <= most && high <= most * GREATEST_UPPER_END
        };
        match ci {
            Some([_, high]) if high <= most || keeps_to_baseline(high) => (Judgement::Holds, finding, None),
            Some([low, _]) if low > most => (Judgement::Broken, finding, None),
            _ => (Judgement::Undecided, finding, Some(Reason::Open)),
        }
    }

    /// Returns the runs that would help to decide. The row's own advice comes first, then its most expensive cluster's,
    /// then the whole's.
    fn advice(&self, row: Option<&Row>, models: &[Model]) -> Option<NextRuns> {
        let feature =
            self.expectation.feature.as_deref().or(self.findings.features.first().map(|f| &*f.name))?;
        let next_runs = |models: &[Model]| models.iter().find(|model| model.feature == feature)?.next.clone();
        let is_in = |row: &Row, cluster: &crate::findings::row::Cluster| {
            let is_there = |m: &crate::findings::row::Member| {
                *m.file == row.file && (*m.function == row.name || m.line == row.line)
            };
            cluster.members.iter().any(is_there)
        };
        let clusters = self.findings.clusters.iter();
        let of_cluster =
            || row.and_then(|row| clusters.filter(|c| is_in(row, c)).find_map(|c| next_runs(&c.fits.models)));
        next_runs(models).or_else(of_cluster).or_else(|| next_runs(&self.findings.total.fits.models))
    }
}

/// Returns the reason why a model's classes are on both sides of a limit.
fn undecided_reason(model: Option<&Model>) -> Reason {
    let near = model.and_then(|model| model.growth.as_ref()).filter(|growth| growth.near.is_some());
    let fastest = near.and_then(|growth| growth.named().map(|named| named.class).max());
    fastest.map_or(Reason::Open, |fastest| Reason::WithinLog { fastest: fastest.to_string() })
}

/// The judgement of a row, the findings, and a reason.
type Outcome = (Judgement, Option<Found>, Option<Reason>);
