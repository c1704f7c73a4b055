//! Answers of a form, in the run that is driven by hand.

mod limits;
mod said;

use super::*;
use crate::{model::AnswerSchema, schema::Schema};

fn form(means: AnswerMeans) -> AnswerForm {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    AnswerForm::new(AnswerSchema::new("place", schema), means)
}

fn typed(means: AnswerMeans, limits: Limits) -> (Run, Vec<Record>) {
    let config = RunConfig {
        limits,
        answer: Some(form(means)),
        ..RunConfig::default()
    };
    Run::start(RunId::new("run"), config, Conversation::new(), "question")
}

fn unfit(response: ModelResponse) -> Signal {
    Signal::Replied {
        response,
        policies: Vec::new(),
        unfit: Some("no".to_owned()),
    }
}

fn by_tool() -> AnswerMeans {
    AnswerMeans::Tool("answer".to_owned())
}

#[test]
fn what_is_unfit_says_nothing_where_it_is_no_answer() {
    let cut = ModelResponse {
        finish_reason: FinishReason::Length,
        ..ModelResponse::from_text("a")
    };
    for (response, finish) in [
        (cut, Some(Finish::Truncated)),
        (calls(&["a"]), None),
        (ModelResponse::from_text(""), None),
    ] {
        let (mut run, _) = typed(AnswerMeans::Schema, Limits::default());
        run.handle(unfit(response));
        assert_eq!(run.outcome().map(|outcome| outcome.finish), finish);
        assert_eq!(run.state.answering.refused(), None);
    }
    // Nor where no form is asked for.
    let (mut run, _) = start(Limits::default());
    run.handle(unfit(ModelResponse::from_text("a")));
    assert_eq!(outcome(&run).finish, Finish::Answered);
}

#[test]
fn a_refused_answer_is_in_one_request_only() {
    let (mut run, mut log) = typed(AnswerMeans::Schema, Limits::default());
    log.extend(run.handle(unfit(ModelResponse::from_text("a"))));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    assert_eq!(run.request().messages.len(), 3);
    log.extend(run.handle(Signal::Replied {
        response: calls(&["a"]),
        policies: Vec::new(),
        unfit: None,
    }));
    while let Some(Action::StartCall(id)) = run.poll().first().copied() {
        log.extend(run.handle(Signal::CallStarted(id)));
        log.extend(run.handle(Signal::CallFinished(id, ToolResult::success("", "x"))));
    }
    let request = run.request();
    assert!(
        !format!("{request:?}").contains("does not fit"),
        "{request:?}"
    );
    // The count is that of the run.
    for text in ["b", "c"] {
        log.extend(run.handle(unfit(ModelResponse::from_text(text))));
    }
    let (text, reason) = ("c".to_owned(), "no".to_owned());
    let failure = Failure::AnswerUnfit { text, reason };
    assert_eq!(outcome(&run).finish, Finish::Failed(failure));
    assert_eq!(
        (outcome(&run).corrections, outcome(&run).model_calls),
        (2, 4)
    );
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

#[test]
fn a_summary_is_asked_for_by_the_same_kind_of_request() {
    let (mut run, mut log) = typed(by_tool(), Limits::default().with_max_rounds(0));
    for call in [ModelCall::Locked, ModelCall::Locked] {
        assert_eq!(run.poll(), [Action::CallModel(call)]);
        assert!(run.request().answer_schema.is_some());
        log.extend(run.handle(unfit(ModelResponse::from_text("a"))));
    }
    // One that says nothing is flattened, and shows the same.
    log.extend(run.handle(unfit(ModelResponse::from_text(""))));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Flattened)]);
    log.extend(run.handle(unfit(ModelResponse::from_text("z"))));
    let (limit, summarized) = (Limit::Rounds { max: 0 }, false);
    assert_eq!(outcome(&run).finish, Finish::Limit { limit, summarized });
    assert_eq!(outcome(&run).text, "z");
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

/// Calls the tool that takes the answer, beside another one.
fn give(run: &mut Run, outcome: Result<&str, ToolError>) -> Vec<Record> {
    let response = ModelResponse::from_calls([
        ToolCall::new("a", "answer", "{}"),
        ToolCall::new("b", "look", "{}"),
    ]);
    let mut log = run.handle(Signal::Replied {
        response,
        policies: vec![ToolPolicy::default().with_ends_run()],
        unfit: None,
    });
    let mut results = vec![
        ToolResult::success("", "x"),
        match outcome {
            Ok(text) => ToolResult::success("", text),
            Err(error) => ToolResult::error("", error),
        },
    ];
    while let Some(Action::StartCall(id)) = run.poll().first().copied() {
        log.extend(run.handle(Signal::CallStarted(id)));
        let result = results.pop().expect("there are two calls");
        log.extend(run.handle(Signal::CallFinished(id, result)));
    }
    log
}

#[test]
fn the_arguments_of_the_tool_are_the_answer() {
    let (mut run, mut log) = typed(by_tool(), Limits::default());
    log.extend(give(&mut run, Err(ToolError::invalid_arguments("no"))));
    assert_eq!(run.outcome(), None);
    log.extend(give(
        &mut run,
        Err(ToolError::new(ErrorCategory::Unknown, "?")),
    ));
    assert_eq!(run.outcome(), None);
    log.extend(give(&mut run, Ok("taken")));
    let ended = outcome(&run);
    assert_eq!(
        (ended.finish, ended.text.as_str()),
        (Finish::Answered, "{}")
    );
    // Only what does not fit was to be corrected.
    assert_eq!(ended.corrections, 1);
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

#[test]
fn who_cancels_is_not_told_that_it_failed() {
    for cancels in [Signal::Cancel, Signal::CancelAfterRound] {
        let (mut run, _) = typed(AnswerMeans::Schema, Limits::default());
        run.handle(cancels.clone());
        run.handle(unfit(ModelResponse::from_text("a")));
        assert_eq!(outcome(&run).finish, Finish::Cancelled, "{cancels:?}");
    }
}

#[test]
fn older_logs_are_read_and_nothing_new_is_written_for_them() {
    let record = Record::Replied {
        response: ModelResponse::from_text("a"),
        policies: Vec::new(),
        unfit: None,
    };
    let stored = serde_json::to_value(&record).expect("is JSON");
    assert_eq!(stored.get("unfit"), None);
    assert_eq!(serde_json::from_value::<Record>(stored).ok(), Some(record));
    let (_, log) = typed(by_tool(), Limits::default());
    let stored = serde_json::to_string(&log).expect("is JSON");
    assert_eq!(serde_json::from_str::<Vec<Record>>(&stored).ok(), Some(log));
}
