//! Routines by the size of their own input, in the terminal.

use trend_analyze::{Findings, RoutineModel, RoutineRow};

use crate::columns::{Cell, Column, Room, Side, lay_out};
use crate::lines::Lines;
use crate::style::{HEADING, PLAIN};
use crate::table;
use crate::text::{shorten, visible};
use crate::{ReportError, TableOptions, number};

/// As many rows are shown unless somebody asks for more.
const USUAL_ROWS: usize = 20;

/// The costliest routines with the models of their worst, average and best calls.
///
/// # Errors
/// [`ReportError::NoRoutines`] for a study without profiles by input size.
pub fn routine_table(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    if findings.routines.is_empty() {
        return Err(ReportError::NoRoutines);
    }
    let mut out = Lines::new(options.width);
    table::head(&mut out, findings);
    let rows = &findings.routines[..findings.routines.len().min(options.top.unwrap_or(USUAL_ROWS))];
    out.blank();
    out.paragraph(
        PLAIN,
        &format!(
            "Routines by the cost of all their calls; costs {}, {}; n is the size of a call's own input in cells of memory \
             that it read (rms, drms); fits are a + b·n^c.",
            table::unit(findings, None),
            number::legend(&findings.unit)
        ),
    );
    out.blank();
    let cells = |cell: &dyn Fn(&RoutineRow) -> String| rows.iter().map(|r| Cell::plain(cell(r))).collect();
    let column =
        |title: &str, side, room, cells: Vec<Cell>| Column { title: title.to_owned(), side, room, cells };
    let name = |row: &RoutineRow| {
        let context = row.context.as_ref().map(|c| format!(" in {}", visible(c))).unwrap_or_default();
        format!("{}{context}", visible(&row.name))
    };
    let columns = vec![
        column("routine", Side::Left, Room::Shrinks(16), cells(&name)),
        column("size", Side::Left, Room::Goes(1), cells(&|r| r.metric.name().to_owned())),
        column("sizes", Side::Right, Room::Fixed, cells(&|r| r.sizes.to_string())),
        column("calls", Side::Right, Room::Goes(4), cells(&|r| number::count(r.calls))),
        column("cost", Side::Right, Room::Fixed, cells(&|r| number::count(r.sum))),
        column("worst call grows", Side::Left, Room::Fixed, cells(&|r| verdict(&r.worst))),
        column("worst", Side::Left, Room::Goes(5), cells(&|r| fit(&r.worst))),
        column("average", Side::Left, Room::Goes(3), cells(&|r| fit(&r.average))),
        column("best", Side::Left, Room::Goes(2), cells(&|r| fit(&r.best))),
    ];
    out.lines.extend(lay_out(columns, out.width, HEADING));
    let left = findings.routines.len() - rows.len();
    if left > 0 {
        out.blank();
        out.paragraph(PLAIN, &format!("{left} routines more; --top {} shows all.", findings.routines.len()));
    }
    Ok(out.finish())
}

fn verdict(model: &RoutineModel) -> String {
    match &model.model.growth {
        Some(growth) => shorten(&growth.verdict, 32).into_owned(),
        None => "–".to_owned(),
    }
}

fn fit(model: &RoutineModel) -> String {
    model.offset_power.map_or_else(
        || "–".to_owned(),
        |law| {
            let sign = if law.b < 0.0 { '−' } else { '+' };
            format!(
                "{} {sign} {}·n^{}",
                number::significant(law.a, 2),
                number::significant(law.b.abs(), 2),
                number::significant(law.c, 2)
            )
        },
    )
}
