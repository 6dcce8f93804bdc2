//! Tests that a report in aprof's format keeps the data of a study by the probe.

use crate::tests::analyze;
use trend_analyze::{Findings, Options};
use trend_profile::{
    Observation, ObservationParts, OwnCosts, OwnInput, Series, Study, StudyParts, Symbol, Unit, Variable,
    Workload, WorkloadId,
};

use super::*;

/// Returns the cost of one run's calls at a size. The calls of `walk` are nested, and main calls the outermost.
fn nested(size: u64, calls: u64, greatest: u64) -> Observation {
    let costs = || (1..=calls).map(|call| greatest * call / calls);
    let (sum, own) = (costs().sum(), greatest - 1);
    // All calls have the same own cost, except one.
    let least = own / calls;
    let most = own - least * (calls - 1);
    let sum_of_squares = ((calls - 1) * least * least + most * most) as f64;
    let parts = ObservationParts {
        outermost: Some(greatest),
        own: Some(own),
        from_kernel: Some(size / 4),
        from_threads: Some(1),
        own_costs: Some(OwnCosts { min: least, max: most, sum_of_squares }),
        own_input: Some(OwnInput { from_kernel: size / 8, from_threads: 0 }),
    };
    let (min, max, sum_of_squares) = (greatest / calls, greatest, costs().map(|c| c * c).sum::<u64>() as f64);
    Observation { count: calls, min, max, sum, sum_of_squares, parts, ..Observation::at(size) }
}

fn series(name: &str, variable: Variable, workload: u32, unit: &Unit, points: &[(u64, u64, u64)]) -> Series {
    let symbol = Symbol { name: name.to_owned(), linkage: format!("_Z{}{name}v", name.len()) };
    let observations = points.iter().map(|&(size, calls, greatest)| nested(size, calls, greatest)).collect();
    let of_blocks = Series::of_routine(symbol, "src/walk.c", variable, observations);
    Series { workload: WorkloadId(workload), unit: unit.clone(), ..of_blocks }
}

/// Returns a study of two runs with the probe, which measures both variables of each routine. Each routine's own cost
/// is a location.
fn of_probe(unit: &Unit) -> Study {
    let walk = [vec![(10, 2, 100), (30, 4, 900)], vec![(30, 3, 800), (70, 7, 4900)]];
    let main = [vec![(60, 1, 1002)], vec![(110, 1, 5702)]];
    let mut all = Vec::new();
    for run in 0..2 {
        for (name, runs) in [("walk", &walk), ("main", &main)] {
            all.push(series(name, Variable::Drms, run, unit, &runs[run as usize]));
            // `rms` does not count input that is read again.
            let rms: Vec<_> = runs[run as usize].iter().map(|&(size, n, cost)| (size / 2, n, cost)).collect();
            all.push(series(name, Variable::Rms, run, unit, &rms));
        }
    }
    let own = |name: &str, run: usize| -> u64 {
        let is_of_routine = |one: &&Series| {
            one.place.symbol.name == name && one.variables == [Variable::Drms] && one.workload.index() == run
        };
        let observations = all.iter().filter(is_of_routine).flat_map(|one| &one.observations);
        observations.filter_map(|o| o.parts.own).sum()
    };
    let costs = |name| format!("src/walk.c:1:{name}: {} {}\n", own(name, 0), own(name, 1));
    let drawn = StudyParts::from_text(&(costs("main") + &costs("walk"))).unwrap();
    Study::new(StudyParts { program: String::new(), unit: unit.clone(), series: all, ..drawn }).unwrap()
}

/// Returns the study that is imported from a report.
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
    for (unit, metric) in [(Unit::default(), "bb_count"), (Unit::new("instructions"), "vex-instr")] {
        let study = of_probe(&unit);
        let report = aprof(&study).unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(report.replace(metric, "METRIC"), @r#"
            c written by trend-prof
            v 5
            k 13398
            m METRIC
            i drms
            a ?
            f ?
            r "main" "src/walk.c" 0
            u 0 "_Z4mainv"
            p 0 60 1002 1002 1002 1004004 1 1002 1001 1001 1001 1002001 0 0 15 1 7 0
            p 0 110 5702 5702 5702 32512804 1 5702 5701 5701 5701 32501401 0 0 27 1 13 0
            r "walk" "src/walk.c" 1
            u 1 "_Z4walkv"
            p 1 10 50 100 150 12500 2 100 99 49 50 4901 0 0 2 1 1 0
            p 1 30 225 900 3849 2513595 7 1700 1698 224 267 414858 0 0 14 2 6 0
            p 1 70 700 4900 19600 68600000 7 4900 4899 699 705 3428631 0 0 17 1 8 0
            "#);
        }
        let (before, after) = (dynamic(&study), dynamic(&imported(&report)));
        assert_eq!(before.series.len(), 2);
        for (before, after) in before.series.iter().zip(&after.series) {
            assert_eq!(before.observations.len(), after.observations.len());
            for (a, b) in before.observations.iter().zip(&after.observations) {
                assert_eq!(a, b);
            }
        }
        let rows = |findings: &Findings| published(findings)["series"].as_array().unwrap().clone();
        for (before, after) in rows(&before).into_iter().zip(rows(&after)) {
            for (field, value) in before.as_object().unwrap() {
                assert_eq!(value, &after[field], "{field}");
            }
            assert_eq!(before, after);
        }
    }
}

/// Returns a study of one routine with these observations, in picoseconds.
fn of_times(observations: Vec<Observation>) -> Study {
    let series = Series::of_routine(Symbol::plain("f"), "f.c", Variable::Rms, observations);
    let unit = Unit::new(Unit::PICOSECONDS);
    let series = vec![Series { unit: unit.clone(), ..series }];
    Study::new(StudyParts { unit, series, ..StudyParts::from_text("f.c:1:f: 1\n").unwrap() }).unwrap()
}

/// Returns an observation of calls with these times in picoseconds, all of them own cost.
fn timed(size: u64, times: &[u64]) -> Observation {
    let [min, max] = [times.iter().min(), times.iter().max()].map(|time| *time.unwrap());
    let sum = times.iter().sum();
    let sum_of_squares = times.iter().map(|time| (*time as f64).powi(2)).sum();
    let parts = ObservationParts {
        outermost: Some(sum),
        own: Some(sum),
        own_costs: Some(OwnCosts { min, max, sum_of_squares }),
        ..ObservationParts::NONE
    };
    Observation { count: times.len() as u64, min, max, sum, sum_of_squares, parts, ..Observation::at(size) }
}

#[test]
fn times_below_a_microsecond_are_exact_and_none_is_nothing() {
    let observations =
        vec![timed(1, &[0]), timed(2, &[0, 3000]), timed(3, &[1_000, 12_345_678]), timed(4, &[u64::MAX / 2])];
    let report = aprof(&of_times(observations.clone())).unwrap();
    assert!(report.contains("\nm time-usec\ni rms\n"), "{report}");
    // aprof-plot rejects a least cost of 0.
    assert!(report.contains("\np 0 1 0.000001 0.000001 0.000001 0 1 0 0 0 0 0\n"), "{report}");
    assert!(report.contains("\np 0 2 0.000001 0.003 0.003 "), "{report}");
    assert!(report.contains("\np 0 3 0.001 12.345678 12.346678 "), "{report}");
    let read = trend_collect::import::aprof::read(report.as_bytes()).unwrap();
    let picosecond = Observation { min: 1, max: 1, sum: 1, ..observations[0] };
    let least = Observation { min: 1, ..observations[1] };
    for (actual, expected) in
        read.series[0].observations.iter().zip([picosecond, least, observations[2], observations[3]])
    {
        let exact = |observation: &Observation| Observation {
            sum_of_squares: 0.0,
            parts: ObservationParts { own_costs: None, ..observation.parts },
            ..*observation
        };
        assert_eq!(exact(actual), exact(&expected));
        let own = |observation: &Observation| observation.parts.own_costs.unwrap();
        assert_eq!((own(actual).min, own(actual).max), (own(&expected).min, own(&expected).max));
        let squares = [
            (actual.sum_of_squares, expected.sum_of_squares),
            (own(actual).sum_of_squares, own(&expected).sum_of_squares),
        ];
        assert!(squares.iter().all(|(a, b)| (a - b).abs() <= 1e-12 * b), "{squares:?}");
    }
}

#[test]
fn no_variance_is_negative_as_aprof_plot_computes_it() {
    // All calls of a size cost the same, so the sign of the variance depends only on rounding.
    let observations = (1..2000)
        .map(|n| timed(n, &vec![1_000_003 * n + 7 * n * n; n as usize % 97 + 1]))
        .collect::<Vec<_>>();
    let report = aprof(&of_times(observations)).unwrap();
    let mut points = 0;
    for line in report.lines().filter(|line| line.starts_with("p ")) {
        let field = |n: usize| line.split(' ').nth(n).unwrap().parse::<f64>().unwrap();
        for (sum, squares) in [(5, 6), (9, 12)] {
            let (calls, sum, squares) = (field(7), field(sum), field(squares));
            assert!(squares / calls - (sum / calls) * (sum / calls) >= 0.0, "{line}");
        }
        points += 1;
    }
    assert_eq!(points, 1999);
}

#[test]
fn a_report_is_of_the_version_that_what_is_known_fits() {
    let whole = timed(5, &[1_000_000, 3_000_000]);
    let version = |parts: ObservationParts, sum_of_squares: f64| {
        let mut observation = whole;
        (observation.parts, observation.sum_of_squares) = (parts, sum_of_squares);
        let report = aprof(&of_times(vec![observation])).unwrap();
        report.lines().find(|line| line.starts_with("v ")).unwrap().to_owned()
    };
    assert_eq!(version(whole.parts, whole.sum_of_squares), "v 5");
    assert_eq!(version(whole.parts, 0.0), "v 3");
    assert_eq!(version(ObservationParts { own_costs: None, ..whole.parts }, whole.sum_of_squares), "v 2");
    assert_eq!(version(ObservationParts::NONE, whole.sum_of_squares), "v 1");
}
