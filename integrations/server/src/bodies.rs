//! Bodies of requests, which share a bound: many clients at once cannot fill the memory.

use std::{ops::Deref, sync::Arc};

use axum::body::{Body, HttpBody as _};
use futures_util::StreamExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{failure::Failure, limits::ServerLimits};

/// What every body may have without asking for room: so a short one is read also while long ones take all of it.
const FREE: usize = 64 << 10;

/// The room for bodies that are read at once.
#[derive(Clone)]
pub(crate) struct Bodies {
    room: Arc<Semaphore>,
    /// The place of one body that is read to its end without room: where all wait for each other, one goes on.
    apart: Arc<Semaphore>,
    /// The longest body.
    max: usize,
}

/// A body, and the room that it takes until it is dropped.
pub(crate) struct WholeBody {
    bytes: Vec<u8>,
    /// It is given back when it is dropped.
    #[expect(dead_code, reason = "it is held, not read")]
    room: [Option<OwnedSemaphorePermit>; 2],
}

impl Deref for WholeBody {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Bodies {
    pub(crate) fn new(limits: &ServerLimits) -> Self {
        // One body has room in any case.
        let room = limits.bodies_bytes.max(limits.body_bytes);
        Self {
            room: Arc::new(Semaphore::new(room.min(Semaphore::MAX_PERMITS))),
            apart: Arc::new(Semaphore::new(1)),
            max: limits.body_bytes,
        }
    }

    /// Reads a body. Where there is no room for more of it, it waits until others are done.
    pub(crate) async fn read(&self, body: Body) -> Result<WholeBody, Failure> {
        // What a client says of the length is a bound, and not yet taken.
        let said = body.size_hint().upper();
        let said = said.and_then(|said| usize::try_from(said).ok());
        let most = said.map_or(self.max, |said| said.min(self.max));
        let mut stream = body.into_data_stream();
        // Pieces are copied: each may be a few bytes of a buffer that is much larger.
        let mut bytes = Vec::new();
        let mut room: Option<OwnedSemaphorePermit> = None;
        let mut apart = None;
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(|_| Failure::bad_request("the body broke off"))?;
            let length = bytes.len().saturating_add(piece.len());
            if length > self.max {
                return Err(Failure::too_long(self.max));
            }
            if length > bytes.capacity() {
                let size = grown(bytes.capacity(), most).max(length);
                let taken = room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
                let more = size.saturating_sub(FREE).saturating_sub(taken);
                if more > 0 && apart.is_none() {
                    let more = self.take(more);
                    let place = Arc::clone(&self.apart).acquire_owned();
                    tokio::select! {
                        biased;
                        more = more => {
                            let more = more?;
                            match &mut room {
                                Some(room) => room.merge(more),
                                None => room = Some(more),
                            }
                        }
                        place = place => apart = place.ok(),
                    }
                }
                bytes.reserve_exact(size - bytes.len());
            }
            bytes.extend_from_slice(&piece);
        }
        let room = [room, apart];
        Ok(WholeBody { bytes, room })
    }

    async fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Failure> {
        let bytes = u32::try_from(bytes).map_err(|_| Failure::too_long(self.max))?;
        let taken = Arc::clone(&self.room).acquire_many_owned(bytes).await;
        taken.map_err(|_| Failure::internal("the server stops"))
    }
}

/// The size of a buffer that takes more than it has room for: twice as much, so that it is seldom copied, and no more than
/// the longest body.
fn grown(size: usize, most: usize) -> usize {
    size.saturating_mul(2).max(FREE / 16).min(most)
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
    };

    use bytes::Bytes;
    use futures_util::stream;

    use super::*;

    /// A buffer of a connection, which counts those that are kept.
    struct Buffer(Box<[u8; 8 << 10]>, Arc<AtomicUsize>);

    impl AsRef<[u8]> for Buffer {
        fn as_ref(&self) -> &[u8] {
            &self.0[..]
        }
    }

    impl Drop for Buffer {
        fn drop(&mut self) {
            self.1.fetch_sub(1, SeqCst);
        }
    }

    fn bodies() -> Bodies {
        let mut limits = ServerLimits::default();
        (limits.body_bytes, limits.bodies_bytes) = (1 << 20, 1 << 20);
        Bodies::new(&limits)
    }

    #[tokio::test]
    async fn short_pieces_keep_no_long_buffers() {
        let (kept, most) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let (now, noted) = (Arc::clone(&kept), Arc::clone(&most));
        let pieces = (0..100_000).map(move |_| {
            noted.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
            let buffer = Buffer(Box::new([b'x'; 8 << 10]), Arc::clone(&now));
            Ok::<_, Infallible>(Bytes::from_owner(buffer).slice(..1))
        });
        let bodies = bodies();
        let read = bodies.read(Body::from_stream(stream::iter(pieces)));
        let read = read.await.unwrap_or_else(|_| panic!("it is short"));
        assert_eq!(read.len(), 100_000);
        assert!(most.load(SeqCst) < 4, "{most:?} buffers are kept at once");
        // What it has room for is counted.
        let taken = (1 << 20) - bodies.room.available_permits();
        assert_eq!(taken, read.bytes.capacity() - FREE);
        drop(read);
        assert_eq!(bodies.room.available_permits(), 1 << 20);
    }

    #[tokio::test]
    async fn a_body_whose_length_is_known_takes_no_more_than_that() {
        let bodies = bodies();
        let text = vec![b'x'; 300_000];
        let read = bodies.read(Body::from(text.clone())).await;
        let read = read.unwrap_or_else(|_| panic!("it is short"));
        assert_eq!(*read, *text);
        assert_eq!(read.bytes.capacity(), text.len());
        let long = bodies.read(Body::from(vec![b'x'; (1 << 20) + 1])).await;
        assert!(long.is_err());
    }
}
