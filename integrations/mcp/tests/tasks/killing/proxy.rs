//! A proxy before two servers, each of which gets every other connection.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// A proxy. A server that is gone gets no connection.
pub(super) struct Proxy {
    pub(super) address: SocketAddr,
    servers: Arc<Mutex<[SocketAddr; 2]>>,
}

impl Proxy {
    pub(super) async fn new(servers: [SocketAddr; 2]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let servers = Arc::new(Mutex::new(servers));
        let (all, next) = (Arc::clone(&servers), AtomicUsize::new(0));
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let [one, other] = *all.lock().unwrap();
                let turn = next.fetch_add(1, Ordering::Relaxed) % 2;
                let order = if turn == 0 {
                    [one, other]
                } else {
                    [other, one]
                };
                tokio::spawn(async move {
                    for server in order {
                        if let Ok(mut server) = TcpStream::connect(server).await {
                            let _ = copy_bidirectional(&mut client, &mut server).await;
                            return;
                        }
                    }
                });
            }
        });
        Self { address, servers }
    }

    /// Puts a server in the place of one.
    pub(super) fn replace(&self, place: usize, server: SocketAddr) {
        self.servers.lock().unwrap()[place] = server;
    }
}
