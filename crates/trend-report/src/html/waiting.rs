//! Writes the page of a study that has no findings yet, for a server that will have them later.

use maud::{DOCTYPE, PreEscaped, html};

use super::assets::{STYLES, digest};
use super::markup::{message, name, name_text};

/// Script that waits until the server has another revision, and then reloads the page.
const SCRIPT: &str = include_str!("../../ui/waiting.js");

/// Returns a page that explains why `program` has no findings yet, and reloads itself when there are some.
///
/// It requests `/api/revision?since=REVISION` from its server; without scripts, it reloads every few seconds. `lacks`
/// are sentences; `revision` is the server's identifier of the study's current state.
pub fn waiting_page(program: &str, lacks: &[String], revision: &str, generated_by: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" data-revision=(revision) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(waiting_page_policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(crate::layout::text::visible(generated_by));
                link rel="icon" href="data:,";
                title { (name_text(program)) " · waiting for the first run" }
                style { (PreEscaped(STYLES[0])) }
                noscript { meta http-equiv="refresh" content="3"; }
            }
            body {
                header { h1 { "How " (name(program)) " scales" } }
                main role="status" {
                    @for lack in lacks { p { (message(lack)) } }
                    p { "This page updates when the first run is recorded." }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    let mut text = page.into_string();
    text.push('\n');
    text
}

/// Returns the policy of [`waiting_page`]: its own style sheet and script, and requests to its server.
pub fn waiting_page_policy() -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src 'self'; base-uri 'none'; \
         form-action 'none'",
        digest(SCRIPT),
        digest(STYLES[0])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_program_is_only_text_in_the_waiting_page() {
        let hostile = "</title></script><img src=x onerror=alert(1)>\u{202e}";
        let page = waiting_page(hostile, &[hostile.to_owned()], "0123456789abcdef", hostile);
        assert!(!page.contains("<img") && !page.contains('\u{202e}'));
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("&lt;img") && page.contains("data-revision=\"0123456789abcdef\""));
        // Quotes may be escaped in the attribute.
        assert!(
            page.contains(&waiting_page_policy().replace('\'', "&#39;"))
                || page.contains(&waiting_page_policy())
        );
    }
}
