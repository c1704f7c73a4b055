//! A list of messages of a provider while it is read: calls and results find each other, and what is wrong is
//! mended and written down.

mod finding;
mod mend;
mod results;
mod round;

use std::collections::HashSet;

use serde_json::Value;
use toolwright_core::{
    message::{Part, calls_of},
    model::ModelResponse,
    tool::ToolCall,
};

use super::response_reader::{ResponseReader, decode_whole};
use finding::Findings;
pub use finding::{Finding, FindingKind};
pub(crate) use results::{Answer, error_of_text, outcome_of_text, without_media_note};
use results::{OpenRound, Strays};
use round::Round;

/// A list of messages, as far as it has been read.
#[derive(Debug)]
pub(crate) struct Transcript {
    /// The name of the codec.
    pub(crate) codec: &'static str,
    /// The name that opaque parts of the server go by.
    pub(crate) provider: String,
    items: Vec<Item>,
    open: Option<OpenRound>,
    strays: Strays,
    system: Option<String>,
    system_form: Option<Value>,
    ids: HashSet<String>,
    findings: Findings,
}

#[derive(Debug)]
enum Item {
    User(Vec<Part>),
    Round(Round),
    Response(Vec<Part>),
}

/// More ids than this long are not taken back by every provider.
const LONGEST_ID: usize = 40;

impl Transcript {
    pub(crate) fn new(codec: &'static str, provider: String) -> Self {
        Self {
            codec,
            provider,
            items: Vec::new(),
            open: None,
            strays: Strays::default(),
            system: None,
            system_form: None,
            ids: HashSet::new(),
            findings: Findings::default(),
        }
    }

    /// Writes down what is not as it was.
    pub(crate) fn find(&mut self, kind: FindingKind, path: &str, message: impl Into<String>) {
        self.findings.push(kind, path, message);
    }

    /// Takes the system text, and the form in which it came if ours is another.
    pub(crate) fn system(&mut self, text: String, form: Option<Value>) {
        self.system = Some(text);
        self.system_form = form;
    }

    /// Takes a message of the user.
    pub(crate) fn user(&mut self, path: &str, parts: Vec<Part>) {
        let says = |part: &Part| match part {
            Part::Text(text) => !text.trim().is_empty(),
            Part::Opaque(opaque) => !super::imported::is_mark(&opaque.data),
            _ => true,
        };
        if !parts.iter().any(says) {
            return self.find(
                FindingKind::EmptyMessage,
                path,
                "the message of the user is empty and is left out",
            );
        }
        self.open = None;
        self.items.push(Item::User(parts));
    }

    /// Takes a message of the model, from the body of a whole response.
    pub(crate) fn reply<R: ResponseReader>(&mut self, path: &str, body: &str) {
        match response_of::<R>(body) {
            Ok(reply) => self.response(path, reply),
            Err(error) => self.find(
                FindingKind::LeftOut,
                path,
                format!("the message of the model cannot be read and is left out: {error}"),
            ),
        }
    }

    /// Takes the response.
    pub(crate) fn response(&mut self, path: &str, reply: ModelResponse) {
        let mut parts = reply.parts.into_vec();
        for warning in &reply.warnings {
            self.find(FindingKind::LeftOut, path, warning.message.clone());
        }
        if !reply.metadata.is_empty() {
            let names: Vec<_> = reply.metadata.keys().map(String::as_str).collect();
            let message = format!("these fields are left out: {}", names.join(", "));
            self.find(FindingKind::LeftOut, path, message);
        }
        if let Some(refusal) = reply.refusal {
            self.find(FindingKind::Rewritten, path, "the refusal is read as text");
            parts.push(Part::Text(refusal));
        }
        self.own(&mut parts);
        if parts.is_empty() {
            return self.find(
                FindingKind::EmptyMessage,
                path,
                "the message of the model is empty and is left out",
            );
        }
        let calls: Vec<ToolCall> = calls_of(&parts).cloned().collect();
        if calls.is_empty() {
            self.open = None;
            self.items.push(Item::Response(parts));
            return;
        }
        if self.repeats(&parts, &calls) {
            return self.find(
                FindingKind::DuplicateMessage,
                path,
                "the calls of the message just before are repeated, and left out",
            );
        }
        for call in &calls {
            self.check_id(path, &call.id);
        }
        self.open = Some(OpenRound::of(&calls));
        self.items.push(Item::Round(Round::new(path, parts, calls)));
    }

    /// Takes the result of a call.
    pub(crate) fn result(&mut self, path: &str, answer: Answer) {
        let place = self.open.as_mut().and_then(|open| open.take(&answer));
        let Some(Item::Round(round)) = self.items.last_mut().filter(|_| place.is_some()) else {
            return self.strays.push(path, answer);
        };
        let (number, in_order) = place.unwrap_or_default();
        round.answer(number, answer);
        if !in_order {
            self.find(
                FindingKind::MovedResult,
                path,
                "the results are not in the order of their calls, and are reordered",
            );
        }
    }

    /// Names opaque parts after their server.
    fn own(&self, parts: &mut [Part]) {
        for part in parts {
            if let Part::Opaque(opaque) = part
                && opaque.provider == self.codec
                && !super::imported::is_mark(&opaque.data)
            {
                opaque.provider.clone_from(&self.provider);
            }
        }
    }

    /// Returns true if the response just before has the same parts, and no results.
    fn repeats(&self, parts: &[Part], calls: &[ToolCall]) -> bool {
        let Some(Item::Round(before)) = self.items.last() else {
            return false;
        };
        before.reply == parts
            && before.results.iter().all(Option::is_none)
            && calls.iter().all(|call| !call.id.is_empty())
    }

    fn check_id(&mut self, path: &str, id: &str) {
        if id.is_empty() {
            return;
        }
        let message = if id.len() > LONGEST_ID {
            "the id of the call is too long for some providers; it is sent with another id"
        } else if self.ids.insert(id.to_owned()) {
            return;
        } else {
            "an earlier call has the same id; this call is sent with another id"
        };
        self.find(FindingKind::ReplacedId, path, message);
    }
}

/// Reads the body of a whole response.
pub(crate) fn response_of<R: ResponseReader>(body: &str) -> Result<ModelResponse, String> {
    let mut events = Vec::new();
    decode_whole::<R>(body.as_bytes(), &mut events).map_err(|error| error.to_string())?;
    Ok(events.into_iter().collect())
}
