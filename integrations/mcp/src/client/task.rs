//! A call that its server answers with a task: the extension `io.modelcontextprotocol/tasks`.

mod question;

use std::{future::ready, pin::pin, sync::Arc, time::Duration};

use rmcp::{
    model::{
        CallToolResult, CancelTaskParams, CancelTaskRequest, ClientRequest, CreateTaskResult,
        DetailedTask, ErrorCode, GetTaskParams, GetTaskRequest, JsonObject, ServerResult,
        TaskPayload,
    },
    service::ServiceError,
};
use serde_json::Value;
use toolwright_core::{
    ErrorCategory, ToolContext, ToolError,
    tool::{Fingerprint, ProgressReport},
};

use super::{
    ClientError,
    authorization::AuthorizationError,
    backoff::Backoff,
    checkpoint::{self, Begun, Checkpoint},
    connection::Connection,
    failure, request,
};
use question::Questions;

/// A task of a server that has not ended.
///
/// Dropped, because the call was cancelled or is late, it is cancelled at the server; but not where the log of the run has
/// its id: another process goes on with it then.
pub(crate) struct Task {
    connection: Arc<Connection>,
    /// The time limit of an answer of the server.
    timeout: Duration,
    cx: ToolContext,
    id: TaskId,
    tool: Fingerprint,
    /// The log of the run has its id.
    is_kept: bool,
    /// Nothing is left to cancel.
    is_over: bool,
    /// The time until it is asked for; none if nobody said that it goes on.
    pause: Option<Duration>,
}

/// A task means nothing to another server than its own, which may have one of the same name.
#[derive(Clone)]
struct TaskId {
    task: String,
    server: String,
}

/// Why a request about a task has no answer.
enum Unanswered {
    /// The connection was lost, or the server was silent. It is asked again.
    Lost(ToolError),
    /// The server has failed. It is asked again a few times.
    Failed(ToolError),
    /// The server refused the request: it has no such task.
    Refused(String),
    /// The answer is none, and will not be one.
    Wrong(ToolError),
    /// Somebody has to authorise first, or authorisation fails, which may be over soon. The task goes on at the server.
    Unauthorized { error: ToolError, is_passing: bool },
}

impl Unanswered {
    fn unauthorized(refused: &AuthorizationError) -> Self {
        Self::Unauthorized {
            error: failure::unauthorized_task(refused),
            is_passing: refused.is_passing(),
        }
    }
}

/// The largest id, in bytes.
const MAX_ID: usize = 1_024;
/// The time between two requests, where the server says nothing.
const PAUSE: Duration = Duration::from_secs(1);
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(60);
/// How servers say that they have no such task.
const REFUSALS: [ErrorCode; 3] = [
    ErrorCode::INVALID_PARAMS,
    ErrorCode::METHOD_NOT_FOUND,
    ErrorCode::RESOURCE_NOT_FOUND,
];
/// The largest number of failures of the server before it has an answer. Their waits last half a minute.
const MAX_FAILURES: u32 = 10;
/// The longest wait for the answer to a cancel.
const CANCEL_TIME: Duration = Duration::from_secs(5);

impl Task {
    /// The task that a server has just begun.
    pub(crate) fn new(
        (connection, timeout): (&Arc<Connection>, Duration),
        tool: Fingerprint,
        server: String,
        created: CreateTaskResult,
        cx: &ToolContext,
    ) -> Result<Self, ToolError> {
        let task = created.task.task_id;
        if task.is_empty() || task.len() > MAX_ID {
            let text = format!(
                "the server began a task whose id has {} bytes, and 1 to {MAX_ID} are allowed; the call may have had its \
                 effect",
                task.len()
            );
            return Err(ToolError::new(ErrorCategory::Unknown, text));
        }
        let mut task = Self::of(connection, timeout, TaskId { task, server }, tool, cx);
        task.pause = Some(pause(created.task.poll_interval_ms));
        Ok(task)
    }

    /// The task that the call has begun before, by the log of its run.
    pub(crate) fn kept(
        (connection, timeout): (&Arc<Connection>, Duration),
        tool: Fingerprint,
        server: String,
        task: String,
        cx: &ToolContext,
    ) -> Self {
        let mut task = Self::of(connection, timeout, TaskId { task, server }, tool, cx);
        task.is_kept = true;
        task
    }

    fn of(
        connection: &Arc<Connection>,
        timeout: Duration,
        id: TaskId,
        tool: Fingerprint,
        cx: &ToolContext,
    ) -> Self {
        Self {
            connection: Arc::clone(connection),
            timeout,
            cx: cx.clone(),
            id,
            tool,
            is_kept: false,
            is_over: false,
            pause: None,
        }
    }

    /// Puts the id into the log of the run. Outside of a run there is none, and it is done at once.
    pub(crate) async fn keep(&mut self) -> Result<(), ToolError> {
        let (cx, begun) = (self.cx.clone(), Begun::Task(self.id.task.clone()));
        let checkpoint = Checkpoint::new(self.id.server.clone(), self.tool, begun);
        let mut keeping = pin!(cx.checkpoint(checkpoint.to_text()?));
        tokio::select! {
            biased;
            kept = &mut keeping => return kept,
            () = ready(()) => {}
        }
        // The log has it now, or may have it.
        self.is_kept = true;
        keeping.await
    }

    /// Asks for the result until it is there, without the time in which a person is asked.
    ///
    /// # Cancel safety
    ///
    /// See [`Task`].
    pub(crate) async fn result(mut self, limit: Duration) -> Result<CallToolResult, ToolError> {
        let (cx, connection) = (self.cx.clone(), Arc::clone(&self.connection));
        let result = tokio::select! {
            biased;
            result = self.followed() => result,
            () = connection.listener.asking.late(limit) => Err(failure::late_task(limit)),
            () = cx.cancelled() => {
                let text = "the call was cancelled, and its task at the server with it; it may have had its effect";
                Err(ToolError::cancelled(text))
            }
        };
        if !self.is_over {
            let limit = self.timeout.min(CANCEL_TIME);
            cancel(&self.connection, limit, &self.id).await;
            self.is_over = true;
        }
        result
    }

    async fn followed(&mut self) -> Result<CallToolResult, ToolError> {
        let mut message = None;
        let (mut messages, mut questions) = (0.0, Questions::default());
        loop {
            if let Some(pause) = self.pause {
                tokio::time::sleep(pause).await;
            }
            let DetailedTask { task, payload, .. } = self.get().await?;
            self.pause = Some(pause(task.poll_interval_ms));
            if task.status_message.is_some() && task.status_message != message {
                message = task.status_message;
                messages += 1.0;
                let report = ProgressReport::new(messages);
                let text = message.clone().unwrap_or_default();
                self.cx.progress().report(report.with_message(text));
            }
            match payload {
                TaskPayload::InputRequired { input_requests } => {
                    let asking = &self.connection.listener.asking;
                    let answers = questions.answers(asking, input_requests, &self.cx).await?;
                    if let Some(answers) = answers {
                        let told = self.asked(|task| question::answer(task, &answers));
                        let refused = told.await?.err();
                        questions.told(answers, refused.as_deref());
                    }
                }
                TaskPayload::Completed { result } => return self.completed(result),
                TaskPayload::Failed { error } => {
                    self.is_over = true;
                    return Err(failed(&error));
                }
                TaskPayload::Cancelled => {
                    self.is_over = true;
                    let text =
                        "the server has cancelled the task of the call; it may have had its effect";
                    return Err(ToolError::cancelled(text));
                }
                _ => {}
            }
        }
    }

    fn completed(&mut self, result: JsonObject) -> Result<CallToolResult, ToolError> {
        self.is_over = true;
        let result = serde_json::from_value(Value::Object(result));
        result.map_err(|_| failure::of_service(&ServiceError::UnexpectedResponse))
    }

    /// How far the task is.
    async fn get(&mut self) -> Result<DetailedTask, ToolError> {
        let asks = |task: &str| GetTaskRequest::new(GetTaskParams::new(task)).into();
        match self.asked(asks).await? {
            Ok(ServerResult::GetTaskResult(got)) if got.task.task.task_id == self.id.task => {
                Ok(got.task)
            }
            Ok(_) => Err(failure::of_service(&ServiceError::UnexpectedResponse)),
            Err(refused) => {
                self.is_over = true;
                let text = format!(
                    "the server does not know the task of the call any more, so its result is lost: {refused}; the call \
                     may have had its effect, and was not made again"
                );
                Err(ToolError::new(ErrorCategory::Unknown, text))
            }
        }
    }

    /// Sends a request until it has an answer, or is refused.
    async fn asked(
        &mut self,
        request: impl Fn(&str) -> ClientRequest,
    ) -> Result<Result<ServerResult, String>, ToolError> {
        let (mut backoff, mut failures) = (Backoff::default(), 0);
        loop {
            backoff.wait().await;
            match self.send(request(&self.id.task)).await {
                Ok(answer) => return Ok(Ok(answer)),
                Err(Unanswered::Refused(why)) => return Ok(Err(why)),
                Err(Unanswered::Failed(_)) if failures < MAX_FAILURES => failures += 1,
                Err(Unanswered::Unauthorized { is_passing, .. })
                    if is_passing && failures < MAX_FAILURES =>
                {
                    failures += 1;
                }
                Err(Unanswered::Wrong(error) | Unanswered::Failed(error)) => return Err(error),
                Err(Unanswered::Unauthorized { error, .. }) => {
                    // Cancelling it needs authorisation as well.
                    self.is_over = true;
                    return Err(error);
                }
                Err(Unanswered::Lost(error)) => {
                    tracing::debug!(%error, "a task of a server is asked for again");
                }
            }
        }
    }

    async fn send(&self, request: ClientRequest) -> Result<ServerResult, Unanswered> {
        let line = self.connection.line(self.timeout).await;
        let line = line.map_err(|error| match error {
            ClientError::Unauthorized(refused) => Unanswered::unauthorized(&refused),
            error => Unanswered::Lost(failure::unreached(&error)),
        })?;
        if self.connection.server(&line) != self.id.server {
            return Err(Unanswered::Wrong(checkpoint::elsewhere()));
        }
        let sent = request::send(&line, request);
        let Ok(answer) = self.connection.within(self.timeout, sent).await else {
            return Err(Unanswered::Lost(failure::unanswered(self.timeout)));
        };
        let error = match answer {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => ServiceError::TransportClosed,
            Err(error) => error,
        };
        Err(match error {
            ServiceError::McpError(data) if REFUSALS.contains(&data.code) => {
                Unanswered::Refused(data.message.into_owned())
            }
            error @ ServiceError::McpError(_) => Unanswered::Failed(failure::of_service(&error)),
            error @ ServiceError::UnexpectedResponse => {
                Unanswered::Wrong(failure::of_service(&error))
            }
            error => match AuthorizationError::of(&error) {
                Some(refused) => Unanswered::unauthorized(&refused),
                None => Unanswered::Lost(failure::of_service(&error)),
            },
        })
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let has_ended = self.cx.is_cancelled() || self.cx.remaining() == Some(Duration::ZERO);
        if self.is_over || self.is_kept && !has_ended {
            return;
        }
        let (connection, limit) = (Arc::clone(&self.connection), self.timeout);
        let id = self.id.clone();
        // Dropped by the end of the runtime, there is nobody to send it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { cancel(&connection, limit, &id).await });
        }
    }
}

/// Tells the server that nobody waits for a task any more.
async fn cancel(connection: &Connection, limit: Duration, id: &TaskId) {
    let cancelling = async {
        let line = connection
            .line(limit)
            .await
            .map_err(|error| error.to_string())?;
        // Another server may have a task of this id as well.
        if connection.server(&line) != id.server {
            return Err(checkpoint::elsewhere().to_string());
        }
        let asks = CancelTaskRequest::new(CancelTaskParams::new(&*id.task));
        let sent = request::send(&line, asks.into()).await;
        sent.map_err(|error| error.to_string())
    };
    match tokio::time::timeout(limit, cancelling).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a task of a server is not cancelled"),
        Err(_) => tracing::debug!("a task of a server is not cancelled in time"),
    }
}

/// The error of a task, with the text that the server has for whoever called.
fn failed(error: &JsonObject) -> ToolError {
    let message = error.get("message").and_then(Value::as_str);
    let text = match message {
        Some(message) => format!("the task of the call failed: {message}"),
        None => "the task of the call failed".to_owned(),
    };
    ToolError::new(ErrorCategory::Unknown, text)
}

/// How long it is waited, if the server asks for this number of milliseconds.
fn pause(millis: Option<u64>) -> Duration {
    let asked = millis.map_or(PAUSE, Duration::from_millis);
    asked.clamp(SHORTEST, LONGEST)
}
