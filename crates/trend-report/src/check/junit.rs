//! Writes judgements as JUnit XML, which most systems that run tests read: one test per expectation.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use trend_analyze::{Checked, Judged, Judgement};

use super::words;

/// Returns a test suite for the program. Broken expectations are failures, unknown ones are errors, and undecided ones
/// are skipped tests.
pub fn check_junit(checked: &Checked) -> String {
    let mut suite = TestSuite::new(checked.program.as_str());
    suite.add_test_cases(checked.expectations.iter().map(|judged| test_case(judged, checked)));
    let mut report = Report::new("trend-prof check");
    report.add_test_suite(suite);
    // Writing to memory cannot fail.
    report.to_string().unwrap_or_default()
}

fn test_case(judged: &Judged, checked: &Checked) -> TestCase {
    let mut status = match judged.judgement {
        Judgement::Holds => TestCaseStatus::success(),
        Judgement::Undecided => TestCaseStatus::skipped(),
        Judgement::Broken => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Judgement::Unknown => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    if judged.judgement != Judgement::Holds {
        status.set_message(words::sentence(judged, &checked.unit));
    }
    let name = format!("{} {}", words::place(judged), words::limit(judged, &checked.unit));
    let mut case = TestCase::new(name, status);
    case.set_classname(words::shown_at(judged).0);
    case
}
