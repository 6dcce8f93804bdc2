//! The answer in two sentences: what the program costs at the target, and which line to look at.

use trend_analyze::{Answer, AnswerKind, AnswerPlace, Findings, NextRuns, Point};

use crate::document::Document;
use crate::style::{BOLD, NOTABLE, PLAIN};
use crate::text::{brief, shorten, visible};
use crate::{cells, number, point, verdict};

/// Functions in sentences are cut to this.
const NAME_WIDTH: usize = 48;

/// Files to this,
const FILE_WIDTH: usize = 60;

/// and features to this.
const FEATURE_WIDTH: usize = 40;

/// The sentences of the findings' answer; nothing where too few sizes were run.
pub fn answer(findings: &Findings) -> Vec<String> {
    let Some(answer) = &findings.answer else { return Vec::new() };
    std::iter::once(cost(answer, findings)).chain(what_to_do(answer, findings)).collect()
}

/// Both as paragraphs.
pub(crate) fn write(out: &mut Document, findings: &Findings) {
    let style = match findings.answer.as_ref().map(|answer| answer.kind) {
        Some(AnswerKind::Fix | AnswerKind::Open) => NOTABLE,
        _ => PLAIN,
    };
    for (i, sentence) in answer(findings).iter().enumerate() {
        out.paragraph(if i == 0 { BOLD } else { style }, sentence);
    }
}

/// `At 10× (n = 600,000): 540 G executions (535–545 G).`
fn cost(answer: &Answer, findings: &Findings) -> String {
    let place = place(&findings.points[answer.point], findings);
    let whole = answer.whole;
    let memory = answer
        .memory
        .map(|bytes| format!(", about {} of memory with its counters", bytes_in_words(bytes)))
        .unwrap_or_default();
    if findings.unit.is_time() {
        return format!("At {place}: {}{memory}.", number::in_unit(whole.cost as u64, &findings.unit));
    }
    let (cost, unit) = (cells::point(&whole), visible(findings.unit.name()));
    let interval = whole.ci.map(number::cost_interval).filter(|interval| *interval != cost);
    let interval = interval.map(|interval| format!(" ({interval})")).unwrap_or_default();
    format!("At {place}: {cost} {unit}{interval}{memory}.")
}

/// `10× (n = 600,000)`: where one size is given also as a multiple of the 95th percentile of those that were run.
fn place(point: &Point, findings: &Findings) -> String {
    let mut given = point.values.iter().filter(|value| point::is_given(value));
    let given_sizes = point::given(point);
    let (Some(one), None) = (given.next(), given.next()) else { return given_sizes };
    let p95 = findings.features.iter().find(|feature| feature.name == one.feature).and_then(|f| f.p95);
    match p95.filter(|p95| *p95 > 0.0) {
        Some(p95) => format!("{}× ({given_sizes})", number::tick(number::two_digits(one.at / p95))),
        None => given_sizes,
    }
}

/// `1.4 MB`, in powers of ten.
fn bytes_in_words(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (size, unit) = units.into_iter().find(|(size, _)| bytes >= *size).unwrap_or((1.0, "bytes"));
    format!("{} {unit}", number::significant(bytes / size, 2))
}

fn what_to_do(answer: &Answer, findings: &Findings) -> Option<String> {
    // What was not counted may grow as it likes.
    let steady = if verdict::is_uncounted(findings) {
        "Of what was counted, nothing grows faster than n log n"
    } else {
        "Nothing grows faster than n log n"
    };
    let Some(place) = &answer.place else {
        return (answer.kind == AnswerKind::Steady).then(|| format!("{steady}."));
    };
    let (now, then) = (number::share(place.share), number::share(place.share_then));
    Some(match answer.kind {
        AnswerKind::Fix => format!("Fix {}: {now} of the cost today, {then} then.", named(place)),
        AnswerKind::Steady => {
            format!("{steady}. The costliest is {}: {now} today, {then} then.", named(place))
        }
        AnswerKind::Open => {
            let [low, high] = place.share_then_ci.unwrap_or([place.share_then; 2]).map(number::share);
            let next = answer.next.as_ref().map(to_know).unwrap_or_default();
            format!("Whether {} will hurt is open: {now} today, {low} to {high} then.{next}", named(place))
        }
    })
}

/// ` Run bytes = 50.0 M and 150 M to know.`
fn to_know(next: &NextRuns) -> String {
    let feature = shorten(&next.feature, FEATURE_WIDTH).into_owned();
    let sizes: Vec<String> = next.sizes.iter().map(|size| number::size(*size)).collect();
    let runs = match sizes.as_slice() {
        [] => return String::new(),
        [one] => format!("{feature} = {one}"),
        [one, two] => format!("{feature} = {one} and {two}"),
        [.., last] => format!("{} sizes up to {feature} = {last}", sizes.len()),
    };
    format!(" Run {runs} to know{}.", if next.decides { "" } else { " more" })
}

/// `list.c:7 in last_node`.
fn named(place: &AnswerPlace) -> String {
    let function = brief(&place.function, NAME_WIDTH);
    match (place.file.as_str(), place.line) {
        ("", _) | (_, 0) => function,
        (file, line) => format!("{}:{line} in {function}", shorten(&visible(file), FILE_WIDTH)),
    }
}
