//! Bodies of requests, which share a bound: many clients at once cannot fill the memory.

use std::{ops::Deref, sync::Arc};

use axum::body::Body;
use bytes::Bytes;
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
    bytes: Bytes,
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
        let mut stream = body.into_data_stream();
        let (mut pieces, mut length) = (Vec::new(), 0_usize);
        let mut room: Option<OwnedSemaphorePermit> = None;
        let mut apart = None;
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(|_| Failure::bad_request("the body broke off"))?;
            length = length.saturating_add(piece.len());
            if length > self.max {
                return Err(Failure::too_long(self.max));
            }
            let taken = room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
            let more = length.saturating_sub(FREE).saturating_sub(taken);
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
            pieces.push(piece);
        }
        let bytes = match <[Bytes; 1]>::try_from(pieces) {
            Ok([whole]) => whole,
            Err(pieces) => pieces.concat().into(),
        };
        let room = [room, apart];
        Ok(WholeBody { bytes, room })
    }

    async fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Failure> {
        let bytes = u32::try_from(bytes).map_err(|_| Failure::too_long(self.max))?;
        let taken = Arc::clone(&self.room).acquire_many_owned(bytes).await;
        taken.map_err(|_| Failure::internal("the server stops"))
    }
}
