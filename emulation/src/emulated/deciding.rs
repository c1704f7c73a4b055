//! The decision which tools are called.

use futures_util::StreamExt as _;
use toolwright_core::{
    ChatModel, ToolCall,
    model::{FinishReason, ModelError, ModelErrorKind, ModelRequest, ModelResponse, collect},
};

use super::{Decided, EarlierRequests, Turn};
use crate::{
    TextSource,
    decision::{self, Problem, Verdict, verdict},
};

impl<M: ChatModel> Turn<'_, M> {
    /// Asks the model which tools to call, at most twice; `None` if it calls none.
    pub(super) async fn decide(
        &self,
        spent: &mut EarlierRequests,
    ) -> Result<Option<Decided>, ModelError> {
        let older = self.emulated.older_bytes;
        let constrains = !self.emulated.facts().refuses_answer_schema;
        let mut request = decision::request(self.request, older, constrains);
        let (mut response, mut verdict) = self.ask(&mut request, spent).await?;
        if let Verdict::Unusable { problem, .. } = &verdict
            && !is_refused(&response)
        {
            decision::correct(&mut request, &response.text, problem);
            (response, verdict) = self.ask(&mut request, spent).await?;
        }
        let calls = match verdict {
            Verdict::Calls(calls) => calls,
            Verdict::None => return Ok(None),
            Verdict::Unusable { problem, usable } => self.settle(&problem, usable, spent).await?,
        };
        if calls.is_empty() {
            return Ok(None);
        }
        Ok(Some(Decided {
            calls,
            model: response.model,
        }))
    }

    /// What a decision means that was not usable twice: the calls in it that can be used, else none, if the choice lets
    /// it be none.
    async fn settle(
        &self,
        problem: &Problem,
        usable: Vec<ToolCall>,
        spent: &EarlierRequests,
    ) -> Result<Vec<ToolCall>, ModelError> {
        if usable.is_empty() && decision::needs_call(self.request) {
            let message = format!("the model had to call a tool and did not, twice: {problem}");
            let error = ModelError::new(ModelErrorKind::ToolChoiceUnmet, message);
            let error = error.with_code("tool_choice_unmet");
            return Err(spent.ended(error));
        }
        let message = format!("the model's decision about tools was not used whole: {problem}");
        self.warn("decision_not_usable", &message).await;
        Ok(usable)
    }

    /// The whole response to a request.
    async fn whole(
        &self,
        request: &ModelRequest,
        spent: &EarlierRequests,
    ) -> Result<ModelResponse, ModelError> {
        let events = self.emulated.model.unstreamed(request);
        let noted = events.inspect(|event| {
            if let Ok(event) = event {
                self.note(event, spent);
            }
        });
        collect(Box::pin(noted)).await
    }

    /// Sends a decision request. A server that refuses its answer schema is asked once more without.
    async fn ask(
        &self,
        request: &mut ModelRequest,
        spent: &mut EarlierRequests,
    ) -> Result<(ModelResponse, Verdict), ModelError> {
        self.count_and_begin(spent).await;
        let mut answered = self.whole(request, spent).await;
        if let Err(error) = &answered
            && error.kind == ModelErrorKind::InvalidRequest
            && request.answer_schema.is_some()
        {
            spent.add_failed(error);
            request.answer_schema = None;
            self.count_and_begin(spent).await;
            answered = self.whole(request, spent).await;
            if answered.is_ok() {
                self.emulated
                    .learn(|facts| facts.refuses_answer_schema = true);
            }
        }
        let response = match answered {
            Ok(response) => response,
            Err(error) => {
                spent.add_failed(&error);
                self.count(spent).await;
                return Err(spent.ended(error));
            }
        };
        spent.add(&response);
        self.count(spent).await;
        let text = self.text.clone().with_source(TextSource::Decision);
        let (read, opens_reasoning) = text.read(&response.text);
        if opens_reasoning {
            self.learn_reasoning(false).await;
        }
        let verdict = match verdict(self.request, &response.text, read) {
            Verdict::None => Verdict::None,
            // Nobody is to run what may be a part of what the model meant.
            _ if response.finish_reason.forbids_execution() => Verdict::Unusable {
                problem: Problem::NotWhole,
                usable: Vec::new(),
            },
            verdict => verdict,
        };
        Ok((response, verdict))
    }
}

fn is_refused(response: &ModelResponse) -> bool {
    matches!(
        response.finish_reason,
        FinishReason::ContentFilter | FinishReason::Refusal
    )
}
