use trend_answer::{Outlook, Source};
use trend_profile::Study;

use crate::analyze::analyze;
use crate::findings::Findings;
use crate::forecast::predict::predict;
use crate::options::Options;

/// A line that scatters by a tenth, and a square that costs a fiftieth of it in the largest run.
fn study() -> Study {
    let sizes: Vec<u64> = (0..20).map(|i| (1000.0 * 1.6_f64.powi(i)).round() as u64).collect();
    let mut factor = noise();
    let row =
        |f: &mut dyn FnMut(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let largest = sizes[19] as f64;
    let line = row(&mut |n| (1000.0 * n as f64 * factor()) as u64);
    let square = row(&mut |n| (20.0 * (n as f64).powi(2) / largest) as u64);
    Study::from_text(&format!("n: {}\na.c:1:line: {line}\na.c:9:square: {square}", row(&mut |n| n))).unwrap()
}

/// Deterministic factors from 0.9 to 1.1 (Lehmer's generator, with the multiplier of Park and Miller).
fn noise() -> impl FnMut() -> f64 {
    let mut state = 7_u64;
    move || {
        state = state * 48_271 % 2_147_483_647;
        0.9 + 0.2 * state as f64 / 2_147_483_647.0
    }
}

fn analyzed(at: f64) -> (Study, Options, Findings) {
    let study = study();
    let options = Options { at: vec![("n".to_owned(), at)], keep_fits: true, ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    (study, options, findings)
}

#[test]
fn a_small_square_is_a_part_that_is_most_of_the_whole_far_away() {
    let largest = 1000.0 * 1.6_f64.powi(19);
    let (study, options, findings) = analyzed(1000.0 * largest);
    let model = &findings.total.fits.models[0];
    assert_eq!(findings.total.parts[0].functions, ["line", "square"]);
    let truth = |n: f64| 1000.0 * n + 20.0 * n * n / largest;
    for prediction in &model.predictions {
        let [lo, hi] = prediction.ci.unwrap();
        let truth = truth(prediction.at);
        assert!(
            lo < truth && truth < hi && prediction.source == Source::SumOfParts,
            "{truth}: {prediction:?}"
        );
        assert!((prediction.cost / truth - 1.0).abs() < 0.1, "{truth}: {prediction:?}");
    }
    let point = model.curve.last().unwrap();
    assert!((point.cost / truth(point.at) - 1.0).abs() < 0.1, "{point:?}");

    let afterwards = predict(&study, &findings, &options, &[("n".to_owned(), 1000.0 * largest)]).unwrap();
    assert_eq!(afterwards.total, model.predictions.last().map(Outlook::from));
}

#[test]
fn a_part_that_no_longer_runs_at_large_sizes_is_none() {
    let sizes: Vec<u64> = (0..12).map(|i| 1000 << i).collect();
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let ends = row(&|n| if n < 300_000 { n * n / 1000 } else { 0 });
    let text = format!("n: {}\na.c:1:line: {}\na.c:9:ends: {ends}", row(&|n| n), row(&|n| 100 * n + 5000));
    let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
    assert!(findings.total.parts.is_empty(), "{:?}", findings.total.parts);
    let [.., last] = &findings.total.fits.models[0].predictions[..] else { panic!() };
    assert!(last.cost < 2.0 * (100.0 * last.at + 5000.0), "{last:?}");
}

#[test]
fn what_hardly_ever_runs_is_no_part() {
    // Alone, it would have a law through two points, or through a few counts by chance.
    let sizes: Vec<u64> = (0..14).map(|i| (1000.0 * 1.5_f64.powi(i)).round() as u64).collect();
    let row = |f: &dyn Fn(usize, u64) -> u64| {
        sizes.iter().enumerate().map(|(i, &n)| f(i, n).to_string()).collect::<Vec<_>>().join(" ")
    };
    let rare: [&dyn Fn(usize, u64) -> u64; 3] =
        [&|i, _| [0, 2, 1][i.saturating_sub(11)], &|i, _| [0, 3, 60][i.saturating_sub(11)], &|i, _| {
            [0, 5, 1, 0, 2][i.saturating_sub(9)]
        }];
    for rare in rare {
        let text =
            format!("n: {}\na.c:1:f: {}\na.c:9:rare: {}", row(&|_, n| n), row(&|_, n| 1000 * n), row(rare));
        let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
        let there = findings.total.fits.models[0].predictions.last().unwrap();
        let ([lo, hi], truth) = (there.ci.unwrap(), 1000.0 * there.at);
        assert!(lo <= 1.001 * truth && hi >= 0.999 * truth && hi < 1.01 * lo, "{there:?}");
    }
}

/// A line that scatters, and a square in two functions of one name, the second perhaps only in some workloads.
#[test]
fn functions_of_one_name_and_of_some_workloads_are_parts() {
    let sizes: Vec<u64> = (0..20).map(|i| (1000.0 * 1.5_f64.powi(i)).round() as u64).collect();
    let largest = sizes[19] as f64;
    let mut factor = noise();
    let row = |f: &mut dyn FnMut(usize, u64) -> u64| {
        sizes.iter().enumerate().map(|(i, &n)| f(i, n).to_string()).collect::<Vec<_>>().join(" ")
    };
    let line = row(&mut |_, n| (1000.0 * n as f64 * factor()) as u64);
    let square = row(&mut |_, n| (30.0 * (n as f64).powi(2) / largest) as u64);
    let second = row(&mut |i, n| if i % 2 == 0 { (30.0 * (n as f64).powi(2) / largest) as u64 } else { 0 });
    let findings_with = |other: &str| {
        let n = row(&mut |_, n| n);
        let text = format!("n: {n}\na.c:1:line: {line}\na.c:9:scan: {square}\nb.c:9:scan: {other}");
        analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap()
    };
    for other in [&square, &second] {
        let parts = &findings_with(other).total.parts[0];
        assert_eq!(parts.functions, ["line", "scan", "scan"]);
        assert!(
            parts.files[1..] == ["a.c", "b.c"] || parts.files[1..] == ["b.c", "a.c"],
            "{:?}",
            parts.files
        );
        assert_eq!(parts.rows.len(), 3);
    }
}

#[test]
fn at_a_size_that_was_run_the_interval_of_the_whole_holds_what_was_measured() {
    // The line costs three times as much at the largest size, which its fit treats as an outlier.
    let sizes: Vec<u64> = (1..=12).map(|i| 100 * i).collect();
    let cost = |n: u64| if n == 1200 { 300 * n } else { 100 * n + n % 7 };
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let text = format!("n: {}\na.c:1:line: {}", row(&|n| n), row(&cost));
    let study = Study::from_text(&text).unwrap();
    let options = Options { at: vec![("n".to_owned(), 1200.0)], keep_fits: true, ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    let total = &findings.total.fits.models[0];
    let there = total.prediction_at(1200.0).unwrap();
    let [lo, hi] = there.ci.unwrap();
    assert!(there.cost < 200_000.0 && lo <= there.cost, "{there:?}");
    // The upper end covers that measurement, and laws that are as steep.
    assert!((360_000.0..600_000.0).contains(&hi), "{there:?}");
    // Beyond the largest size, the law may be as far off, and this is reported.
    let far = total.prediction_at(2400.0).unwrap();
    assert!(far.ci.unwrap()[1] >= 700_000.0 && far.cost < 600_000.0, "{far:?}");
    let off = total.doubts.iter().filter(|doubt| doubt.kind() == "off_at_the_largest");
    assert_eq!(off.count(), 1, "{:?}", total.doubts);
    // A later prediction gives the same result.
    let later = predict(&study, &findings, &options, &[("n".to_owned(), 1200.0)]).unwrap();
    assert_eq!(later.total, Some(Outlook::from(there)));
    // If the model agrees with the measurement, nothing is reported.
    let text = format!("n: {}\na.c:1:line: {}", row(&|n| n), row(&|n| 100 * n + n % 7));
    let sound = analyze(&Study::from_text(&text).unwrap(), &options).unwrap();
    assert!(sound.total.fits.models[0].doubts.iter().all(|w| !w.kind().starts_with("off_")));
}

#[test]
fn the_whole_may_cost_what_a_part_may() {
    // Half of the cost is a part that may be n log n or n^1.5. With an equally large line added, the whole looks like a
    // single class.
    let sizes: Vec<u64> = (0..10).map(|i| (100.0 * 1.5_f64.powi(i)).round() as u64).collect();
    let noise = |n: u64| 1.0 + 0.08 * (n as f64 * 12.9898).sin();
    let row = |f: &dyn Fn(u64) -> f64| {
        sizes.iter().map(|&n| (f(n) as u64).to_string()).collect::<Vec<_>>().join(" ")
    };
    let text = format!(
        "n: {}\na.c:1:line: {}\na.c:9:part: {}",
        row(&|n| n as f64),
        row(&|n| 4000.0 * n as f64),
        row(&|n| noise(n) * 50.0 * n as f64 * (n as f64).sqrt()),
    );
    let study = Study::from_text(&text).unwrap();
    let options = Options { at: vec![("n".to_owned(), 1e6)], keep_fits: true, ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    let total = &findings.total.fits.models[0];
    let whole = total.prediction_at(1e6).unwrap().clone();
    let part = findings.functions.iter().find(|f| f.name == "part").unwrap();
    let of_part = part.fits.models[0].prediction_at(1e6).unwrap().ci.unwrap();
    assert!(whole.ci.unwrap()[1] >= of_part[1], "{whole:?} {of_part:?}");
}

#[test]
fn beyond_the_data_the_whole_may_cost_what_its_clusters_do_together() {
    // A line with a small square in the same function, which the whole's own model misses.
    let sizes: Vec<u64> = (0..12).map(|i| (1000.0 * 1.49_f64.powi(i)) as u64).collect();
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
    let square = |n: u64| (n / 500) * (n / 500 + 1) / 2;
    let text =
        format!("n: {}\na.c:1:main: {}\na.c:2:main: {}", row(&|n| n), row(&|n| 103 * n), row(&|n| square(n)));
    let options = Options { at: vec![("n".to_owned(), 16e6)], ..Options::default() };
    let findings = analyze(&Study::from_text(&text).unwrap(), &options).unwrap();
    let total = &findings.total.fits.models[0];
    let there = total.prediction_at(16e6).unwrap();
    let truth = (103 * 16_000_000 + square(16_000_000)) as f64;
    let [lo, hi] = there.ci.unwrap();
    assert!(lo <= truth && truth <= hi * 1.02 && hi < truth * 1.3, "{there:?} {truth}");
}
