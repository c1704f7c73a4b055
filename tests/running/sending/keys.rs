//! Where keys come from, and where they are not seen.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use toolwright::{
    Anthropic, ChatModel, Gemini, ModelError, Ollama, OpenAiChat, OpenAiResponses,
    model::{ModelErrorKind, collect},
    provider::{ApiKey, HttpOptions},
};

use super::{END, PIECE, REPLY, check_error};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{model, request},
};

#[tokio::test]
async fn a_source_is_asked_at_each_request() {
    let server = Server::start(vec![
        Answer::json(REPLY),
        Answer::events(&format!("{PIECE}{END}")),
    ])
    .await;
    let asked = Arc::new(AtomicUsize::new(1));
    let model = model(&server).with_key_source(move || {
        let asked = Arc::clone(&asked);
        async move {
            // As a token does that has to be fetched.
            tokio::task::yield_now().await;
            Ok(format!("key-{}", asked.fetch_add(1, Ordering::Relaxed)))
        }
    });
    model.complete(&request()).await.expect("answers");
    collect(model.stream(&request())).await.expect("answers");
    let keys: Vec<_> = server
        .requests()
        .iter()
        .map(|request| request.header("authorization"))
        .collect();
    assert_eq!(
        keys,
        ["bearer key-1", "bearer key-2"].map(|key| Some(key.to_owned()))
    );
}

#[tokio::test]
async fn what_a_source_fails_with_is_told() {
    let server = Server::start(vec![Answer::json(REPLY)]).await;
    let failing = model(&server)
        .with_key_source(async || Err::<String, _>(io::Error::other("the vault is sealed").into()));
    let error = failing.complete(&request()).await.expect_err("has no key");
    check_error(
        &error,
        ModelErrorKind::Authentication,
        "the vault is sealed",
    );
    assert!(!error.retryable);
    let error = collect(failing.stream(&request()))
        .await
        .expect_err("has no key");
    check_error(
        &error,
        ModelErrorKind::Authentication,
        "the vault is sealed",
    );

    // What knows better keeps its say.
    let busy = model(&server).with_key_source(async || {
        let error = ModelError::new(ModelErrorKind::Overloaded, "the vault is busy");
        Err::<ApiKey, _>(error.into())
    });
    let error = busy.complete(&request()).await.expect_err("has no key");
    check_error(&error, ModelErrorKind::Overloaded, "the vault is busy");
    assert!(error.retryable);
    assert!(server.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_source_that_hangs_is_in_the_total() {
    let limit = Duration::from_secs(7);
    let model = OpenAiChat::new("m", "")
        .with_http(HttpOptions::new().with_total_timeout(limit))
        .with_key_source(async || -> Result<String, _> { std::future::pending().await });
    let error = model.complete(&request()).await.expect_err("has no key");
    check_error(&error, ModelErrorKind::Transport, "after 7s");
}

#[tokio::test]
async fn a_key_of_a_source_is_hidden() {
    let body = r#"{"error":{"message":"wrong key: rotated-secret, as in Bearer rotated-secret"}}"#;
    let answer = || Answer::http("401 Unauthorized", "application/json", body);
    let event = "data: {\"error\":{\"message\":\"no more of rotated-secret\"}}\n\n";
    let server = Server::start(vec![
        answer(),
        answer(),
        Answer::events(&format!("{PIECE}{event}")),
    ])
    .await;
    let model = model(&server).with_key_source(async || Ok("rotated-secret"));
    let error = model.complete(&request()).await.expect_err("is refused");
    check_error(
        &error,
        ModelErrorKind::Authentication,
        "wrong key: [hidden]",
    );
    let error = collect(model.stream(&request()))
        .await
        .expect_err("is refused");
    check_error(
        &error,
        ModelErrorKind::Authentication,
        "wrong key: [hidden]",
    );
    let error = collect(model.stream(&request()))
        .await
        .expect_err("breaks off");
    assert!(error.message.contains("no more of [hidden]"), "{error}");
    assert!(
        !format!("{error:?}{model:?}").contains("secret"),
        "{error:?}"
    );
}

#[tokio::test]
async fn each_model_sends_the_key_that_was_set_last() {
    async fn check(server: &Server, model: impl ChatModel, header: &str, value: &str) {
        // What it is answered is nothing to any of them.
        let _ = model.complete(&request()).await;
        let sent = server.requests().pop().expect("came");
        assert_eq!(sent.header(header).as_deref(), Some(value));
    }
    let server = Server::start(vec![Answer::json("{}"); 5]).await;
    let (server, url) = (&server, server.base_url());
    let chat = OpenAiChat::new("m", "old").with_base_url(&url);
    check(
        server,
        chat.with_api_key("new"),
        "authorization",
        "bearer new",
    )
    .await;
    let responses = OpenAiResponses::new("m", "old").with_base_url(&url);
    let new = String::from("new");
    check(
        server,
        responses.with_api_key(&new),
        "authorization",
        "bearer new",
    )
    .await;
    let anthropic = Anthropic::new("m", "old").with_base_url(&url);
    check(server, anthropic.with_api_key(new), "x-api-key", "new").await;
    let gemini = Gemini::new("m", "old").with_base_url(&url);
    let source = async || Ok(ApiKey::from("new"));
    check(
        server,
        gemini.with_key_source(source),
        "x-goog-api-key",
        "new",
    )
    .await;
    let ollama = Ollama::new("m")
        .with_base_url(&url)
        .with_key_source(async || Ok("old"));
    check(
        server,
        ollama.with_api_key("new"),
        "authorization",
        "bearer new",
    )
    .await;
}

#[tokio::test]
async fn user_and_password_of_the_address_are_hidden_as_they_are_sent() {
    // `me:pw-secret` in base64, as the header carries it.
    let body = r#"{"error":{"message":"Basic bWU6cHctc2VjcmV0 and pw-secret"}}"#;
    let server = Server::start(vec![Answer::http("401 No", "application/json", body)]).await;
    let base_url = server.base_url().replace("http://", "http://me:pw-secret@");
    let model = OpenAiChat::new("m", "").with_base_url(base_url);
    let error = model.complete(&request()).await.expect_err("is refused");
    assert_eq!(error.message, "[hidden] and [hidden]");
    let sent = server.requests().pop().expect("came");
    assert_eq!(
        sent.header("authorization").as_deref(),
        Some("basic bwu6chctc2vjcmv0")
    );
}
