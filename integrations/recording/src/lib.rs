//! A run with a real model, recorded in a file and replayed offline.

mod difference;
mod error;
mod excerpt;
mod file;
mod player;
mod recorded_tool;
mod recorder;
mod redaction;
mod results;
mod sent;

use std::{error::Error, fmt, future::pending, path::Path, path::PathBuf, sync::Arc};

pub use error::RecordingError;

use player::Player;
use recorded_tool::RecordedTool;
use recorder::{Recorded, Recorder};
use toolwright_core::{
    ToolError, Toolset,
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelRequest, ModelResponse, ModelStream, collect,
    },
    testing::Update,
    tool::{BoxFuture, Tool, ToolCall, ToolOutput},
};
use toolwright_runtime::Redact;
use toolwright_runtime::testing::ScriptedResponse;

/// The requests of a run and their responses, in a file: recorded once with a real model, and replayed offline.
/// Elsewhere called a cassette.
///
/// It is a [`ChatModel`]. While it [records](Self::record), it passes requests to a model and writes each with its
/// response. In a [replay](Self::replay) it returns the recorded responses and asks no model. Your current tools run,
/// with your current prompts and policies: only the responses are recorded. So give the runner tools that may run in a
/// test, or those of [`recorded_results`](Self::recorded_results), which do not run.
///
/// Each request is compared with the recorded one: system text, tools, messages with the results of calls, the choice
/// of tools, the answer schema and the settings. The first one that differs gets an error of the kind
/// [`NotRecorded`](toolwright_core::ModelErrorKind::NotRecorded), which is not retried, and so does every request after
/// it. The error shows the difference. [`finish`](Self::finish) repeats it, and also fails if the run sent fewer
/// requests than were recorded.
///
/// [`open`](Self::open) does either, by an environment variable, so that one test is both:
///
/// ```
/// # use toolwright::{ModelResponse, tool, toolset, testing::ScriptedModel as OpenAiChat};
/// use toolwright::Runner;
/// use toolwright_recording::Recording;
///
/// # trait FromEnv { fn from_env(_: &str) -> Result<OpenAiChat, std::env::VarError>; }
/// # impl FromEnv for OpenAiChat {
/// #     fn from_env(_: &str) -> Result<OpenAiChat, std::env::VarError> {
/// #         Ok(OpenAiChat::new([ModelResponse::from_text("Hello.")]))
/// #     }
/// # }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("recording-doc-{}.jsonl", std::process::id()));
/// # let record = Recording::record(&path, OpenAiChat::from_env("")?)?;
/// # Runner::builder(record.clone()).build()?.run("Say hello.").await?;
/// # record.finish()?;
/// // TOOLWRIGHT_RECORD=1 cargo test      asks the model, and writes the file
/// // cargo test                          asks nobody
/// # let _ = "tests/recordings/hello.jsonl";
/// let recording = Recording::open(&path, || OpenAiChat::from_env("gpt-5.1-mini"))?;
/// let runner = Runner::builder(recording.clone()).build()?;
/// let outcome = runner.run("Say hello.").await?;
/// assert!(outcome.text.contains("Hello"));
/// recording.finish()?;
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
///
/// # What is compared, and what is not
///
/// Several runs may share a file, one after the other or at the same time, also by a run that is resumed after it was
/// stored: each recorded request is answered once, in the order of the file where they are the same. Results of calls
/// stand in the order of the calls, so that it does not matter which one ended first. Ids of calls are the provider's,
/// and recorded. A time or a random number in a system text, a question or a result differs each time: hand in a fixed
/// one, or take it out by a [redaction](Self::with_redaction), which also holds for what is compared.
///
/// A response is recorded whole, not in its streamed pieces: a replay streams each text in two pieces. Times are not
/// recorded, and nothing waits. An error of the model is replayed as an error, and a runner retries as before. A
/// response that was not read to its end, such as that of a cancelled run, is replayed as far as it came, and then
/// never ends: let the test cancel again.
///
/// A recording may stand around an [emulated](https://docs.rs/toolwright/latest/toolwright/emulation) model, or inside of
/// it: it records what passes through it.
///
/// # Secrets
///
/// What looks like a credential is not written: what [`Credentials`](toolwright_runtime::Credentials) finds, also in
/// the arguments of calls and in JSON that a text holds. Everything else is: the questions, the results, the system
/// text. Add what an application knows by [`with_redaction`](Self::with_redaction), and read a recording before you
/// commit it. What is redacted in a response is redacted in its replay: a tool then gets `[redacted]` as an argument.
///
/// # The file
///
/// Lines of JSON in UTF-8. The first is `{"toolwright_recording":1}`, whose number is the [version](Self::VERSION).
/// Each other is a request and what came of it: `exchange` (the number of the request, from 1), `takes_tools` (only
/// `false` is written), `takes_answer_schema` (what the model said of it last, if a run asked), `request`, and one of
/// `reply` (a [`ModelResponse`]), `error` (a [`ModelError`]) and `given_up` (a `ModelResponse` that did not end). A
/// request has the members `system`, `tools`, `tool_choice`, `answer_schema` and `settings` of a [`ModelRequest`], and
/// `messages`: `{"role": "user" | "assistant", "parts"}` and `{"role": "tool", "results"}`, as a provider is sent them.
/// A missing member has the value of the line before, and so have the first `keep` messages.
///
/// It is written beside its place, as `<name>.new`, a line for each response, and gets its name from
/// [`finish`](Self::finish). So what was recorded before stays until a run was recorded whole.
#[derive(Clone)]
pub struct Recording(Arc<Mode>);

enum Mode {
    Live(Recorder),
    Replay(Player),
}

impl Recording {
    /// The environment variable by which [`open`](Self::open) records.
    pub const VARIABLE: &str = "TOOLWRIGHT_RECORD";

    /// The version of the file.
    pub const VERSION: u64 = 1;

    /// Sends requests to a model, and records its responses. `path` is that of the file, whose folder is made if it
    /// is not there; a relative one begins in the folder of the package, where `cargo test` runs.
    ///
    /// The file is there after [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn record(path: impl Into<PathBuf>, model: impl ChatModel) -> Result<Self, RecordingError> {
        let recorder = Recorder::create(path.into(), Box::new(model))?;
        Ok(Self(Arc::new(Mode::Live(recorder))))
    }

    /// Responds with the responses of a file.
    ///
    /// # Errors
    ///
    /// When the file does not exist, cannot be read, is damaged, or has a newer version.
    pub fn replay(path: impl Into<PathBuf>) -> Result<Self, RecordingError> {
        Player::open(path.into()).map(|player| Self(Arc::new(Mode::Replay(player))))
    }

    /// Replays a file; or records it, with the model that is made for it, if the environment variable
    /// [`TOOLWRIGHT_RECORD`](Self::VARIABLE) is set, neither empty nor `0`. Where `CI` is set it never records.
    ///
    /// # Errors
    ///
    /// The errors of [`replay`](Self::replay) and of [`record`](Self::record), and [`RecordingError::Model`] when the model cannot
    /// be made.
    pub fn open<M, E>(
        path: impl Into<PathBuf>,
        model: impl FnOnce() -> Result<M, E>,
    ) -> Result<Self, RecordingError>
    where
        M: ChatModel,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        if Update::asked_by(Self::VARIABLE) != Update::Write {
            return Self::replay(path);
        }
        let path = path.into();
        match model() {
            Ok(model) => Self::record(path, model),
            Err(error) => Err(RecordingError::Model {
                path,
                error: error.into(),
            }),
        }
    }

    /// Also takes this out of what is written and compared, after what looks like a credential:
    /// [`Secrets`](toolwright_runtime::Secrets) for keys that the application knows, or a pattern for times that change. Call it before
    /// the first request.
    #[must_use = "it is the same recording, with the redaction"]
    pub fn with_redaction(self, redact: impl Redact) -> Self {
        match &*self.0 {
            Mode::Live(recorder) => recorder.with_redaction(|all| all.push(redact)),
            Mode::Replay(player) => player.with_redaction(|all| all.push(redact)),
        }
        self
    }

    /// Returns the tools with the results of the recording: in a replay none of them runs, nor does middleware around them.
    /// Each call is answered with the result that it had then, without another attempt and without a rate limit. While it
    /// is recorded they run.
    ///
    /// The definitions that the model gets are still compared, arguments are still checked, and approvals are still
    /// requested. A call that was not recorded gets an error, and ends the replay. So does one whose result was never
    /// sent: that of a run which ended after its calls, at a limit for example.
    #[must_use = "the tools that are given in stay as they are"]
    pub fn recorded_results(&self, tools: Toolset) -> Toolset {
        if self.is_live() {
            return tools;
        }
        let answered = tools.iter().map(|tool| {
            let (tool, recording) = (Arc::clone(tool), self.clone());
            let answered: Arc<dyn Tool> = Arc::new(RecordedTool { tool, recording });
            answered
        });
        // Their names differ, as those of the tools inside do.
        Toolset::from_checked(answered.collect())
    }

    /// The recorded result of a call.
    fn result(&self, call: &ToolCall) -> Option<Result<ToolOutput, ToolError>> {
        match &*self.0 {
            Mode::Live(_) => None,
            Mode::Replay(player) => player.result(call),
        }
    }

    /// Returns true if requests go to a model, and false in a replay.
    pub fn is_live(&self) -> bool {
        matches!(&*self.0, Mode::Live(_))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        match &*self.0 {
            Mode::Live(recorder) => recorder.path(),
            Mode::Replay(player) => player.path(),
        }
    }

    /// Ends a recording: gives the file its name. In a replay it checks that all recorded requests were sent, and no
    /// other: call it at the end of each test, since a run that stops at a limit may end without an error.
    ///
    /// # Errors
    ///
    /// When something was not written, which no request fails for; or when the run was not the one that was recorded.
    pub fn finish(&self) -> Result<(), RecordingError> {
        match &*self.0 {
            Mode::Live(recorder) => recorder.finish(),
            Mode::Replay(player) => player.finish(),
        }
    }
}

impl ChatModel for Recording {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        match &*self.0 {
            Mode::Live(recorder) => Box::pin(Recorded::new(recorder, request, true)),
            Mode::Replay(player) => ScriptedResponse::stream(|| player.reply(request)),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        match &*self.0 {
            Mode::Live(_) => Box::pin(collect(self.unstreamed(request))),
            Mode::Replay(player) => Box::pin(async move {
                match player.reply(request) {
                    ScriptedResponse::Reply(reply) => Ok(reply),
                    ScriptedResponse::Error(error) => Err(error),
                    _ => pending().await,
                }
            }),
        }
    }

    fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        match &*self.0 {
            Mode::Live(recorder) => Box::pin(Recorded::new(recorder, request, false)),
            Mode::Replay(player) => ScriptedResponse::stream(|| player.reply(request)),
        }
    }

    fn capabilities(&self) -> ModelCapabilities {
        match &*self.0 {
            Mode::Live(recorder) => recorder.model().capabilities(),
            Mode::Replay(player) => ModelCapabilities::new()
                .with_tools(player.takes_tools())
                .with_tool_search(player.searches_tools())
                .with_allowed_tools(player.takes_allowed_tools()),
        }
    }

    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        match &*self.0 {
            Mode::Live(recorder) => recorder.takes_answer_schema(request),
            Mode::Replay(player) => player.takes_answer_schema(),
        }
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("path", &self.path())
            .field("is_live", &self.is_live())
            .finish()
    }
}
