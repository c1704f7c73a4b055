//! A hand-over, as each protocol tells it.

use toolwright::{
    runner::RunEvent,
    streams::{AgUiStream, Frame, PlainStream, UiMessageStream},
};

use super::scripts::{self, Told};

async fn told() -> Told {
    let mut all = scripts::all().await.into_iter();
    let told = all.find(|told| told.name == "handed_over");
    told.expect("is one")
}

/// The frames that speak of it, among those of all events.
fn of<T: serde::Serialize>(
    events: &[RunEvent],
    push: impl FnMut(&RunEvent) -> Vec<Frame<T>>,
) -> Vec<String> {
    let frames = events.iter().flat_map(push);
    let frames = frames.map(|frame| frame.to_json());
    frames.filter(|json| json.contains(r#""to":"#)).collect()
}

#[tokio::test(start_paused = true)]
async fn each_protocol_tells_who_goes_on() {
    let told = told().await;
    // As it came, and to somebody who comes late.
    for events in [&told.parts[0], &told.records()] {
        let mut ui = UiMessageStream::new("m");
        let expected = [
            r#"{"type":"data-transfer","id":"transfer-0.0","data":{"from":"main","to":"billing"}}"#,
            r#"{"type":"data-transfer","id":"transfer-1.1","data":{"from":"billing","to":"main"}}"#,
        ];
        assert_eq!(of(events, |event| ui.push(event)), expected);
        let mut ag_ui = AgUiStream::new("t", "r");
        let expected = [
            r#"{"type":"CUSTOM","name":"transfer","value":{"from":"main","to":"billing"}}"#,
            r#"{"type":"CUSTOM","name":"transfer","value":{"from":"billing","to":"main"}}"#,
        ];
        assert_eq!(of(events, |event| ag_ui.push(event)), expected);
        let mut plain = PlainStream::new();
        let expected = [
            r#"{"type":"transfer","call":"0.0","from":"main","to":"billing"}"#,
            r#"{"type":"transfer","call":"1.1","from":"billing","to":"main"}"#,
        ];
        assert_eq!(of(events, |event| plain.push(event)), expected);
    }
}
