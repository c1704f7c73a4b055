//! Models with emulated tools over the codecs: each request goes to the double, and what it writes is scripted here,
//! since the scripts of the double only call natively.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::Value;
use toolwright::{
    ChatModel, Conversation, Message, ModelError, ModelResponse, Runner, ToolDefinition,
    emulation::{Emulated, ToolEmulation},
    model::{ModelRequest, ModelStream, ToolChoice},
    run::{Finish, Limits},
    tool::BoxFuture,
};

use super::{
    double::Server,
    runs::{self, Codec},
};
use crate::exhaustive::one_of;

const NONE: &str = r#"{"tools": []}"#;

/// A model of the double that says something else.
#[derive(Clone)]
struct Dubbed {
    model: Arc<dyn ChatModel>,
    script: Arc<Mutex<VecDeque<String>>>,
    /// The codes of the warnings of its codec.
    warned: Arc<Mutex<Vec<String>>>,
}

impl Dubbed {
    /// The double's script `text`, which calls no tool.
    fn new(codec: Codec, server: &Server, script: impl IntoIterator<Item = String>) -> Self {
        Self {
            model: codec.model("sim-text".to_owned(), &server.url()).into(),
            script: Arc::new(Mutex::new(script.into_iter().collect())),
            warned: Arc::default(),
        }
    }

    fn dub(&self, mut response: ModelResponse) -> ModelResponse {
        let mut warned = self.warned.lock().expect("nothing panics inside");
        warned.extend(response.warnings.iter().map(|one| one.code.clone()));
        let mut script = self.script.lock().expect("nothing panics inside");
        let text = script
            .pop_front()
            .expect("there is a line for each request");
        response.parts = ModelResponse::from_text(&*text).parts;
        response.text = text;
        response
    }

    fn lines_left(&self) -> usize {
        self.script.lock().expect("nothing panics inside").len()
    }
}

impl ChatModel for Dubbed {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let response = toolwright::model::collect(self.model.stream(request));
        let events = response.map(|response| match response {
            Ok(response) => self
                .dub(response)
                .into_events()
                .into_iter()
                .map(Ok)
                .collect(),
            Err(error) => vec![Err(error)],
        });
        Box::pin(events.into_stream().flat_map(stream::iter))
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        let response = self.model.complete(request);
        Box::pin(response.map(|response| Ok(self.dub(response?))))
    }
}

/// Runs of two rounds, twice in one conversation, in both modes, plain and streamed; and a decision about each tool of
/// a corpus. No request is refused.
pub(crate) fn check(codec: Codec, server: &Server, corpus: &[ToolDefinition]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    for mode in [ToolEmulation::Force, ToolEmulation::Fallback] {
        for streaming in [false, true] {
            runtime.block_on(run(codec, server, mode, streaming));
        }
    }
    let left_out = runtime.block_on(decide(codec, server, corpus));
    check_native(codec, server);
    let report = server.report();
    assert_eq!(report["violations"], Value::Array(Vec::new()), "{report}");
    let (requests, tools) = (&report["requests"], corpus.len());
    eprintln!(
        "strict server: {requests} requests of emulated runs over {codec:?}; of {tools} tools {left_out} decisions \
         without a schema"
    );
}

/// The scripts of the double, which calls natively, come out as they do without emulation.
fn check_native(codec: Codec, server: &Server) {
    let emulated = runs::check_with(codec, &server.url(), |model| {
        Box::new(Emulated::new(model, ToolEmulation::Fallback))
    });
    assert_eq!(emulated, runs::check(codec, &server.url()));
}

async fn run(codec: Codec, server: &Server, mode: ToolEmulation, streaming: bool) {
    let tools = codec.tools();
    let names: Vec<_> = tools.definitions().map(|tool| tool.name.clone()).collect();
    let call = |place: usize| {
        let arguments = match place {
            0 => r#"{"city": "Oslo"}"#,
            _ => r#"{"place": null}"#,
        };
        format!(
            r#"{{"name": "{}", "arguments": {arguments}}}"#,
            names[place]
        )
    };
    let calls = |calls: &[String]| format!(r#"{{"tools": [{}]}}"#, calls.join(", "));
    let decisions = [
        calls(&[call(0)]),
        calls(&[call(1), call(0)]),
        "prose".to_owned(),
        NONE.to_owned(),
        "It rains.".to_owned(),
    ];
    let mut script = Vec::new();
    if mode == ToolEmulation::Fallback {
        script.push("I wonder.".to_owned());
    }
    script.extend(decisions.clone());
    script.extend(decisions);
    let spoken = Dubbed::new(codec, server, script);
    let model = Emulated::new(spoken.clone(), mode);
    let runner = Runner::builder(model.clone())
        .system("Be brief.")
        .tools(tools)
        .tool_choice(ToolChoice::Required)
        .settings(codec.settings().with_parallel_tool_calls(true))
        .limits(Limits::chat())
        .streaming(streaming)
        .build()
        .expect("is consistent");
    let mut conversation = Conversation::new();
    for question in ["What is it like in Oslo?", "And in Bergen?"] {
        let outcome = runner
            .request(question)
            .within(&mut conversation)
            .run()
            .await;
        let outcome = outcome.unwrap_or_else(|error| panic!("{mode:?}: {error}"));
        assert_eq!(outcome.finish, Finish::Answered, "{mode:?}");
        assert_eq!((outcome.rounds, &*outcome.text), (2, "It rains."));
    }
    assert_eq!(spoken.lines_left(), 0);
    assert!(!model.facts().refuses_answer_schema);
}

/// Asks for a decision about each tool, and about all of them, with each choice of a call. Returns how many were not
/// sent the schema of the decision.
async fn decide(codec: Codec, server: &Server, corpus: &[ToolDefinition]) -> usize {
    let all = [corpus];
    let mut left_out = 0;
    for tools in corpus.chunks(1).step_by(one_of(4)).chain(all) {
        let name = tools[0].name.to_string();
        let decision = format!(r#"{{"tools": [{{"name": "{name}", "arguments": {{}}}}]}}"#);
        for choice in [ToolChoice::Required, ToolChoice::Tool(name)] {
            let spoken = Dubbed::new(codec, server, [decision.clone()]);
            let model = Emulated::new(spoken.clone(), ToolEmulation::Force);
            let request = ModelRequest::new([Message::user("Go on.")])
                .with_tools(tools.iter().cloned())
                .with_tool_choice(choice);
            let response = model.complete(&request).await;
            let response = response.unwrap_or_else(|error| panic!("{}: {error}", tools[0].name));
            assert_eq!(response.requests, 1, "{}", tools[0].name);
            let warned = spoken.warned.lock().expect("nothing panics inside");
            let is_left_out = warned.iter().any(|code| code == "answer_schema_left_out");
            left_out += usize::from(is_left_out);
        }
    }
    left_out
}
