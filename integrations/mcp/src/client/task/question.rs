//! The questions of a task.

use std::collections::HashSet;

use rmcp::model::{
    ClientRequest, InputRequests, InputResponses, UpdateTaskParams, UpdateTaskRequest,
};
use toolwright_core::{ToolContext, ToolError};

use crate::client::{asking::Asking, failure};

/// The questions that have an answer: a server may show them for a while after that.
#[derive(Default)]
pub(super) struct Questions(HashSet<String>);

/// The largest number of questions of a task.
const MAX_QUESTIONS: usize = 100;

impl Questions {
    /// Asks a person what was not asked; `None` if all was.
    pub(super) async fn answers(
        &mut self,
        asking: &Asking,
        mut asked: InputRequests,
        cx: &ToolContext,
    ) -> Result<Option<InputResponses>, ToolError> {
        asked.retain(|key, _| !self.0.contains(key));
        if self.0.len() + asked.len() > MAX_QUESTIONS {
            return Err(failure::too_many_questions());
        }
        self.0.extend(asked.keys().cloned());
        if asked.is_empty() {
            return Ok(None);
        }
        let answers = asking.answer_all(asked, 0, cx).await;
        answers.map(Some).map_err(|why| failure::unasked(&why))
    }
}

/// The request that tells the answers to the server.
pub(super) fn answer(task: &str, answers: &InputResponses) -> ClientRequest {
    UpdateTaskRequest::new(UpdateTaskParams::new(task, answers.clone())).into()
}
