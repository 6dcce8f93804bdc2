//! The functions that the page calls.
//!
//! A caller writes bytes to what [`input`] returns, and numbers to what [`point`] returns. A function whose result is a
//! text returns its length; the text is at [`output`]. Laws and rows are JSON as in the findings, and have ids from 1 on;
//! 0 is what cannot be read.

#![expect(unsafe_code, reason = "the page calls functions by their names")]

use std::cell::RefCell;

use serde::Deserialize;

use crate::outlook::is_same_size;
use crate::{Law, Outlook, Row, Source, number};

/// A feature's value.
#[derive(Deserialize)]
struct Value {
    feature: String,
    at: f64,
}

/// Points of the analysis, and the features that a target has values of.
#[derive(Default, Deserialize)]
struct Study {
    features: Vec<String>,
    points: Vec<Vec<Value>>,
}

/// A point at which rows are predicted.
#[derive(Default)]
struct Target {
    values: Vec<(String, f64)>,
    /// Its position among the points of the analysis.
    known: Option<usize>,
}

#[derive(Default)]
struct Page {
    input: Vec<u8>,
    output: String,
    point: Vec<f64>,
    study: Study,
    target: Target,
    laws: Vec<Law>,
    rows: Vec<Row>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

fn with<T>(use_page: impl FnOnce(&mut Page) -> T) -> T {
    PAGE.with_borrow_mut(use_page)
}

fn write(text: String) -> usize {
    with(|page| {
        page.output = text;
        page.output.len()
    })
}

impl Page {
    fn read<T: for<'a> Deserialize<'a>>(&self) -> Option<T> {
        serde_json::from_slice(&self.input).ok()
    }

    /// Writes an outlook to the point: cost, interval, source.
    fn tell(&mut self, outlook: Option<Outlook>) -> bool {
        let Some(Outlook { cost, ci, source }) = outlook else { return false };
        let [low, high] = ci.unwrap_or([f64::NAN; 2]);
        self.point.clear();
        self.point.extend([cost, low, high, f64::from(source as u8)]);
        true
    }
}

impl Study {
    fn target(&self, point: &[f64]) -> Target {
        let values = self.features.iter().cloned().zip(point.iter().copied());
        let values: Vec<(String, f64)> = values.filter(|(_, at)| !at.is_nan()).collect();
        let is_there = |known: &Vec<Value>| {
            let has = |(name, at): &(String, f64)| {
                known.iter().any(|value| value.feature == *name && is_same_size(value.at, *at))
            };
            known.len() == values.len() && values.iter().all(has)
        };
        Target { known: self.points.iter().position(is_there), values }
    }
}

/// Makes room for bytes.
#[unsafe(no_mangle)]
extern "C" fn input(bytes: usize) -> *mut u8 {
    with(|page| {
        page.input.resize(bytes, 0);
        page.input.as_mut_ptr()
    })
}

/// Makes room for numbers; a prediction is read from there, too.
#[unsafe(no_mangle)]
extern "C" fn point(values: usize) -> *mut f64 {
    with(|page| {
        page.point.resize(values, f64::NAN);
        page.point.as_mut_ptr()
    })
}

/// Returns the place of the last text.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    with(|page| page.output.as_ptr())
}

/// Begins a study, and forgets the laws and rows of the one before.
#[unsafe(no_mangle)]
extern "C" fn begin() {
    with(|page| *page = Page { study: page.read().unwrap_or_default(), ..Page::default() });
}

/// Sets the target to the point.
#[unsafe(no_mangle)]
extern "C" fn target() {
    with(|page| page.target = page.study.target(&page.point));
}

/// Reads a law; returns its id.
#[unsafe(no_mangle)]
extern "C" fn law() -> usize {
    with(|page| {
        let read = page.read::<Law>();
        let is_law = read.is_some();
        page.laws.extend(read);
        if is_law { page.laws.len() } else { 0 }
    })
}

/// Returns a law's cost at the point, in the order of its features; NaN if that is not a positive number.
#[unsafe(no_mangle)]
extern "C" fn cost(law: usize) -> f64 {
    with(|page| page.laws.get(law.wrapping_sub(1))?.cost(&page.point)).unwrap_or(f64::NAN)
}

/// Reads a row; returns its id.
#[unsafe(no_mangle)]
extern "C" fn row() -> usize {
    with(|page| {
        let read = page.read::<Row>();
        let is_row = read.is_some();
        page.rows.extend(read);
        if is_row { page.rows.len() } else { 0 }
    })
}

/// Predicts a row at the target; true if it has a prediction there.
#[unsafe(no_mangle)]
extern "C" fn outlook(row: usize) -> bool {
    with(|page| {
        let Target { values, known } = &page.target;
        let found = page.rows.get(row.wrapping_sub(1)).and_then(|row| row.outlook(values, *known));
        page.tell(found)
    })
}

/// Predicts a row at the point, in the order of its law's features; true if it has a prediction there.
#[unsafe(no_mangle)]
extern "C" fn outlook_at(row: usize) -> bool {
    with(|page| {
        let found = page.rows.get(row.wrapping_sub(1)).and_then(|row| row.outlook_at(&page.point));
        page.tell(found)
    })
}

/// Writes the published name of a source.
#[unsafe(no_mangle)]
extern "C" fn source(index: usize) -> usize {
    let name = Source::ALL.get(index).and_then(|source| serde_json::to_string(source).ok());
    write(name.unwrap_or_default())
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $of:ty),*) = $text:expr;)*) => {
        $($(#[$doc])* #[unsafe(no_mangle)] extern "C" fn $name($($arg: $of),*) -> usize { write($text) })*
    };
}

/// Returns an interval; `None` if it is written as NaN.
fn interval(low: f64, high: f64) -> Option<[f64; 2]> {
    (!low.is_nan() && !high.is_nan()).then_some([low, high])
}

texts! {
    significant(value: f64, digits: usize) = number::significant(value, digits);
    cost_text(value: f64, digits: usize) = number::cost(value, digits);
    cost_interval(low: f64, high: f64) = number::cost_interval([low, high]);
    predicted(value: f64, low: f64, high: f64) = number::predicted(value, interval(low, high));
    exponent(value: f64, low: f64, high: f64) = number::exponent(value, interval(low, high));
    exponent_interval(low: f64, high: f64) = number::exponent_interval([low, high]);
    grouped(value: f64) = number::grouped(value as i64);
    size(value: f64) = number::size(value);
    tick(value: f64) = number::tick(value);
    share(value: f64) = number::share(value);
    r2(value: f64) = number::r2(value);
    seconds(value: f64) = number::seconds(value, None);
    bytes(value: f64, digits: usize) = number::bytes(value, digits);
    picoseconds(value: f64) = number::picoseconds(value);
}

/// Returns the number of digits of a value that its interval supports.
#[unsafe(no_mangle)]
extern "C" fn supported_digits(value: f64, low: f64, high: f64) -> usize {
    number::supported_digits(value, interval(low, high))
}
