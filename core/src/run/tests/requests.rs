//! Models that send several requests for one response.

use super::*;
use crate::model::ModelError;

#[test]
fn the_outcome_counts_the_requests_of_each_response() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a"]).with_requests(2));
    answer_all_calls(&mut run);
    let late = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let cut_off = ModelResponse::default().with_requests(3);
    run.handle(Signal::ModelFailed(late.with_partial(cut_off)));
    run.handle(Signal::ModelResumed);
    reply(&mut run, ModelResponse::from_text("Sunny."));
    let outcome = outcome(&run);
    assert_eq!((outcome.model_calls, outcome.requests), (3, 6));
}

#[test]
fn a_response_that_is_stored_without_its_requests_took_one() {
    let stored = serde_json::to_value(ModelResponse::from_text("Sunny.")).expect("serialises");
    assert_eq!(stored.get("requests"), None);
    let read: ModelResponse = serde_json::from_value(stored).expect("is a response");
    assert_eq!(read.requests, 1);
}

#[test]
fn a_forged_number_of_requests_counts_as_one_or_as_many() {
    let (mut run, _) = start(Limits::default());
    reply(&mut run, calls(&["a"]).with_requests(u32::MAX));
    answer_all_calls(&mut run);
    reply(
        &mut run,
        ModelResponse::from_text("Sunny.").with_requests(0),
    );
    let outcome = outcome(&run);
    assert_eq!((outcome.model_calls, outcome.requests), (2, u32::MAX));
}

/// How often a run is compacted whose responses took so many requests and tell this usage, in a window of 4,000 tokens.
fn compactions(responses: impl IntoIterator<Item = (u32, u64)>) -> u32 {
    let config = RunConfig {
        context_window: Some(ContextWindow::new(4_000)),
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    for (requests, tokens) in responses {
        let calls = ModelResponse::new(vec![
            Part::Text("I look it up. ".repeat(60)),
            Part::Call(ToolCall::new("a", "look", "{}")),
        ]);
        let response = calls.with_usage(Usage::new(tokens, 10));
        reply(&mut run, response.with_requests(requests));
        answer_all_calls(&mut run);
    }
    reply(&mut run, ModelResponse::from_text("Sunny."));
    outcome(&run).compactions
}

/// The usage of a response is that of all its requests, each of which holds the conversation.
#[test]
fn a_response_of_two_requests_does_not_make_the_conversation_look_twice_as_long() {
    assert_eq!(compactions([(2, 4_600); 8]), 0);
    assert!(compactions([(1, 4_600); 8]) > 0);
}

/// `Retry` counts the requests that failed, and these have told no usage.
#[test]
fn requests_that_failed_do_not_make_the_conversation_look_shorter() {
    let after = |requests| {
        let first = (1, 2_500);
        compactions([
            first,
            (requests, 2_900),
            (requests, 3_300),
            (requests, 3_700),
        ])
    };
    assert!(after(1) > 0);
    for requests in [2, 5, u32::MAX] {
        assert_eq!(after(requests), after(1));
    }
}
