//! Writes what a model is asked and answers while it does.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;

use super::{
    RecordingError,
    file::{self, Ending},
    redaction::Redaction,
    sent::{Sent, text},
};
use toolwright_core::{
    driver::Mutex,
    model::{
        Assembler, ChatModel, ModelError, ModelEvent, ModelRequest, ModelResponse, ModelStream,
    },
};

/// A model that is recorded.
pub(super) struct Recorder {
    model: Box<dyn ChatModel>,
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    redaction: Redaction,
    /// The number of requests so far.
    asked: usize,
    /// What the model said of the schema of an answer last.
    takes_answer_schema: Option<bool>,
    /// The request of the last line.
    before: Option<Sent>,
    /// `None` once it has its name.
    file: Option<File>,
    failure: Option<io::Error>,
}

impl Recorder {
    /// Begins a file beside the one that is there.
    pub(super) fn create(path: PathBuf, model: Box<dyn ChatModel>) -> Result<Self, RecordingError> {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let created = folder.and_then(|()| {
            let mut file = File::create(unfinished(&path))?;
            file.write_all(file::header().as_bytes())?;
            Ok(file)
        });
        let file = match created {
            Ok(file) => file,
            Err(error) => return Err(RecordingError::Unwritable { path, error }),
        };
        Ok(Self {
            model,
            path,
            state: Mutex::new(State {
                redaction: Redaction::new(),
                asked: 0,
                takes_answer_schema: None,
                before: None,
                file: Some(file),
                failure: None,
            }),
        })
    }

    pub(super) fn model(&self) -> &dyn ChatModel {
        &*self.model
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn with_redaction(&self, add: impl FnOnce(&mut Redaction)) {
        add(&mut self.state.lock().redaction);
    }

    /// Gives the file its name.
    pub(super) fn finish(&self) -> Result<(), RecordingError> {
        let mut state = self.state.lock();
        let finished = match (state.failure.take(), state.file.take()) {
            (Some(failure), _) => Err(failure),
            (None, None) => Ok(()),
            (None, Some(file)) => file
                .sync_all()
                .and_then(|()| fs::rename(unfinished(&self.path), &self.path)),
        };
        finished.map_err(|error| RecordingError::Unwritable {
            path: self.path.clone(),
            error,
        })
    }

    /// What the model says of the schema of an answer, which is noted for the requests that follow.
    pub(super) fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        let takes = self.model.takes_answer_schema(request);
        self.state.lock().takes_answer_schema = Some(takes);
        takes
    }

    /// Notes that a request is sent.
    pub(super) fn begin(&self, request: &ModelRequest) -> Asking<'_> {
        let takes_tools = self.model.capabilities().tools;
        let mut state = self.state.lock();
        state.asked += 1;
        Asking {
            recorder: self,
            number: state.asked,
            takes: (takes_tools, state.takes_answer_schema),
            sent: Sent::of(request, &state.redaction),
            assembler: Some(Assembler::new()),
        }
    }
}

/// The name of the file while it is recorded.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".new");
    name.into()
}

/// A request that is under way. Dropped before its end it was given up.
pub(super) struct Asking<'r> {
    recorder: &'r Recorder,
    number: usize,
    /// Whether the model takes tools, and the schema of an answer if it was asked about one.
    takes: (bool, Option<bool>),
    sent: Result<Sent, String>,
    /// `None` once the end is written.
    assembler: Option<Assembler>,
}

impl Asking<'_> {
    fn push(&mut self, event: &ModelEvent) {
        if let Some(assembler) = &mut self.assembler {
            assembler.push(event.clone());
        }
    }

    fn end(&mut self, reply: &Result<ModelResponse, ModelError>) {
        self.assembler = None;
        self.write(|redaction| match reply {
            Ok(reply) => text(reply, redaction).map(Ending::Reply),
            Err(error) => text(error, redaction).map(Ending::Error),
        });
    }

    /// Writes the end of a stream, which an error may have ended.
    fn end_of_stream(&mut self, error: Option<&ModelError>) {
        let Some(assembler) = self.assembler.take() else {
            return;
        };
        let reply = match error {
            None => assembler.into_response(),
            Some(error) => match assembler.finish() {
                nothing if nothing == ModelResponse::default() => Err(error.clone()),
                partial => Err(error.clone().or_partial(partial)),
            },
        };
        self.end(&reply);
    }

    fn write(&self, ending: impl FnOnce(&Redaction) -> Result<Ending, String>) {
        let mut state = self.recorder.state.lock();
        let state = &mut *state;
        let written = self
            .line(state, ending)
            .and_then(|line| match &mut state.file {
                Some(file) => file.write_all(line.as_bytes()),
                None => Err(io::Error::other(
                    "the recording was finished before its last response",
                )),
            });
        match (written, &self.sent) {
            (Ok(()), Ok(sent)) => state.before = Some(sent.clone()),
            (Err(failure), _) => state.failure = state.failure.take().or(Some(failure)),
            (Ok(()), Err(_)) => unreachable!("a request that cannot be written has no line"),
        }
    }

    fn line(
        &self,
        state: &State,
        ending: impl FnOnce(&Redaction) -> Result<Ending, String>,
    ) -> io::Result<String> {
        let sent = self
            .sent
            .as_ref()
            .map_err(|why| io::Error::other(why.clone()))?;
        let ending = ending(&state.redaction).map_err(io::Error::other)?;
        let before = state.before.as_ref();
        let line = file::line(self.number, self.takes, before, sent, &ending);
        line.map_err(io::Error::other)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let Some(assembler) = self.assembler.take() else {
            return;
        };
        if assembler.is_finished() {
            return self.end(&Ok(assembler.finish()));
        }
        let partial = assembler.finish();
        self.write(|redaction| text(&partial, redaction).map(Ending::GivenUp));
    }
}

/// The events of a model, which are written when they have ended.
pub(super) struct Recorded<'a> {
    recorder: &'a Recorder,
    request: &'a ModelRequest,
    is_streamed: bool,
    /// Made by the first poll.
    asked: Option<(Asking<'a>, ModelStream<'a>)>,
}

impl<'a> Recorded<'a> {
    pub(super) fn new(
        recorder: &'a Recorder,
        request: &'a ModelRequest,
        is_streamed: bool,
    ) -> Self {
        Self {
            recorder,
            request,
            is_streamed,
            asked: None,
        }
    }
}

impl Stream for Recorded<'_> {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let (recorder, request) = (this.recorder, this.request);
        let is_streamed = this.is_streamed;
        let (asking, stream) = this.asked.get_or_insert_with(|| {
            let (asking, model) = (recorder.begin(request), recorder.model());
            if is_streamed {
                (asking, model.stream(request))
            } else {
                (asking, model.unstreamed(request))
            }
        });
        let event = ready!(stream.as_mut().poll_next(cx));
        match &event {
            Some(Ok(event)) => asking.push(event),
            Some(Err(error)) => asking.end_of_stream(Some(error)),
            None => asking.end_of_stream(None),
        }
        Poll::Ready(event)
    }
}
