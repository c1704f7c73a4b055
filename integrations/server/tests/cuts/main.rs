//! Streams that are cut at any byte, and servers that are killed: in the end a client has what the store has.
//!
//! `TOOLWRIGHT_TEST_CUTS=1000` makes the test long, and `TOOLWRIGHT_TEST_SEED` another one.
#![allow(
    clippy::unwrap_used,
    reason = "all of it is a test, which clippy tells by an attribute that its functions do not have"
)]

#[path = "../started/process.rs"]
mod process;

mod assembled;
mod connection;
mod host;
mod model;
mod numbers;
mod reader;
mod stored;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use host::Host;
use numbers::{Numbers, number};
use reader::Reader;

/// The number of cuts, of which the last ones may be a few more.
const CUTS: &str = "TOOLWRIGHT_TEST_CUTS";
/// The number that all others follow from.
const SEED: &str = "TOOLWRIGHT_TEST_SEED";

/// The chats that are read at once.
const AT_ONCE: u64 = 6;
/// The server is killed after so many cuts, on average.
const CUTS_OF_A_SERVER: u64 = 12;

/// What all readers share.
struct Shared {
    host: Host,
    /// How often a connection was cut, by its client or by the end of its server.
    cuts: AtomicU64,
    kills: AtomicU64,
    chats: AtomicU64,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_has_what_the_store_has_wherever_it_was_cut() {
    let cuts = number(CUTS).unwrap_or(100);
    let seed = number(SEED).unwrap_or(1);
    let shared = Arc::new(Shared {
        host: Host::start().await,
        cuts: AtomicU64::new(0),
        kills: AtomicU64::new(0),
        chats: AtomicU64::new(0),
    });
    let readers = (0..AT_ONCE).map(|reader| {
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut numbers = Numbers::new(seed * 1_000 + reader);
            while shared.cuts.load(Ordering::SeqCst) < cuts {
                read_a_chat(&shared, &mut numbers).await;
            }
        })
    });
    for reader in readers.collect::<Vec<_>>() {
        reader.await.unwrap();
    }
    println!(
        "seed {seed}: {} chats, {} cuts, {} servers killed; 0 differences",
        shared.chats.load(Ordering::SeqCst),
        shared.cuts.load(Ordering::SeqCst),
        shared.kills.load(Ordering::SeqCst),
    );
    assert!(
        shared.kills.load(Ordering::SeqCst) > 0,
        "a server was killed"
    );
}

/// Begins a chat, reads it with cuts until it is over, and compares what came with what is stored.
async fn read_a_chat(shared: &Shared, numbers: &mut Numbers) {
    let chat = format!("chat {}", shared.chats.fetch_add(1, Ordering::SeqCst));
    let mut reader = Reader::new(&chat, numbers.below(2) == 0);
    loop {
        let server = shared.host.server().await;
        // Half of the connections live for as long as the stream does, if the server does.
        let bytes = match numbers.below(2) {
            0 => None,
            _ => Some(numbers.below(6_000)),
        };
        let is_over = reader.read(server.address, bytes).await;
        if is_over {
            break;
        }
        let cuts = shared.cuts.fetch_add(1, Ordering::SeqCst) + 1;
        if numbers.below(CUTS_OF_A_SERVER) == 0 && shared.host.kill(server.number).await {
            shared.kills.fetch_add(1, Ordering::SeqCst);
        }
        assert!(cuts < 100_000, "{chat} comes to its end");
    }
    let expected = stored::of_chat(&shared.host, &chat).await;
    let has = reader.assembled();
    assert_eq!(has, expected, "{chat}, read as {}", reader.form());
}

/// The process that serves.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the test above starts it"]
async fn serves() {
    host::serve().await;
}
