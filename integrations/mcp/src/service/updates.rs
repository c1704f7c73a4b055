//! Changes of resources, and the clients that are told of them.

use std::{collections::BTreeSet, fmt, future::pending, sync::Arc};

use rmcp::ErrorData;
use tokio::sync::broadcast::{self, error::RecvError};
use toolwright_core::{ToolChanges, driver::Mutex};

use super::{Served, Service, resource};

/// The changes that are kept for a client that is slow. One that missed some is told of all that it watches.
const KEPT: usize = 256;
/// The largest number of resources that a session watches.
const MAX_WATCHED: usize = 1_000;
/// The largest number of bytes of an address that is watched.
const MAX_ADDRESS: usize = 8 << 10;
/// The largest number of bytes of all addresses that a session watches.
const MAX_ADDRESSES: usize = 256 << 10;

/// Tells clients that a resource has changed: those that watch it. The application keeps a clone.
///
/// ```
/// use toolwright::{Toolset, mcp::{ResourceUpdates, Service}};
///
/// let updates = ResourceUpdates::new();
/// let service = Service::new(Toolset::new())
///     .resource("stock://books", async |(), _cx| Ok("7 books"))?
///     .resource_updates(&updates);
/// // Later, wherever the number of books changes:
/// updates.changed("stock://books");
/// # Ok::<(), toolwright::mcp::ServiceError>(())
/// ```
///
/// Only the clients of this process are told: with several processes, tell each. A client watches by `resources/subscribe` in
/// the protocol of 2025-11-25 and by `subscriptions/listen` in that of 2026-07-28, at most 1,000 resources, whose addresses have
/// 256 KiB together.
#[derive(Clone)]
#[must_use = "it is given to `Service::resource_updates`"]
pub struct ResourceUpdates(broadcast::Sender<Change>);

#[derive(Clone)]
struct Change {
    address: Arc<str>,
    owner: Option<Arc<str>>,
}

impl ResourceUpdates {
    /// A handle that no service has yet.
    pub fn new() -> Self {
        Self(broadcast::Sender::new(KEPT))
    }

    /// Tells all clients that watch this address. It never waits.
    pub fn changed(&self, address: impl Into<Arc<str>>) {
        self.send(address.into(), None);
    }

    /// Tells the clients of an [owner](super::Caller) that watch this address, where its content is another one for each owner.
    pub fn changed_for(&self, owner: impl Into<Arc<str>>, address: impl Into<Arc<str>>) {
        self.send(address.into(), Some(owner.into()));
    }

    fn send(&self, address: Arc<str>, owner: Option<Arc<str>>) {
        // Nobody may watch.
        let _ = self.0.send(Change { address, owner });
    }

    /// The changes from now on that are for all.
    pub(crate) fn follow(&self) -> Changes {
        Changes {
            changes: self.0.subscribe(),
            owner: None,
        }
    }
}

impl Default for ResourceUpdates {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ResourceUpdates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceUpdates").finish_non_exhaustive()
    }
}

impl Service {
    /// Lets clients watch the [resources](Self::resource), which these updates tell of. Without it, no client is told.
    #[doc(alias("subscribe", "subscription"))]
    pub fn resource_updates(self, updates: &ResourceUpdates) -> Self {
        self.with(|served| served.updates = Some(updates.clone()))
    }
}

/// The addresses that a session watches.
#[derive(Clone, Default)]
pub(crate) struct Watched(Arc<Mutex<BTreeSet<String>>>);

impl Watched {
    pub(crate) fn add(&self, served: &Served, address: String) -> Result<(), ErrorData> {
        if !served.can_watch(&address) {
            return Err(resource::unknown(&address));
        }
        let mut watched = self.0.lock();
        let bytes: usize = watched.iter().map(String::len).sum();
        let is_full = watched.len() == MAX_WATCHED || bytes + address.len() > MAX_ADDRESSES;
        if is_full && !watched.contains(&address) {
            let why = format!(
                "a session watches at most {MAX_WATCHED} resources, whose addresses have {MAX_ADDRESSES} bytes together"
            );
            return Err(ErrorData::invalid_params(why, None));
        }
        watched.insert(address);
        Ok(())
    }

    pub(crate) fn remove(&self, address: &str) {
        self.0.lock().remove(address);
    }
}

impl FromIterator<String> for Watched {
    fn from_iter<I: IntoIterator<Item = String>>(addresses: I) -> Self {
        Self(Arc::new(Mutex::new(addresses.into_iter().collect())))
    }
}

impl Served {
    /// The changes of the tools and of resources from now on.
    pub(crate) fn changes(&self) -> (ToolChanges, Option<Changes>) {
        let updates = self.updates.as_ref().map(ResourceUpdates::follow);
        (self.tools.changes(), updates)
    }

    fn can_watch(&self, address: &str) -> bool {
        address.len() <= MAX_ADDRESS && self.has_resource(address)
    }

    /// The addresses among these that a client may watch.
    pub(crate) fn watchable(&self, addresses: &[String]) -> Vec<String> {
        let mut bytes = 0;
        let known = addresses.iter().filter(|address| self.can_watch(address));
        let known = known.take(MAX_WATCHED).take_while(|address| {
            bytes += address.len();
            bytes <= MAX_ADDRESSES
        });
        known.cloned().collect()
    }
}

/// The changes that a session is told of.
pub(crate) struct Changes {
    changes: broadcast::Receiver<Change>,
    owner: Option<String>,
}

impl Changes {
    /// Also those that are for an owner.
    pub(crate) fn of(mut self, owner: Option<String>) -> Self {
        self.owner = owner;
        self
    }

    /// The next addresses that have changed, of those that are watched.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn next(&mut self, watched: &Watched) -> Vec<String> {
        loop {
            match self.changes.recv().await {
                Ok(Change { address, owner }) => {
                    let is_for = owner.is_none() || owner.as_deref() == self.owner.as_deref();
                    if is_for && watched.0.lock().contains(&*address) {
                        return vec![address.to_string()];
                    }
                }
                Err(RecvError::Lagged(_)) => return watched.0.lock().iter().cloned().collect(),
                Err(RecvError::Closed) => pending().await,
            }
        }
    }
}
