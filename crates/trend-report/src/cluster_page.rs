//! Everything about one cluster, for a terminal.

use std::fmt::Write as _;

use trend_analyze::{Cluster, Findings, Member, Model, PowerLawModel};
use trend_profile::Study;

use crate::axis::Axis;
use crate::braille::{Canvas, Inks, plot};
use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::rows::{self, Estimate, Scope};
use crate::style::{self, BOLD, DIM, DOUBTFUL, HEADING, NOTABLE, PLAIN, paint};
use crate::table::{self, Lines};
use crate::text::{cut, shorten, source_line, visible};
use crate::{ReportError, TableOptions, growth, number, select};

/// Plots wider than this show no more.
const PLOT_COLUMNS: usize = 72;
const FIT_ROWS: usize = 14;
const RESIDUAL_ROWS: usize = 7;

/// Up to here points are drawn as characters, above as braille dots.
const FEW_POINTS: usize = 150;

/// Columns that the labels beside a plot may take.
const GUTTER: usize = 12;

/// Members that are listed unless asked for more.
const USUAL_MEMBERS: usize = 30;

/// What predictions come from where they come from no growth class.
const POWER_LAW: &str = "power law";

const INKS: Inks = Inks { points: style::POINTS, line: style::LINE, frame: DIM };

/// Everything about one cluster, for a terminal. `name` is the representative's name, a rank (`1` or
/// `#1`), or a member's name or `file:line`; a path may be given by its end.
///
/// # Errors
/// [`ReportError::UnknownCluster`], [`ReportError::UnknownFeature`].
pub fn cluster_page(
    findings: &Findings,
    study: Option<&Study>,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let scope = Scope::new(findings, options)?;
    let cluster = select::cluster(findings, name)?;
    let mut out = Lines::new(options.terminal_width());
    title(&mut out, findings, cluster, study);
    out.blank();
    if let Some((feature, _)) = scope.feature
        && let Some(model) = scope.model(&cluster.models)
    {
        words(&mut out, findings, model, &scope);
        plots(&mut out, findings, feature, cluster, model);
        doubts(&mut out, model);
        predictions(&mut out, findings, feature, model, &scope);
    }
    overtaking(&mut out, findings, cluster);
    members(&mut out, study, cluster, options.top.unwrap_or(USUAL_MEMBERS));
    other_models(&mut out, cluster, &scope);
    Ok(out.finish())
}

fn title(out: &mut Lines, findings: &Findings, cluster: &Cluster, study: Option<&Study>) {
    let name = visible(&cluster.representative.name);
    let function = rows::representative(cluster).map(|m| visible(&m.function)).unwrap_or_default();
    let function = if function.is_empty() { String::new() } else { format!("  {}", cut(&function, 40)) };
    let rank = format!("#{}  ", cluster.rank);
    let room = out.width.saturating_sub(crate::text::width(&rank));
    let head = shorten(&name, room);
    let rest = room - crate::text::width(&head);
    out.lines.push(format!("{}{}{}", paint(DIM, &rank), paint(BOLD, &head), cut(&function, rest)));
    let costly = if cluster.costly { "" } else { " (not a costly cluster)" };
    out.paragraph(
        PLAIN,
        &format!(
            "At most {} {}, {} of a run{costly}; {}.",
            number::count(cluster.max_cost),
            table::unit(findings, study),
            number::share(cluster.max_share),
            table::plural(cluster.members.len(), "location")
        ),
    );
    if !cluster.features.is_empty() {
        let names: Vec<_> = cluster.features.iter().map(|f| shorten(f, 40)).collect();
        out.paragraph(PLAIN, &format!("Features that vary with it: {}.", names.join(", ")));
    }
}

/// The formula, in symbols and in words.
fn words(out: &mut Lines, findings: &Findings, model: &Model, scope: &Scope<'_>) {
    for sentence in growth::sentences(model, range(findings, model), scope.at) {
        out.paragraph(PLAIN, &sentence);
    }
    for sentence in sentences(findings, model, scope.at) {
        out.paragraph(PLAIN, &sentence);
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
        return vec![format!("There is no power law in {feature} for this cluster.")];
    };
    let intervals = match (law.a_ci.filter(rows::is_finite), law.b_ci.filter(rows::is_finite)) {
        (Some([lo, hi]), Some(b)) => format!(
            "{} intervals: coefficient {}–{}, exponent {}",
            table::level(findings),
            number::significant(lo, 3),
            number::significant(hi, 3),
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
        Some(ci) => format!("{} ({})", table::point(estimate), number::cost_interval(ci)),
        None => format!("{} (no interval)", table::point(estimate)),
    }
}

fn plots(out: &mut Lines, findings: &Findings, feature: usize, cluster: &Cluster, model: &Model) {
    let points = rows::points(findings, feature, &cluster.costs);
    let usable: Vec<(f64, f64)> = points.into_iter().filter(|p| p.0 > 0.0 && p.1 > 0.0).collect();
    if usable.is_empty() {
        return;
    }
    let columns = out.width.saturating_sub(GUTTER).min(PLOT_COLUMNS);
    let x = Axis::logarithmic(usable.iter().map(|p| p.0), (columns / 10).max(2), number::size);
    let y = Axis::logarithmic(usable.iter().map(|p| p.1), FIT_ROWS / 3, tick_cost);
    let law = model.power_law.as_ref();
    let mut dots = Canvas::new(columns, FIT_ROWS);
    for &(px, py) in &usable {
        if let (Some(px), Some(py)) = (x.position(px), y.position(py)) {
            dots.dot(px, py);
        }
    }
    let mut line = Canvas::new(columns, FIT_ROWS);
    if let Some(law) = law {
        for px in line.xs() {
            if let Some(py) = y.position(rows::evaluate(law, x.value(px))) {
                line.dot(px, py);
            }
        }
    }
    let feature_name = shorten(&model.feature, 40).into_owned();
    out.paragraph(BOLD, &format!("Cost over {feature_name}, both logarithmic"));
    out.lines.extend(plot(&dots, &line, marker(usable.len()), &x, &y, INKS));
    out.blank();
    if let Some(law) = law {
        residuals(out, &usable, law, &x, columns);
    }
}

/// Few points are drawn large; many would hide each other.
fn marker(points: usize) -> Option<char> {
    (points <= FEW_POINTS).then_some('•')
}

pub(crate) fn tick_cost(value: f64) -> String {
    number::cost(value, 1)
}

fn residuals(out: &mut Lines, usable: &[(f64, f64)], law: &PowerLawModel, x: &Axis, columns: usize) {
    let residual = |&(px, py): &(f64, f64)| rows::evaluate(law, px).ln() - py.ln();
    let y = Axis::residuals(usable.iter().map(residual));
    let mut dots = Canvas::new(columns, RESIDUAL_ROWS);
    for point in usable {
        if let (Some(px), Some(py)) = (x.position(point.0), y.position(residual(point))) {
            dots.dot(px, py);
        }
    }
    let mut zero = Canvas::new(columns, RESIDUAL_ROWS);
    zero.xs().for_each(|px| zero.dot(px, 0.5));
    out.paragraph(BOLD, "Residuals: the model's cost as a multiple of the measured");
    out.lines.extend(plot(&dots, &zero, marker(usable.len()), x, &y, INKS));
    out.blank();
}

fn doubts(out: &mut Lines, model: &Model) {
    table::warnings(out, &model.warnings);
    out.blank();
}

fn heading(out: &mut Lines, text: &str) {
    out.blank();
    out.lines.push(paint(BOLD, text));
}

fn column(title: &str, side: Side, room: Room, cells: Vec<Cell>) -> Column {
    Column { title: title.to_owned(), side, room, cells }
}

fn predictions(out: &mut Lines, findings: &Findings, feature: usize, model: &Model, scope: &Scope<'_>) {
    let mut sizes: Vec<f64> = model.predictions.iter().map(|p| p.at).collect();
    if let Some(at) = scope.at
        && !sizes.iter().any(|s| (s - at).abs() <= at * 1e-9)
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
        column(&name, Side::Right, Room::Fixed, cells(&|e| table::aligned(number::size(e.0)))),
        column("cost", Side::Right, Room::Fixed, cells(&|e| table::aligned(table::point(&e.1)))),
        column(
            &format!("{} interval", table::level(findings)),
            Side::Right,
            Room::Goes(2),
            cells(&|e| {
                e.1.ci.map_or_else(|| "none  ".to_owned(), |ci| table::aligned(number::cost_interval(ci)))
            }),
        ),
        column("of the largest run", Side::Right, Room::Goes(3), cells(&|e| times(e.0))),
        column("from", Side::Left, Room::Goes(1), cells(&|e| from(model, e.0))),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
}

fn overtaking(out: &mut Lines, findings: &Findings, cluster: &Cluster) {
    let passed_by = findings.clusters.iter().flat_map(|c| c.overtakes.iter().map(move |o| (c, o)));
    let passed_by: Vec<_> = passed_by.filter(|(_, o)| o.cluster == cluster.representative.name).collect();
    if cluster.overtakes.is_empty() && passed_by.is_empty() {
        return;
    }
    heading(out, "Overtaking");
    let at = |o: &trend_analyze::Overtaking| {
        format!("at about {} = {}", shorten(&o.feature, 40), number::size(number::two_digits(o.at)))
    };
    for o in &cluster.overtakes {
        let name = shorten(&o.cluster, 60);
        out.item("> ", NOTABLE, &format!("passes #{} {name} {}", o.rank, at(o)));
    }
    for (c, o) in passed_by {
        let name = shorten(&c.representative.name, 60);
        out.item("< ", PLAIN, &format!("is passed by #{} {name} {}", c.rank, at(o)));
    }
}

/// What a prediction comes from: a growth class or the power law.
pub(crate) fn from(model: &Model, at: f64) -> String {
    let known = model.prediction_at(at).map(|p| p.from.clone());
    let growth = model.growth.as_ref().filter(|growth| growth.predict(at).is_some());
    let best = || Some(growth?.best()?.class.to_string());
    known.or_else(best).unwrap_or_else(|| POWER_LAW.to_owned())
}

/// The text of a member's first line.
pub(crate) fn source_of(study: Option<&Study>, member: &Member) -> Option<String> {
    let text = study?.source(&member.file)?;
    let line = text.lines().nth((member.line as usize).checked_sub(1)?)?;
    Some(source_line(line))
}

fn members(out: &mut Lines, study: Option<&Study>, cluster: &Cluster, most: usize) {
    let shown: Vec<&Member> = cluster.members.iter().take(most).collect();
    if shown.is_empty() {
        return;
    }
    heading(out, "Locations");
    let cells = |cell: &dyn Fn(&Member) -> Cell| shown.iter().map(|m| cell(m)).collect::<Vec<_>>();
    let source = |m: &Member| source_of(study, m).map(|s| cut(s.trim_start(), 100).into_owned());
    let columns = vec![
        column(
            "max cost",
            Side::Right,
            Room::Fixed,
            cells(&|m| Cell::plain(table::aligned(number::count(m.max_cost)))),
        ),
        column("location", Side::Left, Room::Shrinks(16), cells(&|m| Cell::plain(visible(&m.name)))),
        column(
            "",
            Side::Left,
            Room::Goes(4),
            cells(&|m| Cell::styled(if m.unstable { "~" } else { "" }, DOUBTFUL)),
        ),
        column(
            "function",
            Side::Left,
            Room::Goes(2),
            cells(&|m| Cell::plain(cut(&visible(&m.function), 24))),
        ),
        column("R²", Side::Right, Room::Goes(1), cells(&|m| Cell::plain(number::r2(m.r2)))),
        column(
            "source",
            Side::Left,
            Room::Shrinks(12),
            cells(&|m| Cell::styled(source(m).unwrap_or_default(), DIM)),
        ),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
    let more = cluster.members.len() - shown.len();
    if more > 0 {
        out.paragraph(
            DIM,
            &format!("{} more; --top {} shows all.", table::plural(more, "location"), cluster.members.len()),
        );
    }
    if shown.iter().any(|m| m.unstable) {
        out.paragraph(DIM, "~ counts differ between repetitions.");
    }
}

/// The linear model, and the models in the other features.
fn other_models(out: &mut Lines, cluster: &Cluster, scope: &Scope<'_>) {
    let (laws, lines): (Vec<_>, Vec<_>) = (
        cluster.models.iter().filter(|m| scope.feature.is_none_or(|(_, f)| m.feature != f)).collect(),
        cluster.models.iter().filter(|m| m.linear.is_some()).collect(),
    );
    if laws.is_empty() && lines.is_empty() {
        return;
    }
    heading(out, "Other models");
    for model in lines {
        out.item("linear  ", PLAIN, &linear(model));
    }
    for model in laws {
        let text = match &model.power_law {
            Some(law) => format!(
                "{} (exponent {}), R² {} over {} points",
                table::formula(law, &model.feature),
                law.b_ci.map_or_else(|| "without interval".to_owned(), number::exponent_interval),
                number::r2(law.r2),
                law.points
            ),
            None => format!("none in {}", shorten(&model.feature, 40)),
        };
        out.item("power law  ", PLAIN, &text);
    }
}

/// `-1.1 G + 81 k·n (slope 70–90 k), R² 0.96`.
pub(crate) fn linear(model: &Model) -> String {
    let Some(line) = &model.linear else { return String::new() };
    let slope = line.b_ci.map_or_else(
        || "slope without interval".to_owned(),
        |ci| format!("slope {}", number::cost_interval(ci)),
    );
    let (sign, b) = if line.b < 0.0 { ('-', -line.b) } else { ('+', line.b) };
    format!(
        "{} {sign} {} · {} ({slope}), R² {}",
        number::cost(line.a, number::supported_digits(line.a, line.a_ci).min(3)),
        number::cost(b, number::supported_digits(b, line.b_ci).min(3)),
        shorten(&model.feature, 40),
        number::r2(line.r2)
    )
}
