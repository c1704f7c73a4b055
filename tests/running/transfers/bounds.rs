//! What bounds a run that is handed over: its limits, and whoever cancels it.

use std::{future::poll_fn, pin::Pin, task::Poll};

use futures_util::Stream;
use toolwright::{
    Runner,
    model::{ToolChoice, Usage},
    run::{Finish, Limit, Limits, OnLimit, RunOutcome},
    runner::RunHandle,
};

use super::*;
use crate::handwritten::echo;

fn spending(mut response: ModelResponse) -> ModelResponse {
    response.usage = Some(Usage::new(60, 40));
    response
}

/// Two agents that hand over to each other for ever.
fn ping_pong(limits: Limits) -> (Runner, ScriptedModel, ScriptedModel) {
    let script = |agent: &'static str| (0..100).map(move |_| spending(to(agent)));
    let (main, billing) = (model(script("billing")), model(script("main")));
    let runner = pair(&main, &billing).limits(limits).build();
    (runner.expect("is sound"), main, billing)
}

#[tokio::test]
async fn agents_that_hand_over_to_each_other_come_to_the_limits_of_the_run() {
    let stops = Limits::default().with_on_limit(OnLimit::Stop);
    for (limits, rounds) in [
        (stops.with_max_rounds(5).with_no_progress(false), 5),
        (stops.with_max_tool_calls(4), 4),
        (stops.with_max_tokens(300), 2),
    ] {
        let (runner, ..) = ping_pong(limits);
        let outcome = runner.run("?").await.expect("ends");
        assert!(
            matches!(outcome.finish, Finish::Limit { .. }),
            "{:?}",
            outcome.finish
        );
        assert_eq!((outcome.rounds, outcome.tool_calls), (rounds, rounds));
        assert_eq!(
            outcome.usage.output_tokens,
            40 * u64::from(outcome.model_calls)
        );
    }
}

#[tokio::test]
async fn agents_that_hand_over_to_each_other_make_no_progress() {
    let (runner, ..) = ping_pong(Limits::default().with_on_limit(OnLimit::Stop));
    let outcome = runner.run("?").await.expect("ends");
    let limit = Limit::NoProgress;
    assert_eq!(
        outcome.finish,
        Finish::Limit {
            limit,
            summarized: false
        }
    );
    assert!(outcome.rounds < 10, "{} rounds", outcome.rounds);
}

#[tokio::test]
async fn the_agent_that_the_run_is_with_sums_up() {
    let main = model([to("billing")]);
    let billing = model([says("so far")]);
    let runner = pair(&main, &billing)
        .max_rounds(1)
        .build()
        .expect("is sound");
    let outcome = runner.run("?").await.expect("ends");
    assert!(matches!(
        outcome.finish,
        Finish::Limit {
            summarized: true,
            ..
        }
    ));
    let requests = billing.requests();
    assert_eq!(system(&requests[0]), "You are billing.");
    assert_eq!(requests[0].tool_choice, ToolChoice::None);
    assert_eq!(names(&requests[0]), ["transfer_to_main"]);
}

/// A run that goes there and back.
fn there_and_back() -> Runner {
    let main = model([calls(&["echo", "transfer_to_billing"]), says("end")]);
    let billing = model([calls(&["transfer_to_main", "echo"])]);
    let of_billing = member("billing", &billing).tools(set([echo()]));
    let runner = member("main", &main).tools(set([echo()]));
    let runner = runner.agent(agent("billing", of_billing));
    runner.build().expect("is sound")
}

/// Polls a run to its end, and cancels it after so many polls.
async fn cancelled(mut handle: RunHandle, at: usize) -> (RunOutcome, usize) {
    let mut polls = 0;
    poll_fn(|cx| {
        loop {
            if polls == at {
                handle.cancel();
            }
            polls += 1;
            match Pin::new(&mut handle).poll_next(cx) {
                Poll::Ready(Some(_)) => {}
                end => return end.map(drop),
            }
        }
    })
    .await;
    (handle.outcome().await.expect("no failure"), polls)
}

#[tokio::test(start_paused = true)]
async fn a_cancel_at_every_poll_leaves_the_conversation_with_one_agent() {
    let (whole, polls) = cancelled(there_and_back().start("?"), usize::MAX).await;
    assert_eq!(whole.finish, Finish::Answered);
    assert!(polls > 15, "{polls}");
    let mut seen = std::collections::BTreeSet::new();
    for at in 0..polls {
        let (outcome, _) = cancelled(there_and_back().start("?"), at).await;
        assert!(
            matches!(outcome.finish, Finish::Cancelled | Finish::Answered),
            "{at}"
        );
        assert!(!outcome.conversation.requires_tool_execution(), "{at}");
        assert_eq!(
            outcome.conversation.agent(),
            outcome.agent.as_deref(),
            "{at}"
        );
        // Whoever its results say was handed over to has it.
        let handed = outcome
            .tool_rounds()
            .flat_map(toolwright::message::ToolRound::answered_calls);
        let handed = handed.filter(|(_, result)| result.outcome.is_ok());
        let last = handed
            .filter_map(|(call, _)| call.name.strip_prefix("transfer_to_"))
            .last();
        assert_eq!(
            outcome.agent.as_deref(),
            Some(last.unwrap_or("main")),
            "{at}"
        );
        seen.insert(outcome.agent);
    }
    assert_eq!(seen.len(), 2, "it was cancelled with each of them");
}
