use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolwright::{ErrorCategory, testing};
use toolwright_mcp::{Client, Refused};

use super::called;
use crate::scripted::{self, Line, text, tool};

const SHORT: Duration = Duration::from_millis(400);

/// A server with the tool `go`, whose first call on a connection is a script's.
async fn with<F>(first: impl Fn(Line, Value) -> F + Send + Sync + 'static) -> Client
where
    F: Future<Output = Line> + Send + 'static,
{
    let first = Arc::new(first);
    let client = scripted::client(move |mut line, number| {
        let first = Arc::clone(&first);
        async move {
            line.begin().await;
            let mut is_first = number == 0;
            while let Some(call) = line.call(&[tool("go")]).await {
                if std::mem::take(&mut is_first) {
                    line = first(line, call).await;
                } else {
                    line.answer(&call, text("went")).await;
                }
            }
        }
    });
    client.await.unwrap()
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
async fn a_malformed_stream_ends_no_run() {
    const LINES: [&str; 6] = [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"a":[1,2,"\u00e9"]}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"what"}}"#,
        r#"{"jsonrpc":"2.0","id":"r","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"y","result":{"content":[{"type":"text","text":"no"}]}}"#,
    ];
    for seed in 1..=20_u64 {
        let client = with(move |mut line, call| async move {
            let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
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
            line.answer(&call, text("went")).await;
            line
        })
        .await;
        let tools = client
            .timeout(Duration::from_secs(5))
            .toolset()
            .await
            .unwrap();
        let first = called(&tools, "go").await;
        assert!(
            matches!(first, Ok(_) | Err(ErrorCategory::NetworkError)),
            "{first:?}"
        );
        assert_eq!(
            called(&tools, "go").await,
            Ok("went".to_owned()),
            "seed {seed}"
        );
    }
}

#[tokio::test]
async fn long_lines_are_read_up_to_their_limit() {
    let client = with(|mut line, call| async move {
        line.answer(&call, text(&"a".repeat(10 << 20))).await;
        line
    });
    let tools = client.await.toolset().await.unwrap();
    let output = testing::call(&tools, "go", json!({})).await.unwrap();
    assert_eq!(output.to_text().len(), 10 << 20);

    let client = with(|mut line, call| async move {
        line.answer(&call, text(&"a".repeat(17 << 20))).await;
        line
    });
    let tools = client
        .await
        .timeout(Duration::from_secs(2))
        .toolset()
        .await
        .unwrap();
    assert_eq!(
        called(&tools, "go").await,
        Err(ErrorCategory::ExecutionTimeout)
    );
    assert_eq!(called(&tools, "go").await, Ok("went".to_owned()));
}

#[tokio::test]
async fn half_a_message_and_silence_is_late() {
    let client = with(|mut line, _| async move {
        line.raw(r#"{"jsonrpc": "2.0", "id": 3, "res"#).await;
        // The next call may come before the word that this one is cancelled.
        let next = line.call(&[]).await.unwrap();
        line.raw("\n").await;
        line.answer(&next, text("went")).await;
        line
    });
    let tools = client.await.timeout(SHORT).toolset().await.unwrap();
    assert_eq!(
        called(&tools, "go").await,
        Err(ErrorCategory::ExecutionTimeout)
    );
    assert_eq!(called(&tools, "go").await, Ok("went".to_owned()));
}

#[tokio::test]
async fn a_flood_of_notifications_loses_no_answer() {
    let client = with(|mut line, call| async move {
        let token = &call["params"]["_meta"]["progressToken"];
        for count in 0..20_000 {
            let params =
                json!({"progressToken": token, "progress": count, "message": "x".repeat(100)});
            line.send(
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}),
            )
            .await;
        }
        line.answer(&call, text("went")).await;
        line
    });
    let tools = client.await.toolset().await.unwrap();
    assert_eq!(called(&tools, "go").await, Ok("went".to_owned()));
}

#[tokio::test]
async fn requests_whose_answers_are_not_read_are_not_kept() {
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let client = with(move |mut line, _| {
        let counted = Arc::clone(&counted);
        async move {
            for id in 0..200_000 {
                line.send(json!({"jsonrpc": "2.0", "id": format!("p{id}"), "method": "ping"}))
                    .await;
                counted.fetch_add(1, Ordering::Relaxed);
            }
            line
        }
    });
    let tools = client.await.timeout(SHORT).toolset().await.unwrap();
    assert_eq!(
        called(&tools, "go").await,
        Err(ErrorCategory::ExecutionTimeout)
    );
    // What two pipes of 64 KiB hold, and no more.
    let sent = sent.load(Ordering::Relaxed);
    assert!((64..10_000).contains(&sent), "{sent}");
}

#[tokio::test]
async fn a_thousand_calls_at_once_get_their_answers() {
    let client = scripted::client(|mut line, _| async move {
        line.begin().await;
        let mut calls = Vec::new();
        while calls.len() < 1_000 {
            calls.push(line.call(&[tool("go")]).await.unwrap());
        }
        for call in calls.iter().rev() {
            let number = call["params"]["arguments"]["n"].to_string();
            line.answer(call, text(&number)).await;
        }
        line.next().await;
    });
    let tools = client.await.unwrap().toolset().await.unwrap();
    let calls = (0..1_000).map(|n| testing::call(&tools, "go", json!({"n": n})));
    for (n, output) in join_all(calls).await.into_iter().enumerate() {
        assert_eq!(output.unwrap().to_text(), n.to_string());
    }
}

/// A server whose list is that of a script, by the cursor.
async fn listing(page: impl Fn(&str) -> Value + Send + Sync + 'static) -> Client {
    let page = Arc::new(page);
    let client = scripted::client(move |mut line, _| {
        let page = Arc::clone(&page);
        async move {
            line.begin().await;
            while let Some(list) = line.wait("tools/list").await {
                let cursor = list["params"]["cursor"].as_str().unwrap_or_default();
                line.answer(&list, page(cursor)).await;
            }
        }
    });
    client.await.unwrap()
}

#[tokio::test]
async fn lists_without_end_are_cut() {
    let long = listing(|cursor| {
        let begin: usize = cursor.parse().unwrap_or_default();
        let tools: Vec<_> = (begin..begin + 1_000)
            .map(|n| tool(&format!("t{n}")))
            .collect();
        let mut page = json!({"tools": tools});
        if begin < 99_000 {
            page["nextCursor"] = (begin + 1_000).to_string().into();
        }
        page
    });
    let listed = long.await.list().await.unwrap();
    assert_eq!(listed.tools.len(), 10_000);
    assert!(
        matches!(listed.refused[..], [Refused::TooMany]),
        "{:?}",
        listed.refused
    );

    let empty = listing(|cursor| {
        let next = cursor.parse::<usize>().unwrap_or_default() + 1;
        json!({"tools": [], "nextCursor": next.to_string()})
    });
    let listed = empty.await.list().await.unwrap();
    assert!(
        matches!(listed.refused[..], [Refused::Endless]),
        "{:?}",
        listed.refused
    );

    let circle = listing(|cursor| match cursor {
        "" => json!({"tools": [tool("a")], "nextCursor": "1"}),
        _ => json!({"tools": [tool("b")], "nextCursor": "1"}),
    });
    let listed = circle.await.list().await.unwrap();
    assert_eq!(listed.tools.names().collect::<Vec<_>>(), ["a", "b"]);
    assert!(
        matches!(listed.refused[..], [Refused::Endless]),
        "{:?}",
        listed.refused
    );

    let heavy = listing(|cursor| {
        let number: usize = cursor.parse().unwrap_or_default();
        let mut tool = tool(&format!("t{number}"));
        tool["description"] = "a".repeat(15 << 20).into();
        json!({"tools": [tool], "nextCursor": (number + 1).to_string()})
    });
    let listed = heavy.await.list().await.unwrap();
    let refused: Vec<_> = listed.refused.iter().map(ToString::to_string).collect();
    assert!(listed.tools.is_empty() && refused.len() == 5, "{refused:?}");
    assert!(
        refused[0].starts_with("tool `t0`: its texts have 15728642 bytes"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn schema_bombs_are_refused_and_the_rest_works() {
    let deep = (0..80).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "array", "items": inner}),
    );
    let wide: serde_json::Map<_, _> = (0..60_000)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let doubling: serde_json::Map<_, _> = (0..40)
        .map(|n| {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            (
                format!("d{n}"),
                json!({"type": "object", "properties": {"a": next, "b": next}}),
            )
        })
        .chain([("d40".to_owned(), json!({"type": "string"}))])
        .collect();
    let of = |properties: Value| json!({"type": "object", "properties": properties});
    let mut circle = of(json!({"x": {"$ref": "#"}}));
    circle["required"] = json!(["x"]);
    let mut doubled = of(json!({"x": {"$ref": "#/$defs/d0"}}));
    doubled["$defs"] = doubling.into();
    let bombs = [
        of(json!({"x": deep})),
        of(wide.into()),
        circle,
        doubled,
        of(json!({"x": {"$ref": "https://example.com/schema"}})),
    ];
    let tools: Vec<_> = bombs
        .iter()
        .enumerate()
        .map(|(n, schema)| json!({"name": format!("bomb{n}"), "inputSchema": schema}))
        .chain([tool("go")])
        .collect();
    let client = scripted::client(move |mut line, _| {
        let tools = tools.clone();
        async move {
            line.begin().await;
            while let Some(call) = line.call(&tools).await {
                line.answer(&call, text("went")).await;
            }
        }
    });
    let listed = client.await.unwrap().list().await.unwrap();
    assert_eq!(listed.refused.len(), 5, "{:?}", listed.refused);
    assert_eq!(called(&listed.tools, "go").await, Ok("went".to_owned()));
}
