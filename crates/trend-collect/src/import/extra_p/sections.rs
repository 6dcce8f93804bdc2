//! Reads Extra-P's text format.

use std::sync::Arc;

use super::super::points;
use super::super::text::shown;
use super::measurement::{Measurement, UNNAMED, WHOLE_PROGRAM};
use crate::import::{ImportError, Input};

const SECTIONS: [&str; 5] = ["PARAMETER", "POINTS", "REGION", "METRIC", "DATA"];

#[derive(Default)]
struct SectionReader {
    parameters: Vec<String>,
    coordinates: Vec<f64>,
    region: Option<Arc<str>>,
    metric: Option<Arc<str>>,
    /// Index of the point that the next values belong to.
    point: usize,
    measurements: Vec<Measurement>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Measurement>, ImportError> {
    let mut reader = SectionReader::default();
    let mut input = Input::from(bytes);
    while let Some((number, line)) = input.line()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (section, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !SECTIONS.contains(&section) {
            let problem = format!("`{}` is not a known section", shown(line));
            return Err(if reader.parameters.is_empty() {
                ImportError::OtherFormat { format: "Extra-P text", problem }
            } else {
                ImportError::line(number, problem)
            });
        }
        reader.section(section, value.trim(), number)?;
    }
    reader.complete().map_err(|missing| {
        let missing = format!("after line {}: {missing}", input.lines());
        ImportError::CutOff { missing }
    })?;
    if reader.measurements.is_empty() {
        return Err(ImportError::CutOff { missing: "it has no DATA".to_owned() });
    }
    Ok(reader.measurements)
}

impl SectionReader {
    fn section(&mut self, section: &str, value: &str, number: usize) -> Result<(), ImportError> {
        let wrong = |what: String| ImportError::line(number, what);
        match section {
            "PARAMETER" => {
                self.parameters.extend(value.split_whitespace().map(str::to_owned));
                points::check(self.parameters.iter().map(String::as_str))?;
            }
            "POINTS" => {
                let words =
                    value.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|w| !w.is_empty());
                for word in words {
                    self.coordinates.push(number_of(word).map_err(wrong)?);
                }
            }
            "REGION" | "METRIC" => {
                self.complete().map_err(|missing| wrong(format!("before this line: {missing}")))?;
                self.point = 0;
                let name = Some(Arc::from(value)).filter(|_| !value.is_empty());
                *(if section == "REGION" { &mut self.region } else { &mut self.metric }) = name;
            }
            _ => self.data(value, number)?,
        }
        Ok(())
    }

    fn data(&mut self, value: &str, number: usize) -> Result<(), ImportError> {
        let wrong = |what: String| ImportError::line(number, what);
        let dimensions = self.parameters.len();
        if dimensions == 0 || !self.coordinates.len().is_multiple_of(dimensions) {
            let what = format!("{} coordinates for {dimensions} parameters", self.coordinates.len());
            return Err(wrong(what));
        }
        // The values of a region's next metric follow directly.
        let points = self.coordinates.len() / dimensions;
        if self.point >= points {
            return Err(wrong(format!("there is more DATA than the {points} POINTS")));
        }
        let values =
            value.split_whitespace().map(number_of).collect::<Result<Vec<f64>, _>>().map_err(wrong)?;
        if values.is_empty() {
            return Err(wrong("DATA has no value".to_owned()));
        }
        let at = &self.coordinates[self.point * dimensions..][..dimensions];
        self.measurements.push(Measurement {
            parameters: self.parameters.iter().cloned().zip(at.iter().copied()).collect(),
            metric: self.metric.clone().unwrap_or_else(|| UNNAMED.into()),
            callpath: self.region.clone().unwrap_or_else(|| WHOLE_PROGRAM.into()),
            values,
        });
        self.point += 1;
        Ok(())
    }

    /// Checks that all points or none have values for the current region and metric.
    fn complete(&self) -> Result<(), String> {
        let points = self.coordinates.len().checked_div(self.parameters.len()).unwrap_or(0);
        if self.point == 0 || self.point == points {
            return Ok(());
        }
        Err(match points - self.point {
            1 => "one of the POINTS has no DATA".to_owned(),
            missing => format!("{missing} of the POINTS have no DATA"),
        })
    }
}

fn number_of(word: &str) -> Result<f64, String> {
    let number: Option<f64> = word.parse().ok().filter(|n: &f64| n.is_finite());
    number.ok_or_else(|| format!("`{}` is not a number", shown(word)))
}
