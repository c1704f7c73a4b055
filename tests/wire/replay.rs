//! Every recorded conversation, replayed end to end: a server on loopback answers with the recorded bytes,
//! the real transport and codec drive the real loop, and the tools, made from the recorded definitions,
//! return the recorded results. What we send is compared with what was sent, field by field, and every
//! reply goes back as it came, what only the server can read byte for byte.

mod plan;
mod tools;

use std::{
    collections::{BTreeMap, VecDeque},
    mem,
    num::NonZeroUsize,
};

use libtest_mimic::Trial;
use serde_json::Value;
use toolwright::{
    Conversation, Runner,
    dispatch::CallOptions,
    message::UserMessage,
    model::ToolChoice,
    run::{Failure, Limits},
};

use crate::{
    allowed::assert_same,
    loopback::{Request, Server},
    outcome::{assert_error, holds},
    protocol::Protocol,
    record::{Record, last_segment},
    sent::assert_came,
    turn::Turn,
};
use plan::{Plan, THE_END};
use tools::Rounds;

/// How many conversations are replayed at least, and how many of the replies in them have parts that
/// only the server can read.
const AT_LEAST: &[(&str, usize, usize)] = &[
    ("anthropic", 31, 11),
    ("gemini", 27, 28),
    ("ollama", 13, 0),
    ("openai-chat", 72, 3),
    ("openai-responses", 33, 16),
];

/// The conversations of a protocol, and which of them are replayed.
pub(crate) struct Conversations {
    /// By name, in the order of their turns.
    replayed: BTreeMap<String, Vec<Record>>,
    /// Names, each with the reason.
    left_out: Vec<(String, &'static str)>,
}

impl Conversations {
    pub(crate) fn new(protocol: &Protocol, records: &[Record]) -> Self {
        let mut all: BTreeMap<String, Vec<Record>> = BTreeMap::new();
        for record in records {
            let conversation = all.entry(record.conversation.clone()).or_default();
            conversation.push(record.clone());
        }
        for exchanges in all.values_mut() {
            exchanges.sort_by_key(|exchange| exchange.turn);
        }
        let mut left_out = Vec::new();
        for (name, reason) in protocol.cannot_be_replayed {
            assert!(all.remove(*name).is_some(), "{name} is no conversation");
            left_out.push(((*name).to_owned(), *reason));
        }
        let is_asked =
            |exchanges: &[Record]| exchanges.iter().all(|record| record.body().is_some());
        for (name, _) in all.extract_if(.., |_, exchanges| !is_asked(exchanges)) {
            left_out.push((name, "only the answers were recorded"));
        }
        Self {
            left_out,
            replayed: all,
        }
    }

    /// How many there are.
    pub(crate) fn summary(&self, protocol: &Protocol) -> String {
        let signed = self.signed(protocol);
        format!(
            "{} conversations are replayed, with {signed} signed replies, {} cannot be",
            self.replayed.len(),
            self.left_out.len(),
        )
    }

    /// A trial for each conversation, ignored with the reason where it cannot be replayed, and one of
    /// their number.
    pub(crate) fn trials(self, protocol: &'static Protocol) -> Vec<Trial> {
        let (folder, all) = (
            protocol.folder,
            (self.replayed.len(), self.signed(protocol)),
        );
        let least = Trial::test(format!("replay::{folder}"), move || {
            let least = AT_LEAST.iter().find(|(name, ..)| *name == folder);
            let (_, conversations, signed) = least.ok_or("say how many there are")?;
            assert!(all.0 >= *conversations && all.1 >= *signed, "{all:?}");
            Ok(())
        });
        let left_out = self.left_out.into_iter().map(|(name, reason)| {
            let trial = Trial::test(format!("replay::{folder}/{name}"), move || {
                Err(reason.into())
            });
            trial.with_kind(reason).with_ignored_flag(true)
        });
        let trials = self.replayed.into_iter().map(|(name, exchanges)| {
            Trial::test(format!("replay::{folder}/{name}"), move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()?;
                runtime.block_on(replay(protocol, &exchanges))?;
                Ok(())
            })
        });
        trials.chain(left_out).chain([least]).collect()
    }

    /// How many of the replies can only be read by the server.
    fn signed(&self, protocol: &Protocol) -> usize {
        let exchanges = self.replayed.values().flatten();
        let is_signed = |record: &&Record| {
            let is_signed = !record.expected.reasoning_signatures.is_empty();
            is_signed && record.goes_back() && !(protocol.came)(record).is_empty()
        };
        exchanges.filter(is_signed).count()
    }
}

async fn replay(protocol: &Protocol, exchanges: &[Record]) -> Result<(), String> {
    let plan = Plan::new(protocol, exchanges)?;
    let server = Server::start(plan.answers.clone()).await;
    let first = &exchanges[0];
    let last = &exchanges[exchanges.len() - 1];
    let body = first.body().expect("those without were left out");
    let asked = (protocol.asked)(body);
    let rounds = Rounds::default();
    let runner = |choice| {
        Runner::builder((protocol.model)(first, &server.origin()))
            .tools(tools::toolset((protocol.tools)(body), &rounds))
            .settings(asked.settings.clone())
            .tool_choice(choice)
            .streaming(first.is_streamed())
            .calls(
                CallOptions::new()
                    .with_concurrency(NonZeroUsize::MIN)
                    .with_max_output(None),
            )
            // What failed once is not there a second time.
            .limits(Limits::agent().with_model_retries(0))
            .no_progress(false)
            .build()
            .expect("the recorded tools are tools")
    };
    let as_recorded = runner(asked.tool_choice);
    // The question that was made up is answered by text, which a forced choice forbids.
    let made_up = runner(ToolChoice::Auto);

    let mut conversation = Conversation::new();
    if let Some(system) = asked.system {
        conversation = conversation.with_system(system);
    }
    for turn in plan.beginning {
        match turn {
            Turn::Results(results) => {
                let results = conversation.push_results(results);
                results.expect("they are in the order of the calls");
            }
            Turn::Reply(body) => {
                let reply = (protocol.codec.decode)(body.to_string().as_bytes());
                conversation.push_response(reply.expect("it is a reply"));
            }
            Turn::User(_) => unreachable!("the beginning ends with the first question"),
        }
    }
    let mut ended = Vec::new();
    let last_question = plan.questions.len() - 1;
    for (place, question) in plan.questions.into_iter().enumerate() {
        let is_made_up = plan.ends_well && place == last_question;
        let runner = if is_made_up { &made_up } else { &as_recorded };
        for parts in question.said {
            conversation.push_user(UserMessage::new(parts));
        }
        *rounds.lock().expect("nothing panics while it is held") = question.rounds;
        let parts = question.parts;
        let outcome = runner
            .request(UserMessage::new(parts))
            .within(&mut conversation)
            .run()
            .await;
        let left = mem::take(&mut *rounds.lock().expect("nothing panics while it is held"));
        assert!(
            left.iter().all(VecDeque::is_empty),
            "{left:?} was not asked for"
        );
        ended.push(outcome);
    }
    check_end(&ended, last, plan.ends_well);
    let requests = server.requests();
    assert_eq!(requests.len(), plan.answers.len(), "one request an answer");
    // The replies that the last one goes on with.
    let mut paused = Vec::new();
    for (place, exchange) in exchanges.iter().enumerate() {
        let place = plan.before_recording + place;
        check_request(protocol, exchange, &requests[place]);
        let is_void = plan.ends_empty && std::ptr::eq(exchange, last);
        if exchange.goes_back() && !is_void && place + 1 < requests.len() {
            paused.extend((protocol.came)(exchange));
            check_went_back(protocol, exchange, &paused, &requests[place + 1].body);
        }
        if exchange.expected.finish_reason.as_deref() != Some("pause_turn") {
            paused.clear();
        }
    }
    Ok(())
}

type Ended = Result<toolwright::run::RunOutcome, toolwright::run::RunError>;

/// The runs ended as they did when they were recorded.
fn check_end(ended: &[Ended], last: &Record, well: bool) {
    let mut ended = ended.iter().rev();
    let at_last = ended.next().expect("there is a question").as_ref();
    if well {
        assert_eq!(at_last.expect("it has an answer").text, THE_END);
    } else {
        let error = at_last.expect_err("it failed when it was recorded");
        let Failure::Model(error) = &error.failure else {
            panic!("it was the model that failed: {error}");
        };
        if let Some(mut expected) = last.expected.error.clone() {
            // The codec alone does not know it.
            expected.status.get_or_insert(last.response.status);
            assert_error(Some(error), Some(&expected), last.response.status);
        }
    }
    for outcome in ended {
        outcome.as_ref().expect("it succeeded once");
    }
}

/// What we send is what was sent, but for what is allowed.
fn check_request(protocol: &Protocol, exchange: &Record, request: &Request) {
    let line = request.head.lines().next().unwrap_or_default();
    let address = line.split(' ').nth(1).unwrap_or_default();
    // It is not known of what was taken from documentation.
    if !exchange.path_end().is_empty() {
        assert_eq!(last_segment(address), exchange.path_end().to_lowercase());
    }
    let allowed = protocol.allowed.iter();
    let allowed = allowed.chain(protocol.allowed_in_replay);
    assert_same(exchange, &request.body, allowed);
}

/// The reply is in the next request as it came.
fn check_went_back(protocol: &Protocol, exchange: &Record, came: &[Value], next: &[u8]) {
    if came.is_empty() {
        return;
    }
    let next: Value = serde_json::from_slice(next).expect("what we send is JSON");
    let sent = (protocol.replies)(&next).pop();
    assert_came(&sent.expect("there is a response"), came);
    for signature in &exchange.expected.reasoning_signatures {
        assert!(holds(&next, signature), "{signature} goes back");
    }
}
