//! What is sent of a long conversation, as each codec writes it.

use std::{env, fs, path::Path};

use serde_json::Value;
use toolwright::{
    Conversation, ModelResponse, ToolResult,
    model::ModelRequest,
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    run::{Action, ContextWindow, Run, RunConfig, RunId, Signal},
};

use crate::{
    fuzzed::requests,
    transcripts::speakers::{Speaker, speakers},
};

/// The codec of a speaker: how it reads a response, and writes a request.
fn decode(speaker: &Speaker, body: &Value) -> Result<ModelResponse, toolwright::ModelError> {
    let body = body.to_string();
    let (tools, body) = (toolwright::Toolset::new(), body.as_bytes());
    let tools = tools.shared_definitions();
    match speaker.codec {
        "openai_chat" => OpenAiChatCodec::of(speaker.vendor).decode(tools, body),
        "openai_responses" => OpenAiResponsesCodec::new().decode(tools, body),
        "anthropic" => AnthropicCodec::new().decode(tools, body),
        "gemini" => GeminiCodec::new().decode(tools, body),
        _ => OllamaCodec::new().decode(tools, body),
    }
}

fn encode(speaker: &Speaker, request: &ModelRequest) -> Value {
    let input = EncodeInput::new("gemini-3-x", request);
    let body = match speaker.codec {
        "openai_chat" => OpenAiChatCodec::of(speaker.vendor).encode(input),
        "openai_responses" => OpenAiResponsesCodec::new().encode(input),
        "anthropic" => AnthropicCodec::new().encode(input),
        "gemini" => GeminiCodec::new().encode(input),
        _ => OllamaCodec::new().encode(input),
    };
    serde_json::from_slice(&body.expect("is written")).expect("is JSON")
}

/// The requests of a run in which the model says what a speaker says, as far as that is calls, again and again.
fn requests_of(speaker: &Speaker) -> Vec<ModelRequest> {
    let replies = speaker
        .replies
        .iter()
        .filter_map(|body| decode(speaker, body).ok());
    let replies: Vec<_> = replies
        .filter(ModelResponse::requires_tool_execution)
        .collect();
    let mut config = RunConfig::default();
    config.limits.no_progress = false;
    config.context_window = Some(ContextWindow::new(1_600));
    let mut earlier = Conversation::new().with_system("Be brief.");
    earlier.push_user("Is it winter?");
    earlier.push_response(ModelResponse::from_text("It is. ".repeat(20)));
    let (mut run, _) = Run::start(RunId::new("1"), config, earlier, "Weather in Oslo?");
    let mut all = vec![run.request()];
    for response in replies.iter().cycle().take(60) {
        run.handle(Signal::Replied {
            unfit: None,
            response: response.clone(),
            policies: Vec::new(),
        });
        while let Some(Action::StartCall(id)) = run.poll().first().copied() {
            run.handle(Signal::CallStarted(id));
            let text = format!("{} ", id.round).repeat(if id.index == 0 { 120 } else { 3 });
            run.handle(Signal::CallFinished(id, ToolResult::success("", text)));
        }
        all.push(run.request());
    }
    all
}

#[test]
fn what_is_sent_of_a_long_conversation_is_as_written_down() {
    let mut seen = Vec::new();
    for speaker in speakers() {
        let all = requests_of(&speaker);
        let mut compacted = None;
        for request in &all {
            // Every rule of the provider holds, and each signed part is there with its whole round or not at all.
            let body = encode(&speaker, request);
            requests::check(speaker.codec, &body);
            let text = body.to_string();
            if text.contains("left out here") && compacted.is_none() {
                compacted = Some(body);
            }
        }
        if seen.contains(&speaker.codec) {
            continue;
        }
        seen.push(speaker.codec);
        let body = compacted.unwrap_or_else(|| panic!("{} leaves nothing out", speaker.name));
        let text = serde_json::to_string_pretty(&body).expect("serialises") + "\n";
        assert!(
            text.contains("[result of `"),
            "{}: nothing is shortened",
            speaker.name
        );
        compare(speaker.codec, &text);
    }
    assert_eq!(seen.len(), 5);
}

/// Compares with the file, or writes it where `TOOLWRIGHT_UPDATE` is set.
fn compare(codec: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = folder.join(format!(
        "tests/running/long_conversations/golden/{codec}.json"
    ));
    if env::var_os("TOOLWRIGHT_UPDATE").is_some() {
        fs::write(&file, text).expect("is written");
    }
    let golden = fs::read_to_string(&file).expect("is there");
    let mut lines = text.lines().zip(golden.lines()).enumerate();
    let differs = lines.find(|(_, (new, old))| new != old);
    assert!(
        text == golden,
        "{codec}: run with TOOLWRIGHT_UPDATE=1, and look at the difference: {differs:?}"
    );
}
