//! A double of the providers that checks requests against the types of their own SDKs.
//!
//! It stands beside the repository, in `../shared/servers`. Without it, or without a Python, its test
//! is reported as ignored, and the reason is on the error stream.

use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{
    answers, documents,
    double::Server,
    emulated, pairs, python, run_by_provider,
    runs::{self, Codec},
    typed,
};
use crate::exhaustive::one_of;
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use toolwright::{
    Message, ToolDefinition,
    model::ModelRequest,
    profile::{Profile, Rendered},
    provider::{Codec as _, EncodeInput, OpenAiChatCodec},
    tool::Strict,
};

/// What a check is given: a Python with the SDKs, the double, and the corpora.
#[derive(Clone)]
struct Given {
    python: Result<PathBuf, String>,
    script: PathBuf,
    mcp: PathBuf,
    bfcl: PathBuf,
}

/// Of so many schemas one is asked for as an answer, where a test is not exhaustive.
const ANSWERS: usize = 9;

type Checked = Result<(), Failed>;

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
    let (of_python, of_script) = (python.clone(), script.clone());
    let (of_mcp, of_bfcl) = (mcp.clone(), bfcl.clone());
    let mut trials = Vec::new();
    let mut of_each = |name: &str, check: fn(Codec, &Given) -> Checked| {
        let given = Given {
            python: of_python.clone(),
            script: of_script.clone(),
            mcp: of_mcp.clone(),
            bfcl: of_bfcl.clone(),
        };
        trials.extend(Codec::ALL.map(|codec| {
            let name = format!("strict-server::{codec:?}_{name}").to_lowercase();
            let given = given.clone();
            Trial::test(name, move || check(codec, &given)).with_ignored_flag(is_ignored)
        }));
    };
    of_each("runs", |codec, given| {
        check_runs(codec, &given.python.clone()?, &given.script);
        Ok(())
    });
    of_each("emulated", |codec, given| {
        let server = Server::start(&given.python.clone()?, &given.script, &[]);
        let records = super::mcp(&fs::read_to_string(&given.mcp)?).into_iter();
        let tools: Vec<_> = records.map(|record| record.tool).collect();
        emulated::check(codec, &server, &tools);
        Ok(())
    });
    of_each("typed", |codec, given| {
        let server = Server::start(&given.python.clone()?, &given.script, &[]);
        let least = typed::check(codec, &server.url());
        let report = server.report();
        assert_eq!(report["violations"], json!([]), "{report}");
        assert!(report["requests"].as_u64() >= Some(least), "{report}");
        Ok(())
    });
    of_each("values", |codec, given| {
        let server = Server::answering(&given.python.clone()?, &given.script, &[]);
        let least = typed::values::check(codec, &server);
        let report = server.report();
        assert_eq!(report["violations"], json!([]), "{report}");
        assert_eq!(report["requests"].as_u64(), Some(least), "{report}");
        Ok(())
    });
    of_each("answers", |codec, given| {
        let server = Server::answering(&given.python.clone()?, &given.script, &[]);
        let mut records = super::mcp(&fs::read_to_string(&given.mcp)?);
        records.extend(super::bfcl(&fs::read_to_string(&given.bfcl)?));
        let some = records.into_iter().step_by(one_of(ANSWERS));
        answers::check(codec, &server, &some.collect::<Vec<_>>());
        Ok(())
    });
    let (its_python, its_script) = (python.clone(), script.clone());
    let pairs = move || {
        pairs::check(&Server::start(&its_python?, &its_script, &[]));
        Ok(())
    };
    let (own_python, own_script) = (python.clone(), script.clone());
    let (the_python, the_script) = (python.clone(), script.clone());
    let run_by_provider = move || {
        run_by_provider::check(&Server::start(&the_python?, &the_script, &[]));
        Ok(())
    };
    let documents = move || {
        documents::check(&Server::start(&own_python?, &own_script, &[]));
        Ok(())
    };
    let test = move || {
        let server = Server::start(&python?, &script, &[]);
        check_tools(&server, &mcp, &bfcl)
    };
    trials.push(Trial::test("strict-server::what_is_sent", test).with_ignored_flag(is_ignored));
    trials.push(Trial::test("strict-server::pairs", pairs).with_ignored_flag(is_ignored));
    let trial = Trial::test("strict-server::run_by_provider", run_by_provider);
    trials.push(trial.with_ignored_flag(is_ignored));
    trials.push(Trial::test("strict-server::documents", documents).with_ignored_flag(is_ignored));
    trials
}

/// Sends the tools of the corpora, some in each request.
fn check_tools(server: &Server, mcp: &Path, bfcl: &Path) -> Checked {
    let records = super::mcp(&fs::read_to_string(mcp)?).into_iter();
    let records = records.chain(super::bfcl(&fs::read_to_string(bfcl)?));
    let mut names = HashSet::new();
    let tools: Vec<_> = records
        .map(|record| record.tool)
        .filter(|tool| names.insert(tool.name.clone()))
        .collect();
    for some in tools.chunks(TOOLS_OF_A_REQUEST).step_by(one_of(4)) {
        check(server, some);
    }
    check_refused(server);
    Ok(())
}

/// How the double writes its streams: in a few pieces, byte by byte with CRLF, and cut into odd pieces.
const WAYS: [&[&str]; 3] = [&[], &["--split", "1", "--crlf"], &["--split", "37"]];

/// Runs over a codec give nothing to complain of, and the same comes of them however the streams are
/// cut.
fn check_runs(codec: Codec, python: &Path, script: &Path) {
    let mut first = None;
    for options in WAYS.into_iter().step_by(one_of(2)) {
        let server = Server::start(python, script, options);
        let runs = runs::check(codec, &server.url());
        let report = server.report();
        assert_eq!(report["violations"], json!([]), "{options:?}: {report}");
        runs::check_count(codec, &report["requests"], options);
        assert_eq!(
            *first.get_or_insert_with(|| runs.clone()),
            runs,
            "{options:?}"
        );
        check_wrong_keys(codec, &server);
    }
}

/// The test of the test: a key that a message does not have is seen, and one that a tool does not have.
fn check_wrong_keys(codec: Codec, server: &Server) {
    let (path, body, keys) = codec.smallest();
    server.takes(path, &body);
    for pointer in keys {
        let mut wrong = body.clone();
        let place = wrong.pointer_mut(pointer).expect("is there");
        place["wrong_key"] = 1.into();
        // Of a union of types the answer does not say which key it is.
        server.refuses(path, &wrong, "");
    }
}

/// Fewer than any provider takes.
const TOOLS_OF_A_REQUEST: usize = 64;

/// Every profile's tools pass, those of strict profiles with `strict`; a schema that is not strict
/// does not.
fn check(server: &Server, tools: &[ToolDefinition]) {
    let strict = tools.iter().cloned();
    let strict = strict.map(|tool| tool.with_strict(Strict::OpenAi));
    let request = ModelRequest::new([Message::user("Go on.")]).with_tools(strict);
    let body = OpenAiChatCodec::new()
        .encode(EncodeInput::new("sim-text", &request))
        .expect("can be sent");
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
    let refused = |path: &str, body: &Value, why: &str| server.refuses(path, body, why);
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
