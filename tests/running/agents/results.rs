//! What comes back of a sub-agent, and what goes to it.

use serde::{Deserialize, Serialize};
use toolwright::{
    ErrorCategory, ModelError, ModelResponse, Runner, ToolError, ToolInput,
    model::{FinishReason, ModelErrorKind},
    run::{Finish, Limits, OnLimit, RunOutcome},
    runner::SubAgentError,
    testing::{ScriptedModel, ScriptedResponse},
};

use super::{NONE, agent, asks, builder, calls, runner, says};
use crate::handwritten::echo;

/// The result of the one call of a run.
fn result(outcome: &RunOutcome) -> Result<String, ToolError> {
    let round = outcome.tool_rounds().next().expect("there is a round");
    match &round.results[0].outcome {
        Ok(output) => Ok(output.to_text().into_owned()),
        Err(error) => Err((**error).clone()),
    }
}

#[tokio::test]
async fn the_answer_of_a_sub_agent_is_the_result_of_the_call() {
    let model = ScriptedModel::new([says("It is blue.")]);
    let inner = Runner::builder(model.clone()).system("Look up colours.");
    let inner = inner.build().expect("builds");
    let outer = runner([asks("look_up"), says("Blue.")], [agent(&inner, "look_up")]);
    let outcome = outer.run("Which colour?").await.expect("ends");
    assert_eq!(outcome.text, "Blue.");
    assert_eq!(result(&outcome), Ok("It is blue.".to_owned()));
    let request = &model.requests()[0];
    assert_eq!(request.system.as_deref(), Some("Look up colours."));
    assert_eq!(request.messages.len(), 1, "it has seen nothing else");
    assert!(format!("{:?}", request.messages[0]).contains("Look it up."));
    // What it spent counts.
    assert_eq!(outcome.usage.output_tokens, 3 * 40);
    assert_eq!((outcome.model_calls, outcome.requests), (3, 3));
    assert_eq!((outcome.tool_calls, outcome.rounds), (1, 1));
}

#[tokio::test]
async fn arguments_that_do_not_fit_start_nothing() {
    for arguments in [
        "{}",
        r#"{"task": 7}"#,
        r#"{"task": " "}"#,
        r#"{"task": "a", "b": 1}"#,
    ] {
        let model = ScriptedModel::new([says("no")]);
        let inner = Runner::builder(model.clone()).build().expect("builds");
        let script = [calls([("look_up", arguments)]), says("end")];
        let outcome = runner(script, [agent(&inner, "look_up")]).run("?").await;
        let error = result(&outcome.expect("ends")).expect_err("does not fit");
        assert_eq!(
            error.category,
            ErrorCategory::InvalidArguments,
            "{arguments}"
        );
        assert!(model.requests().is_empty(), "{arguments}");
    }
}

#[derive(Deserialize, ToolInput)]
struct Question {
    /// The thing.
    thing: String,
}

#[derive(Serialize, Deserialize, ToolInput)]
struct Colour {
    /// Its name.
    name: String,
}

#[tokio::test]
async fn input_and_answer_may_be_typed() {
    let model = ScriptedModel::new([says("Here: ```json\n{\"name\": \"red\"}\n```")]);
    let inner = Runner::builder(model.clone().with_answer_schemas());
    let inner = agent(&inner.build().expect("builds"), "look_up")
        .input(|question: Question| format!("Colour of {}?", question.thing))
        .expect("is an object")
        .answer::<Colour>();
    let script = [
        calls([("look_up", r#"{"thing": "the sun"}"#)]),
        says("Red."),
    ];
    let outcome = runner(script, [inner]).run("?").await.expect("ends");
    assert_eq!(result(&outcome), Ok(r#"{"name":"red"}"#.to_owned()));
    let request = &model.requests()[0];
    assert!(format!("{:?}", request.messages[0]).contains("Colour of the sun?"));
    assert!(request.answer_schema.is_some());
}

#[test]
fn what_is_no_tool_is_refused() {
    let inner = runner([says("no")], NONE);
    let long = "x".repeat(501);
    for (name, description) in [
        ("LookUp", "Looks things up."),
        ("", "Looks things up."),
        ("look_up", "Short."),
        ("look_up", &long),
    ] {
        let error = inner.as_tool(name, description).expect_err("is refused");
        let is_name = matches!(error, SubAgentError::Name { .. });
        assert_eq!(is_name, name != "look_up", "{error}");
    }
    let agent = agent(&inner, "look_up").input(|list: Vec<String>| list.join(" "));
    assert!(matches!(agent, Err(SubAgentError::InputNoObject { .. })));
}

/// The replies to a sub-agent, what it does at a limit, and the category of the error and a text that are told.
type Case = (
    Vec<ScriptedResponse>,
    OnLimit,
    Result<&'static str, ErrorCategory>,
    &'static str,
);

/// Every end of the run of a sub-agent, and what the model around it reads.
#[tokio::test]
async fn every_end_is_told() {
    let failed = |kind| ScriptedResponse::from(ModelError::new(kind, "secret of the provider"));
    let reply = |response: ModelResponse| ScriptedResponse::from(response);
    let mut refusal = says("");
    refusal.refusal = Some("I will not.".to_owned());
    let cases: Vec<Case> = vec![
        (
            vec![reply(asks("echo")), reply(says("so far"))],
            OnLimit::Summarize,
            Ok(""),
            "so far\nNote: the agent `look_up` was cut off: the limit of 1 round",
        ),
        (
            vec![reply(asks("echo")), reply(asks("echo"))],
            OnLimit::Stop,
            Err(ErrorCategory::Unknown),
            "ended without an answer: the limit of 1 round",
        ),
        (
            vec![reply(asks("echo")), reply(asks("echo"))],
            OnLimit::Error,
            Err(ErrorCategory::Unknown),
            "ended without an answer: the limit of 1 round",
        ),
        (
            vec![reply(
                says("the beg").with_finish_reason(FinishReason::Length),
            )],
            OnLimit::Stop,
            Ok(""),
            "the beg\nNote: the agent `look_up` was cut off: its answer was too long",
        ),
        (
            vec![reply(
                says("").with_finish_reason(FinishReason::ContentFilter),
            )],
            OnLimit::Stop,
            Err(ErrorCategory::Unknown),
            "filter",
        ),
        (
            vec![reply(refusal)],
            OnLimit::Stop,
            Err(ErrorCategory::Unknown),
            "refused the task: I will not.",
        ),
        (
            vec![reply(says("")), reply(says(""))],
            OnLimit::Stop,
            Err(ErrorCategory::Unknown),
            "said nothing",
        ),
        (
            vec![failed(ModelErrorKind::Authentication)],
            OnLimit::Stop,
            Err(ErrorCategory::AuthenticationFailed),
            "failed: its model refused the key",
        ),
        (
            vec![failed(ModelErrorKind::InvalidRequest)],
            OnLimit::Stop,
            Err(ErrorCategory::Unknown),
            "failed: its model did not answer",
        ),
    ];
    for (script, on_limit, is_ok, text) in cases {
        let limits = Limits::default().with_max_rounds(1).with_on_limit(on_limit);
        let inner = builder(script, [echo()])
            .limits(limits)
            .build()
            .expect("builds");
        let outer = runner([asks("look_up"), says("end")], [agent(&inner, "look_up")]);
        let outcome = outer.run("?").await.expect("ends");
        assert_eq!(outcome.finish, Finish::Answered);
        let told = result(&outcome);
        assert_eq!(
            told.as_ref().map(|_| "").map_err(|error| error.category),
            is_ok,
            "{text}"
        );
        let told = told.unwrap_or_else(|error| error.to_model_text());
        assert!(told.contains(text) && !told.contains("secret"), "{told}");
    }
}

#[tokio::test]
async fn a_call_that_failed_is_not_made_again() {
    let failed = || ModelError::new(ModelErrorKind::InvalidRequest, "no");
    let model = ScriptedModel::new([failed(), failed(), failed()]);
    let inner = Runner::builder(model.clone()).build().expect("builds");
    let hints = toolwright::tool::ToolHints::NONE.with_read_only(true);
    let outer = runner(
        [asks("look_up"), says("end")],
        [agent(&inner, "look_up").with_hints(hints)],
    );
    outer.run("?").await.expect("ends");
    assert_eq!(model.requests().len(), 1);
}
