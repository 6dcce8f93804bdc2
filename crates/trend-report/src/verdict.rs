//! The sentences at the top: what a reader should know who reads nothing else.
//!
//! They claim no more than the intervals do, and say so where there are none.

mod doubts;
mod pace;
mod series;

use std::fmt::Write as _;

use trend_analyze::{Cluster, Findings, Member, RepresentativeKind, RowLaw};

use crate::rows::{self, Item, is_poor};
use crate::text::{brief, shorten};
use crate::{answer, growth, number, point};
use doubts::{doubts, uncounted, undecided};
pub(crate) use doubts::{is_uncounted, largest_failed};
use pace::{any_law, certain_pace, greatest_pace, how_it_grows, in_words, is_bounded, sound_law};
pub(crate) use pace::{degree, exponent};

/// Names in sentences are shortened to this, and those of clusters, which are a place and a function.
const NAME_WIDTH: usize = 48;
const TITLE_WIDTH: usize = 80;

/// Of each kind of statement that can be made of many clusters.
const MOST_STATEMENTS: usize = 3;

/// Below this exponent growth that is certainly above linear matters little.
const BARELY: f64 = 1.05;

/// Part of a cluster's cost from which a line of another function is named with it.
const NOTABLE_PART: f64 = 0.1;

/// What a sentence of the verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// What costs most.
    Dominates,
    /// What certainly grows faster than linearly.
    Grows,
    /// That nothing grows faster than linearly.
    Steady,
    /// What will overtake.
    Overtakes,
    /// What is poorly modelled or not known at all.
    Doubtful,
}

/// A sentence of the verdict. Its text can contain hostile names: escape it as any other name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is about.
    pub kind: StatementKind,
    /// The cluster that it is about, by its representative's name.
    pub cluster: Option<String>,
    /// The series that it is about, by its position.
    pub series: Option<usize>,
    /// The sentence.
    pub text: String,
}

/// The sentences at the top: what dominates, what grows fastest, what will overtake, and what of
/// this is doubtful. Each cluster is judged by the feature that explains its cost best.
pub fn verdict(findings: &Findings) -> Vec<Statement> {
    let mut statements: Vec<Statement> = largest_failed(findings).into_iter().collect();
    let Some(first) = findings.clusters.first() else {
        let series = series::statements(findings);
        statements.extend(if series.is_empty() { vec![nothing(findings)] } else { series });
        return statements;
    };
    statements.extend(uncounted(findings));
    let growing = growing(findings);
    let is_fastest =
        growing.first().is_some_and(|fastest| fastest.cluster.as_ref() == Some(&first.representative.name));
    statements.push(dominates(first, findings, is_fastest));
    let growing: Vec<Statement> = growing.into_iter().skip(usize::from(is_fastest)).collect();
    if growing.is_empty() && !is_fastest && !answer::is_partial(findings) {
        statements.extend(steady(findings));
    }
    statements.extend(growing);
    statements.extend(undecided(findings));
    statements.extend(overtaking(findings));
    statements.extend(doubts(findings));
    statements
}

fn nothing(findings: &Findings) -> Statement {
    let text = match findings.workloads.count {
        0 => "No workload was counted: there is nothing to tell.",
        1 => "One workload was counted: it says nothing about growth.",
        _ => "No location's cost varies: the workloads make no difference to the program.",
    };
    Statement::doubt(text.to_owned())
}

impl Statement {
    /// About the whole study.
    fn doubt(text: String) -> Self {
        Self { kind: StatementKind::Doubtful, cluster: None, series: None, text }
    }

    fn about(cluster: &Cluster, kind: StatementKind, text: String) -> Self {
        Self { kind, cluster: Some(cluster.representative.name.clone()), series: None, text }
    }
}

fn name(cluster: &Cluster) -> String {
    let title = brief(&cluster.title, TITLE_WIDTH);
    match cluster.representative.kind {
        RepresentativeKind::Feature => {
            let feature = shorten(&cluster.representative.name, NAME_WIDTH);
            let others = match cluster.members.len() {
                0 | 1 => String::new(),
                all => format!(" and {} more", all - 1),
            };
            format!("What varies with {feature} ({title}{others})")
        }
        RepresentativeKind::Location => title,
    }
}

/// `is_fastest`: it grows fastest as well, and one sentence says both.
fn dominates(cluster: &Cluster, findings: &Findings, is_fastest: bool) -> Statement {
    let several = findings.features.len() > 1;
    let mut text = format!(
        "{} costs most{}: {}, at most {}",
        name(cluster),
        if is_fastest { " and grows fastest" } else { "" },
        Item::of_cluster(cluster).shares(),
        number::in_unit(cluster.max_cost, &findings.unit)
    );
    match sound_law(cluster) {
        Some(law) if !is_poor(law) => {
            let _ = write!(text, "; {}", how_it_grows(law, several));
        }
        Some(law) => {
            let _ = write!(text, "; how it grows with {} is not clear", pace::features(law));
        }
        None => match any_law(cluster).and_then(growth::missing) {
            Some(missing) => {
                let _ = write!(text, "; {missing}");
            }
            None => text.push_str("; no model of its growth could be made"),
        },
    }
    text.push('.');
    if let Some(member) = elsewhere(cluster) {
        let (place, function) = (shorten(&member.name, NAME_WIDTH), brief(&member.function, NAME_WIDTH));
        let told = if cluster.own_lines().is_empty() {
            "With it goes"
        } else {
            "Most of that is in code that is not yours:"
        };
        let _ = write!(text, " {told} {place} in {function}.");
    }
    let kind = if is_fastest { StatementKind::Grows } else { StatementKind::Dominates };
    Statement::about(cluster, kind, text)
}

/// The costliest member of another function than the representative's, where it has a part in the cost.
fn elsewhere(cluster: &Cluster) -> Option<&Member> {
    let first = cluster.namesake()?;
    let others = cluster.members.iter().filter(|m| !m.function.is_empty() && m.function != first.function);
    let costliest = others.max_by_key(|m| m.max_cost)?;
    (costliest.max_cost as f64 > NOTABLE_PART * cluster.max_cost as f64).then_some(costliest)
}

/// What certainly grows faster than linearly, the fastest of what is costly first.
fn growing(findings: &Findings) -> Vec<Statement> {
    let several = findings.features.len() > 1;
    let paced = |cluster: &'_ Cluster| {
        let law = sound_law(cluster)?;
        Some((certain_pace(law)?, greatest_pace(law).unwrap_or(f64::INFINITY)))
    };
    let mut growing: Vec<(&Cluster, (f64, f64))> =
        findings.clusters.iter().filter_map(|c| paced(c).map(|found| (c, found))).collect();
    growing.sort_by(|a, b| b.0.costly.cmp(&a.0.costly).then(b.1.0.total_cmp(&a.1.0)));
    let Some(&(first, (fastest, _))) = growing.first() else { return Vec::new() };
    let is_as_fast =
        |i: usize| growing[i].0.costly == first.costly && growing[i].1.0.total_cmp(&fastest).is_eq();
    let mut statements = Vec::new();
    for (i, (cluster, (pace, most))) in growing.iter().take(MOST_STATEMENTS).enumerate() {
        if i > 0 && !cluster.costly {
            break;
        }
        let barely = *pace < BARELY && *most < BARELY;
        let words = match i {
            0 if barely => "is what grows fastest, though barely faster than linearly",
            0 if growing.len() > 1 && is_as_fast(1) => "is among what grows fastest",
            0 => "is what grows fastest",
            _ if barely => continue,
            _ if is_as_fast(i) => "grows as fast",
            _ => "also grows faster than linearly",
        };
        let law = sound_law(cluster).map(|law| in_words(law, several)).unwrap_or_default();
        let text = format!("{} {words}: {law}{}.", name(cluster), cost_so_far(cluster, findings));
        statements.push(Statement::about(cluster, StatementKind::Grows, text));
    }
    let told = statements.len();
    let rest = growing.iter().skip(told);
    let more = rest.filter(|(c, (pace, most))| c.costly && (*pace >= BARELY || *most >= BARELY)).count();
    if let (Some(last), 1..) = (statements.last_mut(), more) {
        let _ = write!(last.text, " So do {more} more costly clusters.");
    }
    statements
}

/// Of what costs little, also whether it will cost more: what grows fastest may still be nothing at any size that matters.
fn cost_so_far(cluster: &Cluster, findings: &Findings) -> String {
    let then = || {
        let answer = findings.answer.as_ref().filter(|_| !cluster.costly)?;
        let outlook = cluster.outlooks.get(answer.point).copied().flatten()?;
        let share = (outlook.cost / answer.whole.cost).min(1.0);
        Some(format!(", {} at {}", number::share(share), point::given(&findings.points[answer.point])))
    };
    format!("; so far {}{}", Item::of_cluster(cluster).shares(), then().unwrap_or_default())
}

fn steady(findings: &Findings) -> Option<Statement> {
    let laws: Vec<RowLaw<'_>> =
        findings.clusters.iter().filter_map(|c| sound_law(c).or_else(|| any_law(c))).collect();
    if laws.is_empty() {
        return None;
    }
    let features: Vec<String> =
        findings.features.iter().map(|f| shorten(&f.name, NAME_WIDTH).into_owned()).take(4).collect();
    let features = features.join(", ");
    let bounded: Vec<&RowLaw<'_>> = laws.iter().filter(|law| is_bounded(**law)).collect();
    let is_open = |law: &RowLaw<'_>| match law {
        RowLaw::Of(model) => model.growth.as_ref().is_some_and(|growth| growth.superlinear.is_none()),
        RowLaw::Joint(_) => false,
    };
    let (unknown, all) = (laws.len() - bounded.len(), laws.len());
    let scope = if unknown > 0 { "is well modelled" } else { "was run" };
    let steady = if bounded.iter().any(|law| is_open(law)) {
        format!(
            "All that {scope} is linear in {features} at most, or within a log factor of that: no difference at ten times \
             the size"
        )
    } else {
        format!("Nothing that {scope} grows measurably faster than linearly in {features}")
    };
    let text = match (unknown, bounded.len()) {
        (0, _) => format!("{steady}."),
        (_, 0) => "No law is good enough to say whether anything grows faster than linearly.".to_owned(),
        _ => format!("{steady}; the laws of {unknown} of {all} clusters are not good enough to say."),
    };
    Some(Statement { kind: StatementKind::Steady, cluster: None, series: None, text })
}

fn overtaking(findings: &Findings) -> Vec<Statement> {
    let nearest = |cluster: &'_ Cluster| {
        // Passing the costliest of all says most.
        let passed = cluster.overtakes.iter().min_by(|a, b| a.rank.cmp(&b.rank))?.clone();
        let max = findings.features.iter().find(|f| f.name == passed.feature)?.max?;
        Some((passed.at / max, passed))
    };
    let mut passing: Vec<_> = findings.clusters.iter().filter_map(|c| nearest(c).map(|n| (c, n))).collect();
    passing.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let statement = |(cluster, (times, passed)): (&Cluster, (f64, trend_analyze::Overtaking))| {
        let text = format!(
            "{}, now at rank {}, will overtake {}, at rank {}, at about {} = {}: {} times the largest that was run.",
            name(cluster),
            cluster.rank,
            brief(rows::passed(findings, &passed), TITLE_WIDTH),
            passed.rank,
            shorten(&passed.feature, NAME_WIDTH),
            number::size(number::two_digits(passed.at)),
            number::significant(times, 2)
        );
        Statement::about(cluster, StatementKind::Overtakes, text)
    };
    passing.into_iter().take(MOST_STATEMENTS).map(statement).collect()
}
