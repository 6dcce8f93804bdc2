//! Writes a predicted profile as pprof's compressed `profile.proto`.
//!
//! The messages declare only the fields of <https://github.com/google/pprof/blob/main/proto/profile.proto> that are
//! used here.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use indexmap::IndexSet;
use prost::Message;
use trend_analyze::{Outlook, Row};

use super::profile::PredictedProfile;
use crate::error::ReportError;
use crate::words::growth;

#[derive(Clone, PartialEq, Message)]
struct Profile {
    #[prost(message, repeated, tag = "1")]
    sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    sample: Vec<Sample>,
    #[prost(message, repeated, tag = "3")]
    mapping: Vec<Mapping>,
    #[prost(message, repeated, tag = "4")]
    location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    string_table: Vec<String>,
    #[prost(int64, repeated, tag = "13")]
    comment: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueType {
    #[prost(int64, tag = "1")]
    r#type: i64,
    #[prost(int64, tag = "2")]
    unit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Sample {
    #[prost(uint64, repeated, tag = "1")]
    location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    label: Vec<Label>,
}

#[derive(Clone, PartialEq, Message)]
struct Label {
    #[prost(int64, tag = "1")]
    key: i64,
    #[prost(int64, tag = "2")]
    str: i64,
    #[prost(int64, tag = "3")]
    num: i64,
    #[prost(int64, tag = "4")]
    num_unit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Mapping {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "5")]
    filename: i64,
    #[prost(bool, tag = "7")]
    has_functions: bool,
    #[prost(bool, tag = "8")]
    has_filenames: bool,
    #[prost(bool, tag = "9")]
    has_line_numbers: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(uint64, tag = "2")]
    mapping_id: u64,
    #[prost(message, repeated, tag = "4")]
    line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
struct Line {
    #[prost(uint64, tag = "1")]
    function_id: u64,
    #[prost(int64, tag = "2")]
    line: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
    #[prost(int64, tag = "3")]
    system_name: i64,
    #[prost(int64, tag = "4")]
    filename: i64,
    #[prost(int64, tag = "5")]
    start_line: i64,
}

/// Texts of a profile. The profile refers to them by position; the first one must be empty.
struct Strings(IndexSet<String>);

impl Strings {
    fn position(&mut self, text: &str) -> i64 {
        self.0.insert_full(text.to_owned()).0 as i64
    }
}

impl PredictedProfile<'_> {
    /// Returns the profile in pprof's format, compressed. Costs are rounded to integers.
    ///
    /// Each sample has the labels `growth` and `law`, and `low` and `high` for the ends of its interval. An end is left
    /// out if it is unknown, or too large for a 64-bit integer.
    ///
    /// # Errors
    /// [`ReportError::TooLarge`] if a predicted cost does not fit into a 64-bit integer.
    pub fn pprof(&self) -> Result<Vec<u8>, ReportError> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to memory cannot fail.
        let written = gzip.write_all(&self.message()?.encode_to_vec());
        debug_assert!(written.is_ok());
        Ok(gzip.finish().unwrap_or_default())
    }

    fn message(&self) -> Result<Profile, ReportError> {
        let mut strings = Strings(IndexSet::from([String::new()]));
        let unit = strings.position(self.unit());
        let mut profile = Profile {
            sample_type: vec![ValueType { r#type: strings.position("predicted"), unit }],
            mapping: vec![Mapping {
                id: 1,
                filename: strings.position(&self.findings.program.name),
                has_functions: true,
                has_filenames: true,
                has_line_numbers: true,
            }],
            comment: vec![strings.position(&format!("predicted by trend-prof: {}", self.title()))],
            ..Profile::default()
        };
        for (&(row, outlook), id) in self.functions.iter().zip(1..) {
            let name = strings.position(&row.name);
            let (filename, line) = (strings.position(&row.file), i64::from(row.line));
            profile.function.push(Function { id, name, system_name: name, filename, start_line: line });
            profile.location.push(Location { id, mapping_id: 1, line: vec![Line { function_id: id, line }] });
            let cost = self
                .integer(outlook.cost)
                .ok_or_else(|| ReportError::TooLarge { name: row.name.clone(), at: self.at.clone() })?;
            let label = self.labels(row, outlook, unit, &mut strings);
            profile.sample.push(Sample { location_id: vec![id], value: vec![cost], label });
        }
        profile.string_table = strings.0.into_iter().collect();
        Ok(profile)
    }

    fn labels(&self, row: &Row, outlook: Outlook, unit: i64, strings: &mut Strings) -> Vec<Label> {
        let growth = row.fits.law().map(growth::of_law);
        let formula = row.fits.law().and_then(|law| Some(law.law()?.formula()));
        let texts = [("growth", growth), ("law", formula)];
        let mut text = |(key, text): (&str, Option<String>)| {
            let str = strings.position(&text?);
            Some(Label { key: strings.position(key), str, ..Label::default() })
        };
        let mut labels: Vec<Label> = texts.into_iter().filter_map(&mut text).collect();
        let ends = ["low", "high"].into_iter().zip(outlook.ci.into_iter().flatten());
        for (key, end) in ends {
            let number = self.integer(end);
            labels.extend(number.map(|num| Label {
                key: strings.position(key),
                num,
                num_unit: unit,
                ..Label::default()
            }));
        }
        labels
    }

    /// Rounds a cost; `None` if the integer is too large.
    fn integer(&self, cost: f64) -> Option<i64> {
        let rounded = self.in_unit(cost).round();
        // 2^63 is the first number that does not fit.
        (rounded < i64::MAX as f64).then_some(rounded as i64)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use trend_profile::Unit;

    use super::*;
    use crate::tests::sample;

    fn decoded(bytes: &[u8]) -> Profile {
        let mut message = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut message).unwrap();
        Profile::decode(&message[..]).unwrap()
    }

    #[test]
    fn each_sample_has_its_functions_predicted_cost_and_interval() {
        let findings = sample::predicted_at(sample::bubble_sort(), 1e8);
        let profile = decoded(&PredictedProfile::new(&findings).unwrap().pprof().unwrap());
        let text = |position: i64| profile.string_table[position as usize].as_str();
        assert_eq!(profile.sample.len(), findings.functions.len());
        for sample in &profile.sample {
            let function = &profile.function[sample.location_id[0] as usize - 1];
            let row = findings.functions.iter().find(|row| row.name == text(function.name)).unwrap();
            let outlook = row.outlooks[0].unwrap();
            assert_eq!(sample.value, [outlook.cost.round() as i64]);
            assert_eq!((text(function.filename), function.start_line), (&*row.file, i64::from(row.line)));
            let number = |key: &str| sample.label.iter().find(|label| text(label.key) == key).map(|l| l.num);
            let [low, high] = outlook.ci.unwrap();
            assert_eq!(
                (number("low"), number("high")),
                (Some(low.round() as i64), Some(high.round() as i64))
            );
            assert_eq!(number("growth"), Some(0));
        }
        assert_eq!(text(profile.sample_type[0].unit), "executions");
    }

    #[test]
    fn times_are_nanoseconds() {
        let mut findings = sample::predicted_at(sample::bubble_sort(), 1e8);
        let counted = decoded(&PredictedProfile::new(&findings).unwrap().pprof().unwrap());
        findings.unit = Unit::new(Unit::PICOSECONDS);
        let timed = decoded(&PredictedProfile::new(&findings).unwrap().pprof().unwrap());
        assert_eq!(timed.string_table[timed.sample_type[0].unit as usize], "nanoseconds");
        let first = |profile: &Profile| profile.sample[0].value[0];
        assert_eq!(first(&timed), (first(&counted) as f64 / 1000.0).round() as i64);
    }

    #[test]
    fn a_cost_beyond_64_bits_is_refused() {
        let mut findings = sample::predicted_at(sample::bubble_sort(), 1e8);
        findings.functions[0].outlooks[0].as_mut().unwrap().cost = 9.3e18;
        let error = PredictedProfile::new(&findings).unwrap().pprof().unwrap_err();
        assert!(matches!(error, ReportError::TooLarge { .. }), "{error}");
        findings.functions[0].outlooks[0].as_mut().unwrap().cost = 9.2e18;
        assert!(PredictedProfile::new(&findings).unwrap().pprof().is_ok());
    }
}
