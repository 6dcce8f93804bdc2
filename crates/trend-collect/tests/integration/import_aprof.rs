//! Tests reports of every version of aprof. The tool is no longer available; these files have the layouts on which its
//! writers and aprof-plot's reader agree.

use std::path::Path;

use trend_collect::import::{Imported, aprof};
use trend_profile::{Observation, ObservationParts, OwnCosts, OwnInput, Variable};

fn report(name: &str) -> Imported {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/aprof").join(name);
    aprof::read(&std::fs::read(path).unwrap()).unwrap()
}

/// Returns the only routine `sort`, summed over its contexts.
fn sort(name: &str) -> (Variable, Vec<Observation>) {
    let report = report(name);
    let routines: Vec<_> = report
        .series
        .iter()
        .filter(|r| r.place.symbol.name.starts_with("sort") && r.place.context.is_empty())
        .collect();
    assert_eq!(routines.len(), 1, "{name}");
    assert_eq!(routines[0].place.object, "/bin/s");
    (routines[0].variables[0], routines[0].observations.clone())
}

const EXACT: Observation = Observation {
    count: 10,
    min: 15,
    max: 37,
    sum: 270,
    sum_of_squares: 7500.0,
    parts: PARTS,
    ..Observation::at(23)
};
/// Parts that reports have since version 2.
const PARTS: ObservationParts =
    ObservationParts { outermost: Some(199), own: Some(200), own_costs: Some(OWN), ..ObservationParts::NONE };
/// Own costs that reports have since version 3.
const OWN: OwnCosts = OwnCosts { min: 10, max: 30, sum_of_squares: 4000.0 };

#[test]
fn the_fields_of_every_version_are_known() {
    let small = Observation { count: 1, min: 1, max: 1, sum: 1, sum_of_squares: 1.0, ..Observation::at(5) };
    assert_eq!(
        sort("v1.aprof"),
        (Variable::Rms, vec![small, Observation { parts: ObservationParts::NONE, ..EXACT }])
    );
    let sums = ObservationParts { own_costs: None, ..PARTS };
    assert_eq!(
        sort("v2.aprof"),
        (Variable::Rms, vec![Observation { sum_of_squares: 0.0, parts: sums, ..EXACT }])
    );
    assert_eq!(sort("v4-rvms.aprof"), (Variable::Drms, vec![EXACT]));
    // A context belongs to its routine; costs nested in it count for another context.
    let own_costs = Some(OwnCosts { sum_of_squares: 3000.0 + 1250.0, ..OWN });
    let both = ObservationParts { outermost: Some(199 + 70), own_costs, ..PARTS };
    assert_eq!(sort("v4-contexts.aprof").1, [Observation { sum_of_squares: 8050.0, parts: both, ..EXACT }]);
    let dynamic = Observation {
        parts: ObservationParts { from_kernel: Some(5), from_threads: Some(6), ..PARTS },
        ..EXACT
    };
    assert_eq!(sort("v5-drms.aprof"), (Variable::Drms, vec![dynamic]));
    let own_input = Some(OwnInput { from_kernel: 1, from_threads: 2 });
    let parts = ObservationParts { own_input, ..dynamic.parts };
    assert_eq!(sort("v6-drms.aprof"), (Variable::Drms, vec![Observation { parts, ..dynamic }]));
    let us = 1_000_000;
    let own_costs = Some(OwnCosts { min: 10 * us, max: 30 * us, sum_of_squares: 0.0 });
    let parts = ObservationParts { outermost: Some(199 * us), own: Some(200 * us), own_costs, ..PARTS };
    let times =
        Observation { min: 15 * us, max: 37 * us, sum: 270 * us, sum_of_squares: 0.0, parts, ..EXACT };
    assert_eq!(sort("v3.aprof"), (Variable::Rms, vec![times]));
}

#[test]
fn version_0_has_the_mean_of_its_calls() {
    let report = report("v0.aprof");
    let mean = |size, cost, calls| Observation {
        count: calls,
        min: cost,
        max: cost,
        sum: cost * calls,
        ..Observation::at(size)
    };
    let rows: Vec<_> =
        report.series.iter().map(|r| (r.place.symbol.name.as_str(), r.observations.clone())).collect();
    let expected =
        [("main", vec![mean(134, 224_667, 1)]), ("ArraySort", vec![mean(3, 4, 1), mean(26, 2226, 3)])];
    assert_eq!(rows, expected);
}

#[test]
fn routines_cost_what_they_took_themselves_and_that_is_all_that_the_program_took() {
    for name in
        ["v2.aprof", "v3.aprof", "v4-rvms.aprof", "v4-contexts.aprof", "v5-drms.aprof", "v6-drms.aprof"]
    {
        let report = report(name);
        assert_eq!(report.warnings, [], "{name}");
        let scale = if report.unit.is_time() { 1_000_000 } else { 1 };
        let own: Vec<u64> = report.runs[0].counts.iter().map(|(_, cost)| cost / scale).collect();
        assert_eq!((own[0], own[2]), (100, 200), "{name}");
    }
}

#[test]
fn contexts_are_profiles_of_their_own() {
    let report = report("v4-contexts.aprof");
    let rows: Vec<_> = report
        .series
        .iter()
        .map(|r| (r.place.symbol.name.as_str(), r.place.context.as_str(), r.observations[0].count))
        .collect();
    let expected = [
        ("main", "", 1),
        ("sort", "", 10),
        ("main", "(no caller)", 1),
        ("sort", "main", 8),
        ("sort", "main → sort", 2),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn mangled_names_are_kept_beside_readable_ones() {
    let report = report("v1.aprof");
    let symbol = &report.series[0].place.symbol;
    assert_eq!((symbol.name.as_str(), symbol.linkage.as_str()), ("sort(int*, int)", "_Z4sortPii"));
}
