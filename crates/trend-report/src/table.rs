//! The table of clusters, functions, lines or blocks for a terminal.

use std::fmt::Write as _;

use trend_analyze::{Doubt, Findings, Intervals, Model, Source};
use trend_profile::Study;

use crate::braille::{MiniScale, mini_plot};
use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::lines::Lines;
use crate::rows::{self, FLAGS, Item, Scope};
use crate::selection::{self, Selection};
use crate::style::{self, BOLD, DIM, DOUBTFUL, HEADING, NOTABLE, PLAIN, paint};
use crate::text::{shorten, visible};
use crate::{
    By, ReportError, SeriesFilter, Sort, StatementKind, TableOptions, advice, cells, number, point,
    series_table, verdict,
};

/// Characters of a mini plot.
const MINI_CELLS: usize = 8;

/// Names keep so much of a wide terminal before other columns do, and of others two fifths.
const LEAST_NAME_WIDTH: usize = 40;

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
    if findings.clusters.is_empty() && !findings.series.is_empty() && options.by == By::Cluster {
        return series_table(findings, SeriesFilter::default(), options);
    }
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
        out.lines.extend(lay_out(columns(findings, &scope, &selection.shown, options), width, HEADING));
    }
    advice::of_findings(&mut out, findings, &scope);
    foot(&mut out, findings, &scope, &selection, options);
    Ok(out.finish())
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
        let said = failure.stderr_tail.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let said = said.map(|line| format!(": {}", shorten(line, 200))).unwrap_or_default();
        out.item("failed: ", DOUBTFUL, &format!("{name}: {}{said}", shorten(&failure.reason, 200)));
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
        "{rows} by {sorted}; costs {}{}; shares of the costliest run",
        unit(findings, study),
        number::legend_of_times(&findings.unit)
    );
    if !findings.features.is_empty() {
        let _ = match scope.feature.filter(|_| scope.several) {
            Some((_, feature)) => write!(text, "; laws in {} alone", shorten(feature, 40)),
            None => write!(text, "; laws"),
        };
        let _ = write!(text, " with {} intervals", level(findings));
    }
    if let Some((_, at)) = scope.point {
        let _ = write!(text, ", predictions for {}", point::in_words(at));
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

/// The columns of a table of such rows. Exponent and R² are those of the power law, and stand where it is what describes
/// the row, or where rows are sorted by it.
pub(crate) fn columns(
    findings: &Findings,
    scope: &Scope<'_>,
    items: &[Item<'_>],
    options: &TableOptions,
) -> Vec<Column> {
    let &TableOptions { by, sort, whole_names, .. } = options;
    let least = (options.terminal_width() * 2 / 5).min(LEAST_NAME_WIDTH);
    let points: Vec<Vec<(f64, f64)>> = items
        .iter()
        .map(|i| {
            let model = scope.model(i.models()).and_then(|model| findings.feature(&model.feature));
            model.map(|feature| rows::points(findings, feature, i.costs())).unwrap_or_default()
        })
        .collect();
    let scale = MiniScale::new(points.iter().map(Vec::as_slice));
    let column = |title: &str, side, room, cell: &dyn Fn(usize, &Item<'_>) -> Cell| Column {
        title: title.to_owned(),
        side,
        room,
        cells: items.iter().enumerate().map(|(i, item)| cell(i, item)).collect(),
    };
    let (name, detail) = match by {
        By::Cluster => ("cluster", ""),
        By::Function => ("function", "begins at"),
        By::Line => ("line", ""),
        By::Block => ("block", ""),
    };
    let at = match scope.point {
        Some((_, at)) if scope.several => point::given(at),
        Some((_, at)) => at.values.first().map(|value| number::size(value.at)).unwrap_or_default(),
        None => String::new(),
    };
    let law = |i: &Item<'_>, cell| {
        let is_shown = |m: &&Model| sort == Sort::Exponent || m.source == Some(Source::PowerLaw);
        cells::of_law(scope.model(i.models()).filter(is_shown), cell)
    };
    vec![
        column("#", Side::Right, Room::Fixed, &|_, i| Cell::styled(i.rank().to_string(), DIM)),
        column(
            name,
            Side::Left,
            if whole_names { Room::Whole(least) } else { Room::Shrinks(least) },
            &|_, i| {
                let name = if whole_names { visible(i.name()).into_owned() } else { i.shown() };
                Cell::styled(name, if i.is_costly() { BOLD } else { PLAIN })
            },
        ),
        column(detail, Side::Left, Room::Goes(3), &|_, i| {
            Cell::plain(shorten(&visible(&i.detail()), DETAIL_WIDTH))
        }),
        column("max cost", Side::Right, Room::Fixed, &|_, i| {
            Cell::plain(cells::aligned(number::count(i.max_cost())))
        }),
        column("share", Side::Right, Room::Goes(6), &|_, i| Cell::plain(number::share(i.share_of_largest()))),
        column("up to", Side::Right, Room::Goes(4), &|_, i| {
            Cell::styled(i.share_of_others().map(number::share).unwrap_or_default(), DIM)
        }),
        column("growth", Side::Left, Room::Goes(13), &|_, i| {
            i.row_law(scope).map_or_else(Cell::default, |law| cells::growth_or_trends(law))
        }),
        column("law", Side::Left, Room::Goes(9), &|_, i| cells::fit(i.row_law(scope))),
        column("exponent", Side::Right, Room::Goes(8), &|_, i| law(i, cells::exponent)),
        column("R²", Side::Right, Room::Goes(7), &|_, i| law(i, cells::r2)),
        column(&format!("cost at {at}"), Side::Right, Room::Goes(2), &|_, i| {
            Cell::plain(
                rows::predicted(i, scope).map(|e| cells::aligned(cells::point(&e))).unwrap_or_default(),
            )
        }),
        column(&format!("at {at}"), Side::Right, Room::Goes(11), &|_, i| {
            rows::predicted(i, scope)
                .map_or_else(Cell::default, |e| Cell::plain(cells::aligned(cells::interval(&e))))
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
    doubts_of_study(out, findings, options);
}

/// Of more warnings than these only those are shown that matter, unless somebody asks for all.
const MOST_DOUBTS: usize = 3;

/// The doubts about the whole study; the verdict has told some.
pub(crate) fn doubts_of_study(out: &mut Lines, findings: &Findings, options: &TableOptions) {
    let told = findings.doubts.iter().filter(|doubt| !matches!(doubt, Doubt::LargestFailed { .. }));
    let (mut shown, mut more) = (Vec::new(), 0);
    for doubt in told {
        if options.all_doubts || doubt.matters() || shown.len() < MOST_DOUBTS {
            shown.push(doubt);
        } else {
            more += 1;
        }
    }
    doubts(out, shown);
    if more > 0 {
        out.paragraph(DIM, &format!("{}; -v shows all.", plural(more, "more warning")));
    }
}

pub(crate) fn doubts<'a>(out: &mut Lines, doubts: impl IntoIterator<Item = &'a Doubt>) {
    for doubt in doubts {
        out.item("warning: ", NOTABLE, &doubt.to_string());
    }
}
