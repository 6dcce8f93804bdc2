//! The figures of a cluster: cost with the law of the predictions, and the residuals about it.

use std::fmt::Write as _;

use maud::{Markup, html};
use trend_analyze::{Findings, Prediction, RowLaw};

use super::svg::{Frame, HEIGHT, SPOT, WIDTH, at_x, at_y, c, curve, dots};
use crate::axis::Axis;
use crate::curve::{Drawn, Picture};
use crate::rows;
use crate::text::{shorten, visible};
use crate::{number, table};

/// Both figures; nothing where there are no points.
pub(super) fn figures(findings: &Findings, costs: &[u64], law: RowLaw<'_>, id: &str) -> Markup {
    let picture = match law {
        RowLaw::Of(model) => Picture::new(findings, costs, model),
        RowLaw::Joint(joint) => Picture::of_joint(findings, costs, joint),
    };
    let Some(picture) = picture else { return html! {} };
    html! { div.plots { (fit(findings, &picture, id)) (residuals(&picture, id)) } }
}

/// Measured costs, the law through them and dashed beyond, and the predictions with the interval.
fn fit(findings: &Findings, picture: &Picture<'_>, id: &str) -> Markup {
    let frame = Frame { x: picture.x_axis(5), y: picture.y_axis(6) };
    let (least, greatest) = picture.range();
    let furthest = picture.furthest();
    let draw = |law: Option<&Drawn>, from: f64, to: f64| {
        let law = law.filter(|_| from < to)?;
        curve(from, to, |x| frame.place(x, law.cost(x)?))
    };
    let second = picture.second(&frame.y);
    let caption = format!("{id}-fit");
    let feature = shorten(&visible(&picture.over), 40).into_owned();
    html! {
        figure {
            svg role="img" aria-labelledby=(caption) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT) {
                (frame.axes(&feature, "cost"))
                @if let Some(ribbon) = ribbon(&frame, picture) {
                    path.ribbon d=(ribbon) fill="currentColor" fill-opacity="0.15" stroke="none" {}
                }
                @if let Some(d) = draw(second.as_ref(), least, furthest) {
                    path.second d=(d) fill="none" stroke="currentColor" stroke-width="1" stroke-dasharray="2 3" {}
                }
                @if let Some(d) = draw(picture.law.as_ref(), least, greatest) {
                    path.fit d=(d) fill="none" stroke="currentColor" stroke-width="2" {}
                }
                @if let Some(d) = draw(picture.law.as_ref(), greatest, furthest) {
                    path.fit d=(d) fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="6 5" {}
                }
                path.points d=(dots(picture.points.iter().filter_map(|p| frame.place(p.0, p.1)), SPOT)) fill="none"
                    stroke="currentColor" stroke-width="6" stroke-linecap="round" {}
                @for p in &picture.predictions { (prediction(&frame, p)) }
            }
            figcaption #(caption) { bdi { (summary(findings, picture, &feature, second.as_ref())) } }
        }
    }
}

/// A diamond, and its interval with ends where these are inside of the frame.
fn prediction(frame: &Frame, p: &Prediction) -> Markup {
    let Some((x, y)) = frame.place(p.at, p.cost) else { return html! {} };
    let ends = p.ci.filter(rows::is_finite).map(|ci| ci.map(|end| frame.y.nearest(end).map(at_y)));
    html! {
        @if let Some([Some(lo), Some(hi)]) = ends {
            path.interval d={ "M" (c(x - 5.0)) " " (c(lo)) "h10M" (c(x)) " " (c(lo)) "V" (c(hi)) "M"
                (c(x - 5.0)) " " (c(hi)) "h10" } fill="none" stroke="currentColor" stroke-width="1.5" {}
        }
        path.prediction d={ "M" (c(x)) " " (c(y - 5.5)) "l5.5 5.5l-5.5 5.5l-5.5 -5.5z" } fill="none"
            stroke="currentColor" stroke-width="1.5" {}
    }
}

/// The interval as a band, cut at the frame.
fn ribbon(frame: &Frame, picture: &Picture<'_>) -> Option<String> {
    let corner =
        |x: f64, y: f64| Some(format!("{} {}", c(at_x(frame.x.position(x)?)), c(at_y(frame.y.nearest(y)?))));
    let ends: Vec<(String, String)> =
        picture.ribbon.iter().filter_map(|&(x, [lo, hi])| Some((corner(x, lo)?, corner(x, hi)?))).collect();
    if ends.len() < 2 {
        return None;
    }
    let around = ends.iter().map(|e| e.1.as_str()).chain(ends.iter().rev().map(|e| e.0.as_str()));
    Some(format!("M{}z", around.collect::<Vec<_>>().join("L")))
}

fn summary(findings: &Findings, picture: &Picture<'_>, feature: &str, second: Option<&Drawn>) -> String {
    let (least, greatest) = picture.range();
    let mut text = format!(
        "Cost (dots) of {} with {feature} from {} to {}, both axes logarithmic",
        table::plural(picture.points.len(), "workload"),
        number::size(least),
        number::size(greatest)
    );
    let predicted = !picture.predictions.is_empty();
    match &picture.law {
        Some(law) => {
            let line = if predicted { "line, dashed beyond the data" } else { "line" };
            let _ = write!(text, "; the fit ({line}) is {}", law.words);
        }
        None => text += "; there is no fit",
    }
    if let Some(law) = second {
        let _ = write!(text, "; the thin dotted line is the {}", law.words);
    }
    if predicted {
        text += "; diamonds are predictions";
    }
    if !picture.ribbon.is_empty() {
        let _ = write!(text, "; the band is the {} interval", table::level(findings));
    }
    text + "."
}

/// The measured cost as a multiple of the law's, over the feature.
fn residuals(picture: &Picture<'_>, id: &str) -> Markup {
    let mut residuals = picture.residuals();
    residuals.retain(|r| r.1.is_finite());
    if residuals.is_empty() {
        return html! {};
    }
    let frame = Frame {
        x: Axis::logarithmic(residuals.iter().map(|r| r.0), 5),
        y: Axis::residuals(residuals.iter().map(|r| r.1)),
    };
    let most = residuals.iter().fold(0.0, |most: f64, r| most.max(r.1.abs()));
    let caption = format!("{id}-residuals");
    let feature = shorten(&visible(&picture.over), 40).into_owned();
    let law = picture.law.as_ref().map(|law| law.words.clone()).unwrap_or_default();
    html! {
        figure {
            svg role="img" aria-labelledby=(caption) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT) {
                (frame.axes(&feature, "measured ÷ law"))
                path.fit d={ "M" (c(at_x(0.0))) " " (c(at_y(0.5))) "H" (c(at_x(1.0))) } fill="none"
                    stroke="currentColor" stroke-width="2" {}
                path.points d=(dots(residuals.iter().filter_map(|r| frame.place(r.0, r.1)), SPOT)) fill="none"
                    stroke="currentColor" stroke-width="6" stroke-linecap="round" {}
            }
            figcaption #(caption) { bdi {
                "Residuals: the measured cost as a multiple of the law (" (law) "), over " (feature)
                "; it is off by at most " (off_by(most)) "."
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
