//! The functions that the page calls.
//!
//! The page passes numbers in the memory at [`point`], and reads lists of numbers from there. NaN stands for an unknown
//! number. A function that makes a text returns its length; the text is at [`output`]. Laws and rows are passed as
//! lists of numbers, see `flat`. Their ids begin at 1; 0 means that the list cannot be read.

#![expect(unsafe_code, reason = "the page calls functions by their names")]

use std::cell::RefCell;

use trend_model::{MemoryCurve, MemoryLaw, MemoryShape, PowerLaw, TimeLaw};

use crate::flat::Numbers;
use crate::outlook::is_same_size;
use crate::{
    CacheStep, Choice, Contender, Filling, Group, Growth, HiddenPart, Law, Leader, Origin, Others, Outlook,
    Pace, Part, Row, Scene, Shown, Source, Weighed, fill, is_open, number, raised, share_of, widened,
};

#[derive(Default)]
struct Page {
    output: String,
    point: Vec<f64>,
    /// `[points][features]` of the analysis; NaN for a feature without a value.
    analysis_points: Vec<Vec<f64>>,
    target: Vec<f64>,
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
    /// Replaces the point by an outlook: cost, interval, source. Returns false if there is none.
    fn tell(&mut self, outlook: Option<Outlook>) -> bool {
        self.point.clear();
        self.point.extend(outlook.map(encode_outlook).into_iter().flatten());
        outlook.is_some()
    }

    /// Replaces the point by the result of `make`, and returns its length; 0 if the point cannot be read.
    fn answer(&mut self, make: impl FnOnce(&mut Numbers<'_>) -> Option<Vec<f64>>) -> usize {
        self.point = make(&mut Numbers(self.point.iter())).unwrap_or_default();
        self.point.len()
    }
}

fn encode_outlook(Outlook { cost, ci, source }: Outlook) -> [f64; 4] {
    let [low, high] = ci.unwrap_or([f64::NAN; 2]);
    [cost, low, high, f64::from(source as u8)]
}

fn is_same_point(analysis_point: &[f64], point: &[f64]) -> bool {
    let is_same = |(a, b): (&f64, &f64)| a.is_nan() && b.is_nan() || is_same_size(*a, *b);
    analysis_point.iter().zip(point).all(is_same)
}

/// Returns the address of the point, with room for this many values. Results are read from there, too.
#[unsafe(no_mangle)]
extern "C" fn point(values: usize) -> *mut f64 {
    with(|page| {
        page.point.resize(values, f64::NAN);
        page.point.as_mut_ptr()
    })
}

/// Returns the address of the last text.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    with(|page| page.output.as_ptr())
}

/// Begins a study with this number of features, and forgets the laws and rows of the previous one. The point has the
/// features' values at each point of the analysis, one after the other.
#[unsafe(no_mangle)]
extern "C" fn begin(features: usize) {
    with(|page| {
        let analysis_points = page.point.chunks_exact(features.max(1)).map(<[f64]>::to_vec).collect();
        *page = Page { analysis_points, ..Page::default() };
    });
}

/// Takes the point as the target; returns its position among the points of the analysis, or -1.
#[unsafe(no_mangle)]
extern "C" fn target() -> i32 {
    with(|page| {
        page.target.clone_from(&page.point);
        let position = page.analysis_points.iter().position(|point| is_same_point(point, &page.target));
        position.map_or(-1, |position| position as i32)
    })
}

/// Reads a law from the point; returns its id.
#[unsafe(no_mangle)]
extern "C" fn law() -> usize {
    with(|page| match Numbers(page.point.iter()).law().flatten() {
        Some(law) => {
            page.laws.push(law);
            page.laws.len()
        }
        None => 0,
    })
}

/// Returns a law's cost at the point, in the order of its features; NaN if that is not a positive number.
#[unsafe(no_mangle)]
extern "C" fn cost(law: usize) -> f64 {
    with(|page| page.laws.get(law.wrapping_sub(1))?.cost(&page.point)).unwrap_or(f64::NAN)
}

/// Reads a row from the point; returns its id.
#[unsafe(no_mangle)]
extern "C" fn row() -> usize {
    with(|page| match Numbers(page.point.iter()).row() {
        Some(row) => {
            page.rows.push(row);
            page.rows.len()
        }
        None => 0,
    })
}

/// Predicts a row at the target. Returns true if it has a prediction there.
#[unsafe(no_mangle)]
extern "C" fn outlook(row: usize) -> bool {
    with(|page| {
        let outlook = page.rows.get(row.wrapping_sub(1)).and_then(|row| row.outlook(&page.target));
        page.tell(outlook)
    })
}

/// Predicts a row at the point. Returns true if it has a prediction there.
#[unsafe(no_mangle)]
extern "C" fn outlook_at(row: usize) -> bool {
    with(|page| {
        let outlook = page.rows.get(row.wrapping_sub(1)).and_then(|row| row.outlook(&page.point));
        page.tell(outlook)
    })
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $arg_type:ty),*) = $text:expr;)*) => {
        $($(#[$doc])* #[unsafe(no_mangle)] extern "C" fn $name($($arg: $arg_type),*) -> usize { write($text) })*
    };
}

/// Returns the rest of a text after `start`.
fn without(text: &str, start: &str) -> String {
    text.strip_prefix(start).map_or(String::new(), |rest| rest.trim_start().to_owned())
}

/// Formats a time in the unit that fits `like`.
fn in_unit_of(value: f64, like: f64) -> String {
    let (size, unit) = number::unit_of_time(like);
    format!("{} {unit}", number::significant(value / size, 2))
}

/// Returns the interval with these ends; `None` if one of them is NaN.
fn interval(low: f64, high: f64) -> Option<[f64; 2]> {
    (!low.is_nan() && !high.is_nan()).then_some([low, high])
}

texts! {
    significant(value: f64, digits: usize) = number::significant(value, digits);
    cost_text(value: f64, digits: usize) = number::cost(value, digits);
    cost_interval(low: f64, high: f64) = number::cost_interval([low, high]);
    cost_ends(low: f64, high: f64) = number::cost_ends([low, high]);
    predicted(value: f64, low: f64, high: f64) = number::predicted(value, interval(low, high));
    exponent(value: f64, low: f64, high: f64) = number::exponent(value, interval(low, high));
    exponent_interval(low: f64, high: f64) = number::exponent_interval([low, high]);
    grouped(value: f64) = number::grouped(value as i64);
    size(value: f64) = number::size(value);
    byte_size(value: f64) = number::byte_size(value);
    tick(value: f64) = number::tick(value);
    share(value: f64) = number::share(value);
    probability(value: f64) = number::probability(value);
    r2(value: f64) = number::r2(value);
    seconds(value: f64) = number::seconds(value, None);
    seconds_as(value: f64, like: f64) = in_unit_of(value, like);
    seconds_ends(value: f64, low: f64, high: f64) =
        without(&number::seconds(value, interval(low, high)), &number::seconds(value, None));
    bytes(value: f64, digits: usize) = number::bytes(value, digits);
    bytes_ends(value: f64, low: f64, high: f64) =
        without(&number::bytes_with_interval(value, interval(low, high)), &number::bytes(value, 2));
    picoseconds(value: f64) = number::picoseconds(value);
}

/// Returns the number of digits of a value that its interval supports.
#[unsafe(no_mangle)]
extern "C" fn supported_digits(value: f64, low: f64, high: f64) -> usize {
    number::supported_digits(value, interval(low, high))
}

/// Returns a cost as a share of a whole, of which `part` is predicted.
#[unsafe(no_mangle)]
extern "C" fn share_of_whole(cost: f64, part: f64, whole: f64) -> f64 {
    share_of(cost, part, whole)
}

/// Returns the cost of a row that hides a faster-growing part; NaN if the law's interval contains it.
#[unsafe(no_mangle)]
extern "C" fn hidden(share: f64, cost: f64, growth: f64, law: f64, low: f64, high: f64) -> f64 {
    let law = Outlook { cost: law, ci: interval(low, high), source: Source::Class };
    HiddenPart { share, cost, growth }.beyond(law).unwrap_or(f64::NAN)
}

/// Widens the first prediction, a cluster's, by the others: predictions of the functions in it.
#[unsafe(no_mangle)]
extern "C" fn widen() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let cluster = numbers.outlook()?;
            let functions = numbers.list(Numbers::outlook)?;
            widened(cluster, functions.into_iter()).map(|widened| encode_outlook(widened).to_vec())
        })
    })
}

/// Raises the first prediction, the whole's, to the greatest of the others, if that is greater.
#[unsafe(no_mangle)]
extern "C" fn raise() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let whole = numbers.outlook()?;
            let parts = numbers.list(Numbers::outlook)?;
            raised(whole, parts.into_iter()).map(|raised| encode_outlook(raised).to_vec())
        })
    })
}

/// Chooses the place to name. Writes the kind of the choice (0 fix, 1 open, 2 spread, 3 steady), and then
/// - for a function: its position, its share, the ends of the share's interval, and 1 if it is the costliest; if it is
///   steady, also the two flags of the claim about all other rows,
/// - without a function: the reason, and the positions and shares of groups.
///
/// Writes nothing if the choice needs the other rows, and they were not passed.
#[unsafe(no_mangle)]
extern "C" fn choose() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let scene = numbers.scene()?;
            let choice = scene.choose(|| numbers.others())?;
            Some(match choice {
                Choice::Fix(named) => [vec![0.0], named.numbers()].concat(),
                Choice::Open(named) => [vec![1.0], named.numbers()].concat(),
                Choice::Spread(why, groups) => {
                    let groups = groups.iter().flat_map(|&(i, share)| [i as f64, share]);
                    [2.0, f64::from(why as u8)].into_iter().chain(groups).collect()
                }
                Choice::Steady(named, claim) => {
                    let claim = [claim.large_only, claim.certain].map(f64::from);
                    [vec![3.0], named.numbers(), claim.to_vec()].concat()
                }
            })
        })
    })
}

/// Predicts the time. Writes its seconds and their interval, and three flags: the working set leaves a cache, the
/// counts are undecided, and the time is more than a day.
#[unsafe(no_mangle)]
extern "C" fn time() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let law = numbers.time_law()?;
            let cache = numbers.cache()?;
            let (whole, size) = (numbers.outlook()??, unless_nan(numbers.number()?));
            let at = law.at(whole.cost, whole.ci, size);
            let flags = [
                cache.is_some_and(|cache| cache.is_left(whole.cost, size)),
                is_open(whole.ci),
                at.seconds > number::DAY,
            ];
            Some([vec![at.seconds, at.ci[0], at.ci[1]], flags.map(f64::from).to_vec()].concat())
        })
    })
}

/// Writes the shares of the time's parts at a target.
#[unsafe(no_mangle)]
extern "C" fn time_shares() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let startup = numbers.number()?;
            let mut pair = || Some([numbers.number()?, numbers.number()?]);
            let [seconds, counts, sizes] = [pair()?, pair()?, pair()?];
            let sizes = Some(sizes).filter(|sizes| sizes.iter().all(|size| !size.is_nan()));
            let part = |numbers: &mut Numbers<'_>| {
                let (share, counts) = (numbers.number()?, unless_nan(numbers.number()?));
                Some(Part { share, counts, power: numbers.number()? })
            };
            let parts = numbers.list(part)?;
            let uncounted = parts.iter().filter(|part| part.counts.is_none()).map(|part| part.share).sum();
            Growth::new(startup, uncounted, seconds, counts, sizes).shares(&parts)
        })
    })
}

/// Predicts the peak of memory at a size. Writes its bytes and their interval.
#[unsafe(no_mangle)]
extern "C" fn peak() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let curve = numbers.curve()?;
            let [low, high] = [numbers.list(Numbers::curve)?, numbers.list(Numbers::curve)?];
            let measured =
                numbers.list(|numbers| Some((numbers.number()?, [numbers.number()?, numbers.number()?])))?;
            let law = MemoryLaw { curve, low, high, measured, shape: MemoryShape::Clear };
            let (bytes, [low, high]) = law.outlook(numbers.number()?);
            Some(vec![bytes, low, high])
        })
    })
}

/// Fills in the features that a target does not give. Writes for each feature its value and its origin: -1 if the value
/// is given, -2 if it comes from the costliest run, otherwise the position of the feature that it follows.
#[unsafe(no_mangle)]
extern "C" fn fill_in() -> usize {
    with(|page| {
        page.answer(|numbers| {
            let fillings = numbers.list(|numbers| {
                let costliest = unless_nan(numbers.number()?);
                let leader = |numbers: &mut Numbers<'_>| {
                    let feature = numbers.index()?;
                    Some(Leader {
                        feature,
                        a: numbers.number()?,
                        b: numbers.number()?,
                        r2: numbers.number()?,
                    })
                };
                Some(Filling { costliest, along: numbers.list(leader)? })
            })?;
            let given = numbers.list(|numbers| Some(unless_nan(numbers.number()?)))?;
            let encode_filling = |filled: Option<(f64, Origin)>| match filled {
                Some((at, Origin::Given)) => [at, -1.0],
                Some((at, Origin::Costliest)) => [at, -2.0],
                Some((at, Origin::Follows(leader))) => [at, leader as f64],
                None => [f64::NAN; 2],
            };
            Some(fill(&fillings, &given).into_iter().flat_map(encode_filling).collect())
        })
    })
}

/// Returns a number unless it is NaN.
fn unless_nan(number: f64) -> Option<f64> {
    Some(number).filter(|number| !number.is_nan())
}

impl Weighed {
    fn numbers(&self) -> Vec<f64> {
        let [low, high] = self.share_then_ci.unwrap_or([f64::NAN; 2]);
        vec![self.position as f64, self.share_then, low, high, f64::from(self.costliest)]
    }
}

#[expect(clippy::option_option, reason = "the outer one says that the numbers end too early")]
impl Numbers<'_> {
    /// Reads a cost with its interval and source. The inner `Option` is `None` if the cost is unknown.
    fn outlook(&mut self) -> Option<Option<Outlook>> {
        let [cost, low, high] = [self.number()?, self.number()?, self.number()?];
        let source = *Source::ALL.get(self.index()?)?;
        Some(unless_nan(cost).map(|cost| Outlook { cost, ci: interval(low, high), source }))
    }

    /// Reads a pace as its position, which begins at 1. The inner `Option` is `None` for 0, an unknown pace.
    fn pace(&mut self) -> Option<Option<Pace>> {
        Some(self.index()?.checked_sub(1).and_then(|i| Pace::ALL.get(i).copied()))
    }

    fn scene(&mut self) -> Option<Scene> {
        let (whole, pace) = (self.outlook()??, self.pace()?);
        let is_sampled = self.number()? == 1.0;
        let time_shares = self.list(Self::number)?;
        let contenders = self.list(|numbers| {
            Some(Contender {
                pace: numbers.pace()?,
                is_own: numbers.number()? == 1.0,
                share_now: numbers.number()?,
                time_share: unless_nan(numbers.number()?),
                then: numbers.outlook()?,
            })
        })?;
        Some(Scene { whole, pace, time_shares: is_sampled.then_some(time_shares), contenders })
    }

    /// Reads the other rows; `None` if they were not passed.
    fn others(&mut self) -> Option<Others> {
        let groups =
            self.list(|numbers| Some(Group { is_fast: numbers.number()? == 1.0, then: numbers.outlook()? }))?;
        let shown = self.list(|numbers| {
            Some(Shown { pace: numbers.pace()??, ends: numbers.number()? == 1.0, then: numbers.outlook()? })
        })?;
        Some(Others { groups, shown })
    }

    fn time_law(&mut self) -> Option<TimeLaw> {
        let [startup, rate, largest, drift] =
            [self.number()?, self.number()?, self.number()?, self.number()?];
        let power = unless_nan(self.number()?).zip(self.number());
        let power = power.map(|(a, b)| PowerLaw { a, b, r2: 1.0, points: 0, ignored_zeros: 0 });
        Some(TimeLaw { startup, rate, largest, drift, power, scatter: None, longest: 0.0, runs: 0 })
    }

    /// Reads the point from which the working set leaves a cache: a size, or counts.
    fn cache(&mut self) -> Option<Option<CacheStep>> {
        let [size, counts] = [unless_nan(self.number()?), unless_nan(self.number()?)];
        Some(size.map(CacheStep::Size).or(counts.map(CacheStep::Counts)))
    }

    fn curve(&mut self) -> Option<MemoryCurve> {
        let [constant, per_unit, per_power, exponent] =
            [self.number()?, self.number()?, self.number()?, self.number()?];
        Some(MemoryCurve { constant, per_unit, per_power, exponent })
    }
}
