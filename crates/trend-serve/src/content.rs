//! What is served of one state of the study.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use hyper::body::Bytes;
use trend_analyze::{AnalyzeError, Findings, Options, analyze, location_names};
use trend_profile::{Kind, LocationId, Study};
use trend_report::PageOptions;

use trend_report::GENERATED_BY;

/// Failed workloads that a page without findings tells of.
const MOST_FAILURES: usize = 10;

/// One state of the study, and what can be said of it.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) revision: String,
    pub(crate) state: State,
    waiting_page: OnceLock<Bytes>,
}

/// How far a study has come.
#[derive(Debug)]
pub(crate) enum State {
    /// It has no findings.
    Waiting {
        /// Whether its first analysis is under way; else it has too little, and whether more comes is not known.
        is_under_way: bool,
        /// The program's name.
        program: String,
        /// What it lacks, in sentences.
        lacks: Vec<String>,
    },
    /// It has findings.
    Ready(Box<Ready>),
}

/// A study with its findings.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) study: Study,
    pub(crate) findings: Findings,
    /// Of the study.
    file_name: String,
    names: OnceLock<HashMap<Arc<str>, LocationId>>,
    page: OnceLock<Bytes>,
    data: OnceLock<Bytes>,
}

impl Content {
    /// Before the first analysis is done.
    pub(crate) fn analysing(study: &Study) -> Self {
        let (program, lacks) = (study.program().to_owned(), vec!["The study is being analysed.".to_owned()]);
        Self::new("analysing".to_owned(), State::Waiting { is_under_way: true, program, lacks })
    }

    /// Analyses a study, or says why that has to wait.
    pub(crate) fn of(revision: String, study: Study, file_name: String, options: &Options) -> Self {
        let study = trend_analyze::to_analyze(study, &[], &options.at);
        // A fault in the analysis of one state of the study must not end the thread that follows it.
        let analysis = catch_unwind(AssertUnwindSafe(|| analyze(&study, options)));
        let lacks = match analysis {
            Ok(Ok(findings)) => {
                return Self::new(revision, State::Ready(Box::new(Ready::new(study, findings, file_name))));
            }
            Ok(Err(error)) => lacks(&study, &error),
            Err(_) => vec!["The analysis broke off, which is a mistake of trend-prof.".to_owned()],
        };
        let program = study.program().to_owned();
        Self::new(revision, State::Waiting { is_under_way: false, program, lacks })
    }

    fn new(revision: String, state: State) -> Self {
        Self { revision, state, waiting_page: OnceLock::new() }
    }

    /// The study with its findings, if it has some.
    pub(crate) fn ready(&self) -> Option<&Ready> {
        match &self.state {
            State::Ready(ready) => Some(ready),
            State::Waiting { .. } => None,
        }
    }

    /// Why there are no findings, if there are none.
    pub(crate) fn lack(&self) -> Option<String> {
        match &self.state {
            State::Ready(_) => None,
            State::Waiting { lacks, .. } => Some(lacks.join(" ")),
        }
    }

    /// The page. Takes long for a large study the first time.
    pub(crate) fn page(&self) -> Bytes {
        match &self.state {
            State::Ready(ready) => ready.page(&self.revision),
            State::Waiting { program, lacks, .. } => {
                let page = || trend_report::waiting_page(program, lacks, &self.revision, GENERATED_BY).into();
                self.waiting_page.get_or_init(page).clone()
            }
        }
    }

    /// The policy that the page is under.
    pub(crate) fn policy(&self) -> String {
        match &self.state {
            State::Ready(_) => trend_report::page_policy(true),
            State::Waiting { .. } => trend_report::waiting_page_policy(),
        }
    }
}

impl Ready {
    fn new(study: Study, findings: Findings, file_name: String) -> Self {
        let (names, page, data) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { study, findings, file_name, names, page, data }
    }

    fn page(&self, revision: &str) -> Bytes {
        let page = || trend_report::html(&self.findings, &self.study, &self.page_options(revision)).into();
        self.page.get_or_init(page).clone()
    }

    /// The data block's JSON. Takes long for a large study the first time.
    pub(crate) fn data(&self, revision: &str) -> Bytes {
        let data = || {
            let mut data = Vec::new();
            let options = self.page_options(revision);
            // Writing into memory does not fail.
            let _ = trend_report::write_page_data(&self.findings, &self.study, &options, &mut data);
            data.into()
        };
        self.data.get_or_init(data).clone()
    }

    fn page_options<'a>(&'a self, revision: &'a str) -> PageOptions<'a> {
        let study_name = &self.file_name;
        PageOptions {
            generated_by: GENERATED_BY,
            study_name,
            served: true,
            revision: Some(revision),
            comparison: None,
        }
    }

    /// The location of that name, as findings have it.
    pub(crate) fn location(&self, name: &str) -> Option<LocationId> {
        let is_block = |id: &LocationId| self.study.location(*id).kind == Kind::Block;
        let by_name = || {
            let named = location_names(&self.study).into_iter().zip((0..).map(LocationId));
            named.filter(|(_, id)| is_block(id)).collect()
        };
        self.names.get_or_init(by_name).get(name).copied()
    }
}

/// What a study lacks for an analysis.
fn lacks(study: &Study, error: &AnalyzeError) -> Vec<String> {
    match error {
        AnalyzeError::NoWorkloads { .. } => {
            let mut lacks = vec!["No workload has been run with success yet.".to_owned()];
            let failed = study.failed();
            lacks.extend(
                failed
                    .iter()
                    .take(MOST_FAILURES)
                    .map(|f| format!("{}: {}.", f.name, trend_analyze::outcome_in_words(&f.outcome))),
            );
            if failed.len() > MOST_FAILURES {
                lacks.push(format!("{} more failed.", failed.len() - MOST_FAILURES));
            }
            lacks
        }
        other => vec![format!("The study cannot be analysed yet: {other}.")],
    }
}
