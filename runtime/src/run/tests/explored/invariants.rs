//! What holds of every run, whatever has happened.

use std::collections::{HashMap, HashSet};

use super::*;

pub(super) fn check(world: &World) {
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
