//! The events of AG-UI.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolwright::{
    runner::RunEvent,
    streams::{
        AgUiStream,
        ag_ui::{self, AgUiRequest},
        ui_message::ChatRequestLimits,
    },
    tool::JsonText,
};

use super::scripts::{self, Told};

fn events(mut stream: AgUiStream, before: &[RunEvent], events: &[RunEvent]) -> Vec<Value> {
    for event in before {
        stream.catch_up(event);
    }
    let mut frames: Vec<_> = events.iter().flat_map(|event| stream.push(event)).collect();
    frames.extend(stream.end());
    let json = frames
        .iter()
        .map(|frame| serde_json::from_str(&frame.to_json()));
    json.collect::<Result<_, _>>().expect("is JSON")
}

/// The events of each request of a client.
fn live(told: &Told) -> Vec<Vec<Value>> {
    let of = |part: usize| {
        let before = told.parts[..part].concat();
        events(
            AgUiStream::new("thread", format!("request-{part}")),
            &before,
            &told.parts[part],
        )
    };
    (0..told.parts.len()).map(of).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["type"].as_str().expect("has a type"))
        .collect()
}

/// The rules that the client of AG-UI checks: what is open, and what may follow.
fn verify(events: &[Value], name: &str) {
    let (mut open, mut is_over) = (BTreeSet::new(), false);
    assert_eq!(events[0]["type"], "RUN_STARTED", "{name}");
    for event in events {
        assert!(!is_over, "{name}: {event} after the end");
        let kind = event["type"].as_str().expect("has a type");
        let field = match kind {
            kind if kind.starts_with("TOOL_CALL") => "toolCallId",
            kind if kind.starts_with("STEP") => "stepName",
            _ => "messageId",
        };
        let id = event[field].as_str().unwrap_or_default();
        let key = |kind: &str| format!("{kind} {id}");
        if kind == "MESSAGES_SNAPSHOT" {
            let is_step = |key: &String| key.starts_with("STEP");
            assert!(open.iter().all(is_step), "{name}: {open:?} at a snapshot");
        }
        match kind.rsplit_once('_') {
            Some((kind, "START" | "STARTED")) if kind != "RUN" => {
                assert!(open.insert(key(kind)), "{name}: {event} is open");
            }
            Some((kind, "CONTENT" | "ARGS")) => {
                assert!(open.contains(&key(kind)), "{name}: {event} is not open");
            }
            Some((kind, "END")) => assert!(open.remove(&key(kind)), "{name}: {event} is not open"),
            Some(("STEP", "FINISHED")) => assert!(open.remove(&key("STEP")), "{name}: {event}"),
            Some(("RUN", "FINISHED")) => {
                assert!(open.is_empty(), "{name}: {open:?} at the end");
                is_over = true;
            }
            Some(("RUN", "ERROR")) => is_over = true,
            _ => {}
        }
    }
    assert!(is_over, "{name} has no end");
}

#[tokio::test(start_paused = true)]
async fn every_stream_is_one_that_the_client_takes() {
    for told in scripts::all().await {
        for events in live(&told) {
            verify(&events, told.name);
        }
        let log = events(
            AgUiStream::new("t", "r").from_snapshot(),
            &[],
            &told.records(),
        );
        verify(&log, told.name);
        assert_eq!(kinds(&log)[1], "MESSAGES_SNAPSHOT");
    }
}

async fn told(name: &str) -> Told {
    let mut all = scripts::all().await.into_iter();
    all.find(|told| told.name == name).expect("is one")
}

#[tokio::test(start_paused = true)]
async fn a_run_that_waits_is_interrupted() {
    let told = told("approved").await;
    let [first, second] = &live(&told)[..] else {
        panic!("there are two requests")
    };
    let end = first.last().expect("has an end");
    assert_eq!(end["outcome"]["type"], "interrupt");
    let interrupts = end["outcome"]["interrupts"].as_array().expect("is a list");
    let calls: Vec<_> = interrupts
        .iter()
        .map(|one| one["toolCallId"].clone())
        .collect();
    let run = told.run_id();
    assert_eq!(calls, [format!("{run}:0.0"), format!("{run}:0.2")]);
    assert_eq!(interrupts[0]["id"], format!("{run}:0.0:approval"));
    // What runs if it is approved, which may be other than what the model wrote.
    assert_eq!(
        interrupts[0]["metadata"],
        serde_json::json!({"toolName": "pay", "arguments": {"euros": 1}})
    );
    assert_eq!(second[0]["runId"], "request-1");
    let results = second
        .iter()
        .filter(|event| event["type"] == "TOOL_CALL_RESULT");
    assert_eq!(results.count(), 2);
    assert_eq!(
        second.last().expect("has an end")["outcome"]["type"],
        "success"
    );
    // The result of the call that needed no approval was in the first stream.
    assert!(kinds(first).contains(&"TOOL_CALL_RESULT"));
}

/// The stream for a request of a client that speaks this version.
fn requested(version: Option<&str>) -> AgUiStream {
    let mut body = json!({
        "threadId": "t", "runId": "r", "messages": [{"id": "u", "role": "user", "content": "Hi."}],
    });
    if let Some(version) = version {
        body["protocolVersion"] = version.into();
    }
    let limits = ChatRequestLimits::default();
    let request = AgUiRequest::from_json(body.to_string().as_bytes(), &limits);
    request.expect("is sound").stream()
}

/// The last event, and the names of the events of our own.
fn end_of(events: &[Value]) -> (&Value, Vec<&str>) {
    let names = events.iter().filter_map(|event| event["name"].as_str());
    (events.last().expect("has an end"), names.collect())
}

/// The application answers, and no interrupt is asked of anybody. A client before 1.0 refuses the ids in the outcome.
#[tokio::test(start_paused = true)]
async fn a_run_that_waits_for_the_application_names_the_calls() {
    let told = told("answered").await;
    let call = format!("{}:0.0", told.run_id());
    let first = events(requested(Some("1.0")), &[], &told.parts[0]);
    let expected = json!({"type": "success", "pendingToolCallIds": [call]});
    assert_eq!(end_of(&first).0["outcome"], expected);
    let first = events(requested(None), &[], &told.parts[0]);
    let (end, names) = end_of(&first);
    assert_eq!(end["outcome"], json!({"type": "success"}));
    assert_eq!(names, ["pending_tool_calls"]);
    assert_eq!(first[first.len() - 2]["value"], json!([call]));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_says_so_to_clients_of_every_version() {
    let told = told("cancelled_in_text").await;
    let all = events(requested(Some("1.0")), &[], &told.records());
    assert_eq!(end_of(&all).0["outcome"], json!({"type": "cancelled"}));
    let all = events(requested(None), &[], &told.records());
    let (end, names) = end_of(&all);
    assert_eq!(end["outcome"], Value::Null);
    assert_eq!(names.last(), Some(&"cancelled"));
}

#[tokio::test(start_paused = true)]
async fn calls_belong_to_the_message_of_their_reply() {
    let told = told("two_rounds").await;
    let run = told.run_id();
    for events in [
        live(&told).concat(),
        events(AgUiStream::new("t", "r"), &[], &told.records()),
    ] {
        let calls = events
            .iter()
            .filter(|event| event["type"] == "TOOL_CALL_START");
        for call in calls {
            let id = call["toolCallId"].as_str().expect("is text");
            let (_, place) = id.rsplit_once(':').expect("has the run");
            let (round, _) = place.split_once('.').expect("has a round");
            assert_eq!(call["parentMessageId"], format!("{run}:{round}"));
        }
    }
}

/// A snapshot takes back the pieces of a reply that comes anew, and has all before it.
#[tokio::test(start_paused = true)]
async fn void_pieces_are_taken_back_by_a_snapshot() {
    let told = told("driven_anew").await;
    let events = live(&told).concat();
    let expected = [
        "RUN_STARTED",
        "STEP_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "MESSAGES_SNAPSHOT",
        "TEXT_MESSAGE_START",
    ];
    assert_eq!(kinds(&events)[..7], expected);
    let messages = &events[5]["messages"];
    assert_eq!(
        *messages,
        serde_json::json!([{"role": "user", "id": "history-0", "content": "Hi."}])
    );
}

#[test]
fn the_state_is_that_of_the_application() {
    let state = JsonText::new("{\"page\":\r\n1}").expect("is JSON");
    let frame = ag_ui::state_snapshot(state);
    assert_eq!(
        frame.to_sse(),
        "data: {\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"page\":  1}}\n\n"
    );
}
