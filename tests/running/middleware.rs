//! Middleware stands around tools of every kind, in a fixed order, in a batch and in a run.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::Deserialize;
use serde_json::json;
use toolwright::{
    Dispatch, ErrorCategory, Execute, ModelResponse, Runner, Tool, ToolCall, ToolContext,
    ToolError, ToolOutput, ToolResult, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, DispatchOptions},
    middleware::{Middleware, Next, after, around, before, check, layered},
    run::Finish,
    store::{InboxContent, InboxItem, MemoryStore, Scope, Store},
    testing::{self, ScriptedModel},
    tool,
    tool::{Call, Strict, ToolPolicy},
    toolset,
    toolset::{ToolRegistry, ToolsetError},
};

use crate::handwritten::hang;

type Outcome = Result<ToolOutput, ToolError>;

/// What happened, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn write(&self, line: impl Into<String>) {
        self.entries().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.entries().clone()
    }

    fn entries(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes down when a call goes in and what comes out.
struct Audit(&'static str, Log);

impl Middleware for Audit {
    async fn handle(&self, call: ToolCall, cx: ToolContext, next: Next) -> Outcome {
        self.1.write(format!("{} > {}", self.0, call.name));
        let outcome = next.run(call, cx).await;
        let text = match &outcome {
            Ok(output) => output.to_text().into_owned(),
            Err(error) => error.to_string(),
        };
        self.1.write(format!("{} < {text}", self.0));
        outcome
    }
}

/// Say a word.
#[tool(read_only)]
async fn say(word: String) -> String {
    word
}

/// Say a word from a thread of its own.
#[tool(read_only)]
fn say_slowly(word: String) -> String {
    word
}

/// Fall over.
#[tool]
async fn crash() {
    panic!("a secret is in this text");
}

/// Fall over on another thread.
#[tool]
fn crash_slowly() {
    panic!("a secret is in this text");
}

#[tokio::test]
async fn the_first_is_the_outermost() {
    let log = Log::default();
    let (early, late) = (log.clone(), log.clone());
    let tools = toolset![say]
        .layer(Audit("a", log.clone()))
        .layer(before(move |call: ToolCall, _| {
            early.write("before");
            async { Ok(call) }
        }))
        .layer_for("say", Audit("b", log.clone()))
        .unwrap()
        .layer(after(move |_, _, outcome| {
            late.write("after");
            async { outcome }
        }))
        .layer(Audit("c", log.clone()));
    let output = testing::call(&tools, "say", json!({"word": "hi"})).await;
    assert_eq!(output.unwrap().to_text(), "hi");
    let expected = [
        "a > say", "before", "b > say", "c > say", "c < hi", "after", "b < hi", "a < hi",
    ];
    assert_eq!(log.lines(), expected);
}

#[tokio::test]
async fn a_batch_and_a_run_pass_through_it_with_tools_of_every_kind() {
    let log = Log::default();
    let tools = toolset![say, say_slowly].layer(Audit("a", log.clone()));
    let calls = ["say", "say_slowly"].map(|name| ToolCall::new(name, name, r#"{"word":"hi"}"#));
    let expected = ["a < hi", "a < hi", "a > say", "a > say_slowly"];

    let results = tools.dispatch(&calls).await;
    let texts = results.iter().map(ToolResult::to_model_text);
    assert_eq!(texts.collect::<Vec<_>>(), ["hi", "hi"]);
    let mut lines = log.lines();
    lines.sort();
    assert_eq!(lines, expected);

    log.entries().clear();
    let replies = [
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ];
    let runner = Runner::builder(ScriptedModel::new(replies)).tools(tools);
    runner.build().unwrap().run("Say hi.").await.unwrap();
    let mut lines = log.lines();
    lines.sort();
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn a_call_is_refused_before_it_reaches_the_tool() {
    let log = Log::default();
    let refuse = before(async |call: ToolCall, _| {
        let message = format!("{} is closed today", call.name);
        Err(ToolError::new(ErrorCategory::PermissionDenied, message))
    });
    let tools = toolset![say, say_slowly]
        .layer(Audit("outer", log.clone()))
        .layer_for("say", refuse)
        .unwrap()
        .layer(Audit("inner", log.clone()));
    let refused = testing::call(&tools, "say", json!({"word": "hi"})).await;
    assert_eq!(
        refused.unwrap_err().category,
        ErrorCategory::PermissionDenied
    );
    assert_eq!(
        log.lines(),
        ["outer > say", "outer < say is closed today"],
        "neither what is inside nor the tool has seen the call"
    );
    let other = testing::call(&tools, "say_slowly", json!({"word": "hi"})).await;
    assert!(other.is_ok(), "the other tool is open");
}

#[tokio::test]
async fn the_call_the_context_and_the_outcome_can_be_changed() {
    /// Who asks.
    #[derive(Debug)]
    struct Tenant(&'static str);

    /// Say who asks, and what for.
    #[tool]
    async fn who(#[context] cx: &ToolContext, word: String) -> Result<String, ToolError> {
        Ok(format!("{} asks for {word}", cx.require::<Tenant>()?.0))
    }

    let tools = toolset![who]
        .layer(before(async |call: ToolCall, _| {
            let arguments = call.arguments.replace("water", "wine");
            Ok(ToolCall { arguments, ..call })
        }))
        .layer(around(async |call, cx: ToolContext, next: Next| {
            next.run(call, cx.with_extension(Tenant("Ada"))).await
        }))
        .layer(after(async |_, _, outcome: Outcome| {
            Ok(outcome?.with_text("(that was all)"))
        }));
    let output = testing::call(&tools, "who", json!({"word": "water"})).await;
    assert_eq!(
        output.unwrap().to_text(),
        "Ada asks for wine\n(that was all)"
    );
}

#[tokio::test]
async fn a_call_keeps_its_tool_and_its_id() {
    let rename =
        before(async |call: ToolCall, _| Ok(ToolCall::new("other", "say_slowly", call.arguments)));
    let tools = toolset![say, say_slowly].layer_for("say", rename).unwrap();
    let call = ToolCall::new("mine", "say", r#"{"word":"hi"}"#);
    let result = tools.call(&call, &ToolContext::default()).await;
    assert_eq!(
        (result.call_id.as_str(), result.is_error()),
        ("mine", false)
    );
}

#[tokio::test]
async fn a_middleware_may_answer_in_place_of_the_tool() {
    let cached = around(async |_call, _cx, _next: Next| Ok(ToolOutput::text("from the cache")));
    let tools = toolset![crash].layer(cached);
    let output = testing::call(&tools, "crash", json!({})).await;
    assert_eq!(output.unwrap().to_text(), "from the cache");
}

/// Move money to another account.
#[derive(Deserialize, Tool)]
struct Transfer {
    /// How much.
    amount: u64,
}

impl Execute for Transfer {
    type Output = u64;

    async fn execute(self, _: &ToolContext) -> Result<u64, ToolError> {
        Ok(self.amount)
    }
}

#[tokio::test]
async fn a_check_reads_the_arguments_as_a_type() {
    let tools = toolset![Transfer].layer(check(async |transfer: Transfer, _| {
        if transfer.amount > 1_000 {
            let message = "a transfer has at most 1,000";
            return Err(ToolError::new(ErrorCategory::PermissionDenied, message));
        }
        Ok(())
    }));
    let call = async |amount| testing::call(&tools, "transfer", json!({"amount": amount})).await;
    assert_eq!(call(json!(1_000)).await.unwrap().to_text(), "1000");
    let refused = call(json!(1_001)).await.unwrap_err();
    assert_eq!(refused.category, ErrorCategory::PermissionDenied);
    let wrong = call(json!("all")).await.unwrap_err();
    assert_eq!(wrong.category, ErrorCategory::InvalidArguments);
    assert!(wrong.message.contains("amount"), "{wrong}");
}

#[tokio::test(start_paused = true)]
async fn it_sees_panics_and_time_limits_as_outcomes() {
    let log = Log::default();
    let limit = ToolPolicy::default().with_timeout(Duration::from_secs(5));
    let tools = toolset![crash, crash_slowly].with(hang().with_policy(limit));
    let tools = tools.unwrap().layer(Audit("a", log.clone()));
    for name in ["crash", "crash_slowly", "hang"] {
        let failed = testing::call(&tools, name, json!({})).await.unwrap_err();
        assert!(!failed.to_model_text().contains("secret"));
    }
    let internal = "a < the tool failed with an internal error";
    let lines = log.lines();
    assert_eq!(
        lines[..4],
        ["a > crash", internal, "a > crash_slowly", internal]
    );
    assert!(lines[5].contains("took longer than 5s"), "{}", lines[5]);
}

#[tokio::test(start_paused = true)]
async fn the_time_that_a_middleware_takes_is_not_the_tools() {
    let patient = before(async |call: ToolCall, _| {
        tokio::time::sleep(Duration::from_secs(100)).await;
        Ok(call)
    });
    let tools = toolset![say].layer(patient);
    let options = DispatchOptions::from(CallOptions::new().with_timeout(Duration::from_secs(1)));
    let call = ToolCall::new("", "say", r#"{"word":"hi"}"#);
    let results = tools.dispatch_with(&[call], &options).await;
    assert!(!results[0].is_error());
}

#[tokio::test]
async fn a_panic_in_it_is_the_result_of_that_call_alone() {
    let log = Log::default();
    let tools = toolset![say, say_slowly]
        .layer(Audit("a", log.clone()))
        .layer_for(
            "say",
            before(async |_, _| panic!("a secret is in this text")),
        )
        .unwrap();
    let calls = ["say", "say_slowly"].map(|name| ToolCall::new(name, name, r#"{"word":"hi"}"#));
    let results = tools.dispatch(&calls).await;
    assert_eq!(
        results[0].to_model_text(),
        "Tool execution failed (unknown): the tool failed with an internal error"
    );
    assert_eq!(results[1].to_model_text(), "hi");
}

#[tokio::test]
async fn an_unknown_name_suggests_what_was_meant() {
    let nothing = || before(async |call: ToolCall, _| Ok(call));
    let error = toolset![say, crash]
        .layer_for("sya", nothing())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no tool is called `sya`, did you mean `say`?"
    );
    let error = Toolset::new().layer_for("say", nothing()).unwrap_err();
    assert!(matches!(error, ToolsetError::Unknown { nearest, .. } if nearest.is_none()));
}

#[tokio::test]
async fn it_goes_where_the_tool_goes() {
    let log = Log::default();
    let first = toolset![say].layer(Audit("first", log.clone()));
    let tools = first.clone().merge(toolset![say_slowly]).unwrap();
    let registry = ToolRegistry::from(tools.layer(Audit("both", log.clone())));
    registry
        .update(|tools| tools.with_shared(layered_crash(&log)))
        .unwrap();
    // What has been added since is as it came, and removing one keeps what is around the others.
    registry.remove("say_slowly").unwrap();
    let tools = registry.snapshot();
    testing::call(&tools, "say", json!({"word": "hi"}))
        .await
        .unwrap();
    testing::call(&tools, "crash", json!({})).await.unwrap_err();
    assert_eq!(
        log.lines(),
        [
            "first > say",
            "both > say",
            "both < hi",
            "first < hi",
            "alone > crash",
            "alone < the tool failed with an internal error",
        ]
    );
    let plain = toolset![say];
    assert_eq!(
        first.policy("say"),
        plain.policy("say"),
        "what is known of the tool stays"
    );
    let definitions = |tools: &Toolset| tools.definitions().cloned().collect::<Vec<_>>();
    assert_eq!(definitions(&first), definitions(&plain));
}

/// A set that is made strict in between is another one of the same tools.
#[tokio::test]
async fn a_strict_tool_keeps_its_order() {
    let log = Log::default();
    let tools = toolset![say]
        .layer(Audit("a", log.clone()))
        .strict(Strict::OpenAi)
        .layer(Audit("b", log.clone()));
    let definition = tools.definitions().next().unwrap();
    assert_eq!(definition.strict, Some(Strict::OpenAi));
    let output = testing::call(&tools, "say", json!({"word": "hi"})).await;
    assert_eq!(output.unwrap().to_text(), "hi");
    assert_eq!(log.lines(), ["a > say", "b > say", "b < hi", "a < hi"]);
}

fn layered_crash(log: &Log) -> Arc<dyn Tool> {
    let tools = toolset![crash];
    let crash = tools.find("crash").expect("it is in the set");
    Arc::new(layered(Arc::clone(crash), Audit("alone", log.clone())))
}

/// Who runs calls without our dispatch cannot pass by the middleware: it is what a call is.
#[tokio::test]
async fn a_call_that_is_run_by_hand_passes_through_it() {
    let log = Log::default();
    let tools = toolset![say].layer(Audit("a", log.clone()));
    let call = ToolCall::new("", "say", r#"{"word":"hi"}"#);
    let cx = ToolContext::default();
    let Call::Layered(work) = tools.find("say").unwrap().call(&call, &cx) else {
        panic!("there is middleware")
    };
    let perform = |tool: Arc<dyn Tool>, call: ToolCall, cx: ToolContext| {
        Box::pin(async move {
            match tool.call(&call, &cx) {
                Call::Async(future) => future.await,
                other => panic!("`say` is async and has no more middleware: {other:?}"),
            }
        }) as _
    };
    assert_eq!(work.run(perform).await.unwrap().to_text(), "hi");
    assert_eq!(log.lines(), ["a > say", "a < hi"]);
}

/// Pay somebody.
#[tool(approval)]
async fn pay(amount: u64, limit: u64) -> String {
    format!("paid {amount} of {limit}")
}

#[derive(Deserialize)]
struct Payment {
    amount: u64,
    limit: u64,
}

/// A tool that needs an approval, within a check of several arguments, and what the check has seen.
fn checked_pay(log: &Log) -> Toolset {
    checked(toolset![pay], log)
}

fn checked(tools: Toolset, log: &Log) -> Toolset {
    let log = log.clone();
    tools.layer(check(move |payment: Payment, _| {
        log.write(format!("check {}", payment.amount));
        async move {
            if payment.amount > payment.limit {
                return Err(ToolError::invalid_arguments("pay at most the limit"));
            }
            Ok(())
        }
    }))
}

fn payments(amounts: &[u64]) -> Vec<ToolCall> {
    let arguments = |amount: &u64| format!(r#"{{"amount":{amount},"limit":5}}"#);
    let call = |amount| ToolCall::new("", "pay", arguments(amount));
    amounts.iter().map(call).collect()
}

fn texts(results: &[ToolResult]) -> Vec<String> {
    let texts = results.iter().map(|it| it.to_model_text().into_owned());
    texts.collect()
}

/// What stands around a check may change the call that it sees: it is not asked before that has happened.
#[tokio::test]
async fn a_check_sees_what_the_middleware_around_it_makes_of_a_call() {
    let tools = toolset![pay].layer(before(async |mut call: ToolCall, _| {
        call.arguments = r#"{"amount":2,"limit":5}"#.to_owned();
        Ok(call)
    }));
    let tools = checked(tools, &Log::default());
    let options = CallOptions::new().with_approver(async |_: ApprovalRequest| Decision::Approve);
    let options = DispatchOptions::new().with_calls(options);
    let results = tools.dispatch_with(&payments(&[9]), &options).await;
    assert_eq!(texts(&results), ["paid 2 of 5"]);
}

/// A check that does not end holds no call that waits for an approval.
#[tokio::test(start_paused = true)]
async fn a_check_before_an_approval_has_the_time_of_the_call() {
    let tools = toolset![pay].layer(check(async |_: Payment, _| {
        std::future::pending::<()>().await;
        Ok(())
    }));
    let options = CallOptions::new()
        .with_timeout(Duration::from_secs(5))
        .with_approver(async |_: ApprovalRequest| Decision::Approve);
    let options = DispatchOptions::new().with_calls(options);
    let results = tools.dispatch_with(&payments(&[3]), &options).await;
    assert!(texts(&results)[0].contains("too long"), "{results:?}");
}

/// In a batch, in a run and in the run of a sub-agent. What the person has changed is checked again.
#[tokio::test]
async fn nobody_is_asked_about_a_call_that_a_check_refuses() {
    let log = Log::default();
    let tools = checked_pay(&log);
    let asked = log.clone();
    let options = CallOptions::new().with_approver(move |request: ApprovalRequest| {
        asked.write(format!("ask {}", request.call.arguments));
        let edits = request.call.arguments.contains(":4,");
        async move {
            if edits {
                return Decision::approve_with(r#"{"amount":7,"limit":5}"#);
            }
            Decision::Approve
        }
    });
    let calls = payments(&[9, 3, 4]);
    let asks = |lines: &[String]| {
        let is_asked = |line: &&String| line.starts_with("ask");
        lines.iter().filter(is_asked).cloned().collect::<Vec<_>>()
    };
    let seen = |results: &[ToolResult]| {
        let texts = texts(results);
        assert!(texts[0].contains("at most the limit"), "{texts:?}");
        assert_eq!(texts[1], "paid 3 of 5");
        assert!(texts[2].contains("at most the limit"), "{texts:?}");
        let lines = std::mem::take(&mut *log.entries());
        let expected = [3, 4].map(|amount| format!(r#"ask {{"amount":{amount},"limit":5}}"#));
        assert_eq!(asks(&lines), expected);
        // Before anybody was asked, and when the call runs.
        for (amount, times) in [(9, 1), (3, 2), (4, 1), (7, 1)] {
            let line = format!("check {amount}");
            assert_eq!(
                lines.iter().filter(|it| **it == line).count(),
                times,
                "{lines:?}"
            );
        }
    };
    seen(
        &tools
            .dispatch_with(&calls, &DispatchOptions::from(options.clone()))
            .await,
    );

    let script = |calls| {
        let answer = ModelResponse::from_text("done");
        Runner::builder(ScriptedModel::new([
            ModelResponse::from_calls(calls),
            answer,
        ]))
    };
    let clerk = script(calls).tools(tools).calls(options);
    let clerk = clerk.build().unwrap();
    let outcome = clerk.run("Pay.").await.unwrap();
    seen(&outcome.tool_rounds().next().unwrap().results);

    let again = script(payments(&[9])).tools(checked_pay(&log)).suspends();
    let clerk = again
        .build()
        .unwrap()
        .as_tool("ask_clerk", "Pays what is to be paid.")
        .unwrap();
    let ask = ToolCall::new("", "ask_clerk", r#"{"task":"Pay."}"#);
    let above = script(vec![ask]).tools(Toolset::new().with(clerk).unwrap());
    let outcome = above.build().unwrap().run("Pay.").await.unwrap();
    assert_eq!(outcome.finish, Finish::Answered, "nobody is waited for");
    assert_eq!(*log.entries(), ["check 9"]);
}

/// A run is not suspended for a call that is refused anyway, and one that was approved is checked when it runs.
#[tokio::test]
async fn a_stored_run_waits_for_no_call_that_a_check_refuses() {
    let log = Log::default();
    let calls = payments(&[9, 3]);
    let answers = [
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ];
    let runner = Runner::builder(ScriptedModel::new(answers)).tools(checked_pay(&log));
    let store = MemoryStore::new();
    let runner = runner.store("tests", store.clone()).suspends();
    let runner = runner.build().unwrap();
    let outcome = runner.run("Pay.").await.unwrap();
    assert_eq!(outcome.finish, Finish::Suspended);
    let [waits] = &outcome.pending[..] else {
        panic!("{:?}", outcome.pending);
    };
    assert!(waits.call.arguments.contains(":3,"));
    let item = InboxItem::new(InboxContent::Resolution(waits.approve()));
    store.put(Scope::All, &outcome.run_id, &item).await.unwrap();
    let resumed = runner.resume(&outcome.run_id).start().await.unwrap();
    let outcome = resumed.outcome().await.unwrap();
    let results = &outcome.tool_rounds().next().unwrap().results;
    assert!(results[0].is_error());
    assert_eq!(texts(results)[1], "paid 3 of 5");
    let mut lines = log.lines();
    lines.sort();
    assert_eq!(lines, ["check 3", "check 3", "check 9"]);
}
