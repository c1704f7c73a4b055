//! A runner as a tool of another one.

mod begun;
mod error;
mod nested;
mod result;
mod typed_input;

use std::{fmt, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use begun::{Beginning, Begun};
pub use error::SubAgentError;
use typed_input::TypedInput;

use super::{
    Runner,
    run_node::{MAX_DEPTH, NotStarted, StartedBy},
    typed_answer::{AnswerOutput, AnswerType, TypedAnswer},
};
use toolwright_core::__private::check_input;
use toolwright_core::run::{Failure, Finish};
use toolwright_core::{
    ErrorCategory, ToolError, UserMessage,
    driver::AnswerRoot,
    schema::Schema,
    tool::{
        Call, ExtensionType, Tool, ToolCall, ToolContext, ToolDefinition, ToolHints, ToolOutput,
        ToolPolicy,
    },
};

/// The schema of the arguments, if they are not those of a type.
const TASK: &str = r#"{"type":"object","properties":{"task":{"type":"string","description":"What is to be done, with all that is needed for it: the agent has seen nothing of this conversation."}},"required":["task"],"additionalProperties":false}"#;

/// A [`Runner`] as a tool of another one: its model works on a task with its own tools, and its answer is the result of the
/// call. [`Runner::as_tool`] makes it.
///
/// A call starts a run in a conversation of its own, within the run of the call:
///
/// - Its tokens, cost and calls count for that run: they are in its outcome, and its limits apply to both. A sub-agent
///   shares what is left with those that run in parallel, and stops before its next request when nothing is left: each
///   may exceed a limit by the calls of one response, and by the request for its summary.
/// - Its events are [among those](super::RunEvent::Nested) of that run, and each is read before it goes on.
/// - Calls that need an approval are decided by the approver of that run, if the sub-agent has none. It needs
///   [`suspends`](super::RunnerBuilder::suspends) to be built without one. Without any approver, a call waits for the
///   time of [`suspend_after`](super::RunnerBuilder::suspend_after), in which
///   [`RunControl::below`](super::RunControl::below) may decide. After that the run is suspended, if it is in a
///   [store](super::RunnerBuilder::store), and the runs above it with it: their [pending
///   calls](toolwright_core::run::PendingCall::path) are also those below. Without a store the call fails.
/// - A cancel, and the end of the time limit, stop it in an orderly way.
/// - It has the [extensions](Runner::with_extension) of that run which its own runner does not set.
/// - A call that belongs to no run, such as one by [`Dispatch`](crate::Dispatch) or by a client of a server, starts a run of
///   its own: in the store of its runner, for the owner of its context and with the approver of the
///   [`CallOrigin`](super::CallOrigin) in that. The progress of the call names the tools that the run calls. What waits for people then fails.
/// - Sub-agents may have sub-agents, five deep. A call at that depth does not run, and its model receives the reason.
///
/// The tool counts as one that writes, unless [`with_hints`](Self::with_hints) or [`with_policy`](Self::with_policy) says
/// otherwise. A call is never tried again, and has no time limit but that of its policy: the model asks again where that
/// makes sense.
///
/// | End of the run | Result of the call |
/// | --- | --- |
/// | an answer | its text, or a value as JSON: [`answer`](Self::answer) |
/// | a limit, with a summary | the summary, and a note with the limit |
/// | a cut-off or a stop with text | the text, and a note with the reason |
/// | a failure, a refusal, no text | an error with the reason |
/// | suspended, in a store | none: the call waits, and is resumed with the run |
#[derive(Clone)]
pub struct SubAgent {
    runner: Runner,
    definition: Arc<ToolDefinition>,
    policy: ToolPolicy,
    input: Arc<Input>,
    answer: Option<(fn() -> AnswerType, AnswerOutput)>,
}

/// Makes the message of the arguments of a call.
type Input = dyn Fn(&ToolCall) -> Result<UserMessage, ToolError> + Send + Sync;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    task: String,
}

impl Runner {
    /// This runner as a tool of another one, of this name and with this description for the model. The arguments are a
    /// `task` in words.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, ToolCall, Toolset, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("It was built in 1859.")]);
    /// let historian = Runner::builder(model).system("Look up dates.").build()?;
    /// let historian = historian.as_tool("ask_historian", "Finds out when something happened.")?;
    ///
    /// let call = ToolCall::new("1", "ask_historian", r#"{"task": "When was Big Ben built?"}"#);
    /// let answer = ModelResponse::from_text("In 1859.");
    /// let model = ScriptedModel::new([ModelResponse::from_calls([call]), answer]);
    /// let runner = Runner::builder(model).tools(Toolset::new().with(historian)?).build()?;
    /// assert_eq!(runner.run("How old is Big Ben?").await?.text, "In 1859.");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// When the name or the description breaks the rules of declared tools.
    #[doc(alias("agent", "sub_agent"))]
    pub fn as_tool(
        &self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Result<SubAgent, SubAgentError> {
        let (name, description) = (name.into(), description.into());
        error::check(&name, &description)?;
        let schema = Schema::from_text(TASK).expect("it is JSON");
        let description = description.trim().to_owned();
        Ok(SubAgent {
            runner: self.clone(),
            definition: Arc::new(ToolDefinition::new(name, description, schema)),
            policy: ToolPolicy::default(),
            input: Arc::new(|call| {
                let Task { task } = call.decode()?;
                if task.trim().is_empty() {
                    return Err(ToolError::invalid_arguments(
                        "arguments.task: the text is empty",
                    ));
                }
                Ok(task.into())
            }),
            answer: None,
        })
    }
}

impl Runner {
    /// The extensions that are to come with a run, and that this runner does not have yet.
    pub(super) fn missing_extensions(&self) -> Vec<ExtensionType> {
        let asked = self.inner.request_extensions.iter();
        let missing = asked.filter(|of| !self.context.has_extension(**of));
        missing.copied().collect()
    }
}

impl SubAgent {
    /// Sets the type of the arguments, and makes the message for the sub-agent from them. The same arguments must
    /// always give the same message: a call in a store resumes its run only if the message is the same.
    ///
    /// ```
    /// use toolwright::{ModelResponse, Runner, ToolInput, testing::ScriptedModel};
    ///
    /// #[derive(serde::Deserialize, ToolInput)]
    /// struct Question {
    ///     /// The country that the question is about.
    ///     country: String,
    ///     /// The year.
    ///     year: u16,
    /// }
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("5.3 million.")]);
    /// let agent = Runner::builder(model).build()?.as_tool("ask_population", "Knows populations.")?;
    /// let agent = agent.input(|question: Question| {
    ///     format!("How many people lived in {} in {}?", question.country, question.year)
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the type is not an object with known keys.
    pub fn input<T, M>(
        mut self,
        message: impl Fn(T) -> M + Send + Sync + 'static,
    ) -> Result<Self, SubAgentError>
    where
        T: TypedInput,
        M: Into<UserMessage>,
    {
        const { check_input::<T>() }
        // What is no object of known keys would be put into one.
        let AnswerRoot::Plain(input) = AnswerRoot::of::<T>() else {
            let name = self.definition.name.to_string();
            return Err(SubAgentError::InputNoObject { name });
        };
        let definition = Arc::make_mut(&mut self.definition);
        definition.input_schema = input().to_schema().with_tree(input);
        self.input = Arc::new(move |call| Ok(message(call.decode_as::<T>(input)?).into()));
        Ok(self)
    }

    /// Sets the type of the answer: the result of a call is a value of it, as JSON. See [`RunRequest::answer_as`](crate::RunRequest::answer_as).
    pub fn answer<T>(mut self) -> Self
    where
        T: TypedAnswer + Serialize,
    {
        self.answer = Some((AnswerType::of::<T>, AnswerOutput::of::<T>()));
        self
    }

    /// Sets what kind of tool it is, for the model and for the program: a sub-agent whose tools change nothing is read-only.
    pub fn with_hints(mut self, hints: ToolHints) -> Self {
        Arc::make_mut(&mut self.definition).hints = hints;
        self.policy.effects = hints.effects();
        self
    }

    /// Sets what the program that runs the tool must know of it. A time limit ends the run as one
    /// [of its own](toolwright_core::run::Limits::max_time) does. Retries say nothing.
    pub fn with_policy(mut self, policy: ToolPolicy) -> Self {
        self.policy = policy;
        self
    }

    async fn run(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let (name, timeout) = (&*self.definition.name, self.policy.timeout);
        let input = (self.input)(call)?;
        let started_by =
            StartedBy::call(cx, name, timeout).map_err(|why| not_started(name, &why))?;
        let around = started_by.events();
        let runner = self.runner.below(cx, started_by.clone());
        let begun = Beginning {
            name,
            runner: &runner,
            started_by: &started_by,
            input,
            answer: self.answer.as_ref().map(|(answer, _)| answer()),
            effects: self.policy.effects,
        };
        let mut under = started_by.under();
        let outcome = match begun.begin(cx).await? {
            Begun::Under(mut handle) => {
                let _lent = started_by.lend(handle.control());
                nested::drive(&mut handle, cx, name, around).await;
                let outcome = handle.outcome().await;
                outcome.unwrap_or_else(|error| *error.outcome)
            }
            Begun::Over(outcome) => *outcome,
        };
        {
            let is_open = matches!(
                outcome.finish,
                Finish::Suspended | Finish::Failed(Failure::Store(_))
            );
            under.is_over = !is_open;
            if outcome.finish == Finish::Suspended {
                started_by.suspended(&outcome.run_id, outcome.pending.clone());
            }
        }
        result::of(
            name,
            outcome,
            self.answer.as_ref().map(|(_, output)| output),
            self.policy.effects,
        )
    }
}

impl Tool for SubAgent {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::future(self.run(call, cx))
    }

    fn policy(&self) -> ToolPolicy {
        // The run has the time limit, and ends by itself; its own requests were made again.
        let mut policy = self.policy.with_timeout(Duration::MAX).with_retries(0);
        policy.resumes = true;
        policy
    }

    fn extensions(&self) -> Vec<ExtensionType> {
        self.runner.missing_extensions()
    }
}

fn not_started(name: &str, why: &NotStarted) -> ToolError {
    let NotStarted::TooDeep(names) = why else {
        let message = format!("the agent `{name}` was not started: its call waits for a decision");
        return ToolError::cancelled(message);
    };
    let chain = names.join(" > ");
    let message = format!(
        "`{name}` was not started: agents may be {MAX_DEPTH} deep, and this one is below {chain}. Do the task without it"
    );
    ToolError::new(ErrorCategory::PermissionDenied, message)
}

impl fmt::Debug for SubAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubAgent")
            .field("definition", &self.definition)
            .field("policy", &self.policy)
            .field("runner", &self.runner)
            .finish_non_exhaustive()
    }
}
