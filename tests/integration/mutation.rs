//! Bodies with random damage: nothing panics, and what is decoded can be encoded again.

use toolwright::{
    Message, ModelRequest, ModelResponse, ToolResult, ToolRound,
    message::AssistantMessage,
    provider::openai_chat::{self, StreamDecoder},
};

const BODIES: &[&str] = &[
    r#"{"id":"r","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":
        {"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":
        [{"type":"text","text":"b"}]}],"refusal":null,"reasoning_details":[{"type":
        "reasoning.text","text":"c","signature":"d","index":0}],"extra_content":{"e":1},
        "tool_calls":[{"id":"f","index":0,"type":"function","extra_content":{"g":[2]},
        "function":{"name":"h","arguments":"{\"i\":3}"}}]}}],"usage":{"prompt_tokens":4,
        "completion_tokens":5,"prompt_tokens_details":{"cached_tokens":6}}}"#,
    r#"{"error":{"message":"a. Please try again in 1m2.5s.","type":"b","code":429,
        "details":[{"retryDelay":"3s"}],"metadata":{"raw":"c"}}}"#,
    "\u{feff}: a\r\nevent: b\r\nid: 1\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"c\\u00e9\"}}]}\r\n\r\n\
     data: {\"choices\":[{\"delta\":{\"reasoning\":\"d\",\"tool_calls\":[{\"index\":0,\"id\":\"e\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n\
     data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"\",\"function\":{\"arguments\":\"}\"}}]},\n\
     data: \"finish_reason\":\"tool_calls\"}],\"x_groq\":{\"usage\":{\"prompt_tokens\":1}}}\n\n\
     event: error\ndata: {\"error\":{\"message\":\"g\",\"status_code\":400}}\n\ndata: [DONE]\n\n",
];

/// How often each body is damaged.
const ROUNDS: u32 = 4000;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).expect("is less than a length")
    }
}

fn damage(body: &mut Vec<u8>, random: &mut Random) {
    const PIECES: &[&[u8]] = &[
        b"null",
        b"[]",
        b"{}",
        b"\"\"",
        b"-1",
        b"1e999",
        b"[[[[",
        b"\n\n",
        b"\r",
        b"\xFF",
        b"data:",
        b"99999999999999999999",
        b"\\ud800",
        b"true",
        b":",
    ];
    for _ in 0..=random.below(3) {
        let at = random.below(body.len() + 1);
        let end = (at + random.below(12)).min(body.len());
        match random.below(5) {
            0 => body.truncate(at),
            1 => drop(body.drain(at..end)),
            2 if at < body.len() => body[at] ^= 1 << random.below(8),
            3 => {
                let again = body[at..end].to_vec();
                body.splice(at..at, again);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                body.splice(at..end, piece.iter().copied());
            }
        }
    }
}

/// Decodes the bytes in every way there is.
fn decode(body: &[u8], random: &mut Random) -> Vec<ModelResponse> {
    let _ = openai_chat::decode_error(500, None, body);
    let whole = match openai_chat::decode(body) {
        Ok(reply) => Some(reply),
        Err(error) => error.partial.map(|reply| *reply),
    };
    let mut events = Vec::new();
    let mut decoder = StreamDecoder::new();
    let (first, second) = body.split_at(random.below(body.len()));
    let fed = decoder
        .feed(first, &mut events)
        .and_then(|()| decoder.feed(second, &mut events));
    if fed.is_ok() {
        let _ = decoder.finish(&mut events);
    }
    whole
        .into_iter()
        .chain([events.into_iter().collect()])
        .collect()
}

#[test]
fn damaged_bodies_never_panic() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut replies = 0;
    for body in BODIES {
        for _ in 0..ROUNDS {
            let mut body = body.as_bytes().to_vec();
            damage(&mut body, &mut random);
            for reply in decode(&body, &mut random) {
                replies += usize::from(!reply.parts.is_empty());
                check_goes_back(reply);
            }
        }
    }
    assert!(
        replies > 1000,
        "most of the damage leaves something: {replies}"
    );
}

/// A reply that was decoded goes back as valid JSON, each of its calls answered once.
fn check_goes_back(reply: ModelResponse) {
    let calls = reply.tool_calls.len();
    let results = reply.tool_calls.iter();
    let round = ToolRound {
        results: results
            .map(|call| ToolResult::success(&call.id, ()))
            .collect(),
        reply: reply.parts,
    };
    let request = ModelRequest::new([Message::Assistant(AssistantMessage {
        tool_rounds: vec![round],
        parts: Vec::new(),
    })]);
    let body: serde_json::Value =
        serde_json::from_slice(&openai_chat::encode("m", &request)).expect("is JSON");
    let messages = body["messages"].as_array().expect("is a list");
    let answers = messages.iter().filter(|message| message["role"] == "tool");
    assert_eq!(answers.count(), calls);
}
