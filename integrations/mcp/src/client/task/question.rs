//! The questions of a task.

use std::collections::HashMap;

use rmcp::model::{
    ClientRequest, ElicitRequestParams, InputRequest, InputRequests, InputResponses,
    UpdateTaskParams, UpdateTaskRequest,
};
use toolwright_core::{ToolContext, ToolError};

use crate::client::{
    asking::{Asking, MAX_QUESTIONS},
    failure,
};

/// The questions of a task by their keys.
#[derive(Default)]
pub(super) struct Questions {
    known: HashMap<String, State>,
    /// The number of times that a person was asked.
    asked: usize,
}

enum State {
    /// It has an answer: a server may show it for a while after that.
    Answered,
    /// The server did not take so many answers, the last one for this reason.
    Refused { times: usize, why: String },
}

/// The largest number of answers to a question that the server may refuse.
const MAX_REFUSED: usize = 3;
/// The largest number of characters of a reason that a person reads.
const MAX_REASON: usize = 1_000;

impl Questions {
    /// Asks a person what has no answer; `None` if all has one.
    pub(super) async fn answers(
        &mut self,
        asking: &Asking,
        mut asked: InputRequests,
        cx: &ToolContext,
    ) -> Result<Option<InputResponses>, ToolError> {
        asked.retain(|key, _| !matches!(self.known.get(key), Some(State::Answered)));
        self.asked += asked.len();
        if self.asked > MAX_QUESTIONS {
            return Err(failure::too_many_questions());
        }
        let mut answers = InputResponses::new();
        for (key, mut question) in asked {
            let mut before = 0;
            if let Some(State::Refused { times, why }) = self.known.get(&key) {
                // In a run the next attempt would find the refused answer, and send it again.
                let max = if asking.is_in_runs() { 1 } else { MAX_REFUSED };
                if *times == max {
                    return Err(failure::refused_answer(why));
                }
                explain(&mut question, why);
                before = *times;
            }
            let question = [(key, question)].into();
            let answer = asking
                .answer_all(question, &format!("task {before}"), cx)
                .await;
            answers.extend(answer.map_err(|why| failure::unasked(&why))?);
        }
        Ok(Some(answers).filter(|answers| !answers.is_empty()))
    }

    /// Notes whether the server has taken answers. A question whose answer was refused is asked again, if the server still
    /// shows it: the task may have ended meanwhile.
    pub(super) fn told(&mut self, answers: InputResponses, refused: Option<&str>) {
        for key in answers.into_keys() {
            let state = match (refused, self.known.get(&key)) {
                (None, _) => State::Answered,
                (Some(why), before) => {
                    let before = match before {
                        Some(State::Refused { times, .. }) => *times,
                        _ => 0,
                    };
                    let why = why.chars().take(MAX_REASON).collect();
                    let times = before + 1;
                    State::Refused { times, why }
                }
            };
            self.known.insert(key, state);
        }
    }
}

/// Puts the reason for which the last answer was refused before the question.
fn explain(question: &mut InputRequest, why: &str) {
    if let InputRequest::Elicitation(asked) = question
        && let ElicitRequestParams::FormElicitationParams { message, .. }
        | ElicitRequestParams::UrlElicitationParams { message, .. } = &mut asked.params
    {
        *message = format!("The server refused the last answer: {why}\n\n{message}");
    }
}

/// The request that tells the answers to the server.
pub(super) fn answer(task: &str, answers: &InputResponses) -> ClientRequest {
    UpdateTaskRequest::new(UpdateTaskParams::new(task, answers.clone())).into()
}
