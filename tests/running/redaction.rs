//! What must not be seen leaves a call in none of its texts.

use std::{
    borrow::Cow,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

use futures_util::stream::{self, Stream};
use serde_json::json;
use toolwright::{
    Dispatch, ModelResponse, Runner, ToolCall, ToolError, ToolInput, ToolOutput, Toolset,
    dispatch::{CallOptions, DispatchOptions, OversizedOutput, dispatch_fn},
    dynamic::DynamicTool,
    middleware,
    redact::{RedactPatterns, Secrets, redact_fn},
    runner::RunEvent,
    testing::ScriptedModel,
    tool,
    tool::{Json, OutputPart, Progress, Updates},
    toolset,
};

const KEY: &str = "sk-\"quoted\"-4711";

/// Say the key as a text.
#[tool]
async fn say() -> String {
    format!("the key is {KEY}, twice: {KEY}")
}

#[derive(serde::Serialize, ToolInput)]
struct Login {
    user: String,
    secret: String,
}

/// Give the key in JSON.
#[tool]
async fn give() -> Json<Login> {
    Json(Login {
        user: "ada".to_owned(),
        secret: KEY.to_owned(),
    })
}

/// Fail with the key.
#[tool]
fn fail() -> Result<(), ToolError> {
    Err(ToolError::not_found(format!("no door takes {KEY}"))
        .with_detail(format!("the {KEY}"), KEY)
        .with_log(format!("tried {KEY}")))
}

/// Throw an error that has the key.
#[tool]
async fn throw() -> Result<(), std::io::Error> {
    Err(std::io::Error::other(KEY))
}

/// Fail with the key, in words.
#[tool]
async fn refuse() -> Result<(), String> {
    Err(format!("no door takes {KEY}"))
}

/// Panic with the key.
#[tool]
async fn crash() {
    panic!("{KEY}");
}

/// Say the key on the way.
#[tool]
async fn report(
    #[context] progress: Progress,
) -> Updates<impl Stream<Item = Result<String, ToolError>>> {
    progress.fraction(0.5, format!("half of {KEY}"));
    Updates(stream::iter(
        ["first", "last"].map(|word| Ok(format!("{word} {KEY}"))),
    ))
}

fn tools() -> Toolset {
    toolset![say, give, fail, throw, crash, report, refuse]
}

fn calls() -> Vec<ToolCall> {
    let names = ["say", "give", "fail", "throw", "crash", "report", "refuse"];
    let mut calls: Vec<_> = names.map(|name| ToolCall::new(name, name, "{}")).into();
    // The model has the key from the user, and puts it everywhere.
    calls.push(ToolCall::new("a", KEY, "{}"));
    calls
}

/// No escaped form of the key either.
fn check(shown: &str) {
    assert!(!shown.contains("quoted"), "{shown}");
}

#[tokio::test]
async fn no_result_of_a_batch_shows_a_secret() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = heard.clone();
    let options = DispatchOptions::from(CallOptions::new().with_redaction(Secrets::new([KEY])))
        .with_updates(move |_, update| listener.lock().unwrap().push(update));
    let results = tools().dispatch_with(&calls(), &options).await;
    check(&serde_json::to_string(&results).unwrap());
    let texts: Vec<_> = results
        .iter()
        .map(|result| result.to_model_text())
        .collect();
    assert_eq!(texts[0], "the key is [redacted], twice: [redacted]");
    assert_eq!(texts[1], r#"{"user":"ada","secret":"[redacted]"}"#);
    assert_eq!(
        texts[2],
        "Tool execution failed (resourceNotFound): no door takes [redacted]\n\
         Details: the [redacted]: [redacted]"
    );
    assert_eq!(texts[5], "last [redacted]");
    assert_eq!(
        texts[6],
        "Tool execution failed (unknown): no door takes [redacted]"
    );
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 3, "a report and two partial results");
    check(&serde_json::to_string(&*heard).unwrap());
    check(&format!("{options:?}"));
}

#[tokio::test]
async fn no_event_of_a_run_shows_a_secret_but_the_models_own() {
    let mut calls = calls();
    calls.pop();
    let replies = [
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ];
    let model = ScriptedModel::new(replies);
    let runner = Runner::builder(model.clone())
        .tools(tools())
        .calls(CallOptions::new().with_redaction(Secrets::new([KEY])))
        .build()
        .unwrap();
    let mut handle = runner.start("Show me the key.");
    let mut updates = 0;
    while let Some(event) = handle.next().await {
        updates += usize::from(matches!(event, RunEvent::Update { .. }));
        check(&format!("{event:?}"));
    }
    assert!(updates > 0, "the calls were heard");
    let outcome = handle.outcome().await.unwrap();
    check(&format!("{outcome:?}"));
    check(&format!("{:?}", model.requests()));
}

#[tokio::test]
async fn calls_of_a_closure_are_redacted_too() {
    let options = DispatchOptions::from(CallOptions::new().with_redaction(Secrets::new([KEY])));
    let calls = [ToolCall::new("a", "a", ""), ToolCall::new("b", "b", "")];
    let results = dispatch_fn(&calls, &options, async |call, _| match call.name.as_str() {
        "a" => Ok(json!([KEY])),
        _ => Err(ToolError::invalid_arguments(KEY)),
    });
    let results = results.await;
    check(&serde_json::to_string(&results).unwrap());
    assert_eq!(results[0].to_model_text(), r#"["[redacted]"]"#);
}

#[tokio::test]
async fn it_comes_before_the_cut_and_after_all_middleware() {
    let kept = Arc::new(Mutex::new(None));
    let keeper = kept.clone();
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_max_output(200)
            .with_redaction(Secrets::new([KEY]))
            .with_overflow(move |overflow: OversizedOutput| {
                *keeper.lock().unwrap() = Some(overflow);
                async { None }
            }),
    );
    let tools = tools().layer(middleware::after(async |_, _, outcome| {
        let output: ToolOutput = outcome?;
        // However the text is cut, a piece of a key would be there.
        Ok(output.with_text(KEY.repeat(100)))
    }));
    let results = tools
        .dispatch_with(&[ToolCall::new("a", "say", "{}")], &options)
        .await;
    let text = results[0].to_model_text();
    assert!(text.contains("left out") && !text.contains("sk-"), "{text}");
    assert!(!text.contains("4711"), "{text}");
    let kept = kept.lock().unwrap().take().expect("it is over the budget");
    check(&format!("{kept:?}"));
}

/// Count to a number.
#[tool]
async fn count(number: u8) -> u8 {
    number
}

/// A refusal quotes the start of a long argument. Whoever sees a piece of a key is to see none.
#[tokio::test]
async fn a_refusal_of_arguments_shows_no_piece_of_a_secret() {
    let key = format!("sk-{}", "0123456789".repeat(9));
    let with_key = json!({"number": key}).to_string();
    let put_key = middleware::before(move |call: ToolCall, _| {
        let call = ToolCall::new(call.id, call.name, &*with_key);
        async { Ok(call) }
    });
    let refuse = middleware::check(async |_: Count, _| Ok(()));
    let plain = toolset![count].layer(put_key).layer(refuse);
    let options = DispatchOptions::from(CallOptions::new().with_redaction(Secrets::new([&key])));
    let calls = [
        ToolCall::new("a", "count", "{}"),
        ToolCall::new("b", key.clone(), "{}"),
        ToolCall::new("c", "count", json!({"number": "x".repeat(90)}).to_string()),
    ];
    for tools in [&plain, &toolset![count]] {
        let results = tools.dispatch_with(&calls, &options).await;
        let shown = serde_json::to_string(&results).unwrap() + &format!("{results:?}");
        assert!(
            !shown.contains("sk-") && !shown.contains("12345"),
            "{shown}"
        );
    }
    // What holds nothing secret is quoted as ever.
    let results = toolset![count].dispatch_with(&calls, &options).await;
    let error = results[2].outcome.as_ref().unwrap_err();
    assert!(error.message.contains("got \"xxx"), "{error}");
    let results = plain.dispatch_with(&calls, &options).await;
    let error = results[0].outcome.as_ref().unwrap_err();
    assert!(error.message.starts_with("the arguments do not fit"));
    assert_eq!(error.details["tool"], "count");
}

#[derive(serde::Deserialize)]
struct Count {
    #[expect(dead_code, reason = "it is decoded")]
    number: u8,
}

/// A text of megabytes takes its time, which is not that of other calls.
#[tokio::test]
async fn a_long_outcome_is_redacted_beside_other_calls() {
    let begun = Arc::new(AtomicBool::new(false));
    let (end, ended) = mpsc::channel();
    let (is_redacted, ended) = (Arc::clone(&begun), Mutex::new(ended));
    let slow = redact_fn(move |text| {
        if text.len() > 100_000 {
            is_redacted.store(true, Ordering::SeqCst);
            let ended = ended.lock().unwrap().recv_timeout(Duration::from_secs(20));
            ended.expect("the other call ends meanwhile");
        }
        Cow::Borrowed(text)
    });
    let long = DynamicTool::builder("long", "Give a long text.")
        .build(async |_: ToolCall, _| Ok::<_, ToolError>("x".repeat(200_000)));
    let short = DynamicTool::builder("short", "End while that is redacted.").build(
        move |_: ToolCall, _| {
            let (begun, end) = (Arc::clone(&begun), end.clone());
            async move {
                while !begun.load(Ordering::SeqCst) {
                    tokio::task::yield_now().await;
                }
                end.send(()).expect("it is waited for");
                Ok::<_, ToolError>("done")
            }
        },
    );
    let tools = Toolset::new().with(long.expect("is sound")).unwrap();
    let tools = tools.with(short.expect("is sound")).unwrap();
    let options = DispatchOptions::new().with_calls(CallOptions::new().with_redaction(slow));
    let calls = ["long", "short"].map(|name| ToolCall::new(name, name, "{}"));
    let results = tools.dispatch_with(&calls, &options).await;
    assert!(
        results.iter().all(|result| !result.is_error()),
        "{results:?}"
    );
    assert!(
        results[0].to_model_text().len() < 40_000,
        "it is cut as well"
    );
}

#[tokio::test]
async fn half_of_a_character_switches_nothing_off() {
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_redaction(Secrets::new([KEY]))
            .with_redaction(RedactPatterns::new([r#""pin":\s*\d+"#]).unwrap()),
    );
    let calls = [ToolCall::new("a", "a", "")];
    let results = dispatch_fn(&calls, &options, async |_, _| {
        let key = KEY.replace('"', "\\\"");
        let json = format!(r#"{{"junk": "\ud83d", "a": "{key}", "pin": 4711}}"#);
        Ok(ToolOutput::from(OutputPart::Json(json)))
    });
    assert_eq!(
        results.await[0].to_model_text(),
        r#"{"junk": "\ud83d", "a": "[redacted]", "pin": "[redacted]"}"#
    );
}

#[tokio::test]
async fn several_are_applied_in_order() {
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_redaction(Secrets::new(["the key is "]))
            .with_redaction(RedactPatterns::new([r#"sk-"\w+"-\d+"#]).unwrap())
            .with_redaction(redact_fn(|text| {
                Cow::Owned(text.replace("[redacted]", "*"))
            })),
    );
    let results = tools()
        .dispatch_with(&[ToolCall::new("a", "say", "{}")], &options)
        .await;
    assert_eq!(results[0].to_model_text(), "**, twice: *");
}

#[tokio::test]
async fn what_cannot_be_redacted_is_not_shown() {
    let options = DispatchOptions::from(
        CallOptions::new().with_redaction(redact_fn(|text| panic!("cannot read {text}"))),
    );
    let results = tools().dispatch_with(&calls(), &options).await;
    check(&serde_json::to_string(&results).unwrap());
    assert!(results.iter().all(toolwright::ToolResult::is_error));
}
