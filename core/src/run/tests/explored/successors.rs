//! What may happen next.

use super::*;

pub(super) fn successors(world: &World) -> Vec<World> {
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
            if world.more.repairs > 0 && !prepared.is_unchanged() {
                prepared.more.repairs -= 1;
                next.push(prepared);
            }
        }
        match action {
            Action::CallModel(_) => next.extend(answers(world)),
            Action::StartCall(id) => {
                let started = world.then(Signal::CallStarted(id));
                if !started.is_unchanged() {
                    next.push(started);
                }
                let later = world.then(Signal::CallDelayed(id, Delay::RateLimit));
                if world.more.limits > 0 && !later.is_unchanged() {
                    let error = ToolError::new(ErrorCategory::RateLimited, "too often");
                    for mut limited in [later, world.then(Signal::CallRefused(id, error))] {
                        limited.more.limits -= 1;
                        next.push(limited);
                    }
                }
            }
            Action::AskApproval(id) => {
                assert!(world.run.clone().handle(Signal::CallStarted(id)).is_empty());
                let asked = world.then(Signal::CallDelayed(id, Delay::Approval));
                if !asked.is_unchanged() {
                    next.push(asked);
                }
            }
            Action::PlanRequest => next.extend(plans(world)),
            Action::AskAnswer(id) => {
                assert!(world.run.clone().handle(Signal::CallStarted(id)).is_empty());
                let asked = world.then(Signal::CallDelayed(id, Delay::External));
                if !asked.is_unchanged() {
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
        for id in round.running() {
            let success = ToolResult::success("", id.to_string());
            for result in [success, ToolResult::error_message("", "no")] {
                next.push(world.then(Signal::CallFinished(id, result)));
            }
            next.extend(agent_ended(world, id));
            next.extend(suspended(world, id));
            next.extend(asking(world, id));
            if world.more.checkpoints > 0 {
                let state = format!("{} left", world.more.checkpoints);
                let mut recorded = world.then(Signal::CallCheckpointed { call: id, state });
                recorded.more.checkpoints -= 1;
                next.push(recorded);
            }
            if world.run.config().answer.is_some() {
                let unfit = ToolResult::error("", ToolError::invalid_arguments("no"));
                next.push(world.then(Signal::CallFinished(id, unfit)));
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
    let begins = world.then(Signal::RequestBegins);
    if !begins.is_unchanged() {
        assert!(begins.run.state.pushed.unread().is_empty());
        next.push(begins);
    }
    next.extend(delayed(world));
    next.extend(interrupted(world));
    next
}

/// A call of a sub-agent whose run has ended.
fn agent_ended(world: &World, call: CallId) -> Option<World> {
    if world.more.agents == 0 {
        return None;
    }
    let result = ToolResult::success("", call.to_string());
    let mut spent = CallSpent::default();
    (spent.usage, spent.tool_calls) = (Usage::new(5, 5), 1);
    let mut ended = world.then(Signal::AgentFinished {
        call,
        result,
        spent: Box::new(spent),
    });
    ended.more.agents -= 1;
    Some(ended)
}

/// A call of a sub-agent whose run is suspended.
fn suspended(world: &World, id: CallId) -> Option<World> {
    let below = Delay::Below {
        calls: Vec::new(),
        spent: Box::default(),
    };
    let mut suspended = world.then(Signal::CallDelayed(id, below));
    if world.more.below == 0 || suspended.is_unchanged() {
        return None;
    }
    suspended.more.below -= 1;
    Some(suspended)
}

/// A call that asks a question, of a new key and of one that it knows the answer of.
fn asking(world: &World, id: CallId) -> Vec<World> {
    if world.more.questions == 0 {
        return Vec::new();
    }
    let asked = world.run.answers(id).iter().map(|(key, ..)| key.clone());
    let new = format!("question {}", world.run.answers(id).len());
    let asked = asked.chain([new]).map(|key| {
        let question = Question::url("Which?", "https://example.com");
        let mut asked = world.then(Signal::CallDelayed(id, Delay::Question { key, question }));
        asked.more.questions -= 1;
        asked
    });
    asked.filter(|asked| !asked.is_unchanged()).collect()
}

/// What may become of calls that wait, and of those that no longer do.
fn delayed(world: &World) -> Vec<World> {
    let mut next = Vec::new();
    for (id, why) in world.run.delayed() {
        if world.run.state.stopping.reason().is_some() {
            continue;
        }
        if world.more.expiries > 0 && why.is_of_others() {
            let mut expired = world.then(Signal::CallExpired(id));
            expired.more.expiries -= 1;
            next.push(expired);
        }
        if *why == Delay::External {
            let success = ToolResult::success("", id.to_string());
            for result in [success, ToolResult::error_message("", "no")] {
                next.push(world.then(Signal::CallAnswered(id, result)));
            }
        } else if let Delay::Question { .. } = why {
            for decision in [Decision::approve_with("{}"), Decision::deny("no")] {
                next.push(world.then(decided(id, decision)));
            }
        } else if *why == Delay::Approval {
            let arguments = r#"{"edited":true}"#.to_owned();
            for decision in [
                Decision::Approve,
                Decision::ApproveWith { arguments },
                Decision::deny("no"),
            ] {
                next.push(world.then(decided(id, decision)));
            }
        } else {
            next.push(world.then(Signal::CallResumed(id)));
        }
    }
    if world.more.revokes > 0 {
        let asked = world.run.delayed();
        let asked = asked.filter_map(|(id, why)| (*why == Delay::Approval).then_some(id));
        for id in (world.run.approvals().map(|(id, _)| id)).chain(asked) {
            let mut revoked = world.then(Signal::ApprovalRevoked(id));
            if !revoked.is_unchanged() {
                revoked.more.revokes -= 1;
                next.push(revoked);
            }
        }
    }
    next
}

/// What the hook before a request may decide.
fn plans(world: &World) -> impl Iterator<Item = World> {
    let response = ModelResponse::from_text("unplanned");
    let policies = Vec::new();
    let unplanned = Signal::Replied {
        unfit: None,
        response,
        policies,
    };
    assert!(world.run.clone().handle(unplanned).is_empty());
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
        if left > 0 && !said.is_unchanged() {
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
        // What was running when the program went away is decided by the log alone, which the run is.
        let mut restarted = world.then(Signal::Interrupted);
        world.ledger.check_interrupted(&restarted.ledger);
        if let Phase::Tools(round) = &restarted.run.state.phase {
            assert_eq!(round.running().count(), 0);
        }
        restarted.more.crashes -= 1;
        next.push(restarted);
    }
    let mut shared = world.then(Signal::SharedLimitReached(Limit::Tokens { max: 1 }));
    if world.more.shared > 0 && !shared.is_unchanged() {
        shared.more.shared -= 1;
        next.push(shared);
    }
    let mut late = world.then(Signal::TimeLimitReached);
    if world.more.times > 0 && !late.is_unchanged() {
        late.more.times -= 1;
        next.push(late);
    }
    if let Phase::Model(_) = world.run.state.phase {
        // In the middle of a reply.
        let broken_off = |by| {
            let text = Part::Text("I th".to_owned());
            let call = Part::Call(ToolCall::new("a", "look", "{\"x"));
            let partial = ModelResponse::new(vec![text, call]);
            world.then(Signal::ResponseBrokenOff { partial, by })
        };
        if world.more.cancels > 0 {
            let mut cancelled = broken_off(Interruption::Cancel);
            cancelled.more.cancels -= 1;
            next.push(cancelled);
        }
        let mut late = broken_off(Interruption::TimeLimit);
        if world.more.times > 0 && !late.is_unchanged() {
            late.more.times -= 1;
            next.push(late);
        }
    }
    next
}

/// What may come of a model call.
fn answers(world: &World) -> Vec<World> {
    let mut next = Vec::new();
    let spent = &world.run.state.spent;
    let answered = spent.in_all().model_calls - spent.model_retries();
    for (response, policies) in (world.script)(answered) {
        if world.run.config().answer.is_some() {
            next.push(world.then(Signal::Replied {
                unfit: Some("no".to_owned()),
                response: response.clone(),
                policies: policies.clone(),
            }));
        }
        next.push(world.then(Signal::Replied {
            unfit: None,
            response,
            policies,
        }));
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
