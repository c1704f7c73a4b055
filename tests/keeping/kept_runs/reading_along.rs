//! Those who read a run along: in the process that drives it, in another one, in its middle, slowly, and again.

use std::{collections::VecDeque, sync::Mutex};

use futures_util::stream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use toolwright::{
    ChatModel, ModelError,
    model::{FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream},
    run::ResumeError,
    runner::{RunEvent, RunHandle, RunReader},
    store::{InboxContent, InboxItem, RunStatus, Scope, StoreErrorKind},
};

use super::{
    deciding::{asking, pending},
    *,
};

type Piece = Result<ModelEvent, ModelError>;

/// A model whose replies the test speaks.
struct Spoken(Mutex<VecDeque<UnboundedReceiver<Piece>>>);

impl Spoken {
    /// A model of so many replies, and what speaks them.
    fn new(replies: usize) -> (Self, VecDeque<UnboundedSender<Piece>>) {
        let (speaks, replies) = (0..replies).map(|_| unbounded_channel()).unzip();
        (Self(Mutex::new(replies)), speaks)
    }
}

impl ChatModel for Spoken {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let reply = self.0.lock().expect("no test panics in it").pop_front();
        let reply = reply.expect("a response for each request");
        Box::pin(stream::unfold(reply, async |mut reply| {
            reply.recv().await.map(|piece| (piece, reply))
        }))
    }
}

fn say(reply: &UnboundedSender<Piece>, text: &str) {
    let piece = ModelEvent::Text(text.to_owned());
    reply.send(Ok(piece)).expect("somebody listens");
}

fn end(reply: UnboundedSender<Piece>) {
    let finished = ModelEvent::Finished {
        reason: FinishReason::Stop,
        raw: None,
    };
    reply.send(Ok(finished)).expect("somebody listens");
    drop(reply);
}

/// What somebody has who reads along.
#[derive(Default)]
struct Assembled {
    records: Vec<Record>,
    /// The text of the reply under way.
    text: String,
    snapshots: usize,
    resets: usize,
    pieces: usize,
}

impl Assembled {
    /// The place of the last record.
    fn last(&self) -> Option<u64> {
        (self.records.len() as u64).checked_sub(1)
    }

    fn add(&mut self, event: RunEvent) {
        match event {
            RunEvent::Recorded { sequence, record } => {
                assert_eq!(sequence, self.records.len() as u64, "each once, in order");
                self.records.push(record);
                self.text.clear();
            }
            RunEvent::Delta(ModelEvent::Text(text)) => {
                self.pieces += 1;
                self.text.push_str(&text);
            }
            RunEvent::ResponseSnapshot { after, pieces } => {
                assert_eq!(Some(after), self.last(), "of the response under way");
                self.snapshots += 1;
                self.text = pieces.iter().map(text_of).collect();
            }
            RunEvent::ResponseReset { after } => {
                assert_eq!(Some(after), self.last(), "of what was read last");
                self.resets += 1;
                self.text.clear();
            }
            _ => {}
        }
    }

    async fn next(&mut self, reader: &mut RunReader) {
        let event = reader.next().await.expect("the run goes on");
        self.add(event.expect("the store can be read"));
    }

    async fn until_text(&mut self, reader: &mut RunReader, text: &str) {
        while self.text != text {
            self.next(reader).await;
        }
    }

    async fn read_on(&mut self, reader: &mut RunReader) {
        while let Some(event) = reader.next().await {
            self.add(event.expect("the store can be read"));
        }
    }
}

fn text_of(piece: &ModelEvent) -> &str {
    match piece {
        ModelEvent::Text(text) => text,
        _ => "",
    }
}

fn runner_of(model: impl ChatModel, store: impl Store) -> Runner {
    let builder = Runner::builder(model).store("tests", store);
    builder.build().expect("is one")
}

#[tokio::test]
async fn whoever_comes_in_the_middle_of_a_reply_gets_what_there_is_of_it() {
    let (model, mut replies) = Spoken::new(1);
    let reply = replies.pop_front().unwrap();
    let store = MemoryStore::new();
    let runner = runner_of(model, store.clone());
    let run = runner.start("question").detach();
    let (mut first, mut first_has) = (
        attached(&runner, run.id(), None).await,
        Assembled::default(),
    );
    say(&reply, "one ");
    say(&reply, "two ");
    first_has.until_text(&mut first, "one two ").await;
    assert_eq!((first_has.pieces, first_has.snapshots), (2, 0));

    let (mut second, mut second_has) = (
        attached(&runner, run.id(), None).await,
        Assembled::default(),
    );
    second_has.until_text(&mut second, "one two ").await;
    assert_eq!((second_has.pieces, second_has.snapshots), (0, 1));
    say(&reply, "three");
    second_has.until_text(&mut second, "one two three").await;
    end(reply);
    first_has.read_on(&mut first).await;
    second_has.read_on(&mut second).await;

    let outcome = run.outcome().await.unwrap();
    assert_eq!(outcome.text, "one two three");
    let log = log(&store, &outcome.run_id).await;
    assert_eq!((&first_has.records, &second_has.records), (&log, &log));
    assert_eq!(
        (first.status(), first_has.resets),
        (&RunStatus::Finished, 0)
    );
}

async fn attached(runner: &Runner, run: &RunId, after: Option<u64>) -> RunReader {
    let reader = runner.attach(run, after).await;
    reader.expect("the run is there")
}

#[tokio::test]
async fn a_reader_that_is_slow_gets_a_snapshot() {
    let (model, mut replies) = Spoken::new(1);
    let reply = replies.pop_front().unwrap();
    let runner = runner_of(model, MemoryStore::new());
    let mut handle = runner.start("question");
    let (mut slow, mut has) = (
        attached(&runner, handle.id(), None).await,
        Assembled::default(),
    );
    let (mut text, mut heard) = (String::new(), String::new());
    for number in 0..5_000 {
        let piece = format!("{number} ");
        say(&reply, &piece);
        text.push_str(&piece);
    }
    // Nobody waits for the slow one.
    while heard.len() < text.len() {
        if let Some(RunEvent::Delta(ModelEvent::Text(piece))) = handle.next().await {
            heard.push_str(&piece);
        }
    }
    has.until_text(&mut slow, &text).await;
    assert_eq!((has.pieces, has.snapshots), (0, 1));
    end(reply);
    let run = handle.detach();
    has.read_on(&mut slow).await;
    assert_eq!(run.outcome().await.unwrap().text, text);
    assert!(matches!(has.records.last(), Some(Record::Finished { .. })));
}

#[tokio::test]
async fn a_run_that_is_over_is_read_from_each_place() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay", "look"])]), &tools, store.clone());
    let runner = runner.build().unwrap();
    let run_id = runner.run("buy").await.unwrap().run_id;
    let log = log(&store, &run_id).await;
    for read in 0..=log.len() {
        let after = (read as u64).checked_sub(1);
        let mut reader = attached(&runner, &run_id, after).await;
        let mut has = Assembled {
            records: log[..read].to_vec(),
            ..Assembled::default()
        };
        has.read_on(&mut reader).await;
        assert_eq!(has.records, log);
    }
    let mut reader = attached(&runner, &run_id, Some(u64::MAX)).await;
    assert!(reader.next().await.is_none());
}

#[tokio::test]
async fn a_run_goes_on_when_nobody_reads() {
    let (tools, ran) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay", "look"])]), &tools, store.clone());
    let runner = runner.build().unwrap();
    let run_id = {
        let run = runner.start("buy").detach();
        let mut reader = attached(&runner, run.id(), None).await;
        reader.next().await.unwrap().unwrap();
        run.id().clone()
    };
    let mut reader = attached(&runner, &run_id, None).await;
    Assembled::default().read_on(&mut reader).await;
    assert_eq!(reader.status(), &RunStatus::Finished);
    assert_eq!(ran.counts(), (1, 1));
}

#[tokio::test]
async fn a_reply_that_is_asked_again_begins_anew() {
    let (model, mut replies) = Spoken::new(2);
    let store = MemoryStore::new();
    let runner = runner_of(model, store.clone());
    let mut handle = runner.start("question");
    let run_id = handle.id().clone();
    let (mut reader, mut has) = (attached(&runner, &run_id, None).await, Assembled::default());
    say(&replies[0], "half an ");
    while !matches!(handle.next().await, Some(RunEvent::Delta(_))) {}
    has.until_text(&mut reader, "half an ").await;
    // As if the process were gone: its lease is that of nobody.
    drop(handle);
    replies.pop_front();
    let lease = store.load(Scope::All, &run_id, 0).await.unwrap().held_until;
    assert!(lease.is_some());
    store
        .abandon(Scope::All, &RunId::new("another"))
        .await
        .unwrap_err();
    release(&store, &run_id).await;
    let run = runner.resume(&run_id).start().await.unwrap().detach();
    let reply = replies.pop_front().unwrap();
    say(&reply, "a whole answer");
    end(reply);
    has.read_on(&mut reader).await;
    assert_eq!(run.outcome().await.unwrap().text, "a whole answer");
    assert_eq!(has.resets, 1);
    assert_eq!(has.records, log(&store, &run_id).await);
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_asked_again_also_when_somebody_reads_along() {
    let (model, mut replies) = Spoken::new(2);
    let runner = Runner::builder(model).store("tests", MemoryStore::new());
    let runner = runner.build().unwrap();
    let run = runner.start("question").detach();
    let (mut reader, mut has) = (
        attached(&runner, run.id(), None).await,
        Assembled::default(),
    );
    let broken = replies.pop_front().unwrap();
    say(&broken, "half an ");
    has.until_text(&mut reader, "half an ").await;
    let gone = ModelError::new(ModelErrorKind::Transport, "gone");
    broken.send(Err(gone)).unwrap();
    let whole = replies.pop_front().unwrap();
    say(&whole, "a whole answer");
    has.until_text(&mut reader, "a whole answer").await;
    end(whole);
    has.read_on(&mut reader).await;
    assert_eq!(has.resets, 1);
    assert_eq!(run.outcome().await.unwrap().text, "a whole answer");
}

#[tokio::test]
async fn another_process_reads_whole_records() {
    let (model, mut replies) = Spoken::new(1);
    let store = MemoryStore::new();
    let runner = runner_of(model, store.clone());
    // It has only the store in common with the one that drives.
    let elsewhere = runner_of(Spoken::new(0).0, store.clone());
    let mut handle = runner.start("question");
    handle.next().await.unwrap();
    let (mut reader, mut has) = (
        attached(&elsewhere, handle.id(), None).await,
        Assembled::default(),
    );
    let run = handle.detach();
    let reply = replies.pop_front().unwrap();
    say(&reply, "answer");
    end(reply);
    has.read_on(&mut reader).await;
    assert_eq!((has.pieces, has.snapshots), (0, 0));
    assert_eq!(has.records, log(&store, run.id()).await);
    assert_eq!(reader.status(), &RunStatus::Finished);
}

#[tokio::test]
async fn a_run_is_read_that_begins_later() {
    let (model, mut replies) = Spoken::new(1);
    let runner = runner_of(model, MemoryStore::new());
    let handle = runner.start("question");
    let mut reader = attached(&runner, handle.id(), None).await;
    let reply = replies.pop_front().unwrap();
    say(&reply, "answer");
    end(reply);
    let run = handle.detach();
    let mut has = Assembled::default();
    has.read_on(&mut reader).await;
    assert!(matches!(has.records[0], Record::Started { .. }));
    assert_eq!(run.outcome().await.unwrap().text, "answer");
}

#[tokio::test]
async fn a_run_that_never_began_is_an_error() {
    let store = MemoryStore::new();
    let runner = runner_of(Spoken::new(0).0, store);
    let handle = runner.start("question");
    let mut reader = attached(&runner, handle.id(), None).await;
    drop(handle);
    let error = reader.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::NotFound);
    assert!(reader.next().await.is_none());

    let none = runner.attach(&RunId::new("none"), None).await.unwrap_err();
    let ResumeError::Store(error) = none else {
        panic!("the store says it: {none}");
    };
    assert_eq!(error.kind, StoreErrorKind::NotFound);

    let runner = Runner::builder(Spoken::new(0).0).build().unwrap();
    let error = runner.attach(&RunId::new("none"), None).await.unwrap_err();
    assert!(matches!(error, ResumeError::NoStore));
}

#[tokio::test]
async fn a_suspended_run_is_read_to_where_it_waits() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let runner = builder(&model([calls(&["pay"])]), &asking(&ran), store.clone());
    let runner = runner.suspends().build().unwrap();
    let run = runner.start("buy").detach();
    let run_id = run.id().clone();
    let (mut reader, mut has) = (attached(&runner, &run_id, None).await, Assembled::default());
    has.read_on(&mut reader).await;
    assert_eq!(*reader.status(), RunStatus::Suspended);
    let loaded = store.load(Scope::All, &run_id, 0).await.unwrap();
    let approve = InboxContent::Resolution(pending(&loaded).approve());
    let item = InboxItem::with_id("click", approve);
    run.outcome().await.unwrap();
    store.put(Scope::All, &run_id, &item).await.unwrap();
    let run = runner.resume(&run_id).start().await.unwrap().detach();
    let mut reader = attached(&runner, &run_id, has.last()).await;
    has.read_on(&mut reader).await;
    run.outcome().await.unwrap();
    assert_eq!(ran.counts(), (1, 0));
    assert_eq!(has.records, log(&store, &run_id).await);
    assert_eq!(has.resets, 0);
}

/// A run whose driver has said half a reply, and then lost the run since nobody polls it.
async fn asleep_in_a_reply(
    runner: &Runner,
    store: &MemoryStore,
    reply: &UnboundedSender<Piece>,
) -> (RunHandle, RunReader, Assembled) {
    let mut asleep = runner.start("question");
    let (mut reader, mut has) = (
        attached(runner, asleep.id(), None).await,
        Assembled::default(),
    );
    say(reply, "half an ");
    while !matches!(asleep.next().await, Some(RunEvent::Delta(_))) {}
    has.until_text(&mut reader, "half an ").await;
    release(store, asleep.id()).await;
    (asleep, reader, has)
}

/// A driver that nobody polls has lost its run, and says nothing of it.
#[tokio::test(start_paused = true)]
async fn a_reader_finds_the_driver_that_took_over() {
    let (model, mut replies) = Spoken::new(2);
    let store = MemoryStore::new();
    let runner = runner_of(model, store.clone());
    let (asleep, mut reader, mut has) = asleep_in_a_reply(&runner, &store, &replies[0]).await;
    let (answers, mut answer) = Spoken::new(1);
    let elsewhere = runner_of(answers, store.clone());
    let run = elsewhere
        .resume(asleep.id())
        .start()
        .await
        .unwrap()
        .detach();
    let answer = answer.pop_front().unwrap();
    say(&answer, "a whole answer");
    end(answer);
    has.read_on(&mut reader).await;
    assert_eq!(has.records, log(&store, asleep.id()).await);
    assert_eq!(
        (run.outcome().await.unwrap().text.as_str(), has.resets),
        ("a whole answer", 1)
    );
    replies.clear();
}

/// The runner resumes a run whose old handle is still there and says nothing.
#[tokio::test(start_paused = true)]
async fn a_reader_finds_the_driver_that_took_over_here() {
    let (model, mut replies) = Spoken::new(2);
    let store = MemoryStore::new();
    let runner = runner_of(model, store.clone());
    let (asleep, mut reader, mut has) = asleep_in_a_reply(&runner, &store, &replies[0]).await;
    let run = runner.resume(asleep.id()).start().await.unwrap().detach();
    while has.resets == 0 {
        has.next(&mut reader).await;
    }
    let answer = replies.pop_back().unwrap();
    say(&answer, "a whole answer");
    has.until_text(&mut reader, "a whole answer").await;
    end(answer);
    has.read_on(&mut reader).await;
    assert_eq!(has.records, log(&store, asleep.id()).await);
    run.outcome().await.unwrap();
}

#[tokio::test]
async fn a_run_may_be_deleted_when_its_end_was_read() {
    let store = MemoryStore::new();
    let runner = runner_of(model([]), store.clone());
    let handle = runner.start("question");
    let mut reader = attached(&runner, handle.id(), None).await;
    let run = handle.detach();
    let mut has = Assembled::default();
    while !matches!(has.records.last(), Some(Record::Finished { .. })) {
        has.next(&mut reader).await;
    }
    let run_id = run.outcome().await.unwrap().run_id;
    store.delete_run(Scope::All, &run_id).await.unwrap();
    assert!(reader.next().await.is_none());
}

/// Whatever is cut, and whenever, the rest makes it whole.
#[tokio::test]
async fn readers_that_come_and_go_have_each_record_once() {
    for seed in 0..200_u64 {
        let rounds = (0..6).map(|_| calls(&["pay", "look"]));
        let (tools, _) = tools();
        let store = MemoryStore::new();
        let runner = builder(&model(rounds), &tools, store.clone());
        let runner = runner.build().unwrap();
        let run = runner.start("buy").detach();
        let mut has = Assembled::default();
        let mut random = seed;
        loop {
            let mut reader = attached(&runner, run.id(), has.last()).await;
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let mut events = random >> 60;
            while events > 0
                && let Some(event) = reader.next().await
            {
                has.add(event.unwrap());
                has.text.clear();
                events -= 1;
            }
            if events > 0 {
                break;
            }
        }
        let outcome = run.outcome().await.unwrap();
        assert_eq!(has.records, log(&store, &outcome.run_id).await, "{seed}");
    }
}
