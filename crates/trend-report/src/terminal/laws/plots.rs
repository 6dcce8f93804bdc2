//! Draws the plot on a row's page in a terminal: cost over a feature.

use trend_analyze::{Findings, RowLaw};

use super::curve::Picture;
use crate::layout::braille::{Layer, plot};
use crate::layout::document::Document;
use crate::layout::style::{self, DIM};
use crate::layout::text::shorten;
use crate::words::study;

/// Maximum width of a plot in columns; wider plots show no more detail.
const PLOT_COLUMNS: usize = 72;
const FIT_ROWS: usize = 14;

/// Maximum number of points that are drawn as characters. More points are drawn as braille dots.
const FEW_POINTS: usize = 150;

/// Columns reserved for the labels of the y axis.
const GUTTER: usize = 12;

const POINT: char = '•';
const PREDICTION: char = '◇';

/// Draws the costs over the model's feature, with the law of the predictions.
pub(crate) fn plots(out: &mut Document, findings: &Findings, costs: &[u64], law: RowLaw<'_>) {
    let picture = match law {
        RowLaw::Of(model) => Picture::new(findings, costs, model),
        RowLaw::Joint(joint) => Picture::of_joint(findings, costs, joint),
    };
    if let Some(picture) = picture {
        drawn(out, findings, &picture, "Cost");
    }
}

/// Adds a plot with its caption and legend. `cost` names the cost, as in `Cost of the worst call`.
pub(crate) fn drawn(out: &mut Document, findings: &Findings, picture: &Picture<'_>, cost: &str) {
    let columns = out.width.saturating_sub(GUTTER).min(PLOT_COLUMNS);
    let feature = shorten(&picture.over, 40).into_owned();
    let caption = format!("{cost} over {feature}, both logarithmic");
    out.plot(&caption, fit(picture, columns), &legend(findings, picture));
    out.blank();
}

fn fit(picture: &Picture<'_>, columns: usize) -> Vec<String> {
    let x = picture.x_axis((columns / 10).max(2));
    let y = picture.y_axis(FIT_ROWS / 3);
    let layer = |marker, style| Layer::new(columns, FIT_ROWS, marker, style);
    let is_few = picture.points.len() <= FEW_POINTS;
    let mut points = layer(is_few.then_some(POINT), style::POINTS);
    let mut predictions = layer(Some(PREDICTION), style::LINE);
    let mut curve = layer(None, style::LINE);
    let mut ribbon = layer(None, DIM);
    for &(px, py) in &picture.points {
        if let (Some(px), Some(py)) = (x.position(px), y.position(py)) {
            points.canvas.dot(px, py);
        }
    }
    for p in &picture.predictions {
        if let (Some(px), Some(py)) = (x.position(p.at), y.position(p.cost)) {
            predictions.canvas.dot(px, py);
        }
    }
    let place = |px: f64| y.position(picture.law.as_ref()?.cost(x.value(px))?);
    for px in curve.canvas.xs() {
        if let Some(py) = place(px) {
            curve.canvas.dot(px, py);
        }
        if let Some([lo, hi]) = picture.interval_at(x.value(px))
            && let (Some(lo), Some(hi)) = (y.nearest(lo), y.nearest(hi))
        {
            ribbon.canvas.shade(px, lo, hi);
        }
    }
    plot(&[points, predictions, curve, ribbon], &x, &y, DIM)
}

fn legend(findings: &Findings, picture: &Picture<'_>) -> String {
    let Some(law) = &picture.law else { return String::new() };
    let mut parts = vec![format!("line: {}", law.words)];
    if !picture.predictions.is_empty() {
        parts.push(format!("{PREDICTION} predictions"));
    }
    if !picture.ribbon.is_empty() {
        parts.push(format!("shaded: {} interval", study::level(findings)));
    }
    format!("{}.", parts.join("; "))
}
