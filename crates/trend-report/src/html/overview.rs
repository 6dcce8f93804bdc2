//! What stands before and after the clusters' own sections: verdict, warnings, tables, data.

use maud::{Markup, html};
use trend_analyze::{Cluster, FeatureSummary, Findings, GrowthModel, Model, PowerLawModel};
use trend_profile::Warning;

use super::markup::{exponent, formula, id, interval, message, name, name_text, name_width, r2};
use super::svg;
use crate::rows::{self, Item};
use crate::verdict::best_model;
use crate::{By, StatementKind, growth, number, table, verdict};

/// Rows of a table.
const MOST_ROWS: usize = 20;

/// Failed workloads, features and warnings that are listed.
const MOST_LISTED: usize = 50;

pub(super) fn verdict_list(findings: &Findings, sections: &[&Cluster]) -> Markup {
    html! {
        section #verdict {
            h2 { "Verdict" }
            ul.verdict {
                @for statement in verdict(findings) {
                    @let (class, label) = kind(statement.kind);
                    @let target = sections.iter().find(|c| Some(&c.representative.name) == statement.cluster.as_ref());
                    li class=(class) {
                        span.label { (label) ":" } " "
                        span { (message(&statement.text)) }
                        @if let Some(cluster) = target { " " a.more href={ "#" (id(cluster)) } aria-label={ "details of " (name_text(&cluster.representative.name)) } { "details" } }
                    }
                }
            }
        }
    }
}

fn kind(kind: StatementKind) -> (&'static str, &'static str) {
    match kind {
        StatementKind::Dominates => ("dominates", "Costliest"),
        StatementKind::Grows => ("grows", "Growing"),
        StatementKind::Steady => ("steady", "Steady"),
        StatementKind::Overtakes => ("overtakes", "Overtaking"),
        StatementKind::Doubtful => ("doubtful", "Doubtful"),
    }
}

/// Doubts about the study as a whole.
pub(super) fn warnings(warnings: &[Warning]) -> Markup {
    html! {
        @if !warnings.is_empty() {
            section #warnings {
                h2 { "Warnings" }
                (warning_list(warnings))
            }
        }
    }
}

pub(super) fn warning_list(warnings: &[Warning]) -> Markup {
    html! {
        @if !warnings.is_empty() {
            ul.warnings {
                @for warning in warnings.iter().take(MOST_LISTED) { li { (message(&warning.message)) } }
                @if warnings.len() > MOST_LISTED { li { "and " (warnings.len() - MOST_LISTED) " more" } }
            }
        }
    }
}

pub(super) fn cluster_table(findings: &Findings, sections: &[&Cluster]) -> Markup {
    let items: Vec<Item<'_>> = findings.clusters.iter().take(MOST_ROWS).map(Item::Cluster).collect();
    let costly = findings.clusters.iter().filter(|c| c.costly).count();
    html! {
        section #clusters {
            h2 { "Clusters" }
            p {
                "Locations whose costs vary together, by their greatest cost in a run. "
                (table::plural(costly, "cluster")) " of " (findings.clusters.len()) " ever took more than 2 % of a run. Shares are of the costliest run."
            }
            @if !items.is_empty() {
                (ranking(findings, &items, "Clusters by maximum cost", |item| {
                    let Item::Cluster(cluster) = item else { return html! {} };
                    html! {
                        @if sections.iter().any(|c| c.rank == cluster.rank) {
                            a href={ "#" (id(cluster)) } { (name(item.name())) }
                        } @else { (name(item.name())) }
                    }
                }))
            }
            @if findings.clusters.len() > items.len() {
                p.note { (findings.clusters.len() - items.len()) " more clusters are not listed." }
            }
        }
    }
}

pub(super) fn function_table(findings: &Findings) -> Markup {
    let items = findings.functions.iter().enumerate().take(MOST_ROWS);
    let items: Vec<Item<'_>> =
        items.map(|(i, row)| Item::Row { rank: i + 1, row, by: By::Function }).collect();
    html! {
        @if !items.is_empty() {
            section #functions {
                h2 { "Functions" }
                p { "The cost of a function’s own blocks, without that of the functions it calls." }
                (ranking(findings, &items, "Functions by maximum cost", |item| name(item.name())))
                @if findings.functions.len() > items.len() {
                    p.note { (findings.functions.len() - items.len()) " more functions are not listed." }
                }
            }
        }
    }
}

/// One row per item, each by the feature that explains it best.
fn ranking(
    findings: &Findings,
    items: &[Item<'_>],
    caption: &str,
    title: impl Fn(&Item<'_>) -> Markup,
) -> Markup {
    let prediction = html! {
        @if let [FeatureSummary { name: feature, p95: Some(p95), .. }] = findings.features.as_slice() {
            "at " (name_width(feature, 16)) " = " (number::size(p95 * 10.0))
        } @else { "at 10 × p95" }
    };
    let decades = svg::decades(items.iter().map(Item::costs));
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.ranking {
                caption.hidden { (caption) }
                thead {
                    tr {
                        th.number scope="col" { "#" }
                        th scope="col" { "where" }
                        th.number scope="col" { "max cost" }
                        th.number scope="col" title="of the costliest run; where another has a far greater one, that below" { "share" }
                        th scope="col" { "plot" }
                        th scope="col" { "growth" }
                        th scope="col" { "fit" }
                        th scope="col" { "exponent, " (table::level(findings)) }
                        th.number scope="col" { "R²" }
                        th.number scope="col" { (prediction) }
                    }
                }
                tbody {
                    @for item in items {
                        @let fitted = best_model(item.models());
                        tr class=[item.is_costly().then_some("costly")] {
                            td.number { (item.rank()) }
                            th.where scope="row" {
                                span.place { (title(item)) }
                                @let detail = item.detail();
                                @if !detail.is_empty() { " " span.detail { (name_width(&detail, 60)) } }
                            }
                            td.number { (number::count(item.max_cost())) }
                            td.number {
                                (number::share(item.share_of_largest()))
                                @if let Some(most) = item.share_of_others() {
                                    br; span.detail { "up to " (number::share(most)) }
                                }
                            }
                            td { (svg::mini(findings, item.costs(), fitted.map(|f| f.0), decades)) }
                            (fit_cells(findings, fitted))
                        }
                    }
                }
            }
        }
    }
}

/// The class with its formula; an undecided one looks like a doubt, with the rivals' formulas.
fn growth_cell(verdict: &GrowthModel, feature: &str) -> Markup {
    html! {
        @if let Some(class) = verdict.decided_class() {
            strong.growth { (growth::cell(verdict)) } " " span.detail { bdi { (growth::formula(class, feature)) } }
        } @else {
            span.growth.doubt { (growth::cell(verdict)) }
        }
    }
}

fn fit_cells(findings: &Findings, fitted: Option<(&Model, &PowerLawModel)>) -> Markup {
    let Some((model, law)) = fitted else { return html! { td.doubt colspan="5" { "no model" } } };
    let p95 = findings.feature(&model.feature).and_then(|i| findings.features[i].p95);
    let estimate = p95.and_then(|p95| rows::estimate(model, p95 * 10.0));
    html! {
        td {
            @if let Some(trends) = growth::mark(model) { strong.growth.doubt { (trends) } }
            @else if let Some(verdict) = &model.growth { (growth_cell(verdict, &model.feature)) }
        }
        td { (formula(law, &model.feature)) }
        td { (exponent(law)) }
        td.number { (r2(law)) }
        td.number { @if let Some(estimate) = estimate { (interval(&estimate)) } }
    }
}

/// The runs and the features: whether the data can carry what is said above.
pub(super) fn data(findings: &Findings) -> Markup {
    let failures = &findings.workloads.failures;
    html! {
        section #runs {
            h2 { "Data" }
            p { (super::summary(findings)) "." }
            @if findings.locations.unstable > 0 {
                p {
                    (table::plural(findings.locations.unstable, "location"))
                    " counted differently when a workload was run again."
                }
            }
            @if !findings.features.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Features" {
                    table {
                        caption.hidden { "Features" }
                        thead {
                            tr {
                                th scope="col" { "feature" } th scope="col" { "values" }
                                th.number scope="col" { "from" } th.number scope="col" { "p95" }
                                th.number scope="col" { "to" } th.number scope="col" { "decades" }
                                th scope="col" { "remarks" }
                            }
                        }
                        tbody {
                            @for (i, feature) in findings.features.iter().enumerate().take(MOST_LISTED) {
                                (feature_row(findings, i, feature))
                            }
                        }
                    }
                }
            }
            @if !failures.is_empty() {
                h3 { "Runs without counts" }
                ul {
                    @for failure in failures.iter().take(MOST_LISTED) {
                        li { (name(&failure.name)) ": " (message(&failure.reason)) }
                    }
                    @if failures.len() > MOST_LISTED { li { "and " (failures.len() - MOST_LISTED) " more" } }
                }
            }
        }
    }
}

fn feature_row(findings: &Findings, index: usize, feature: &FeatureSummary) -> Markup {
    let size = |value: Option<f64>| value.map(number::size).unwrap_or_default();
    let values: Vec<f64> =
        findings.feature_values.get(index).into_iter().flatten().filter_map(|v| *v).collect();
    html! {
        tr {
            th scope="row" { (name(&feature.name)) }
            td { (svg::histogram(&values)) }
            td.number { (size(feature.min)) }
            td.number { (size(feature.p95)) }
            td.number { (size(feature.max)) }
            td.number { (table::decades(feature).map(|d| format!("{d:.1}")).unwrap_or_default()) }
            td {
                @if feature.missing > 0 { span.doubt { (feature.missing) " missing" } " " }
                @if feature.not_positive > 0 { span.doubt { (feature.not_positive) " not positive" } " " }
                @if let Some(joins) = &feature.joins { "linear in " (name(joins)) }
            }
        }
    }
}
