//! Writes the models of a row of any kind: law in words, predictions, doubts, other models.

use trend_analyze::{Findings, Model, Outlook, Point, PowerLawModel, Prediction, RowLaw, Source};

use crate::columns::{Cell, Columns, Room};
use crate::document::Document;
use crate::plots::plots;
use crate::rows::{self, Item, Scope};
use crate::style::{DIM, PLAIN};
use crate::text::{cut, shorten, visible};
use crate::{advice, cells, frame, growth, number, point, structure};

/// Noun for the data points of a row.
pub(crate) const WORKLOAD: &str = "workload";
/// Noun for the data points of a series.
pub(crate) const SIZE: &str = "size";

/// Writes the law of a row in words and as a plot, its doubts, and its predictions.
pub(crate) fn of_row(out: &mut Document, findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) {
    let Some(model) = scope.model(item.models) else { return };
    let law = item.row_law(scope).unwrap_or(RowLaw::Of(model));
    words(out, findings, item, law, scope);
    plots(out, findings, item.costs, law);
    // The doubts of a single feature's model do not concern a law in several features.
    let is_of_model = matches!(law, RowLaw::Of(_));
    if is_of_model {
        frame::doubts(out, &model.doubts);
        out.blank();
        advice::of_model(out, model);
    }
    predictions(out, findings, item, scope);
    let told = structure::findings(item, scope);
    // A law in several features was already shown above.
    let beside = told.iter().skip(usize::from(!is_of_model));
    if beside.len() > 0 {
        out.heading("Parts and trends");
        beside.for_each(|sentence| out.paragraph(PLAIN, sentence));
    }
}

/// Writes the law in symbols and in words.
fn words(out: &mut Document, findings: &Findings, item: &Item<'_>, law: RowLaw<'_>, scope: &Scope<'_>) {
    let told = match (law, of_all_features(item, scope)) {
        (_, Some(told)) => vec![told],
        (RowLaw::Joint(joint), None) => vec![structure::joint(joint)],
        (RowLaw::Of(model), None) => {
            let mut told = growth::sentences(model, range(findings, model), scope.at(&model.feature));
            told.extend(growth::hidden(model));
            told.extend(sentences(findings, model, WORKLOAD));
            told
        }
    };
    for sentence in told {
        out.paragraph(PLAIN, &sentence);
    }
    out.blank();
}

/// Returns the law in all features together, unless a feature was requested.
fn of_all_features(item: &Item<'_>, scope: &Scope<'_>) -> Option<String> {
    scope.feature.is_none().then(|| structure::of_all_features(item.joint, item.models)).flatten()
}

/// Returns the smallest and the largest value of the model's feature, if both are positive.
pub(crate) fn range(findings: &Findings, model: &Model) -> Option<(f64, f64)> {
    let feature = &findings.features[findings.feature(&model.feature)?];
    feature.min.zip(feature.max).filter(|(min, _)| *min > 0.0)
}

/// Returns sentences about the power law, if it is the law of the model: the formula with its intervals, and the effect
/// of doubling the feature.
///
/// `observed` is the noun for the data points: workloads, or the sizes of a series.
pub(crate) fn sentences(findings: &Findings, model: &Model, observed: &str) -> Vec<String> {
    let feature = shorten(&model.feature, 40);
    let Some(law) = &model.power_law else {
        return vec![format!("No power law in {feature} fits.")];
    };
    if model.source != Some(Source::PowerLaw) {
        return Vec::new();
    }
    let doubled = law.b_ci.map(|ci| ci.map(f64::exp2));
    let growth = format!(
        "By it, doubling {feature} multiplies the cost by {}.",
        number::factor(law.b.exp2(), doubled)
    );
    vec![format!("The law is the {}.", power_law(findings, model, law, observed)), growth]
}

/// Formats a power law with its quality: `power law 1.49·n^2.00; 95 % intervals: coefficient 1.48–1.50, exponent
/// 2.000–2.001; R² 1.00 over 30 workloads`.
fn power_law(findings: &Findings, model: &Model, law: &PowerLawModel, observed: &str) -> String {
    let intervals = match (law.a_ci.filter(rows::is_finite), law.b_ci.filter(rows::is_finite)) {
        (Some([lo, hi]), Some(b)) => format!(
            "{} intervals: coefficient {}, exponent {}",
            frame::level(findings),
            number::significant_interval([lo, hi]),
            number::exponent_interval(b)
        ),
        _ => format!("no intervals: too few {observed}s for them"),
    };
    let zeros = match law.ignored_zeros {
        0 => String::new(),
        n => format!(" ({n} with a cost or feature of zero left out)"),
    };
    format!(
        "power law {}; {intervals}; R² {} over {}{zeros}",
        cells::formula(law, &model.feature),
        number::r2(law.r2),
        number::plural(law.points, observed),
    )
}

/// Formats a prediction with its interval: `540 G (537–542 G)`, or `≈ 540 G (no interval)`.
pub(crate) fn with_interval(estimate: &Outlook) -> String {
    match estimate.ci {
        Some(ci) => format!("{} ({})", cells::point(estimate), number::cost_interval(ci)),
        None => format!("{} (no interval)", cells::point(estimate)),
    }
}

/// Writes the predicted costs of a row: at sizes of its feature or, for several features, at the predicted points.
fn predictions(out: &mut Document, findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) {
    let found: Vec<Predicted> = predicted(findings, item, scope);
    let name = match item.row_law(scope) {
        Some(RowLaw::Of(model)) if of_all_features(item, scope).is_none() => &model.feature,
        _ => "at",
    };
    list(out, findings, &found, name, "of the largest run");
}

/// Writes the predicted worst cost of a series beyond its observed sizes; `largest` is the largest observed size.
pub(crate) fn predictions_of_series(
    out: &mut Document,
    findings: &Findings,
    model: &Model,
    largest: Option<f64>,
) {
    list(out, findings, &predicted_by(model, largest), &model.feature, "of the largest size");
}

fn list(out: &mut Document, findings: &Findings, found: &[Predicted], name: &str, largest: &str) {
    if found.is_empty() {
        return;
    }
    out.heading("Predictions");
    let name = cut(&visible(name), 16).into_owned();
    let interval = |p: &Predicted| match p.estimate.ci {
        Some(ci) => cells::aligned(number::cost_interval(ci)),
        None => "none  ".to_owned(),
    };
    let columns = Columns::of(found)
        .right(&name, Room::Shrinks(16), |p| cells::aligned(p.at.clone()))
        .right("cost", Room::Fixed, |p| cells::aligned(cells::point(&p.estimate)))
        .right(&format!("{} interval", frame::level(findings)), Room::Goes(2), interval)
        .right(largest, Room::Goes(1), |p| p.times.clone())
        .left("from", Room::Goes(3), |p| p.from.clone());
    out.table(columns.columns);
}

/// A prediction as a row of the list.
struct Predicted {
    at: String,
    estimate: Outlook,
    times: String,
    from: String,
}

fn predicted(findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) -> Vec<Predicted> {
    let by_feature = |model: &Model| {
        predicted_by(model, findings.feature(&model.feature).and_then(|i| findings.features[i].max))
    };
    match scope.law(item.models, item.joint) {
        Some(RowLaw::Of(model)) if of_all_features(item, scope).is_none() => by_feature(model),
        Some(law) => {
            let from = match law {
                RowLaw::Joint(_) => "several features",
                RowLaw::Of(_) => "a constant",
            };
            let points = findings.points.iter().zip(item.outlooks);
            let predicted = |(at, outlook): (&Point, &Option<Outlook>)| {
                let estimate = (*outlook)?;
                let from = from.to_owned();
                let (at, times) = (point::in_words(at), String::new());
                Some(Predicted { at, estimate, times, from })
            };
            points.filter_map(predicted).collect()
        }
        None => Vec::new(),
    }
}

fn predicted_by(model: &Model, largest: Option<f64>) -> Vec<Predicted> {
    let times =
        |at: f64| largest.filter(|m| *m > 0.0).map(|m| format!("{}×", number::significant(at / m, 2)));
    let predicted = |p: &Prediction| Predicted {
        at: number::size(p.at),
        estimate: Outlook::from(p),
        times: times(p.at).unwrap_or_default(),
        from: from(model, p.source),
    };
    model.predictions.iter().map(predicted).collect()
}

/// Names the source of a prediction: the growth class, the classes whose average it is, the power law, or parts.
pub(crate) fn from(model: &Model, source: Source) -> String {
    match (source, &model.growth) {
        (Source::Class | Source::Classes, Some(growth)) => growth::cell(growth),
        (Source::SumOfParts, _) => "sum of parts".to_owned(),
        (Source::LargestPart, _) => "its largest part".to_owned(),
        (Source::Joint, _) => "several features".to_owned(),
        _ => "power law".to_owned(),
    }
}

/// Writes the models by feature if there are several, the power law if it is not the law itself, and the linear models.
pub(crate) fn models(out: &mut Document, findings: &Findings, models: &[Model]) {
    let several = models.len() > 1;
    let lines: Vec<&Model> = models.iter().filter(|m| m.linear.is_some()).collect();
    let powers: Vec<(&Model, &PowerLawModel)> = models
        .iter()
        .filter(|m| m.source != Some(Source::PowerLaw) && !several)
        .filter_map(|m| Some((m, m.power_law.as_ref()?)))
        .collect();
    if !several && lines.is_empty() && powers.is_empty() {
        return;
    }
    out.heading(if several { "Models" } else { "Other models" });
    if several {
        by_feature(out, models);
    }
    for (model, law) in powers {
        out.paragraph(PLAIN, &power_law(findings, model, law, WORKLOAD));
    }
    for model in lines {
        out.item("linear  ", PLAIN, &linear(model));
    }
}

fn by_feature(out: &mut Document, models: &[Model]) {
    let law = |m: &Model, cell: fn(&PowerLawModel) -> Cell| m.power_law.as_ref().map(cell);
    let formula = |m: &Model| match &m.power_law {
        Some(law) => Cell::from(cells::formula(law, &m.feature)),
        None => Cell::styled("none", DIM),
    };
    let columns = Columns::of(models)
        .left("feature", Room::Shrinks(10), |m| visible(&m.feature).into_owned())
        .left("growth", Room::Goes(1), |m| cells::growth_or_trends(RowLaw::Of(m)))
        .left("power law", Room::Goes(2), formula)
        .right("exponent", Room::Goes(3), |m| law(m, cells::exponent))
        .right("R²", Room::Goes(4), |m| law(m, cells::r2))
        .right("points", Room::Goes(5), |m| m.power_law.as_ref().map(|law| law.points.to_string()));
    out.table(columns.columns);
}

/// Formats a linear model: `−1.1 G + 81 k · n (slope 70–90 k), R² 0.96`.
pub(crate) fn linear(model: &Model) -> String {
    let Some(line) = &model.linear else { return String::new() };
    let slope = line.b_ci.map_or_else(
        || "slope without interval".to_owned(),
        |ci| format!("slope {}", number::cost_interval(ci)),
    );
    let (sign, b) = if line.b < 0.0 { ('−', -line.b) } else { ('+', line.b) };
    format!(
        "{} {sign} {} · {} ({slope}), R² {}",
        number::cost(line.a, number::supported_digits(line.a, line.a_ci).min(3)),
        number::cost(b, number::supported_digits(b, line.b_ci).min(3)),
        shorten(&model.feature, 40),
        number::r2(line.r2)
    )
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::tests::analyze;
    use trend_analyze::Options;
    use trend_profile::Study;

    use super::*;
    use crate::By;
    use crate::sample::doubtful;

    #[test]
    fn a_row_speaks_of_all_features_where_its_law_does() {
        let [mut x, mut y] = ["x:", "y:"].map(str::to_owned);
        let [mut work, mut main] = ["a.c:5:work:", "a.c:9:main:"].map(str::to_owned);
        for i in 0..25_u64 {
            let (m, n) = (4 << (i / 5), 4 << (i % 5));
            for (row, value) in [(&mut x, m), (&mut y, n), (&mut work, 2990 * m * n), (&mut main, 4)] {
                write!(row, " {value}").unwrap();
            }
        }
        let study = Study::from_text(&[x, y, work, main].join("\n")).unwrap();
        let findings = analyze(&study, &Options { full_rows: 2, ..Options::default() }).unwrap();
        let told = |name: &str| {
            let row = findings.functions.iter().find(|row| row.name == name).unwrap();
            let mut out = Document::new(100);
            let scope = Scope::of_page(&findings);
            of_row(&mut out, &findings, &Item::of_row(0, row, By::Function), &scope);
            out.for_terminal()
        };
        let (work, main) = (told("work"), told("main"));
        for words in ["2990·x·y", "cost by the law", "x = 640, y = 64", "several features"] {
            assert!(work.contains(words), "{words}: {work}");
        }
        for words in ["The cost does not depend on x or y.", "x = 640, y = 64", "a constant"] {
            assert!(main.contains(words), "{words}: {main}");
        }
        assert!(!work.contains("depend on x") && !main.contains("Growth in x"), "{main}");
    }

    #[test]
    fn a_prediction_says_what_it_comes_from() {
        let findings = doubtful();
        let model = &findings.clusters[1].models[0];
        assert_eq!(from(model, Source::Classes), "n or n log n ?");
        assert_eq!(from(model, Source::SumOfParts), "sum of parts");
        assert_eq!(from(&findings.clusters[0].models[0], Source::Class), "n^2");
        assert_eq!(from(&findings.clusters[0].models[0], Source::PowerLaw), "power law");
    }
}
