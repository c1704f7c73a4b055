//! Many runs at once in one store, driven by several processes, of which one after the other is killed and started again.

mod child;

use std::{
    collections::BTreeMap,
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use toolwright::{
    Message,
    message::text_of,
    run::{Finish, Record, Run},
    store::{
        ConversationId, ConversationVersion, Entry, RunFilter, RunStatus, RunSummary, Scope, Store,
    },
};

use super::processes::{Folder, Kind, Numbers, Process, Signal, began, number};

/// For how many seconds runs are begun and processes are killed; 60 for a long test.
const SECONDS: &str = "TOOLWRIGHT_TEST_SECONDS";
/// The time after which no process begins a run, in milliseconds since 1970.
const UNTIL_MS: &str = "TOOLWRIGHT_TEST_UNTIL_MS";
/// The number of conversations, each of which has one run at a time.
const CONVERSATIONS: u64 = 50;
const PROCESSES: u64 = 4;

/// A process, and what it says. Nobody prints that.
struct Started {
    process: Process,
    said: Receiver<String>,
}

impl Started {
    /// Starts a process, which begins runs until then.
    fn new(folder: &Folder, kind: Kind, until_ms: u64) -> Self {
        let until = [(UNTIL_MS, until_ms.to_string())];
        let test = "many_runs::child::drives_many_runs";
        let (process, lines) = Process::start(test, folder.path(), kind, None, &until);
        let (tell, said) = channel();
        thread::spawn(move || lines.for_each(|line| drop(tell.send(line))));
        Self { process, said }
    }

    /// Kills it when it has just begun a run, which is then left to others. It gives what the process said.
    fn kill(mut self) -> Vec<String> {
        let mut said: Vec<_> = self.said.try_iter().collect();
        for line in &self.said {
            let begins = line == "begun";
            said.push(line);
            if begins {
                break;
            }
        }
        self.process.signal(Signal::Kill);
        self.process.succeeds();
        said.extend(self.said);
        said
    }

    /// Waits for its end. It gives what the process said.
    fn ends(mut self) -> Vec<String> {
        let said = self.said.iter().collect();
        assert!(self.process.succeeds(), "a process failed");
        said
    }
}

/// What is in the log of a run.
struct Logged {
    records: Vec<Record>,
    resumed: usize,
}

async fn log(store: &dyn Store, run: &RunSummary) -> Logged {
    let id = &run.info.run_id;
    assert_eq!(run.status, RunStatus::Finished, "{id}");
    let loaded = store.load(Scope::All, id, 0).await.expect("it is there");
    let entries = (0..).zip(&loaded.entries);
    let entries: Vec<_> = entries
        .map(|(place, text)| Entry::from_text(text, id, place).expect("is whole"))
        .collect();
    assert!(
        entries.is_sorted_by_key(|entry| entry.lease),
        "{id}: a record of a stale driver was accepted"
    );
    let mut records: Vec<_> = entries.into_iter().map(|entry| entry.record).collect();
    let resumed = |record: &&Record| matches!(record, Record::Resumed { .. });
    let resumed = records.iter().filter(resumed).count();
    // What was said before is stored once, in the conversation.
    let conversation = run.info.conversation.as_ref().expect("each has one");
    if let Record::Started {
        conversation: then, ..
    } = &mut records[0]
    {
        let versions =
            store.conversation(Scope::All, &conversation.id, 0, Some(conversation.version));
        *then = ConversationVersion::join(&versions.await.expect("is read")).expect("is sound");
    }
    Logged { records, resumed }
}

/// Checks what is left when all runs are over. It gives their number, and how often one was resumed.
async fn check(folder: &Folder, store: &dyn Store) -> (usize, usize) {
    let paid = began(folder.path(), "pay");
    assert!(paid.values().all(|times| *times == 1), "{paid:?}");
    let looked = began(folder.path(), "look");
    let (mut runs, mut resumed) = (BTreeMap::<_, usize>::new(), 0);
    let mut filter = RunFilter::default();
    loop {
        let page = store.list(Scope::All, &filter).await.expect("it is read");
        for run in &page.items {
            let log = log(store, run).await;
            resumed += log.resumed;
            let (run, missing) = Run::replay(&log.records).expect("is the log of a run");
            assert!(missing.is_empty());
            let outcome = run.outcome().expect("it is over");
            assert_eq!(outcome.finish, Finish::Answered);
            for round in outcome.tool_rounds() {
                for (call, result) in round.calls().zip(&round.results) {
                    let began = if call.name == "pay" { &paid } else { &looked };
                    if result.is_error() {
                        let text = result.to_model_text();
                        assert!(text.contains("may have taken effect"), "{text}");
                    } else {
                        assert!(began.contains_key(&call.id), "{}", call.id);
                    }
                }
            }
        }
        for run in page.items {
            let conversation = run.info.conversation.expect("each has one");
            *runs.entry(conversation.id).or_default() += 1;
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => break,
        }
    }
    for (conversation, runs) in &runs {
        check_conversation(store, conversation, *runs).await;
    }
    (runs.values().sum(), resumed)
}

/// Each run of a conversation has added a version: its question, and the answer to this question.
async fn check_conversation(store: &dyn Store, id: &ConversationId, runs: usize) {
    let versions = store
        .conversation(Scope::All, id, 0, None)
        .await
        .expect("it is read");
    assert_eq!(versions.len(), runs, "{id}");
    let conversation = ConversationVersion::join(&versions).expect("is sound");
    let messages = conversation.messages();
    assert_eq!(messages.len(), 2 * runs, "{id}: {versions:#?}");
    for pair in messages.chunks(2) {
        let [Message::User(question), Message::Assistant(answer)] = pair else {
            panic!("{id}: {pair:?}");
        };
        assert_eq!(text_of(&question.parts), text_of(&answer.parts), "{id}");
    }
}

async fn many_runs(kind: Kind, seed: u64) {
    let mut numbers = Numbers(seed);
    let (seconds, from) = (number(SECONDS).unwrap_or(2), Instant::now());
    let folder = Folder::new(&format!("many-{}", kind.name()));
    // The store is made once.
    let store = kind.open(folder.path()).await;
    let until = SystemTime::now() + Duration::from_secs(seconds);
    let until = until.duration_since(UNIX_EPOCH).expect("after 1970");
    let until_ms = u64::try_from(until.as_millis()).expect("a time of this age");
    let start = |_| Started::new(&folder, kind, until_ms);
    let mut processes: Vec<_> = (0..PROCESSES).map(start).collect();
    let mut said = Vec::new();
    for second in 0..seconds {
        let kills = Duration::from_secs(second) + Duration::from_millis(500);
        thread::sleep(kills.saturating_sub(from.elapsed()));
        let place = usize::try_from(numbers.below(PROCESSES)).expect("a small number");
        said.extend(processes.swap_remove(place).kill());
        processes.push(start(second));
    }
    for process in processes {
        said.extend(process.ends());
    }
    let ended = from.elapsed();
    let (runs, resumed) = check(&folder, &*store).await;
    let count = |what: &str| said.iter().filter(|said| *said == what).count();
    println!(
        "seed {seed}: {seconds} kills, {runs} runs over {}, {resumed} resumed, {} lost, {} unanswered, {} parked, in {ended:?}",
        kind.name(),
        count("lost"),
        count("unanswered"),
        count("parked"),
    );
    assert!(runs as u64 >= PROCESSES, "only {runs} runs");
    assert!(resumed > 0, "no run was resumed");
}

#[tokio::test]
async fn runs_of_killed_processes_go_on_in_others_in_sqlite() {
    many_runs(Kind::Sqlite, 59).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn runs_of_killed_processes_go_on_in_others_in_postgres() {
    many_runs(Kind::Postgres, 61).await;
}
