//! One recorded exchange.

use std::{fs, path::Path};

use serde::Deserialize;
use serde_json::Value;

/// One recorded exchange.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Record {
    pub(crate) kind: String,
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
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("the recording is readable");
        serde_json::from_str(&text).expect("the recording has its fields")
    }
}
