//! The way through a proxy. The server of the tests plays it.

use std::{env, process::Command};

use toolwright::{
    ChatModel, OpenAiChat,
    model::{ModelErrorKind, collect},
    provider::HttpOptions,
};

use super::{END, PIECE, REPLY, check_error};
use crate::{
    loopback::{Answer, Server},
    openai_chat::request,
};

/// The address of a server as that of a proxy with a user.
fn with_user(proxy: &Server) -> String {
    let url = proxy.base_url().replace("http://", "http://me:pw-secret@");
    url.trim_end_matches("/v1").to_owned()
}

fn elsewhere(scheme: &str) -> OpenAiChat {
    OpenAiChat::new("m", "sk-secret").with_base_url(format!("{scheme}://api.invalid/v1"))
}

#[tokio::test]
async fn everything_goes_through_the_proxy() {
    let proxy = Server::start(vec![
        Answer::json(REPLY),
        Answer::events(&format!("{PIECE}{END}")),
        Answer::json(REPLY),
    ])
    .await;
    let model = elsewhere("http").with_http(HttpOptions::new().with_proxy(with_user(&proxy)));
    assert!(!format!("{model:?}").contains("secret"), "{model:?}");
    model.complete(&request()).await.expect("answers");
    collect(model.stream(&request())).await.expect("answers");
    // Also what is on this machine: whoever names a proxy means it.
    let other = Server::start(Vec::new()).await;
    let here = model.with_base_url(other.base_url());
    here.complete(&request()).await.expect("answers");
    assert!(other.requests().is_empty());
    for came in proxy.requests() {
        assert!(came.head.starts_with("post http://"), "{}", came.head);
        let user = came.header("proxy-authorization");
        assert_eq!(user.as_deref(), Some("basic bwu6chctc2vjcmv0"));
    }
}

#[tokio::test]
async fn a_proxy_of_an_encrypted_connection_sees_no_key() {
    let elsewhere_still = Server::start(vec![Answer::json(REPLY)]).await;
    let location = elsewhere_still.base_url();
    for status in ["302 Found", "307 Temporary Redirect", "407 No", "500 No"] {
        let page = "who is me:pw-secret (bWU6cHctc2VjcmV0)?";
        let refusal = Answer::with_headers(status, &[("location", &location)], page);
        let proxy = Server::start(vec![refusal]).await;
        let model = elsewhere("https").with_http(HttpOptions::new().with_proxy(with_user(&proxy)));
        let error = model.complete(&request()).await.expect_err("is refused");
        check_error(
            &error,
            ModelErrorKind::Transport,
            "api.invalid: connecting failed",
        );
        assert!(!format!("{error:?}").contains("bWU6"), "{error:?}");
        let came = proxy.requests().pop().expect("came");
        assert!(
            came.head.starts_with("connect api.invalid:443 "),
            "{}",
            came.head
        );
        assert!(came.header("proxy-authorization").is_some());
        assert!(!came.head.contains("sk-secret"), "{}", came.head);
    }
    assert!(elsewhere_still.requests().is_empty());
}

#[tokio::test]
async fn a_redirect_by_a_proxy_is_not_followed() {
    let other = Server::start(vec![Answer::json(REPLY)]).await;
    let page = "who is me:pw-secret (Basic bWU6cHctc2VjcmV0)?";
    let location = other.base_url();
    let redirect = Answer::with_headers("307 Temporary Redirect", &[("location", &location)], page);
    let proxy = Server::start(vec![redirect]).await;
    let model = elsewhere("http").with_http(HttpOptions::new().with_proxy(with_user(&proxy)));
    let error = model.complete(&request()).await.expect_err("is refused");
    check_error(&error, ModelErrorKind::InvalidRequest, "");
    assert!(!format!("{error:?}").contains("bWU6"), "{error:?}");
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn an_address_that_is_none() {
    for url in [
        "",
        "proxy:3128",
        "socks5://me:pw-secret@127.0.0.1:1",
        "http://",
    ] {
        let model = elsewhere("http").with_http(HttpOptions::new().with_proxy(url));
        let error = model.complete(&request()).await.expect_err("is no address");
        check_error(
            &error,
            ModelErrorKind::InvalidRequest,
            "the address of the proxy is not valid",
        );
    }
}

/// Set for a second process, which cannot be done for this one.
const CHILD: &str = "TOOLWRIGHT_TEST_PROXY_CHILD";

#[tokio::test]
async fn the_environment_names_a_proxy() {
    if let Ok(here) = env::var(CHILD) {
        let through = elsewhere("http").complete(&request()).await;
        assert_eq!(through.expect("the proxy answers").text, "I am here.");
        let here = OpenAiChat::new("m", "sk-secret").with_base_url(here);
        here.complete(&request())
            .await
            .expect("is reached directly");
        elsewhere("http")
            .with_http(HttpOptions::new().without_proxy())
            .complete(&request())
            .await
            .expect_err("is nowhere");
        return;
    }
    let proxy = Server::start(vec![Answer::json(REPLY)]).await;
    let server = Server::start(vec![Answer::json(REPLY)]).await;
    let mut child = Command::new(env::current_exe().expect("is a program"));
    child
        .args(["--exact", "sending::proxies::the_environment_names_a_proxy"])
        .env(CHILD, server.base_url())
        .env("http_proxy", proxy.base_url())
        .env_remove("no_proxy")
        .env_remove("NO_PROXY");
    let output = tokio::task::spawn_blocking(move || child.output()).await;
    let output = output.expect("does not panic").expect("runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
    assert_eq!(proxy.requests().len(), 1);
    assert_eq!(server.requests().len(), 1);
}
