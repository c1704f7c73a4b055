//! A tool of a server as a tool of ours.

use std::{borrow::Cow, sync::Arc, time::Duration};

use rmcp::{
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, ServerResult, Tool,
    },
    service::ServiceError,
};
use tokio::time::Instant;
use toolwright_core::{
    DefinitionError, DynamicTool, ErrorCategory, ToolContext, ToolError,
    driver::OutputCheck,
    tool::{Fingerprint, ToolCall, ToolOutput, ToolPolicy},
};

use super::{
    Client, ClientError, answer,
    connection::{Connection, Stale},
    definition,
    line::Line,
    request::{self, Answer},
};

/// The tool, as far as its definition can be used, under its name behind a prefix.
pub(crate) fn tool(
    client: &Client,
    tool: &Tool,
    prefix: &str,
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
    let policy = if client.settings.trusts {
        ToolPolicy::of(hints)
    } else {
        ToolPolicy::default()
    };
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

impl Called {
    /// The call within its time limit, without the time in which a person is asked.
    async fn call(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let asking = &self.connection.listener.asking;
        let late = async {
            let mut left = self.timeout;
            loop {
                asking.idle().await;
                let begun = Instant::now();
                tokio::select! {
                    () = tokio::time::sleep(left) => return,
                    () = asking.busy() => {}
                }
                left = left.saturating_sub(begun.elapsed());
            }
        };
        tokio::select! {
            biased;
            output = self.made(call, cx) => output,
            () = late => Err(unanswered(self.timeout)),
        }
    }

    async fn made(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let arguments: JsonObject = call.decode()?;
        let line = self
            .connection
            .line(self.timeout)
            .await
            .map_err(|error| unreached(&error))?;
        let stale = self
            .connection
            .check(&self.name, self.fingerprint, self.timeout)
            .await;
        if let Some(stale) = stale.map_err(|error| unreached(&error))? {
            return Err(stale.into());
        }
        let mut params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        for _ in 0..MAX_ROUNDS {
            let result = self
                .send(&line, params.clone(), cx)
                .await
                .map_err(|error| failure(&error))?;
            let required = match result {
                Some(ServerResult::CallToolResult(result)) => {
                    return answer::of(result, self.check.as_ref());
                }
                Some(ServerResult::InputRequiredResult(required)) => required,
                Some(_) => return Err(failure(&ServiceError::UnexpectedResponse)),
                None => return Err(failure(&ServiceError::TransportClosed)),
            };
            let asking = &self.connection.listener.asking;
            let questions = required.input_requests.unwrap_or_default();
            let answers = asking.answer_all(questions, cx).await;
            params.input_responses = Some(answers.map_err(|why| {
                let text = format!("the call did not end: the server wants {why}");
                ToolError::new(ErrorCategory::PermissionDenied, text)
            })?);
            params.request_state = required.request_state;
        }
        Err(ToolError::new(
            ErrorCategory::Unknown,
            "the server asked more questions than it may in a call",
        ))
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
        let _heard = self.connection.listener.hear(token, cx.progress().clone());
        request::answer(line, handle).await
    }
}

impl From<Stale> for ToolError {
    fn from(stale: Stale) -> Self {
        let text = match stale {
            Stale::Changed => {
                "the server has changed the definition of this tool since it was listed, so the call was not made; \
                 the tools of the server have to be listed again"
            }
            Stale::Gone => "the server has this tool no longer, so the call was not made",
        };
        Self::new(ErrorCategory::ResourceNotFound, text)
    }
}

fn unanswered(limit: Duration) -> ToolError {
    let text =
        format!("the server did not answer within {limit:?}; the call may have had its effect");
    ToolError::new(ErrorCategory::ExecutionTimeout, text)
}

fn unreached(error: &ClientError) -> ToolError {
    let category = match error {
        ClientError::Late(_) => ErrorCategory::ExecutionTimeout,
        _ => ErrorCategory::NetworkError,
    };
    ToolError::new(category, "the server of this tool cannot be reached")
        .with_log(error.to_string())
}

fn failure(error: &ServiceError) -> ToolError {
    match error {
        // Written for whoever called.
        ServiceError::McpError(data) => {
            ToolError::new(ErrorCategory::Unknown, format!("the server refused the call: {}", data.message))
        }
        ServiceError::Cancelled { .. } => ToolError::cancelled("the call was cancelled"),
        _ => ToolError::new(
            ErrorCategory::NetworkError,
            "the server of this tool has gone, or did not answer as it must; the call may have had its effect",
        )
        .with_log(error.to_string()),
    }
}
