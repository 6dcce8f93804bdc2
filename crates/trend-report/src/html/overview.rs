//! What stands before and after the clusters' own sections: verdict, warnings, tables, data.

use maud::{Markup, html};
use trend_analyze::{Cluster, Doubt, FeatureSummary, Findings};

use super::markup::{id, interval, message, name, name_text, name_width};
use super::svg;
use crate::rows::{self, Item, Scope};
use crate::{By, StatementKind, cells, growth, number, point, table, verdict};

/// Rows of a table.
const MOST_ROWS: usize = 20;

/// Failed workloads, features and warnings that are listed.
const MOST_LISTED: usize = 50;

/// Warnings that are shown without being asked for; those that matter come first.
const MOST_SHOWN: usize = 3;

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
                        @if let Some(cluster) = target { " " a.more href={ "#" (id(cluster)) } aria-label={ "details of " (name_text(&cluster.title)) } { "details" } }
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
pub(super) fn doubts(doubts: &[Doubt]) -> Markup {
    html! {
        @if !doubts.is_empty() {
            section #warnings {
                h2 { "Warnings" }
                (doubt_list(doubts))
            }
        }
    }
}

pub(super) fn doubt_list(doubts: &[Doubt]) -> Markup {
    html! {
        @if !doubts.is_empty() {
            ul.warnings {
                @for doubt in doubts.iter().take(MOST_SHOWN) { li { (message(&doubt.to_string())) } }
            }
            @if doubts.len() > MOST_SHOWN {
                details {
                    summary { (table::plural(doubts.len() - MOST_SHOWN, "more warning")) }
                    ul.warnings {
                        @for doubt in doubts.iter().take(MOST_LISTED).skip(MOST_SHOWN) { li { (message(&doubt.to_string())) } }
                        @if doubts.len() > MOST_LISTED { li { "and " (doubts.len() - MOST_LISTED) " more" } }
                    }
                }
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
                            a href={ "#" (id(cluster)) } { (name(&item.shown())) }
                        } @else { (name(&item.shown())) }
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
                (ranking(findings, &items, "Functions by maximum cost", |item| name(&item.shown())))
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
    let scope = Scope::of_page(findings);
    let prediction = html! {
        @if let Some((_, at)) = scope.point { "at " (message(&point::in_words(at))) } @else { "prediction" }
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
                        th scope="col" { "law" }
                        th.number scope="col" { (prediction) }
                    }
                }
                tbody {
                    @for item in items {
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
                            td { (svg::mini(findings, item.costs(), scope.model(item.models()), decades)) }
                            (law_cells(item, &scope))
                        }
                    }
                }
            }
        }
    }
}

/// Growth, law and prediction; an undecided class looks like a doubt.
fn law_cells(item: &Item<'_>, scope: &Scope<'_>) -> Markup {
    let Some(law) = item.row_law(scope) else { return html! { td.doubt colspan="3" { "no model" } } };
    let is_open = law.law().is_some_and(|law| law.is_undecided());
    html! {
        td { span.growth.doubt[is_open] { bdi { (growth::of_law(law)) } } }
        td { bdi { (cells::fit(Some(law)).text) } }
        td.number { @if let Some(estimate) = rows::predicted(item, scope) { (interval(&estimate)) } }
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
                        li {
                            (name(&failure.name)) ": " (message(&failure.reason))
                            @if !failure.stderr_tail.trim().is_empty() { pre { (message(failure.stderr_tail.trim())) } }
                        }
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
