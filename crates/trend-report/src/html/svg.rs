//! Plots as SVG. A series is one `<path>` of points with round caps, however many there are.
//!
//! Colours are classes of the style sheet; the attributes besides draw the same in the text's
//! colour where no style sheet is allowed.

use std::fmt::Write as _;

use maud::{Markup, html};
use trend_analyze::{Findings, Model, PowerLawModel};

use crate::axis::Axis;
use crate::cluster_page::tick_cost;
use crate::rows;
use crate::text::shorten;
use crate::{number, table};

/// The drawing's size in its own units; it scales to the width that there is.
const WIDTH: f64 = 460.0;
const FIT_HEIGHT: f64 = 330.0;
const RESIDUAL_HEIGHT: f64 = 330.0;

/// Room for the labels.
const LEFT: f64 = 66.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 48.0;

/// A mini plot's size and margin.
const MINI: (f64, f64, f64) = (96.0, 30.0, 4.0);

/// Bars of a histogram.
const BARS: usize = 12;

fn at_x(position: f64) -> f64 {
    LEFT + position * (WIDTH - LEFT - RIGHT)
}

/// From values to coordinates.
struct Frame {
    x: Axis,
    y: Axis,
    height: f64,
}

impl Frame {
    fn at_y(&self, position: f64) -> f64 {
        self.height - BOTTOM - position * (self.height - TOP - BOTTOM)
    }

    /// `None` for what lies outside.
    fn place(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some((at_x(self.x.position(x)?), self.at_y(self.y.position(y)?)))
    }

    fn axes(&self, x_title: &str, y_title: &str) -> Markup {
        let (x0, x1, y0, y1) = (at_x(0.0), at_x(1.0), self.at_y(0.0), self.at_y(1.0));
        html! {
            @for tick in &self.x.ticks {
                @let x = at_x(tick.position);
                path.grid d={ "M" (c(x)) " " (c(y0)) "V" (c(y1)) } stroke="currentColor" stroke-opacity="0.15" fill="none" {}
                text x=(c(inside(x, &tick.label))) y=(c(y0 + 18.0)) text-anchor="middle" font-size="13" fill="currentColor" { (tick.label) }
            }
            @for tick in &self.y.ticks {
                @let y = self.at_y(tick.position);
                path.grid d={ "M" (c(x0)) " " (c(y)) "H" (c(x1)) } stroke="currentColor" stroke-opacity="0.15" fill="none" {}
                text x=(c(x0 - 7.0)) y=(c(y + 4.5)) text-anchor="end" font-size="13" fill="currentColor" { (tick.label) }
            }
            path.axis d={ "M" (c(x0)) " " (c(y1)) "V" (c(y0)) "H" (c(x1)) } stroke="currentColor" fill="none" {}
            text.title x=(c(f64::midpoint(x0, x1))) y=(c(self.height - 8.0)) text-anchor="middle" font-size="13"
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
fn c(value: f64) -> String {
    format!("{value:.1}")
}

/// Points as one path; those that fall on the same spot are drawn once.
fn dots(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut spots: Vec<(i64, i64)> =
        points.map(|(x, y)| ((x * 10.0).round() as i64, (y * 10.0).round() as i64)).collect();
    spots.sort_unstable();
    spots.dedup();
    let mut path = String::new();
    for (x, y) in spots {
        let _ = write!(path, "M{} {}h0", c(x as f64 / 10.0), c(y as f64 / 10.0));
    }
    path
}

/// A straight line in logarithms between two feature values, cut at the frame.
fn line(frame: &Frame, law: &PowerLawModel, from: f64, to: f64) -> Option<String> {
    const STEPS: u32 = 64;
    let (lo, hi) = (from.log10(), to.log10());
    let inside = |i: u32| {
        let x = 10_f64.powf(lo + (hi - lo) * f64::from(i) / f64::from(STEPS));
        frame.place(x, rows::evaluate(law, x))
    };
    let mut places = (0..=STEPS).filter_map(inside);
    let first = places.next()?;
    let last = places.next_back()?;
    Some(format!("M{} {}L{} {}", c(first.0), c(first.1), c(last.0), c(last.1)))
}

fn usable(findings: &Findings, costs: &[u64], model: &Model) -> Vec<(f64, f64)> {
    let Some(feature) = findings.feature(&model.feature) else { return Vec::new() };
    let points = rows::points(findings, feature, costs).into_iter();
    points.filter(|p| p.0 > 0.0 && p.0.is_finite() && p.1 > 0.0).collect()
}

fn range(points: &[(f64, f64)]) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, 0.0), |(lo, hi): (f64, f64), p| (lo.min(p.0), hi.max(p.0)))
}

/// Measured costs, the fit through them and dashed beyond, and the predictions with their intervals.
pub(super) fn fit_figure(findings: &Findings, costs: &[u64], model: &Model, id: &str) -> Markup {
    let points = usable(findings, costs, model);
    if points.is_empty() {
        return html! {};
    }
    let predictions: Vec<_> = model.predictions.iter().filter(|p| p.at > 0.0 && p.cost > 0.0).collect();
    let xs = points.iter().map(|p| p.0).chain(predictions.iter().map(|p| p.at));
    let intervals = predictions.iter().filter_map(|p| p.ci.filter(rows::is_finite)).flatten();
    let ys = points.iter().map(|p| p.1).chain(predictions.iter().map(|p| p.cost)).chain(intervals);
    let frame = Frame {
        x: Axis::logarithmic(xs, 5, number::size),
        y: Axis::logarithmic(ys, 6, tick_cost),
        height: FIT_HEIGHT,
    };
    let (least, greatest) = range(&points);
    let furthest = predictions.iter().map(|p| p.at).fold(greatest, f64::max);
    let law = model.power_law.as_ref();
    let (fitted, beyond) = (
        law.and_then(|law| line(&frame, law, least, greatest)),
        law.filter(|_| furthest > greatest).and_then(|law| line(&frame, law, greatest, furthest)),
    );
    let caption = format!("{id}-fit");
    let feature = shorten(&crate::text::visible(&model.feature), 40).into_owned();
    html! {
        figure {
            svg role="img" aria-labelledby=(caption) viewBox={ "0 0 " (WIDTH) " " (FIT_HEIGHT) } width=(WIDTH) height=(FIT_HEIGHT) {
                (frame.axes(&feature, "cost"))
                @if let Some(ribbon) = ribbon(&frame, &predictions) {
                    path.ribbon d=(ribbon) fill="currentColor" fill-opacity="0.15" stroke="none" {}
                }
                @if let Some(d) = fitted { path.fit d=(d) fill="none" stroke="currentColor" stroke-width="2" {} }
                @if let Some(d) = beyond {
                    path.fit d=(d) fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="6 5" {}
                }
                path.points d=(dots(points.iter().filter_map(|p| frame.place(p.0, p.1)))) fill="none"
                    stroke="currentColor" stroke-width="6" stroke-linecap="round" {}
                @for p in &predictions {
                    @if let Some((x, y)) = frame.place(p.at, p.cost) {
                        @if let Some([lo, hi]) = p.ci.filter(rows::is_finite)
                            && let (Some(lo), Some(hi)) = (frame.place(p.at, lo), frame.place(p.at, hi)) {
                            path.interval d={ "M" (c(x - 5.0)) " " (c(lo.1)) "h10M" (c(x)) " " (c(lo.1)) "V" (c(hi.1)) "M"
                                (c(x - 5.0)) " " (c(hi.1)) "h10" } fill="none" stroke="currentColor" stroke-width="1.5" {}
                        }
                        path.prediction d={ "M" (c(x)) " " (c(y - 5.5)) "l5.5 5.5l-5.5 5.5l-5.5 -5.5z" } fill="none"
                            stroke="currentColor" stroke-width="1.5" {}
                    }
                }
            }
            figcaption #(caption) { bdi { (fit_summary(&points, model, &feature, !predictions.is_empty())) } }
        }
    }
}

/// The interval between predictions: a band between the ends that are known.
fn ribbon(frame: &Frame, predictions: &[&trend_analyze::Prediction]) -> Option<String> {
    let ends: Vec<((f64, f64), (f64, f64))> = predictions
        .iter()
        .filter_map(|p| {
            let [lo, hi] = p.ci.filter(rows::is_finite)?;
            Some((frame.place(p.at, lo)?, frame.place(p.at, hi)?))
        })
        .collect();
    if ends.len() < 2 {
        return None;
    }
    let around = ends.iter().map(|e| e.1).chain(ends.iter().rev().map(|e| e.0));
    let corners: Vec<String> = around.map(|(x, y)| format!("{} {}", c(x), c(y))).collect();
    Some(format!("M{}z", corners.join("L")))
}

fn fit_summary(points: &[(f64, f64)], model: &Model, feature: &str, predicted: bool) -> String {
    let (least, greatest) = range(points);
    let mut text = format!(
        "Cost (dots) of {} with {feature} from {} to {}, both axes logarithmic",
        table::plural(points.len(), "workload"),
        number::size(least),
        number::size(greatest)
    );
    match &model.power_law {
        Some(law) => {
            let line = if predicted { "line, dashed beyond the data" } else { "line" };
            let fit = table::formula(law, &model.feature);
            let _ = write!(text, "; the fit ({line}) is {fit} with R² {}", number::r2(law.r2));
        }
        None => text += "; there is no fit",
    }
    if predicted {
        text += "; diamonds are predictions with their intervals";
    }
    text + "."
}

/// The model's cost as a multiple of the measured, over the feature.
pub(super) fn residual_figure(findings: &Findings, costs: &[u64], model: &Model, id: &str) -> Markup {
    let (points, Some(law)) = (usable(findings, costs, model), &model.power_law) else { return html! {} };
    let residuals: Vec<(f64, f64)> = points
        .iter()
        .map(|&(x, y)| (x, rows::evaluate(law, x).ln() - y.ln()))
        .filter(|r| r.1.is_finite())
        .collect();
    if residuals.is_empty() {
        return html! {};
    }
    let frame = Frame {
        x: Axis::logarithmic(residuals.iter().map(|r| r.0), 5, number::size),
        y: Axis::residuals(residuals.iter().map(|r| r.1)),
        height: RESIDUAL_HEIGHT,
    };
    let most = residuals.iter().fold(0.0, |most: f64, r| most.max(r.1.abs()));
    let caption = format!("{id}-residuals");
    let feature = shorten(&crate::text::visible(&model.feature), 40).into_owned();
    html! {
        figure {
            svg role="img" aria-labelledby=(caption) viewBox={ "0 0 " (WIDTH) " " (RESIDUAL_HEIGHT) } width=(WIDTH)
                height=(RESIDUAL_HEIGHT) {
                (frame.axes(&feature, "model ÷ measured"))
                path.fit d={ "M" (c(at_x(0.0))) " " (c(frame.at_y(0.5))) "H" (c(at_x(1.0))) } fill="none"
                    stroke="currentColor" stroke-width="2" {}
                path.points d=(dots(residuals.iter().filter_map(|r| frame.place(r.0, r.1)))) fill="none"
                    stroke="currentColor" stroke-width="6" stroke-linecap="round" {}
            }
            figcaption #(caption) { bdi {
                "Residuals: the model’s cost as a multiple of the measured, over " (feature) "; it is off by at most "
                (off_by(most)) "."
            } }
        }
    }
}

/// A residual as a person says it: `0.25 %` or `a factor of 3.1`.
fn off_by(residual: f64) -> String {
    let factor = residual.exp();
    if factor < 1.5 {
        format!("{} %", number::significant(residual.exp_m1() * 100.0, 2))
    } else {
        format!("a factor of {}", number::significant(factor, 2))
    }
}

/// Points and fit without axes, for a table's cell.
///
/// Its height stands for `decades` of cost, so that the slopes of a table's rows can be compared.
pub(super) fn mini(
    findings: &Findings,
    costs: &[u64],
    fitted: Option<(&Model, &PowerLawModel)>,
    decades: f64,
) -> Markup {
    let Some((model, law)) = fitted else { return html! {} };
    let points = usable(findings, costs, model);
    if points.is_empty() {
        return html! {};
    }
    let (width, height, margin) = MINI;
    let x = Axis::logarithmic(points.iter().map(|p| p.0), 2, number::size);
    let least = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let y = Axis::logarithmic([least, least * 10_f64.powf(decades)].into_iter(), 2, number::size);
    let place = |px: f64, py: f64| {
        let (px, py) = (x.position(px)?, y.position(py)?);
        Some((margin + px * (width - 2.0 * margin), height - margin - py * (height - 2.0 * margin)))
    };
    let steps = (0..=32).map(|i| x.value(f64::from(i) / 32.0));
    let mut fit = steps.filter_map(|px| place(px, rows::evaluate(law, px)));
    let (first, last) = (fit.next(), fit.next_back());
    html! {
        svg.mini aria-hidden="true" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            @if let (Some(first), Some(last)) = (first, last) {
                path.fit d={ "M" (c(first.0)) " " (c(first.1)) "L" (c(last.0)) " " (c(last.1)) } fill="none" stroke="currentColor" {}
            }
            path.points d=(dots(points.iter().filter_map(|p| place(p.0, p.1)))) fill="none" stroke="currentColor"
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
    let axis = Axis::logarithmic(positive.iter().copied(), 2, number::size);
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
