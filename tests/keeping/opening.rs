//! Stores by their addresses.

use std::env;

use futures_util::future::join_all;
use toolwright::{
    ModelResponse, Runner,
    store::{self, RunFilter, Scope, Store, StoreErrorKind},
    testing::ScriptedModel,
};

async fn runs_in(address: &str) -> usize {
    let store = store::open(address).await.expect("it opens");
    let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    let runner = Runner::builder(model).store("opening", store.clone());
    let runner = runner.build().expect("it is consistent");
    runner.run("Say hello.").await.expect("it answers");
    let runs = store.list(Scope::All, &RunFilter::default()).await;
    runs.expect("it is readable").items.len()
}

#[tokio::test]
async fn an_address_names_a_store() {
    for address in [
        "memory:",
        "memory://",
        "sqlite::memory:",
        "sqlite://:memory:",
    ] {
        assert_eq!(runs_in(address).await, 1, "{address}");
        assert_eq!(
            runs_in(address).await,
            1,
            "{address} is a new one each time"
        );
    }
    let folder = env::temp_dir().join(format!("toolwright-opening-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be created");
    let file = folder.join("with space%20.db");
    for (before, address) in [
        format!("sqlite://{}", file.display()),
        format!("sqlite:{}", file.display()),
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(runs_in(address).await, before + 1, "{address}");
    }
    assert!(file.exists(), "the path is taken as it is written");
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[tokio::test]
async fn an_address_of_no_store_is_refused() {
    for address in [
        "",
        ":",
        "runs.db",
        "memory",
        "memory:runs",
        "sqlite:",
        "sqlite://",
        "sqlite://runs.db?mode=rwc",
        "mysql://localhost/shop",
        "postgres:shop",
        "redis://",
        "Postgres://localhost/shop",
    ] {
        let refused = store::open(address)
            .await
            .err()
            .unwrap_or_else(|| panic!("{address} was opened"));
        assert_eq!(
            refused.kind,
            StoreErrorKind::Unavailable,
            "{address}: {refused}"
        );
    }
    let refused = store::open("mysql://localhost")
        .await
        .err()
        .expect("it is not known");
    let all = "no store has the scheme `mysql:`: this build has `memory:`, `sqlite:`, `postgres:`";
    assert_eq!(refused.to_string(), all);
}

/// Nothing listens at port 1.
#[tokio::test]
async fn a_password_is_in_no_error() {
    let mut addresses = vec![
        "postgres:ada:hunter2@127.0.0.1:1/shop".to_owned(),
        "ada:hunter2@127.0.0.1:1/shop".to_owned(),
        "host=127.0.0.1 port=1 password=hunter2".to_owned(),
        "postgres://ada:hunter2".to_owned(),
    ];
    let odd = [
        "", "@", "/", "?", "=", "&", "#", "%", "%zz", "[", ":", "@/", "@?", "@:", "@[", "@/?a=",
    ];
    for odd in odd {
        for password in [
            format!("{odd}hunter2"),
            format!("x{odd}hunter2=y"),
            format!("hunter2{odd}"),
        ] {
            for scheme in ["postgres", "postgresql", "mysql"] {
                addresses.push(format!("{scheme}://ada:{password}@127.0.0.1:1/shop"));
            }
        }
    }
    let refused = join_all(addresses.iter().map(|address| async move {
        let refused = store::open(address).await.err();
        (
            address,
            refused.unwrap_or_else(|| panic!("{address} was opened")),
        )
    }));
    for (address, refused) in refused.await {
        let shown = format!("{refused} {refused:?}");
        assert!(!shown.contains("hunter2"), "{address}: {shown}");
    }
}
