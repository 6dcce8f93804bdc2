//! Content that is served for one state of the study.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use hyper::body::Bytes;
use trend_analyze::{AnalyzeError, Findings, Options, analyze, location_names};
use trend_profile::{Kind, LocationId, Study};
use trend_report::PageOptions;

use trend_report::GENERATED_BY;

/// Maximum number of failed workloads named on a page without findings.
const MOST_FAILURES: usize = 10;

/// One state of the study, with its page.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) revision: String,
    pub(crate) state: State,
    waiting_page: OnceLock<Bytes>,
}

/// Progress of a study.
#[derive(Debug)]
pub(crate) enum State {
    /// The study has no findings.
    Waiting {
        /// True if the first analysis is running. False if the study has too little data; whether more will come is
        /// unknown.
        is_under_way: bool,
        /// Name of the program.
        program: String,
        /// Sentences about the missing data.
        lacks: Vec<String>,
    },
    /// The study has findings.
    Ready(Box<Ready>),
}

/// A study with its findings.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) study: Study,
    pub(crate) findings: Findings,
    /// File name of the study.
    file_name: String,
    names: OnceLock<HashMap<Arc<str>, LocationId>>,
    page: OnceLock<Bytes>,
    data: OnceLock<Bytes>,
}

impl Content {
    /// Returns the content before the first analysis is done.
    pub(crate) fn analysing(study: &Study) -> Self {
        let (program, lacks) = (study.program().to_owned(), vec!["Analysing the study.".to_owned()]);
        Self::new("analysing".to_owned(), State::Waiting { is_under_way: true, program, lacks })
    }

    /// Analyses a study; if that fails, returns a waiting state with the reason.
    pub(crate) fn analysed(revision: String, study: Study, file_name: String, options: &Options) -> Self {
        let study = trend_analyze::to_analyze(study, &[], &options.at);
        // A panic in the analysis of one state must not end the thread that follows the study.
        let analysis = catch_unwind(AssertUnwindSafe(|| analyze(&study, options)));
        let lacks = match analysis {
            Ok(Ok(findings)) => {
                return Self::new(revision, State::Ready(Box::new(Ready::new(study, findings, file_name))));
            }
            Ok(Err(error)) => lacks(&study, &error),
            Err(_) => vec!["The analysis crashed. This is a bug in trend-prof.".to_owned()],
        };
        let program = study.program().to_owned();
        Self::new(revision, State::Waiting { is_under_way: false, program, lacks })
    }

    fn new(revision: String, state: State) -> Self {
        Self { revision, state, waiting_page: OnceLock::new() }
    }

    /// Returns the study with its findings, if there are any.
    pub(crate) fn ready(&self) -> Option<&Ready> {
        match &self.state {
            State::Ready(ready) => Some(ready),
            State::Waiting { .. } => None,
        }
    }

    /// Returns the reason for missing findings, unless there are findings.
    pub(crate) fn lack(&self) -> Option<String> {
        match &self.state {
            State::Ready(_) => None,
            State::Waiting { lacks, .. } => Some(lacks.join(" ")),
        }
    }

    /// Returns the page. The first call takes long for a large study.
    pub(crate) fn page(&self) -> Bytes {
        match &self.state {
            State::Ready(ready) => ready.page(&self.revision),
            State::Waiting { program, lacks, .. } => {
                let page = || trend_report::waiting_page(program, lacks, &self.revision, GENERATED_BY).into();
                self.waiting_page.get_or_init(page).clone()
            }
        }
    }

    /// Returns the page's Content-Security-Policy.
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

    /// Returns the JSON of the data block. The first call takes long for a large study.
    pub(crate) fn data(&self, revision: &str) -> Bytes {
        let data = || {
            let mut data = Vec::new();
            let options = self.page_options(revision);
            // Writing to memory does not fail.
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

    /// Returns the location with the name that the findings use.
    pub(crate) fn location(&self, name: &str) -> Option<LocationId> {
        let is_block = |id: &LocationId| self.study.location(*id).kind == Kind::Block;
        let by_name = || {
            let named = location_names(&self.study).into_iter().zip((0..).map(LocationId));
            named.filter(|(_, id)| is_block(id)).collect()
        };
        self.names.get_or_init(by_name).get(name).copied()
    }
}

/// Describes the data that a study lacks for an analysis.
fn lacks(study: &Study, error: &AnalyzeError) -> Vec<String> {
    match error {
        AnalyzeError::NoWorkloads { .. } => {
            let mut lacks = vec!["No workload has run successfully yet.".to_owned()];
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
