//! The largest number of sessions of the protocol of 2025-11-25.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use futures_util::{Stream, StreamExt as _, future, stream};
use http::StatusCode;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        ServerSseMessage, SessionId, SessionManager,
        local::{LocalSessionManager, LocalSessionManagerError, SessionError},
    },
};
use tokio::sync::mpsc;
use toolwright_core::driver::Mutex;
use toolwright_http_access::Refusal;

use super::kept::{self, Kept};

/// The largest numbers of sessions.
#[derive(Clone, Copy)]
pub(super) struct MaxSessions {
    pub(super) max_sessions_of_owner: usize,
    /// Of all owners.
    pub(super) max_sessions: usize,
}

impl Default for MaxSessions {
    fn default() -> Self {
        Self {
            max_sessions_of_owner: 256,
            max_sessions: 4_096,
        }
    }
}

/// The sessions of `rmcp`, as far as there is room for them. Where there is none, the session that was used least recently goes,
/// unless a connection is open for it.
pub(super) struct BoundedSessions {
    sessions: LocalSessionManager,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    sessions: HashMap<SessionId, Session>,
    kept: Kept,
    /// Counts uses.
    clock: u64,
}

struct Session {
    owner: Arc<str>,
    /// The time of the last use.
    used: u64,
    /// The number of streams that are open.
    open: usize,
}

/// For whom a request is. `rmcp` has no place for it.
#[derive(Clone)]
struct Asker {
    owner: Arc<str>,
    max: MaxSessions,
    refused: Arc<OnceLock<Refusal>>,
}

tokio::task_local! {
    static ASKER: Asker;
}

/// Answers a request of an owner, which may begin a session.
pub(super) async fn within<T>(
    max: MaxSessions,
    owner: &str,
    answer: impl Future<Output = T>,
) -> Result<T, Refusal> {
    let refused = Arc::new(OnceLock::new());
    let asker = Asker {
        owner: owner.into(),
        max,
        refused: Arc::clone(&refused),
    };
    let answer = ASKER.scope(asker, answer).await;
    match refused.get() {
        Some(refusal) => Err(refusal.clone()),
        None => Ok(answer),
    }
}

impl Asker {
    fn current() -> Self {
        let asker = ASKER.try_with(Clone::clone);
        asker.unwrap_or_else(|_| unreachable!("requests are answered `within`"))
    }

    /// Answers the request by a refusal, in the place of what `rmcp` makes of an error.
    fn refuse(&self, status: StatusCode, why: &'static str) {
        let _is_first = self.refused.set(Refusal::new(status, why));
    }
}

type Events = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

impl BoundedSessions {
    pub(super) fn new(sessions: LocalSessionManager) -> Self {
        let known = Arc::default();
        Self { sessions, known }
    }

    /// Keeps the session in use as long as a stream lives.
    fn open<S: Stream<Item = ServerSseMessage>>(
        &self,
        id: &SessionId,
        stream: S,
    ) -> impl Stream<Item = ServerSseMessage> + use<S> {
        self.known.lock().change(id, |session| session.open += 1);
        let open = Open(Arc::clone(&self.known), id.clone());
        stream.map(move |message| {
            let _lives = &open;
            message
        })
    }

    /// The stream of a request. It is read to its end also when the connection is gone, so that its answer is
    /// [kept](Kept): `rmcp` forgets it at once.
    fn follow(
        &self,
        id: &SessionId,
        mut stream: impl Stream<Item = ServerSseMessage> + Send + Unpin + 'static,
    ) -> Events {
        let (send, mut receive) = mpsc::channel(1);
        let (known, id) = (Arc::clone(&self.known), id.clone());
        tokio::spawn(async move {
            while let Some(event) = stream.next().await {
                if let Some(bytes) = kept::bytes_of_answer(&event) {
                    known.lock().keep(&id, event.clone(), bytes);
                }
                let _is_read = send.send(event).await;
            }
        });
        Box::pin(stream::poll_fn(move |cx| receive.poll_recv(cx)))
    }
}

/// A stream that is open.
struct Open(Arc<Mutex<Known>>, SessionId);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.lock().change(&self.1, |session| session.open -= 1);
    }
}

impl Known {
    /// Changes a session that is used now.
    fn change(&mut self, id: &SessionId, change: impl FnOnce(&mut Session)) {
        self.clock += 1;
        if let Some(session) = self.sessions.get_mut(id) {
            session.used = self.clock;
            change(session);
        }
    }

    /// Adds a session. There may be too many then.
    fn add(&mut self, id: &SessionId, asker: &Asker) {
        self.clock += 1;
        let session = Session {
            owner: Arc::clone(&asker.owner),
            used: self.clock,
            open: 0,
        };
        self.sessions.insert(id.clone(), session);
    }

    /// Makes room for a session that was added, and gives those that have to go for it. If they are not enough, it is one of
    /// them.
    fn make_room(&mut self, id: &SessionId, asker: &Asker) -> Vec<SessionId> {
        // It is in use meanwhile.
        self.change(id, |session| session.open += 1);
        let mut going = Vec::new();
        while let Some(owner) = self.crowded(asker) {
            let idle = self.sessions.iter();
            let idle = idle.filter(|(_, session)| session.open == 0 && session.owner == owner);
            let oldest = idle.min_by_key(|(_, session)| session.used);
            let oldest = oldest.map_or(id, |(id, _)| id).clone();
            self.remove(&oldest);
            let is_last = oldest == *id;
            going.push(oldest);
            if is_last {
                break;
            }
        }
        self.change(id, |session| session.open -= 1);
        going
    }

    fn remove(&mut self, id: &SessionId) {
        self.sessions.remove(id);
        self.kept.end(id);
    }

    /// Keeps an answer, unless its session has ended.
    fn keep(&mut self, id: &SessionId, event: ServerSseMessage, bytes: usize) {
        if self.sessions.contains_key(id) {
            self.kept.add(id, event, bytes);
        }
    }

    /// Whose sessions are too many: those of the owner; or beyond the number of all, of whoever has most, not fewer than the
    /// owner, and does not use one.
    fn crowded(&self, asker: &Asker) -> Option<Arc<str>> {
        let mut counts: HashMap<&Arc<str>, usize> = HashMap::new();
        for session in self.sessions.values() {
            *counts.entry(&session.owner).or_default() += 1;
        }
        if counts.get(&asker.owner) > Some(&asker.max.max_sessions_of_owner) {
            return Some(Arc::clone(&asker.owner));
        }
        if self.sessions.len() <= asker.max.max_sessions {
            return None;
        }
        let idle = self.sessions.values().filter(|session| session.open == 0);
        let own = counts.get(&asker.owner);
        let owners = idle.map(|session| &session.owner);
        let owners = owners.filter(|owner| counts.get(owner) >= own);
        let most = owners.max_by_key(|owner| counts.get(owner));
        Some(Arc::clone(most.unwrap_or(&asker.owner)))
    }
}

impl SessionManager for BoundedSessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.sessions.create_session().await?;
        let asker = Asker::current();
        // It counts before this waits: the request may be dropped there.
        self.known.lock().add(&id, &asker);
        let mut sessions = self.sessions.sessions.write().await;
        let mut known = self.known.lock();
        let going = known.make_room(&id, &asker);
        let is_refused = !known.sessions.contains_key(&id);
        drop(known);
        for handle in going.iter().filter_map(|id| sessions.remove(id)) {
            // A session whose stream nobody reads hears it late.
            tokio::spawn(async move { handle.close().await });
        }
        drop(sessions);
        if is_refused {
            let why = "too many sessions are open: end one of them, or use the protocol of 2026-07-28, which has none";
            asker.refuse(StatusCode::TOO_MANY_REQUESTS, why);
            return Err(LocalSessionManagerError::SessionNotFound(id));
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.sessions.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.known.lock().change(id, |_| {});
        self.sessions.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        let closed = {
            let mut sessions = self.sessions.sessions.write().await;
            self.known.lock().remove(id);
            sessions.remove(id)
        };
        match closed {
            Some(closed) => match closed.close().await {
                // It has ended by itself.
                Ok(()) | Err(SessionError::SessionServiceTerminated) => Ok(()),
                Err(error) => Err(error.into()),
            },
            None => Ok(()),
        }
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.sessions.create_stream(id, message).await?;
        Ok(self.open(id, self.follow(id, stream)))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        self.sessions.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.sessions.create_standalone_stream(id).await?;
        Ok(self.open(id, stream))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let kept = || {
            let answer = self.known.lock().kept.after(id, &last_event_id)?;
            let events: Events = Box::pin(stream::iter([answer]));
            Some(self.open(id, events))
        };
        if let Some(events) = kept() {
            return Ok(events);
        }
        let is_of_request = last_event_id.contains('/');
        let stream = match self.sessions.resume(id, last_event_id.clone()).await {
            Ok(stream) => stream,
            Err(error) => {
                // The answer may have come meanwhile, and who follows the stream has its turn to keep it.
                tokio::task::yield_now().await;
                if let Some(events) = kept() {
                    return Ok(events);
                }
                // `rmcp` would answer by a stream without events, after which a client asks again, without an end.
                let why = "the stream of this event is over, and its answer is not kept any more";
                Asker::current().refuse(StatusCode::BAD_REQUEST, why);
                return Err(error);
            }
        };
        // `rmcp` begins with the event that the client has.
        let stream = stream.filter(move |event| {
            let is_new = event.event_id.as_ref() != Some(&last_event_id);
            future::ready(is_new)
        });
        let events = if is_of_request {
            self.follow(id, stream)
        } else {
            Box::pin(stream)
        };
        Ok(self.open(id, events))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::future::poll_immediate;

    use super::*;

    impl BoundedSessions {
        /// Begins a session of an owner of which there may be only one.
        async fn begin(&self) -> bool {
            let max = MaxSessions {
                max_sessions_of_owner: 1,
                max_sessions: 1,
            };
            within(max, "ada", self.create_session()).await.is_ok()
        }

        /// The numbers of sessions that live, and that are counted.
        async fn numbers(&self) -> (usize, usize) {
            let sessions = self.sessions.sessions.read().await;
            (sessions.len(), self.known.lock().sessions.len())
        }
    }

    #[tokio::test]
    async fn what_a_dropped_request_leaves_counts() {
        let sessions = BoundedSessions::new(LocalSessionManager::default());
        assert!(sessions.begin().await);
        {
            // The request comes to the lock, and after its first step somebody else has it.
            let held = sessions.sessions.sessions.read().await;
            let mut request = pin!(sessions.begin());
            assert!(poll_immediate(&mut request).await.is_none());
            let mut other = pin!(sessions.sessions.sessions.read());
            assert!(poll_immediate(&mut other).await.is_none());
            drop(held);
            assert!(poll_immediate(&mut request).await.is_none());
        }
        let (live, counted) = sessions.numbers().await;
        assert_eq!((live, counted), (2, 2));
        assert!(sessions.begin().await);
        assert_eq!(sessions.numbers().await, (1, 1));
    }

    #[tokio::test]
    async fn a_session_whose_end_is_dropped_counts() {
        let sessions = BoundedSessions::new(LocalSessionManager::default());
        assert!(sessions.begin().await);
        let id = sessions
            .known
            .lock()
            .sessions
            .keys()
            .next()
            .cloned()
            .unwrap();
        {
            let _held = sessions.sessions.sessions.read().await;
            let mut end = pin!(sessions.close_session(&id));
            assert!(poll_immediate(&mut end).await.is_none());
        }
        assert_eq!(sessions.numbers().await, (1, 1));
        sessions.close_session(&id).await.unwrap();
        assert_eq!(sessions.numbers().await, (0, 0));
    }
}
