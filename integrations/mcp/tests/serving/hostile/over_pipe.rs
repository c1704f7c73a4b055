use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    task::JoinHandle,
    time::timeout,
};
use toolwright::{ToolError, ToolInput, tool, toolset};
use toolwright_mcp::{Elicit, Elicited, Service, ServiceError};

use super::{call, deep, initialize, request, service, text};

/// The end of a client.
struct Line {
    reader: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    served: JoinHandle<Result<(), ServiceError>>,
}

/// The longest time of an answer.
const TIME: Duration = Duration::from_secs(60);

impl Line {
    async fn begin(service: Service) -> Self {
        Self::begin_as(service, json!({})).await
    }

    async fn begin_as(service: Service, capabilities: Value) -> Self {
        let (here, there) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(here);
        let serving = async move { service.serve(tokio::io::split(there)).await };
        let mut line = Self {
            reader: BufReader::new(reader).lines(),
            writer,
            served: tokio::spawn(serving),
        };
        let mut initialize = initialize();
        initialize["params"]["capabilities"] = capabilities;
        line.send(initialize).await;
        line.answer("begin").await;
        line.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        line
    }

    async fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        self.writer.write_all(bytes.as_ref()).await.unwrap();
    }

    async fn send(&mut self, message: Value) {
        self.raw(format!("{message}\n")).await;
    }

    async fn next(&mut self) -> Value {
        let line = timeout(TIME, self.reader.next_line()).await.unwrap();
        serde_json::from_str(&line.unwrap().unwrap()).unwrap()
    }

    /// The answer to a request. Others are left out.
    async fn answer(&mut self, id: &str) -> Value {
        loop {
            let answer = self.next().await;
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Checks that the connection works.
    async fn works(&mut self) {
        self.send(call("good", "measure", json!({"text": "four"})))
            .await;
        assert_eq!(text(&self.answer("good").await), "4");
    }

    /// The client goes, and the service ends.
    async fn leave(self) -> Result<(), ServiceError> {
        drop((self.reader, self.writer));
        timeout(TIME, self.served).await.unwrap().unwrap()
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct Size {
    /// The size.
    size: u8,
}

/// Ask a person for the size.
#[tool]
async fn ask_size(#[context] ask: Elicit<Size>) -> Result<String, ToolError> {
    Ok(match ask.form("Which size?").await? {
        Elicited::Accepted(Size { size }) => size.to_string(),
        _ => "no size".to_owned(),
    })
}

/// A person would fill in a form that nobody reads, and `rmcp` keeps a place for the answer.
#[tokio::test]
async fn a_call_that_ends_takes_its_question_back() {
    let service = Service::new(toolset![ask_size]);
    let mut line = Line::begin_as(service, json!({"elicitation": {}})).await;
    line.send(call("c", "ask_size", json!({}))).await;
    let asked = line.next().await;
    assert_eq!(asked["method"], "elicitation/create");
    line.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "c"}}))
        .await;
    let taken_back = line.next().await;
    assert_eq!(
        taken_back["method"], "notifications/cancelled",
        "{taken_back}"
    );
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    line.leave().await.unwrap();
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }
}

#[tokio::test]
async fn a_malformed_stream_ends_no_connection() {
    const LINES: [&str; 6] = [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"measure","arguments":{"text":"a\u00e9"}}}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"cursor":"measure"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"why"}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"what"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"y","result":{"action":"accept","content":{"a":1}}}"#,
    ];
    for seed in 1..=20_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut line = Line::begin(service().0).await;
        for _ in 0..200 {
            let mut bytes = LINES[dice.below(LINES.len())].as_bytes().to_vec();
            for _ in 0..=dice.below(4) {
                let at = dice.below(bytes.len());
                match dice.below(3) {
                    0 => bytes[at] = u8::try_from(dice.below(256)).unwrap(),
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.extend_from_within(at..),
                }
            }
            bytes.push(b'\n');
            line.raw(bytes).await;
        }
        line.works().await;
    }
}

#[tokio::test]
async fn long_lines_are_read_up_to_their_limit() {
    let mut line = Line::begin(service().0).await;
    for (size, is_read) in [(10 << 20, true), (17 << 20, false)] {
        let arguments = json!({"text": "a".repeat(size)});
        line.send(call("long", "measure", arguments)).await;
        if is_read {
            assert_eq!(text(&line.answer("long").await), size.to_string());
        }
        line.works().await;
    }
}

#[tokio::test]
async fn deep_and_wide_arguments_are_refused_and_the_next_call_works() {
    let mut line = Line::begin(service().0).await;
    line.raw(deep() + "\n").await;
    line.works().await;
    let wide: serde_json::Map<_, _> = (0..100_000)
        .map(|number| (format!("p{number}"), json!(number)))
        .collect();
    line.send(call("wide", "measure", wide)).await;
    let answer = line.answer("wide").await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    line.works().await;
    line.send(request(
        "list",
        "tools/list",
        json!({"cursor": "no such page"}),
    ))
    .await;
    assert_eq!(line.answer("list").await["error"]["code"], -32602);
}

#[tokio::test]
async fn half_a_message_and_silence_holds_nobody_up() {
    let (service, _) = service();
    let mut half = Line::begin(service.clone()).await;
    half.raw(r#"{"jsonrpc": "2.0", "id": 3, "met"#).await;
    Line::begin(service).await.works().await;
    half.leave().await.unwrap();
}

#[tokio::test]
async fn a_client_that_goes_within_a_call_cancels_it() {
    let (service, gate) = service();
    let mut line = Line::begin(service).await;
    line.send(call("gone", "wait_at_gate", json!({"number": 1})))
        .await;
    gate.inside.acquire().await.unwrap().forget();
    let left = line.leave();
    let cancelled = timeout(TIME, gate.cancelled.notified());
    let (left, cancelled) = tokio::join!(left, cancelled);
    left.unwrap();
    cancelled.unwrap();
}

#[tokio::test]
async fn a_flood_of_notifications_loses_no_answer() {
    let mut line = Line::begin(service().0).await;
    for number in 0..20_000 {
        let params = json!({"progressToken": number, "progress": 1, "message": "x".repeat(100)});
        line.send(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
            .await;
        let params = json!({"requestId": number});
        line.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
            .await;
    }
    line.works().await;
}

#[tokio::test(start_paused = true)]
async fn requests_whose_answers_are_not_read_are_not_kept() {
    let mut line = Line::begin(service().0).await;
    let mut sent = 0;
    let flood = async {
        for number in 0..200_000 {
            line.send(request(number, "ping", json!({}))).await;
            sent += 1;
        }
    };
    // The time passes when nobody can go on.
    timeout(TIME, flood).await.unwrap_err();
    // What is open, and what two pipes of 64 KiB hold.
    assert!((1_024..10_000).contains(&sent), "{sent}");
}

#[tokio::test(start_paused = true)]
async fn a_cancel_frees_no_place_of_an_answer_that_is_not_read() {
    let mut line = Line::begin(service().0).await;
    let mut sent = 0;
    let flood = async {
        for number in 0..200_000 {
            line.send(request(number, "ping", json!({}))).await;
            // The answer to this one waits for its reader already.
            let params = json!({"requestId": number - 900});
            line.send(
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}),
            )
            .await;
            sent += 1;
        }
    };
    timeout(TIME, flood).await.unwrap_err();
    assert!((1_024..10_000).contains(&sent), "{sent}");
}

/// The answers of so many calls that wait at the gate, by their numbers.
async fn waiting(count: u32) -> Vec<Value> {
    let (service, gate) = service();
    let mut line = Line::begin(service).await;
    for number in 0..count {
        line.send(call(number, "wait_at_gate", json!({"number": number})))
            .await;
    }
    let open = count.min(1_024);
    let mut answers = vec![Value::Null; count as usize];
    let mut keep = |answer: Value| {
        let number = usize::try_from(answer["id"].as_u64().unwrap()).unwrap();
        answers[number] = answer;
    };
    for _ in open..count {
        keep(line.next().await);
    }
    gate.inside.acquire_many(open).await.unwrap().forget();
    gate.permits.add_permits(open as usize);
    for _ in 0..open {
        keep(line.next().await);
    }
    line.works().await;
    answers
}

#[tokio::test]
async fn a_thousand_calls_at_once_get_their_answers() {
    for (number, answer) in waiting(1_000).await.iter().enumerate() {
        assert_eq!(text(answer), number.to_string());
    }
}

#[tokio::test]
async fn calls_beyond_the_limit_are_refused_and_the_others_go_on() {
    for (number, answer) in waiting(1_100).await.iter().enumerate() {
        if number < 1_024 {
            assert_eq!(text(answer), number.to_string());
        } else {
            assert_eq!(answer["error"]["code"], -32600, "{answer}");
        }
    }
}

#[tokio::test]
async fn an_id_that_is_open_is_not_called_twice() {
    let (service, gate) = service();
    let mut line = Line::begin(service).await;
    for _ in 0..2 {
        line.send(call("same", "wait_at_gate", json!({"number": 7})))
            .await;
    }
    let refused = line.answer("same").await;
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    gate.inside.acquire().await.unwrap().forget();
    gate.permits.add_permits(2);
    assert_eq!(text(&line.answer("same").await), "7");
    assert_eq!(gate.inside.available_permits(), 0);
    line.works().await;
}
