//! One meaning of usage over all providers: examples of their documentation, of their libraries' tests and of
//! recordings, whole and streamed.

use serde_json::{Value, json};
use toolwright_core::{ModelResponse, tool::ToolDefinitions};

use super::{ANTHROPIC, Decode, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES, sse};
use crate::provider::{
    AnthropicCodec, Codec, GeminiCodec, OllamaCodec, OpenAiChatCodec, OpenAiResponsesCodec,
};

/// A protocol: how a response of a text with a usage comes in it.
struct Protocol {
    whole: fn(&[u8]) -> ModelResponse,
    stream: Decode,
    /// Its streams are lines.
    lines: bool,
    /// The whole response.
    body: fn(&Value) -> Value,
    /// The events of the stream. The first report is there only where a stream reports twice.
    events: fn(&Value, &Value) -> Vec<Value>,
}

const CHAT: Protocol = Protocol {
    whole: |body| {
        OpenAiChatCodec::new()
            .decode(&ToolDefinitions::default(), body)
            .expect("is a response")
    },
    stream: OPENAI_CHAT,
    lines: false,
    body: |usage| json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}], "usage": usage}),
    events: |first, usage| {
        vec![
            json!({"choices": [{"delta": {"content": "Hi"}}], "usage": first}),
            json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": usage}),
        ]
    },
};

const RESPONSES: Protocol = Protocol {
    whole: |body| {
        OpenAiResponsesCodec::new()
            .decode(&ToolDefinitions::default(), body)
            .expect("is a response")
    },
    stream: OPENAI_RESPONSES,
    lines: false,
    body: response,
    events: |_, usage| vec![json!({"type": "response.completed", "response": response(usage)})],
};

fn response(usage: &Value) -> Value {
    let content = json!([{"type": "output_text", "text": "Hi"}]);
    let item = json!({"type": "message", "role": "assistant", "content": content});
    json!({"status": "completed", "output": [item], "usage": usage})
}

const MESSAGES: Protocol = Protocol {
    whole: |body| {
        AnthropicCodec::new()
            .decode(&ToolDefinitions::default(), body)
            .expect("is a response")
    },
    stream: ANTHROPIC,
    lines: false,
    body: |usage| {
        json!({"type": "message", "role": "assistant", "stop_reason": "end_turn", "usage": usage,
            "content": [{"type": "text", "text": "Hi"}]})
    },
    events: |first, usage| {
        vec![
            json!({"type": "message_start", "message": {"content": [], "usage": first}}),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": "Hi"}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}),
            json!({"type": "message_stop"}),
        ]
    },
};

const GENERATE_CONTENT: Protocol = Protocol {
    whole: |body| {
        GeminiCodec::new()
            .decode(&ToolDefinitions::default(), body)
            .expect("is a response")
    },
    stream: GEMINI,
    lines: false,
    body: |usage| {
        json!({"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP"}],
            "usageMetadata": usage})
    },
    events: |first, usage| {
        vec![
            json!({"candidates": [{"content": {"parts": [{"text": "H"}]}}], "usageMetadata": first}),
            json!({"candidates": [{"content": {"parts": [{"text": "i"}]}, "finishReason": "STOP"}],
                "usageMetadata": usage}),
        ]
    },
};

const OLLAMA_CHAT: Protocol = Protocol {
    whole: |body| {
        OllamaCodec::new()
            .decode(&ToolDefinitions::default(), body)
            .expect("is a response")
    },
    stream: OLLAMA,
    lines: true,
    body: last_line,
    events: |_, usage| vec![last_line(usage)],
};

fn last_line(usage: &Value) -> Value {
    let mut line = json!({"message": {"content": "Hi"}, "done": true, "done_reason": "stop"});
    let fields = usage.as_object().expect("is one").clone();
    line.as_object_mut().expect("is one").extend(fields);
    line
}

/// Checks the usage of a response, whole and streamed: the tokens sent, of which were read from a cache and written
/// to it, and the tokens that came, of which were reasoning.
#[track_caller]
fn check(
    protocol: &Protocol,
    (first, usage): (Value, Value),
    (input, cached, written): (u64, Option<u64>, Option<u64>),
    (output, reasoning): (u64, Option<u64>),
) {
    let whole = (protocol.whole)((protocol.body)(&usage).to_string().as_bytes());
    let events: Vec<_> = (protocol.events)(&first, &usage)
        .iter()
        .map(Value::to_string)
        .collect();
    let stream = if protocol.lines {
        events.concat()
    } else {
        sse(&events)
    };
    let streamed = (protocol.stream)(stream.as_bytes(), 7);
    let mut expected = json!({"input_tokens": input, "output_tokens": output});
    for (name, number) in [
        ("cached_input_tokens", cached),
        ("written_input_tokens", written),
        ("reasoning_tokens", reasoning),
    ] {
        if let Some(number) = number {
            expected[name] = number.into();
        }
    }
    for (form, response) in [("whole", whole), ("streamed", streamed)] {
        let mut found = serde_json::to_value(response.usage.expect("was told")).expect("is JSON");
        let fields = found.as_object_mut().expect("is one");
        fields.remove("raw");
        // What of the input was in no request has its own test.
        fields.remove("provider_input_tokens");
        assert_eq!(found, expected, "{form}: {usage}");
    }
}

/// A usage of which a stream reports nothing before its end.
fn once(usage: Value) -> (Value, Value) {
    (Value::Null, usage)
}

#[test]
fn chat_completions_count_all_that_is_billed() {
    // platform.openai.com, "Prompt caching".
    let usage = json!({"prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
        "prompt_tokens_details": {"cached_tokens": 1920},
        "completion_tokens_details": {"reasoning_tokens": 0}});
    check(&CHAT, once(usage), (2006, Some(1920), None), (300, Some(0)));
    // docs.x.ai, "Chat completions"; "reasoning token consumption will be counted separately from `completion_tokens`,
    // but will be counted in the `total_tokens`" (docs.x.ai, "Consumption and Rate Limits").
    let usage = json!({"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 135,
        "prompt_tokens_details": {"text_tokens": 32, "audio_tokens": 0, "image_tokens": 0, "cached_tokens": 6},
        "completion_tokens_details": {"reasoning_tokens": 94, "audio_tokens": 0}});
    let so_far = json!({"prompt_tokens": 32, "completion_tokens": 1, "total_tokens": 127,
        "completion_tokens_details": {"reasoning_tokens": 94}});
    check(&CHAT, (so_far, usage), (32, Some(6), None), (103, Some(94)));
    // The same without a sum: reasoning cannot be more than what it is a part of.
    let usage = json!({"prompt_tokens": 32, "completion_tokens": 9,
        "completion_tokens_details": {"reasoning_tokens": 94}});
    check(&CHAT, once(usage), (32, None, None), (103, Some(94)));
    // Recorded by rig of DeepSeek: `prompt_tokens` is the sum of hits and misses.
    let usage = json!({"completion_tokens": 74, "prompt_tokens": 381, "total_tokens": 455,
        "completion_tokens_details": {"reasoning_tokens": 27},
        "prompt_cache_hit_tokens": 256, "prompt_cache_miss_tokens": 125});
    check(&CHAT, once(usage), (381, Some(256), None), (74, Some(27)));
    // openrouter.ai, "Usage accounting".
    let usage = json!({"completion_tokens": 2, "prompt_tokens": 194, "total_tokens": 196, "cost": 0.95,
        "completion_tokens_details": {"reasoning_tokens": 0},
        "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 100, "audio_tokens": 0}});
    check(&CHAT, once(usage), (194, Some(0), Some(100)), (2, Some(0)));
    // Recorded by pydantic-ai of Google's server of this protocol: thoughts are in the sum alone.
    let usage = json!({"completion_tokens": 12, "prompt_tokens": 35, "total_tokens": 109});
    check(&CHAT, once(usage), (35, None, None), (74, None));
    // Recorded by pydantic-ai of OpenRouter, whose numbers are those of two tokenizers.
    let usage = json!({"completion_tokens": 10, "prompt_tokens": 43, "total_tokens": 53,
        "completion_tokens_details": {"reasoning_tokens": 11}});
    check(&CHAT, once(usage), (43, None, None), (10, Some(10)));
    // docs.mistral.ai, "Chat".
    let usage = json!({"prompt_tokens": 17, "completion_tokens": 19, "total_tokens": 36});
    check(&CHAT, once(usage), (17, None, None), (19, None));
}

#[test]
fn responses_count_all_that_is_billed() {
    // platform.openai.com, "Reasoning models".
    let usage = json!({"input_tokens": 75, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1186, "output_tokens_details": {"reasoning_tokens": 1024}, "total_tokens": 1261});
    check(
        &RESPONSES,
        once(usage),
        (75, Some(0), None),
        (1186, Some(1024)),
    );
    // Recorded by rig of xAI, which counts reasoning among the output here.
    let usage = json!({"input_tokens": 698, "input_tokens_details": {"cached_tokens": 640},
        "output_tokens": 476, "output_tokens_details": {"reasoning_tokens": 471}, "total_tokens": 1174});
    check(
        &RESPONSES,
        once(usage),
        (698, Some(640), None),
        (476, Some(471)),
    );
    // Recorded by RubyLLM of Azure.
    let usage = json!({"input_tokens": 85, "input_tokens_details": {"cache_write_tokens": 5, "cached_tokens": 0},
        "output_tokens": 123, "output_tokens_details": {"reasoning_tokens": 64}, "total_tokens": 208});
    check(
        &RESPONSES,
        once(usage),
        (85, Some(0), Some(5)),
        (123, Some(64)),
    );
}

#[test]
fn messages_count_all_that_is_billed() {
    // platform.claude.com, "Prompt caching": `input_tokens` is what stands after the last mark.
    let usage = json!({"cache_creation_input_tokens": 188_086, "cache_read_input_tokens": 0,
        "input_tokens": 21, "output_tokens": 393});
    let start = json!({"cache_creation_input_tokens": 188_086, "cache_read_input_tokens": 0,
        "input_tokens": 21, "output_tokens": 1});
    check(
        &MESSAGES,
        (start, usage),
        (188_107, Some(0), Some(188_086)),
        (393, None),
    );
    let usage = json!({"cache_creation_input_tokens": 0, "cache_read_input_tokens": 188_086,
        "input_tokens": 21, "output_tokens": 393});
    check(
        &MESSAGES,
        (usage.clone(), usage),
        (188_107, Some(188_086), Some(0)),
        (393, None),
    );
    // platform.claude.com, "Streaming messages": with a search the end counts the input anew.
    let start = json!({"input_tokens": 2679, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": 3});
    let usage = json!({"input_tokens": 10_682, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": 510, "server_tool_use": {"web_search_requests": 1}});
    check(
        &MESSAGES,
        (start, usage),
        (10_682, Some(0), Some(0)),
        (510, None),
    );
    // Recorded by pydantic-ai: thinking is a part of the output.
    let usage = json!({"input_tokens": 2411, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": 145, "output_tokens_details": {"thinking_tokens": 47}});
    check(
        &MESSAGES,
        once(usage),
        (2411, Some(0), Some(0)),
        (145, Some(47)),
    );
}

#[test]
fn generate_content_counts_all_that_is_billed() {
    // Recorded by the AI SDK: `totalTokenCount` is the sum, and thoughts are apart. Each event counts all so far.
    let usage = json!({"promptTokenCount": 249, "candidatesTokenCount": 58, "totalTokenCount": 490,
        "thoughtsTokenCount": 183});
    let so_far =
        json!({"promptTokenCount": 249, "totalTokenCount": 432, "thoughtsTokenCount": 183});
    check(
        &GENERATE_CONTENT,
        (so_far, usage),
        (249, None, None),
        (241, Some(183)),
    );
    // Recorded by ellmer: what is cached is in the prompt.
    let usage = json!({"promptTokenCount": 341, "candidatesTokenCount": 10, "totalTokenCount": 850,
        "cachedContentTokenCount": 92, "thoughtsTokenCount": 499});
    check(
        &GENERATE_CONTENT,
        once(usage),
        (341, Some(92), None),
        (509, Some(499)),
    );
    // Recorded by pydantic-ai: what its own tools read is apart.
    let usage = json!({"promptTokenCount": 432, "thoughtsTokenCount": 18, "toolUsePromptTokenCount": 78,
        "totalTokenCount": 528});
    check(
        &GENERATE_CONTENT,
        once(usage),
        (510, None, None),
        (18, Some(18)),
    );
    // Recorded by RubyLLM of Vertex: a call that nobody can read is in the sum alone.
    let usage = json!({"promptTokenCount": 83, "totalTokenCount": 277, "thoughtsTokenCount": 162,
        "candidatesTokensDetails": [{"modality": "TEXT", "tokenCount": 32}]});
    check(
        &GENERATE_CONTENT,
        once(usage),
        (83, None, None),
        (194, Some(162)),
    );
    // The other form of its names, without a sum.
    let usage = json!({"prompt_token_count": 3, "candidates_token_count": 4, "thoughts_token_count": 5,
        "tool_use_prompt_token_count": 6});
    check(
        &GENERATE_CONTENT,
        once(usage),
        (9, None, None),
        (9, Some(5)),
    );
}

#[test]
fn ollama_counts_all_that_it_has_evaluated() {
    // github.com/ollama/ollama, `docs/api.md`.
    let usage = json!({"prompt_eval_count": 26, "eval_count": 298});
    check(&OLLAMA_CHAT, once(usage), (26, None, None), (298, None));
}

#[test]
fn what_a_provider_reads_by_itself_is_not_what_was_sent() {
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "A."}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 432, "thoughtsTokenCount": 18, "toolUsePromptTokenCount": 78,
            "totalTokenCount": 528}});
    let usage = usage_of::<GeminiCodec>(&gemini);
    assert_eq!((usage.input_tokens, usage.sent_tokens()), (510, 432));
    // Recorded by pydantic-ai: the steps of an advisor are beside the numbers of the whole.
    let step = |input: u32, output: u32| {
        json!({"input_tokens": input, "output_tokens": output,
        "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0})
    };
    let anthropic = json!({"content": [{"type": "text", "text": "A."}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 2411, "output_tokens": 145, "output_tokens_details": {"thinking_tokens": 47},
            "iterations": [step(1128, 135), step(2543, 18), step(1283, 10)]}});
    let usage = usage_of::<AnthropicCodec>(&anthropic);
    assert_eq!((usage.input_tokens, usage.output_tokens), (4954, 163));
    assert_eq!(
        (usage.sent_tokens(), usage.reasoning_tokens),
        (1128, Some(47))
    );
}

fn usage_of<C: Codec + Default>(body: &Value) -> toolwright_core::model::Usage {
    let body = body.to_string();
    let response = C::default().decode(&ToolDefinitions::default(), body.as_bytes());
    response.expect("is whole").usage.expect("is told")
}
