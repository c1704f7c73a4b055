//! The hook before each request.

use std::sync::{Arc, Mutex};

use toolwright::{
    ModelError, ModelResponse, Runner, ToolCall, ToolOutput, Toolset,
    model::{ModelErrorKind, ModelSettings, ToolChoice},
    run::{Failure, Finish, Record, RequestPlan, RunError, RunOutcome, StopReason},
    runner::{NextRequest, RunEvent, RunnerBuilder},
    testing::{ScriptedModel, ScriptedResponse},
};

use crate::handwritten::Handwritten;

fn tools() -> Toolset {
    let tool = |name| Handwritten::new(name, async |_, _| Ok(ToolOutput::text("ok")));
    let tools = Toolset::new()
        .with(tool("look"))
        .and_then(|tools| tools.with(tool("write")));
    tools.expect("the names differ")
}

fn call(name: &str) -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("a", name, "{}")])
}

fn builder(script: impl IntoIterator<Item = ModelResponse>) -> (RunnerBuilder, ScriptedModel) {
    let model = ScriptedModel::new(script);
    (Runner::builder(model.clone()).tools(tools()), model)
}

async fn run(builder: RunnerBuilder) -> Result<RunOutcome, RunError> {
    builder.build().expect("is consistent").run("Go.").await
}

fn done() -> ModelResponse {
    ModelResponse::from_text("done")
}

#[tokio::test]
async fn a_plan_changes_its_request_and_no_other() {
    let (builder, model) = builder([call("look"), call("write"), done()]);
    let runner = builder.before_request(async |next: NextRequest| match next.rounds {
        0 => RequestPlan::new()
            .with_tools(["look", "nobody"])
            .with_tool_choice(ToolChoice::Required)
            .with_settings(ModelSettings::new().with_temperature(0.5))
            .with_instructions("Look first."),
        _ => RequestPlan::new(),
    });
    let outcome = run(runner).await.expect("answers");
    assert_eq!((outcome.finish, outcome.rounds), (Finish::Answered, 2));
    let requests = model.requests();
    let names = |index: usize| -> Vec<_> {
        requests[index]
            .tools
            .iter()
            .map(|tool| tool.name.to_string())
            .collect()
    };
    assert_eq!(
        (names(0), names(1)),
        (
            vec!["look".to_owned()],
            vec!["look".to_owned(), "write".to_owned()]
        )
    );
    assert_eq!(requests[0].tool_choice, ToolChoice::Required);
    assert_eq!(requests[1].tool_choice, ToolChoice::Auto);
    assert_ne!(requests[0].settings, requests[1].settings);
    assert!(format!("{:?}", requests[0].messages).contains("Look first."));
    assert!(!format!("{:?}", requests[1].messages).contains("Look first."));
}

#[tokio::test]
async fn a_call_of_a_tool_that_is_not_offered_does_not_run() {
    let (builder, _) = builder([call("write"), done()]);
    let runner = builder.before_request(async |_| RequestPlan::new().with_tools(["look"]));
    let outcome = run(runner).await.expect("answers");
    let round = outcome.tool_rounds().next().expect("there is one");
    let text = round.results[0].to_model_text();
    assert!(
        text.contains("no tool called `write`") && text.contains("look"),
        "{text}"
    );
}

#[tokio::test]
async fn a_plan_sends_a_request_to_another_model() {
    let (builder, model) = builder([done()]);
    let small = ScriptedModel::new([call("look")]);
    let runner =
        builder
            .other_model("small", small.clone())
            .before_request(async |next: NextRequest| match next.rounds {
                0 => RequestPlan::new().with_model("small"),
                _ => RequestPlan::new(),
            });
    let runner = runner.build().expect("is consistent");
    assert_eq!(runner.run("Go.").await.expect("answers").text, "done");
    assert_eq!((small.requests().len(), model.requests().len()), (1, 1));

    let (builder, _) = self::builder([done()]);
    let runner = builder.before_request(async |_| RequestPlan::new().with_model("large"));
    let error = run(runner).await.expect_err("is unknown");
    assert!(error.to_string().contains("`large`"), "{error}");
}

#[tokio::test]
async fn a_plan_ends_the_run_and_is_in_the_log() {
    let (builder, model) = builder([call("look"), done()]);
    let planned_for = Arc::<Mutex<Vec<_>>>::default();
    let record = Arc::clone(&planned_for);
    let runner = builder.before_request(move |next: NextRequest| {
        record
            .lock()
            .expect("nothing panics")
            .push((next.rounds, next.conversation.messages().len()));
        async move {
            match next.rounds {
                0 => RequestPlan::new(),
                _ => RequestPlan::end("it is enough"),
            }
        }
    });
    let mut handle = runner.build().expect("is consistent").start("Go.");
    let mut planned = 0;
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::RequestPlanned { .. },
            ..
        } = event
        {
            planned += 1;
        }
    }
    let outcome = handle.outcome().await.expect("is no failure");
    let reason = StopReason::Hook("it is enough".to_owned());
    assert_eq!(
        (outcome.finish, outcome.rounds, planned),
        (Finish::Stopped(reason), 1, 2)
    );
    assert_eq!(
        *planned_for.lock().expect("nothing panics"),
        [(0, 1), (1, 2)]
    );
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_made_again_keeps_its_plan() {
    let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let model = ScriptedModel::new([ScriptedResponse::from(busy), ScriptedResponse::from(done())]);
    let asked = Arc::<Mutex<u32>>::default();
    let counts = Arc::clone(&asked);
    let runner = Runner::builder(model.clone()).before_request(move |_| {
        *counts.lock().expect("nothing panics") += 1;
        async { RequestPlan::new().with_instructions("Be brief.") }
    });
    run(runner).await.expect("answers");
    assert_eq!(*asked.lock().expect("nothing panics"), 1);
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].messages, requests[1].messages);
}

#[tokio::test]
async fn a_hook_that_panics_fails_the_run_and_one_that_waits_is_cancelled() {
    let (builder, _) = builder([done()]);
    let runner = builder.before_request(async |_| panic!("no plan"));
    let error: RunError = run(runner).await.expect_err("fails");
    let Failure::Model(error) = error.failure else {
        panic!("another failure: {error}");
    };
    assert!(error.kind == ModelErrorKind::Panicked && error.to_string().contains("no plan"));

    let (builder, model) = self::builder([done()]);
    let runner = builder.before_request(async |_| std::future::pending().await);
    let mut handle = runner.build().expect("is consistent").start("Go.");
    handle.next().await.expect("has begun");
    handle.cancel();
    let outcome = handle.outcome().await.expect("is no failure");
    assert_eq!(
        (outcome.finish, model.requests().len()),
        (Finish::Cancelled, 0)
    );
}

#[tokio::test]
async fn a_summary_at_a_limit_has_no_plan() {
    let (builder, model) = builder([call("look"), done()]);
    let runner = builder.max_rounds(1).before_request(async |_| {
        RequestPlan::new()
            .with_tool_choice(ToolChoice::Required)
            .with_instructions("Go on.")
    });
    let outcome = run(runner).await.expect("answers");
    assert!(matches!(
        outcome.finish,
        Finish::Limit {
            summarized: true,
            ..
        }
    ));
    let last = &model.requests()[1];
    assert_eq!(last.tool_choice, ToolChoice::None);
    assert!(!format!("{:?}", last.messages).contains("Go on."));
}
