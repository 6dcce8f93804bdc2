//! Tests of the warnings about times and samples.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use trend_collect::Samples;
use trend_profile::{NewStudy, Outcome, Run, Sampled, StudyFile, Usage};

use super::doubts::slow_counters;
use super::samples::record_samples;
use super::timed::{Sampling, Timed};
use super::uncounted::Uncounted;
use crate::config::command_line::CommandLine;
use crate::config::settings::Config;
use crate::plan::make::plan;
use crate::plan::workload::Plan;
use crate::words::parameter::parse_parameter;

fn plan_of(sizes: &str) -> Plan {
    let parameters = vec![parse_parameter(sizes).unwrap()];
    let command = vec!["./a".into(), "{n}".into()];
    let line = CommandLine { command, parameters, ..CommandLine::default() };
    plan(&Config::from_command_line(Path::new("/nowhere"), line).unwrap()).unwrap()
}

#[test]
fn what_makes_counted_runs_slow_is_said() {
    let plan = plan_of("n=9");
    let took = |seconds| Usage { user: Duration::from_secs(seconds), ..Usage::default() };
    let timed = |counted| Timed {
        workload: &plan.workloads[0],
        counted: took(counted),
        is_known: false,
        runs: vec![took(1)],
        is_to_be_sampled: false,
        samples: None,
    };
    let (program, variables, originals) = (PathBuf::new(), Vec::new(), Vec::new());
    let copy = Uncounted { is_copy: true, program, line: None, variables, originals };
    let warning_text = |counted, watches_memory| {
        slow_counters(&[timed(counted)], &copy, watches_memory).map(|warning| warning.message)
    };
    assert!(warning_text(3, false).unwrap().starts_with("counters make the program 3 times slower"));
    assert!(
        warning_text(3, true)
            .unwrap()
            .starts_with("counters and memory by line make the program 3 times slower")
    );
    assert_eq!(warning_text(1, true), None);
    // The longest workload may have been timed earlier and is then not run again.
    let earlier = Timed { is_known: true, runs: Vec::new(), ..timed(9) };
    let warning = slow_counters(&[earlier, timed(3)], &copy, false).unwrap();
    assert!(warning.message.contains("3 times slower"), "{}", warning.message);
}

#[test]
fn samples_of_one_run_are_kept_where_those_of_another_failed() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan_of("n=7,8,9");
    let path = folder.path().join("a.trend");
    let mut study = StudyFile::create(&path, &NewStudy::new("a", "/nowhere")).unwrap();
    let run = Run {
        repetition: 0,
        outcome: Outcome::Finished,
        usage: Usage::default(),
        stderr_tail: String::new(),
    };
    let results = [
        Ok(Samples { elsewhere: 5, ..Samples::default() }),
        Err(io::Error::from_raw_os_error(libc::EMFILE)),
        Err(io::Error::from_raw_os_error(libc::EACCES)),
    ];
    let mut timed = Vec::new();
    for (workload, samples) in plan.workloads.iter().zip(results) {
        study.record(&workload.workload, &run, Some(&[]), &[]).unwrap();
        let (usage, period) = (Usage::default(), Duration::from_millis(1));
        timed.push(Timed {
            workload,
            counted: usage,
            is_known: true,
            runs: Vec::new(),
            is_to_be_sampled: true,
            samples: Some(Sampling { usage, period, samples }),
        });
    }
    let (program, variables, originals) = (PathBuf::new(), Vec::new(), Vec::new());
    let copy = Uncounted { is_copy: true, program, line: None, variables, originals };
    let warning = record_samples(&timed, &mut study, Path::new("/nowhere"), &copy).unwrap().unwrap();
    assert!(warning.message.starts_with("the time of n=8 was not sampled"), "{}", warning.message);
    let samples = |name: &str| {
        let study = study.load().unwrap();
        let workload = study.workloads().iter().find(|one| one.name == name).unwrap();
        workload.sampled.as_ref().map(Sampled::samples)
    };
    assert_eq!((samples("n=7"), samples("n=8"), samples("n=9")), (Some(5), Some(0), None));
}
