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
    DefinitionError, DynamicTool, ErrorCategory, ToolContext, ToolError,
    driver::OutputCheck,
    tool::{Effects, Fingerprint, ToolCall, ToolOutput, ToolPolicy},
};

use super::{
    Client, answer,
    asking::{self, MAX_QUESTIONS},
    backoff::Backoff,
    checkpoint::{self, Asked, Begun, Checkpoint},
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
    let mut policy = if client.settings.trusts {
        ToolPolicy::of(shown.hints)
    } else {
        ToolPolicy::default()
    };
    // A call ends before, by the limits of its answer and of its task, which stand still while a person is asked.
    let settings = &client.settings;
    let task = has_tasks.then_some(settings.task_timeout);
    let waits = client.connection.listener.asking.may_wait();
    let person = waits.then_some(asking::LONGEST);
    if task.is_some() || person.is_some() {
        let most = [task, person].into_iter().flatten();
        policy.timeout = Some(most.fold(settings.timeout, Duration::saturating_add));
    }
    let called = Called {
        connection: Arc::clone(&client.connection),
        timeout: client.settings.timeout,
        task_timeout: client.settings.task_timeout,
        name: tool.name.clone(),
        fingerprint: shown.fingerprint(),
        may_repeat: policy.effects != Effects::Write,
        check: shown.output_schema.as_ref().and_then(|schema| {
            let check = OutputCheck::new(&tool.name, schema);
            // Results are then taken as they are.
            check
                .inspect_err(|error| tracing::warn!(%error, "an output schema is not read"))
                .ok()
        }),
    };
    shown.name = Cow::Owned(format!("{prefix}{}", tool.name));
    let called = Arc::new(called);
    let made = DynamicTool::foreign(shown, move |call, cx| {
        let called = Arc::clone(&called);
        async move { called.call(&call, &cx).await }
    })?;
    Ok(made.with_policy(policy))
}

/// What a call needs.
struct Called {
    connection: Arc<Connection>,
    timeout: Duration,
    task_timeout: Duration,
    /// The name that the server knows.
    name: Cow<'static, str>,
    /// The definition that the model was shown, by its name at the server.
    fingerprint: Fingerprint,
    /// A call may run again, with the same key.
    may_repeat: bool,
    check: Option<OutputCheck>,
}

/// The largest number of times that the answer to a call is a question.
const MAX_ROUNDS: usize = 10;
/// The largest size of what a server asks at once, with its state, in bytes of JSON.
const MAX_ASKED: usize = 60 * 1024;
/// The largest number of connections that end before a call is made.
const MAX_LOST: usize = 3;

/// What a server answered to a call.
enum Answered {
    Result(CallToolResult),
    Task(Task),
}

impl Called {
    async fn call(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let kept = match Checkpoint::read(cx, self.fingerprint)? {
            // Whatever became of it, the call is not made again.
            Some(Checkpoint {
                server,
                begun: Begun::Task(task),
                ..
            }) => {
                let task = Task::kept(self.server(), self.fingerprint, server, task, cx);
                return answer::of(task.result(self.task_timeout).await?, self.check.as_ref());
            }
            Some(Checkpoint {
                server,
                begun: Begun::Asked(asked),
                ..
            }) if !asked.is_answered => Some((server, asked)),
            // The log has how the tool was trusted when the call began.
            Some(Checkpoint {
                begun: Begun::Asked(asked),
                ..
            }) if !(asked.may_repeat && self.may_repeat) => return Err(failure::undecided()),
            _ => None,
        };
        let result = match self.answered(call, kept, cx).await? {
            Answered::Result(result) => result,
            Answered::Task(mut task) => {
                task.keep().await?;
                task.result(self.task_timeout).await?
            }
        };
        answer::of(result, self.check.as_ref())
    }

    fn server(&self) -> (&Arc<Connection>, Duration) {
        (&self.connection, self.timeout)
    }

    /// The answer within its time limit, without the time in which a person is asked.
    async fn answered(
        &self,
        call: &ToolCall,
        kept: Option<(String, Asked)>,
        cx: &ToolContext,
    ) -> Result<Answered, ToolError> {
        let made = Box::pin(self.made(call, kept, cx));
        let made = self.connection.within(self.timeout, made).await;
        made.unwrap_or_else(|_| Err(failure::unanswered(self.timeout)))
    }

    async fn made(
        &self,
        call: &ToolCall,
        kept: Option<(String, Asked)>,
        cx: &ToolContext,
    ) -> Result<Answered, ToolError> {
        let arguments: JsonObject = call.decode()?;
        let mut params = CallToolRequestParams::new(self.name.clone()).with_arguments(arguments);
        let (mut line, server, mut asked) = if let Some((server, asked)) = kept {
            (None, server, Some(asked))
        } else {
            let line = self.line().await?;
            let server = self.connection.server(&line);
            (Some(line), server, None)
        };
        let mut questions = asked.as_ref().map_or(0, |asked| asked.requests.len());
        let mut backoff = Backoff::default();
        loop {
            let line = match (&mut asked, line.take()) {
                (None, Some(line)) => line,
                (None, None) => self.line().await?,
                (Some(asked), _) => {
                    self.fill(&mut params, asked, cx).await?;
                    let line = self.line_again(&mut backoff, &server).await?;
                    asked.is_answered = true;
                    self.keep(asked, &server, cx).await?;
                    line
                }
            };
            let result = match (self.send(&line, params.clone(), cx).await, &mut asked) {
                // An answer of a person is not lost because the server is away.
                (Err(error), Some(asked)) if failure::is_unsent(&error) => {
                    tracing::debug!(%error, "a server that has begun a call is tried again");
                    asked.is_answered = false;
                    self.keep(asked, &server, cx).await?;
                    continue;
                }
                (sent, _) => sent.map_err(|error| failure::of_service(&error))?,
            };
            let required = match result {
                Some(ServerResult::CallToolResult(result)) => return Ok(Answered::Result(result)),
                Some(ServerResult::CreateTaskResult(created)) => {
                    let task = Task::new(self.server(), self.fingerprint, server, created, cx);
                    return task.map(Answered::Task);
                }
                Some(ServerResult::InputRequiredResult(required)) => required,
                Some(_) => return Err(failure::of_service(&ServiceError::UnexpectedResponse)),
                None => return Err(failure::of_service(&ServiceError::TransportClosed)),
            };
            params.input_responses = None;
            let before = asked.map_or(0, |asked| asked.before + 1);
            if before == MAX_ROUNDS {
                return Err(failure::too_many_questions());
            }
            let next = Asked::new(required, before, self.may_repeat);
            questions += next.requests.len();
            if questions > MAX_QUESTIONS {
                return Err(failure::too_many_questions());
            }
            self.keep(&next, &server, cx).await?;
            asked = Some(next);
        }
    }

    /// Puts the answers to the questions of the server into the request, if they are not there.
    async fn fill(
        &self,
        params: &mut CallToolRequestParams,
        asked: &Asked,
        cx: &ToolContext,
    ) -> Result<(), ToolError> {
        if params.input_responses.is_some() {
            return Ok(());
        }
        let asking = &self.connection.listener.asking;
        let round = asked.before.to_string();
        let answers = asking.answer_all(asked.requests.clone(), &round, cx);
        params.input_responses = Some(answers.await.map_err(|why| failure::unasked(&why))?);
        params.request_state.clone_from(&asked.state);
        Ok(())
    }

    /// Records what the server has asked, where the call may end until the answer is there.
    async fn keep(&self, asked: &Asked, server: &str, cx: &ToolContext) -> Result<(), ToolError> {
        if !self.connection.listener.asking.is_in_runs() {
            return Ok(());
        }
        let begun = Begun::Asked(asked.clone());
        let checkpoint = Checkpoint::new(server.to_owned(), self.fingerprint, begun);
        let text = checkpoint.to_text()?;
        if text.len() > MAX_ASKED {
            return Err(failure::too_large_questions(text.len(), MAX_ASKED));
        }
        cx.checkpoint(text).await
    }

    /// The way to the server that has begun the call, and may have gone while a person was asked. Until the limit of the call it
    /// is tried again.
    async fn line_again(&self, backoff: &mut Backoff, server: &str) -> Result<Line, ToolError> {
        loop {
            backoff.wait().await;
            match self.line().await {
                Ok(line) if self.connection.server(&line) == server => return Ok(line),
                Err(error) => match error.category {
                    ErrorCategory::NetworkError | ErrorCategory::ExecutionTimeout => {
                        tracing::debug!(%error, "a server that has begun a call is tried again");
                    }
                    ErrorCategory::ResourceNotFound => return Err(checkpoint::elsewhere()),
                    _ => return Err(error),
                },
                Ok(_) => return Err(checkpoint::elsewhere()),
            }
        }
    }

    /// The way to the server, which has the tool as it was listed. A connection that ends before anything was sent is opened
    /// again.
    async fn line(&self) -> Result<Line, ToolError> {
        let connection = &self.connection;
        for _ in 0..MAX_LOST {
            let line = connection.line(self.timeout).await;
            let line = line.map_err(|error| failure::unreached(&error))?;
            let stale = connection.check(&self.name, self.fingerprint, self.timeout);
            match stale.await {
                Ok(Some(stale)) => return Err(stale.into()),
                Ok(None) if !line.over.is_cancelled() => return Ok(line),
                Err(error) if !line.over.is_cancelled() => return Err(failure::unreached(&error)),
                _ => {}
            }
        }
        Err(failure::lost())
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
