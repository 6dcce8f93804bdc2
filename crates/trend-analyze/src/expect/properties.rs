//! Properties of every check, on generated programs: a judgement follows from the row that every other output shows,
//! and agrees with the comparison of two versions.

use super::baseline_tests::{Code, Random, baseline, judged, options, program, run};
use super::*;
use crate::analyze::analyze;
use crate::compare::Version;
use crate::properties::{agrees_with_check, both_ways, is_clearly_worse, of_findings, worst};

/// A size that no run has.
const FAR: f64 = 100_000.0;

#[test]
fn every_judgement_follows_from_the_row_that_is_shown() {
    let mut random = Random(11);
    let noises: [fn(f64) -> f64; 3] = [|_| 0.0, |_| 0.02, |_| 0.1];
    for round in 0..18 {
        let study = run(&program(&mut random), &mut random, noises[round % 3]);
        let findings = analyze(&study, &options()).unwrap();
        of_findings(&study, &findings, &options(), &[("n".to_owned(), FAR)]);
        let limits = ["1", "n", "n^2"].map(|class| Limit::Growth { limit: class.parse().unwrap() });
        let expected = limits.map(|limit| Expectation {
            origin: Origin::CommandLine,
            subject: Subject::Program,
            limit,
            feature: None,
        });
        let judged = judge(&study, &findings, &options(), &expected).unwrap();
        let worst = worst(&judged);
        let checked = Checked::new(&findings, judged);
        assert_eq!(checked.judgement, worst);
        let counted = checked.holds + checked.broken + checked.undecided + checked.unknown;
        assert_eq!((counted, checked.expectations.len()), (3, 3));
    }
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
        let [comparison, _] = both_ways(version(&old, &was), version(&new, &is), "n", &options).unwrap();
        let worst = worst(&judged(&baseline(&old), &new));
        agrees_with_check(&comparison, worst);
        regressed += usize::from(is_clearly_worse(&comparison));
        if comparison.identical {
            assert_eq!(worst, Judgement::Holds, "{round}: {codes:?} → {after:?}");
            held += 1;
        }
    }
    assert!(regressed >= 5 && held >= 3, "{regressed} {held}");
}
