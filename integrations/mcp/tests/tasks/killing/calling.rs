//! A process that calls a tool whose server answers with a task, and is killed at each point of its log.

use std::{io, net::SocketAddr, time::Duration};

use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use toolwright::{
    ChatModel, Message, ModelResponse, Runner, ToolCall,
    model::{ModelRequest, ModelStream},
    run::{Finish, Record, ResumeError, Run, StoreErrorKind},
    store::{Entry, RunFilter, Scope, Store},
};
use toolwright_mcp::Client;

use super::processes::{Folder, Kind, Point, Pointed, Points, Process, Signal, say};
use crate::{
    exhaustive::is_exhaustive,
    task_server::{TaskServer, completed, working},
};

/// Where the server is.
const SERVER: &str = "TOOLWRIGHT_TEST_SERVER";

/// A model without a state, that calls `go` once.
struct CallsOnce;

impl ChatModel for CallsOnce {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let has_called = request.messages.iter().any(
            |message| matches!(message, Message::Assistant(said) if !said.tool_rounds.is_empty()),
        );
        let response = if has_called {
            ModelResponse::from_text("done")
        } else {
            ModelResponse::from_calls([ToolCall::new("1", "go", "{}")])
        };
        let events = response.into_events().into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events.collect::<Vec<_>>()))
    }
}

#[tokio::test]
#[ignore = "other tests start it"]
async fn drives_a_call() {
    let (folder, points) = (Folder::given(), Points::given());
    let store = Pointed::new(Kind::given().open(&folder).await, &points);
    let server: SocketAddr = std::env::var(SERVER).unwrap().parse().unwrap();
    let client = Client::pipe(move || {
        let stream = std::net::TcpStream::connect(server)?;
        stream.set_nonblocking(true)?;
        io::Result::Ok(TcpStream::from_std(stream)?.into_split())
    });
    let runner = Runner::builder(CallsOnce)
        .tools(client.await.unwrap().toolset().await.unwrap())
        .store("calling", store.clone())
        .lease_time(Duration::ZERO);
    let runner = runner.build().unwrap();
    let runs = store.list(Scope::All, &RunFilter::default()).await.unwrap();
    let handle = match runs.items.first() {
        None => Some(runner.start("go")),
        Some(run) => loop {
            match runner.resume(&run.info.run_id).start().await {
                Ok(handle) => break Some(handle),
                Err(ResumeError::IsOver) => break None,
                // Who was killed while it took the lease keeps others out for a while.
                Err(ResumeError::Store(error)) if error.kind == StoreErrorKind::Held => {
                    tokio::task::yield_now().await;
                }
                Err(error) => panic!("{error}"),
            }
        },
    };
    if let Some(handle) = handle {
        handle.outcome().await.unwrap();
    }
    say!("over");
}

/// Drives the run in a process of its own, and says whether it came to its end, and to the point.
fn driven(folder: &Folder, kind: Kind, server: SocketAddr, at: Option<u64>) -> (bool, bool) {
    let signal = Signal::Kill;
    let point = at.map(|after| Point { signal, after });
    let environment = [(SERVER, server.to_string())];
    let test = "calling::drives_a_call";
    let (mut process, said) = Process::start(test, folder.path(), kind, point, &environment);
    let said: Vec<_> = tokio::task::block_in_place(|| said.collect());
    process.succeeds();
    let has = |word| said.iter().any(|said| said == word);
    (has("over"), has("point reached"))
}

/// Checks that the call has one result, and that of its task if that is in the log.
async fn check(server: &TaskServer, store: &dyn Store) {
    let runs = store.list(Scope::All, &RunFilter::default()).await.unwrap();
    let [run] = &runs.items[..] else {
        panic!("{} runs", runs.items.len())
    };
    let id = &run.info.run_id;
    let loaded = store.load(Scope::All, id, 0).await.unwrap();
    let entries = (0..).zip(&loaded.entries);
    let records: Vec<_> = entries
        .map(|(place, text)| Entry::from_text(text, id, place).unwrap().record)
        .collect();
    let (run, _) = Run::replay(&records).unwrap();
    let outcome = run.outcome().unwrap();
    assert_eq!(outcome.finish, Finish::Answered);
    let rounds: Vec<_> = outcome.tool_rounds().collect();
    assert_eq!((rounds.len(), rounds[0].results.len()), (1, 1));
    let result = rounds[0].results[0].to_model_text();
    let is_kept = |record: &Record| matches!(record, Record::CallCheckpointed { .. });
    if records.iter().any(is_kept) {
        assert_eq!(result, "seven");
    } else {
        assert!(result.contains("may have taken effect"), "{result}");
    }
    assert!(server.heard("tools/call").len() <= 1);
    assert!(server.heard("tasks/cancel").is_empty());
    let asked = server.heard("tasks/get");
    assert!(asked.iter().all(|asked| asked["taskId"] == json!("t1")));
}

async fn killed_at_each_point(kind: Kind) {
    let every = if is_exhaustive() { 1 } else { 4 };
    for at in (0..).step_by(every) {
        let folder = Folder::new(&format!("calling-{}-{at}", kind.name()));
        let server = TaskServer::new(|number| match number {
            0 => working(),
            _ => completed("seven"),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, serving) = (listener.local_addr().unwrap(), server.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        let (is_over, came_to_point) = driven(&folder, kind, address, Some(at));
        if !is_over {
            assert!(driven(&folder, kind, address, None).0, "point {at}");
        }
        check(&server, &*kind.open(folder.path()).await).await;
        if !came_to_point {
            assert!(at >= 15, "only {at} points");
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_killed_at_any_point_calls_once_in_sqlite() {
    killed_at_each_point(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn a_client_that_is_killed_at_any_point_calls_once_in_postgres() {
    killed_at_each_point(Kind::Postgres).await;
}
