//! A way to the server that is open.

use rmcp::{RoleClient, service::Peer};
use toolwright_core::CancellationToken;

use super::listener::Listener;

/// A way to the server that is open.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) peer: Peer<RoleClient>,
    /// Cancelled when the server has gone.
    pub(crate) over: CancellationToken,
    pub(crate) listener: Listener,
}
