//! Properties of every check, on generated programs: a judgement follows from the row that every other output shows, and
//! agrees with the comparison of two versions.

use trend_profile::Study;

use super::baseline_tests::{Code, Random, baseline, judged, options, program, run};
use super::*;
use crate::{
    ChangeStatement, Options, Outcome, OutcomeReason, Outlook, Pace, RowLaw, Statement, Version, analyze,
    change_statements, compare, predict, statements,
};

const CLASSES: [&str; 6] = ["1", "log n", "n", "n log n", "n^2", "n^3"];

/// A size that no run has.
const FAR: f64 = 100_000.0;

fn expected(subject: &Subject, limit: Limit) -> Expectation {
    Expectation { origin: Origin::CommandLine, subject: subject.clone(), limit, feature: None }
}

/// A row of the findings: its subject, its law, and its cost at [`FAR`].
type Expected<'a> = (Subject, Option<RowLaw<'a>>, Option<Outlook>);

fn rows<'a>(study: &Study, findings: &'a Findings, options: &Options) -> Vec<Expected<'a>> {
    let predictions = predict(study, findings, options, &[("n".to_owned(), FAR)]).unwrap();
    let functions = findings.functions.iter().zip(predictions.functions).map(|(row, outlook)| {
        (Subject::Function(row.name.clone()), RowLaw::of(&row.models, row.joint.as_ref()), outlook)
    });
    let total = &findings.total;
    let law = RowLaw::of(&total.models, total.joint.as_ref());
    functions.chain([(Subject::Program, law, predictions.total)]).collect()
}

#[test]
fn every_judgement_follows_from_the_row_that_is_shown() {
    let mut random = Random(11);
    let noises: [fn(f64) -> f64; 3] = [|_| 0.0, |_| 0.02, |_| 0.1];
    for round in 0..18 {
        let study = run(&program(&mut random), &mut random, noises[round % 3]);
        let options = options();
        let findings = analyze(&study, &options).unwrap();
        for (subject, law, outlook) in rows(&study, &findings, &options) {
            let growths = CLASSES.map(|class| Limit::Growth { limit: class.parse().unwrap() });
            let costs = [0.1, 0.9, 1.0, 1.1, 10.0].map(|times| Limit::Cost {
                measure: Measure::Counts,
                at: vec![("n".to_owned(), FAR)],
                most: times * outlook.map_or(1.0, |outlook| outlook.cost),
            });
            let expectations: Vec<Expectation> =
                growths.into_iter().chain(costs).map(|limit| expected(&subject, limit)).collect();
            let judged = judge(&study, &findings, &options, &expectations).unwrap();
            follows_from_law(law, &judged[..CLASSES.len()]);
            follows_from_cost(outlook, &judged[CLASSES.len()..]);
            let judgements: Vec<Judgement> = judged.iter().map(|judged| judged.judgement).collect();
            let checked = Checked::new(&findings, judged);
            assert_eq!(Some(checked.judgement), judgements.iter().max().copied());
            let counted = checked.holds + checked.broken + checked.undecided + checked.unknown;
            assert_eq!((counted, checked.expectations.len()), (judgements.len(), judgements.len()));
        }
        follows_from_statements(&study, &findings);
    }
}

/// Checks judgements for the limits [`CLASSES`] of one row.
fn follows_from_law(law: Option<RowLaw<'_>>, judged: &[Judged]) {
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
    match crate::pace(law) {
        Some(Pace::Fast) => assert_eq!(log.judgement, Judgement::Broken, "{log:#?}"),
        Some(Pace::Slow) => assert_ne!(log.judgement, Judgement::Broken, "{log:#?}"),
        Some(Pace::Open) => assert_eq!(log.judgement, Judgement::Undecided, "{log:#?}"),
        None => {}
    }
    let RowLaw::Of(model) = law else { return };
    for found in judged.iter().filter_map(|judged| judged.found.as_ref()) {
        let Found::Growth { growth, formula, .. } = found else { panic!("{found:?}") };
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

/// Checks that the headline of `show` and a check of all functions do not contradict each other.
fn follows_from_statements(study: &Study, findings: &Findings) {
    let limit = Limit::Growth { limit: "n log n".parse().unwrap() };
    let all = Subject::NewCode(Vec::new());
    let judged = judge(study, findings, &options(), &[expected(&all, limit)]).unwrap();
    let is_steady = statements(findings).iter().any(|said| matches!(said, Statement::Steady { .. }));
    let is_broken = judged.iter().any(|judged| judged.judgement == Judgement::Broken);
    assert!(!(is_steady && is_broken), "{judged:#?}");
}

/// Returns the program with another law, factor or name of one function, or with a new function.
fn changed(codes: &[Code], random: &mut Random) -> Vec<Code> {
    let mut changed = codes.to_vec();
    let i = random.below(codes.len());
    match random.below(5) {
        0 => changed[i].law = (changed[i].law + 1).min(4),
        1 => changed[i].times *= [0.3, 0.97, 1.02, 4.0][random.below(4)],
        2 => changed[i].name = "renamed".to_owned(),
        3 => changed.push(Code { name: "new".to_owned(), ..codes[i].clone() }),
        _ => {}
    }
    changed
}

#[test]
fn a_comparison_and_a_check_of_two_versions_agree() {
    let mut random = Random(12);
    let (mut regressed, mut held) = (0, 0);
    for round in 0..30 {
        let codes = program(&mut random);
        let after = changed(&codes, &mut random);
        let [old, new] = [&codes, &after].map(|codes| run(codes, &mut Random(7), |_| 0.0));
        let options = options();
        let [was, is] = [&old, &new].map(|study| analyze(study, &options).unwrap());
        let version = |study, findings| Version { study, findings };
        let comparison = compare(version(&old, &was), version(&new, &is), "n", &options).unwrap();
        let judged = judged(&baseline(&old), &new);
        let worst = judged.iter().map(|judged| judged.judgement).max().unwrap_or(Judgement::Holds);
        let said = change_statements(&comparison);
        let why = format!("{round}: {codes:?} → {after:?}: {said:?} {worst:?}");
        // The limits of a baseline leave room for a tenth.
        let is_worse = comparison.total.change.ratio_ci.is_some_and(|[low, _]| low > 1.2);
        if comparison.outcome == Outcome::Regressed && is_worse {
            assert_ne!(worst, Judgement::Holds, "{why}");
            regressed += 1;
        }
        if comparison.identical {
            assert_eq!(
                (comparison.outcome, comparison.reason),
                (Outcome::Holds, OutcomeReason::Same),
                "{why}"
            );
            assert_eq!(worst, Judgement::Holds, "{why}");
            assert!(said.contains(&ChangeStatement::Whole { is_as_before: true }), "{why}");
            held += 1;
        }
    }
    assert!(regressed >= 5 && held >= 3, "{regressed} {held}");
}
