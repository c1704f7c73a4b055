//! A run with sub-agents is cancelled at every poll. `kept_runs/agents.rs` drops it at every poll.

use std::{future::poll_fn, pin::Pin, task::Poll};

use futures_util::Stream;
use toolwright::{
    Runner,
    run::{Finish, RunOutcome},
    runner::RunHandle,
};

use super::{agent, asks, calls, runner, says};
use crate::handwritten::{echo, hang};

/// A run with a sub-agent that has a sub-agent that calls two tools.
fn tree() -> Runner {
    let inner = runner(
        [
            calls([("echo", "{}"), ("echo", r#"{"n": 2}"#)]),
            says("found"),
        ],
        [echo()],
    );
    let middle = runner([asks("inner"), says("passed on")], [agent(&inner, "inner")]);
    runner([asks("middle"), says("end")], [agent(&middle, "middle")])
}

/// Polls a run to its end, and does something after so many polls of its driver or events.
async fn with(
    mut handle: RunHandle,
    at: usize,
    act: impl FnOnce(&RunHandle),
) -> (RunOutcome, usize) {
    let (mut polls, mut act) = (0, Some(act));
    poll_fn(|cx| {
        loop {
            if polls == at
                && let Some(act) = act.take()
            {
                act(&handle);
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
async fn a_cancel_at_every_poll_leaves_a_valid_transcript() {
    let (whole, polls) = with(tree().start("?"), usize::MAX, |_| {}).await;
    assert_eq!(whole.finish, Finish::Answered);
    assert!(polls > 10, "{polls}");
    for at in 0..polls {
        let (outcome, _) = with(tree().start("?"), at, RunHandle::cancel).await;
        assert!(!outcome.conversation.requires_tool_execution(), "{at}");
        assert!(
            matches!(outcome.finish, Finish::Cancelled | Finish::Answered),
            "{at}"
        );
        assert!(outcome.model_calls <= whole.model_calls, "{at}");
        assert!(
            outcome.usage.output_tokens <= whole.usage.output_tokens,
            "{at}"
        );
    }
}

/// A grandchild that does not end by itself: each level is over before the one above loses its patience.
#[tokio::test(start_paused = true)]
async fn a_cancel_ends_every_level_in_an_orderly_way() {
    let inner = runner([calls([("hang", "{}")])], [hang()]);
    let middle = runner([asks("inner"), says("passed on")], [agent(&inner, "inner")]);
    let outer = runner([asks("middle"), says("end")], [agent(&middle, "middle")]);
    let handle = outer.start("?");
    let token = handle.cancellation();
    super::super::cancelling::cancel_in(std::time::Duration::from_secs(1), token);
    let outcome = handle.outcome().await.expect("is cancelled");
    assert_eq!(outcome.finish, Finish::Cancelled);
    let round = outcome.tool_rounds().next().expect("there is a round");
    let text = round.results[0].to_model_text();
    assert!(text.contains("the agent `middle` was cancelled"), "{text}");
    // Each had asked its model once.
    assert_eq!((outcome.model_calls, outcome.tool_calls), (3, 3));
}
