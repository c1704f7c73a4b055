//! A file that cannot be written. Root may write any: then another user opens it, in a process of its own.

use std::{
    env, fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::Command,
};

use toolwright::store::{SqliteStore, Store, StoreErrorKind};

use crate::{
    folder::Folder,
    sample::{self, LONG},
};

const FILE: &str = "TOOLWRIGHT_TEST_FILE";
/// The user `nobody`, and its group.
const NOBODY: u32 = 65_534;

#[tokio::test]
async fn a_file_that_cannot_be_written_is_refused() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    store.create(&sample::run("r"), LONG).await.unwrap();
    store.vacuum().await.unwrap();
    let original = fs::read(folder.file()).unwrap();
    drop(store);

    for (file, around) in [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555)] {
        let place = folder.path().join(format!("{file:o}{around:o}"));
        fs::create_dir(&place).unwrap();
        fs::write(place.join("runs.db"), &original).unwrap();
        mode(&place.join("runs.db"), file);
        mode(&place, around);
        open_as_somebody(&folder, &place.join("runs.db"));
        mode(&place, 0o777);
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("files can be made");
}

/// Starts the test below as a user who may not write the file.
fn open_as_somebody(folder: &Folder, file: &Path) {
    // That user may not be allowed to read where this program is.
    let program = folder.path().join("test");
    fs::copy(
        env::current_exe().expect("the program has a name"),
        &program,
    )
    .expect("files can be made");
    let mut child = Command::new(program);
    child
        .args([
            "--exact",
            "read_only::the_file_of_the_test_above",
            "--ignored",
        ])
        .env(FILE, file);
    let around = file.parent().expect("it is in a folder");
    if fs::OpenOptions::new().write(true).open(file).is_ok()
        && fs::write(around.join("new"), "").is_ok()
    {
        child.uid(NOBODY).gid(NOBODY);
    }
    let output = child.output().expect("the program starts");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 passed"), "{told}");
}

#[tokio::test]
#[ignore = "another test starts it"]
async fn the_file_of_the_test_above() {
    let file = env::var_os(FILE).expect("the test above names a file");
    let error = SqliteStore::open(file).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    assert!(error.message.contains("writable"), "{error}");
}
