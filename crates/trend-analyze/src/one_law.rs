//! Tests of what must hold of every analysis: a row has one law, and what is predicted is what that law says.

use std::fmt::Write as _;

use trend_profile::Study;

use crate::{Findings, Law, Model, Options, Outlook, RowLaw, Rows, Source, analyze};

/// A row as far as these rules go.
struct Ruled<'a> {
    name: &'a str,
    models: &'a [Model],
    law: Option<Law>,
    outlooks: &'a [Option<Outlook>],
}

fn rows(findings: &Findings) -> Vec<Ruled<'_>> {
    let clusters = findings.clusters.iter().map(|c| Ruled {
        name: &c.representative.name,
        models: &c.models,
        law: RowLaw::of(&c.models, c.joint.as_ref()).and_then(RowLaw::law),
        outlooks: &c.outlooks,
    });
    let rows = [Some(&findings.functions), findings.lines.as_ref(), findings.blocks.as_ref()];
    let rows = rows.into_iter().flatten().flatten().map(|row| Ruled {
        name: &row.name,
        models: &row.models,
        law: RowLaw::of(&row.models, row.joint.as_ref()).and_then(RowLaw::law),
        outlooks: &row.outlooks,
    });
    clusters.chain(rows).collect()
}

fn assert_near(said: f64, law: f64, what: &str) {
    assert!((said / law - 1.0).abs() < 1e-9, "{what}: {said} is not {law}");
}

/// The rules; returns how many predictions were looked at.
fn assert_one_law(findings: &Findings, study: &str) -> usize {
    let mut seen = 0;
    for row in rows(findings) {
        for model in row.models {
            let Some(law) = model.law() else {
                assert!(model.predictions.is_empty(), "{study}: {} is predicted without a law", row.name);
                continue;
            };
            for point in &model.predictions {
                let cost = law.cost(&[point.at]).unwrap();
                assert_near(
                    point.cost,
                    cost,
                    &format!("{study}: {} at {} = {}", row.name, model.feature, point.at),
                );
                assert_eq!(point.source, law.source);
                assert!(point.ci.is_none_or(|[lo, hi]| lo <= cost && cost <= hi), "{study}: {point:?}");
                seen += 1;
            }
            for point in &model.curve {
                assert_near(point.cost, law.cost(&[point.at]).unwrap(), "the curve");
            }
            let whole = findings.total.models.iter().find(|m| m.feature == model.feature).unwrap();
            for part in &model.predictions {
                let of_whole = whole.prediction_at(part.at).map_or(f64::INFINITY, |whole| whole.cost);
                assert!(part.cost <= of_whole, "{study}: {} costs {} of {of_whole}", row.name, part.cost);
            }
        }
        for ((point, outlook), whole) in
            findings.points.iter().zip(row.outlooks).zip(&findings.total.outlooks)
        {
            let Some(outlook) = outlook else { continue };
            let law = row.law.as_ref().unwrap();
            let cost = law.cost(&point.values_of(&law.features).unwrap()).unwrap();
            assert_near(outlook.cost, cost, &format!("{study}: {} at {point:?}", row.name));
            assert_eq!(outlook.source, law.source);
            let whole = whole.map_or(f64::INFINITY, |whole| whole.cost);
            assert!(outlook.cost <= whole, "{study}: {} costs {} of {whole}", row.name, outlook.cost);
            seen += 1;
        }
    }
    let total = &findings.total;
    let law = total.law();
    for (point, outlook) in findings.points.iter().zip(&total.outlooks) {
        let Some(outlook) = outlook.filter(|outlook| outlook.source != Source::LargestPart) else { continue };
        let law = law.as_ref().unwrap();
        let at = point.values_of(&law.features).unwrap();
        let cost = law.cost(&at).unwrap_or_else(|| panic!("{study}: {law:?} at {at:?}: {outlook:?}"));
        assert_near(outlook.cost, cost, &format!("{study}: the whole at {point:?}"));
        assert_eq!(outlook.source, law.source);
    }
    seen
}

/// Numbers from 0 to 1, the same ever again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A program of some functions that each follow another law of one or both features, with noise.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(977) + 1);
    let runs = 6 + (random.next() * 30.0) as usize;
    let mut feature = |most: f64| -> Vec<f64> {
        (0..runs).map(|_| 10_f64.powf(1.0 + most * random.next()).round()).collect()
    };
    let (n, m) = (feature(3.0), feature(2.0));
    let row = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let mut text = format!("n: {}\nm: {}\n", row(&n), row(&m));
    let laws: [fn(f64, f64) -> f64; 9] = [
        |n, _| n,
        |n, _| n * n.log2(),
        |n, _| n * n,
        |_, m| m.powf(1.5),
        |n, m| n * m,
        |n, m| n + m * m,
        |n, m| n.min(m),
        |_, _| 1.0,
        |n, _| if n < 300.0 { n } else { 0.0 },
    ];
    for line in 0..7 {
        let law = laws[(random.next() * laws.len() as f64) as usize];
        let (scale, startup) = (10_f64.powf(5.0 * random.next()), 1e5 * random.next() * random.next());
        let noise = 0.3 * random.next().powi(2);
        let cost = |i: usize, draw: f64| {
            let cost = law(n[i], m[i]);
            if cost == 0.0 { 0.0 } else { ((startup + scale * cost) * (noise * (draw - 0.5)).exp()).round() }
        };
        let costs: Vec<f64> = (0..runs).map(|i| cost(i, random.next())).collect();
        writeln!(text, "a.c:{line}:f{}: {}", line / 2, row(&costs)).unwrap();
    }
    text
}

#[test]
fn what_is_predicted_is_what_the_one_law_of_the_row_says_and_parts_are_at_most_the_whole() {
    let mut seen = 0;
    for seed in 0..40 {
        let study = Study::from_text(&program(seed)).unwrap();
        let at = [("n", 77_777.0), ("m", 3.0), ("n", 12.0)].map(|(name, at)| (name.to_owned(), at)).to_vec();
        let rows = [Rows::Functions, Rows::Lines, Rows::Blocks].into();
        let options = Options { at, rows, full_rows: (seed % 3) as usize * 5, ..Options::default() };
        seen += assert_one_law(&analyze(&study, &options).unwrap(), &format!("program {seed}"));
    }
    assert!(seen > 5000, "{seen}");
}
