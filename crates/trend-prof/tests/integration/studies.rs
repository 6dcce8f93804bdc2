//! Checks every study file that a test leaves in its folder, and generated ones: `show`, `diff` and `check --against`
//! say no more than their rows.

use trend_profile::StudyFile;

use crate::bench::Bench;

#[path = "../../../trend-profile/examples/made_study.rs"]
#[expect(dead_code, reason = "its command line")]
mod made_study;
#[path = "../../../trend-analyze/tests/properties/mod.rs"]
mod properties;

pub(crate) use properties::studies::check;

#[test]
fn generated_studies_say_no_more_than_their_rows() {
    let kinds = [
        ("hostile", None),
        ("loops", None),
        ("routines", None),
        ("routines", Some((10, 20))),
        ("features", Some((6, 40))),
        ("locations", Some((200, 30))),
        ("functions", Some((60, 30))),
        ("clusters", Some((100, 30))),
        ("nests", Some((4, 3))),
        ("calls", Some((20, 2))),
    ];
    for (kind, numbers) in kinds {
        let bench = Bench::new();
        made_study::make(kind, numbers, &bench.path("made.trend")).unwrap();
        let made = StudyFile::read(&bench.path("made.trend"), None).unwrap();
        assert!(!made.workloads().is_empty(), "{kind}");
    }
}
