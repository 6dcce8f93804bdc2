//! Routines and points, as lines of a report have them.

use std::collections::BTreeMap;

use trend_profile::{Observation, ObservationParts, Symbol};

use crate::import::points::whole;
use crate::import::text::{cut, digits, shown};

/// Longer names are cut.
const LONGEST: usize = 4096;

pub(super) fn number(text: &str) -> Option<u64> {
    digits(text).filter(|_| !text.is_empty())
}

pub(super) struct Routine {
    pub(super) symbol: Symbol,
    pub(super) object: String,
}

impl Routine {
    /// `"name" "object" id` with a number of distinct sizes in some reports, or version 0's `name address object id`.
    /// Names can contain spaces.
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
    /// Whether it tells where its input came from.
    pub(super) is_dynamic: bool,
}

impl Point {
    /// The fields from the size on.
    pub(super) fn parse(version: u64, fields: &[&str]) -> Result<Self, String> {
        let number = |i: usize| {
            let text = fields.get(i).copied().unwrap_or_default();
            let value = number(text).filter(|v| i64::try_from(*v).is_ok());
            value.ok_or_else(|| format!("field {} `{}` is no number", i + 1, shown(text)))
        };
        let real = |i: usize| {
            let value: Option<f64> = fields.get(i).and_then(|t| t.parse().ok());
            let value = value.filter(|v| v.is_finite() && *v >= 0.0);
            value.ok_or_else(|| format!("field {} is no number", i + 1))
        };
        let size = number(0)?;
        let (min, max, sum, sum_of_squares, calls, at) = match (version, fields.len()) {
            (0, 3) => {
                let (mean, calls) = (real(1)?, number(2)?);
                let cost = whole(mean).ok_or("the mean is out of range")?;
                let sum = whole(mean * calls as f64).ok_or("the sum is out of range")?;
                (cost, cost, sum, 0.0, calls, None)
            }
            (0 | 1, 6) => (number(1)?, number(2)?, number(3)?, real(4)?, number(5)?, None),
            (2, 7) | (3, 9) => (number(1)?, number(2)?, number(3)?, 0.0, number(4)?, Some(5)),
            (4.., 11 | 13 | 15 | 17) => (number(1)?, number(2)?, number(3)?, real(4)?, number(5)?, Some(6)),
            (version, count) => {
                return Err(format!("a point of version {version} does not have {count} fields"));
            }
        };
        if min > max || max > sum || calls == 0 {
            return Err(format!("{calls} calls, from {min} to {max}, {sum} in all"));
        }
        let mut parts = ObservationParts::default();
        if let Some(at) = at {
            (parts.outermost, parts.own) = (Some(number(at)?), Some(number(at + 1)?));
        }
        if fields.len() >= 15 {
            (parts.from_kernel, parts.from_threads) = (Some(number(13)?), Some(number(14)?));
        }
        if let Some(part) = [parts.outermost, parts.own].into_iter().flatten().find(|part| *part > sum) {
            return Err(format!("{part} is a part of {sum}"));
        }
        let observation =
            Observation { count: calls, min, max, sum, sum_of_squares, parts, ..Observation::at(size) };
        Ok(Self { observation, is_dynamic: fields.len() > 11 })
    }
}

/// Adds a point to those of other sizes, or to the one of its size; says whether there was none.
pub(super) fn add(sizes: &mut BTreeMap<u64, Point>, point: Point) -> bool {
    let Some(known) = sizes.get_mut(&point.observation.size()) else {
        sizes.insert(point.observation.size(), point);
        return true;
    };
    known.observation.add(&point.observation);
    false
}
