//! A process that is killed while it writes, and another one that drives its run meanwhile.

use std::{
    env,
    io::{BufRead, BufReader, Write, stdout},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use toolwright::{
    run::RunId,
    store::{Scope, SqliteStore, Store, StoreErrorKind},
};

use crate::{folder::Folder, sample};

const FILE: &str = "TOOLWRIGHT_TEST_FILE";

/// Starts the last test below in a process of its own.
fn start(file: &Path) -> (Child, BufReader<ChildStdout>) {
    let program = env::current_exe().expect("the program has a name");
    let mut child = Command::new(program);
    child
        .args(["--exact", "killed::the_process_of_the_tests_above"])
        .args(["--ignored", "--nocapture"])
        .env(FILE, file)
        .stdout(Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    let output = child.stdout.take().expect("its output is read");
    (child, BufReader::new(output))
}

/// Reads what the process says until it has said so many times that an entry is stored.
fn acknowledged(output: &mut impl BufRead, count: usize) -> usize {
    let lines = output.lines().map_while(Result::ok);
    lines
        .filter(|line| line.contains("stored"))
        .take(count)
        .count()
}

#[tokio::test]
async fn what_was_acknowledged_survives_the_process() {
    for count in [1, 2, 3, 5, 8, 13, 60] {
        let folder = Folder::new();
        let (mut child, mut output) = start(&folder.file());
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
    let (mut child, mut output) = start(&folder.file());
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
