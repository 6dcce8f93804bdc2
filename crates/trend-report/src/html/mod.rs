//! The page.
use trend_analyze::Findings;
use trend_profile::Study;
/// One self-contained HTML page: no scripts, nothing loaded. `generated_by` is the tool and version.
pub fn html(_findings: &Findings, _study: &Study, _generated_by: &str) -> String {
    String::new()
}
