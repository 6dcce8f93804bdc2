use trend_profile::{Observation, ObservationParts, Series, Study, StudyParts, Symbol, Variable, Workload};

use super::*;
use crate::answer::tests::findings;

#[test]
fn a_group_that_spans_functions_is_called_after_the_place_that_is_named_first() {
    let square = |part: f64| move |n: f64| part * n * n / 10.0;
    let findings = findings(&[
        ("a.c:4:find", &square(0.4)),
        ("a.c:5:find", &square(0.41)),
        // The block with the greatest variance represents the cluster.
        ("a.c:9:hash", &square(0.5)),
        ("a.c:20:line", &|n| 100.0 * n),
    ]);
    let place = findings.answer.as_ref().unwrap().place.as_ref().unwrap();
    assert_eq!((&*place.function, place.line), ("find", 5));
    assert!(findings.clusters[0].title.contains("hash"), "{}", findings.clusters[0].title);
    let statements = statements(&findings);
    let [Statement::Costliest { group, is_fastest: true, elsewhere: Some(elsewhere) }, ..] =
        statements.as_slice()
    else {
        panic!("{statements:?}")
    };
    let member = |i: usize| &findings.clusters[0].members[i];
    let after = member(group.after.unwrap());
    assert_eq!((&*after.function, after.line, group.functions), ("find", 5, 2));
    assert_eq!(&*member(*elsewhere).function, "hash");
}

#[test]
fn nothing_else_is_what_grows_fastest_where_a_place_is_to_be_mended() {
    // At the target, the cube takes 7 % and the square 90 %.
    let findings = findings(&[
        ("a.c:4:cube", &|n| n * n * n * 4e-9),
        ("a.c:9:pairs", &|n| n * n / 40.0),
        ("a.c:20:line", &|n| 2000.0 * n),
    ]);
    let place = findings.answer.as_ref().unwrap().place.as_ref().unwrap();
    assert_eq!(place.function, "pairs");
    let statements = statements(&findings);
    let named = |group: &GroupName| findings.clusters[group.cluster].title.contains("pairs");
    for statement in &statements {
        match statement {
            Statement::Grows { group, how, .. } => {
                let is_fastest =
                    [Growing::Fastest, Growing::BarelyFastest, Growing::AmongFastest].contains(how);
                assert!(!is_fastest || named(group), "{statements:?}");
            }
            Statement::Costliest { group, is_fastest, .. } => {
                assert!(!is_fastest || named(group), "{statements:?}");
            }
            Statement::Steady { .. } => panic!("{statements:?}"),
            _ => {}
        }
    }
}

#[test]
fn a_function_that_grows_makes_no_program_steady() {
    let mut findings = findings(&[("a.c:4:line", &|n| 100.0 * n), ("a.c:9:pairs", &|n| n * n / 10.0)]);
    let is_steady = |findings: &Findings| {
        statements(findings).iter().any(|statement| matches!(statement, Statement::Steady { .. }))
    };
    findings.clusters.retain(|cluster| cluster.title.contains("line"));
    assert!(!is_steady(&findings));
    findings.functions.retain(|row| row.name == "line");
    assert!(is_steady(&findings));
}

/// Returns findings of routines by name; the costs of each, which are all of its own, are by size.
fn routines(routines: &[(&str, &[(u64, u64)])]) -> Findings {
    let series = |&(name, costs): &(&str, &[(u64, u64)])| {
        let observation = |&(size, cost): &(u64, u64)| {
            let parts =
                ObservationParts { own: Some(cost), outermost: Some(cost), ..ObservationParts::default() };
            Observation { count: 1, min: cost, max: cost, sum: cost, parts, ..Observation::at(size) }
        };
        Series::of_routine(
            Symbol::plain(name),
            "prog",
            Variable::Rms,
            costs.iter().map(observation).collect(),
        )
    };
    let workloads = vec![Workload::imported("a")];
    let parts =
        StudyParts { workloads, series: routines.iter().map(series).collect(), ..StudyParts::default() };
    crate::analyze::analyze(&Study::new(parts).unwrap(), &crate::options::Options::default()).unwrap()
}

#[test]
fn a_routine_with_most_of_the_cost_at_one_size_makes_no_program_steady() {
    let line: Vec<(u64, u64)> = (1..=20).map(|i| (10 * i, 30 * i)).collect();
    let statements_with = |cost: u64| statements(&routines(&[("parse", &[(5000, cost)]), ("copy", &line)]));
    let is_steady =
        |statements: &[Statement]| statements.contains(&Statement::Series(SeriesStatement::Steady));
    let few = |statements: &[Statement]| {
        statements.iter().any(|s| matches!(s, Statement::Series(SeriesStatement::FewSizes { series: 0 })))
    };
    let costly = statements_with(1_000_000);
    assert!(few(&costly) && !is_steady(&costly), "{costly:?}");
    let cheap = statements_with(10);
    assert!(!few(&cheap) && is_steady(&cheap), "{cheap:?}");
}
