//! The state of a run: a fold over its log, in parts.
//!
//! Each part is a type with private fields in a file of its own, and no part knows another one:
//!
//! | Part | Owns |
//! | --- | --- |
//! | [`Phase`] | what comes next: a model call, a round of calls ([`Round`](super::round::Round)), the end |
//! | [`Turn`] | the turn of the model under way: failed attempts, pauses, corrections, the plan of the request |
//! | [`Spent`] | all that limits count, what the outcome counts, and the limit that was reached |
//! | [`Answering`] | the text of the answer as far as it has come, and the latest one that did not fit |
//! | [`CurrentAgent`] | the agent that the run is with, and a hand-over that is to be recorded |
//! | [`Stopping`] | whether the run is to stop: cancelled, late, or just interrupted |
//! | [`Pushed`] | messages of the user that no request has had |
//! | [`Rounds`] | the calls of the rounds that are over, and whether they lead anywhere |
//! | [`Compacting`] | what is sent of the conversation, and the compaction under way |
//! | [`Warnings`] | the warnings of the run and of its responses |
//!
//! The state holds them beside the settings and the conversation. [`State::accepts`] says which record may come next, and
//! [`State::apply`] which parts a record changes, in which order. What follows from several parts stands in the modules
//! below: `replied` and `round_over` judge a response and a round, `next` has the steps to the next request or to the end.

mod accepts;
mod answered;
mod compacted;
mod next;
mod replied;
mod round_over;

use super::{
    Finish, ModelCall, Record, RunConfig, RunId, agents::CurrentAgent, answering::Answering,
    compacting::Compacting, phase::Phase, pushed::Pushed, rounds::Rounds, spent::Spent,
    stopping::Stopping, turn::Turn, warnings::Warnings,
};
use crate::{
    Conversation, UserMessage,
    message::Part,
    model::{ModelResponse, ToolChoice},
    run::RequestPlan,
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub(super) id: RunId,
    pub(super) config: RunConfig,
    /// With every round that is over. The calls of the round under way wait in it.
    pub(super) conversation: Conversation,
    pub(super) phase: Phase,
    pub(super) turn: Turn,
    pub(super) spent: Spent,
    pub(super) answering: Answering,
    pub(super) agent: CurrentAgent,
    pub(super) stopping: Stopping,
    pub(super) pushed: Pushed,
    pub(super) rounds: Rounds,
    pub(super) compacting: Compacting,
    pub(super) warnings: Warnings,
}

impl State {
    /// The state after the first record.
    pub(super) fn new(
        id: &RunId,
        config: &RunConfig,
        conversation: &Conversation,
        input: &UserMessage,
    ) -> Self {
        let mut conversation = conversation.clone();
        conversation.push_user(input.clone());
        let agent = CurrentAgent::first(config, &conversation);
        if let Some(agent) = agent.config(config) {
            conversation.set_agent(&agent.name);
        }
        let mut state = Self {
            id: id.clone(),
            config: config.clone(),
            compacting: Compacting::new(config, &conversation),
            conversation,
            phase: Phase::Model(ModelCall::Open),
            turn: Turn::default(),
            spent: Spent::default(),
            answering: Answering::default(),
            agent,
            stopping: Stopping::default(),
            pushed: Pushed::default(),
            rounds: Rounds::default(),
            warnings: Warnings::default(),
        };
        match input.refusal() {
            Some(reply) => {
                state.answering.give(reply.to_owned());
                state.phase = Phase::Decided(Finish::InputRefused);
            }
            None => state.ask(),
        }
        state
    }

    /// Applies a record that the state [accepts](Self::accepts): to each part that it changes, in this order. The
    /// messages are then added to what is sent.
    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::Started { .. } | Record::Resumed { .. } => {}
            // The request: `spent`, `turn`. Its end: `compacting`, `warnings`, `turn`, `answering`. Then, by the verdict,
            // `conversation`, `spent`, and the next `phase`.
            Record::Replied {
                response,
                policies,
                unfit,
            } => self.replied(response.clone(), policies.clone(), unfit.as_deref()),
            // `spent`, `turn`, `conversation`. Then `compacting` alone, or `answering` and the next `phase`.
            Record::ModelFailed { error } => self.model_failed(error),
            // `spent`, `turn`, `phase`.
            Record::ModelDelayed { error } => self.model_delayed(error),
            Record::ModelResumed => self.model_resumed(),
            // `spent`, `turn`, `answering`, `conversation`, `stopping`.
            Record::ResponseBrokenOff { partial, .. } => {
                self.response_broken_off(partial);
                self.stopping.apply(record);
            }
            // `compacting`, `turn`, `phase`.
            Record::CompactionStarted { compaction } => self.compaction_started(compaction),
            // `spent`, `warnings`, `turn`, `phase`. Then `conversation`, `compacting`, and the next `phase`.
            Record::ContextCompacted {
                compaction,
                model,
                usage,
                error,
            } => {
                let model = model.as_deref();
                self.context_compacted(compaction, model, usage.as_ref(), error.as_ref());
            }
            Record::RequestPlanned { plan } => self.request_planned(plan),
            // The round in `phase`.
            Record::CallStarted { .. }
            | Record::CallPrepared { .. }
            | Record::CallDelayed { .. }
            | Record::CallResumed { .. }
            | Record::CallCheckpointed { .. }
            | Record::CallInterrupted { .. }
            | Record::CallDecided { .. }
            | Record::QuestionAnswered { .. }
            | Record::ApprovalRevoked { .. }
            | Record::CallExpired { .. } => {
                if let Phase::Tools(round) = &mut self.phase {
                    round.apply(record);
                }
            }
            // `spent`, and the round in `phase`. After its last call: `spent`, `agent`, `rounds`, `conversation`,
            // `answering`, and the next `phase`.
            Record::CallFinished {
                call,
                result,
                spent,
            } => self.call_finished(*call, result.clone(), spent.as_deref()),
            Record::SharedLimitReached { limit } => self.shared_limit_reached(*limit),
            // `agent`, `conversation`.
            Record::Transferred { .. } => self.transferred(),
            // `warnings` or `pushed`.
            Record::MessagePushed { message } => match message.refusal() {
                Some(reply) => self.warnings.add("input_refused", &reply),
                None => self.pushed.push(message.clone()),
            },
            // `pushed`, `conversation`.
            Record::MessagesRead => self.pushed.read_into(&mut self.conversation),
            Record::CancelAfterRound | Record::CancelRequested => self.stopping.apply(record),
            Record::TimeUsed { time } => self.spent.set_time(*time),
            // `stopping`, `compacting`, and the next `phase`.
            Record::TimeLimitReached => {
                self.stopping.apply(record);
                self.time_limit_reached();
            }
            // `phase`, and `conversation` where the application answers.
            Record::Finished { finish } => {
                if *finish == Finish::InputRefused {
                    let reply = Part::Text(self.answering.text().to_owned());
                    self.conversation
                        .push_response(ModelResponse::new(vec![reply]));
                }
                self.phase = Phase::Finished(finish.clone());
            }
        }
        self.compacting.follow(&self.conversation);
    }

    /// Applies a record by value, without copying its contents.
    pub(super) fn apply_owned(&mut self, record: Record) {
        match record {
            Record::Replied {
                response,
                policies,
                unfit,
            } => self.replied(response, policies, unfit.as_deref()),
            Record::CallFinished {
                call,
                result,
                spent,
            } => self.call_finished(call, result, spent.as_deref()),
            record => return self.apply(&record),
        }
        self.compacting.follow(&self.conversation);
    }

    /// The plan of the request under way or of the next one, or of the request that the round answers. A request for a
    /// summary has none.
    pub(super) fn plan(&self) -> Option<&RequestPlan> {
        let is_open = self.phase.model_call() == Some(ModelCall::Open);
        let has_plan = is_open || matches!(self.phase, Phase::Tools(_));
        self.turn.plan().filter(|_| has_plan)
    }

    /// The tool choice of the next request: that of its plan, or of the agent.
    pub(super) fn tool_choice(&self) -> ToolChoice {
        let planned = self.plan().and_then(|plan| plan.tool_choice.clone());
        planned.unwrap_or_else(|| self.agent.tool_choice(&self.config, self.spent.rounds()))
    }

    /// The conversation with the calls of the round under way answered, as far as they are.
    pub(super) fn transcript(&self) -> Conversation {
        let mut conversation = self.conversation.clone();
        if let Phase::Tools(round) = &self.phase {
            conversation
                .push_results(round.results_so_far())
                .expect("there is one result for each call, in order");
        }
        conversation
    }
}
