//! One recorded exchange.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::Value;

/// One recorded exchange.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Record {
    /// The folder of its protocol and the name of its file.
    pub(crate) id: String,
    /// `json`, `sse`, `ndjson`, or `json-array`: Gemini's stream without `alt=sse`.
    pub(crate) kind: String,
    /// Whose server answered.
    pub(crate) vendor: String,
    model: Option<String>,
    /// What exchanges of one conversation share.
    pub(crate) conversation: String,
    /// The place in the conversation, from 0.
    pub(crate) turn: u32,
    /// With its `body`; `null` where only the answer was recorded.
    #[serde(default)]
    pub(crate) request: Value,
    pub(crate) response: Response,
    pub(crate) expected: Expected,
}

/// What the provider answered.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// The only header that was recorded; empty where it was not.
    pub(crate) content_type: String,
    pub(crate) body: String,
}

/// What it means.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Expected {
    pub(crate) text: String,
    pub(crate) tool_calls: Vec<ExpectedCall>,
    pub(crate) server_tool_calls: Vec<Value>,
    pub(crate) finish_reason: Option<String>,
    pub(crate) usage: Option<ExpectedUsage>,
    pub(crate) reasoning_text: String,
    pub(crate) reasoning_signatures: Vec<String>,
    pub(crate) refusal: Option<String>,
    pub(crate) error: Option<ExpectedError>,
    pub(crate) complete: bool,
    pub(crate) native_finish_reason: Option<String>,
    #[serde(default)]
    pub(crate) stop_details: Value,
    pub(crate) stop_sequence: Option<String>,
    pub(crate) finish_message: Option<String>,
    pub(crate) block_reason: Option<String>,
    pub(crate) incomplete_reason: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ExpectedCall {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// `null` where the text cannot be read.
    pub(crate) arguments: Value,
    /// `null` where the protocol has an object.
    pub(crate) arguments_raw: Option<String>,
    pub(crate) arguments_error: Option<String>,
    /// `custom` where the arguments are no JSON.
    pub(crate) kind: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ExpectedUsage {
    pub(crate) input_tokens: u64,
    /// `null` where the provider leaves a zero out.
    pub(crate) output_tokens: Option<u64>,
    pub(crate) raw: Value,
}

impl ExpectedUsage {
    /// What was read and what was written, with all that a protocol counts apart: what was cached (Anthropic), what tools
    /// of the provider read (Gemini), the steps of an advisor (Anthropic), and the reasoning (Gemini, and xAI in Chat Completions), which is in the sum.
    pub(crate) fn billed(&self) -> (u64, u64) {
        let number = |name: &str| self.raw[name].as_u64();
        if let Some(steps) = self.raw["iterations"].as_array() {
            let sum = |name: &str| {
                steps
                    .iter()
                    .filter_map(|step| step[name].as_u64())
                    .sum::<u64>()
            };
            let cached = sum("cache_read_input_tokens") + sum("cache_creation_input_tokens");
            return (sum("input_tokens") + cached, sum("output_tokens"));
        }
        let apart = [
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "toolUsePromptTokenCount",
        ];
        // Gateways of other protocols repeat the first two of what they count in `prompt_tokens`.
        let is_apart = number("prompt_tokens").is_none();
        let apart = apart.into_iter().filter_map(number).filter(|_| is_apart);
        let input = self.input_tokens + apart.sum::<u64>();
        let output = self.output_tokens.unwrap_or_default();
        let sum = number("total_tokens").or(number("totalTokenCount"));
        (input, sum.map_or(output, |sum| sum - input))
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ExpectedError {
    pub(crate) status: Option<u16>,
    #[serde(rename = "type")]
    pub(crate) error_type: Option<String>,
    /// A text or a number.
    pub(crate) code: Value,
    pub(crate) message: Option<String>,
}

impl Record {
    /// All exchanges of a protocol, by name; none where the recordings are absent.
    pub(crate) fn read_all(folder: &Path) -> Vec<Self> {
        let entries = folder.read_dir().into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("the folder is readable").path())
            .filter(|path| path.extension().is_some_and(|it| it == "json"))
            .collect();
        paths.sort();
        let read = |path: PathBuf| {
            let text = fs::read_to_string(&path).expect("the recording is readable");
            serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        paths.into_iter().map(read).collect()
    }

    /// The folder of its protocol.
    pub(crate) fn folder(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The name of its file.
    pub(crate) fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or_default()
    }

    /// The body of the request; `None` where only the answer was recorded.
    pub(crate) fn body(&self) -> Option<&Value> {
        Some(&self.request["body"]).filter(|body| body.is_object())
    }

    /// The last part of the address, without its query.
    pub(crate) fn path_end(&self) -> &str {
        last_segment(self.request["path"].as_str().unwrap_or_default())
    }

    /// The name of the model, as it was asked for.
    pub(crate) fn model(&self) -> &str {
        let asked = self.body().and_then(|body| body["model"].as_str());
        asked.or(self.model.as_deref()).unwrap_or_default()
    }

    /// Whether the reply was asked for as a stream.
    pub(crate) fn is_streamed(&self) -> bool {
        let asked = self.body().and_then(|body| body["stream"].as_bool());
        let is_stream = || self.kind != "json" || self.path_end().contains("stream");
        asked.unwrap_or_else(is_stream)
    }

    /// Whether the reply goes back as it came: one that is whole, and whose calls can be read.
    pub(crate) fn goes_back(&self) -> bool {
        let mut calls = self.expected.tool_calls.iter();
        self.is_whole() && calls.all(|call| call.arguments_error.is_none())
    }

    /// Whether the reply came to its end, and is no error.
    pub(crate) fn is_whole(&self) -> bool {
        self.expected.complete && self.expected.error.is_none()
    }
}

/// What follows the last slash of an address, without its query.
pub(crate) fn last_segment(address: &str) -> &str {
    let path = address.split('?').next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}
