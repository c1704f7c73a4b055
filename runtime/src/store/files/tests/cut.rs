//! Logs that are cut or broken.

use std::fs::{self, File};

use super::{LONG, continues, folder::Folder, id, texts};
use crate::store::{Append, FileStore, RunStatus, Store, StoreErrorKind};

/// The entries that each append adds.
const APPENDS: [&[&str]; 4] = [
    &["{\"one\":1}"],
    &["two\nlines", "{\"three\":3}"],
    &[],
    &["{\"four\":4}"],
];

async fn segment(folder: &Folder, store: &FileStore) -> (std::path::PathBuf, Vec<u64>) {
    store
        .create(&continues("run", 0), std::time::Duration::ZERO)
        .await
        .expect("a run");
    let lease = store.lease(&id(), LONG).await.expect("a lease");
    let path = folder
        .path()
        .join("runs/x-run/log-00000000000000000002.jsonl");
    let len = || fs::metadata(&path).expect("the segment is there").len();
    let (mut ends, mut next) = (vec![len()], 1);
    for (number, entries) in APPENDS.into_iter().enumerate() {
        let entries: Vec<_> = entries.iter().map(|&entry| entry.to_owned()).collect();
        let mut append = Append::new(next, entries);
        append.taken = number as u64 + 1;
        append.status = (number == 2).then(|| RunStatus::Parked {
            reason: "why".to_owned(),
        });
        next += append.entries.len() as u64;
        store.append(&lease, &append).await.expect("an append");
        ends.push(len());
    }
    (path, ends)
}

#[tokio::test]
async fn a_log_that_is_cut_at_any_byte_is_one_of_whole_appends() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let (path, ends) = segment(&folder, &store).await;
    let all: Vec<_> = ["{\"zero\":0}"]
        .iter()
        .chain(APPENDS.concat().iter())
        .map(|&it| it.to_owned())
        .collect();
    let whole = *ends.last().expect("there are ends");
    let file = File::options()
        .write(true)
        .open(&path)
        .expect("the segment is there");
    for len in (0..=whole).rev() {
        file.set_len(len).expect("the segment is cut");
        // Nobody takes the lease at this moment.
        file.set_modified(std::time::SystemTime::UNIX_EPOCH)
            .expect("the time is set");
        let run = store
            .load(&id(), 0)
            .await
            .expect("a log that is cut is loaded");
        let appends = ends[1..].iter().filter(|end| **end <= len).count();
        let count = 1 + APPENDS[..appends].iter().map(|it| it.len()).sum::<usize>();
        assert_eq!(run.entries, all[..count], "cut at byte {len} of {whole}");
        assert_eq!(run.taken, appends as u64, "cut at byte {len} of {whole}");
        let is_parked = matches!(run.status, RunStatus::Parked { .. });
        assert_eq!(is_parked, appends >= 3, "cut at byte {len} of {whole}");
    }
    // Nothing of the segment is left. The next driver goes on with what was before.
    let lease = store.lease(&id(), LONG).await.expect("the run is free");
    assert_eq!(lease.token, 3);
    store
        .append(&lease, &Append::new(1, texts(["one"])))
        .await
        .expect("it goes on");
    assert_eq!(
        store.load(&id(), 0).await.expect("the run").entries,
        ["{\"zero\":0}", "one"]
    );
}

#[tokio::test]
async fn a_driver_goes_on_after_half_an_append() {
    for cut in [1, 7, 20] {
        let folder = Folder::new();
        let store = folder.process(1).await;
        let (path, ends) = segment(&folder, &store).await;
        let file = File::options()
            .write(true)
            .open(&path)
            .expect("the segment is there");
        file.set_len(ends[2] + cut).expect("the segment is cut");
        let other = folder.process(2).await;
        let lease = other.lease(&id(), LONG).await;
        // The lease that the cut part gave back is held again.
        let error = lease.expect_err("the driver holds it");
        assert_eq!(error.kind, StoreErrorKind::Held);
        let lease = crate::store::Lease::new(id(), 2, std::time::SystemTime::now());
        other
            .append(&lease, &Append::new(4, texts(["four"])))
            .await
            .expect("it goes on");
        let run = other.load(&id(), 3).await.expect("the run");
        assert_eq!(run.entries, ["{\"three\":3}", "four"]);
        assert_eq!(
            store.load(&id(), 3).await.expect("the run").entries,
            run.entries
        );
    }
}

#[tokio::test]
async fn a_broken_line_is_an_error_that_names_it() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    let (path, ends) = segment(&folder, &store).await;
    let text = fs::read_to_string(&path).expect("the segment is text");
    let first = usize::try_from(ends[0]).expect("a short file");
    for (broken, sequence) in [
        (text.replacen("{\"three\":3}", "{\"three\":", 1), 3),
        (text.replacen("{\"text\":\"two", "{\"none\":\"two", 1), 2),
        (text.replacen("\"first\":1", "\"first\":0", 1), 2),
        (format!("{}\0\0\n{}", &text[..first], &text[first..]), 1),
        (format!("{}{}", text, &text[first..]), 6),
        (text.replacen("{\"entry\":{\"one\":1}}\n", "", 1), 1),
    ] {
        assert_ne!(broken, text);
        fs::write(&path, &broken).expect("the segment is written");
        let error = folder
            .process(2)
            .await
            .load(&id(), 0)
            .await
            .expect_err("it is broken");
        assert_eq!(error.kind, StoreErrorKind::Corrupt, "{error}");
        assert_eq!(error.run_id, Some(id()), "{error}");
        assert_eq!(error.sequence, Some(sequence), "{error}: {broken}");
        let leased = folder.process(3).await.lease(&id(), LONG).await;
        assert_eq!(
            leased.expect_err("it is broken").kind,
            StoreErrorKind::Corrupt
        );
    }
}

#[tokio::test]
async fn zeros_of_what_was_not_synced_end_what_counts() {
    for synced in [false, true] {
        let folder = Folder::new();
        let store = folder.process(1).await;
        let lease = store.create(&continues("run", 0), LONG).await;
        let lease = lease.expect("a run");
        for (place, text) in [(1, "one"), (2, "two"), (3, "three")] {
            let mut append = Append::new(place, texts([text]));
            append.synced = place == 1 || (place == 3 && synced);
            store.append(&lease, &append).await.expect("an append");
        }
        let path = folder
            .path()
            .join("runs/x-run/log-00000000000000000001.jsonl");
        let text = fs::read_to_string(&path).expect("the segment is text");
        let zeros = "\0".repeat("{\"text\":\"two\"".len());
        fs::write(&path, text.replacen("{\"text\":\"two\"", &zeros, 1)).expect("it is written");
        let other = folder.process(2).await;
        let loaded = other.load(&id(), 0).await;
        if synced {
            let error = loaded.expect_err("what was synced is not lost without a word");
            assert_eq!(error.kind, StoreErrorKind::Corrupt);
            continue;
        }
        let run = loaded.expect("the power was lost");
        assert_eq!(run.entries, ["{\"zero\":0}", "one"]);
        let next = Append::new(2, texts(["other"]));
        other.append(&lease, &next).await.expect("it goes on");
        let run = other.load(&id(), 2).await.expect("the run");
        assert_eq!(run.entries, ["other"]);
    }
}

#[tokio::test]
async fn an_older_segment_that_is_cut_is_an_error() {
    let folder = Folder::new();
    let store = folder.process(1).await;
    segment(&folder, &store).await;
    let path = folder
        .path()
        .join("runs/x-run/log-00000000000000000001.jsonl");
    let bytes = fs::read(&path).expect("the first segment");
    for len in [0, 9, bytes.len() - 1] {
        fs::write(&path, &bytes[..len]).expect("it is cut");
        let error = store.load(&id(), 0).await.expect_err("it is cut");
        assert_eq!(
            (error.kind, error.run_id),
            (StoreErrorKind::Corrupt, Some(id()))
        );
    }
    fs::remove_file(&path).expect("it is removed");
    let error = store.load(&id(), 0).await.expect_err("it is gone");
    assert_eq!(
        (error.kind, error.run_id),
        (StoreErrorKind::Corrupt, Some(id()))
    );
}
