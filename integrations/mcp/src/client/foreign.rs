//! A tool of a server as a tool of ours.

use std::{borrow::Cow, sync::Arc, time::Duration};

use rmcp::{
    model::{
        CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, JsonObject,
        ServerResult, Tool,
    },
    service::ServiceError,
};
use toolwright_core::{
    DefinitionError, DynamicTool, ToolContext, ToolError,
    driver::OutputCheck,
    tool::{Fingerprint, ToolCall, ToolOutput, ToolPolicy},
};

use super::{
    Client, answer,
    connection::Connection,
    definition, failure,
    line::Line,
    request::{self, Answer},
    task::Task,
};

/// The tool, as far as its definition can be used, under its name behind a prefix. Its server may answer calls with tasks, or
/// not.
pub(crate) fn tool(
    client: &Client,
    tool: &Tool,
    prefix: &str,
    has_tasks: bool,
) -> Result<DynamicTool, DefinitionError> {
    let mut shown = definition::of(tool);
    let called = Called {
        connection: Arc::clone(&client.connection),
        timeout: client.settings.timeout,
        name: tool.name.clone(),
        fingerprint: shown.fingerprint(),
        check: shown.output_schema.as_ref().and_then(|schema| {
            let check = OutputCheck::new(&tool.name, schema);
            // Results are then taken as they are.
            check
                .inspect_err(|error| tracing::warn!(%error, "an output schema is not read"))
                .ok()
        }),
    };
    shown.name = Cow::Owned(format!("{prefix}{}", tool.name));
    let hints = shown.hints;
    let called = Arc::new(called);
    let made = DynamicTool::foreign(shown, move |call, cx| {
        let called = Arc::clone(&called);
        async move { called.call(&call, &cx).await }
    })?;
    let mut policy = if client.settings.trusts {
        ToolPolicy::of(hints)
    } else {
        ToolPolicy::default()
    };
    // A call without a task ends before, by the limit of its answer.
    policy.timeout = has_tasks.then_some(client.settings.task_timeout);
    Ok(made.with_policy(policy))
}

/// What a call needs.
struct Called {
    connection: Arc<Connection>,
    timeout: Duration,
    /// The name that the server knows.
    name: Cow<'static, str>,
    /// The definition that the model was shown, by its name at the server.
    fingerprint: Fingerprint,
    check: Option<OutputCheck>,
}

/// The largest number of times that the answer to a call is a question.
const MAX_ROUNDS: usize = 10;

/// What a server answered to a call.
enum Answered {
    Result(CallToolResult),
    Task(Task),
}

impl Called {
    async fn call(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let result = match cx.last_checkpoint() {
            // Whatever became of it, the call is not made again.
            Some(checkpoint) => {
                let task = Task::kept(self.server(), self.fingerprint, checkpoint, cx)?;
                task.result().await?
            }
            None => match self.answered(call, cx).await? {
                Answered::Result(result) => result,
                Answered::Task(mut task) => {
                    task.keep().await?;
                    task.result().await?
                }
            },
        };
        answer::of(result, self.check.as_ref())
    }

    fn server(&self) -> (&Arc<Connection>, Duration) {
        (&self.connection, self.timeout)
    }

    /// The answer within its time limit, without the time in which a person is asked.
    async fn answered(&self, call: &ToolCall, cx: &ToolContext) -> Result<Answered, ToolError> {
        let asking = &self.connection.listener.asking;
        tokio::select! {
            biased;
            answered = self.made(call, cx) => answered,
            () = asking.late(self.timeout) => Err(failure::unanswered(self.timeout)),
        }
    }

    async fn made(&self, call: &ToolCall, cx: &ToolContext) -> Result<Answered, ToolError> {
        let arguments: JsonObject = call.decode()?;
        let line = self
            .connection
            .line(self.timeout)
            .await
            .map_err(|error| failure::unreached(&error))?;
        let stale = self
            .connection
            .check(&self.name, self.fingerprint, self.timeout)
            .await;
        if let Some(stale) = stale.map_err(|error| failure::unreached(&error))? {
            return Err(stale.into());
        }
        let mut params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        for _ in 0..MAX_ROUNDS {
            let result = self
                .send(&line, params.clone(), cx)
                .await
                .map_err(|error| failure::of_service(&error))?;
            let required = match result {
                Some(ServerResult::CallToolResult(result)) => return Ok(Answered::Result(result)),
                Some(ServerResult::CreateTaskResult(created)) => {
                    let server = self.connection.server(&line);
                    let task = Task::new(self.server(), self.fingerprint, server, created, cx);
                    return task.map(Answered::Task);
                }
                Some(ServerResult::InputRequiredResult(required)) => required,
                Some(_) => return Err(failure::of_service(&ServiceError::UnexpectedResponse)),
                None => return Err(failure::of_service(&ServiceError::TransportClosed)),
            };
            let asking = &self.connection.listener.asking;
            let questions = required.input_requests.unwrap_or_default();
            let answers = asking.answer_all(questions, cx).await;
            params.input_responses = Some(answers.map_err(|why| failure::unasked(&why))?);
            params.request_state = required.request_state;
        }
        Err(failure::too_many_questions())
    }

    /// Sends the request, and hands its progress on.
    async fn send(
        &self,
        line: &Line,
        params: CallToolRequestParams,
        cx: &ToolContext,
    ) -> Result<Answer, ServiceError> {
        let asked = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let handle = request::begin(line, asked).await?;
        let token = handle.progress_token.clone();
        let _heard = line.listener.hear(token, cx.progress().clone());
        request::answer(line, handle).await
    }
}
