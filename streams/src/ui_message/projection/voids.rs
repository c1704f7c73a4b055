//! Replies that are void.

use super::{Frames, UiMessageStream, Version, send};
use crate::ui_message::chunk::{UiMessageChunk, VoidData};
use toolwright_core::run::CallId;

/// Where replies were void. The ids of the parts that say so are unique in the message, also over several requests: a
/// request goes on with a later record than the one before.
#[derive(Debug, Default)]
pub(super) struct Voids {
    /// The place of the last record before the last of them.
    place: Option<u64>,
    /// The number of them after that record.
    count: u32,
}

impl Voids {
    fn next_id(&mut self, place: Option<u64>) -> String {
        if self.place != place {
            *self = Self { place, count: 0 };
        }
        self.count += 1;
        let place = place.unwrap_or_default();
        match self.count {
            1 => format!("void-{place}"),
            again => format!("void-{place}-{again}"),
        }
    }
}

impl UiMessageStream {
    /// Says that what the step has shown is void.
    pub(super) fn void(&mut self, step: u32, calls: Vec<(CallId, String)>, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        if self.version == Version::Seven {
            return send(frames, Chunk::ResetStep);
        }
        for (call, tool_name) in calls {
            send(
                frames,
                Chunk::ToolInputError {
                    tool_call_id: self.tool_call_id(call),
                    tool_name,
                    input: String::new(),
                    error_text: "the response with this call broke off: the call is void"
                        .to_owned(),
                },
            );
        }
        let id = self.voids.next_id(self.reading.last());
        let data = VoidData { step };
        send(frames, Chunk::DataVoid { id, data });
        send(frames, Chunk::FinishStep);
        send(frames, Chunk::StartStep);
    }
}
