//! Collects the predictions of a profile.
//!
//! A profile has one sample per function. Its weight is the function's outlook in the JSON output at the same point.
//! Times become nanoseconds, because viewers have no picoseconds.

use trend_analyze::{Findings, Model, Outlook, Point, Row};

use crate::error::ReportError;
use crate::options::TableOptions;
use crate::rows::scope::Scope;
use crate::words::point;

/// Picoseconds per nanosecond.
const NANOSECOND: f64 = 1000.0;

/// Largest number of functions whose names a note lists.
const MOST_NAMED: usize = 20;

/// Predicted costs of functions at one point.
#[derive(Debug)]
pub struct PredictedProfile<'a> {
    pub(super) findings: &'a Findings,
    point: &'a Point,
    /// The point in words, such as `n = 100 M`.
    pub(super) at: String,
    /// Functions with a prediction, by falling predicted cost.
    pub(super) functions: Vec<(&'a Row, Outlook)>,
    /// Functions without a prediction, by falling measured cost.
    left_out: Vec<&'a Row>,
}

impl<'a> PredictedProfile<'a> {
    /// Collects the predictions at the requested point, or at ten times the 95th percentile if there is none.
    ///
    /// # Errors
    /// [`ReportError::NothingPredicted`] if no function has a prediction there.
    pub fn new(findings: &'a Findings) -> Result<Self, ReportError> {
        let scope = Scope::new(findings, &TableOptions::default())?;
        let (index, point) = scope.point.ok_or(ReportError::NothingPredicted)?;
        let (mut functions, mut left_out) = (Vec::new(), Vec::new());
        for row in &findings.functions {
            match row.outlooks.get(index).copied().flatten() {
                Some(outlook) => functions.push((row, outlook)),
                None => left_out.push(row),
            }
        }
        if functions.is_empty() {
            return Err(ReportError::NothingPredicted);
        }
        functions.sort_by(|a, b| b.1.cost.total_cmp(&a.1.cost));
        Ok(Self { findings, point, at: point::in_words(point), functions, left_out })
    }

    /// Returns a sentence for each reason why functions are left out, which names these functions. Lists all names if
    /// `in_full`.
    pub fn left_out(&self, in_full: bool) -> Vec<String> {
        let has_ended = |row: &&Row| {
            let at = |model: &Model| self.point.value(model.id);
            row.fits
                .models
                .iter()
                .any(|model| model.runs_until.zip(at(model)).is_some_and(|(until, at)| at > until))
        };
        let (ended, lawless): (Vec<&Row>, Vec<&Row>) = self.left_out.iter().copied().partition(has_ended);
        let reasons = [(lawless, "no law predicts them"), (ended, "only smaller inputs execute them")];
        let sentence = |(rows, reason): (Vec<&Row>, &str)| {
            (!rows.is_empty()).then(|| {
                format!("functions left out at {}, because {reason}: {}", self.at, names(&rows, in_full))
            })
        };
        reasons.into_iter().filter_map(sentence).collect()
    }

    /// Returns the name of the unit of [`Self::in_unit`].
    pub(super) fn unit(&self) -> &str {
        if self.findings.unit.is_time() { "nanoseconds" } else { self.findings.unit.name() }
    }

    /// Converts a cost to the unit of the profile.
    pub(super) fn in_unit(&self, cost: f64) -> f64 {
        if self.findings.unit.is_time() { cost / NANOSECOND } else { cost }
    }

    pub(super) fn title(&self) -> String {
        format!("{} at {}", self.findings.program.name, self.at)
    }
}

fn names(rows: &[&Row], in_full: bool) -> String {
    let listed = if in_full { rows.len() } else { rows.len().min(MOST_NAMED) };
    let names: Vec<&str> = rows[..listed].iter().map(|row| row.name.as_str()).collect();
    let more = rows.len() - listed;
    let more = if more > 0 { format!(", and {more} more (-v lists all)") } else { String::new() };
    names.join(", ") + &more
}
