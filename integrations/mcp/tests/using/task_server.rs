//! A server that answers each call with a task, and says of the task what a script has.

use std::{io, sync::Arc};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncWrite, duplex, split},
    sync::watch,
};
use toolwright_mcp::Client;

use super::scripted::{Line, tool};

/// What a server does about a request.
pub(crate) enum Say {
    Result(Value),
    Refuse(i64, &'static str),
    /// It says nothing.
    Nothing,
    /// It ends the connection.
    Leave,
}

type Script = dyn Fn(&str, usize) -> Say + Send + Sync;

/// A server with the tool `go`. Its state outlives its connections.
#[derive(Clone)]
pub(crate) struct TaskServer {
    name: &'static str,
    definition: Value,
    heard: watch::Sender<Vec<Value>>,
    /// By the method, and the number of requests of it before.
    script: Arc<Script>,
}

/// The fields of a task that all its forms have, with a few more.
pub(crate) fn task(status: &str, more: Value) -> Value {
    let mut task = json!({
        "resultType": "complete", "taskId": "t1", "status": status, "ttlMs": null, "pollIntervalMs": 0,
        "createdAt": "2026-11-28T00:00:00Z", "lastUpdatedAt": "2026-11-28T00:00:00Z",
    });
    let Value::Object(more) = more else {
        panic!("fields of an object")
    };
    task.as_object_mut().unwrap().extend(more);
    task
}

pub(crate) fn working() -> Say {
    Say::Result(task("working", json!({})))
}

/// The task has this text as its result.
pub(crate) fn completed(text: &str) -> Say {
    let result = super::scripted::text(text);
    Say::Result(task("completed", json!({"result": result})))
}

impl TaskServer {
    /// A server that says this of a task; it agrees to all other requests.
    pub(crate) fn new(get: impl Fn(usize) -> Say + Send + Sync + 'static) -> Self {
        Self::scripted(move |method, number| match method {
            "tasks/get" => get(number),
            _ => Self::agrees(method),
        })
    }

    pub(crate) fn scripted(script: impl Fn(&str, usize) -> Say + Send + Sync + 'static) -> Self {
        Self {
            name: "scripted",
            definition: tool("go"),
            heard: watch::Sender::default(),
            script: Arc::new(script),
        }
    }

    /// The same script of another server.
    pub(crate) fn named(mut self, name: &'static str, definition: Value) -> Self {
        (self.name, self.definition) = (name, definition);
        self
    }

    pub(crate) fn agrees(method: &str) -> Say {
        Say::Result(match method {
            "tools/call" => task("working", json!({"resultType": "task"})),
            _ => json!({"resultType": "complete"}),
        })
    }

    pub(crate) async fn client(&self) -> Client {
        let server = self.clone();
        let client = Client::pipe(move || {
            let (here, there) = duplex(1 << 16);
            tokio::spawn(server.clone().serve(there));
            io::Result::Ok(split(here))
        });
        client.await.unwrap()
    }

    /// Serves a connection.
    pub(crate) async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + 'static) {
        let mut line = Line::new(stream);
        let extensions = json!({"io.modelcontextprotocol/tasks": {}});
        line.begin_as(self.name, json!({"tools": {}, "extensions": extensions}))
            .await;
        while let Some(message) = line.next().await {
            let method = message["method"].as_str().unwrap_or_default().to_owned();
            if method == "tools/list" {
                line.answer(&message, json!({"tools": [self.definition]}))
                    .await;
            }
            if !["tools/call", "tasks/get", "tasks/update", "tasks/cancel"].contains(&&*method) {
                continue;
            }
            let before = self.heard(&method).len();
            self.heard.send_modify(|heard| heard.push(message.clone()));
            match (self.script)(&method, before) {
                Say::Result(result) => line.answer(&message, result).await,
                Say::Refuse(code, text) => line.refuse(&message, code, text).await,
                Say::Nothing => {}
                Say::Leave => return,
            }
        }
    }

    /// The parameters of the requests of a method so far.
    pub(crate) fn heard(&self, method: &str) -> Vec<Value> {
        of(&self.heard.borrow(), method)
    }

    /// Waits until so many requests of a method have come.
    pub(crate) async fn hears(&self, method: &str, times: usize) {
        let mut heard = self.heard.subscribe();
        let come = heard.wait_for(|heard| of(heard, method).len() >= times);
        come.await.unwrap();
    }
}

fn of(heard: &[Value], method: &str) -> Vec<Value> {
    let of_method = heard.iter().filter(|message| message["method"] == method);
    of_method.map(|message| message["params"].clone()).collect()
}
