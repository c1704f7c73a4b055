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

/// The usage of a response is that of all its requests, each of which holds the conversation.
#[test]
fn a_response_of_two_requests_does_not_make_the_conversation_look_twice_as_long() {
    let compactions = |requests| {
        let config = RunConfig {
            context_window: Some(ContextWindow::new(4_000)),
            ..RunConfig::default()
        };
        let question = "question";
        let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), question);
        for _ in 0..8 {
            let usage = Usage::new(4_600, 10);
            let calls = ModelResponse::new(vec![
                Part::Text("I look it up. ".repeat(60)),
                Part::Call(ToolCall::new("a", "look", "{}")),
            ]);
            reply(&mut run, calls.with_usage(usage).with_requests(requests));
            answer_all_calls(&mut run);
        }
        reply(&mut run, ModelResponse::from_text("Sunny."));
        outcome(&run).compactions
    };
    assert_eq!(compactions(2), 0);
    assert!(compactions(1) > 0);
}

/// `Retry` counts the requests that failed, and these have told no usage.
#[test]
fn requests_that_failed_do_not_make_the_conversation_look_shorter() {
    let compactions = |requests| {
        let config = RunConfig {
            context_window: Some(ContextWindow::new(4_000)),
            ..RunConfig::default()
        };
        let question = "question";
        let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), question);
        for round in 0..4 {
            let requests = if round == 0 { 1 } else { requests };
            let calls = ModelResponse::new(vec![
                Part::Text("I look it up. ".repeat(60)),
                Part::Call(ToolCall::new("a", "look", "{}")),
            ]);
            let usage = Usage::new(2_500 + 400 * round, 10);
            reply(&mut run, calls.with_usage(usage).with_requests(requests));
            answer_all_calls(&mut run);
        }
        reply(&mut run, ModelResponse::from_text("Sunny."));
        outcome(&run).compactions
    };
    assert!(compactions(1) > 0);
    for requests in [2, 5, u32::MAX] {
        assert_eq!(compactions(requests), compactions(1));
    }
}
