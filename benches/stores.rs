//! Appends to a store in SQLite, beside an insert by hand of the same bytes with the same sync; and what a long run takes
//! to load. By hand it is done twice: elsewhere, as asynchronous code has to, and on the thread that waits.
//!
//! `cargo bench -p toolwright-benches --bench stores`. The file is in the folder for temporary files: `TMPDIR` moves it,
//! such as to a folder in memory, where a sync costs nothing and the rest is seen.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;

use std::{
    cell::RefCell,
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, SystemTime},
};

use harness::c;
use rusqlite::{Connection, params};
use toolwright::{
    run::RunId,
    store::{Append, Lease, NewRun, RunInfo, Scope, SqliteStore, Store},
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// Bytes of an entry: that of a call, and that of a result of some length.
const SIZES: [usize; 2] = [300, 3_000];
const LONG: Duration = Duration::from_secs(24 * 60 * 60);
/// Entries of a long run.
const ENTRIES: usize = 10_000;

fn main() {
    let rounds = harness::arg("rounds", 15);
    let iterations = harness::arg("iterations", 1_000) as u64;
    let folder = Folder::new();
    let runtime = harness::multi(1);
    for synced in [true, false] {
        for size in SIZES {
            let ours = runtime.block_on(Ours::new(&folder.file("ours"), synced, size));
            let hand = ByHand::new(&folder.file("hand"), synced, size);
            let title = format!("one entry of {size} bytes, synced: {synced}");
            let contestants = [
                c("by hand, in spawn_blocking", |n| hand.insert_elsewhere(n)),
                c("by hand, on this thread", |n| hand.insert(n)),
                c("SqliteStore::append", |n| ours.append(n)),
            ];
            let rows = harness::race(&runtime, &contestants, rounds, iterations, 0);
            harness::print("stores", &title, &rows, 1.0);
        }
    }
    let (ours, run) = runtime.block_on(long_run(&folder.file("long")));
    let contestants = [c("SqliteStore::load", |n| {
        let (ours, run) = (&ours, &run);
        async move {
            for _ in 0..n {
                let loaded = ours
                    .load(Scope::All, run, 0)
                    .await
                    .expect("the run is there");
                assert_eq!(loaded.entries.len(), ENTRIES);
            }
        }
    })];
    let rows = harness::race(&runtime, &contestants, rounds, 1, 0);
    let title = format!("a run of {ENTRIES} entries of {} bytes", SIZES[0]);
    harness::print("stores", &title, &rows, 1.0);
}

/// A folder that is deleted when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = env::temp_dir().join(format!("toolwright-bench-{}", process::id()));
        fs::create_dir_all(&path).expect("temporary files can be made");
        Self(path)
    }

    /// A file that is not there yet.
    fn file(&self, name: &str) -> PathBuf {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        self.0.join(format!("{name}{number}.db"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run() -> NewRun {
    NewRun::new(
        RunInfo::new(RunId::new("run"), "bench", SystemTime::now()),
        Vec::new(),
    )
}

struct Ours {
    store: SqliteStore,
    lease: Lease,
    append: RefCell<Append>,
}

impl Ours {
    async fn new(file: &Path, synced: bool, size: usize) -> Self {
        let store = SqliteStore::open(file).await.expect("the file is new");
        let lease = store.create(&run(), LONG).await.expect("the run is new");
        let mut append = Append::new(0, vec!["x".repeat(size)]);
        append.synced = synced;
        Self {
            store,
            lease,
            append: RefCell::new(append),
        }
    }

    async fn append(&self, n: u64) {
        for _ in 0..n {
            let append = self.append.borrow().clone();
            let appended = self.store.append(&self.lease, &append).await;
            appended.expect("the lease is held");
            self.append.borrow_mut().first += 1;
        }
    }
}

/// A table like that of the store, and nothing else: no lease, no check, no other file.
struct ByHand {
    connection: Arc<Mutex<Connection>>,
    sequence: RefCell<i64>,
    text: Arc<str>,
}

impl ByHand {
    fn new(file: &Path, synced: bool, size: usize) -> Self {
        let connection = Connection::open(file).expect("the file is new");
        let level = if synced { "FULL" } else { "NORMAL" };
        let tables = format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {level};
             CREATE TABLE entries (
                run INTEGER NOT NULL,
                sequence INTEGER NOT NULL,
                text TEXT NOT NULL,
                PRIMARY KEY (run, sequence)
             ) STRICT;"
        );
        connection.execute_batch(&tables).expect("the file is new");
        Self {
            connection: Arc::new(Mutex::new(connection)),
            sequence: RefCell::new(0),
            text: "x".repeat(size).into(),
        }
    }

    fn next(&self) -> i64 {
        let mut sequence = self.sequence.borrow_mut();
        *sequence += 1;
        *sequence
    }

    async fn insert(&self, n: u64) {
        let connection = self.connection.lock().expect("nobody panics");
        for _ in 0..n {
            insert(&connection, self.next(), &self.text);
        }
    }

    async fn insert_elsewhere(&self, n: u64) {
        for _ in 0..n {
            let (connection, sequence) = (Arc::clone(&self.connection), self.next());
            let text = Arc::clone(&self.text);
            let inserted = tokio::task::spawn_blocking(move || {
                insert(&connection.lock().expect("nobody panics"), sequence, &text);
            });
            inserted.await.expect("nobody panics");
        }
    }
}

fn insert(connection: &Connection, sequence: i64, text: &str) {
    let run = |sql| {
        let mut statement = connection.prepare_cached(sql).expect("it is SQL");
        statement.execute([]).expect("nobody else writes");
    };
    run("BEGIN IMMEDIATE");
    connection
        .prepare_cached("INSERT INTO entries (run, sequence, text) VALUES (?1, ?2, ?3)")
        .expect("it is SQL")
        .execute(params![1, sequence, text])
        .expect("it is a new row");
    run("COMMIT");
}

async fn long_run(file: &Path) -> (SqliteStore, RunId) {
    let store = SqliteStore::open(file).await.expect("the file is new");
    let mut new = run();
    new.entries = vec!["x".repeat(SIZES[0]); ENTRIES];
    store.create(&new, LONG).await.expect("the run is new");
    (store, new.info.run_id)
}
