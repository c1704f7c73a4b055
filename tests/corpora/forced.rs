//! The calls of the questions, written in each of the formats by a model whose tools are emulated.

use std::iter::zip;

use serde_json::Value;
use toolwright::{
    ChatModel, Message, ModelResponse,
    emulation::{Emulated, ToolEmulation},
    model::{FinishReason, ModelRequest, ToolChoice},
    testing::ScriptedModel,
};

use crate::{
    tool_text::{declared, is_same},
    written::{Text, calls, texts},
};

/// The records that have calls.
pub(crate) fn with_calls(records: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let records = records.into_iter();
    records
        .filter(|(_, record)| !calls(record).is_empty())
        .collect()
}

/// One record: a decision in any of the formats is a response of its calls alone, after one request. The arguments have
/// the types that the schemas declare, since the calls fit these, and are the ones that were written.
pub(crate) fn check(record: &Value) {
    let calls = calls(record);
    let written = texts(&calls);
    let script = written.iter().map(|Text { text, .. }| text.as_str());
    let inner = ScriptedModel::new(script.map(ModelResponse::from_text));
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let question = record["question"][0]["content"].as_str();
    let request = ModelRequest::new([Message::user(question.expect("there is a question"))])
        .with_tools(declared(record).iter().cloned())
        .with_tool_choice(ToolChoice::Required);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("it needs nothing");
    for Text { format, text } in &written {
        let response = runtime.block_on(model.complete(&request));
        let response = response.unwrap_or_else(|error| panic!("{format}: {text}\n{error}"));
        assert_eq!(response.requests, 1, "{format}: {text}");
        assert_eq!(response.finish_reason, FinishReason::ToolCalls);
        assert_eq!(response.text, "", "{format}: {text}");
        let warned: Vec<_> = response.warnings.iter().map(|one| &*one.code).collect();
        assert_eq!(warned, ["tool_calls_emulated"], "{format}: {text}");
        let read = &response.tool_calls;
        let is_right = read.len() == calls.len()
            && zip(read, &calls).all(|(read, (name, arguments))| {
                let read_arguments = serde_json::from_str(&read.arguments).expect("is JSON");
                read.name == *name && is_same(&arguments.clone().into(), &read_arguments, false)
            });
        assert!(is_right, "{format}: {text}\n{read:?}");
    }
    assert_eq!(inner.requests().len(), written.len());
}
