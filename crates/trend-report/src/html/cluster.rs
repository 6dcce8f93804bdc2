//! One cluster's section.

use maud::{Markup, html};
use trend_analyze::{Cluster, Findings, Model, RowLaw, best_model};
use trend_profile::Study;

use super::figures::figures;
use super::markup::{id, interval, message, name, name_width};
use super::overview;
use super::structure::{law_cells, structure};
use crate::cluster_page::source_of;
use crate::model_page::{from, linear, range, sentences};
use crate::rows::{self, Estimate, Item};
use crate::text::{brief, cut};
use crate::{cells, growth, number, table};

/// Members and models that are listed.
const MOST_MEMBERS: usize = 50;
const MOST_MODELS: usize = 20;

/// Source lines are cut at this many columns.
const SOURCE_WIDTH: usize = 120;

pub(super) fn section(
    findings: &Findings,
    study: &Study,
    cluster: &Cluster,
    sections: &[&Cluster],
) -> Markup {
    let item = Item::Cluster(cluster);
    let detail = item.detail();
    let model = best_model(&cluster.models).or(cluster.models.first());
    let id = id(cluster);
    html! {
           section.cluster #(id) {
               h2 {
                   (name(&item.shown()))
                   @if !detail.is_empty() { " " span.detail { (name_width(&detail, 60)) } }
               }
               p.facts {
                   "Rank " (cluster.rank) " · at most " strong { (number::count(cluster.max_cost)) } ", "
    (item.shares()) " · " (table::plural(cluster.members.len(), "location"))
                   @if !cluster.features.is_empty() {
                       " · with "
                       @for feature in cluster.features.iter().take(5) { (name_width(feature, 30)) " " }
                   }
               }
               @if let Some(model) = model {
                   (fit(findings, cluster, model, &id))
               }
               (overtaking(findings, cluster, sections))
               (members(study, cluster))
               (other_models(cluster, model))
           }
       }
}

fn fit(findings: &Findings, cluster: &Cluster, model: &Model, id: &str) -> Markup {
    let at = findings.points.last().and_then(|point| point.value(model.id));
    let law = RowLaw::of(&cluster.models, cluster.joint.as_ref());
    html! {
        @if let Some(law) = law {
            p.model { "cost = " (message(&cells::fit(Some(law)).text)) }
        }
        @if let Some(RowLaw::Joint(joint)) = law {
            p.growth.doubt[!joint.decided] { (message(&crate::structure::joint(joint))) }
        } @else if let Some(verdict) = &model.growth {
            p.growth.decided[verdict.decided].doubt[!verdict.decided] { (growth::cell(verdict)) }
            @for sentence in growth::sentences(model, range(findings, model), at) { p { (message(&sentence)) } }
        }
        @if !matches!(law, Some(RowLaw::Joint(_))) {
            @for sentence in sentences(findings, model) { p { (message(&sentence)) } }
            (overview::doubt_list(&model.doubts))
        }
        (figures(findings, &cluster.costs, law.unwrap_or(RowLaw::Of(model)), id))
        (predictions(findings, model))
        (structure(cluster, model))
    }
}

fn predictions(findings: &Findings, model: &Model) -> Markup {
    let largest =
        findings.feature(&model.feature).and_then(|i| findings.features[i].max).filter(|m| *m > 0.0);
    html! {
        @if !model.predictions.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Predictions" {
                table.small {
                    caption { "Predictions" }
                    thead { tr {
                        th.number scope="col" { (name_width(&model.feature, 20)) }
                        th.number scope="col" { "of the largest run" }
                        th.number scope="col" { "cost" }
                        th.number scope="col" { (table::level(findings)) " interval" }
                        th scope="col" { "from" }
                    } }
                    tbody {
                        @for p in model.predictions.iter().take(MOST_MODELS) {
                            @let estimate = Estimate::from(p);
                            tr {
                                td.number { (number::size(p.at)) @if p.asked { " (asked)" } }
                                td.number { @if let Some(max) = largest { (number::significant(p.at / max, 2)) " ×" } }
                                td.number { (cells::point(&estimate)) }
                                td.number { @if estimate.ci.is_some() { (interval(&estimate)) } @else { span.doubt { "none" } } }
                                td { (from(model, p.source)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn overtaking(findings: &Findings, cluster: &Cluster, sections: &[&Cluster]) -> Markup {
    let link = |rank: usize, title: &str| {
        let (target, title) = (sections.iter().find(|c| c.rank == rank), brief(title, 60));
        html! { @if let Some(c) = target { a href={ "#" (id(c)) } { bdi { (title) } } } @else { bdi { (title) } } }
    };
    let own = &cluster.representative.name;
    let passed_by: Vec<_> = findings
        .clusters
        .iter()
        .flat_map(|c| c.overtakes.iter().map(move |o| (c, o)))
        .filter(|(_, o)| o.cluster == *own)
        .take(MOST_MODELS)
        .collect();
    let at = |o: &trend_analyze::Overtaking| {
        html! { " at about " (name_width(&o.feature, 30)) " = " (number::size(number::two_digits(o.at))) }
    };
    html! {
        @if !cluster.overtakes.is_empty() || !passed_by.is_empty() {
            ul.overtaking {
                @for o in cluster.overtakes.iter().take(MOST_MODELS) {
                    li { "Passes rank " (o.rank) ", " (link(o.rank, rows::passed(findings, o))) (at(o)) }
                }
                @for (c, o) in passed_by {
                    li { "Is passed by rank " (c.rank) ", " (link(c.rank, &c.title)) (at(o)) }
                }
            }
        }
    }
}

fn members(study: &Study, cluster: &Cluster) -> Markup {
    let has_source = cluster.members.iter().take(MOST_MEMBERS).any(|m| study.source(&m.file).is_some());
    let left_out = cluster.members.len().saturating_sub(MOST_MEMBERS);
    html! {
        @if !cluster.members.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Locations" {
                table.members {
                    caption { "Locations" }
                    thead { tr {
                        th.number scope="col" { "max cost" }
                        th scope="col" { "location" }
                        th scope="col" { "function" }
                        @if has_source { th scope="col" { "source" } }
                    } }
                    tbody {
                        @for member in cluster.members.iter().take(MOST_MEMBERS) {
                            tr {
                                td.number { (number::count(member.max_cost)) }
                                td {
                                    (name_width(&member.name, 60))
                                    @if member.unstable { " " span.doubt { "unstable" } }
                                }
                                td { (name_width(&member.function, 50)) }
                                @if has_source { td.source { @if let Some(line) = source_of(Some(study), member) {
                                    code { bdi { (cut(line.trim_start(), SOURCE_WIDTH)) } }
                                } } }
                            }
                        }
                    }
                }
            }
            @if left_out > 0 {
                p.note { (table::plural(left_out, "more location")) " of lower cost not listed." }
            }
        }
    }
}

/// The linear models, and the models in other features.
fn other_models(cluster: &Cluster, shown: Option<&Model>) -> Markup {
    let others: Vec<&Model> =
        cluster.models.iter().filter(|m| shown.is_none_or(|s| s.feature != m.feature)).collect();
    let lines: Vec<&Model> = cluster.models.iter().filter(|m| m.linear.is_some()).collect();
    html! {
        @if !others.is_empty() || !lines.is_empty() {
            details {
                summary { "Other models" }
                @if !others.is_empty() {
                    div.scroll tabindex="0" role="region" aria-label="Models in other features" {
                        table.small {
                            thead { tr {
                                th scope="col" { "feature" } th scope="col" { "growth" } th scope="col" { "fit" }
                                th scope="col" { "exponent" } th.number scope="col" { "R²" }
                            } }
                            tbody {
                                @for model in others.iter().take(MOST_MODELS) {
                                    tr {
                                        th scope="row" { (name_width(&model.feature, 30)) }
                                        (law_cells(model.growth.as_ref(), model.power_law.as_ref(), &model.feature))
                                    }
                                }
                            }
                        }
                    }
                }
                ul {
                    @for model in lines.iter().take(MOST_MODELS) { li { "linear: " (message(&linear(model))) } }
                }
            }
        }
    }
}
