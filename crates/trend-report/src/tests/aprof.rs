//! What a report in aprof's format keeps of a study of the probe.

use trend_analyze::{Findings, Options, analyze};
use trend_profile::{
    Observation, ObservationParts, Series, Study, StudyParts, Symbol, Unit, Variable, Workload, WorkloadId,
};

use super::*;

/// What one run's calls of a size cost: those of `walk` are nested in one another, and main calls the outermost.
fn nested(size: u64, calls: u64, greatest: u64) -> Observation {
    let sum = (1..=calls).map(|call| greatest * call / calls).sum();
    let parts = ObservationParts {
        outermost: Some(greatest),
        own: Some(greatest - 1),
        from_kernel: Some(size / 4),
        from_threads: Some(1),
    };
    let min = greatest / calls;
    Observation { count: calls, min, max: greatest, sum, sum_of_squares: 1e6, parts, ..Observation::at(size) }
}

fn series(name: &str, variable: Variable, workload: u32, unit: &Unit, of: &[(u64, u64, u64)]) -> Series {
    let symbol = Symbol { name: name.to_owned(), linkage: format!("_Z{}{name}v", name.len()) };
    let observations = of.iter().map(|&(size, calls, greatest)| nested(size, calls, greatest)).collect();
    let of_blocks = Series::of_routine(symbol, "src/walk.c", variable, observations);
    Series { workload: WorkloadId(workload), unit: unit.clone(), ..of_blocks }
}

/// Two runs with the probe, which knows both variables of each routine; each routine's own cost is a location.
fn of_probe(unit: &Unit) -> Study {
    let walk = [vec![(10, 2, 100), (30, 4, 900)], vec![(30, 3, 800), (70, 7, 4900)]];
    let main = [vec![(60, 1, 1002)], vec![(110, 1, 5702)]];
    let mut all = Vec::new();
    for run in 0..2 {
        for (name, of) in [("walk", &walk), ("main", &main)] {
            all.push(series(name, Variable::Drms, run, unit, &of[run as usize]));
            // Without what is read again.
            let rms: Vec<_> = of[run as usize].iter().map(|&(size, n, cost)| (size / 2, n, cost)).collect();
            all.push(series(name, Variable::Rms, run, unit, &rms));
        }
    }
    let own = |name: &str, run: usize| -> u64 {
        let is_it = |one: &&Series| {
            one.place.symbol.name == name && one.variables == [Variable::Drms] && one.workload.index() == run
        };
        let observations = all.iter().filter(is_it).flat_map(|one| &one.observations);
        observations.filter_map(|o| o.parts.own).sum()
    };
    let costs = |name| format!("src/walk.c:1:{name}: {} {}\n", own(name, 0), own(name, 1));
    let drawn = Study::from_text(&(costs("main") + &costs("walk"))).unwrap();
    let parts = StudyParts {
        unit: unit.clone(),
        workloads: drawn.workloads().to_vec(),
        functions: drawn.functions().to_vec(),
        locations: drawn.locations().to_vec(),
        counts: drawn.blocks().map(|id| drawn.counts().row(id).to_vec()).collect(),
        series: all,
        ..StudyParts::default()
    };
    Study::new(parts).unwrap()
}

/// The study of a report.
fn imported(report: &str) -> Study {
    let read = trend_collect::import::aprof::read(report.as_bytes()).unwrap();
    assert_eq!(read.warnings, []);
    let cost =
        |location| read.runs[0].counts.iter().find(|(id, _)| *id == location).map_or(0, |(_, cost)| *cost);
    let parts = StudyParts {
        unit: read.unit,
        workloads: vec![Workload::imported("report")],
        counts: (0..read.locations.len() as u32).map(|location| vec![cost(location)]).collect(),
        functions: read.functions,
        locations: read.locations,
        series: read.series,
        ..StudyParts::default()
    };
    Study::new(parts).unwrap()
}

fn dynamic(study: &Study) -> Findings {
    let mut findings = analyze(study, &Options::default()).unwrap();
    choose_variable(&mut findings, Some(Variable::Drms)).unwrap();
    findings
}

#[test]
fn a_report_has_the_true_outermost_and_own_costs_of_all_runs_and_is_read_back_as_it_was() {
    for (unit, metric) in [(Unit::default(), "bb-count"), (Unit::new("instructions"), "vex-instr")] {
        let study = of_probe(&unit);
        let report = aprof(&study).unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(report.replace(metric, "METRIC"), @r#"
            c written by trend-prof
            v 2
            k 13398
            m METRIC
            i drms
            a ?
            f ?
            r "main" "src/walk.c" 0
            u 0 "_Z4mainv"
            p 0 60 1002 1002 1002 1 1002 1001
            p 0 110 5702 5702 5702 1 5702 5701
            r "walk" "src/walk.c" 1
            u 1 "_Z4walkv"
            p 1 10 50 100 150 2 100 99
            p 1 30 225 900 3849 7 1700 1698
            p 1 70 700 4900 19600 7 4900 4899
            "#);
        }
        let (before, after) = (dynamic(&study), dynamic(&imported(&report)));
        assert_eq!(before.series.len(), 2);
        for (before, after) in before.series.iter().zip(&after.series) {
            assert_eq!(before.observations.len(), after.observations.len());
            for (a, b) in before.observations.iter().zip(&after.observations) {
                assert_eq!((a.sizes, a.count, a.min, a.max, a.sum), (b.sizes, b.count, b.min, b.max, b.sum));
                assert_eq!((a.parts.outermost, a.parts.own), (b.parts.outermost, b.parts.own));
            }
        }
        let rows = |findings: &Findings| published(findings)["series"].as_array().unwrap().clone();
        for (mut before, after) in rows(&before).into_iter().zip(rows(&after)) {
            // What this version of reports has no place for.
            for field in ["kernel_input", "thread_input"] {
                assert!(before.as_object_mut().unwrap().remove(field).is_some());
            }
            for (field, value) in before.as_object().unwrap() {
                assert_eq!(value, &after[field], "{field}");
            }
            assert_eq!(before, after);
        }
    }
}
