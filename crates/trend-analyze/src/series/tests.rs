use std::fmt::Write as _;

use trend_profile::{StudyParts, Symbol, Workload, WorkloadId};

use super::*;
use crate::analyze::analyze;
use crate::findings::law::RowLaw;

fn rows(study: &Study) -> Vec<SeriesRow> {
    let options = Options::default();
    series(study, &options, &Modeller::new(study, &options, &[])).0
}

fn routine(name: &str, observations: Vec<Observation>) -> Series {
    Series::of_routine(Symbol::plain(name), "prog", Variable::Rms, observations)
}

fn study(cost: impl Fn(u64) -> u64) -> Study {
    let observation = |size: u64| {
        let (min, max) = (cost(size) / 2, cost(size));
        Observation { count: 2, min, max, sum: min + max, ..Observation::at(size) }
    };
    let series = |workload: u32, sizes: std::ops::Range<u64>| Series {
        workload: WorkloadId(workload),
        ..routine("sort", sizes.map(|i| observation(10 * i)).collect())
    };
    let parts = StudyParts {
        workloads: ["a", "b"].map(Workload::imported).to_vec(),
        series: vec![series(0, 1..40), series(1, 30..80)],
        ..StudyParts::default()
    };
    Study::new(parts).unwrap()
}

#[test]
fn sizes_of_all_workloads_are_one_model_of_worst_average_and_best() {
    let rows = rows(&study(|n| 4 * n * n));
    let row = &rows[0];
    assert_eq!((row.name.as_str(), row.sizes, row.count), ("sort", 79, 178));
    for (model, factor) in [(&row.worst, 4.0), (&row.average, 3.0), (&row.best, 2.0)] {
        let law = model.fits.models[0].power_law.as_ref().unwrap();
        assert!((law.a - factor).abs() < 1e-6 && (law.b - 2.0).abs() < 1e-9, "{law:?}");
        assert_eq!(model.fits.models[0].growth.as_ref().unwrap().verdict, "n^2");
        let offset = model.offset_power.unwrap();
        assert!((offset.c - 2.0).abs() < 1e-3 && (offset.b / factor - 1.0).abs() < 1e-2, "{offset:?}");
    }
}

#[test]
fn sizes_in_two_variables_have_one_law_of_both() {
    let grid = [10, 30, 100, 300, 1000].into_iter().flat_map(|x| [7, 40, 90, 500].map(|y| (x, y)));
    let observation = |(x, y): (u64, u64)| {
        let cost = 3 * x * y;
        let sizes = [x, y, 0, 0];
        Observation { sizes, count: 1, min: cost, max: cost, sum: cost, ..Observation::default() }
    };
    let variables = vec![Variable::Rms, Variable::Drms];
    let multiply = Series { variables, ..routine("multiply", grid.map(observation).collect()) };
    let parts = StudyParts {
        workloads: vec![Workload::imported("a")],
        series: vec![multiply],
        ..StudyParts::default()
    };
    let rows = rows(&Study::new(parts).unwrap());
    let law = rows[0].worst.fits.law().and_then(RowLaw::law).unwrap();
    assert_eq!(
        (law.formula().as_str(), law.features.as_slice()),
        ("3·rms·drms", &["rms".into(), "drms".into()][..])
    );
    assert_eq!((rows[0].sizes, rows[0].worst.fits.models.len(), rows[0].worst.offset_power), (20, 2, None));
}

#[test]
fn the_calls_of_a_run_are_one_cost_in_the_feature_of_the_runs() {
    let sizes: Vec<u64> = (1..=12).map(|i| 10 * i).collect();
    let n = sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let drawn = StudyParts::from_text(&format!("n: {n}\nmain:1:main: {n}\n")).unwrap();
    // Each run calls the routine n times on an input of 5 cells, and n/2 times each on 50 and 500 cells. A cost of 2
    // per call is its own. Nested calls count twice in `sum` alone.
    let of_run = |(run, &n): (usize, &u64)| {
        let costs = |calls: u64, cost: u64, size| Observation {
            count: calls,
            min: cost,
            max: cost,
            sum: 2 * calls * cost,
            parts: ObservationParts {
                outermost: Some(calls * cost),
                own: Some(2 * calls),
                ..Default::default()
            },
            ..Observation::at(size)
        };
        let observations = vec![costs(n, 3 * n, 5), costs(n / 2, 4 * n, 50), costs(n / 2, 4 * n, 500)];
        Series { workload: WorkloadId(run as u32), ..routine("visit", observations) }
    };
    let parts = StudyParts { series: sizes.iter().enumerate().map(of_run).collect(), ..drawn };
    let rows = rows(&Study::new(parts).unwrap());
    let law = rows[0].runs.as_ref().unwrap().fits.law().and_then(RowLaw::law).unwrap();
    assert_eq!((law.formula().as_str(), law.features.as_slice()), ("7·n^2", &["n".into()][..]));
    assert!((law.cost(&[1000.0]).unwrap() / 7e6 - 1.0).abs() < 1e-12);
    let law = rows[0].own_runs.as_ref().unwrap().fits.law().and_then(RowLaw::law).unwrap();
    assert_eq!(law.formula(), "4·n");
    let own = rows[0].own.as_ref().unwrap();
    assert!((own.fits.models[0].linear.as_ref().unwrap().a - 2.0).abs() < 1e-9);
}

#[test]
fn two_sizes_have_no_law_and_say_that_they_are_too_few() {
    let row_of = |sizes: &[(u64, u64)]| {
        let observation = |&(size, cost): &(u64, u64)| Observation {
            count: 1,
            min: cost,
            max: cost,
            sum: cost,
            ..Observation::at(size)
        };
        let parts = StudyParts {
            workloads: vec![Workload::imported("a")],
            series: vec![routine("main", sizes.iter().map(observation).collect())],
            ..StudyParts::default()
        };
        rows(&Study::new(parts).unwrap()).remove(0)
    };
    let row = row_of(&[(90, 4000), (91, 1400)]);
    for model in [&row.worst, &row.average, &row.best] {
        assert!(model.fits.law().is_none() && model.fits.models[0].predictions.is_empty(), "{model:?}");
        let doubts: Vec<String> = model.fits.models[0].doubts.iter().map(ToString::to_string).collect();
        assert!(
            doubts.len() == 1 && doubts[0].contains("rms: 2 different sizes with a positive cost"),
            "{doubts:?}"
        );
    }
    assert!(row_of(&[(90, 4000), (91, 1400), (92, 800)]).worst.fits.law().is_some());
}

/// Returns a row of 14 sizes with `calls(i)` calls each. A call costs 2·n; a tenth of the calls cost eleven times that.
fn scattered_study(calls: impl Fn(u64) -> u64) -> SeriesRow {
    let observation = |i: u64| {
        let (n, count) = (10 << i, calls(i));
        // A single call is a rare one at every fifth size.
        let rare = if count == 1 { u64::from(i % 5 == 4) } else { count / 10 };
        let (low, high) = (2 * n, 22 * n);
        Observation {
            count,
            min: if rare == count { high } else { low },
            max: if rare > 0 { high } else { low },
            sum: (count - rare) * low + rare * high,
            sum_of_squares: ((count - rare) * low * low + rare * high * high) as f64,
            parts: ObservationParts { own: Some(count * n), ..ObservationParts::default() },
            ..Observation::at(n)
        }
    };
    let parts = StudyParts {
        workloads: vec![Workload::imported("a")],
        series: vec![routine("sort", (0..14).map(observation).collect())],
        ..StudyParts::default()
    };
    rows(&Study::new(parts).unwrap()).remove(0)
}

#[test]
fn sizes_with_many_calls_weigh_more_in_the_average_and_not_in_worst_and_best() {
    // Half of the sizes have 1000 calls each, with a mean of 4·n. The others have a single call, which costs 2·n or
    // 22·n.
    let row = scattered_study(|i| if i % 2 == 0 { 1000 } else { 1 });
    let law = |model: &SeriesModel| model.fits.models[0].power_law.clone().unwrap();
    let average = law(&row.average);
    assert!((average.b - 1.0).abs() < 0.005 && (average.a / 4.0 - 1.0).abs() < 0.02, "{average:?}");
    let offset = row.average.offset_power.unwrap();
    assert!((offset.c - 1.0).abs() < 0.05, "{offset:?}");
    let model = &row.average.fits.models[0];
    let (growth, line) = (model.growth.as_ref().unwrap(), model.linear.as_ref().unwrap());
    assert_eq!(growth.verdict, "n");
    // Without weights, the slope would be 2.2 because of the single call at the largest size.
    assert!((line.b / 4.0 - 1.0).abs() < 0.2, "{line:?}");
    let [lo, hi] = model.prediction_at(10.0 * f64::from(10 << 13)).unwrap().ci.unwrap();
    assert!(lo < 4e1 * f64::from(10 << 13) && 4e1 * f64::from(10 << 13) < hi && hi / lo < 2.2, "{lo} {hi}");
    // Own costs are exact, whatever their weights.
    assert!((law(row.own.as_ref().unwrap()).a - 1.0).abs() < 1e-9);
    // The variance of one call is 36·n² for a mean of 4·n.
    assert!((row.call_scatter.unwrap() - 1.5).abs() < 0.01, "{:?}", row.call_scatter);
    // The worst costs are fitted without weights: 22·n if a rare call is among them, otherwise 2·n.
    let x: Vec<f64> = row.observations.iter().map(|o| o.size() as f64).collect();
    let y: Vec<f64> = row.observations.iter().map(|o| o.max as f64).collect();
    assert_eq!(law(&row.worst).b, trend_model::PowerLaw::fit(&x, &y).unwrap().b);
}

#[test]
fn with_as_many_calls_of_each_size_the_average_is_fitted_as_any_cost() {
    let row = scattered_study(|_| 100);
    assert!(row.call_scatter.unwrap() > 1.0);
    let modeller = Modeller::by_size(
        vec![("rms", row.observations.iter().map(|o| o.size() as f64).collect())],
        &Options::default(),
    );
    let costs: Vec<f64> = row.observations.iter().map(|o| o.sum as f64 / o.count as f64).collect();
    let expected = serde_json::to_string(&modeller.models(&costs)).unwrap();
    assert_eq!(serde_json::to_string(&row.average.fits.models).unwrap(), expected);
}

#[test]
fn without_features_and_own_costs_nothing_is_said_of_them() {
    let rows = rows(&study(|n| 4 * n * n));
    assert!(rows[0].runs.is_none() && rows[0].own.is_none() && rows[0].own_runs.is_none());
}

/// Returns rows of routines with one observation each. Each routine's own cost is a location as well, and `more` is
/// another location.
fn shares(routines: &[(&str, u64, ObservationParts)], more: (&str, u64)) -> Vec<SeriesRow> {
    let mut text = format!("more:1:{}: {}\n", more.0, more.1);
    for (name, _, parts) in routines {
        writeln!(text, "{name}:1:{name}: {}", parts.own.unwrap_or(999)).unwrap();
    }
    let of_parts = |&(name, sum, parts): &(&str, u64, ObservationParts)| {
        routine(name, vec![Observation { count: 2, min: 1, max: sum, sum, parts, ..Observation::at(50) }])
    };
    let series = routines.iter().map(of_parts).collect();
    let parts = StudyParts { series, ..StudyParts::from_text(&text).unwrap() };
    rows(&Study::new(parts).unwrap())
}

/// A program of cost 1000: `main` calls a recursive `walk`, whose four nested calls count four times in its sum.
#[test]
fn recursive_calls_count_once_in_a_share_of_the_whole_program() {
    let parts = |outermost, own| ObservationParts {
        outermost: Some(outermost),
        own: Some(own),
        ..ObservationParts::default()
    };
    let rows = shares(&[("walk", 2400, parts(900, 900)), ("main", 984, parts(984, 84))], ("unnamed", 16));
    let row_shares: Vec<_> = rows.iter().map(|r| (r.name.as_str(), r.share, r.self_share)).collect();
    assert_eq!(row_shares, [("main", 0.984, Some(0.084)), ("walk", 0.9, Some(0.9))]);
    assert_eq!((rows[1].sum, rows[1].outermost_sum, rows[1].count_share), (2400, Some(900), 0.5));
}

/// Two rare calls are far more expensive than 170 others. In a recursion, they contain the others.
#[test]
fn calls_of_a_recursion_are_not_spread_over_those_that_they_contain() {
    let spread = |outermost: [u64; 4]| {
        let sizes = [(1, 90, 450), (2, 80, 400), (64, 1, 300), (128, 1, 600)];
        let observation = |((size, count, sum), outermost)| {
            let parts = ObservationParts { outermost: Some(outermost), ..ObservationParts::default() };
            Observation { count, min: sum / count, max: sum / count, sum, parts, ..Observation::at(size) }
        };
        let observations = sizes.into_iter().zip(outermost).map(observation).collect();
        let parts = StudyParts {
            series: vec![routine("walk", observations)],
            workloads: vec![Workload::imported("w")],
            ..StudyParts::default()
        };
        rows(&Study::new(parts).unwrap())[0].amortized.spread.clone()
    };
    assert_eq!(spread([450, 400, 300, 600]), [64, 128]);
    assert!(spread([0, 0, 0, 600]).is_empty());
}

#[test]
fn counts_of_another_kind_have_no_part_in_the_shares_of_routines() {
    let parts = |own| ObservationParts { own: Some(own), ..ObservationParts::default() };
    let rows = shares(&[("main", 80, parts(60)), ("sort", 20, parts(20))], ("main", 920));
    assert_eq!((rows[0].share, rows[0].self_share), (1.0, Some(0.75)));
}

#[test]
fn without_own_costs_the_costliest_routine_is_the_whole() {
    let rows = shares(
        &[("sort", 90, ObservationParts::default()), ("main", 120, ObservationParts::default())],
        ("unnamed", 7),
    );
    let row_shares: Vec<_> = rows.iter().map(|r| (r.name.as_str(), r.share, r.self_share)).collect();
    assert_eq!(row_shares, [("main", 1.0, None), ("sort", 0.75, None)]);
}

#[test]
fn input_of_the_kernel_and_of_other_threads_is_a_share_of_the_input_of_all_calls() {
    let parts =
        ObservationParts { from_kernel: Some(25), from_threads: Some(10), ..ObservationParts::default() };
    let rows = shares(&[("read", 90, parts)], ("unnamed", 0));
    assert_eq!((rows[0].kernel_input, rows[0].thread_input), (Some(0.25), Some(0.1)));
}

#[test]
fn of_very_many_sizes_some_have_models_and_all_are_counted() {
    let sizes = 3 * MOST_SIZES as u64;
    let observations =
        (1..=sizes).map(|n| Observation { count: 1, min: n, max: n, sum: n, ..Observation::at(n) });
    let drawn = StudyParts::from_text("n: 1 2\na.c:1:f: 1 2").unwrap();
    let series = vec![Series { workload: WorkloadId(0), ..routine("scan", observations.collect()) }];
    let study = Study::new(StudyParts { series, ..drawn }).unwrap();
    let findings = analyze(&study, &Options::default()).unwrap();
    let row = &findings.series[0];
    assert_eq!((row.sizes as u64, row.sum), (sizes, sizes * (sizes + 1) / 2));
    let model = &row.worst.fits.models[0];
    assert_eq!(model.power_law.as_ref().unwrap().points, MOST_SIZES);
    assert_eq!(model.growth.as_ref().unwrap().verdict, "n");
    let words = findings.doubts.iter().find(|doubt| doubt.kind() == "points_left_out").unwrap().to_string();
    assert!(words.starts_with("laws are fitted to at most 4096 sizes,"), "{words}");
}

/// A recursion over a list of 60,000 elements has half of their square in nested costs, and little cost of its own.
#[test]
fn nested_costs_of_a_recursion_leave_other_routines_their_growth_classes() {
    let sort = (1..=18_u64).map(|i| 20 * i).map(|n| {
        let cost = n * n;
        let parts =
            ObservationParts { own: Some(cost), outermost: Some(cost), ..ObservationParts::default() };
        Observation { count: 1, min: cost, max: cost, sum: cost, parts, ..Observation::at(n) }
    });
    let own =
        ObservationParts { own: Some(120_000), outermost: Some(120_000), ..ObservationParts::default() };
    let walk = Observation {
        count: 60_000,
        min: 2,
        max: 120_000,
        sum: 3_600_060_000,
        parts: own,
        ..Observation::at(2)
    };
    let parts = StudyParts {
        workloads: vec![Workload::imported("a")],
        series: vec![routine("walk", vec![walk]), routine("sort", sort.collect())],
        ..StudyParts::default()
    };
    let rows = rows(&Study::new(parts).unwrap());
    assert_eq!(rows[0].name, "sort");
    assert_eq!(rows[0].worst.fits.models[0].growth.as_ref().unwrap().verdict, "n^2");
}
