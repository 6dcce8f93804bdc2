//! Writes a predicted profile as JSON for speedscope: one profile for the predicted costs, and one for each end of
//! their intervals.

use serde::Serialize;
use trend_analyze::Outlook;

use super::profile::PredictedProfile;
use crate::words::study;

/// Identifier by which speedscope recognises its own format.
const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    exporter: &'static str,
    name: String,
    active_profile_index: usize,
    shared: Shared<'a>,
    profiles: Vec<SampledProfile>,
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<Frame<'a>>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    file: &'a str,
    #[serde(skip_serializing_if = "is_unknown")]
    line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SampledProfile {
    r#type: &'static str,
    name: String,
    unit: &'static str,
    start_value: f64,
    end_value: f64,
    /// Stacks, as positions of frames.
    samples: Vec<[usize; 1]>,
    weights: Vec<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_unknown(line: &u32) -> bool {
    *line == 0
}

impl PredictedProfile<'_> {
    /// Returns the profile as JSON for speedscope. A function without an interval appears only in the first of the
    /// three profiles.
    pub fn speedscope(&self) -> String {
        let frames =
            self.functions.iter().map(|(row, _)| Frame { name: &row.name, file: &row.file, line: row.line });
        let level = study::level(self.findings);
        let file = File {
            schema: SCHEMA,
            exporter: "trend-prof",
            name: self.title(),
            active_profile_index: 0,
            shared: Shared { frames: frames.collect() },
            profiles: vec![
                self.sampled(format!("predicted {} at {}", self.unit(), self.at), |outlook| {
                    Some(outlook.cost)
                }),
                self.sampled(format!("lower end of the {level} interval"), |outlook| Some(outlook.ci?[0])),
                self.sampled(format!("upper end of the {level} interval"), |outlook| Some(outlook.ci?[1])),
            ],
        };
        // All keys are strings.
        serde_json::to_string(&file).unwrap_or_default() + "\n"
    }

    /// Returns a profile with one sample for each function that has this cost.
    fn sampled(&self, name: String, cost: impl Fn(&Outlook) -> Option<f64>) -> SampledProfile {
        let costs = self.functions.iter().enumerate();
        let costs = costs.filter_map(|(frame, (_, outlook))| Some(([frame], self.in_unit(cost(outlook)?))));
        let (samples, weights): (Vec<_>, Vec<f64>) = costs.unzip();
        // speedscope has a fixed list of units, in which counts have none.
        let unit = if self.findings.unit.is_time() { "nanoseconds" } else { "none" };
        let end_value = weights.iter().sum();
        SampledProfile { r#type: "sampled", name, unit, start_value: 0.0, end_value, samples, weights }
    }
}
