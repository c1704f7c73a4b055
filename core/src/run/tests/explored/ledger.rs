//! What the records of a log keep to, one after the other.

use std::rc::Rc;

use super::*;

/// What the records so far say of the calls of the latest response, and of the whole run.
#[derive(Clone, Default)]
pub(super) struct Ledger {
    calls: Vec<Rc<Called>>,
    /// The number of the round of the calls, once something has happened to one.
    round: Option<u32>,
    /// The rounds and the calls that have started.
    rounds: u32,
    started: u32,
    /// The messages that were pushed.
    pub(super) pushed: usize,
    /// True if no call may start any more.
    stops: bool,
    /// The tokens of sub-agents.
    agents: u64,
    typed: Typed,
    handed: Handed,
}

/// What the records say of the agents.
#[derive(Clone, Default)]
struct Handed {
    /// The agent that was handed over to last.
    agent: Option<String>,
    /// The agent that a call of the round under way hands over to.
    next: Option<String>,
}

impl Handed {
    /// Takes the result of a call.
    fn finished(&mut self, name: &str, result: &ToolResult, config: &RunConfig) {
        let is_known = |name: &&str| config.agents.iter().any(|agent| agent.name == *name);
        let agent = name.strip_prefix("transfer_to_").filter(is_known);
        if let Some(agent) = agent.filter(|_| result.outcome.is_ok()) {
            assert!(self.next.is_none(), "handed over twice");
            self.next = Some(agent.to_owned());
        }
    }

    fn transferred(&mut self, from: &str, to: &str, config: &RunConfig) {
        let first = config.agents[0].name.as_str();
        assert_eq!(from, self.agent.as_deref().unwrap_or(first));
        assert_eq!(self.next.take().as_deref(), Some(to), "nobody handed over");
        self.agent = Some(to.to_owned());
    }
}

/// A call of the latest response.
#[derive(Clone)]
struct Called {
    /// With the arguments that it is to run with.
    call: ToolCall,
    policy: ToolPolicy,
    attempts: u32,
    interrupted: u32,
    running: bool,
    checkpoint: Option<String>,
    /// The questions, with the answers that they have.
    questions: Vec<(String, Option<Decision>)>,
    /// The number of those before its approval was void.
    void: usize,
    approval: Approval,
    result: Option<ToolResult>,
}

/// What was decided about a call last.
#[derive(Clone, Copy, PartialEq)]
enum Approval {
    None,
    Given,
    Revoked,
    Denied,
    /// By nobody, in the time for it.
    Expired,
}

/// What the records say of an answer that has a form.
#[derive(Clone, Default)]
struct Typed {
    /// True if the tool for it has taken one.
    is_taken: bool,
    /// True if the latest response is no answer that fits.
    is_unfit: bool,
    /// True if the provider has paused the turn: its next request goes on with it, whatever the limits.
    is_paused: bool,
    tokens: u64,
    /// The responses to requests that were sent beyond the limit of tokens.
    beyond: u32,
}

impl Typed {
    /// Takes a response. Nothing is asked after an answer, and at most a last request and a flattened one beyond a limit.
    fn replied(&mut self, response: &ModelResponse, unfit: bool, limits: &Limits) {
        assert!(!self.is_taken, "asked after the answer");
        if !self.is_paused && limits.max_tokens.is_some_and(|max| self.tokens >= max) {
            self.beyond += 1;
        }
        let most = if limits.on_limit == OnLimit::Summarize {
            2
        } else {
            0
        };
        assert!(self.beyond <= most, "beyond the limit of tokens");
        let usage = response.usage.clone().unwrap_or_default();
        self.tokens += usage.total_tokens();
        self.is_unfit = unfit;
        self.is_paused = response.finish_reason == FinishReason::Paused;
    }

    /// Takes the end of a run. No answer that does not fit is one, and none that fits is lost.
    fn finished(&self, finish: &Finish, stops: bool) {
        match finish {
            Finish::Answered
            | Finish::Limit {
                summarized: true, ..
            } => {
                assert!(
                    self.is_taken || !self.is_unfit,
                    "an answer that does not fit"
                );
            }
            _ => assert!(!self.is_taken || stops, "an answer that was lost"),
        }
    }
}

/// Returns true if the tool of this name takes the answer.
fn takes_answer(config: &RunConfig, name: &str) -> bool {
    config.answer.as_ref().is_some_and(|form| form.takes(name))
}

impl Ledger {
    /// Takes the records of one signal, which led to this run.
    pub(super) fn add(&mut self, records: &[Record], run: &Run) {
        for record in records {
            self.take(record, run.config());
            if let Record::CallStarted { call, name } = record {
                let called = &self.calls[call.index as usize].call;
                let runs = run.call(*call).expect("is there");
                assert_eq!(runs.arguments, called.arguments, "the arguments");
                assert_eq!(*name, called.name);
                let called = &self.calls[call.index as usize];
                let checkpoint = run.checkpoint(*call).map(|state| &**state);
                assert_eq!(checkpoint, called.checkpoint.as_deref(), "where it was");
                let answers = called.questions[called.void..].iter().map(|(key, answer)| {
                    let answer = answer.clone().expect("it starts with an answer");
                    (key.clone(), answer)
                });
                let known = run.answers(*call).iter();
                let known = known.map(|(key, _, answer)| (key.clone(), answer.clone()));
                assert!(known.eq(answers), "the answers");
            }
        }
    }

    /// What people say about a call, or that they say nothing.
    fn decide(&mut self, record: &Record) {
        match record {
            Record::CallExpired { call } => {
                let called = self.called(*call);
                if let Some(answer) = called.open_question() {
                    *answer = Some(Decision::deny("nobody answered in time"));
                    return;
                }
                let may_wait = called.policy.approval || called.policy.external;
                assert!(may_wait && !called.running && !called.approval.is_no());
                called.approval = Approval::Expired;
            }
            Record::ApprovalRevoked { call } => {
                let called = self.called(*call);
                assert!(called.policy.approval && !called.running && !called.approval.is_no());
                called.approval = Approval::Revoked;
                called.void = called.questions.len();
            }
            Record::QuestionAnswered {
                call,
                key,
                decision,
            } => {
                let called = self.called(*call);
                let (asked, _) = called.questions.last().expect("it has asked");
                assert_eq!(key, asked);
                let answer = called.open_question().expect("it waits");
                *answer = Some(decision.clone());
            }
            Record::CallDecided { call, decision, .. } => {
                let called = self.called(*call);
                assert!(called.attempts == 0 || called.approval == Approval::Revoked);
                match decision {
                    Decision::Deny { .. } => called.approval = Approval::Denied,
                    Decision::Approve => called.approval = Approval::Given,
                    Decision::ApproveWith { arguments } => {
                        called.approval = Approval::Given;
                        called.call.arguments.clone_from(arguments);
                    }
                }
            }
            _ => unreachable!("it is said about a call"),
        }
    }

    fn take(&mut self, record: &Record, config: &RunConfig) {
        match record {
            Record::Replied {
                response,
                policies,
                unfit,
            } => {
                self.all_or_none_is_answered();
                assert!(self.handed.next.is_none(), "the former agent was asked");
                self.typed
                    .replied(response, unfit.is_some(), &config.limits);
                for stop in &config.stop_when {
                    assert!(*stop != StopWhen::Rounds(self.rounds), "a stop condition");
                }
                let policies = policies
                    .iter()
                    .copied()
                    .chain(std::iter::repeat(ToolPolicy::default()));
                let calls = response.tool_calls.iter().zip(policies);
                self.calls = calls.map(Called::new).collect();
                self.round = None;
            }
            Record::CallStarted { call, .. } => self.start(*call, config),
            Record::CallPrepared {
                call, arguments, ..
            } => {
                let called = self.called(*call);
                assert!(called.attempts == 0 && called.approval != Approval::Given);
                called.call.arguments.clone_from(arguments);
            }
            Record::CallInterrupted { call } => {
                let called = self.called(*call);
                assert!(called.running);
                called.running = false;
                called.interrupted += 1;
            }
            Record::CallCheckpointed { call, state } => {
                let called = self.called(*call);
                assert!(called.running, "a checkpoint of what does not run");
                called.checkpoint = Some(state.clone());
            }
            Record::CallDelayed { call, why } => self.called(*call).delay(why),
            Record::CallResumed { call } => assert!(!self.called(*call).running),
            Record::CallExpired { .. }
            | Record::ApprovalRevoked { .. }
            | Record::QuestionAnswered { .. }
            | Record::CallDecided { .. } => self.decide(record),
            Record::CallFinished {
                call,
                result,
                spent,
            } => {
                let tokens = spent.as_ref().map(|spent| spent.usage.output_tokens);
                self.agents += tokens.unwrap_or_default();
                let stops = self.stops;
                let called = self.called(*call);
                if takes_answer(config, &called.call.name) {
                    assert!(stops || called.attempts > 0, "an answer that was not taken");
                    self.typed.is_taken |= result.outcome.is_ok();
                }
                let called = self.called(*call);
                let has_run = called.attempts > 0 || called.policy.external;
                assert!(result.outcome.is_err() || has_run, "a result of nothing");
                assert!(
                    result.outcome.is_err() || !called.approval.is_no(),
                    "denied"
                );
                called.running = false;
                called.result = Some(result.clone());
                let name = called.call.name.clone();
                self.handed.finished(&name, result, config);
            }
            Record::Transferred { from, to, .. } => self.handed.transferred(from, to, config),
            Record::MessagePushed { .. } => self.pushed += 1,
            Record::CancelRequested
            | Record::TimeLimitReached
            | Record::SharedLimitReached { .. } => self.stops = true,
            Record::Finished { finish } => {
                assert!(self.handed.next.is_none(), "a hand-over is lost");
                self.all_or_none_is_answered();
                if config.answer.is_some() {
                    self.typed.finished(finish, self.stops);
                }
            }
            _ => {}
        }
    }

    /// A call of the round under way, which has no result.
    fn called(&mut self, id: CallId) -> &mut Called {
        assert_eq!(*self.round.get_or_insert(id.round), id.round);
        let called = Rc::make_mut(&mut self.calls[id.index as usize]);
        assert!(called.result.is_none(), "a call with a result is over");
        called
    }

    /// A call starts as often as its effects allow, in its turn, and within all bounds.
    fn start(&mut self, id: CallId, config: &RunConfig) {
        assert!(!self.stops, "a call of a run that stops");
        let called = self.called(id);
        assert!(!called.running);
        called.running = true;
        called.attempts += 1;
        let (policy, attempts) = (called.policy, called.attempts);
        let questions = u32::try_from(called.questions.len()).expect("are few");
        let goes_on = policy.resumes || called.checkpoint.is_some();
        let is_first = attempts == 1 + questions;
        assert!(attempts <= 1 + policy.allowed_retries() + called.interrupted + questions);
        assert!(
            is_first || policy.effects != Effects::Write || goes_on,
            "a write runs once"
        );
        assert!(!policy.external, "the application answers it");
        assert!(!called.approval.is_no(), "denied");
        let is_approved = called.approval == Approval::Given;
        assert!(!policy.approval || is_approved, "not approved");
        let name = called.call.name.clone();
        // An answer is no call that the limits count.
        let is_answer = |name: &str| takes_answer(config, name);
        let is_first = |called: &Rc<Called>| called.attempts == 0 || is_answer(&called.call.name);
        let before = self.calls.iter().filter(|called| !is_first(called)).count();
        if attempts == 1 && !is_answer(&name) {
            self.started += 1;
            self.rounds += u32::from(before == 1);
            let limits = &config.limits;
            assert!(self.rounds <= limits.max_rounds, "rounds");
            let max = limits.max_tool_calls.unwrap_or(u32::MAX);
            assert!(self.started <= max, "tool calls");
            assert!(before <= limits.max_calls_per_response as usize, "calls");
        }
        match config.tool_choice.at(self.rounds.saturating_sub(1)) {
            ToolChoice::None => panic!("no call may start"),
            ToolChoice::Tool(only) => assert_eq!(name, only, "may not start"),
            _ => {}
        }
        let running = self.calls.iter().filter(|called| called.running).count();
        assert!(running <= config.concurrency.get(), "too many at once");
        // A barrier waits for those before it, and those after it wait for it.
        let mut others = self.calls[..id.index as usize].iter();
        let waits = |other: &Rc<Called>| policy.sequential || other.policy.sequential;
        assert!(
            others.all(|other| !waits(other) || other.result.is_some()),
            "a barrier"
        );
    }

    /// A bit for each call, which is set if it was denied, or nobody decided in time.
    pub(super) fn denied(&self) -> u64 {
        let calls = self.calls.iter().enumerate();
        calls.fold(0, |bits, (place, called)| {
            bits | u64::from(called.approval.is_no()) << place
        })
    }

    fn all_or_none_is_answered(&self) {
        let answered = self.calls.iter().filter(|called| called.result.is_some());
        let answered = answered.count();
        assert!(answered == 0 || answered == self.calls.len(), "an orphan");
    }

    /// No tool may be called in a request after the last round.
    pub(super) fn check_request(&self, run: &Run) {
        let Phase::Model(call) = run.state.phase else {
            return;
        };
        if let Some(agent) = &self.handed.agent {
            assert_eq!(run.agent(), Some(agent.as_str()));
            let is_summary = call == ModelCall::Compact;
            assert!(is_summary || run.request().system == Some(format!("You are {agent}.")));
        }
        let limits = &run.config().limits;
        let is_last = self.rounds >= limits.max_rounds
            || limits.max_tool_calls.is_some_and(|max| self.started >= max);
        if limits.on_limit != OnLimit::Summarize || !is_last {
            return;
        }
        match call {
            ModelCall::Open => panic!("unlocked"),
            ModelCall::Locked => assert_eq!(run.request().tool_choice, ToolChoice::None),
            ModelCall::Flattened | ModelCall::Compact => {}
        }
    }

    /// What sub-agents have spent is counted.
    pub(super) fn check_spent(&self, run: &Run) {
        assert!(
            run.state.spent.usage().output_tokens >= self.agents,
            "spent"
        );
    }

    /// The results in the conversation are those of the log, each that of its call.
    pub(super) fn check_results(&self, conversation: &Conversation) {
        if self.calls.iter().all(|called| called.result.is_none()) {
            return;
        }
        let messages = conversation.messages().iter().rev();
        let last = messages.filter_map(|message| match message {
            Message::Assistant(message) => message.tool_rounds.iter().next_back(),
            Message::User(_) => None,
        });
        let round = last.into_iter().next().expect("there is a round");
        assert_eq!(round.results.len(), self.calls.len(), "a result is lost");
        for (called, result) in self.calls.iter().zip(round.results.iter()) {
            match &called.result {
                Some(logged) => assert_eq!(logged.outcome, result.outcome, "a result"),
                None if called.attempts > 0 && called.policy.effects != Effects::ReadOnly => {
                    let text = result.to_model_text();
                    assert!(text.contains("may have taken effect"), "perhaps done");
                }
                None => assert!(result.outcome.is_err()),
            }
        }
    }

    /// After an interruption nothing runs, and a write that ran is told as one that may have happened.
    pub(super) fn check_interrupted(&self, after: &Self) {
        for (before, after) in self.calls.iter().zip(&after.calls) {
            assert!(!after.running, "nothing runs");
            let goes_on = before.policy.resumes || before.checkpoint.is_some();
            if goes_on && before.running && !self.stops {
                assert_eq!(after.result, None, "it goes on");
            }
            if before.running && before.policy.effects == Effects::Write && !goes_on {
                let told = format!("{:?}", after.result);
                assert!(told.contains("may have taken effect"), "perhaps done");
            }
        }
    }
}

impl Approval {
    /// Returns true if the call is not to run.
    fn is_no(self) -> bool {
        matches!(self, Self::Denied | Self::Expired)
    }
}

impl Called {
    fn delay(&mut self, why: &Delay) {
        if matches!(why, Delay::Below { .. }) {
            assert!(self.running && self.policy.resumes);
            self.interrupted += 1;
        }
        if let Delay::Question { key, .. } = why {
            assert!(self.running, "a question of what does not run");
            assert!(
                self.questions[self.void..]
                    .iter()
                    .all(|(asked, _)| asked != key),
                "asked twice"
            );
            self.questions.push((key.clone(), None));
        }
        self.running = false;
    }

    /// The place of the answer of the question that it waits for.
    fn open_question(&mut self) -> Option<&mut Option<Decision>> {
        let (_, answer) = self.questions.last_mut()?;
        answer.is_none().then_some(answer)
    }

    fn new((call, policy): (&ToolCall, ToolPolicy)) -> Rc<Self> {
        Rc::new(Self {
            call: call.clone(),
            policy,
            attempts: 0,
            interrupted: 0,
            running: false,
            checkpoint: None,
            questions: Vec::new(),
            void: 0,
            approval: Approval::None,
            result: None,
        })
    }
}
