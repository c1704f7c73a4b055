//! A tool of a server as a tool of ours.

use std::{borrow::Cow, sync::Arc, time::Duration};

use rmcp::{
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, ServerResult, Tool,
        ToolAnnotations,
    },
    service::ServiceError,
};
use toolwright_core::{
    DefinitionError, DynamicTool, ErrorCategory, Schema, ToolContext, ToolError,
    tool::{Fingerprint, ToolCall, ToolDefinition, ToolHints, ToolOutput, ToolPolicy},
};

use super::{
    Client, ClientError, answer,
    connection::{Connection, Line, Stale},
    request::{self, Answer},
};

/// The tool, as far as its definition can be used, under its name behind a prefix.
pub(crate) fn tool(
    client: &Client,
    tool: &Tool,
    prefix: &str,
) -> Result<DynamicTool, DefinitionError> {
    let mut shown = definition(tool);
    let called = Called {
        connection: Arc::clone(&client.connection),
        timeout: client.settings.timeout,
        name: tool.name.clone(),
        fingerprint: shown.fingerprint(),
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
    Ok(made.with_policy(policy.with_timeout(client.settings.timeout)))
}

/// The definition as the server has it.
pub(crate) fn definition(tool: &Tool) -> ToolDefinition {
    let description = tool.description.clone().unwrap_or_default();
    let mut definition =
        ToolDefinition::new(tool.name.clone(), description, schema(&tool.input_schema));
    definition.hints = hints(tool.annotations.as_ref());
    definition.title = tool.title.clone().map(Cow::Owned);
    definition.output_schema = tool.output_schema.as_deref().map(schema);
    definition
}

fn schema(object: &JsonObject) -> Schema {
    Schema::from_value(&serde_json::Value::Object(object.clone()))
}

/// The number of bytes of the definition as JSON.
pub(crate) fn size(tool: &Tool) -> usize {
    serde_json::to_string(tool).map_or(0, |text| text.len())
}

fn hints(annotations: Option<&ToolAnnotations>) -> ToolHints {
    let mut hints = ToolHints::NONE;
    if let Some(annotations) = annotations {
        hints.read_only = annotations.read_only_hint;
        hints.destructive = annotations.destructive_hint;
        hints.idempotent = annotations.idempotent_hint;
        hints.open_world = annotations.open_world_hint;
    }
    hints
}

/// What a call needs.
struct Called {
    connection: Arc<Connection>,
    timeout: Duration,
    /// The name that the server knows.
    name: Cow<'static, str>,
    /// The definition that the model was shown, by its name at the server.
    fingerprint: Fingerprint,
}

impl Called {
    async fn call(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let arguments: JsonObject = call.decode()?;
        let line = self
            .connection
            .line(self.timeout)
            .await
            .map_err(unreached)?;
        let stale = self
            .connection
            .check(&self.name, self.fingerprint, self.timeout)
            .await;
        if let Some(stale) = stale.map_err(unreached)? {
            return Err(stale.into());
        }
        let params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        let result = self.send(&line, params, cx).await.map_err(failure)?;
        match result {
            Answer::Result(ServerResult::CallToolResult(result)) => answer::of(result),
            Answer::Result(ServerResult::InputRequiredResult(_)) => Err(ToolError::new(
                ErrorCategory::PermissionDenied,
                "the server wants an answer of a person, and nobody can be asked here",
            )),
            Answer::Result(_) => Err(failure(ServiceError::UnexpectedResponse)),
            Answer::Gone => Err(failure(ServiceError::TransportClosed)),
        }
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

fn unreached(error: ClientError) -> ToolError {
    let category = match error {
        ClientError::Late(_) => ErrorCategory::ExecutionTimeout,
        _ => ErrorCategory::NetworkError,
    };
    ToolError::new(category, "the server of this tool cannot be reached")
        .with_log(error.to_string())
}

fn failure(error: ServiceError) -> ToolError {
    match &error {
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
