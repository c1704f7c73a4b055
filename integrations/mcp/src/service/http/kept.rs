//! The last answers of sessions, for a client whose connection broke before it had them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Duration,
};

use rmcp::{
    model::JsonRpcMessage,
    transport::streamable_http_server::session::{ServerSseMessage, SessionId},
};
use tokio::time::Instant;

/// How long an answer is kept.
const TIME: Duration = Duration::from_secs(60);
/// The largest number of bytes that are kept for a session, and for all.
const MAX_OF_SESSION: usize = 8 << 20;
const MAX: usize = 64 << 20;
/// The number of bytes that an answer takes besides its text.
const OVERHEAD: usize = 1 << 10;

/// The answers that are kept, by their age. The oldest ones go first.
#[derive(Default)]
pub(super) struct Kept {
    answers: BTreeMap<u64, Answer>,
    sessions: HashMap<SessionId, OfSession>,
    bytes: usize,
    next: u64,
}

struct Answer {
    session: SessionId,
    event: ServerSseMessage,
    bytes: usize,
    since: Instant,
}

#[derive(Default)]
struct OfSession {
    answers: BTreeSet<u64>,
    bytes: usize,
}

/// The number of bytes of an event that is the answer of a request.
pub(super) fn bytes_of_answer(event: &ServerSseMessage) -> Option<usize> {
    let message = event.message.as_deref()?;
    let is_answer = matches!(
        message,
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)
    );
    let text = is_answer.then(|| serde_json::to_vec(message))?;
    Some(text.ok()?.len() + OVERHEAD)
}

impl Kept {
    /// Keeps an answer of this number of bytes, unless it alone is too much for a session.
    pub(super) fn add(&mut self, session: &SessionId, event: ServerSseMessage, bytes: usize) {
        if bytes > MAX_OF_SESSION {
            return;
        }
        let number = self.next;
        self.next += 1;
        let answer = Answer {
            session: session.clone(),
            event,
            bytes,
            since: Instant::now(),
        };
        self.answers.insert(number, answer);
        self.bytes += bytes;
        let of_session = self.sessions.entry(session.clone()).or_default();
        of_session.answers.insert(number);
        of_session.bytes += bytes;
        while let Some(of_session) = self.sessions.get(session)
            && of_session.bytes > MAX_OF_SESSION
            && let Some(&oldest) = of_session.answers.first()
        {
            self.remove(oldest);
        }
        self.tidy();
    }

    /// The answer that comes after this event in its stream.
    pub(super) fn after(
        &mut self,
        session: &SessionId,
        last_event_id: &str,
    ) -> Option<ServerSseMessage> {
        self.tidy();
        let (last, stream) = parts(last_event_id)?;
        let answers = self.sessions.get(session)?.answers.iter();
        let mut events = answers.filter_map(|number| Some(&self.answers.get(number)?.event));
        let is_after = |event: &&ServerSseMessage| {
            let id = event.event_id.as_deref().and_then(parts);
            id.is_some_and(|(index, of)| of == stream && index > last)
        };
        events.find(is_after).cloned()
    }

    /// Removes the answers of a session.
    pub(super) fn end(&mut self, session: &SessionId) {
        let of_session = self.sessions.get(session);
        for number in of_session.map(|it| it.answers.clone()).unwrap_or_default() {
            self.remove(number);
        }
    }

    /// Removes those that are old, or too much together.
    fn tidy(&mut self) {
        while let Some((&oldest, answer)) = self.answers.first_key_value()
            && (self.bytes > MAX || answer.since.elapsed() >= TIME)
        {
            self.remove(oldest);
        }
    }

    fn remove(&mut self, number: u64) {
        let Some(Answer { session, bytes, .. }) = self.answers.remove(&number) else {
            return;
        };
        self.bytes -= bytes;
        if let Some(of_session) = self.sessions.get_mut(&session) {
            of_session.bytes -= bytes;
            of_session.answers.remove(&number);
            if of_session.answers.is_empty() {
                self.sessions.remove(&session);
            }
        }
    }
}

/// The index of an event and the number of its stream. The stream that is no request's has none.
fn parts(event_id: &str) -> Option<(usize, &str)> {
    let (index, stream) = event_id.split_once('/')?;
    Some((index.parse().ok()?, stream))
}
