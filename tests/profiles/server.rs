//! A double of the providers that checks requests against the types of their own SDKs.
//!
//! It stands beside the repository, in `../shared/servers`. Without it, or without a Python, its test
//! is reported as ignored, and the reason is on the error stream.

use std::{
    collections::HashSet,
    fs,
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use super::{python, runs::Codec};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use toolwright::{
    Message, ModelRequest, Strict, ToolDefinition,
    profile::{Profile, Rendered},
    provider::openai_chat,
};

pub(crate) fn trials(corpora: &Path, is_list: bool) -> Vec<Trial> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/servers/strict_server.py");
    let (mcp, bfcl) = (
        corpora.join("mcp-schemas-dev.jsonl"),
        corpora.join("bfcl-dev.jsonl"),
    );
    let python = if is_list {
        Err("it is only listed".to_owned())
    } else if [&script, &mcp, &bfcl].iter().all(|path| path.exists()) {
        python::with_sdks()
    } else {
        Err("`../shared/servers` or `../shared/corpora` is not there".to_owned())
    };
    if let (Err(reason), false) = (&python, is_list) {
        let _ = writeln!(io::stderr(), "strict-server is ignored: {reason}");
    }
    let is_ignored = python.is_err();
    let (ollama_python, ollama_script) = (python.clone(), script.clone());
    let run = |codec: Codec| {
        let (python, script) = (python.clone(), script.clone());
        let name = format!("strict-server::{codec:?}_runs").to_lowercase();
        Trial::test(name, move || {
            check_runs(codec, &Server::start(&python?, &script));
            Ok(())
        })
        .with_ignored_flag(is_ignored)
    };
    let runs = [Codec::Anthropic, Codec::Gemini, Codec::Responses].map(run);
    let ollama_runs = move || {
        check_ollama_runs(&Server::start(&ollama_python?, &ollama_script));
        Ok(())
    };
    let test = move || {
        let server = Server::start(&python?, &script);
        let records = super::mcp(&fs::read_to_string(&mcp)?).into_iter();
        let records = records.chain(super::bfcl(&fs::read_to_string(&bfcl)?));
        let mut names = HashSet::new();
        let tools: Vec<_> = records
            .map(|record| record.tool)
            .filter(|tool| names.insert(tool.name.clone()))
            .collect();
        for some in tools.chunks(TOOLS_OF_A_REQUEST) {
            check(&server, some);
        }
        check_refused(&server);
        Ok(())
    };
    let mut trials = Vec::from(runs);
    trials.push(Trial::test("strict-server::what_is_sent", test).with_ignored_flag(is_ignored));
    trials
        .push(Trial::test("strict-server::ollama_runs", ollama_runs).with_ignored_flag(is_ignored));
    trials
}

/// Runs over a codec give nothing to complain of.
fn check_runs(codec: Codec, server: &Server) {
    super::runs::check(codec, &format!("http://127.0.0.1:{}", server.port));
    let report = server.report();
    assert_eq!(report["violations"], json!([]), "{report}");
    super::runs::check_count(codec, &report["requests"]);
    // The test of the test: what is wrong in a message is seen.
    let (path, wrong) = match codec {
        Codec::Anthropic => (
            "/v1/messages",
            json!({"model": "sim-text", "max_tokens": 9,
                "messages": [{"role": "user", "content": "x", "foo": 1}]}),
        ),
        Codec::Gemini => (
            "/v1beta/models/sim-text:generateContent",
            json!({"contents": [{"role": "user", "parts": [{"text": "x", "foo": 1}]}]}),
        ),
        Codec::Responses => (
            "/v1/responses",
            json!({"model": "sim-text", "input": [{"role": "user", "content": "x", "foo": 1}]}),
        ),
    };
    let (status, answer) = server.post(path, &wrong);
    assert_eq!(status, 400, "{answer}");
}

/// Runs over Ollama's codec give nothing to complain of.
fn check_ollama_runs(server: &Server) {
    super::runs::ollama::check(&format!("http://127.0.0.1:{}", server.port));
    let report = server.report();
    assert_eq!(report["violations"], json!([]), "{report}");
    super::runs::check_count("Ollama", &report["requests"]);
    // The test of the test: a key that a message does not have is seen.
    let message = json!({"role": "user", "content": "x", "tool_call_id": "1"});
    let body = json!({"model": "sim-text", "messages": [message]});
    let (status, answer) = server.post("/api/chat", &body);
    assert_eq!(status, 400, "{answer}");
}

/// Fewer than any provider takes.
const TOOLS_OF_A_REQUEST: usize = 64;

/// Every profile's tools pass, those of strict profiles with `strict`; a schema that is not strict
/// does not.
fn check(server: &Server, tools: &[ToolDefinition]) {
    let strict = tools.iter().cloned();
    let strict = strict.map(|tool| tool.with_strict(Strict::OpenAi));
    let request = ModelRequest::new([Message::user("Go on.")]).with_tools(strict);
    let body = openai_chat::encode("sim-text", &request);
    let body: Value = serde_json::from_slice(&body).expect("it is JSON");
    for tool in body["tools"].as_array().expect("there are tools") {
        assert_eq!(tool["function"]["strict"], true, "{tool}");
    }
    server.takes("/v1/chat/completions", &body);
    let rendered = |profile: Profile| profile.render_all(tools).expect("all can be sent").tools;
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
}

/// What is wrong does not pass, in any of the protocols.
fn check_refused(server: &Server) {
    let go_on = json!([{"role": "user", "content": "Go on."}]);
    let refused = |path: &str, body: &Value, why: &str| {
        let (status, answer) = server.post(path, body);
        assert_eq!(status, 400, "{path}: {answer}");
        assert!(answer.contains(why), "{path}: {answer}");
    };
    // No schema at all, and an open object, which is not strict.
    let none = json!({"type": "objekt", "properties": {}});
    let open = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for (schema, strict, why) in [
        (&none, false, "not a JSON Schema"),
        (&open, true, "additionalProperties"),
    ] {
        let function = json!({"name": "a", "parameters": schema, "strict": strict});
        let tools = json!([{"type": "function", "function": function}]);
        let body = json!({"model": "sim-text", "messages": go_on, "tools": tools});
        refused("/v1/chat/completions", &body, why);

        let tools =
            json!([{"type": "function", "name": "a", "parameters": schema, "strict": strict}]);
        let body = json!({"model": "sim-text", "input": "Go on.", "tools": tools});
        refused("/v1/responses", &body, why);

        let tools = json!([{"name": "a", "input_schema": schema, "strict": strict}]);
        let body =
            json!({"model": "sim-text", "max_tokens": 100, "messages": go_on, "tools": tools});
        refused("/v1/messages", &body, why);
    }
    let typed = json!({"type": "object", "const": 1});
    for (key, schema, why) in [
        ("parameters", &typed, "const"),
        ("parametersJsonSchema", &none, "not a JSON Schema"),
    ] {
        let declaration = json!({"name": "a", "description": "", key: schema});
        let body = json!({"contents": [{"role": "user", "parts": [{"text": "Go on."}]}],
            "tools": [{"functionDeclarations": [declaration]}]});
        refused("/v1beta/models/sim-text:generateContent", &body, why);
    }
    let function = json!({"name": "a", "description": "", "parameters": none});
    let body = json!({"model": "sim-text", "stream": false, "messages": go_on,
        "tools": [{"type": "function", "function": function}]});
    refused("/api/chat", &body, "type");
}

/// The double, which ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(python: &Path, script: &Path) -> Self {
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
