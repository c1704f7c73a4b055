//! Hooks that sign requests, look at them, and refuse them.

use std::sync::{Arc, Mutex};

use toolwright::{
    ChatModel, ModelError,
    model::{ModelErrorKind, collect},
    provider::{HttpOptions, OutgoingRequest},
};

use super::{END, PIECE, REPLY, check_error};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{model, request},
};

#[tokio::test]
async fn a_hook_is_handed_what_is_sent() {
    let server = Server::start(vec![
        Answer::json(REPLY),
        Answer::events(&format!("{PIECE}{END}")),
    ])
    .await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let model = model(&server).with_http(
        HttpOptions::new()
            .with_header("x-team", "team-secret")
            .with_request_hook(move |request: OutgoingRequest| {
                assert_eq!(request.method(), "POST");
                assert_eq!(request.header("Authorization"), Some("Bearer sk-secret"));
                assert_eq!(request.header("x-team"), Some("team-secret"));
                let names: Vec<_> = request.headers().map(|(name, _)| name).collect();
                assert!(names.contains(&"content-type"), "{names:?}");
                assert!(!format!("{request:?}").contains("secret"), "{request:?}");
                let sent = (request.url().to_owned(), request.body().to_vec());
                keep.lock()
                    .expect("nothing panics while it is held")
                    .push(sent);
                async { Ok(request) }
            }),
    );
    model.complete(&request()).await.expect("answers");
    collect(model.stream(&request())).await.expect("answers");
    let seen = seen.lock().expect("nothing panics while it is held");
    let came = server.requests();
    assert_eq!(seen.len(), 2);
    for ((url, body), came) in seen.iter().zip(&came) {
        assert_eq!(*url, format!("{}/chat/completions", server.base_url()));
        assert_eq!(*body, came.body);
    }
}

#[tokio::test]
async fn hooks_set_headers_one_after_the_other() {
    let server = Server::start(vec![Answer::json(REPLY)]).await;
    let model = model(&server).with_http(
        HttpOptions::new()
            .with_request_hook(async |mut request| {
                let length = request.body().len();
                request.set_header("X-Signature", &format!("signed-{length}"))?;
                // In the place of the key.
                request.set_header("authorization", "AWS4 signature")?;
                Ok(request)
            })
            .with_request_hook(async |mut request| {
                tokio::task::yield_now().await;
                let first = request.header("x-signature").unwrap_or_default().to_owned();
                request.set_header("x-signature", &format!("{first}, twice"))?;
                Ok(request)
            }),
    );
    model.complete(&request()).await.expect("answers");
    let sent = server.requests().pop().expect("came");
    let signed = format!("signed-{}, twice", sent.body.len());
    assert_eq!(sent.header("x-signature"), Some(signed));
    assert_eq!(
        sent.header("authorization").as_deref(),
        Some("aws4 signature")
    );
}

#[tokio::test]
async fn what_a_hook_refuses_is_not_sent() {
    let server = Server::start(vec![Answer::json(REPLY)]).await;
    let refusing = model(&server).with_http(
        HttpOptions::new().with_request_hook(async |_| Err("not with sk-secret after six".into())),
    );
    let error = refusing.complete(&request()).await.expect_err("is refused");
    check_error(
        &error,
        ModelErrorKind::InvalidRequest,
        "not with [hidden] after six",
    );
    assert!(!error.retryable);

    let limited = model(&server).with_http(HttpOptions::new().with_request_hook(async |_| {
        Err(ModelError::new(ModelErrorKind::RateLimit, "too many today").into())
    }));
    let error = collect(limited.stream(&request()))
        .await
        .expect_err("is refused");
    check_error(&error, ModelErrorKind::RateLimit, "too many today");

    for (name, value) in [("no name", "x"), ("x-key", "sk-secret\r\nx-other: y")] {
        let wrong = model(&server).with_http(HttpOptions::new().with_request_hook(
            move |mut request: OutgoingRequest| async move {
                request.set_header(name, value)?;
                Ok(request)
            },
        ));
        let error = wrong.complete(&request()).await.expect_err("is no header");
        check_error(&error, ModelErrorKind::InvalidRequest, name);
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn what_a_hook_sets_is_hidden() {
    let body = r#"{"error":{"message":"the signature sig-secret is wrong"}}"#;
    let server = Server::start(vec![Answer::http("403 No", "application/json", body)]).await;
    let model =
        model(&server).with_http(HttpOptions::new().with_request_hook(async |mut request| {
            request.set_header("x-signature", "v1 sig-secret")?;
            Ok(request)
        }));
    let error = model.complete(&request()).await.expect_err("is refused");
    check_error(
        &error,
        ModelErrorKind::Authentication,
        "the signature [hidden] is wrong",
    );
}
