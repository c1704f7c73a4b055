//! Plain server-sent events, and clients that go on from an id.

use toolwright::{
    runner::RunEvent,
    streams::{Frame, PlainStream, server_sent::PlainEvent},
};

use super::scripts;

fn frames(mut stream: PlainStream, events: &[RunEvent]) -> Vec<Frame<PlainEvent>> {
    let mut frames: Vec<_> = events.iter().flat_map(|event| stream.push(event)).collect();
    frames.extend(stream.end());
    frames
}

#[tokio::test(start_paused = true)]
async fn a_text() {
    let told = scripts::all().await.remove(0);
    let sent = frames(PlainStream::new(), &told.parts[0]);
    let text: String = sent.iter().map(Frame::to_sse).collect();
    let expected = r#"event: start
id: 0
data: {"type":"start","run_id":"RUN"}

event: reasoning
data: {"type":"reasoning","step":0,"part":0,"text":"They "}

event: reasoning
data: {"type":"reasoning","step":0,"part":0,"text":"greet."}

event: text
data: {"type":"text","step":0,"part":1,"text":"Hel"}

event: text
data: {"type":"text","step":0,"part":1,"text":"lo."}

event: reply
id: 1
data: {"type":"reply","step":0}

event: done
id: 2
data: {"type":"done","reason":"finish","finish":{"type":"answered"},"usage":{"input_tokens":10,"output_tokens":2}}

"#;
    assert_eq!(text.replace(&told.run_id(), "RUN"), expected);
}

/// A client that has everything up to an id gets the rest, and nothing twice: after each of them.
#[tokio::test(start_paused = true)]
async fn a_client_goes_on_from_any_id() {
    for told in scripts::all().await {
        let events: Vec<_> = told.parts.concat();
        for events in [&events, &told.records()] {
            let whole = frames(PlainStream::new(), events);
            for (place, frame) in whole.iter().enumerate() {
                let Some(id) = frame.id else { continue };
                let rest = frames(PlainStream::new().after(Some(id)), events);
                assert_eq!(rest, whole[place + 1..], "{} after {id}", told.name);
            }
            let ids: Vec<_> = whole.iter().filter_map(|frame| frame.id).collect();
            let records = told.records().len() as u64;
            assert!(
                ids.into_iter().eq(0..records),
                "{}: an id for each record",
                told.name
            );
        }
    }
}

/// What a client keeps that takes back what came without an id is what it has of the log alone.
#[tokio::test(start_paused = true)]
async fn what_is_reset_is_void() {
    for told in scripts::all().await {
        let text_of = |frames: &[Frame<PlainEvent>]| {
            let (mut kept, mut draft) = (String::new(), String::new());
            for frame in frames {
                match frame.data.as_ref().expect("has data") {
                    PlainEvent::Text { text, .. } => draft += text,
                    PlainEvent::Reset { .. } => draft.clear(),
                    PlainEvent::Reply { .. } => kept += &std::mem::take(&mut draft),
                    _ => {}
                }
            }
            assert_eq!(draft, "", "{}", told.name);
            kept
        };
        let live = frames(PlainStream::new(), &told.parts.concat());
        let log = frames(PlainStream::new(), &told.records());
        assert_eq!(text_of(&live), text_of(&log), "{}", told.name);
    }
}

/// A client goes on from the last id that it has. It gets none of a record that was not read.
#[tokio::test(start_paused = true)]
async fn a_record_that_is_not_read_gives_no_id() {
    let told = scripts::all().await.remove(0);
    let records = told.records();
    let mut stream = PlainStream::new();
    assert_eq!(stream.push(&records[0]).len(), 1);
    assert_eq!(stream.push(&records[2]), []);
    assert_eq!(stream.push(&records[0]), []);
    let read = stream.push(&records[1]);
    assert_eq!(read.last().and_then(|frame| frame.id), Some(1));
}

#[tokio::test(start_paused = true)]
async fn ends() {
    let end = |name: &str, told: &[scripts::Told]| {
        let told = told.iter().find(|told| told.name == name).expect("is one");
        let events = &told.parts[0];
        let last = frames(PlainStream::new(), events)
            .pop()
            .expect("has an end");
        last.to_json()
    };
    let told = scripts::all().await;
    for (name, expected) in [
        ("limit", r#"{"type":"done","reason":"max_turns_reached","#),
        (
            "cancelled_in_text",
            r#"{"type":"done","reason":"cancelled","#,
        ),
        ("approved", r#"{"type":"done","reason":"waiting"}"#),
        ("refused", r#"{"type":"done","reason":"refused","#),
        ("truncated", r#"{"type":"done","reason":"truncated","#),
        (
            "failed",
            r#"{"type":"error","code":"unavailable","message":"No answer can be given at the moment. Try again later."}"#,
        ),
    ] {
        let end = end(name, &told);
        assert!(end.starts_with(expected), "{name}: {end}");
    }
}
