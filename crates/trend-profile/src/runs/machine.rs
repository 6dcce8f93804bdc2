//! Profiles of machines: the time that fragments of code take.

use serde::{Deserialize, Serialize};

/// Format name of [`Machine::to_toml`].
const SCHEMA: &str = "trend-prof/machine/1";

/// Maximum number of constants, and of sizes per constant. More cannot come from handwritten experiments.
const MOST_CONSTANTS: usize = 10_000;

/// A machine and its constants, as one file that can be sent by mail.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Name of the processor.
    pub cpu: String,
    /// Number of its processors.
    pub cores: u32,
    /// Memory in bytes; 0 if unknown.
    pub memory_bytes: u64,
    /// Name of the operating system.
    pub system: String,
    /// Seconds per execution of fragments, by name.
    #[serde(rename = "constant", default, skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<Constant>,
}

/// Seconds per execution of a fragment.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Name of the constant in formulas.
    pub name: String,
    /// Digest of the program that timed it, and of the procedure. A constant with another digest is timed again.
    pub fingerprint: String,
    /// Measurements by ascending memory.
    #[serde(rename = "at")]
    pub points: Vec<ConstantMeasurement>,
}

/// A constant's value for a fragment that works on this much memory.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantMeasurement {
    /// Memory in bytes; 0 if the fragment's memory does not grow.
    pub bytes: u64,
    /// Measured seconds per execution.
    pub seconds: f64,
    /// Lower end of the interval, in seconds.
    pub low: f64,
    /// Upper end of the interval, in seconds.
    pub high: f64,
    /// Number of processes that agreed on the value.
    #[serde(rename = "kept")]
    pub agreeing: u32,
    /// Number of processes that measured it.
    #[serde(rename = "of")]
    pub measured_by: u32,
}

impl Machine {
    /// Encodes the machine as TOML.
    pub fn to_toml(&self) -> String {
        let body = toml::to_string(self).unwrap_or_default();
        format!("schema = \"{SCHEMA}\"\n{body}")
    }

    /// Decodes a file of [`Self::to_toml`], perhaps from another machine.
    ///
    /// # Errors
    /// Returns a message with the error and its position.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let schema = first.trim().strip_prefix("schema = \"").and_then(|schema| schema.strip_suffix('"'));
        match schema {
            Some(SCHEMA) => {}
            Some(other) => {
                return Err(format!("its schema is `{other}`, but this trend-prof reads `{SCHEMA}`"));
            }
            None => return Err(format!("it does not begin with `schema = \"{SCHEMA}\"`")),
        }
        // The added newline keeps line numbers in messages right.
        let machine: Self =
            toml::from_str(&format!("\n{rest}")).map_err(|e| e.to_string().trim_end().to_owned())?;
        machine.check()?;
        Ok(machine)
    }

    /// Returns a constant by its name.
    pub fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.iter().find(|constant| constant.name == name)
    }

    /// Replaces a constant, or adds it.
    pub fn set(&mut self, constant: Constant) {
        match self.constants.iter_mut().find(|existing| existing.name == constant.name) {
            Some(existing) => *existing = constant,
            None => self.constants.push(constant),
        }
    }

    /// Checks names, counts, order and values.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.constants.len() > MOST_CONSTANTS {
            return Err(format!("it has more than {MOST_CONSTANTS} constants"));
        }
        for (i, Constant { name, points, .. }) in self.constants.iter().enumerate() {
            if !is_constant_name(name) {
                return Err(format!("`{name}` is not a constant name; use letters, digits and `_`"));
            }
            if self.constants[..i].iter().any(|earlier| earlier.name == *name) {
                return Err(format!("constant `{name}` occurs twice"));
            }
            if points.is_empty() || points.len() > MOST_CONSTANTS {
                return Err(format!("constant `{name}` has {} sizes", points.len()));
            }
            if !points.windows(2).all(|pair| pair[0].bytes < pair[1].bytes) {
                return Err(format!("the sizes of constant `{name}` do not ascend"));
            }
            let is_sound = |p: &ConstantMeasurement| {
                0.0 < p.low && p.low <= p.seconds && p.seconds <= p.high && p.high.is_finite()
            };
            if let Some(point) = points.iter().find(|point| !is_sound(point)) {
                let ConstantMeasurement { bytes, seconds, low, high, .. } = point;
                return Err(format!(
                    "constant `{name}` at {bytes} bytes has {seconds} seconds from {low} to {high}, which is not an interval"
                ));
            }
        }
        Ok(())
    }
}

/// Returns true if formulas can refer to this name: letters, digits and `_`, and at most 200 bytes.
pub fn is_constant_name(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    name.chars().all(is_part)
        && name.chars().next().is_some_and(|first| !first.is_numeric())
        && name.len() <= 200
}

/// A machine's constants, and the user's formulas that refer to them.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Machine and its constants.
    pub machine: Machine,
    /// Text of the formulas, one file after the other.
    pub formulas: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        let point = |bytes, seconds| ConstantMeasurement {
            bytes,
            seconds,
            low: 0.9 * seconds,
            high: 1.1 * seconds,
            agreeing: 3,
            measured_by: 5,
        };
        let constant =
            |name: &str, points| Constant { name: name.to_owned(), fingerprint: "1f".to_owned(), points };
        Machine {
            cpu: "A \"fast\" one".to_owned(),
            cores: 2,
            memory_bytes: 16 << 30,
            system: "Linux".to_owned(),
            constants: vec![
                constant("insert", vec![point(4096, 1.25e-8), point(1 << 28, 5e-8)]),
                constant("create", vec![point(0, 1e-7)]),
            ],
        }
    }

    #[test]
    fn a_mailed_machine_is_the_same() {
        let machine = machine();
        let text = machine.to_toml();
        assert!(text.starts_with("schema = \"trend-prof/machine/1\"\ncpu = "), "{text}");
        assert_eq!(Machine::from_toml(&text), Ok(machine));
    }

    #[test]
    fn unusable_machines_are_refused() {
        let text = machine().to_toml();
        for (from, to, expected) in [
            ("machine/1", "machine/2", "its schema is `trend-prof/machine/2`, but this trend-prof reads"),
            ("\"create\"", "\"insert\"", "constant `insert` occurs twice"),
            ("\"create\"", "\"a b\"", "`a b` is not a constant name; use letters, digits and `_`"),
            ("bytes = 268435456", "bytes = 16", "the sizes of constant `insert` do not ascend"),
            ("seconds = 0.0000001", "seconds = nan", "constant `create` at 0 bytes has NaN seconds"),
            ("seconds = 0.0000001", "seconds = 1.0", "constant `create` at 0 bytes has 1 seconds"),
            ("cores = 2", "cores = 2\nsockets = 1", "unknown field `sockets`"),
            ("cores = 2", "cores = 2.5", "line 3, column"),
        ] {
            assert!(text.contains(from), "{from} is not in\n{text}");
            let error = Machine::from_toml(&text.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(
            Machine::from_toml("cpu = 1").unwrap_err(),
            "it does not begin with `schema = \"trend-prof/machine/1\"`"
        );
    }
}
