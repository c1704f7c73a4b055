//! File systems that do not do everything.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// A folder of the test of this name, which is not there yet.
fn folder(test: &str) -> PathBuf {
    let name = format!("toolwright-holders-{test}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn where_files_cannot_be_locked_none_stays_and_it_is_tried_once() {
    static TRIED: AtomicUsize = AtomicUsize::new(0);
    let try_lock: TryLock = |_| {
        TRIED.fetch_add(1, Ordering::SeqCst);
        Err(TryLockError::Error(ErrorKind::Unsupported.into()))
    };
    let folder = folder("unlockable");
    let holders = Holders::new(Some(folder.clone()), SystemTime::now, try_lock);
    assert_eq!((holders.own(), holders.own()), (None, None));
    assert_eq!(TRIED.load(Ordering::SeqCst), 1);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_lock_that_others_always_have_is_given_up() {
    let folder = folder("held");
    let holders = Holders::new(Some(folder.clone()), SystemTime::now, |_| {
        Err(TryLockError::WouldBlock)
    });
    assert_eq!(holders.own(), None);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_cannot_be_seen_for_a_while_stays_locked() {
    let (folder, away) = (folder("unseen"), folder("away"));
    let holders = Holders::new(Some(folder.clone()), SystemTime::now, File::try_lock);
    let own = holders.own();
    assert!(own.is_some());
    // Whether it is there is an error now.
    fs::rename(&folder, &away).unwrap();
    fs::write(&folder, "").unwrap();
    assert_eq!(holders.own(), own);
    fs::remove_file(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    let file = File::open(folder.join(own.unwrap())).unwrap();
    assert!(file.try_lock().is_err());
    fs::remove_dir_all(folder).unwrap();
}
