//! The double, as a process on the loopback interface.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

/// The double, which ends with the test.
pub(crate) struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts it, and waits until it listens.
    pub(crate) fn start(python: &Path, script: &Path, options: &[&str]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let port = free.local_addr().expect("it is bound").port();
        drop(free);
        let mut command = Command::new(python);
        command
            .arg(script)
            .args(["--port", &port.to_string()])
            .args(options);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("it starts");
        let server = Self { child, port };
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("the server does not listen");
    }

    /// Starts the double that says what the test has it say, and checks the schemas of answers.
    pub(crate) fn answering(python: &Path, script: &Path, options: &[&str]) -> Self {
        let around = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profiles/answering.py");
        let script = script.to_str().expect("its path is text");
        Self::start(python, &around, &[&[script], options].concat())
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What the server has seen so far.
    pub(crate) fn report(&self) -> Value {
        self.get("/_report")
    }

    /// The last request that it took, and the schema of an answer in it, if it is [`answering`](Self::answering).
    pub(crate) fn last(&self) -> Value {
        self.get("/_last")
    }

    /// Has it say a text next, if it is [`answering`](Self::answering).
    pub(crate) fn say(&self, text: &str) {
        let (status, answer) = self.post("/_say", &Value::from(text));
        assert_eq!(status, 200, "{answer}");
    }

    fn get(&self, path: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (_, body) = answer.split_once("\r\n\r\n").expect("it has a body");
        serde_json::from_str(body).expect("is JSON")
    }

    /// Asserts that a request is taken.
    pub(crate) fn takes(&self, path: &str, body: &Value) {
        let (status, answer) = self.post(path, body);
        let answer: String = answer.chars().take(2_000).collect();
        assert_eq!(status, 200, "{path}: {answer}");
    }

    /// Asserts that a request is refused, for a reason that the answer names.
    pub(crate) fn refuses(&self, path: &str, body: &Value, why: &str) {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 400, "{path}: {answer}");
        assert!(answer.contains(why), "{path}: {answer}");
    }

    /// The status and the answer of a request.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, String) {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Authorization: Bearer k\r\nx-api-key: k\r\nx-goog-api-key: k\r\n\
             anthropic-version: 2023-06-01\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        stream.write_all(body.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.expect("it has a status"), answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
