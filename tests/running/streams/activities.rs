//! What a provider did itself, in the streams and as it is printed.

use serde_json::{Value, json};
use toolwright::{
    Conversation, Runner,
    runner::Printer,
    streams::{AgUiStream, PlainStream, UiMessageStream, ui_message::history},
    testing::ScriptedModel,
};

use super::scripts::{self, Told};

async fn told() -> Told {
    let all = scripts::all().await;
    all.into_iter()
        .find(|told| told.name == "searched")
        .expect("there is one")
}

fn of_type(frames: &[String], kind: &str) -> Vec<Value> {
    let frames = frames
        .iter()
        .map(|json| serde_json::from_str::<Value>(json).expect("is JSON"));
    frames.filter(|frame| frame["type"] == kind).collect()
}

#[tokio::test(start_paused = true)]
async fn clients_of_ag_ui_get_events_that_they_may_leave_out() {
    let mut stream = AgUiStream::new("t", "r");
    let told = told().await;
    let frames = told.parts[0].iter().flat_map(|event| stream.push(event));
    let frames: Vec<_> = frames.map(|frame| frame.to_json()).collect();
    let custom = of_type(&frames, "CUSTOM");
    let names: Vec<_> = custom
        .iter()
        .filter_map(|event| event["name"].as_str())
        .collect();
    let (tool, citation) = ("provider_tool", "citation");
    assert_eq!(names, [tool, tool, tool, citation, citation]);
    assert_eq!(
        custom[1]["value"],
        json!({"kind": "web_search", "id": "ws_1", "input": "Rust", "is_over": true, "sources": [
            {"url": "https://rust-lang.org", "title": "Rust"}, {"url": "https://docs.rs"}]})
    );
    assert_eq!(custom[3]["value"]["range"], json!({"start": 0, "end": 4}));
}

#[tokio::test(start_paused = true)]
async fn the_plain_stream_has_an_event_for_each() {
    let mut stream = PlainStream::new();
    let told = told().await;
    let frames = told.parts[0].iter().flat_map(|event| stream.push(event));
    let frames: Vec<_> = frames.map(|frame| frame.to_json()).collect();
    let tools = of_type(&frames, "provider_tool");
    assert_eq!(tools.len(), 3);
    assert_eq!(
        (&tools[2]["step"], &tools[2]["tool"]["failed"]),
        (&json!(0), &json!(true))
    );
    let cited = of_type(&frames, "citation");
    assert_eq!(cited.len(), 2);
    assert_eq!(
        cited[1]["citation"],
        json!({"source": {"title": "notes.txt"}})
    );
}

/// A model cites what it has read anywhere: an address that would run in the page is never one that a page links to.
#[tokio::test(start_paused = true)]
async fn only_http_and_https_become_links() {
    let told = scripts::cited_unsafely().await;
    let mut conversation = Conversation::new();
    conversation.push_user("Hi.");
    conversation.push_response(scripts::reply(scripts::unsafe_citations()));
    let mut all = vec![json!(history(&conversation))];
    for new in [
        || UiMessageStream::new("m"),
        || UiMessageStream::new("m").for_version_7(),
    ] {
        let message = new().into_message(&told.records(), false);
        all.push(json!(message.expect("is in order")));
    }
    for events in [told.records(), told.parts.concat()] {
        let (mut ui, mut plain) = (UiMessageStream::new("m"), PlainStream::new());
        let mut ag_ui = AgUiStream::new("t", "r");
        for event in &events {
            all.extend(ui.push(event).iter().map(|it| json!(it.to_json())));
            all.extend(ag_ui.push(event).iter().map(|it| json!(it.to_json())));
            all.extend(plain.push(event).iter().map(|it| json!(it.to_json())));
        }
    }
    let said = |text: &str| {
        let in_frames = text.replace('"', r#"\""#);
        let of = |it: &&Value| it.to_string().contains(text) || it.to_string().contains(&in_frames);
        all.iter().filter(of).count()
    };
    // The history, two messages, and three streams twice.
    assert_eq!(said(r#""url":"https://rust-lang.org""#), 9);
    assert_eq!(said(r#""title":"javascript:alert(1)""#), 9);
    assert_eq!(
        (said(r#""url":"javascript"#), said(r#""url":"data"#)),
        (0, 0)
    );
}

#[tokio::test]
async fn a_tool_is_printed_in_one_line() {
    for streaming in [true, false] {
        let model = ScriptedModel::new([scripts::reply(scripts::activities())]);
        let runner = Runner::builder(model)
            .streaming(streaming)
            .build()
            .expect("is consistent");
        let mut printed = Vec::new();
        let run = Printer::new(&mut printed)
            .run(runner.start("What is new?"))
            .await;
        run.expect("it ends");
        let printed = String::from_utf8(printed).expect("is text");
        let lines: Vec<_> = printed.lines().take(3).collect();
        let search = "  the provider ran web_search(Rust): 2 sources";
        let code = "  the provider ran code_execution(1 / 0): failed";
        assert_eq!(
            lines,
            [search, code, "Rust 1.95."],
            "streaming: {streaming}"
        );
    }
}
