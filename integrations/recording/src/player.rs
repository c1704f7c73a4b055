//! Answers with the replies of a file, and compares what is asked.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{
    Recording, RecordingError, difference,
    file::{self, Exchange},
    redaction::Redaction,
    results::Results,
    sent::Sent,
};
use toolwright_core::{
    ToolError,
    driver::Mutex,
    model::{ModelError, ModelErrorKind, ModelRequest},
    testing::Update,
    tool::{ToolCall, ToolOutput},
};
use toolwright_runtime::testing::ScriptedResponse;

/// A recording that is replayed.
pub(super) struct Player {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    redaction: Redaction,
    /// In the order in which they began, each with whether it was asked for.
    exchanges: Vec<(Exchange, bool)>,
    /// As they are in the file.
    results: Results,
    /// The first divergence. Nothing is answered after it.
    diverged: Option<Divergence>,
}

/// The request that the recording does not have.
#[derive(Clone)]
struct Divergence {
    request: usize,
    what: String,
    difference: String,
}

impl Player {
    pub(super) fn open(path: PathBuf) -> Result<Self, RecordingError> {
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_ci = Update::asked_by(Recording::VARIABLE) == Update::NeverInCi;
                return Err(RecordingError::Missing { path, is_ci });
            }
            Err(error) => return Err(RecordingError::Unreadable { path, error }),
        };
        let exchanges = file::read(&path, &bytes)?;
        let results = Results::of(&exchanges);
        let exchanges = exchanges.into_iter().map(|exchange| (exchange, false));
        Ok(Self {
            path,
            state: Mutex::new(State {
                redaction: Redaction::new(),
                exchanges: exchanges.collect(),
                results,
                diverged: None,
            }),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a redaction, and takes out of the file what it takes out of today's requests.
    pub(super) fn with_redaction(&self, add: impl FnOnce(&mut Redaction)) {
        let mut state = self.state.lock();
        let state = &mut *state;
        add(&mut state.redaction);
        for (exchange, _) in &mut state.exchanges {
            // One that panics does so for today's request as well, which is told.
            if let Ok(redacted) = exchange.sent.redacted(&state.redaction) {
                exchange.sent = redacted;
            }
        }
    }

    /// Returns true if the model took tools when the next request was sent.
    pub(super) fn takes_tools(&self) -> bool {
        let state = self.state.lock();
        let next = state.exchanges.iter().find(|(_, asked)| !asked);
        let next = next.or(state.exchanges.last());
        next.is_none_or(|(exchange, _)| exchange.takes_tools)
    }

    /// What the model said of its own search for tools before the next request was sent: only then tools are left to it.
    pub(super) fn searches_tools(&self) -> bool {
        let state = self.state.lock();
        let next = state.exchanges.iter().find(|(_, asked)| !asked);
        next.is_some_and(|(exchange, _)| exchange.sent.has_deferred_tools())
    }

    /// Returns true if the next request that was sent says which of its tools may be called: only then the model takes that.
    pub(super) fn takes_allowed_tools(&self) -> bool {
        let state = self.state.lock();
        let next = state.exchanges.iter().find(|(_, asked)| !asked);
        next.is_some_and(|(exchange, _)| exchange.sent.has_allowed_tools())
    }

    /// What the model said before the next request was sent. An older file does not tell, and only whether that request had
    /// the schema of an answer.
    pub(super) fn takes_answer_schema(&self) -> bool {
        let state = self.state.lock();
        let next = state.exchanges.iter().find(|(_, asked)| !asked);
        next.is_some_and(|(exchange, _)| {
            let said = exchange.takes_answer_schema;
            said.unwrap_or_else(|| exchange.sent.has_answer_schema())
        })
    }

    /// The recorded reply to a request, or the error of a run that is another one.
    pub(super) fn reply(&self, request: &ModelRequest) -> ScriptedResponse {
        let mut state = self.state.lock();
        let state = &mut *state;
        if state.diverged.is_none() {
            match state.find(request) {
                Ok(index) => {
                    let (exchange, asked) = &mut state.exchanges[index];
                    *asked = true;
                    return exchange.reply.clone();
                }
                Err(sent) => state.diverged = Some(state.divergence(sent, &self.path)),
            }
        }
        let diverged = state
            .diverged
            .as_ref()
            .map(|divergence| self.error(divergence));
        let message = diverged.map_or_else(String::new, |error| error.to_string());
        ModelError::new(ModelErrorKind::NotRecorded, message).into()
    }

    /// The recorded result of a call. One that is not there is a divergence.
    pub(super) fn result(&self, call: &ToolCall) -> Option<Result<ToolOutput, ToolError>> {
        let mut state = self.state.lock();
        let result = state.results.take(call);
        if result.is_none() && state.diverged.is_none() {
            let asked = state.exchanges.iter().filter(|(_, asked)| *asked);
            let (request, path) = (asked.count(), self.path.display());
            state.diverged = Some(Divergence {
                request,
                what: format!(
                    "after request {request}, a call would run that has no result in `{path}`"
                ),
                difference: difference::of_call(call),
            });
        }
        result
    }

    /// Returns Ok if exactly what was recorded has been asked for.
    pub(super) fn finish(&self) -> Result<(), RecordingError> {
        let state = self.state.lock();
        if let Some(divergence) = &state.diverged {
            return Err(self.error(divergence));
        }
        match state.exchanges.iter().find(|(_, asked)| !asked) {
            None => Ok(()),
            Some((exchange, _)) => Err(RecordingError::Unasked {
                path: self.path.clone(),
                first: exchange.number,
                recorded: state.exchanges.len(),
                last: difference::last_message(&exchange.sent),
            }),
        }
    }

    fn error(&self, divergence: &Divergence) -> RecordingError {
        let Divergence {
            request,
            what,
            difference,
        } = divergence.clone();
        RecordingError::Diverged {
            path: self.path.clone(),
            request,
            what,
            difference,
        }
    }
}

impl State {
    /// The number of the recorded request that matches this one: the first unused one. Requests of concurrent runs
    /// may come in another order.
    ///
    /// # Errors
    ///
    /// The request in the form in which it is compared, or why it has none.
    fn find(&self, request: &ModelRequest) -> Result<usize, Result<Sent, String>> {
        let now = Sent::of(request, &self.redaction).map_err(Err)?;
        let open = self.exchanges.iter().enumerate();
        let mut open = open.filter(|(_, (_, asked))| !asked);
        let same = open.find(|(_, (exchange, _))| {
            exchange.sent == now || difference::between(&exchange.sent, &now).is_empty()
        });
        same.map(|(index, _)| index).ok_or(Ok(now))
    }

    /// The difference of a request from the recorded one: from the unused one that has the longest common beginning.
    fn divergence(&self, now: Result<Sent, String>, path: &Path) -> Divergence {
        let path = path.display();
        let recorded = self.exchanges.len();
        let now = match now {
            Ok(now) => now,
            Err(why) => {
                return Divergence {
                    request: self.exchanges.iter().filter(|(_, asked)| *asked).count() + 1,
                    what: format!("a request cannot be compared with `{path}`"),
                    difference: format!("{why}\n"),
                };
            }
        };
        let open = self.exchanges.iter().filter(|(_, asked)| !asked);
        let open = open.map(|(exchange, _)| exchange);
        // Of those that are equally like it the first.
        let like = open
            .rev()
            .max_by_key(|exchange| exchange.sent.shared_with(&now));
        match (like, self.exchanges.last()) {
            (Some(then), _) => Divergence {
                request: then.number,
                what: format!(
                    "request {} of {recorded} in `{path}` would be different now",
                    then.number
                ),
                difference: difference::between(&then.sent, &now),
            },
            (None, last) => Divergence {
                request: recorded + 1,
                what: format!(
                    "the run would send one more request than the {recorded} in `{path}`: compared with the last of them"
                ),
                difference: last.map_or_else(String::new, |(last, _)| {
                    difference::between(&last.sent, &now)
                }),
            },
        }
    }
}
