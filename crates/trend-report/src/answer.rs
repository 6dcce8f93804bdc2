//! The answer in two sentences: what the program costs at the target, and which line to look at.

use trend_analyze::{Answer, AnswerKind, AnswerPlace, Findings, Given};

use crate::document::Document;
use crate::style::{BOLD, NOTABLE, PLAIN};
use crate::text::{brief, visible};
use crate::{number, point, verdict};

/// Functions in sentences are cut to this.
const NAME_WIDTH: usize = 48;

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
    let at = &findings.points[answer.point];
    let multiple = at.values.iter().find_map(|value| match value.given {
        Given::Multiple { of_p95 } => Some(of_p95),
        _ => None,
    });
    let place = match multiple {
        Some(times) => format!("{}× ({})", number::size(times), point::given(at)),
        None => point::given(at),
    };
    let whole = answer.whole;
    let memory = answer
        .memory
        .map(|bytes| format!(", about {} of memory with its counters", bytes_in_words(bytes)))
        .unwrap_or_default();
    if findings.unit.is_time() {
        return format!("At {place}: {}{memory}.", number::in_unit(whole.cost as u64, &findings.unit));
    }
    let digits = number::supported_digits(whole.cost, whole.ci);
    let (cost, unit) = (number::cost(whole.cost, digits), visible(findings.unit.name()));
    let interval = whole.ci.map(number::cost_interval).filter(|interval| *interval != cost);
    let interval = interval.map(|interval| format!(" ({interval})")).unwrap_or_default();
    format!("At {place}: {cost} {unit}{interval}{memory}.")
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
            let next =
                answer.next.as_ref().map(|next| format!(" To know: {}.", next.message)).unwrap_or_default();
            format!("Whether {} will hurt is open: {now} today, {low} to {high} then.{next}", named(place))
        }
    })
}

/// `list.c:7 in last_node`.
fn named(place: &AnswerPlace) -> String {
    let function = brief(&place.function, NAME_WIDTH);
    match (place.file.as_str(), place.line) {
        ("", _) | (_, 0) => function,
        (file, line) => format!("{}:{line} in {function}", visible(file)),
    }
}
