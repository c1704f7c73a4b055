//! The tools that a conversation has loaded.

use std::collections::HashSet;

use super::search_tools::{SEARCH_TOOLS, found};
use toolwright_core::message::Message;

/// The limit, in bytes, of a name. No tool has a longer one.
const LONGEST: usize = 64;

/// The names of the tools that a conversation has loaded, in the order of loading.
#[derive(Default)]
pub(super) struct Loaded {
    names: Vec<String>,
    known: HashSet<String>,
    /// The number of messages that were read, and of rounds of the last of them.
    read: (usize, usize),
}

impl Loaded {
    /// The names. No tool of today may have one of them.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Reads what was added to a conversation since it was read last. Nothing is ever taken away from it.
    pub(super) fn read(&mut self, messages: &[Message]) {
        let (mut message, mut round) = self.read;
        while let Some(next) = messages.get(message) {
            if let Message::Assistant(next) = next {
                let rounds = next.tool_rounds.iter().skip(round);
                for each in rounds.take_while(|round| !round.results.is_empty()) {
                    round += 1;
                    for (call, result) in each.calls().zip(&each.results) {
                        // A tool that was called under another model is known to this one as well, and so is one that was
                        // called before it was loaded.
                        let names = match &*call.name {
                            SEARCH_TOOLS => found(result),
                            name => vec![name.to_owned()],
                        };
                        for name in names {
                            self.add(name);
                        }
                    }
                }
            }
            // The last message may get more rounds.
            if message + 1 == messages.len() {
                break;
            }
            (message, round) = (message + 1, 0);
        }
        self.read = (message, round);
    }

    fn add(&mut self, name: String) {
        if name.len() <= LONGEST && self.known.insert(name.clone()) {
            self.names.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Loaded, SEARCH_TOOLS};
    use toolwright_core::{Conversation, ModelResponse, ToolCall, ToolOutput, ToolResult};

    fn round(conversation: &mut Conversation, name: &str, result: &serde_json::Value) {
        let call = ToolCall::new("a", name, "{}");
        conversation.push_response(ModelResponse::from_calls([call]));
        let output = ToolOutput::json(result).expect("it is JSON");
        let results = [ToolResult::new("a", Ok(output))];
        conversation
            .push_results(results)
            .expect("it is the result");
    }

    #[test]
    fn what_was_found_or_called_is_loaded_in_its_order() {
        let found = serde_json::json!({"tools": [{"name": "b"}, {"name": "a"}, {"name": "b"}]});
        let mut conversation = Conversation::new();
        let mut piece_by_piece = Loaded::default();
        conversation.push_user("Hello.");
        piece_by_piece.read(conversation.messages());
        round(&mut conversation, "c", &found);
        piece_by_piece.read(conversation.messages());
        round(&mut conversation, SEARCH_TOOLS, &found);
        piece_by_piece.read(conversation.messages());
        conversation.push_response(ModelResponse::from_text("Yes."));
        conversation.push_user("And then?");
        piece_by_piece.read(conversation.messages());
        round(
            &mut conversation,
            SEARCH_TOOLS,
            &serde_json::json!("nothing"),
        );
        round(&mut conversation, &"x".repeat(65), &found);
        round(&mut conversation, "d", &found);
        // It waits for its result.
        let call = ToolCall::new("a", "e", "{}");
        conversation.push_response(ModelResponse::from_calls([call]));
        piece_by_piece.read(conversation.messages());
        let mut whole = Loaded::default();
        whole.read(conversation.messages());
        for loaded in [whole, piece_by_piece] {
            assert_eq!(loaded.names().collect::<Vec<_>>(), ["c", "b", "a", "d"]);
        }
    }
}
