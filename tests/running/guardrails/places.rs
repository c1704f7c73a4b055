//! The places of a response, or of an error, where a secret can stand.

use serde_json::json;
use toolwright::{
    ModelError, ModelResponse, ToolCall,
    message::{
        Audio, Citation, Document, Image, Opaque, Part, ProviderActivity, Source, ToolActivity,
    },
    model::{FinishReason, ModelErrorKind, ModelEvent, Usage, Warning},
};

use super::scripts::{Secret, fine};

pub(super) fn call(id: &str, name: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new(id, name, arguments))
}

pub(super) fn looks_up(word: &str) -> Part {
    call("1", "look_up", &json!({ "word": word }).to_string())
}

fn says(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn activity(activity: ProviderActivity) -> ModelResponse {
    ModelResponse::new(vec![Part::Activity(Box::new(activity)), says("Fine.")])
}

fn tool(change: impl FnOnce(&mut ToolActivity)) -> ModelResponse {
    let mut tool = ToolActivity::new("web_search");
    tool.is_over = true;
    change(&mut tool);
    activity(ProviderActivity::Tool(tool))
}

fn cites(citation: Citation) -> ModelResponse {
    activity(ProviderActivity::Citation(citation))
}

fn with(change: impl FnOnce(&mut ModelResponse)) -> ModelResponse {
    let mut response = fine();
    change(&mut response);
    response
}

fn opaque(data: serde_json::Value) -> ModelResponse {
    let provider = "nobody".to_owned();
    ModelResponse::new(vec![Part::Opaque(Opaque { provider, data }), says("Fine.")])
}

/// A response and the place of the secret in it.
type Place = (&'static str, ModelResponse);

/// Responses that are streamed, each with the secret in one place.
pub(super) fn responses(secret: &Secret) -> Vec<Place> {
    [
        texts(secret),
        calls(secret),
        activities(secret),
        facts(secret),
    ]
    .concat()
}

fn texts(secret: &Secret) -> Vec<Place> {
    let text = secret.text.as_str();
    let [head, tail] = secret.halves();
    let refusal = with(|response| {
        *response = ModelResponse::new(Vec::new()).with_finish_reason(FinishReason::Refusal);
        response.refusal = Some(format!("I do not tell {text}."));
    });
    vec![
        ("text", ModelResponse::from_text(text)),
        (
            "text beside a call",
            ModelResponse::new(vec![says(text), looks_up("a")]),
        ),
        (
            "text around a call",
            ModelResponse::new(vec![says(head), looks_up("a"), says(tail)]),
        ),
        (
            "text after reasoning in the middle",
            ModelResponse::new(vec![says(head), Part::Reasoning("hm".into()), says(tail)]),
        ),
        (
            "reasoning",
            ModelResponse::new(vec![Part::Reasoning(text.to_owned()), says("Fine.")]),
        ),
        (
            "reasoning in two parts",
            ModelResponse::new(vec![
                Part::Reasoning(head.to_owned()),
                says("Fine."),
                Part::Reasoning(tail.to_owned()),
            ]),
        ),
        (
            "reasoning beside a call",
            ModelResponse::new(vec![Part::Reasoning(text.to_owned()), looks_up("a")]),
        ),
        ("refusal", refusal),
    ]
}

fn calls(secret: &Secret) -> Vec<Place> {
    let text = secret.text.as_str();
    let cut = ModelResponse::new(vec![says("Wait."), call("1", "look_up", text)]);
    vec![
        (
            "id of a call",
            ModelResponse::new(vec![call(text, "look_up", r#"{"word":"a"}"#)]),
        ),
        (
            "name of a call",
            ModelResponse::new(vec![call("1", text, "{}")]),
        ),
        ("arguments", ModelResponse::new(vec![looks_up(text)])),
        (
            "arguments that escape it",
            ModelResponse::new(vec![call(
                "1",
                "look_up",
                &format!(r#"{{"word": "{}"}}"#, secret.escaped()),
            )]),
        ),
        (
            "arguments that are no JSON",
            ModelResponse::new(vec![call("1", "look_up", text)]),
        ),
        (
            "a call that was cut off",
            cut.with_finish_reason(FinishReason::Length),
        ),
        (
            "a note to another agent",
            ModelResponse::new(vec![call(
                "1",
                "transfer_to_billing",
                &json!({ "reason": text }).to_string(),
            )]),
        ),
        (
            "a task of a sub-agent",
            ModelResponse::new(vec![call(
                "1",
                "ask_clerk",
                &json!({ "task": text }).to_string(),
            )]),
        ),
    ]
}

fn activities(secret: &Secret) -> Vec<Place> {
    let text = secret.text.as_str();
    let source = || Source::new("https://example.com");
    let mut quoted = Citation::new(source());
    text.clone_into(&mut quoted.quote);
    vec![
        (
            "kind of an activity",
            tool(|tool| text.clone_into(&mut tool.kind)),
        ),
        (
            "id of an activity",
            tool(|tool| text.clone_into(&mut tool.id)),
        ),
        (
            "input of an activity",
            tool(|tool| text.clone_into(&mut tool.input)),
        ),
        (
            "output of an activity",
            tool(|tool| text.clone_into(&mut tool.output)),
        ),
        (
            "address of a source",
            tool(|tool| {
                tool.sources
                    .push(Source::new(format!("https://{text}.com")));
            }),
        ),
        (
            "title of a source",
            tool(|tool| tool.sources.push(source().with_title(text))),
        ),
        (
            "address of a citation",
            cites(Citation::new(Source::new(format!("https://{text}.com")))),
        ),
        (
            "title of a citation",
            cites(Citation::new(source().with_title(text))),
        ),
        ("quote of a citation", cites(quoted)),
    ]
}

fn facts(secret: &Secret) -> Vec<Place> {
    let text = secret.text.as_str();
    vec![
        (
            "opaque text",
            opaque(json!({ "thinking": [{ "text": text }] })),
        ),
        ("opaque name", opaque(json!({ text: 1 }))),
        (
            "code of a warning",
            with(|response| response.warnings.push(Warning::new(text, "hm"))),
        ),
        (
            "warning",
            with(|response| response.warnings.push(Warning::new("odd", text))),
        ),
        (
            "metadata",
            with(|response| {
                response.metadata.insert("id".into(), json!([text]));
            }),
        ),
        (
            "name of metadata",
            with(|response| {
                response.metadata.insert(text.to_owned(), json!(1));
            }),
        ),
        (
            "reason of the end",
            with(|response| response.raw_finish_reason = Some(text.to_owned())),
        ),
        (
            "model",
            with(|response| response.model = Some(text.to_owned())),
        ),
        (
            "object of the usage",
            with(|response| {
                let mut usage = Usage::new(1, 1);
                usage.raw = json!({ "tier": text });
                response.usage = Some(usage);
            }),
        ),
    ]
}

/// Responses that are not streamed, with what no check of text can see.
pub(super) fn media(secret: &Secret) -> Vec<Place> {
    let text = secret.text.as_str();
    let address = || format!("https://example.com/{text}.png");
    let parts = [
        (
            "address of an image",
            Part::Image(Image::from_url(address())),
        ),
        (
            "address of a document",
            Part::Document(Document::from_url("application/pdf", address())),
        ),
        (
            "address of sound",
            Part::Audio(Audio::from_url("audio/wav", address())),
        ),
    ];
    let beside = parts
        .clone()
        .map(|(name, part)| (name, ModelResponse::new(vec![part, says("Fine.")])));
    let alone = parts.map(|(name, part)| (name, ModelResponse::new(vec![part])));
    beside.into_iter().chain(alone).collect()
}

/// Errors with the secret in one place. Only a half of it may be in what was cut.
pub(super) fn errors(secret: &Secret) -> Vec<(&'static str, ModelError)> {
    let [head, _] = secret.halves();
    let text = secret.text.as_str();
    let error = |kind| ModelError::new(kind, "it failed");
    let busy = ModelErrorKind::Overloaded;
    vec![
        (
            "message of an error",
            ModelError::new(ModelErrorKind::InvalidRequest, text),
        ),
        (
            "half of a message",
            ModelError::new(
                ModelErrorKind::MalformedResponse,
                format!("no JSON: `{head}…`"),
            ),
        ),
        (
            "body of an error",
            error(busy).with_body(&format!("data: {head}")),
        ),
        ("code of an error", error(busy).with_code(text)),
        ("type of an error", error(busy).with_error_type(text)),
    ]
}

/// The events of a response with the secret wherever it can be.
pub(super) fn everywhere(secret: &Secret) -> Vec<ModelEvent> {
    let text = || secret.text.clone();
    let [head, tail] = secret.halves().map(str::to_owned);
    let mut citation = Citation::new(Source::new(text()).with_title(text()));
    citation.quote = text();
    let mut tool = ToolActivity::new(text());
    (tool.input, tool.output) = (text(), text());
    let mut usage = Usage::new(10, 1);
    usage.raw = json!({ "tier": text() });
    vec![
        ModelEvent::Model(text()),
        ModelEvent::from(usage),
        ModelEvent::Reasoning(head.clone()),
        ModelEvent::Reasoning(tail.clone()),
        ModelEvent::Opaque(Opaque {
            provider: "nobody".into(),
            data: json!({ "text": text() }),
        }),
        ModelEvent::Activity(Box::new(ProviderActivity::Tool(tool))),
        ModelEvent::Refusal(head.clone()),
        ModelEvent::Text(head.clone()),
        ModelEvent::Text(tail.clone()),
        ModelEvent::Activity(Box::new(ProviderActivity::Citation(citation))),
        ModelEvent::CallStarted {
            index: 0,
            id: text(),
            name: "look_up".into(),
        },
        ModelEvent::CallArguments {
            index: 0,
            text: format!(r#"{{"word": "{head}"#),
        },
        ModelEvent::CallArguments {
            index: 0,
            text: format!(r#"{tail}"}}"#),
        },
        ModelEvent::Warning(Warning::new("odd", text())),
        ModelEvent::Metadata {
            name: "id".into(),
            value: json!(text()),
        },
    ]
}
