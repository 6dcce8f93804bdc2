//! The two sentences that come first, as data: what the program costs at the target, and which line to look at.
//!
//! A function is named where it certainly grows faster than `n log n` and takes a part of the cost at the target; else one of
//! which that is open, where it would change the answer; else the costliest, as nothing grows too fast. Each time one of the user's
//! own comes first, and one of a library only where there is none.

use std::collections::HashMap;

use serde::Serialize;
use trend_model::{GrowthClass, LawSum, Term};
use trend_profile::Study;

use crate::callers::{Behind, Callers};
use crate::factors::Entries;
use crate::memory::{MemoryOutlook, memory};
use crate::memory_lines::{MemoryHolder, holder};
use crate::repeating::{Loops, Repeating};
use crate::seconds::{TimeOutlook, seconds};
use crate::time_parts::{TimePart, TimeParts, time_parts};
use crate::{Findings, Model, NextRuns, Options, Outlook, Point, Row, RowLaw};

/// What takes less of the cost at the target is not worth a sentence.
const LEAST_SHARE: f64 = 0.01;

/// An open growth matters where it could take this share at the target,
const OPEN_SHARE: f64 = 0.1;

/// and so many times what it takes now.
const OPEN_TIMES: f64 = 1.5;

/// What a reader should know who reads nothing else.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Answer {
    /// The target, by its position among [`Findings::points`].
    pub point: usize,
    /// What the whole program costs there.
    pub whole: Outlook,
    /// The processor time there; absent where nothing was timed. It is of the machine as well, and another time another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeOutlook>,
    /// Whose time it is; absent where no run was sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_parts: Option<TimeParts>,
    /// The peak memory of the process there; absent where too few runs were timed, or nothing explains it. It is of the machine as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryOutlook>,
    /// The line that holds memory; absent where none holds most or grows faster than the input, or it was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_holder: Option<MemoryHolder>,
    /// What is to be done.
    pub kind: AnswerKind,
    /// Where; absent where no function takes a notable part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<AnswerPlace>,
    /// Of [`AnswerKind::Open`]: which runs would tell more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// The place grows faster than `n log n`: mend it.
    Fix,
    /// Whether the place will matter is not decided.
    Open,
    /// Nothing grows faster than `n log n`; the place is the costliest.
    Steady,
}

/// A function, and its share of the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct AnswerPlace {
    /// The function.
    pub function: String,
    /// The source file.
    pub file: String,
    /// The line of it that costs most there; 0 where that is not known.
    pub line: u32,
    /// The loop that runs as often as it is called, where it grows because it is called more often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeating: Option<Repeating>,
    /// True if it is the user's own, and not a library's.
    pub is_own: bool,
    /// The line of the user's own that calls it: of a library's function always, of an own one if it grows because it is called
    /// more often. Absent where no line is known to make nearly all of its calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Repeating>,
    /// A line of the function that calls itself more than once, perhaps through others, where that is what calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branching: Option<Repeating>,
    /// Its share of the costliest run, 0 to 1.
    pub share: f64,
    /// Its share at the target.
    pub share_then: f64,
    /// The interval of that share, with all else as predicted; `null` where there is none.
    pub share_then_ci: Option<[f64; 2]>,
    /// Its share of the time of the longest sampled run, and of that at the target; absent where it has no samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_shares: Option<[f64; 2]>,
}

/// What is known of the functions that an answer may name, whatever the target: with their costs at a target, it is what
/// [`Answer`] is found by.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Candidates {
    /// What takes less of the cost at the target is not named,
    pub least_share: f64,
    /// but where many small functions make the whole grow: none of those is too small.
    pub small_ones: bool,
    /// An open growth matters where its interval reaches this share at the target,
    pub open_share: f64,
    /// and so many times the share of the costliest run.
    pub open_times: f64,
    /// The functions.
    pub functions: Vec<Candidate>,
}

/// A function that an answer may name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Candidate {
    /// Its position among [`Findings::functions`].
    pub function: usize,
    /// The line of it that costs most at the target; 0 where that is not known.
    pub line: u32,
    /// Whether it is the user's own, and not a library's.
    pub is_own: bool,
    /// How it grows; absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pace: Option<Pace>,
    /// The loop that runs as often as it is called, where it certainly grows, and because it is called more often.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub repeating: Option<Repeating>,
    /// The line of the user's own that calls it: of a library's function always, of an own one if it certainly grows, and because it
    /// is called more often.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub caller: Option<Repeating>,
    /// A line of the function that calls itself more than once, where that is what calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub branching: Option<Repeating>,
    /// Which runs would tell more, where its growth is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub next: Option<NextRuns>,
}

/// How fast a function grows, as far as that is a reason to name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Certainly faster than `n log n`.
    Fast,
    /// The classes that its law may have disagree.
    Open,
    /// Certainly no faster than `n log n`.
    Slow,
}

/// A candidate with its share of the whole at a target.
#[derive(Clone)]
struct Weighed<'a> {
    candidate: &'a Candidate,
    row: &'a Row,
    share_then: f64,
    share_then_ci: Option<[f64; 2]>,
    /// Its shares of the time today and at the target.
    time_shares: Option<[f64; 2]>,
}

impl Answer {
    /// Of the findings of a study; `None` where the whole is of too few sizes to be predicted.
    pub(crate) fn new(findings: &Findings, study: &Study, options: &Options) -> Option<Self> {
        let point = target(&findings.points)?;
        let candidates = Candidates::new(findings, study)?;
        let whole = findings.total.outlooks.get(point).copied().flatten().filter(|whole| whole.cost > 0.0)?;
        let at = &findings.points[point];
        let memory = memory(study, at, options.machine_memory);
        let time = seconds(study, at, whole, findings.total.law().as_ref(), memory.as_ref());
        let time_parts = time.as_ref().and_then(|time| time_parts(findings, study, point, whole, time));
        let (kind, named) = candidates.named(findings, point, whole, time_parts.as_ref());
        let next = named.as_ref().filter(|_| kind == AnswerKind::Open);
        let place = named.as_ref().map(Weighed::place);
        Some(Self {
            point,
            whole,
            time,
            time_parts,
            memory,
            memory_holder: holder(&findings.memory_lines, point),
            kind,
            next: next.and_then(|named| named.candidate.next.clone()),
            place,
        })
    }
}

/// The point that an answer is about, by its position: the first that somebody asked for, or the farthest.
pub(crate) fn target(points: &[Point]) -> Option<usize> {
    let last = points.len().checked_sub(1)?;
    Some(if points[0].asked { 0 } else { last })
}

impl Candidates {
    /// Of the findings of a study; `None` where the whole is of too few sizes to be predicted.
    pub fn new(findings: &Findings, study: &Study) -> Option<Self> {
        let total = &findings.total;
        let law = RowLaw::of(&total.models, total.joint.as_ref())?;
        if matches!(law, RowLaw::Of(model) if !model.is_sound()) {
            return None;
        }
        let own = study.own_files();
        // Without sources of one's own, as in imported counts, all of it is.
        let has_own = findings.functions.iter().any(|row| own.contains(&*row.file));
        let known = known(findings, target(&findings.points));
        let of_whole = advice(&total.models);
        let is_own = |file: &str| !has_own || own.contains(file);
        let entries = Entries::new(study);
        let mut loops: HashMap<usize, Loops<'_>> = HashMap::new();
        let mut repeating = |cluster: usize, row: &Row| {
            let of_cluster = || Loops::new(study, &entries, &findings.clusters[cluster], is_own);
            loops.entry(cluster).or_insert_with(of_cluster).repeating(&row.name, &row.file)
        };
        let callers = Callers::new(study, &entries, &total.costs, has_own.then(|| own.clone()));
        let candidate = |(function, row): (usize, &Row)| {
            let of_row = known.get(&(&*row.name, &*row.file));
            let pace = RowLaw::of(&row.models, row.joint.as_ref()).and_then(classes).map(Pace::of);
            let of_whole = of_whole.filter(|_| pace == Some(Pace::Open));
            let next = of_row.and_then(|known| known.next).or(of_whole).cloned();
            let fast = of_row.filter(|_| pace == Some(Pace::Fast));
            let is_own = is_own(&row.file);
            let is_behind = !is_own || fast.is_some();
            let Behind { caller, branching } =
                if is_behind { callers.behind(&findings.functions[function]) } else { Behind::default() };
            let is_known = caller.is_some() || branching.is_some();
            let repeating = fast.filter(|_| !is_known).and_then(|known| repeating(known.cluster, row));
            let line = of_row.map_or(row.line, |known| known.line);
            Candidate { function, line, is_own, pace, repeating, caller, branching, next }
        };
        let rows = findings.functions.iter().enumerate();
        let named = rows.filter(|(_, row)| is_own(&row.file) || row.share_of_largest >= LEAST_SHARE);
        Some(Self {
            least_share: LEAST_SHARE,
            small_ones: classes(law).map(Pace::of) == Some(Pace::Fast),
            open_share: OPEN_SHARE,
            open_times: OPEN_TIMES,
            functions: named.map(candidate).collect(),
        })
    }

    /// Which is to be named at a point, and why.
    fn named<'a>(
        &'a self,
        findings: &'a Findings,
        point: usize,
        whole: Outlook,
        times: Option<&TimeParts>,
    ) -> (AnswerKind, Option<Weighed<'a>>) {
        let weigh = |candidate| Weighed::new(candidate, findings, point, whole, times);
        let all: Vec<Weighed<'_>> = self.functions.iter().filter_map(weigh).collect();
        let by_share = |a: &&Weighed<'_>, b: &&Weighed<'_>| a.share_then.total_cmp(&b.share_then);
        let upper = |w: &Weighed<'_>| w.share_then_ci.map_or(0.0, |[_, upper]| upper);
        let by_upper = |a: &&Weighed<'_>, b: &&Weighed<'_>| upper(a).total_cmp(&upper(b));
        let is_notable = |w: &Weighed<'_>| w.share_then >= self.least_share;
        let may_matter = |w: &Weighed<'_>| {
            w.share_then > 0.0
                && upper(w) >= self.open_share
                && upper(w) >= self.open_times * w.row.share_of_largest
        };
        let of = |is_own: bool| all.iter().filter(move |w| w.candidate.is_own == is_own);
        let fast = |is_own: bool| of(is_own).filter(|w| w.candidate.pace == Some(Pace::Fast));
        let notable = |is_own: bool| fast(is_own).filter(|w| is_notable(w)).max_by(by_share);
        let small = || fast(true).filter(|_| self.small_ones).max_by(by_share);
        let open = |is_own: bool| {
            let open = of(is_own).filter(|w| w.candidate.pace == Some(Pace::Open));
            open.filter(|w| may_matter(w)).max_by(by_upper)
        };
        // Of time, where samples say where it goes.
        let weight = |w: &Weighed<'_>| match times {
            Some(_) => w.time_shares.map_or(0.0, |[_, then]| then),
            None => w.share_then,
        };
        let costliest = |is_own: bool| {
            let notable = of(is_own).filter(|w| weight(w) >= self.least_share);
            notable.max_by(|a, b| weight(a).total_cmp(&weight(b)))
        };
        let fix = notable(true).or_else(|| notable(false)).or_else(small);
        let (kind, named) = match fix.or_else(|| open(true)).or_else(|| open(false)) {
            Some(named) if fix.is_some() => (AnswerKind::Fix, Some(named)),
            Some(named) => (AnswerKind::Open, Some(named)),
            None => (AnswerKind::Steady, costliest(true).or_else(|| costliest(false))),
        };
        (kind, named.cloned())
    }
}

impl<'a> Weighed<'a> {
    /// `None` where the function has no prediction.
    fn new(
        candidate: &'a Candidate,
        findings: &'a Findings,
        point: usize,
        whole: Outlook,
        times: Option<&TimeParts>,
    ) -> Option<Self> {
        let row = &findings.functions[candidate.function];
        let is_it = |part: &&TimePart| (&part.name, &part.file) == (&row.name, &row.file);
        let time = times.and_then(|times| times.rows.iter().find(is_it));
        let then = row.outlooks.get(point).copied().flatten()?;
        let rest = (whole.cost - then.cost).max(0.0);
        let share = |cost: f64| if cost > 0.0 { cost / (cost + rest) } else { 0.0 };
        Some(Self {
            candidate,
            row,
            share_then: share(then.cost),
            share_then_ci: then.ci.map(|ci| ci.map(share)),
            time_shares: time.map(|part| [part.share, part.share_then]),
        })
    }

    fn place(&self) -> AnswerPlace {
        AnswerPlace {
            function: self.row.name.clone(),
            file: self.row.file.clone(),
            line: self.candidate.line,
            repeating: self.candidate.repeating.clone(),
            is_own: self.candidate.is_own,
            caller: self.candidate.caller.clone(),
            branching: self.candidate.branching.clone(),
            share: self.row.share_of_largest,
            share_then: self.share_then,
            share_then_ci: self.share_then_ci,
            time_shares: self.time_shares,
        }
    }
}

/// A function in the clusters: the line that costs most at the target and the cluster of that, and the runs that would decide how it
/// grows.
struct Known<'a> {
    line: u32,
    cluster: usize,
    /// What the line costs there.
    then: f64,
    next: Option<&'a NextRuns>,
}

/// By name and file. Where a cluster has no prediction, its lines grow as their function.
fn known(findings: &Findings, point: Option<usize>) -> HashMap<(&str, &str), Known<'_>> {
    let outlook = |outlooks: &[Option<Outlook>]| outlooks.get(point?).copied().flatten();
    let growth = |outlooks: &[Option<Outlook>], max_cost: u64| {
        outlook(outlooks).filter(|_| max_cost > 0).map(|then| then.cost / max_cost as f64)
    };
    let functions = findings.functions.iter();
    let of_functions: HashMap<(&str, &str), _> =
        functions.map(|row| ((&*row.name, &*row.file), growth(&row.outlooks, row.max_cost))).collect();
    let mut known: HashMap<(&str, &str), Known<'_>> = HashMap::new();
    for (i, cluster) in findings.clusters.iter().enumerate() {
        let next = advice(&cluster.models);
        let of_cluster = growth(&cluster.outlooks, cluster.max_cost);
        for member in &cluster.members {
            let function = (&*member.function, &*member.file);
            let times = of_cluster.or_else(|| of_functions.get(&function).copied().flatten()).unwrap_or(1.0);
            let then = member.max_cost as f64 * times;
            let line = Known { line: member.line, cluster: i, then, next };
            let of_row = known.entry(function).or_insert(Known { ..line });
            of_row.next = of_row.next.or(next);
            // Of lines that cost the same, the first.
            if then > of_row.then || then == of_row.then && member.line < of_row.line {
                *of_row = Known { next: of_row.next, ..line };
            }
        }
    }
    known
}

fn advice(models: &[Model]) -> Option<&NextRuns> {
    models.iter().find_map(|model| model.next.as_ref().filter(|next| !next.sizes.is_empty()))
}

/// The slowest and the fastest class that a law may have; of several features the fastest term in any of them.
pub(crate) fn classes(law: RowLaw<'_>) -> Option<[GrowthClass; 2]> {
    let ends = |classes: Vec<GrowthClass>| Some([*classes.iter().min()?, *classes.iter().max()?]);
    match law {
        RowLaw::Of(model) if !model.is_sound() => None,
        RowLaw::Of(Model { growth: Some(growth), .. }) => {
            ends(growth.named().map(|named| named.class).collect())
        }
        RowLaw::Of(_) => None,
        RowLaw::Joint(joint) => {
            let sums = joint.law.parts.iter().flat_map(|(_, law)| &law.sums);
            ends(sums.map(fastest).collect())
        }
    }
}

fn fastest(sum: &LawSum) -> GrowthClass {
    let factors = sum.terms.iter().flat_map(|term| &term.factors);
    let class = |factor: &trend_model::Factor| match *factor {
        trend_model::Factor::Of(_, Term::Power { exponent, log }) => GrowthClass::free(exponent, log),
        trend_model::Factor::Of(_, Term::Exponential { base }) => GrowthClass::exponential(base),
        trend_model::Factor::Of(_, Term::TimesExponential { .. }) => GrowthClass::TimesExponential,
        trend_model::Factor::Of(_, Term::Factorial) => GrowthClass::Factorial,
        trend_model::Factor::Least(..) => GrowthClass::Linear,
        trend_model::Factor::Inverse(_) => GrowthClass::Constant,
    };
    factors.map(class).max().unwrap_or(GrowthClass::Constant)
}

impl Pace {
    /// Of the slowest and the fastest class that a law may have.
    fn of([slowest, fastest]: [GrowthClass; 2]) -> Self {
        let is_faster = |class: GrowthClass| class > GrowthClass::free(1.0, true);
        match (is_faster(slowest), is_faster(fastest)) {
            (true, _) => Self::Fast,
            (false, false) => Self::Slow,
            (false, true) => Self::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trend_profile::{Part, Sampled, SampledPlace, StudyParts, Timing, Usage};

    use super::*;
    use crate::{Options, analyze};

    /// Ten sizes; `costs` of functions in files.
    fn answer(functions: &[(&str, &dyn Fn(f64) -> f64)]) -> Option<Answer> {
        let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
        let row = |f: &dyn Fn(f64) -> f64| {
            let costs: Vec<String> = sizes.iter().map(|n| f(*n).round().to_string()).collect();
            costs.join(" ")
        };
        let rows: Vec<String> = functions.iter().map(|(name, f)| format!("{name}: {}", row(f))).collect();
        let study = Study::from_text(&format!("n: {}\n{}", row(&|n| n), rows.join("\n"))).unwrap();
        analyze(&study, &Options::default()).unwrap().answer
    }

    #[test]
    fn what_grows_too_fast_is_named_with_its_shares() {
        let answer = answer(&[("a.c:4:line", &|n| 100.0 * n), ("a.c:9:pairs", &|n| n * n / 1000.0)]).unwrap();
        let place = answer.place.unwrap();
        assert_eq!((answer.kind, &*place.function, place.line), (AnswerKind::Fix, "pairs", 9));
        // 51,200 is the largest, 512,000 the target: 100·n and n²/1000.
        assert!(
            (place.share - 51.2 / 151.2).abs() < 1e-3 && (place.share_then - 512.0 / 612.0).abs() < 1e-2,
            "{place:?}"
        );
        assert!((answer.whole.cost / (51.2e6 + 512e3 * 512.0) - 1.0).abs() < 0.01, "{:?}", answer.whole);
    }

    #[test]
    fn the_line_is_the_one_that_costs_most_then_and_not_today() {
        let answer = answer(&[("a.c:4:find", &|n| 100.0 * n), ("a.c:9:find", &|n| n * n / 2000.0)]).unwrap();
        let place = answer.place.unwrap();
        assert_eq!((answer.kind, &*place.function, place.line), (AnswerKind::Fix, "find", 9));
    }

    #[test]
    fn the_costliest_is_that_of_time_where_samples_say_where_it_goes() {
        let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
        let row = |f: &dyn Fn(f64) -> f64| {
            let costs: Vec<String> = sizes.iter().map(|n| f(*n).to_string()).collect();
            costs.join(" ")
        };
        let lines = format!("a.c:4:dispatch: {}\na.c:9:find: {}", row(&|n| 90.0 * n), row(&|n| 10.0 * n));
        let mut parts = StudyParts::from_text(&format!("n: {}\n{lines}", row(&|n| n))).unwrap();
        for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
            let user = Duration::from_secs_f64(n / 1e4);
            let usage = Usage { wall: user, user, peak_rss_bytes: 1 << 20, ..Usage::default() };
            workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
        }
        let place = |parts: &StudyParts| {
            let study = Study::new(parts.clone()).unwrap();
            analyze(&study, &Options::default()).unwrap().answer.unwrap().place.unwrap()
        };
        assert_eq!(place(&parts).function, "dispatch");
        let places = [("dispatch", 40), ("find", 60)].map(|(name, samples)| {
            let part = Part::Function { name: name.to_owned(), file: "a.c".to_owned() };
            SampledPlace { part, line: 7, samples }
        });
        let period = Duration::from_millis(1);
        let sampled = Sampled { usage: Usage::default(), period, lost: 0, places: places.into() };
        parts.workloads.last_mut().unwrap().sampled = Some(sampled);
        let of_time = place(&parts);
        assert_eq!((&*of_time.function, of_time.time_shares.map(|[now, _]| now)), ("find", Some(0.6)));
    }

    #[test]
    fn sorting_is_no_fault_and_the_costliest_is_named() {
        let answer =
            answer(&[("a.c:4:line", &|n| 10.0 * n), ("a.c:9:sort", &|n| 20.0 * n * n.log2())]).unwrap();
        let place = answer.place.unwrap();
        assert_eq!((answer.kind, &*place.function), (AnswerKind::Steady, "sort"));
    }

    #[test]
    fn what_is_open_is_named_with_the_runs_that_would_tell() {
        let noise = [1.0, 1.07, 0.95, 1.03, 0.94, 1.06, 0.96, 1.04, 0.97, 1.02];
        let open = |n: f64| (20.0 * n + 0.0002 * n * n) * noise[(n / 100.0).log2() as usize];
        let answer = answer(&[("a.c:4:line", &|n| 40.0 * n), ("a.c:9:open", &open)]).unwrap();
        let place = answer.place.unwrap();
        assert_eq!((answer.kind, &*place.function), (AnswerKind::Open, "open"));
        assert!(place.share_then_ci.is_some_and(|[low, high]| low < 0.5 && high > 0.5), "{place:?}");
        assert!(answer.next.is_some_and(|next| !next.sizes.is_empty()));
    }

    #[test]
    fn one_of_a_library_is_named_where_none_of_ones_own_is_to_be_mended() {
        let named = |functions: &[(&str, &dyn Fn(f64) -> f64)]| {
            let answer = answer(functions).unwrap();
            (answer.kind, answer.place.unwrap().function)
        };
        let find: (&str, &dyn Fn(f64) -> f64) = ("/usr/include/list.h:9:find", &|n| n * n / 10.0);
        let fix = |name: &str| (AnswerKind::Fix, name.to_owned());
        assert_eq!(named(&[("a.c:4:line", &|n| 100.0 * n), find]), fix("find"));
        assert_eq!(named(&[("a.c:4:pairs", &|n| n * n / 100.0), find]), fix("pairs"));
        // A hundredth of a percent.
        assert_eq!(named(&[("a.c:4:few", &|n| n * n / 1e5), find]), fix("find"));
        let sort: (&str, &dyn Fn(f64) -> f64) = ("/usr/include/sort.h:9:sort", &|n| 20.0 * n * n.log2());
        assert_eq!(named(&[("a.c:4:line", &|n| 100.0 * n), sort]), (AnswerKind::Steady, "line".to_owned()));
    }

    #[test]
    fn too_few_sizes_have_no_answer() {
        let study = Study::from_text("n: 10 20 40\na.c:1:f: 100 400 1600").unwrap();
        assert_eq!(analyze(&study, &Options::default()).unwrap().answer, None);
    }
}
