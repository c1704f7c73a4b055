//! A folder of each version is kept, and read for ever: its logs have a record of every kind.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::{LONG, folder::Folder, texts};
use crate::{
    Conversation, ModelResponse, RunConfig, UserMessage,
    conversation::Compaction,
    model::{ModelError, ModelErrorKind, Usage},
    run::{CallId, Delay, Finish, Interruption, Limit, Record, RequestPlan, Resolution, RunId},
    store::{
        Append, ConversationId, ConversationRef, ConversationVersion, Entry, FileStore,
        InboxContent, InboxItem, NewRun, RunFilter, RunInfo, RunStatus, Store, StoreErrorKind,
    },
    tool::{Decision, ToolCall, ToolOutput, ToolPolicy, ToolResult},
};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/files/tests/golden/version_1")
}

fn at() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(1_795_000_000_123)
}

fn every() -> RunId {
    RunId::new("run/every \u{e9}")
}

fn talk() -> ConversationId {
    ConversationId::new("talk")
}

/// A conversation of so many turns.
fn conversation(turns: usize) -> Conversation {
    let mut conversation = Conversation::new().with_system("Be brief.");
    for turn in 0..turns {
        conversation.push_user(format!("Question {turn}?"));
        conversation.push_response(ModelResponse::from_text("An \"answer\".\n"));
    }
    conversation
}

/// A record of every kind. They are no run.
fn records() -> Vec<Record> {
    let call = CallId { round: 1, index: 2 };
    let error = || ModelError::new(ModelErrorKind::RateLimit, "slow down");
    let asks = ModelResponse::from_calls([ToolCall::new("a", "look", r#"{"at": "the sky"}"#)]);
    vec![
        Record::Started {
            run_id: every(),
            config: RunConfig::default(),
            conversation: Conversation::new(),
            input: UserMessage::from("Hello,\nyou."),
        },
        Record::Replied {
            unfit: None,
            response: asks,
            policies: vec![ToolPolicy::default()],
        },
        Record::ModelFailed { error: error() },
        Record::ModelDelayed { error: error() },
        Record::ModelResumed,
        Record::ReplyBrokenOff {
            partial: ModelResponse::from_text("The sk"),
            by: Interruption::Cancel,
        },
        Record::CompactionStarted {
            compaction: Compaction::default(),
        },
        Record::ContextCompacted {
            compaction: Compaction::default(),
            model: Some("small".to_owned()),
            usage: Some(Usage::default()),
            error: Some(error()),
        },
        Record::CallStarted {
            call,
            name: "look".to_owned(),
        },
        Record::CallPrepared {
            call,
            arguments: r#"{"at":"the sky"}"#.to_owned(),
            changes: Vec::new(),
        },
        Record::CallDelayed {
            call,
            why: Delay::Approval,
        },
        Record::CallResumed { call },
        Record::CallDecided {
            call,
            decision: Decision::Deny {
                reason: "no".to_owned(),
            },
            tool: None,
        },
        Record::ApprovalRevoked { call },
        Record::CallExpired { call },
        Record::CallInterrupted { call },
        Record::CallFinished {
            call,
            result: ToolResult::new("a", Ok(ToolOutput::text("blue"))),
            spent: Some(Box::default()),
        },
        Record::RequestPlanned {
            plan: RequestPlan::new(),
        },
        Record::MessagePushed {
            message: UserMessage::from("And now?"),
        },
        Record::TimeUsed {
            time: Duration::from_millis(1_500),
        },
        Record::CancelAfterRound,
        Record::Resumed { suspended: true },
        Record::CancelRequested,
        Record::TimeLimitReached,
        Record::SharedLimitReached {
            limit: Limit::Tokens { max: 1_000 },
        },
        Record::Transferred {
            call,
            from: "main".to_owned(),
            to: "billing".to_owned(),
        },
        Record::Finished {
            finish: Finish::Answered,
        },
    ]
}

/// The name of a kind. A new one needs a record above, and the golden folder written anew beside this one.
fn kind(record: &Record) -> &'static str {
    match record {
        Record::Started { .. } => "started",
        Record::Replied { .. } => "replied",
        Record::ModelFailed { .. } => "model_failed",
        Record::ModelDelayed { .. } => "model_delayed",
        Record::ModelResumed => "model_resumed",
        Record::ReplyBrokenOff { .. } => "reply_broken_off",
        Record::CompactionStarted { .. } => "compaction_started",
        Record::ContextCompacted { .. } => "context_compacted",
        Record::CallStarted { .. } => "call_started",
        Record::CallPrepared { .. } => "call_prepared",
        Record::CallDelayed { .. } => "call_delayed",
        Record::CallResumed { .. } => "call_resumed",
        Record::CallDecided { .. } => "call_decided",
        Record::ApprovalRevoked { .. } => "approval_revoked",
        Record::CallExpired { .. } => "call_expired",
        Record::CallInterrupted { .. } => "call_interrupted",
        Record::CallFinished { .. } => "call_finished",
        Record::RequestPlanned { .. } => "request_planned",
        Record::MessagePushed { .. } => "message_pushed",
        Record::TimeUsed { .. } => "time_used",
        Record::CancelAfterRound => "cancel_after_round",
        Record::Resumed { .. } => "resumed",
        Record::CancelRequested => "cancel_requested",
        Record::TimeLimitReached => "time_limit_reached",
        Record::SharedLimitReached { .. } => "shared_limit_reached",
        Record::Transferred { .. } => "transferred",
        Record::Finished { .. } => "finished",
    }
}

/// The number of kinds above.
const KINDS: usize = 27;

fn entries() -> Vec<Entry> {
    let entry = |(sequence, record)| {
        let entry = Entry::new(every(), sequence, at(), 1, record);
        if sequence == 0 {
            entry.continuing(ConversationRef::new(talk(), 1))
        } else {
            entry
        }
    };
    (0..).zip(records()).map(entry).collect()
}

fn items() -> Vec<InboxItem> {
    let decision: Resolution = serde_json::from_value(serde_json::json!({
        "run_id": "run",
        "id": {"round": 1, "index": 2},
        "name": "look",
        "arguments": "{}",
        "resolved": {"type": "decision", "content": {"type": "approve"}},
    }))
    .expect("this is a decision");
    let contents = [
        InboxContent::Cancel,
        InboxContent::CancelAfterRound,
        InboxContent::Resolution(decision),
        InboxContent::Message(UserMessage::from("Hurry.")),
    ];
    let item = |(number, content)| InboxItem::with_id(format!("item {number}"), content);
    (1..).zip(contents).map(item).collect()
}

fn info() -> RunInfo {
    let mut info = RunInfo::new(every(), "weather", at());
    info.owner = Some("ada".to_owned());
    info.labels = BTreeMap::from([("team".to_owned(), "north".to_owned())]);
    info.conversation = Some(ConversationRef::new(talk(), 1));
    info
}

fn versions() -> [ConversationVersion; 2] {
    let version = |before, number, now| {
        let version =
            ConversationVersion::following(&conversation(before), number, &conversation(now));
        version.expect("a conversation is written")
    };
    [version(0, 1, 1), version(1, 2, 3)]
}

fn suspended() -> RunStatus {
    RunStatus::Suspended {
        pending: Vec::new(),
    }
}

async fn fill(store: &FileStore) {
    let [first, second] = versions();
    let saved = store.save_conversation(&talk(), Some("ada"), &first).await;
    saved.expect("the conversation is new");
    let texts = entries().into_iter().map(|entry| entry.to_text());
    let mut texts: Vec<_> = texts.collect::<Result<_, _>>().expect("they are written");
    let rest = texts.split_off(1);
    let lease = store.create(&NewRun::new(info(), texts), LONG).await;
    let lease = lease.expect("the run is new");
    for item in items() {
        store.put(&every(), &item).await.expect("the run is there");
    }
    let mut append = Append::new(1, rest);
    append.taken = 3;
    append.synced = false;
    store.append(&lease, &append).await.expect("an append");
    let mut append = Append::new(KINDS as u64, Vec::new());
    append.taken = 4;
    append.status = Some(suspended());
    append.conversation = Some(second);
    store.append(&lease, &append).await.expect("an append");
    let lease = store.lease(&every(), LONG).await.expect("it is free");
    store.release(&lease).await.expect("it is held");

    for run in ["finished", "abandoned"] {
        let new = NewRun::new(RunInfo::new(RunId::new(run), "other", at()), texts_of());
        let lease = store.create(&new, LONG).await.expect("the run is new");
        let item = InboxItem::with_id("late", InboxContent::Cancel);
        store.put(&lease.run_id, &item).await.expect("an item");
        if run == "abandoned" {
            store.abandon(&lease.run_id).await.expect("it is given up");
        } else {
            let mut end = Append::new(2, Vec::new());
            end.status = Some(RunStatus::Finished);
            store.append(&lease, &end).await.expect("it finishes");
        }
    }
}

fn texts_of() -> Vec<String> {
    texts(["{\"any\":1}", "two\nlines"])
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder is made");
    for entry in fs::read_dir(from).expect("the folder is read") {
        let path = entry.expect("it is read").path();
        let to = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("a file is copied");
        }
    }
}

async fn opened() -> (Folder, FileStore) {
    let folder = Folder::new();
    copy(&golden(), folder.path());
    let store = folder.process(1).await;
    (folder, store)
}

#[test]
fn there_is_a_record_of_every_kind() {
    let kinds: BTreeSet<_> = records().iter().map(kind).collect();
    assert_eq!(kinds.len(), KINDS);
}

#[tokio::test]
async fn version_1_is_read() {
    let (_folder, store) = opened().await;
    let run = store.load(&every(), 0).await.expect("it is read");
    assert_eq!(run.info, info());
    assert_eq!((run.status, run.taken), (suspended(), 4));
    assert_eq!(run.held_until, None);
    let entries = entries();
    assert_eq!(run.entries.len(), entries.len());
    for (expected, text) in entries.iter().zip(&run.entries) {
        let read = Entry::from_text(text, &every(), expected.sequence);
        assert_eq!(&read.expect("it is read"), expected);
        let name = format!("\"type\":\"{}\"", kind(&expected.record));
        assert!(text.contains(&name), "{text}");
        // It is written as it was then.
        assert_eq!(&expected.to_text().expect("it is written"), text);
    }
    let received = store.inbox(&every(), 0).await.expect("it is read");
    let received: Vec<_> = received.into_iter().map(|it| it.item).collect();
    assert_eq!(received, items());

    let read = store.conversation(&talk(), None).await;
    let read = read.expect("it is read");
    assert_eq!(read, versions());
    let joined = ConversationVersion::join(&read).expect("it is one conversation");
    assert_eq!(joined, conversation(3));
    let talks = store.conversations(Some("ada"), None, 10).await;
    let talks = talks.expect("they are listed");
    assert_eq!(
        (talks.items[0].id.clone(), talks.items[0].version),
        (talk(), 2)
    );

    let all = store.list(&RunFilter::default()).await;
    let all = all.expect("they are listed");
    assert_eq!((all.items.len(), all.damaged.len()), (3, 0));
    for run in all.items.iter().filter(|run| run.info.run_id != every()) {
        assert!(run.status.is_over() && run.ended.is_some(), "{run:?}");
        let loaded = store.load(&run.info.run_id, 0).await.expect("it is read");
        assert_eq!(loaded.entries, texts_of());
    }

    // And goes on as any other: with the next token, and a conversation that is still its own.
    let needed = store.delete_conversation(&talk()).await;
    assert_eq!(
        needed.expect_err("it is needed").kind,
        StoreErrorKind::InUse
    );
    let lease = store.lease(&every(), LONG).await.expect("it is free");
    assert_eq!(lease.token, 3);
    let mut end = Append::new(KINDS as u64, texts(["more"]));
    end.status = Some(RunStatus::Finished);
    store.append(&lease, &end).await.expect("it goes on");
    let deleted = store.delete_before(SystemTime::now() + LONG).await;
    let deleted = deleted.expect("they are over");
    assert_eq!((deleted.runs, deleted.conversations), (3, 1));
}

#[tokio::test]
async fn a_newer_version_of_each_file_is_refused() {
    let run = "runs/x-run%2fevery%20%c3%a9";
    for file in [
        "toolwright-store.json".to_owned(),
        format!("{run}/info.json"),
        format!("{run}/log-00000000000000000001.jsonl"),
        format!("{run}/log-00000000000000000002.jsonl"),
        format!("{run}/inbox/item-00000000000000000002.json"),
        "conversations/x-talk/version-00000000000000000001.json".to_owned(),
    ] {
        let (folder, store) = opened().await;
        let path = folder.path().join(&file);
        let text = fs::read_to_string(&path).expect("it is text");
        let newer = text.replacen("\"version\":1", "\"version\":2", 1);
        assert_ne!(newer, text, "{file}");
        fs::write(&path, newer).expect("it is written");
        let refused = match &*file {
            "toolwright-store.json" => FileStore::open(folder.path()).await.map(drop),
            file if file.contains("inbox") => store.inbox(&every(), 0).await.map(drop),
            file if file.contains("version-") => store.conversation(&talk(), None).await.map(drop),
            _ => store.load(&every(), 0).await.map(drop),
        };
        let error = refused.expect_err(&file);
        assert_eq!(error.kind, StoreErrorKind::Newer, "{file}: {error}");
        assert!(error.message.contains("version 2"), "{file}: {error}");
        assert!(error.message.contains("use a newer one"), "{file}: {error}");
    }
}

#[tokio::test]
#[ignore = "writes the golden folder of the version of today"]
async fn write_the_golden_folder() {
    let folder = Folder::new();
    fill(&folder.process(1).await).await;
    let _ = fs::remove_dir_all(golden());
    copy(folder.path(), &golden());
}
