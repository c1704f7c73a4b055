//! Calls of a server that does not do as it should, or asks.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{sync::Notify, time::Instant};
use toolwright::{
    Dispatch as _, ErrorCategory, ToolCall, Toolset,
    approval::Decision,
    dispatch::{DispatchEvent, DispatchOptions},
    testing, tool,
    tool::{CallUpdate, QuestionWay},
    toolset,
};
use toolwright_mcp::{Client, ClientError, Service};

use super::scripted::{self, Line, text, tool};

/// A server that answers the handshake and each call as the script does.
async fn calling<F>(
    tools: Vec<Value>,
    call: impl Fn(Line, Value) -> F + Send + Sync + 'static,
) -> Client
where
    F: Future<Output = Line> + Send + 'static,
{
    let call = Arc::new(call);
    let client = scripted::client(move |mut line, _| {
        let (call, tools) = (Arc::clone(&call), tools.clone());
        async move {
            line.begin().await;
            while let Some(called) = line.call(&tools).await {
                line = call(line, called).await;
            }
        }
    });
    client.await.unwrap()
}

async fn called(tools: &Toolset, name: &str) -> Result<String, (ErrorCategory, String)> {
    let output = testing::call(tools, name, json!({})).await;
    output
        .map(|it| it.to_text().to_string())
        .map_err(|error| (error.category, error.message))
}

#[tokio::test]
async fn structured_results_have_the_declared_form() {
    let mut declared = tool("count");
    declared["outputSchema"] =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let turn = AtomicU64::new(0);
    let client = calling(vec![declared], move |mut line, call| {
        let turn = turn.fetch_add(1, Ordering::Relaxed);
        async move {
            let mut result = text("three");
            match turn {
                0 => result["structuredContent"] = json!({"n": 3}),
                1 => result["structuredContent"] = json!({"n": "3"}),
                _ => {}
            }
            line.answer(&call, result).await;
            line
        }
    })
    .await;
    let tools = client.toolset().await.unwrap();
    assert_eq!(called(&tools, "count").await, Ok("three".to_owned()));
    for _ in 0..2 {
        let (_, error) = called(&tools, "count").await.unwrap_err();
        assert!(error.contains("does not have the form"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_dies_within_a_call_is_started_again_by_the_next() {
    let client = scripted::client(|mut line, number| async move {
        line.begin().await;
        while let Some(call) = line.call(&[tool("go")]).await {
            if number == 0 {
                // Half an answer, and the end.
                line.raw(r#"{"jsonrpc": "2.0", "id": "#).await;
                return;
            }
            line.answer(&call, text("went")).await;
        }
    });
    let tools = client.await.unwrap().toolset().await.unwrap();
    let (category, error) = called(&tools, "go").await.unwrap_err();
    assert_eq!(category, ErrorCategory::NetworkError);
    assert!(error.contains("may have had its effect"), "{error}");
    assert_eq!(called(&tools, "go").await, Ok("went".to_owned()));
}

/// A server whose list changes with the first call. The connections that `ends` names end with the next list.
async fn leaving(ends: fn(u64) -> bool) -> Toolset {
    let client = scripted::client(move |mut line, number| async move {
        line.begin().await;
        if number == 0 {
            let call = line.call(&[tool("go")]).await.unwrap();
            line.notify("notifications/tools/list_changed").await;
            line.answer(&call, text("once")).await;
        }
        if ends(number) {
            line.wait("tools/list").await;
            return;
        }
        while let Some(call) = line.call(&[tool("go")]).await {
            line.answer(&call, text("again")).await;
        }
    });
    let tools = client.await.unwrap().toolset().await.unwrap();
    // The notification has come once this answer has.
    assert_eq!(called(&tools, "go").await, Ok("once".to_owned()));
    tools
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_ends_before_a_call_is_made_is_opened_again() {
    let tools = leaving(|number| number == 0).await;
    assert_eq!(called(&tools, "go").await, Ok("again".to_owned()));
    let tools = leaving(|_| true).await;
    let (category, why) = called(&tools, "go").await.unwrap_err();
    assert_eq!(category, ErrorCategory::NetworkError);
    assert!(why.contains("the call was not made"), "{why}");
}

#[tokio::test]
async fn an_answer_with_another_id_is_none() {
    let client = calling(vec![tool("go")], |mut line, call| async move {
        for id in [json!(4_000_000), json!("x"), json!(null)] {
            line.send(json!({"jsonrpc": "2.0", "id": id, "result": text("wrong")}))
                .await;
        }
        let next = line.wait("notifications/cancelled").await.unwrap();
        assert_eq!(next["params"]["requestId"], call["id"]);
        line
    })
    .await;
    let client = client.timeout(Duration::from_millis(200));
    let tools = client.toolset().await.unwrap();
    let (category, error) = called(&tools, "go").await.unwrap_err();
    assert_eq!(category, ErrorCategory::ExecutionTimeout, "{error}");
}

/// A question of the older protocol within a call, whose answer is the result.
async fn asks(method: &'static str, params: Value) -> Client {
    calling(vec![tool("ask")], move |mut line, call| {
        let params = params.clone();
        async move {
            line.send(json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": params}))
                .await;
            while let Some(answer) = line.next().await {
                if answer["id"] == "q" {
                    let said = answer.get("result").unwrap_or(&answer["error"]);
                    line.answer(&call, text(&said.to_string())).await;
                    break;
                }
            }
            line
        }
    })
    .await
}

fn form() -> Value {
    let schema =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"mode": "form", "message": "Who are you?", "requestedSchema": schema})
}

#[tokio::test]
async fn a_person_answers_questions_of_a_server() {
    let address = json!({"mode": "url", "message": "Pay here.", "url": "https://pay.example/1", "elicitationId": "1"});
    let script =
        json!({"mode": "url", "message": "Pay.", "url": "javascript:pay()", "elicitationId": "2"});
    let filled = || Decision::approve_with(r#"{"name": "Ada"}"#);
    for (params, decision, expected) in [
        (
            form(),
            filled(),
            r#"{"action":"accept","content":{"name":"Ada"}}"#,
        ),
        (form(), Decision::deny("no"), r#"{"action":"decline"}"#),
        (
            form(),
            Decision::approve_with("[]"),
            r#"{"action":"decline"}"#,
        ),
        (address, Decision::Approve, r#"{"action":"accept"}"#),
        (script, Decision::Approve, r#"{"action":"decline"}"#),
    ] {
        let client = asks("elicitation/create", params).await;
        let client = client
            .timeout(Duration::from_millis(300))
            .asking(move |question, _| {
                let decision = decision.clone();
                async move {
                    assert!(["Who are you?", "Pay here."].contains(&&*question.message));
                    if let QuestionWay::Url(url) = &question.way {
                        assert_eq!(url, "https://pay.example/1");
                    }
                    decision
                }
            });
        let tools = client.toolset().await.unwrap();
        assert_eq!(called(&tools, "ask").await, Ok(expected.to_owned()));
    }
}

/// It cannot wait in a run: its request would stay open.
#[tokio::test]
async fn nobody_answers_a_question_of_the_older_protocol_in_a_run() {
    let client = asks("elicitation/create", form()).await.asking_in_runs();
    let tools = client.toolset().await.unwrap();
    let expected = r#"{"action":"cancel"}"#.to_owned();
    assert_eq!(called(&tools, "ask").await, Ok(expected));
}

#[tokio::test]
async fn the_time_of_a_person_is_none_of_the_call() {
    let client = asks("elicitation/create", form()).await;
    let limit = Duration::from_millis(200);
    let client = client.timeout(limit).asking(move |_, _| async move {
        tokio::time::sleep(limit * 3).await;
        Decision::deny("too late")
    });
    let tools = client.toolset().await.unwrap();
    assert_eq!(
        called(&tools, "ask").await,
        Ok(r#"{"action":"decline"}"#.to_owned())
    );
}

#[tokio::test]
async fn a_server_that_asks_all_the_time_is_late() {
    let limit = Duration::from_millis(300);
    let client = calling(vec![tool("ask")], move |mut line, _| async move {
        for question in 0.. {
            let asks = json!({"jsonrpc": "2.0", "id": question, "method": "elicitation/create", "params": form()});
            line.send(asks).await;
            tokio::select! {
                _ = line.wait("notifications/cancelled") => break,
                // Each pause is shorter than the limit.
                () = tokio::time::sleep(limit / 3) => {}
            }
        }
        line
    })
    .await;
    let client = client
        .timeout(limit)
        .asking(|_, _| async { Decision::deny("no") });
    let tools = client.toolset().await.unwrap();
    let (category, error) = called(&tools, "ask").await.unwrap_err();
    assert_eq!(category, ErrorCategory::ExecutionTimeout, "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_person_may_take_longer_than_a_call() {
    let client = asks("elicitation/create", form()).await;
    let client = client.asking(|_, _| async {
        tokio::time::sleep(Duration::from_secs(50 * 60)).await;
        Decision::approve_with(r#"{"name": "Ada"}"#)
    });
    let tools = client.toolset().await.unwrap();
    let calls = [ToolCall::new("1", "ask", "{}")];
    let results = tools.dispatch(&calls).await;
    let text = results[0].to_model_text();
    assert_eq!(text, r#"{"action":"accept","content":{"name":"Ada"}}"#);
}

#[tokio::test(start_paused = true)]
async fn questions_that_nobody_answers_hold_a_list_no_longer_than_an_hour() {
    const MINUTE: Duration = Duration::from_secs(60);
    let client = scripted::client(|mut line, _| async move {
        line.begin().await;
        line.wait("tools/list").await;
        for question in 0.. {
            let asks = json!({"jsonrpc": "2.0", "id": question, "method": "elicitation/create", "params": form()});
            line.send(asks).await;
            tokio::select! {
                _ = line.wait("notifications/cancelled") => break,
                // One is always open.
                () = tokio::time::sleep(30 * MINUTE) => {}
            }
        }
    });
    let client = client.await.unwrap();
    let client = client.asking(|_, _| std::future::pending::<Decision>());
    let began = Instant::now();
    let listed = tokio::time::timeout(600 * MINUTE, client.toolset()).await;
    assert!(matches!(listed, Ok(Err(ClientError::Late(MINUTE)))));
    assert_eq!(began.elapsed().as_secs() / 60, 61);
}

#[tokio::test]
async fn a_result_has_no_questions_without_end() {
    let client = calling(vec![tool("ask")], |mut line, call| async move {
        let asked = json!({"method": "elicitation/create", "params": form()});
        let asked: serde_json::Map<_, _> = (0..101)
            .map(|number| (number.to_string(), asked.clone()))
            .collect();
        let required = json!({"resultType": "input_required", "inputRequests": asked});
        line.answer(&call, required).await;
        line
    })
    .await;
    let asked = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&asked);
    let client = client.asking(move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { Decision::deny("no") }
    });
    let tools = client.toolset().await.unwrap();
    let (_, error) = called(&tools, "ask").await.unwrap_err();
    assert!(error.contains("more questions"), "{error}");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn what_nobody_answers_is_refused_with_a_reason() {
    let sampling = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], "maxTokens": 9});
    for (method, params, reason) in [
        ("elicitation/create", form(), "nobody can be asked here"),
        ("sampling/createMessage", sampling, "no server gets here"),
        ("roots/list", json!({}), "no server sees here"),
    ] {
        let tools = asks(method, params).await.toolset().await.unwrap();
        let said = called(&tools, "ask").await.unwrap();
        assert!(said.contains(reason), "{said}");
    }
}

/// Delete a file for good.
#[tool(approval)]
async fn delete_file() -> &'static str {
    "deleted"
}

#[tokio::test]
async fn a_result_that_requires_an_answer_is_asked_for_again() {
    let served = |ask: Option<Decision>| async move {
        let service = Service::new(toolset![delete_file]);
        let client = Client::pipe(move || {
            let (here, there) = tokio::io::duplex(1 << 16);
            let service = service.clone();
            tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
            Ok(tokio::io::split(here))
        });
        let mut client = client.await.unwrap();
        if let Some(decision) = ask {
            client = client.asking(move |question, context| {
                assert!(context.is_some() && question.message.contains("delete_file"));
                let decision = decision.clone();
                async move { decision }
            });
        }
        let tools = client.toolset().await.unwrap();
        called(&tools, "delete_file").await
    };
    assert_eq!(
        served(Some(Decision::Approve)).await,
        Ok("deleted".to_owned())
    );
    let (_, denied) = served(Some(Decision::deny("no"))).await.unwrap_err();
    assert!(denied.contains("declined"), "{denied}");
    let (_, nobody) = served(None).await.unwrap_err();
    assert!(nobody.contains("cannot ask a person"), "{nobody}");
}

/// Both connections give their first call the same token.
#[tokio::test]
async fn the_end_of_a_call_takes_no_progress_from_a_later_connection() {
    let (reached, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let tokens = Arc::new(Mutex::new(Vec::new()));
    let seen = (Arc::clone(&reached), Arc::clone(&go), Arc::clone(&tokens));
    let client = scripted::client(move |mut line, number| {
        let (reached, go, tokens) = seen.clone();
        async move {
            line.begin().await;
            let Some(call) = line.call(&[tool("work")]).await else {
                return;
            };
            let token = call["params"]["_meta"]["progressToken"].clone();
            tokens.lock().unwrap().push(token.clone());
            reached.notify_one();
            if number == 0 {
                return;
            }
            go.notified().await;
            let half = json!({"progressToken": token, "progress": 1, "message": "half of it"});
            let half =
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": half});
            line.send(half).await;
            line.answer(&call, text("done")).await;
            line.next().await;
        }
    });
    let client = client.await.unwrap();
    let tools = client.toolset().await.unwrap();
    let mut first = Box::pin(called(&tools, "work"));
    tokio::select! {
        biased;
        () = reached.notified() => {}
        ended = &mut first => panic!("{ended:?}"),
    }
    // It is not polled meanwhile, so that it does not hear that its connection is over.
    let tools = client.toolset().await.unwrap();
    let (calls, options) = ([ToolCall::new("a", "work", "{}")], DispatchOptions::new());
    let mut events = tools.dispatch_stream(&calls, &options);
    loop {
        tokio::select! {
            biased;
            () = reached.notified() => break,
            event = events.next() => assert!(event.is_some()),
        }
    }
    assert!(matches!(&tokens.lock().unwrap()[..], [one, other] if one == other));
    drop(first);
    go.notify_one();
    let mut heard = Vec::new();
    while let Some(event) = events.next().await {
        if let DispatchEvent::Update {
            update: CallUpdate::Progress(report),
            ..
        } = event
        {
            heard.push(report.message);
        }
    }
    assert_eq!(heard, ["half of it"]);
}
