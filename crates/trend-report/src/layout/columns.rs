//! Lays out tables for a terminal: columns are dropped and names shortened until no line is too wide.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::Style;

use super::text;

/// Maximum width of a line, because wider ones are hard to read. JSON and CSV have names of any length.
pub(crate) const WIDEST: usize = 160;

/// Number of spaces between columns.
const GAP: usize = 2;

/// One cell of a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// Text that [`text::visible`] has already made harmless.
    pub(crate) text: String,
    pub(crate) style: Style,
}

impl Cell {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new() }
    }

    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

/// Alignment of a column's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Behaviour of a column when there is too little room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// The column stays at its full width.
    Fixed,
    /// The column stays, and names are shortened to no less than this width.
    Shrinks(usize),
    /// The column stays, and text is cut at the end to no less than this width. For formulas, whose leading terms
    /// matter most.
    Cut(usize),
    /// The column stays at its full width, and the table may grow up to [`WIDEST`] for it. If even that is too narrow,
    /// it is shortened to no less than this width.
    Whole(usize),
    /// Like [`Room::Whole`], but text is cut at the end, for formulas.
    WholeCut(usize),
    /// The column may be dropped; the one with the largest number is dropped first.
    Goes(u32),
}

/// A column: its heading, its cells, and its behaviour when there is too little room.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) title: String,
    pub(crate) side: Side,
    pub(crate) room: Room,
    pub(crate) cells: Vec<Cell>,
}

/// Builder for the columns of a table over some rows.
pub(crate) struct Columns<'a, T> {
    rows: &'a [T],
    pub(crate) columns: Vec<Column>,
}

impl<'a, T> Columns<'a, T> {
    pub(crate) fn new(rows: &'a [T]) -> Self {
        Self { rows, columns: Vec::new() }
    }

    pub(crate) fn left<C: Into<Cell>>(self, title: &str, room: Room, cell: impl Fn(&T) -> C) -> Self {
        self.with(title, Side::Left, room, cell)
    }

    pub(crate) fn right<C: Into<Cell>>(self, title: &str, room: Room, cell: impl Fn(&T) -> C) -> Self {
        self.with(title, Side::Right, room, cell)
    }

    /// Adds a column of numbers that is never dropped. The cell is made from the row's index and the row.
    pub(crate) fn numbered(mut self, title: &str, cell: impl Fn(usize, &T) -> Cell) -> Self {
        let cells = self.rows.iter().enumerate().map(|(i, row)| cell(i, row)).collect();
        self.columns.push(Column { title: title.to_owned(), side: Side::Right, room: Room::Fixed, cells });
        self
    }

    fn with<C: Into<Cell>>(mut self, title: &str, side: Side, room: Room, cell: impl Fn(&T) -> C) -> Self {
        let cells = self.rows.iter().map(|row| cell(row).into()).collect();
        self.columns.push(Column { title: title.to_owned(), side, room, cells });
        self
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, style: Style::new() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Cow<'_, str>> for Cell {
    fn from(text: Cow<'_, str>) -> Self {
        text.into_owned().into()
    }
}

/// Turns an absent value into an empty cell.
impl<C: Into<Self>> From<Option<C>> for Cell {
    fn from(cell: Option<C>) -> Self {
        cell.map(Into::into).unwrap_or_default()
    }
}

/// Returns the columns that are not empty, for outputs of unlimited width.
pub(crate) fn for_reading(columns: &[Column]) -> Vec<&Column> {
    columns.iter().filter(|c| !c.is_empty()).collect()
}

impl Column {
    fn natural_width(&self) -> usize {
        self.cells.iter().map(|c| text::width(&c.text)).chain([text::width(&self.title)]).max().unwrap_or(0)
    }

    fn is_empty(&self) -> bool {
        self.cells.iter().all(|c| c.text.trim().is_empty())
    }
}

/// Returns the table's lines, heading first, without trailing spaces. No line is wider than `width` or, if a column is
/// [`Room::Whole`] or [`Room::WholeCut`], than [`WIDEST`].
pub(crate) fn lay_out(columns: Vec<Column>, width: usize, heading: Style) -> Vec<String> {
    let mut columns: Vec<Column> = columns.into_iter().filter(|c| !c.is_empty()).collect();
    while needed(&columns, least_width) > width {
        let goes = |c: &Column| match c.room {
            Room::Goes(order) => Some(order),
            Room::Fixed | Room::Shrinks(_) | Room::Cut(_) | Room::Whole(_) | Room::WholeCut(_) => None,
        };
        let Some(first) = columns.iter().filter_map(goes).max() else { break };
        columns.retain(|c| goes(c) != Some(first));
    }
    let whole = columns.iter().filter(|c| matches!(c.room, Room::Whole(_) | Room::WholeCut(_)));
    let more = whole.map(|c| c.natural_width() - least_width(c)).sum::<usize>();
    let width = width.max(WIDEST.min(width + more));
    let widths = widths(&columns, width);
    let rows = columns.first().map_or(0, |c| c.cells.len());
    let titles: Vec<Cell> = columns.iter().map(|c| Cell::styled(c.title.as_str(), heading)).collect();
    let mut lines = vec![line(&columns, &widths, width, |i| &titles[i])];
    lines.extend((0..rows).map(|row| line(&columns, &widths, width, |i| &columns[i].cells[row])));
    lines
}

fn least_width(column: &Column) -> usize {
    match column.room {
        Room::Shrinks(least) | Room::Cut(least) | Room::Whole(least) | Room::WholeCut(least) => {
            column.natural_width().min(least)
        }
        Room::Fixed | Room::Goes(_) => column.natural_width(),
    }
}

fn needed(columns: &[Column], width: impl Fn(&Column) -> usize) -> usize {
    columns.iter().map(width).sum::<usize>() + GAP * columns.len().saturating_sub(1)
}

/// Returns the columns' widths. The room that is left over goes to the shortened columns, in their order.
fn widths(columns: &[Column], width: usize) -> Vec<usize> {
    let mut left = width.saturating_sub(needed(columns, least_width));
    let fitted = |column: &Column| {
        let least = least_width(column);
        let more = (column.natural_width() - least).min(left);
        left -= more;
        least + more
    };
    columns.iter().map(fitted).collect()
}

fn line<'a>(columns: &[Column], widths: &[usize], width: usize, cell: impl Fn(usize) -> &'a Cell) -> String {
    let mut shown = String::new();
    // Spaces are written only when text follows them.
    let mut spaces = 0;
    let mut used = 0;
    for (i, (column, &columns_wide)) in columns.iter().zip(widths).enumerate() {
        let cell = cell(i);
        // The room is smaller than the column only if even the least widths do not fit.
        let room = columns_wide.min(width.saturating_sub(used + spaces));
        let text = match column.room {
            Room::Cut(_) | Room::WholeCut(_) => text::cut(&cell.text, room),
            _ => text::shorten(&cell.text, room),
        };
        let padding = columns_wide.saturating_sub(text::width(&text));
        let (before, after) = match column.side {
            Side::Left => (0, padding),
            Side::Right => (padding, 0),
        };
        spaces += before;
        if !text.trim().is_empty() && used + spaces + text::width(&text) <= width {
            shown += &" ".repeat(spaces);
            used += spaces + text::width(&text);
            let style = cell.style;
            let trimmed = text.trim_end();
            let _ = write!(shown, "{style}{trimmed}{style:#}");
            spaces = text::width(&text) - text::width(trimmed);
            used -= spaces;
        } else {
            spaces += text::width(&text);
        }
        spaces += after + GAP;
    }
    shown
}
