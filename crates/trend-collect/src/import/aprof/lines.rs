//! Parses routines and points from lines of a report.

use std::collections::BTreeMap;

use trend_profile::{Observation, ObservationParts, OwnCosts, OwnInput, Symbol};

use crate::import::points::whole;
use crate::import::text::{cut, digits, shown};

/// Maximum bytes of a name; longer ones are cut.
const LONGEST: usize = 4096;

pub(super) fn number(text: &str) -> Option<u64> {
    digits(text).filter(|_| !text.is_empty())
}

/// A cost as written: whole, or with a decimal fraction.
#[derive(Clone, Copy)]
pub(super) struct Decimal {
    whole: u64,
    millionths: u64,
}

impl Decimal {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let whole = number(whole).filter(|v| i64::try_from(*v).is_ok())?;
        // Times are counted in picoseconds; smaller fractions are dropped.
        let (part, rest) = part.split_at_checked(6).unwrap_or((part, ""));
        let is_number = rest.bytes().all(|b| b.is_ascii_digit());
        let millionths = number(part).filter(|_| is_number)? * 10_u64.pow(6 - part.len() as u32);
        Some(Self { whole, millionths })
    }

    /// Converts the value to a unit of which `scale` (1 or a million) make one written unit.
    pub(super) fn scaled(self, scale: u64) -> Option<u64> {
        if scale == 1 {
            return Some(self.whole).filter(|_| self.millionths == 0);
        }
        Some(self.whole.saturating_mul(scale).saturating_add(self.millionths))
    }
}

pub(super) struct Routine {
    pub(super) symbol: Symbol,
    pub(super) object: String,
}

impl Routine {
    /// Parses `"name" "object" id`, which some reports follow by a number of distinct sizes, or version 0's `name
    /// address object id`. Names can contain spaces.
    pub(super) fn parse(text: &str) -> Option<(u64, Self)> {
        let text = text.trim();
        let (name, object, id) = if let Some(quoted) = text.strip_prefix('"') {
            let (names, numbers) = quoted.rsplit_once('"')?;
            let (name, object) = names.split_once("\" \"")?;
            (name, object, numbers.split_whitespace().next()?)
        } else {
            let (rest, id) = text.rsplit_once(' ')?;
            let (rest, object) = rest.rsplit_once(' ')?;
            (rest.rsplit_once(' ').filter(|(_, a)| a.starts_with("0x"))?.0, object, id)
        };
        let name = cut(name, LONGEST).into_owned();
        Some((
            number(id)?,
            Self {
                symbol: Symbol { linkage: name.clone(), name },
                object: cut(object, LONGEST).into_owned(),
            },
        ))
    }
}

/// A point of a routine or of a context.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) observation: Observation,
    /// True if the point reports the sources of its input.
    pub(super) is_dynamic: bool,
}

impl Point {
    /// Parses the fields, beginning with the size. `scale` applies to costs.
    pub(super) fn parse(version: u64, scale: u64, fields: &[&str]) -> Result<Self, String> {
        let number = |i: usize| {
            let text = fields.get(i).copied().unwrap_or_default();
            let value = number(text).filter(|v| i64::try_from(*v).is_ok());
            value.ok_or_else(|| format!("field {} `{}` is not a number", i + 1, shown(text)))
        };
        let cost = |i: usize| {
            let text = fields.get(i).copied().unwrap_or_default();
            let value = Decimal::parse(text).and_then(|decimal| decimal.scaled(scale));
            value.ok_or_else(|| format!("field {} `{}` is not a number", i + 1, shown(text)))
        };
        let real = |i: usize| {
            let value: Option<f64> = fields.get(i).and_then(|t| t.parse().ok());
            let value = value.filter(|v| v.is_finite() && *v >= 0.0);
            value.ok_or_else(|| format!("field {} is not a number", i + 1))
        };
        let squares = |i: usize| -> Result<f64, String> { Ok(real(i)? * (scale as f64 * scale as f64)) };
        let size = number(0)?;
        let (min, max, sum, sum_of_squares, calls, at) = match (version, fields.len()) {
            (0, 3) => {
                let (mean, calls) = (real(1)? * scale as f64, number(2)?);
                let cost = whole(mean).ok_or("the mean is out of range")?;
                let sum = whole(mean * calls as f64).ok_or("the sum is out of range")?;
                (cost, cost, sum, 0.0, calls, None)
            }
            (0 | 1, 6) => (cost(1)?, cost(2)?, cost(3)?, squares(4)?, number(5)?, None),
            (2, 7) | (3, 9) => (cost(1)?, cost(2)?, cost(3)?, 0.0, number(4)?, Some(5)),
            (4.., 11 | 13 | 15 | 17) => (cost(1)?, cost(2)?, cost(3)?, squares(4)?, number(5)?, Some(6)),
            (version, count) => {
                return Err(format!("a point of version {version} does not have {count} fields"));
            }
        };
        if min > max || max > sum || calls == 0 {
            return Err(format!(
                "contradictory costs: {calls} calls, least {min}, greatest {max}, sum {sum}"
            ));
        }
        let mut parts = ObservationParts::default();
        if let Some(at) = at {
            (parts.outermost, parts.own) = (Some(cost(at)?), Some(cost(at + 1)?));
            if version >= 3 {
                let sum_of_squares = if version >= 4 { squares(at + 4)? } else { 0.0 };
                let own = OwnCosts { min: cost(at + 2)?, max: cost(at + 3)?, sum_of_squares };
                if own.min > own.max || own.max > max {
                    return Err(format!(
                        "contradictory self costs: least {}, greatest {}, but the greatest cost is {max}",
                        own.min, own.max
                    ));
                }
                parts.own_costs = Some(own);
            }
        }
        if fields.len() >= 15 {
            (parts.from_kernel, parts.from_threads) = (Some(number(13)?), Some(number(14)?));
        }
        if fields.len() >= 17 {
            let (from_kernel, from_threads) = (number(15)?, number(16)?);
            parts.own_input = Some(OwnInput { from_kernel, from_threads });
        }
        if let Some(part) = [parts.outermost, parts.own].into_iter().flatten().find(|part| *part > sum) {
            return Err(format!("a part of the cost ({part}) exceeds the sum ({sum})"));
        }
        let observation =
            Observation { count: calls, min, max, sum, sum_of_squares, parts, ..Observation::at(size) };
        Ok(Self { observation, is_dynamic: fields.len() > 11 })
    }
}

/// Adds a point to the one of its size, or inserts it. Returns true if it was inserted.
pub(super) fn add(sizes: &mut BTreeMap<u64, Point>, point: Point) -> bool {
    let Some(point_of_size) = sizes.get_mut(&point.observation.size()) else {
        sizes.insert(point.observation.size(), point);
        return true;
    };
    point_of_size.observation.add(&point.observation);
    false
}
