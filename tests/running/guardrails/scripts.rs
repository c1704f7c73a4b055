//! Scripts of models with a secret in each place, and the model that follows them.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::stream;
use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelError, ModelResponse,
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Usage},
    run::AnswerMeans,
    tool::BoxFuture,
};

use super::places::{call, errors, everywhere, looks_up, media, responses};
use crate::order::Dice;

/// A secret whose halves can be found as well: a stream may break off in its middle.
#[derive(Clone, Debug)]
pub(super) struct Secret {
    number: usize,
    pub(super) text: String,
}

impl Secret {
    pub(super) fn new(number: usize) -> Self {
        let text = format!("qz{number}head-{number}tailzq");
        Self { number, text }
    }

    /// What no reader is to find: either half, also where its first letter is escaped.
    pub(super) fn needles(&self) -> [String; 2] {
        let number = self.number;
        [format!("z{number}head"), format!("{number}tailz")]
    }

    pub(super) fn halves(&self) -> [&str; 2] {
        self.text.split_at(self.text.len() / 2).into()
    }

    /// The secret in JSON that does not spell it.
    pub(super) fn escaped(&self) -> String {
        self.text.replacen('q', "\\u0071", 1)
    }
}

/// One answer to a request.
#[derive(Clone, Debug)]
pub(super) enum Turn {
    Streams(Vec<Result<ModelEvent, ModelError>>),
    /// A response that is not streamed, which may have what no event has.
    Whole(Box<ModelResponse>),
    Panics(String),
}

impl From<Vec<ModelEvent>> for Turn {
    fn from(events: Vec<ModelEvent>) -> Self {
        Self::Streams(events.into_iter().map(Ok).collect())
    }
}

impl From<ModelResponse> for Turn {
    fn from(response: ModelResponse) -> Self {
        response.into_events().into()
    }
}

impl From<ModelError> for Turn {
    fn from(error: ModelError) -> Self {
        Self::Streams(vec![Err(error)])
    }
}

/// A model that follows a script, and then says that all is fine.
#[derive(Clone, Default)]
pub(super) struct Model {
    inner: Arc<Mutex<(VecDeque<Turn>, Vec<ModelRequest>)>>,
}

impl Model {
    pub(super) fn new(turns: Vec<Turn>) -> Self {
        let inner = Arc::new(Mutex::new((turns.into(), Vec::new())));
        Self { inner }
    }

    pub(super) fn requests(&self) -> Vec<ModelRequest> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.1.clone()
    }

    fn next(&self, request: &ModelRequest) -> Turn {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.1.push(request.clone());
        inner.0.pop_front().unwrap_or_else(|| fine().into())
    }
}

impl ChatModel for Model {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let events = match self.next(request) {
            Turn::Streams(events) => events,
            Turn::Whole(response) => response.into_events().into_iter().map(Ok).collect(),
            Turn::Panics(text) => return Box::pin(stream::once(async move { panic!("{text}") })),
        };
        Box::pin(stream::iter(events))
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            match self.next(request) {
                Turn::Whole(response) => Ok(*response),
                Turn::Panics(text) => panic!("{text}"),
                Turn::Streams(events) => {
                    toolwright::model::collect(Box::pin(stream::iter(events))).await
                }
            }
        })
    }

    fn takes_answer_schema(&self, _: &ModelRequest) -> bool {
        true
    }
}

/// An answer without the secret, which fits wherever a typed answer is asked for.
pub(super) fn fine() -> ModelResponse {
    ModelResponse::from_text(r#"{"word": "fine"}"#).with_usage(Usage::new(10, 1))
}

/// What the models of a run say: that of the runner, of its sub-agent, and of the agent that it hands over to.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) name: String,
    pub(super) secret: Secret,
    pub(super) main: Vec<Turn>,
    pub(super) clerk: Vec<Turn>,
    pub(super) billing: Vec<Turn>,
    pub(super) typed: Option<AnswerMeans>,
    pub(super) streaming: bool,
    /// True if the conversation is summarized before its second question.
    pub(super) is_summarized: bool,
    pub(super) around: Around,
    /// True if a reader finds it without the guardrail.
    pub(super) is_told: bool,
}

/// What stands around the guarded model, or inside of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Around {
    Nothing,
    /// Models that ask again, and others.
    Retries,
    RetriesInside,
    /// Tools that are emulated.
    Emulation,
    EmulationInside,
}

impl Around {
    pub(super) const ALL: [Self; 5] = [
        Self::Nothing,
        Self::Retries,
        Self::RetriesInside,
        Self::Emulation,
        Self::EmulationInside,
    ];
}

impl Script {
    fn new(name: impl Into<String>, secret: Secret, main: Vec<Turn>) -> Self {
        Self {
            name: name.into(),
            secret,
            main,
            clerk: Vec::new(),
            billing: Vec::new(),
            typed: None,
            streaming: true,
            is_summarized: false,
            around: Around::Nothing,
            is_told: true,
        }
    }
}

/// How a stream ends after an event.
const BREAKS: [Option<ModelErrorKind>; 3] = [
    Some(ModelErrorKind::Transport),
    Some(ModelErrorKind::ContentFilter),
    // It just ends.
    None,
];

fn broken(secret: &Secret, after: usize, by: Option<ModelErrorKind>) -> Turn {
    let mut events: Vec<_> = everywhere(secret).into_iter().take(after).map(Ok).collect();
    events.extend(by.map(|kind| Err(ModelError::new(kind, "it broke off"))));
    Turn::Streams(events)
}

/// All scripts: each place, each break, each kind of agent and of typed answer, a summary, and what dice make of them.
pub(super) fn all() -> Vec<Script> {
    let mut all = All(Vec::new());
    all.places();
    all.breaks();
    all.typed_answers();
    all.other_models();
    all.summary();
    let mut dice = Dice::new(41);
    for number in 0..150 {
        all.thrown(number, &mut dice);
    }
    all.0
}

/// The scripts so far. Each gets a secret of its own.
struct All(Vec<Script>);

impl All {
    fn add(&mut self, make: impl FnOnce(Secret) -> Script) {
        let secret = Secret::new(1_000 + self.0.len());
        self.0.push(make(secret));
    }

    /// The secret in one place of the first response.
    fn places(&mut self) {
        let any = Secret::new(0);
        for place in 0..responses(&any).len() {
            self.add(|secret| {
                let (name, response) = responses(&secret).swap_remove(place);
                Script::new(name, secret, vec![response.into()])
            });
        }
        for place in 0..media(&any).len() {
            self.add(|secret| {
                let (name, response) = media(&secret).swap_remove(place);
                let main = vec![Turn::Whole(Box::new(response))];
                let mut script = Script::new(name, secret, main);
                script.streaming = false;
                script
            });
        }
        for place in 0..errors(&any).len() {
            self.add(|secret| {
                let (name, error) = errors(&secret).swap_remove(place);
                Script::new(name, secret, vec![error.into()])
            });
        }
        self.add(|secret| {
            let text = format!("byte 3 is no char boundary of `{}`", secret.text);
            Script::new("panic of the model", secret, vec![Turn::Panics(text)])
        });
    }

    /// The first stream ends after each of its events.
    fn breaks(&mut self) {
        let events = everywhere(&Secret::new(0)).len();
        let ends = (0..=events).flat_map(|after| BREAKS.map(|by| (after, by)));
        let ends = ends.flat_map(|end| [true, false].map(|streaming| (end, streaming)));
        for ((after, by), streaming) in ends {
            self.add(|secret| {
                let main = vec![broken(&secret, after, by)];
                let name = format!("{by:?} after {after} events, streamed: {streaming}");
                let mut script = Script::new(name, secret, main);
                script.streaming = streaming;
                script.is_told = after > 0;
                script
            });
        }
    }

    fn typed_answers(&mut self) {
        let by_tool = AnswerMeans::Tool("final_answer".into());
        let means = [AnswerMeans::Schema, AnswerMeans::Text, by_tool];
        for (means, escapes) in means
            .map(|means| [(means.clone(), false), (means, true)])
            .concat()
        {
            self.add(|secret| {
                let word = if escapes {
                    secret.escaped()
                } else {
                    secret.text.clone()
                };
                let json = format!(r#"{{"word": "{word}"}}"#);
                let answer = match &means {
                    AnswerMeans::Tool(name) => ModelResponse::new(vec![call("1", name, &json)]),
                    _ => ModelResponse::from_text(json),
                };
                let name = format!("an answer by {means:?}, escaped: {escapes}");
                let mut script = Script::new(name, secret, vec![answer.into()]);
                script.typed = Some(means);
                script
            });
        }
    }

    /// A sub-agent says it, or the agent that goes on with the conversation.
    fn other_models(&mut self) {
        for place in 0..12 {
            let asks = |tool, arguments: Value| {
                let asks = call("1", tool, &arguments.to_string());
                vec![ModelResponse::new(vec![asks]).into()]
            };
            self.add(|secret| {
                let (what, response) = responses(&secret).swap_remove(place);
                let main = asks("ask_clerk", json!({ "task": "Find it." }));
                let mut script = Script::new(format!("{what}, by the clerk"), secret, main);
                script.clerk = vec![response.into()];
                script
            });
            self.add(|secret| {
                let (what, response) = responses(&secret).swap_remove(place);
                let main = asks("transfer_to_billing", json!({ "reason": "money" }));
                let mut script = Script::new(format!("{what}, by billing"), secret, main);
                script.billing = vec![response.into()];
                script
            });
        }
    }

    fn summary(&mut self) {
        self.add(|secret| {
            let long = ModelResponse::from_text("Fine. ".repeat(2_000));
            let summary = ModelResponse::from_text(format!("They told {}.", secret.text));
            let main = vec![long.into(), summary.into()];
            let mut script = Script::new("summary", secret, main);
            script.is_summarized = true;
            script
        });
    }

    /// Several responses, errors and breaks, one after the other.
    fn thrown(&mut self, number: u32, dice: &mut Dice) {
        let turns = 1 + roll(dice, 4);
        let streaming = roll(dice, 2) == 0;
        let around = Around::ALL[roll(dice, Around::ALL.len())];
        self.add(|secret| {
            let main = (0..turns).map(|_| one_of(dice, &secret)).collect();
            let name = format!("dice {number}, {around:?}");
            let mut script = Script::new(name, secret, main);
            (script.streaming, script.around) = (streaming, around);
            script.is_told = false;
            script
        });
    }
}

fn one_of(dice: &mut Dice, secret: &Secret) -> Turn {
    match roll(dice, 4) {
        0 => {
            let after = roll(dice, everywhere(secret).len() + 1);
            broken(secret, after, BREAKS[roll(dice, BREAKS.len())])
        }
        1 => ModelResponse::new(vec![looks_up("a")]).into(),
        2 => {
            let mut errors = errors(secret);
            errors.swap_remove(roll(dice, errors.len())).1.into()
        }
        _ => {
            let mut responses = responses(secret);
            responses.swap_remove(roll(dice, responses.len())).1.into()
        }
    }
}

fn roll(dice: &mut Dice, sides: usize) -> usize {
    let sides = u64::try_from(sides).expect("is small");
    usize::try_from(dice.roll(sides)).expect("is small")
}
