//! A double of the providers that checks requests against the types of their own SDKs.
//!
//! It stands beside the repository, in `../shared/servers`, and needs a Python that has the SDKs:
//! that in the variable `TOOLWRIGHT_PYTHON`, else `python3`.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use toolwright::{
    Message, ModelRequest, Strict, ToolDefinition,
    profile::{Profile, Rendered},
    provider::openai_chat,
};

pub(crate) fn trials(corpus: &Path) -> Vec<Trial> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/servers/strict_server.py");
    let python = std::env::var("TOOLWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let is_there = script.exists() && corpus.exists() && has_sdks(&python);
    let corpus = corpus.to_owned();
    let (run_python, run_script) = (python.clone(), script.clone());
    let test = move || {
        let text = fs::read_to_string(&corpus)?;
        let tools: Vec<_> = super::mcp(&text)
            .into_iter()
            .map(|record| record.tool)
            .collect();
        let server = Server::start(&python, &script);
        check(&server, &tools);
        Ok(())
    };
    let runs = move || {
        let server = Server::start(&run_python, &run_script);
        super::runs::check(&format!("http://127.0.0.1:{}", server.port));
        let report = server.report();
        assert_eq!(report["violations"], json!([]), "{report}");
        super::runs::check_count(&report["requests"]);
        // The test of the test: what is wrong in a message is seen.
        let (status, answer) = server.post(
            "/v1/messages",
            &json!({"model": "sim-text", "max_tokens": 9,
                "messages": [{"role": "user", "content": "x", "foo": 1}]}),
        );
        assert_eq!(status, 400, "{answer}");
        Ok(())
    };
    vec![
        Trial::test("strict-server::what_is_sent", test).with_ignored_flag(!is_there),
        Trial::test("strict-server::anthropic_runs", runs).with_ignored_flag(!is_there),
    ]
}

fn has_sdks(python: &str) -> bool {
    let mut command = Command::new(python);
    command.args([
        "-c",
        "import openai, anthropic, google.genai, ollama, jsonschema",
    ]);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Every profile's tools pass, those of strict profiles with `strict`; a schema that is not strict
/// does not.
fn check(server: &Server, tools: &[ToolDefinition]) {
    let mut names = std::collections::HashSet::new();
    let mut tools: Vec<_> = tools.to_vec();
    tools.retain(|tool| names.insert(tool.name.clone()));
    for tool in &tools {
        let strict = tool.clone().with_strict(Strict::OpenAi);
        let request = ModelRequest::new([Message::user("Go on.")]).with_tools([strict]);
        let body = openai_chat::encode("sim-text", &request);
        let body: Value = serde_json::from_slice(&body).expect("it is JSON");
        assert_eq!(
            body["tools"][0]["function"]["strict"], true,
            "{}",
            tool.name
        );
        server.takes("/v1/chat/completions", &body);
    }
    let rendered = |profile: Profile| profile.render_all(&tools).expect("all can be sent").tools;
    let chat = |tool: &Rendered| {
        json!({"type": "function", "function": {"name": tool.name, "description": tool.description,
            "parameters": tool.parameters, "strict": tool.strict}})
    };
    for profile in [
        Profile::openai(),
        Profile::openai_strict(),
        Profile::portable(),
        Profile::xai(),
        Profile::mistral(),
        Profile::groq(),
        Profile::grammar(),
    ] {
        let tools: Vec<_> = rendered(profile).iter().map(chat).collect();
        let body = json!({"model": "sim-text", "messages": [{"role": "user", "content": "Go on."}], "tools": tools});
        server.takes("/v1/chat/completions", &body);
    }
    let responses = |tool: &Rendered| {
        json!({"type": "function", "name": tool.name, "description": tool.description,
            "parameters": tool.parameters, "strict": tool.strict})
    };
    for profile in [
        Profile::openai(),
        Profile::openai_strict(),
        Profile::portable(),
    ] {
        let tools: Vec<_> = rendered(profile).iter().map(responses).collect();
        server.takes(
            "/v1/responses",
            &json!({"model": "sim-text", "input": "Go on.", "tools": tools}),
        );
    }
    for profile in [
        Profile::anthropic(),
        Profile::anthropic_strict(),
        Profile::portable(),
    ] {
        // OpenAI's rules for strict, which the double has for Anthropic too, know no optional
        // members.
        let says_strict = profile.optional == toolwright::profile::Optional::Null;
        let tool = |tool: &Rendered| {
            let mut sent = json!({"name": tool.name, "description": tool.description,
                "input_schema": tool.parameters});
            if says_strict && tool.strict {
                sent["strict"] = true.into();
            }
            sent
        };
        let tools: Vec<_> = rendered(profile).iter().map(tool).collect();
        let body = json!({"model": "sim-text", "max_tokens": 100, "tools": tools,
            "messages": [{"role": "user", "content": "Go on."}]});
        server.takes("/v1/messages", &body);
    }
    for (profile, key) in [
        (Profile::gemini(), "parameters"),
        (Profile::gemini_json_schema(), "parametersJsonSchema"),
    ] {
        let declaration = |tool: &Rendered| {
            let mut sent = json!({"name": tool.name, "description": tool.description});
            if let Some(parameters) = &tool.parameters {
                sent[key] = parameters.to_value();
            }
            sent
        };
        let declarations: Vec<_> = rendered(profile).iter().map(declaration).collect();
        let body = json!({"contents": [{"role": "user", "parts": [{"text": "Go on."}]}],
            "tools": [{"functionDeclarations": declarations}]});
        server.takes("/v1beta/models/sim-text:generateContent", &body);
    }
    let tools: Vec<_> = rendered(Profile::ollama())
        .iter()
        .map(|tool| {
            json!({"type": "function", "function": {"name": tool.name,
                "description": tool.description, "parameters": tool.parameters}})
        })
        .collect();
    let body = json!({"model": "sim-text", "stream": false, "tools": tools,
        "messages": [{"role": "user", "content": "Go on."}]});
    server.takes("/api/chat", &body);
    check_refused(server);
}

/// What is wrong does not pass.
fn check_refused(server: &Server) {
    // An open object is not strict.
    let open = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let wrong = json!({"model": "sim-text", "messages": [{"role": "user", "content": "Go on."}],
        "tools": [{"type": "function", "function": {"name": "a", "parameters": open, "strict": true}}]});
    let (status, answer) = server.post("/v1/chat/completions", &wrong);
    assert_eq!(status, 400, "{answer}");
    assert!(answer.contains("additionalProperties"), "{answer}");
    let typed = json!({"contents": [{"role": "user", "parts": [{"text": "Go on."}]}],
        "tools": [{"functionDeclarations": [{"name": "a", "parameters": {"type": "object", "const": 1}}]}]});
    let (status, answer) = server.post("/v1beta/models/sim-text:generateContent", &typed);
    assert_eq!(status, 400, "{answer}");
}

/// The double, which ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(python: &str, script: &PathBuf) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let port = free.local_addr().expect("it is bound").port();
        drop(free);
        let mut command = Command::new(python);
        command.arg(script).args(["--port", &port.to_string()]);
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

    /// What the server has seen so far.
    fn report(&self) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let head = "GET /_report HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (_, body) = answer.split_once("\r\n\r\n").expect("it has a body");
        serde_json::from_str(body).expect("is JSON")
    }

    fn takes(&self, path: &str, body: &Value) {
        let (status, answer) = self.post(path, body);
        let answer: String = answer.chars().take(2_000).collect();
        assert_eq!(status, 200, "{path}: {answer}");
    }

    fn post(&self, path: &str, body: &Value) -> (u16, String) {
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
