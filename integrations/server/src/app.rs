//! What all requests share.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use toolwright_core::{
    CancellationToken,
    run::{RunId, UserFailure},
};
use toolwright_http_access::{Origins, OwnerHook};
use toolwright_runtime::{
    RunHandle, RunRequest, Runner,
    store::{ConversationRef, LoadedRun, RunFilter, RunInfo, RunSummary},
};
use toolwright_streams::FailureTexts;

use crate::{
    bodies::Bodies,
    caller::{Caller, Visitor},
    failure::Failure,
    limits::ServerLimits,
    open_streams::OpenStreams,
};

/// Starts a run of a chat: to an answer of a type, if the server has one.
pub(crate) type StartHook = Arc<dyn Fn(RunRequest<ConversationRef>) -> RunHandle + Send + Sync>;

/// What all requests share.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a setting of its own"
)]
pub(crate) struct App {
    pub(crate) runner: Runner,
    /// The name of the runner in its store.
    pub(crate) name: String,
    pub(crate) owner: Option<OwnerHook<Caller>>,
    pub(crate) start: StartHook,
    /// The pages of other origins that may ask.
    pub(crate) origins: Origins,
    pub(crate) limits: ServerLimits,
    pub(crate) bodies: Bodies,
    pub(crate) for_version_7: bool,
    pub(crate) error_details: bool,
    /// The texts of failures.
    pub(crate) failure_texts: FailureTexts,
    pub(crate) playground: bool,
    /// Questions that the page offers in an empty chat.
    pub(crate) suggestions: Vec<String>,
    /// Tools may be called without a model.
    pub(crate) calls_by_hand: bool,
    /// A caller may approve the calls that it makes so.
    pub(crate) self_approval: bool,
    /// The number of calls by hand so far.
    pub(crate) called: AtomicU64,
    pub(crate) streams: OpenStreams,
    /// It is cancelled once the future of the server is polled.
    pub(crate) begun: CancellationToken,
    /// Cuts all streams.
    pub(crate) cut: CancellationToken,
}

impl App {
    /// Returns true if clients may read the texts of errors that are for the log: they are developers.
    pub(crate) fn tells_all(&self) -> bool {
        self.error_details || self.playground
    }

    /// The number of a call by hand, which names it in traces.
    pub(crate) fn call_number(&self) -> u64 {
        self.called.fetch_add(1, Ordering::Relaxed)
    }

    /// The hook for the texts of a stream.
    pub(crate) fn failure_text(&self) -> impl Fn(&UserFailure) -> String + Send + Sync + use<> {
        let texts = self.failure_texts.clone();
        move |failure| texts.apply(failure.clone()).message
    }

    /// Returns true if the visitor may see a run of its store: one of this runner. A visitor without an owner sees runs without
    /// an owner.
    pub(crate) fn shows(&self, visitor: &Visitor, info: &RunInfo) -> bool {
        info.owner == visitor.owner && info.runner == self.name
    }

    /// Loads a run of the visitor, with its entries from this one on.
    pub(crate) async fn load(
        &self,
        visitor: &Visitor,
        run: &RunId,
        from: u64,
    ) -> Result<LoadedRun, Failure> {
        let loaded = visitor.store.load(run, from).await?;
        if self.shows(visitor, &loaded.info) {
            Ok(loaded)
        } else {
            Err(Failure::not_found())
        }
    }

    /// Finds runs of this runner. What a store gives for it is looked through by [`shown`](Self::shown).
    pub(crate) fn filter(&self) -> RunFilter {
        let mut filter = RunFilter::default();
        filter.runner = Some(self.name.clone());
        filter
    }

    /// Keeps of a list what the visitor may see.
    pub(crate) fn shown(&self, visitor: &Visitor, runs: Vec<RunSummary>) -> Vec<RunSummary> {
        let mut runs = runs;
        runs.retain(|run| self.shows(visitor, &run.info));
        runs
    }
}
