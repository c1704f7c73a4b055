//! Runs that cannot be read: nothing of them is executed, and the others go on.

use std::fs;

use toolwright::{
    run::{ResumeError, StoreErrorKind},
    store::{FileStore, RunFilter},
};

use super::{processes::Folder, *};

/// Changes the lines of a log.
type Damage = fn(&mut Vec<String>);

/// Damages, and the record that the error names.
const DAMAGES: [(&str, Damage, u64); 4] = [
    ("a record is missing", |lines| drop(lines.remove(2)), 1),
    (
        "a record is there twice",
        |lines| lines.insert(2, lines[2].clone()),
        1,
    ),
    (
        "a record is of another run",
        |lines| lines[1] = lines[1].replacen("\"run\":\"", "\"run\":\"x", 1),
        0,
    ),
    (
        "a record has a newer version",
        |lines| lines[1] = lines[1].replacen("\"version\":1", "\"version\":7", 1),
        0,
    ),
];

#[tokio::test]
async fn nothing_of_a_damaged_run_is_executed() {
    for (what, damage, sequence) in DAMAGES {
        let (folder, (tools, ran)) = (Folder::new("damaged"), tools());
        let store = FileStore::open(folder.path()).await.unwrap();
        let runner = builder(&model([calls(&["pay"])]), &tools, store.clone());
        let runner = runner.lease_time(OVER).build().unwrap();
        let mut ids = Vec::new();
        for _ in 0..2 {
            let mut handle = runner.start("buy");
            // Two records are there.
            handle.next().await.expect("it begins");
            ids.push(handle.id().clone());
        }
        let run = folder.path().join("runs").join(format!("x-{}", ids[0]));
        let segment = run.join("log-00000000000000000001.jsonl");
        let text = fs::read_to_string(&segment).unwrap();
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        // A record more, as a driver writes it.
        let second = lines[1]
            .replacen("\"sequence\":0", "\"sequence\":1", 1)
            .replacen("\"type\":\"started\"", "\"type\":\"cancel_after_round\"", 1);
        lines.splice(2..2, [second]);
        let end = lines
            .iter()
            .position(|line| line.starts_with("{\"end\""))
            .unwrap();
        lines[end] = lines[end].replacen("\"entries\":1", "\"entries\":2", 1);
        damage(&mut lines);
        fs::write(&segment, lines.join("\n") + "\n").unwrap();

        let error = runner.resume(&ids[0]).await.unwrap_err();
        let ResumeError::Store(error) = error else {
            panic!("{what}: {error}");
        };
        let kinds = [StoreErrorKind::Corrupt, StoreErrorKind::Newer];
        assert!(kinds.contains(&error.kind), "{what}: {error}");
        assert_eq!(error.run_id.as_ref(), Some(&ids[0]), "{what}: {error}");
        assert!(
            error.sequence.is_some_and(|at| at >= sequence),
            "{what}: {error:?}"
        );

        let mut recovered = runner.recover().await.unwrap();
        recovered.sort_by_key(|run| run.run_id != ids[0]);
        assert_eq!(recovered.len(), 2, "{what}");
        recovered.remove(0).handle.expect_err(what);
        let other = recovered.remove(0);
        assert_eq!(other.run_id, ids[1], "{what}");
        drop(other);
        assert_eq!(ran.counts(), (0, 0), "{what}");

        runner.abandon(&ids[0]).await.expect(what);
        store.delete_run(&ids[0]).await.expect(what);
        let page = store.list(&RunFilter::default()).await.unwrap();
        assert_eq!((page.items.len(), page.damaged.len()), (1, 0), "{what}");
    }
}
