//! What a recorded conversation says must happen when it is replayed.

use std::{collections::VecDeque, mem};

use serde_json::Value;
use toolwright::{ModelResponse, ToolResult, message::Part, model::FinishReason};

use crate::{loopback::Answer, protocol::Protocol, record::Record, turn::Turn};

/// What the user says when the recording is over, so that its last reply goes back as well.
const GO_ON: &str = "Go on.";
/// What the model answers then.
pub(crate) const THE_END: &str = "The recording ends here.";

/// How many bytes of a streamed body come at once: less than most events have.
const PIECE: usize = 61;

/// What must happen.
#[derive(Default)]
pub(crate) struct Plan {
    /// What the user asks, one run each.
    pub(crate) questions: Vec<Question>,
    /// What the server answers, in order.
    pub(crate) answers: Vec<Answer>,
    /// How many replies are known only from the history of the first request.
    pub(crate) before_recording: usize,
    /// What had been said before the first question.
    pub(crate) beginning: Vec<Turn>,
    /// Whether the last recorded reply ends well.
    pub(crate) ends_well: bool,
    /// Whether the last recorded reply says nothing: the model is asked once more, and the reply does not
    /// go back.
    pub(crate) ends_empty: bool,
}

/// What the user asks.
pub(crate) struct Question {
    /// What the user had said just before.
    pub(crate) said: Vec<Vec<Part>>,
    pub(crate) parts: Vec<Part>,
    /// What the tools return, in each round in the order of the calls.
    pub(crate) rounds: VecDeque<VecDeque<ToolResult>>,
}

impl Plan {
    /// The plan for the exchanges of a conversation; an error says why there is none.
    pub(crate) fn new(protocol: &Protocol, exchanges: &[Record]) -> Result<Self, String> {
        let mut plan = Self::default();
        for (place, exchange) in exchanges.iter().enumerate() {
            let turns = turns(protocol, exchange);
            let (_, turns) = turns.split_at(beginning(&turns));
            let known = turns
                .iter()
                .filter(|turn| matches!(turn, Turn::Reply(_)))
                .count();
            if place == 0 {
                plan.before_recording = known;
            } else if known != plan.before_recording + place {
                return Err(format!(
                    "request {place} does not hold the replies before it"
                ));
            }
        }
        let last = &exchanges[exchanges.len() - 1];
        let mut turns = turns(protocol, last);
        plan.beginning = turns.drain(..beginning(&turns)).collect();
        let mut said = Vec::new();
        let mut turns = turns.into_iter().peekable();
        while let Some(turn) = turns.next() {
            let user_is_next = matches!(turns.peek(), Some(Turn::User(_)));
            match turn {
                Turn::User(parts) if user_is_next => said.push(parts),
                Turn::User(parts) => plan.ask(mem::take(&mut said), parts),
                Turn::Reply(body) => {
                    let place = plan.answers.len().checked_sub(plan.before_recording);
                    plan.answers.push(match place {
                        None => Answer::json(&body.to_string()),
                        Some(place) => answer(&exchanges[place]),
                    });
                }
                Turn::Results(_) if user_is_next => {
                    return Err("the user speaks between the results and the response".to_owned());
                }
                Turn::Results(results) => plan.last_question()?.rounds.push_back(results.into()),
            }
        }
        if plan.questions.is_empty() {
            return Err("nobody asks anything".to_owned());
        }
        plan.answers.push(answer(last));
        plan.end(protocol, last)?;
        Ok(plan)
    }

    /// Lets the last reply go back.
    fn end(&mut self, protocol: &Protocol, last: &Record) -> Result<(), String> {
        if !last.is_whole() {
            return Ok(());
        }
        let reply = protocol.codec.read(last);
        let is_malformed = reply.finish_reason == FinishReason::MalformedCall;
        self.ends_well = !is_malformed && reply.finish_reason != FinishReason::Pending;
        if is_malformed {
            // The model is asked once more, and does no better.
            self.answers.push(answer(last));
        }
        if !self.ends_well {
            return Ok(());
        }
        let the_end = || Answer::json(&(protocol.text_response)(THE_END).to_string());
        self.ends_empty = reply.finish_reason == FinishReason::Stop && says_nothing(&reply);
        if self.ends_empty {
            // The model is asked once more, and answers.
            self.answers.push(the_end());
        }
        if reply.requires_tool_execution() {
            let calls = reply.tool_calls.iter();
            let results = calls.map(|call| ToolResult::success(&call.id, "done"));
            let results = results.collect();
            self.last_question()?.rounds.push_back(results);
            self.answers.push(the_end());
        }
        self.ask(Vec::new(), vec![Part::Text(GO_ON.to_owned())]);
        self.answers.push(the_end());
        Ok(())
    }

    fn ask(&mut self, said: Vec<Vec<Part>>, parts: Vec<Part>) {
        let rounds = VecDeque::new();
        self.questions.push(Question {
            said,
            parts,
            rounds,
        });
    }

    fn last_question(&mut self) -> Result<&mut Question, String> {
        let question = self.questions.last_mut();
        question.ok_or_else(|| "results come before any question".to_owned())
    }
}

/// Whether a reply has nothing for the user and nothing for the tools.
fn says_nothing(reply: &ModelResponse) -> bool {
    let is_blank = reply.text.trim().is_empty() && reply.refusal.is_none();
    is_blank && reply.tool_calls.is_empty()
}

fn turns(protocol: &Protocol, record: &Record) -> Vec<Turn> {
    (protocol.turns)(record.body().unwrap_or(&Value::Null))
}

/// How many turns come before the first question.
fn beginning(turns: &[Turn]) -> usize {
    let is_question = |turn: &Turn| matches!(turn, Turn::User(_));
    turns.iter().position(is_question).unwrap_or(turns.len())
}

/// What the server answered, as it was recorded.
fn answer(record: &Record) -> Answer {
    let response = &record.response;
    let content_type = match (response.content_type.as_str(), record.kind.as_str()) {
        ("", "sse") => "text/event-stream",
        ("", "ndjson") => "application/x-ndjson",
        ("", _) => "application/json",
        (known, _) => known,
    };
    let status = format!("{} Recorded", response.status);
    if record.kind == "json" {
        return Answer::http(&status, content_type, &response.body);
    }
    Answer::streamed(&status, content_type, &response.body, PIECE)
}
