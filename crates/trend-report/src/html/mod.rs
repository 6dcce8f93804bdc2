//! Writes one self-contained HTML page that loads nothing. It has three layers: a static part, the app that replaces
//! it, and the data. The static part is painted first, is printed, and needs neither scripts nor style sheets.
//!
//! A `<meta>` Content-Security-Policy allows only the page's own script and style sheets, by digest. Anything that
//! slipped through the escaping could neither run nor contact a server.

mod markup;
mod waiting;

use base64::Engine as _;
use maud::{DOCTYPE, PreEscaped, html};
use sha2::{Digest as _, Sha256};
use trend_analyze::Findings;
use trend_profile::Study;

use crate::document::Document;
use crate::page_data::{self, PageComparison, PageOptions};
use crate::rows::Scope;
use crate::style::DIM;
use crate::{By, TableOptions, diff, frame, selection, table};
use markup::{message, name, name_text};
pub use waiting::{waiting_page, waiting_page_policy};

/// Style sheets of the static part and of the app.
pub(crate) const STYLES: [&str; 2] =
    [include_str!("../../ui/report.css"), include_str!("../../ui/dist/app.css")];

/// The app, which esbuild bundles from `ui/src`.
pub(crate) const APP: &str = include_str!("../../ui/dist/app.js");

/// The Rust code that the app calls, which `UPDATE_GOLDEN=1 cargo nextest run -p trend-report module` builds from
/// `trend-answer`.
pub(crate) const MODULE: &[u8] = include_bytes!("../../ui/dist/module.wasm");

/// Maximum number of rows in a static table; the app shows all.
const MOST_ROWS: usize = 20;

/// Returns one self-contained HTML page that loads nothing.
///
/// The same findings, study and options give the same bytes. This function uses the threads of rayon's current pool.
pub fn html(findings: &Findings, study: &Study, options: &PageOptions<'_>) -> String {
    let all = findings;
    let findings = &*page_data::within_limits(all);
    let packed = page_data::pack(all, findings, study, options);
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
                meta name="generator" content=(crate::text::visible(generated_by));
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
                template #module { (PreEscaped(page_data::gzip_base64(MODULE))) }
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

/// Returns the digest by which a policy identifies text in the page.
fn digest(text: &str) -> String {
    let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!("'sha256-{digest}'")
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
        out.table(table::columns(&scope, &functions.shown, &by_function));
    }
    if let Some(compared) = comparison
        && let Some(usual) = compared.comparisons.first()
    {
        out.heading("Before and after");
        diff::write(&mut out, usual, compared.names, &TableOptions::default());
    }
    out.paragraph(DIM, &frame::settings(findings));
    out
}
