//! A tool of a server as a tool of ours.

use std::{borrow::Cow, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest,
        JsonObject, RequestId, ServerResult, Tool, ToolAnnotations,
    },
    service::{Peer, PeerRequestOptions, ServiceError},
};
use toolwright_core::{
    DefinitionError, DynamicTool, ErrorCategory, Schema, ToolContext, ToolError,
    tool::{ToolCall, ToolDefinition, ToolHints, ToolOutput, ToolPolicy},
};

use super::{Client, ClientError, answer, connection::Connection};

/// The tool, as far as its definition can be used.
pub(crate) fn tool(client: &Client, tool: Tool) -> Result<DynamicTool, DefinitionError> {
    let hints = hints(tool.annotations.as_ref());
    let name = format!("{}{}", client.prefix, tool.name);
    let description = tool.description.unwrap_or_default();
    let mut definition = ToolDefinition::new(name, description, schema(&tool.input_schema));
    definition.hints = hints;
    definition.title = tool.title.map(Cow::Owned);
    definition.output_schema = tool.output_schema.as_deref().map(schema);
    let called = Called {
        connection: Arc::clone(&client.connection),
        timeout: client.timeout,
        name: tool.name,
    };
    let called = Arc::new(called);
    let made = DynamicTool::foreign(definition, move |call, cx| {
        let called = Arc::clone(&called);
        async move { called.call(&call, &cx).await }
    })?;
    let policy = if client.trusts {
        ToolPolicy::of(hints)
    } else {
        ToolPolicy::default()
    };
    Ok(made.with_policy(policy.with_timeout(client.timeout)))
}

fn schema(object: &JsonObject) -> Schema {
    Schema::from_value(&serde_json::Value::Object(object.clone()))
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
}

impl Called {
    async fn call(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let arguments: JsonObject = call.decode()?;
        let peer = self
            .connection
            .peer(self.timeout)
            .await
            .map_err(unreached)?;
        let params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        let result = self.send(&peer, params, cx).await.map_err(failure)?;
        match result {
            ServerResult::CallToolResult(result) => answer::of(result),
            ServerResult::InputRequiredResult(_) => Err(ToolError::new(
                ErrorCategory::PermissionDenied,
                "the server wants an answer of a person, and nobody can be asked here",
            )),
            _ => Err(failure(ServiceError::UnexpectedResponse)),
        }
    }

    /// Sends the request, and hands its progress on.
    async fn send(
        &self,
        peer: &Peer<RoleClient>,
        params: CallToolRequestParams,
        cx: &ToolContext,
    ) -> Result<ServerResult, ServiceError> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let options = PeerRequestOptions::no_options();
        let request = peer.send_cancellable_request(request, options).await?;
        let token = request.progress_token.clone();
        let _heard = self.connection.listener.hear(token, cx.progress().clone());
        let mut unanswered = Unanswered(Some((peer.clone(), request.id.clone())));
        let answer = request.await_response().await;
        unanswered.0 = None;
        answer
    }
}

/// A request without an answer. Dropped, because the call was cancelled or is late, it tells the server.
struct Unanswered(Option<(Peer<RoleClient>, RequestId)>);

impl Drop for Unanswered {
    fn drop(&mut self) {
        let Some((peer, id)) = self.0.take() else {
            return;
        };
        let reason = Some("the call was cancelled".to_owned());
        let sent = CancelledNotificationParam::new(Some(id), reason);
        tokio::spawn(async move { peer.notify_cancelled(sent).await });
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
