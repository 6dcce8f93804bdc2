//! Checks properties of every study: no statement says more than the rows that it summarises, and judgements follow
//! from these rows. This crate's tests check generated studies. Tests of other crates check every study that they make
//! or leave in a file.

pub(crate) mod studies;

use trend_analyze::{
    AnswerKind, Baseline, BaselineError, Basis, ChangeKind, ChangeStatement, CompareError, Compared,
    Comparison, Effect, Expectation, Findings, Found, GrowthChange, Judged, Judgement, Limit,
    NOTABLE_UNCOUNTED, Options, Origin, Outcome, OutcomeReason, Outlook, Pace, Reason, Resource, Row, RowLaw,
    Side, Statement, Subject, Unnamed, Version, change_statements, compare, judge, pace, predict, statements,
};
use trend_profile::{Measure, Study};

const CLASSES: [&str; 6] = ["1", "log n", "n", "n log n", "n^2", "n^3"];

/// Maximum number of functions in a study that are judged.
const MOST_JUDGED: usize = 10;

/// Checks the answer and the statements of `show`, and the judgements of `check` about each row.
///
/// `options` must keep the fits. `far` has a size for each of some features.
pub(crate) fn of_findings(study: &Study, findings: &Findings, options: &Options, far: &[(String, f64)]) {
    of_statements(findings);
    let predicted = predict(study, findings, options, far).unwrap();
    let functions = || findings.functions.iter();
    // An expectation for `insert` holds for `Table::insert` as well.
    let is_meant_alone = |name: &str| functions().filter(|row| row.name.contains(name)).count() == 1;
    let rows = functions().zip(predicted.functions).filter(|(row, _)| is_meant_alone(&row.name));
    let rows = rows
        .take(MOST_JUDGED)
        .map(|(row, outlook)| (Subject::Function(row.name.clone()), row.fits.law(), outlook));
    let total = &findings.total;
    let law = total.fits.law();
    for (subject, law, outlook) in rows.chain([(Subject::Program, law, predicted.total)]) {
        let growths = CLASSES.map(|class| Limit::Growth { limit: class.parse().unwrap() });
        let costs = [0.1, 0.9, 1.0, 1.1, 10.0].map(|times| Limit::Cost {
            measure: Measure::Counts,
            at: far.to_vec(),
            most: times * outlook.map_or(1.0, |outlook| outlook.cost),
        });
        let expectations: Vec<Expectation> =
            growths.into_iter().chain(costs).map(|limit| expected(&subject, limit)).collect();
        let judged = judge(study, findings, options, &expectations).unwrap();
        // Without a feature, the expectation is about the first one; the law may be in others.
        if study.features().len() == 1 {
            follows_from_law(law, &judged[..CLASSES.len()]);
        }
        follows_from_cost(outlook, &judged[CLASSES.len()..]);
    }
    let limit = Limit::Growth { limit: "n log n".parse().unwrap() };
    let all = Subject::NewCode(Vec::new());
    let judged = judge(study, findings, options, &[expected(&all, limit)]).unwrap();
    let is_broken = judged.iter().any(|judged| judged.judgement == Judgement::Broken);
    assert!(!(is_steady(findings) && is_broken), "{judged:#?}");
}

fn expected(subject: &Subject, limit: Limit) -> Expectation {
    Expectation { origin: Origin::CommandLine, subject: subject.clone(), limit, feature: None }
}

fn is_steady(findings: &Findings) -> bool {
    statements(findings).iter().any(|statement| matches!(statement, Statement::Steady { .. }))
}

/// Checks that the answer and the statements of `show` follow from the rows.
pub(crate) fn of_statements(findings: &Findings) {
    answer_is_of_rows(findings);
    statements_are_of_rows(findings);
}

/// Checks that the numbers of the answer equal those of its row, and that its kind agrees with the row's pace.
fn answer_is_of_rows(findings: &Findings) {
    let Some(answer) = &findings.answer else { return };
    assert_eq!(Some(answer.whole), findings.total.outlooks[answer.point]);
    let is_fast = |law: Option<RowLaw<'_>>| law.and_then(pace) == Some(Pace::Fast);
    if answer.unnamed == Some(Unnamed { large_only: false, certain: true }) {
        let of_functions = findings.functions.iter().map(|row| row.fits.law());
        let of_clusters = findings.clusters.iter().map(|row| row.fits.law());
        assert!(!of_functions.chain(of_clusters).any(is_fast), "{answer:?}");
    }
    let Some(place) = &answer.place else { return };
    let is_it = |row: &&Row| (&row.name, &row.file) == (&place.function, &place.file);
    let row = findings.functions.iter().find(is_it).unwrap();
    let then = row.outlooks[answer.point].unwrap().cost;
    let share_then = then / (then + (answer.whole.cost - then).max(0.0));
    assert_eq!((place.share, place.share_then), (row.share_now, share_then), "{place:?}");
    let pace = row.fits.law().and_then(pace);
    match answer.kind {
        AnswerKind::Fix => assert_eq!(pace, Some(Pace::Fast), "{place:?}"),
        AnswerKind::Open => assert_eq!(pace, Some(Pace::Open), "{place:?}"),
        AnswerKind::Spread | AnswerKind::Steady => {}
    }
}

/// Checks that the statements deny no growth that a row has, and claim none that it does not have.
fn statements_are_of_rows(findings: &Findings) {
    let is_growing = |law: Option<RowLaw<'_>>| law.and_then(RowLaw::certain_pace).is_some();
    let of_cluster = |cluster: usize| is_growing(findings.clusters[cluster].fits.law());
    for statement in statements(findings) {
        match &statement {
            Statement::Costliest { group, is_fastest: true, .. } | Statement::Grows { group, .. } => {
                assert!(of_cluster(group.cluster), "{statement:?}");
            }
            Statement::Steady { .. } => {
                let mut functions = findings.functions.iter();
                let is_growing = |row: &Row| is_growing(row.fits.law());
                assert!(!functions.any(is_growing), "{statement:?}");
            }
            _ => {}
        }
    }
}

/// Checks judgements for the limits [`CLASSES`] of one row.
fn follows_from_law(law: Option<RowLaw<'_>>, judged: &[Judged]) {
    let varies_nothing = |judged: &&Judged| matches!(judged.reason, Some(Reason::NothingVaries { .. }));
    if let Some(nothing) = judged.iter().find(varies_nothing) {
        // A program that ignores its size keeps to `<= 1` at most.
        assert_eq!(nothing.judgement, Judgement::Undecided, "{nothing:#?}");
        assert!(judged[1..].iter().all(|judged| varies_nothing(&judged)), "{judged:#?}");
        return;
    }
    let holds: Vec<bool> = judged.iter().map(|judged| judged.judgement == Judgement::Holds).collect();
    let breaks: Vec<bool> = judged.iter().map(|judged| judged.judgement == Judgement::Broken).collect();
    // A looser limit holds if a stricter one does, and is not broken if the stricter one is not.
    assert!(holds.is_sorted() && breaks.iter().rev().is_sorted(), "{judged:#?}");
    let Some(law) = law else {
        assert!(!holds.contains(&true) && !breaks.contains(&true), "{judged:#?}");
        return;
    };
    let [_, _, linear, log, ..] = judged else { panic!("{judged:#?}") };
    if law.certain_pace().is_some() {
        assert_ne!(linear.judgement, Judgement::Holds, "{linear:#?}");
    }
    match pace(law) {
        Some(Pace::Fast) => assert_eq!(log.judgement, Judgement::Broken, "{log:#?}"),
        Some(Pace::Slow) => assert_ne!(log.judgement, Judgement::Broken, "{log:#?}"),
        Some(Pace::Open) => assert_eq!(log.judgement, Judgement::Undecided, "{log:#?}"),
        None => {}
    }
    let RowLaw::Of(model) = law else { return };
    for finding in judged.iter().filter_map(|judged| judged.found.as_ref()) {
        let Found::Growth { growth, formula, .. } = finding else { panic!("{finding:?}") };
        let of_row = model.law().filter(|law| law.decided).map(|law| law.formula());
        assert_eq!(
            (Some(growth), formula),
            (model.growth.as_ref().map(|g| g.short.in_a_sentence()).as_ref(), &of_row)
        );
    }
}

/// Checks judgements about the cost of one row.
fn follows_from_cost(outlook: Option<Outlook>, judged: &[Judged]) {
    for judged in judged {
        let Limit::Cost { most, .. } = judged.expectation.limit else { panic!("{judged:?}") };
        let Some(Outlook { cost, ci, .. }) = outlook else {
            assert_eq!(judged.judgement, Judgement::Undecided);
            continue;
        };
        assert_eq!(judged.found, Some(Found::Cost { cost, ci }));
        let judgement = match ci {
            Some([_, high]) if high <= most => Judgement::Holds,
            Some([low, _]) if low > most => Judgement::Broken,
            _ => Judgement::Undecided,
        };
        assert_eq!(judged.judgement, judgement, "{judged:?}");
    }
}

/// Judges a version against a baseline, and returns all judgements.
///
/// # Errors
/// [`BaselineError`] if the baseline says nothing about the version.
pub(crate) fn judged_against(
    baseline: &Baseline,
    version: Version<'_>,
    options: &Options,
) -> Result<Vec<Judged>, BaselineError> {
    let against = baseline.against("b.json", version, options)?;
    let mut judged = judge(version.study, version.findings, options, &against.expectations).unwrap();
    judged.extend(against.unknown);
    Ok(judged)
}

/// Returns the worst of these judgements.
pub(crate) fn worst(judged: &[Judged]) -> Judgement {
    judged.iter().map(|judged| judged.judgement).max().unwrap_or(Judgement::Holds)
}

/// Compares two versions in both directions, and checks both comparisons.
pub(crate) fn both_ways(
    old: Version<'_>,
    new: Version<'_>,
    feature: &str,
    options: &Options,
) -> Option<[Comparison; 2]> {
    let compared = |a, b| match compare(a, b, feature, options) {
        Ok(comparison) => Some(comparison),
        Err(CompareError::Units { .. }) => None,
        Err(other) => panic!("failed to compare: {other}"),
    };
    let (forth, back) = (compared(old, new)?, compared(new, old)?);
    for (comparison, [was, is]) in [(&forth, [old, new]), (&back, [new, old])] {
        let shown = |version: Version<'_>| version.findings.total.outlooks[0].map_or(0.0, |whole| whole.cost);
        if comparison.basis == Basis::Predicted {
            assert_eq!([comparison.total.before.cost, comparison.total.after.cost], [was, is].map(shown));
        }
        is_consistent(comparison);
        are_of_rows(comparison);
    }
    mirrors(&forth, &back);
    Some([forth, back])
}

/// Checks that a comparison does not contradict its rows.
fn is_consistent(c: &Comparison) {
    let rows = || c.changes.iter().chain(&c.lines).chain(&c.clusters).chain([&c.total]);
    for row in rows() {
        if let ChangeKind::Floor { factor, .. } = row.change.kind {
            assert!(factor > 0.0, "the cost before is no part of the cost after: {row:?}");
        }
        // A change by a factor or a floor keeps the growth.
        if matches!(row.grows, GrowthChange::Faster | GrowthChange::Slower) {
            let keeps_growth = matches!(
                row.change.kind,
                ChangeKind::Floor { .. } | ChangeKind::Factor { .. } | ChangeKind::Differs { .. }
            );
            assert!(!keeps_growth, "{row:?}");
        }
        if let Some(ratio) = row.change.ratio {
            assert!((ratio * row.before.cost / row.after.cost - 1.0).abs() < 1e-9, "{row:?}");
            let holds = |[low, high]: [f64; 2]| low <= ratio * (1.0 + 1e-9) && ratio <= high * (1.0 + 1e-9);
            assert!(row.change.ratio_ci.is_none_or(holds), "{row:?}");
            match row.effect {
                Effect::Worse => assert!(ratio >= 1.05, "{row:?}"),
                Effect::Better => assert!(ratio <= 1.0 / 1.05, "{row:?}"),
                Effect::Same => assert!((1.0 / 1.05..1.05).contains(&ratio), "{row:?}"),
                Effect::Open => {}
            }
        }
    }
    if c.nothing_faster {
        assert!(rows().all(|row| row.grows != GrowthChange::Faster), "{c:?}");
    }
    let of_rows = |effect, grows| c.changes.iter().any(|row| (row.effect, row.grows) == (effect, grows));
    match c.outcome {
        Outcome::Holds => assert_eq!(c.total.effect, Effect::Same),
        Outcome::CannotTell => assert!(c.total.effect == Effect::Open || !c.reason.is_compared(), "{c:?}"),
        Outcome::Regressed => assert!(
            c.total.effect == Effect::Worse
                || c.total.effect != Effect::Better && of_rows(Effect::Worse, GrowthChange::Faster),
            "{c:?}"
        ),
        Outcome::Improved => assert!(
            c.total.effect == Effect::Better
                || c.total.effect != Effect::Worse && of_rows(Effect::Better, GrowthChange::Slower),
            "{c:?}"
        ),
    }
}

/// Checks that the statements above the rows deny nothing that a row shows.
fn are_of_rows(c: &Comparison) {
    let statements = change_statements(c);
    let those =
        |grows| -> Vec<usize> { (0..c.changes.len()).filter(|&i| c.changes[i].grows == grows).collect() };
    let is_told = |grows: GrowthChange, rows: &[usize]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows == those(grows)
    };
    let changed = |resource: &Option<Resource>| resource.as_ref().is_some_and(|r| r.effect != Effect::Same);
    let (mut faster, mut slower) = (false, false);
    for statement in &statements {
        match statement {
            ChangeStatement::Whole { is_as_before: true } => {
                assert!(c.total.effect == Effect::Same && c.total.change.exact, "{c:?}");
                let is_within = |cost: f64, of: &Side| {
                    let [low, high] = of.ci.unwrap_or([of.cost; 2]);
                    (low..=high).contains(&cost) || (cost / of.cost - 1.0).abs() < 1e-9
                };
                let (before, after) = (&c.total.before, &c.total.after);
                assert!(is_within(before.cost, after) && is_within(after.cost, before), "{c:?}");
            }
            ChangeStatement::Open => {
                assert_eq!((c.total.effect, c.outcome), (Effect::Open, Outcome::CannotTell), "{c:?}");
            }
            ChangeStatement::Faster(rows) => faster = is_told(GrowthChange::Faster, rows),
            ChangeStatement::Slower(rows) => slower = is_told(GrowthChange::Slower, rows),
            ChangeStatement::Most(row) => {
                let difference = |row: &Compared| row.after.cost - row.before.cost;
                let part = difference(&c.changes[*row]) / difference(&c.total);
                assert!(part >= 0.5 && matches!(c.total.effect, Effect::Worse | Effect::Better), "{c:?}");
            }
            ChangeStatement::NothingFaster { is_slower } => {
                let all = c.changes.iter().chain(&c.lines).chain(&c.clusters).chain([&c.total]);
                assert!(all.clone().all(|row| row.grows != GrowthChange::Faster), "{c:?}");
                assert_eq!(*is_slower, !those(GrowthChange::Slower).is_empty());
            }
            ChangeStatement::Seconds => assert!(changed(&c.resources.seconds), "{:?}", c.resources),
            ChangeStatement::Memory => assert!(changed(&c.resources.memory), "{:?}", c.resources),
            ChangeStatement::Uncounted { version } => {
                let share = c.resources.uncounted[*version].as_ref().unwrap().share;
                assert!(share >= NOTABLE_UNCOUNTED, "{:?}", c.resources);
            }
            _ => {}
        }
    }
    let is_compared = c.reason.is_compared();
    assert_eq!(faster, is_compared && !those(GrowthChange::Faster).is_empty(), "{c:?}");
    assert_eq!(slower, is_compared && !those(GrowthChange::Slower).is_empty(), "{c:?}");
    let is_told = matches!(statements.as_slice(), [ChangeStatement::Whole { .. }, ..]);
    assert_eq!(is_told, is_compared, "{statements:?}");
}

/// Checks that two comparisons are the same with the versions exchanged.
fn mirrors(forth: &Comparison, back: &Comparison) {
    let outcome = match back.outcome {
        Outcome::Regressed => Outcome::Improved,
        Outcome::Improved => Outcome::Regressed,
        other => other,
    };
    assert_eq!(forth.outcome, outcome, "{forth:#?} {back:#?}");
    assert_eq!((forth.unchanged, forth.changes.len()), (back.unchanged, back.changes.len()));
    if let (Some(ratio), Some(inverse)) = (forth.total.change.ratio, back.total.change.ratio) {
        assert!((ratio * inverse - 1.0).abs() < 1e-9);
    }
}

/// Checks that a comparison agrees with the worst judgement of the later version against a baseline of the earlier one.
pub(crate) fn agrees_with_check(comparison: &Comparison, worst: Judgement) {
    let statements = change_statements(comparison);
    let why = || format!("{statements:?} {worst:?}");
    if is_clearly_worse(comparison) {
        assert_ne!(worst, Judgement::Holds, "{}", why());
    }
    if comparison.identical && comparison.reason.is_compared() {
        let end = (comparison.outcome, comparison.reason);
        assert_eq!(end, (Outcome::Holds, OutcomeReason::Same), "{}", why());
        assert_ne!(worst, Judgement::Broken, "{}", why());
        assert!(statements.contains(&ChangeStatement::Whole { is_as_before: true }), "{}", why());
    }
}

/// True if the later version costs clearly more than a baseline's limits allow, which leave room for a tenth.
pub(crate) fn is_clearly_worse(comparison: &Comparison) -> bool {
    comparison.outcome == Outcome::Regressed
        && comparison.total.change.ratio_ci.is_some_and(|[low, _]| low > 1.2)
}
