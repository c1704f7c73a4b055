//! A file of each version of the tables is kept, and read for ever.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::Connection;
use toolwright::store::SqliteStore;

use crate::{folder::Folder, golden};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/golden/version_1.db")
}

#[tokio::test]
async fn version_1_is_read() {
    let folder = Folder::new();
    fs::copy(file(), folder.file()).unwrap();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    golden::is_read(&store, "").await;
}

/// Other tables need another version, and a golden file of it.
#[tokio::test]
async fn version_1_has_the_tables_that_are_made_today() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    let tables = |file: &Path| {
        let connection = Connection::open(file).unwrap();
        let mut select = connection
            .prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")
            .unwrap();
        let rows = select.query_map([], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
        });
        rows.unwrap().collect::<Result<Vec<_>, _>>().unwrap()
    };
    let copy = folder.path().join("golden.db");
    fs::copy(file(), &copy).unwrap();
    assert_eq!(tables(&copy), tables(&folder.file()));
    drop(store);
}

#[tokio::test]
#[ignore = "writes the golden file of the version of today"]
async fn write_the_golden_file() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    golden::fill(&store, "").await;
    store.vacuum().await.unwrap();
    fs::create_dir_all(file().parent().unwrap()).unwrap();
    fs::copy(folder.file(), file()).unwrap();
}
