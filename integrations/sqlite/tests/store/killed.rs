//! A process that is killed while it writes, and another one that drives its run meanwhile.

use std::{
    env,
    io::{BufRead, BufReader, Write, stdout},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use futures_util::FutureExt;
use toolwright::{
    run::RunId,
    store::{Scope, SqliteOptions, SqliteStore, Store, StoreErrorKind},
};

use crate::{folder::Folder, sample};

const FILE: &str = "TOOLWRIGHT_TEST_FILE";
const WRITES: &str = "the_process_of_the_tests_above";

/// Starts a test of this file in a process of its own.
fn start(test: &str, file: &Path) -> (Child, BufReader<ChildStdout>) {
    let program = env::current_exe().expect("the program has a name");
    let mut child = Command::new(program);
    child
        .args(["--exact", &format!("killed::{test}")])
        .args(["--ignored", "--nocapture"])
        .env(FILE, file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    let output = child.stdout.take().expect("its output is read");
    (child, BufReader::new(output))
}

/// Reads what the process says until it has said so many times that an entry is stored.
fn acknowledged(output: &mut impl BufRead, count: usize) -> usize {
    said(output, "stored", count)
}

/// Reads what the process says until it has said this so many times.
fn said(output: &mut impl BufRead, what: &str, count: usize) -> usize {
    let lines = output.lines().map_while(Result::ok);
    lines.filter(|line| line.contains(what)).take(count).count()
}

#[tokio::test]
async fn what_was_acknowledged_survives_the_process() {
    for count in [1, 2, 3, 5, 8, 13, 60] {
        let folder = Folder::new();
        let (mut child, mut output) = start(WRITES, &folder.file());
        let stored = acknowledged(&mut output, count);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stored, count);

        let store = SqliteStore::open(folder.file()).await.unwrap();
        let run = RunId::new("r");
        let loaded = store.load(Scope::All, &run, 0).await.unwrap();
        assert!(loaded.entries.len() > stored, "{stored} were stored");
        for (place, entry) in loaded.entries.iter().enumerate().skip(1) {
            assert_eq!(*entry, place.to_string());
        }
        let lease = store.lease(Scope::All, &run, sample::LONG).await.unwrap();
        let next = loaded.entries.len() as u64;
        store
            .append(&lease, &sample::append(next, "more"))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_process_that_goes_on_is_refused() {
    let folder = Folder::new();
    let (mut child, mut output) = start(WRITES, &folder.file());
    acknowledged(&mut output, 3);
    let store = SqliteStore::open(folder.file()).await.unwrap();
    let run = RunId::new("r");
    let lease = store.lease(Scope::All, &run, sample::LONG).await.unwrap();
    assert_eq!(lease.token, 2);
    let before = store.load(Scope::All, &run, 0).await.unwrap().entries;
    // It ends when its lease is lost.
    acknowledged(&mut output, usize::MAX);
    assert!(child.wait().unwrap().success());
    let loaded = store.load(Scope::All, &run, 0).await.unwrap();
    assert_eq!(loaded.entries, before);
    let next = before.len() as u64;
    let append = sample::append(next, "more");
    store.append(&lease, &append).await.unwrap();
}

#[cfg(unix)]
fn signal(name: &str, child: &Child) {
    let mut kill = Command::new("kill");
    kill.args([format!("-{name}"), child.id().to_string()]);
    assert!(kill.status().expect("there is a `kill`").success());
}

/// It has the lock of those who write. Others read meanwhile, and write when it has gone on or is gone.
#[cfg(unix)]
#[tokio::test]
async fn a_process_that_is_stopped_in_a_transaction_loses_nothing_of_others() {
    for goes_on in [true, false] {
        let folder = Folder::new();
        let store = SqliteStore::open(folder.file()).await.unwrap();
        let lease = store.create(&sample::run("r"), sample::LONG).await.unwrap();
        let (mut child, mut output) = start("the_process_that_is_stopped", &folder.file());
        assert_eq!(said(&mut output, "locked", 1), 1);
        signal("STOP", &child);
        let append = sample::append(1, "one");
        let mut written = store.append(&lease, &append);
        assert!(written.as_mut().now_or_never().is_none());
        let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
        let count = loaded.entries.len();
        assert_eq!(count, 1, "it is read, and nothing is written");
        assert!(written.as_mut().now_or_never().is_none());
        if goes_on {
            drop(child.stdin.take());
            signal("CONT", &child);
        } else {
            child.kill().unwrap();
        }
        written.await.unwrap();
        assert_eq!(child.wait().unwrap().success(), goes_on);
        let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
        assert_eq!(loaded.entries[1..], ["one"]);
    }
}

/// The wait ends with an error, and what was not written then is not written later.
#[cfg(unix)]
#[tokio::test]
async fn a_process_that_stays_stopped_is_waited_for_within_a_bound() {
    let folder = Folder::new();
    let options = SqliteOptions::new().busy_timeout(Duration::from_millis(50));
    let store = options.open(folder.file()).await.unwrap();
    let lease = store.create(&sample::run("r"), sample::LONG).await.unwrap();
    let (mut child, mut output) = start("the_process_that_is_stopped", &folder.file());
    assert_eq!(said(&mut output, "locked", 1), 1);
    signal("STOP", &child);
    for error in [
        store.append(&lease, &sample::append(1, "one")).await,
        store.renew(&lease, sample::LONG).await.map(drop),
    ] {
        assert_eq!(error.unwrap_err().kind, StoreErrorKind::Unavailable);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    store
        .append(&lease, &sample::append(1, "two"))
        .await
        .unwrap();
    let loaded = store.load(Scope::All, &lease.run_id, 0).await.unwrap();
    assert_eq!(loaded.entries[1..], ["two"]);
}

#[cfg(unix)]
#[test]
#[ignore = "other tests start it"]
fn the_process_that_is_stopped() {
    let file = env::var_os(FILE).expect("the test above names a file");
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    writeln!(stdout(), "locked").unwrap();
    // Until the test lets it go on.
    std::io::stdin().read_line(&mut String::new()).unwrap();
    connection.execute_batch("COMMIT").unwrap();
}

#[tokio::test]
#[ignore = "other tests start it"]
async fn the_process_of_the_tests_above() {
    let file = env::var_os(FILE).expect("the tests above name a file");
    let store = SqliteStore::open(file).await.unwrap();
    let lease = store
        .create(&sample::run("r"), Duration::ZERO)
        .await
        .unwrap();
    // A process that nobody stops ends as well.
    for place in 1..20_000 {
        let append = sample::append(place, &place.to_string());
        match store.append(&lease, &append).await {
            // Nobody may read it any more.
            Ok(()) => drop(writeln!(stdout(), "stored {place}")),
            Err(error) => {
                assert_eq!(error.kind, StoreErrorKind::LeaseLost, "{error}");
                return;
            }
        }
    }
    panic!("nobody took the lease");
}
