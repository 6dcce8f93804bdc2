//! Tests of the HTML page.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::*;
use crate::html::assets::{APP, STYLES};
use crate::tests::sample::{bubble_sort, renamed, structured};

/// Returns the names of all elements.
fn tags(page: &str) -> BTreeSet<&str> {
    let starts = page.split('<').skip(1);
    starts.map(|s| s.split([' ', '>', '\n']).next().unwrap_or_default()).collect()
}

/// Counts the elements by their opening tag: `p class="growth doubt"`.
fn elements(page: &str) -> BTreeMap<&str, usize> {
    let mut elements = BTreeMap::new();
    for start in page.split('<').skip(1).filter(|start| !start.starts_with(['/', '!'])) {
        *elements.entry(start.split('>').next().unwrap_or_default()).or_default() += 1;
    }
    elements
}

/// Returns all values of an attribute.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Returns all texts between `start` and `end`.
fn all_between<'a>(page: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    page.split(start).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

/// Returns the page as a reader without scripts sees it: without the app and the data.
fn without_scripts(page: &str) -> String {
    let (before, rest) = page.split_once("<script").unwrap();
    let (_, after) = rest.split_once("</body>").unwrap();
    format!("{before}</body>{after}")
}

#[test]
fn the_page_has_no_address_and_one_script_which_is_the_app() {
    let page = html_page(&structured());
    assert_eq!(all_between(&page, "<script type=\"module\">", "</script>"), [APP]);
    assert_eq!(page.to_ascii_lowercase().matches("<script").count(), 1 + APP.matches("<script").count());
    let page = without_scripts(&page);
    assert!(!page.contains("http:") && !page.contains("https:"));
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains(" style=\""));
    assert!(attributes(&page, "href").is_empty() && attributes(&page, "src").is_empty());
}

#[test]
fn nothing_in_the_app_ends_its_element() {
    let lower = APP.to_ascii_lowercase();
    // `<!--` followed by `<script` would make the browser look for another `</script`.
    assert!(!lower.contains("</script") && !lower.contains("<!--"));
    // The browser replaces these characters when it reads the text, so the digest would not match.
    assert!(!APP.contains(['\r', '\0']) && STYLES.iter().all(|style| !style.contains(['\r', '\0'])));
    assert!(STYLES.iter().all(|style| !style.to_ascii_lowercase().contains("</style")));
}

/// Returns the policy's directives by name.
fn policy(page: &str) -> BTreeMap<&str, Vec<&str>> {
    let policy = attributes(page, "content").into_iter().find(|c| c.contains("default-src")).unwrap();
    let directives = policy.split("; ").map(|directive| directive.split(' '));
    directives.map(|mut words| (words.next().unwrap(), words.collect())).collect()
}

#[test]
fn the_policy_allows_what_is_inlined_by_digest_and_nothing_else() {
    let page = html_page(&structured());
    let digest = |text: &str| {
        let digest = Sha256::digest(text.as_bytes());
        format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(digest))
    };
    let digests = |texts: &[&str]| texts.iter().map(|text| digest(text)).collect::<Vec<_>>();
    let styles = all_between(&page, "<style>", "</style>");
    assert_eq!(styles, STYLES);
    let allowed = policy(&page);
    assert_eq!(allowed["default-src"], ["'none'"]);
    let mut scripts = digests(&all_between(&page, "<script type=\"module\">", "</script>"));
    scripts.push("'wasm-unsafe-eval'".to_owned());
    assert_eq!(allowed["script-src"], scripts);
    assert_eq!(allowed["style-src"], digests(&styles));
    assert_eq!(allowed["img-src"], ["data:", "blob:"]);
    assert_eq!((&allowed["base-uri"], &allowed["form-action"]), (&vec!["'none'"], &vec!["'none'"]));
    assert_eq!(allowed.len(), 6, "{allowed:?}");
    let served = html(&structured(), &bubble_sort_study(), &PageOptions { served: true, ..PAGE });
    let mut expected = allowed.clone();
    expected.insert("connect-src", vec!["'self'"]);
    assert_eq!(policy(&served), expected);
}

#[test]
fn a_page_without_scripts_says_in_words_and_tables_what_matters() {
    let page = html_page(&structured());
    let page = without_scripts(&page);
    assert_eq!(elements(&page)["div id=\"app\" hidden"], 1);
    let (_, shown) = page.split_once("<div id=\"static\">").unwrap();
    let tags = tags(shown);
    assert!(!tags.contains("svg") && !tags.contains("template"), "{tags:?}");
    let cells = |table: &str| -> Vec<Vec<String>> {
        let rows = all_between(table, "<tr>", "</tr>").into_iter();
        rows.map(|row| all_between(row, "<bdi>", "</bdi>").into_iter().map(str::to_owned).collect()).collect()
    };
    let tables: Vec<_> = all_between(shown, "<table>", "</table>").into_iter().map(cells).collect();
    let first = [
        "1",
        "bubble_sort.c:4 in bubble_sort",
        "5.40\u{a0}G",
        "85.6\u{a0}%",
        "n^2",
        "1.5·n^2 − 0.5·n",
        "540\u{a0}G",
    ];
    assert_eq!(tables[0][1][..first.len()], first);
    assert_eq!(tables.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2], "of clusters and of functions");
    let list = all_between(shown, "<ul class=\"said\">", "</ul>")[0];
    assert_eq!(all_between(list, "<li", "</li>").len(), 4, "{list}");
}

#[test]
fn hostile_names_make_no_element_of_the_page() {
    let usual_page = without_scripts(&html_page(&structured()));
    let usual = tags(&usual_page);
    for name in HOSTILE {
        let page = without_scripts(&html_page(&renamed(structured(), name)));
        assert_harmless(&page, name);
        assert!(tags(&page).iter().all(|tag| usual.contains(*tag)), "{:?}", tags(&page));
        assert!(attributes(&page, "href").is_empty());
    }
}

#[test]
fn no_number_of_the_page_is_infinite_whatever_the_data() {
    for (i, findings) in degenerate().into_iter().enumerate() {
        assert!(!without_scripts(&html_page(&findings)).contains("NaN"), "{i}");
    }
}

#[test]
fn a_large_study_makes_a_page_that_can_be_mailed() {
    const LIMIT_BYTES: usize = 8 << 20;
    let mut findings = bubble_sort();
    let mut cluster = findings.clusters[0].clone();
    let member = cluster.members[0].clone();
    cluster.members = vec![member; 200];
    cluster.costs = (0..1000).map(|i| 1000 + i * i * 17).collect();
    findings.feature_values[0] = (0..1000).map(|i| Some(f64::from(i) + 1.5)).collect();
    findings.clusters = (1..=1500)
        .map(|rank| {
            let mut cluster = trend_analyze::Cluster { rank, ..cluster.clone() };
            cluster.representative.name = format!("{}.c:{rank}", "directory/".repeat(20));
            cluster
        })
        .collect();
    let page = html_page(&findings);
    assert!(page.len() <= LIMIT_BYTES, "{} bytes", page.len());
    let details = all_between(&page, "<p class=\"detail\">", "</p>");
    assert!(details.contains(&"1,480 more clusters."), "{details:?}");
}

#[test]
fn an_undecided_class_looks_like_a_doubt() {
    let page = html_page(&doubtful());
    let page = without_scripts(&page);
    let doubts = all_between(&page, "<span class=\"doubt\"><bdi>", "</bdi></span>");
    assert_eq!(doubts, ["n or n log n ?", "^~?!", "?"]);
}
