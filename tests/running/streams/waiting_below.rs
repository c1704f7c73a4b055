//! A call of a sub-agent that waits for people, in each stream.

use serde_json::json;
use toolwright::{
    ModelResponse, Runner, ToolCall, Toolset,
    run::Finish,
    runner::{RunEvent, RunHandle},
    store::{InboxContent, InboxItem, MemoryStore, Scope, Store},
    streams::{
        AgUiStream, Frame, PlainStream, UiMessageStream,
        ui_message::{ChatRequest, ChatRequestContent, ChatRequestError, ChatRequestLimits},
    },
    testing::ScriptedModel,
};

use super::scripts::{Told, tools};

fn pays() -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("a", "pay", r#"{"euros": 5}"#)])
}

async fn read(mut run: RunHandle) -> (Vec<RunEvent>, toolwright::run::RunOutcome) {
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.push(event);
    }
    (events, run.outcome().await.expect("does not fail"))
}

/// The records of a run that waits below, and those after a decision; `RUN` and `BELOW` are ids of the runs.
async fn told() -> (Vec<RunEvent>, Vec<RunEvent>, [String; 2]) {
    let store = MemoryStore::new();
    let model = ScriptedModel::new([pays(), ModelResponse::from_text("It is bought.")]);
    let buyer = Runner::builder(model).tools(tools()).suspends().build();
    let buyer = buyer.expect("is sound");
    let buyer = buyer.as_tool("buy", "Buys what is asked for.");
    let tools = Toolset::new().with(buyer.expect("is a tool"));
    let asks = ToolCall::new("b", "buy", r#"{"task": "Buy it."}"#);
    let model = ScriptedModel::new([
        ModelResponse::from_calls([asks]),
        ModelResponse::from_text("Done."),
    ]);
    let runner = Runner::builder(model).tools(tools.expect("one name"));
    let runner = runner.store("tests", store.clone()).build();
    let runner = runner.expect("is sound");
    let (first, waits) = read(runner.start("Buy it.")).await;
    assert_eq!(waits.finish, Finish::Suspended);
    let [pending] = &waits.pending[..] else {
        panic!("{:?}", waits.pending);
    };
    let item = InboxItem::new(InboxContent::Resolution(pending.approve()));
    store
        .put(Scope::All, &waits.run_id, &item)
        .await
        .expect("is there");
    let handle = runner.resume(&waits.run_id).start().await.expect("goes on");
    let (second, end) = read(handle).await;
    assert_eq!(end.text, "Done.");
    let ids = [pending.run_id.to_string(), waits.run_id.to_string()];
    (first, second, ids)
}

/// The same as a run of a script. Its conversation says nothing of the calls below.
pub(super) async fn whole() -> Told {
    let (first, second, _) = told().await;
    Told {
        name: "waits_below",
        parts: vec![first, second],
        said: Vec::new(),
        is_broken_off: false,
    }
}

fn shown<T: serde::Serialize>(frames: &[Frame<T>], [below, run]: &[String; 2]) -> Vec<String> {
    let frames = frames.iter().map(Frame::to_json);
    let frames = frames.map(|json| json.replace(below, "BELOW").replace(run, "RUN"));
    frames.collect()
}

/// The frames from the first one with this text on.
fn from<'a>(frames: &'a [String], text: &str) -> &'a [String] {
    let first = frames.iter().position(|frame| frame.contains(text));
    &frames[first.expect("is there")..]
}

#[tokio::test]
async fn a_chat_shows_it_as_a_call_of_its_own() {
    let (first, second, ids) = told().await;
    let mut stream = UiMessageStream::new(&*ids[1]);
    let mut frames: Vec<_> = first.iter().flat_map(|event| stream.push(event)).collect();
    frames.extend(stream.end());
    let frames = shown(&frames, &ids);
    let expected = [
        r#"{"type":"tool-output-available","toolCallId":"RUN:0.0","output":"buy calls pay\nbuy waits for an approval of pay","preliminary":true}"#,
        r#"{"type":"tool-input-available","toolCallId":"BELOW:0.0","toolName":"pay","input":{"euros":5}}"#,
        r#"{"type":"tool-approval-request","approvalId":"BELOW:0.0:approval","toolCallId":"BELOW:0.0"}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"finish","finishReason":"tool-calls"}"#,
        "[DONE]",
    ];
    let from = from(&frames, "waits for an approval");
    assert_eq!(from[1..], expected[1..]);
    assert!(
        from[0].contains("buy waits for an approval of pay"),
        "{from:?}"
    );

    // What the client sends back.
    let part = |approved: bool, euros: u32| {
        let call = format!("{}:0.0", ids[0]);
        let pay = json!({
            "type": "tool-pay", "toolCallId": call, "state": "approval-responded", "input": {"euros": euros},
            "approval": {"id": format!("{call}:approval"), "approved": approved},
        });
        let said =
            json!({"id": "u", "role": "user", "parts": [{"type": "text", "text": "Buy it."}]});
        let reply =
            json!({"id": ids[1], "role": "assistant", "parts": [{"type": "step-start"}, pay]});
        let messages = json!([said, reply]);
        let body = json!({"id": "chat", "messages": messages, "trigger": "submit-message"});
        let limits = ChatRequestLimits::default();
        let request = ChatRequest::from_json(body.to_string().as_bytes(), &limits);
        match request.expect("is one").content {
            ChatRequestContent::Approvals(claims) => claims,
            other => panic!("{other:?}"),
        }
    };
    let mut caught_up = UiMessageStream::new(&*ids[1]);
    for event in &first {
        caught_up.catch_up(event);
    }
    let checked = part(true, 5).check(&caught_up);
    let checked = checked.expect("it waits");
    let [claim] = &checked[..] else {
        panic!("{checked:?}");
    };
    assert!(claim.decision().is_some());
    assert_eq!(claim.run_id().as_str(), ids[0]);
    let waiting = caught_up.waiting();
    assert_eq!(
        (waiting[0].place(), waiting[0].agents()),
        ("0.0 > 0.0".into(), "buy".into())
    );
    assert!(claim.is_for(&waiting[0]));
    let altered = part(true, 500).check(&caught_up);
    assert!(matches!(altered, Err(ChatRequestError::Altered(_))));

    // The agent goes on, and what was decided says nothing new.
    let mut frames = Vec::new();
    let mut after = caught_up;
    for event in &second {
        frames.extend(after.push(event));
    }
    let frames = shown(&frames, &ids);
    let over = r#"{"type":"tool-output-available","toolCallId":"BELOW:0.0","output":"told to the agent buy"}"#;
    assert!(frames.iter().any(|frame| frame == over), "{frames:?}");
    assert!(after.waiting().is_empty());
    let again = part(false, 5).check(&after);
    assert!(matches!(again, Err(ChatRequestError::NothingNew)));
}

#[tokio::test]
async fn ag_ui_has_an_interrupt_for_it() {
    let (first, second, ids) = told().await;
    let mut stream = AgUiStream::new("thread", "request");
    let mut frames: Vec<_> = first.iter().flat_map(|event| stream.push(event)).collect();
    frames.extend(stream.end());
    let frames = shown(&frames, &ids);
    let call = from(&frames, r#""toolCallName":"pay""#);
    assert!(call[0].contains(r#""toolCallId":"BELOW:0.0""#), "{call:?}");
    let last = frames.last().expect("is there");
    for text in [
        r#""id":"BELOW:0.0:approval""#,
        r#""toolCallId":"BELOW:0.0""#,
        "The call of `pay` by the agent buy waits for an approval.",
    ] {
        assert!(last.contains(text), "{last}");
    }
    let mut after = AgUiStream::new("thread", "next");
    for event in &first {
        after.catch_up(event);
    }
    let frames: Vec<_> = second.iter().flat_map(|event| after.push(event)).collect();
    let frames = shown(&frames, &ids);
    let result = from(&frames, "told to the agent buy");
    assert!(
        result[0].contains(r#""toolCallId":"BELOW:0.0""#),
        "{result:?}"
    );
}

#[tokio::test]
async fn plain_events_have_its_place() {
    let (first, second, ids) = told().await;
    let mut stream = PlainStream::new();
    let mut frames: Vec<_> = first.iter().flat_map(|event| stream.push(event)).collect();
    frames.extend(stream.end());
    let frames = shown(&frames, &ids);
    let expected = [
        r#"{"type":"tool_call","call":"0.0 > 0.0","name":"pay","arguments":{"euros":5}}"#,
        r#"{"type":"approval_request","call":"0.0 > 0.0","approval":"0.0 > 0.0:approval"}"#,
        r#"{"type":"done","reason":"waiting"}"#,
    ];
    assert_eq!(from(&frames, r#""name":"pay""#), expected);
    let mut all = PlainStream::new();
    for event in &first {
        drop(all.push(event));
    }
    let frames: Vec<_> = second.iter().flat_map(|event| all.push(event)).collect();
    let over = r#"{"type":"tool_result","call":"0.0 > 0.0","output":"told to the agent buy"}"#;
    let frames = shown(&frames, &ids);
    assert!(frames.iter().any(|frame| frame == over), "{frames:?}");
}
