//! Runs whose answer is a value of a type.

mod check;
mod error;
mod final_tool;
mod form;
mod handle;

pub(super) use check::AnswerCheck;
pub use error::AnswerError;
pub(super) use final_tool::FinalTool;
pub(super) use form::{AnswerOutput, AnswerType, check_levels};
pub use handle::{Answer, AnswerHandle};

use serde::de::DeserializeOwned;

use crate::Runner;
use toolwright_core::run::RunId;
use toolwright_core::{
    Conversation, ToolInput, UserMessage,
    run::{Resolution, ResumeError, StoredRun},
};

impl Runner {
    /// Runs a question in a conversation of its own, to an answer that is a value of a type: a struct, an enum, a list, a
    /// number.
    ///
    /// The schema of the type goes to the provider where that holds its models to schemas, with the tools of the runner
    /// beside it. Elsewhere a tool `final_answer` is offered with the others, whose arguments are the answer; and a model
    /// that takes neither is told the schema in words. An answer that does not fit the type, or a constraint of it, is told
    /// to the model with the reason, which answers again: twice, unless
    /// [`answer_corrections`](crate::RunnerBuilder::answer_corrections) says otherwise. A run that reaches a limit is asked
    /// for an answer of the same form.
    ///
    /// A text is read with what stands around its JSON, such as a code fence, and JSON that is almost right where it has one
    /// reading.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, ToolInput, testing::ScriptedModel};
    ///
    /// /// What a message is about.
    /// #[derive(Debug, PartialEq, serde::Deserialize, ToolInput)]
    /// #[serde(rename_all = "snake_case")]
    /// enum Topic {
    ///     Billing,
    ///     Delivery,
    /// }
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text(r#"{"answer": "delivery"}"#)]);
    /// let runner = Runner::builder(model).build()?;
    /// let topic = runner.run_as::<Topic>("Where is my parcel?").await?.value;
    /// assert_eq!(topic, Topic::Delivery);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// When the run failed, also since no answer of it fits, whose text is then in the error:
    /// [`AnswerError::Failed`]. When it ended without an answer: [`AnswerError::NoAnswer`]. Both hold the outcome.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// # Cancel safety
    ///
    /// As [`run`](Self::run).
    pub async fn run_as<T: ToolInput + DeserializeOwned + Send + 'static>(
        &self,
        input: impl Into<UserMessage>,
    ) -> Result<Answer<T>, AnswerError> {
        self.start_as(input).answer().await
    }

    /// Runs a question in a conversation that goes on, to an answer that is a value of a type. The conversation gets what
    /// the run added, whether there is such an answer or not.
    ///
    /// # Errors
    ///
    /// As [`run_as`](Self::run_as).
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and leaves the conversation as it was.
    pub async fn run_in_as<T: ToolInput + DeserializeOwned + Send + 'static>(
        &self,
        conversation: &mut Conversation,
        input: impl Into<UserMessage>,
    ) -> Result<Answer<T>, AnswerError> {
        let handle = self.start_in_as(conversation.clone(), input);
        let result = handle.answer().await;
        let outcome = match &result {
            Ok(answer) => &answer.outcome,
            Err(error) => error.outcome(),
        };
        conversation.clone_from(&outcome.conversation);
        result
    }

    /// Begins a run in a conversation of its own, whose answer is a value of a type, and gives the handle to it: a stream
    /// of events, and in the end [the answer](AnswerHandle::answer).
    pub fn start_as<T: ToolInput + DeserializeOwned + Send + 'static>(
        &self,
        input: impl Into<UserMessage>,
    ) -> AnswerHandle<T> {
        self.start_in_as(Conversation::new(), input)
    }

    /// Begins a run in a conversation that goes on, whose answer is a value of a type.
    pub fn start_in_as<T: ToolInput + DeserializeOwned + Send + 'static>(
        &self,
        conversation: Conversation,
        input: impl Into<UserMessage>,
    ) -> AnswerHandle<T> {
        let answer = AnswerType::of::<T>();
        let last = answer.last();
        AnswerHandle::new(self.begin(conversation, input.into(), Some(answer)), last)
    }

    /// Goes on with a run that was stored, as [`resume_with`](Self::resume_with) does, to an answer that is a value of a
    /// type. What the model was told to answer stays as it was when the run began: the type should be the one of then.
    ///
    /// [`resume_with`](Self::resume_with) knows no type: it gives the text of the answer, which is checked by the schema in
    /// the log if there is the feature `jsonschema`, and elsewhere is the first one.
    ///
    /// # Errors
    ///
    /// As [`resume_with`](Self::resume_with).
    pub fn resume_with_as<T: ToolInput + DeserializeOwned + Send + 'static>(
        &self,
        stored: StoredRun,
        resolutions: impl IntoIterator<Item = Resolution>,
    ) -> Result<AnswerHandle<T>, ResumeError> {
        let answer = AnswerType::of::<T>();
        let last = answer.last();
        let handle = self.go_on(stored, resolutions.into_iter().collect(), Some(answer))?;
        Ok(AnswerHandle::new(handle, last))
    }

    /// Goes on with a run of the store, as [`resume`](Self::resume) does, to an answer that is a value of a type. What the
    /// model was told to answer stays as it was when the run began: the type should be the one of then.
    ///
    /// [`resume`](Self::resume) and [`recover`](Self::recover) know no type: they give the text of the answer, which is
    /// checked by the schema in the log if there is the feature `jsonschema`, and elsewhere is the first one.
    ///
    /// # Errors
    ///
    /// As [`resume`](Self::resume).
    ///
    /// # Cancel safety
    ///
    /// As [`resume`](Self::resume).
    pub async fn resume_as<T: ToolInput + DeserializeOwned + Send + 'static>(
        &self,
        run_id: &RunId,
    ) -> Result<AnswerHandle<T>, ResumeError> {
        let answer = AnswerType::of::<T>();
        let last = answer.last();
        let handle = self.resume_if(run_id, |_| true, Some(answer)).await?;
        Ok(AnswerHandle::new(handle.expect("every run goes on"), last))
    }
}
