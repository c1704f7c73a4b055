//! Servers that want the authorisation of a person.

mod client_credentials;
mod server;

use std::{
    collections::HashMap,
    fmt::{Debug, Write as _},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{future::join_all, poll};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use toolwright::{Dispatch as _, ErrorCategory, ToolCall, testing, tool::BoxFuture};
use toolwright_mcp::{
    Authorization, AuthorizationError, Client, ClientError, Servers, TokenStore, TokenStoreError,
    Tokens,
};
use tracing::{
    Dispatch, Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::DefaultGuard,
};

use server::{Server, open, sent_back};

/// Tokens as JSON, as a store of an application has them.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<HashMap<String, String>>>);

/// A store whose next saves wait or fail.
#[derive(Clone, Default)]
struct Troubled {
    kept: Kept,
    /// Told when a save waits, and what lets it go on.
    slow: Option<Arc<(Notify, Notify)>>,
    is_full: Arc<AtomicBool>,
}

impl TokenStore for Troubled {
    fn load<'a>(
        &'a self,
        server: &'a str,
    ) -> BoxFuture<'a, Result<Option<Tokens>, TokenStoreError>> {
        self.kept.load(server)
    }

    fn save<'a>(
        &'a self,
        server: &'a str,
        tokens: &'a Tokens,
    ) -> BoxFuture<'a, Result<(), TokenStoreError>> {
        Box::pin(async move {
            if let Some(slow) = &self.slow {
                slow.0.notify_one();
                slow.1.notified().await;
            }
            if self.is_full.load(Ordering::Relaxed) {
                return Err("the disk is full".into());
            }
            self.kept.save(server, tokens).await
        })
    }

    fn clear<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<(), TokenStoreError>> {
        self.kept.clear(server)
    }
}

impl TokenStore for Kept {
    fn load<'a>(
        &'a self,
        server: &'a str,
    ) -> BoxFuture<'a, Result<Option<Tokens>, TokenStoreError>> {
        Box::pin(async move {
            let kept = self.0.lock().unwrap().get(server).cloned();
            Ok(kept.map(|text| serde_json::from_str(&text)).transpose()?)
        })
    }

    fn save<'a>(
        &'a self,
        server: &'a str,
        tokens: &'a Tokens,
    ) -> BoxFuture<'a, Result<(), TokenStoreError>> {
        Box::pin(async move {
            let text = serde_json::to_string(tokens)?;
            self.0.lock().unwrap().insert(server.to_owned(), text);
            Ok(())
        })
    }

    fn clear<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<(), TokenStoreError>> {
        Box::pin(async move {
            self.0.lock().unwrap().remove(server);
            Ok(())
        })
    }
}

fn refused(error: ClientError) -> AuthorizationError {
    match error {
        ClientError::Unauthorized(refused) => refused,
        other => panic!("{other:?}"),
    }
}

async fn read(client: &Client) -> String {
    let tools = client.toolset().await.unwrap();
    let output = testing::call(&tools, "read_note", json!({})).await.unwrap();
    output.to_text().into_owned()
}

#[tokio::test]
async fn a_person_is_asked_once_and_then_never_while_tokens_are_kept() {
    let server = Server::start().await;
    let kept = Kept::default();
    let authorization = server.authorization().named("Notes").store(kept.clone());
    let client = Client::http_authorized(&authorization).await.unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| {
        let [consent] = &*state.consents else {
            panic!()
        };
        assert_eq!(consent["scope"], "notes:read");
        assert_eq!(consent["resource"], server.resource());
        let [registration] = &*state.registrations else {
            panic!()
        };
        assert_eq!(registration["client_name"], "Notes");
        assert_eq!(registration["application_type"], "native");
        assert_eq!(
            registration["redirect_uris"],
            json!([consent["redirect_uri"]])
        );
    });
    // A restart, of a program that could ask nobody.
    let restarted = Authorization::new(server.resource(), "https://notes.example.com/back");
    let client = Client::http_authorized(&restarted.store(kept))
        .await
        .unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| assert_eq!((state.consents.len(), state.grants.len()), (1, 1)));
}

#[tokio::test]
async fn calls_that_are_refused_at_once_ask_the_person_once() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.authorization())
        .await
        .unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| {
        state.tokens.clear();
        state.refresh_tokens.clear();
    });
    let calls = (0..8).map(|_| testing::call(&tools, "read_note", json!({})));
    for output in join_all(calls).await {
        output.unwrap();
    }
    server.with(|state| {
        assert_eq!(state.consents.len(), 2);
        let refreshes = state
            .grants
            .iter()
            .filter(|it| it["grant_type"] == "refresh_token");
        assert_eq!(refreshes.count(), 1);
    });
}

#[tokio::test]
async fn a_token_that_was_revoked_is_refreshed_without_a_person() {
    let server = Server::start().await;
    let kept = Kept::default();
    let authorization = server.authorization().store(kept.clone());
    let client = Client::http_authorized(&authorization).await.unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| state.tokens.clear());
    let calls = (0..8).map(|_| testing::call(&tools, "read_note", json!({})));
    for output in join_all(calls).await {
        output.unwrap();
    }
    server.with(|state| {
        assert_eq!((state.consents.len(), state.grants.len()), (1, 2));
        assert_eq!(state.grants[1]["resource"], server.resource());
        state.tokens.clear();
    });
    // So it is after a restart, by the client that was registered before.
    let restarted = Authorization::new(server.resource(), Authorization::LOOPBACK).store(kept);
    let client = Client::http_authorized(&restarted).await.unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| assert_eq!((state.registrations.len(), state.grants.len()), (1, 3)));
}

#[tokio::test]
async fn a_token_whose_time_is_over_is_not_sent() {
    let server = Server::start().await;
    server.with(|state| state.behaviour.lifetime = Some(0));
    let client = Client::http_authorized(&server.authorization())
        .await
        .unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| {
        assert_eq!(state.consents.len(), 1);
        let sent: Vec<_> = state.visits.iter().flatten().collect();
        let first = state
            .grants
            .iter()
            .position(|it| it["grant_type"] == "refresh_token");
        assert_eq!(first, Some(1));
        let once: std::collections::HashSet<_> = sent.iter().collect();
        assert_eq!(once.len(), sent.len(), "{sent:?}");
    });
}

#[tokio::test]
async fn missing_scopes_are_asked_for_with_those_before() {
    let server = Server::start().await;
    let kept = Kept::default();
    let first = server.authorization().store(kept.clone());
    Client::http_authorized(&first).await.unwrap();
    let second = server.authorization().store(kept);
    let client = Client::http_authorized(&second).await.unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| state.behaviour.wants = Some("notes:write"));
    testing::call(&tools, "read_note", json!({})).await.unwrap();
    server.with(|state| {
        let asked = state.consents.iter().map(|consent| &*consent["scope"]);
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked, ["notes:read", "notes:read notes:write"]);
    });
    let tools = client.toolset().await.unwrap();
    testing::call(&tools, "write_note", json!({}))
        .await
        .unwrap();
}

#[tokio::test]
async fn scopes_that_are_never_granted_are_asked_for_once() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.authorization())
        .await
        .unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| {
        state.behaviour.wants = Some("notes:write");
        state.behaviour.grants_no_more = true;
    });
    for _ in 0..2 {
        let error = testing::call(&tools, "read_note", json!({}))
            .await
            .unwrap_err();
        assert_eq!(error.category, ErrorCategory::PermissionDenied);
        assert!(error.log.unwrap().contains("notes:write"));
    }
    server.with(|state| assert_eq!(state.consents.len(), 2));
}

#[tokio::test]
async fn a_person_who_denies_is_not_asked_again_by_calls() {
    let server = Server::start().await;
    server.with(|state| state.behaviour.denies = true);
    let authorization = server.authorization();
    for _ in 0..2 {
        let error = Client::http_authorized(&authorization).await.unwrap_err();
        assert_eq!(
            refused(error),
            AuthorizationError::Denied("Ada said no".to_owned())
        );
    }
    server.with(|state| {
        assert_eq!(state.consents.len(), 1);
        state.behaviour.denies = false;
    });
    authorization.ask().await.unwrap();
    Client::http_authorized(&authorization).await.unwrap();
}

#[tokio::test]
async fn a_person_who_never_answers_is_not_waited_for_longer_than_set() {
    let server = Server::start().await;
    let patience = Duration::from_millis(20);
    let authorization = Authorization::new(server.resource(), Authorization::LOOPBACK)
        .browser(|_| {})
        .patience(patience);
    let error = Client::http_authorized(&authorization).await.unwrap_err();
    assert_eq!(refused(error), AuthorizationError::Unanswered(patience));
}

#[tokio::test]
async fn a_task_that_nobody_may_ask_for_ends_its_call() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.authorization())
        .await
        .unwrap();
    let tools = client.toolset().await.unwrap();
    let call = testing::call(&tools, "copy_notes", json!({}));
    let revoked = async {
        server.copies.notified().await;
        server.with(|state| {
            state.tokens.clear();
            state.refresh_tokens.clear();
            state.behaviour.denies = true;
        });
    };
    let ended = tokio::time::timeout(Duration::from_secs(30), call);
    let (ended, ()) = tokio::join!(ended, revoked);
    let error = ended.expect("it ends at once").unwrap_err();
    assert_eq!(error.category, ErrorCategory::PermissionDenied);
    assert!(error.message.contains("goes on"), "{error:?}");
    assert!(error.log.unwrap().contains("Ada said no"));
}

#[tokio::test]
async fn a_task_is_asked_for_again_though_its_authorization_server_is_busy() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.authorization())
        .await
        .unwrap();
    let tools = client.toolset().await.unwrap();
    let call = testing::call(&tools, "copy_notes", json!({}));
    let busy = async {
        server.copies.notified().await;
        server.with(|state| {
            state.tokens.clear();
            state.behaviour.busy = Some("temporarily_unavailable");
        });
        while server.with(|state| state.grants.len()) < 3 {
            server.answered.notified().await;
        }
    };
    tokio::select! {
        ended = call => panic!("{ended:?}"),
        () = busy => {}
    }
}

#[tokio::test]
async fn a_person_may_take_longer_than_a_call() {
    let server = Server::start().await;
    let limit = Duration::from_secs(1);
    let is_slow = Arc::new(AtomicBool::new(false));
    let slow = Arc::clone(&is_slow);
    let authorization = server.authorization().browser(move |address| {
        let (address, slow) = (address.to_owned(), Arc::clone(&slow));
        tokio::spawn(async move {
            if slow.load(Ordering::Relaxed) {
                tokio::time::sleep(limit * 3 / 2).await;
            }
            open(&address).await;
        });
    });
    let client = Client::http_authorized(&authorization).await.unwrap();
    is_slow.store(true, Ordering::Relaxed);
    // No call is a task here.
    let client = client.timeout(limit).task_timeout(Duration::ZERO);
    let tools = client.toolset().await.unwrap();
    server.with(|state| {
        state.tokens.clear();
        state.refresh_tokens.clear();
    });
    let call = [ToolCall::new("1", "read_note", "{}")];
    let results = tools.dispatch(&call).await;
    assert!(!results[0].is_error(), "{results:?}");
}

#[tokio::test]
async fn an_application_sends_its_user_and_takes_what_comes_back() {
    let server = Server::start().await;
    let authorization = Authorization::new(server.resource(), "https://notes.example.com/back");
    let error = Client::http_authorized(&authorization).await.unwrap_err();
    assert_eq!(refused(error), AuthorizationError::Needed);
    assert!(authorization.is_needed());
    let (first, second) = (
        authorization.start().await.unwrap(),
        authorization.start().await.unwrap(),
    );
    let back = sent_back(&second).await;
    assert!(back.starts_with("https://notes.example.com/back?"));
    let stranger = back.replace("state=", "state=x");
    for answer in ["", "https://notes.example.com/back", &stranger] {
        let error = authorization.finish(answer).await.unwrap_err();
        assert_eq!(error, AuthorizationError::State);
    }
    authorization.finish(&back).await.unwrap();
    // It is used up. The other page still works.
    let error = authorization.finish(&back).await.unwrap_err();
    assert_eq!(error, AuthorizationError::State);
    let (_, query) = sent_back(&first)
        .await
        .split_once('?')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    authorization.finish(&query).await.unwrap();
    assert!(!authorization.is_needed());
    let client = Client::http_authorized(&authorization).await.unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| assert_eq!(state.registrations[0]["application_type"], "web"));
    authorization.forget().await.unwrap();
    let error = Client::http_authorized(&authorization).await.unwrap_err();
    assert_eq!(refused(error), AuthorizationError::Needed);
}

#[tokio::test]
async fn an_answer_of_another_issuer_is_refused() {
    let server = Server::start().await;
    let evil = "https://evil.example".to_owned();
    server.with(|state| state.behaviour.issuer_sent_back = Some(evil));
    let error = Client::http_authorized(&server.authorization())
        .await
        .unwrap_err();
    let text = refused(error).to_string();
    assert!(text.contains("evil.example"), "{text}");
    server.with(|state| assert!(state.grants.is_empty()));
}

#[tokio::test]
async fn a_token_that_the_server_never_takes_asks_nobody_again() {
    let server = Server::start().await;
    server.with(|state| state.behaviour.issues_nothing = true);
    let authorization = server.authorization();
    for _ in 0..2 {
        let error = Client::http_authorized(&authorization).await.unwrap_err();
        assert_eq!(refused(error), AuthorizationError::Refused);
    }
    server.with(|state| assert_eq!(state.consents.len(), 1));
}

#[tokio::test]
async fn hostile_metadata_lead_nowhere() {
    let server = Server::start().await;
    let elsewhere = Server::start().await;
    let huge = vec![b' '; 2 << 20];
    for (metadata, raw, moved) in [
        (
            json!({"authorization_endpoint": "http://login.example.com/"}),
            None,
            None,
        ),
        (
            json!({"authorization_endpoint": "javascript:alert(1)"}),
            None,
            None,
        ),
        (
            json!({"token_endpoint": "https://169.254.169.254/latest"}),
            None,
            None,
        ),
        (
            json!({"registration_endpoint": "https://10.0.0.1/register"}),
            None,
            None,
        ),
        (json!({"issuer": "https://evil.example"}), None, None),
        (
            json!({"code_challenge_methods_supported": ["plain"]}),
            None,
            None,
        ),
        (Value::Null, Some(huge), None),
        (
            Value::Null,
            None,
            Some(format!(
                "{}/.well-known/oauth-authorization-server",
                elsewhere.address
            )),
        ),
    ] {
        let text = metadata.to_string();
        server.with(|state| {
            state.behaviour.metadata = metadata.is_object().then_some(metadata);
            state.behaviour.raw_metadata = raw;
            state.behaviour.moved_to = moved;
        });
        let error = Client::http_authorized(&server.authorization())
            .await
            .unwrap_err();
        let error = refused(error);
        assert!(
            matches!(
                error,
                AuthorizationError::Address(_)
                    | AuthorizationError::Metadata(_)
                    | AuthorizationError::Registration(_)
            ),
            "{text}: {error:?}"
        );
        server.with(|state| {
            assert!(
                state.consents.is_empty() && state.grants.is_empty(),
                "{text}"
            );
        });
    }
}

#[tokio::test]
async fn an_id_goes_to_its_own_authorization_server_alone() {
    let server = Server::start().await;
    let error = Client::http_authorized(
        &server
            .authorization()
            .registered("https://login.example.com", "notes")
            .secret("hidden"),
    )
    .await
    .unwrap_err();
    assert!(matches!(refused(error), AuthorizationError::Issuer { .. }));
    server.with(|state| assert!(state.consents.is_empty()));
    let known = server.authorization().registered(&server.address, "notes");
    Client::http_authorized(&known).await.unwrap();
    server.with(|state| {
        assert_eq!(state.consents[0]["client_id"], "notes");
        assert!(state.registrations.is_empty());
    });
}

#[tokio::test]
async fn a_refresh_token_stays_with_its_authorization_server() {
    let server = Server::start().await;
    let kept = Kept::default();
    let first = server.authorization().store(kept.clone());
    Client::http_authorized(&first).await.unwrap();
    server.with(|state| {
        state.tokens.clear();
        state.grants.clear();
    });
    for text in kept.0.lock().unwrap().values_mut() {
        let mut tokens: Value = serde_json::from_str(text).unwrap();
        tokens["credentials"]["issuer"] = json!("https://login.example.com");
        *text = tokens.to_string();
    }
    let second = Authorization::new(server.resource(), Authorization::LOOPBACK).store(kept);
    let error = Client::http_authorized(&second).await.unwrap_err();
    assert_eq!(refused(error), AuthorizationError::Needed);
    server.with(|state| assert!(state.grants.is_empty()));
}

#[tokio::test]
async fn metadata_in_the_name_of_another_issuer_get_no_secret() {
    let issuer = "https://login.example.com";
    let server = Server::naming("/.well-known/elsewhere").await;
    server.with(|state| state.behaviour.metadata = Some(json!({"issuer": issuer})));
    let known = server.authorization().registered(issuer, "notes");
    let error = Client::http_authorized(&known.secret("hidden"))
        .await
        .unwrap_err();
    let error = refused(error);
    assert!(
        matches!(&error, AuthorizationError::Metadata(text) if text.contains(issuer)),
        "{error:?}"
    );
    server.with(|state| assert!(state.consents.is_empty() && state.grants.is_empty()));
}

#[tokio::test]
async fn each_person_has_the_tokens_of_the_own_store() {
    let server = Server::start().await;
    let program = server.authorization().named("Notes");
    let mut tokens = Vec::new();
    let stores = [Kept::default(), Kept::default()];
    for kept in &stores {
        Client::http_authorized(&program.clone().store(kept.clone()))
            .await
            .unwrap();
        let text = kept.0.lock().unwrap()[&server.resource()].clone();
        let text: Value = serde_json::from_str(&text).unwrap();
        tokens.push(text["credentials"]["token_response"]["access_token"].clone());
    }
    assert_ne!(tokens[0], tokens[1]);
    for (kept, token) in stores.into_iter().zip(tokens) {
        server.with(|state| state.visits.clear());
        Client::http_authorized(&program.clone().store(kept))
            .await
            .unwrap();
        server.with(|state| {
            let sent = state.visits.iter().flatten();
            assert!(sent.clone().count() > 0 && sent.clone().all(|it| token == **it));
        });
    }
}

#[tokio::test]
async fn tokens_are_saved_though_nobody_waits_for_them_any_more() {
    let server = Server::start().await;
    let slow = Arc::new((Notify::new(), Notify::new()));
    let store = Troubled {
        slow: Some(Arc::clone(&slow)),
        ..Troubled::default()
    };
    let back = "https://notes.example.com/back";
    let authorization = Authorization::new(server.resource(), back).store(store);
    let returned = sent_back(&authorization.start().await.unwrap()).await;
    tokio::select! {
        finished = authorization.finish(&returned) => panic!("{finished:?}"),
        () = slow.0.notified() => {}
    }
    slow.1.notify_one();
    Client::http_authorized(&authorization).await.unwrap();
    server.with(|state| assert_eq!(state.grants.len(), 1));
}

#[tokio::test]
async fn a_page_is_open_as_long_as_anybody_waits_for_it() {
    let server = Server::start().await;
    let (sender, mut pages) = mpsc::unbounded_channel();
    let authorization = server
        .authorization()
        .browser(move |address| sender.send(address.to_owned()).unwrap());
    let mut first = Box::pin(authorization.ask());
    let page = tokio::select! {
        asked = &mut first => panic!("{asked:?}"),
        page = pages.recv() => page.unwrap(),
    };
    let mut second = Box::pin(authorization.ask());
    assert!(poll!(&mut second).is_pending());
    drop(first);
    let (asked, ()) = tokio::join!(second, open(&page));
    asked.unwrap();
    assert!(pages.try_recv().is_err());
    server.with(|state| assert_eq!(state.registrations.len(), 1));
}

#[tokio::test]
async fn who_is_forgotten_is_not_asked_any_more() {
    let server = Server::start().await;
    let (sender, mut pages) = mpsc::unbounded_channel();
    let authorization = server
        .authorization()
        .browser(move |address| sender.send(address.to_owned()).unwrap())
        .patience(Duration::from_secs(20));
    let (asked, ()) = tokio::join!(authorization.ask(), async {
        pages.recv().await.unwrap();
        authorization.forget().await.unwrap();
    });
    assert_eq!(asked, Err(AuthorizationError::State));
}

#[tokio::test]
async fn who_is_forgotten_can_be_asked_at_once() {
    let server = Server::start().await;
    let (sender, mut pages) = mpsc::unbounded_channel();
    let authorization = server
        .authorization()
        .browser(move |address| sender.send(address.to_owned()).unwrap());
    let mut first = Box::pin(authorization.ask());
    tokio::select! {
        asked = &mut first => panic!("{asked:?}"),
        page = pages.recv() => assert!(page.is_some()),
    }
    authorization.forget().await.unwrap();
    let mut second = Box::pin(authorization.ask());
    let page = tokio::select! {
        asked = &mut second => panic!("{asked:?}"),
        page = pages.recv() => page.unwrap(),
    };
    let (asked, ()) = tokio::join!(second, open(&page));
    asked.unwrap();
    assert_eq!(first.await, Err(AuthorizationError::State));
}

#[tokio::test]
async fn what_is_forgotten_is_not_brought_back() {
    let server = Server::start().await;
    let back = "https://notes.example.com/back";
    let authorization = Authorization::new(server.resource(), back);
    let other = authorization.clone().scopes(["notes:read"]);
    let of_other = sent_back(&other.start().await.unwrap()).await;
    let mut start = Box::pin(authorization.start());
    assert!(poll!(&mut start).is_pending());
    authorization.forget().await.unwrap();
    let own = sent_back(&start.await.unwrap()).await;
    for (authorization, returned) in [(&authorization, own), (&other, of_other)] {
        let finished = authorization.finish(&returned).await;
        assert_eq!(finished, Err(AuthorizationError::State));
    }
    server.with(|state| assert!(state.grants.is_empty()));
    let returned = sent_back(&other.start().await.unwrap()).await;
    other.finish(&returned).await.unwrap();
    // The store is that of both.
    Client::http_authorized(&authorization).await.unwrap();
}

#[tokio::test]
async fn clones_with_other_settings_refresh_a_token_once() {
    let server = Server::start().await;
    let program = server.authorization();
    let other = program.clone().scopes(["notes:read"]);
    let mut tools = Vec::new();
    for authorization in [&program, &other] {
        let client = Client::http_authorized(authorization).await.unwrap();
        tools.push(client.toolset().await.unwrap());
    }
    server.with(|state| state.tokens.clear());
    let calls = tools
        .iter()
        .cycle()
        .take(8)
        .map(|tools| testing::call(tools, "read_note", json!({})));
    for output in join_all(calls).await {
        output.unwrap();
    }
    server.with(|state| assert_eq!((state.consents.len(), state.grants.len()), (1, 2)));
}

#[tokio::test]
async fn a_refresh_token_goes_to_the_issuer_of_its_tokens_alone() {
    let server = Server::start().await;
    let kept = Kept::default();
    let authorization = server.authorization().store(kept.clone());
    let client = Client::http_authorized(&authorization).await.unwrap();
    let tools = client.toolset().await.unwrap();
    // A clone has got them from another one for the same client.
    for text in kept.0.lock().unwrap().values_mut() {
        let mut tokens: Value = serde_json::from_str(text).unwrap();
        tokens["credentials"]["issuer"] = json!("https://login.example.com");
        tokens["credentials"]["token_received_at"] = json!(0);
        *text = tokens.to_string();
    }
    testing::call(&tools, "read_note", json!({})).await.unwrap();
    server.with(|state| {
        let kinds = state.grants.iter().map(|grant| &*grant["grant_type"]);
        let kinds: Vec<_> = kinds.collect();
        assert_eq!(kinds, ["authorization_code", "authorization_code"]);
    });
}

#[tokio::test]
async fn a_request_uses_no_tokens_without_end() {
    let server = Server::start().await;
    server.with(|state| {
        state.behaviour.issues_nothing = true;
        state.behaviour.lifetime = Some(0);
    });
    let connecting = Client::http_authorized(&server.authorization()).await;
    assert_eq!(
        refused(connecting.unwrap_err()),
        AuthorizationError::Refused
    );
    server.with(|state| {
        let sent = state.visits.len();
        assert!((3..20).contains(&sent), "{sent}");
    });
}

#[tokio::test]
async fn tokens_that_were_not_saved_are_saved_by_the_next_request() {
    let server = Server::start().await;
    let store = Troubled::default();
    let authorization = server.authorization().store(store.clone());
    let client = Client::http_authorized(&authorization).await.unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| state.tokens.clear());
    // The requests of the connection beside the calls need the tokens as well.
    store.is_full.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        let error = testing::call(&tools, "read_note", json!({}))
            .await
            .unwrap_err();
        assert!(error.log.unwrap().contains("the disk is full"));
    }
    store.is_full.store(false, Ordering::Relaxed);
    testing::call(&tools, "read_note", json!({})).await.unwrap();
    server.with(|state| assert_eq!((state.consents.len(), state.grants.len()), (1, 2)));
    let restarted = Authorization::new(server.resource(), Authorization::LOOPBACK).store(store);
    Client::http_authorized(&restarted).await.unwrap();
    server.with(|state| assert_eq!(state.grants.len(), 2));
}

#[tokio::test]
async fn an_authorization_server_that_is_busy_is_tried_again() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.authorization())
        .await
        .unwrap();
    let tools = client.toolset().await.unwrap();
    for busy in ["temporarily_unavailable", "server_error", "slow_down"] {
        server.with(|state| {
            state.tokens.clear();
            state.behaviour.busy = Some(busy);
        });
        let error = testing::call(&tools, "read_note", json!({}))
            .await
            .unwrap_err();
        assert!(error.log.unwrap().contains(busy));
        server.with(|state| state.behaviour.busy = None);
        testing::call(&tools, "read_note", json!({})).await.unwrap();
    }
    server.with(|state| assert_eq!(state.consents.len(), 1));
}

#[tokio::test]
async fn a_server_opens_no_pages_without_end() {
    let server = Server::start().await;
    let authorization = server.authorization();
    let client = Client::http_authorized(&authorization).await.unwrap();
    let tools = client.toolset().await.unwrap();
    for _ in 0..10 {
        server.with(|state| {
            state.tokens.clear();
            state.refresh_tokens.clear();
        });
        let _ = testing::call(&tools, "read_note", json!({})).await;
    }
    server.with(|state| assert_eq!(state.consents.len(), 8));
    authorization.forget().await.unwrap();
    testing::call(&tools, "read_note", json!({})).await.unwrap();
    server.with(|state| assert_eq!(state.consents.len(), 9));
}

#[tokio::test]
async fn where_no_browser_is_no_page_is_counted() {
    let server = Server::start().await;
    let authorization = Authorization::new(server.resource(), "https://notes.example.com/back");
    for _ in 0..10 {
        let error = Client::http_authorized(&authorization).await.unwrap_err();
        assert_eq!(refused(error), AuthorizationError::Needed);
    }
}

#[tokio::test]
async fn no_token_goes_to_a_server_without_tls() {
    let authorization = Authorization::new("http://notes.example.com/mcp", Authorization::LOOPBACK);
    let error = Client::http_authorized(&authorization).await.unwrap_err();
    assert!(matches!(refused(error), AuthorizationError::Address(_)));
}

#[tokio::test]
async fn a_server_of_a_file_says_how_it_is_authorised() {
    let server = Server::start().await;
    let file = json!({"mcpServers": {"notes": {"url": server.resource()}}});
    let listed = Servers::from_json(&file.to_string()).unwrap().list().await;
    let text = listed.refused[0].to_string();
    assert!(
        text.contains("server `notes`")
            && text.contains("http_authorized")
            && text.contains("headers"),
        "{text}"
    );
}

/// What is logged, at all levels.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Log {
    /// Logs what this thread does, as long as what comes with it lives.
    fn of_thread() -> (Self, (DefaultGuard, Dispatch)) {
        let log = Self::default();
        let subscribed = tracing::subscriber::set_default(log.clone());
        // While there is one subscriber alone, a thread without one turns off for all what it comes to first.
        let other = Dispatch::new(log.clone());
        (log, (subscribed, other))
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Written(&self.0));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Written(&self.0));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let target = event.metadata().target();
        write!(self.0.lock().unwrap(), "\n{target}").unwrap();
        event.record(&mut Written(&self.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Written<'a>(&'a Mutex<String>);

impl Visit for Written<'_> {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        write!(self.0.lock().unwrap(), " {value:?}").unwrap();
    }
}

#[tokio::test]
async fn nothing_secret_is_logged_or_shown() {
    let (log, _subscribed) = Log::of_thread();
    let server = Server::start().await;
    let kept = Kept::default();
    let authorization = server
        .authorization()
        .registered(&server.address, "notes")
        .secret("hidden-own")
        .store(kept.clone());
    let client = Client::http_authorized(&authorization).await.unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| state.tokens.clear());
    assert_eq!(read(&client).await, "read");
    let tokens = kept.load(&server.resource()).await.unwrap().unwrap();
    let shown = format!("{authorization:?} {tokens:?} {client:?}");
    assert!(!shown.contains("hidden"), "{shown}");
    let log = log.0.lock().unwrap().clone();
    assert!(log.contains("rmcp"), "{log}");
    let line = log.lines().find(|line| line.contains("hidden"));
    assert_eq!(line, None);
}

#[tokio::test]
async fn the_query_and_the_user_of_an_address_are_not_shown() {
    let (log, _subscribed) = Log::of_thread();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let address = format!("http://hidden-user:hidden-word@{closed}/mcp?key=hidden-key");
    let authorization = Authorization::new(address, Authorization::LOOPBACK);
    let error = authorization.start().await.unwrap_err();
    let shown = format!("{authorization:?} {error:?} {error}");
    assert!(
        shown.contains("127.0.0.1") && !shown.contains("hidden"),
        "{shown}"
    );
    let log = log.0.lock().unwrap().clone();
    assert_eq!(log.lines().find(|line| line.contains("hidden")), None);
}
