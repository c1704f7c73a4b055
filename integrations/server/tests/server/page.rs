//! The playground, as a browser loads it.

use axum::Router;
use toolwright::{
    ModelResponse,
    server::{Refusal, Server},
    testing::ScriptedModel,
};

use crate::{
    client::get,
    rig::{Gate, Rig, builder},
};

fn playground() -> Server {
    let model = ScriptedModel::new(Vec::<ModelResponse>::new());
    let runner = builder(model, &Gate::default()).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    server.playground(true)
}

#[tokio::test]
async fn the_page_and_all_that_it_asks_for_are_there() {
    let rig = Rig::start(playground(), Gate::default()).await;
    let index = get(rig.address, "/").await;
    assert_eq!(index.status, 200);
    let policy = index.header("content-security-policy").expect("it has one");
    assert!(policy.starts_with("default-src 'self'; img-src 'self' data:"));
    assert!(!policy.contains("unsafe"));
    assert_eq!(index.header("x-frame-options"), Some("DENY"));
    assert_eq!(index.header("x-content-type-options"), Some("nosniff"));
    let index = index.text().await;

    let named = |quoted: &str| quoted.starts_with("./").then(|| quoted[1..].to_owned());
    let paths: Vec<String> = index.split('"').filter_map(named).collect();
    assert_eq!(paths, ["/icon.svg", "/app.js", "/app.css"]);
    for path in paths
        .iter()
        .map(String::as_str)
        .chain(["/THIRD-PARTY-LICENSES.txt"])
    {
        let file = get(rig.address, path).await;
        assert_eq!(file.status, 200, "{path}");
        assert!(!file.text().await.is_empty());
    }
    // Nothing in it runs or looks otherwise than its files say.
    assert_eq!(index.matches("<script").count(), 1);
    assert!(!index.contains("<style") && !index.contains("style="));
}

#[tokio::test]
async fn the_page_opens_before_somebody_signs_in() {
    let server = playground().owner(async |_| Err(Refusal::unauthorized("sign in")));
    let rig = Rig::start(server, Gate::default()).await;
    for path in ["/", "/app.js", "/app.css", "/icon.svg"] {
        let file = get(rig.address, path).await;
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    }
    for path in ["/info", "/tools", "/chat", "/runs"] {
        assert_eq!(
            get(rig.address, path).await.refusal().await.0,
            401,
            "{path}"
        );
    }
}

#[tokio::test]
async fn there_is_no_page_where_none_is_switched_on() {
    let rig = Rig::of([]).await;
    assert_eq!(get(rig.address, "/").await.refusal().await.0, 404);
    assert_eq!(get(rig.address, "/app.js").await.refusal().await.0, 404);
}

#[tokio::test]
async fn a_page_that_is_nested_names_its_files_from_where_it_is() {
    let (deep, running) = playground().into_router(std::future::pending());
    let (slash, also) = playground().into_router(std::future::pending());
    let running = tokio::spawn(async { tokio::join!(running, also) });
    let app = Router::new()
        .nest("/deep/{name}", deep)
        .nest("/slash/", slash);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let app = app.into_make_service_with_connect_info::<std::net::SocketAddr>();
    let serving = tokio::spawn(async { axum::serve(listener, app).await });

    let index = get(address, "/deep/page").await.text().await;
    assert!(index.contains(r#"src="./page/app.js""#), "{index}");
    assert_eq!(get(address, "/deep/page/app.js").await.status, 200);
    let index = get(address, "/slash/").await.text().await;
    assert!(index.contains(r#"src="./app.js""#), "{index}");
    assert_eq!(get(address, "/slash/app.js").await.status, 200);

    // Whoever makes the address writes nothing into the page.
    let index = get(address, "/deep/a\"b&{c}%20d").await.text().await;
    let safe = r#"src="./a%22b%26%7Bc%7D%20d/app.js""#;
    assert!(index.contains(safe), "{index}");
    serving.abort();
    running.abort();
}
