//! Plots as SVG. A series is one `<path>` of points with round caps, however many there are.
//!
//! Colours are classes of the style sheet; the attributes besides draw the same in the text's
//! colour where no style sheet is allowed.

use std::fmt::Write as _;

use maud::{Markup, html};
use trend_analyze::{Findings, Model};

use crate::axis::Axis;
use crate::curve::Picture;

/// A figure's size in its own units; it scales to the width that there is.
pub(super) const WIDTH: f64 = 460.0;
pub(super) const HEIGHT: f64 = 330.0;

/// Room for the labels.
const LEFT: f64 = 66.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 48.0;

/// A mini plot's size and margin.
const MINI: (f64, f64, f64) = (96.0, 30.0, 4.0);

/// Points of a figure that are nearer to each other than this look like one.
pub(super) const SPOT: f64 = 0.5;
const MINI_SPOT: f64 = 1.0;

/// Bars of a histogram.
const BARS: usize = 12;

pub(super) fn at_x(position: f64) -> f64 {
    LEFT + position * (WIDTH - LEFT - RIGHT)
}

pub(super) fn at_y(position: f64) -> f64 {
    HEIGHT - BOTTOM - position * (HEIGHT - TOP - BOTTOM)
}

/// From values to coordinates.
pub(super) struct Frame {
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Frame {
    /// `None` for what lies outside.
    pub(super) fn place(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some((at_x(self.x.position(x)?), at_y(self.y.position(y)?)))
    }

    pub(super) fn axes(&self, x_title: &str, y_title: &str) -> Markup {
        let (x0, x1, y0, y1) = (at_x(0.0), at_x(1.0), at_y(0.0), at_y(1.0));
        html! {
            @for tick in &self.x.ticks {
                @let x = at_x(tick.position);
                path.grid d={ "M" (c(x)) " " (c(y0)) "V" (c(y1)) } stroke="currentColor" stroke-opacity="0.15" fill="none" {}
                text x=(c(inside(x, &tick.label))) y=(c(y0 + 18.0)) text-anchor="middle" font-size="13" fill="currentColor" { (tick.label) }
            }
            @for tick in &self.y.ticks {
                @let y = at_y(tick.position);
                path.grid d={ "M" (c(x0)) " " (c(y)) "H" (c(x1)) } stroke="currentColor" stroke-opacity="0.15" fill="none" {}
                text x=(c(x0 - 7.0)) y=(c(y + 4.5)) text-anchor="end" font-size="13" fill="currentColor" { (tick.label) }
            }
            path.axis d={ "M" (c(x0)) " " (c(y1)) "V" (c(y0)) "H" (c(x1)) } stroke="currentColor" fill="none" {}
            text.title x=(c(f64::midpoint(x0, x1))) y=(c(HEIGHT - 8.0)) text-anchor="middle" font-size="13"
                fill="currentColor" { (x_title) }
            text.title x="0" y="12" font-size="13" fill="currentColor" { (y_title) }
        }
    }
}

/// Where a label's middle has to be for the whole of it to be inside the drawing.
fn inside(x: f64, label: &str) -> f64 {
    /// Half of a digit at the largest font size that the style sheet uses.
    const HALF_DIGIT: f64 = 4.5;
    let half = crate::text::width(label) as f64 * HALF_DIGIT;
    x.min(WIDTH - half).max(half)
}

/// A coordinate.
pub(super) fn c(value: f64) -> String {
    format!("{value:.1}")
}

/// Points as one path; those that fall on the same spot, of a size in the drawing's units, are drawn once.
pub(super) fn dots(points: impl Iterator<Item = (f64, f64)>, spot: f64) -> String {
    let mut spots: Vec<(i64, i64)> =
        points.map(|(x, y)| ((x / spot).round() as i64, (y / spot).round() as i64)).collect();
    spots.sort_unstable();
    spots.dedup();
    let mut path = String::new();
    for (x, y) in spots {
        let _ = write!(path, "M{} {}h0", x as f64 * spot, y as f64 * spot);
    }
    path
}

/// A curve through what is inside of the frame, from one feature value to another.
pub(super) fn curve(from: f64, to: f64, place: impl Fn(f64) -> Option<(f64, f64)>) -> Option<String> {
    const STEPS: u32 = 64;
    let (lo, hi) = (from.ln(), to.ln());
    let inside = |i: u32| place((lo + (hi - lo) * f64::from(i) / f64::from(STEPS)).exp());
    let mut path = String::new();
    for (x, y) in (0..=STEPS).filter_map(inside) {
        let _ = write!(path, "{}{} {}", if path.is_empty() { "M" } else { "L" }, c(x), c(y));
    }
    (!path.is_empty()).then_some(path)
}

/// Points and fit without axes, for a table's cell.
///
/// Its height stands for `decades` of cost, so that the slopes of a table's rows can be compared.
pub(super) fn mini(findings: &Findings, costs: &[u64], model: Option<&Model>, decades: f64) -> Markup {
    let Some(picture) = model.and_then(|model| Picture::new(findings, costs, model)) else { return html! {} };
    let points = &picture.points;
    let (width, height, margin) = MINI;
    let x = Axis::logarithmic(points.iter().map(|p| p.0), 2);
    let least = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let y = Axis::logarithmic([least, least * 10_f64.powf(decades)].into_iter(), 2);
    let place = |px: f64, py: f64| {
        let (px, py) = (x.position(px)?, y.position(py)?);
        Some((margin + px * (width - 2.0 * margin), height - margin - py * (height - 2.0 * margin)))
    };
    let fit =
        picture.law.as_ref().and_then(|law| curve(x.value(0.0), x.value(1.0), |px| place(px, law.cost(px)?)));
    html! {
        svg.mini aria-hidden="true" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            @if let Some(d) = fit { path.fit d=(d) fill="none" stroke="currentColor" {} }
            path.points d=(dots(points.iter().filter_map(|p| place(p.0, p.1)), MINI_SPOT)) fill="none" stroke="currentColor"
                stroke-width="2.2" stroke-linecap="round" {}
        }
    }
}

/// The greatest growth of any row in powers of ten, and at least a factor of ten.
pub(super) fn decades<'a>(rows: impl Iterator<Item = &'a [u64]>) -> f64 {
    let growth = |costs: &[u64]| {
        let positive = || costs.iter().copied().filter(|c| *c > 0);
        let (least, most) = (positive().min()?, positive().max()?);
        Some((most as f64 / least as f64).log10())
    };
    rows.filter_map(growth).fold(1.0, f64::max)
}

/// How the workloads spread over a feature, in logarithms.
pub(super) fn histogram(values: &[f64]) -> Markup {
    let positive: Vec<f64> = values.iter().copied().filter(|v| *v > 0.0 && v.is_finite()).collect();
    if positive.is_empty() {
        return html! {};
    }
    let (width, height, margin) = MINI;
    let axis = Axis::logarithmic(positive.iter().copied(), 2);
    let mut bars = [0_usize; BARS];
    for position in positive.iter().filter_map(|&v| axis.position(v)) {
        bars[((position * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    let most = bars.iter().copied().max().unwrap_or(1).max(1) as f64;
    let step = (width - 2.0 * margin) / BARS as f64;
    let mut path = String::new();
    for (i, &bar) in bars.iter().enumerate().filter(|(_, bar)| **bar > 0) {
        let x = margin + (i as f64 + 0.5) * step;
        let top = height - margin - bar as f64 / most * (height - 2.0 * margin);
        let _ = write!(path, "M{} {}V{}", c(x), c(height - margin), c(top));
    }
    html! {
        svg.mini aria-hidden="true" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            path.bars d=(path) fill="none" stroke="currentColor" stroke-width=(c(step - 1.5)) {}
        }
    }
}
