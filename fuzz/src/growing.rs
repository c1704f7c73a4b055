//! Texts, answers and streams that may be as long as one likes: what they take is to grow in proportion.

/// A beginning, what is repeated, and an end.
pub(crate) type Shape = (&'static str, &'static str, &'static str);

/// Of a piece with a number.
pub(crate) type Numbered = fn(usize) -> String;

/// Arguments, as models may write them.
#[rustfmt::skip]
pub(crate) const TEXTS: &[Shape] = &[
        ("", "[", ""),
        ("", "{\"a\":", ""),
        ("[", "1\n", "]"),
        ("[", "\"12\",", "]"),
        ("[", "{}{}", "]"),
        ("[", "{\"a\":[\"1\"]},", "]"),
        ("{", "a:'b',", "}"),
        ("{", "\"a\":1,", "}"),
        ("{", "\"names\":{},", "}"),
        ("{'a': '", "\" ", "'}"),
        ("{\"a\": \"", "\\", "\"}"),
        ("{\"a\": \"", "[\\\"", "\"}"),
        ("", "/**/", "{}"),
        ("", "/*", "{}"),
        ("", "# \n", "{}"),
        ("", "`", "{}"),
        ("{}", "}", ""),
        ("{}", " ", "`"),
        ("{\"a\": {}", " ", ""),
        ("{", "“", "}"),
        ("{\"a\": ", "9", "}"),
];

/// Bodies of answers.
#[rustfmt::skip]
pub(crate) const ANSWERS: &[Shape] = &[
        (
            "{\"choices\":[{\"message\":{\"content\":\"",
            "\\u0061\\n",
            "\"}}]}",
        ),
        ("{\"error\":{\"message\":\"", "\\u0000\\\"", "\"}}"),
        ("{\"message\":{\"content\":\"", "\\ud83e\\udd80", "\"}}"),
        ("{\"a\":", "[", ""),
        ("{\"a\":", "{\"a\":", ""),
        ("", "[", ""),
        ("", "data:\n", ""),
        ("", "\n", ""),
        ("", "data: x\n", "\n"),
        ("", ":", ""),
        ("", "\u{1f980}", ""),
        ("<html>", "<p>", ""),
];

/// A schema with a choice at each place, and the line end after it.
pub(crate) const UNION: &str = concat!(
    r##"{"properties":{"a":{"$ref":"#"}},"anyOf":[{"type":"object"},{"items":{"anyOf":["##,
    r#"{"type":"integer"},{"type":"string","maxLength":1}]}}]}"#,
    "\n"
);

/// A shape with about as many bytes.
pub(crate) fn grown(shape: &Shape, bytes: usize) -> String {
    let (start, piece, end) = shape;
    format!("{start}{}{end}", piece.repeat(bytes / piece.len()))
}

/// Numbered pieces of about as many bytes.
pub(crate) fn numbered(start: &str, piece: Numbered, end: &str, bytes: usize) -> String {
    let mut text = start.to_owned();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&piece(number));
    }
    text + end
}

/// The events of streams, each with the codec that reads them.
pub(crate) fn streams() -> impl Iterator<Item = (&'static str, Numbered)> {
    let all: [(&str, &[Numbered]); 5] = [
        ("openai_chat", CHAT),
        ("openai_responses", RESPONSES),
        ("anthropic", ANTHROPIC),
        ("gemini", GEMINI),
        ("ollama", OLLAMA),
    ];
    let pairs = |(codec, events): (&'static str, &'static [Numbered])| {
        events.iter().map(move |event| (codec, *event))
    };
    all.into_iter().flat_map(pairs)
}

fn data(json: &str) -> String {
    format!("data: {json}\n\n")
}

fn part(part: &str) -> String {
    data(&format!(
        r#"{{"candidates":[{{"content":{{"parts":[{part}]}}}}]}}"#
    ))
}

const CHAT: &[Numbered] = &[
    |_| data(r#"{"choices":[{"delta":{"content":"a"}}]}"#),
    |_| data(r#"{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"b"}]}}]}"#),
    |n| {
        data(
            &format!(
                r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{n},"id":"{n}","x":[{n}],
            "function":{{"name":"get_weather","arguments":"{{}}"}}}}]}}}}]}}"#
            )
            .replace('\n', ""),
        )
    },
    |_| {
        data(
            r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"a","arguments":"{}"}}]}}]}"#,
        )
    },
    |_| {
        data(
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"[1,"}}]}}]}"#,
        )
    },
    |n| {
        data(&format!(
            r#"{{"choices":[],"usage":{{"a{n}":1}},"b{n}":1,"c":[{n}],"error":{{"message":"{n}"}}}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"choices":[{{"delta":{{"reasoning_details":[{{"type":"reasoning.text","text":"a","index":{}}}]}}}}]}}"#,
            n / 2
        ))
    },
    |n| format!("event: unknown{n}\ndata: [{n}\n\n"),
];

const RESPONSES: &[Numbered] = &[
    |n| {
        data(&format!(
            r#"{{"type":"response.output_text.delta","output_index":{n},"delta":"a"}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"response.output_item.added","output_index":{n},"item":{{"type":"function_call","call_id":"{n}","name":"get_weather"}}}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"response.output_item.done","item":{{"type":"function_call","call_id":"{n}","name":"a","arguments":"","x":1}}}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"response.output_item.done","output_index":{n},"item":{{"type":"reasoning","summary":[{{"type":"summary_text","text":"a"}}],"encrypted_content":"b"}}}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"response.completed","response":{{"id":"a","status":"completed","output":[],"usage":{{"a{n}":1}},"b{n}":[1]}}}}"#
        ))
    },
    |n| data(&format!(r#"{{"type":"response.new{n}","a{n}":[{n}]}}"#)),
];

const ANTHROPIC: &[Numbered] = &[
    |n| {
        data(&format!(
            r#"{{"type":"message_delta","delta":{{"a{n}":1}},"usage":{{"b{n}":1}},"c":[{n}]}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"content_block_start","index":{n},"content_block":{{"type":"text","text":"a","citations":[1]}}}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"content_block_start","index":{n},"content_block":{{"type":"tool_use","id":"{n}","name":"get_weather","input":{{}}}}}}"#
        ))
    },
    |n| {
        data(&format!(
            r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"server_tool_use","id":"{n}","input":{{}}}}}}"#
        ))
    },
    |_| {
        data(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#)
    },
    |n| match n {
        0 => data(
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"new","a":"","b":[]}}"#,
        ),
        n => data(&format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"a":"x","b":[1],"c{n}":1,"partial_json":"[","citation":{{}}}}}}"#
        )),
    },
    |n| match n {
        0 => data(
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        ),
        _ => data(
            r#"{"type":"content_block_delta","index":0,"delta":{"thinking":"a","signature":"b"}}"#,
        ),
    },
];

const GEMINI: &[Numbered] = &[
    |_| part(r#"{"text":"a"},{"text":"b","thought":true,"thoughtSignature":"c"}"#),
    |n| {
        part(&format!(
            r#"{{"functionCall":{{"id":"{n}","name":"get_weather","args":{{}}}},"thoughtSignature":"a"}}"#
        ))
    },
    |n| match n {
        0 => part(r#"{"functionCall":{"name":"a","willContinue":true}}"#),
        n => part(&format!(
            r#"{{"functionCall":{{"partialArgs":[{{"jsonPath":"$.a[{}].b","stringValue":"c","willContinue":true}}],"willContinue":true}}}}"#,
            n - 1
        )),
    },
    |n| match n {
        0 => part(r#"{"functionCall":{"name":"a","willContinue":true}}"#),
        _ => part(
            r#"{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"b","willContinue":true}],"willContinue":true}}"#,
        ),
    },
    |n| part(&format!(r#"{{"new{n}":{{"a":[{n}]}}}}"#)),
    |n| {
        data(&format!(
            r#"{{"usageMetadata":{{"promptTokenCount":1,"a{n}":1}},"b{n}":1,"c":[{n}],"promptFeedback":{{"blockReason":"A"}}}}"#
        ))
    },
];

const OLLAMA: &[Numbered] = &[
    |_| "{\"message\":{\"content\":\"a\",\"thinking\":\"b\"}}\n".to_owned(),
    |n| {
        format!(
            "{{\"message\":{{\"tool_calls\":[{{\"function\":{{\"name\":\"get_weather\",\"arguments\":{{\"a\":{n}}}}},\"x\":{n}}}]}}}}\n"
        )
    },
    |n| format!("{{\"eval_count\":{n},\"a{n}\":1,\"b\":[{n}],\"error\":\"{n}\"}}\n"),
];
