//! Follows a study while it changes: one thread reads and analyses it, and requests wait for its results.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use trend_analyze::{Exclusion, Options};
use trend_profile::{Study, StudyFile};

use crate::content::{Content, State};
use crate::file_state::FileState;

/// Interval at which the file's state is checked, with a `stat`.
const LOOK: Duration = Duration::from_millis(100);

/// Pause before an unreadable study is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Pause after an analysis, as a multiple of its duration. A concurrent `run` needs the processor more.
const REST: u32 = 2;

/// The content that is shown, and the reason if it is outdated.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) content: Arc<Content>,
    /// Reason why an older state of the study is shown instead of the current one.
    pub(crate) trouble: Option<String>,
}

/// The study that the server follows.
#[derive(Debug)]
pub(crate) struct Live {
    shown: watch::Receiver<Shown>,
}

impl Live {
    /// Starts to follow the study at `path`, with this limit of memory and without the excluded workloads. `study` was
    /// read when the file was in the state `seen`.
    pub(crate) fn follow(
        path: PathBuf,
        memory: Option<u64>,
        exclusion: Exclusion,
        seen: FileState,
        study: Study,
        options: Options,
    ) -> std::io::Result<Self> {
        let content = Arc::new(Content::analysing(&study));
        let (sender, shown) = watch::channel(Shown { content, trouble: None });
        let follower = Follower { path, memory, exclusion, options, sender };
        std::thread::Builder::new().name("study".to_owned()).spawn(move || follower.run(seen, study))?;
        Ok(Self { shown })
    }

    /// Returns the content that is shown now.
    pub(crate) fn now(&self) -> Shown {
        self.shown.borrow().clone()
    }

    /// Returns the content as soon as its revision differs from `since`, or after `patience`.
    pub(crate) async fn after(&self, since: &str, patience: Duration) -> Shown {
        self.wait(patience, |content| content.revision != since).await
    }

    /// Returns the content as soon as the first analysis is done, or after `patience`.
    pub(crate) async fn analysed(&self, patience: Duration) -> Shown {
        self.wait(patience, |content| !matches!(content.state, State::Waiting { is_under_way: true, .. }))
            .await
    }

    async fn wait(&self, patience: Duration, is_wanted: impl Fn(&Content) -> bool) -> Shown {
        let mut shown = self.shown.clone();
        let wanted = shown.wait_for(|shown| is_wanted(&shown.content));
        // After a timeout, or if the thread has ended, return the current content.
        if let Ok(Ok(shown)) = tokio::time::timeout(patience, wanted).await {
            return shown.clone();
        }
        self.now()
    }
}

/// State of the thread that follows the study.
struct Follower {
    path: PathBuf,
    memory: Option<u64>,
    exclusion: Exclusion,
    options: Options,
    sender: watch::Sender<Shown>,
}

impl Follower {
    /// Follows the study until all receivers are gone.
    fn run(&self, seen: FileState, study: Study) {
        let began = Instant::now();
        self.show(&seen, study);
        std::thread::sleep(rest(began.elapsed()));
        let mut seen = Some(seen);
        while !self.sender.is_closed() {
            // The state is taken before the study is read, so that later writes are noticed next time.
            let state = FileState::read(&self.path);
            if seen.as_ref() == Some(&state) {
                std::thread::sleep(LOOK);
                continue;
            }
            let began = Instant::now();
            match StudyFile::read(&self.path, self.memory) {
                Ok(study) => {
                    self.show(&state, self.exclusion.apply(study));
                    seen = Some(state);
                    std::thread::sleep(rest(began.elapsed()));
                }
                Err(error) => {
                    let trouble = Some(format!("the study cannot be read: {error}"));
                    self.sender.send_modify(|shown| shown.trouble = trouble);
                    seen = None;
                    std::thread::sleep(RETRY);
                }
            }
        }
    }

    /// Shows the study in this state. It is analysed unless it is already shown.
    fn show(&self, state: &FileState, study: Study) {
        let revision = state.revision(&self.exclusion, &self.options);
        let is_shown = self.sender.borrow().content.revision == revision;
        let file_name = || self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let content =
            (!is_shown).then(|| Arc::new(Content::analysed(revision, study, file_name(), &self.options)));
        self.sender.send_modify(|shown| {
            shown.trouble = None;
            shown.content = content.unwrap_or_else(|| Arc::clone(&shown.content));
        });
    }
}

fn rest(took: Duration) -> Duration {
    (took * REST).max(LOOK)
}
