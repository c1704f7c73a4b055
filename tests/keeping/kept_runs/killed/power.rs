//! A process that is killed, and all is lost that SQLite has not synced.

use std::{env, fs, path::Path, process::Command, time::Instant};

use toolwright::store::{RunFilter, Scope};

use super::{Kill, check, driven};
use crate::kept_runs::processes::{Folder, Kind};

/// The folder for what is synced.
const DURABLE: &str = "TOOLWRIGHT_TEST_DURABLE";

/// Compiles what keeps copies of synced files. SQLite needs a compiler of C as well.
fn compiled(folder: &Folder) -> String {
    let library = folder.path().join("synced.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = source.join("tests/keeping/kept_runs/killed/synced.c");
    let mut compiler = Command::new(env::var_os("CC").unwrap_or("cc".into()));
    compiler.args(["-shared", "-fPIC", "-o"]);
    compiler.arg(&library).arg(source).arg("-ldl");
    let status = compiler.status().expect("there is a compiler of C");
    assert!(status.success());
    library.to_str().expect("is text").to_owned()
}

/// Replaces a database by what was synced of it.
fn lose(folder: &Path, durable: &Path) {
    for name in ["store", "store-wal", "store-shm"] {
        let _ = fs::remove_file(folder.join(name));
        let kept = durable.join(name);
        if kept.exists() {
            fs::copy(kept, folder.join(name)).expect("it is copied");
        }
    }
}

#[tokio::test]
async fn a_loss_of_power_at_any_point_loses_nothing_that_was_synced() {
    let (from, tools) = (Instant::now(), Folder::new("power"));
    let library = compiled(&tools);
    for at in 0.. {
        let folder = Folder::new(&format!("power-{at}"));
        let durable = folder.path().join("durable");
        fs::create_dir(&durable).expect("is created");
        let environment = [
            ("LD_PRELOAD", library.clone()),
            (DURABLE, durable.to_str().expect("is text").to_owned()),
        ];
        let first = driven(folder.path(), Kind::Sqlite, Kill::At(at), &environment);
        lose(folder.path(), &durable);
        let store = Kind::Sqlite.open(folder.path()).await;
        let runs = store.list(Scope::All, &RunFilter::default()).await;
        let runs = runs.expect("it is read").items;
        let entries = runs.first().map_or(0, |run| run.entries);
        let synced = first.synced;
        assert!(
            entries >= synced,
            "point {at}: {entries} of {synced} entries"
        );
        if !first.is_over {
            let second = driven(folder.path(), Kind::Sqlite, Kill::Never, &[]);
            assert!(second.is_over, "point {at}");
        }
        check(folder.path(), &*store).await;
        if !first.came_to_point {
            assert!(at >= 24, "only {at} points");
            println!("{at} points without power in {:?}", from.elapsed());
            break;
        }
    }
}
