//! Tests baselines over generated programs, changes and noise.

use std::fmt::Write as _;
use std::time::Duration;

use trend_profile::{Measure, SourceText, Study, StudyParts, Timing, Usage};

use super::*;
use crate::analyze::analyze;
use crate::compare::Version;
use crate::options::Options;

/// A function of a generated program.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) name: String,
    pub(super) file: String,
    /// The position of the function's law in [`LAWS`].
    pub(super) law: usize,
    /// The factor on the law's cost.
    pub(super) times: f64,
}

/// Laws from slow to fast: 1, log n, n, n log n, n², n³.
const LAWS: [fn(f64) -> f64; 6] =
    [|_| 1.0, f64::log2, |n| n, |n| n * n.log2(), |n| n * n, |n| n * n * n / 1000.0];

/// A deterministic random number generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// Returns a number between 0 and 1.
    fn part(&mut self) -> f64 {
        (self.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
    }

    /// Draws from a normal distribution.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.part().ln()).sqrt() * (std::f64::consts::TAU * self.part()).cos()
    }
}

/// Runs a program at twelve sizes from 100 to about 10,000. The costs of a run are off by `noise` at `n` for the whole
/// program, and by a third of that for each function.
pub(super) fn run(codes: &[Code], random: &mut Random, noise: fn(f64) -> f64) -> Study {
    let sizes: Vec<f64> = (0..12).map(|i| (100.0 * 1.52f64.powi(i)).round()).collect();
    let together: Vec<f64> = sizes.iter().map(|_| random.normal()).collect();
    let mut text = format!("n: {}", words(&sizes));
    for (i, code) in codes.iter().enumerate() {
        let costs = sizes.iter().zip(&together).map(|(&n, together)| {
            let off = noise(n) * (0.9 * together + 0.3 * random.normal());
            (code.times * LAWS[code.law](n) * off.exp()).round()
        });
        let costs: Vec<f64> = costs.collect();
        write!(text, "\n{}:{}:{}: {}", code.file, i + 1, code.name, words(&costs)).unwrap();
    }
    Study::new(StudyParts::from_text(&text).unwrap()).unwrap()
}

fn words(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

fn exactly(_: f64) -> f64 {
    0.0
}

pub(super) fn options() -> Options {
    Options { keep_fits: true, ..Options::default() }
}

pub(super) fn baseline(study: &Study) -> Baseline {
    let findings = analyze(study, &options()).unwrap();
    let baseline = Baseline::new(study, &findings, &options()).unwrap();
    let text = serde_json::to_string(&baseline).unwrap();
    let read = Baseline::parse(&text).unwrap();
    assert_eq!(read, baseline);
    read
}

pub(super) fn judged(baseline: &Baseline, study: &Study) -> Vec<Judged> {
    let findings = analyze(study, &options()).unwrap();
    let version = Version { study, findings: &findings };
    crate::properties::judged_against(baseline, version, &options()).unwrap()
}

/// Returns the worst judgement, and all judgements that do not hold.
fn worst(judged: Vec<Judged>) -> (Judgement, Vec<Judged>) {
    let worst = judged.iter().map(|j| j.judgement).max().unwrap_or(Judgement::Holds);
    (worst, judged.into_iter().filter(|j| j.judgement != Judgement::Holds).collect())
}

/// Generates a program of one to five functions.
pub(super) fn program(random: &mut Random) -> Vec<Code> {
    let functions = 1 + random.below(5);
    let codes = (0..functions).map(|i| {
        let law = random.below(LAWS.len());
        let times = 2e6 * (0.02 + 0.98 * random.part().powi(2)) / LAWS[law](10_000.0);
        let name = ["main", "parse", "sort", "emit", "free"][i].to_owned();
        Code { name, file: "a.c".to_owned(), law, times: times.max(1.0) }
    });
    codes.collect()
}

#[test]
fn an_unchanged_program_keeps_to_its_own_baseline() {
    let mut random = Random(1);
    for round in 0..60 {
        let codes = program(&mut random);
        let study = run(&codes, &mut random, exactly);
        let (worst, why) = worst(judged(&baseline(&study), &study));
        assert_eq!(worst, Judgement::Holds, "{round}: {codes:?}: {why:#?}");
    }
}

#[test]
fn code_that_grows_faster_never_passes_whatever_it_is_called() {
    let mut random = Random(2);
    for round in 0..48 {
        let codes = program(&mut random);
        let baseline = baseline(&run(&codes, &mut random, exactly));
        let (i, mut changed) = (random.below(codes.len()), codes.clone());
        let law = codes[i].law;
        if law + 1 == LAWS.len() {
            continue;
        }
        // The smallest run costs the same as before.
        let code = &mut changed[i];
        code.law = law + 1 + random.below(LAWS.len() - law - 1);
        code.times = (code.times * LAWS[law](100.0) / LAWS[code.law](100.0)).max(1.0);
        match random.below(4) {
            0 => code.name = "renamed".to_owned(),
            1 => code.file = "other.c".to_owned(),
            2 => (code.name, code.file) = ("renamed".to_owned(), "other.c".to_owned()),
            _ => {}
        }
        let study = run(&changed, &mut random, exactly);
        // Below 2 % of a run, renamed code may grow without limit.
        let largest = |code: &Code| code.times * LAWS[code.law](10_000.0);
        if largest(&codes[i]) < 0.03 * codes.iter().map(largest).sum::<f64>() {
            continue;
        }
        let (worst, why) = worst(judged(&baseline, &study));
        assert_eq!(worst, Judgement::Broken, "{round}: {codes:?} → {changed:?}: {why:#?}");
    }
}

#[test]
fn a_program_whose_runs_scatter_keeps_to_its_own_baseline() {
    let mut random = Random(3);
    // Noise as from a salted hash, a machine, and random pivots.
    let noises: [fn(f64) -> f64; 4] = [|n| 1.0 / n.sqrt(), |_| 0.01, |_| 0.04, |n| 0.5 / n.log2()];
    let mut failures = Vec::new();
    for (i, noise) in noises.into_iter().enumerate() {
        for round in 0..rounds(6) {
            let codes = program(&mut random);
            let baseline = baseline(&run(&codes, &mut random, noise));
            for _ in 0..5 {
                let (worst, why) = worst(judged(&baseline, &run(&codes, &mut random, noise)));
                if worst != Judgement::Holds {
                    let why = why
                        .into_iter()
                        .map(|j| (j.judgement, j.place, j.expectation.limit, j.found, j.reason));
                    failures.push(format!("{i} {round} {codes:?}: {:?}", why.collect::<Vec<_>>()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} times: {}", failures.len(), failures.join("\n"));
}

/// Returns the number of rounds. `ROUNDS=100` runs more of them, for measurements.
fn rounds(usual: usize) -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// Returns a program of functions given by name, law and factor.
fn codes(codes: &[(&str, usize, f64)]) -> Vec<Code> {
    let code = |&(name, law, times): &(&str, usize, f64)| Code {
        name: name.to_owned(),
        file: "a.c".to_owned(),
        law,
        times,
    };
    codes.iter().map(code).collect()
}

fn against(before: &[(&str, usize, f64)], after: &[(&str, usize, f64)]) -> (Judgement, Vec<String>) {
    let mut random = Random(4);
    let baseline = baseline(&run(&codes(before), &mut random, exactly));
    let (worst, why) = worst(judged(&baseline, &run(&codes(after), &mut random, exactly)));
    let mut named: Vec<String> =
        why.into_iter().map(|j| j.place.map_or("the whole".to_owned(), |place| place.name)).collect();
    named.dedup();
    (worst, named)
}

#[test]
fn code_of_little_cost_may_cost_what_it_likes() {
    // A few additional argument checks in 100,000 executions.
    let program = |checks| [("work", 2, 10.0), ("main", 0, checks)];
    assert_eq!(against(&program(1.0), &program(4.0)), (Judgement::Holds, vec![]));
    let (worst, named) = against(&program(1000.0), &program(40_000.0));
    assert_eq!((worst, named), (Judgement::Broken, vec!["the whole".to_owned(), "main".to_owned()]));
}

#[test]
fn new_code_grows_no_faster_than_what_it_replaces_or_than_the_whole() {
    let broken = |before: &[_], after: &[_]| {
        let (worst, named) = against(before, after);
        assert_eq!(worst == Judgement::Broken, !named.is_empty());
        named
    };
    let line = [("work", 2, 10.0)];
    assert_eq!(broken(&line, &[("work", 2, 10.0), ("dups", 4, 0.001)]), ["the whole", "dups"]);
    assert!(broken(&line, &[("work", 2, 9.0), ("part", 2, 1.0)]).is_empty());
    let square = [("work", 2, 1000.0), ("pairs", 4, 1.0)];
    // A part of a quadratic function is quadratic as well.
    assert!(broken(&square, &[("work", 2, 1000.0), ("pairs", 4, 0.5), ("part", 4, 0.5)]).is_empty());
    // But this code takes the place of linear code.
    assert_eq!(broken(&square, &[("pairs", 4, 1.0), ("other", 4, 0.05)]), ["other"]);
}

#[test]
fn a_renamed_function_is_known_by_its_lines() {
    let source = |name: &str, change: &str| {
        let lines = ["{", "for (;;) {", "x += 1;", "y += x;", change, "z += y;", "}", "}"];
        SourceText { file: "a.c".to_owned(), text: format!("long {name}(int n)\n{}\n", lines.join("\n")) }
    };
    let study = |name: &str, change: &str| {
        let costs: Vec<f64> = (0..8).map(|i| 70.0 * f64::from(100 << i)).collect();
        let sizes: Vec<f64> = (0..8).map(|i| f64::from(100 << i)).collect();
        let text =
            format!("n: {}\na.c:2:{name}: {}\na.c:9:{name}: {}", words(&sizes), words(&costs), words(&costs));
        let parts = StudyParts::from_text(&text).unwrap();
        Study::new(StudyParts { sources: vec![source(name, change)], ..parts }).unwrap()
    };
    let baseline = baseline(&study("work", "w += 1;"));
    let known_functions = |study: &Study| {
        let findings = analyze(study, &options()).unwrap();
        baseline
            .against("b.json", Version { study, findings: &findings }, &options())
            .unwrap()
            .known_functions
    };
    assert_eq!(known_functions(&study("labour", "w += 2;")), [("labour".to_owned(), "a.c".to_owned())]);
    assert_eq!(known_functions(&study("work", "w += 1;")).len(), 1);
}

#[test]
fn nearly_nothing_known_is_no_baseline() {
    let baseline = baseline(&run(&codes(&[("work", 2, 10.0), ("more", 2, 3.0)]), &mut Random(5), exactly));
    let judged =
        judged(&baseline, &run(&codes(&[("labour", 2, 10.0), ("more", 2, 3.0)]), &mut Random(5), exactly));
    let unknown = judged.iter().find(|j| j.judgement == Judgement::Unknown).unwrap();
    let Some(Reason::OtherCode { known: share }) = unknown.reason else { panic!("{unknown:?}") };
    assert!((share - 3.0 / 13.0).abs() < 0.01, "{share}");
}

/// A linear program whose timed runs take `slow`·0.1 ms and need `fat` kB per unit of its size.
fn measured(slow: f64, fat: f64) -> Study {
    let sizes: Vec<f64> = (0..12).map(|i| (100.0 * 1.52f64.powi(i)).round()).collect();
    let costs: Vec<f64> = sizes.iter().map(|n| 7.0 * n).collect();
    let text = format!("n: {}\na.c:1:f: {}", words(&sizes), words(&costs));
    let mut parts = StudyParts::from_text(&text).unwrap();
    for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
        let user = Duration::from_secs_f64(1e-4 * slow * n);
        let peak_rss_bytes = (2e6 + 1e3 * fat * n) as u64;
        let usage = Usage { wall: user, user, peak_rss_bytes, ..Usage::default() };
        workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
    }
    Study::new(parts).unwrap()
}

#[test]
fn a_baseline_limits_time_and_memory() {
    let baseline = baseline(&measured(1.0, 1.0));
    let broken = |study: &Study| -> Vec<Measure> {
        let judged = judged(&baseline, study);
        let broken = judged.into_iter().filter(|judged| judged.judgement == Judgement::Broken);
        let measures = broken.map(|judged| match judged.expectation.limit {
            Limit::Cost { measure, .. } => measure,
            Limit::Growth { .. } => panic!("{:?}", judged.expectation),
        });
        measures.collect()
    };
    assert_eq!(broken(&measured(1.0, 1.0)), []);
    // Another machine may take up to three times as long.
    assert_eq!(broken(&measured(2.5, 1.0)), []);
    assert_eq!(broken(&measured(4.0, 1.0)), [Measure::Seconds]);
    assert_eq!(broken(&measured(1.0, 4.0)), [Measure::Bytes]);
}
