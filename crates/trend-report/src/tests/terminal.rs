//! Tests that hold for all outputs for a terminal.

use proptest::prelude::*;

use super::*;
use crate::layout::text;
use crate::tests::sample::{renamed, structured};

#[test]
fn hostile_names_do_nothing_in_a_terminal() {
    for name in HOSTILE.map(str::to_owned).into_iter().chain(["x".repeat(10_000), "e\u{301}".repeat(5_000)]) {
        let findings = renamed(structured(), &name);
        for output in terminal_outputs(&findings, 80) {
            assert_harmless(&shown(&output), &name);
            assert!(shown(&output).lines().all(|l| text::width(l) <= 80), "{output}");
        }
        // Without the clusters, the name refers to a function.
        let mut findings = findings;
        findings.clusters.clear();
        let page = crate::page(&findings, Some(&bubble_sort_study()), &name, &at_width(80)).unwrap();
        assert_harmless(&shown(&page), &name);
        assert!(shown(&page).lines().all(|l| text::width(l) <= 80), "{page}");
        assert_harmless(&markdown(&findings, &at_width(80)).unwrap(), &name);
        let error = crate::page(&findings, None, &format!("{name}?"), &at_width(80)).unwrap_err();
        assert_harmless(&error.to_string(), &name);
    }
}

#[test]
fn degenerate_findings_are_shown_in_a_terminal_as_well() {
    for findings in degenerate() {
        let options = at_width(70);
        let mut outputs = vec![table(&findings, None, &options).unwrap()];
        if !findings.clusters.is_empty() {
            outputs.push(crate::page(&findings, None, "1", &options).unwrap());
        }
        if !findings.features.is_empty() {
            outputs.push(
                prediction_table(&crate::tests::sample::predicted_at(findings.clone(), 1e9), &options)
                    .unwrap(),
            );
        }
        outputs.push(markdown(&findings, &options).unwrap());
        outputs.push(csv(&findings, &options).unwrap());
        for output in outputs {
            assert!(!output.contains("NaN") && !output.contains("inf"), "{output}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_line_is_wider_than_the_terminal(name in "\\PC{0,60}|.{0,60}|[a-z/]{0,200}:[0-9]{1,6}", width in 0_usize..160) {
        let findings = renamed(structured(), &name);
        for output in terminal_outputs(&findings, width) {
            for line in shown(&output).lines() {
                prop_assert!(text::width(line) <= width.max(TableOptions::MIN_WIDTH), "{line}");
            }
        }
    }
}
