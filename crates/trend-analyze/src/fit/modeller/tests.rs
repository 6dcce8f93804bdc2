use super::*;
use crate::findings::Intervals;
use crate::study::point::points;

fn models(text: &str, options: &Options) -> Vec<Model> {
    let study = Study::from_text(text).unwrap();
    let modeller =
        Modeller::new(&study, options, &points(&study, &vec![0; study.workloads().len()], &options.at));
    modeller.models(&as_costs(&study.counts().row(trend_profile::LocationId(0)).to_vec()))
}

/// The model of a cost at the paper's ten sizes, three runs each.
fn paper(cost: &dyn Fn(u64) -> u64, options: &Options) -> Model {
    let sizes = [60_u64, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];
    let thrice = |f: &dyn Fn(u64) -> u64| {
        let row = sizes.iter().flat_map(|&n| [f(n); 3]).map(|v| v.to_string());
        row.collect::<Vec<_>>().join(" ")
    };
    models(&format!("n: {}\na.c:4:f: {}", thrice(&|n| n), thrice(cost)), options).swap_remove(0)
}

#[test]
fn bubble_sorts_compares_are_a_square_and_predicted_exactly() {
    let compares = |n: u64| (3 * n * n - n) / 2;
    let model = paper(&compares, &Options::default());
    let fit = model.power_law.as_ref().unwrap();
    assert_eq!(format!("{:.6} {:.6}", fit.a, fit.b), "1.491842 2.000587");
    let at: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
    assert_eq!(at, [120_000.0, 600_000.0]);
    let growth = model.growth.as_ref().unwrap();
    assert_eq!((growth.verdict.as_str(), growth.decided, growth.superlinear), ("n^2", true, Some(true)));
    assert_eq!(growth.classes[0].formula, "1.5·n^2 − 0.5·n");
    let prediction = model.prediction_at(600_000.0).unwrap();
    let truth = compares(600_000) as f64;
    assert!((prediction.cost / truth - 1.0).abs() < 1e-6, "{prediction:?}");
    let [lo, hi] = prediction.ci.unwrap();
    assert!(lo <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= hi, "{prediction:?}");
    assert_eq!(prediction.source, Source::Class);
}

#[test]
fn a_square_above_a_startup_cost_is_predicted_within_its_interval() {
    let cost = |n: u64| 500_000_000 + n * n;
    let prediction = paper(&cost, &Options::default()).prediction_at(600_000.0).unwrap().clone();
    let truth = cost(600_000) as f64;
    let [lo, hi] = prediction.ci.unwrap();
    assert!(lo <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= hi, "{prediction:?}");
    assert!((prediction.cost / truth - 1.0).abs() < 0.01, "{prediction:?}");
}

#[test]
fn the_curve_is_of_the_law_that_predicts_with_its_interval() {
    let model = paper(&|n| 500_000_000 + n * n, &Options::default());
    let (first, last) = (model.curve[0], model.curve[23]);
    assert_eq!((first.at, last.at, model.curve.len()), (60.0, 600_000.0, 24));
    let prediction = model.prediction_at(600_000.0).unwrap();
    assert_eq!((last.cost, last.ci), (prediction.cost, prediction.ci));
    assert!((first.cost / 500_003_600.0 - 1.0).abs() < 0.01, "{first:?}");
    let holds = |p: &CurvePoint| p.ci.is_some_and(|[lo, hi]| lo <= p.cost && p.cost <= hi);
    assert!(model.curve.iter().all(holds), "{:?}", model.curve);
    // Three sizes are too few for a class.
    let model = &models("n: 1 5 10\na.c:1:f: 3 15 31", &Options::default())[0];
    let law = model.power_law.as_ref().unwrap();
    assert_eq!(model.curve.len(), 24);
    assert!(model.curve.iter().all(|p| (p.cost / law.predict(p.at) - 1.0).abs() < 1e-9 && holds(p)));
}

#[test]
fn a_curve_reaches_as_far_as_it_is_asked_to_and_ends_before_it_overflows() {
    let far = |reach: f64| paper(&|n| n * n, &Options { reach, ..Options::default() }).curve;
    let (usual, further) = (far(10.0), far(1e6));
    assert_eq!(usual[..], further[..24]);
    assert_eq!((further.len(), further[33].at), (34, 60_000.0 * 1e6));
    assert!(further[23..].windows(2).all(|w| (w[1].at / w[0].at).log10() < 0.51));
    assert!((further[33].cost / 3.6e21 - 1.0).abs() < 1e-6 && further[33].ci.is_some());
    let endless = far(1e250);
    assert!(endless.len() < 400 && endless.iter().all(|p| p.cost.is_finite()));
    assert_eq!(far(f64::INFINITY).len(), 24);
}

#[test]
fn what_an_exponential_makes_too_large_for_a_number_is_not_predicted() {
    let sizes: Vec<u64> = (40..=75).collect();
    let row = |f: &dyn Fn(u64) -> f64| {
        sizes.iter().map(|&n| f(n).round().to_string()).collect::<Vec<_>>().join(" ")
    };
    let text = format!("n: {}\na.c:1:f: {}", row(&|n| n as f64), row(&|n| 9.0 * 3f64.powf((n - 40) as f64)));
    let model = &models(&text, &Options::default())[0];
    let growth = model.growth.as_ref().unwrap();
    assert_eq!((growth.verdict.as_str(), growth.superlinear), ("3^n", Some(true)));
    let at: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
    assert_eq!((at.as_slice(), model.predict(750.0)), (&[148.0][..], None));
    assert!(model.doubts.iter().any(|w| w.kind() == "beyond_reach"), "{:?}", model.doubts);
    assert_eq!(model.law().unwrap().parts[0].1.sums[0].class.unwrap().to_string(), "3^n");
    let is_finite = |p: &CurvePoint| [p.cost].iter().chain(p.ci.iter().flatten()).all(|v| v.is_finite());
    assert!(!model.curve.is_empty() && model.curve.iter().all(is_finite), "{:?}", model.curve);
}

#[test]
fn too_few_sizes_have_no_growth_class_and_predict_by_the_power_law() {
    let model = &models("n: 1 5 10\na.c:1:f: 3 15 30", &Options::default())[0];
    assert!(model.growth.is_none() && !model.is_sound());
    assert!(model.doubts.iter().any(|w| w.kind() == "no_growth"), "{:?}", model.doubts);
    assert!(model.predictions.iter().all(|p| p.source == Source::PowerLaw));
}

#[test]
fn a_cheap_row_has_a_class_of_some_of_the_workloads_with_repeated_sizes() {
    let wobble = |i: u64| 1.0 + ((i * 7919) % 101) as f64 / 100.0;
    let n: Vec<f64> = (0..300).map(|i| 100.0 * 1.4f64.powi(i % 10).round()).collect();
    let costs: Vec<f64> = (0_u64..).zip(&n).map(|(i, n)| (n * n * wobble(i)).round()).collect();
    let text = |v: &[f64]| v.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let study = Study::from_text(&format!("n: {}\na.c:1:f: {}", text(&n), text(&costs))).unwrap();
    let modeller = Modeller::new(&study, &Options::default(), &[]);
    let model_with = |attention| {
        let requests = [FitRequest { costs: &costs, variances: &[], attention }];
        modeller.models_of_chunk(&requests).remove(0).remove(0)
    };
    let (full, passing) = (model_with(Attention::Full), model_with(Attention::Passing));
    assert_eq!((full.growth.unwrap().points, passing.growth.unwrap().points), (300, IN_PASSING));
    // At each size, the costs in the middle were chosen, neither the least nor the greatest.
    let ratio = passing.predictions[0].cost / full.predictions[0].cost;
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
    assert!(passing.curve.is_empty() && model_with(Attention::Little).growth.is_none());
}

#[test]
fn a_costly_row_gets_full_attention_in_the_features_that_explain_it_best_and_in_named_ones() {
    // Each feature is n with more noise than the one before.
    let noise = |i: usize, f: usize| 1.0 + f as f64 * ((i * 7919 + f * 104_729) % 101) as f64 / 200.0;
    let n = |i: usize| 10.0 * 1.1_f64.powi(i as i32);
    let row = |value: &dyn Fn(usize) -> f64| {
        (0..60).map(|i| value(i).round().to_string()).collect::<Vec<_>>().join(" ")
    };
    let features = (0..16).map(|f| format!("f{f}: {}\n", row(&|i| n(i) * noise(i, f))));
    let text = format!("{}a.c:1:f: {}", features.collect::<String>(), row(&|i| 5.0 * n(i)));
    let points = |options: &Options| -> Vec<usize> {
        models(&text, options).iter().map(|model| model.growth.as_ref().map_or(0, |g| g.points)).collect()
    };
    let usual = points(&Options::default());
    assert_eq!(usual[..MOST_IN_FULL], [60; MOST_IN_FULL]);
    assert!(usual[MOST_IN_FULL..].iter().all(|points| *points <= IN_PASSING), "{usual:?}");
    let named = points(&Options { full_features: vec!["f15".to_owned()], ..Options::default() });
    assert_eq!((&named[..15], named[15]), (&usual[..15], 60));
}

#[test]
fn the_papers_intervals_are_there_when_asked_for() {
    let text = "n: 100 200 400 800 1600 3200\na.c:1:f: 110 190 420 790 1650 3100";
    let options = Options { intervals: Intervals::Percentile, ..Options::default() };
    let [robust, percentile] = [Options::default(), options].map(|options| {
        let model = models(text, &options).swap_remove(0);
        let ci = model.power_law.unwrap().b_ci.unwrap();
        (ci[1] - ci[0], model.doubts.iter().any(|w| w.to_string().contains("too narrow")))
    });
    assert!(robust.0 > percentile.0 && !robust.1 && percentile.1, "{robust:?} {percentile:?}");
}

#[test]
fn a_workload_without_the_feature_is_left_out_and_counted() {
    let text = "n: 1 10 - 1000\na.c:1:f: 5 50 123456 5000";
    let fit = models(text, &Options::default())[0].power_law.clone().unwrap();
    assert!((fit.a - 5.0).abs() < 1e-9 && (fit.b - 1.0).abs() < 1e-12, "{fit:?}");
    assert_eq!((fit.points, fit.ignored_zeros), (3, 1));
}

#[test]
fn a_size_that_is_asked_for_is_predicted_beside_the_usual_ones() {
    let options = Options { at: vec![("n".to_owned(), 50.0), ("n".to_owned(), 20.0)], ..Options::default() };
    let model = &models("n: 1 5 10\na.c:1:f: 3 15 30", &options)[0];
    let at: Vec<_> = model.predictions.iter().map(|p| (p.at, p.asked)).collect();
    assert_eq!(at, [(20.0, true), (50.0, true), (100.0, false)]);
    assert!((model.prediction_at(50.0).unwrap().cost - 150.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_fitted_is_absent_and_says_why() {
    for (text, reason) in [
        ("n: 5 5 5\na.c:1:f: 1 2 3", "only one value"),
        ("n: 1 2 3\na.c:1:f: 0 0 3", "1 workloads with a positive cost"),
        ("n: 0 -2 -3\na.c:1:f: 1 2 3", "0 workloads"),
        ("n: 1 2 3\na.c:1:f: 0 0 0", "never executed"),
    ] {
        let model = &models(text, &Options::default())[0];
        assert_eq!(model.power_law, None);
        assert!(model.doubts[0].to_string().contains(reason), "{:?}", model.doubts);
    }
}
