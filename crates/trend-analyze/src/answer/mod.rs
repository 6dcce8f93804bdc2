//! The two headline sentences as data: the cost of the program at the target, and the place to look at.
//!
//! - `candidates` are the functions that may be named, with everything that does not depend on the target.
//! - `choice` passes them to the rule of `trend-answer`, which names one of them at a target.
//! - `claim` finds the rows that a statement about all other rows must not contradict.
//!
//! Every number comes from a row. The wording is elsewhere.

pub(crate) mod callers;
pub(crate) mod calling_lines;
pub(crate) mod repeating;
pub(crate) mod statements;

mod candidates;
mod choice;
mod claim;

use trend_answer::{AnswerKind, Choice, LEAST_SHARE};
use trend_profile::Study;

pub use self::candidates::{Candidate, Candidates};
use self::choice::Target;
pub use self::claim::ShownPaces;
use crate::findings::Findings;
use crate::findings::answer::{Answer, AnswerGroup};
use crate::forecast::memory::memory;
use crate::forecast::memory_lines::holder;
use crate::forecast::seconds::seconds;
use crate::forecast::time_parts::time_parts;
use crate::forecast::today::Now;
use crate::options::Options;
use crate::study::point::target;

impl Answer {
    /// Minimum share of the cost at the target with which a single place decides it.
    pub const LEAST_SHARE: f64 = LEAST_SHARE;

    /// Returns the answer to the findings of a study; `None` if too few sizes were run to predict the whole.
    pub(crate) fn new(findings: &Findings, study: &Study, options: &Options, now: Now) -> Option<Self> {
        let point = target(&findings.points)?;
        let candidates = Candidates::new(findings, study)?;
        let whole = findings.total.outlooks.get(point).copied().flatten().filter(|whole| whole.cost > 0.0)?;
        let at = &findings.points[point];
        let memory = memory(study, at, options.machine_memory, &options.within);
        let time = seconds(study, at, whole, &findings.total, memory.as_ref(), &options.within);
        let time_parts = time.as_ref().and_then(|time| time_parts(findings, study, point, whole, time));
        let target = Target { findings, point, whole, times: time_parts.as_ref() };
        let choice = target.choose(&candidates)?;
        let place = |named| Some(target.place(&candidates, named));
        let (kind, place, spread, groups, unnamed) = match &choice {
            Choice::Fix(named) => (AnswerKind::Fix, place(named), None, &[][..], None),
            Choice::Open(named) => (AnswerKind::Open, place(named), None, &[][..], None),
            Choice::Spread(why, groups) => (AnswerKind::Spread, None, Some(*why), &groups[..], None),
            Choice::Steady(named, claim) => (AnswerKind::Steady, place(named), None, &[][..], Some(*claim)),
        };
        let next = match &choice {
            Choice::Open(named) => candidates.functions[named.position].next.clone(),
            _ => None,
        };
        let group = |&(i, share_then): &(usize, f64)| AnswerGroup::new(findings, i, share_then);
        Some(Self {
            point,
            whole,
            whole_now: now.whole,
            run_now: now.run,
            time,
            time_parts: time_parts.clone(),
            memory,
            memory_holder: holder(&findings.memory_lines, point),
            kind,
            place,
            next,
            spread,
            groups: groups.iter().map(group).collect(),
            unnamed,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
