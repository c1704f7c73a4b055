//! A choice of tools holds, whatever the model does.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use toolwright::{
    ModelResponse, Runner, ToolCall, ToolOutput, ToolResult, Toolset,
    approval::{ApprovalPolicy, ApprovalRequest, Decision},
    dispatch::CallOptions,
    message::Part,
    model::{FinishReason, ToolChoice},
    run::{Failure, Finish, Record, Run, RunOutcome},
    runner::RunEvent,
    testing::ScriptedModel,
};

use crate::handwritten::Handwritten;

/// Two tools that count their calls: `look` and `delete_all`.
struct Counted {
    looked: Arc<AtomicUsize>,
    deleted: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
}

impl Counted {
    fn new() -> Self {
        Self {
            looked: Arc::default(),
            deleted: Arc::default(),
            asked: Arc::default(),
        }
    }

    fn runner(&self, model: &ScriptedModel, choice: &ToolChoice, streaming: bool) -> Runner {
        let counting = |name: &'static str, count: &Arc<AtomicUsize>| {
            let count = Arc::clone(count);
            Handwritten::new(name, move |_, _| {
                count.fetch_add(1, Ordering::SeqCst);
                std::future::ready(Ok(ToolOutput::text("done")))
            })
        };
        let tools = Toolset::new()
            .with(counting("look", &self.looked))
            .and_then(|tools| tools.with(counting("delete_all", &self.deleted)));
        let asked = Arc::clone(&self.asked);
        Runner::builder(model.clone())
            .tools(tools.expect("two names"))
            .tool_choice(choice.clone())
            .streaming(streaming)
            .calls(
                CallOptions::new()
                    .with_approvals(ApprovalPolicy::All)
                    .with_approver(move |_: ApprovalRequest| {
                        asked.fetch_add(1, Ordering::SeqCst);
                        std::future::ready(Decision::Approve)
                    }),
            )
            .build()
            .expect("is consistent")
    }

    /// How often `look` and `delete_all` ran, and how often somebody was asked.
    fn counts(&self) -> (usize, usize, usize) {
        let count = |count: &AtomicUsize| count.load(Ordering::SeqCst);
        (
            count(&self.looked),
            count(&self.deleted),
            count(&self.asked),
        )
    }
}

fn calls(names: &[&str]) -> ModelResponse {
    ModelResponse::from_calls(names.iter().map(|name| ToolCall::new("id", *name, "{}")))
}

fn text(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn beside(said: &str, name: &str) -> ModelResponse {
    let call = Part::Call(ToolCall::new("id", name, "{}"));
    ModelResponse::new(vec![Part::Text(said.into()), call])
}

fn only_look() -> ToolChoice {
    ToolChoice::Tool("look".into())
}

fn codes(outcome: &RunOutcome) -> Vec<&str> {
    let warnings = outcome.warnings.iter();
    warnings.map(|warning| warning.code.as_str()).collect()
}

fn not_allowed(result: &ToolResult) -> bool {
    result
        .to_model_text()
        .contains("not allowed, and not executed")
}

/// Runs a script, streamed and not, and gives the outcomes with what ran.
async fn run(
    choice: ToolChoice,
    script: &[ModelResponse],
) -> [(RunOutcome, (usize, usize, usize)); 2] {
    let mut all = Vec::new();
    for streaming in [true, false] {
        let (counted, model) = (Counted::new(), ScriptedModel::new(script.to_vec()));
        let mut handle = counted.runner(&model, &choice, streaming).start("question");
        let mut log: Vec<Record> = Vec::new();
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { record, .. } = event {
                log.push(record);
            }
        }
        let outcome = handle.outcome().await;
        let outcome = outcome.unwrap_or_else(|error| *error.outcome);
        assert_eq!(
            model.requests().len(),
            script.len(),
            "the script is read to its end"
        );
        assert!(!outcome.conversation.requires_tool_execution());
        let stored = serde_json::to_string(&log).expect("serialises");
        let log: Vec<Record> = serde_json::from_str(&stored).expect("reads");
        let (replayed, missing) = Run::replay(&log).expect("is a log");
        assert_eq!(
            (replayed.outcome(), missing),
            (Some(outcome.clone()), Vec::new())
        );
        // Every call of every reply has its result in the log, or the reply ended the run.
        for record in &log {
            if let Record::CallStarted { call, .. } = record {
                let finished = log.iter().filter(
                    |record| matches!(record, Record::CallFinished { call: of, .. } if of == call),
                );
                assert_eq!(finished.count(), 1);
            }
        }
        all.push((outcome, counted.counts()));
    }
    assert_eq!(all[0].0.conversation, all[1].0.conversation);
    all.try_into().expect("two")
}

#[tokio::test]
async fn nothing_runs_where_no_tool_may_be_called() {
    for (reply, said) in [
        (beside("It is gone.", "delete_all"), "It is gone."),
        (beside("It is gone.", "unheard_of"), "It is gone."),
    ] {
        for (outcome, ran) in run(ToolChoice::None, &[reply]).await {
            assert_eq!(
                (&outcome.finish, outcome.text.as_str()),
                (&Finish::Answered, said)
            );
            assert_eq!(
                (outcome.conversation.text().as_str(), ran),
                (said, (0, 0, 0))
            );
            assert_eq!(codes(&outcome), ["call_not_allowed"]);
            assert!(
                outcome
                    .tool_rounds()
                    .flat_map(|round| &round.results)
                    .all(not_allowed)
            );
            assert_eq!((outcome.rounds, outcome.tool_rounds().count()), (0, 1));
        }
    }
}

#[tokio::test]
async fn calls_alone_are_no_answer_where_no_tool_may_be_called() {
    let script = [calls(&["look", "delete_all"]), text("Nothing is deleted.")];
    for (outcome, ran) in run(ToolChoice::None, &script).await {
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!((ran, outcome.corrections), ((0, 0, 0), 1));
    }
    let script = [calls(&["look"]), calls(&["delete_all"])];
    for (outcome, ran) in run(ToolChoice::None, &script).await {
        assert_eq!((outcome.finish, ran), (Finish::Empty, (0, 0, 0)));
    }
}

#[tokio::test]
async fn of_a_mixed_reply_the_tool_that_was_chosen_runs() {
    let mixed = calls(&["delete_all", "look", "Look", "delete_all"]);
    for (outcome, ran) in run(only_look(), &[mixed, text("done")]).await {
        assert_eq!((&outcome.finish, ran), (&Finish::Answered, (1, 0, 1)));
        let round = outcome.tool_rounds().next().expect("is one");
        let refused: Vec<_> = round.results.iter().map(not_allowed).collect();
        assert_eq!(refused, [true, false, true, true]);
        assert_eq!(codes(&outcome), ["call_not_allowed"]);
    }
}

#[tokio::test]
async fn the_choice_holds_for_the_first_round_alone() {
    let script = [calls(&["look"]), calls(&["delete_all"]), text("done")];
    for choice in [only_look(), ToolChoice::Required] {
        for (outcome, ran) in run(choice, &script).await {
            assert_eq!((&outcome.finish, ran), (&Finish::Answered, (1, 1, 2)));
            assert!(outcome.warnings.is_empty());
        }
    }
}

#[tokio::test]
async fn a_model_that_does_not_call_is_asked_once_more() {
    for choice in [only_look(), ToolChoice::Required] {
        let script = [text("No."), calls(&["look"]), text("done")];
        for (outcome, ran) in run(choice.clone(), &script).await {
            assert_eq!((&outcome.finish, ran), (&Finish::Answered, (1, 0, 1)));
            assert_eq!((outcome.corrections, outcome.model_calls), (1, 3));
            assert_eq!(codes(&outcome), ["tool_choice_unmet"]);
        }
        for (outcome, _) in run(choice, &[text("No."), text("Still no.")]).await {
            assert_eq!(outcome.finish, Finish::Failed(Failure::ToolChoiceUnmet));
            assert_eq!(
                (outcome.text.as_str(), outcome.corrections),
                ("Still no.", 1)
            );
        }
    }
    let script = [calls(&["delete_all"]), calls(&["delete_all", "unheard_of"])];
    for (outcome, ran) in run(only_look(), &script).await {
        assert_eq!(outcome.finish, Finish::Failed(Failure::ToolChoiceUnmet));
        assert_eq!(ran, (0, 0, 0));
        assert!(
            outcome
                .tool_rounds()
                .flat_map(|round| &round.results)
                .all(not_allowed)
        );
    }
}

#[tokio::test]
async fn a_call_that_could_not_be_read_is_asked_for_once_more() {
    let malformed =
        || ModelResponse::new(Vec::new()).with_finish_reason(FinishReason::MalformedCall);
    let script = [malformed(), calls(&["look"]), malformed(), text("done")];
    for (outcome, ran) in run(ToolChoice::Auto, &script).await {
        assert_eq!((&outcome.finish, ran), (&Finish::Answered, (1, 0, 1)));
        assert_eq!((outcome.corrections, outcome.rounds), (2, 1));
    }
    for (outcome, _) in run(ToolChoice::Auto, &[malformed(), malformed()]).await {
        assert!(matches!(outcome.finish, Finish::Failed(Failure::Model(_))));
    }
}

/// The corrections are told to the model and are no part of the conversation.
#[tokio::test]
async fn what_the_model_is_told_stays_out_of_the_conversation() {
    let model = ScriptedModel::new([text("No."), calls(&["look"]), text("")]);
    let counted = Counted::new();
    let runner = counted.runner(&model, &ToolChoice::Required, true);
    let error = runner.run("question").await.expect_err("the script ends");
    let requests: Vec<_> = model
        .requests()
        .iter()
        .map(|request| format!("{request:?}"))
        .collect();
    assert!(requests[1].contains("you have to call a tool"));
    assert!(!requests[2].contains("Note from"));
    assert!(requests[3].contains("your last response was empty"));
    let kept = format!("{:?}", error.outcome.conversation);
    assert!(!kept.contains("Note from"), "{kept}");
}
