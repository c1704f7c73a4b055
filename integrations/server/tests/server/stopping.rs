//! A server that stops, and one that goes on where another stopped.

use std::{path::PathBuf, time::Duration};

use toolwright::{Runner, server::Server, store::SqliteStore, testing::ScriptedModel};

use crate::{
    chat::{asks, submit},
    client::{events_of, get, post},
    rig::{Gate, Rig, builder, calls, says},
};

#[tokio::test]
async fn streams_are_cut_without_an_end() {
    let rig = Rig::of([calls("wait", ["{}"])]).await;
    let mut stream = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
    let mut body = String::new();
    while !body.contains("tool-input-available") {
        let piece = stream.piece().await.expect("it goes on");
        body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    let (stopped, (rest, is_cut)) = tokio::join!(rig.stop(), stream.rest());
    let () = stopped;
    assert!(is_cut, "a client takes it for an error, and connects anew");
    assert!(!rest.contains("finish"), "{rest}");
    assert!(!rest.contains("[DONE]"), "{rest}");
}

/// A file that is deleted with this.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn runner(
    file: &std::path::Path,
    replies: [toolwright::ModelResponse; 1],
    gate: &Gate,
) -> Runner {
    let store = SqliteStore::open(file).await.expect("it opens");
    let runner = builder(ScriptedModel::new(replies), gate)
        .store("chat", store)
        .lease_time(Duration::from_millis(300));
    runner.build().expect("it is consistent")
}

/// The program of the first server is gone in the middle of a call. Another one over the same file ends the run by itself.
#[test]
fn another_server_goes_on() {
    let name = format!("toolwright-server-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    std::fs::create_dir_all(&folder.0).expect("it can be made");
    let file = folder.0.join("runs.sqlite");
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("it starts")
    };

    let first = runtime();
    let run = first.block_on(async {
        let runner = runner(&file, [calls("wait", ["{}"])], &Gate::default()).await;
        let server = Server::new(runner).expect("it has a store");
        let rig = Rig::start(server, Gate::default()).await;
        let mut stream = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
        let mut body = String::new();
        while !body.contains("tool-input-available") {
            let piece = stream.piece().await.expect("it goes on");
            body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
        }
        let id = events_of(&body)[0]["messageId"].clone();
        rig.stop().await;
        id
    });
    // The tasks of its runs are gone with it.
    drop(first);

    runtime().block_on(async {
        let gate = Gate::default();
        gate.open();
        let runner = runner(&file, [says("Done.")], &gate).await;
        let rig = Rig::start(Server::new(runner).expect("it has a store"), gate).await;
        // It waits until the run is over, whoever drives it.
        let events = get(rig.address, "/chat/c/stream").await.events().await;
        assert_eq!(events[0]["messageId"], run);
        assert_eq!(events.last().expect("it ends")["finishReason"], "stop");
        assert!(events.iter().any(|event| event["output"] == "it went on"));
        rig.stop().await;
    });
}
