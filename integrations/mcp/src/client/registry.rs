//! Registries that follow servers.

use std::{
    convert::Infallible,
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::sync::{Mutex, watch};
use toolwright_core::{ToolRegistry, WeakToolRegistry};

use super::{
    Client, ClientError, Settings,
    backoff::Backoff,
    connection::{Connection, Offer},
    listed::{self, Named},
};

/// What servers had on offer when they were read last.
struct Followed {
    registry: WeakToolRegistry,
    servers: Vec<Server>,
    offers: Mutex<Vec<Offer>>,
}

/// A server that is not kept by those who follow it.
struct Server {
    name: String,
    connection: Weak<Connection>,
    settings: Settings,
}

/// The shortest time between two lists of a server: one that changes all the time is read no more often.
const REST: Duration = Duration::from_millis(250);

/// Lets a registry of the tools of these servers change as they do, as long as both are used. A server without an offer was
/// not reached.
pub(crate) fn follow(servers: &[Named], offers: Vec<Option<Offer>>, registry: &ToolRegistry) {
    let listed: Vec<_> = offers
        .iter()
        .map(|offer| offer.as_ref().map(|it| it.changes))
        .collect();
    let followed = Arc::new(Followed {
        registry: registry.downgrade(),
        servers: servers.iter().map(Server::new).collect(),
        offers: Mutex::new(offers.into_iter().map(Option::unwrap_or_default).collect()),
    });
    for (index, ((_, client), listed)) in servers.iter().zip(listed).enumerate() {
        let changes = client.connection.listener.watch();
        let is_due = listed != Some(*changes.borrow());
        tokio::spawn(each(Arc::clone(&followed), index, changes, is_due));
    }
}

/// Follows one of the servers.
async fn each(
    followed: Arc<Followed>,
    index: usize,
    mut changes: watch::Receiver<u64>,
    mut is_due: bool,
) {
    let Some(server) = followed.servers.get(index) else {
        return;
    };
    let mut backoff = Backoff::default();
    loop {
        if !is_due && changes.changed().await.is_err() {
            return;
        }
        changes.borrow_and_update();
        is_due = match server.read(&followed.registry).await {
            Some(Ok(offer)) => {
                if !followed.take(index, offer).await {
                    return;
                }
                backoff = Backoff::default();
                tokio::time::sleep(REST).await;
                false
            }
            Some(Err(error)) => {
                tracing::warn!(server = server.name, %error, "the tools of a server are not read");
                backoff.wait().await;
                true
            }
            None => return,
        };
    }
}

impl Server {
    fn new((name, client): &Named) -> Self {
        Self {
            name: name.clone(),
            connection: Arc::downgrade(&client.connection),
            settings: client.settings.clone(),
        }
    }

    fn client(&self) -> Option<Named> {
        let connection = self.connection.upgrade()?;
        let settings = self.settings.clone();
        Some((
            self.name.clone(),
            Client {
                connection,
                settings,
            },
        ))
    }

    /// The list, unless the server or the registry is used no longer.
    async fn read(&self, registry: &WeakToolRegistry) -> Option<Result<Offer, ClientError>> {
        registry.upgrade()?;
        let (_, client) = self.client()?;
        Some(client.offer().await)
    }
}

impl Followed {
    /// Puts a new list in the place of the last one. It gives `false` if the registry is used no longer.
    async fn take(&self, index: usize, offer: Offer) -> bool {
        let mut offers = self.offers.lock().await;
        let Some(last) = offers.get_mut(index) else {
            return false;
        };
        // Whether there are tasks decides the time limits of the tools.
        let is_same = last.tools == offer.tools && last.has_tasks == offer.has_tasks;
        *last = offer;
        let Some(registry) = self.registry.upgrade() else {
            return false;
        };
        if is_same {
            return true;
        }
        let clients: Vec<_> = self.servers.iter().map(Server::client).collect();
        let with_offers = clients.iter().zip(&*offers);
        let there: Vec<_> = with_offers
            .filter_map(|(client, offer)| client.as_ref().map(|it| (it, offer)))
            .collect();
        let tools = listed::merge(&there).await.logged();
        let replaced: Result<(), Infallible> = registry.update(|_| Ok(tools));
        replaced.is_ok()
    }
}
