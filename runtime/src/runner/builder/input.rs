//! The checks of what the user says.

use std::{future::Future, time::Duration};

use super::RunnerBuilder;
use crate::{
    guardrail::CHECK_TIME,
    runner::input_check::{InputRefusal, UserInput},
};
use toolwright_core::UserMessage;

impl RunnerBuilder {
    /// The longest time that the checks of one message may take.
    pub const INPUT_CHECK_TIME: Duration = CHECK_TIME;

    /// Adds a check of what the user says. It runs before anything of the message is stored, logged or sent, and
    /// returns the message as it is, another message in its place, such as a redacted one, or a refusal. Checks run in
    /// the order in which they were added, up to the first that refuses.
    ///
    /// | Of | a refusal |
    /// | --- | --- |
    /// | the question of a run | sends no request. The run ends with [`Finish::InputRefused`](toolwright_core::Finish::InputRefused), and its text is what the user reads |
    /// | a message that is [pushed](crate::RunControl::push) | is in the log and in the [warnings](toolwright_core::RunOutcome::warnings) of the run, as `input_refused` with what the user reads. The model is not sent it |
    ///
    /// Records, conversations and streams hold the [stored text](InputRefusal::stored_as) of a refused message, and
    /// never its words. A check that panics, or takes longer than [`INPUT_CHECK_TIME`](Self::INPUT_CHECK_TIME), refuses. If the run is cancelled meanwhile, nothing
    /// of a question is stored, and a pushed message is [unread](toolwright_core::RunOutcome::unread).
    ///
    /// A message is checked once: neither in later runs of its conversation, nor when its run is resumed.
    ///
    /// | Checked | Not checked |
    /// | --- | --- |
    /// | the question of each run, also the task of a [sub-agent](crate::runner::SubAgent), by the runner of the sub-agent | the conversation that a run is given, system texts, instructions, notes |
    /// | messages by [`RunControl::push`](crate::RunControl::push), and those in the inbox of a store | messages in [`unread`](toolwright_core::RunOutcome::unread), which come back as they were pushed |
    /// | chats and messages of the server | answers to calls of external tools, outputs that a client sends, edited arguments, reasons of a denial: input of a user as well, which the application checks before it passes it on |
    /// | | arguments and results of tools: [middleware](toolwright_core::middleware) sees them |
    ///
    /// The task of a sub-agent is also in the arguments of its call, in the log of the run above.
    ///
    /// A message that is put into a store by [`Store::put`](crate::store::Store::put) is stored before the run checks
    /// it: use [`Runner::check_input`](crate::Runner::check_input) before, as the server does.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, message::text_of, run::Finish, testing::ScriptedModel};
    /// use toolwright::runner::{InputRefusal, UserInput};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("A mail is on its way.")]);
    /// let runner = Runner::builder(model.clone())
    ///     .check_input(async |input: UserInput| {
    ///         let text = text_of(&input.message.parts);
    ///         if text.contains("password") {
    ///             return Err(InputRefusal::new("Please do not send passwords."));
    ///         }
    ///         Ok(text.replace("ada@example.com", "[address]").into())
    ///     })
    ///     .build()?;
    ///
    /// let refused = runner.run("My password is 1234.").await?;
    /// assert_eq!(refused.finish, Finish::InputRefused);
    /// assert_eq!(refused.text, "Please do not send passwords.");
    ///
    /// runner.run("Write to ada@example.com.").await?;
    /// assert!(format!("{:?}", model.requests()).contains("Write to [address]."));
    /// # Ok(()) }
    /// ```
    #[doc(alias("guardrail", "moderation", "redact"))]
    pub fn check_input<F, E>(
        mut self,
        check: impl Fn(UserInput) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<UserMessage, E>> + Send + 'static,
        E: Into<InputRefusal>,
    {
        self.input_checks.push(check);
        self
    }
}
