//! What one curve over one feature cannot say: several features, two trends, entries and cost per entry, and the runs
//! that would tell more.

use maud::{Markup, html};
use trend_analyze::{Cluster, Decomposition, Factor, GrowthModel, Model, PowerLawModel, Split, Trend};

use super::markup::{exponent, formula, message, name_width, r2};
use crate::{growth, number, structure};

/// Trends that are listed.
const MOST_TRENDS: usize = 4;

/// All that there is for a cluster, by the model that it is shown with.
pub(super) fn structure(cluster: &Cluster, model: &Model) -> Markup {
    html! {
        @if let Some(split) = &model.split { (trends(split, model)) }
        @if let Some(parts) = &cluster.decomposition { (decomposition(parts, &model.feature)) }
        @if let Some(next) = &model.next { p.next { span.label { "Next runs:" } " " (message(&next.message)) } }
    }
}

fn trends(split: &Split, model: &Model) -> Markup {
    let workloads = |trend: &Trend| {
        html! { (trend.workloads.len()) " such as " (name_width(&structure::some_workloads(trend), 80)) }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Trends" {
            table.small {
                caption { (message(&structure::split(split, &model.feature))) }
                thead { tr {
                    th.number scope="col" { "trend" }
                    (law_heads())
                    th scope="col" { "workloads" }
                } }
                tbody {
                    @for (i, trend) in split.trends.iter().enumerate().take(MOST_TRENDS) {
                        tr {
                            td.number { (i + 1) }
                            (law_cells(trend.growth.as_ref(), trend.power_law.as_ref(), &model.feature))
                            td { (workloads(trend)) }
                        }
                    }
                }
            }
        }
    }
}

fn decomposition(parts: &Decomposition, feature: &str) -> Markup {
    let Some(sentence) = structure::decomposition(parts, feature) else { return html! {} };
    let row = |title: &str, factor: &Factor| {
        let model = factor.models.iter().find(|m| m.feature == feature);
        html! {
            tr {
                th scope="row" { (title) }
                td.number { (number::cost(factor.max, 3)) }
                (law_cells(
                    model.and_then(|m| m.growth.as_ref()),
                    model.and_then(|m| m.power_law.as_ref()),
                    feature,
                ))
            }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Entries and cost per entry" {
            table.small {
                caption { (message(&sentence)) }
                thead { tr {
                    th scope="col" { (name_width(&parts.file, 40)) @if parts.line > 0 { ":" (parts.line) } }
                    th.number scope="col" { "at most" }
                    (law_heads())
                } }
                tbody { (row("entries", &parts.entries)) (row("cost per entry", &parts.per_entry)) }
            }
        }
    }
}

fn law_heads() -> Markup {
    html! {
        th scope="col" { "growth" }
        th scope="col" { "fit" }
        th scope="col" { "exponent" }
        th.number scope="col" { "R²" }
    }
}

/// A growth class and a power law; undecided classes look like a doubt.
pub(super) fn law_cells(verdict: Option<&GrowthModel>, law: Option<&PowerLawModel>, feature: &str) -> Markup {
    html! {
        td { @if let Some(verdict) = verdict {
            span.doubt[!verdict.decided] { (growth::cell(verdict)) }
        } }
        @if let Some(law) = law {
            td { (formula(law, feature)) } td { (exponent(law)) } td.number { (r2(law)) }
        } @else { td.doubt colspan="3" { "no power law" } }
    }
}
