//! A reply that is being streamed.

use std::{collections::VecDeque, time::Duration};

use super::{Endpoint, Remote, secrets::Secrets, sending::mark};
use crate::{
    model::{ModelError, ModelEvent, ModelRequest},
    transport::Reply,
    wire::stream_reader::StreamReader,
};

/// A reply that is being streamed.
pub(super) struct Streaming<'a, P: Endpoint> {
    model: &'a Remote<P>,
    provider: String,
    step: Step<'a, P>,
    /// What its errors must not show.
    secrets: Secrets,
    /// Events that have come and not been handed out.
    events: VecDeque<ModelEvent>,
    /// Room for the events of one read.
    came: Vec<ModelEvent>,
}

/// How long usage, or the end, is waited for after the reason for the end of the reply.
const GRACE: Duration = Duration::from_secs(2);

/// How long the end of the body is waited for after the reply has said that it is done.
const LAST_BYTES: Duration = Duration::from_millis(20);

enum Step<'a, P: Endpoint> {
    Send(&'a ModelRequest),
    Read(Box<Reply>, Box<StreamReader<P::Reply>>),
    /// Nothing more is read; the error is told after the events before it.
    End(Option<ModelError>),
}

impl<'a, P: Endpoint> Streaming<'a, P> {
    pub(super) fn new(model: &'a Remote<P>, request: &'a ModelRequest) -> Self {
        Self {
            model,
            provider: model.provider(),
            step: Step::Send(request),
            secrets: Secrets::default(),
            events: VecDeque::new(),
            came: Vec::new(),
        }
    }
}

impl<P: Endpoint> Streaming<'_, P> {
    /// The next event; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            self.step = match std::mem::replace(&mut self.step, Step::End(None)) {
                Step::End(error) => {
                    let secrets = std::mem::take(&mut self.secrets);
                    return error.map(|error| Err(self.model.failed(error, secrets)));
                }
                Step::Send(request) => {
                    let tools = self.model.tools(request);
                    let (provider, secrets) = (&self.provider, &mut self.secrets);
                    let sent = self.model.send(request, &tools, provider, true, secrets);
                    match sent.await {
                        Ok(reply) => {
                            let warnings = P::warnings_of(request, &self.model.quirks).into_iter();
                            self.events.extend(warnings.map(ModelEvent::Warning));
                            let mut decoder = StreamReader::for_tools(tools);
                            decoder.set_event_limit(self.model.transport.event_limit());
                            Step::Read(Box::new(reply), Box::new(decoder))
                        }
                        Err(error) => Step::End(Some(error)),
                    }
                }
                Step::Read(reply, decoder) => self.read(reply, decoder).await,
            };
        }
    }

    /// Reads once, and ends the reply where it ends.
    async fn read<'a>(
        &mut self,
        mut reply: Box<Reply>,
        mut decoder: Box<StreamReader<P::Reply>>,
    ) -> Step<'a, P> {
        // After the reason for its end, a reply has little more to say: usage, or nothing at all.
        let wait = if decoder.is_complete() {
            GRACE
        } else {
            Duration::MAX
        };
        let chunk = reply.chunk_within(wait).await;
        let came = &mut self.came;
        let next = match chunk {
            Ok(Some(bytes)) => match decoder.feed(&bytes, came) {
                Ok(()) if decoder.is_done() => {
                    // The connection serves again once its last bytes are read.
                    let _ = reply.chunk_within(LAST_BYTES).await;
                    Err(decoder.finish(came).err())
                }
                Ok(()) => Ok(decoder),
                Err(error) => Err(Some(error)),
            },
            Ok(None) => Err(decoder.finish(came).err()),
            // A reply that was whole before the connection broke is whole.
            Err(_) if decoder.is_complete() => Err(decoder.finish(came).err()),
            Err(error) => {
                // Its own error says that the stream ended early; why is known better here.
                let _ = decoder.finish(came);
                Err(Some(error))
            }
        };
        self.events.extend(came.drain(..).map(|mut event| {
            if let ModelEvent::Opaque(opaque) = &mut event {
                mark(opaque, &self.provider);
            }
            event
        }));
        match next {
            Ok(decoder) => Step::Read(reply, decoder),
            Err(error) => Step::End(error.map(|error| error.with_status(reply.status()))),
        }
    }
}
