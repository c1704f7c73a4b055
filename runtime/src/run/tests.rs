//! The run, driven by hand and over every schedule.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
};

mod asked_again;
mod circles;
mod refused;

use super::*;
use crate::{
    Effects, ErrorCategory, FinishReason, ModelErrorKind, ToolError,
    message::{Message, Part},
    model::{ToolChoice, Usage},
};

fn start(limits: Limits) -> (Run, Vec<Record>) {
    let config = RunConfig {
        limits,
        ..RunConfig::default()
    };
    Run::start(RunId::new("run"), config, Conversation::new(), "question")
}

fn calls(ids: &[&str]) -> ModelResponse {
    ModelResponse::from_calls(ids.iter().map(|id| ToolCall::new(*id, "look", "{}")))
}

fn reply(run: &mut Run, response: ModelResponse) {
    run.handle(Signal::Replied {
        response,
        policies: Vec::new(),
    });
}

fn answer_all_calls(run: &mut Run) {
    while let Some(Action::StartCall(id)) = run.poll().first().copied() {
        run.handle(Signal::CallStarted(id));
        run.handle(Signal::CallFinished(
            id,
            ToolResult::success("", id.to_string()),
        ));
    }
}

fn outcome(run: &Run) -> RunOutcome {
    run.outcome().expect("the run is over")
}

#[test]
fn a_reply_without_calls_ends_the_run_by_its_reason() {
    for (reason, finish) in [
        (FinishReason::Stop, Finish::Answered),
        (FinishReason::Other, Finish::Answered),
        (FinishReason::Length, Finish::Truncated),
        (FinishReason::ContentFilter, Finish::Filtered),
        (FinishReason::Refusal, Finish::Refused),
    ] {
        let (mut run, _) = start(Limits::default());
        reply(
            &mut run,
            ModelResponse::from_text("text").with_finish_reason(reason),
        );
        let outcome = outcome(&run);
        assert_eq!((outcome.finish, outcome.text.as_str()), (finish, "text"));
        assert_eq!(outcome.conversation.messages().len(), 2);
    }
}

#[test]
fn the_calls_decide_and_the_finish_reason_only_vetoes() {
    let (mut run, _) = start(Limits::default());
    reply(
        &mut run,
        calls(&["a"]).with_finish_reason(FinishReason::Stop),
    );
    assert!(matches!(run.poll()[..], [Action::StartCall(_)]));

    let (mut run, _) = start(Limits::default());
    reply(
        &mut run,
        calls(&["a"]).with_finish_reason(FinishReason::Length),
    );
    let outcome = outcome(&run);
    assert_eq!(outcome.finish, Finish::Truncated);
    assert!(!outcome.conversation.requires_tool_execution());
}

#[test]
fn every_repeated_or_empty_id_gets_its_own_result() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["x", "x", ""]));
    answer_all_calls(&mut run);
    reply(&mut run, ModelResponse::from_text("done"));
    let conversation = outcome(&run).conversation;
    let Message::Assistant(message) = &conversation.messages()[1] else {
        panic!("a reply")
    };
    let texts: Vec<_> = message.tool_rounds[0]
        .results
        .iter()
        .map(ToolResult::to_model_text)
        .collect();
    assert_eq!(texts, ["0.0", "0.1", "0.2"]);
}

#[test]
fn at_the_limit_the_tools_are_locked_and_the_model_answers() {
    let (mut run, _) = start(Limits::default().with_max_rounds(2));
    for _ in 0..2 {
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    let request = run.request();
    assert_eq!(request.tool_choice, ToolChoice::None);
    assert!(format!("{:?}", request.messages.last()).contains("limit of 2 rounds"));
    // Calls that come all the same are not part of the answer.
    let mut stubborn = ModelResponse::new(vec![
        Part::Text("so far".into()),
        Part::Call(ToolCall::new("b", "look", "")),
    ]);
    stubborn.usage = Some(Usage::new(3, 4));
    reply(&mut run, stubborn);
    let outcome = outcome(&run);
    let limit = Limit::Rounds { max: 2 };
    assert_eq!(
        outcome.finish,
        Finish::Limit {
            limit,
            summarized: true
        }
    );
    assert_eq!(
        (outcome.text.as_str(), outcome.rounds, outcome.model_calls),
        ("so far", 2, 3)
    );
    assert_eq!(outcome.usage, Usage::new(3, 4));
    assert!(!outcome.conversation.requires_tool_execution());
    assert!(!format!("{:?}", outcome.conversation).contains("limit of 2 rounds"));
}

#[test]
fn a_model_that_does_not_answer_when_locked_is_asked_once_more_without_tools() {
    let refusal = ModelError::new(ModelErrorKind::InvalidRequest, "no tool_choice here");
    for locked in [
        Signal::Replied {
            response: calls(&["b"]),
            policies: Vec::new(),
        },
        Signal::ModelFailed(refusal),
    ] {
        for (last, summarized) in [
            (ModelResponse::from_text("ok"), true),
            (calls(&["c"]), false),
        ] {
            let (mut run, _) = start(Limits::default().with_max_rounds(1));
            reply(&mut run, calls(&["a"]));
            answer_all_calls(&mut run);
            run.handle(locked.clone());
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Flattened)]);
            assert!(
                run.request()
                    .messages
                    .iter()
                    .flat_map(Message::turns)
                    .count()
                    >= 2
            );
            reply(&mut run, last);
            let outcome = outcome(&run);
            let limit = Limit::Rounds { max: 1 };
            assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
            assert_eq!(outcome.warnings.len(), 1);
        }
    }
}

#[test]
fn on_limit_stop_and_error_ask_no_more() {
    for (on_limit, max_rounds) in [(OnLimit::Stop, 0), (OnLimit::Stop, 1), (OnLimit::Error, 1)] {
        let (mut run, _) = start(
            Limits::default()
                .with_max_rounds(max_rounds)
                .with_on_limit(on_limit),
        );
        if max_rounds > 0 {
            reply(&mut run, calls(&["a"]));
            answer_all_calls(&mut run);
        }
        let limit = Limit::Rounds { max: max_rounds };
        let expected = match on_limit {
            OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
            _ => Finish::Limit {
                limit,
                summarized: false,
            },
        };
        assert_eq!(outcome(&run).finish, expected);
    }
}

#[test]
fn a_forced_choice_holds_for_the_first_round() {
    let config = RunConfig {
        tool_choice: ToolChoice::Required,
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    assert_eq!(run.request().tool_choice, ToolChoice::Required);
    reply(&mut run, calls(&["a"]));
    answer_all_calls(&mut run);
    assert_eq!(run.request().tool_choice, ToolChoice::Auto);
}

#[test]
fn a_paused_turn_goes_on_and_not_for_ever() {
    let (mut run, _) = start(Limits::default());
    for _ in 0..=verdict::MAX_PAUSES {
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        reply(
            &mut run,
            ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused),
        );
    }
    assert!(matches!(
        outcome(&run).finish,
        Finish::Failed(Failure::Model(_))
    ));
}

#[test]
fn signals_that_come_too_late_change_nothing() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a"]));
    let id = CallId { round: 0, index: 0 };
    let result = || ToolResult::success("a", 1);
    assert!(
        run.handle(Signal::CallFinished(id, result())).is_empty(),
        "it has not started"
    );
    run.handle(Signal::CallStarted(id));
    assert!(
        run.handle(Signal::CallStarted(id)).is_empty(),
        "it has started"
    );
    run.handle(Signal::CallFinished(id, result()));
    assert!(
        run.handle(Signal::CallFinished(id, result())).is_empty(),
        "it has finished"
    );
    run.handle(Signal::Cancel);
    let end = run.clone();
    for late in [
        Signal::Cancel,
        Signal::CallFinished(id, result()),
        Signal::ModelFailed(ModelError::new(ModelErrorKind::Transport, "gone")),
        Signal::Replied {
            response: calls(&["b"]),
            policies: Vec::new(),
        },
    ] {
        assert!(run.handle(late).is_empty());
    }
    assert_eq!(run, end);
}

/// What the model may reply, after so many of its calls.
type Script = fn(u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)>;

/// One that may be repeated, one that somebody has to approve and a barrier that is both; then an
/// answer.
fn delayed(model_calls: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let asks = ToolPolicy::default().with_approval();
    let both = reads.with_approval().with_sequential();
    match model_calls {
        0 => vec![
            (calls(&["x", "x", ""]), vec![reads, asks, both]),
            (calls(&["x", "x", ""]), vec![both, asks, reads]),
        ],
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// Five calls with a barrier among them, then two; then every way in which a reply can end.
fn scripted(model_calls: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let (beside, barrier) = (
        ToolPolicy::default(),
        ToolPolicy::default().with_sequential(),
    );
    let mut refusal = ModelResponse::new(Vec::new());
    refusal.refusal = Some("no".into());
    let odd = [
        calls(&["late"]),
        refusal,
        ModelResponse::from_text(""),
        calls(&["cut"]).with_finish_reason(FinishReason::Length),
        ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused),
        ModelResponse::from_text("").with_finish_reason(FinishReason::ContentFilter),
    ];
    let odd = odd.into_iter().map(|response| (response, Vec::new()));
    match model_calls {
        0 => vec![(
            calls(&["x", "x", "", "y", "z"]),
            vec![beside, beside, barrier, beside, beside],
        )],
        1 => std::iter::once((calls(&["x", "x"]), Vec::new()))
            .chain(odd)
            .collect(),
        2 | 3 => odd.collect(),
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// Two calls; then every way in which a reply can end.
fn brief(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    match replies {
        0 => vec![(calls(&["x", "x"]), Vec::new())],
        _ => scripted(replies + 1),
    }
}

#[derive(Clone)]
struct World {
    script: Script,
    run: Run,
    log: Vec<Record>,
    cancels: u32,
    failures: u32,
    /// How many more attempts fail for a reason that may pass, and how many more requests.
    retries: u32,
    outages: u32,
    /// How many more calls wait for their rate limit, or are refused by it.
    limits: u32,
    /// How many more calls have their arguments set right.
    repairs: u32,
}

impl World {
    fn then(&self, signal: Signal) -> Self {
        let mut next = self.clone();
        next.log.extend(next.run.handle(signal));
        next
    }
}

#[test]
fn a_refusal_at_the_limit_ends_the_run() {
    let (mut run, _) = start(Limits::default().with_max_rounds(0));
    let mut refusal = ModelResponse::new(Vec::new());
    refusal.refusal = Some("I cannot help with that.".into());
    reply(&mut run, refusal);
    let outcome = outcome(&run);
    assert_eq!(outcome.finish, Finish::Refused);
    assert_eq!(outcome.text, "I cannot help with that.");
}

#[test]
fn a_reply_that_was_changed_by_hand_is_what_its_parts_say() {
    let (mut run, _) = start(Limits::default());
    let mut response = calls(&["a", "b"]);
    response.tool_calls.pop();
    response.text = "not so".into();
    reply(&mut run, response);
    answer_all_calls(&mut run);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    assert_eq!(run.conversation().messages().len(), 2);
}

#[test]
fn a_forced_choice_that_is_not_met_is_a_warning() {
    let config = RunConfig {
        tool_choice: ToolChoice::Required,
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    reply(&mut run, ModelResponse::from_text("I would rather not."));
    assert_eq!(outcome(&run).warnings[0].code, "tool_choice_unmet");
}

#[test]
fn a_log_that_is_none_is_refused() {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(Signal::Replied {
        response: calls(&["a"]),
        policies: Vec::new(),
    }));
    let stray = Record::CallFinished {
        call: CallId { round: 0, index: 7 },
        result: ToolResult::success("a", 1),
    };
    for (place, log) in [
        (0, vec![]),
        (0, vec![Record::CancelRequested]),
        (1, vec![log[0].clone(), log[0].clone()]),
        (
            1,
            vec![
                log[0].clone(),
                Record::Finished {
                    finish: Finish::Answered,
                },
            ],
        ),
        (2, vec![log[0].clone(), log[1].clone(), log[1].clone()]),
        (2, vec![log[0].clone(), log[1].clone(), stray]),
    ] {
        assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: place }));
    }
}

/// Every interleaving of starts, completions in any order, one cancel and one failing model call,
/// under every bound: whatever happens, the invariants of the run hold.
#[test]
fn every_schedule_leaves_a_valid_transcript() {
    let bounds = [(0, 1), (1, 1), (1, 3), (2, 2), (5, 1), (5, 2), (5, 3)];
    let states: usize = bounds
        .into_iter()
        .map(|(max_rounds, concurrency)| explore(scripted, max_rounds, concurrency, 0, 0))
        .sum();
    assert!(states > 5_000, "explored {states} states");
}

/// The same with attempts that fail and are repeated, approvals with every decision, and rate limits.
#[test]
fn every_schedule_with_delays_leaves_a_valid_transcript() {
    let states: usize = [1, 2, 3]
        .into_iter()
        .map(|concurrency| explore(delayed, 1, concurrency, 1, 0))
        .sum();
    assert!(states > 5_000, "explored {states} states");
}

/// The same with a model that is often out, and asked again.
#[test]
fn every_schedule_with_outages_leaves_a_valid_transcript() {
    let states: usize = [0, 1, 2]
        .into_iter()
        .map(|max_rounds| explore(brief, max_rounds, 2, 0, 4))
        .sum();
    assert!(states > 2_000, "explored {states} states");
}

fn explore(
    script: Script,
    max_rounds: u32,
    concurrency: usize,
    delays: u32,
    outages: u32,
) -> usize {
    let concurrency = std::num::NonZeroUsize::new(concurrency).expect("from 1");
    let limits = Limits::default().with_max_rounds(max_rounds);
    let config = RunConfig {
        limits,
        concurrency,
        ..RunConfig::default()
    };
    let (run, log) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    let mut seen = HashSet::new();
    let mut open = vec![World {
        script,
        run,
        log,
        cancels: 1,
        failures: 1,
        retries: delays,
        outages,
        limits: delays,
        repairs: delays,
    }];
    while let Some(world) = open.pop() {
        let key = format!(
            "{:?} {} {} {} {} {} {}",
            world.run,
            world.cancels,
            world.failures,
            world.retries,
            world.outages,
            world.limits,
            world.repairs
        );
        if !seen.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(key)) {
            continue;
        }
        check(&world, max_rounds);
        let next = successors(&world);
        let over = world.run.outcome().is_some();
        assert_eq!(next.is_empty(), over, "stuck: {:?}", world.log);
        open.extend(next);
    }
    seen.len()
}

fn successors(world: &World) -> Vec<World> {
    let mut next = Vec::new();
    for action in world.run.poll() {
        if let Action::StartCall(id) | Action::AskApproval(id) = action {
            let mut prepared = world.then(Signal::CallPrepared {
                call: id,
                arguments: r#"{"repaired":true}"#.to_owned(),
                changes: vec![ArgumentChange::new(
                    crate::ChangeKind::Quotes,
                    "arguments".into(),
                )],
            });
            if world.repairs > 0 && prepared.log.len() > world.log.len() {
                prepared.repairs -= 1;
                next.push(prepared);
            }
        }
        match action {
            Action::CallModel(_) => next.extend(answers(world)),
            Action::StartCall(id) => {
                let started = world.then(Signal::CallStarted(id));
                if started.log.len() > world.log.len() {
                    next.push(started);
                }
                let later = world.then(Signal::CallDelayed(id, Delay::RateLimit));
                if world.limits > 0 && later.log.len() > world.log.len() {
                    let error = ToolError::new(ErrorCategory::RateLimited, "too often");
                    for mut limited in [later, world.then(Signal::CallRefused(id, error))] {
                        limited.limits -= 1;
                        next.push(limited);
                    }
                }
            }
            Action::AskApproval(id) => {
                assert!(world.clone().run.handle(Signal::CallStarted(id)).is_empty());
                let asked = world.then(Signal::CallDelayed(id, Delay::Approval));
                if asked.log.len() > world.log.len() {
                    next.push(asked);
                }
            }
            Action::CancelCall(id) => {
                let result = ToolResult::error("", ToolError::cancelled("stopped"));
                next.push(world.then(Signal::CallFinished(id, result)));
            }
        }
    }
    if let Phase::Tools(round) = &world.run.state.phase {
        for index in round.schedule.in_state(CallState::Running) {
            let id = round.id(index);
            let success = ToolResult::success("", id.to_string());
            for result in [success, ToolResult::error_message("", "no")] {
                next.push(world.then(Signal::CallFinished(id, result)));
            }
            if world.retries > 0 {
                let error = ToolError::new(ErrorCategory::NetworkError, "gone");
                let mut failed = world.then(Signal::CallFinished(id, ToolResult::error("", error)));
                failed.retries -= 1;
                next.push(failed);
            }
        }
    }
    if world.run.model_delay().is_some() {
        assert!(world.run.poll().is_empty());
        next.push(world.then(Signal::ModelResumed));
    }
    for (id, why) in world.run.delayed() {
        if world.run.state.cancelled {
            continue;
        }
        if *why == Delay::Approval {
            let arguments = r#"{"edited":true}"#.to_owned();
            for decision in [
                Decision::Approve,
                Decision::ApproveWith { arguments },
                Decision::deny("no"),
            ] {
                next.push(world.then(Signal::CallDecided(id, decision)));
            }
        } else {
            next.push(world.then(Signal::CallResumed(id)));
        }
    }
    if world.cancels > 0 && world.run.outcome().is_none() {
        let mut cancelled = world.then(Signal::Cancel);
        cancelled.cancels -= 1;
        next.push(cancelled);
    }
    next
}

/// What may come of a model call.
fn answers(world: &World) -> Vec<World> {
    let mut next = Vec::new();
    let answered = world.run.state.model_calls - world.run.state.model_retries;
    for (response, policies) in (world.script)(answered) {
        next.push(world.then(Signal::Replied { response, policies }));
    }
    if world.failures > 0 {
        let error = ModelError::new(ModelErrorKind::InvalidRequest, "no");
        let mut failed = world.then(Signal::ModelFailed(error));
        failed.failures -= 1;
        next.push(failed);
    }
    if world.outages > 0 {
        let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let broke_off = world.then(Signal::ModelBrokeOff(error.clone()));
        for mut out in [world.then(Signal::ModelFailed(error)), broke_off] {
            out.outages -= 1;
            next.push(out);
        }
    }
    next
}

fn check(world: &World, max_rounds: u32) {
    // The log alone is the run, and nothing is missing in it.
    assert_eq!(Run::replay(&world.log), Ok((world.run.clone(), Vec::new())));
    assert_eq!(world.run.sequence(), world.log.len() as u64);
    // A log that was cut off between two records of one signal is a run that goes on. (Longer cuts
    // are the logs of worlds before this one.)
    for length in world.log.len().saturating_sub(7).max(1)..world.log.len() {
        let (run, missing) = Run::replay(&world.log[..length]).expect("a prefix is a log");
        let waits = matches!(&run.state.phase, Phase::Tools(round)
            if round.schedule.in_state(CallState::Running).next().is_some()
                || round.schedule.in_state(CallState::Delayed).next().is_some());
        let waits = waits || run.model_delay().is_some();
        assert!(waits || !run.poll().is_empty() || run.outcome().is_some());
        // What follows from the prefix is what followed then.
        for (record, logged) in missing.iter().zip(&world.log[length..]) {
            assert_eq!(record, logged);
        }
    }
    // The transcript of every prefix is one that a provider accepts: reading the stored form checks
    // it, and nothing waits.
    let conversation = world.run.conversation();
    assert!(!conversation.requires_tool_execution());
    let stored = serde_json::to_string(&conversation).expect("serialises");
    assert_eq!(
        serde_json::from_str::<Conversation>(&stored).expect("is valid"),
        conversation
    );
    check_calls(&world.log);
    // Model calls are bounded: one a round, one to answer, one flattened, and the pauses; each is made
    // again as often as the limits allow.
    let state = &world.run.state;
    let (calls, retries) = (state.model_calls, state.model_retries);
    assert!(calls <= max_rounds + 2 + state.pauses + retries);
    assert!(state.attempts <= Limits::MODEL_RETRIES && retries <= Limits::MODEL_RETRIES * calls);
    assert!(world.run.state.rounds <= max_rounds);
    if let Some(outcome) = world.run.outcome() {
        assert_eq!(outcome.conversation, conversation);
    }
}

/// Every call starts as often as its effects allow and finishes at most once, one that somebody has to
/// approve starts after that, and nothing happens to a call that has finished.
fn check_calls(log: &[Record]) {
    let mut policies = Vec::new();
    let mut attempts = HashMap::new();
    let mut running = HashSet::new();
    let mut approved = HashSet::new();
    let mut finished = HashSet::new();
    for record in log {
        match record {
            Record::Replied {
                policies: of_calls, ..
            } => policies.clone_from(of_calls),
            Record::CallStarted { call } => {
                let policy: ToolPolicy = policies
                    .get(call.index as usize)
                    .copied()
                    .unwrap_or_default();
                let attempts = attempts.entry(*call).or_insert(0);
                *attempts += 1;
                assert!(*attempts <= 1 + policy.allowed_retries());
                assert!(!policy.approval || approved.contains(call));
                assert!(!finished.contains(call) && running.insert(*call));
            }
            Record::CallPrepared { call, .. } => {
                assert!(!attempts.contains_key(call) && !approved.contains(call));
                assert!(!finished.contains(call));
            }
            Record::CallDelayed { call, .. } => {
                running.remove(call);
                assert!(!finished.contains(call));
            }
            Record::CallDecided { call, decision } => {
                assert!(!finished.contains(call));
                if !matches!(decision, Decision::Deny { .. }) {
                    approved.insert(*call);
                }
            }
            Record::CallFinished { call, .. } => {
                running.remove(call);
                assert!(finished.insert(*call));
            }
            _ => {}
        }
    }
}

fn reply_with(run: &mut Run, policy: ToolPolicy) -> CallId {
    run.handle(Signal::Replied {
        response: calls(&["a"]),
        policies: vec![policy],
    });
    CallId { round: 0, index: 0 }
}

#[test]
fn what_may_pass_is_tried_again_and_then_is_the_result() {
    let (mut run, _) = start(Limits::default());
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let id = reply_with(&mut run, reads);
    let gone = || ToolError::new(ErrorCategory::NetworkError, "gone");
    for attempt in 1..=3 {
        assert_eq!(run.poll(), [Action::StartCall(id)]);
        run.handle(Signal::CallStarted(id));
        assert_eq!(run.attempt(id), attempt);
        let records = run.handle(Signal::CallFinished(id, ToolResult::error("", gone())));
        if attempt == 3 {
            assert!(matches!(records[..], [Record::CallFinished { .. }]));
        } else {
            let why = Delay::Retry { error: gone() };
            assert_eq!(records, [Record::CallDelayed { call: id, why }]);
            assert!(run.poll().is_empty() && run.is_delayed(id));
            run.handle(Signal::CallResumed(id));
        }
    }
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
}

#[test]
fn a_cancelled_call_between_two_attempts_ends_as_the_first_one_did() {
    let (mut run, _) = start(Limits::default());
    let id = reply_with(
        &mut run,
        ToolPolicy::default().with_effects(Effects::ReadOnly),
    );
    run.handle(Signal::CallStarted(id));
    let gone = ToolError::new(ErrorCategory::NetworkError, "gone");
    run.handle(Signal::CallFinished(id, ToolResult::error("", gone)));
    run.handle(Signal::Cancel);
    let conversation = outcome(&run).conversation;
    assert!(format!("{conversation:?}").contains("gone"));
}

#[test]
fn what_was_decided_is_in_the_log_and_holds() {
    for decision in [
        Decision::Approve,
        Decision::ApproveWith {
            arguments: "[1]".into(),
        },
        Decision::deny("not today"),
    ] {
        let (mut run, mut log) = start(Limits::default());
        log.extend(run.handle(Signal::Replied {
            response: calls(&["a"]),
            policies: vec![ToolPolicy::default().with_approval()],
        }));
        let id = CallId { round: 0, index: 0 };
        assert_eq!(run.poll(), [Action::AskApproval(id)]);
        log.extend(run.handle(Signal::CallDelayed(id, Delay::Approval)));
        assert!(run.handle(Signal::CallResumed(id)).is_empty());
        log.extend(run.handle(Signal::CallDecided(id, decision.clone())));
        if let Decision::Deny { .. } = decision {
            let text = format!("{:?}", run.conversation());
            assert!(text.contains("PermissionDenied") && text.contains("not today"));
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        } else {
            assert_eq!(run.poll(), [Action::StartCall(id)]);
            let edited = run.call(id).expect("is there").arguments.clone();
            let expected = match decision {
                Decision::ApproveWith { arguments } => arguments,
                _ => "{}".to_owned(),
            };
            assert_eq!(edited, expected);
        }
        let stored = serde_json::to_string(&log).expect("serialises");
        let log: Vec<Record> = serde_json::from_str(&stored).expect("reads");
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
}
