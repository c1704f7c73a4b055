//! What a client has is what the conversation has, however it came to it.

use toolwright::{
    Runner,
    runner::RunEvent,
    store::{ConversationId, MemoryStore},
    streams::{Frame, UiMessageStream, ui_message::UiMessageChunk},
    testing::ScriptedModel,
};

use super::{
    assembled::{Assembled, of_conversation},
    scripts::{self, Told},
};

type Stream = fn(&Told) -> UiMessageStream;

const VERSIONS: [(&str, Stream); 2] = [
    ("6", |told| UiMessageStream::new(told.run_id())),
    ("7", |told| {
        UiMessageStream::new(told.run_id()).for_version_7()
    }),
];

pub(super) fn assembled(version: &str) -> Assembled {
    let mut assembled = Assembled::default();
    if version == "7" {
        assembled.message = assembled.message.for_version_7();
    }
    assembled
}

pub(super) fn frames(
    stream: &mut UiMessageStream,
    events: &[RunEvent],
) -> Vec<Frame<UiMessageChunk>> {
    let mut frames: Vec<_> = events.iter().flat_map(|event| stream.push(event)).collect();
    frames.extend(stream.end());
    frames
}

/// The frames of each request of a client, as they were sent.
pub(super) fn live(told: &Told, stream: Stream) -> Vec<Vec<Frame<UiMessageChunk>>> {
    let mut all = Vec::new();
    for part in 0..told.parts.len() {
        let mut stream = stream(told);
        for event in told.parts[..part].iter().flatten() {
            stream.catch_up(event);
        }
        all.push(frames(&mut stream, &told.parts[part]));
    }
    all
}

#[tokio::test(start_paused = true)]
async fn live_frames_and_those_of_the_log_are_the_conversation() {
    for told in scripts::all().await {
        for (version, stream) in VERSIONS {
            let name = format!("{} for `ai` {version}", told.name);
            let mut lived = assembled(version);
            for frames in live(&told, stream) {
                lived.take(&frames);
                assert!(lived.is_done, "{name}");
            }
            let mut replayed = assembled(version);
            replayed.take(&frames(&mut stream(&told), &told.records()));
            assert_eq!(lived.shown(), replayed.shown(), "{name}");
            assert_eq!(lived.finish, replayed.finish, "{name}");
            assert_eq!(lived.message.id(), told.run_id(), "{name}");
            assert_eq!(replayed.message.id(), told.run_id(), "{name}");
            let mut shown = lived.shown();
            if told.is_broken_off {
                shown.retain(|part| part["type"] != "reasoning");
            }
            assert_eq!(shown, of_conversation(&told.run_id(), &told.said), "{name}");
        }
    }
}

/// A client that reads a run from its start has nothing that is void: records are never taken back.
#[tokio::test(start_paused = true)]
async fn nothing_of_the_log_is_void() {
    for told in scripts::all().await {
        let sent = frames(&mut VERSIONS[0].1(&told), &told.records());
        let is_void =
            |frame: &Frame<_>| matches!(frame.data, Some(UiMessageChunk::DataVoid { .. }));
        assert!(!sent.iter().any(is_void), "{}", told.name);
        // Everything that was sent without one is the answer of `ai` 6 as well.
        let void = live(&told, VERSIONS[0].1).concat();
        let has_reset = [
            "cancelled_in_a_call",
            "asked_again_after_reasoning",
            "searched_again",
            "driven_anew",
            "heard_otherwise",
            "heard_in_a_snapshot",
            "corrected",
            "cancelled_in_reasoning",
            "said_beside_a_void_reply",
        ];
        assert_eq!(
            void.iter().any(is_void),
            has_reset.contains(&told.name),
            "{}",
            told.name
        );
    }
}

/// A reader that reads one event twice shows it once.
#[tokio::test(start_paused = true)]
async fn a_record_that_comes_twice_is_shown_once() {
    for told in scripts::all().await {
        let records = told.records();
        let twice: Vec<_> = records
            .iter()
            .flat_map(|record| [record.clone(), record.clone()])
            .collect();
        let once = Assembled::of(&frames(&mut VERSIONS[0].1(&told), &records));
        let twice = Assembled::of(&frames(&mut VERSIONS[0].1(&told), &twice));
        assert_eq!(once.message, twice.message, "{}", told.name);
    }
}

/// The texts of errors that only logs are for stay there.
#[tokio::test(start_paused = true)]
async fn errors_of_providers_are_not_told() {
    let failed = scripts::all()
        .await
        .into_iter()
        .find(|told| told.name == "failed")
        .expect("is one");
    let sent = |stream: &mut UiMessageStream| {
        let frames = frames(stream, &failed.parts[0]);
        frames
            .iter()
            .map(Frame::to_json)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert!(!sent(&mut UiMessageStream::new("m")).contains("secret"));
    assert!(sent(&mut UiMessageStream::new("m").with_error_details()).contains("secret"));
}

/// Readers of a store, of which one begins with the run and one comes when it is over, have the part of the conversation that
/// their run has added to it.
#[tokio::test(start_paused = true)]
async fn readers_of_a_store_have_the_conversation() {
    let replies = [
        scripts::reply([scripts::text("First.")]),
        scripts::reply([scripts::thought("Hm."), scripts::text("Second.")]),
    ];
    let runner = Runner::builder(ScriptedModel::new(replies)).store("chat", MemoryStore::new());
    let runner = runner.build().expect("is consistent");
    let chat = |question: &str| runner.request(question).within(ConversationId::new("chat"));
    chat("One?").run().await.expect("answers");
    let run = chat("Two?").start().detach();
    let id = run.id().clone();
    let read = async || {
        let mut stream = UiMessageStream::new(id.as_str());
        let mut reader = runner.attach(&id, None).await.expect("is kept");
        let mut frames = Vec::new();
        while let Some(event) = reader.next().await {
            frames.extend(stream.push(&event.expect("is read")));
        }
        frames.extend(stream.end());
        Assembled::of(&frames)
    };
    let along = read().await;
    let outcome = run.outcome().await.expect("answers");
    let later = read().await;
    let expected = of_conversation(id.as_str(), &outcome.conversation.messages()[3..]);
    assert_eq!(along.shown(), expected);
    assert_eq!(later.shown(), expected);
    assert_eq!(
        (along.finish.as_deref(), later.finish.as_deref()),
        (Some("Stop"), Some("Stop"))
    );
}
