//! Responses that are streamed: what a reader sees of them, and when.

use std::{
    iter::repeat_with,
    task::{Context, Poll, Waker},
};

use futures_util::stream;
use toolwright::{
    ChatModel, Message,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{FinishReason, ModelEvent, ModelRequest, ModelStream},
};

use super::tools;

fn request() -> ModelRequest {
    ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned())
}

/// A model that writes a text of so many pieces, and never waits.
struct Pieces(usize);

impl ChatModel for Pieces {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let pieces = repeat_with(|| ModelEvent::Text("word ".into())).take(self.0);
        let (reason, raw) = (FinishReason::Stop, None);
        let events = pieces.chain([ModelEvent::Finished { reason, raw }]);
        Box::pin(stream::iter(events.map(Ok)))
    }
}

/// Others have their turn now and then, and not at each event.
#[test]
fn a_model_that_never_waits_is_read_in_turns_of_many_events() {
    let facts = ModelFacts::default().with_calls(CallForm::Native);
    let model = Emulated::new(Pieces(10_000), ToolEmulation::Fallback);
    let model = model.with_memory(InMemory::new(facts));
    let request = request();
    let mut stream = model.stream(&request);
    let mut cx = Context::from_waker(Waker::noop());
    let (mut events, mut waits) = (0, 0);
    loop {
        match stream.as_mut().poll_next(&mut cx) {
            Poll::Ready(Some(event)) => {
                event.expect("is one");
                events += 1;
            }
            Poll::Ready(None) => break,
            Poll::Pending => waits += 1,
        }
    }
    assert_eq!(events, 10_001);
    assert!((10..=100).contains(&waits), "{waits}");
}
