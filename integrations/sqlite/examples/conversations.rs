//! A chat that is kept in SQLite: several conversations at once, each continued by its id, also after a restart.
//!
//! ```text
//! cargo run -p toolwright-sqlite --example conversations                          plays all of it, offline
//! cargo run -p toolwright-sqlite --example conversations -- chats.db              lists what the file keeps
//! cargo run -p toolwright-sqlite --example conversations -- chats.db ada Hello!   begins `ada`, or goes on with it
//! OPENAI_API_KEY=… cargo run -p toolwright-sqlite --example conversations -- --live chats.db ada Hello!
//! ```
//!
//! Nothing is sent to anybody without `--live`.

use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use futures_util::{FutureExt, stream};
use toolwright::{
    ChatModel, Conversation, Message, ModelResponse, OpenAiChat, Runner,
    message::Part,
    model::{ModelRequest, ModelStream},
    runner::WhenBusy,
    store::{ConversationId, ConversationVersion, Scope, SqliteStore, Store},
};

/// A model that remembers what it was told first.
struct Friend;

impl ChatModel for Friend {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let said = request.messages.iter().filter_map(|message| match message {
            Message::User(message) => Some(&message.parts),
            Message::Assistant(_) => None,
        });
        let mut said = said.flatten().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            _ => None,
        });
        let first = said.next().cloned().unwrap_or_default();
        let answer = match said.count() {
            0 => "Hello! I shall remember that.".to_owned(),
            more => format!("You began with \"{first}\", and said {more} more."),
        };
        let events = ModelResponse::from_text(answer).into_events();
        let slow = async move {
            // Stands for a service, so that you can see the conversations go on side by side.
            tokio::time::sleep(Duration::from_millis(100)).await;
            stream::iter(events.into_iter().map(Ok))
        };
        Box::pin(slow.flatten_stream())
    }
}

/// The conversations of a file.
struct Chats {
    runner: Runner,
    store: SqliteStore,
}

impl Chats {
    async fn open(file: &Path, live: bool) -> Result<Self, Box<dyn Error>> {
        let store = SqliteStore::open(file).await?;
        let builder = if live {
            Runner::builder(OpenAiChat::from_env("gpt-5.1-mini")?)
        } else {
            Runner::builder(Friend)
        };
        let runner = builder
            .system("Be brief.")
            .store("chats", store.clone())
            .lease_time(Duration::from_secs(5))
            // What is said while an answer is under way is said after it.
            .when_busy(WhenBusy::Wait)
            .build()?;
        tokio::spawn(recover(runner.clone()));
        Ok(Self { runner, store })
    }

    /// Says something in a conversation, which begins with it if there is none of this id.
    async fn say(&self, id: &str, text: &str) -> Result<(), Box<dyn Error>> {
        let request = self.runner.with_owner(id).request(text);
        let outcome = request.within(ConversationId::new(id)).run().await?;
        println!("{id}: {text}\n   {outcome}");
        Ok(())
    }

    /// Prints all conversations, those that changed last first.
    async fn list(&self) -> Result<(), Box<dyn Error>> {
        let mut after = None;
        loop {
            let page = self
                .store
                .conversations(Scope::All, after.as_deref(), 20)
                .await?;
            for chat in page.items {
                let messages = self.load(&chat.id).await?.messages().len();
                println!(
                    "{} has {messages} messages, in version {}",
                    chat.id, chat.version
                );
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(()),
            }
        }
    }

    async fn load(&self, id: &ConversationId) -> Result<Conversation, Box<dyn Error>> {
        let versions = self.store.conversation(Scope::All, id, 0, None).await?;
        Ok(ConversationVersion::join(&versions)?)
    }
}

/// Goes on with what a process left that is gone, as soon as its lease is over. Until then the conversation is taken.
async fn recover(runner: Runner) {
    loop {
        for run in runner.recover().await.unwrap_or_default() {
            match run.handle {
                Ok(handle) => drop(tokio::spawn(handle.outcome())),
                Err(error) => eprintln!("{} does not go on: {error}", run.run_id),
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Plays several people, then the same program once more.
async fn play(file: &Path) -> Result<(), Box<dyn Error>> {
    let chats = Chats::open(file, false).await?;
    println!("Three people write at once, one of them twice:");
    tokio::try_join!(
        chats.say("ada", "I fly to Oslo."),
        chats.say("ben", "I like trains."),
        chats.say("cleo", "It rains."),
        chats.say("ben", "And boats."),
    )?;
    drop(chats);

    println!("The program starts again:");
    let again = |arguments: &[&str]| -> Result<(), Box<dyn Error>> {
        let mut program = Command::new(env::current_exe()?);
        let status = program.arg(file).args(arguments).status()?;
        status.success().then_some(()).ok_or("it failed".into())
    };
    again(&["ada", "Where do I fly?"])?;
    again(&[])?;
    println!("Shown: conversations in one file, side by side, each in its order, after a restart.");
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let live = arguments.iter().any(|argument| argument == "--live");
    arguments.retain(|argument| argument != "--live");
    match &arguments[..] {
        [] => {
            let folder = env::temp_dir().join(format!("toolwright-chats-{}", std::process::id()));
            std::fs::create_dir_all(&folder)?;
            let played = play(&folder.join("chats.db")).await;
            std::fs::remove_dir_all(&folder)?;
            played
        }
        [file] => Chats::open(&PathBuf::from(file), live).await?.list().await,
        [file, id, words @ ..] => {
            let chats = Chats::open(&PathBuf::from(file), live).await?;
            chats.say(id, &words.join(" ")).await
        }
    }
}
