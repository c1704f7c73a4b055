//! All who get something of a run: readers, stores, logs, tools, and models with later requests.

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
};

use toolwright::{
    ChatModel, Runner, ToolInput,
    emulation::{Emulated, ToolEmulation},
    model::{Fallback, Guarded, Retry},
    run::ContextWindow,
    runner::{Agent, RunEvent, RunnerBuilder},
    store::{ConversationId, MemoryStore, RunFilter, Scope, Store},
    streams::{AgUiStream, Frame, PlainStream, UiMessageStream},
    tool, toolset,
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use super::scripts::{Around, Model, Script};

/// What one of them has got, as text.
pub(super) type Got = (String, String);

#[derive(Debug, serde::Deserialize, ToolInput)]
struct Word {
    #[expect(dead_code, reason = "it is printed")]
    word: String,
}

/// Look up a word.
#[tool(read_only)]
fn look_up(word: String) -> String {
    format!("{} letters", word.len())
}

/// Writes down all spans and events of this thread.
#[derive(Clone, Default)]
pub(super) struct Traces(Arc<Mutex<String>>);

impl Traces {
    pub(super) fn with(&self, write: impl FnOnce(&mut String)) {
        write(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        writeln!(self.0, "{field}={value:?}").expect("a text takes everything");
    }
}

impl Subscriber for Traces {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.with(|traces| span.record(&mut Fields(traces)));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        self.with(|traces| values.record(&mut Fields(traces)));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.with(|traces| event.record(&mut Fields(traces)));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A runner of a model, with a check of its answers or without.
fn builder(model: &Model, script: &Script, is_guarded: bool) -> RunnerBuilder {
    let secret = script.secret.text.clone();
    let check = move |said: String| {
        let tells = said.contains(&secret);
        async move {
            if tells {
                Err("it tells a secret")
            } else {
                Ok(())
            }
        }
    };
    let guarded = |model: Box<dyn ChatModel>| -> Box<dyn ChatModel> {
        if !is_guarded {
            return model;
        }
        Box::new(Guarded::new(model).check_answer(check))
    };
    let emulated = |model| Emulated::new(model, ToolEmulation::Fallback);
    let model = Box::new(model.clone());
    let model: Box<dyn ChatModel> = match script.around {
        Around::Nothing => guarded(model),
        Around::Retries => Box::new(Retry::new(Fallback::new([guarded(model)]))),
        Around::RetriesInside => guarded(Box::new(Retry::new(Fallback::new([model])))),
        Around::Emulation => Box::new(emulated(guarded(model))),
        Around::EmulationInside => guarded(Box::new(emulated(model))),
    };
    Runner::builder(model).streaming(script.streaming)
}

/// Runs a script, and then says more in its conversation. It gives what each of them has got.
pub(super) async fn all_of(script: &Script, is_guarded: bool) -> Vec<Got> {
    let models =
        [&script.main, &script.clerk, &script.billing].map(|turns| Model::new(turns.clone()));
    let [main, clerk, billing] = &models;
    let clerk = builder(clerk, script, is_guarded).tools(toolset![look_up]);
    let clerk = clerk.build().expect("is sound");
    let clerk = clerk.as_tool("ask_clerk", "Finds out what is asked.");
    let billing = builder(billing, script, is_guarded)
        .build()
        .expect("is sound");
    let tools = toolset![look_up].with(clerk.expect("is a tool"));
    let tools = tools.expect("two names");
    let store = MemoryStore::new();
    let mut runner = builder(main, script, is_guarded)
        .tools(tools)
        .agent(Agent::new("billing", "Knows about money.", billing))
        .store("guardrails", store.clone());
    if script.is_summarized {
        let window = ContextWindow::new(4_000).with_reserve(1_000).with_summary();
        runner = runner.context_window(window);
    }
    if let Some(means) = &script.typed {
        runner = runner.answer_means(means.clone());
    }
    let runner = runner.build().expect("is sound");
    let chat = ConversationId::new("chat");
    let request = runner.request("What is the word?").within(chat);

    let traces = Traces::default();
    let subscribed = tracing::subscriber::set_default(traces.clone());
    let mut got: Vec<Got> = Vec::new();
    let mut events = Vec::new();
    let id = if script.typed.is_some() {
        let mut handle = request.answer_as::<Word>().start();
        while let Some(event) = handle.next().await {
            events.push(event);
        }
        let id = handle.id().clone();
        got.push(("answer".into(), format!("{:?}", handle.answer().await)));
        id
    } else {
        let mut handle = request.start();
        while let Some(event) = handle.next().await {
            events.push(event);
        }
        let id = handle.id().clone();
        let outcome = handle.outcome().await;
        if let Err(error) = &outcome {
            got.push(("error".into(), error.to_string()));
        }
        got.push(("outcome".into(), format!("{outcome:?}")));
        id
    };
    let mut reader = runner.attach(&id, None).await.expect("it is stored");
    while let Some(event) = reader.next().await {
        got.push(("reader".into(), format!("{event:?}")));
    }
    got.push(("events".into(), format!("{events:?}")));
    let logged = events.iter().filter_map(|event| match event {
        RunEvent::Recorded { record, .. } => serde_json::to_string(record).ok(),
        _ => None,
    });
    got.push(("log".into(), logged.collect()));
    got.extend(frames(id.as_str(), &events));
    let more = runner.run("And now?").await;
    got.push(("next turn".into(), format!("{more:?}")));
    got.extend(stored(&store).await);
    drop(subscribed);
    traces.with(|traces| got.push(("traces".into(), traces.clone())));
    for (name, model) in ["main", "clerk", "billing"].iter().zip(&models) {
        got.push((
            format!("requests to {name}"),
            format!("{:?}", model.requests()),
        ));
    }
    got
}

/// The three streams for front ends, in both versions of the first.
pub(super) fn frames(id: &str, events: &[RunEvent]) -> Vec<Got> {
    fn sse<T: serde::Serialize>(frames: &[Frame<T>]) -> String {
        frames.iter().map(Frame::to_sse).collect()
    }
    let ui = |mut stream: UiMessageStream| {
        let mut all: Vec<_> = events.iter().flat_map(|event| stream.push(event)).collect();
        all.extend(stream.end());
        sse(&all)
    };
    let mut ag_ui = AgUiStream::new("chat", id);
    let mut of_ag_ui: Vec<_> = events.iter().flat_map(|event| ag_ui.push(event)).collect();
    of_ag_ui.extend(ag_ui.end());
    let mut plain = PlainStream::new();
    let mut of_plain: Vec<_> = events.iter().flat_map(|event| plain.push(event)).collect();
    of_plain.extend(plain.end());
    vec![
        ("frames of `ai` 6".into(), ui(UiMessageStream::new(id))),
        (
            "frames of `ai` 7".into(),
            ui(UiMessageStream::new(id).for_version_7()),
        ),
        ("frames of AG-UI".into(), sse(&of_ag_ui)),
        ("plain frames".into(), sse(&of_plain)),
    ]
}

/// All that a store has: runs, those of sub-agents as well, with their logs, and conversations.
pub(super) async fn stored(store: &MemoryStore) -> Vec<Got> {
    let mut got = Vec::new();
    let runs = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("is listed");
    for run in &runs.items {
        let id = &run.info.run_id;
        let loaded = store.load(Scope::All, id, 0).await.expect("is loaded");
        got.push((format!("store, run {id}"), format!("{run:?} {loaded:?}")));
    }
    let chat = ConversationId::new("chat");
    let versions = store
        .conversation(Scope::All, &chat, 0, None)
        .await
        .expect("is read");
    got.push(("store, conversation".into(), format!("{versions:?}")));
    got
}
