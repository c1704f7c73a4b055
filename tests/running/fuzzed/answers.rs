//! Small answers of servers, whole ones, streams and errors, with all that a codec reads.

/// What is an answer in every protocol, or in none.
pub(crate) const ANY: &[&str] = &[
    "",
    " \n\r\n",
    "[DONE]",
    "data: [DONE]\n\n",
    "<!doctype html><p>no",
    "[]",
    "{}",
    "{\"error\":\"no\"}",
    r#"{"error":{"message":"a. Please try again in 1m2.5s.","type":"b","code":429,
        "details":[{"retryDelay":"3s"}],"metadata":{"raw":"c"}}}"#,
    "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"g\",\"status_code\":529}}\n\n",
];

pub(crate) const CHAT: &[&str] = &[
    r#"{"id":"r","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":
        {"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":
        [{"type":"text","text":"b"}]}],"refusal":null,"reasoning_details":[{"type":
        "reasoning.text","text":"c","signature":"d","index":0}],"extra_content":{"e":1},
        "tool_calls":[{"id":"f","index":0,"type":"function","extra_content":{"g":[2]},
        "function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\",\"days\":null,\"labels\":null}"}}]}}],
        "usage":{"prompt_tokens":4,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":6}}}"#,
    "\u{feff}: a\r\nevent: b\r\nid: 1\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"c\\u00e9\"}}]}\r\n\r\n\
     data: {\"choices\":[{\"delta\":{\"reasoning\":\"d\",\"tool_calls\":[{\"index\":0,\"id\":\"e\",\"function\":{\"name\":\"get_weather\",\"arguments\":\"{\"}}]}}]}\n\n\
     data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"\",\"function\":{\"arguments\":\"}\"}}]},\n\
     data: \"finish_reason\":\"tool_calls\"}],\"x_groq\":{\"usage\":{\"prompt_tokens\":1}}}\n\n\
     event: error\ndata: {\"error\":{\"message\":\"g\",\"status_code\":400}}\n\ndata: [DONE]\n\n",
];

pub(crate) const RESPONSES: &[&str] = &[
    r#"{"id":"resp_1","object":"response","model":"m","status":"completed","output":[
        {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"}],"encrypted_content":"b"},
        {"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"c","content":
        [{"type":"output_text","text":"d","annotations":[{"e":1}]},{"type":"refusal","refusal":"f"}]},
        {"type":"function_call","id":"fc_1","call_id":"g","name":"get_weather","arguments":"{\"city\":\"Oslo\",\"days\":2}"},
        {"type":"custom_tool_call","call_id":"h","name":"i","input":"j"},
        {"type":"custom_tool_call","call_id":"xs_call_k","name":"l","input":""},
        {"type":"web_search_call","id":"ws_1","status":"completed"}],
        "usage":{"input_tokens":3,"output_tokens":4,"input_tokens_details":{"cached_tokens":1}}}"#,
    r#"{"id":"resp_2","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[],"error":null}"#,
    "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"a\",\"model\":\"m\",\"status\":\"in_progress\",\"output\":[]}}\n\n\
     data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]}}\n\n\
     data: {\"type\":\"response.reasoning_summary_text.delta\",\"output_index\":0,\"delta\":\"b\"}\n\n\
     data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"b\"}],\"encrypted_content\":\"c\"}}\n\n\
     data: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":\"d\",\"name\":\"get_weather\",\"arguments\":\"\"}}\n\n\
     data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,\"delta\":\"{\"}\n\n\
     data: {\"type\":\"response.function_call_arguments.done\",\"output_index\":1,\"arguments\":\"{}\"}\n\n\
     data: {\"type\":\"response.output_text.delta\",\"output_index\":2,\"delta\":\"e\"}\n\n\
     data: {\"type\":\"response.completed\",\"response\":{\"id\":\"a\",\"status\":\"completed\",\"output\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}}\n\n",
];

pub(crate) const ANTHROPIC: &[&str] = &[
    r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","stop_sequence":null,
        "content":[{"type":"thinking","thinking":"a","signature":"b"},{"type":"redacted_thinking","data":"c"},
        {"type":"text","text":"d","citations":[{"e":1}]},{"type":"text","text":"f"},
        {"type":"server_tool_use","id":"srvtoolu_1","name":"g","input":{"h":1}},
        {"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Oslo","days":null},"caller":{"type":"direct"}}],
        "usage":{"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":5}}"#,
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"a\",\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n\
     event: ping\ndata: {\"type\": \"ping\"}\n\n\
     event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\n\
     data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"b\"}}\n\n\
     data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"c\"}}\n\n\
     data: {\"type\":\"content_block_stop\",\"index\":0}\n\n\
     data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"get_weather\",\"input\":{}}}\n\n\
     data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\":1}\"}}\n\n\
     data: {\"type\":\"content_block_stop\",\"index\":1}\n\n\
     data: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"n\",\"input\":{}}}\n\n\
     data: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\n\
     data: {\"type\":\"content_block_stop\",\"index\":2}\n\n\
     event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":9}}\n\n\
     event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
];

pub(crate) const GEMINI: &[&str] = &[
    r#"{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[
        {"text":"a","thought":true},{"text":"b","thoughtSignature":"c"},{"text":"","thoughtSignature":"d"},
        {"functionCall":{"id":"e","name":"get_weather","args":{"city":"Oslo","days":null}},"thoughtSignature":"f"},
        {"executableCode":{"code":"g"}},{"toolCall":{"id":"h"}}]}},{"index":1}],
        "usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"thoughtsTokenCount":3},
        "modelVersion":"m","responseId":"i"}"#,
    r#"{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"a"}}"#,
    "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n,\r\n{\"candidates\":[{\"finishReason\":\"STOP\"}]}]",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"get_weather\",\"willContinue\":true},\"thoughtSignature\":\"a\"}]}}]}\r\n\r\n\
     data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.city\",\"stringValue\":\"Os\",\"willContinue\":true}],\"willContinue\":true}}]}}]}\r\n\r\n\
     data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a[0]['b']\",\"numberValue\":1}],\"willContinue\":true}}]}}]}\r\n\r\n\
     data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{}}]}}]}\r\n\r\n\
     data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":1}}\r\n\r\n",
];

pub(crate) const OLLAMA: &[&str] = &[
    r#"{"model":"m","created_at":"2024-01-02T03:04:05Z","message":{"role":"assistant","content":"a","thinking":"b","tool_calls":[{"id":"c","function":{"index":0,"name":"get_weather","arguments":{"city":"Oslo","days":null}},"x":1}]},"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2}"#,
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"a\"},\"done\":false}\n\
     {\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"b\"},\"done\":false}\r\n\
     {\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"get_weather\",\"arguments\":{}}},{\"function\":{\"name\":\"get_weather\",\"arguments\":{\"city\":1}}}]}}\n\
     {\"error\":\"c\"}\n\
     {\"model\":\"m\",\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"length\",\"eval_count\":7}\n",
];

/// Lists of messages of every protocol.
pub(crate) const LISTS: &[&str] = &[
    r#"{"messages":[{"role":"developer","content":[{"type":"text","text":"Be brief."}]},
{"role":"user","name":"ada","content":[{"type":"text","text":"Look.","cache_control":{"type":"ephemeral"}},
{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw==","detail":"low"}},
{"type":"file","file":{"file_id":"f"}}]},
{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"a","type":"function",
"function":{"name":"look","arguments":"{}"}},{"id":"b","type":"custom","custom":{"name":"say","input":"x"}}]},
{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]},
{"role":"tool","tool_call_id":"a","content":"Tool execution failed (cancelled): no"},
{"role":"system","content":"Go on."},{"role":"assistant","content":"","refusal":"No."}]}"#,
    r#"{"instructions":"Be brief.","input":[{"role":"developer","content":"Kindly."},
{"type":"message","role":"user","content":[{"type":"input_text","text":"Look."},
{"type":"input_image","image_url":"https://h/a.png","detail":"low"},{"type":"input_file","file_id":"f"}]},
{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"e"},
{"type":"message","id":"msg","role":"assistant","status":"completed","content":[{"type":"output_text",
"text":"I look.","annotations":[]}]},
{"type":"function_call","id":"fc","call_id":"a","name":"look","arguments":"{}","status":"completed"},
{"type":"custom_tool_call","call_id":"b","name":"say","input":"x"},
{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"1"},
{"type":"input_image","image_url":"data:image/png;base64,iVBORw==","detail":"auto"}],"status":"completed"},
{"type":"custom_tool_call_output","call_id":"b","output":""},
{"type":"web_search_call","id":"ws","status":"completed"}]}"#,
    r#"{"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[
{"role":"user","content":[{"type":"text","text":"Look."},{"type":"image","source":{"type":"base64",
"media_type":"image/png","data":"iVBORw=="},"cache_control":{"type":"ephemeral"}},{"type":"document",
"source":{"type":"text","media_type":"text/plain","data":"x"}}]},
{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"redacted_thinking",
"data":"d"},{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"look","input":{"b":1,"a":2}},
{"type":"server_tool_use","id":"s","name":"n","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"boom",
"cache_control":{"type":"ephemeral"}},{"type":"text","text":"Go on."}]},{"role":"assistant","content":"Yes."}]}"#,
    r#"{"systemInstruction":{"role":"user","parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[
{"text":"Look."},{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}},{"file_data":{"file_uri":"gs://b/o",
"mime_type":"video/mp4"}}]},{"role":"model","parts":[{"text":"Hm.","thought":true,"thoughtSignature":"c2ln"},
{"functionCall":{"id":"a","name":"look","args":{"x":1}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"say"}}]},
{"role":"user","parts":[{"functionResponse":{"id":"a","name":"look","response":{"result":{"n":1}}}},
{"functionResponse":{"name":"say","response":{"error":"boom"}}}]},{"role":"model","parts":[{"text":"Yes."}]}]}"#,
    r#"[{"role":"system","content":"Be brief."},{"role":"system","content":"Kindly."},
{"role":"user","content":"Look.","images":["iVBORw=="]},{"role":"assistant","content":"","thinking":"Hm.",
"tool_calls":[{"function":{"name":"look","arguments":{"x":1}}}]},{"role":"tool","tool_name":"look",
"content":"1"},{"role":"assistant","content":"Yes."}]"#,
];
