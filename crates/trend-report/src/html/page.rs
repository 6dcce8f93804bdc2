//! Writes one self-contained HTML page that loads nothing. It has three layers: a static part, the app that replaces
//! it, and the data. The static part is painted first, is printed, and needs neither scripts nor style sheets.
//!
//! A `<meta>` Content-Security-Policy allows only the page's own script and style sheets, by digest. Anything that
//! slipped through the escaping could neither run nor contact a server.

use maud::{DOCTYPE, PreEscaped, html};
use trend_analyze::Findings;
use trend_profile::Study;

use super::assets::{APP, MODULE, STYLES, digest};
use super::markup::{self, message, name, name_text};
use crate::diff;
use crate::html::page_data::block::{self, PageOptions};
use crate::html::page_data::compare::PageComparison;
use crate::html::page_data::{limits, packed};
use crate::layout::document::Document;
use crate::layout::style::DIM;
use crate::options::{By, TableOptions};
use crate::rows::scope::Scope;
use crate::rows::selection;
use crate::terminal::tables::{rows, table};
use crate::words::study;

/// Maximum number of rows in a static table; the app shows all.
const MOST_ROWS: usize = 20;

/// Returns one self-contained HTML page that loads nothing.
///
/// The same findings, study and options give the same bytes. This function uses the threads of rayon's current pool.
pub fn html(findings: &Findings, study: &Study, options: &PageOptions<'_>) -> String {
    let all = findings;
    let findings = &*limits::within_limits(all);
    let packed = block::pack(all, findings, study, options);
    let generated_by = options.generated_by;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(page_policy(options.served));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(crate::layout::text::visible(generated_by));
                title { (name_text(&findings.program.name)) " · how it scales" }
                @for style in STYLES { style { (PreEscaped(style)) } }
            }
            body {
                div #static {
                    header { h1 { "How " (name(&findings.program.name)) " scales" } }
                    main { (markup::of_document(&without_scripts(findings, study, options.comparison))) }
                    footer { p { "Made by " (message(generated_by)) ". This page is one file and loads nothing." } }
                }
                div #app hidden {}
                script type="module" { (PreEscaped(APP)) }
                template #module { (PreEscaped(packed::gzip_base64(MODULE))) }
                template #data { (PreEscaped(packed.data)) }
                @for source in packed.sources { template.source { (PreEscaped(source)) } }
            }
        }
    };
    let mut text = page.into_string();
    text.push('\n');
    text
}

/// Returns the Content-Security-Policy of [`html()`], which allows its own style sheets and script. It allows
/// WebAssembly, which only this script can compile, and images, which the app draws to save them. A served page may
/// contact its server.
pub fn page_policy(served: bool) -> String {
    let [report, app] = STYLES.map(digest);
    let connect = if served { "; connect-src 'self'" } else { "" };
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {report} {app}; img-src data: blob:{connect}; \
         base-uri 'none'; form-action 'none'",
        digest(APP)
    )
}

/// Returns the content of the page for readers without scripts: verdict, tables of clusters and functions with their
/// laws and predictions, warnings, and changes since the previous version.
fn without_scripts(findings: &Findings, study: &Study, comparison: Option<PageComparison<'_>>) -> Document {
    let mut out = Document::new(usize::MAX);
    let options = TableOptions { top: Some(MOST_ROWS), ..TableOptions::default() };
    // Only a name from the user can be unknown, and there is none here.
    let _ = table::findings(&mut out, findings, Some(study), &options);
    let by_function = TableOptions { by: By::Function, ..options };
    let scope = Scope::of_page(findings);
    if let Ok(functions) = selection::selection(findings, &scope, &by_function)
        && !functions.shown.is_empty()
    {
        out.heading("Functions");
        out.paragraph(DIM, "The cost of a function’s own blocks, without that of the functions it calls.");
        out.table(rows::columns(&scope, &functions.shown, &by_function));
    }
    if let Some(compared) = comparison
        && let Some(usual) = compared.comparisons.first()
    {
        out.heading("Before and after");
        diff::table::write(&mut out, usual, compared.names, &TableOptions::default());
    }
    out.paragraph(DIM, &study::settings(findings));
    out
}
