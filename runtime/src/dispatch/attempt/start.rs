//! The start of one attempt of a call.

use std::sync::Arc;

use tokio::sync::watch;

use super::deadline::Time;
use crate::dispatch::InPlace;
use toolwright_core::{
    ToolError,
    driver::{CallDriver, ContextParts},
};

/// The data that an attempt starts with, beside the call and its tool. The time limit starts at the first poll of the
/// work, so that a slow reader of events does not use it up.
pub(crate) struct AttemptStart {
    pub(crate) cx: ContextParts,
    pub(crate) time: Time,
    /// The error of the attempt before this one.
    pub(crate) failed: Option<Box<ToolError>>,
    /// The questions of the attempt wait as long as it is there.
    pub(crate) asks: Option<watch::Receiver<()>>,
}

impl AttemptStart {
    /// The attempt asks its questions so.
    pub(crate) fn asking(mut self, asks: Option<Arc<InPlace>>) -> Self {
        self.asks = asks.as_ref().map(|asks| asks.begin());
        self.cx = self
            .cx
            .driven_by(asks.map(|asks| asks as Arc<dyn CallDriver>));
        self
    }
}
