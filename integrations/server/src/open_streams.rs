//! How many streams each caller reads.

use std::{collections::HashMap, sync::Arc};

use toolwright_core::driver::Mutex;

use http::StatusCode;

use crate::failure::Failure;

/// The number of streams that each caller reads.
#[derive(Clone, Default)]
pub(crate) struct OpenStreams(Arc<Mutex<HashMap<String, usize>>>);

/// A place among the streams of a caller, until it is dropped.
pub(crate) struct OpenStream {
    all: OpenStreams,
    caller: String,
}

impl OpenStreams {
    /// Takes a place, if the caller has one left.
    pub(crate) fn open(&self, caller: &str, most: usize) -> Result<OpenStream, Failure> {
        let mut counts = self.0.lock();
        let count = counts.entry(caller.to_owned()).or_default();
        if *count >= most {
            if *count == 0 {
                counts.remove(caller);
            }
            let message = format!("{most} streams are open, which is the limit: close one of them");
            return Err(Failure::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_streams",
                message,
            ));
        }
        *count += 1;
        Ok(OpenStream {
            all: self.clone(),
            caller: caller.to_owned(),
        })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock();
        if let Some(count) = counts.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.caller);
            }
        }
    }
}
