//! Limits of what a server accepts from clients.

use std::time::Duration;

/// Limits of what a server accepts from clients.
///
/// ```
/// use toolwright::server::ServerLimits;
///
/// let mut limits = ServerLimits::default();
/// limits.streams = 8;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// The longest body of a request, in bytes; 8 MiB by default. Clients of a chat send the whole chat each time.
    pub body_bytes: usize,
    /// The most bytes of all bodies that are read at once, apart from the first 64 KiB of each; 64 MiB by default. A body that
    /// finds no room waits for it, as long as [`body_time`](Self::body_time) says.
    pub bodies_bytes: usize,
    /// The time in which a body has to be there; 30 seconds by default.
    pub body_time: Duration,
    /// The most streams that one caller reads at once; 32 by default. A caller is an owner, or an address where no
    /// owner is known.
    pub streams: usize,
    /// The time after which an idle stream sends a comment, so that no proxy closes the connection; 15 seconds by
    /// default.
    pub keep_alive: Duration,
    /// The most items of a page; 100 by default.
    pub page: usize,
    /// The most bytes of the head of a request, which is its first line and its headers; 32 KiB by default. A longer one is
    /// refused with 431, without a body if it is more than twice as long. [`Server::serve`](crate::Server::serve) holds to it.
    pub header_bytes: usize,
    /// The most headers of a request; 100 by default. [`Server::serve`](crate::Server::serve) holds to it.
    pub headers: usize,
    /// The time in which the headers of a request have to be there, and for which a connection may be idle; 15 seconds by
    /// default. [`Server::serve`](crate::Server::serve) holds to it.
    pub header_time: Duration,
    /// The most connections at once; 1,024 by default. For another one that which has asked nothing for the longest
    /// time is closed; if all wait for an answer or read one, it waits.
    /// [`Server::serve`](crate::Server::serve) holds to it.
    pub connections: usize,
    /// The time after which a connection is closed that takes no byte of what is written; 60 seconds by default.
    /// [`Server::serve`](crate::Server::serve) holds to it.
    pub write_time: Duration,
    /// The time that requests have to end when the server stops; 10 seconds by default. Streams are cut at once.
    /// [`Server::serve`](crate::Server::serve) holds to it.
    pub shutdown_time: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            bodies_bytes: 64 << 20,
            body_time: Duration::from_secs(30),
            streams: 32,
            keep_alive: Duration::from_secs(15),
            page: 100,
            header_bytes: 32 << 10,
            headers: 100,
            header_time: Duration::from_secs(15),
            connections: 1024,
            write_time: Duration::from_secs(60),
            shutdown_time: Duration::from_secs(10),
        }
    }
}
