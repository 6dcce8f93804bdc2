//! The table of clusters, functions, lines or blocks for a terminal.

use std::fmt::Write as _;

use trend_analyze::{Findings, GrowthModel, Intervals, Model, PowerLawModel};
use trend_profile::{Study, Warning};

use crate::braille::{MiniScale, mini_plot};
use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::rows::{self, Estimate, FLAGS, Item, Scope};
use crate::selection::{self, Selection};
use crate::style::{self, BOLD, DIM, DOUBTFUL, HEADING, NOTABLE, PLAIN, paint};
use crate::text::{shorten, visible, wrap};
use crate::{By, ReportError, Sort, StatementKind, TableOptions, advice, growth, number, verdict};

/// Characters of a mini plot.
const MINI_CELLS: usize = 8;

/// A feature's name in formulas and headings.
const FEATURE_WIDTH: usize = 10;

/// What stands beside a name.
const DETAIL_WIDTH: usize = 28;

/// Failed workloads that are named; the JSON has them all.
const MOST_FAILURES: usize = 3;

/// The findings as a table for a terminal, with verdict and warnings around it.
///
/// # Errors
/// [`ReportError::UnknownFeature`], and [`ReportError::NotAnalyzed`] for lines and blocks that the
/// findings do not have.
pub fn table(
    findings: &Findings,
    study: Option<&Study>,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let scope = Scope::new(findings, options)?;
    let selection = selection::selection(findings, &scope, options)?;
    let width = options.terminal_width();
    let mut out = Lines::new(width);
    head(&mut out, findings);
    out.blank();
    statements(&mut out, findings);
    out.blank();
    if !selection.shown.is_empty() {
        out.paragraph(DIM, &caption(findings, study, &scope, options));
        out.blank();
        out.lines.extend(lay_out(columns(findings, &scope, &selection.shown, options.by), width, HEADING));
    }
    advice::of_findings(&mut out, findings, &scope);
    foot(&mut out, findings, &scope, &selection, options);
    Ok(out.finish())
}

/// Lines of terminal output, none wider than the terminal.
pub(crate) struct Lines {
    pub(crate) width: usize,
    pub(crate) lines: Vec<String>,
}

impl Lines {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, lines: Vec::new() }
    }

    /// An empty line, but never two in a row nor one at the top.
    pub(crate) fn blank(&mut self) {
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(String::new());
        }
    }

    /// A paragraph that can contain anything.
    pub(crate) fn paragraph(&mut self, style: anstyle::Style, text: &str) {
        self.item("", style, text);
    }

    /// The same after a bullet or a word; the lines after the first stand below the text.
    pub(crate) fn item(&mut self, bullet: &str, style: anstyle::Style, text: &str) {
        let indent = crate::text::width(bullet);
        let lines = wrap(&visible(text), self.width.saturating_sub(indent), 0);
        for (i, line) in lines.iter().enumerate() {
            let start = if i == 0 { paint(style, bullet) } else { " ".repeat(indent) };
            let body = if bullet.is_empty() { paint(style, line) } else { line.clone() };
            self.lines.push(format!("{}{body}", if bullet.is_empty() { String::new() } else { start }));
        }
    }

    pub(crate) fn finish(mut self) -> String {
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
        self.lines.push(String::new());
        self.lines.join("\n")
    }
}

/// Program, workloads, locations, and every feature's range.
pub(crate) fn head(out: &mut Lines, findings: &Findings) {
    let program = visible(&findings.program.name);
    out.lines.push(paint(BOLD, &shorten(&program, out.width)));
    let workloads = &findings.workloads;
    let failed =
        if workloads.failed > 0 { format!(" ({} more failed)", workloads.failed) } else { String::new() };
    let locations = &findings.locations;
    out.paragraph(
        PLAIN,
        &format!(
            "{}{failed}; {}, {} of them vary; at most {} in a run",
            plural(workloads.count, "workload"),
            plural(locations.total, "location"),
            locations.varying,
            number::in_unit(findings.total.max_cost, &findings.unit)
        ),
    );
    for (i, feature) in findings.features.iter().enumerate() {
        if i == 5 && findings.features.len() > 6 {
            out.paragraph(PLAIN, &format!("and {} more features", findings.features.len() - i));
            break;
        }
        out.paragraph(PLAIN, &range(feature));
    }
    for failure in findings.workloads.failures.iter().take(MOST_FAILURES) {
        let name = shorten(&failure.name, 60).into_owned();
        out.item("failed: ", DOUBTFUL, &format!("{name}: {}", shorten(&failure.reason, 200)));
    }
}

/// `n from 60 to 60,000 (3.0 decades)`.
pub(crate) fn range(feature: &trend_analyze::FeatureSummary) -> String {
    let name = shorten(&feature.name, 40);
    let mut text = match (feature.min, feature.max) {
        (Some(min), Some(max)) if min < max => {
            format!("{name} from {} to {}", number::size(min), number::size(max))
        }
        (Some(min), _) => format!("{name} is {} everywhere", number::size(min)),
        _ => format!("{name} has no values"),
    };
    if let Some(decades) = decades(feature) {
        let _ = write!(text, " ({decades:.1} decades)");
    }
    if let Some(joins) = &feature.joins {
        let _ = write!(text, ", linear in {}", shorten(joins, 40));
    }
    text
}

/// How many powers of ten a feature spans.
pub(crate) fn decades(feature: &trend_analyze::FeatureSummary) -> Option<f64> {
    let (min, max) = (feature.min?, feature.max?);
    let decades = (max / min).log10();
    (min > 0.0 && decades > 0.0 && decades.is_finite()).then_some(decades)
}

pub(crate) fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", number::size(n as f64)) }
}

pub(crate) fn statements(out: &mut Lines, findings: &Findings) {
    for statement in verdict(findings) {
        let style = match statement.kind {
            StatementKind::Grows | StatementKind::Overtakes => NOTABLE,
            StatementKind::Doubtful => DOUBTFUL,
            StatementKind::Dominates | StatementKind::Steady => BOLD,
        };
        let bullet = match statement.kind {
            StatementKind::Dominates => "= ",
            StatementKind::Grows => "^ ",
            StatementKind::Steady => "- ",
            StatementKind::Overtakes => "> ",
            StatementKind::Doubtful => "? ",
        };
        out.item(bullet, style, &statement.text);
    }
}

/// What is counted, in which feature, at which level: said once, for all numbers of the table.
fn caption(findings: &Findings, study: Option<&Study>, scope: &Scope<'_>, options: &TableOptions) -> String {
    let rows = match options.by {
        By::Cluster => "Clusters",
        By::Function => "Functions",
        By::Line => "Lines",
        By::Block => "Blocks",
    };
    let sorted = match options.sort {
        Sort::Cost => "maximum cost",
        Sort::Predicted => "predicted cost",
        Sort::Exponent => "exponent",
        Sort::Share => "share",
    };
    let mut text = format!(
        "{rows} by {sorted}; costs {}, {}; shares of the costliest run",
        unit(findings, study),
        number::legend(&findings.unit)
    );
    if let Some((_, feature)) = scope.feature {
        let feature = shorten(feature, 40);
        let _ = write!(text, "; fits in {feature} with {} intervals", level(findings));
        if let Some(at) = scope.at {
            let _ = write!(text, ", predictions for {feature} = {}", number::size(at));
        }
    }
    text + "."
}

/// What the costs are counted in.
pub(crate) fn unit(findings: &Findings, study: Option<&Study>) -> String {
    match study {
        _ if findings.unit.is_time() => "in picoseconds".to_owned(),
        _ if !findings.unit.is_executions() => format!("in {}", shorten(findings.unit.name(), 40)),
        // Blocks that a compiler counted belong to functions with a signature.
        Some(study)
            if study
                .locations()
                .iter()
                .any(|l| !l.label.is_empty() && study.function(l.function).signature.is_empty()) =>
        {
            "in the imported counts".to_owned()
        }
        _ => "in executions of basic blocks".to_owned(),
    }
}

/// `95 %`.
pub(crate) fn level(findings: &Findings) -> String {
    format!("{} %", number::significant(findings.level * 100.0, 2))
}

/// The columns of a table of such rows.
pub(crate) fn columns(findings: &Findings, scope: &Scope<'_>, items: &[Item<'_>], by: By) -> Vec<Column> {
    let points: Vec<Vec<(f64, f64)>> = items
        .iter()
        .map(|i| scope.feature.map(|(f, _)| rows::points(findings, f, i.costs())).unwrap_or_default())
        .collect();
    let scale = MiniScale::new(points.iter().map(Vec::as_slice));
    let column = |title: &str, side, room, cell: &dyn Fn(usize, &Item<'_>) -> Cell| Column {
        title: title.to_owned(),
        side,
        room,
        cells: items.iter().enumerate().map(|(i, item)| cell(i, item)).collect(),
    };
    let (name, detail) = match by {
        By::Cluster => ("cluster", "function"),
        By::Function => ("function", "begins at"),
        By::Line => ("line", ""),
        By::Block => ("block", ""),
    };
    let at = scope.at.map(number::size).unwrap_or_default();
    vec![
        column("#", Side::Right, Room::Fixed, &|_, i| Cell::styled(i.rank().to_string(), DIM)),
        column(name, Side::Left, Room::Shrinks(18), &|_, i| {
            Cell::styled(visible(i.name()), if i.is_costly() { BOLD } else { PLAIN })
        }),
        column(detail, Side::Left, Room::Goes(3), &|_, i| {
            Cell::plain(shorten(&visible(&i.detail()), DETAIL_WIDTH))
        }),
        column("max cost", Side::Right, Room::Fixed, &|_, i| {
            Cell::plain(aligned(number::count(i.max_cost())))
        }),
        column("share", Side::Right, Room::Goes(6), &|_, i| Cell::plain(number::share(i.share_of_largest()))),
        column("up to", Side::Right, Room::Goes(4), &|_, i| {
            Cell::styled(i.share_of_others().map(number::share).unwrap_or_default(), DIM)
        }),
        column("growth", Side::Left, Room::Goes(13), &|_, i| {
            scope.model(i.models()).map_or_else(Cell::default, growth_or_trends)
        }),
        column("fit", Side::Left, Room::Goes(9), &|_, i| {
            i.law(scope).map_or_else(
                || Cell::styled("none", DIM),
                |l| Cell::plain(formula(l, scope.feature.map_or("", |f| f.1))),
            )
        }),
        column("exponent", Side::Right, Room::Goes(8), &|_, i| {
            i.law(scope).map_or_else(Cell::default, exponent)
        }),
        column("R²", Side::Right, Room::Goes(7), &|_, i| i.law(scope).map_or_else(Cell::default, r2)),
        column(&format!("cost at {at}"), Side::Right, Room::Goes(2), &|_, i| {
            Cell::plain(rows::predicted(i, scope).map(|e| aligned(point(&e))).unwrap_or_default())
        }),
        column(&format!("at {at}"), Side::Right, Room::Goes(11), &|_, i| {
            rows::predicted(i, scope).map_or_else(Cell::default, |e| Cell::plain(aligned(interval(&e))))
        }),
        column("blocks", Side::Right, Room::Goes(1), &|_, i| {
            Cell::plain(i.locations().map(|n| n.to_string()).unwrap_or_default())
        }),
        column("plot", Side::Left, Room::Goes(5), &|i, _| {
            Cell::styled(mini_plot(&points[i], MINI_CELLS, scale), style::LINE)
        }),
        column("", Side::Left, Room::Goes(10), &|_, i| Cell::styled(i.flags(scope), DOUBTFUL)),
    ]
}

/// How the intervals are made: `Student's t` or `1000 bootstrap resamples`.
pub(crate) fn method(findings: &Findings) -> String {
    match findings.intervals {
        Intervals::Robust => "Student’s t with robust variance".to_owned(),
        Intervals::Percentile => format!("{} bootstrap resamples", findings.resamples),
    }
}

/// `1.49·n^2.00`; marked where it has no interval.
pub(crate) fn formula(law: &PowerLawModel, feature: &str) -> String {
    let digits = number::supported_digits(law.a, law.a_ci).min(3);
    let mark = if law.b_ci.is_some() { "" } else { "≈ " };
    let feature = visible(feature);
    let (a, b) = (number::significant(law.a, digits), number::exponent(law.b, law.b_ci));
    if number::is_zero(&b) {
        return format!("{mark}{}", number::trimmed(&a));
    }
    format!("{mark}{a}·{}^{b}", shorten(&feature, FEATURE_WIDTH))
}

/// The class of growth, marked where it is not decided.
pub(crate) fn growth_cell(model: &GrowthModel) -> Cell {
    let style = match (model.decided, model.superlinear) {
        (false, _) => DOUBTFUL,
        (true, Some(true)) => NOTABLE,
        (true, _) => PLAIN,
    };
    Cell::styled(growth::cell(model), style)
}

/// The class of growth, or that there are two trends of which none is the class.
pub(crate) fn growth_or_trends(model: &Model) -> Cell {
    match growth::mark(model) {
        Some(trends) => Cell::styled(trends, NOTABLE),
        None => model.growth.as_ref().map_or_else(Cell::default, growth_cell),
    }
}

/// The exponent's interval, or that there is none.
pub(crate) fn exponent(law: &PowerLawModel) -> Cell {
    match law.b_ci.filter(rows::is_finite) {
        Some(ci) => Cell::styled(number::exponent_interval(ci), if ci[0] > 1.0 { NOTABLE } else { PLAIN }),
        None => Cell::styled("?", DOUBTFUL),
    }
}

pub(crate) fn r2(law: &PowerLawModel) -> Cell {
    let poor = law.r2.is_nan() || law.r2 < rows::POOR_R2;
    Cell::styled(number::r2(law.r2), if poor { DOUBTFUL } else { PLAIN })
}

/// A predicted cost, with `≈` and two digits where it has no interval.
pub(crate) fn point(estimate: &Estimate) -> String {
    match estimate.ci {
        Some(_) => number::cost(estimate.cost, number::supported_digits(estimate.cost, estimate.ci).min(3)),
        None => format!("≈ {}", number::cost(estimate.cost, 2)),
    }
}

/// The interval of a prediction; the prediction itself where there is none.
pub(crate) fn interval(estimate: &Estimate) -> String {
    estimate.ci.map_or_else(|| point(estimate), number::cost_interval)
}

/// Keeps the place of the suffix free, so that digits stand below digits.
pub(crate) fn aligned(cost: String) -> String {
    if cost.ends_with(|c: char| c.is_ascii_uppercase() || c == 'k') { cost } else { cost + "  " }
}

/// What is not shown, what the signs mean, and what is doubtful.
fn foot(
    out: &mut Lines,
    findings: &Findings,
    scope: &Scope<'_>,
    selection: &Selection<'_>,
    options: &TableOptions,
) {
    out.blank();
    let more = selection.total - selection.shown.len();
    if more > 0 {
        let rows = match options.by {
            By::Cluster => "cluster",
            By::Function => "function",
            By::Line => "line",
            By::Block => "block",
        };
        let text = if selection.costly_only {
            format!(
                "{} more, none ever above 2 % of a run; --top {} shows all.",
                plural(more, rows),
                selection.total
            )
        } else {
            format!("{} more; --top {} shows all.", plural(more, rows), selection.total)
        };
        out.paragraph(DIM, &text);
    }
    let used: String = selection.shown.iter().map(|i| i.flags(scope)).collect();
    let legend: Vec<String> = FLAGS
        .iter()
        .filter(|(flag, _)| used.contains(*flag))
        .map(|(flag, meaning)| format!("{flag} {meaning}"))
        .collect();
    if !legend.is_empty() {
        out.paragraph(DIM, &format!("{}.", legend.join("; ")));
    }
    out.blank();
    warnings(out, &findings.warnings);
}

pub(crate) fn warnings(out: &mut Lines, warnings: &[Warning]) {
    for warning in warnings {
        out.item("warning: ", NOTABLE, &warning.message);
    }
}
