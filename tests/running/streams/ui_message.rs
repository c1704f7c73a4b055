//! The frames of the UI message stream, to the byte.

use toolwright::{
    Runner,
    model::ModelEvent,
    runner::RunEvent,
    streams::{Frame, UiMessageStream, ui_message::UiMessageChunk},
    testing::ScriptedModel,
};

use super::{
    same::{frames, live},
    scripts::{self, Told},
};

async fn told(name: &str) -> Told {
    let mut all = scripts::all().await.into_iter();
    all.find(|told| told.name == name).expect("is one")
}

/// The frames of each request, with `RUN` in place of the id of the run.
async fn sent(name: &str, stream: fn(&Told) -> UiMessageStream) -> Vec<Vec<String>> {
    let told = told(name).await;
    let json = |frame: &Frame<_>| frame.to_json().replace(&told.run_id(), "RUN");
    let all = live(&told, stream);
    all.iter()
        .map(|frames| frames.iter().map(json).collect())
        .collect()
}

async fn for_6(name: &str) -> Vec<Vec<String>> {
    sent(name, |told| UiMessageStream::new(told.run_id())).await
}

async fn for_7(name: &str) -> Vec<Vec<String>> {
    sent(name, |told| {
        UiMessageStream::new(told.run_id()).for_version_7()
    })
    .await
}

const USAGE: &str =
    r#"{"type":"data-usage","id":"usage","data":{"inputTokens":10,"outputTokens":2}}"#;
const USAGE_OF_TWO: &str =
    r#"{"type":"data-usage","id":"usage","data":{"inputTokens":20,"outputTokens":4}}"#;

#[tokio::test(start_paused = true)]
async fn a_text() {
    let expected = [
        r#"{"type":"start","messageId":"RUN"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"reasoning-start","id":"0-0"}"#,
        r#"{"type":"reasoning-delta","id":"0-0","delta":"They "}"#,
        r#"{"type":"reasoning-delta","id":"0-0","delta":"greet."}"#,
        r#"{"type":"reasoning-end","id":"0-0"}"#,
        r#"{"type":"text-start","id":"0-1"}"#,
        r#"{"type":"text-delta","id":"0-1","delta":"Hel"}"#,
        r#"{"type":"text-delta","id":"0-1","delta":"lo."}"#,
        r#"{"type":"text-end","id":"0-1"}"#,
        r#"{"type":"finish-step"}"#,
        USAGE,
        r#"{"type":"finish","finishReason":"stop"}"#,
        "[DONE]",
    ];
    assert_eq!(for_6("text").await, [expected]);
    assert_eq!(for_7("text").await, [expected]);
}

#[tokio::test(start_paused = true)]
async fn an_approval_and_a_denial() {
    let [first, second] = &for_6("one_denied").await[..] else {
        panic!("there are two requests")
    };
    let from = first
        .iter()
        .position(|frame| frame.contains("tool-input-available"));
    let expected = [
        r#"{"type":"tool-input-available","toolCallId":"RUN:0.0","toolName":"pay","input":{"euros":1}}"#,
        r#"{"type":"tool-input-available","toolCallId":"RUN:0.1","toolName":"look","input":{"city":"Oslo"}}"#,
        r#"{"type":"tool-input-available","toolCallId":"RUN:0.2","toolName":"pay","input":{"euros":2}}"#,
        r#"{"type":"tool-approval-request","approvalId":"RUN:0.0:approval","toolCallId":"RUN:0.0"}"#,
        r#"{"type":"tool-approval-request","approvalId":"RUN:0.2:approval","toolCallId":"RUN:0.2"}"#,
        r#"{"type":"tool-output-available","toolCallId":"RUN:0.1","output":{"progress":1.0,"total":2.0,"message":"asking"},"preliminary":true}"#,
        r#"{"type":"tool-output-available","toolCallId":"RUN:0.1","output":"rain in Oslo"}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"finish","finishReason":"tool-calls"}"#,
        "[DONE]",
    ];
    let mut rest = first[from.expect("is there")..].to_vec();
    let mut expected = expected.map(str::to_owned).to_vec();
    // The call that may run starts beside the questions.
    rest[3..7].sort();
    expected[3..7].sort();
    assert_eq!(rest, expected);
    let mut second = second.clone();
    second[1..3].sort();
    let expected = [
        r#"{"type":"start","messageId":"RUN"}"#,
        r#"{"type":"tool-output-available","toolCallId":"RUN:0.0","output":"paid 1"}"#,
        r#"{"type":"tool-output-denied","toolCallId":"RUN:0.2"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"text-start","id":"1-0"}"#,
        r#"{"type":"text-delta","id":"1-0","delta":"Do"}"#,
        r#"{"type":"text-delta","id":"1-0","delta":"ne."}"#,
        r#"{"type":"text-end","id":"1-0"}"#,
        r#"{"type":"finish-step"}"#,
        USAGE_OF_TWO,
        r#"{"type":"finish","finishReason":"stop"}"#,
        "[DONE]",
    ];
    assert_eq!(second, expected);
    let answered = for_7("one_denied").await[1].clone();
    let expected = r#"{"type":"tool-approval-response","approvalId":"RUN:0.2:approval","approved":false,"reason":"too much"}"#;
    assert!(
        answered.iter().any(|frame| frame == expected),
        "{answered:#?}"
    );
}

#[tokio::test(start_paused = true)]
async fn ends() {
    let end = async |name| {
        let sent = for_6(name).await.concat();
        let from = sent
            .iter()
            .rposition(|frame| frame == r#"{"type":"finish-step"}"#);
        sent[from.map_or(1, |at| at + 1)..]
            .join("\n")
            .replace(USAGE, "USAGE")
            .replace(USAGE_OF_TWO, "USAGE")
    };
    let cancelled = "USAGE\n{\"type\":\"abort\",\"reason\":\"The run was cancelled.\"}\n[DONE]";
    assert_eq!(
        end("cancelled_in_text")
            .await
            .lines()
            .skip(1)
            .collect::<Vec<_>>(),
        cancelled.lines().skip(1).collect::<Vec<_>>()
    );
    let limit = [
        "USAGE",
        r#"{"type":"data-failure","id":"failure","data":{"code":"limit","message":"A limit was reached before the answer was complete."}}"#,
        r#"{"type":"data-limit-reached","id":"limit","data":{"limit":{"type":"rounds","max":1},"message":"the limit of 1 round of tool calls is reached","summarized":true}}"#,
        r#"{"type":"finish","finishReason":"other"}"#,
        "[DONE]",
    ];
    assert_eq!(end("limit").await, limit.join("\n"));
    let failed = [
        r#"{"type":"data-usage","id":"usage","data":{"inputTokens":0,"outputTokens":0}}"#,
        r#"{"type":"data-failure","id":"failure","data":{"code":"unavailable","message":"No answer can be given at the moment. Try again later."}}"#,
        r#"{"type":"error","errorText":"No answer can be given at the moment. Try again later."}"#,
        r#"{"type":"finish","finishReason":"error"}"#,
        "[DONE]",
    ];
    assert_eq!(end("failed").await, failed.join("\n"));
    assert!(
        end("refused")
            .await
            .contains(r#"{"type":"finish","finishReason":"content-filter"}"#)
    );
    assert!(
        end("truncated")
            .await
            .contains(r#"{"type":"finish","finishReason":"length"}"#)
    );
}

/// A call that the application answers waits without a request for an approval.
#[tokio::test(start_paused = true)]
async fn an_answer_of_the_application() {
    let [first, second] = &for_6("answered").await[..] else {
        panic!("there are two requests")
    };
    let expected = [
        r#"{"type":"tool-input-available","toolCallId":"RUN:0.0","toolName":"choose_colour","input":{"colours":["red"]}}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"finish","finishReason":"tool-calls"}"#,
        "[DONE]",
    ];
    assert_eq!(first[first.len() - 4..], expected);
    let expected = [
        r#"{"type":"start","messageId":"RUN"}"#,
        r#"{"type":"tool-output-available","toolCallId":"RUN:0.0","output":"red"}"#,
        r#"{"type":"start-step"}"#,
    ];
    assert_eq!(second[..3], expected);
}

/// Each version has its own way to take back what a client has of a reply that comes anew.
#[tokio::test(start_paused = true)]
async fn a_reply_that_comes_anew() {
    let beginning = [
        r#"{"type":"start","messageId":"RUN"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"text-start","id":"0-0"}"#,
        r#"{"type":"text-delta","id":"0-0","delta":"Good day"}"#,
        r#"{"type":"text-end","id":"0-0"}"#,
    ];
    let seven = [
        r#"{"type":"reset-step"}"#,
        r#"{"type":"text-start","id":"0-0"}"#,
    ];
    let six = [
        r#"{"type":"data-void","id":"void-0","data":{"step":0}}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"text-start","id":"0-0"}"#,
    ];
    let sent = for_7("driven_anew").await.concat();
    assert_eq!(sent[..5], beginning);
    assert_eq!(sent[5..7], seven);
    let sent = for_6("driven_anew").await.concat();
    assert_eq!(sent[..5], beginning);
    assert_eq!(sent[5..9], six);
    // Calls are closed as well, and the request that is made again is told of.
    let sent = for_6("asked_again_after_reasoning").await.concat();
    let closed = r#"{"type":"tool-input-error","toolCallId":"RUN:0.0","toolName":"look","input":"","errorText":"the response with this call broke off: the call is void"}"#;
    assert!(sent.iter().any(|frame| frame == closed), "{sent:#?}");
    let told = r#"{"type":"data-retry","data":{"step":0},"transient":true}"#;
    assert!(sent.iter().any(|frame| frame == told), "{sent:#?}");
}

/// A client does not wait for the record that follows.
#[tokio::test(start_paused = true)]
async fn a_reset_is_sent_at_once() {
    let told = told("driven_anew").await;
    let mut stream = UiMessageStream::new("m").for_version_7();
    let events = &told.parts[0];
    let is_reset = |event: &RunEvent| matches!(event, RunEvent::ResponseReset { .. });
    let reset = events.iter().position(is_reset).expect("there is one");
    for event in &events[..reset] {
        stream.push(event);
    }
    let sent: Vec<_> = stream
        .push(&events[reset])
        .iter()
        .map(Frame::to_json)
        .collect();
    assert_eq!(
        sent,
        [
            r#"{"type":"text-end","id":"0-0"}"#,
            r#"{"type":"reset-step"}"#
        ]
    );
    assert!(stream.push(&events[reset + 1]).is_empty(), "and once");
}

/// What was sent already is not sent again with a snapshot.
#[tokio::test(start_paused = true)]
async fn a_snapshot_goes_on_with_what_was_sent() {
    let sent = for_6("read_in_the_middle").await.concat();
    let deltas: Vec<_> = sent
        .iter()
        .filter(|frame| frame.contains("-delta"))
        .collect();
    let expected = [
        r#"{"type":"reasoning-delta","id":"0-0","delta":"Hm."}"#,
        r#"{"type":"text-delta","id":"0-1","delta":"Look:"}"#,
        r#"{"type":"tool-input-delta","toolCallId":"RUN:0.0","inputTextDelta":"{\"word\""}"#,
        r#"{"type":"tool-input-delta","toolCallId":"RUN:0.0","inputTextDelta":": \"tea\"}"}"#,
        r#"{"type":"text-delta","id":"1-0","delta":"3"}"#,
    ];
    assert_eq!(deltas.len(), expected.len(), "{deltas:#?}");
    for (delta, expected) in deltas.iter().zip(expected) {
        assert_eq!(*delta, expected);
    }
}

/// A stream that ends although the run does not says so, and only once.
#[tokio::test(start_paused = true)]
async fn a_stream_ends_once() {
    let told = told("text").await;
    let mut stream = UiMessageStream::new("m");
    let sent = frames(&mut stream, &told.parts[0][..3]);
    let end: Vec<_> = sent[sent.len() - 3..].iter().map(Frame::to_json).collect();
    let expected = [
        r#"{"type":"error","errorText":"No answer can be given at the moment. Try again later."}"#,
        r#"{"type":"finish","finishReason":"error"}"#,
        "[DONE]",
    ];
    assert_eq!(end, expected);
    assert!(stream.end().is_empty());
}

/// Of a warning its code is sent, since its text may quote an error of a provider.
#[tokio::test(start_paused = true)]
async fn warnings_are_sent_by_their_codes() {
    let told = told("corrected").await;
    let sent = |mut stream: UiMessageStream| {
        let frames = frames(&mut stream, &told.parts[0]);
        let json = frames.iter().map(Frame::to_json);
        json.filter(|json| json.contains("data-warning"))
            .collect::<Vec<_>>()
    };
    let expected = r#"{"type":"data-warning","id":"warning-0","data":{"code":"empty_response"}}"#;
    assert_eq!(sent(UiMessageStream::new("m")), [expected]);
    let details = sent(UiMessageStream::new("m").with_error_details());
    assert!(details[0].contains(r#""message":""#), "{details:?}");
}

/// Of a reply under way nothing counts as seen: a client that goes on with a run has not been told of it.
#[tokio::test(start_paused = true)]
async fn pieces_do_not_catch_up() {
    let told = told("text").await;
    let events = &told.parts[0];
    let is_record = |event: &RunEvent| matches!(event, RunEvent::Recorded { .. });
    let reply = events[1..].iter().position(is_record).expect("it replies") + 1;
    let mut stream = UiMessageStream::new("m");
    for event in &events[..reply] {
        stream.catch_up(event);
    }
    let sent = frames(&mut stream, &events[reply..]);
    let whole = frames(&mut UiMessageStream::new("m"), &told.records());
    assert_eq!(sent, whole);
}

/// Parts that say that a reply is void have ids of their own, also in a stream that has caught up.
#[tokio::test(start_paused = true)]
async fn void_parts_have_ids_of_their_own() {
    let told = told("driven_anew").await;
    let events = &told.parts[0];
    let delta = RunEvent::Delta(ModelEvent::Text("Good day".to_owned()));
    let reset = |after| RunEvent::ResponseReset { after };
    let ids = |stream: &mut UiMessageStream, events: &[RunEvent]| {
        let frames = frames(stream, events);
        let id = |frame: &Frame<_>| match &frame.data {
            Some(UiMessageChunk::DataVoid { id, .. }) => Some(id.clone()),
            _ => None,
        };
        frames.iter().filter_map(id).collect::<Vec<_>>()
    };
    let first = [
        events[0].clone(),
        delta.clone(),
        reset(0),
        delta.clone(),
        reset(0),
    ];
    let sent = ids(&mut UiMessageStream::new("m"), &first);
    assert_eq!(sent, ["void-0", "void-0-2"]);
    let resumed = told.records()[1].clone();
    let mut later = UiMessageStream::new("m");
    later.catch_up(&events[0]);
    later.catch_up(&resumed);
    assert_eq!(ids(&mut later, &[delta, reset(1)]), ["void-1"]);
}

/// A client throws an error at such a key, wherever it is, and ends the stream.
#[tokio::test(start_paused = true)]
async fn keys_of_prototypes_are_sent_in_a_string() {
    let script = ScriptedModel::new([
        scripts::reply([
            scripts::call("count", r#"{"word": "tea", "__proto__": {"a": 1}}"#),
            scripts::call("count", r#"{"word": {"constructor": {"prototype": 1}}}"#),
            scripts::call(
                "count",
                r#"{"word": {"constructor": 1, "prototype": "\u0061"}}"#,
            ),
        ]),
        scripts::reply([scripts::text("Done.")]),
    ]);
    let mut run = Runner::builder(script)
        .build()
        .expect("is consistent")
        .start("Hi.");
    let mut stream = UiMessageStream::new("m");
    let mut inputs = Vec::new();
    while let Some(event) = run.next().await {
        for frame in stream.push(&event) {
            if let Some(UiMessageChunk::ToolInputAvailable { input, .. }) = frame.data {
                inputs.push(input.to_string());
            }
        }
    }
    let expected = [
        r#""{\"word\":\"tea\",\"__proto__\":{\"a\":1}}""#,
        r#""{\"word\":{\"constructor\":{\"prototype\":1}}}""#,
        r#"{"word":{"constructor":1,"prototype":"a"}}"#,
    ];
    assert_eq!(inputs, expected);
}
