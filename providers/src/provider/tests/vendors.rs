//! What each vendor's rows do: errors become kinds, usage is counted, files and stop sequences are sent in a form or
//! told in words.

use serde_json::{Value, json};
use toolwright_core::{
    ModelRequest, ModelResponse,
    message::{Audio, Citation, Document, Message, Part, ProviderActivity, UserMessage},
    model::{
        AnswerSchema, ModelError, ModelErrorKind as Kind, ModelEvent, ModelSettings, PromptCaching,
        Usage,
    },
    schema::Schema,
    tool::ToolDefinitions,
};

use crate::{
    codec::error_body::sentences::SENTENCES,
    provider::{
        AnthropicCodec, Codec, DecodeStream, EncodeInput, ErrorResponse, OpenAiChatCodec, Vendor,
    },
};

/// An error as a vendor sends it: its status, its body, its kind, and whether the request is sent again.
type Row = (&'static str, u16, &'static str, Kind, bool);

/// Errors as they were seen in public, or stand in the documentation.
const ERRORS: &[Row] = &[
    (
        // github.com/cline/cline/issues/3120
        "xAI",
        400,
        r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 136973 tokens."}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        // github.com/UKGovernmentBEIS/inspect_ai/pull/2267
        "xAI",
        403,
        r#"{"code":"The caller does not have permission to execute the specified operation","error":"Content violates usage guidelines. Team: t, API key ID: k, Model: grok-4-0709, Failed check: SAFETY_CHECK_TYPE_BIO"}"#,
        Kind::ContentFilter,
        false,
    ),
    (
        "xAI",
        403,
        r#"{"code":"permission-denied","error":"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"}"#,
        Kind::ContentFilter,
        false,
    ),
    (
        // github.com/Anantys-oss/koan/issues/2412
        "xAI",
        403,
        r#"{"code":"permission-denied","error":"Your team t has either used all available credits or reached its monthly spending limit."}"#,
        Kind::RateLimit,
        false,
    ),
    (
        "xAI",
        403,
        r#"{"code":"permission-denied","error":"The key may not use this model."}"#,
        Kind::Authentication,
        false,
    ),
    (
        // github.com/Gitlawb/openclaude/issues/353
        "LM Studio",
        400,
        r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input."}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        // github.com/stanford-crfm/helm/pull/2079
        "Together",
        422,
        r#"{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 33000 `inputs` tokens and 512 `max_new_tokens`","type":"invalid_request_error","param":null,"code":null}}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        // platform.kimi.com/docs/api/errors
        "Moonshot",
        400,
        r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)","type":"invalid_request_error"}}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        // github.com/zeroclaw-labs/zeroclaw/issues/4124
        "Z.ai",
        400,
        r#"{"error":{"code":"1261","message":"Prompt exceeds max length"}}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        // docs.z.ai/api-reference/api-code
        "Z.ai",
        400,
        r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        "Z.ai",
        400,
        r#"{"error":{"code":"1301","message":"System detected potentially unsafe or sensitive content in input or generation."}}"#,
        Kind::ContentFilter,
        false,
    ),
    (
        "Z.ai",
        429,
        r#"{"error":{"code":"1302","message":"High concurrency usage of this API"}}"#,
        Kind::RateLimit,
        true,
    ),
    (
        "Z.ai",
        429,
        r#"{"error":{"code":"1113","message":"Your account is in arrears"}}"#,
        Kind::RateLimit,
        false,
    ),
    (
        // github.com/agentscope-ai/QwenPaw/issues/6255
        "Alibaba",
        400,
        r#"{"error":{"code":"invalid_parameter_error","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]","param":null,"type":"invalid_request_error"},"request_id":"81a373d6"}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        "Mistral",
        400,
        r#"{"object":"error","message":"Prompt contains 300000 tokens, too large for model with 131072 maximum context length","type":"invalid_request_error","code":"3051"}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        // github.com/Gitlawb/openclaude/issues/936
        "OpenRouter",
        429,
        r#"{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0"}}}}"#,
        Kind::RateLimit,
        false,
    ),
    (
        "OpenRouter",
        429,
        r#"{"error":{"message":"Rate limit exceeded: free-models-per-min.","code":429}}"#,
        Kind::RateLimit,
        true,
    ),
    (
        // platform.minimax.io/docs/api-reference/errorcode.md, and the next
        "MiniMax",
        200,
        r#"{"base_resp":{"status_code":1004,"status_msg":"login fail: Please carry the API secret key"}}"#,
        Kind::Authentication,
        false,
    ),
    (
        "MiniMax",
        200,
        r#"{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}"#,
        Kind::RateLimit,
        false,
    ),
    (
        "MiniMax",
        200,
        r#"{"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}"#,
        Kind::ContentFilter,
        false,
    ),
    (
        "MiniMax",
        200,
        r#"{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit"}}"#,
        Kind::ContextTooLong,
        false,
    ),
    (
        "MiniMax",
        200,
        r#"{"base_resp":{"status_code":2013,"status_msg":"invalid params, no messages"}}"#,
        Kind::InvalidRequest,
        false,
    ),
    (
        "MiniMax",
        200,
        r#"{"base_resp":{"status_code":1002,"status_msg":"rate limit"}}"#,
        Kind::RateLimit,
        true,
    ),
    (
        "MiniMax",
        500,
        r#"{"base_resp":{"status_code":1033,"status_msg":"system error"}}"#,
        Kind::Overloaded,
        true,
    ),
    (
        // Both are the codes of others too, with other meanings.
        "MiniMax",
        200,
        r#"{"base_resp":{"status_code":1001,"status_msg":"request timeout"}}"#,
        Kind::Overloaded,
        true,
    ),
];

/// The error of a body, as it comes with its status.
fn error_of(status: u16, body: &str) -> ModelError {
    let codec = OpenAiChatCodec::new();
    if status == 200 {
        let whole = codec.decode(&ToolDefinitions::default(), body.as_bytes());
        return whole.expect_err("is an error");
    }
    codec.decode_error(&ErrorResponse::new(status, body.as_bytes()))
}

/// The events of a stream, and its error.
fn streamed(events: &[String]) -> (ModelResponse, Option<ModelError>) {
    let mut came: Vec<ModelEvent> = Vec::new();
    let mut decoder = OpenAiChatCodec::new().stream_decoder(&ToolDefinitions::default());
    let fed = decoder.feed(super::sse(events).as_bytes(), &mut came);
    let error = fed.and_then(|()| decoder.finish(&mut came)).err();
    (came.into_iter().collect(), error)
}

#[test]
fn errors_of_every_vendor_are_known_whole_and_streamed() {
    for (vendor, status, body, kind, retryable) in ERRORS {
        let whole = error_of(*status, body);
        let what = format!("{vendor} {status} {body}: {whole:?}");
        assert_eq!((whole.kind, whole.retryable), (*kind, *retryable), "{what}");
        assert!(!whole.message.starts_with("the "), "{what}");
        let (_, in_stream) = streamed(&[(*body).to_owned()]);
        // vLLM and Mistral send none at the top of an event, and a code beside a string is read with a status alone.
        let fields = ["\"error\":", "\"base_resp\":"];
        let by_code = *kind == Kind::Authentication && body.contains("\"error\":\"");
        if !by_code && fields.iter().any(|field| body.contains(field)) {
            let error = in_stream.expect("is an error");
            assert_eq!((error.kind, error.retryable), (*kind, *retryable), "{what}");
        }
    }
}

#[test]
fn a_sentence_decides_whatever_the_status_and_never_passes() {
    for row in SENTENCES {
        assert!(row.source.starts_with("https://"), "{row:?}");
        assert_eq!(row.words, row.words.to_lowercase(), "{row:?}");
        let message = format!("Sorry: {} 12345.", row.words);
        for status in [400, 401, 403, 404, 413, 422, 429, 500, 503] {
            for body in [
                json!({"error": {"message": message}}),
                json!({"error": message}),
                json!({"message": message, "code": "permission-denied"}),
                json!({"detail": message}),
            ] {
                let error = error_of(status, &body.to_string());
                let found = (error.kind, error.retryable);
                assert_eq!(found, (row.kind, false), "{status} {body}");
            }
        }
    }
}

#[test]
fn a_success_of_minimax_is_no_error() {
    let body = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],"base_resp":{"status_code":0,"status_msg":""}}"#;
    let response = OpenAiChatCodec::new().decode(&ToolDefinitions::default(), body.as_bytes());
    assert_eq!(response.expect("is a response").text, "Hi");
}

#[test]
fn hugging_face_says_when_a_model_is_loaded() {
    let body = r#"{"error":"Model m is currently loading","estimated_time":20.5}"#;
    let error = error_of(503, body);
    assert_eq!((error.kind, error.retryable), (Kind::Overloaded, true));
    assert_eq!(error.retry_after.map(|wait| wait.as_millis()), Some(20_500));
}

#[test]
fn a_response_that_vllm_aborts_is_an_error_that_passes() {
    let whole = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"abort"}]}"#;
    let event = r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"abort"}]}"#;
    let (_, in_stream) = streamed(&[event.to_owned()]);
    for error in [error_of(200, whole), in_stream.expect("is an error")] {
        assert_eq!((error.kind, error.retryable), (Kind::Overloaded, true));
        assert_eq!(
            error
                .partial
                .map(|partial| partial.text)
                .as_deref()
                .unwrap_or("Hi"),
            "Hi"
        );
    }
}

#[test]
fn texts_of_errors_have_no_control_characters() {
    let body = json!({"error": {"message": "no\u{1b}]0;evil\u{7}\r\n\u{202e}more", "code": "a\u{1b}b", "type": "c\u{0}"}});
    let error = error_of(400, &body.to_string());
    assert_eq!(error.message, "no?]0;evil??\n?more");
    assert_eq!(
        (error.code.as_deref(), error.error_type.as_deref()),
        (Some("a?b"), Some("c?"))
    );
    let (_, error) = streamed(&[body.to_string()]);
    assert_eq!(error.expect("is an error").message, "no?]0;evil??\n?more");
}

#[test]
fn usage_is_read_where_a_vendor_puts_it() {
    let mut cached = Usage::new(100, 7);
    cached.cached_input_tokens = Some(40);
    // Each with its place: Moonshot's own field, DeepSeek's, OpenAI's.
    let usages = [
        json!({"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "cached_tokens": 40}),
        json!({"prompt_tokens": 100, "completion_tokens": 7, "prompt_cache_hit_tokens": 40}),
        json!({"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}),
    ];
    for usage in usages {
        let at_the_top = json!({"choices": [], "usage": usage});
        // github.com/earendil-works/pi/issues/2017
        let in_a_choice =
            json!({"choices": [{"delta": {}, "finish_reason": "stop", "usage": usage}]});
        let of_groq = json!({"choices": [], "x_groq": {"usage": usage}});
        for last in [at_the_top, in_a_choice, of_groq] {
            let first = json!({"choices": [{"delta": {"content": "Hi"}}]});
            let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
            let events = [first, end, last].map(|event| event.to_string());
            let (mut response, error) = streamed(&events);
            assert_eq!(error, None);
            let mut found = response.usage.take().expect("is reported");
            found.raw = Value::Null;
            assert_eq!(found, cached, "{events:?}");
        }
        // What is spent is spent, also where the stream ends early or with an error.
        let event = json!({"choices": [{"delta": {"content": "Hi"}, "usage": usage}]}).to_string();
        let failed = json!({"error": {"message": "no"}}).to_string();
        for events in [vec![event.clone()], vec![event, failed]] {
            let (response, error) = streamed(&events);
            assert!(error.is_some());
            assert_eq!(response.usage.map(|usage| usage.total_tokens()), Some(107));
        }
    }
}

/// The type of the part that a PDF and a WAV are sent as, and the number of stop sequences; `-` for words.
const FORMS: &[(&str, &str, &str, usize)] = &[
    ("OpenAI", "file", "input_audio", 4),
    ("Azure", "file", "input_audio", 4),
    ("Cerebras", "-", "-", 4),
    ("DeepSeek", "-", "-", 6),
    ("Fireworks", "-", "-", 4),
    ("Groq", "-", "-", 4),
    ("Hugging Face", "-", "-", 4),
    ("llama.cpp", "-", "input_audio", 6),
    ("LM Studio", "-", "-", 6),
    ("Mistral", "document_url", "input_audio", 6),
    ("Ollama", "-", "-", 6),
    ("OpenRouter", "file", "input_audio", 4),
    ("Together", "-", "-", 6),
    ("vLLM", "-", "input_audio", 6),
    ("xAI", "-", "-", 4),
];

fn with_files(stops: usize) -> ModelRequest {
    let parts = vec![
        Part::Document(Document::from_bytes("application/pdf", b"%PDF-1.7").with_name("a.pdf")),
        Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
    ];
    let settings = ModelSettings::new().with_stop_sequences((0..stops).map(|n| n.to_string()));
    ModelRequest::new([Message::User(UserMessage::new(parts))]).with_settings(settings)
}

fn sent(vendor: Vendor, model: &str, request: &ModelRequest) -> (Value, Vec<String>) {
    let codec = OpenAiChatCodec::of(vendor);
    let input = EncodeInput::new(model, request);
    let warnings = codec.warnings_at(input).into_iter();
    let warnings = warnings.map(|warning| warning.code).collect();
    let body = codec.encode(input).expect("can be sent");
    (serde_json::from_slice(&body).expect("is JSON"), warnings)
}

#[test]
fn files_and_stop_sequences_are_sent_in_the_form_of_each_vendor() {
    assert_eq!(FORMS.len(), Vendor::ALL.len());
    for (vendor, (name, pdf, wav, stops)) in Vendor::ALL.iter().zip(FORMS) {
        assert_eq!(vendor.name(), *name);
        let (body, warnings) = sent(*vendor, "m", &with_files(6));
        let parts = &body["messages"][0]["content"];
        for (number, form, warning) in [(0, pdf, "document_not_sent"), (1, wav, "audio_not_sent")] {
            let kind = if *form == "-" { "text" } else { form };
            assert_eq!(parts[number]["type"], kind, "{name}: {parts}");
            let is_warned = warnings.iter().any(|name| name == warning);
            assert_eq!(is_warned, kind == "text", "{name}: {warnings:?}");
        }
        assert_eq!(
            body["stop"].as_array().map(Vec::len),
            Some(*stops),
            "{name}"
        );
        let is_warned = warnings.iter().any(|name| name == "stop_sequence_ignored");
        assert_eq!(is_warned, *stops < 6, "{name}: {warnings:?}");
    }
    let (body, _) = sent(Vendor::MISTRAL, "m", &with_files(0));
    assert_eq!(
        body["messages"][0]["content"],
        json!([
            {"type": "document_url", "document_url": "data:application/pdf;base64,JVBERi0xLjc=", "document_name": "a.pdf"},
            {"type": "input_audio", "input_audio": "UklGRg=="},
        ])
    );
}

#[test]
fn addresses_that_xai_and_perplexity_cite_are_citations() {
    let body = json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}],
        "citations": ["https://a.example", "https://b.example"]});
    let whole =
        OpenAiChatCodec::new().decode(&ToolDefinitions::default(), body.to_string().as_bytes());
    let event = json!({"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}],
        "citations": ["https://a.example", "https://b.example"]});
    // It is repeated in each event.
    let (in_stream, error) = streamed(&[event.to_string(), event.to_string()]);
    assert_eq!(error, None);
    for response in [whole.expect("is a response"), in_stream] {
        let urls = response.parts.iter().filter_map(|part| match part {
            Part::Activity(activity) => match &**activity {
                ProviderActivity::Citation(citation) => Some(citation.source.url.as_str()),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(
            urls.collect::<Vec<_>>(),
            ["https://a.example", "https://b.example"]
        );
    }
}

#[test]
fn a_prompt_of_claude_that_is_not_cached_is_warned_of() {
    let settings = ModelSettings::new().with_prompt_caching(PromptCaching::FiveMinutes);
    let request = ModelRequest::new([Message::user("Hi")]).with_settings(settings);
    let claude = "anthropic/claude-sonnet-4.5";
    for (vendor, model, is_marked, is_warned) in [
        (Vendor::OPENROUTER, claude, true, false),
        (Vendor::OPENROUTER, "openai/gpt-5.1", false, false),
        (Vendor::OPENAI, claude, false, true),
    ] {
        let (body, warnings) = sent(vendor, model, &request);
        let found = warnings.iter().any(|name| name == "prompt_caching_ignored");
        assert_eq!(found, is_warned, "{model}: {warnings:?}");
        let mark = is_marked.then(|| json!({"type": "ephemeral"}));
        assert_eq!(body.get("cache_control"), mark.as_ref(), "{model}");
    }
    let hour = ModelSettings::new().with_prompt_caching(PromptCaching::OneHour);
    let hour = ModelRequest::new([Message::user("Hi")]).with_settings(hour);
    let (body, _) = sent(Vendor::OPENROUTER, claude, &hour);
    assert_eq!(body["cache_control"]["ttl"], "1h");
    let input = EncodeInput::new("claude-sonnet-4-5", &request);
    assert_eq!(AnthropicCodec::new().warnings_at(input), []);
}

#[test]
fn a_typed_answer_is_strict_where_a_vendor_enforces_it_and_warned_of_elsewhere() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#;
    let schema = Schema::from_text(schema).expect("is a schema");
    let request = ModelRequest::new([Message::user("Hi")]);
    let request = request.with_answer_schema(AnswerSchema::new("answer", schema));
    for (vendor, model, strict) in [
        (Vendor::GROQ, "openai/gpt-oss-120b", true),
        (Vendor::GROQ, "llama-3.3-70b-versatile", false),
        (Vendor::MISTRAL, "mistral-large-latest", true),
        (Vendor::OPENAI, "gpt-5.1", true),
    ] {
        let (body, warnings) = sent(vendor, model, &request);
        let sent = &body["response_format"]["json_schema"]["strict"];
        assert_eq!(sent, &Value::Bool(strict), "{model}");
        let is_warned = warnings
            .iter()
            .any(|name| name == "answer_schema_not_strict");
        assert_eq!(is_warned, !strict, "{model}: {warnings:?}");
    }
}

#[test]
fn a_citation_of_chat_has_the_bytes_that_its_characters_are() {
    let text = "\u{c9}t\u{e9} \u{1f980} in Oslo";
    let place = text.chars().position(|char| char == 'O').expect("is there");
    let cited = json!([{"type": "url_citation", "url_citation": {
        "url": "https://a.example", "title": "A", "start_index": place, "end_index": place + 4}}]);
    let body = json!({"choices": [{"message": {"content": text, "annotations": cited}, "finish_reason": "stop"}]});
    let whole =
        OpenAiChatCodec::new().decode(&ToolDefinitions::default(), body.to_string().as_bytes());
    let events = [
        json!({"choices": [{"delta": {"content": &text[..3]}}]}).to_string(),
        json!({"choices": [{"delta": {"content": &text[3..]}}]}).to_string(),
        json!({"choices": [{"delta": {"annotations": cited}, "finish_reason": "stop"}]})
            .to_string(),
    ];
    let (in_stream, error) = streamed(&events);
    assert_eq!(error, None);
    for response in [whole.expect("is a response"), in_stream] {
        let mut all = Citation::all(&response.parts);
        let range = all.next().and_then(|citation| citation.range.clone());
        assert_eq!(response.text.get(range.expect("is known")), Some("Oslo"));
    }
}

#[test]
fn a_code_beside_an_error_that_is_a_text_says_what_it_is() {
    let body = json!({"error": "Slow down.", "code": "rate_limit_exceeded"}).to_string();
    let codec = OpenAiChatCodec::new();
    let whole = codec.decode(&ToolDefinitions::default(), body.as_bytes());
    let (_, in_stream) = streamed(std::slice::from_ref(&body));
    for error in [
        whole.expect_err("is an error"),
        in_stream.expect("is an error"),
    ] {
        assert_eq!(error.kind, Kind::RateLimit);
        assert_eq!(error.code.as_deref(), Some("rate_limit_exceeded"));
        assert_eq!(error.message, "Slow down.");
    }
}
