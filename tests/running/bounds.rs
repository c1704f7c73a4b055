//! What a run ends with at its bounds.

use toolwright::{
    ModelError, ModelResponse, Runner, ToolCall, ToolResult, Toolset,
    message::Part,
    model::{FinishReason, ModelErrorKind, ToolChoice},
    run::{Failure, Finish, Limit, Limits, OnLimit},
    testing::{ScriptedModel, ScriptedResponse},
};

use crate::handwritten::echo;

const ROUNDS: u32 = 1;

fn runner(model: &ScriptedModel, on_limit: OnLimit, max_rounds: u32) -> Runner {
    let limits = Limits::default()
        .with_max_rounds(max_rounds)
        .with_on_limit(on_limit)
        .with_model_retries(0);
    Runner::builder(model.clone())
        .tools(Toolset::new().with(echo()).expect("one tool"))
        .limits(limits)
        .build()
        .expect("is consistent")
}

fn call() -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("a", "echo", "{}")])
}

fn text(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn at_the_limit(max: u32) -> Finish {
    Finish::Limit {
        limit: Limit::Rounds { max },
        summarized: false,
    }
}

#[tokio::test]
async fn the_last_request_may_be_answered_whatever_happens_at_the_limit() {
    for on_limit in [OnLimit::Stop, OnLimit::Error] {
        for max_rounds in 0..3 {
            let rounds = (0..max_rounds).map(|_| call());
            let model = ScriptedModel::new(rounds.chain([text("done")]));
            let outcome = runner(&model, on_limit, max_rounds).run("Go.").await;
            let outcome = outcome.expect("answers");
            assert_eq!(
                (outcome.finish, outcome.text.as_str()),
                (Finish::Answered, "done")
            );
            assert_eq!(
                (outcome.rounds, outcome.model_calls),
                (max_rounds, max_rounds + 1)
            );
            let requests = model.requests();
            assert!(
                requests
                    .iter()
                    .all(|request| request.tool_choice == ToolChoice::Auto)
            );
        }
    }
}

#[tokio::test]
async fn calls_of_the_last_request_do_not_run() {
    for max_rounds in 0..3 {
        let model = ScriptedModel::new((0..=max_rounds).map(|_| call()));
        let stopped = runner(&model, OnLimit::Stop, max_rounds).run("Go.").await;
        let stopped = stopped.expect("is an outcome");
        assert_eq!(stopped.finish, at_the_limit(max_rounds));
        let model = ScriptedModel::new((0..=max_rounds).map(|_| call()));
        let failed = runner(&model, OnLimit::Error, max_rounds).run("Go.").await;
        let failed = failed.expect_err("is set to fail");
        let limit = Limit::Rounds { max: max_rounds };
        assert_eq!(failed.failure, Failure::Limit(limit));
        for outcome in [stopped, *failed.outcome] {
            assert_eq!(
                (outcome.rounds, outcome.model_calls),
                (max_rounds, max_rounds + 1)
            );
            let texts: Vec<_> = outcome
                .tool_rounds()
                .map(|round| round.results[0].to_model_text().into_owned())
                .collect();
            let (last, before) = texts.split_last().expect("is one");
            assert!(last.contains("not executed: the limit of"), "{last}");
            assert!(before.iter().all(|text| text == "{}"));
        }
    }
}

/// What may come of a summary, and the warning that says so.
fn lost() -> Vec<(ScriptedResponse, &'static str)> {
    let mut refusal = ModelResponse::new(Vec::new()).with_finish_reason(FinishReason::Refusal);
    refusal.refusal = Some("No.".into());
    let cut = |reason| text("so f").with_finish_reason(reason).into();
    let error = |kind| ModelError::new(kind, "no").into();
    vec![
        (cut(FinishReason::Length), "summary_cut"),
        (cut(FinishReason::ContentFilter), "summary_filtered"),
        (refusal.into(), "summary_refused"),
        (error(ModelErrorKind::Transport), "summary_failed"),
        (error(ModelErrorKind::ContextTooLong), "summary_failed"),
        (error(ModelErrorKind::RateLimit), "summary_failed"),
        (
            ModelError::new(ModelErrorKind::Transport, "gone")
                .with_partial(text("so f"))
                .into(),
            "summary_failed",
        ),
    ]
}

#[tokio::test]
async fn the_limit_is_not_lost_with_the_summary() {
    for streaming in [true, false] {
        for (reply, code) in lost() {
            let model = ScriptedModel::new([call().into(), reply.clone()]);
            let limits = Limits::default()
                .with_max_rounds(ROUNDS)
                .with_model_retries(0);
            let runner = Runner::builder(model)
                .tools(Toolset::new().with(echo()).expect("one tool"))
                .limits(limits)
                .streaming(streaming)
                .build();
            let outcome = runner.expect("is consistent").run("Go.").await;
            let outcome = outcome.expect("a limit is an outcome");
            assert_eq!(outcome.finish, at_the_limit(ROUNDS), "{reply:?}");
            let last = outcome.warnings.last().expect("is one");
            assert_eq!(last.code, code);
            assert!(
                outcome
                    .tool_rounds()
                    .flat_map(|round| &round.results)
                    .all(|result| !result.is_error())
            );
        }
    }
}

#[tokio::test]
async fn a_blank_summary_is_asked_for_without_tools_and_then_is_none() {
    let blank = || {
        ModelResponse::new(vec![
            Part::Reasoning("hm".into()),
            Part::Text("\n \n".into()),
        ])
    };
    let model = ScriptedModel::new([call(), blank(), text("So far: nothing.")]);
    let outcome = runner(&model, OnLimit::Summarize, ROUNDS).run("Go.").await;
    assert_eq!(outcome.expect("is an outcome").text, "So far: nothing.");
    let model = ScriptedModel::new([call(), blank(), blank()]);
    let outcome = runner(&model, OnLimit::Summarize, ROUNDS).run("Go.").await;
    let outcome = outcome.expect("is an outcome");
    assert_eq!(
        (outcome.finish, outcome.text.as_str()),
        (at_the_limit(ROUNDS), "")
    );
    assert_eq!(
        outcome.warnings.last().expect("is one").code,
        "summary_empty"
    );
}

#[tokio::test]
async fn an_empty_reply_is_no_answer() {
    for nothing in [
        ModelResponse::new(Vec::new()),
        text(""),
        text(" \n"),
        ModelResponse::new(vec![Part::Reasoning("I should say something.".into())]),
    ] {
        for streaming in [true, false] {
            let build = |script: Vec<ModelResponse>| {
                let model = ScriptedModel::new(script);
                Runner::builder(model)
                    .streaming(streaming)
                    .build()
                    .expect("is one")
            };
            let runner = build(vec![nothing.clone(), text("Here.")]);
            let outcome = runner.run("Go.").await.expect("answers");
            assert_eq!(
                (outcome.finish, outcome.text.as_str()),
                (Finish::Answered, "Here.")
            );
            assert_eq!((outcome.corrections, outcome.model_calls), (1, 2));
            let runner = build(vec![nothing.clone(), nothing.clone()]);
            let outcome = runner.run("Go.").await.expect("is an outcome");
            assert_eq!((outcome.finish, outcome.text.as_str()), (Finish::Empty, ""));
            assert_eq!(
                outcome.warnings.last().expect("is one").code,
                "empty_response"
            );
            // The conversation goes on without it.
            let model = ScriptedModel::new([text("Yes?")]);
            let mut conversation = outcome.conversation;
            let runner = Runner::builder(model.clone()).build().expect("is one");
            runner
                .request("Hello?")
                .within(&mut conversation)
                .run()
                .await
                .expect("answers");
            assert!(!format!("{:?}", model.requests()[0]).contains("Reasoning"));
        }
    }
}

#[tokio::test]
async fn a_turn_may_be_paused_in_every_round() {
    let paused = || text("…").with_finish_reason(FinishReason::Paused);
    let turn = || std::iter::repeat_with(paused).take(16);
    let script = turn().chain([call()]).chain(turn()).chain([text("done")]);
    let model = ScriptedModel::new(script);
    let outcome = runner(&model, OnLimit::Summarize, 5)
        .run("Go.")
        .await
        .expect("answers");
    assert_eq!(
        (outcome.text.as_str(), outcome.pauses, outcome.model_calls),
        ("done", 32, 34)
    );
    let round = outcome.tool_rounds().next().expect("is one");
    assert!(
        round
            .results
            .iter()
            .all(|result: &ToolResult| !result.is_error())
    );
}
