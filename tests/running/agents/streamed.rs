//! What front ends show of sub-agents: the output so far of the call.

use toolwright::{
    runner::RunEvent,
    streams::{AgUiStream, PlainStream, UiMessageStream},
};

use super::{agent, asks, calls, runner, says};
use crate::handwritten::echo;

/// The events of a run with an agent that has an agent that calls a tool.
async fn events() -> Vec<RunEvent> {
    let inner = runner([calls([("echo", "{}")]), says("found")], [echo()]);
    let middle = runner([asks("inner"), says("passed on")], [agent(&inner, "inner")]);
    let mut handle = runner([asks("middle"), says("end")], [agent(&middle, "middle")]).start("?");
    let mut events = Vec::new();
    while let Some(event) = handle.next().await {
        events.push(event);
    }
    events
}

#[tokio::test]
async fn every_protocol_shows_what_agents_do() {
    let events = events().await;
    let mut plain = PlainStream::new();
    let mut ui = UiMessageStream::new("message");
    let mut ag_ui = AgUiStream::new("thread", "run");
    let mut streams: [String; 3] = Default::default();
    for event in &events {
        for frame in plain.push(event) {
            streams[0].push_str(&frame.to_sse());
        }
        for frame in ui.push(event) {
            streams[1].push_str(&frame.to_sse());
        }
        for frame in ag_ui.push(event) {
            streams[2].push_str(&frame.to_sse());
        }
    }
    for stream in streams {
        for line in [
            "middle calls inner",
            "middle > inner calls echo",
            "middle > inner: found",
            "middle: passed on",
        ] {
            assert!(stream.contains(line), "{line}: {stream}");
        }
        // Of the text of an agent nothing is text of the answer.
        assert!(!stream.contains("foundpassed"), "{stream}");
    }
}
