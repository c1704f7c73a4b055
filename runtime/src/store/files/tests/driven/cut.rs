//! Logs that are cut, and resumed.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::*;
use crate::store::{StoreErrorKind, files::disk::Disk};

/// Loads of a log that is cut at any byte are tested elsewhere. Here it is cut around the ends of its lines, and at every
/// so many bytes.
const STRIDE: u64 = 16;

/// The segments of the only run of a folder, in order.
fn segments(folder: &Folder) -> Vec<PathBuf> {
    let runs = folder.path().join("runs");
    let mut runs = fs::read_dir(runs).expect("there are runs");
    let run = runs
        .next()
        .expect("there is one")
        .expect("it is read")
        .path();
    let files = fs::read_dir(run).expect("it is a folder");
    let files = files.map(|file| file.expect("it is read").path());
    let mut logs: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    logs.sort();
    logs
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder is created");
    for entry in fs::read_dir(from).expect("a folder is read") {
        let (path, name) = (
            entry.as_ref().expect("it is read").path(),
            entry.expect("it is read").file_name(),
        );
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).expect("a file is copied");
        }
    }
}

/// A copy of a store in which a segment is cut. Nobody takes the lease at this moment.
fn with_cut(folder: &Folder, segment: usize, len: u64) -> Folder {
    let cut = Folder::new();
    copy(folder.path(), cut.path());
    let file = File::options().write(true).open(&segments(&cut)[segment]);
    let file = file.expect("the segment is there");
    file.set_len(len).expect("it is cut");
    file.set_modified(SystemTime::UNIX_EPOCH)
        .expect("its time is set");
    cut
}

/// A store whose run was driven by two: the disk of the first one failed when some of its records were read.
async fn driven_twice() -> (Folder, RunId) {
    for steps in 0.. {
        let (folder, began) = (Folder::new(), Began::default());
        let disk = Disk::default();
        let power = disk.power.clone();
        let runner = began.runner(folder.store_on(disk).await);
        power.fails_after(Some(steps));
        let (read, failed) = drive(runner.start("go")).await;
        assert!(failed.is_some(), "it is over");
        if read.len() < 5 {
            continue;
        }
        let store = folder.process(1).await;
        let run = only_run(&store).await.expect("it was created");
        let (_, failed) = resume(&began.runner(store), &run)
            .await
            .expect("it is free");
        assert_eq!(failed, None);
        return (folder, run);
    }
    unreachable!("a run ends");
}

/// A cut end is one that was not written. A call that writes may have begun, as far as the rest of the log says, or not.
#[tokio::test(start_paused = true)]
async fn a_run_whose_log_is_cut_goes_on() {
    let (folder, began) = (Folder::new(), Began::default());
    let store = folder.process(0).await;
    assert_eq!(drive(began.runner(store.clone()).start("go")).await.1, None);
    let run = only_run(&store).await.expect("there is one");
    let [segment] = &segments(&folder)[..] else {
        panic!("it had one driver");
    };
    let text = fs::read(segment).expect("it is read");
    let created = text.split_inclusive(|byte| *byte == b'\n').take(3);
    let created = created.map(<[u8]>::len).sum::<usize>() as u64;
    let ends = text.iter().zip(0..).filter(|(byte, _)| **byte == b'\n');
    let ends: Vec<u64> = ends.map(|(_, place)| place).collect();
    let is_near = |len: u64| ends.iter().any(|end| end.abs_diff(len) <= 1);
    for len in (0..=text.len() as u64).filter(|len| len % STRIDE == 0 || is_near(*len)) {
        let what = format!("cut at byte {len} of {}", text.len());
        let (cut, began) = (with_cut(&folder, 0, len), Began::default());
        let store = cut.process(1).await;
        match resume(&began.runner(store.clone()), &run).await {
            Ok((_, failed)) => assert_eq!(failed, None, "{what}"),
            // Nothing of the run is left.
            Err(ResumeError::CorruptLog(_)) if len < created => continue,
            Err(ResumeError::Store(error)) if len < created => {
                assert_eq!(error.kind, StoreErrorKind::NotFound, "{what}: {error}");
                continue;
            }
            Err(error) => panic!("{what}: {error}"),
        }
        let (run, missing) = Run::replay(&log(&store, &run).await).expect("is the log of a run");
        assert_eq!(missing, [], "{what}");
        let outcome = run.outcome().expect("it is over");
        assert_eq!(
            (&outcome.finish, &*outcome.text),
            (&Finish::Answered, "done"),
            "{what}"
        );
        for calls in outcome.tool_rounds() {
            assert_eq!(calls.results.len(), 2, "{what}");
        }
    }
}

/// The next driver has read what is cut here: it was there.
#[tokio::test(start_paused = true)]
async fn a_run_is_not_driven_whose_log_lacks_something_in_the_middle() {
    let (folder, run) = driven_twice().await;
    let [first, second] = &segments(&folder)[..] else {
        panic!("it had two drivers");
    };
    let header = fs::read_to_string(second).expect("it is read");
    let counted = header
        .split("\"bytes\":")
        .nth(1)
        .expect("it says how much counts");
    let counted = counted.split(|c: char| !c.is_ascii_digit()).next();
    let counted: u64 = counted.and_then(|it| it.parse().ok()).expect("a number");
    assert!(counted <= fs::metadata(first).expect("it is there").len());
    for len in 0..counted {
        let what = format!("cut at byte {len} of {counted}");
        let (cut, began) = (with_cut(&folder, 0, len), Began::default());
        let runner = began.runner(cut.process(1).await);
        let Err(ResumeError::Store(error)) = resume(&runner, &run).await else {
            panic!("{what}: it goes on");
        };
        assert_eq!(error.kind, StoreErrorKind::Corrupt, "{what}: {error}");
        assert_eq!(error.run_id.as_ref(), Some(&run), "{what}: {error}");
        assert_eq!(began.count("pay 0") + began.count("pay 1"), 0, "{what}");
    }
}
