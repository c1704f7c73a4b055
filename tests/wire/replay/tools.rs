//! Tools that return what they returned when a conversation was recorded.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use toolwright::{
    Tool, ToolCall, ToolContext, ToolDefinition, ToolError, ToolResult, Toolset, tool::Call,
};

/// The results of the question under way that are still to be returned, round by round. The calls of a
/// round are run one by one, in their order.
pub(crate) type Rounds = Arc<Mutex<VecDeque<VecDeque<ToolResult>>>>;

struct Recorded {
    definition: ToolDefinition,
    rounds: Rounds,
}

impl Tool for Recorded {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, _: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        let mut rounds = self.rounds.lock().expect("nothing panics while it is held");
        let round = usize::try_from(cx.round()).expect("is small");
        let result = rounds.get_mut(round).and_then(VecDeque::pop_front);
        Call::ready(match result {
            Some(result) => result.outcome.map_err(|error| *error),
            None => Err(ToolError::not_found("this call was not recorded")),
        })
    }
}

/// A toolset of these definitions.
pub(crate) fn toolset(definitions: Vec<ToolDefinition>, rounds: &Rounds) -> Toolset {
    definitions
        .into_iter()
        .fold(Toolset::new(), |tools, definition| {
            let rounds = Arc::clone(rounds);
            let tool = Recorded { definition, rounds };
            tools
                .with(tool)
                .expect("the recorded tools have names of their own")
        })
}
