//! Hand-made findings for tests: the bubble sort, and variations that no program would have.

use trend_analyze::{
    Cluster, Coordinate, Decomposition, Doubt, Factor, Failure, FeatureSummary, Findings, Fits, Given,
    GrowthClass, GrowthFit, GrowthModel, GrowthSupport, Intervals, Joint, Law, LinearModel, Locations,
    Member, Model, NextRuns, Outlook, Overtaking, Point, PowerLawModel, Prediction, Program, Representative,
    RepresentativeKind, Row, SCHEMA, Short, Source, Split, Total, Trend, Unfit, Workloads,
};
use trend_profile::{FeatureId, Study, StudyParts, Unit, Warning, WarningKind};

const SIZES: [u64; 10] = [60, 200, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000];

fn costs(cost: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    SIZES.iter().flat_map(|&n| [1, 2, 3].map(|seed| cost(n, seed))).collect()
}

pub(crate) fn law(a: f64, b: f64, half_width: f64, r2: f64) -> PowerLawModel {
    PowerLawModel {
        a,
        a_ci: Some([a * (1.0 - half_width), a * (1.0 + half_width)]),
        b,
        b_ci: Some([b - half_width / 8.0, b + half_width / 8.0]),
        r2,
        points: 30,
        sizes: 10,
        span: 1000.0,
        ignored_zeros: 0,
    }
}

fn model(law: PowerLawModel) -> Model {
    let linear = LinearModel {
        a: -1.1e9,
        a_ci: Some([-1.9e9, -0.4e9]),
        b: 8.1e4,
        b_ci: Some([6.5e4, 8.8e4]),
        r2: 0.96,
    };
    Model {
        id: FeatureId(0),
        feature: "n".to_owned(),
        source: None,
        power_law: Some(law),
        linear: Some(linear),
        growth: None,
        predictions: Vec::new(),
        curve: Vec::new(),
        fit: None,
        runs_until: None,
        split: None,
        next: None,
        bounds: Vec::new(),
        doubts: Vec::new(),
    }
}

/// Sizes at which predictions are made by default.
const USUAL: [f64; 2] = [120_000.0, 600_000.0];

/// Adds the laws, predictions and outlooks that follow from the models, as an analysis does.
pub(crate) fn settled(findings: Findings) -> Findings {
    let at = USUAL.map(|at| (at, Given::Multiple { of_p95: at / 60_000.0 }));
    with_points(findings, &at)
}

/// Adds predictions at a requested size.
pub(crate) fn predicted_at(findings: Findings, at: f64) -> Findings {
    with_points(findings, &[(at, Given::Asked)])
}

fn with_points(mut findings: Findings, at: &[(f64, Given)]) -> Findings {
    let point = |(at, given): &(f64, Given)| {
        let coordinate = |(i, feature): (usize, &FeatureSummary)| Coordinate {
            id: FeatureId(i as u32),
            feature: feature.name.clone(),
            at: *at,
            given: given.clone(),
        };
        Point {
            values: findings.features.iter().enumerate().map(coordinate).collect(),
            asked: *given == Given::Asked,
        }
    };
    let points: Vec<Point> =
        if findings.features.is_empty() { Vec::new() } else { at.iter().map(point).collect() };
    let settle = |models: &mut Vec<Model>| -> Vec<Option<Outlook>> {
        for model in models.iter_mut() {
            settle_model(model, at);
        }
        let outlook = |i: usize| models.first()?.predictions.iter().find(|p| p.at == at[i].0);
        (0..points.len())
            .map(|i| outlook(i).map(|p| Outlook { cost: p.cost, ci: p.ci, source: p.source }))
            .collect()
    };
    for cluster in &mut findings.clusters {
        cluster.outlooks = settle(&mut cluster.fits.models);
    }
    for row in &mut findings.functions {
        row.outlooks = settle(&mut row.fits.models);
    }
    findings.total.outlooks = settle(&mut findings.total.fits.models);
    findings.points = points;
    findings
}

fn settle_model(model: &mut Model, at: &[(f64, Given)]) {
    model.source = match (&model.growth, &model.power_law) {
        (Some(growth), _) if growth.decided => Some(Source::Class),
        (Some(_), _) => Some(Source::Classes),
        (None, Some(_)) => Some(Source::PowerLaw),
        (None, None) => None,
    };
    let half = model.power_law.as_ref().and_then(|law| Some((law.a_ci?, law.a)));
    let half = half.map(|(ci, a)| (ci[1] - ci[0]) / a / 2.0);
    let (law, source, until) = (model.law(), model.source, model.runs_until.unwrap_or(f64::INFINITY));
    let prediction = |(at, given): &(f64, Given)| {
        let cost = law.as_ref()?.cost(&[*at]).filter(|_| *at <= until)?;
        let ci = half.map(|half| [cost * (1.0 - half), cost * (1.0 + half)]);
        Some(Prediction { at: *at, cost, ci, source: source?, asked: *given == Given::Asked })
    };
    model.predictions = at.iter().filter_map(prediction).collect();
}

/// A model in n: its class, its support, and its terms.
pub(crate) type Class<'a> = (GrowthClass, f64, &'a [(f64, GrowthClass)]);

/// Returns a verdict that names the first `named` classes.
pub(crate) fn verdict_on(classes: &[Class<'_>], named: usize, superlinear: Option<bool>) -> GrowthModel {
    let fit = |&(class, support, terms): &Class<'_>| {
        let terms = terms.iter().map(|&(coefficient, class)| (coefficient, class.term())).collect();
        GrowthFit { class, support, terms, spread: 0.001, from: 0.0 }
    };
    let mut by_growth: Vec<GrowthClass> = classes[..named].iter().map(|c| c.0).collect();
    by_growth.sort_unstable();
    let names: Vec<String> = by_growth.iter().map(ToString::to_string).collect();
    let verdict =
        if named == 1 { names[0].clone() } else { format!("undecided between {}", names.join(" and ")) };
    let supports = classes.iter().enumerate().map(|(i, c)| GrowthSupport::new(fit(c), "n", i < named));
    let short = Short::new(by_growth, None, "n");
    let classes = supports.collect();
    GrowthModel {
        verdict,
        short,
        decided: named == 1,
        near: None,
        superlinear,
        points: 30,
        classes,
        may_hide: None,
    }
}

fn member(line: u32, max_cost: u64) -> Member {
    Member {
        name: format!("bubble_sort.c:{line}").into(),
        function: "bubble_sort".into(),
        file: "bubble_sort.c".into(),
        own: true,
        line,
        lines: [line].into(),
        block: line,
        r2: 1.0,
        max_cost,
        unstable: false,
    }
}

fn cluster(
    rank: usize,
    name: &str,
    lines: &[u32],
    costs: Vec<u64>,
    share: f64,
    law: PowerLawModel,
) -> Cluster {
    let kind = if name.contains(':') { RepresentativeKind::Location } else { RepresentativeKind::Feature };
    let max_cost = costs.iter().copied().max().unwrap_or(0);
    let first = lines.iter().find(|line| name.ends_with(&format!(":{line}"))).unwrap_or(&lines[0]);
    Cluster {
        rank,
        title: format!("bubble_sort.c:{first} in bubble_sort"),
        named_by: format!("bubble_sort.c:{first}").into(),
        representative: Representative { kind, name: name.to_owned() },
        costly: share > 0.02,
        max_cost,
        max_share: share,
        share_of_largest: share,
        share_now: share,
        members: lines.iter().map(|&l| member(l, max_cost / lines.len() as u64)).collect(),
        function_count: 1,
        functions_within: Vec::new(),
        features: Vec::new(),
        fits: Fits { models: vec![model(law)], joint: None },
        outlooks: Vec::new(),
        decomposition: None,
        overtakes: Vec::new(),
        note: None,
        costs,
    }
}

/// Returns the findings of the paper's bubble sort on random arrays: three clusters.
pub(crate) fn bubble_sort() -> Findings {
    let compares = costs(|n, _| (3 * n * n - n) / 2);
    let swaps = costs(|n, seed| n * n / 4 * (98 + seed) / 100);
    let size = costs(|n, _| 3 * n + 1);
    let total: Vec<u64> = (0..30).map(|i| compares[i] + swaps[i] + size[i]).collect();
    let row = Row {
        name: "bubble_sort".to_owned(),
        file: "bubble_sort.c".to_owned(),
        line: 1,
        max_cost: total[29],
        max_share: 1.0,
        share_of_largest: 1.0,
        share_now: 1.0,
        fits: Fits { models: vec![model(law(1.74, 1.9996, 0.004, 1.0))], joint: None },
        outlooks: Vec::new(),
        note: None,
        callers: Vec::new(),
        more_callers: 0,
        only_caller: None,
        costs: total.clone(),
    };
    let mut clusters = vec![
        cluster(1, "bubble_sort.c:4", &[4, 5, 7], compares, 0.881, law(1.491_842, 2.000_587, 0.005, 1.0)),
        cluster(2, "bubble_sort.c:6", &[6], swaps, 0.149, law(0.2537, 1.998, 0.06, 0.9992)),
        cluster(3, "n", &[2, 3, 8], size, 0.033, law(3.01, 0.9996, 0.004, 1.0)),
    ];
    let (square, line) = (GrowthClass::Quadratic, GrowthClass::Linear);
    let square_log = GrowthClass::QuadraticLog;
    let exact: [Class<'_>; 2] = [
        (square, 0.99, &[(1.5, square), (-0.5, line)]),
        (square_log, 0.01, &[(0.1, square_log), (9.0, line)]),
    ];
    clusters[0].fits.models[0].growth = Some(verdict_on(&exact, 1, Some(true)));
    let linear: [Class<'_>; 1] = [(line, 1.0, &[(3.0, line), (1.0, GrowthClass::Constant)])];
    clusters[2].fits.models[0].growth = Some(verdict_on(&linear, 1, Some(false)));
    for cluster in &mut clusters {
        cluster.share_of_largest = cluster.costs[29] as f64 / total[29] as f64;
        cluster.share_now = cluster.share_of_largest;
    }
    settled(Findings {
        schema: SCHEMA,
        program: Program { name: "bubble_sort".to_owned() },
        unit: Unit::default(),
        seed: 1,
        alpha: 0.02,
        level: 0.95,
        intervals: Intervals::Robust,
        resamples: 0,
        series: Vec::new(),
        memory_lines: Vec::new(),
        loops: Vec::new(),
        loop_functions: Vec::new(),
        workloads: Workloads { count: 30, failed: 0, failures: Vec::new(), longest: None },
        features: vec![FeatureSummary {
            name: "n".to_owned(),
            min: Some(60.0),
            p95: Some(60_000.0),
            max: Some(60_000.0),
            missing: 0,
            not_positive: 0,
            joins: None,
        }],
        locations: Locations { total: 8, varying: 8, unstable: 0 },
        points: Vec::new(),
        fillings: Vec::new(),
        answer: None,
        fragments: None,
        total: Total {
            max_cost: total[29],
            fits: row.fits.clone(),
            outlooks: Vec::new(),
            parts: Vec::new(),
            scatter: None,
            costs: total,
        },
        clusters,
        functions: vec![row],
        lines: None,
        blocks: None,
        doubts: Vec::new(),
        workload_names: (0..30).map(|i| format!("n={} seed={}", SIZES[i / 3], i % 3 + 1)).collect(),
        feature_values: vec![costs(|n, _| n).into_iter().map(|n| Some(n as f64)).collect()],
    })
}

/// Returns a study that contains only the bubble sort's source.
pub(crate) fn bubble_sort_study() -> Study {
    let text = "\
void bubble_sort(int n, int *a) {
  for (int i = 0; i < n; i++) {
    int j = i + 1;
    while (j < n) {
      if (a[i] > a[j])
        swap(&a[i], &a[j]);
      j++;
    }
  }
}
";
    let source = trend_profile::SourceText { file: "bubble_sort.c".to_owned(), text: text.to_owned() };
    Study::new(StudyParts { sources: vec![source], ..StudyParts::default() }).expect("it is consistent")
}

/// Returns the findings of the bubble sort with every kind of doubt and every optional part.
pub(crate) fn doubtful() -> Findings {
    let mut findings = bubble_sort();
    let cluster = &mut findings.clusters[1];
    cluster.overtakes.push(Overtaking {
        cluster: "bubble_sort.c:4".to_owned(),
        rank: 1,
        feature: "n".to_owned(),
        at: 1_234_567.0,
    });
    cluster.members[0].unstable = true;
    let model = &mut cluster.fits.models[0];
    model.doubts.push(noted(
        WarningKind::Other("odd".to_owned()),
        "the cost grows more slowly towards larger inputs",
    ));
    let law = model.power_law.as_mut().expect("the sample has one");
    (law.r2, law.b_ci, law.a_ci, law.ignored_zeros) = (0.71, None, None, 4);
    let (line, log) = (GrowthClass::Linear, GrowthClass::Linearithmic);
    let rivals: [Class<'_>; 2] = [(log, 0.6, &[(0.8, log)]), (line, 0.3, &[(9.0, line)])];
    model.growth = Some(verdict_on(&rivals, 2, None));
    let last = &mut findings.clusters[2];
    (last.fits.models[0].power_law, last.fits.models[0].linear, last.fits.models[0].growth) =
        (None, None, None);
    last.fits.models[0].doubts.push(Doubt::NoLaw { feature: "n".into(), why: Unfit::NeverExecuted });
    findings
        .doubts
        .push(noted(WarningKind::Other("few_workloads".to_owned()), "3 workloads only: run at least 6"));
    findings.workloads.failures.push(Failure {
        name: "n=90000".to_owned(),
        reason: "ended by signal 11".to_owned(),
        stderr_tail: "reading\nout of memory\n".to_owned(),
        values: vec![None],
    });
    findings.workloads.failed = 1;
    settled(findings)
}

/// Returns a doubt that was recorded when the study was made.
pub(crate) fn noted(kind: WarningKind, message: &str) -> Doubt {
    Doubt::Recorded(Warning::new(kind, message))
}

/// Returns an undecided law in n and m, fitted to the costs `0.2·n^2·log m + 17`.
fn joint() -> Joint {
    let features: [Vec<f64>; 2] =
        [1.9, 1.3].map(|f: f64| (0..12).map(|i| 10.0 * (f.powi(i * 7 % 12) + 1.0)).collect());
    let cost = |i: usize| 0.2 * features[0][i].powi(2) * features[1][i].log2() + 17.0;
    let costs: Vec<f64> = (0..12).map(cost).collect();
    let fit = trend_model::joint_growth(&[&features[0], &features[1]], &costs).expect("it can be fitted");
    let law = Law {
        features: ["n", "m"].map(str::to_owned).to_vec(),
        source: Source::Joint,
        decided: false,
        parts: vec![(String::new(), fit.law.clone())],
    };
    let laws = Joint::laws(&law);
    Joint { support: 0.62, r2: 0.9987, law, laws, fit: std::sync::Arc::new(fit) }
}

/// Returns the doubtful findings with everything that one curve over one feature cannot express, for the second
/// cluster.
pub(crate) fn structured() -> Findings {
    let mut findings = doubtful();
    let workloads = findings.workload_names.clone();
    let (line, square) = (GrowthClass::Linear, GrowthClass::Quadratic);
    let linear = || Some(verdict_on(&[(line, 1.0, &[(9.0, line)])], 1, Some(false)));
    let quadratic = || Some(verdict_on(&[(square, 1.0, &[(0.25, square)])], 1, Some(true)));
    let cluster = &mut findings.clusters[1];
    let factor = |max: f64, half: f64, b: f64| {
        let mut model = model(law(1.0, b, half, 0.99));
        model.growth = if b == 1.0 { linear() } else { None };
        Factor { max, models: vec![model], values: Vec::new() }
    };
    cluster.decomposition = Some(Decomposition {
        function: "last_node".to_owned(),
        file: "list.c".to_owned(),
        line: 12,
        entries: factor(60_000.0, 0.01, 1.0),
        per_entry: factor(37.5, 0.3, 0.21),
    });
    cluster.fits.joint = Some(joint());
    let (cheap, costly) = workloads.split_at(12);
    let trend = |workloads: &[String], law, growth| Trend {
        workloads: workloads.to_vec(),
        power_law: Some(law),
        growth,
    };
    cluster.fits.models[0].split = Some(Split {
        told_apart_by: Some("sorted".to_owned()),
        rule: Some("sorted ≤ 0".to_owned()),
        trends: vec![
            trend(cheap, law(9.0, 1.0, 0.01, 0.999), linear()),
            trend(costly, law(0.25, 2.0, 0.02, 0.999), quadratic()),
        ],
    });
    cluster.fits.models[0].next = Some(NextRuns {
        feature: "n".to_owned(),
        sizes: vec![120_000.0, 240_000.0],
        inputs: 3,
        decides: true,
        costs: vec![6e9, 1.2e10],
        message: "run n = 120,000 and 240,000, 3 inputs each; that decides between n and n log n".to_owned(),
    });
    settled(findings)
}

/// Returns the findings with every name from outside replaced by `name`.
pub(crate) fn renamed(mut findings: Findings, name: &str) -> Findings {
    let rename = |s: &mut String| name.clone_into(s);
    rename(&mut findings.program.name);
    findings.features.iter_mut().for_each(|f| rename(&mut f.name));
    findings.workload_names.iter_mut().for_each(rename);
    for failure in &mut findings.workloads.failures {
        rename(&mut failure.name);
        rename(&mut failure.reason);
        rename(&mut failure.stderr_tail);
    }
    findings
        .doubts
        .iter_mut()
        .for_each(|doubt| *doubt = noted(WarningKind::from(name.to_string()), &format!("about {name}")));
    for cluster in &mut findings.clusters {
        rename(&mut cluster.representative.name);
        rename(&mut cluster.title);
        cluster.named_by = name.into();
        cluster.features.push(name.to_owned());
        for member in &mut cluster.members {
            for text in [&mut member.name, &mut member.function, &mut member.file] {
                *text = name.into();
            }
        }
        for overtaking in &mut cluster.overtakes {
            rename(&mut overtaking.cluster);
            rename(&mut overtaking.feature);
        }
        if let Some(parts) = &mut cluster.decomposition {
            rename(&mut parts.function);
            rename(&mut parts.file);
            rename_models(&mut parts.entries.models, name);
            rename_models(&mut parts.per_entry.models, name);
        }
        cluster.fits.joint.iter_mut().for_each(|joint| joint.law.features.iter_mut().for_each(rename));
        rename_models(&mut cluster.fits.models, name);
    }
    for row in &mut findings.functions {
        rename(&mut row.name);
        rename(&mut row.file);
        rename_models(&mut row.fits.models, name);
    }
    rename_models(&mut findings.total.fits.models, name);
    settled(findings)
}

fn rename_models(models: &mut [Model], name: &str) {
    for model in models {
        name.clone_into(&mut model.feature);
        if let Some(split) = &mut model.split {
            (split.told_apart_by, split.rule) = (Some(name.to_owned()), Some(format!("{name} ≤ 0")));
            split.trends.iter_mut().flat_map(|t| &mut t.workloads).for_each(|w| name.clone_into(w));
        }
        model.next.iter_mut().for_each(|next| next.message = format!("run {name}"));
        for class in model.growth.iter_mut().flat_map(|g| &mut g.classes) {
            class.formula = class.fit.formula(name);
        }
        model
            .doubts
            .iter_mut()
            .for_each(|doubt| *doubt = noted(WarningKind::from(name.to_string()), &format!("about {name}")));
    }
}
