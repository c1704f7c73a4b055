//! The run over every schedule: whatever happens in whatever order, what always holds does.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    num::NonZeroUsize,
};

use super::*;

/// What the model may reply, after so many of its calls.
pub(super) type Script = fn(u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)>;

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

/// Replies that no choice of tools is content with in all, thrice; then an answer.
fn disobedient(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let mut both = calls(&["x"]).parts;
    both.push(Part::Call(ToolCall::new("x", "other", "{}")));
    let beside = vec![
        Part::Text("beside".into()),
        Part::Call(ToolCall::new("", "other", "{}")),
    ];
    let other = ModelResponse::from_calls([ToolCall::new("x", "other", "{}")]);
    let odd = [
        ModelResponse::from_text("text"),
        ModelResponse::new(vec![Part::Reasoning("hm".into()), Part::Text(" ".into())]),
        ModelResponse::new(Vec::new()).with_finish_reason(FinishReason::MalformedCall),
        calls(&["cut"]).with_finish_reason(FinishReason::MalformedCall),
        ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused),
        calls(&["x"]),
        other,
        ModelResponse::new(both.into_vec()),
        ModelResponse::new(beside),
    ];
    match replies {
        0..=2 => odd
            .into_iter()
            .map(|response| (response, Vec::new()))
            .collect(),
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

#[derive(Clone)]
struct World {
    script: Script,
    config: RunConfig,
    run: Run,
    log: Vec<Record>,
    more: More,
}

/// How often more something happens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct More {
    pub(super) cancels: u32,
    pub(super) failures: u32,
    /// Attempts that fail for a reason that may pass, and requests.
    pub(super) retries: u32,
    pub(super) outages: u32,
    /// Calls that wait for their rate limit, or are refused by it.
    pub(super) limits: u32,
    /// Calls that have their arguments set right.
    pub(super) repairs: u32,
    /// Times that are up.
    pub(super) times: u32,
    /// Requests of which the model says that they are too long.
    pub(super) too_long: u32,
    /// Messages that are pushed, and cancels after the round.
    pub(super) pushes: u32,
    pub(super) softs: u32,
    /// Programs that go away.
    pub(super) crashes: u32,
}

impl World {
    fn new(script: Script, config: RunConfig, more: More) -> Self {
        let (run, log) = Run::start(
            RunId::new("run"),
            config.clone(),
            Conversation::new(),
            "question",
        );
        Self {
            script,
            config,
            run,
            log,
            more,
        }
    }

    fn then(&self, signal: Signal) -> Self {
        let mut next = self.clone();
        next.log.extend(next.run.handle(signal));
        next
    }
}

pub(super) fn config(limits: Limits, concurrency: usize) -> RunConfig {
    RunConfig {
        limits,
        concurrency: NonZeroUsize::new(concurrency).expect("from 1"),
        ..RunConfig::default()
    }
}

pub(super) const ONCE: More = More {
    cancels: 1,
    failures: 1,
    retries: 0,
    outages: 0,
    limits: 0,
    repairs: 0,
    times: 0,
    too_long: 0,
    pushes: 0,
    softs: 0,
    crashes: 0,
};

/// Every interleaving of starts, completions in any order, one cancel and one failing model call,
/// under every bound: whatever happens, the invariants of the run hold.
#[test]
fn every_schedule_leaves_a_valid_transcript() {
    let bounds = [(0, 1), (1, 1), (1, 3), (2, 2), (5, 1), (5, 2), (5, 3)];
    let states: usize = bounds
        .into_iter()
        .map(|(max_rounds, concurrency)| {
            let limits = Limits::default().with_max_rounds(max_rounds);
            explore(scripted, config(limits, concurrency), ONCE)
        })
        .sum();
    assert!(states > 5_000, "explored {states} states");
}

/// The same with attempts that fail and are repeated, approvals with every decision, and rate limits.
#[test]
fn every_schedule_with_delays_leaves_a_valid_transcript() {
    let more = More {
        retries: 1,
        limits: 1,
        repairs: 1,
        ..ONCE
    };
    let states: usize = [1, 2, 3]
        .into_iter()
        .map(|concurrency| {
            let limits = Limits::default().with_max_rounds(1);
            explore(delayed, config(limits, concurrency), more)
        })
        .sum();
    assert!(states > 5_000, "explored {states} states");
}

/// One that reads, one that writes, one that the application answers and one that needs an approval before; then an
/// answer, calls or an end.
fn shared(model_calls: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let writes = ToolPolicy::default();
    let external = writes.with_external();
    let ends = reads.with_ends_run();
    match model_calls {
        0 => vec![
            (
                calls(&["x", "x", ""]),
                vec![reads, writes, external.with_approval()],
            ),
            (calls(&["x", "y"]), vec![external, writes.with_sequential()]),
        ],
        1 => vec![
            (calls(&["x", "y"]), vec![ends, external]),
            (ModelResponse::from_text("done"), Vec::new()),
            (ModelResponse::from_text(""), Vec::new()),
        ],
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// The same with people and an application that answer, messages that are pushed, and a program that goes away.
#[test]
fn every_schedule_with_others_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        pushes: 1,
        softs: 1,
        crashes: 1,
        ..More::default()
    };
    let states: usize = [(1, 1), (1, 3), (2, 2)]
        .into_iter()
        .map(|(max_rounds, concurrency)| {
            let limits = Limits::default().with_max_rounds(max_rounds);
            let mut config = config(limits, concurrency);
            config.plans_requests = concurrency == 2;
            explore(shared, config, more)
        })
        .sum();
    println!("{states} states");
    assert!(states > 5_000, "explored {states} states");
}

/// The same with a model that is often out, and asked again.
#[test]
fn every_schedule_with_outages_leaves_a_valid_transcript() {
    let more = More { outages: 4, ..ONCE };
    let states: usize = [0, 1, 2]
        .into_iter()
        .map(|max_rounds| {
            let limits = Limits::default().with_max_rounds(max_rounds);
            explore(brief, config(limits, 2), more)
        })
        .sum();
    assert!(states > 2_000, "explored {states} states");
}

/// The same with a time that is up at any moment, of the run and of its summary, whatever happens at a
/// bound.
#[test]
fn every_schedule_with_a_time_limit_leaves_a_valid_transcript() {
    let more = More {
        outages: 1,
        times: 2,
        ..ONCE
    };
    let mut states = 0;
    for on_limit in ON_LIMIT {
        for (script, max_rounds) in [(brief as Script, 1), (delayed, 1), (delayed, 0)] {
            let limits = Limits::default()
                .with_max_rounds(max_rounds)
                .with_on_limit(on_limit)
                .with_max_time(std::time::Duration::from_secs(60));
            states += explore(script, config(limits, 2), more);
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The same with a model that does not do what the choice of tools says, whatever happens at a bound.
#[test]
fn every_disobedience_leaves_a_valid_transcript() {
    let mut states = 0;
    for on_limit in ON_LIMIT {
        for max_rounds in 0..2 {
            let look = ToolChoice::Tool("look".into());
            for choice in [
                ToolChoice::Auto.into(),
                ToolChoice::None.into(),
                ToolChoice::Required.into(),
                look.clone().into(),
                ToolChoiceSchedule::Every(look.clone()),
                ToolChoiceSchedule::Rounds(vec![ToolChoice::Required, look]),
            ] {
                let limits = Limits::default()
                    .with_max_rounds(max_rounds)
                    .with_on_limit(on_limit);
                let mut config = config(limits, 2);
                config.tool_choice = choice;
                states += explore(disobedient, config, More::default());
            }
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

const ON_LIMIT: [OnLimit; 3] = [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error];

pub(super) fn explore(script: Script, config: RunConfig, more: More) -> usize {
    let mut seen = HashSet::new();
    let mut open = vec![World::new(script, config, more)];
    while let Some(world) = open.pop() {
        let key = format!("{:?} {:?}", world.run, world.more);
        if !seen.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(key)) {
            continue;
        }
        check(&world);
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
            if world.more.repairs > 0 && prepared.log.len() > world.log.len() {
                prepared.more.repairs -= 1;
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
                if world.more.limits > 0 && later.log.len() > world.log.len() {
                    let error = ToolError::new(ErrorCategory::RateLimited, "too often");
                    for mut limited in [later, world.then(Signal::CallRefused(id, error))] {
                        limited.more.limits -= 1;
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
            Action::PlanRequest => next.extend(plans(world)),
            Action::AskAnswer(id) => {
                assert!(world.clone().run.handle(Signal::CallStarted(id)).is_empty());
                let asked = world.then(Signal::CallDelayed(id, Delay::External));
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
            if world.more.retries > 0 {
                let error = ToolError::new(ErrorCategory::NetworkError, "gone");
                let mut failed = world.then(Signal::CallFinished(id, ToolResult::error("", error)));
                failed.more.retries -= 1;
                next.push(failed);
            }
        }
    }
    if world.run.model_delay().is_some() {
        assert!(world.run.poll().is_empty());
        next.push(world.then(Signal::ModelResumed));
    }
    for (id, why) in world.run.delayed() {
        if world.run.state.stopping().is_some() {
            continue;
        }
        if *why == Delay::External {
            let success = ToolResult::success("", id.to_string());
            for result in [success, ToolResult::error_message("", "no")] {
                next.push(world.then(Signal::CallAnswered(id, result)));
            }
        } else if *why == Delay::Approval {
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
    next.extend(interrupted(world));
    next
}

/// What the hook before a request may decide.
fn plans(world: &World) -> impl Iterator<Item = World> {
    let response = ModelResponse::from_text("unplanned");
    let policies = Vec::new();
    let unplanned = Signal::Replied { response, policies };
    assert!(world.clone().run.handle(unplanned).is_empty());
    let plans = [
        RequestPlan::new(),
        RequestPlan::new().with_tool_choice(ToolChoice::Required),
        RequestPlan::end("enough"),
    ];
    plans
        .map(|plan| world.then(Signal::RequestPlanned(plan)))
        .into_iter()
}

/// What may end the run from outside.
fn interrupted(world: &World) -> Vec<World> {
    let mut next = Vec::new();
    if world.more.cancels > 0 && world.run.outcome().is_none() {
        let mut cancelled = world.then(Signal::Cancel);
        cancelled.more.cancels -= 1;
        next.push(cancelled);
    }
    for (left, signal) in [
        (world.more.pushes, Signal::MessagePushed("more".into())),
        (world.more.softs, Signal::CancelAfterRound),
    ] {
        let is_push = matches!(signal, Signal::MessagePushed(_));
        let mut said = world.then(signal);
        if left > 0 && said.log.len() > world.log.len() {
            let more = &mut said.more;
            *(if is_push {
                &mut more.pushes
            } else {
                &mut more.softs
            }) -= 1;
            next.push(said);
        }
    }
    if world.more.crashes > 0 && world.run.outcome().is_none() {
        // What was running when the program went away is decided by its log alone.
        let (run, missing) = Run::replay(&world.log).expect("is a log");
        assert!(missing.is_empty());
        let mut restarted = World {
            run,
            ..world.clone()
        };
        restarted
            .log
            .extend(restarted.run.handle(Signal::Interrupted));
        if let Phase::Tools(round) = &restarted.run.state.phase {
            assert_eq!(round.schedule.running(), 0);
        }
        restarted.more.crashes -= 1;
        next.push(restarted);
    }
    let mut late = world.then(Signal::TimeLimitReached);
    if world.more.times > 0 && late.log.len() > world.log.len() {
        late.more.times -= 1;
        next.push(late);
    }
    if let Phase::Model(_) = world.run.state.phase {
        // In the middle of a reply.
        let broken_off = |by| {
            let text = Part::Text("I th".to_owned());
            let call = Part::Call(ToolCall::new("a", "look", "{\"x"));
            let partial = ModelResponse::new(vec![text, call]);
            world.then(Signal::ReplyBrokenOff { partial, by })
        };
        if world.more.cancels > 0 {
            let mut cancelled = broken_off(Interruption::Cancel);
            cancelled.more.cancels -= 1;
            next.push(cancelled);
        }
        let mut late = broken_off(Interruption::TimeLimit);
        if world.more.times > 0 && late.log.len() > world.log.len() {
            late.more.times -= 1;
            next.push(late);
        }
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
    if world.more.failures > 0 {
        let error = ModelError::new(ModelErrorKind::InvalidRequest, "no");
        let mut failed = world.then(Signal::ModelFailed(error));
        failed.more.failures -= 1;
        next.push(failed);
    }
    if world.more.too_long > 0 {
        let error = ModelError::new(ModelErrorKind::ContextTooLong, "too long");
        let mut refused = world.then(Signal::ModelFailed(error));
        refused.more.too_long -= 1;
        next.push(refused);
    }
    if world.more.outages > 0 {
        let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let broke_off = world.then(Signal::ModelBrokeOff(error.clone()));
        for mut out in [world.then(Signal::ModelFailed(error)), broke_off] {
            out.more.outages -= 1;
            next.push(out);
        }
    }
    next
}

fn check(world: &World) {
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
    check_choice(&world.config.tool_choice, &world.log);
    // Nothing waits for a result when the model is asked.
    let state = &world.run.state;
    if !matches!(state.phase, Phase::Tools(_)) {
        assert!(!state.conversation.requires_tool_execution());
    }
    // Model calls are bounded: one a round, one to answer, one flattened, and the pauses and corrections;
    // each is made again as often as the limits allow.
    let limits = &world.config.limits;
    let (calls, retries) = (state.model_calls, state.model_retries);
    let flattened = u32::from(limits.on_limit == OnLimit::Summarize);
    let compactions = compacted::check(&world.run);
    let turns = limits.max_rounds + 1 + state.pushed_read;
    let again = state.paused + state.corrected + retries + compactions;
    assert!(calls <= turns + flattened + again);
    assert!(state.attempts <= Limits::MODEL_RETRIES && retries <= Limits::MODEL_RETRIES * calls);
    assert!(
        state.spent.rounds <= limits.max_rounds
            && state.corrected <= 3 * (state.spent.rounds + 1 + state.pushed_read)
    );
    if let Some(outcome) = world.run.outcome() {
        assert_eq!(outcome.conversation, conversation);
        check_finish(&outcome);
    }
}

/// A run says why it ended as it did.
fn check_finish(outcome: &RunOutcome) {
    let text = &outcome.text;
    let warned = |code: &str| {
        outcome
            .warnings
            .iter()
            .any(|warning| warning.code.starts_with(code))
    };
    match &outcome.finish {
        Finish::Answered => assert!(!verdict::is_blank(text)),
        Finish::Limit { summarized, .. } if *summarized => assert!(!verdict::is_blank(text)),
        Finish::Empty => assert!(warned("empty_reply")),
        Finish::Failed(Failure::ToolChoiceUnmet) => assert!(warned("tool_choice_unmet")),
        _ => {}
    }
    assert!(outcome.corrections == 0 || !outcome.warnings.is_empty());
    let finish = &outcome.finish;
    let conversation = outcome.conversation.text();
    // The result of a tool that ends a run is its answer.
    let is_result = conversation.is_empty() && outcome.rounds > 0;
    if matches!(finish, Finish::Answered) && outcome.pauses == 0 && !is_result {
        assert_eq!(conversation, *text);
    }
}

/// No call starts that the choice forbids, nor does one of a reply before the choice is met.
fn check_choice(choices: &ToolChoiceSchedule, log: &[Record]) {
    let mut calls = Vec::new();
    let mut started = Vec::new();
    for record in log {
        match record {
            Record::Replied { response, .. } => calls = response.tool_calls.to_vec(),
            Record::CallStarted { call, .. } => {
                if started.last() != Some(&call.round) {
                    started.push(call.round);
                }
                let before = u32::try_from(started.len() - 1).expect("there are few rounds");
                match choices.at(before) {
                    ToolChoice::None => panic!("no call may start"),
                    ToolChoice::Tool(name) => {
                        assert_eq!(calls[call.index as usize].name, name);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Every call starts as often as its effects allow and finishes at most once, one that somebody has to
/// approve starts after that, and nothing happens to a call that has finished.
fn check_calls(log: &[Record]) {
    let mut policies = Vec::new();
    let mut attempts = HashMap::new();
    let mut running = HashSet::new();
    let mut approved = HashSet::new();
    let mut interrupted = HashMap::new();
    let mut finished = HashSet::new();
    for record in log {
        match record {
            Record::Replied {
                policies: of_calls, ..
            } => policies.clone_from(of_calls),
            Record::CallStarted { call, .. } => {
                let policy: ToolPolicy = policies
                    .get(call.index as usize)
                    .copied()
                    .unwrap_or_default();
                let attempts = attempts.entry(*call).or_insert(0);
                *attempts += 1;
                let again = interrupted.get(call).copied().unwrap_or(0);
                assert!(*attempts <= 1 + policy.allowed_retries() + again);
                assert!(*attempts == 1 || policy.effects != Effects::Write);
                assert!(!policy.external);
                assert!(!policy.approval || approved.contains(call));
                assert!(!finished.contains(call) && running.insert(*call));
            }
            Record::CallPrepared { call, .. } => {
                assert!(!attempts.contains_key(call) && !approved.contains(call));
                assert!(!finished.contains(call));
            }
            Record::CallInterrupted { call } => {
                assert!(running.remove(call));
                *interrupted.entry(*call).or_insert(0) += 1;
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
