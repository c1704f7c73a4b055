//! One request connects where many would: over HTTP/2 all of them share what it gets.

use std::{
    collections::{HashMap, HashSet},
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::timeout;

use crate::tool::CancellationToken;

/// Of how many servers it is known that requests cannot share connections.
const MOST: usize = 256;

/// Who connects to which server. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Connecting(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// What says that the request that connects has done so, or has failed.
    first: HashMap<String, CancellationToken>,
    /// Servers that speak HTTP/1.1, where each request needs a connection of its own.
    unshared: HashSet<String>,
}

/// Held by the request that connects, until it has. Then those that wait go on.
#[derive(Debug)]
pub(super) struct First {
    connecting: Connecting,
    origin: String,
    connected: CancellationToken,
}

impl Connecting {
    /// Waits while another request connects to the server, for no longer than connecting may take.
    /// If none does, this one is the first, and says with what it is given when it has.
    pub(super) async fn enter(&self, origin: &str, wait: Duration) -> Option<First> {
        let connected = {
            let mut state = self.lock();
            if state.unshared.contains(origin) {
                return None;
            }
            if let Some(connected) = state.first.get(origin) {
                connected.clone()
            } else {
                let connected = CancellationToken::new();
                state.first.insert(origin.to_owned(), connected.clone());
                return Some(First {
                    connecting: self.clone(),
                    origin: origin.to_owned(),
                    connected,
                });
            }
        };
        // Whether it has connected or failed, there is nobody to wait for any more.
        let _ = timeout(wait, connected.cancelled()).await;
        None
    }

    /// Remembers that the server speaks HTTP/1.1.
    pub(super) fn is_unshared(&self, origin: &str) {
        let mut state = self.lock();
        if !state.unshared.contains(origin) && state.unshared.len() < MOST {
            state.unshared.insert(origin.to_owned());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for First {
    fn drop(&mut self) {
        self.connecting.lock().first.remove(&self.origin);
        self.connected.cancel();
    }
}

/// The body of a request. It is asked for its bytes once there is a connection.
pub(super) struct FirstBody {
    bytes: Option<Bytes>,
    first: Option<First>,
}

impl FirstBody {
    pub(super) fn new(bytes: Bytes, first: First) -> Self {
        Self {
            bytes: Some(bytes),
            first: Some(first),
        }
    }
}

impl Body for FirstBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.first = None;
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let bytes = self.bytes.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact(bytes as u64)
    }
}
