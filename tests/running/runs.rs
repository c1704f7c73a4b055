//! The runner, from question to answer, against a scripted model.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use toolwright::{
    ChatModel, Conversation, ErrorCategory, Message, ModelError, ModelResponse, Runner, ToolCall,
    ToolOutput, ToolResult, Toolset,
    dispatch::CallOptions,
    message::{Part, ToolRound, ToolRounds},
    model::{
        FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, ToolChoice, Usage,
    },
    run::{Finish, Limit, Limits, OnLimit, Record, Run},
    runner::{BuildError, RunEvent},
    schema::Schema,
    testing::{ScriptedModel, ScriptedResponse},
    toolset::ToolsetError,
};

use crate::handwritten::{Handwritten, crash, echo, fail};

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

fn tools() -> Toolset {
    let nothing = Handwritten::new("nothing", async |_, _| Ok(ToolOutput::default()));
    let tools = Toolset::new().with(echo()).and_then(|set| set.with(fail()));
    let tools = tools
        .and_then(|set| set.with(crash()))
        .and_then(|set| set.with(nothing));
    tools.expect("the names differ")
}

fn runner(model: &ScriptedModel) -> Runner {
    Runner::builder(model.clone())
        .system("Be brief.")
        .tools(tools())
        .build()
        .expect("is consistent")
}

/// The rounds of the last message, which is the model's.
fn rounds(conversation: &Conversation) -> &ToolRounds {
    match conversation.messages().last() {
        Some(Message::Assistant(message)) => &message.tool_rounds,
        other => panic!("not a response: {other:?}"),
    }
}

fn texts(round: &ToolRound) -> Vec<String> {
    round
        .results
        .iter()
        .map(|result| result.to_model_text().into_owned())
        .collect()
}

#[tokio::test]
async fn no_call() {
    let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    let outcome = runner(&model).run("Hi.").await.expect("answers");
    assert_eq!(
        (outcome.finish, outcome.text.as_str(), outcome.rounds),
        (Finish::Answered, "Hello.", 0)
    );
    let requests = model.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].system.as_deref(), Some("Be brief."));
    let names: Vec<_> = requests[0].tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["echo", "fail", "crash", "nothing"]);
}

#[tokio::test]
async fn one_call() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "echo", "{\"x\":1}")]).with_usage(Usage::new(10, 2)),
        ModelResponse::from_text("done").with_usage(Usage::new(20, 3)),
    ]);
    let outcome = runner(&model).run("Say x.").await.expect("answers");
    assert_eq!(
        (outcome.text.as_str(), outcome.rounds, outcome.model_calls),
        ("done", 1, 2)
    );
    assert_eq!(outcome.usage, Usage::new(30, 5));
    assert_eq!(texts(&rounds(&outcome.conversation)[0]), ["{\"x\":1}"]);
}

#[tokio::test]
async fn many_calls() {
    let calls = (0..30).map(|i| call(&format!("c{i}"), "echo", &i.to_string()));
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let outcome = runner(&model).run("Say them.").await.expect("answers");
    let expected: Vec<_> = (0..30).map(|i| i.to_string()).collect();
    assert_eq!(texts(&rounds(&outcome.conversation)[0]), expected);
}

#[tokio::test]
async fn a_chain_of_calls() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "echo", "1")]),
        ModelResponse::from_calls([call("a", "echo", "2"), call("b", "echo", "3")]),
        ModelResponse::from_calls([call("a", "echo", "4")]),
        ModelResponse::from_text("done"),
    ]);
    let outcome = runner(&model).run("One by one.").await.expect("answers");
    let all: Vec<_> = rounds(&outcome.conversation).iter().map(texts).collect();
    assert_eq!(all, [vec!["1"], vec!["2", "3"], vec!["4"]]);
    // Each request holds all that came before it.
    let seen: Vec<_> = model
        .requests()
        .iter()
        .map(|request| request.messages.iter().flat_map(Message::turns).count())
        .collect();
    assert_eq!(seen, [1, 3, 5, 7]);
}

#[tokio::test]
async fn a_tool_that_fails() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            call("a", "fail", "{}"),
            call("b", "crash", "{}"),
            call("c", "unheard_of", "{}"),
            call("d", "echo", "fine"),
        ]),
        ModelResponse::from_text("done"),
    ]);
    let outcome = runner(&model)
        .run("Try.")
        .await
        .expect("a failing tool does not fail the run");
    let round = &rounds(&outcome.conversation)[0];
    assert_eq!(
        texts(round)[0],
        "Tool execution failed (resourceNotFound): no such order"
    );
    let failed: Vec<_> = round.results.iter().map(ToolResult::is_error).collect();
    assert_eq!(failed, [true, true, true, false]);
}

#[tokio::test]
async fn the_cap() {
    let again = || ModelResponse::from_calls([call("a", "echo", "again")]);
    let model = ScriptedModel::new([again(), again(), ModelResponse::from_text("so far")]);
    let runner = Runner::builder(model.clone())
        .tools(tools())
        .max_rounds(2)
        .build()
        .expect("builds");
    let outcome = runner.run("Go on.").await.expect("a limit is an outcome");
    let limit = Limit::Rounds { max: 2 };
    assert_eq!(
        outcome.finish,
        Finish::Limit {
            limit,
            summarized: true
        }
    );
    assert_eq!((outcome.text.as_str(), outcome.model_calls), ("so far", 3));
    let last = &model.requests()[2];
    assert_eq!(
        (last.tools.len(), &last.tool_choice),
        (4, &ToolChoice::None)
    );
}

#[tokio::test]
async fn the_cap_with_a_model_that_ignores_the_lock() {
    let again = || ModelResponse::from_calls([call("a", "echo", "again")]);
    let model = ScriptedModel::new([again(), again(), ModelResponse::from_text("from text")]);
    let runner = Runner::builder(model.clone())
        .tools(tools())
        .max_rounds(1)
        .build()
        .expect("builds");
    let outcome = runner.run("Go on.").await.expect("a limit is an outcome");
    assert_eq!(outcome.text, "from text");
    assert!(
        model.requests()[2].tools.is_empty(),
        "the flattened request has no tools"
    );
    assert_eq!(outcome.warnings[0].code, "no_answer_when_locked");
}

#[tokio::test]
async fn the_cap_as_an_error_keeps_the_outcome() {
    let again = || ModelResponse::from_calls([call("a", "echo", "x")]);
    let model = ScriptedModel::new([again(), again()]);
    let limits = Limits::chat()
        .with_max_rounds(1)
        .with_on_limit(OnLimit::Error);
    let runner = Runner::builder(model)
        .tools(tools())
        .limits(limits)
        .build()
        .expect("builds");
    let error = runner.run("Go on.").await.expect_err("is set to fail");
    assert_eq!(
        error.to_string(),
        "the run failed: the limit of 1 round of tool calls is reached"
    );
    assert_eq!(texts(&rounds(&error.outcome.conversation)[0]), ["x"]);
}

#[tokio::test]
async fn an_empty_result() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "nothing", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let outcome = runner(&model).run("Do nothing.").await.expect("answers");
    assert_eq!(texts(&rounds(&outcome.conversation)[0]), ["(no output)"]);
}

#[tokio::test]
async fn text_beside_calls() {
    let model = ScriptedModel::new([
        ModelResponse::new(vec![
            Part::Text("Let me see.".into()),
            Part::Call(call("a", "echo", "x")),
        ]),
        ModelResponse::from_text("done"),
    ]);
    let outcome = runner(&model).run("Look.").await.expect("answers");
    assert_eq!(rounds(&outcome.conversation)[0].text(), "Let me see.");
    assert_eq!(outcome.text, "done");
}

#[tokio::test]
async fn two_calls_with_one_id() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            call("x", "echo", "1"),
            call("x", "echo", "2"),
            call("", "echo", "3"),
        ]),
        ModelResponse::from_text("done"),
    ]);
    let outcome = runner(&model).run("Both.").await.expect("answers");
    assert_eq!(texts(&rounds(&outcome.conversation)[0]), ["1", "2", "3"]);
}

#[tokio::test]
async fn a_truncated_reply_runs_nothing() {
    let cut = ModelResponse::from_calls([call("a", "echo", "{\"x")])
        .with_finish_reason(FinishReason::Length);
    let outcome = runner(&ScriptedModel::new([cut]))
        .run("Go.")
        .await
        .expect("is an outcome");
    assert_eq!(outcome.finish, Finish::Truncated);
    assert!(texts(&rounds(&outcome.conversation)[0])[0].contains("not executed"));
}

#[tokio::test]
async fn a_conversation_goes_on_over_runs() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "echo", "sunny")]),
        ModelResponse::from_text("Sunny in Oslo."),
        ModelResponse::from_text("And in Bergen it rains."),
    ]);
    let runner = runner(&model);
    let mut conversation = Conversation::new();
    runner
        .request("Weather in Oslo?")
        .within(&mut conversation)
        .run()
        .await
        .expect("answers");
    let outcome = runner
        .request("And in Bergen?")
        .within(&mut conversation)
        .run()
        .await
        .expect("answers");
    assert_eq!(outcome.conversation, conversation);
    assert_eq!(conversation.messages().len(), 4);
    assert_eq!(model.requests()[2].messages.len(), 3);
}

#[tokio::test]
async fn a_model_that_fails_leaves_a_conversation_that_can_go_on() {
    let lost = ModelError::new(ModelErrorKind::Transport, "the connection closed")
        .with_retryable(false)
        .with_partial(ModelResponse::from_text("It is su"));
    let model = ScriptedModel::new([
        ScriptedResponse::from(ModelResponse::from_calls([call("a", "echo", "sunny")])),
        lost.into(),
        ModelResponse::from_text("Sunny.").into(),
    ]);
    let runner = runner(&model);
    let mut conversation = Conversation::new();
    let error = runner
        .request("Weather?")
        .within(&mut conversation)
        .run()
        .await
        .expect_err("the model fails");
    let toolwright::run::Failure::Model(failure) = &error.failure else {
        panic!("{error}")
    };
    assert_eq!(
        failure
            .partial
            .as_ref()
            .map(|partial| partial.text.as_str()),
        Some("It is su")
    );
    assert_eq!((error.outcome.rounds, error.outcome.model_calls), (1, 2));
    let outcome = runner
        .request("Again?")
        .within(&mut conversation)
        .run()
        .await
        .expect("goes on");
    assert_eq!(outcome.text, "Sunny.");
}

#[tokio::test]
async fn the_events_are_the_run() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "echo", "sunny"), call("b", "fail", "{}")]),
        ModelResponse::from_text("It is sunny."),
    ]);
    let mut handle = runner(&model).start("Weather?");
    let (mut log, mut streamed) = (Vec::new(), String::new());
    while let Some(event) = handle.next().await {
        match event {
            RunEvent::Recorded { sequence, record } => {
                assert_eq!(sequence, log.len() as u64);
                log.push(record);
            }
            RunEvent::Delta(ModelEvent::Text(text)) => streamed.push_str(&text),
            _ => {}
        }
    }
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!(streamed, outcome.text);
    // The log survives being stored, and alone gives the same outcome.
    let stored = serde_json::to_string(&log).expect("serialises");
    let log: Vec<Record> = serde_json::from_str(&stored).expect("reads");
    let (replayed, missing) = Run::replay(&log).expect("is a log");
    assert!(missing.is_empty());
    assert_eq!(replayed.outcome(), Some(outcome));
}

#[tokio::test]
async fn without_streaming_the_run_is_the_same() {
    let script = || {
        [
            ModelResponse::from_calls([call("a", "echo", "x")]),
            ModelResponse::from_text("done"),
        ]
    };
    let mut outcomes = Vec::new();
    for streaming in [true, false] {
        let runner = Runner::builder(ScriptedModel::new(script())).tools(tools());
        let runner = runner.streaming(streaming).build().expect("builds");
        outcomes.push(runner.run("Go.").await.expect("answers").conversation);
    }
    assert_eq!(outcomes[0], outcomes[1]);
}

#[tokio::test]
async fn an_extension_reaches_the_tools() {
    struct Tenant(u32);
    let who = Handwritten::new("who", async |_, cx| {
        ToolOutput::json(&cx.require::<Tenant>()?.0)
    });
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "who", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let tools = Toolset::new().with(who).expect("one tool");
    let runner = Runner::builder(model)
        .tools(tools)
        .calls(CallOptions::new().with_extension(Tenant(7)))
        .build()
        .expect("builds");
    let outcome = runner.run("Who?").await.expect("answers");
    assert_eq!(texts(&rounds(&outcome.conversation)[0]), ["7"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_ends_at_its_time_limit() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "hang", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let tools = Toolset::new()
        .with(crate::handwritten::hang())
        .expect("one tool");
    let runner = Runner::builder(model)
        .tools(tools)
        .calls(CallOptions::new().with_timeout(Duration::from_secs(3)));
    let outcome = runner
        .build()
        .expect("builds")
        .run("Go.")
        .await
        .expect("answers");
    let Err(error) = &rounds(&outcome.conversation)[0].results[0].outcome else {
        panic!("hangs")
    };
    assert_eq!(error.category, ErrorCategory::ExecutionTimeout);
}

#[test]
fn definition_validation() {
    let tool = |name: &'static str, schema: &str| {
        let schema = Schema::from_text(schema).expect("is JSON");
        Handwritten::new(name, async |_, _| Ok(ToolOutput::default())).with_schema(schema)
    };
    let object = r#"{"type":"object"}"#;
    let long = "x".repeat(65).leak();
    for name in ["", "bad name!", "größe", &*long] {
        let error = Toolset::new()
            .with(tool(name, object))
            .expect_err("no provider takes it");
        assert_eq!(error, ToolsetError::Name { name: name.into() });
    }
    for schema in ["3", "{}", r#"{"type":"string"}"#, "true"] {
        let error = Toolset::new()
            .with(tool("look", schema))
            .expect_err("is no object");
        assert_eq!(
            error,
            ToolsetError::Schema {
                name: "look".into()
            }
        );
    }
    let tools = Toolset::new()
        .with(tool("look-up_2", object))
        .expect("is fine");
    let error = tools
        .with(tool("look-up_2", object))
        .expect_err("is there already");
    assert_eq!(
        error,
        ToolsetError::Duplicate {
            name: "look-up_2".into()
        }
    );
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let builder = || Runner::builder(ScriptedModel::default());
    let twice = builder().tools(tools()).tools(tools()).build();
    assert!(matches!(twice, Err(BuildError::Tools(_))));
    let unknown = builder()
        .tools(tools())
        .tool_choice(ToolChoice::Tool("nope".into()))
        .build();
    assert_eq!(
        unknown.err(),
        Some(BuildError::UnknownTool {
            name: "nope".into()
        })
    );
    let none = builder().tool_choice(ToolChoice::Required).build();
    assert_eq!(none.err(), Some(BuildError::NoTools));
}

#[tokio::test]
async fn a_tool_is_called_by_hand_for_a_test() {
    let out = toolwright::testing::call(&tools(), "echo", json!({"city": "Oslo"})).await;
    assert_eq!(out, Ok(ToolOutput::text("{\"city\":\"Oslo\"}")));
    let error = toolwright::testing::call(&tools(), "nope", json!({}))
        .await
        .expect_err("unknown");
    assert_eq!(error.category, ErrorCategory::ResourceNotFound);
}

/// Who reads the events and stores them has written down that a call starts before it does anything.
#[tokio::test]
async fn a_call_is_read_as_started_before_it_runs() {
    let ran = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&ran);
    let write = Handwritten::new("write", move |_, _| {
        seen.store(true, Ordering::SeqCst);
        async { Ok(ToolOutput::default()) }
    });
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("a", "write", "{}")]),
        ModelResponse::from_text("done"),
    ]);
    let tools = Toolset::new().with(write).expect("one tool");
    let runner = Runner::builder(model).tools(tools).build().expect("builds");
    let mut handle = runner.start("Go.");
    let mut started = false;
    while let Some(event) = handle.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        match record {
            Record::CallStarted { .. } => {
                assert!(
                    !ran.load(Ordering::SeqCst),
                    "it runs after it is written down"
                );
                started = true;
            }
            Record::CallFinished { .. } => assert!(started && ran.load(Ordering::SeqCst)),
            _ => {}
        }
    }
    assert!(started);
}

/// A stream that just ends is no answer, and half a call is not run.
#[tokio::test]
async fn a_model_that_does_not_finish_is_an_error() {
    struct Breaks;
    impl ChatModel for Breaks {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            let events = [
                ModelEvent::CallStarted {
                    index: 0,
                    id: "a".into(),
                    name: "echo".into(),
                },
                ModelEvent::CallArguments {
                    index: 0,
                    text: "{\"pa".into(),
                },
            ];
            Box::pin(futures_util::stream::iter(events.map(Ok)))
        }
    }
    for streaming in [true, false] {
        let runner = Runner::builder(Breaks).tools(tools()).streaming(streaming);
        let error = runner
            .build()
            .expect("builds")
            .run("Go.")
            .await
            .expect_err("is cut off");
        let toolwright::run::Failure::Model(failure) = &error.failure else {
            panic!("{error}")
        };
        assert_eq!(failure.kind, ModelErrorKind::Transport);
        assert_eq!(
            failure.partial.as_ref().expect("came").tool_calls[0].arguments,
            "{\"pa"
        );
        assert_eq!(error.outcome.rounds, 0);
    }
}

#[tokio::test]
async fn the_system_text_is_sent_and_not_kept() {
    let model = ScriptedModel::new([ModelResponse::from_text("a"), ModelResponse::from_text("b")]);
    let mut conversation = Conversation::new();
    for system in ["You are A.", "You are B."] {
        let runner = Runner::builder(model.clone())
            .system(system)
            .build()
            .expect("builds");
        runner
            .request("Who are you?")
            .within(&mut conversation)
            .run()
            .await
            .expect("answers");
    }
    assert_eq!(conversation.system(), None);
    let sent: Vec<_> = model
        .requests()
        .into_iter()
        .map(|request| request.system)
        .collect();
    assert_eq!(sent, [Some("You are A.".into()), Some("You are B.".into())]);
}
