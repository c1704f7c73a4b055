//! A server that does what a script says, in the protocol of 2025-11-25.

use std::{io, sync::Arc};

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines, duplex, split,
};
use toolwright_mcp::{Client, ClientError};

/// The end of the server.
pub(crate) struct Line {
    reader: Lines<BufReader<Box<dyn AsyncRead + Send + Unpin>>>,
    pub(crate) writer: Box<dyn AsyncWrite + Send + Unpin>,
}

/// A client of servers by this script, one for each connection, with its number.
pub(crate) async fn client<F>(
    script: impl Fn(Line, u64) -> F + Send + Sync + 'static,
) -> Result<Client, ClientError>
where
    F: Future<Output = ()> + Send + 'static,
{
    let number = Arc::new(std::sync::atomic::AtomicU64::new(0));
    Client::pipe(move || {
        let (here, there) = duplex(1 << 16);
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        tokio::spawn(script(Line::new(there), number));
        io::Result::Ok(split(here))
    })
    .await
}

/// A definition that takes anything.
pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "description": name, "inputSchema": {"type": "object"}})
}

/// A result of one text.
pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

impl Line {
    pub(crate) fn new(stream: impl AsyncRead + AsyncWrite + Send + 'static) -> Self {
        let (reader, writer) = split(stream);
        let reader: Box<dyn AsyncRead + Send + Unpin> = Box::new(reader);
        Self {
            reader: BufReader::new(reader).lines(),
            writer: Box::new(writer),
        }
    }

    /// The next message, unless the client has gone.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.reader.next_line().await.ok()??;
        Some(serde_json::from_str(&line).expect("the client sends JSON"))
    }

    /// The next message of a method. Others are left out.
    pub(crate) async fn wait(&mut self, method: &str) -> Option<Value> {
        loop {
            let message = self.next().await?;
            if message["method"] == method {
                return Some(message);
            }
        }
    }

    pub(crate) async fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        // A client that has gone is noticed by the reader.
        let _ = self.writer.write_all(bytes.as_ref()).await;
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.raw(format!("{message}\n")).await;
    }

    pub(crate) async fn answer(&mut self, request: &Value, result: Value) {
        let id = &request["id"];
        self.send(json!({"jsonrpc": "2.0", "id": id, "result": result}))
            .await;
    }

    pub(crate) async fn notify(&mut self, method: &str) {
        self.send(json!({"jsonrpc": "2.0", "method": method})).await;
    }

    pub(crate) async fn refuse(&mut self, request: &Value, code: i64, message: &str) {
        let (id, error) = (&request["id"], json!({"code": code, "message": message}));
        self.send(json!({"jsonrpc": "2.0", "id": id, "error": error}))
            .await;
    }

    /// The handshake.
    pub(crate) async fn begin(&mut self) {
        self.begin_as("scripted", json!({"tools": {"listChanged": true}}))
            .await;
    }

    /// The handshake of a server of this name, with these capabilities.
    pub(crate) async fn begin_as(&mut self, name: &str, capabilities: Value) {
        let Some(probe) = self.wait("server/discover").await else {
            return;
        };
        self.refuse(&probe, -32601, "Method not found").await;
        let Some(begin) = self.wait("initialize").await else {
            return;
        };
        let info = json!({
            "protocolVersion": "2025-11-25", "capabilities": capabilities,
            "serverInfo": {"name": name, "version": "1"},
        });
        self.answer(&begin, info).await;
        self.wait("notifications/initialized").await;
    }

    /// Answers lists with these tools, until a call comes.
    pub(crate) async fn call(&mut self, tools: &[Value]) -> Option<Value> {
        loop {
            let message = self.next().await?;
            if message["method"] == "tools/list" {
                self.answer(&message, json!({"tools": tools})).await;
            }
            if message["method"] == "tools/call" {
                return Some(message);
            }
        }
    }
}
