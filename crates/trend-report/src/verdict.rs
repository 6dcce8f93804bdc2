//! The sentences at the top: what a reader should know who reads nothing else.
//!
//! They claim no more than the intervals do, and say so where there are none.

use std::fmt::Write as _;

use serde::Serialize;
use trend_analyze::{Cluster, Findings, GrowthClass, Member, Model, PowerLawModel, RepresentativeKind, Term};

use crate::rows::{self, Item, POOR_R2};
use crate::text::shorten;
use crate::{growth, number};

/// Names in sentences are shortened to this.
const NAME_WIDTH: usize = 48;

/// Of each kind of statement that can be made of many clusters.
const MOST_STATEMENTS: usize = 3;

/// Below this exponent growth that is certainly above linear matters little.
const BARELY: f64 = 1.05;

/// What a logarithmic factor adds to an exponent, about, over the sizes of most studies.
const LOG_AS_EXPONENT: f64 = 0.1;

/// What costs less than so many times its least cost in every run does not grow to speak of.
const STARTUP_FACTOR: u64 = 2;

/// A later feature is preferred to an earlier one only where it explains this much more.
const BETTER_R2: f64 = 0.01;

/// Part of a cluster's cost from which a line of another function is named with it.
const NOTABLE_PART: f64 = 0.1;

/// What a sentence of the verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// What it is about.
    pub kind: StatementKind,
    /// The cluster that it is about, by its representative's name.
    pub cluster: Option<String>,
    /// The sentence.
    pub text: String,
}

/// The sentences at the top: what dominates, what grows fastest, what will overtake, and what of
/// this is doubtful. Each cluster is judged by the feature that explains its cost best.
pub fn verdict(findings: &Findings) -> Vec<Statement> {
    let Some(first) = findings.clusters.first() else { return vec![nothing(findings)] };
    let mut statements = vec![dominates(first, &findings.unit)];
    statements.extend(growing(findings));
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
    Statement { kind: StatementKind::Doubtful, cluster: None, text: text.to_owned() }
}

/// The model in the feature that explains the cluster best; an earlier feature where it is close.
pub(crate) fn best_model(models: &[Model]) -> Option<(&Model, &PowerLawModel)> {
    let fitted = models.iter().filter_map(|m| m.power_law.as_ref().map(|law| (m, law)));
    fitted.reduce(|best, next| if next.1.r2 > best.1.r2 + BETTER_R2 { next } else { best })
}

/// The same among the models that are good enough for a headline.
fn sound_model(models: &[Model]) -> Option<(&Model, &PowerLawModel)> {
    let sound = models.iter().filter(|m| m.is_sound());
    let fitted = sound.filter_map(|m| m.power_law.as_ref().map(|law| (m, law)));
    fitted.reduce(|best, next| if next.1.r2 > best.1.r2 + BETTER_R2 { next } else { best })
}

fn name(cluster: &Cluster) -> String {
    let shown = shorten(&cluster.representative.name, NAME_WIDTH).into_owned();
    match (cluster.representative.kind, rows::representative(cluster)) {
        (RepresentativeKind::Feature, Some(member)) => {
            format!("What follows {shown} ({})", shorten(&rows::place(member), NAME_WIDTH))
        }
        (RepresentativeKind::Feature, None) => format!("What follows {shown}"),
        (RepresentativeKind::Location, Some(m)) if !m.function.is_empty() && *m.function != *shown => {
            format!("{shown} ({})", shorten(&m.function, NAME_WIDTH))
        }
        (RepresentativeKind::Location, _) => shown,
    }
}

/// `as 1.49·n^2.00 (exponent 2.000–2.001)`.
fn formula(model: &Model, law: &PowerLawModel) -> String {
    let feature = shorten(&model.feature, NAME_WIDTH);
    let digits = number::supported_digits(law.a, law.a_ci).min(3);
    let a = number::significant(law.a, digits);
    let b = number::exponent(law.b, law.b_ci);
    let interval = match law.b_ci {
        Some(ci) => format!("exponent {}", number::exponent_interval(ci)),
        None => "no interval".to_owned(),
    };
    format!("{a}·{feature}^{b} ({interval})")
}

/// `it grows as n^2 (1.5·n^2 − 0.5·n)`.
fn how_it_grows(model: &Model, law: &PowerLawModel) -> String {
    let feature = shorten(&model.feature, NAME_WIDTH);
    match &model.growth {
        Some(verdict) => match verdict.decided_class() {
            Some(class) if class.class == GrowthClass::Constant => format!("it does not grow with {feature}"),
            Some(_) => format!("it grows as {}", pace_in_words(model, law)),
            None => format!("how it grows with {feature} is {}", verdict.verdict),
        },
        None => format!("it grows as {}", pace_in_words(model, law)),
    }
}

/// `n^2 (1.5·n^2 − 0.5·n)` where the class is decided, else the power law and what is undecided.
fn pace_in_words(model: &Model, law: &PowerLawModel) -> String {
    match &model.growth {
        Some(verdict) => match verdict.decided_class() {
            Some(class) => format!("{} ({})", class.class, growth::formula(class, &model.feature)),
            None => format!("{}, about {}", verdict.verdict, formula(model, law)),
        },
        None => formula(model, law),
    }
}

/// How fast a cost certainly grows, as an exponent; `None` where that may be no faster than linearly.
fn certain_pace(model: &Model, law: &PowerLawModel) -> Option<f64> {
    if rows::is_poor(model) {
        return None;
    }
    match &model.growth {
        Some(verdict) => {
            let slowest = verdict.named().map(|c| c.class).min()?;
            (verdict.superlinear == Some(true)).then(|| match slowest.term() {
                Term::Power { exponent, log } => exponent + if log { LOG_AS_EXPONENT } else { 0.0 },
                _ => f64::INFINITY,
            })
        }
        None => Some(law.b_ci?[0]).filter(|lower| *lower > 1.0),
    }
}

fn dominates(cluster: &Cluster, unit: &trend_profile::Unit) -> Statement {
    let mut text = format!(
        "{} costs most: {}, at most {}",
        name(cluster),
        Item::Cluster(cluster).shares(),
        number::in_unit(cluster.max_cost, unit)
    );
    match sound_model(&cluster.models) {
        Some((model, law)) if !rows::is_poor(model) => {
            let _ = write!(text, "; {}", how_it_grows(model, law));
        }
        Some((model, _)) => {
            let _ = write!(text, "; how it grows with {} is not clear", shorten(&model.feature, NAME_WIDTH));
        }
        None if best_model(&cluster.models).is_some() => {
            text.push_str("; it was run at too few sizes, or too similar ones, to say how it grows");
        }
        None => text.push_str("; no model of its growth could be made"),
    }
    text.push('.');
    if let Some(member) = elsewhere(cluster) {
        let (place, function) = (shorten(&member.name, NAME_WIDTH), shorten(&member.function, NAME_WIDTH));
        let _ = write!(text, " With it goes {place} ({function}).");
    }
    Statement { kind: StatementKind::Dominates, cluster: Some(cluster.representative.name.clone()), text }
}

/// The costliest member of another function than the representative's, where it has a part in the cost.
fn elsewhere(cluster: &Cluster) -> Option<&Member> {
    let first = rows::representative(cluster)?;
    let others = cluster.members.iter().filter(|m| !m.function.is_empty() && m.function != first.function);
    let costliest = others.max_by_key(|m| m.max_cost)?;
    (costliest.max_cost as f64 > NOTABLE_PART * cluster.max_cost as f64).then_some(costliest)
}

fn growing(findings: &Findings) -> Vec<Statement> {
    let pace = |cluster: &'_ Cluster| {
        let (model, law) = sound_model(&cluster.models)?;
        Some((certain_pace(model, law)?, model.clone(), law.clone()))
    };
    let mut growing: Vec<(&Cluster, (f64, Model, PowerLawModel))> =
        findings.clusters.iter().filter_map(|c| pace(c).map(|found| (c, found))).collect();
    growing.sort_by(|a, b| b.0.costly.cmp(&a.0.costly).then(b.1.0.total_cmp(&a.1.0)));
    if growing.is_empty() {
        return steady(findings).into_iter().collect();
    }
    let first = findings.clusters.first().map(|c| &c.representative);
    let fastest = growing[0].1.0;
    let is_as_fast =
        |i: usize| growing[i].0.costly == growing[0].0.costly && growing[i].1.0.total_cmp(&fastest).is_eq();
    let mut statements = Vec::new();
    for (i, (cluster, (pace, model, law))) in growing.iter().take(MOST_STATEMENTS).enumerate() {
        if i > 0 && !cluster.costly {
            break;
        }
        let subject = name(cluster);
        let barely = *pace < BARELY && law.b < BARELY;
        let pace = match i {
            0 if barely => "what grows fastest, though barely faster than linearly",
            0 if growing.len() > 1 && is_as_fast(1) => "among what grows fastest",
            0 => "what grows fastest",
            _ if barely => continue,
            _ if is_as_fast(i) => "grows as fast",
            _ => "also grows faster than linearly",
        };
        let text = match i {
            // Its formula was in the sentence before.
            0 if Some(&cluster.representative) == first => format!("{subject} is also {pace}."),
            0 => format!("{subject} is {pace}: {}{}.", pace_in_words(model, law), cost_so_far(cluster)),
            _ => format!("{subject} {pace}: {}{}.", pace_in_words(model, law), cost_so_far(cluster)),
        };
        statements.push(Statement {
            kind: StatementKind::Grows,
            cluster: Some(cluster.representative.name.clone()),
            text,
        });
    }
    let told = statements.len();
    let more = growing
        .iter()
        .skip(told)
        .filter(|(c, (pace, _, law))| c.costly && (*pace >= BARELY || law.b >= BARELY))
        .count();
    if let (Some(last), 1..) = (statements.last_mut(), more) {
        let _ = write!(last.text, " So do {more} more costly clusters.");
    }
    statements
}

fn cost_so_far(cluster: &Cluster) -> String {
    format!("; so far {}", Item::Cluster(cluster).shares())
}

/// The costly clusters of which the data do not say whether they grow faster than linearly.
fn undecided(findings: &Findings) -> Vec<Statement> {
    let verdict = |cluster: &'_ Cluster| {
        let (model, _) = sound_model(&cluster.models)?;
        let undecided = model.growth.as_ref().filter(|growth| growth.superlinear.is_none());
        let verdict = undecided.filter(|_| !rows::is_poor(model))?;
        Some((shorten(&model.feature, NAME_WIDTH).into_owned(), verdict.verdict.clone()))
    };
    let costly = findings.clusters.iter().filter(|c| c.costly && !is_startup(c));
    let all: Vec<_> = costly.filter_map(|c| verdict(c).map(|found| (c, found))).collect();
    let statement = |(cluster, (feature, verdict)): &(&Cluster, (String, String))| Statement {
        kind: StatementKind::Doubtful,
        cluster: Some(cluster.representative.name.clone()),
        text: format!(
            "{} may or may not grow faster than linearly in {feature}: it is {verdict}; larger workloads would \
             tell.",
            name(cluster)
        ),
    };
    let mut statements: Vec<Statement> = all.iter().take(MOST_STATEMENTS).map(statement).collect();
    let more = all.len() - statements.len();
    if let (Some(last), 1..) = (statements.last_mut(), more) {
        let _ = write!(last.text, " The same holds of {more} more costly clusters.");
    }
    statements
}

/// Whether the model can say that its cost does not grow faster than linearly, and nothing better says that it does.
fn is_bounded(model: &Model, law: &PowerLawModel) -> bool {
    match &model.growth {
        _ if rows::is_poor(model) || !model.is_sound() => false,
        Some(growth) => growth.superlinear == Some(false),
        None => law.b_ci.is_some(),
    }
}

fn steady(findings: &Findings) -> Option<Statement> {
    let laws: Vec<(&Model, &PowerLawModel)> = findings
        .clusters
        .iter()
        .filter_map(|c| sound_model(&c.models).or_else(|| best_model(&c.models)))
        .collect();
    if laws.is_empty() {
        return None;
    }
    let features: Vec<String> =
        findings.features.iter().map(|f| shorten(&f.name, NAME_WIDTH).into_owned()).take(4).collect();
    let bounded = laws.iter().filter(|(model, law)| is_bounded(model, law)).count();
    let text = match (laws.len() - bounded, bounded) {
        (0, _) => {
            format!("Nothing that was run grows measurably faster than linearly in {}.", features.join(", "))
        }
        (_, 0) => {
            "Whether anything grows faster than linearly cannot be said: no model is good enough, has an interval \
             and is decided."
                .to_owned()
        }
        (unknown, _) => format!(
            "Nothing that is well modelled grows measurably faster than linearly in {}; of {unknown} of {} clusters \
             it cannot be told.",
            features.join(", "),
            laws.len()
        ),
    };
    Some(Statement { kind: StatementKind::Steady, cluster: None, text })
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
    let statement = |(cluster, (times, passed)): (&Cluster, (f64, trend_analyze::Overtaking))| Statement {
        kind: StatementKind::Overtakes,
        cluster: Some(cluster.representative.name.clone()),
        text: format!(
            "{}, now at rank {}, will overtake {}, at rank {}, at about {} = {}: {} times the largest that was run.",
            name(cluster),
            cluster.rank,
            shorten(&passed.cluster, NAME_WIDTH),
            passed.rank,
            shorten(&passed.feature, NAME_WIDTH),
            number::size(number::two_digits(passed.at)),
            number::significant(times, 2)
        ),
    };
    passing.into_iter().take(MOST_STATEMENTS).map(statement).collect()
}

/// Whether a cluster is costly for small runs only and hardly costs more in others: no size makes it matter.
fn is_startup(cluster: &Cluster) -> bool {
    let executed = || cluster.costs.iter().copied().filter(|cost| *cost > 0);
    let is_constant = executed().max() < executed().min().map(|least| least.saturating_mul(STARTUP_FACTOR));
    cluster.share_of_largest <= rows::COSTLY_SHARE && is_constant
}

fn doubts(findings: &Findings) -> Option<Statement> {
    let costly: Vec<&Cluster> = findings.clusters.iter().filter(|c| c.costly && !is_startup(c)).collect();
    let poor = |c: &&&Cluster| best_model(&c.models).is_none_or(|(model, _)| rows::is_poor(model));
    let poorly: Vec<&&Cluster> = costly.iter().filter(poor).collect();
    let unbounded = costly.iter().filter(|c| best_model(&c.models).is_some_and(|(_, l)| l.b_ci.is_none()));
    let unbounded = unbounded.count();
    let mut text = String::new();
    let of = |n: usize| match (n, costly.len()) {
        (1, 1) => "The only costly cluster is".to_owned(),
        (n, all) if n == all => format!("All {all} costly clusters are"),
        (1, all) => format!("1 of {all} costly clusters is"),
        (n, all) => format!("{n} of {all} costly clusters are"),
    };
    if !poorly.is_empty() {
        let mut names: Vec<String> = poorly
            .iter()
            .take(MOST_STATEMENTS)
            .map(|c| shorten(&c.representative.name, NAME_WIDTH).into_owned())
            .collect();
        if poorly.len() > names.len() {
            names.push("…".to_owned());
        }
        let _ = write!(
            text,
            "{} poorly modelled (R² below {POOR_R2}, or no model): {}; what is predicted for them is a guess.",
            of(poorly.len()),
            names.join(", ")
        );
    }
    if unbounded > 0 {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(
            text,
            "{space}{} without intervals: nothing says how far these numbers can be trusted.",
            of(unbounded)
        );
    }
    (!text.is_empty()).then_some(Statement { kind: StatementKind::Doubtful, cluster: None, text })
}
