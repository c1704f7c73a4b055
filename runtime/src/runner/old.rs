//! To go.
#![allow(missing_docs)]

use super::{Answer, AnswerError, RunHandle, Runner, TypedAnswer, typed::AnswerType};
use toolwright_core::{
    Conversation, UserMessage,
    run::{Resolution, ResumeError, RunError, RunId, RunOutcome, StoredRun},
};

pub type AnswerHandle<T> = RunHandle<Answer<T>>;

impl Runner {
    pub async fn run_in(
        &self,
        conversation: &mut Conversation,
        input: impl Into<UserMessage>,
    ) -> Result<RunOutcome, RunError> {
        self.request(input).within(conversation).run().await
    }

    pub fn start_in(&self, conversation: Conversation, input: impl Into<UserMessage>) -> RunHandle {
        self.request(input).within(conversation).start()
    }

    pub async fn run_as<T: TypedAnswer>(
        &self,
        input: impl Into<UserMessage>,
    ) -> Result<Answer<T>, AnswerError> {
        self.request(input).answer_as().run().await
    }

    pub async fn run_in_as<T: TypedAnswer>(
        &self,
        conversation: &mut Conversation,
        input: impl Into<UserMessage>,
    ) -> Result<Answer<T>, AnswerError> {
        let request = self.request(input).within(conversation);
        request.answer_as().run().await
    }

    pub fn start_as<T: TypedAnswer>(&self, input: impl Into<UserMessage>) -> AnswerHandle<T> {
        self.request(input).answer_as().start()
    }

    pub fn start_in_as<T: TypedAnswer>(
        &self,
        conversation: Conversation,
        input: impl Into<UserMessage>,
    ) -> AnswerHandle<T> {
        self.request(input).within(conversation).answer_as().start()
    }

    pub fn resume_with_as<T: TypedAnswer>(
        &self,
        stored: StoredRun,
        resolutions: impl IntoIterator<Item = Resolution>,
    ) -> Result<AnswerHandle<T>, ResumeError> {
        let answer = AnswerType::of::<T>();
        self.go_on(stored, resolutions.into_iter().collect(), Some(answer))
    }

    pub async fn resume_as<T: TypedAnswer>(
        &self,
        run_id: &RunId,
    ) -> Result<AnswerHandle<T>, ResumeError> {
        let answer = AnswerType::of::<T>();
        let handle = self.resume_if(run_id, |_| true, Some(answer)).await?;
        Ok(handle.expect("every run goes on"))
    }
}
