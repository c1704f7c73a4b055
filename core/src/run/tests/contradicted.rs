//! A run whose options contradict its runner.

use super::*;
use crate::run::{Failure, RunOutcome};

/// It says what contradicts, has sent nothing, and is data as every other outcome.
#[test]
fn a_run_whose_options_contradict_its_runner_has_sent_nothing() {
    let (run, _) = Run::start(
        RunId::new("run"),
        RunConfig::default(),
        Conversation::new(),
        "?",
    );
    let reason = "there is a limit on the cost, and no price".to_owned();
    let failure = Failure::Options { reason };
    let outcome = run.lost(failure.clone());
    assert_eq!(
        (outcome.model_calls, outcome.conversation.messages().len()),
        (0, 1)
    );

    let text = serde_json::to_string(&outcome).expect("serialises");
    let stored = r#""finish":{"type":"failed","content":{"type":"options","content":{"reason":"there is a limit on the cost, and no price"}}}"#;
    assert!(text.contains(stored), "{text}");
    let read: RunOutcome = serde_json::from_str(&text).expect("reads");
    let error = read.into_result().expect_err("has failed");
    assert_eq!(error.failure, failure);
    assert_eq!(
        error.to_string(),
        "the run failed: the run does not fit its runner: there is a limit on the cost, and no price"
    );
}
