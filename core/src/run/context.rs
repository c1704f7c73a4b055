//! The part of a conversation that is sent, where the model has a context window.

mod estimate;
mod plan;
mod summary;
mod weight;
mod window;

pub use window::ContextWindow;

use super::{ModelCall, RunConfig};
use crate::tool::ToolDefinition;
use crate::{
    Conversation,
    conversation::{Compaction, Piece, Placed, count, pieces, push, shown, view},
    message::{Message, SharedVec},
    model::{ModelError, ModelErrorKind, ModelRequest, ModelResponse},
};
use estimate::Estimate;
use plan::Rules;

/// The most times that a model may say of one request that it is too long, and is sent less.
const TOO_LONG: u32 = 2;

/// The weight of a note in the place of what is left out, and that of a summary.
const NOTE: u64 = 400;
const SUMMARY: u64 = 4_000;

/// The part of a conversation that is sent, and what is known of its tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Context {
    window: ContextWindow,
    /// The index of the first message of the run.
    run_from: usize,
    /// The place in the conversation up to which its pieces are known here.
    seen: Seen,
    /// The messages that are sent, unless these are all.
    view: Option<SharedVec<Message>>,
    /// The weight of the messages that are sent, and that of all else in a request.
    weight: u64,
    overhead: u64,
    estimate: Estimate,
    /// The number of compactions for the next request.
    made: u32,
    /// How often the model has rejected the next request as too long.
    too_long: u32,
    /// True if the model has rejected it, and a shorter one was not sent yet.
    is_due: bool,
    /// The compaction whose summary is made, and the model call that it is for.
    summarizing: Option<(ModelCall, Compaction)>,
    /// The number of compactions of the run.
    compactions: u32,
    /// The number of requests for summaries, and of those that were too long.
    requests: u32,
}

/// A place in a conversation that grows at its end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Seen {
    /// The number of messages before the last one.
    messages: usize,
    /// The number of pieces of the last one.
    of_last: usize,
    /// The number of all pieces.
    pieces: u64,
}

impl Context {
    /// The context of a run, whose question is in the conversation already.
    pub(super) fn new(config: &RunConfig, conversation: &Conversation) -> Option<Self> {
        let window = config.context_window?;
        let system = conversation.system().or(config.system.as_deref());
        // The conversation may be handed over to any of the agents.
        let others = config
            .agents
            .iter()
            .filter_map(|agent| agent.system.as_deref());
        let system = system
            .into_iter()
            .chain(others)
            .max_by_key(|text| text.len());
        let texts = [system, config.instructions.as_deref()]
            .into_iter()
            .flatten();
        let overhead = window.overhead.unwrap_or_default().saturating_mul(4);
        let mut context = Self {
            window,
            run_from: conversation.messages().len() - 1,
            seen: Seen::default(),
            view: None,
            weight: 0,
            overhead: texts
                .map(weight::of_text)
                .fold(overhead, u64::saturating_add),
            estimate: Estimate::new(),
            made: 0,
            too_long: 0,
            is_due: false,
            summarizing: None,
            compactions: 0,
            requests: 0,
        };
        context.follow(conversation);
        if conversation.compaction().is_some() {
            context.look_again(conversation);
        }
        Some(context)
    }

    /// The messages that are sent, unless these are all.
    pub(super) fn view(&self) -> Option<&SharedVec<Message>> {
        self.view.as_ref()
    }

    /// Adds the messages since. A round comes when its calls are answered.
    pub(super) fn follow(&mut self, conversation: &Conversation) {
        if conversation.requires_tool_execution() {
            return;
        }
        let messages = conversation.messages();
        while let Some(message) = messages.get(self.seen.messages) {
            let of_this =
                usize::try_from(count(std::slice::from_ref(message))).unwrap_or(usize::MAX);
            for piece in self.new_pieces(message, of_this) {
                self.seen.pieces += 1;
                self.weight += weight::of(piece);
                if let Some(view) = &mut self.view {
                    push(view, piece);
                }
            }
            self.seen.of_last = of_this;
            if self.seen.messages + 1 == messages.len() {
                return;
            }
            self.seen.messages += 1;
            self.seen.of_last = 0;
        }
    }

    /// The pieces of a message that are not known.
    fn new_pieces<'a>(&self, message: &'a Message, of_this: usize) -> Vec<Piece<'a>> {
        let new = of_this - self.seen.of_last;
        let mut new: Vec<_> = pieces(message).rev().take(new).collect();
        new.reverse();
        new
    }

    /// Takes the response to a request, which took so many: the next one is another. Each of these holds the
    /// conversation, and the tokens are the sum of those that reported some. A failed one may have reported
    /// none.
    pub(super) fn heard(&mut self, sent_tokens: Option<u64>, requests: u32) {
        if let Some(sent) = sent_tokens {
            let estimated = self.tokens().max(1);
            let told = sent.saturating_add(estimated / 2) / estimated;
            let told = told.clamp(1, requests.max(1).into());
            self.estimate.told(sent.div_ceil(told), self.all());
        }
        (self.made, self.too_long) = (0, 0);
    }

    /// Takes that the next request is too long, if less may be sent.
    pub(super) fn may_shrink(&mut self, conversation: &Conversation) -> bool {
        if self.too_long >= TOO_LONG || self.least(conversation).is_none() {
            return false;
        }
        self.estimate.too_long(self.window.tokens, self.all());
        self.too_long += 1;
        self.requests += 1;
        self.is_due = true;
        true
    }

    /// True if less must be sent before the model is asked again.
    pub(super) fn is_due(&self) -> bool {
        self.is_due
    }

    /// The compaction that the next request needs. One that the run decides by itself is made once a request.
    pub(super) fn wanted(&self, conversation: &Conversation) -> Option<Compaction> {
        let is_full = self.made == 0 && self.tokens() > self.window.limit();
        if !is_full && !self.is_due {
            return None;
        }
        let now = now(conversation);
        let (pieces, rules) = (self.pieces(conversation), self.rules(conversation));
        let next = plan::plan(&pieces, &now, &rules);
        next.or_else(|| self.is_due.then(|| plan::least(&pieces, &now, &rules))?)
    }

    /// Returns true if a summary of what the compaction leaves out is to be made.
    pub(super) fn summarizes(&self, conversation: &Conversation, next: &Compaction) -> bool {
        let left_out = now(conversation).left_out;
        self.window.summarize && self.made == 0 && next.left_out > left_out
    }

    /// Returns true if a compaction may come next.
    pub(super) fn accepts(&self, conversation: &Conversation, next: &Compaction) -> bool {
        let (pieces, rules) = (self.pieces(conversation), self.rules(conversation));
        self.made <= TOO_LONG && plan::follows(&pieces, &now(conversation), next, &rules)
    }

    /// The compaction whose summary is made, and the model call that it is for.
    pub(super) fn summarizing(&self) -> Option<&(ModelCall, Compaction)> {
        self.summarizing.as_ref()
    }

    pub(super) fn summarize(&mut self, call: ModelCall, next: Compaction) {
        self.summarizing = Some((call, next));
    }

    /// No summary is made any more. Gives the model call that it was for.
    pub(super) fn stop_summarizing(&mut self) -> Option<ModelCall> {
        self.summarizing.take().map(|(call, _)| call)
    }

    /// The request for the summary.
    pub(super) fn summary_request(&self, conversation: &Conversation) -> Option<ModelRequest> {
        let (_, next) = self.summarizing.as_ref()?;
        let room = self.estimate.weight_of(self.window.limit());
        let before = self.pieces(conversation);
        let after: Vec<_> = shown(conversation.messages(), self.seen.pieces, next);
        let is_gone = |placed: &&Placed<'_>| {
            let place = after.binary_search_by_key(&placed.place, |after| after.place);
            place.is_err()
        };
        let gone: Vec<_> = before
            .iter()
            .filter(is_gone)
            .map(|placed| placed.piece)
            .collect();
        let summary = conversation
            .compaction()
            .and_then(|now| now.summary.as_deref());
        Some(summary::request(&gone, summary, room))
    }

    /// The summary in a response, if it is one, and is shorter than what it stands for.
    pub(super) fn summary_of(
        &self,
        response: ModelResponse,
    ) -> Result<(String, ModelResponse), ModelError> {
        let most = self.estimate.weight_of(self.window.target) / 2;
        match summary::of(&response, most.max(SUMMARY)) {
            Ok(summary) => Ok((summary, response)),
            Err(error) => Err(error.with_partial(response)),
        }
    }

    /// Sends less from now on. `asked` is true if a summary was asked for.
    pub(super) fn compacted(&mut self, conversation: &Conversation, asked: bool) {
        self.requests += u32::from(asked);
        self.made += 1;
        self.compactions += 1;
        self.is_due = false;
        self.summarizing = None;
        self.look_again(conversation);
    }

    /// The number of compactions of the run.
    pub(super) fn compactions(&self) -> u32 {
        self.compactions
    }

    /// The number of requests for summaries, and of those that were too long.
    #[cfg(test)]
    pub(super) fn requests(&self) -> u32 {
        self.requests
    }

    fn look_again(&mut self, conversation: &Conversation) {
        let view = view(
            conversation.messages(),
            self.seen.pieces,
            &now(conversation),
        );
        self.weight = view.iter().flat_map(pieces).map(weight::of).sum();
        self.view = Some(view);
    }

    fn least(&self, conversation: &Conversation) -> Option<Compaction> {
        let (pieces, rules) = (self.pieces(conversation), self.rules(conversation));
        plan::least(&pieces, &now(conversation), &rules)
    }

    fn pieces<'a>(&self, conversation: &'a Conversation) -> Vec<Placed<'a>> {
        shown(
            conversation.messages(),
            self.seen.pieces,
            &now(conversation),
        )
    }

    /// The rules of the next compaction. Where what is always sent needs most of the target, that is half of the rest.
    fn rules(&self, conversation: &Conversation) -> Rules {
        let limit = self.window.limit();
        let requests = conversation
            .messages()
            .get(self.run_from..)
            .unwrap_or_default();
        let requests = requests
            .iter()
            .filter(|message| matches!(message, Message::User(_)));
        let requests = requests.flat_map(pieces).map(weight::of).sum();
        let fixed = self
            .estimate
            .tokens_of(self.overhead.saturating_add(requests));
        let target = self.window.target.max(fixed.midpoint(limit)).min(limit);
        let weight_of = |tokens| {
            self.estimate
                .weight_of(tokens)
                .saturating_sub(self.overhead)
        };
        let summary = conversation
            .compaction()
            .and_then(|now| now.summary.as_deref());
        Rules {
            target: weight_of(target),
            limit: weight_of(limit),
            note: match summary {
                _ if self.window.summarize => SUMMARY.min(weight_of(target) / 4),
                summary => NOTE + summary.map_or(0, weight::of_text),
            },
            keep_rounds: self.window.keep_rounds,
            run_from: self.run_from,
            total: self.seen.pieces,
        }
    }

    /// The tokens of the next request, by estimate.
    fn tokens(&self) -> u64 {
        self.estimate.tokens_of(self.all())
    }

    fn all(&self) -> u64 {
        self.weight.saturating_add(self.overhead)
    }
}

/// The tokens of the definitions of tools, by estimate.
pub fn tokens_of(tools: &[ToolDefinition]) -> u64 {
    weight::of_json(&tools) / 4
}

/// Returns true if a model says that a request is too long.
pub(super) fn is_too_long(error: &ModelError) -> bool {
    error.kind == ModelErrorKind::ContextTooLong
}

/// What is no longer sent.
fn now(conversation: &Conversation) -> Compaction {
    conversation.compaction().cloned().unwrap_or_default()
}
