//! A panic stays in its call, wherever it happens.

use std::{
    future::{Ready, pending, ready},
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::sleep;
use toolwright::{
    Dispatch, ErrorCategory, ModelError, ModelResponse, Runner, Tool, ToolCall, ToolContext,
    ToolDefinition, ToolError, ToolOutput, ToolResult, Toolset,
    approval::{ApprovalRequest, Decision},
    arguments::Leniency,
    dispatch::{CallOptions, DispatchOptions, OversizedOutput, dispatch_fn},
    message::UserMessage,
    middleware::{around, before},
    model::{Fallback, ModelErrorKind},
    redact::redact_fn,
    run::{Limits, RequestPlan},
    runner::InputRefusal,
    schema::Schema,
    testing::ScriptedModel,
    tool::{Call, CancellationToken, ToolPolicy},
};

use crate::handwritten::{Handwritten, crash, echo};

struct PanicsInDrop;

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        panic!("while it is dropped");
    }
}

fn boom() -> ! {
    panic!("boom")
}

fn set(tools: impl IntoIterator<Item = Handwritten>) -> Toolset {
    let mut tools = tools.into_iter();
    tools
        .try_fold(Toolset::new(), Toolset::with)
        .expect("the names differ")
}

fn category(result: &ToolResult) -> Option<ErrorCategory> {
    result.outcome.as_ref().err().map(|error| error.category)
}

/// A call that goes wrong, and one beside it that does not.
async fn check(tools: Toolset, options: DispatchOptions, expected: Option<ErrorCategory>) {
    let tools = tools.with(echo()).expect("the names differ");
    let calls = [
        ToolCall::new("", "boom", "x".repeat(2_000)),
        ToolCall::new("", "echo", "fine"),
    ];
    let results = tools.dispatch_with(&calls, &options).await;
    assert_eq!(category(&results[0]), expected);
    assert_eq!(results[1].to_model_text(), "fine");
}

struct Blocking(ToolDefinition);

impl Tool for Blocking {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::blocking(call, cx, |_, _| boom())
    }
}

#[tokio::test]
async fn in_a_tool() {
    let failed = Some(ErrorCategory::Unknown);
    let at_once = || Handwritten::new("boom", |_, _| -> Ready<_> { boom() });
    let later = || Handwritten::new("boom", async |_, _| boom());
    let spawned = ToolPolicy::default().with_spawn();
    for tool in [
        at_once(),
        later(),
        at_once().with_policy(spawned),
        later().with_policy(spawned),
    ] {
        check(set([tool]), DispatchOptions::new(), failed).await;
    }
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let blocking = Blocking(ToolDefinition::new("boom", "Blocks and breaks.", schema));
    let tools = Toolset::new().with(blocking).expect("one tool");
    check(tools, DispatchOptions::new(), failed).await;

    let calls = [ToolCall::new("", "boom", "")];
    let options = DispatchOptions::new();
    let results = dispatch_fn(&calls, &options, async |_, _| -> Result<(), ToolError> {
        boom()
    })
    .await;
    assert_eq!(category(&results[0]), failed);
}

#[tokio::test]
async fn around_a_tool() {
    let says = || {
        Handwritten::new("boom", |call: ToolCall, _| {
            ready(Ok(ToolOutput::text(call.arguments)))
        })
    };
    let options = CallOptions::new;
    let failed = Some(ErrorCategory::Unknown);
    let layered = set([says()]).layer(before(async |_, _| boom()));
    check(layered, options().into(), failed).await;

    let redacting = options().with_redaction(redact_fn(|text| match text {
        "fine" => text.into(),
        _ => boom(),
    }));
    check(set([says()]), redacting.into(), failed).await;

    let kept = options()
        .with_max_output(1_000)
        .with_overflow(async |_: OversizedOutput| boom());
    check(set([says()]), kept.into(), None).await;

    let asked = ToolPolicy::default().with_approval();
    let approving = options().with_approver(|_: ApprovalRequest| async { boom() });
    let tools = set([says().with_policy(asked)]);
    check(
        tools,
        approving.into(),
        Some(ErrorCategory::PermissionDenied),
    )
    .await;
}

#[tokio::test]
async fn in_whoever_hears_of_it() {
    let tool = Handwritten::new("boom", async |_, cx| {
        for done in 1..=3 {
            cx.progress().step(done, 3, "so far");
        }
        Ok(ToolOutput::text("done"))
    });
    let heard = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&heard);
    let options = DispatchOptions::new().with_updates(move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        boom()
    });
    check(set([tool]), options, None).await;
    assert_eq!(heard.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn in_an_approver_that_is_dropped() {
    let policy = ToolPolicy::default().with_approval();
    let tools = set([echo().with_policy(policy)]);
    let token = CancellationToken::new();
    let options = DispatchOptions::from(CallOptions::new().with_approver(
        |_: ApprovalRequest| async {
            let _panics = PanicsInDrop;
            pending::<Decision>().await
        },
    ))
    .with_context(ToolContext::default().with_cancellation(token.clone()));
    let calls = [(); 3].map(|()| ToolCall::new("", "echo", ""));
    let stop = async {
        sleep(Duration::from_secs(1)).await;
        token.cancel();
    };
    let (results, ()) = tokio::join!(tools.dispatch_with(&calls, &options), stop);
    for result in &results {
        assert_eq!(category(result), Some(ErrorCategory::Cancelled));
    }
}

#[tokio::test]
async fn the_log_says_who_panicked() {
    let log = async |tools: Toolset| {
        let results = tools.dispatch(&[ToolCall::new("", "crash", "")]).await;
        let error = results[0].outcome.clone().expect_err("panics");
        assert!(!error.message.contains("secret"));
        error.log.expect("is there")
    };
    let tool = log(set([crash()]).layer(around(
        async |call, cx, next: toolwright::middleware::Next| next.run(call, cx).await,
    )));
    assert_eq!(tool.await, "the tool panicked: a secret is in this text");
    let middleware = log(set([crash()]).layer(before(async |_, _| panic!("not today"))));
    assert_eq!(middleware.await, "a middleware panicked: not today");
}

/// Code of the application that gives no future, or panics before it does.
#[tokio::test]
async fn in_a_closure() {
    let answers = || ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    let down = || ScriptedModel::new([ModelError::new(ModelErrorKind::Overloaded, "busy")]);
    let fallback = Fallback::new([down(), answers()]).when(|_| boom());
    let model = answers();
    for (what, runner) in [
        ("which error passes", Runner::builder(fallback)),
        (
            "the hook of a request",
            Runner::builder(answers()).before_request(|_| -> Ready<RequestPlan> { boom() }),
        ),
        (
            "the check of an input",
            Runner::builder(model.clone())
                .check_input(|_| -> Ready<Result<UserMessage, InputRefusal>> { boom() }),
        ),
    ] {
        let limits = Limits::default().with_model_retries(0);
        let runner = runner.limits(limits).build().expect("is consistent");
        let ended = runner.run("?").await;
        let answered = ended.is_ok_and(|outcome| outcome.text == "Hello.");
        assert!(!answered, "{what}");
    }
    assert!(
        model.requests().is_empty(),
        "what could not be checked is not sent"
    );
}

/// A tool whose definition can be asked for only at the beginning.
struct Moody(ToolDefinition, Arc<AtomicUsize>);

impl Tool for Moody {
    fn definition(&self) -> &ToolDefinition {
        assert!(self.1.load(Ordering::SeqCst) == 0, "not any more");
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Call::ready(Ok(ToolOutput::text("called")))
    }
}

#[tokio::test]
async fn in_a_definition_that_is_asked_for_later() {
    let schema = || Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let tools = || {
        let definition = ToolDefinition::new("moody", "Has a mood.", schema());
        let tools = Toolset::new().with(Moody(definition, Arc::default()));
        tools.and_then(|tools| tools.with(echo())).expect("two")
    };
    let calls = ["moody", "moody", "unknown", "echo"].map(|name| ToolCall::new("", name, "{}"));
    let check = |results: &[ToolResult]| {
        assert_eq!(results[0].to_model_text(), "called");
        assert!(results[2].is_error());
        assert_eq!(results[3].to_model_text(), "{}");
    };
    let lenient = CallOptions::new()
        .with_leniency(Leniency::On)
        .with_concurrency(NonZeroUsize::MIN);
    let options = lenient.clone().into();
    check(&tools().dispatch_with(&calls, &options).await);

    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model).tools(tools()).calls(lenient).build();
    let outcome = runner.expect("is consistent").run("Go.").await;
    let outcome = outcome.expect("answers");
    check(&outcome.tool_rounds().next().expect("there is one").results);
}
