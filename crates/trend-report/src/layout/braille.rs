//! Draws plots with braille dots for a terminal.
//!
//! A braille character is a grid of 2 × 4 dots:
//!
//! ```text
//! 1 4      bits 0 3
//! 2 5           1 4
//! 3 6           2 5
//! 7 8           6 7
//! ```

use anstyle::Style;

use super::axis::Axis;
use super::style::paint;
use super::text;

/// Bit numbers of a character's dots, by `[column][row from the top]`.
const DOTS: [[u8; 4]; 2] = [[0, 1, 2, 6], [3, 4, 5, 7]];

/// A grid of dots.
pub(crate) struct Canvas {
    columns: usize,
    rows: usize,
    /// Bits of the characters: `[rows × columns]`, row-major.
    cells: Vec<u8>,
}

impl Canvas {
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![0; columns * rows] }
    }

    /// Sets a dot. The coordinates are between 0 and 1, from the lower left.
    pub(crate) fn dot(&mut self, x: f64, y: f64) {
        let column = (x * (self.columns * 2 - 1) as f64).round() as usize;
        let row = ((1.0 - y) * (self.rows * 4 - 1) as f64).round() as usize;
        if let Some(cell) = self.cells.get_mut(row / 4 * self.columns + column / 2) {
            *cell |= 1 << DOTS[column % 2][row % 4];
        }
    }

    /// Sets every fourth dot between two heights, so that an area looks shaded.
    pub(crate) fn shade(&mut self, x: f64, lo: f64, hi: f64) {
        let column = (x * (self.columns * 2 - 1) as f64).round() as usize;
        let row = |y: f64| ((1.0 - y) * (self.rows * 4 - 1) as f64).round() as usize;
        let sparse = (row(hi)..=row(lo)).filter(|row| (column + 2 * row).is_multiple_of(4));
        for row in sparse {
            self.dot(x, 1.0 - row as f64 / (self.rows * 4 - 1) as f64);
        }
    }

    /// Returns the x coordinates of the columns of dots.
    pub(crate) fn xs(&self) -> impl Iterator<Item = f64> + use<> {
        let last = (self.columns * 2 - 1) as f64;
        (0..self.columns * 2).map(move |i| i as f64 / last)
    }

    /// Returns the character of a cell, or `None` if no dot is set.
    fn character(&self, row: usize, column: usize) -> Option<char> {
        let bits = self.cells[row * self.columns + column];
        if bits == 0 { None } else { char::from_u32(0x2800 + u32::from(bits)) }
    }
}

/// A layer of a plot: dots, or a marker character in every cell that has dots. Markers distinguish layers without
/// colours.
pub(crate) struct Layer {
    pub(crate) canvas: Canvas,
    pub(crate) marker: Option<char>,
    pub(crate) style: Style,
}

impl Layer {
    pub(crate) fn new(columns: usize, rows: usize, marker: Option<char>, style: Style) -> Self {
        Self { canvas: Canvas::new(columns, rows), marker, style }
    }
}

/// Returns the lines of a plot: the layers, uppermost first, in a frame with ticks, and the x axis below.
///
/// A character has the colour of its uppermost layer, because a terminal colours whole characters. If that layer has no
/// marker, the character still contains the dots of the other layers.
pub(crate) fn plot(layers: &[Layer], x: &Axis, y: &Axis, frame: Style) -> Vec<String> {
    let (columns, rows) = layers.first().map_or((0, 0), |l| (l.canvas.columns, l.canvas.rows));
    let row_of = |position: f64| ((1.0 - position) * (rows - 1) as f64).round() as usize;
    let labels: Vec<Option<&str>> = (0..rows)
        .map(|row| y.ticks.iter().find(|t| row_of(t.position) == row).map(|t| t.label.as_str()))
        .collect();
    let gutter = labels.iter().flatten().map(|l| text::width(l)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (row, label) in labels.iter().enumerate() {
        let label = label.unwrap_or_default();
        let tick = if label.is_empty() { '│' } else { '┤' };
        let side = format!("{}{label} {tick}", text::padding(label, gutter));
        let mut shown = paint(frame, &side);
        for column in 0..columns {
            shown += &character(layers, row, column);
        }
        lines.push(shown.trim_end().to_owned());
    }
    lines.extend(x_axis(columns, gutter, x).into_iter().map(|l| paint(frame, &l)));
    lines
}

/// Returns one character of a plot, in its colour.
fn character(layers: &[Layer], row: usize, column: usize) -> String {
    let mut set = layers.iter().filter_map(|l| Some((l, l.canvas.character(row, column)?))).peekable();
    let Some(&(top, first)) = set.peek() else { return " ".to_owned() };
    if let Some(marker) = top.marker {
        return paint(top.style, &marker.to_string());
    }
    let all = set.filter(|(l, _)| l.marker.is_none()).fold(0, |all, (_, c)| all | u32::from(c));
    paint(top.style, &char::from_u32(all).unwrap_or(first).to_string())
}

/// Returns the axis below a plot, and its labels.
fn x_axis(columns: usize, gutter: usize, x: &Axis) -> [String; 2] {
    let mut frame: Vec<char> = vec!['─'; columns];
    let mut labels = String::new();
    for tick in &x.ticks {
        let column = (tick.position * (columns - 1) as f64).round() as usize;
        let width = text::width(&tick.label);
        let start = column.saturating_sub(width / 2).min(columns.saturating_sub(width));
        let taken = text::width(&labels);
        if width <= columns && (taken == 0 || start > taken) {
            labels += &" ".repeat(start - taken);
            labels += &tick.label;
            frame[column] = '┬';
        }
    }
    let indent = " ".repeat(gutter + 2);
    let corner = format!("{}└", " ".repeat(gutter + 1));
    [corner + &frame.into_iter().collect::<String>(), indent + &labels]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_has_its_place_in_the_character() {
        let mut canvas = Canvas::new(1, 1);
        canvas.dot(0.0, 0.0);
        canvas.dot(1.0, 1.0);
        assert_eq!(canvas.character(0, 0), Some('⡈'));
    }
}
