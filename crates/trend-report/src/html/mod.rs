//! One self-contained HTML page that loads nothing, in three layers: a static part, which a reader without scripts or
//! style sheets sees, which prints, and which is painted first; the app, which takes its place; and the data.
//!
//! A `<meta>` Content-Security-Policy allows the page's own script and style sheets by digest and nothing else, so that
//! whatever slipped through the escaping could neither run nor call home.

mod cluster;
mod figures;
mod markup;
mod overview;
mod structure;
mod svg;
mod waiting;

use base64::Engine as _;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};
use trend_analyze::{Cluster, Findings};
use trend_profile::Study;

use crate::page_data::{self, PageOptions};
use crate::{number, table, verdict};
use markup::{message, name, name_width};
pub use waiting::{waiting_page, waiting_page_policy};

/// The style sheets of the static part and of the app.
pub(crate) const STYLES: [&str; 2] =
    [include_str!("../../ui/report.css"), include_str!("../../ui/dist/app.css")];

/// The app, which esbuild made of `ui/src`.
pub(crate) const APP: &str = include_str!("../../ui/dist/app.js");

/// Clusters that get a section of their own; the table names more, the app shows all.
const MOST_SECTIONS: usize = 10;

/// One self-contained HTML page that loads nothing.
///
/// The same findings, study and options give the same bytes. Uses the threads of rayon's current pool.
pub fn html(findings: &Findings, study: &Study, options: &PageOptions<'_>) -> String {
    let all = findings;
    let findings = &*page_data::within_limits(all);
    let packed = page_data::pack(all, findings, study, options);
    let generated_by = options.generated_by;
    let sections = sections(findings);
    let program = name_width(&findings.program.name, 80);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(page_policy(options.served));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(crate::text::visible(generated_by));
                title { (crate::text::shorten(&crate::text::visible(&findings.program.name), 80)) " · how it scales" }
                @for style in STYLES { style { (PreEscaped(style)) } }
            }
            body {
                div #static {
                    header {
                        h1 { "How " (program) " scales" }
                        p.lead { (summary(findings)) }
                    }
                    main {
                        (overview::verdict_list(findings, &sections))
                        (overview::doubts(&findings.doubts))
                        (overview::cluster_table(findings, &sections))
                        @for cluster in &sections { (cluster::section(findings, study, cluster, &sections)) }
                        (overview::function_table(findings))
                        (overview::data(findings))
                        (method(findings, study))
                    }
                    footer { p { "Made by " (message(generated_by)) ". This page is one file and loads nothing." } }
                }
                div #app hidden {}
                script type="module" { (PreEscaped(APP)) }
                template #data { (PreEscaped(packed.data)) }
                @for source in packed.sources { template.source { (PreEscaped(source)) } }
            }
        }
    };
    let mut text = page.into_string();
    text.push('\n');
    text
}

/// The policy of [`html()`]: its own style sheets and script. Images are those that the app draws to be saved; a served page
/// may ask its server.
pub fn page_policy(served: bool) -> String {
    let [report, app] = STYLES.map(digest);
    let connect = if served { "; connect-src 'self'" } else { "" };
    format!(
        "default-src 'none'; script-src {}; style-src {report} {app}; img-src data: blob:{connect}; \
         base-uri 'none'; form-action 'none'",
        digest(APP)
    )
}

/// How a policy names what is written in the page.
fn digest(text: &str) -> String {
    let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!("'sha256-{digest}'")
}

/// The costly clusters, and those that the verdict speaks of.
fn sections(findings: &Findings) -> Vec<&Cluster> {
    let named: Vec<String> = verdict(findings).into_iter().filter_map(|s| s.cluster).collect();
    let wanted = |c: &&Cluster| c.costly || named.contains(&c.representative.name);
    let (mut sections, rest): (Vec<&Cluster>, Vec<&Cluster>) =
        findings.clusters.iter().filter(wanted).partition(|c| named.contains(&c.representative.name));
    // Where there are too many, those that the verdict links to stay.
    sections.extend(rest);
    sections.truncate(MOST_SECTIONS);
    sections.sort_by_key(|c| c.rank);
    sections
}

fn summary(findings: &Findings) -> Markup {
    let failed = findings.workloads.failed;
    html! {
        (table::plural(findings.workloads.count, "workload"))
        @if failed > 0 { " and " strong { (number::size(failed as f64)) " failed" } }
        " · " (table::plural(findings.locations.total, "location")) ", "
        (number::size(findings.locations.varying as f64)) " of them vary · at most "
        (number::in_unit(findings.total.max_cost, &findings.unit)) " in a run"
    }
}

fn method(findings: &Findings, study: &Study) -> Markup {
    html! {
        section #method {
            h2 { "How these numbers are made" }
            p {
                "The program was run on " (table::plural(findings.workloads.count, "workload"))
                " and costs were counted, " (table::unit(findings, Some(study)))
                ". Locations whose counts vary together (R² above " (number::significant(1.0 - findings.alpha, 3))
                " with the cluster’s representative) form a cluster; a location can be in several. A cluster’s cost is "
                "the sum over its locations, and it is costly when it takes more than 2 % of some run."
            }
            p {
                "A power law cost = a · feature" sup { "b" } " is fitted by least squares to the logarithms; workloads "
                "where cost or feature is zero are left out and counted. R² is that of the logarithms. Intervals are "
                (table::level(findings)) ", by " (table::method(findings)) "."
            }
            p {
                "The growth class says which law the costs follow, as a sum of a constant, a lower-order and a leading "
                "term; the support of a class is how probable the data make it against all others. A verdict with a "
                "question mark is not decided: the classes that it names describe the data about equally well. "
                "Predictions come from the class that is decided, from the average by support of those that an undecided "
                "verdict names, or from the power law where there is none. The plots draw that law. "
                "Intervals of predictions carry the doubt between the classes. They are for twice and ten times the 95th percentile "
                "(p95) of the feature and for the sizes that were asked for; beyond the data they hold only as far as "
                "the program goes on as before."
            }
            p {
                "The residual plots show the measured cost as a multiple of the law’s. A hump means a factor "
                "such as log n, a bend at the small end a lower-order term, a fan or a split a feature that is missing."
            }
            dl.settings {
                dt { "seed" } dd { (findings.seed) }
                dt { "α" } dd { (findings.alpha) }
                dt { "level" } dd { (findings.level) }
                dt { "intervals" } dd { (table::method(findings)) }
                dt { "format" } dd { (findings.schema) }
                dt { "suffixes" } dd { (number::legend(&findings.unit)) }
                @if !study.root().is_empty() { dt { "sources" } dd { (name(study.root())) } }
            }
        }
    }
}
