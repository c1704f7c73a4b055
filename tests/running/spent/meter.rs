//! A model that says what its requests take, and knows what it has said.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt, future, stream};
use toolwright::{
    ChatModel, ModelError, ModelResponse,
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Usage},
    tool::BoxFuture,
};

/// What a request gets.
pub(super) type Step = Result<ModelResponse, ModelErrorKind>;

/// What a request gets instead of its step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cut {
    /// The tokens that it began with, and then nothing.
    Stalls,
    /// The same with some text.
    StallsInText,
    /// Its beginning, and then an error after which nobody asks again.
    Fails,
}

/// A model with a script, whose requests take tokens in powers of two: a sum says which of them it has.
#[derive(Clone)]
pub(super) struct Meter(Arc<Mutex<State>>);

struct State {
    script: Vec<Step>,
    cut: Option<(usize, Cut)>,
    /// What each request has said that it took.
    reported: Vec<u64>,
}

impl Meter {
    pub(super) fn new(script: Vec<Step>, cut: Option<(usize, Cut)>) -> Self {
        Self(Arc::new(Mutex::new(State {
            script,
            cut,
            reported: Vec::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What each request so far has said that it took.
    pub(super) fn reported(&self) -> Vec<u64> {
        self.state().reported.clone()
    }

    /// Begins a request: its number, what it gets, and whether that is cut off.
    fn ask(&self) -> (usize, Step, Option<Cut>) {
        let mut state = self.state();
        let number = state.reported.len();
        state.reported.push(0);
        let step = state.script.get(number).cloned();
        let cut = state.cut.filter(|(at, _)| *at == number);
        let after = step.unwrap_or(Err(ModelErrorKind::InvalidRequest));
        (number, after, cut.map(|(_, cut)| cut))
    }

    fn report(&self, number: usize, tokens: u64) -> Usage {
        self.state().reported[number] = tokens;
        Usage::new(tokens, 0)
    }
}

/// The tokens of a request: half of them are known when it begins.
fn tokens(number: usize) -> u64 {
    2 << number
}

fn error(kind: ModelErrorKind) -> ModelError {
    ModelError::new(kind, "it is meant to fail")
}

impl ChatModel for Meter {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let asked = stream::once(async move {
            let (number, step, cut) = self.ask();
            let begin = Ok(self.report(number, tokens(number) / 2).into());
            let half = Ok(ModelEvent::Text("half".to_owned()));
            let rest: Vec<Result<ModelEvent, ModelError>> = match (step, cut) {
                (_, Some(Cut::Stalls)) => Vec::new(),
                (_, Some(Cut::StallsInText)) => vec![half],
                (_, Some(Cut::Fails)) => vec![half, Err(error(ModelErrorKind::ContentFilter))],
                (Ok(response), None) => response.into_events().into_iter().map(Ok).collect(),
                (Err(kind), None) => vec![Err(error(kind))],
            };
            let rest = rest.into_iter().flat_map(move |event| match event {
                // The number of all tokens comes before the end.
                Ok(end @ ModelEvent::Finished { .. }) => {
                    vec![Ok(Usage::new(tokens(number), 0).into()), Ok(end)]
                }
                event => vec![event],
            });
            let events = stream::iter([begin].into_iter().chain(rest)).inspect(move |event| {
                if let Ok(ModelEvent::Usage(usage)) = event {
                    self.report(number, usage.total_tokens());
                }
            });
            let stalls = cut.is_some_and(|cut| cut != Cut::Fails);
            events.chain(if stalls {
                stream::pending().left_stream()
            } else {
                stream::empty().right_stream()
            })
        });
        Box::pin(asked.flatten())
    }

    fn complete<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let (number, step, cut) = self.ask();
            let failed = |kind| {
                let partial = ModelResponse::default();
                let used = self.report(number, tokens(number));
                error(kind).with_partial(partial.with_usage(used))
            };
            match (step, cut) {
                (_, Some(Cut::Stalls | Cut::StallsInText)) => future::pending().await,
                (_, Some(Cut::Fails)) => Err(failed(ModelErrorKind::ContentFilter)),
                (Ok(response), None) => {
                    Ok(response.with_usage(self.report(number, tokens(number))))
                }
                (Err(kind), None) => Err(failed(kind)),
            }
        })
    }
}
