//! Turns judgements into sentences, which all outputs share.

use std::fmt::Write as _;

use trend_analyze::{Checked, Found, Judged, JudgedPlace, Judgement, Limit, Origin, Reason, Subject};
use trend_profile::{Measure, Unit};

use crate::layout::number::{self, plural};
use crate::layout::text::{brief, visible};
use crate::words::answer;

/// Maximum width of a name.
const NAME_WIDTH: usize = 80;

/// Summarizes the judgements: `12 expectations, 1 broken, 2 undecided`.
pub(super) fn summary(checked: &Checked) -> String {
    let all = checked.expectations.len();
    if all == 0 {
        return "no expectations are defined".to_owned();
    }
    if checked.holds == all {
        return match all {
            1 => "the only expectation holds".to_owned(),
            _ => format!("all {} hold", expectations(all)),
        };
    }
    let parts =
        [(checked.broken, "broken"), (checked.unknown, "not in the study"), (checked.undecided, "undecided")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    format!("{}, {}", expectations(all), parts.join(", "))
}

/// Formats a number of expectations: `1 expectation`, `12 expectations`.
pub(super) fn expectations(count: usize) -> String {
    plural(count, "expectation")
}

/// Describes a judgement: `last_node (list.c:7) grows as n^2 in bytes (0.5·bytes^2); <= n log n is expected
/// (trend-prof.toml:12)`.
pub(super) fn sentence(judged: &Judged, unit: &Unit) -> String {
    let mut text = format!("{} {}; {}", place(judged), finding(judged, unit), expected(judged, unit));
    if let Some(next) = &judged.next {
        let _ = write!(text, "; {}", next.message);
    }
    text
}

/// Describes the finding, without its place.
pub(super) fn finding(judged: &Judged, unit: &Unit) -> String {
    let text = judged.found.as_ref().map(|finding| match finding {
        Found::Growth { growth, formula: Some(formula), .. } if growth != formula => {
            format!("grows as {growth} ({formula})")
        }
        Found::Growth { growth, .. } => format!("grows as {growth}"),
        Found::Cost { cost, ci } => match measure(&judged.expectation.limit) {
            Measure::Counts => {
                let digits = number::supported_digits(*cost, *ci);
                let (cost, interval) = (number::cost(*cost, digits), ci.map(number::cost_interval));
                let interval = interval.unwrap_or_else(|| "no interval".to_owned());
                let interval = if interval == cost { String::new() } else { format!(" ({interval})") };
                format!("costs {cost}{interval} {}", unit.name())
            }
            Measure::Seconds => format!("takes {}", number::seconds(*cost, *ci)),
            Measure::Bytes => {
                let interval = ci.map(|ci| ci.map(|end| number::bytes(end, 2)));
                let interval = interval.map(|[low, high]| format!(" ({low}–{high})"));
                format!("needs {}{} of memory", number::bytes(*cost, 2), interval.unwrap_or_default())
            }
        },
    });
    let text = text.map(|text| visible(&text).into_owned());
    let reason = judged.reason.as_ref().and_then(reason);
    match (text, reason) {
        (Some(text), Some(reason)) => format!("{text}, {reason}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => "is not decided".to_owned(),
    }
}

fn measure(limit: &Limit) -> Measure {
    match limit {
        Limit::Growth { .. } => Measure::Counts,
        Limit::Cost { measure, .. } => *measure,
    }
}

fn reason(reason: &Reason) -> Option<String> {
    let named = |names: &[String]| {
        names.iter().map(|name| format!("`{}`", brief(name, NAME_WIDTH))).collect::<Vec<_>>().join(", ")
    };
    Some(match reason {
        Reason::NoSuchPlace { nearest } if nearest.is_empty() => "is not in the study".to_owned(),
        Reason::NoSuchPlace { nearest } => format!("is not in the study; nearest: {}", named(nearest)),
        Reason::NoSuchFeature { known } if known.is_empty() => {
            "cannot be checked: the study has no features".to_owned()
        }
        Reason::NoSuchFeature { known } => {
            format!("cannot be checked: the study's features are {}", named(known))
        }
        Reason::OtherCode { known } => format!(
            "does not match: only {:.0} % of the baseline's cost is in functions of this study; write a \
             new baseline with `trend-prof check --save-baseline FILE`",
            known * 100.0
        ),
        Reason::NothingVaries { feature } => {
            let feature = brief(feature, NAME_WIDTH);
            format!(
                "but nothing in the program varies with {feature}; use it in the command, or expect `<= 1`"
            )
        }
        Reason::NeverExecuted => "was never executed".to_owned(),
        Reason::NoLaw | Reason::FewSizes { sizes: 0 } => "has no law".to_owned(),
        Reason::FewSizes { sizes } => {
            format!("was run at only {}, too few or too similar", plural(*sizes, "size"))
        }
        Reason::Uncounted => "but nearly all of its time is in code that is not counted".to_owned(),
        Reason::NoLine => {
            "has no law for its memory, which needs four sizes of one feature and memory that follows the \
             size"
                .to_owned()
        }
        Reason::NotTimed => {
            "was not timed without counters; `trend-prof run` times runs of 20 ms and more".to_owned()
        }
        Reason::Time { doubt, longest } => {
            format!("but the time is a rough guess: {}", answer::doubt_in_words(*doubt, *longest))
        }
        Reason::WithinLog { fastest } => {
            format!("which may exceed the limit by a log factor; `<= {fastest}` would hold")
        }
        Reason::Open => return None,
    })
}

/// Describes the expectation: `<= n log n in bytes is expected (trend-prof.toml:12)`.
fn expected(judged: &Judged, unit: &Unit) -> String {
    format!("expected `{}` ({})", visible(&limit(judged, unit)), origin(&judged.expectation.origin))
}

/// Formats the limit: `<= n log n in bytes`, `<= 2 G executions at bytes=1 G`.
pub(super) fn limit(judged: &Judged, unit: &Unit) -> String {
    let feature = judged.expectation.feature.as_ref();
    match &judged.expectation.limit {
        Limit::Growth { limit } => match feature {
            Some(feature) => format!("{limit} in {feature}"),
            None => limit.to_string(),
        },
        Limit::Cost { measure, at, most } => {
            let at: Vec<String> =
                at.iter().map(|(feature, value)| format!("{feature}={}", number::size(*value))).collect();
            let most = match measure {
                Measure::Counts => format!("{} {}", number::cost(*most, 3), unit.name()),
                Measure::Seconds => format!("{} s", number::size(*most)),
                Measure::Bytes => format!("{} bytes", number::size(*most)),
            };
            format!("<= {most} at {}", at.join(", "))
        }
    }
}

/// Names the origin of an expectation, as in `trend-prof.toml:12`.
pub(super) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Config { file, line } | Origin::Comment { file, line } => format!("{}:{line}", visible(file)),
        Origin::CommandLine => "command line".to_owned(),
        Origin::Baseline { file } => visible(file).into_owned(),
    }
}

/// Names the place, as in `last_node (list.c:7)`, or the subject if no place was found.
pub(super) fn place(judged: &Judged) -> String {
    if let Some(JudgedPlace { name, file, line }) = &judged.place {
        let name = brief(name, NAME_WIDTH);
        return match (file.as_str(), line) {
            ("", _) => name,
            (_, line) if name.ends_with(&format!(":{line}")) => name,
            (file, 0) => format!("{name} ({})", visible(file)),
            (file, line) => format!("{name} ({}:{line})", visible(file)),
        };
    }
    subject(&judged.expectation.subject)
}

/// Describes the subject of an expectation.
pub(super) fn subject(subject: &Subject) -> String {
    match subject {
        Subject::Program => "the whole program".to_owned(),
        Subject::Function(name) | Subject::File(name) | Subject::Line(name) => {
            format!("`{}`", brief(name, NAME_WIDTH))
        }
        Subject::FunctionAt(file, line) => format!("the function at {}:{line}", visible(file)),
        Subject::NewCode(_) => "new code".to_owned(),
    }
}

/// Returns the severity level for tools.
pub(super) fn level(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Holds => "none",
        Judgement::Undecided => "warning",
        Judgement::Broken | Judgement::Unknown => "error",
    }
}

/// Returns the file and line at which a tool shows the sentence: the place in the program, else the expectation's own
/// place. The line is at least 1.
pub(super) fn shown_at(judged: &Judged) -> (&str, u32) {
    match (&judged.place, &judged.expectation.origin) {
        (Some(place), _) if !place.file.is_empty() => (&place.file, place.line.max(1)),
        (_, Origin::Config { file, line } | Origin::Comment { file, line }) => {
            (file, u32::try_from(*line).unwrap_or(u32::MAX).max(1))
        }
        (_, Origin::CommandLine) => ("", 1),
        (_, Origin::Baseline { file }) => (file, 1),
    }
}
