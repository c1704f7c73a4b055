//! One server-sent event. `ui_message/chunk.rs` and `ag_ui/event.rs` have what it carries.

use serde::Serialize;

/// What would end the line of a server-sent event.
const LINE_BREAKS: [char; 2] = ['\n', '\r'];

/// One server-sent event: typed, as JSON, or as text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Frame<T> {
    /// The id of the last record in the log of the run. A client sends it when it reconnects.
    pub id: Option<u64>,
    /// The name of the event; `None` where the data says it.
    pub event: Option<&'static str>,
    /// The data; `None` for `[DONE]`, which ends a UI message stream.
    pub data: Option<T>,
}

impl<T: Serialize> Frame<T> {
    pub(super) fn of(data: T) -> Self {
        Self {
            id: None,
            event: None,
            data: Some(data),
        }
    }

    pub(super) fn done() -> Self {
        Self {
            id: None,
            event: None,
            data: None,
        }
    }

    /// Returns the data as JSON in one line; `[DONE]` if there is no data.
    pub fn to_json(&self) -> String {
        let Some(data) = &self.data else {
            return "[DONE]".to_owned();
        };
        let json = serde_json::to_string(data)
            .unwrap_or_else(|_| unreachable!("frames have no maps with other keys than strings"));
        // Inside a string they are escaped; the others stand where any space may.
        if json.contains(LINE_BREAKS) {
            return json.replace(LINE_BREAKS, " ");
        }
        json
    }

    /// Returns the text of the server-sent event, with the empty line after it.
    pub fn to_sse(&self) -> String {
        let mut text = String::new();
        if let Some(event) = self.event {
            text += "event: ";
            text += event;
            text += "\n";
        }
        if let Some(id) = self.id {
            text += "id: ";
            text += &id.to_string();
            text += "\n";
        }
        text += "data: ";
        text += &self.to_json();
        text += "\n\n";
        text
    }
}
