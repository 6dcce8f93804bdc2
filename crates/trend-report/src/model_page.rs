//! What a page tells of the models of a row, whatever the row is: words, predictions, doubts, the other models.

use trend_analyze::{Findings, Model, Outlook, Point, PowerLawModel, Prediction, RowLaw, Source};

use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::lines::Lines;
use crate::rows::{self, Estimate, Item, Scope};
use crate::style::{BOLD, DIM, HEADING, PLAIN, paint};
use crate::table;
use crate::text::{cut, shorten, visible};
use crate::{cells, growth, number, point, structure};

/// The law, in symbols and in words.
pub(crate) fn words(
    out: &mut Lines,
    findings: &Findings,
    model: &Model,
    law: Option<RowLaw<'_>>,
    scope: &Scope<'_>,
) {
    if let Some(RowLaw::Joint(joint)) = law {
        out.paragraph(PLAIN, &structure::joint(joint));
        out.blank();
        return;
    }
    for sentence in growth::sentences(model, range(findings, model), scope.at(&model.feature)) {
        out.paragraph(PLAIN, &sentence);
    }
    for sentence in sentences(findings, model) {
        out.paragraph(PLAIN, &sentence);
    }
    out.blank();
}

/// The least and the greatest value of the model's feature, where both are positive.
pub(crate) fn range(findings: &Findings, model: &Model) -> Option<(f64, f64)> {
    let feature = &findings.features[findings.feature(&model.feature)?];
    feature.min.zip(feature.max).filter(|(min, _)| *min > 0.0)
}

/// The power law as sentences, where it is the law: the formula with its intervals, and what doubling the feature does.
pub(crate) fn sentences(findings: &Findings, model: &Model) -> Vec<String> {
    let feature = shorten(&model.feature, 40);
    let Some(law) = &model.power_law else {
        return vec![format!("There is no power law in {feature} for this.")];
    };
    if model.source != Some(Source::PowerLaw) {
        return Vec::new();
    }
    let doubled = law.b_ci.map(|ci| ci.map(f64::exp2));
    let growth = format!(
        "By it, each time {feature} doubles, this costs {} as much.",
        number::factor(law.b.exp2(), doubled)
    );
    vec![format!("The law is the {}.", power_law(findings, model, law)), growth]
}

/// `power law 1.49·n^2.00; 95 % intervals: coefficient 1.48–1.50, exponent 2.000–2.001; R² 1.00 over 30 workloads`.
pub(crate) fn power_law(findings: &Findings, model: &Model, law: &PowerLawModel) -> String {
    let intervals = match (law.a_ci.filter(rows::is_finite), law.b_ci.filter(rows::is_finite)) {
        (Some([lo, hi]), Some(b)) => format!(
            "{} intervals: coefficient {}, exponent {}",
            table::level(findings),
            number::significant_interval([lo, hi]),
            number::exponent_interval(b)
        ),
        _ => "no intervals: too few workloads for them".to_owned(),
    };
    let zeros = match law.ignored_zeros {
        0 => String::new(),
        n => format!(" ({n} left out, where cost or feature is zero)"),
    };
    format!(
        "power law {}; {intervals}; R² {} over {}{zeros}",
        cells::formula(law, &model.feature),
        number::r2(law.r2),
        table::plural(law.points, "workload"),
    )
}

/// `540 G (537–542 G)`, or `≈ 540 G (no interval)`.
pub(crate) fn with_interval(estimate: &Estimate) -> String {
    match estimate.ci {
        Some(ci) => format!("{} ({})", cells::point(estimate), number::cost_interval(ci)),
        None => format!("{} (no interval)", cells::point(estimate)),
    }
}

pub(crate) fn doubts(out: &mut Lines, model: &Model) {
    table::doubts(out, &model.doubts);
    out.blank();
}

pub(crate) fn heading(out: &mut Lines, text: &str) {
    out.blank();
    out.lines.push(paint(BOLD, text));
}

pub(crate) fn column(title: &str, side: Side, room: Room, cells: Vec<Cell>) -> Column {
    Column { title: title.to_owned(), side, room, cells }
}

/// What a row costs at the sizes that the analysis predicts: in one feature, or of several at its points.
pub(crate) fn predictions(out: &mut Lines, findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) {
    let found: Vec<Predicted> = predicted(findings, item, scope);
    if found.is_empty() {
        return;
    }
    heading(out, "Predictions");
    let cells =
        |cell: &dyn Fn(&Predicted) -> String| found.iter().map(|p| Cell::plain(cell(p))).collect::<Vec<_>>();
    let name = match item.row_law(scope) {
        Some(RowLaw::Of(model)) => cut(&visible(&model.feature), 16).into_owned(),
        _ => "at".to_owned(),
    };
    let columns = vec![
        column(&name, Side::Right, Room::Shrinks(16), cells(&|p| cells::aligned(p.at.clone()))),
        column("cost", Side::Right, Room::Fixed, cells(&|p| cells::aligned(cells::point(&p.estimate)))),
        column(
            &format!("{} interval", table::level(findings)),
            Side::Right,
            Room::Goes(2),
            cells(&|p| {
                let ci = p.estimate.ci.map(|ci| cells::aligned(number::cost_interval(ci)));
                ci.unwrap_or_else(|| "none  ".to_owned())
            }),
        ),
        column("of the largest run", Side::Right, Room::Goes(3), cells(&|p| p.times.clone())),
        column("from", Side::Left, Room::Goes(1), cells(&|p| p.from.clone())),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
}

/// A prediction as it is listed.
struct Predicted {
    at: String,
    estimate: Estimate,
    times: String,
    from: String,
}

fn predicted(findings: &Findings, item: &Item<'_>, scope: &Scope<'_>) -> Vec<Predicted> {
    let by_feature = |model: &Model| {
        let largest = findings.feature(&model.feature).and_then(|i| findings.features[i].max);
        let times =
            |at: f64| largest.filter(|m| *m > 0.0).map(|m| format!("{}×", number::significant(at / m, 2)));
        let predicted = |p: &Prediction| Predicted {
            at: number::size(p.at),
            estimate: Estimate::from(p),
            times: times(p.at).unwrap_or_default(),
            from: from(model, p.source),
        };
        model.predictions.iter().map(predicted).collect()
    };
    match scope.law(item.models(), item.joint()) {
        Some(RowLaw::Of(model)) => by_feature(model),
        Some(RowLaw::Joint(_)) => {
            let points = findings.points.iter().zip(item.outlooks());
            let predicted = |(at, outlook): (&Point, &Option<Outlook>)| {
                let outlook = outlook.as_ref()?;
                let from = "several features".to_owned();
                let (at, times) = (point::in_words(at), String::new());
                Some(Predicted { at, estimate: Estimate::from(outlook), times, from })
            };
            points.filter_map(predicted).collect()
        }
        None => Vec::new(),
    }
}

/// What a prediction comes from: a growth class, the named ones of which it is the average, the power law, or parts.
pub(crate) fn from(model: &Model, source: Source) -> String {
    match (source, &model.growth) {
        (Source::Class | Source::Classes, Some(growth)) => growth::cell(growth),
        (Source::SumOfParts, _) => "sum of parts".to_owned(),
        (Source::LargestPart, _) => "its largest part".to_owned(),
        (Source::Joint, _) => "several features".to_owned(),
        _ => "power law".to_owned(),
    }
}

/// The growth and the power law in every feature where there are several, and the linear models.
pub(crate) fn models(out: &mut Lines, findings: &Findings, models: &[Model]) {
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
    heading(out, if several { "Models" } else { "Other models" });
    if several {
        by_feature(out, models);
    }
    for (model, law) in powers {
        out.paragraph(PLAIN, &power_law(findings, model, law));
    }
    for model in lines {
        out.item("linear  ", PLAIN, &linear(model));
    }
}

fn by_feature(out: &mut Lines, models: &[Model]) {
    let cells = |cell: &dyn Fn(&Model) -> Cell| models.iter().map(cell).collect::<Vec<_>>();
    let law = |cell: &dyn Fn(&PowerLawModel) -> Cell| {
        let cell = |m: &Model| m.power_law.as_ref().map_or_else(Cell::default, cell);
        models.iter().map(cell).collect::<Vec<_>>()
    };
    let columns = vec![
        column("feature", Side::Left, Room::Shrinks(10), cells(&|m| Cell::plain(visible(&m.feature)))),
        column("growth", Side::Left, Room::Goes(5), cells(&|m| cells::growth_or_trends(RowLaw::Of(m)))),
        column(
            "power law",
            Side::Left,
            Room::Goes(4),
            cells(&|m| match &m.power_law {
                Some(law) => Cell::plain(cells::formula(law, &m.feature)),
                None => Cell::styled("none", DIM),
            }),
        ),
        column("exponent", Side::Right, Room::Goes(3), law(&cells::exponent)),
        column("R²", Side::Right, Room::Goes(2), law(&cells::r2)),
        column("points", Side::Right, Room::Goes(1), law(&|law| Cell::plain(law.points.to_string()))),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
}

/// `-1.1 G + 81 k·n (slope 70–90 k), R² 0.96`.
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
    use super::*;
    use crate::sample::doubtful;

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
