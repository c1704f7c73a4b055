//! Programs that act for themselves.

use futures_util::future::join_all;
use serde_json::json;
use toolwright::testing;
use toolwright_mcp::{Authorization, AuthorizationError, Client};

use super::{
    Kept, read, refused,
    server::{SECRET, Server},
};

#[tokio::test]
async fn a_program_acts_for_itself() {
    let server = Server::start().await;
    let scopes = json!({"scopes_supported": ["notes:read", "offline_access"]});
    server.with(|state| state.behaviour.metadata = Some(scopes));
    let kept = Kept::default();
    let program = server.program().store(kept.clone());
    let client = Client::http_authorized(&program).await.unwrap();
    assert_eq!(read(&client).await, "read");
    assert!(!program.is_needed());
    server.with(|state| {
        assert!(state.consents.is_empty() && state.registrations.is_empty());
        let [grant] = &*state.grants else { panic!() };
        assert_eq!(grant["resource"], server.resource());
        assert_eq!(grant["scope"], "notes:read");
        let extension = "io.modelcontextprotocol/oauth-client-credentials";
        assert!(state.messages.iter().any(|it| it.contains(extension)));
    });
    // A restart: the token is still valid, and the secret is not kept with it.
    let text = kept.0.lock().unwrap()[&server.resource()].clone();
    assert!(!text.contains(SECRET));
    let client = Client::http_authorized(&server.program().store(kept)).await;
    assert_eq!(read(&client.unwrap()).await, "read");
    server.with(|state| assert_eq!(state.grants.len(), 1));
}

#[tokio::test]
async fn calls_that_are_refused_at_once_get_one_token() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.program()).await.unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| state.tokens.clear());
    let calls = (0..8).map(|_| testing::call(&tools, "read_note", json!({})));
    for output in join_all(calls).await {
        output.unwrap();
    }
    server.with(|state| assert_eq!(state.grants.len(), 2));
}

#[tokio::test]
async fn a_token_whose_time_is_over_is_replaced_before_a_request() {
    let server = Server::start().await;
    let kept = Kept::default();
    let program = server.program().store(kept.clone());
    Client::http_authorized(&program).await.unwrap();
    for text in kept.0.lock().unwrap().values_mut() {
        let mut tokens: serde_json::Value = serde_json::from_str(text).unwrap();
        tokens["credentials"]["token_received_at"] = json!(0);
        *text = tokens.to_string();
    }
    server.with(|state| (state.visits.clear(), state.messages.clear()));
    Client::http_authorized(&program).await.unwrap();
    server.with(|state| {
        assert_eq!(state.grants.len(), 2);
        let newest = state.tokens.keys().max().unwrap();
        let mut sent = state.visits.iter().flatten();
        assert!(sent.all(|it| it == newest), "{:?}", state.visits);
        // Nothing was refused, and sent again.
        let begun = state
            .messages
            .iter()
            .filter(|it| it.contains("server/discover"));
        assert_eq!(begun.count(), 1);
    });
}

#[tokio::test]
async fn missing_scopes_are_added() {
    let server = Server::start().await;
    let client = Client::http_authorized(&server.program()).await.unwrap();
    let tools = client.toolset().await.unwrap();
    server.with(|state| state.behaviour.wants = Some("notes:write"));
    testing::call(&tools, "read_note", json!({})).await.unwrap();
    server.with(|state| {
        let asked = state.grants.iter().map(|grant| &*grant["scope"]);
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked, ["notes:read", "notes:read notes:write"]);
        // It grants no more from now on.
        state.behaviour.wants = Some("notes:delete");
        state.behaviour.grants_no_more = true;
    });
    let error = testing::call(&tools, "read_note", json!({})).await;
    assert!(error.unwrap_err().log.unwrap().contains("notes:delete"));
    server.with(|state| assert_eq!(state.grants.len(), 3));
}

#[tokio::test]
async fn scopes_that_the_answer_does_not_name_are_those_asked_for() {
    let server = Server::start().await;
    server.with(|state| state.behaviour.answer = Some(json!({"scope": null})));
    let program = server.program().scopes(["notes:read"]);
    let kept = Kept::default();
    Client::http_authorized(&program.store(kept.clone()))
        .await
        .unwrap();
    let client = Client::http_authorized(&server.program().store(kept)).await;
    let tools = client.unwrap().toolset().await.unwrap();
    server.with(|state| state.behaviour.wants = Some("notes:write"));
    testing::call(&tools, "read_note", json!({})).await.unwrap();
    server.with(|state| assert_eq!(state.grants[1]["scope"], "notes:read notes:write"));
}

#[tokio::test]
async fn a_token_is_for_an_address_without_its_query() {
    let server = Server::start().await;
    let address = server.resource().replace("//", "//ada:hidden@") + "?key=hidden#top";
    let program = Authorization::client_credentials(address)
        .registered(&server.address, "notes")
        .secret(SECRET);
    let _ = Client::http_authorized(&program).await;
    server.with(|state| assert_eq!(state.grants[0]["resource"], server.resource()));
}

#[tokio::test]
async fn a_token_that_the_server_never_takes_is_got_once() {
    let server = Server::start().await;
    server.with(|state| state.behaviour.issues_nothing = true);
    let error = Client::http_authorized(&server.program()).await;
    assert_eq!(refused(error.unwrap_err()), AuthorizationError::Refused);
    server.with(|state| assert_eq!(state.grants.len(), 1));
}

#[tokio::test]
async fn neither_a_program_nor_a_person_uses_the_token_of_the_other() {
    let server = Server::start().await;
    let kept = Kept::default();
    let person = server.authorization().store(kept.clone());
    Client::http_authorized(&person).await.unwrap();
    server.with(|state| state.visits.clear());
    let program = server.program().store(kept.clone());
    let client = Client::http_authorized(&program).await.unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| {
        let granted = &state.grants[1];
        assert_eq!(granted["grant_type"], "client_credentials");
        assert_eq!(granted["scope"], "notes:read");
        let of_person = Some("hidden-access-3".to_owned());
        assert!(state.tokens.contains_key("hidden-access-3"));
        assert!(!state.visits.contains(&of_person), "{:?}", state.visits);
    });
    drop(client);
    let of_program = server.with(|state| std::mem::take(&mut state.visits).pop());
    assert!(matches!(of_program, Some(Some(_))));
    let client = Client::http_authorized(&person).await.unwrap();
    assert_eq!(read(&client).await, "read");
    server.with(|state| {
        let of_program = of_program.unwrap();
        assert!(!state.visits.contains(&of_program), "{:?}", state.visits);
        assert_eq!(state.grants[2]["grant_type"], "authorization_code");
    });
}

#[tokio::test]
async fn a_secret_goes_to_its_own_authorization_server_alone() {
    let server = Server::start().await;
    let of = || Authorization::client_credentials(server.resource());
    let elsewhere = of()
        .registered("https://login.example.com", "notes")
        .secret(SECRET);
    let without_secret = of().registered(&server.address, "notes");
    for (program, expected) in [
        (elsewhere, "https://login.example.com"),
        (of(), "no id"),
        (without_secret, "no secret"),
    ] {
        let error = Client::http_authorized(&program).await.unwrap_err();
        let text = refused(error).to_string();
        assert!(text.contains(expected), "{text}");
    }
    server.with(|state| assert!(state.grants.is_empty() && state.registrations.is_empty()));
}

#[tokio::test]
async fn a_wrong_secret_is_not_shown() {
    let server = Server::start().await;
    let program = server.program().secret("hidden-wrong");
    let error = Client::http_authorized(&program).await.unwrap_err();
    let text = format!("{program:?} {:?}", refused(error));
    assert!(
        text.contains("invalid_client") && !text.contains("hidden"),
        "{text}"
    );
}

#[tokio::test]
async fn a_program_that_acts_for_itself_asks_nobody() {
    let server = Server::start().await;
    let program = server.program().browser(|address| panic!("{address}"));
    let started = program.start().await.map(drop);
    for asked in [started, program.ask().await] {
        let error = asked.unwrap_err();
        assert!(
            matches!(error, AuthorizationError::Redirect { .. }),
            "{error:?}"
        );
    }
}
