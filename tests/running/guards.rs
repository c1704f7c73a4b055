//! Which tools are there, and who is asked.

use std::{num::NonZeroUsize, time::Duration};

use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, unbounded_channel},
        oneshot,
    },
    time::Instant,
};
use toolwright::{
    Dispatch, ErrorCategory, Message, ModelResponse, Runner, ToolCall, ToolContext, ToolError,
    ToolResult, Toolset,
    approval::{ApprovalPolicy, ApprovalRequest, Approver, Decision},
    dispatch::{CallOptions, DispatchOptions},
    dynamic::DynamicTool,
    model::ToolChoice,
    rate_limit::RateLimiter,
    redact::Secrets,
    run::RunOutcome,
    runner::BuildError,
    testing::ScriptedModel,
    tool,
    tool::{CancellationToken, Capabilities, Effects, ToolHints, ToolPolicy},
    toolset,
    toolset::{ToolRegistry, ToolsetError},
};

const PAYMENTS: Capabilities = Capabilities::application(0);

/// Fetch a page of the web.
#[tool(read_only, requires(network))]
async fn fetch() -> &'static str {
    "fetched"
}

/// Pay an invoice of the user.
#[tool(requires(network, PAYMENTS))]
async fn pay() -> &'static str {
    "paid"
}

/// Set the temperature of a room.
#[tool(idempotent)]
async fn heat() -> &'static str {
    "set"
}

/// Tell what time it is now.
#[tool(read_only, inline)]
fn now() -> &'static str {
    "noon"
}

fn tools() -> Toolset {
    toolset![fetch, pay, heat, now]
}

fn names(tools: &Toolset) -> Vec<&str> {
    tools.names().collect()
}

#[test]
fn a_list_keeps_the_order_of_the_set() {
    let tools = tools();
    assert_eq!(
        names(&tools.only(["now", "fetch", "now"]).unwrap()),
        ["fetch", "now"]
    );
    assert_eq!(
        names(&tools.without(["fetch", "heat"]).unwrap()),
        ["pay", "now"]
    );
    assert_eq!(
        tools.without(Vec::<String>::new()).unwrap().len(),
        tools.len()
    );
    assert!(tools.only(Vec::<String>::new()).unwrap().is_empty());
}

#[test]
fn a_list_names_what_is_there() {
    for list in [tools().only(["ftech"]), tools().without(["ftech"])] {
        let error = list.unwrap_err();
        assert_eq!(
            error.to_string(),
            "no tool is called `ftech`, did you mean `fetch`?"
        );
    }
    let error = tools().only(["now", "send_mail"]).unwrap_err();
    assert_eq!(error.to_string(), "no tool is called `send_mail`");
    let stored = serde_json::to_string(&error).unwrap();
    assert_eq!(
        serde_json::from_str::<ToolsetError>(&stored).unwrap(),
        error
    );
    assert!(tools().only(["x".repeat(100_000)]).is_err());
}

#[test]
fn tools_are_kept_by_what_they_do_and_require() {
    let tools = tools();
    assert_eq!(names(&tools.within(Effects::ReadOnly)), ["fetch", "now"]);
    assert_eq!(
        names(&tools.within(Effects::Idempotent)),
        ["fetch", "heat", "now"]
    );
    assert_eq!(tools.within(Effects::Write).len(), 4);
    assert_eq!(names(&tools.granted(Capabilities::NONE)), ["heat", "now"]);
    assert_eq!(
        names(&tools.granted(Capabilities::NETWORK)),
        ["fetch", "heat", "now"]
    );
    assert_eq!(names(&tools.granted(PAYMENTS)), ["heat", "now"]);
    assert_eq!(tools.granted(Capabilities::NETWORK | PAYMENTS).len(), 4);
    let titled = tools.filtered(|definition, policy| {
        definition.description.contains("room") || !policy.requires.is_empty()
    });
    assert_eq!(names(&titled), ["fetch", "pay", "heat"]);
    // Every way to find a tool agrees.
    assert!(titled.find("now").is_none() && titled.policy("now") == ToolPolicy::default());
    assert_eq!(
        titled.policy("pay").requires,
        Capabilities::NETWORK | PAYMENTS
    );
    assert_eq!(titled.shared_definitions().len(), 3);
}

/// The answer to a call of a tool that is not granted is that to a call of an unknown one.
#[tokio::test]
async fn dispatch_knows_only_what_is_granted() {
    let calls = ["pay", "fetch", "nothing"].map(|name| ToolCall::new("", name, "{}"));
    let options = DispatchOptions::from(CallOptions::new().with_granted(Capabilities::NETWORK));
    let results = tools().dispatch_with(&calls, &options).await;
    let texts: Vec<_> = results.iter().map(ToolResult::to_model_text).collect();
    let unknown = |name| {
        format!(
            "Tool execution failed (resourceNotFound): there is no tool called `{name}`\nDetails: \
             available: fetch, heat, now, code: unknown_tool"
        )
    };
    assert_eq!(
        texts,
        [unknown("pay"), "fetched".to_owned(), unknown("nothing")]
    );
    let all = DispatchOptions::from(CallOptions::new().with_granted(Capabilities::ALL));
    let all = tools().dispatch_with(&calls, &all).await;
    assert_eq!(all[0].to_model_text(), "paid");
}

/// Nothing is granted by default. The model is not told that the tool exists; the log is told why not.
#[tokio::test]
async fn what_nobody_granted_does_not_run() {
    let calls = ["pay", "heat"].map(|name| ToolCall::new("", name, "{}"));
    let results = tools().dispatch(&calls).await;
    let error = results[0].outcome.as_ref().unwrap_err();
    assert_eq!(error.category, ErrorCategory::ResourceNotFound);
    assert!(!error.to_model_text().contains("network"));
    assert_eq!(
        error.log.as_deref(),
        Some("`pay` requires network, application_0, which is not granted")
    );
    assert_eq!(results[1].to_model_text(), "set");
}

fn says(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn asks_for(names: &[&str]) -> ModelResponse {
    let calls = names.iter().map(|name| ToolCall::new("", *name, "{}"));
    ModelResponse::from_calls(calls.collect::<Vec<_>>())
}

fn results(outcome: &RunOutcome, round: usize) -> &[ToolResult] {
    match outcome.conversation.messages().last() {
        Some(Message::Assistant(message)) => &message.tool_rounds[round].results,
        other => panic!("{other:?} is no answer"),
    }
}

fn shown(model: &ScriptedModel, request: usize) -> Vec<String> {
    let request = &model.requests()[request];
    request
        .tools
        .iter()
        .map(|tool| tool.name.to_string())
        .collect()
}

#[tokio::test]
async fn a_runner_shows_and_runs_only_what_is_granted() {
    let model = ScriptedModel::new([asks_for(&["pay", "fetch"]), says("done")]);
    let runner = Runner::builder(model.clone())
        .tools(tools())
        .calls(
            CallOptions::new()
                .with_granted(Capabilities::FILESYSTEM)
                .with_granted(Capabilities::NETWORK),
        )
        .build()
        .unwrap();
    assert_eq!(names(&runner.tools()), ["fetch", "heat", "now"]);
    let outcome = runner.run("pay").await.unwrap();
    assert_eq!(shown(&model, 0), ["fetch", "heat", "now"]);
    let results = results(&outcome, 0);
    assert!(
        results[0]
            .to_model_text()
            .contains("there is no tool called `pay`")
    );
    assert!(!results[0].to_model_text().contains("pay,"));
    assert_eq!(results[1].to_model_text(), "fetched");
}

#[tokio::test]
async fn a_runner_whose_grants_were_forgotten_is_a_mistake() {
    let builder = || Runner::builder(ScriptedModel::new([says("done")]));
    for built in [
        builder().tools(tools()).build(),
        builder().registry(ToolRegistry::from(tools())).build(),
    ] {
        assert_eq!(
            built.unwrap_err().to_string(),
            "`fetch` requires network: grant it by `CallOptions::with_granted`, or grant `Capabilities::NONE` to go without the tool"
        );
    }
    assert!(builder().tools(toolset![heat, now]).build().is_ok());
    let none = Runner::builder(ScriptedModel::new([says("done")]))
        .tools(tools())
        .calls(CallOptions::new().with_granted(Capabilities::NONE))
        .build()
        .unwrap();
    assert_eq!(names(&none.tools()), ["heat", "now"]);
}

#[test]
fn a_choice_of_what_is_not_granted_is_a_mistake() {
    let built = Runner::builder(ScriptedModel::new([says("done")]))
        .tools(tools())
        .calls(CallOptions::new().with_granted(Capabilities::NONE))
        .tool_choice(ToolChoice::Tool("pay".to_owned()))
        .build();
    assert!(matches!(built, Err(BuildError::UnknownTool { name }) if name == "pay"));
}

/// What a registry gets later is granted or not as well.
#[tokio::test]
async fn a_registry_is_granted_as_it_changes() {
    let registry = ToolRegistry::from(toolset![now, pay]);
    let adds = DynamicTool::builder("adds", "Adds a tool while the run goes on.")
        .build({
            let registry = registry.clone();
            move |_: ToolCall, _cx| {
                let registry = registry.clone();
                async move {
                    registry
                        .insert(requiring("files", Capabilities::FILESYSTEM))
                        .unwrap();
                    registry
                        .insert(requiring("web", Capabilities::NETWORK))
                        .unwrap();
                    Ok::<_, ToolError>("added")
                }
            }
        })
        .unwrap();
    registry.insert(adds).unwrap();
    let script = [
        asks_for(&["adds"]),
        asks_for(&["web", "files"]),
        says("done"),
    ];
    let model = ScriptedModel::new(script);
    let runner = Runner::builder(model.clone())
        .registry(registry)
        .calls(CallOptions::new().with_granted(Capabilities::FILESYSTEM))
        .build()
        .unwrap();
    let outcome = runner.run("add").await.unwrap();
    assert_eq!(shown(&model, 0), ["now", "adds"]);
    assert_eq!(shown(&model, 1), ["now", "adds", "files"]);
    let results = results(&outcome, 1);
    assert!(results[0].is_error());
    assert_eq!(results[1].to_model_text(), "files");
}

fn requiring(name: &'static str, capabilities: Capabilities) -> DynamicTool {
    DynamicTool::builder(name, "Says its own name to the model.")
        .policy(ToolPolicy::of(ToolHints::NONE).with_requires(capabilities))
        .build(move |_: ToolCall, _cx| std::future::ready(Ok::<_, ToolError>(name)))
        .expect("every rule holds")
}

#[test]
fn what_is_asked_about_follows_from_the_policy() {
    let reads = ToolPolicy::of(ToolHints::NONE.with_read_only(true));
    let writes = ToolPolicy::default();
    let asks = |policy: ApprovalPolicy| {
        [reads, reads.with_approval(), writes].map(|tool| policy.asks(&tool))
    };
    assert_eq!(asks(ApprovalPolicy::default()), [false, true, false]);
    assert_eq!(asks(ApprovalPolicy::Declared), [false, true, false]);
    assert_eq!(asks(ApprovalPolicy::Writes), [false, true, true]);
    assert_eq!(asks(ApprovalPolicy::All), [true, true, true]);
}

#[test]
fn an_approval_is_for_one_call() {
    let call = ToolCall::new("a", "pay", r#"{"cents":5}"#);
    let request = ApprovalRequest::new(call.clone(), Effects::Write);
    assert!(request.is_for(&call));
    assert!(request.is_for(&ToolCall {
        id: "b".to_owned(),
        ..call.clone()
    }));
    for other in [
        ToolCall::new("a", "refund", r#"{"cents":5}"#),
        ToolCall::new("a", "pay", r#"{"cents": 5}"#),
    ] {
        assert!(!request.is_for(&other));
    }
}

#[test]
fn what_is_asked_and_answered_survives_being_stored() {
    let call = ToolCall::new("a", "pay", "{\"cents\":5}");
    let request = ApprovalRequest::new(call.clone(), Effects::Write);
    let stored = serde_json::to_value(&request).unwrap();
    let again: ApprovalRequest = serde_json::from_value(stored).unwrap();
    assert_eq!((again.call, again.effects), (call, Effects::Write));
    for decision in [
        Decision::Approve,
        Decision::approve_with("{\"cents\":4}"),
        Decision::deny("too much"),
    ] {
        let stored = serde_json::to_string(&decision).unwrap();
        assert_eq!(serde_json::from_str::<Decision>(&stored).unwrap(), decision);
    }
}

/// A request for an approval, and where its decision goes.
type Asked = (ApprovalRequest, oneshot::Sender<Decision>);

/// An approver whose decisions come from another task, and the requests that it is asked.
fn elsewhere() -> (impl Approver, UnboundedReceiver<Asked>) {
    let (ask, asked) = unbounded_channel();
    let approver = move |request: ApprovalRequest| {
        let (answer, decision) = oneshot::channel();
        let _ = ask.send((request, answer));
        async { decision.await.unwrap_or_else(|_| Decision::deny("")) }
    };
    (approver, asked)
}

/// At once, after a while, and from elsewhere.
#[tokio::test(start_paused = true)]
async fn an_approver_answers_now_or_later() {
    fn boxed(approver: impl Approver) -> Box<dyn Approver> {
        Box::new(approver)
    }
    let (from_elsewhere, mut asked) = elsewhere();
    let approvers = [
        boxed(async |_: ApprovalRequest| Decision::Approve),
        boxed(|request: ApprovalRequest| async move {
            tokio::time::sleep(Duration::from_hours(8)).await;
            Decision::deny(format!("`{}` is not for tonight", request.call.name))
        }),
        boxed(from_elsewhere),
    ];
    let elsewhere = tokio::spawn(async move {
        let (_, answer) = asked.recv().await.unwrap();
        answer.send(Decision::approve_with("{}")).unwrap();
        assert!(asked.recv().await.is_none());
    });
    let mut decisions = Vec::new();
    for approver in approvers {
        let call = ToolCall::new("", "pay", "{}");
        let request = ApprovalRequest::new(call, Effects::Write);
        decisions.push(approver.decide(request).await);
    }
    assert_eq!(
        decisions,
        [
            Decision::Approve,
            Decision::deny("`pay` is not for tonight"),
            Decision::approve_with("{}"),
        ]
    );
    elsewhere.await.unwrap();
}

/// Calls of two tools, one of which waits: it holds no place, and its time has not begun.
#[tokio::test(start_paused = true)]
async fn who_waits_for_an_answer_holds_no_place() {
    let (approver, mut asked) = elsewhere();
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_concurrency(NonZeroUsize::MIN)
            .with_timeout(Duration::from_secs(1))
            .with_approvals(ApprovalPolicy::Writes)
            .with_granted(Capabilities::ALL)
            .with_approver(approver),
    );
    let names = ["pay", "now", "transfer", "heat", "nothing"];
    let calls = names.map(|name| match name {
        "transfer" => ToolCall::new("", name, r#"{"cents": 5}"#),
        _ => ToolCall::new("", name, "{}"),
    });
    let tools = tools().with(transfer()).unwrap();
    let person = async {
        let [(first, pay), (second, transfer)] =
            [asked.recv().await.unwrap(), asked.recv().await.unwrap()];
        assert_eq!([&*first.call.name, &*second.call.name], ["pay", "transfer"]);
        tokio::time::sleep(Duration::from_hours(1)).await;
        pay.send(Decision::deny("ask me tomorrow")).unwrap();
        let edit = Decision::approve_with(r#"{"cents": 3}"#);
        transfer.send(edit).unwrap();
    };
    let (results, ()) = tokio::join!(tools.dispatch_with(&calls, &options), person);
    let texts: Vec<_> = results.iter().map(ToolResult::to_model_text).collect();
    assert_eq!(
        texts[0],
        "Tool execution failed (permissionDenied): the call was not approved: ask me tomorrow"
    );
    assert_eq!((&*texts[1], &*texts[3]), ("noon", "set"));
    check_edited(&results[2]);
    assert!(texts[4].contains("there is no tool"));
}

/// A result whose call ran with 3 cents instead of 5 says so, to programs and to the model.
fn check_edited(result: &ToolResult) {
    let text = result.to_model_text();
    assert!(text.starts_with(r#"{"cents": 3}"#), "{text}");
    assert!(
        text.ends_with(r#"changed its arguments. It ran with {"cents": 3}"#),
        "{text}"
    );
    let kinds: Vec<_> = result.changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [toolwright::arguments::ChangeKind::Edited]);
}

/// Says what it was called with.
fn transfer() -> DynamicTool {
    DynamicTool::builder("transfer", "Transfers money to somebody else.")
        .required("cents", toolwright::dynamic::Parameter::integer())
        .build(async |call: ToolCall, _cx| Ok::<_, ToolError>(call.arguments))
        .expect("every rule holds")
}

/// Delete a file for good.
#[tool(approval)]
async fn delete() -> &'static str {
    "deleted"
}

#[tokio::test]
async fn nothing_runs_that_nobody_can_approve() {
    let tools = toolset![delete, now];
    let calls = ["delete", "now"].map(|name| ToolCall::new("", name, "{}"));
    let results = tools.dispatch(&calls).await;
    let error = results[0].outcome.as_ref().unwrap_err();
    assert_eq!(error.category, ErrorCategory::PermissionDenied);
    assert_eq!(results[1].to_model_text(), "noon");
    let with_approvals = |approvals| {
        let model = ScriptedModel::new([says("done")]);
        let builder = Runner::builder(model).tools(toolset![now, pay]);
        let calls = CallOptions::new().with_granted(Capabilities::ALL);
        let builder = builder.calls(calls.with_approvals(approvals));
        builder.build().map(|_| ())
    };
    assert!(with_approvals(ApprovalPolicy::Declared).is_ok());
    let refused = with_approvals(ApprovalPolicy::Writes).unwrap_err();
    assert_eq!(
        refused,
        BuildError::NoApprover {
            name: "pay".to_owned()
        }
    );
    // With what to do, as `main` prints it.
    assert_eq!(format!("{refused:?}"), refused.to_string());
    let model = ScriptedModel::new([says("done")]);
    let built = Runner::builder(model).tools(tools).build();
    assert!(matches!(built, Err(BuildError::NoApprover { name }) if name == "delete"));
}

/// What the application sets is asked in a run as well, and what is edited runs.
#[tokio::test]
async fn a_run_asks_about_what_the_application_says() {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            ToolCall::new("", "transfer", r#"{"cents": 5}"#),
            ToolCall::new("", "now", "{}"),
        ]),
        says("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![now].with(transfer()).unwrap())
        .calls(
            CallOptions::new()
                .with_approvals(ApprovalPolicy::Writes)
                .with_approver(async |_: ApprovalRequest| {
                    Decision::approve_with(r#"{"cents": 3}"#)
                }),
        )
        .build()
        .unwrap();
    let outcome = runner.run("transfer").await.unwrap();
    let results = results(&outcome, 0);
    check_edited(&results[0]);
    assert_eq!(results[1].to_model_text(), "noon");
}

/// Look a word up in the dictionary.
#[tool(read_only, rate_limit = "1/min")]
async fn look_up() -> &'static str {
    "found"
}

#[tokio::test(start_paused = true)]
async fn batches_that_share_a_limiter_share_the_limit_and_give_turns_back() {
    let tools = toolset![look_up, now];
    let limiter = RateLimiter::new();
    let options = || DispatchOptions::from(CallOptions::new().with_rate_limiter(limiter.clone()));
    let calls = ["look_up", "look_up", "now"].map(|name| ToolCall::new("", name, "{}"));
    let begin = Instant::now();
    let results = tools.dispatch_with(&calls, &options()).await;
    assert!(results.iter().all(|result| !result.is_error()));
    assert_eq!(begin.elapsed().as_secs(), 60);
    // A thousand calls that are given up leave no gap.
    let many = vec![calls[0].clone(); 1000];
    let token = CancellationToken::new();
    let context = ToolContext::default().with_cancellation(token.clone());
    let cancelled = options().with_context(context);
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        token.cancel();
    };
    let (results, ()) = tokio::join!(tools.dispatch_with(&many, &cancelled), cancel);
    assert!(results.iter().all(ToolResult::is_error));
    let results = tools.dispatch_with(&calls[..1], &options()).await;
    assert!(!results[0].is_error());
    assert_eq!(begin.elapsed().as_secs(), 120);
}

/// What is told of edited arguments is redacted as all that leaves a call.
#[tokio::test]
async fn edited_arguments_are_told_without_secrets_and_not_where_nothing_was_edited() {
    let asked = r#"{"cents": 5}"#;
    for (approved, told) in [
        (r#"{"cents": 4, "key": "hunter2hunter2"}"#, true),
        (" {\"cents\": 5}\n", false),
    ] {
        let decide = move |_: ApprovalRequest| std::future::ready(Decision::approve_with(approved));
        let secrets = || Secrets::new(["hunter2hunter2"]);
        let pay = DynamicTool::builder("pay_out", "Pays somebody some money.")
            .required("cents", toolwright::dynamic::Parameter::integer())
            .optional("key", toolwright::dynamic::Parameter::string())
            .policy(ToolPolicy::default().with_approval())
            .build(async |_: ToolCall, _cx| Ok::<_, ToolError>("paid"))
            .unwrap();
        let tools = Toolset::new().with(pay).unwrap();
        let call = ToolCall::new("", "pay_out", asked);
        let options = DispatchOptions::from(
            CallOptions::new()
                .with_approver(decide)
                .with_redaction(secrets()),
        );
        let dispatched = tools
            .dispatch_with(std::slice::from_ref(&call), &options)
            .await;
        let model = ScriptedModel::new([ModelResponse::from_calls([call]), says("done")]);
        let runner = Runner::builder(model).tools(tools).calls(
            CallOptions::new()
                .with_approver(decide)
                .with_redaction(secrets()),
        );
        let outcome = runner.build().unwrap().run("pay").await.unwrap();
        for result in [&dispatched[0], results(&outcome, 0).first().unwrap()] {
            let text = result.to_model_text();
            assert!(
                text.starts_with("paid") && !text.contains("hunter2"),
                "{text}"
            );
            assert_eq!(text.contains(r#"It ran with {"cents": 4"#), told, "{text}");
            assert_eq!(result.changes.len(), usize::from(told));
        }
    }
}
