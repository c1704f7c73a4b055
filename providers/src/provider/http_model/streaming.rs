//! A response that is being streamed.

mod rest;

use std::collections::VecDeque;

use toolwright_core::model::{ModelError, ModelEvent, ModelRequest, ModelResponse};

use super::{HttpModel, secrets::Secrets, sending::mark};
use crate::{
    codec::{decode_stream::DecodeStream, protocol::Codec},
    transport::{Reply, Transport},
};
use rest::Rest;

/// A response that is being streamed.
pub(super) struct Streaming<'a, C: Codec> {
    model: &'a HttpModel<C>,
    provider: String,
    step: Step<'a, C>,
    /// The secrets that its errors must not show.
    secrets: Secrets,
    /// Events that have come and not been handed out.
    events: VecDeque<ModelEvent>,
    /// Room for the events of one read.
    came: Vec<ModelEvent>,
}

enum Step<'a, C: Codec> {
    Send(&'a ModelRequest),
    Read(Box<Reading<C>>),
    /// Nothing more is read; the error comes after the events before it.
    End(Option<ModelError>),
}

/// A response whose body is being read.
struct Reading<C: Codec> {
    reply: Reply,
    decoder: C::Stream,
    /// The rest of the response that is read after the reason for its end.
    rest: Option<Rest>,
}

impl<'a, C: Codec> Streaming<'a, C> {
    pub(super) fn new(model: &'a HttpModel<C>, request: &'a ModelRequest) -> Self {
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

impl<C: Codec> Streaming<'_, C> {
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
                    let model = self.model;
                    match model.send(request, true, &mut self.secrets).await {
                        Ok(reply) => {
                            let warnings = model.warnings(request).into_iter();
                            self.events.extend(warnings.map(ModelEvent::Warning));
                            let facts = HttpModel::<C>::facts(&reply, &self.secrets);
                            if !facts.is_empty() {
                                self.events.push_back(ModelEvent::Metadata {
                                    name: ModelResponse::HEADERS.to_owned(),
                                    value: facts.into(),
                                });
                            }
                            let mut decoder = model.codec.stream_decoder(&request.tools);
                            decoder.set_event_limit(model.http.transport.event_limit);
                            Step::Read(Box::new(Reading {
                                reply,
                                decoder,
                                rest: None,
                            }))
                        }
                        Err(error) => Step::End(Some(error)),
                    }
                }
                Step::Read(reading) => self.read(reading).await,
            };
        }
    }

    /// Reads once, and ends the response where it ends.
    async fn read<'a>(&mut self, mut reading: Box<Reading<C>>) -> Step<'a, C> {
        let Reading {
            reply,
            decoder,
            rest,
        } = &mut *reading;
        let chunk = match rest {
            Some(rest) => rest.chunk(reply).await,
            None => reply.chunk().await,
        };
        let came = &mut self.came;
        let fed = match &chunk {
            Ok(Some(bytes)) => decoder.feed(bytes, came),
            Ok(None) | Err(_) => Ok(()),
        };
        let goes_on = matches!(chunk, Ok(Some(_))) && !decoder.is_over();
        let next = match (fed, chunk) {
            (Err(error), _) => Err(Some(error)),
            (Ok(()), _) if goes_on => {
                // What comes of the answer shows that the reason was not the end of it.
                let answers = |event: &ModelEvent| !event.is_beside_the_answer();
                if (decoder.is_complete() || decoder.has_failed())
                    && (rest.is_none() || decoder.may_continue() && came.iter().any(answers))
                {
                    *rest = Some(Rest::new(decoder.has_failed()));
                }
                Ok(())
            }
            (Ok(()), Err(failure)) => Err(Some(failure)),
            (Ok(()), Ok(_)) => Err(None),
        };
        let next = match next {
            Ok(()) => Ok(reading),
            Err(error) => {
                let Reading { reply, decoder, .. } = *reading;
                let status = reply.status();
                let facts = HttpModel::<C>::facts(&reply, &self.secrets);
                let may_serve_again = error.is_none() && decoder.is_over();
                let ended = decoder.finish_body(error, came);
                if may_serve_again {
                    Transport::drain(reply);
                }
                Err(ended
                    .err()
                    .map(|error| error.with_status(status).with_headers(facts)))
            }
        };
        self.events.extend(came.drain(..).map(|mut event| {
            if let ModelEvent::Opaque(opaque) = &mut event {
                mark(opaque, &self.provider);
            }
            event
        }));
        match next {
            Ok(reading) => Step::Read(reading),
            Err(error) => Step::End(error),
        }
    }
}
