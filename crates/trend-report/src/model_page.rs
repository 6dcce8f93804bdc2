//! What a page tells of the models of a row, whatever the row is: words, predictions, doubts, the other models.

use std::fmt::Write as _;

use trend_analyze::{Findings, Joint, Model, POWER_LAW, PowerLawModel, SUM_OF_PARTS};

use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::lines::Lines;
use crate::rows::{self, Estimate, Scope};
use crate::style::{BOLD, DIM, HEADING, PLAIN, paint};
use crate::table;
use crate::text::{cut, shorten, visible};
use crate::{cells, growth, number, structure};

/// The formula, in symbols and in words.
pub(crate) fn words(
    out: &mut Lines,
    findings: &Findings,
    model: &Model,
    joint: Option<&Joint>,
    scope: &Scope<'_>,
) {
    for sentence in growth::sentences(model, range(findings, model), scope.at) {
        out.paragraph(PLAIN, &sentence);
    }
    for sentence in sentences(findings, model, scope.at) {
        out.paragraph(PLAIN, &sentence);
    }
    if let Some(joint) = joint {
        out.paragraph(PLAIN, &structure::joint(joint));
    }
    out.blank();
}

/// The least and the greatest value of the model's feature, where both are positive.
pub(crate) fn range(findings: &Findings, model: &Model) -> Option<(f64, f64)> {
    let feature = &findings.features[findings.feature(&model.feature)?];
    feature.min.zip(feature.max).filter(|(min, _)| *min > 0.0)
}

/// The power law as sentences: the formula with its intervals, what doubling the feature does, and the
/// cost at `at`.
pub(crate) fn sentences(findings: &Findings, model: &Model, at: Option<f64>) -> Vec<String> {
    let feature = shorten(&model.feature, 40);
    let Some(law) = &model.power_law else {
        return vec![format!("There is no power law in {feature} for this.")];
    };
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
    let digits = number::supported_digits(law.a, law.a_ci).min(3);
    let (a, b) = (number::significant(law.a, digits), number::exponent(law.b, law.b_ci));
    let a = if number::is_zero(&b) { number::trimmed(&a).to_owned() } else { a };
    let power = if number::is_zero(&b) { String::new() } else { format!(" · {feature}^{b}") };
    let fit = format!(
        "Power law: cost = {a}{power}; {intervals}; R² {} over {}{zeros}.",
        number::r2(law.r2),
        table::plural(law.points, "workload"),
    );
    let doubled = law.b_ci.map(|ci| ci.map(f64::exp2));
    let mut growth = format!(
        "By it, each time {feature} doubles, this costs {} as much",
        number::factor(law.b.exp2(), doubled)
    );
    if let Some((at, estimate)) = at.and_then(|at| Some((at, rows::estimate(model, at)?))) {
        let from = match from(model, at) {
            law if law == POWER_LAW => String::new(),
            law if law == SUM_OF_PARTS => " as the sum of parts".to_owned(),
            class => format!(" by the class {class}"),
        };
        let _ = write!(
            growth,
            ";{from} at {feature} = {} it costs {}",
            number::size(at),
            with_interval(&estimate)
        );
    }
    vec![fit, growth + "."]
}

/// `540 G (537–542 G)`, or `≈ 540 G (no interval)`.
pub(crate) fn with_interval(estimate: &Estimate) -> String {
    match estimate.ci {
        Some(ci) => format!("{} ({})", cells::point(estimate), number::cost_interval(ci)),
        None => format!("{} (no interval)", cells::point(estimate)),
    }
}

pub(crate) fn doubts(out: &mut Lines, model: &Model) {
    table::warnings(out, &model.warnings);
    out.blank();
}

pub(crate) fn heading(out: &mut Lines, text: &str) {
    out.blank();
    out.lines.push(paint(BOLD, text));
}

pub(crate) fn column(title: &str, side: Side, room: Room, cells: Vec<Cell>) -> Column {
    Column { title: title.to_owned(), side, room, cells }
}

pub(crate) fn predictions(
    out: &mut Lines,
    findings: &Findings,
    feature: usize,
    model: &Model,
    scope: &Scope<'_>,
) {
    let mut sizes: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
    if let Some(at) = scope.at
        && !sizes.iter().any(|&s| rows::same_size(s, at))
    {
        sizes.push(at);
        sizes.sort_by(f64::total_cmp);
    }
    let estimates: Vec<(f64, Estimate)> =
        sizes.into_iter().filter_map(|at| Some((at, rows::estimate(model, at)?))).collect();
    if estimates.is_empty() {
        return;
    }
    heading(out, "Predictions");
    let largest = findings.features[feature].max;
    let times = |at: f64| {
        largest
            .filter(|m| *m > 0.0)
            .map_or_else(String::new, |m| format!("{}×", number::significant(at / m, 2)))
    };
    let name = cut(&visible(&model.feature), 16).into_owned();
    let cells = |cell: &dyn Fn(&(f64, Estimate)) -> String| {
        estimates.iter().map(|e| Cell::plain(cell(e))).collect::<Vec<_>>()
    };
    let columns = vec![
        column(&name, Side::Right, Room::Fixed, cells(&|e| cells::aligned(number::size(e.0)))),
        column("cost", Side::Right, Room::Fixed, cells(&|e| cells::aligned(cells::point(&e.1)))),
        column(
            &format!("{} interval", table::level(findings)),
            Side::Right,
            Room::Goes(2),
            cells(&|e| {
                e.1.ci.map_or_else(|| "none  ".to_owned(), |ci| cells::aligned(number::cost_interval(ci)))
            }),
        ),
        column("of the largest run", Side::Right, Room::Goes(3), cells(&|e| times(e.0))),
        column("from", Side::Left, Room::Goes(1), cells(&|e| from(model, e.0))),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
}

/// What a prediction comes from: a growth class, marked where it is not decided, the power law, or the sum of parts.
pub(crate) fn from(model: &Model, at: f64) -> String {
    let known = model.prediction_at(at).map(|p| p.from.clone());
    let growth = model.growth.as_ref().filter(|growth| growth.predict(at).is_some());
    let best = || Some(growth?.best()?.class.to_string());
    let law = known.or_else(best).unwrap_or_else(|| POWER_LAW.to_owned());
    let is_class = ![POWER_LAW, SUM_OF_PARTS].contains(&law.as_str());
    let undecided = is_class && model.growth.as_ref().is_some_and(|growth| !growth.decided);
    if undecided { law + " ?" } else { law }
}

/// The growth and the power law in every feature where there are several, and the linear models.
pub(crate) fn models(out: &mut Lines, models: &[Model]) {
    let several = models.len() > 1;
    let lines: Vec<&Model> = models.iter().filter(|m| m.linear.is_some()).collect();
    if !several && lines.is_empty() {
        return;
    }
    heading(out, if several { "Models" } else { "Other models" });
    if several {
        by_feature(out, models);
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
        column("growth", Side::Left, Room::Goes(5), cells(&cells::growth_or_trends)),
        column(
            "fit",
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
    fn a_sum_of_parts_is_no_growth_class() {
        let findings = doubtful();
        let mut model = findings.clusters[1].models[0].clone();
        let at = model.predictions[0].at;
        let told = |model: &Model| (from(model, at), sentences(&findings, model, Some(at)).remove(1));
        model.predictions[0].from = "n log n".to_owned();
        let (class, sentence) = told(&model);
        assert!(
            class == "n log n ?" && sentence.contains("; by the class n log n ? at n = "),
            "{class}: {sentence}"
        );
        model.predictions[0].from = SUM_OF_PARTS.to_owned();
        let (sum, sentence) = told(&model);
        assert!(
            sum == "sum of parts" && sentence.contains("; as the sum of parts at n = "),
            "{sum}: {sentence}"
        );
    }
}
