//! Columns and legend of a table of clusters, lines or blocks, and of functions in one of several features or by
//! exponent.

use trend_analyze::{Outlook, PowerLawModel, RowLaw, Source};

use crate::layout::columns::{Cell, Column, Columns, Room};
use crate::layout::document::Document;
use crate::layout::number;
use crate::layout::style::{BOLD, DIM, DOUBTFUL, NOTABLE, PLAIN};
use crate::layout::text::{shorten, visible};
use crate::options::{By, Sort, TableOptions};
use crate::rows::item::{self, FLAGS, Item};
use crate::rows::scope::Scope;
use crate::words::{cells, point};

/// Minimum width of names on a wide terminal, before other columns get room. On narrower terminals it is two fifths of
/// the width.
pub(crate) const LEAST_NAME_WIDTH: usize = 40;

/// Maximum width of the detail after a name.
const DETAIL_WIDTH: usize = 28;

/// Returns the columns of a table of rows. Exponent and R² belong to the power law. They are shown only if it is the
/// row's law, or if rows are sorted by exponent.
pub(crate) fn columns(scope: &Scope<'_>, items: &[Item<'_>], options: &TableOptions) -> Vec<Column> {
    let &TableOptions { by, sort, whole_names, .. } = options;
    let least = (options.terminal_width() * 2 / 5).min(LEAST_NAME_WIDTH);
    let detail = if by == By::Function { "begins at" } else { "" };
    let at = target(scope);
    let law = |i: &Item<'_>, cell: fn(&PowerLawModel) -> Cell| {
        let is_law = matches!(i.row_law(scope), Some(RowLaw::Of(m)) if m.source == Some(Source::PowerLaw));
        let shown = scope.model(i.fits).filter(|_| is_law || sort == Sort::Exponent)?;
        Some(cell(shown.power_law.as_ref()?))
    };
    let named = |i: &Item<'_>| {
        let name = if whole_names { visible(i.name).into_owned() } else { i.shown() };
        Cell::styled(name, if i.is_costly { BOLD } else { PLAIN })
    };
    let up_to = |i: &Item<'_>| Some(Cell::styled(number::share(i.share_of_others()?), DIM));
    let predicted =
        |i: &Item<'_>, cell: fn(&Outlook) -> String| Some(cells::aligned(cell(&item::predicted(i, scope)?)));
    // The column by which rows are sorted is kept longest, together with the names.
    let is_of_then = sort == Sort::Predicted;
    let rank = |i: usize, item: &Item<'_>| match (item.rank, i + 1) {
        (now, then) if is_of_then && now != then => {
            Cell::styled(format!("{now} → {then}"), if then < now { NOTABLE } else { PLAIN })
        }
        (now, _) => Cell::styled(now.to_string(), DIM),
    };
    let (now, then, interval) = if is_of_then {
        (Room::Goes(3), Room::Fixed, Room::Goes(1))
    } else {
        (Room::Fixed, Room::Goes(13), Room::Goes(4))
    };
    Columns::new(items)
        .numbered("#", rank)
        .left(by.noun(), if whole_names { Room::Whole(least) } else { Room::Shrinks(least) }, named)
        .left(detail, Room::Goes(12), |i| shorten(&visible(&i.detail()), DETAIL_WIDTH).into_owned())
        .right("max cost", now, |i| cells::aligned(number::count(i.max_cost)))
        .right("share", Room::Goes(9), |i| number::share(i.share))
        .right("up to", Room::Goes(11), up_to)
        .left("growth", Room::Goes(2), |i| i.row_law(scope).map(cells::growth_or_trends))
        .left("law", Room::Goes(6), |i| cells::fit(i.row_law(scope)))
        .right("exponent", Room::Goes(7), |i| law(i, cells::exponent))
        .right("R²", Room::Goes(8), |i| law(i, cells::r2))
        .right(&format!("cost at {at}"), then, |i| predicted(i, cells::point))
        .right(&format!("at {at}"), interval, |i| predicted(i, cells::interval))
        .right("blocks", Room::Goes(14), |i| i.cluster().map(|c| c.members.len().to_string()))
        .left("", Room::Goes(5), |i| Cell::styled(i.flags(scope), DOUBTFUL))
        .columns
}

/// Returns the target of the predictions for a heading; empty if there is none.
pub(crate) fn target(scope: &Scope<'_>) -> String {
    match scope.point {
        Some((_, at)) if scope.several => point::given(at),
        Some((_, at)) => at.values.first().map(point::value).unwrap_or_default(),
        None => String::new(),
    }
}

/// Writes the meaning of the flags that the rows use.
pub(crate) fn legend(out: &mut Document, shown: &[Item<'_>], scope: &Scope<'_>) {
    let used: String = shown.iter().map(|i| i.flags(scope)).collect();
    let meanings = FLAGS.iter().filter(|(flag, _)| used.contains(*flag));
    let meanings: Vec<String> = meanings.map(|(flag, meaning)| format!("{flag} {meaning}")).collect();
    if !meanings.is_empty() {
        out.paragraph(DIM, &format!("{}.", meanings.join("; ")));
    }
}
