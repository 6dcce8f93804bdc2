//! The two sentences that come first, as data: what the program costs at the target, and which line to look at.
//!
//! A function is named where it certainly grows faster than `n log n` and takes a part of the cost at the target; else one of
//! which that is open, where it would change the answer; else the costliest, as nothing grows too fast.

use std::collections::HashSet;

use serde::Serialize;
use trend_model::{GrowthClass, LawSum, Term};
use trend_profile::Study;

use crate::memory::{MemoryOutlook, memory};
use crate::seconds::{TimeOutlook, seconds};
use crate::{Cluster, Findings, Model, NextRuns, Outlook, Row, RowLaw};

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
    /// The peak memory there; absent where it follows no line. It is published of timed runs alone, so that of the same counts
    /// the same is published whatever the machine does meanwhile.
    #[serde(default, skip_serializing_if = "MemoryOutlook::is_not_published")]
    pub memory: Option<MemoryOutlook>,
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

/// A function of the user's own, and its share of the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct AnswerPlace {
    /// The function.
    pub function: String,
    /// The source file.
    pub file: String,
    /// Its costliest line; 0 where that is not known.
    pub line: u32,
    /// Its share of the costliest run, 0 to 1.
    pub share: f64,
    /// Its share at the target.
    pub share_then: f64,
    /// The interval of that share, with all else as predicted; `null` where there is none.
    pub share_then_ci: Option<[f64; 2]>,
}

/// A function that may be named.
struct Candidate<'a> {
    row: &'a Row,
    then: Outlook,
    share_then: f64,
    share_then_ci: Option<[f64; 2]>,
    /// The slowest and the fastest class that its law may have.
    classes: Option<[GrowthClass; 2]>,
}

impl Answer {
    /// Of the findings of a study; `None` where the whole is of too few sizes to be predicted.
    pub(crate) fn new(findings: &Findings, study: &Study) -> Option<Self> {
        let point = match findings.points.first() {
            Some(first) if first.asked => 0,
            _ => findings.points.len().checked_sub(1)?,
        };
        let total = &findings.total;
        let law = RowLaw::of(&total.models, total.joint.as_ref())?;
        if matches!(law, RowLaw::Of(model) if !model.is_sound()) {
            return None;
        }
        let whole = total.outlooks.get(point).copied().flatten().filter(|whole| whole.cost > 0.0)?;
        let memory = memory(study, &findings.points[point]);
        let time = seconds(study, &findings.points[point], whole);
        let answer = |kind, place, next| Self { point, whole, time: time.clone(), memory, kind, place, next };
        let own = study.own_files();
        let candidates = candidates(findings, point, whole, &own);
        let by_share = |c: &&Candidate<'_>| c.share_then;
        let greatest = |those: &mut dyn Iterator<Item = &Candidate<'_>>| {
            those.max_by(|a, b| by_share(a).total_cmp(&by_share(b))).map(|c| place(c, findings))
        };
        let certain =
            &mut candidates.iter().filter(|c| c.is_too_fast() == Some(true) && c.share_then >= LEAST_SHARE);
        if let Some(place) = greatest(certain) {
            return Some(answer(AnswerKind::Fix, Some(place), None));
        }
        let open = candidates.iter().filter(|c| c.is_too_fast().is_none() && c.may_matter());
        let upper = |c: &&Candidate<'_>| c.share_then_ci.map_or(0.0, |[_, upper]| upper);
        if let Some(open) = open.max_by(|a, b| upper(a).total_cmp(&upper(b))) {
            let next = next(open, findings);
            return Some(answer(AnswerKind::Open, Some(place(open, findings)), next));
        }
        let place = greatest(&mut candidates.iter().filter(|c| c.share_then >= LEAST_SHARE));
        Some(answer(AnswerKind::Steady, place, None))
    }
}

fn candidates<'a>(
    findings: &'a Findings,
    point: usize,
    whole: Outlook,
    own: &HashSet<&str>,
) -> Vec<Candidate<'a>> {
    let candidate = |row: &'a Row| {
        let then = row.outlooks.get(point).copied().flatten()?;
        let rest = (whole.cost - then.cost).max(0.0);
        let share = |cost: f64| if cost > 0.0 { cost / (cost + rest) } else { 0.0 };
        let share_then_ci = then.ci.map(|ci| ci.map(share));
        let classes = RowLaw::of(&row.models, row.joint.as_ref()).and_then(classes);
        Some(Candidate { row, then, share_then: share(then.cost), share_then_ci, classes })
    };
    let all: Vec<Candidate<'_>> = findings.functions.iter().filter_map(candidate).collect();
    // Without sources of one's own, as in imported counts, all of it is.
    if all.iter().any(|c| own.contains(&*c.row.file)) {
        return all.into_iter().filter(|c| own.contains(&*c.row.file)).collect();
    }
    all
}

/// The slowest and the fastest class that a law may have; of several features the fastest term in any of them.
fn classes(law: RowLaw<'_>) -> Option<[GrowthClass; 2]> {
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

impl Candidate<'_> {
    /// Whether it grows faster than `n log n`; `None` where its classes disagree or are not known.
    fn is_too_fast(&self) -> Option<bool> {
        let [slowest, fastest] = self.classes?;
        let is_faster = |class: GrowthClass| class > GrowthClass::free(1.0, true);
        match (is_faster(slowest), is_faster(fastest)) {
            (true, _) => Some(true),
            (false, false) => Some(false),
            (false, true) => None,
        }
    }

    fn may_matter(&self) -> bool {
        let most = self.share_then_ci.map_or(0.0, |[_, upper]| upper);
        self.classes.is_some()
            && self.then.cost > 0.0
            && most >= OPEN_SHARE
            && most >= OPEN_TIMES * self.row.share_of_largest
    }
}

/// The clusters with code of a row.
fn clusters<'a>(row: &Row, findings: &'a Findings) -> impl Iterator<Item = &'a Cluster> + use<'a> {
    let (name, file) = (row.name.clone(), row.file.clone());
    findings
        .clusters
        .iter()
        .filter(move |c| c.members.iter().any(|m| *m.function == *name && *m.file == *file))
}

fn place(candidate: &Candidate<'_>, findings: &Findings) -> AnswerPlace {
    let row = candidate.row;
    let members = findings.clusters.iter().flat_map(|cluster| &cluster.members);
    let own = members.filter(|m| *m.function == *row.name && *m.file == *row.file);
    // Of lines that cost the same, the first.
    let line = own.max_by_key(|m| (m.max_cost, std::cmp::Reverse(m.line))).map_or(row.line, |m| m.line);
    AnswerPlace {
        function: row.name.clone(),
        file: row.file.clone(),
        line,
        share: row.share_of_largest,
        share_then: candidate.share_then,
        share_then_ci: candidate.share_then_ci,
    }
}

fn next(candidate: &Candidate<'_>, findings: &Findings) -> Option<NextRuns> {
    let advised =
        |models: &[Model]| models.iter().find_map(|model| model.next.clone().filter(|n| !n.sizes.is_empty()));
    let of_clusters = clusters(candidate.row, findings).find_map(|cluster| advised(&cluster.models));
    of_clusters.or_else(|| advised(&findings.total.models))
}

#[cfg(test)]
mod tests {
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
    fn sorting_is_no_fault_and_the_costliest_is_named() {
        let answer =
            answer(&[("a.c:4:line", &|n| 10.0 * n), ("a.c:9:sort", &|n| 20.0 * n * n.log2())]).unwrap();
        let place = answer.place.unwrap();
        assert_eq!((answer.kind, &*place.function), (AnswerKind::Steady, "sort"));
    }

    #[test]
    fn what_is_open_is_named_with_the_runs_that_would_tell() {
        let noise = [1.0, 1.12, 0.91, 1.05, 0.9, 1.1, 0.93, 1.07, 0.95, 1.03];
        let open = |n: f64| (20.0 * n + 0.0002 * n * n) * noise[(n / 100.0).log2() as usize];
        let answer = answer(&[("a.c:4:line", &|n| 40.0 * n), ("a.c:9:open", &open)]).unwrap();
        let place = answer.place.unwrap();
        assert_eq!((answer.kind, &*place.function), (AnswerKind::Open, "open"));
        assert!(place.share_then_ci.is_some_and(|[low, high]| low < 0.5 && high > 0.5), "{place:?}");
        assert!(answer.next.is_some_and(|next| !next.sizes.is_empty()));
    }

    #[test]
    fn too_few_sizes_have_no_answer() {
        let study = Study::from_text("n: 10 20 40\na.c:1:f: 100 400 1600").unwrap();
        assert_eq!(analyze(&study, &Options::default()).unwrap().answer, None);
    }
}
