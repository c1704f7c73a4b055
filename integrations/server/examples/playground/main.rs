//! A page in a browser in which a person tries the tools, talks to a model and looks at its runs.
//!
//! ```text
//! cargo run -p toolwright-server --example playground                                       offline, no key
//! OPENAI_API_KEY=… cargo run -p toolwright-server --example playground -- --live            OpenAI; sends what is typed
//! cargo run -p toolwright-server --example playground -- --port 8000 --file chats.db        an address and a file that stay
//! ```
//!
//! `--token secret` asks everybody who calls for that token. It listens on loopback only, and ends with Ctrl-C, or when its input does. Offline a model answers by rule:
//! `slow_model.rs` says what it knows.

mod slow_model;
mod tools;

use std::{
    env,
    error::Error,
    fs,
    future::ready,
    io::{IsTerminal, stdin},
    path::PathBuf,
};

use slow_model::SlowModel;
use tokio::{io::AsyncReadExt, net::TcpListener};
use tools::{book_seat, get_weather, measure_air, note, order_meal, pack_bag, suggest_clothes};
use toolwright::{
    OpenAiChat, Runner,
    server::{Caller, Refusal, Server, Visit},
    store::SqliteStore,
    toolset,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("toolwright-playground-{}", std::process::id()));
    let file = if let Some(file) = value_of("--file") {
        PathBuf::from(file)
    } else {
        fs::create_dir_all(&folder)?;
        folder.join("playground.db")
    };
    let port: u16 = value_of("--port").map_or(Ok(0), |port| port.parse())?;

    let runner = runner(SqliteStore::open(&file).await?)?;
    let mut server = Server::new(runner)?
        .playground(true)
        .suggestions([
            "What should I wear today in Oslo, Cairo and Lima?",
            "Book the trains to Oslo and to Bergen.",
            "Tell me a story.",
        ])
        .calls_by_hand()
        // The visitor is the developer.
        .self_approval();
    if let Some(token) = value_of("--token") {
        let wanted = format!("Bearer {token}");
        server = server.owner(move |visit: Visit| {
            let token = visit.headers.get("authorization");
            let is_known = token.is_some_and(|token| token == wanted.as_str());
            let caller = is_known.then(|| Caller::owner("developer"));
            ready(caller.ok_or_else(|| Refusal::unauthorized("the token is not known")))
        });
    }
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("The playground is at http://{}/", listener.local_addr()?);
    server.serve(listener, ended()).await;

    // It is there only if no file was named.
    fs::remove_dir_all(&folder).ok();
    println!(
        "Shown: tools that a person tries in a browser, and runs of a model that they read along."
    );
    Ok(())
}

fn runner(store: SqliteStore) -> Result<Runner, Box<dyn Error>> {
    let builder = if env::args().any(|argument| argument == "--live") {
        let model = env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5.1-mini".into());
        Runner::builder(OpenAiChat::from_env(model)?)
    } else {
        Runner::builder(SlowModel)
    };
    Ok(builder
        .system("You help travellers. Ask for several things at once. Be brief.")
        .tools(toolset![
            get_weather,
            suggest_clothes,
            measure_air,
            pack_bag,
            note,
            book_seat,
            order_meal
        ])
        .max_rounds(4)
        .store("playground", store)
        // Calls that need an approval wait for the person at the page.
        .suspends()
        .build()?)
}

/// The argument after this one.
fn value_of(name: &str) -> Option<String> {
    env::args().skip_while(|argument| argument != name).nth(1)
}

/// Waits for Ctrl-C, or where nobody types for the end of the input.
async fn ended() {
    if stdin().is_terminal() {
        tokio::signal::ctrl_c().await.ok();
        return;
    }
    let (mut input, mut nothing) = (tokio::io::stdin(), Vec::new());
    input.read_to_end(&mut nothing).await.ok();
}
